//! A perfect player of a small game: it draws among all moves that keep the exact value.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, MoveId, RoleId, Rules, SolveBudget, Walker, solve};
use paidia_reason::propnet::Propnet;
use paidia_search::{Budget, Decision, Informed, StopReason};

type State = <Propnet as Rules>::State;

/// The moves that keep the value, in every state that can come about.
#[derive(Clone)]
pub(crate) struct Values {
    best: Arc<HashMap<State, Vec<MoveId>>>,
}

impl Values {
    /// Solves the game from each of its states.
    ///
    /// # Panics
    /// If it has more states than a small game.
    pub(crate) fn of(game: &Propnet) -> Self {
        let mut best = HashMap::new();
        let mut walker = game.walker();
        let mut open = vec![game.initial()];
        while let Some(state) = open.pop() {
            walker.jump(&state);
            if best.contains_key(&state) || walker.is_terminal() {
                continue;
            }
            let solution = solve(game, &state, SolveBudget::states(10_000)).expect("small");
            let mover = solution.mover.unwrap_or(RoleId(0));
            let legal = walker.legal().clone();
            for &id in legal.of(mover) {
                let only = legal.iter().map(|(_, moves)| moves[0]);
                let mut joint: Vec<MoveId> = only.collect();
                joint[mover.index()] = id;
                walker.jump(&state);
                walker.advance(&joint, &mut Chance::from_seed(0));
                let mut next = state.clone();
                walker.save(&mut next);
                open.push(next);
            }
            best.insert(state, solution.best_moves);
        }
        Self {
            best: Arc::new(best),
        }
    }
}

/// Plays from a table of best moves.
pub(crate) struct Perfect {
    values: Values,
    walker: <Propnet as Game>::Walker,
    role: RoleId,
    chance: Chance,
}

impl Perfect {
    /// A player for a role.
    pub(crate) fn new(game: &Propnet, values: &Values, role: RoleId, seed: u64) -> Self {
        Self {
            walker: game.walker(),
            values: values.clone(),
            chance: Chance::from_seed(seed),
            role,
        }
    }
}

impl Informed<Propnet> for Perfect {
    fn choose_until(&mut self, state: &State, _: Budget, _: &AtomicBool) -> Decision {
        self.walker.jump(state);
        let legal = self.walker.legal().of(self.role);
        let best = match legal {
            [only] => vec![*only],
            _ => self.values.best.get(state).cloned().unwrap_or_default(),
        };
        let id = self.chance.pick(&best).expect("the table has every state");
        Decision::without_search(id, StopReason::NoSearch)
    }
}
