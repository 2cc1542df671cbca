//! Random moves at random times.

use paidia_game::{Chance, RoleId, Ticks, TimedGame};

use super::{Intent, TimedPlayer};
use crate::table::Table;
use crate::world::World;

/// Makes a random legal move at the moments of a Poisson process.
pub struct RandomPlayer {
    role: RoleId,
    /// Moves in a unit of time.
    rate: f64,
    chance: Chance,
    next: Option<Ticks>,
}

impl RandomPlayer {
    /// The player of a role that makes so many moves in a unit of time, on average.
    pub fn new(role: RoleId, rate: f64, seed: u64) -> Self {
        Self {
            role,
            rate,
            chance: Chance::from_seed(seed),
            next: None,
        }
    }

    /// A moment after `now`.
    fn draw(&mut self, now: Ticks) -> Ticks {
        let wait = -(1.0 - self.chance.fraction()).ln() / self.rate;
        now + Ticks::from_units(wait).max(Ticks(1))
    }
}

impl<G: TimedGame> TimedPlayer<G> for RandomPlayer {
    fn intend(&mut self, world: &mut World<G>, now: Ticks) -> Option<Intent> {
        let next = match self.next {
            Some(next) => next,
            None => self.draw(now),
        };
        if now < next {
            self.next = Some(next);
            return Some(Intent {
                at: next,
                make: None,
            });
        }
        self.next = Some(self.draw(now));
        let position = world.sample(now, &mut self.chance);
        let game = world.game();
        let mut table = Table::at(&game, &position.state, position.since, position.pending);
        let legal = paidia_game::TimedWalker::legal(table.walker())
            .of(self.role)
            .to_vec();
        match self.chance.pick(&legal) {
            Some(id) => Some(Intent {
                at: now,
                make: Some(id),
            }),
            None => self.next.map(|at| Intent { at, make: None }),
        }
    }
}
