//! Players in real time.
//!
//! A player is asked what it means to do, and answers with a move and a time, or with a time at
//! which it wants to look again. It is asked anew whenever something happens that it is told of.

mod random;
mod scripted;
mod search;

use paidia_game::{MoveId, RoleId, Ticks, TimedGame};

use crate::clock::Pace;
use crate::world::World;
pub use random::RandomPlayer;
pub use scripted::ScriptedPlayer;
pub use search::{SearchPlayer, SearchSettings, TOLERANCE, Thinking};

/// What a player means to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intent {
    /// When.
    pub at: Ticks,
    /// The move; none to look again.
    pub make: Option<MoveId>,
}

/// A player of one role.
pub trait TimedPlayer<G: TimedGame>: Send {
    /// What it means to do next, as things stand at a time.
    fn intend(&mut self, world: &mut World<G>, now: Ticks) -> Option<Intent>;

    /// Is told that game time goes by on a real clock while it thinks, and how fast.
    fn on_clock(&mut self, pace: Pace) {
        let _ = pace;
    }
}

/// Why there is no such player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadPlayer(pub String);

/// What players can be named, with a line each.
pub const PLAYERS: [(&str, &str); 4] = [
    (
        "random(rate=R)",
        "a random legal move, R times a unit of time on average (default 2)",
    ),
    (
        "search(playouts=N, updates=U, step=T, moves=R)",
        "Monte Carlo search over what may come, in steps of T (default: found from the rules), with \
         N playouts (default 400) of at most U updates together (default 12000) a decision; the \
         others are thought to make R moves a unit",
    ),
    (
        "script(TIME MOVE; TIME MOVE; ...)",
        "these moves at these times",
    ),
    ("none", "never moves"),
];

/// Whether a text names a player, whatever is wrong with what stands in parentheses.
pub fn is_player(text: &str) -> bool {
    let name = text.split('(').next().unwrap_or_default().trim();
    matches!(name, "random" | "search" | "script" | "none")
}

/// The player that a text names.
///
/// # Errors
/// Says what is wrong with the text.
pub fn make<G: TimedGame>(
    text: &str,
    game: &G,
    role: RoleId,
    seed: u64,
) -> Result<Box<dyn TimedPlayer<G>>, BadPlayer> {
    let (name, options) = match text.split_once('(') {
        Some((name, rest)) => (
            name.trim(),
            rest.strip_suffix(')').ok_or_else(|| {
                BadPlayer(format!("in `{text}` a closing parenthesis is missing"))
            })?,
        ),
        None => (text.trim(), ""),
    };
    match name {
        "none" => Ok(Box::new(ScriptedPlayer::new(Vec::new()))),
        "script" => Ok(Box::new(ScriptedPlayer::parse(options)?)),
        "random" => {
            let mut rate = 2.0;
            for (key, value) in pairs(options)? {
                match key {
                    "rate" => rate = number(key, value, 0.001, 1_000.0)?,
                    _ => return Err(unknown(name, key, "rate")),
                }
            }
            Ok(Box::new(RandomPlayer::new(role, rate, seed)))
        }
        "search" | "paidia" => {
            let mut settings = SearchSettings::for_game(game);
            for (key, value) in pairs(options)? {
                match key {
                    "playouts" => settings.playouts = number(key, value, 1.0, 1e7)? as u32,
                    "updates" => settings.updates = number(key, value, 1.0, 1e9)? as u64,
                    "step" => settings.step = Ticks::from_units(number(key, value, 0.001, 1e4)?),
                    "moves" => settings.rate = number(key, value, 0.001, 1_000.0)?,
                    _ => return Err(unknown(name, key, "playouts, updates, step, moves")),
                }
            }
            Ok(Box::new(SearchPlayer::new(game, role, settings, seed)))
        }
        _ => {
            let names = PLAYERS.map(|(name, _)| name).join(", ");
            Err(BadPlayer(format!(
                "no player in real time is called `{name}`; there are {names}"
            )))
        }
    }
}

fn pairs(options: &str) -> Result<Vec<(&str, &str)>, BadPlayer> {
    let parts = options.split(',').map(str::trim);
    let parts = parts.filter(|part| !part.is_empty());
    parts.map(pair).collect()
}

fn pair(part: &str) -> Result<(&str, &str), BadPlayer> {
    let pair = part.split_once('=');
    pair.map(|(key, value)| (key.trim(), value.trim()))
        .ok_or_else(|| BadPlayer(format!("`{part}` is no `key=value`")))
}

fn number(key: &str, value: &str, least: f64, most: f64) -> Result<f64, BadPlayer> {
    let parsed = value.parse().ok();
    parsed
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| BadPlayer(format!("`{key}` is a number from {least} to {most}")))
}

fn unknown(name: &str, key: &str, known: &str) -> BadPlayer {
    BadPlayer(format!("`{name}` has no option `{key}`; it has {known}"))
}
