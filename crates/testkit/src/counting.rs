//! A game that counts how often it is asked for legal moves.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use paidia_game::{
    Chance, Damaged, Fault, Game, GameFacts, Goal, LegalMoves, MoveId, MoveTable, PerceptId,
    PerceptTable, RoleId, Rules, Walker,
};

/// A game with a counter, which all its walkers share.
#[derive(Clone)]
pub struct Counting<G> {
    game: G,
    asked: Arc<AtomicU64>,
}

impl<G> Counting<G> {
    /// A game whose counter is zero.
    #[must_use]
    pub fn new(game: G) -> Self {
        Self {
            game,
            asked: Arc::default(),
        }
    }

    /// How often legal moves, or one drawn among them, were asked for.
    #[must_use]
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }
}

/// Its walker.
pub struct CountingWalker<W> {
    walker: W,
    asked: Arc<AtomicU64>,
}

impl<G: Game> Rules for Counting<G> {
    type State = G::State;

    fn facts(&self) -> &GameFacts {
        self.game.facts()
    }

    fn moves(&self) -> &MoveTable {
        self.game.moves()
    }

    fn percepts(&self) -> &PerceptTable {
        self.game.percepts()
    }

    fn initial(&self) -> G::State {
        self.game.initial()
    }

    fn snapshot(&self, state: &Self::State, into: &mut Vec<u8>) {
        self.game.snapshot(state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<Self::State, Damaged> {
        self.game.restore(bytes)
    }
}

impl<G: Game> Game for Counting<G> {
    type Walker = CountingWalker<G::Walker>;

    fn walker(&self) -> Self::Walker {
        CountingWalker {
            walker: self.game.walker(),
            asked: Arc::clone(&self.asked),
        }
    }
}

impl<W: Walker> Walker for CountingWalker<W> {
    type State = W::State;

    fn jump(&mut self, state: &W::State) {
        self.walker.jump(state);
    }

    fn save(&self, into: &mut W::State) {
        self.walker.save(into);
    }

    fn hash64(&self) -> u64 {
        self.walker.hash64()
    }

    fn is_terminal(&mut self) -> bool {
        self.walker.is_terminal()
    }

    fn legal(&mut self) -> &LegalMoves {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.walker.legal()
    }

    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.walker.draw(chance, joint)
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        self.walker.goal(role)
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        self.walker.advance(joint, chance);
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.walker.percepts(role)
    }

    fn fault(&self) -> Option<&Fault> {
        self.walker.fault()
    }
}
