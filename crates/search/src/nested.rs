//! Nested Monte Carlo search for any number of roles.
//!
//! A player of level 1 tries each of its moves and plays on at random; a player of level n plays on
//! as players of level n - 1 would, in all roles. The move whose playout ended best is made. There
//! is no tree. (Cazenave, Saffidine, Schofield and Thielscher, *Nested Monte Carlo Search for
//! Two-Player Games*, 2016.)
//!
//! Each level can *discount*: among moves that win it prefers the quickest, among moves that lose
//! the slowest. It can *cut on a win*: moves are tried in random order, and the first that wins is
//! made. And it can *prune on depth*: a playout that has become as long as the quickest win so far
//! is given up. With *cascade* that limit is also handed down to the levels below.
//!
//! Where others move at the same time, a move is tried against what players of the level below
//! would do: an evaluation is a playout of the level below in which nothing but the chooser's first
//! move is given. Whatever is random depends on a seed that is made from the way to it, so that
//! what is left out changes nothing elsewhere: cutting without discount, and pruning with it,
//! choose the very moves that are chosen without them.

mod levels;
mod search;
mod worth;

use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, MoveId, RoleId, Walker};

use crate::budget::{Budget, Meter, StopReason};
use crate::costs::Costs;
use crate::player::{Decision, Informed, without_choice};
use crate::report::{MoveReport, Report};
pub use levels::Levels;
pub(crate) use search::{Nest, Run};

/// What can be set about a nested search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nesting {
    /// The level of the player, or of the roles in the playouts of a tree search; from 1 to
    /// [`Levels::HIGHEST`].
    pub level: u8,
    /// The levels that care how soon a playout ends.
    pub discount: Levels,
    /// The levels that make the first move that wins.
    pub cut: Levels,
    /// The levels that give up playouts as long as their quickest win. Where they do not discount,
    /// nothing is gained by that, and they do not.
    pub prune: Levels,
    /// Whether the levels below give up there, too.
    pub cascade: bool,
    /// By how many playouts each move is judged; the paper has one.
    pub samples: u32,
    /// Whether moves are tried in random order, and not in that of their texts. Of equal moves the
    /// first is made.
    pub shuffle: bool,
}

impl Nesting {
    /// A plain search of a level: nothing is discounted or left out.
    pub const fn plain(level: u8) -> Self {
        let level = match level {
            0 => 1,
            1..=Levels::HIGHEST => level,
            _ => Levels::HIGHEST,
        };
        Self {
            level,
            discount: Levels::NONE,
            cut: Levels::NONE,
            prune: Levels::NONE,
            cascade: false,
            samples: 1,
            shuffle: true,
        }
    }

    /// A search of a level that discounts everywhere, and leaves nothing out.
    pub fn discounted(level: u8) -> Self {
        Self {
            discount: Levels::ALL,
            ..Self::plain(level)
        }
    }
}

/// A player by nested Monte Carlo search.
///
/// It ends when all its moves are judged; if a budget ends it before, it makes the best of those
/// that were.
pub struct Nested<G: Game> {
    role: RoleId,
    walker: G::Walker,
    nest: Nest<G::State>,
    chance: Chance,
}

impl<G: Game> Nested<G> {
    /// A player for a role.
    pub fn new(game: &G, role: RoleId, nesting: Nesting, seed: u64) -> Self {
        Self {
            role,
            walker: game.walker(),
            nest: Nest::new(game, nesting, 1),
            chance: Chance::from_seed(seed),
        }
    }

    /// What was found out about the moves, the best first.
    fn moves(&self) -> Vec<MoveReport> {
        let mut judged: Vec<_> = self.nest.judged().collect();
        // Of equal moves the first that was tried stays the first.
        judged.sort_by(|(_, left), (_, right)| {
            right.partial_cmp(left).unwrap_or(std::cmp::Ordering::Equal)
        });
        let report = |(id, worth): (MoveId, Option<_>)| MoveReport {
            id,
            value: self.nest.goal_of(worth),
            visits: worth.map_or(0, |_| u64::from(self.nest.nesting().samples)),
            proven: None,
        };
        judged.into_iter().map(report).collect()
    }
}

impl<G: Game> Informed<G> for Nested<G> {
    fn choose_until(
        &mut self,
        state: &G::State,
        budget: Budget,
        interrupt: &AtomicBool,
    ) -> Decision {
        self.walker.jump(state);
        if let Some(decision) = without_choice(&mut self.walker, self.role) {
            return decision;
        }
        let mut meter = Meter::until(budget, interrupt);
        let mut run = Run {
            nest: &mut self.nest,
            walker: &mut self.walker,
            meter: &mut meter,
        };
        let stopped = run.judge(self.role, self.chance.bits());
        let report = Report {
            moves: self.moves(),
            line: Vec::new(),
            proven: None,
            simulations: meter.simulations,
            playouts: meter.playouts,
            states: meter.states,
            time: meter.elapsed(),
            nodes: 0,
            stopped: stopped.err().unwrap_or(StopReason::Done),
            known: 0,
            costs: Costs::default(),
        };
        let id = report.moves.first().map_or(MoveId::CHANCE, |best| best.id);
        Decision { id, report }
    }
}
