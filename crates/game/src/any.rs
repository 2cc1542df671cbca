//! One type for the games of every engine, for code that is compiled once and chooses its engine
//! while it runs.
//!
//! [`AnyGame`] is itself a [`Game`]. Each call costs one indirect call, and each stored state one
//! allocation, so search is compiled for the fast engines directly.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::chance::Chance;
use crate::contract::{Fault, Features, Game, Legible, Rules, UnknownFluent, Walker};
use crate::facts::GameFacts;
use crate::ids::{Goal, MoveId, PerceptId, RoleId};
use crate::legal::LegalMoves;
use crate::names::{MoveTable, PerceptTable};
use crate::snapshot::Damaged;

/// The game of some engine.
#[derive(Clone)]
pub struct AnyGame {
    inner: Arc<dyn ErasedGame>,
}

impl AnyGame {
    /// Hides the engine of a game.
    pub fn new<G: Game + Legible>(game: G) -> Self {
        Self {
            inner: Arc::new(game),
        }
    }

    /// The game itself, for code that knows one kind of game by its type; none if it is another.
    pub fn inside<G: Game + Legible>(&self) -> Option<&G> {
        self.inner.as_any().downcast_ref()
    }
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_tuple("AnyGame")
            .field(&self.inner.facts().name)
            .finish()
    }
}

impl Rules for AnyGame {
    type State = AnyState;

    fn facts(&self) -> &GameFacts {
        self.inner.facts()
    }

    fn moves(&self) -> &MoveTable {
        self.inner.moves()
    }

    fn percepts(&self) -> &PerceptTable {
        self.inner.percepts()
    }

    fn initial(&self) -> AnyState {
        self.inner.initial()
    }

    fn snapshot(&self, state: &AnyState, into: &mut Vec<u8>) {
        self.inner.snapshot(state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<AnyState, Damaged> {
        self.inner.restore(bytes)
    }

    fn features(&self) -> Option<&dyn Features<AnyState>> {
        self.inner.feature_names().map(|_| self as _)
    }
}

impl Features<AnyState> for AnyGame {
    fn names(&self) -> &[String] {
        self.inner.feature_names().unwrap_or_default()
    }

    fn write(&self, state: &AnyState, into: &mut [u64]) {
        self.inner.write_features(state, into);
    }
}

impl Game for AnyGame {
    type Walker = AnyWalker;

    fn walker(&self) -> AnyWalker {
        AnyWalker {
            inner: self.inner.walker(),
        }
    }
}

impl Legible for AnyGame {
    fn fluents(&self, state: &AnyState) -> Vec<String> {
        self.inner.fluents(state)
    }

    fn state(&self, fluents: &[&str]) -> Result<AnyState, UnknownFluent> {
        self.inner.state(fluents)
    }

    fn shown(&self, state: &AnyState) -> Vec<String> {
        self.inner.shown(state)
    }
}

/// A state of some engine.
///
/// # Panics
/// Using it with a game of another engine than the one it came from panics: engines' states have
/// nothing in common.
pub struct AnyState {
    inner: Box<dyn ErasedState>,
}

impl AnyState {
    fn new<S: ErasedState>(state: S) -> Self {
        Self {
            inner: Box::new(state),
        }
    }

    /// The state itself, if it is of this type.
    pub fn inside<S: 'static>(&self) -> Option<&S> {
        self.inner.as_any().downcast_ref()
    }

    fn get<S: 'static>(&self) -> &S {
        self.inner
            .as_any()
            .downcast_ref()
            .expect("the state is of this game's engine")
    }

    fn get_mut<S: 'static>(&mut self) -> &mut S {
        self.inner
            .as_any_mut()
            .downcast_mut()
            .expect("the state is of this game's engine")
    }
}

impl Clone for AnyState {
    fn clone(&self) -> Self {
        Self {
            inner: self.inner.boxed_clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        if !self.inner.copy_from(&*source.inner) {
            *self = source.clone();
        }
    }
}

impl PartialEq for AnyState {
    fn eq(&self, other: &Self) -> bool {
        self.inner.equals(&*other.inner)
    }
}

impl Eq for AnyState {}

impl Hash for AnyState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.inner.hash_into(hasher);
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("AnyState")
    }
}

/// A walker of some engine.
pub struct AnyWalker {
    inner: Box<dyn Walker<State = AnyState> + Send>,
}

impl Walker for AnyWalker {
    type State = AnyState;

    fn jump(&mut self, state: &AnyState) {
        self.inner.jump(state);
    }

    fn save(&self, into: &mut AnyState) {
        self.inner.save(into);
    }

    fn hash64(&self) -> u64 {
        self.inner.hash64()
    }

    fn is_terminal(&mut self) -> bool {
        self.inner.is_terminal()
    }

    fn legal(&mut self) -> &LegalMoves {
        self.inner.legal()
    }

    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        self.inner.draw(chance, joint)
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        self.inner.goal(role)
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        self.inner.advance(joint, chance);
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.inner.percepts(role)
    }

    fn fault(&self) -> Option<&Fault> {
        self.inner.fault()
    }
}

/// What [`AnyGame`] needs of a game, without its types.
trait ErasedGame: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn facts(&self) -> &GameFacts;
    fn moves(&self) -> &MoveTable;
    fn percepts(&self) -> &PerceptTable;
    fn initial(&self) -> AnyState;
    fn snapshot(&self, state: &AnyState, into: &mut Vec<u8>);
    fn restore(&self, bytes: &[u8]) -> Result<AnyState, Damaged>;
    fn feature_names(&self) -> Option<&[String]>;
    fn write_features(&self, state: &AnyState, into: &mut [u64]);
    fn walker(&self) -> Box<dyn Walker<State = AnyState> + Send>;
    fn fluents(&self, state: &AnyState) -> Vec<String>;
    fn state(&self, fluents: &[&str]) -> Result<AnyState, UnknownFluent>;
    fn shown(&self, state: &AnyState) -> Vec<String>;
}

impl<G: Game + Legible> ErasedGame for G {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn facts(&self) -> &GameFacts {
        Rules::facts(self)
    }

    fn moves(&self) -> &MoveTable {
        Rules::moves(self)
    }

    fn percepts(&self) -> &PerceptTable {
        Rules::percepts(self)
    }

    fn initial(&self) -> AnyState {
        AnyState::new(Rules::initial(self))
    }

    fn snapshot(&self, state: &AnyState, into: &mut Vec<u8>) {
        Rules::snapshot(self, state.get(), into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<AnyState, Damaged> {
        Rules::restore(self, bytes).map(AnyState::new)
    }

    fn feature_names(&self) -> Option<&[String]> {
        Rules::features(self).map(Features::names)
    }

    fn write_features(&self, state: &AnyState, into: &mut [u64]) {
        if let Some(features) = Rules::features(self) {
            features.write(state.get(), into);
        }
    }

    fn walker(&self) -> Box<dyn Walker<State = AnyState> + Send> {
        Box::new(ErasedWalker(Game::walker(self)))
    }

    fn fluents(&self, state: &AnyState) -> Vec<String> {
        Legible::fluents(self, state.get())
    }

    fn state(&self, fluents: &[&str]) -> Result<AnyState, UnknownFluent> {
        Legible::state(self, fluents).map(AnyState::new)
    }

    fn shown(&self, state: &AnyState) -> Vec<String> {
        Legible::shown(self, state.get())
    }
}

/// A walker that takes and gives states without their type.
struct ErasedWalker<W>(W);

impl<W: Walker<State: ErasedState>> Walker for ErasedWalker<W> {
    type State = AnyState;

    fn jump(&mut self, state: &AnyState) {
        self.0.jump(state.get());
    }

    fn save(&self, into: &mut AnyState) {
        self.0.save(into.get_mut());
    }

    fn hash64(&self) -> u64 {
        self.0.hash64()
    }

    fn is_terminal(&mut self) -> bool {
        self.0.is_terminal()
    }

    fn legal(&mut self) -> &LegalMoves {
        self.0.legal()
    }

    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        self.0.draw(chance, joint)
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        self.0.goal(role)
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        self.0.advance(joint, chance);
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.0.percepts(role)
    }

    fn fault(&self) -> Option<&Fault> {
        self.0.fault()
    }
}

/// What [`AnyState`] needs of a state, without its type.
trait ErasedState: Send + Sync + 'static {
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
    fn boxed_clone(&self) -> Box<dyn ErasedState>;
    /// Copies a state of the same type into this one's memory; false if the types differ.
    fn copy_from(&mut self, source: &dyn ErasedState) -> bool;
    fn equals(&self, other: &dyn ErasedState) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
}

impl<S: Clone + Eq + Hash + Send + Sync + 'static> ErasedState for S {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn boxed_clone(&self) -> Box<dyn ErasedState> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, source: &dyn ErasedState) -> bool {
        let source = source.as_any().downcast_ref::<S>();
        source.is_some_and(|source| {
            self.clone_from(source);
            true
        })
    }

    fn equals(&self, other: &dyn ErasedState) -> bool {
        other.as_any().downcast_ref::<S>() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }
}
