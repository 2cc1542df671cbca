//! Counts that the world agrees on, and counts by plain recursion.

use std::ops::ControlFlow;

use paidia_game::{
    AnyGame, Chance, Game, JointMoves, MOST_DEPTHS, PerftStop, Rules, Walker, perft, perft_watched,
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
    assert_eq!(leaves, [1, 8, 64, 512]);
    assert!(found.all_ended && found.stopped.is_none());
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
        let found = perft(&cyclic, &0, depth, 100);
        let found = found
            .depths
            .get(depth as usize)
            .copied()
            .unwrap_or_default();
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
    assert_eq!(found.depths.len(), 6, "no line is longer");
    assert!(found.all_ended);
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
        ControlFlow::Continue(())
    });
    assert!(seen.is_sorted());
    assert_eq!((seen.first(), seen.last()), (Some(&10), Some(&5478)));
}

#[test]
fn the_count_ends_where_every_line_has_ended() {
    let game = TicTacToe::new();
    let found = perft(&game, &game.initial(), u32::MAX, 10_000);
    assert_eq!((found.depths.len(), found.stopped), (10, None));
    assert!(found.all_ended);
    let shallow = perft(&game, &game.initial(), 8, 10_000);
    assert!(!shallow.all_ended, "lines of nine moves are left");
}

#[test]
fn a_line_without_end_is_counted_to_a_limit() {
    let circle = GraphGame::new(1, &[Node::Choice(0, vec![0])]);
    let found = perft(&circle, &0, u32::MAX, 100);
    let limit = MOST_DEPTHS;
    assert_eq!(found.stopped, Some(PerftStop::DepthLimit { limit }));
    assert_eq!(found.depths.len(), limit as usize + 1);
}

#[test]
fn more_joint_moves_than_can_be_tried_are_said_at_once() {
    let game = GraphGame::new(40, &[Node::All(vec![0, 1]), Node::End(vec![0; 40])]);
    let found = perft(&game, &0, 3, 100);
    let joint_moves = 1 << 40;
    assert!(
        matches!(found.stopped, Some(PerftStop::JointLimit { joint_moves: many, .. })
            if many == joint_moves),
        "{:?}",
        found.stopped
    );
    assert_eq!(found.depths.len(), 0);
}

#[test]
fn a_count_can_be_interrupted_within_one_state() {
    let game = GraphGame::new(20, &[Node::All(vec![0, 1]), Node::End(vec![0; 20])]);
    let mut told = 0;
    let found = perft_watched(&game, &0, 3, 100, &mut |_| {
        told += 1;
        match told {
            1..3 => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    });
    assert_eq!(found.stopped, Some(PerftStop::Interrupted));
    assert_eq!(told, 3);
}
