//! Random play: how a game goes, and how fast it is played.

use paidia_game::{Chance, Goal, RoleId, Ticks, TimedGame, TimedWalker};

use crate::table::{RandomDraws, Table};

/// How random play goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pastime {
    /// Moves that each player tries to make in a unit of time, on average.
    pub rate: f64,
    /// Until what game time, at most.
    pub until: Ticks,
    /// The most updates.
    pub updates: u64,
}

impl Default for Pastime {
    fn default() -> Self {
        Self {
            rate: 2.0,
            until: Ticks::from_units(1_000.0),
            updates: 100_000,
        }
    }
}

/// What came of a random match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playout {
    /// When it ended.
    pub time: Ticks,
    /// Updates of the state.
    pub updates: u64,
    /// Whether the rules ended it.
    pub is_over: bool,
    /// The goals by role, if they did.
    pub goals: Vec<Goal>,
}

/// Plays random matches of one game.
pub struct Playouts<G: TimedGame> {
    table: Table<G>,
    start: G::State,
    players: Vec<RoleId>,
    pastime: Pastime,
}

impl<G: TimedGame> Playouts<G> {
    /// Random matches from the beginning.
    pub fn new(game: &G, pastime: Pastime) -> Self {
        Self {
            table: Table::new(game),
            start: game.initial(),
            players: game.facts().players().collect(),
            pastime,
        }
    }

    /// Plays one: players try to move at the moments of a Poisson process.
    pub fn play(&mut self, chance: &mut Chance) -> Playout {
        let mut draws = RandomDraws(chance.split());
        let before = self.table.updates();
        self.table.enter(&self.start, Ticks::ZERO, None);
        self.table.start(&mut draws, &mut ());
        let rate = self.pastime.rate * self.players.len().max(1) as f64;
        let mut time = Ticks::ZERO;
        while !self.table.is_over() && self.table.updates() - before < self.pastime.updates {
            let wait = -(1.0 - chance.fraction()).ln() / rate;
            time = time + Ticks::from_units(wait).max(Ticks(1));
            let is_late = time > self.pastime.until;
            self.table
                .run_before(time.min(self.pastime.until), &mut draws, &mut ());
            if is_late {
                break;
            }
            let Some(role) = chance.pick(&self.players).filter(|_| !self.table.is_over()) else {
                continue;
            };
            let legal = self.table.walker().legal().of(role);
            if let Some(id) = chance.pick(legal) {
                self.table.make(time, vec![(role, id)], &mut draws);
            }
        }
        let is_over = self.table.is_over() && self.table.fault().is_none();
        let roles: Vec<RoleId> = self.table.facts().role_ids().collect();
        let walker = self.table.walker();
        let goals = roles.into_iter().map(|role| match is_over {
            true => walker.goal(role),
            false => Goal::None,
        });
        let goals = goals.collect();
        Playout {
            goals,
            time: self.table.now(),
            updates: self.table.updates() - before,
            is_over,
        }
    }

    /// The limit that the rules ran into in the last match.
    pub fn fault(&self) -> Option<paidia_game::Fault> {
        self.table.fault()
    }
}
