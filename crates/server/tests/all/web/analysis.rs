//! What players think of positions, lines, statistics.

use serde_json::{Value, json};

use crate::web::client::Arena;
use crate::web::games::COINS;

#[test]
fn players_are_compared_on_the_same_position() {
    let arena = Arena::new();
    let moves = json!([
        ["(mark 1 1)", "noop"],
        ["noop", "(mark 3 3)"],
        ["(mark 1 2)", "noop"]
    ]);
    let question = json!({"game": "tic-tac-toe", "moves": moves, "role": null, "players": ["paidia", "uct", "mc-flat"], "seconds": 1});
    let answer = arena.post("/api/analyse", &question);
    let decisions = answer["decisions"].as_array().unwrap();
    let players: Vec<&Value> = decisions
        .iter()
        .map(|decision| &decision["player"])
        .collect();
    assert_eq!(players, ["paidia", "uct", "mc-flat"]);
    for decision in decisions {
        // Anything else loses at once.
        assert_eq!(
            (&decision["move"], &decision["role"]),
            (&json!("(mark 1 3)"), &json!(1)),
            "{decision}"
        );
        assert_eq!(decision["moves"][0]["move"], "(mark 1 3)");
        assert_eq!(decision["moves"][0]["steps"].as_array().unwrap().len(), 1);
        let value = decision["value"].as_f64().unwrap();
        assert!((0.0..=100.0).contains(&value), "{value}");
        assert_eq!(decision["values"].as_array().unwrap().len(), 2);
    }
    assert!(decisions[1]["simulations"].as_u64().unwrap() > 0);
}

#[test]
fn the_squares_of_an_expected_line_are_told() {
    let arena = Arena::new();
    let question = json!({"game": "connect-four", "players": ["uct"], "seconds": 1});
    let decision = arena.post("/api/analyse", &question)["decisions"][0].clone();
    let line = decision["line"].as_array().unwrap();
    assert!(!line.is_empty(), "{decision}");
    // A disc falls to one square, though any of its column may be clicked.
    for step in line {
        assert_eq!(step["cells"].as_array().unwrap().len(), 1, "{step}");
    }
}

#[test]
fn nonsense_is_not_thought_about() {
    let arena = Arena::new();
    for (question, word) in [
        (
            json!({"game": "tic-tac-toe", "players": ["nobody"]}),
            "nobody",
        ),
        (json!({"game": "tic-tac-toe", "players": []}), "players"),
        (
            json!({"game": "tic-tac-toe", "players": ["uct(memory=99999)"]}),
            "megabytes",
        ),
        (
            json!({"game": "tic-tac-toe", "players": ["uct(threads=200)"]}),
            "threads",
        ),
        (json!({"game": "tic-tac-toe", "seconds": 1e9}), "seconds"),
        (json!({"game": "tic-tac-toe", "seconds": -1}), "seconds"),
        (json!({"game": "tic-tac-toe", "role": 5}), "role"),
        (json!({"game": "tic-tac-toe", "moves": [["noop"]]}), "parts"),
        (
            json!({"game": "tic-tac-toe", "moves": [["noop", "noop"]]}),
            "not legal",
        ),
    ] {
        let refused = arena.refused(422, "/api/analyse", &question);
        assert!(
            refused["error"].as_str().unwrap().contains(word),
            "{question}: {refused}"
        );
    }
    arena.refused(404, "/api/analyse", &json!({"game": "chequers-and-more"}));
    arena.refused(400, "/api/analyse", &json!({"gaem": "chess"}));
}

#[test]
fn the_positions_of_a_line_are_shown() {
    let arena = Arena::new();
    let question =
        json!({"game": "connect-four", "moves": [["(drop 4)", "noop"], ["noop", "(drop 4)"]]});
    let answer = arena.post("/api/line", &question);
    let frames = answer["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 3);
    assert!(frames.iter().all(|frame| frame["legal"].is_array()));
    // Where the disc fell to is told, not the whole column.
    let (first, second) = (&frames[1]["made"]["cells"], &frames[2]["made"]["cells"]);
    assert_eq!(
        (
            first.as_array().unwrap().len(),
            second.as_array().unwrap().len()
        ),
        (1, 1)
    );
    assert_ne!(first, second);
    let pasted = arena.post("/api/line", &json!({"text": COINS, "moves": [["take"]]}));
    assert_eq!(pasted["frames"].as_array().unwrap().len(), 2);
    arena.refused(400, "/api/line", &json!({"moves": []}));
    arena.refused(
        422,
        "/api/line",
        &json!({"game": "connect-four", "moves": [["(drop 9)", "noop"]]}),
    );
    let long = vec![["noop", "noop"]; 1001];
    arena.refused(
        422,
        "/api/line",
        &json!({"game": "connect-four", "moves": long}),
    );
}

#[test]
fn random_play_tells_what_a_game_is_like() {
    let arena = Arena::new();
    let answer = arena.post(
        "/api/games/tic-tac-toe/statistics",
        &json!({"seconds": 0.3, "seed": 7}),
    );
    let playouts = answer["playouts"].as_u64().unwrap();
    let sum = |bars: &Value| -> u64 {
        bars.as_array()
            .unwrap()
            .iter()
            .map(|bar| bar["count"].as_u64().unwrap())
            .sum()
    };
    assert!(
        playouts > 0 && answer["cut"] == 0 && answer["fault"].is_null(),
        "{answer}"
    );
    assert_eq!(sum(&answer["length"]["histogram"]), playouts);
    assert_eq!(sum(&answer["goals"][0]["histogram"]), playouts);
    assert!(
        answer["length"]["least"].as_u64().unwrap() >= 5
            && answer["length"]["most"].as_u64().unwrap() <= 9
    );
    assert_eq!(answer["branching"]["byPly"][0], 9.0);
    let balance = &answer["balance"];
    let parts: f64 = balance["wins"]
        .as_array()
        .unwrap()
        .iter()
        .map(|part| part.as_f64().unwrap())
        .sum();
    assert!(
        (parts + balance["draws"].as_f64().unwrap() - 1.0).abs() < 1e-9,
        "{balance}"
    );
    arena.refused(
        422,
        "/api/games/tic-tac-toe/statistics",
        &json!({"seconds": 1000}),
    );
}

#[test]
fn playouts_that_never_end_are_cut() {
    let arena = Arena::new();
    let endless = "(role a) (init p) (<= (next p) (true p)) (<= (legal a go) (true p)) (<= terminal (true q)) (<= (goal a 0) (true p)) (<= (next q) (true r))";
    let game = arena.post("/api/games", &json!({"name": "endless", "text": endless}));
    let path = format!("/api/games/{}/statistics", game["id"].as_str().unwrap());
    let answer = arena.post(&path, &json!({"seconds": 0.1}));
    assert_eq!(answer["cut"], answer["playouts"]);
}
