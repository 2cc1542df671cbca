//! Experiments as data: what `studies/NAME.toml` says.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::claims::Claim;
use super::error::StudyError;
use super::halving::{CHAMPION, Halving};
use super::measure::Measure;
use crate::spec::PlayerSpec;

/// A published experiment.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The name of its file.
    #[serde(skip)]
    pub name: String,
    /// What it is called.
    pub title: String,
    /// Where it was published.
    pub source: String,
    /// What it is about, in a few sentences.
    pub about: String,
    /// What differs from the publication, a sentence or two each.
    #[serde(default)]
    pub notes: Vec<String>,
    /// The games, and which rules exactly they are.
    pub games: BTreeMap<String, String>,
    /// The players as the experiment calls them, and as the catalogue writes them.
    pub players: BTreeMap<String, String>,
    /// What counts in a game.
    #[serde(default)]
    pub measure: Measure,
    /// Whether everybody may use one more budget before the first move.
    #[serde(default)]
    pub start_clock: bool,
    /// Seconds that everybody may use before the first move, instead.
    pub start_seconds: Option<f64>,
    /// Joint moves after which a game is cut; a cut game is a draw.
    #[serde(default = "default_step_limit")]
    pub step_limit: usize,
    /// How much is played.
    pub scales: BTreeMap<Scale, ScaleData>,
    /// Who meets whom.
    pub cells: Vec<Cell>,
    /// How fast the paper's players were.
    pub rates: Option<Rates>,
    /// How the champions are found that players may meet.
    pub champion: Option<Box<Halving>>,
    /// What the paper claims.
    #[serde(default)]
    pub claims: Vec<Claim>,
}

fn default_step_limit() -> usize {
    1_000
}

/// How much of a study is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Minutes.
    Quick,
    /// Enough for a report, within hours.
    Report,
    /// As published.
    Paper,
}

impl Scale {
    /// All scales, the smallest first.
    pub const ALL: [Scale; 3] = [Scale::Quick, Scale::Report, Scale::Paper];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Quick => "quick",
            Scale::Report => "report",
            Scale::Paper => "paper",
        }
    }
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Scale::ALL.into_iter().find(|scale| scale.name() == text);
        found.ok_or_else(|| "the scales are quick, report and paper".to_owned())
    }
}

/// What a scale means for a study.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScaleData {
    /// Games a cell; the role orders take equal parts.
    pub games: u32,
    /// The part of each budget that is given.
    #[serde(default = "whole")]
    pub budget: f64,
    /// The groups of cells that are played; all if none is named.
    #[serde(default)]
    pub groups: Vec<String>,
    /// Cells that have more games, since something is to be decided there.
    #[serde(default)]
    pub longer: Vec<Longer>,
}

impl ScaleData {
    /// How many games a cell has.
    pub fn games_of(&self, cell: &Cell) -> u32 {
        let longer = self.longer.iter().filter(|longer| longer.cells.takes(cell));
        longer.fold(self.games, |most, longer| most.max(longer.games))
    }
}

/// Cells with more games than others.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Longer {
    /// The cells.
    pub cells: Selector,
    /// Their games.
    pub games: u32,
}

fn whole() -> f64 {
    1.0
}

/// A pairing: who meets whom, on what, and with how much thinking.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// Its name; no other cell of the study has it.
    pub name: String,
    /// What it has in common with others, such as the clock.
    pub group: String,
    /// The game.
    pub game: String,
    /// The players; results are the first one's.
    pub players: Vec<String>,
    /// States a move for each player, in the tree and in playouts.
    pub states: Option<Vec<u64>>,
    /// Simulations a move for each player.
    pub simulations: Option<Vec<u64>>,
    /// Seconds a move for each player.
    pub seconds: Option<Vec<f64>>,
    /// Whether players think as much at every scale.
    #[serde(default)]
    pub whole: bool,
    /// What the paper found.
    pub paper: Option<Paper>,
}

/// What a paper found in a cell.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Paper {
    /// The points of the cell's first player, in percent.
    pub points: f64,
    /// Half of the paper's 95 % interval, if it gives one.
    pub half_width: Option<f64>,
}

/// How fast the paper's players were.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rates {
    /// The table.
    pub source: String,
    /// Only the cells in which this player takes part count.
    pub against: String,
    /// For each player its states a second.
    pub paper: BTreeMap<String, f64>,
    /// Pairs of players whose rates are compared.
    pub ratios: Vec<[String; 2]>,
}

/// Chooses cells: those that fit everything that is given.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Selector {
    /// The players, in this order.
    pub players: Option<Vec<String>>,
    /// The game is one of these.
    pub games: Option<Vec<String>>,
    /// The group is one of these.
    pub groups: Option<Vec<String>>,
}

impl Selector {
    /// Whether the cell is chosen.
    pub fn takes(&self, cell: &Cell) -> bool {
        let among = |names: &Option<Vec<String>>, name: &String| {
            names.as_ref().is_none_or(|names| names.contains(name))
        };
        self.players
            .as_ref()
            .is_none_or(|players| *players == cell.players)
            && among(&self.games, &cell.game)
            && among(&self.groups, &cell.group)
    }
}

impl Experiment {
    /// Reads an experiment.
    ///
    /// # Errors
    /// If the text is not TOML, lacks something, or names what does not exist.
    pub fn parse(name: &str, text: &str) -> Result<Self, StudyError> {
        let mut experiment: Self = toml::from_str(text)?;
        name.clone_into(&mut experiment.name);
        experiment.check()?;
        Ok(experiment)
    }

    /// The data of a scale.
    ///
    /// # Errors
    /// If the study does not have that scale.
    pub fn scale(&self, scale: Scale) -> Result<&ScaleData, StudyError> {
        let data = self.scales.get(&scale);
        data.ok_or_else(|| bad("scales", format!("there is no scale `{}`", scale.name())))
    }

    /// How the player is written that the experiment calls so. Until champions are known, the first candidate stands for each.
    pub(super) fn written(&self, name: &str) -> &str {
        let champion = self.champion.as_ref().filter(|_| name == CHAMPION);
        let first = champion.and_then(|halving| halving.candidates.first());
        let name = first.map_or(name, String::as_str);
        self.players.get(name).map_or("", String::as_str)
    }

    /// The cells that are played at a scale.
    pub fn cells_of<'a>(&'a self, scale: &'a ScaleData) -> impl Iterator<Item = &'a Cell> {
        let played = |cell: &&Cell| scale.groups.is_empty() || scale.groups.contains(&cell.group);
        self.cells.iter().filter(played)
    }

    fn check(&self) -> Result<(), StudyError> {
        for (player, written) in &self.players {
            let spec = written.parse::<PlayerSpec>();
            spec.map_err(|reason| StudyError::Player {
                player: player.clone(),
                reason: reason.into(),
            })?;
        }
        let mut names = BTreeSet::new();
        for cell in &self.cells {
            if !names.insert(&cell.name) {
                return Err(bad(
                    format!("cell `{}`", cell.name),
                    "there are two of that name",
                ));
            }
            self.check_cell(cell)?;
        }
        if self
            .start_seconds
            .is_some_and(|seconds| !(0.0..=3_600.0).contains(&seconds))
        {
            return Err(bad("start_seconds", "seconds are a number from 0 to 3600"));
        }
        for scale in self.scales.values() {
            self.check_scale(scale)?;
        }
        if let Some(halving) = &self.champion {
            halving.check(self)?;
        }
        for claim in &self.claims {
            claim.check(self)?;
        }
        Ok(())
    }

    fn check_cell(&self, cell: &Cell) -> Result<(), StudyError> {
        let problem = |problem: String| Err(bad(format!("cell `{}`", cell.name), problem));
        if !self.games.contains_key(&cell.game) {
            return problem(format!("[games] does not tell of `{}`", cell.game));
        }
        let is_champion = |name: &str| name == CHAMPION && self.champion.is_some();
        if let Some(unknown) = cell
            .players
            .iter()
            .find(|&name| !self.players.contains_key(name) && !is_champion(name))
        {
            return problem(format!("[players] does not tell of `{unknown}`"));
        }
        if cell.players.iter().any(|name| is_champion(name)) && cell.players.len() != 2 {
            return problem("a champion is met in games of two".to_owned());
        }
        if cell.players.is_empty() {
            return problem("nobody plays".to_owned());
        }
        let lengths = [
            cell.states.as_ref().map(Vec::len),
            cell.simulations.as_ref().map(Vec::len),
            cell.seconds.as_ref().map(Vec::len),
        ];
        let mut given = lengths.iter().flatten();
        if given.next() != Some(&cell.players.len()) || given.next().is_some() {
            return problem(
                "give one of `states`, `simulations` and `seconds`, with a number for each player"
                    .to_owned(),
            );
        }
        let seconds = cell.seconds.iter().flatten();
        if seconds
            .into_iter()
            .any(|seconds| !(0.0..=1e6).contains(seconds))
        {
            return problem("seconds are numbers from 0 to 1000000".to_owned());
        }
        Ok(())
    }

    fn check_scale(&self, scale: &ScaleData) -> Result<(), StudyError> {
        if !(scale.budget > 0.0 && scale.budget.is_finite()) {
            return Err(bad("scales", "`budget` is a part, such as 0.5"));
        }
        for longer in &scale.longer {
            if !self.cells_of(scale).any(|cell| longer.cells.takes(cell)) {
                return Err(bad("scales", "`longer` chooses cells that are not played"));
            }
        }
        for cell in self.cells_of(scale) {
            let orders = cell.players.len() as u32;
            let games = scale.games_of(cell);
            if games == 0 || !games.is_multiple_of(orders) {
                let problem = format!(
                    "{games} games cannot be shared equally by {orders} orders of the players"
                );
                return Err(bad("scales", problem));
            }
        }
        Ok(())
    }
}

/// A fault of the data.
pub(super) fn bad(place: impl Into<String>, problem: impl Into<String>) -> StudyError {
    StudyError::Data {
        place: place.into(),
        problem: problem.into(),
    }
}
