//! The contract between engines and everything that uses a game.

use std::hash::Hash;

use crate::chance::Chance;
use crate::facts::GameFacts;
use crate::ids::{Goal, MoveId, PerceptId, RoleId};
use crate::legal::LegalMoves;
use crate::names::{MoveTable, PerceptTable};
#[cfg(doc)]
use crate::snapshot;
use crate::snapshot::Damaged;

/// What every kind of rules has, however time passes in it: a cheap handle to them (an `Arc`
/// inside).
pub trait Rules: Clone + Send + Sync + 'static {
    /// A position as a value. Two states of one game are equal exactly if the same fluents hold in
    /// them; what chance will draw, and how the state was reached, play no part.
    type State: Clone + Eq + Hash + Send + Sync + 'static;

    /// What is known about the game.
    fn facts(&self) -> &GameFacts;
    /// The texts of moves. Engines that do not know all moves beforehand add to it while walkers
    /// walk.
    fn moves(&self) -> &MoveTable;
    /// The texts of percepts, which engines may add to likewise.
    fn percepts(&self) -> &PerceptTable;
    /// The state in which the game starts.
    fn initial(&self) -> Self::State;
    /// Adds a state to some bytes in a compact form, for records and other machines: equal states
    /// of a game become equal bytes. All engines of a rule language write the same
    /// ([`mod@snapshot`]).
    fn snapshot(&self, state: &Self::State, into: &mut Vec<u8>);
    /// The state of a snapshot, by whatever engine of the language it was made.
    ///
    /// # Errors
    /// If the bytes are no snapshot of a state of this game. No bytes panic.
    fn restore(&self, bytes: &[u8]) -> Result<Self::State, Damaged>;
    /// States as bits, if the engine knows all fluents beforehand.
    fn features(&self) -> Option<&dyn Features<Self::State>> {
        None
    }
}

/// States as bits without any text, for learning: feature n is bit `n % 64` of word `n / 64`.
pub trait Features<State> {
    /// What each feature stands for: the canonical texts of all fluents, in byte order.
    fn names(&self) -> &[String];

    /// Words that a state takes.
    fn width(&self) -> usize {
        self.names().len().div_ceil(64)
    }

    /// Writes the features of a state, as many words as the width. Nothing is allocated.
    ///
    /// # Panics
    /// If `into` has another length than the width.
    fn write(&self, state: &State, into: &mut [u64]);
}

/// Rules that are played in turns: every role chooses a move, and all moves are made at once.
pub trait Game: Rules {
    /// A cursor that owns its handle to the rules.
    type Walker: Walker<State = Self::State> + Send + 'static;

    /// A new walker, standing in the initial state.
    fn walker(&self) -> Self::Walker;
}

/// One thread's position in a game, with its scratch memory. No call allocates once warm, except
/// for moves and percepts never seen before.
pub trait Walker {
    /// The states of the game.
    type State;

    /// Goes to a state of the same game. Percepts are those of no advance: none.
    fn jump(&mut self, state: &Self::State);
    /// Stores the current state, reusing the memory of `into`, which may be any state of the same
    /// game.
    fn save(&self, into: &mut Self::State);
    /// A hash of the current state: equal for equal states of one game, whichever way they were
    /// reached.
    ///
    /// Collisions are possible, so what must be exact compares states.
    fn hash64(&self) -> u64;
    /// Whether the game is over here.
    fn is_terminal(&mut self) -> bool;
    /// The legal moves of all roles here. In a terminal state they are what the rules say, which
    /// may be nothing.
    fn legal(&mut self) -> &LegalMoves;
    /// Fills `joint` with a uniformly random legal move for each role, as [`LegalMoves::draw`]
    /// does.
    ///
    /// Engines that can do so without listing the moves may override it. They must draw the same
    /// moves with the same chance: a seed means the same play with every engine.
    ///
    /// # Errors
    /// The first role that has no legal move.
    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        self.legal().draw(chance, joint)
    }
    /// What the rules say about the role's result here, at the end or before it.
    fn goal(&mut self, role: RoleId) -> Goal;
    /// Makes a joint move: one legal move for each role, in the order of the roles.
    ///
    /// [`MoveId::CHANCE`] for the role `random` lets chance draw. Legality is the caller's duty
    /// ([`crate::play`] checks); after an illegal move the state is some state, and nothing panics.
    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance);
    /// What the role was told of the last advance, in the byte order of the texts, each once.
    fn percepts(&self, role: RoleId) -> &[PerceptId];
    /// The limit that this walker ran into, if it did. From then on, until the next jump, it
    /// reports a terminal state with [`Goal::None`] for all roles; the caller must look here and
    /// report it.
    fn fault(&self) -> Option<&Fault>;
}

/// Rules whose states can be read and written as text for people.
pub trait Legible: Rules {
    /// The fluents that hold in a state: canonical texts in byte order, each once.
    fn fluents(&self, state: &Self::State) -> Vec<String>;
    /// The state in which exactly these fluents hold, in any order and perhaps repeated.
    ///
    /// # Errors
    /// Names the first text that is no fluent of this game. Engines that accept any ground term
    /// refuse only what is not one.
    fn state(&self, fluents: &[&str]) -> Result<Self::State, UnknownFluent>;
    /// What is drawn of a state: its fluents, unless these are too fine for pictures.
    fn shown(&self, state: &Self::State) -> Vec<String> {
        self.fluents(state)
    }
}

/// A text that is no fluent of the game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` can never hold in this game: {because}")]
pub struct UnknownFluent {
    /// The text that was given.
    pub text: String,
    /// Why it is no fluent.
    pub because: String,
}

/// Something an engine keeps below a limit, so that no rule sheet takes the program down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Resource {
    /// Fluents that hold in one state.
    Fluents,
    /// Facts derived in one state.
    Facts,
    /// Different terms seen in the game.
    Terms,
    /// Nesting of a term.
    TermDepth,
    /// Different moves seen in the game.
    Moves,
    /// Different percepts seen in the game.
    Percepts,
    /// Steps of a derivation in one state.
    Steps,
    /// Look-ups within look-ups while something is derived.
    CallDepth,
    /// Different times in one state.
    Times,
    /// Units that a lifetime lasts.
    Lifetime,
    /// Updates at one instant.
    Updates,
}

impl Resource {
    /// The limit in words, for messages: "more than N ...".
    pub fn name(self) -> &'static str {
        match self {
            Resource::Fluents => "fluents in one state",
            Resource::Facts => "facts derived in one state",
            Resource::Terms => "different terms",
            Resource::TermDepth => "levels in one term",
            Resource::Moves => "different moves",
            Resource::Percepts => "different percepts",
            Resource::Steps => "derivation steps in one state",
            Resource::CallDepth => "look-ups within each other",
            Resource::Times => "different times in one state",
            Resource::Lifetime => "units of time that a fact lasts",
            Resource::Updates => "updates at one instant",
        }
    }
}

/// A limit that a walker ran into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the engine stopped at a limit: more than {limit} {}", resource.name())]
pub struct Fault {
    /// What there was too much of.
    pub resource: Resource,
    /// How much there may be.
    pub limit: u64,
}
