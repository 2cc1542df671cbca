//! Counts that the world agrees on, and counts by plain recursion.

use paidia_game::{
    AnyGame, Chance, Depth, Game, JointMoves, PerftStop, Rules, Walker, perft, perft_watched,
};

use crate::games::coins::Coins;
use crate::games::graph::{GraphGame, Node};
use crate::games::tic_tac_toe::{Flaw, TicTacToe};

#[test]
fn tic_tac_toe_is_as_everybody_counts_it() {
    let game = TicTacToe::new();
    let found = perft(&game, &game.initial(), 9, 10_000);
    let leaves: Vec<u128> = found.depths.iter().map(|depth| depth.leaves).collect();
    let states: Vec<usize> = found.depths.iter().map(|depth| depth.states).collect();
    let terminals: Vec<u128> = found.depths.iter().map(|depth| depth.terminals).collect();
    assert_eq!(
        leaves,
        [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]
    );
    assert_eq!(states, [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]);
    assert_eq!(
        terminals,
        [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127_872]
    );
    assert_eq!(found.states, 5478);
    assert_eq!(found.stopped, None);
}

#[test]
fn simultaneous_moves_are_multiplied() {
    let game = Coins::new();
    let found = perft(&game, &game.initial(), 5, 1000);
    let leaves: Vec<u128> = found.depths.iter().map(|depth| depth.leaves).collect();
    assert_eq!(leaves, [1, 8, 64, 512, 0, 0]);
    assert_eq!(found.depths[1].states, 4);
    assert_eq!(found.depths[3].terminals, 512);
    assert_eq!(found.states, 1 + 4 + 9 + 16);
}

/// Leaves and terminals by plain recursion, without merging anything.
fn recursive<G: Game>(game: &G, walker: &mut G::Walker, depth: u32) -> (u128, u128) {
    if depth == 0 {
        return (1, walker.is_terminal().into());
    }
    if walker.is_terminal() {
        return (0, 0);
    }
    let mut here = game.initial();
    walker.save(&mut here);
    let mut joints = JointMoves::new();
    joints.refill(walker.legal());
    let mut found = (0, 0);
    while let Some(joint) = joints.next() {
        walker.jump(&here);
        walker.advance(joint, &mut Chance::from_seed(0));
        let (leaves, terminals) = recursive(game, walker, depth - 1);
        found = (found.0 + leaves, found.1 + terminals);
    }
    found
}

#[test]
fn merging_counts_what_recursion_counts() {
    let cyclic = GraphGame::new(
        2,
        &[
            Node::Choice(0, vec![1, 2, 0]),
            Node::All(vec![0, 2]),
            Node::Choice(1, vec![0, 3]),
            Node::End(vec![50, 50]),
        ],
    );
    for depth in 0..9 {
        let (leaves, terminals) = recursive(&cyclic, &mut cyclic.walker(), depth);
        let found = perft(&cyclic, &0, depth, 100).depths[depth as usize];
        assert_eq!(
            (found.leaves, found.terminals),
            (leaves, terminals),
            "depth {depth}"
        );
    }
}

#[test]
fn counting_can_start_anywhere() {
    let game = TicTacToe::new();
    let mut walker = game.walker();
    paidia_game::follow(
        &game,
        &mut walker,
        "(mark 1 1) (mark 2 2)",
        &mut Chance::from_seed(0),
    )
    .unwrap();
    let mut start = game.initial();
    walker.save(&mut start);
    assert_eq!(perft(&game, &start, 1, 100).depths[1].leaves, 7);
}

#[test]
fn a_full_memory_is_said_and_whole_depths_are_kept() {
    let game = TicTacToe::new();
    let found = perft(&game, &game.initial(), 9, 100);
    assert_eq!(found.stopped, Some(PerftStop::StateLimit { limit: 100 }));
    assert_eq!(found.depths.len(), 2);
    assert_eq!(found.states, 10);
}

#[test]
fn a_limit_of_the_engine_stops_the_count() {
    let game = Coins::with_move_limit(1);
    let found = perft(&game, &game.initial(), 2, 100);
    assert!(
        matches!(found.stopped, Some(PerftStop::Fault(_))),
        "{found:?}"
    );
}

#[test]
fn states_where_a_role_is_stuck_are_counted_apart() {
    let game = TicTacToe::with_flaw(Flaw::Stuck);
    let found = perft(&game, &game.initial(), 6, 10_000);
    assert_eq!(found.depths[5].stuck, 15120 - 1440);
    assert_eq!(found.depths[6], Depth::default());
}

#[test]
fn an_erased_game_counts_the_same() {
    let (game, erased) = (TicTacToe::new(), AnyGame::new(TicTacToe::new()));
    assert_eq!(
        perft(&game, &game.initial(), 6, 10_000),
        perft(&erased, &erased.initial(), 6, 10_000)
    );
}

#[test]
fn a_watcher_sees_the_count_grow() {
    let game = TicTacToe::new();
    let mut seen = Vec::new();
    perft_watched(&game, &game.initial(), 9, 10_000, &mut |states| {
        seen.push(states);
    });
    assert!(seen.is_sorted());
    assert_eq!((seen.first(), seen.last()), (Some(&10), Some(&5478)));
}
