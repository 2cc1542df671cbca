//! What a role may believe where a game hides things: the states that agree with everything it was
//! told.
//!
//! A role of GDL-II is told its own moves and its percepts. The states that agree with them are
//! kept, at most [`MOST_STATES`], drawn fairly from those that the states before can be followed
//! by. Where none is left, the match is drawn again from its beginning until some agree with all
//! that was told. Moves and percepts are compared as texts, so that a host or a match on another
//! engine can tell them.

use std::collections::HashSet;
use std::time::Instant;

use paidia_game::{
    Chance, Game, JointMoves, LegalMoves, Legible, MoveId, Randomness, RoleId, Walker, find_move,
};

/// The most states that are kept.
pub const MOST_STATES: usize = 200;
/// Joint moves of one state that are all looked at; of more than that, this number is drawn.
const MOST_JOINTS: u128 = 500;
/// States from which one drawn beginning of a match goes on: following more would leave no time for
/// other beginnings.
const MOST_OF_ONE_BEGINNING: usize = 8;

/// What a role is told of one joint move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// Its own move.
    made: String,
    /// What it perceived, in lower case, in byte order, each once.
    percepts: Vec<String>,
}

impl Told {
    /// The role made this move and perceived this, in any order and case.
    pub fn new(made: String, mut percepts: Vec<String>) -> Self {
        percepts
            .iter_mut()
            .for_each(|text| text.make_ascii_lowercase());
        percepts.sort_unstable();
        percepts.dedup();
        Self { made, percepts }
    }

    /// Its own move.
    pub fn made(&self) -> &str {
        &self.made
    }

    /// What it perceived, in lower case, in byte order, each once.
    pub fn percepts(&self) -> &[String] {
        &self.percepts
    }
}

/// Why a belief does not fit to what was told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// The moves cannot be made in any believed state; nothing was changed.
    #[error("these moves are not legal here")]
    Illegal,
    /// No state was found that agrees with what was told; states that do not are believed.
    #[error("no state was found that agrees with what was seen")]
    Contradiction,
}

/// How much work looking for states may be. Without a clock the work is the same on every machine.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// When it ends, if there is a clock.
    until: Option<Instant>,
    /// Joint moves that may still be made.
    steps: u64,
}

impl Effort {
    /// The work that a moment allows.
    pub fn until(until: Instant) -> Self {
        Self {
            until: Some(until),
            steps: u64::MAX,
        }
    }

    /// A number of joint moves.
    pub fn steps(steps: u64) -> Self {
        Self { until: None, steps }
    }

    fn is_over(&self) -> bool {
        self.steps == 0 || self.until.is_some_and(|until| Instant::now() >= until)
    }
}

/// The states that agree with everything a role was told.
pub struct Belief<G: Game> {
    game: G,
    role: RoleId,
    walker: G::Walker,
    seed: u64,
    chance: Chance,
    /// Never empty.
    states: Vec<G::State>,
    told: Vec<Told>,
    is_complete: bool,
}

impl<G: Game> Belief<G> {
    /// The beginning of a match.
    pub fn new(game: &G, role: RoleId, seed: u64) -> Self {
        Self {
            walker: game.walker(),
            states: vec![game.initial()],
            told: Vec::new(),
            // A joint move that leads to several states is tried once.
            is_complete: game.facts().randomness != Randomness::Inside,
            chance: Chance::from_seed(seed),
            seed,
            game: game.clone(),
            role,
        }
    }

    /// The states, of which there is at least one.
    pub fn states(&self) -> &[G::State] {
        &self.states
    }

    /// Whether these are all the states that agree, and no mere sample.
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// Some of the states, each with the same chance.
    pub fn sample(&mut self, count: usize) -> Vec<G::State> {
        let mut states = self.states.clone();
        while states.len() > count {
            let place = self.chance.below(states.len() as u32);
            states.swap_remove(place as usize);
        }
        states
    }

    /// Makes a joint move of which every part was told.
    ///
    /// # Errors
    /// If it is legal in none of the states.
    pub fn make(&mut self, joint: &[String]) -> Result<(), Lost> {
        let mut after = Vec::new();
        for state in &self.states {
            self.walker.jump(state);
            let Some(joint) = read_joint(&self.game, self.walker.legal(), joint) else {
                continue;
            };
            self.walker.advance(&joint, &mut self.chance);
            let mut next = state.clone();
            self.walker.save(&mut next);
            after.push(next);
        }
        if after.is_empty() {
            return Err(Lost::Illegal);
        }
        self.states = after;
        Ok(())
    }

    /// Takes in what was told of the next joint move.
    ///
    /// # Errors
    /// If no state that agrees with it was found.
    pub fn see(&mut self, told: Told, mut effort: Effort) -> Result<(), Lost> {
        self.told.push(told);
        let turn = self.told.len() - 1;
        let before = std::mem::take(&mut self.states);
        let mut after = self.successors(&before, turn, true, &mut effort);
        if after.is_empty() {
            self.is_complete = false;
            after = self.start_over(&mut effort);
        }
        let is_lost = after.is_empty();
        if is_lost {
            after = self.successors(&before, turn, false, &mut effort);
        }
        self.states = if after.is_empty() { before } else { after };
        if is_lost {
            Err(Lost::Contradiction)
        } else {
            Ok(())
        }
    }

    /// Takes in all that was told since the start of a match: goes on from what was told before,
    /// or, where that differs because moves were taken back, starts anew.
    ///
    /// # Errors
    /// If no state that agrees with it was found.
    pub fn see_all(&mut self, told: &[Told], effort: Effort) -> Result<(), Lost> {
        if !told.starts_with(&self.told) {
            *self = Self::new(&self.game, self.role, self.seed);
        }
        let mut result = Ok(());
        for next in &told[self.told.len()..] {
            result = self.see(next.clone(), effort);
        }
        result
    }

    /// States that some states can be followed by in a turn, if the own move was made: those that
    /// agree with the percepts, or all. When the effort is over there is at least one of the
    /// latter, if there can be.
    fn successors(
        &mut self,
        states: &[G::State],
        turn: usize,
        must_agree: bool,
        effort: &mut Effort,
    ) -> Vec<G::State> {
        let mut found = Reservoir::new();
        for state in states {
            for joint in self.joints(state, turn) {
                if effort.is_over() && (must_agree || !found.states.is_empty()) {
                    self.is_complete = false;
                    return found.states;
                }
                effort.steps = effort.steps.saturating_sub(1);
                self.walker.jump(state);
                self.walker.advance(&joint, &mut self.chance);
                if self.walker.fault().is_none() && (!must_agree || self.agrees(turn)) {
                    let (hash, walker) = (self.walker.hash64(), &self.walker);
                    found.offer(hash, &mut self.chance, || {
                        let mut next = state.clone();
                        walker.save(&mut next);
                        next
                    });
                }
            }
        }
        self.is_complete &= found.seen.len() <= MOST_STATES;
        found.states
    }

    /// The joint moves of a state in which the own move of a turn is made: all, or many.
    fn joints(&mut self, state: &G::State, turn: usize) -> Vec<Vec<MoveId>> {
        self.walker.jump(state);
        if self.walker.is_terminal() {
            return Vec::new();
        }
        let legal = self.walker.legal();
        let own = find_move(
            self.game.moves(),
            legal.of(self.role),
            &self.told[turn].made,
        );
        let Some(legal) = own.map(|own| with_own(legal, self.role, own)) else {
            return Vec::new();
        };
        let mut joints = Vec::new();
        if legal.joint_count() <= MOST_JOINTS {
            let mut all = JointMoves::new();
            all.refill(&legal);
            while let Some(joint) = all.next() {
                joints.push(joint.to_vec());
            }
        } else {
            self.is_complete = false;
            let mut joint = Vec::new();
            for _ in 0..MOST_JOINTS {
                if legal.draw(&mut self.chance, &mut joint).is_ok() {
                    joints.push(joint.clone());
                }
            }
        }
        joints
    }

    /// Whether the walker's role perceives what was told of a turn.
    fn agrees(&self, turn: usize) -> bool {
        let seen = &self.told[turn].percepts;
        let ids = self.walker.percepts(self.role);
        let is_seen = |id| {
            let name = self.game.percepts().name(id).to_ascii_lowercase();
            seen.binary_search(&name).is_ok()
        };
        seen.len() == ids.len() && ids.iter().all(|&id| is_seen(id))
    }

    /// Draws the match again from its beginning, as often as the effort allows.
    fn start_over(&mut self, effort: &mut Effort) -> Vec<G::State> {
        let mut found = Reservoir::new();
        while !effort.is_over() && found.states.len() < MOST_STATES {
            // A beginning that leads nowhere at once counts, too, so that this comes to an end.
            effort.steps = effort.steps.saturating_sub(1);
            let mut states = vec![self.game.initial()];
            for turn in 0..self.told.len() {
                states.truncate(MOST_OF_ONE_BEGINNING);
                states = self.successors(&states, turn, true, effort);
            }
            for state in states {
                self.walker.jump(&state);
                found.offer(self.walker.hash64(), &mut self.chance, || state);
            }
        }
        found.states
    }
}

impl<G: Game + Legible> Belief<G> {
    /// The fluents that hold in every state that is possible, in byte order; `None` where these are
    /// not all known.
    pub fn certain(&self) -> Option<Vec<String>> {
        if !self.is_complete {
            return None;
        }
        let mut states = self.states.iter().map(|state| self.game.fluents(state));
        let mut certain = states.next()?;
        for fluents in states {
            certain.retain(|fluent| fluents.binary_search(fluent).is_ok());
        }
        Some(certain)
    }
}

/// The joint move that texts stand for, if it is legal.
fn read_joint<G: Game>(game: &G, legal: &LegalMoves, moves: &[String]) -> Option<Vec<MoveId>> {
    if legal.roles() != moves.len() {
        return None;
    }
    let read =
        |((_, legal), text): ((RoleId, &[MoveId]), &String)| find_move(game.moves(), legal, text);
    legal.iter().zip(moves).map(read).collect()
}

/// The legal moves of all roles but one, which has one move.
fn with_own(legal: &LegalMoves, role: RoleId, own: MoveId) -> LegalMoves {
    let mut less = LegalMoves::new();
    for (other, moves) in legal.iter() {
        let moves = if other == role { &[own][..] } else { moves };
        moves.iter().for_each(|&id| less.push(id));
        less.end_role();
    }
    less
}

/// A fair choice of different states out of however many are offered.
struct Reservoir<State> {
    states: Vec<State>,
    seen: HashSet<u64>,
}

impl<State> Reservoir<State> {
    fn new() -> Self {
        Self {
            states: Vec::new(),
            seen: HashSet::new(),
        }
    }

    /// Offers a state with this hash.
    fn offer(&mut self, hash: u64, chance: &mut Chance, state: impl FnOnce() -> State) {
        if !self.seen.insert(hash) {
            return;
        }
        if self.states.len() < MOST_STATES {
            self.states.push(state());
            return;
        }
        let place = chance.below(self.seen.len() as u32) as usize;
        if let Some(kept) = self.states.get_mut(place) {
            *kept = state();
        }
    }
}
