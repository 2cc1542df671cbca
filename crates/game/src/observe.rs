//! Facts about a game that are found by watching it.

use crate::chance::Chance;
use crate::contract::{Game, Walker};
use crate::facts::TurnOrder;

/// The longest playout that is watched.
const STEP_LIMIT: u32 = 2_000;

/// Which roles choose in a state, judged by some random playouts.
///
/// A game is called alternating if at most one role, `random` included, had a choice in each state
/// seen. That is evidence and no proof; [`TurnOrder::Simultaneous`] and [`TurnOrder::SinglePlayer`]
/// are certain. The answer is [`TurnOrder::Unknown`] if no move was seen.
pub fn observe_turn_order<G: Game>(game: &G, playouts: u32, seed: u64) -> TurnOrder {
    if game.facts().players().count() == 1 {
        return TurnOrder::SinglePlayer;
    }
    let mut chance = Chance::from_seed(seed);
    let mut walker = game.walker();
    let mut joint = Vec::new();
    let start = game.initial();
    let mut moved = false;
    for _ in 0..playouts {
        walker.jump(&start);
        for _ in 0..STEP_LIMIT {
            if walker.is_terminal() {
                break;
            }
            let legal = walker.legal();
            if legal.iter().filter(|(_, moves)| moves.len() > 1).count() > 1 {
                return TurnOrder::Simultaneous;
            }
            if legal.draw(&mut chance, &mut joint).is_err() {
                break;
            }
            walker.advance(&joint, &mut chance);
            moved = true;
        }
    }
    if moved {
        TurnOrder::Alternating
    } else {
        TurnOrder::Unknown
    }
}
