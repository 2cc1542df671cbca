//! Quizzes as data: what `studies/NAME.toml` says.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::claims::QuizClaim;
use crate::catalogue;
use crate::contest::{Place, Thinking};
use crate::spec::PlayerSpec;
use crate::study::error::StudyError;
use crate::study::experiment::{Scale, bad};

/// A published experiment with positions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quiz {
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
    /// The players as the quiz calls them, and as the catalogue writes them.
    pub players: BTreeMap<String, String>,
    /// How much is asked.
    pub scales: BTreeMap<Scale, QuizScale>,
    /// The positions.
    pub positions: Vec<Position>,
    /// Who is asked where.
    pub cells: Vec<QuizCell>,
    /// What the paper claims.
    #[serde(default)]
    pub claims: Vec<QuizClaim>,
}

/// What a scale means for a quiz.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuizScale {
    /// For each group of cells, how many searches a cell has; other groups have none.
    pub searches: BTreeMap<String, u32>,
}

/// A position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Its name; no other position of the quiz has it.
    pub name: String,
    /// The game.
    pub game: String,
    /// The facts that hold; those at the start of the game if none are given.
    pub from: Option<String>,
    /// The moves made from there.
    pub after: Option<String>,
    /// The role that moves; the first that has a choice if none is named.
    pub role: Option<String>,
    /// The right moves.
    pub right: Vec<String>,
}

impl Position {
    /// Where it is.
    pub fn place(&self) -> Place {
        Place {
            from: self.from.clone(),
            after: self.after.clone(),
            role: self.role.clone(),
        }
    }
}

/// A player in a position.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuizCell {
    /// Its name; no other cell of the quiz has it.
    pub name: String,
    /// What it has in common with others, such as the table of the paper.
    pub group: String,
    /// The position.
    pub position: String,
    /// The player.
    pub player: String,
    /// States it may visit; a player that ends by itself needs no limit.
    pub states: Option<u64>,
    /// Simulations it may make.
    pub simulations: Option<u64>,
    /// What the paper found.
    #[serde(default)]
    pub paper: QuizPaper,
}

impl QuizCell {
    /// How much thinking the player gets; as much as it wants if nothing is said.
    pub fn thinking(&self) -> Option<Thinking> {
        let states = self.states.map(Thinking::States);
        states.or(self.simulations.map(Thinking::Simulations))
    }
}

/// What a paper found in a cell.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuizPaper {
    /// How often the right move was chosen, in percent.
    pub right: Option<f64>,
    /// Half of the paper's interval of that, if it gives one.
    pub half_width: Option<f64>,
    /// States visited by a search, on average.
    pub states: Option<f64>,
    /// How often each move was chosen, in percent.
    #[serde(default)]
    pub moves: BTreeMap<String, f64>,
}

impl Quiz {
    /// Reads a quiz.
    ///
    /// # Errors
    /// If the text is not TOML, lacks something, or names what does not exist.
    pub fn parse(name: &str, text: &str) -> Result<Self, StudyError> {
        let mut quiz: Self = toml::from_str(text)?;
        name.clone_into(&mut quiz.name);
        quiz.check()?;
        Ok(quiz)
    }

    /// The data of a scale.
    ///
    /// # Errors
    /// If the quiz does not have that scale.
    pub fn scale(&self, scale: Scale) -> Result<&QuizScale, StudyError> {
        let data = self.scales.get(&scale);
        data.ok_or_else(|| bad("scales", format!("there is no scale `{}`", scale.name())))
    }

    /// The position of that name.
    pub fn position(&self, name: &str) -> Option<&Position> {
        self.positions.iter().find(|position| position.name == name)
    }

    /// The player as the catalogue writes it.
    ///
    /// # Errors
    /// If the quiz has no such player, or the catalogue cannot make it.
    pub fn player(&self, name: &str) -> Result<PlayerSpec, StudyError> {
        let written = self.players.get(name);
        let written = written
            .ok_or_else(|| bad("players", format!("[players] does not tell of `{name}`")))?;
        let spec = written.parse::<PlayerSpec>();
        spec.map_err(|reason| StudyError::Player {
            player: name.to_owned(),
            reason: reason.into(),
        })
    }

    fn check(&self) -> Result<(), StudyError> {
        for player in self.players.keys() {
            self.player(player)?;
        }
        let mut names = BTreeSet::new();
        for position in &self.positions {
            let place = format!("position `{}`", position.name);
            if !names.insert(&position.name) {
                return Err(bad(place, "there are two of that name"));
            }
            if !self.games.contains_key(&position.game) {
                return Err(bad(
                    place,
                    format!("[games] does not tell of `{}`", position.game),
                ));
            }
        }
        let mut names = BTreeSet::new();
        for cell in &self.cells {
            let place = format!("cell `{}`", cell.name);
            if !names.insert(&cell.name) {
                return Err(bad(place, "there are two of that name"));
            }
            if self.position(&cell.position).is_none() {
                return Err(bad(
                    place,
                    format!("there is no position `{}`", cell.position),
                ));
            }
            let player = self.player(&cell.player)?;
            if cell.thinking().is_none() && !catalogue::ends_by_itself(&player) {
                let problem =
                    format!("`{player}` would think for ever; give `states` or `simulations`");
                return Err(bad(place, problem));
            }
            if cell.states.is_some() && cell.simulations.is_some() {
                return Err(bad(place, "give `states` or `simulations`, not both"));
            }
        }
        let groups: BTreeSet<&String> = self.cells.iter().map(|cell| &cell.group).collect();
        let named = self.scales.values().flat_map(|scale| scale.searches.keys());
        if let Some(unknown) = named.into_iter().find(|name| !groups.contains(name)) {
            return Err(bad("scales", format!("there is no group `{unknown}`")));
        }
        self.claims.iter().try_for_each(|claim| claim.check(self))
    }
}
