//! Exact values of single positions, where the whole state graph would be too large.
//!
//! For games of two whose goals add up to a constant and in which play always ends. Alpha-beta with
//! the narrowest window there is asks "is this position worth at least this value to the first
//! role?", remembers the answers, takes a move of which the answer is known at once, and otherwise
//! tries those first that settled such questions elsewhere. (MTD(f) with enhanced transposition
//! cut-offs: A. Plaat et al., Best-First Fixed-Depth Minimax Algorithms, 1996.) Where play can be
//! long, most questions are settled by a few moves, which a search to the end of every line would
//! not find soon; where every line is as long, nothing is settled before the end. So both are tried
//! in turn, each time for longer: deeper and deeper, and to the end.

use rustc_hash::FxHashMap;

use super::{NotApplicable, SolveError, refuse_by_facts};
use crate::chance::Chance;
use crate::contract::{Game, Walker};
use crate::ids::{Goal, MoveId, RoleId};

/// Moves in a row after which play is taken to be endless.
const LONGEST: u32 = 1_000;

/// States that are expanded in the first search of each kind, and how many times as many in the
/// next.
const FIRST_EFFORT: usize = 5_000;
const MORE_EFFORT: usize = 3;

/// Answers what positions of a game are worth, and remembers what it found out.
pub struct Oracle<G: Game> {
    game: G,
    walker: G::Walker,
    known: FxHashMap<G::State, Bounds>,
    /// How many states may be remembered.
    states: usize,
    /// For each role and move, how often it settled a question.
    settled: [Vec<u32>; 2],
    /// What the goals add up to, once an end was seen.
    sum: Option<i32>,
    /// States that the present search may still expand.
    effort: usize,
}

/// Between which goals the value of a position lies.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    least: i32,
    most: i32,
    /// A question that fewer moves than this do not settle.
    open: (i32, u32),
}

impl Bounds {
    /// The lower bound if that is `question` or more, the upper one if that is less.
    fn answer(self, question: i32) -> Option<i32> {
        if self.least >= question {
            return Some(self.least);
        }
        (self.most < question).then_some(self.most)
    }
}

/// The choices in a state that is not terminal.
struct Choices {
    mover: RoleId,
    /// The mover's moves, the most promising first.
    moves: Vec<MoveId>,
    /// A joint move, with one of the mover's.
    joint: Vec<MoveId>,
}

impl<G: Game> Oracle<G> {
    /// An oracle that may remember this number of states.
    ///
    /// # Errors
    /// If the game is not of two, or has chance or hidden information.
    pub fn new(game: &G, states: usize) -> Result<Self, NotApplicable> {
        refuse_by_facts(game)?;
        if game.facts().roles.len() != 2 {
            return Err(not_applicable("there are not two roles"));
        }
        Ok(Self {
            walker: game.walker(),
            game: game.clone(),
            known: FxHashMap::default(),
            settled: [Vec::new(), Vec::new()],
            sum: None,
            effort: 0,
            states,
        })
    }

    /// How many states are remembered.
    pub fn remembered(&self) -> usize {
        self.known.len()
    }

    /// The goal of the first role when both play best.
    ///
    /// # Errors
    /// If both choose at a time, goals do not add up to a constant, play does not end, or too many
    /// states would have to be remembered.
    pub fn value(&mut self, state: &G::State) -> Result<i32, SolveError> {
        let goals = &self.game.facts().goal_range;
        let (mut least, mut most) = (*goals.start(), *goals.end());
        let mut guess = least + (most - least) / 2;
        while least < most {
            let question = guess.max(least + 1);
            guess = self.settle(state, question)?;
            match guess >= question {
                true => least = guess,
                false => most = guess,
            }
        }
        Ok(least)
    }

    /// Whether a position has this value; quicker than [`Self::value`] where it has not.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn is_worth(&mut self, state: &G::State, value: i32) -> Result<bool, SolveError> {
        let at_least = self.settle(state, value)? >= value;
        Ok(at_least && self.settle(state, value + 1)? <= value)
    }

    /// Whether all these positions of one line of play have the same value: no move was a mistake.
    /// The last are looked at first, since they are the easiest.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn is_faultless(&mut self, states: &[G::State]) -> Result<bool, SolveError> {
        let Some((last, before)) = states.split_last() else {
            return Ok(true);
        };
        let value = self.value(last)?;
        for state in before.iter().rev() {
            if !self.is_worth(state, value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The moves of the role with a choice that keep the value of a position; none where the game
    /// is over.
    ///
    /// # Errors
    /// As [`Self::value`].
    pub fn best_moves(&mut self, state: &G::State) -> Result<Vec<MoveId>, SolveError> {
        let value = self.value(state)?;
        self.walker.jump(state);
        if self.walker.is_terminal() {
            return Ok(Vec::new());
        }
        let mut choices = self.choices()?;
        let mut best = Vec::new();
        for id in std::mem::take(&mut choices.moves) {
            let child = self.child(state, &mut choices, id)?;
            if self.is_worth(&child, value)? {
                best.push(id);
            }
        }
        self.game.moves().sort(&mut best);
        Ok(best)
    }

    /// A goal of the first role that the position is worth at least, if that is `question` or more,
    /// and otherwise one that it is worth at most.
    fn settle(&mut self, state: &G::State, question: i32) -> Result<i32, SolveError> {
        let mut effort = FIRST_EFFORT;
        loop {
            self.effort = effort;
            for moves in (2..LONGEST).step_by(2) {
                if let Some(answer) = self.bound(state, question, moves)? {
                    return Ok(answer);
                }
                if self.effort == 0 {
                    break;
                }
            }
            self.effort = effort;
            if let Some(answer) = self.bound(state, question, LONGEST)? {
                return Ok(answer);
            }
            if self.effort > 0 {
                let line = format!("a line of {LONGEST} moves does not end");
                return Err(SolveError::Endless(line));
            }
            effort *= MORE_EFFORT;
        }
    }

    /// As [`Self::settle`], by lines of limited length; `None` if they do not settle it, or it
    /// takes too long.
    fn bound(
        &mut self,
        state: &G::State,
        question: i32,
        moves: u32,
    ) -> Result<Option<i32>, SolveError> {
        let goals = &self.game.facts().goal_range;
        let mut bounds = self.known.get(state).copied().unwrap_or(Bounds {
            least: *goals.start(),
            most: *goals.end(),
            open: (question, 0),
        });
        if let Some(answer) = bounds.answer(question) {
            return Ok(Some(answer));
        }
        let is_open = bounds.open.0 == question && bounds.open.1 > moves;
        if is_open || self.effort == 0 {
            return Ok(None);
        }
        self.walker.jump(state);
        if self.walker.is_terminal() {
            let value = self.end()?;
            (bounds.least, bounds.most) = (value, value);
            self.remember(state, bounds)?;
            return Ok(Some(value));
        }
        if moves == 0 {
            return Ok(None);
        }
        self.effort -= 1;
        let found = self.best_bound(state, question, moves)?;
        match found {
            Some(found) if found >= question => bounds.least = found,
            Some(found) => bounds.most = found,
            // If it took too long, the value is unknown.
            None if self.effort == 0 => return Ok(None),
            None => bounds.open = (question, moves + 1),
        }
        self.remember(state, bounds)?;
        Ok(found)
    }

    /// The bound by the moves of the state where the walker stands.
    fn best_bound(
        &mut self,
        state: &G::State,
        question: i32,
        moves: u32,
    ) -> Result<Option<i32>, SolveError> {
        let mut choices = self.choices()?;
        let wants_more = choices.mover == RoleId(0);
        let settles = |value: &i32| (*value >= question) == wants_more;
        let mut children = Vec::with_capacity(choices.moves.len());
        for id in std::mem::take(&mut choices.moves) {
            let child = self.child(state, &mut choices, id)?;
            if let Some(value) = self.at_once(&child, question)?.filter(settles) {
                self.credit(choices.mover, id);
                return Ok(Some(value));
            }
            children.push((id, child));
        }
        let (mut best, mut all_known) = (None, true);
        for (id, child) in children {
            let Some(value) = self.bound(&child, question, moves - 1)? else {
                all_known = false;
                continue;
            };
            if settles(&value) {
                self.credit(choices.mover, id);
                return Ok(Some(value));
            }
            best = Some(match best {
                Some(best) if (best > value) == wants_more => best,
                _ => value,
            });
        }
        Ok(best.filter(|_| all_known))
    }

    /// What [`Self::bound`] says of the state where the walker stands, if that is known without a
    /// search.
    fn at_once(&mut self, state: &G::State, question: i32) -> Result<Option<i32>, SolveError> {
        if self.walker.is_terminal() {
            return self.end().map(Some);
        }
        Ok(self
            .known
            .get(state)
            .and_then(|bounds| bounds.answer(question)))
    }

    /// The state after a move, where the walker then stands.
    fn child(
        &mut self,
        state: &G::State,
        choices: &mut Choices,
        id: MoveId,
    ) -> Result<G::State, SolveError> {
        choices.joint[choices.mover.index()] = id;
        self.walker.jump(state);
        // No move is left to chance here.
        self.walker
            .advance(&choices.joint, &mut Chance::from_seed(0));
        if let Some(fault) = self.walker.fault() {
            return Err((*fault).into());
        }
        let mut child = state.clone();
        self.walker.save(&mut child);
        Ok(child)
    }

    /// What can be chosen where the walker stands.
    fn choices(&mut self) -> Result<Choices, SolveError> {
        let legal = self.walker.legal();
        if legal.stuck_role().is_some() {
            let stuck = "a role has no legal move in a state that is not terminal";
            return Err(SolveError::FaultyRules(stuck.into()));
        }
        let mut movers = legal.iter().filter(|(_, moves)| moves.len() > 1);
        let mover = movers.next().map_or(RoleId(0), |(role, _)| role);
        if movers.next().is_some() {
            return Err(not_applicable("both roles choose at the same time").into());
        }
        let settled = &self.settled[mover.index()];
        let mut moves = legal.of(mover).to_vec();
        moves.sort_by_key(|id| {
            let times = settled.get(id.0 as usize).copied();
            std::cmp::Reverse(times.unwrap_or(0))
        });
        Ok(Choices {
            joint: legal.iter().map(|(_, moves)| moves[0]).collect(),
            mover,
            moves,
        })
    }

    fn credit(&mut self, role: RoleId, id: MoveId) {
        let settled = &mut self.settled[role.index()];
        let index = id.0 as usize;
        if settled.len() <= index {
            settled.resize(index + 1, 0);
        }
        settled[index] = settled[index].saturating_add(1);
    }

    /// The first role's goal in the terminal state where the walker stands.
    fn end(&mut self) -> Result<i32, SolveError> {
        let goals = [RoleId(0), RoleId(1)].map(|role| self.walker.goal(role));
        if let Some(fault) = self.walker.fault() {
            return Err((*fault).into());
        }
        let [Goal::One(first), Goal::One(second)] = goals else {
            let faulty = "a role does not have exactly one goal in a terminal state";
            return Err(SolveError::FaultyRules(faulty.into()));
        };
        if *self.sum.get_or_insert(first + second) != first + second {
            return Err(not_applicable("the goals do not add up to a constant").into());
        }
        Ok(first)
    }

    fn remember(&mut self, state: &G::State, bounds: Bounds) -> Result<(), SolveError> {
        if self.known.len() >= self.states && !self.known.contains_key(state) {
            return Err(SolveError::OutOfBudget {
                states: self.states,
                seen: self.known.len(),
            });
        }
        self.known.insert(state.clone(), bounds);
        Ok(())
    }
}

fn not_applicable(because: &str) -> NotApplicable {
    NotApplicable {
        method: "exact values of positions",
        because: because.into(),
    }
}
