//! The erased game behaves as the game it hides.

use paidia_game::{AnyGame, ConformanceOptions, CrossCheck, Legible, Rules, conformance};

use crate::games::coins::Coins;
use crate::games::tic_tac_toe::TicTacToe;

#[test]
fn an_erased_game_keeps_the_contract() {
    for game in [AnyGame::new(TicTacToe::new()), AnyGame::new(Coins::new())] {
        assert_eq!(conformance(&game, ConformanceOptions::default()), []);
    }
}

#[test]
fn an_erased_game_agrees_with_the_game_it_hides() {
    let check = CrossCheck {
        trusted: Coins::new(),
        suspect: AnyGame::new(Coins::new()),
    };
    assert_eq!(check.run(5, 100, 1).unwrap().states, 5 * 4);
}

#[test]
fn erased_states_compare_and_copy() {
    let game = AnyGame::new(Coins::new());
    let later = game.state(&["(throws 2)"]).unwrap();
    assert_ne!(later, game.initial());
    assert_ne!(later, AnyGame::new(TicTacToe::new()).initial());
    let mut copy = game.initial();
    copy.clone_from(&later);
    assert_eq!(copy, later);
    copy.clone_from(&AnyGame::new(TicTacToe::new()).initial());
    assert_ne!(copy, later);
}
