//! Random playouts on several threads.

use std::time::Duration;

use paidia_game::{Chance, Effort, Extent, Figures, Game, PlayoutRunner, RoleId, Rules, simulate};

use crate::games::coins::Coins;
use crate::games::tic_tac_toe::TicTacToe;

const EFFORT: Effort = Effort {
    extent: Extent::Playouts(1_001),
    threads: 1,
    seed: 5,
    step_limit: 100,
};

fn run<G: Game>(game: &G, effort: Effort) -> Figures {
    simulate(game, &game.initial(), effort, &mut |_| {})
}

#[test]
fn one_thread_plays_what_a_runner_with_that_seed_plays() {
    let game = TicTacToe::new();
    let mut runner = PlayoutRunner::new(&game, game.initial(), 100);
    let mut chance = Chance::from_seed(5);
    (0..1_001).for_each(|_| {
        runner.run(&mut chance);
    });
    assert_eq!(run(&game, EFFORT), *runner.figures());
}

#[test]
fn shares_add_up_and_are_repeatable() {
    let game = TicTacToe::new();
    let three = Effort {
        threads: 3,
        ..EFFORT
    };
    let figures = run(&game, three);
    assert_eq!(figures.playouts, 1_001);
    assert_eq!(figures, run(&game, three));
    assert_ne!(figures, run(&game, EFFORT));
    let distance = figures.lengths().distance(run(&game, EFFORT).lengths());
    assert!(distance.unwrap().abs() < 4.0, "{distance:?}");
    let x = figures.mean_goal(RoleId(0)).unwrap();
    assert!((50.0..75.0).contains(&x), "{x}");
}

#[test]
fn time_ends_play_but_no_thread_goes_without() {
    let effort = Effort {
        extent: Extent::Time(Duration::ZERO),
        threads: 4,
        ..EFFORT
    };
    assert_eq!(run(&TicTacToe::new(), effort).playouts, 4);
    let nobody = Effort {
        threads: 0,
        ..effort
    };
    assert_eq!(run(&TicTacToe::new(), nobody).playouts, 1);
}

#[test]
fn a_limit_stops_the_thread_that_runs_into_it() {
    let figures = run(&Coins::with_move_limit(1), EFFORT);
    assert!(figures.fault.is_some());
    assert_eq!((figures.playouts, figures.faulted), (1, 1));
}
