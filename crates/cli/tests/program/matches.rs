//! Players, matches between them, and a person's match.

use super::{paidia, paidia_with_input};

#[test]
fn a_match_is_shown_and_told_as_json() {
    let shown = paidia(&[
        "match",
        "tic-tac-toe",
        "--player",
        "uct",
        "--player",
        "random",
        "--simulations",
        "30",
    ]);
    let shown = shown.expect(0).out;
    assert!(
        shown.contains("Tic-Tac-Toe") && shown.contains("The game is over after"),
        "{shown}"
    );
    assert!(shown.contains("30 simulations"), "{shown}");
    let arguments = [
        "match",
        "connect-four",
        "--simulations",
        "20",
        "--seed",
        "4",
        "--json",
    ];
    let first = paidia(&arguments).expect(0).json();
    assert_eq!(first["result"], "over");
    assert_eq!(first["players"], serde_json::json!(["paidia", "paidia"]));
    assert_eq!(first["errors"], serde_json::json!([]));
    assert_eq!(first["moves"], paidia(&arguments).expect(0).json()["moves"]);
}

#[test]
fn mistakes_in_players_are_named() {
    let run = paidia(&["match", "tic-tac-toe", "--player", "utc"]).expect(2);
    assert!(run.err.contains("did you mean `uct`?"), "{}", run.err);
    let run = paidia(&[
        "match", "chess", "--player", "uct", "--player", "uct", "--player", "uct",
    ])
    .expect(2);
    assert!(
        run.err.contains("2 players") && run.err.contains("white"),
        "{}",
        run.err
    );
}

#[test]
fn the_players_are_listed() {
    let players = paidia(&["players", "--json"]).expect(0).json();
    assert!(
        players["players"]
            .as_array()
            .unwrap()
            .iter()
            .any(|player| player["name"] == "paidia")
    );
    assert!(paidia(&["players"]).expect(0).out.contains("exploration"));
    let timed = paidia(&["players", "search", "--json"]).expect(0).json();
    let form = timed["real_time"][0]["form"].as_str().unwrap();
    assert!(form.starts_with("search("), "{form}");
    assert_eq!(timed["players"], serde_json::json!([]));
}

#[test]
fn a_person_plays_by_number_by_text_and_with_hints() {
    let run = paidia_with_input(
        &[
            "play",
            "tic-tac-toe",
            "--against",
            "random",
            "--simulations",
            "50",
        ],
        "nonsense\n99\nhint\nmoves\n5\nmark 1 1\n(mark 1 2)\n(mark 1 3)\n1\n1\n1\n1\n1\n",
    );
    let out = run.expect(0).out;
    assert!(out.contains("You are x."), "{out}");
    assert!(
        out.contains("not one of your moves") && out.contains("only 9 moves"),
        "{out}"
    );
    assert!(out.contains("50 simulations"), "{out}");
    assert!(out.contains("1. x (mark 2 2)"), "{out}");
}

#[test]
fn a_person_may_leave_and_must_name_a_role() {
    let run = paidia_with_input(&["play", "chess", "--simulations", "1"], "quit\n").expect(0);
    assert!(run.out.contains("You are white."), "{}", run.out);
    paidia_with_input(&["play", "tic-tac-toe", "--simulations", "1"], "").expect(0);
    let run = paidia(&["play", "chess", "--as", "grey"]).expect(2);
    assert!(run.err.contains("white, black"), "{}", run.err);
}

#[test]
fn a_person_sees_what_the_role_may_see_until_the_game_is_over() {
    let orders = ["play", "kuhn-poker", "--simulations", "20"];
    for seed in ["1", "2", "3", "4"] {
        let arguments = [&orders[..], &["--seed", seed]].concat();
        let run = paidia_with_input(&arguments, "hint\ncheck\nfold\n").expect(0);
        let (shown, end) = run.out.rsplit_once("\n\n").unwrap();
        assert!(end.starts_with("The game is over"), "{}", run.out);
        // The last position is shown whole; those before it have the own card and not the other.
        let (before, last) = shown.rsplit_once("\n  ").unwrap();
        assert!(last.contains("(holds bert "), "{last}");
        assert!(before.contains("You see (card ") && before.contains("(holds alice "));
        assert!(!before.contains("(holds bert "), "{before}");
        assert!(!before.contains("(deal "), "{before}");
    }
    let run = paidia(&["match", "kuhn-poker", "--from", "(control alice)"]).expect(2);
    assert!(run.err.contains("hides things"), "{}", run.err);
}
