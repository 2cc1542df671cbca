//! Random walks.

use paidia_game::{Chance, Game, Walker};

/// Plays at random from the start: `visit` sees the walker in each state, the last one included,
/// for at most `steps` steps. Returns how many joint moves were made.
pub fn random_walk<G: Game>(
    game: &G,
    seed: u64,
    steps: u32,
    mut visit: impl FnMut(&mut G::Walker),
) -> u32 {
    let (mut walker, mut chance) = (game.walker(), Chance::from_seed(seed));
    let mut joint = Vec::new();
    for step in 0..steps {
        visit(&mut walker);
        if walker.is_terminal() || walker.legal().draw(&mut chance, &mut joint).is_err() {
            return step;
        }
        walker.advance(&joint, &mut chance);
    }
    visit(&mut walker);
    steps
}
