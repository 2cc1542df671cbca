//! The search itself.
//!
//! Scores and windows are those of the first player; in a state where the second one moves they
//! are turned around, so that the mover always looks for the highest. A role may move several times
//! in a row.

use paidia_game::{Chance, Game, Goal, MoveId, RoleId, Walker};

use super::Settings;
use super::table::{Bound, Table};
use crate::budget::{Meter, StopReason};
use crate::evaluation::{Judge, score_of};

/// The score of a game that is won at once.
const WON: i32 = 1_000_000;

/// The longest line that is looked at.
const MOST_PLIES: usize = 120;

/// More than any score.
const INFINITE: i32 = WON + 1;

/// Nodes between two looks at the clock.
const CLOCK: u64 = 64;

/// Joint moves beyond the depth while pieces are being taken.
const MOST_TAKING: u32 = 8;

/// Late moves: those after the first of this number, where at least this depth is left.
const EARLY: usize = 3;
const DEEP: i32 = 3;

/// Whether a score is that of a line to the end of the game, won or lost.
pub(super) fn is_certain(score: i32) -> bool {
    score.abs() >= WON - MOST_PLIES as i32
}

/// A move at the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub(super) id: MoveId,
    /// For the first player; a bound, where it was only found that another is better.
    pub(super) score: i32,
    pub(super) nodes: u64,
}

/// What is kept of each state on the way from the root.
struct Frame<State> {
    state: State,
    /// The moves of the one that chooses, with what they are ordered by.
    moves: Vec<(MoveId, u32)>,
    joint: Vec<MoveId>,
    killers: [MoveId; 2],
    pieces: u32,
}

/// Why the search goes no further.
struct Stop;

/// A search with its memory.
pub(super) struct Search<G: Game> {
    game: G,
    players: (RoleId, RoleId),
    settings: Settings,
    walker: G::Walker,
    judge: Option<Judge<G>>,
    table: Table,
    frames: Vec<Frame<G::State>>,
    /// For each role how often a move was best, by its number.
    history: Vec<Vec<u32>>,
    chance: Chance,
    /// The moves of the root, the best first.
    pub(super) root: Vec<Found>,
    /// The line that is expected.
    pub(super) line: Vec<Vec<MoveId>>,
    stopped: Option<StopReason>,
}

impl<G: Game> Search<G> {
    pub(super) fn new(game: &G, players: (RoleId, RoleId), settings: Settings) -> Self {
        let frame = || Frame {
            state: game.initial(),
            moves: Vec::new(),
            joint: Vec::new(),
            killers: [MoveId::CHANCE; 2],
            pieces: 0,
        };
        Self {
            walker: game.walker(),
            frames: (0..MOST_PLIES + 2).map(|_| frame()).collect(),
            history: vec![Vec::new(); game.facts().roles.len()],
            table: Table::new(settings.memory),
            chance: Chance::from_seed(0),
            judge: None,
            root: Vec::new(),
            line: Vec::new(),
            stopped: None,
            game: game.clone(),
            players,
            settings,
        }
    }

    /// Judges states so from now on; what was found by another judge is forgotten.
    pub(super) fn set_judge(&mut self, judge: Judge<G>) {
        let is_same = self.judge.as_ref().is_some_and(|own| own.is_same(&judge));
        if !is_same {
            self.table.clear();
            self.judge = Some(judge);
        }
    }

    /// Entries in the table.
    pub(super) fn entries(&self) -> usize {
        self.table.len()
    }

    /// Searches deeper and deeper from a state in which a role has a choice, until the meter says
    /// that it is enough, or the end is certain.
    pub(super) fn deepen(
        &mut self,
        state: &G::State,
        role: RoleId,
        meter: &mut Meter<'_>,
    ) -> StopReason {
        self.table.grow_older();
        self.stopped = None;
        self.history
            .iter_mut()
            .flatten()
            .for_each(|often| *often /= 8);
        for frame in &mut self.frames {
            frame.killers = [MoveId::CHANCE; 2];
        }
        self.walker.jump(state);
        self.walker.save(&mut self.frames[0].state);
        let (mover, sign) = self.look_for(0, role);
        self.frames[0].pieces = self.judged(0).1;
        let key = self.walker.hash64();
        let known = self.table.get(key).map(|entry| entry.best);
        self.order(0, mover, known);
        let found = |&(id, _): &(MoveId, u32)| Found {
            id,
            score: 0,
            nodes: 0,
        };
        self.root = self.frames[0].moves.iter().map(found).collect();
        for depth in 1..MOST_PLIES as i32 {
            let result = self.root_search(depth, mover, sign, meter);
            // The best of what was looked at comes first, also where the rest was not reached.
            if result.is_err() {
                break;
            }
            let best = self.root[0];
            self.table
                .set(key, best.score, best.id, depth as i16, Bound::Exact);
            let all_lost = is_certain(best.score);
            if all_lost || self.root.len() == 1 {
                self.stopped = Some(StopReason::Solved);
                break;
            }
        }
        self.line = self.expected(state);
        self.stopped.take().unwrap_or(StopReason::Done)
    }

    /// One iteration at the root. What was found of moves before it stopped stays.
    fn root_search(
        &mut self,
        depth: i32,
        mover: RoleId,
        sign: i32,
        meter: &mut Meter<'_>,
    ) -> Result<(), Stop> {
        let mut best = -INFINITE;
        for place in 0..self.root.len() {
            let id = self.root[place].id;
            let before = meter.simulations;
            self.make(0, mover, id, meter);
            let mut value = match place {
                0 => INFINITE,
                _ => self.child(0, depth - 1, sign, best, best + 1, meter)?,
            };
            if value > best {
                if place > 0 {
                    self.make(0, mover, id, meter);
                }
                value = self.child(0, depth - 1, sign, best, INFINITE, meter)?;
            }
            let found = &mut self.root[place];
            found.score = sign * value;
            found.nodes += meter.simulations - before;
            if value > best {
                best = value;
                // It moves to the front, and the others keep their order.
                self.root[..=place].rotate_right(1);
            }
        }
        Ok(())
    }

    /// The value for the mover of the state at `ply` of the state after it, where the walker
    /// stands.
    fn child(
        &mut self,
        ply: usize,
        depth: i32,
        sign: i32,
        low: i32,
        high: i32,
        meter: &mut Meter<'_>,
    ) -> Result<i32, Stop> {
        match sign > 0 {
            true => self.node(ply + 1, depth, low, high, meter),
            false => self
                .node(ply + 1, depth, -high, -low, meter)
                .map(|value| -value),
        }
    }

    /// The score of the state where the walker stands.
    fn node(
        &mut self,
        ply: usize,
        depth: i32,
        low: i32,
        high: i32,
        meter: &mut Meter<'_>,
    ) -> Result<i32, Stop> {
        // 1. The end, and limits.
        meter.simulations += 1;
        if meter.simulations.is_multiple_of(CLOCK)
            && let Some(reason) = meter.reached()
        {
            self.stopped = Some(reason);
            return Err(Stop);
        }
        if self.walker.is_terminal() {
            return self.end(ply);
        }
        self.walker.save(&mut self.frames[ply].state);
        let (score, pieces) = self.judged(ply);
        self.frames[ply].pieces = pieces;
        if depth <= 0 || ply >= MOST_PLIES {
            let is_taken = pieces < self.frames[ply - 1].pieces;
            return match is_taken && self.settings.quiescence && ply < MOST_PLIES {
                true => self.take(ply, score, low, high, MOST_TAKING, meter),
                false => Ok(score),
            };
        }
        // 2. What is known of it.
        let key = self.walker.hash64();
        let known = self.table.get(key);
        if let Some(known) = known
            && i32::from(known.depth) >= depth
        {
            let value = from_table(known.value, ply);
            let is_enough = match known.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= high,
                Bound::AtMost => value <= low,
            };
            if is_enough {
                return Ok(value);
            }
        }
        // 3. Its moves, the most promising first.
        let (mover, sign) = self.look(ply);
        self.order(ply, mover, known.map(|known| known.best));
        let (mut own, most) = match sign > 0 {
            true => (low, high),
            false => (-high, -low),
        };
        let (mut best, mut best_move) = (-INFINITE, MoveId::CHANCE);
        // A forced move costs no depth.
        let count = self.frames[ply].moves.len();
        let next = if count == 1 { depth } else { depth - 1 };
        for place in 0..count {
            let id = self.pick(ply, place);
            self.make(ply, mover, id, meter);
            let value = self.move_value(ply, next, sign, own, most, (place, id, mover), meter)?;
            if value > best {
                (best, best_move) = (value, id);
            }
            if value > own {
                own = value;
                if own >= most {
                    self.praise(ply, mover, id, depth);
                    break;
                }
            }
        }
        // 4. What was found.
        let low = if sign > 0 { low } else { -high };
        let bound = match (best >= most, best > low) {
            (true, _) => Bound::AtLeast,
            (false, true) => Bound::Exact,
            (false, false) => Bound::AtMost,
        };
        let bound = if sign > 0 { bound } else { turned(bound) };
        let value = sign * best;
        self.table
            .set(key, to_table(value, ply), best_move, depth as i16, bound);
        Ok(value)
    }

    /// The value for the mover of a move that was just made: the first in the whole window, others
    /// in an empty one, late ones less deeply, and again where that shows that they are better.
    #[expect(clippy::too_many_arguments, reason = "a window, a depth and a move")]
    fn move_value(
        &mut self,
        ply: usize,
        depth: i32,
        sign: i32,
        own: i32,
        most: i32,
        (place, id, mover): (usize, MoveId, RoleId),
        meter: &mut Meter<'_>,
    ) -> Result<i32, Stop> {
        if place == 0 {
            return self.child(ply, depth, sign, own, most, meter);
        }
        let is_late = self.settings.reductions && place >= EARLY && depth + 1 >= DEEP;
        let less = match is_late && !self.frames[ply].killers.contains(&id) {
            true => 1 + i32::from(place >= 4 * EARLY && depth > DEEP),
            false => 0,
        };
        let mut value = self.child(ply, depth - less, sign, own, own + 1, meter)?;
        if value > own && less > 0 {
            self.make(ply, mover, id, meter);
            value = self.child(ply, depth, sign, own, own + 1, meter)?;
        }
        if value > own && value < most {
            self.make(ply, mover, id, meter);
            value = self.child(ply, depth, sign, own, most, meter)?;
        }
        Ok(value)
    }

    /// The score of the state where the walker stands, in which the mover may stop, or take a
    /// piece.
    fn take(
        &mut self,
        ply: usize,
        score: i32,
        low: i32,
        high: i32,
        left: u32,
        meter: &mut Meter<'_>,
    ) -> Result<i32, Stop> {
        let (mover, sign) = self.look(ply);
        let (mut own, most) = match sign > 0 {
            true => (low, high),
            false => (-high, -low),
        };
        let mut best = sign * score;
        own = own.max(best);
        let pieces = self.frames[ply].pieces;
        for place in 0..self.frames[ply].moves.len() {
            if own >= most || left == 0 {
                break;
            }
            let id = self.frames[ply].moves[place].0;
            self.make(ply, mover, id, meter);
            meter.simulations += 1;
            let value = if self.walker.is_terminal() {
                self.end(ply + 1)?
            } else {
                self.walker.save(&mut self.frames[ply + 1].state);
                let (score, after) = self.judged(ply + 1);
                if after >= pieces || ply + 1 >= MOST_PLIES {
                    continue;
                }
                self.frames[ply + 1].pieces = after;
                let (low, high) = if sign > 0 { (own, most) } else { (-most, -own) };
                self.take(ply + 1, score, low, high, left - 1, meter)?
            };
            best = best.max(sign * value);
            own = own.max(best);
        }
        Ok(sign * best)
    }

    /// The score of the end of the game where the walker stands.
    fn end(&mut self, ply: usize) -> Result<i32, Stop> {
        if self.walker.fault().is_some() {
            self.stopped = Some(StopReason::Fault);
            return Err(Stop);
        }
        let mut goal = |role| match self.walker.goal(role) {
            Goal::One(value) => Some(value),
            Goal::None | Goal::Several => None,
        };
        let goals = goal(self.players.0).zip(goal(self.players.1));
        let range = &self.game.facts().goal_range;
        let span = f64::from(*range.end()) - f64::from(*range.start());
        let lead = goals.map_or(0.0, |(one, other)| f64::from(one) - f64::from(other));
        let part = lead / span.max(1.0);
        Ok(match part.abs() >= 1.0 {
            true => (WON - ply as i32) * part.signum() as i32,
            false => score_of(100.0 * part),
        })
    }

    /// The score and the pieces of the state that is kept at `ply`.
    fn judged(&mut self, ply: usize) -> (i32, u32) {
        let state = &self.frames[ply].state;
        self.judge
            .as_mut()
            .map_or((0, 0), |judge| judge.judge(state))
    }

    /// Keeps the moves of the role that chooses where the walker stands; who that is, and 1 for
    /// the first player.
    fn look(&mut self, ply: usize) -> (RoleId, i32) {
        self.look_for(ply, self.players.0)
    }

    /// The same where both may have a choice: then it is this one, and the other makes its first
    /// move.
    fn look_for(&mut self, ply: usize, role: RoleId) -> (RoleId, i32) {
        let legal = self.walker.legal();
        let (first, second) = self.players;
        let other = if role == first { second } else { first };
        let chooses = |role: RoleId| legal.of(role).len() > 1;
        let mover = match chooses(other) && !chooses(role) {
            true => other,
            false => role,
        };
        let frame = &mut self.frames[ply];
        frame.moves.clear();
        frame.joint.clear();
        for (role, moves) in legal.iter() {
            frame
                .joint
                .push(moves.first().copied().unwrap_or(MoveId::CHANCE));
            if role == mover {
                frame.moves.extend(moves.iter().map(|&id| (id, 0)));
            }
        }
        (mover, if mover == first { 1 } else { -1 })
    }

    /// Says how promising each move looks: the best of an earlier search, killers, history.
    fn order(&mut self, ply: usize, mover: RoleId, known: Option<MoveId>) {
        let frame = &mut self.frames[ply];
        let history = &self.history[mover.index()];
        for (id, rank) in &mut frame.moves {
            let often = history.get(id.0 as usize).copied().unwrap_or(0);
            *rank = match *id {
                id if Some(id) == known => u32::MAX,
                id if id == frame.killers[0] => u32::MAX - 1,
                id if id == frame.killers[1] => u32::MAX - 2,
                _ => often.min(u32::MAX - 3),
            };
        }
        if ply == 0 {
            frame
                .moves
                .sort_by_key(|&(_, rank)| std::cmp::Reverse(rank));
        }
    }

    /// The most promising move of those from a place on, which comes to that place.
    fn pick(&mut self, ply: usize, place: usize) -> MoveId {
        let moves = &mut self.frames[ply].moves;
        let mut best = place;
        for other in place + 1..moves.len() {
            if moves[other].1 > moves[best].1 {
                best = other;
            }
        }
        moves.swap(place, best);
        moves[place].0
    }

    /// Makes a move from the state at `ply`.
    fn make(&mut self, ply: usize, mover: RoleId, id: MoveId, meter: &mut Meter<'_>) {
        let frame = &mut self.frames[ply];
        self.walker.jump(&frame.state);
        if let Some(own) = frame.joint.get_mut(mover.index()) {
            *own = id;
        }
        self.walker.advance(&frame.joint, &mut self.chance);
        meter.states += 1;
    }

    /// A move was too good for the other.
    fn praise(&mut self, ply: usize, mover: RoleId, id: MoveId, depth: i32) {
        let killers = &mut self.frames[ply].killers;
        if killers[0] != id {
            *killers = [id, killers[0]];
        }
        let history = &mut self.history[mover.index()];
        let place = id.0 as usize;
        if history.len() <= place {
            history.resize(place + 1, 0);
        }
        history[place] = history[place].saturating_add((depth * depth).max(1) as u32);
    }

    /// The line from a state by the best move here, and then by what the table knows.
    fn expected(&mut self, state: &G::State) -> Vec<Vec<MoveId>> {
        const LONGEST: usize = 16;
        let mut line = Vec::new();
        self.walker.jump(state);
        let mut next = self.root.first().map(|best| best.id);
        while let Some(id) = next {
            let (mover, _) = self.look(MOST_PLIES + 1);
            let frame = &mut self.frames[MOST_PLIES + 1];
            if !frame.moves.iter().any(|own| own.0 == id) {
                break;
            }
            frame.joint[mover.index()] = id;
            line.push(frame.joint.clone());
            self.walker.advance(&frame.joint, &mut self.chance);
            if line.len() == LONGEST || self.walker.is_terminal() {
                break;
            }
            let known = self.table.get(self.walker.hash64());
            next = known.map(|known| known.best);
        }
        line
    }
}

fn turned(bound: Bound) -> Bound {
    match bound {
        Bound::Exact => Bound::Exact,
        Bound::AtLeast => Bound::AtMost,
        Bound::AtMost => Bound::AtLeast,
    }
}

/// A score as the table has it: a win is told by its distance from the state itself.
fn to_table(score: i32, ply: usize) -> i32 {
    match is_certain(score) {
        true => score + score.signum() * ply as i32,
        false => score,
    }
}

fn from_table(score: i32, ply: usize) -> i32 {
    match is_certain(score) {
        true => score - score.signum() * ply as i32,
        false => score,
    }
}
