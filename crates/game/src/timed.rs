//! The contract of rules in real time: players move whenever they like, and facts have lifetimes.
//!
//! Beside [`crate::Game`] stands [`TimedGame`]. Rules, moves, percepts and facts are the same; what
//! differs is that a state is left by an *event*: moves of some of the roles, or the end of a
//! lifetime, after some time in which nothing happened.

use std::fmt;
use std::ops::{Add, Sub};

use crate::contract::{Fault, Rules};
use crate::ids::{Goal, MoveId, PerceptId, RoleId};
use crate::legal::LegalMoves;

/// A length of game time, in millionths of the unit in which a sheet writes lifetimes. Time is
/// counted, so that nothing depends on rounding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ticks(pub u64);

impl Ticks {
    /// How many make the unit of a sheet.
    pub const PER_UNIT: u64 = 1_000_000;
    /// No time.
    pub const ZERO: Ticks = Ticks(0);
    /// The longest lifetime that is no `infinity`: a million million units.
    pub const MOST: Ticks = Ticks(1_000_000 * 1_000_000 * Ticks::PER_UNIT);

    /// The time that a decimal number of units is; nothing for another text, a time finer than a
    /// tick, or one beyond [`Self::MOST`].
    pub fn parse(text: &str) -> Option<Ticks> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let fraction = fraction.trim_end_matches('0');
        if whole.is_empty() || !digits(whole) || !digits(fraction) || fraction.len() > 6 {
            return None;
        }
        let whole: u64 = whole.parse().ok()?;
        let parts: u64 = format!("{fraction:0<6}").parse().ok()?;
        let ticks = Ticks(whole.checked_mul(Self::PER_UNIT)?.checked_add(parts)?);
        (ticks <= Self::MOST).then_some(ticks)
    }

    /// The nearest time to a number of units; none for a negative one.
    pub fn from_units(units: f64) -> Ticks {
        Ticks((units * Self::PER_UNIT as f64).round().max(0.0) as u64)
    }

    /// The time in units, for clocks and pictures.
    pub fn units(self) -> f64 {
        self.0 as f64 / Self::PER_UNIT as f64
    }

    /// The time as a decimal number that always has a point, as messages write it: `5.0`.
    pub fn with_point(self) -> String {
        let text = self.to_string();
        match text.contains('.') {
            true => text,
            false => text + ".0",
        }
    }

    /// The difference to an earlier time, or none.
    #[must_use]
    pub fn since(self, earlier: Ticks) -> Ticks {
        Ticks(self.0.saturating_sub(earlier.0))
    }
}

impl Add for Ticks {
    type Output = Ticks;

    fn add(self, other: Ticks) -> Ticks {
        Ticks(self.0.saturating_add(other.0))
    }
}

impl Sub for Ticks {
    type Output = Ticks;

    fn sub(self, other: Ticks) -> Ticks {
        self.since(other)
    }
}

/// The shortest decimal number of units: `0.25`, `5`.
impl fmt::Display for Ticks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, parts) = (self.0 / Self::PER_UNIT, self.0 % Self::PER_UNIT);
        if parts == 0 {
            return write!(formatter, "{whole}");
        }
        let parts = format!("{parts:06}");
        write!(formatter, "{whole}.{}", parts.trim_end_matches('0'))
    }
}

/// From which state the end and the goals are read when facts have just expired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reading {
    /// First from the aged old state with the expired facts, where the match may end; else from
    /// the new state. Under it the games of the papers come out as they are printed.
    #[default]
    EventFirst,
    /// From the new state with the expired facts.
    PostUpdate,
}

impl Reading {
    /// The word for settings and records.
    pub fn name(self) -> &'static str {
        match self {
            Reading::EventFirst => "event-first",
            Reading::PostUpdate => "post-update",
        }
    }

    /// The reading of that name.
    pub fn by_name(name: &str) -> Option<Reading> {
        [Reading::EventFirst, Reading::PostUpdate]
            .into_iter()
            .find(|reading| reading.name() == name)
    }
}

/// A fact with the time that it has left; `None` for one that stays until an update drops it.
pub type Lasting = (Option<Ticks>, String);

/// Rules in real time.
pub trait TimedGame: Rules {
    /// A cursor that owns its handle to the rules.
    type Walker: TimedWalker<State = Self::State> + Send + 'static;

    /// A new walker, standing in the initial state.
    fn walker(&self) -> Self::Walker;
    /// How the end and the goals are read.
    fn reading(&self) -> Reading;
    /// The facts of a state as they were at its update, in the order of their texts.
    fn lasting(&self, state: &Self::State) -> Vec<Lasting>;
    /// The facts that expired in the update that led to a state, as far as the state keeps them.
    fn expired(&self, state: &Self::State) -> Vec<String>;
    /// The move of that text, whose numbers may be spelled in another way; nothing for a move that
    /// was never legal so far.
    fn find_move(&self, text: &str) -> Option<MoveId>;
}

/// One thread's position in a game in real time: the moment of the last update.
pub trait TimedWalker {
    /// The states of the game.
    type State;

    /// Goes to a state of the same game. Percepts are those of no update: none.
    fn jump(&mut self, state: &Self::State);
    /// Stores the current state.
    fn save(&self, into: &mut Self::State);
    /// A hash of the current state: equal for equal states.
    fn hash64(&self) -> u64;
    /// How long after the last update the first lifetime ends, if one does.
    fn expires_in(&self) -> Option<Ticks>;
    /// Whether the match is over here.
    fn is_terminal(&mut self) -> bool;
    /// The legal moves of all roles; a role may have none. They do not change until the next
    /// update.
    fn legal(&mut self) -> &LegalMoves;
    /// What the rules say about the role's result here.
    fn goal(&mut self, role: RoleId) -> Goal;
    /// All values that the rules give for the role's result, sorted.
    fn goals(&mut self, role: RoleId) -> Vec<i32>;
    /// Makes an update: what ends within this time expires, and these moves are made, at most one
    /// of a role. All are legal in the state that is left: the caller sees to that.
    fn update(&mut self, moved: &[(RoleId, MoveId)], elapsed: Ticks);
    /// What a role perceives after the last update, in the order of texts.
    fn percepts(&self, role: RoleId) -> &[PerceptId];
    /// What it would have perceived at that moment had the update not happened.
    fn percepts_without(&self, role: RoleId) -> &[PerceptId];
    /// The texts of the facts that expired in the last update, sorted, each once.
    fn expired(&mut self) -> Vec<String>;
    /// The facts that the last update derived with a lifetime that is none, such as 0, and that
    /// therefore are in no state: the lifetime and the fact.
    fn dropped(&mut self) -> Vec<(String, String)>;
    /// The limit that this walker ran into, as in [`crate::Walker::fault`].
    fn fault(&self) -> Option<&Fault>;
}

#[cfg(test)]
mod tests {
    use super::Ticks;

    #[test]
    fn times_are_read_and_written_exactly() {
        let told = |text: &str| Ticks::parse(text).map(|ticks| ticks.to_string());
        assert_eq!(told("5").as_deref(), Some("5"));
        assert_eq!(told("0.250").as_deref(), Some("0.25"));
        assert_eq!(told("120.0").as_deref(), Some("120"));
        assert_eq!(told("0.000001").as_deref(), Some("0.000001"));
        assert_eq!(told("1.0000000").as_deref(), Some("1"));
        assert_eq!(Ticks(5_000_000).with_point(), "5.0");
        assert_eq!(Ticks(250_000).with_point(), "0.25");
        for text in ["", ".5", "-1", "1e3", "0.0000001", "x", "1000000000001"] {
            assert_eq!(Ticks::parse(text), None, "{text}");
        }
    }
}
