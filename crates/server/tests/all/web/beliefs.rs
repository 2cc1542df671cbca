//! What each player knows of a position, for those who may see everything; and players that go by
//! what they were told.

use serde_json::{Value, json};

use crate::web::client::{Arena, last};

/// The chance of a fact beside the boards, by a player's view.
fn chance(view: &Value, fact: &str) -> f64 {
    let all = view["beside"].as_array().unwrap();
    let found = all.iter().find(|one| one["what"] == fact);
    found.map_or(0.0, |one| one["chance"].as_f64().unwrap())
}

#[test]
fn every_player_knows_what_it_was_told() {
    let arena = Arena::new();
    let deal = json!([["noop", "noop", "(deal king jack)"]]);
    let answer = arena.post(
        "/api/beliefs",
        &json!({"game": "kuhn-poker", "moves": deal}),
    );
    let (alice, bert) = (&answer["players"][0], &answer["players"][1]);
    for (view, own) in [(alice, "(holds alice king)"), (bert, "(holds bert jack)")] {
        assert_eq!(
            (&view["states"], &view["sample"]),
            (&json!(2), &json!(false))
        );
        assert!((chance(view, own) - 1.0).abs() < 1e-9, "{view}");
    }
    assert!((chance(alice, "(holds bert queen)") - 0.5).abs() < 1e-9);
    assert!(chance(alice, "(holds bert king)") < 1e-9);
    // On a board: whether the other has marked a square.
    let moves = json!([["(try 2 2)", "noop"]]);
    let question = json!({"game": "krieg-tic-tac-toe", "moves": moves});
    let answer = arena.post("/api/beliefs", &question);
    let (x, o) = (&answer["players"][0], &answer["players"][1]);
    assert_eq!(x["cells"]["4"][0], json!({"what": "x", "chance": 1.0}));
    let cells = o["cells"].as_object().unwrap();
    assert_eq!(cells.len(), 9, "{o}");
    let one = cells["4"][0]["chance"].as_f64().unwrap();
    assert!((one - 1.0 / 9.0).abs() < 1e-9, "{o}");
}

#[test]
fn games_that_hide_nothing_have_no_beliefs() {
    let arena = Arena::new();
    let open = json!({"game": "tic-tac-toe", "moves": []});
    arena.refused(422, "/api/beliefs", &open);
    let illegal = json!({"game": "kuhn-poker", "moves": [["noop", "noop", "noop"]]});
    arena.refused(422, "/api/beliefs", &illegal);
}

/// A whole match of players that need everything that they were told.
#[test]
fn players_made_for_hidden_information_play_at_tables() {
    let arena = Arena::new();
    for player in ["paidia", "hyperplay", "ismcts(hypergames=50)"] {
        let order = json!({"game": "kuhn-poker", "seats": [player, "equilibrium", null],
            "seconds": 0.1, "pace": 0});
        let table = arena.table(&order);
        let snapshot = arena.until(&table, |snapshot| last(snapshot)["ended"] == "over");
        let frames = snapshot["frames"].as_array().unwrap();
        for frame in frames.iter().skip(1) {
            let failures = frame["made"]["failures"].as_array().unwrap();
            assert!(failures.iter().all(Value::is_null), "{player}: {frame}");
        }
        assert!(last(&snapshot)["goals"].is_array(), "{player}: {snapshot}");
    }
}
