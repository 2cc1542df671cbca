//! The conformance kit and the cross-check pass good engines and find the flaws of bad ones.

use paidia_game::{ConformanceOptions, CrossCheck, conformance};

use crate::games::coins::Coins;
use crate::games::tic_tac_toe::{Flaw, TicTacToe};

const OPTIONS: ConformanceOptions = ConformanceOptions {
    playouts: 20,
    step_limit: 50,
    seed: 1,
};

#[test]
fn good_engines_pass() {
    assert_eq!(conformance(&TicTacToe::new(), OPTIONS), []);
    assert_eq!(conformance(&Coins::new(), OPTIONS), []);
}

#[test]
fn each_flaw_is_found_by_the_check_that_is_meant_for_it() {
    let flaws = [
        (Flaw::Unsorted, "legal moves are sorted and unique"),
        (Flaw::PoorHash, "different states have different hashes"),
        (Flaw::HashOfHistory, "equal states have equal hashes"),
        (
            Flaw::StaleLegal,
            "a state looks the same after save and jump",
        ),
        (
            Flaw::GoalOutOfRange,
            "every role has one goal in range at the end",
        ),
        (
            Flaw::ForgetfulText,
            "a state survives being written and read",
        ),
        (Flaw::Stuck, "every role has a legal move"),
        (Flaw::WastefulDraw, "a drawn joint move is that of the list"),
    ];
    for (flaw, check) in flaws {
        let failures = conformance(&TicTacToe::with_flaw(flaw), OPTIONS);
        assert!(
            failures.iter().any(|failure| failure.check == check),
            "{flaw:?}: {failures:?}"
        );
        assert!(failures.len() <= 20);
    }
}

#[test]
fn a_limit_is_a_failure() {
    let failures = conformance(&Coins::with_move_limit(1), OPTIONS);
    assert!(
        failures
            .iter()
            .any(|failure| failure.check == "no limit is reached"),
        "{failures:?}"
    );
}

#[test]
fn equal_engines_agree() {
    let check = CrossCheck {
        trusted: TicTacToe::new(),
        suspect: TicTacToe::new(),
    };
    let agreement = check.run(10, 50, 1).unwrap();
    assert_eq!(agreement.playouts, 10);
    assert!(agreement.states >= 60);
}

#[test]
fn the_first_difference_is_described_in_full() {
    let check = CrossCheck {
        trusted: TicTacToe::new(),
        suspect: TicTacToe::with_flaw(Flaw::NoAntiDiagonal),
    };
    let difference = check.run(200, 50, 1).unwrap_err();
    assert_eq!(difference.what, "ends");
    assert_eq!(
        (&*difference.trusted, &*difference.suspect),
        (&["true".to_owned()][..], &["false".to_owned()][..])
    );
    let text = difference.to_string();
    assert!(
        text.contains("only trusted: true") && text.contains("after: ((mark"),
        "{text}"
    );
    // The moves lead there again: it is the anti-diagonal.
    let squares = ["(mark 1 3)", "(mark 2 2)", "(mark 3 1)"];
    assert!(squares.iter().all(|square| text.contains(square)), "{text}");
}

#[test]
fn different_games_differ_in_their_roles() {
    let check = CrossCheck {
        trusted: TicTacToe::new(),
        suspect: Coins::new(),
    };
    assert_eq!(check.run(1, 1, 1).unwrap_err().what, "roles");
}

#[test]
fn an_order_of_moves_is_a_difference() {
    let check = CrossCheck {
        trusted: TicTacToe::new(),
        suspect: TicTacToe::with_flaw(Flaw::Unsorted),
    };
    let difference = check.run(1, 9, 1).unwrap_err();
    assert_eq!(difference.what, "legal moves of x");
    assert_eq!(difference.trusted[0], "(mark 1 1)");
    assert_eq!(difference.suspect[0], "(mark 3 3)");
}
