//! A legal player: any of the moves that it knows to be legal, by filtering what it is told.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, MoveId, RoleId, Sight};
use paidia_reason::propnet::GroundGame;
use paidia_search::{Budget, Decision, Player, StopReason};

use crate::filter::Filter;

/// The player. It is told moves and percepts by the numbers of the game as a network.
pub struct LegalPlayer {
    filter: Filter<Arc<GroundGame>>,
    /// Whether what it was told fits to the rules so far.
    fits: bool,
    chance: Chance,
}

impl LegalPlayer {
    /// A player for a role, which concludes from what it does not perceive, too, unless it is told
    /// not to.
    pub fn new(game: Arc<GroundGame>, role: RoleId, percepts_only: bool, seed: u64) -> Self {
        Self {
            filter: Filter::new(game, role, percepts_only),
            fits: true,
            chance: Chance::from_seed(seed),
        }
    }
}

impl<G: Game> Player<G> for LegalPlayer {
    fn observe(&mut self, sight: &Sight<'_, G::State>) {
        if let Sight::Own {
            made: Some(made),
            percepts,
        } = *sight
        {
            self.fits = self.fits && self.filter.see(made, percepts).is_ok();
        }
    }

    fn choose(&mut self, legal: &[MoveId], _: Budget, _: &AtomicBool) -> Decision {
        if let [only] = *legal {
            return Decision::without_search(only, StopReason::OnlyMove);
        }
        let mut known = match self.fits {
            true => self.filter.known_legal(),
            false => Vec::new(),
        };
        known.retain(|id| legal.contains(id));
        // Where it knows of none, the match tells it which there are.
        let picked = self.chance.pick(&known).or(self.chance.pick(legal));
        Decision::without_search(picked.unwrap_or(MoveId::CHANCE), StopReason::NoSearch)
    }
}
