//! Measurements as data: what `studies/NAME.toml` says if it has `engines`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::claims::About;
use crate::study::claims::{Claim, check_claims};
use crate::study::error::StudyError;
use crate::study::front::{Front, Scale, bad, check_names};

/// A study of measurements.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurements {
    #[serde(flatten)]
    pub(super) front: Front,
    /// The games, and which rules exactly they are.
    #[serde(default)]
    pub games: BTreeMap<String, String>,
    /// Whether the games are all that are bundled, instead of those in `games`.
    #[serde(default)]
    pub(super) all_games: bool,
    /// The engines, in the order of the columns.
    pub(super) engines: Vec<EngineEntry>,
    /// The engine that plays the recorded matches; which one it is changes nothing but how long
    /// that takes.
    #[serde(default = "default_recorder")]
    pub(super) recorder: String,
    /// Joint moves after which a playout is cut.
    #[serde(default = "default_step_limit")]
    pub(super) step_limit: u32,
    pub(super) scales: BTreeMap<Scale, Effort>,
    pub(super) tables: Vec<TableData>,
    #[serde(default)]
    pub(super) claims: Vec<Claim<About>>,
}

fn default_recorder() -> String {
    "compiled".to_owned()
}

fn default_step_limit() -> u32 {
    1_000
}

/// An engine as the study calls it, and as the program writes it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineEntry {
    /// What the study calls it.
    pub name: String,
    /// How it is written: `compiled(share=off)`.
    pub engine: String,
}

/// What a scale means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// CPU seconds of a sample.
    pub seconds: f64,
    /// Samples of a figure.
    pub rounds: u32,
    /// Recorded matches, of each of which one position is taken.
    #[serde(default = "one_position")]
    pub positions: usize,
    /// The games that are measured; all if none is named.
    #[serde(default)]
    pub games: Vec<String>,
}

fn one_position() -> usize {
    1
}

/// A table: games down, engines across.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableData {
    /// A short name; no other table of the study has it.
    pub name: String,
    /// What stands above it.
    pub title: String,
    /// What is measured.
    pub measure: Measure,
    /// What is shown of it.
    pub unit: Unit,
    /// Whether seconds are those of the clock, for work of several threads; else of CPU time.
    #[serde(default)]
    pub clock: bool,
    /// What figures are multiplied with: 5 for what happens in five seconds.
    #[serde(default = "one")]
    pub factor: f64,
    /// Where it begins.
    #[serde(default)]
    pub at: Place,
    /// For node counts: how deep each game is searched.
    #[serde(default)]
    pub depths: BTreeMap<String, u32>,
    /// The games; all if none is named.
    #[serde(default)]
    pub games: Vec<String>,
    /// The engines; all if none is named.
    #[serde(default)]
    pub engines: Vec<String>,
    /// Whether each figure is shown as a part of the best in its row.
    #[serde(default)]
    pub relative: bool,
    /// An engine of the table: each figure is shown as how many times it is that engine's.
    pub over: Option<String>,
    /// Groups of engines, the slowest first; one that is faster than one of a later group is
    /// marked.
    #[serde(default)]
    pub order: Vec<Vec<String>>,
    /// What the paper has: for each of its columns, which may be called as our engines are, a
    /// figure for each game.
    #[serde(default)]
    pub paper: BTreeMap<String, BTreeMap<String, f64>>,
}

fn one() -> f64 {
    1.0
}

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// Making the engine from the rules.
    Load,
    /// Uniformly random playouts.
    Playouts,
    /// Minimax without pruning, one level deeper each time.
    Minimax,
    /// Minimax to a fixed depth, to count the nodes.
    Nodes,
}

/// What is shown of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Playouts a second.
    Playouts,
    /// States a second: joint moves made.
    States,
    /// States a playout.
    Length,
    /// CPU seconds that it took.
    Seconds,
    /// Nodes in all.
    Nodes,
}

/// Where a measurement begins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Place {
    /// In the initial state.
    #[default]
    Start,
    /// In positions of recorded matches, each match's further on than the one's before.
    Spread,
    /// Halfway through recorded matches.
    Middle,
    /// When five sixths of recorded matches are over.
    End,
}

impl Place {
    /// How far through its match the position with a number is.
    pub(super) fn part(self, number: usize, all: usize) -> f64 {
        match self {
            Place::Start => 0.0,
            Place::Spread => (number as f64 + 0.5) / all as f64,
            Place::Middle => 0.5,
            Place::End => 5.0 / 6.0,
        }
    }

    /// Where it is, in words.
    pub(super) fn name(self) -> &'static str {
        match self {
            Place::Start => "the start",
            Place::Spread => "positions all over matches",
            Place::Middle => "the middle of matches",
            Place::End => "the end of matches",
        }
    }
}

impl Measurements {
    /// The engine that the study calls so.
    pub(super) fn engine(&self, name: &str) -> Option<&EngineEntry> {
        self.engines.iter().find(|entry| entry.name == name)
    }

    /// The engines of a table, in the order of its columns.
    pub(super) fn engines_of<'a>(&'a self, table: &'a TableData) -> Vec<&'a EngineEntry> {
        if table.engines.is_empty() {
            return self.engines.iter().collect();
        }
        let named = table.engines.iter();
        named.filter_map(|name| self.engine(name)).collect()
    }

    /// The games of a table at a scale, in the order of its rows.
    pub(super) fn games_of(&self, table: &TableData, effort: &Effort) -> Vec<String> {
        let named: Vec<&String> = if !table.games.is_empty() {
            table.games.iter().collect()
        } else if !table.depths.is_empty() {
            table.depths.keys().collect()
        } else {
            self.games.keys().collect()
        };
        let wanted = |game: &&String| effort.games.is_empty() || effort.games.contains(game);
        named.into_iter().filter(wanted).cloned().collect()
    }

    /// The table that is called so.
    pub(super) fn table(&self, name: &str) -> Option<&TableData> {
        self.tables.iter().find(|table| table.name == name)
    }

    pub(super) fn check_data(&self) -> Result<(), StudyError> {
        let names: BTreeSet<&String> = self.engines.iter().map(|entry| &entry.name).collect();
        if self.engines.is_empty() || names.len() < self.engines.len() {
            return Err(bad("engines", "there must be some, all of different names"));
        }
        if self.games.is_empty() != self.all_games {
            return Err(bad("games", "give either `games` or `all_games`"));
        }
        if self.step_limit == 0 {
            return Err(bad("step_limit", "a playout has at least one joint move"));
        }
        check_names("table", self.tables.iter().map(|table| &table.name))?;
        let mut tables = self.tables.iter();
        tables.try_for_each(|table| self.check_table(table))?;
        for effort in self.scales.values() {
            let sound = effort.seconds > 0.0 && effort.seconds <= 600.0;
            if !sound || effort.rounds == 0 || effort.positions == 0 {
                return Err(bad(
                    "scales",
                    "`seconds` are more than 0 and at most 600, and there is at least one round and one position",
                ));
            }
            self.check_games("scales", &effort.games)?;
        }
        check_claims(&self.claims, |claim| claim.about.check(claim, self))
    }

    fn check_table(&self, table: &TableData) -> Result<(), StudyError> {
        let place = format!("table `{}`", table.name);
        self.check_games(&place, &table.games)?;
        let named = table.engines.iter().chain(&table.over);
        let mut engines = named.chain(table.order.iter().flatten());
        if let Some(unknown) = engines.find(|name| self.engine(name).is_none()) {
            return Err(bad(place, format!("there is no engine `{unknown}`")));
        }
        let papers = table.paper.values().flat_map(BTreeMap::keys);
        let papers: Vec<String> = papers.chain(table.depths.keys()).cloned().collect();
        self.check_games(&place, &papers)?;
        let mut figures = table.paper.values().flat_map(BTreeMap::values);
        if table.factor <= 0.0 || figures.any(|&figure| figure <= 0.0) {
            return Err(bad(
                place,
                "`factor` and the figures of the `paper` are more than 0",
            ));
        }
        let fits = match table.measure {
            Measure::Load => table.unit == Unit::Seconds,
            Measure::Playouts => matches!(table.unit, Unit::Playouts | Unit::States | Unit::Length),
            Measure::Minimax => table.unit == Unit::States,
            Measure::Nodes => matches!(table.unit, Unit::Nodes | Unit::States),
        };
        if !fits {
            return Err(bad(place, "that unit does not come out of that measure"));
        }
        if (table.measure == Measure::Nodes) == table.depths.is_empty() {
            return Err(bad(
                place,
                "`depths` are for node counts, and these need them",
            ));
        }
        Ok(())
    }

    pub(super) fn check_games(&self, place: &str, games: &[String]) -> Result<(), StudyError> {
        let known = |game: &&String| self.all_games || self.games.contains_key(*game);
        match games.iter().find(|game| !known(game)) {
            Some(unknown) => Err(bad(place, format!("[games] does not tell of `{unknown}`"))),
            None => Ok(()),
        }
    }
}
