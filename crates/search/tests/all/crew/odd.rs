//! A game with an oddity in its playouts, which counts its walkers.

use std::sync::Arc;

use paidia_game::{
    Chance, Damaged, Fault, Game, GameFacts, Goal, LegalMoves, MoveId, MoveTable, PerceptId,
    PerceptTable, Resource, RoleId, Rules, Walker,
};
use paidia_reason::propnet::Propnet;

/// What is odd about moves that are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Oddity {
    None,
    /// It depends on the state alone, and chance has no say.
    NoChance,
    /// The engine is at a limit then.
    Fault,
    /// The engine panics then.
    Panic,
}

#[derive(Clone)]
pub(crate) struct Odd {
    game: Propnet,
    oddity: Oddity,
    /// Held by every walker.
    pub(crate) alive: Arc<Vec<()>>,
}

impl Odd {
    pub(crate) fn new(game: Propnet, oddity: Oddity) -> Self {
        Self {
            game,
            oddity,
            alive: Arc::default(),
        }
    }
}

impl Rules for Odd {
    type State = <Propnet as Rules>::State;

    fn facts(&self) -> &GameFacts {
        self.game.facts()
    }

    fn moves(&self) -> &MoveTable {
        self.game.moves()
    }

    fn percepts(&self) -> &PerceptTable {
        self.game.percepts()
    }

    fn initial(&self) -> Self::State {
        self.game.initial()
    }

    fn snapshot(&self, state: &Self::State, into: &mut Vec<u8>) {
        self.game.snapshot(state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<Self::State, Damaged> {
        self.game.restore(bytes)
    }
}

impl Game for Odd {
    type Walker = OddWalker;

    fn walker(&self) -> OddWalker {
        OddWalker {
            walker: self.game.walker(),
            oddity: self.oddity,
            fault: None,
            _alive: Arc::clone(&self.alive),
        }
    }
}

pub(crate) struct OddWalker {
    walker: <Propnet as Game>::Walker,
    oddity: Oddity,
    fault: Option<Fault>,
    _alive: Arc<Vec<()>>,
}

impl Walker for OddWalker {
    type State = <Propnet as Rules>::State;

    fn jump(&mut self, state: &Self::State) {
        self.fault = None;
        self.walker.jump(state);
    }

    fn save(&self, into: &mut Self::State) {
        self.walker.save(into);
    }

    fn hash64(&self) -> u64 {
        self.walker.hash64()
    }

    fn is_terminal(&mut self) -> bool {
        self.fault.is_some() || self.walker.is_terminal()
    }

    fn legal(&mut self) -> &LegalMoves {
        self.walker.legal()
    }

    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        match self.oddity {
            Oddity::None => return self.walker.draw(chance, joint),
            Oddity::Panic => panic!("the engine is broken"),
            Oddity::Fault => {
                self.fault = Some(Fault {
                    resource: Resource::Steps,
                    limit: 1,
                });
            }
            Oddity::NoChance => {}
        }
        // Drawn without chance: the same generator from the same seed every time.
        self.walker.legal().draw(&mut Chance::from_seed(1), joint)
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        if self.fault.is_some() {
            return Goal::None;
        }
        self.walker.goal(role)
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        self.walker.advance(joint, chance);
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        self.walker.percepts(role)
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}
