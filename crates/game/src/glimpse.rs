//! A look at a game before it is played: what its states are like.

use crate::{Chance, Game, Legible, Walker};

/// The first states of a random match, the initial one first, as they are shown; the same match
/// each time. It is shorter where the match ends or the rules fail.
pub fn glimpse<G: Game + Legible>(game: &G, most: usize) -> Vec<Vec<String>> {
    let (mut walker, mut state) = (game.walker(), game.initial());
    let (mut chance, mut joint) = (Chance::from_seed(1), Vec::new());
    let mut states = vec![game.shown(&state)];
    while states.len() < most && !walker.is_terminal() {
        if walker.draw(&mut chance, &mut joint).is_err() {
            break;
        }
        walker.advance(&joint, &mut chance);
        if walker.fault().is_some() {
            break;
        }
        walker.save(&mut state);
        states.push(game.shown(&state));
    }
    states
}
