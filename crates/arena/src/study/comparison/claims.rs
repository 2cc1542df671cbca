//! What a paper claims about engines, and whether it holds here.
//!
//! A claim is about figures, or about the ratio of two: of two engines, of two measurements of one engine, of ours and the paper's. Ratios are
//! taken round by round. A claim holds for a game if the ratios of all rounds lie within its bounds, fails if all lie outside, and
//! is undecided otherwise. (Of five rounds the lowest and the highest enclose the true median 94 times of 100.)

use serde::{Deserialize, Serialize};

use super::data::Comparison;
use super::figures::{FigureTable, Row, ratios, spread};
use crate::statistics::Estimate;
use crate::study::claims::{Finding, Judgement, Part};
use crate::study::error::StudyError;
use crate::study::experiment::bad;

/// A claim of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RateClaim {
    /// A short name.
    pub id: String,
    /// The claim in words.
    pub text: String,
    /// Whose figure it is about.
    pub figure: Source,
    /// What that figure is divided by, if it is about a ratio.
    pub over: Option<Source>,
    /// The games; those of the table if none is named.
    #[serde(default)]
    pub games: Vec<String>,
    /// For which of the games it is claimed.
    #[serde(default)]
    pub which: Which,
    /// The lowest value.
    pub at_least: Option<f64>,
    /// The highest value.
    pub at_most: Option<f64>,
}

/// Where a figure comes from.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The table.
    pub table: String,
    /// The engine, by its name in the study; `*` is each of the table, which only the figure of a claim may be.
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
pub enum Which {
    /// For each.
    #[default]
    Each,
    /// For one at least.
    Some,
    /// For the geometric mean of all.
    Mean,
}

impl RateClaim {
    /// Whether it makes sense in its study.
    pub(super) fn check(&self, comparison: &Comparison) -> Result<(), StudyError> {
        let problem = |problem: String| Err(bad(format!("claim `{}`", self.id), problem));
        if self.at_least.is_none() && self.at_most.is_none() {
            return problem("give `at_least`, `at_most` or both".to_owned());
        }
        for source in [Some(&self.figure), self.over.as_ref()]
            .into_iter()
            .flatten()
        {
            let Some(table) = comparison.table(&source.table) else {
                return problem(format!("there is no table `{}`", source.table));
            };
            let engines = comparison.engines_of(table);
            let known = match (&source.engine, &source.paper) {
                (Some(engine), None) if engine == EVERY => std::ptr::eq(source, &self.figure),
                (Some(engine), None) => engines.iter().any(|entry| entry.name == *engine),
                (None, Some(paper)) => table.paper.contains_key(paper),
                _ => false,
            };
            if !known {
                return problem(format!(
                    "give an `engine` or a column of the `paper` that the table `{}` has",
                    source.table
                ));
            }
        }
        Ok(())
    }

    /// Judges the claim by the tables of its study.
    pub(super) fn judge(&self, tables: &[FigureTable]) -> Finding {
        let (games, figures) = (self.games_of(tables), self.figures(tables));
        let pairs = figures
            .iter()
            .flat_map(|figure| games.iter().map(move |&game| (figure, game)));
        let found: Vec<Found> = pairs
            .filter_map(|(figure, game)| self.values(tables, figure, game))
            .collect();
        let mut parts: Vec<Part> = match self.which {
            Which::Mean => self.mean(&found).into_iter().collect(),
            Which::Each | Which::Some => {
                let part = |(what, one, other): &Found| self.part(what.clone(), ratios(one, other));
                found.iter().map(part).collect()
            }
        };
        // The weakest comes first, as the one that decides.
        let value = |part: &Part| part.estimate.map_or(0.0, |estimate| estimate.value);
        parts.sort_by(|one, other| value(one).total_cmp(&value(other)));
        if self.at_least.is_none() || self.which == Which::Some {
            parts.reverse();
        }
        Finding {
            id: self.id.clone(),
            text: self.text.clone(),
            judgement: self.whole(&parts),
            parts,
        }
    }

    fn whole(&self, parts: &[Part]) -> Judgement {
        let all = |judgement| parts.iter().all(|part| part.judgement == judgement);
        let any = |judgement| parts.iter().any(|part| part.judgement == judgement);
        let (holds, fails) = match self.which {
            Which::Some => (any(Judgement::Holds), all(Judgement::Fails)),
            Which::Each | Which::Mean => (all(Judgement::Holds), any(Judgement::Fails)),
        };
        match (parts.is_empty(), holds, fails) {
            (false, true, _) => Judgement::Holds,
            (false, false, true) => Judgement::Fails,
            _ => Judgement::Undecided,
        }
    }

    fn part(&self, what: String, estimate: Option<Estimate>) -> Part {
        Part {
            what,
            judgement: estimate.map_or(Judgement::Undecided, |estimate| self.within(estimate)),
            estimate,
        }
    }

    fn within(&self, estimate: Estimate) -> Judgement {
        Judgement::of(estimate, self.at_least, self.at_most)
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

    /// The figures of a game's rounds, and what they are divided by; nothing where one of the two is missing.
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

    fn mean(&self, found: &[Found]) -> Option<Part> {
        let rounds = found
            .iter()
            .map(|(_, one, other)| one.len().min(other.len()));
        let rounds = rounds.min()?;
        let mean = |round: usize| {
            let logarithms = found
                .iter()
                .map(|(_, one, other)| (one[round] / other[round]).ln());
            (logarithms.sum::<f64>() / found.len() as f64).exp()
        };
        let means: Vec<f64> = (0..rounds).map(mean).collect();
        let what = format!("geometric mean of {} games", found.len());
        Some(self.part(what, spread(&means)))
    }
}

fn find<'a>(tables: &'a [FigureTable], name: &str) -> Option<&'a FigureTable> {
    tables.iter().find(|table| table.name == name)
}

impl Source {
    /// The figures of its rounds for a game; one if they are the paper's, and none if there are none.
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
