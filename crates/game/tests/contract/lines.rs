//! Moves and states as people write them.

use paidia_game::{AnyGame, Chance, Game, Legible, Rules, Walker, follow, read_state, split};
use proptest::prelude::*;

use crate::games::coins::Coins;
use crate::games::tic_tac_toe::TicTacToe;

fn after(line: &str) -> Result<Vec<String>, String> {
    let game = AnyGame::new(TicTacToe::new());
    let mut walker = game.walker();
    follow(&game, &mut walker, line, &mut Chance::from_seed(1))
        .map_err(|error| error.to_string())?;
    let mut state = game.initial();
    walker.save(&mut state);
    Ok(game.fluents(&state))
}

#[test]
fn single_moves_and_joint_moves_mean_the_same() {
    let short = after("(mark 1 1)  ( mark 2 2 )").unwrap();
    assert_eq!(short, after("((mark 1 1) noop) (noop (mark 2 2))").unwrap());
    assert!(short.contains(&"(cell 1 1 x)".to_owned()));
    assert!(short.contains(&"(cell 2 2 o)".to_owned()));
}

#[test]
fn what_is_wrong_is_told_with_its_step() {
    let error = after("(mark 1 1) (mark 1 1)").unwrap_err();
    assert_eq!(error, "step 2: `(mark 1 1)` is not a legal move of o here");
    let error = after("((mark 1 1) (mark 1 2))").unwrap_err();
    assert_eq!(error, "step 1: `(mark 1 2)` is not a legal move of o here");
    let error = after("hello").unwrap_err();
    assert_eq!(error, "step 1: `hello` is not a legal move of x here");
    let over = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3) (mark 3 3)";
    assert_eq!(
        after(over).unwrap_err(),
        "step 6: the game is over before `(mark 3 3)`"
    );
    assert!(after("(mark 1 1").unwrap_err().contains("do not match"));
}

#[test]
fn a_choice_of_several_roles_needs_a_joint_move() {
    let game = Coins::new();
    let mut walker = game.walker();
    let mut chance = Chance::from_seed(1);
    let error = follow(&game, &mut walker, "heads", &mut chance)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("one move for each, as (left right random)"),
        "{error}"
    );
    let made = follow(&game, &mut walker, "(heads tails heads)", &mut chance).unwrap();
    assert_eq!(made.len(), 1);
    let mut state = game.initial();
    walker.save(&mut state);
    assert_eq!(
        game.fluents(&state),
        ["(right left 1)", "(right right 0)", "(throws 1)"]
    );
}

#[test]
fn states_are_read_from_their_fluents() {
    let game = Coins::new();
    let state = read_state(&game, "(true (throws 2)) (right left  1)").unwrap();
    assert_eq!(
        game.fluents(&state),
        ["(right left 1)", "(right right 0)", "(throws 2)"]
    );
    let error = read_state(&game, "(throws many)").unwrap_err();
    assert_eq!(
        error.to_string(),
        "`(throws many)` can never hold in this game: not a score"
    );
}

proptest! {
    #[test]
    fn any_text_is_split_or_refused(text in "[ ()a-c0-1\\n]{0,40}|.{0,40}") {
        let game = Coins::new();
        let _ = follow(&game, &mut game.walker(), &text, &mut Chance::from_seed(1));
        let _ = read_state(&game, &text);
        if let Ok(items) = split(&text) {
            // What was split is in canonical form: splitting it again changes nothing.
            prop_assert_eq!(split(&items.join(" ")), Ok(items));
        }
    }
}
