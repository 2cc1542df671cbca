//! Nested rollout policy adaptation (Christopher Rosin, 2011).
//!
//! A policy gives every move of the puzzle a weight, wherever it is made. A rollout of level 0
//! plays to the end, drawing moves by the exponentials of their weights. A search of a higher level
//! makes many searches of the level below and moves its policy towards the best sequence of moves
//! so far. The search starts anew when the top level is through, and can be stopped between any two
//! rollouts.

use paidia_game::{Game, MoveId, Walker};

use super::ground::{Ground, Progress};
use crate::budget::{Meter, StopReason};

/// Levels above the rollouts.
const LEVELS: usize = 3;
/// Searches of the level below.
const REPEATS: u32 = 50;
/// How far a policy is moved towards the best sequence.
const STEP: f64 = 1.0;
/// Moves after which a rollout is cut.
const LONGEST: usize = 1_000;
/// What a rollout that was cut, or has no goal, is worth.
const NOTHING: i32 = i32::MIN;

/// A search by nested rollouts.
pub(super) struct Nested {
    /// The levels, the lowest first.
    levels: [Level; LEVELS],
    rollout: Sequence,
    legal: Vec<MoveId>,
    odds: Vec<f64>,
}

/// What a level has found in its present search.
#[derive(Default)]
struct Level {
    policy: Policy,
    best: Sequence,
    /// Searches of the level below so far.
    repeats: u32,
}

/// Moves, and the goal to which they lead.
#[derive(Clone)]
struct Sequence {
    moves: Vec<MoveId>,
    goal: i32,
}

impl Default for Sequence {
    fn default() -> Self {
        Self {
            moves: Vec::new(),
            goal: NOTHING,
        }
    }
}

/// The weight of each move, by its number; those that are not listed have none.
#[derive(Clone, Default)]
struct Policy(Vec<f64>);

impl Policy {
    fn weight(&self, id: MoveId) -> f64 {
        self.0.get(id.0 as usize).copied().unwrap_or(0.0)
    }

    fn add(&mut self, id: MoveId, weight: f64) {
        let place = id.0 as usize;
        if self.0.len() <= place {
            self.0.resize(place + 1, 0.0);
        }
        self.0[place] += weight;
    }

    /// Fills `odds` with the chances of the moves, not scaled; their sum.
    fn odds(&self, moves: &[MoveId], odds: &mut Vec<f64>) -> f64 {
        odds.clear();
        let highest = moves
            .iter()
            .map(|&id| self.weight(id))
            .fold(f64::NEG_INFINITY, f64::max);
        // The highest weight is taken off first, so that nothing overflows.
        odds.extend(moves.iter().map(|&id| (self.weight(id) - highest).exp()));
        odds.iter().sum()
    }
}

impl Nested {
    pub(super) fn new() -> Self {
        Self {
            levels: Default::default(),
            rollout: Sequence::default(),
            legal: Vec::new(),
            odds: Vec::new(),
        }
    }

    pub(super) fn memory(&self) -> usize {
        let weights = |level: &Level| level.policy.0.capacity() * size_of::<f64>();
        self.levels.iter().map(weights).sum()
    }

    pub(super) fn go_on<G: Game>(&mut self, ground: &mut Ground<G>, meter: &mut Meter) -> Progress {
        loop {
            // A rollout that is stopped is given up; nothing else is lost.
            if let Some(progress) = self.play(ground, meter) {
                return progress;
            }
            self.learn(ground, meter);
        }
    }

    /// Plays by the policy of the lowest level; why to stop, if there is a reason.
    fn play<G: Game>(&mut self, ground: &mut Ground<G>, meter: &mut Meter) -> Option<Progress> {
        let start = ground.start.clone();
        ground.walker.jump(&start);
        self.rollout.moves.clear();
        self.rollout.goal = NOTHING;
        while self.rollout.moves.len() < LONGEST && !ground.walker.is_terminal() {
            if let Some(progress) = ground.over(meter) {
                return Some(progress);
            }
            // A role without a move has no goal; that is no reason to stop.
            let id = self.draw(ground)?;
            if !ground.advance(id, meter) {
                return Some(Progress::Stopped(StopReason::Fault));
            }
            self.rollout.moves.push(id);
        }
        if ground.walker.is_terminal() {
            self.rollout.goal = ground.goal().unwrap_or(NOTHING);
            if ground.note(|| self.rollout.moves.clone()) {
                return Some(Progress::Perfect);
            }
        }
        None
    }

    /// Draws a move where the walker stands; `None` if there is none.
    fn draw<G: Game>(&mut self, ground: &mut Ground<G>) -> Option<MoveId> {
        ground.moves(&mut self.legal);
        let total = self.levels[0].policy.odds(&self.legal, &mut self.odds);
        let mut left = ground.chance.fraction() * total;
        let place = self.odds.iter().position(|&odds| {
            left -= odds;
            left < 0.0
        });
        place
            .map_or(self.legal.last(), |place| self.legal.get(place))
            .copied()
    }

    /// Hands the rollout to the lowest level, and from each level that is through its best sequence
    /// to the next.
    fn learn<G: Game>(&mut self, ground: &mut Ground<G>, meter: &mut Meter) {
        let mut found = self.rollout.clone();
        for number in 0..LEVELS {
            let level = &mut self.levels[number];
            if found.goal >= level.best.goal {
                level.best = found;
            }
            self.adapt(number, ground, meter);
            let level = &mut self.levels[number];
            level.repeats += 1;
            if level.repeats < REPEATS {
                break;
            }
            // The level starts anew with what the level above it has learnt.
            found = std::mem::take(level).best;
        }
        for number in (0..LEVELS - 1).rev() {
            if self.levels[number].repeats == 0 {
                self.levels[number].policy = self.levels[number + 1].policy.clone();
            }
        }
    }

    /// Moves the policy of a level towards its best sequence, unless that is as bad as any: to
    /// repeat it would lead nowhere.
    fn adapt<G: Game>(&mut self, number: usize, ground: &mut Ground<G>, meter: &mut Meter) {
        let Self {
            levels,
            legal,
            odds,
            ..
        } = self;
        let level = &mut levels[number];
        if !ground.is_worth_something(level.best.goal) {
            return;
        }
        let before = level.policy.clone();
        let start = ground.start.clone();
        ground.walker.jump(&start);
        for &id in &level.best.moves {
            ground.moves(legal);
            let total = before.odds(legal, odds);
            for (&other, odds) in legal.iter().zip(&*odds) {
                level.policy.add(other, -STEP * odds / total);
            }
            level.policy.add(id, STEP);
            if !ground.advance(id, meter) {
                return;
            }
        }
    }
}
