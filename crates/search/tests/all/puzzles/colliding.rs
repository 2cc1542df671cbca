//! A game whose states have few different hashes, as an engine may: collisions are allowed.

use paidia_game::{
    Chance, Damaged, Fault, Game, GameFacts, Goal, LegalMoves, MoveId, MoveTable, PerceptId,
    PerceptTable, RoleId, Rules, Walker,
};

/// A game with all but two bits of its hashes taken away.
#[derive(Clone)]
pub(crate) struct Colliding<G>(pub(crate) G);

/// Its walker.
pub(crate) struct CollidingWalker<W>(W);

impl<G: Game> Rules for Colliding<G> {
    type State = G::State;

    fn facts(&self) -> &GameFacts {
        self.0.facts()
    }

    fn moves(&self) -> &MoveTable {
        self.0.moves()
    }

    fn percepts(&self) -> &PerceptTable {
        self.0.percepts()
    }

    fn initial(&self) -> G::State {
        self.0.initial()
    }

    fn snapshot(&self, state: &Self::State, into: &mut Vec<u8>) {
        self.0.snapshot(state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<Self::State, Damaged> {
        self.0.restore(bytes)
    }
}

impl<G: Game> Game for Colliding<G> {
    type Walker = CollidingWalker<G::Walker>;

    fn walker(&self) -> Self::Walker {
        CollidingWalker(self.0.walker())
    }
}

impl<W: Walker> Walker for CollidingWalker<W> {
    type State = W::State;

    fn jump(&mut self, state: &W::State) {
        self.0.jump(state);
    }

    fn save(&self, into: &mut W::State) {
        self.0.save(into);
    }

    fn hash64(&self) -> u64 {
        self.0.hash64() & 3
    }

    fn is_terminal(&mut self) -> bool {
        self.0.is_terminal()
    }

    fn legal(&mut self) -> &LegalMoves {
        self.0.legal()
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
