//! A level as a game for one player, whose moves are the actions of the avatar.
//!
//! Chance is inside the rules: each advance draws a seed for the original's generator. Games in
//! which nothing depends on a draw say so. The goal orders results as competitions do, won games
//! before all others and then by score; score and winner are fluents of their own as well.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use paidia_game::{
    Chance, Damaged, Fault, Game, GameFacts, Goal, Information, LegalMoves, Legible, MoveId,
    MoveTable, PerceptId, PerceptTable, Randomness, Resource, RoleId, Rules, TurnOrder,
    UnknownFluent, Walker, snapshot,
};
use rustc_hash::FxHasher;

use crate::class::Action;
use crate::level::{Level, MAX_SPRITES};
use crate::random::Random;
use crate::state::{self, State};
use crate::tick::{MAX_WORK, Scratch};

/// Scores beyond this count as this much in a goal.
pub const SCORE_LIMIT: i32 = 1_000;
/// What a won game is worth beside its score, and a lost one less.
pub const WIN_VALUE: i32 = 2 * SCORE_LIMIT + 1;

/// Actions in the byte order of their names, which is the order of legal moves.
const MOVES: [(&str, Action); 6] = [
    ("down", Action::Down),
    ("left", Action::Left),
    ("nil", Action::Nil),
    ("right", Action::Right),
    ("up", Action::Up),
    ("use", Action::Use),
];

/// A game with one level, as rules for any player.
#[derive(Clone)]
pub struct VideoGame {
    level: Arc<Level>,
    facts: Arc<GameFacts>,
    moves: MoveTable,
    percepts: PerceptTable,
}

impl VideoGame {
    /// The game of a level.
    pub fn new(name: &str, level: Arc<Level>) -> Self {
        let randomness = if level.is_random() {
            Randomness::Inside
        } else {
            Randomness::None
        };
        let most = SCORE_LIMIT + WIN_VALUE;
        let facts = GameFacts {
            name: name.to_owned(),
            roles: vec!["player".to_owned()],
            randomness,
            turn_order: TurnOrder::SinglePlayer,
            information: Information::Perfect,
            goal_range: -most..=most,
            fluents: None,
            moves: Some(MOVES.len()),
        };
        let names = MOVES.iter().map(|(name, _)| *name);
        Self {
            level,
            facts: Arc::new(facts),
            moves: MoveTable::from_names(names).expect("six names are fewer than ids"),
            percepts: PerceptTable::with_limit(0),
        }
    }

    /// The level.
    pub fn level(&self) -> &Arc<Level> {
        &self.level
    }

    /// The move that makes an action.
    pub fn move_of(action: Action) -> MoveId {
        let place = MOVES.iter().position(|(_, other)| *other == action);
        MoveId(place.unwrap_or_default() as u32)
    }

    /// The action that a move makes.
    pub fn action_of(id: MoveId) -> Option<Action> {
        MOVES.get(id.0 as usize).map(|(_, action)| *action)
    }
}

impl Rules for VideoGame {
    type State = State;

    fn facts(&self) -> &GameFacts {
        &self.facts
    }

    fn moves(&self) -> &MoveTable {
        &self.moves
    }

    fn percepts(&self) -> &PerceptTable {
        &self.percepts
    }

    fn initial(&self) -> State {
        self.level.start(0)
    }

    fn snapshot(&self, state: &State, into: &mut Vec<u8>) {
        snapshot::write(self, state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<State, Damaged> {
        snapshot::read(self, bytes)
    }
}

impl Legible for VideoGame {
    fn fluents(&self, state: &State) -> Vec<String> {
        crate::text::write(&self.level, state)
    }

    fn state(&self, fluents: &[&str]) -> Result<State, UnknownFluent> {
        crate::text::read(&self.level, fluents)
    }

    fn shown(&self, state: &State) -> Vec<String> {
        crate::text::show(&self.level, state)
    }
}

impl Game for VideoGame {
    type Walker = VideoWalker;

    fn walker(&self) -> VideoWalker {
        let mut walker = VideoWalker {
            level: Arc::clone(&self.level),
            state: self.initial(),
            scratch: Scratch::default(),
            legal: LegalMoves::new(),
            fault: None,
        };
        walker.look();
        walker
    }
}

/// A thread's position in a video game.
pub struct VideoWalker {
    level: Arc<Level>,
    state: State,
    scratch: Scratch,
    legal: LegalMoves,
    fault: Option<Fault>,
}

impl VideoWalker {
    /// Finds out the legal moves and whether a limit was met.
    fn look(&mut self) {
        self.fault = match self.state.fault() {
            Some(state::Fault::Sprites) => Some(Fault {
                resource: Resource::Fluents,
                limit: MAX_SPRITES as u64,
            }),
            Some(state::Fault::Work) => Some(Fault {
                resource: Resource::Steps,
                limit: u64::from(MAX_WORK),
            }),
            Some(state::Fault::Avatar) | None => None,
        };
        self.legal.clear();
        let alive = self.state.is_alive(&self.level);
        let own = if alive {
            self.level.actions(&self.state)
        } else {
            &[]
        };
        for (place, (_, action)) in MOVES.iter().enumerate() {
            if *action == Action::Nil || own.contains(action) {
                self.legal.push(MoveId(place as u32));
            }
        }
        self.legal.end_role();
    }
}

impl Walker for VideoWalker {
    type State = State;

    fn jump(&mut self, state: &State) {
        self.state.copy(state);
        self.look();
    }

    fn save(&self, into: &mut State) {
        into.copy(&self.state);
    }

    fn hash64(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.state.hash(&mut hasher);
        hasher.finish()
    }

    fn is_terminal(&mut self) -> bool {
        self.state.is_over()
    }

    fn legal(&mut self) -> &LegalMoves {
        &self.legal
    }

    fn goal(&mut self, _role: RoleId) -> Goal {
        if self.fault.is_some() {
            return Goal::None;
        }
        let limit = i64::from(SCORE_LIMIT);
        let score = self.state.score().clamp(-limit, limit) as i32;
        Goal::One(match self.state.win() {
            1 => score + WIN_VALUE,
            0 => score - WIN_VALUE,
            _ => score,
        })
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        let wanted = joint.first().and_then(|&id| VideoGame::action_of(id));
        let action = wanted.unwrap_or(Action::Nil);
        self.state
            .set_random(Random::from_seed(chance.bits() as i64));
        self.level
            .advance(&mut self.state, action, &mut self.scratch);
        self.look();
    }

    fn percepts(&self, _role: RoleId) -> &[PerceptId] {
        &[]
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}
