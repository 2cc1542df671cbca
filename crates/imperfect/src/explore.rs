//! The states of a game as flat tables: legal moves, ends, goals, and for every joint move the next
//! state and what each role perceives.
//!
//! A state is expanded when it is first asked for, once, however many histories lead to it. The
//! tables know no engine, so that all that reasons on them is compiled once.

use std::time::Instant;

use indexmap::IndexSet;
use paidia_game::{
    Chance, Fault, Game, GameFacts, Goal, JointMoves, LegalMoves, MoveId, PerceptId, Randomness,
    RoleId, Walker,
};
use rustc_hash::FxBuildHasher;

/// How large tables may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Different states.
    pub states: usize,
    /// Joint moves of all states together.
    pub joint_moves: usize,
    /// Different points of histories: a state with what every player was told.
    pub points: usize,
    /// Joint moves of all points together.
    pub steps: usize,
    /// When it is too late.
    pub until: Option<Instant>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            states: 1_000_000,
            joint_moves: 4_000_000,
            points: 4_000_000,
            steps: 16_000_000,
            until: None,
        }
    }
}

impl Limits {
    /// Looks at the clock.
    pub(crate) fn check_time(&self) -> Result<(), TooLarge> {
        match self.until.is_some_and(|until| Instant::now() >= until) {
            true => Err(TooLarge::Late),
            false => Ok(()),
        }
    }
}

/// Why a game has no tables.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// There is more of something than the limit.
    #[error("the game has more than {limit} {what}; a larger limit or a smaller depth may help")]
    Limit {
        /// What there is too much of.
        what: &'static str,
        /// How much there may be.
        limit: usize,
    },
    /// It took longer than there was time.
    #[error("there was not enough time to list the histories of the game")]
    Late,
    /// The rules draw while a joint move is made.
    #[error("the rules draw by chance while a move is made, so that its outcomes cannot be listed")]
    Inside,
    /// The engine ran into a limit.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// What is known about one state.
#[derive(Clone, Debug)]
pub struct StateEntry {
    /// Whether the game is over here.
    pub terminal: bool,
    /// The legal moves of all roles, in a terminal state what the rules say.
    pub legal: LegalMoves,
    /// What the rules say about the result of each role.
    pub goals: Box<[Goal]>,
    /// Where its joint moves begin, once it is expanded.
    first_edge: u32,
    edge_count: u32,
}

const UNEXPANDED: u32 = u32::MAX;

/// The states of a game without the engine.
#[derive(Clone, Debug)]
pub struct Table {
    /// The names of the roles.
    pub roles: Vec<String>,
    /// The roles that players take.
    pub players: Vec<RoleId>,
    /// The role that chance moves, if there is one.
    pub random: Option<RoleId>,
    /// The states; state 0 is the initial one.
    pub states: Vec<StateEntry>,
    /// For each joint move of the expanded states the next state.
    to: Vec<u32>,
    /// For each joint move and each role what it perceives, as a place in `percept_sets`.
    percepts: Vec<u32>,
    /// Different sets of percepts; set 0 is empty.
    pub percept_sets: Vec<Box<[PerceptId]>>,
}

impl Table {
    /// The number of joint moves of an expanded state.
    pub fn joint_count(&self, state: u32) -> u32 {
        self.states[state as usize].edge_count
    }

    /// The state after a joint move, which is counted as [`JointMoves`] does.
    pub fn successor(&self, state: u32, joint: u32) -> u32 {
        self.to[(self.states[state as usize].first_edge + joint) as usize]
    }

    /// The set of percepts of a role after a joint move.
    pub fn percepts(&self, state: u32, joint: u32, role: RoleId) -> u32 {
        let edge = self.states[state as usize].first_edge + joint;
        self.percepts[edge as usize * self.roles.len() + role.index()]
    }

    /// The place in its legal moves of the move that each role makes in a joint move.
    pub fn places(&self, state: u32, joint: u32, into: &mut Vec<u32>) {
        let legal = &self.states[state as usize].legal;
        into.clear();
        into.resize(self.roles.len(), 0);
        let mut rest = joint;
        for role in (0..self.roles.len()).rev() {
            let count = legal.of(RoleId(role as u16)).len() as u32;
            into[role] = rest % count;
            rest /= count;
        }
    }

    /// The moves of a joint move.
    pub fn joint(&self, state: u32, joint: u32) -> Vec<MoveId> {
        let mut places = Vec::new();
        self.places(state, joint, &mut places);
        let legal = self.states[state as usize].legal.iter();
        legal
            .zip(places)
            .map(|((_, moves), place)| moves[place as usize])
            .collect()
    }

    /// Whether a state is not terminal though a role has no legal move.
    pub fn is_stuck(&self, state: u32) -> bool {
        let entry = &self.states[state as usize];
        !entry.terminal && entry.legal.stuck_role().is_some()
    }

    /// The sum of the players' goals, if it is the same in all terminal states seen.
    pub fn constant_sum(&self) -> Option<i32> {
        let mut common = None;
        for entry in self.states.iter().filter(|entry| entry.terminal) {
            let goals = self
                .players
                .iter()
                .map(|role| entry.goals[role.index()].value());
            let sum = goals.sum::<Option<i32>>()?;
            if *common.get_or_insert(sum) != sum {
                return None;
            }
        }
        common
    }
}

/// Writes the states of a game into a [`Table`].
pub struct Explorer<G: Game> {
    /// The game.
    pub game: G,
    /// What was found so far.
    pub table: Table,
    limits: Limits,
    walker: G::Walker,
    chance: Chance,
    states: IndexSet<G::State, FxBuildHasher>,
    percept_sets: IndexSet<Box<[PerceptId]>, FxBuildHasher>,
    joints: JointMoves,
}

impl<G: Game> Explorer<G> {
    /// An explorer that stands in the initial state.
    ///
    /// # Errors
    /// If chance draws inside the rules, or the engine runs into a limit.
    pub fn new(game: &G, limits: Limits) -> Result<Self, TooLarge> {
        let facts: &GameFacts = game.facts();
        if facts.randomness == Randomness::Inside {
            return Err(TooLarge::Inside);
        }
        let table = Table {
            roles: facts.roles.clone(),
            players: facts.players().collect(),
            random: facts.random(),
            states: Vec::new(),
            to: Vec::new(),
            percepts: Vec::new(),
            percept_sets: vec![Box::default()],
        };
        let mut this = Self {
            walker: game.walker(),
            game: game.clone(),
            table,
            limits,
            chance: Chance::from_seed(0),
            states: IndexSet::default(),
            percept_sets: IndexSet::default(),
            joints: JointMoves::new(),
        };
        this.percept_sets.insert(Box::default());
        this.add(&game.initial())?;
        Ok(this)
    }

    /// The limits that hold here.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// A state by its number.
    pub fn state(&self, state: u32) -> &G::State {
        &self.states[state as usize]
    }

    /// The number of a state, new if it was not seen before.
    fn add(&mut self, state: &G::State) -> Result<u32, TooLarge> {
        if let Some(index) = self.states.get_index_of(state) {
            return Ok(index as u32);
        }
        if self.states.len() >= self.limits.states {
            let limit = self.limits.states;
            return Err(TooLarge::Limit {
                what: "states",
                limit,
            });
        }
        self.walker.jump(state);
        let terminal = self.walker.is_terminal();
        let legal = self.walker.legal().clone();
        let roles = self.game.facts().role_ids();
        let goals = roles.map(|role| self.walker.goal(role)).collect();
        if let Some(fault) = self.walker.fault() {
            return Err((*fault).into());
        }
        self.table.states.push(StateEntry {
            terminal,
            legal,
            goals,
            first_edge: UNEXPANDED,
            edge_count: 0,
        });
        let (index, _) = self.states.insert_full(state.clone());
        Ok(index as u32)
    }

    /// Looks at all joint moves of a state, if that was not done before. Terminal states have none.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn expand(&mut self, state: u32) -> Result<(), TooLarge> {
        let entry = &self.table.states[state as usize];
        if entry.first_edge != UNEXPANDED {
            return Ok(());
        }
        let first = self.table.to.len();
        let count = match entry.terminal {
            true => 0,
            false => entry.legal.joint_count(),
        };
        if first as u128 + count > self.limits.joint_moves as u128 {
            let limit = self.limits.joint_moves;
            return Err(TooLarge::Limit {
                what: "joint moves",
                limit,
            });
        }
        if count > 0 {
            let mut joints = std::mem::take(&mut self.joints);
            joints.refill(&entry.legal);
            let from = self.states[state as usize].clone();
            let mut next = from.clone();
            while let Some(joint) = joints.next() {
                self.walker.jump(&from);
                self.walker.advance(joint, &mut self.chance);
                if let Some(fault) = self.walker.fault() {
                    return Err((*fault).into());
                }
                for role in self.game.facts().role_ids() {
                    let set = self.walker.percepts(role);
                    let place = match self.percept_sets.get_index_of(set) {
                        Some(place) => place,
                        None => {
                            self.table.percept_sets.push(set.into());
                            self.percept_sets.insert_full(set.into()).0
                        }
                    };
                    self.table.percepts.push(place as u32);
                }
                self.walker.save(&mut next);
                let successor = self.add(&next)?;
                self.table.to.push(successor);
            }
            self.joints = joints;
        }
        let entry = &mut self.table.states[state as usize];
        entry.first_edge = first as u32;
        entry.edge_count = count as u32;
        Ok(())
    }

    /// Expands all states that can be reached.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn expand_all(&mut self) -> Result<(), TooLarge> {
        let mut state = 0;
        while (state as usize) < self.table.states.len() {
            self.expand(state)?;
            state += 1;
        }
        Ok(())
    }
}
