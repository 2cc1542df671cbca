//! Tournaments as data: what `NAME.toml` says.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::seats::SeatingPlan;
use crate::contest::{StartClock, Thinking};
use crate::spec::{BadPlayer, Guest};
use crate::store::StoreError;

/// A tournament.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// The name of its file.
    #[serde(skip)]
    pub name: String,
    /// What it is called.
    pub title: String,
    /// The games, bundled ones by name, others by path.
    pub games: Vec<String>,
    /// The players, by the names of the report.
    pub players: BTreeMap<String, Entrant>,
    /// Where the random choices come from.
    #[serde(default = "one")]
    pub seed: u64,
    /// How often every seating is played.
    #[serde(default = "one")]
    pub rounds: u64,
    /// Which seatings are played.
    #[serde(default)]
    pub seats: SeatingPlan,
    /// States a move.
    pub states: Option<u64>,
    /// Simulations a move.
    pub simulations: Option<u64>,
    /// Seconds a move.
    pub seconds: Option<f64>,
    /// Whether seconds count only while the thinking thread has a processor, for a busy machine.
    #[serde(default)]
    pub cpu: bool,
    /// Each player's thinking before the first move; none if it is not given.
    pub start: Option<Amount>,
    /// Joint moves drawn at random before the players are asked, the same for all matches of a
    /// round on a game.
    #[serde(default)]
    pub opening: u32,
    /// Joint moves after which a match is cut; a cut match is a draw.
    #[serde(default = "default_step_limit")]
    pub step_limit: usize,
}

/// A player that takes part.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum Entrant {
    /// A player of the catalogue, or the address of one elsewhere, with the tournament's amount of
    /// thinking.
    Plain(String),
    /// A player with thinking of its own.
    Own(OwnThinking),
}

/// A player with thinking of its own.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnThinking {
    /// The player, as the catalogue writes it.
    player: String,
    states: Option<u64>,
    simulations: Option<u64>,
    seconds: Option<f64>,
}

/// How much thinking, one of the three.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amount {
    states: Option<u64>,
    simulations: Option<u64>,
    seconds: Option<f64>,
}

fn one() -> u64 {
    1
}

fn default_step_limit() -> usize {
    1_000
}

/// Why a tournament cannot be read or played.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// Not TOML, or not what a tournament has.
    #[error("the tournament cannot be read: {0}")]
    Form(#[from] toml::de::Error),
    /// Readable, but it makes no sense.
    #[error("in the tournament's {place}: {problem}")]
    Data {
        /// Which part.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A player that the catalogue cannot make.
    #[error("in the tournament's player `{player}`{}: {reason}", in_game(game.as_deref()))]
    Player {
        /// What the tournament calls the player.
        player: String,
        /// The game that it cannot play, if it is not the player alone that is wrong.
        game: Option<String>,
        /// What is wrong with it.
        reason: Box<BadPlayer>,
    },
    /// A game that was not loaded.
    #[error("the game `{0}` is not loaded")]
    NoTable(String),
    /// A match that the list has and the plan has not.
    #[error(
        "the work list has a match that is not planned here ({0}); other versions of the program plan others"
    )]
    UnknownMatch(String),
    /// The database fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

fn in_game(game: Option<&str>) -> String {
    game.map_or(String::new(), |game| format!(" in `{game}`"))
}

/// A fault of the data.
pub(super) fn bad(place: impl Into<String>, problem: impl Into<String>) -> TournamentError {
    TournamentError::Data {
        place: place.into(),
        problem: problem.into(),
    }
}

impl Tournament {
    /// Reads a tournament.
    ///
    /// # Errors
    /// If the text is not TOML, lacks something, or makes no sense.
    pub fn parse(name: &str, text: &str) -> Result<Self, TournamentError> {
        let mut tournament: Self = toml::from_str(text)?;
        name.clone_into(&mut tournament.name);
        tournament.check()?;
        Ok(tournament)
    }

    /// A player, and its thinking.
    ///
    /// # Errors
    /// If there is no such player, or nothing tells how much it thinks.
    pub fn entrant(&self, name: &str) -> Result<(Guest, Thinking), TournamentError> {
        let place = || format!("player `{name}`");
        let entrant = self.players.get(name);
        let entrant = entrant.ok_or_else(|| bad(place(), "there is none"))?;
        let common = || thinking(self.states, self.simulations, self.seconds, self.cpu);
        let (written, thinking) = match entrant {
            Entrant::Plain(written) => (written, common()),
            Entrant::Own(own) if own.has_none() => (&own.player, common()),
            Entrant::Own(own) => (
                &own.player,
                thinking(own.states, own.simulations, own.seconds, self.cpu),
            ),
        };
        let thinking = thinking.map_err(|problem| bad(place(), problem))?;
        let guest = written.parse::<Guest>();
        let guest = guest.map_err(|reason| TournamentError::Player {
            player: name.to_owned(),
            game: None,
            reason: Box::new(reason),
        })?;
        let by_clock = matches!(thinking, Thinking::Seconds(seconds) if seconds >= 1.0 && seconds.fract() == 0.0);
        if guest.is_elsewhere() && !by_clock {
            let problem = "players elsewhere think by the clock: give it whole `seconds`";
            return Err(bad(place(), problem));
        }
        Ok((guest, thinking))
    }

    /// Each player's thinking before the first move.
    ///
    /// # Errors
    /// If it is not one amount.
    pub fn start_clock(&self) -> Result<StartClock, TournamentError> {
        let Some(start) = &self.start else {
            return Ok(StartClock::None);
        };
        let amount = thinking(start.states, start.simulations, start.seconds, self.cpu);
        let amount = amount.map_err(|problem| bad("`start`", problem))?;
        Ok(StartClock::Thinking(amount))
    }

    fn check(&self) -> Result<(), TournamentError> {
        if self.players.is_empty() {
            return Err(bad("players", "there are none"));
        }
        for name in self.players.keys() {
            self.entrant(name)?;
        }
        self.start_clock()?;
        if self.games.is_empty() {
            return Err(bad("games", "there is none"));
        }
        let mut games = self.games.clone();
        games.sort();
        if let Some(twice) = games.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(bad("games", format!("`{}` is there twice", twice[0])));
        }
        if self.rounds == 0 {
            return Err(bad("`rounds`", "at least one is needed"));
        }
        Ok(())
    }
}

impl OwnThinking {
    fn has_none(&self) -> bool {
        self.states.is_none() && self.simulations.is_none() && self.seconds.is_none()
    }
}

/// The one amount that is given.
fn thinking(
    states: Option<u64>,
    simulations: Option<u64>,
    seconds: Option<f64>,
    cpu: bool,
) -> Result<Thinking, String> {
    match (states, simulations, seconds) {
        (Some(states), None, None) => Ok(Thinking::States(states)),
        (None, Some(simulations), None) => Ok(Thinking::Simulations(simulations)),
        (None, None, Some(seconds)) if (0.0..=1e6).contains(&seconds) => Ok(match cpu {
            true => Thinking::CpuSeconds(seconds),
            false => Thinking::Seconds(seconds),
        }),
        (None, None, Some(_)) => Err("seconds are numbers from 0 to 1000000".to_owned()),
        _ => Err("give one of `states`, `simulations` and `seconds`".to_owned()),
    }
}
