//! Claims about measurements: figures, or the ratio of two: of two engines, of two measurements of
//! one engine, of ours and the paper's.
//!
//! Ratios are taken round by round, and the lowest and the highest round stand for the interval.
//! (Of five rounds they enclose the true median 94 times of 100.)

use serde::{Deserialize, Serialize};

use super::data::Measurements;
use super::figures::{FigureTable, Row, ratios, spread};
use crate::statistics::Estimate;
use crate::study::claims::{Claim, Finding, Quantifier};
use crate::study::error::StudyError;
use crate::study::front::bad;

/// What claims are about.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct About {
    figure: Source,
    /// What that figure is divided by, if it is about a ratio.
    over: Option<Source>,
    /// The games; those of the table if none is named.
    #[serde(default)]
    games: Vec<String>,
    #[serde(default)]
    which: Which,
}

/// Where a figure comes from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Source {
    /// The table.
    pub table: String,
    /// The engine, by its name in the study; `*` is each of the table, which only the figure of a
    /// claim may be.
    pub engine: Option<String>,
    /// Or the column of the paper.
    pub paper: Option<String>,
}

/// What stands for each engine of a table.
const EVERY: &str = "*";

/// A game, or a game and an engine, with the figures of the rounds and what each is divided by.
type Found = (String, Vec<f64>, Vec<f64>);

/// For which games something is claimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Which {
    /// For each.
    #[default]
    Each,
    /// For one at least.
    Some,
    /// For the geometric mean of all.
    Mean,
}

impl About {
    /// Whether it is about figures of the study.
    pub(super) fn check(
        &self,
        claim: &Claim<Self>,
        study: &Measurements,
    ) -> Result<(), StudyError> {
        for source in [Some(&self.figure), self.over.as_ref()]
            .into_iter()
            .flatten()
        {
            let Some(table) = study.table(&source.table) else {
                let problem = format!("there is no table `{}`", source.table);
                return Err(bad(claim.place(), problem));
            };
            let engines = study.engines_of(table);
            let is_known = match (&source.engine, &source.paper) {
                (Some(engine), None) if engine == EVERY => std::ptr::eq(source, &self.figure),
                (Some(engine), None) => engines.iter().any(|entry| entry.name == *engine),
                (None, Some(paper)) => table.paper.contains_key(paper),
                _ => false,
            };
            if !is_known {
                let problem = format!(
                    "give an `engine` or a column of the `paper` that the table `{}` has",
                    source.table
                );
                return Err(bad(claim.place(), problem));
            }
        }
        study.check_games(&claim.place(), &self.games)
    }

    /// The figures, each with what it is about.
    fn parts(&self, tables: &[FigureTable]) -> Vec<(String, Option<Estimate>)> {
        let (games, figures) = (self.games_of(tables), self.figures(tables));
        let pairs = figures
            .iter()
            .flat_map(|figure| games.iter().map(move |&game| (figure, game)));
        let found: Vec<Found> = pairs
            .filter_map(|(figure, game)| self.values(tables, figure, game))
            .collect();
        match self.which {
            Which::Mean => mean(&found).into_iter().collect(),
            Which::Each | Which::Some => {
                let part = |(what, one, other): &Found| (what.clone(), ratios(one, other));
                found.iter().map(part).collect()
            }
        }
    }

    fn games_of<'a>(&'a self, tables: &'a [FigureTable]) -> Vec<&'a str> {
        if !self.games.is_empty() {
            return self.games.iter().map(String::as_str).collect();
        }
        let rows = find(tables, &self.figure.table).map(|table| &table.rows);
        let rows = rows.into_iter().flatten();
        rows.map(|row| row.game.as_str()).collect()
    }

    /// Whose figures it is about.
    fn figures(&self, tables: &[FigureTable]) -> Vec<Source> {
        if self.figure.engine.as_deref() != Some(EVERY) {
            return vec![self.figure.clone()];
        }
        let engines = find(tables, &self.figure.table).map(|table| &table.engines);
        let source = |engine: &String| Source {
            engine: Some(engine.clone()),
            ..self.figure.clone()
        };
        engines.into_iter().flatten().map(source).collect()
    }

    /// The figures of a game's rounds, and what they are divided by; nothing where one of the two
    /// is missing.
    fn values(&self, tables: &[FigureTable], figure: &Source, game: &str) -> Option<Found> {
        let one = figure.values(tables, game)?;
        let other = match &self.over {
            Some(over) => over.values(tables, game)?,
            None => vec![1.0],
        };
        // What the paper has is the same in every round.
        let rounds = one.len().max(other.len());
        let stretched = |values: Vec<f64>| match values[..] {
            [only] => vec![only; rounds],
            _ => values,
        };
        let what = match (&self.figure.engine, &figure.engine) {
            (Some(every), Some(engine)) if every == EVERY => format!("{game}, {engine}"),
            _ => game.to_owned(),
        };
        Some((what, stretched(one), stretched(other)))
    }
}

/// The geometric mean of the ratios of all games, round by round.
fn mean(found: &[Found]) -> Option<(String, Option<Estimate>)> {
    let rounds = found
        .iter()
        .map(|(_, one, other)| one.len().min(other.len()));
    let rounds = rounds.min()?;
    let mean = |round: usize| {
        let ratios = found
            .iter()
            .map(|(_, one, other)| one[round] / other[round]);
        let logarithms = ratios.map(f64::ln);
        (logarithms.sum::<f64>() / found.len() as f64).exp()
    };
    let means: Vec<f64> = (0..rounds).map(mean).collect();
    Some((
        format!("geometric mean of {} games", found.len()),
        spread(&means),
    ))
}

/// Judges a claim by the tables of its study.
pub(super) fn judge(claim: &Claim<About>, tables: &[FigureTable]) -> Finding {
    let about = &claim.about;
    let mut parts = about.parts(tables);
    // The weakest comes first, as the one that decides.
    let value = |estimate: &Option<Estimate>| estimate.map_or(0.0, |estimate| estimate.value);
    parts.sort_by(|one, other| value(&one.1).total_cmp(&value(&other.1)));
    if claim.at_least.is_none() || about.which == Which::Some {
        parts.reverse();
    }
    let quantifier = match about.which {
        Which::Some => Quantifier::Some,
        Which::Each | Which::Mean => Quantifier::All,
    };
    claim.judge(quantifier, parts)
}

fn find<'a>(tables: &'a [FigureTable], name: &str) -> Option<&'a FigureTable> {
    tables.iter().find(|table| table.name == name)
}

impl Source {
    /// The figures of its rounds for a game; one if they are the paper's, and none if there are
    /// none.
    fn values(&self, tables: &[FigureTable], game: &str) -> Option<Vec<f64>> {
        let table = find(tables, &self.table)?;
        let row: &Row = table.rows.iter().find(|row| row.game == game)?;
        let values = match (&self.engine, &self.paper) {
            (Some(engine), _) => {
                let place = table.engines.iter().position(|name| name == engine)?;
                row.slots[place].rounds.clone()
            }
            (None, Some(paper)) => {
                let place = table.papers.iter().position(|name| name == paper)?;
                vec![row.papers[place]?]
            }
            (None, None) => Vec::new(),
        };
        (!values.is_empty()).then_some(values)
    }
}
