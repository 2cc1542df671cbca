//! The games of a tournament, in turns and in real time.

use std::sync::Arc;

use paidia_arena::Guest;
use paidia_arena::contest::ContestGame;
use paidia_arena::engine::{EngineSpec, load_in_time};
use paidia_arena::rules::Ruleset;
use paidia_game::Rules;
use paidia_reason::timed::Timed;

use crate::web::Site;
use crate::web::game_list::Entry;
use crate::web::refusal::Refusal;
use crate::{contest_table, timed_contest_table};

/// A game of a tournament.
pub(super) enum Board {
    /// In turns.
    InTurns(Arc<Entry>),
    /// In real time: the seconds of a move are those of a unit of game time.
    InTime(Box<(Ruleset, Timed)>),
}

impl Board {
    /// The game of a name.
    pub(super) fn find(site: &Site, name: &str) -> Result<Self, Refusal> {
        let mut timed = paidia_library::real_time().iter();
        let Some(bundled) = timed.find(|game| game.name == name) else {
            return Ok(Board::InTurns(site.games.find(name)?));
        };
        let unusable = |error: String| Refusal::unusable(error);
        let rules = Ruleset::find(bundled.name).map_err(|error| unusable(error.sentence()))?;
        let game = load_in_time(&EngineSpec::default(), &rules, None);
        let game = game.map_err(|error| unusable(error.to_string()))?;
        Ok(Board::InTime(Box::new((rules, game))))
    }

    pub(super) fn id(&self) -> &str {
        match self {
            Board::InTurns(entry) => &entry.id,
            Board::InTime(timed) => timed.0.name(),
        }
    }

    pub(super) fn title(&self) -> &str {
        match self {
            Board::InTurns(entry) => &entry.title,
            Board::InTime(timed) => timed.0.title(),
        }
    }

    /// How many players it has.
    pub(super) fn players(&self) -> Result<usize, Refusal> {
        Ok(match self {
            Board::InTurns(entry) => entry.rules()?.game.facts().players().count(),
            Board::InTime(timed) => timed.1.facts().players().count(),
        })
    }

    /// Refuses a player who cannot play it, as far as that is known before a match.
    pub(super) fn admit(&self, player: &str) -> Result<(), Refusal> {
        let Board::InTime(timed) = self else {
            return Ok(());
        };
        let unusable = |error: paidia_arena::BadPlayer| {
            Refusal::unusable(format!("in {}: {error}", self.title()))
        };
        let guest: Guest = player.parse().map_err(unusable)?;
        let Some(role) = timed.1.facts().players().next() else {
            return Ok(());
        };
        paidia_arena::realtime::make(&guest, None, &timed.1, role, 0).map_err(unusable)?;
        Ok(())
    }

    /// Where it is played.
    pub(super) fn table(&self) -> Option<Box<dyn ContestGame>> {
        match self {
            Board::InTurns(entry) => {
                let rules = entry.rules().ok()?;
                contest_table(&rules.rules, entry.engine(&rules), false).ok()
            }
            Board::InTime(timed) => timed_contest_table(&timed.0, timed.1.clone()).ok(),
        }
    }
}
