//! Participants of matches: players of the catalogue, and remote players.

use std::fmt;
use std::str::FromStr;

use paidia_search::advice::NoAdvice;
use paidia_search::alphabeta::NotInTurn;

use crate::catalogue::PlayerSettings;
use crate::options::{BadSpec, Spec};

/// A player by name, with what was set about it.
pub type PlayerSpec = Spec<PlayerSettings>;

/// A participant of a match, as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guest {
    /// A player of the catalogue.
    BuiltIn(PlayerSpec),
    /// A player for rules in real time, as [`paidia_realtime::players`] writes it.
    InTime(String),
    /// A remote player, by its address: `http://...`. Whether it can be reached is not checked
    /// here.
    Elsewhere(String),
}

impl Guest {
    /// Whether it is a player elsewhere.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self, Guest::Elsewhere(_))
    }
}

impl FromStr for Guest {
    type Err = BadPlayer;

    fn from_str(text: &str) -> Result<Self, BadPlayer> {
        // No name in the catalogue has a colon.
        if text.contains("://") {
            return Ok(Guest::Elsewhere(text.trim().to_owned()));
        }
        match text.parse() {
            Ok(spec) => Ok(Guest::BuiltIn(spec)),
            // What reads as a player of real time is one; the catalogue tells what else is wrong.
            Err(_) if paidia_realtime::players::is_player(text) => {
                Ok(Guest::InTime(text.trim().to_owned()))
            }
            Err(bad) => Err(bad.into()),
        }
    }
}

impl fmt::Display for Guest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guest::BuiltIn(spec) => spec.fmt(formatter),
            Guest::InTime(text) | Guest::Elsewhere(text) => formatter.write_str(text),
        }
    }
}

/// Why there is no such player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPlayer {
    /// The text is no player of the catalogue.
    #[error(transparent)]
    Spec(#[from] BadSpec),
    /// The player wants advice about moves, and there is none.
    #[error("there is no advice about moves of this game: {0}")]
    NoAdvice(NoAdvice),
    /// The player needs all that its role was told, and a state is not that.
    #[error(
        "`{0}` plays whole matches by what its role was told, and cannot be asked about a state; `uct` can"
    )]
    NeedsHistory(&'static str),
    /// The player plays in real time, and the rules are in turns.
    #[error("`{0}` plays rules in real time, and these are in turns; `paidia` plays both")]
    InTime(String),
    /// The player plays in turns, and the rules are in real time.
    #[error(
        "`{0}` plays in turns, and these rules are in real time; `search`, `random`, `script(...)` and `none` play them"
    )]
    InTurns(&'static str),
    /// There is no such player of real time.
    #[error(transparent)]
    Timed(#[from] paidia_realtime::players::BadPlayer),
    /// The player plays video games, and this is none.
    #[error("`{0}` plays video games and no others; `paidia` plays every game")]
    OtherGame(&'static str),
    /// The player is for other games.
    #[error("`{player}` cannot play this game: {because}; `paidia` can")]
    OtherGames {
        /// The player.
        player: &'static str,
        /// Why not.
        because: NotInTurn,
    },
    /// It reasons on the rules as a network.
    #[error(
        "`{0}` needs the rules as a network, which this engine does not make of them; `--engine propnet` does"
    )]
    NeedsNetwork(&'static str),
    /// The player plays simplified board games only.
    #[error(
        "`board` plays simplified board games (.sbg), and GDL that was made of them; `paidia` plays this game"
    )]
    NeedsBoard,
    /// What men are worth cannot be found out.
    #[error("the values of men cannot be found out: {0}")]
    NoValues(String),
    /// A player elsewhere cannot be reached from here.
    #[error("{0}")]
    Elsewhere(String),
}

impl From<NoAdvice> for BadPlayer {
    fn from(reason: NoAdvice) -> Self {
        BadPlayer::NoAdvice(reason)
    }
}
