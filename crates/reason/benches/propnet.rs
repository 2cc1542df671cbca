//! Random playouts of hand-drawn networks: joint moves per second of processor time.
//!
//! `cargo bench -p paidia-reason --bench propnet [-- NAME [PLAYOUTS]]`. Mean length and goal are printed too: with a given seed
//! they must not depend on how the engine works.

#[path = "../tests/propnet/drawing.rs"]
#[allow(dead_code)]
mod drawing;
#[path = "../tests/propnet/games.rs"]
#[allow(dead_code)]
mod games;

use cpu_time::ProcessTime;
use paidia_game::{Chance, Game, PlayoutRunner, RoleId};
use paidia_reason::propnet::{GroundGame, Propnet};

fn main() {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with('-'));
    let wanted = arguments.next();
    let number = arguments.next().and_then(|number| number.parse().ok());
    for (game, playouts) in [
        (games::tic_tac_toe(), 1_000_000),
        (games::breakthrough(), 50_000),
        (games::corridor(100), 1_000),
    ] {
        if wanted.as_ref().is_none_or(|name| *name == game.facts.name) {
            measure(game, number.unwrap_or(playouts));
        }
    }
}

fn measure(game: GroundGame, playouts: u32) {
    let gates = game.network.gates();
    let game = Propnet::new(game);
    let mut runner = PlayoutRunner::new(&game, game.initial(), 1_000);
    let mut chance = Chance::from_seed(1);
    let start = ProcessTime::now();
    for _ in 0..playouts {
        runner.run(&mut chance);
    }
    let seconds = start.elapsed().as_secs_f64();
    let figures = runner.figures();
    println!(
        "{}: {gates} gates, {:.2} million joint moves a second, {:.0} playouts a second, {:.1} moves each, first role {:.3}",
        game.facts().name,
        figures.states as f64 / seconds / 1e6,
        f64::from(playouts) / seconds,
        figures.mean_length().unwrap_or_default(),
        figures.mean_goal(RoleId(0)).unwrap_or_default(),
    );
}
