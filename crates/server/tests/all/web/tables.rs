//! Whole matches at tables.

use serde_json::{Value, json};

use crate::web::client::{Arena, last, legal};
use crate::web::games::COINS;

/// The moves of a short game of tic-tac-toe that x wins.
const X_WINS: [(usize, &str); 5] = [
    (0, "(mark 1 1)"),
    (1, "(mark 2 1)"),
    (0, "(mark 1 2)"),
    (1, "(mark 2 2)"),
    (0, "(mark 1 3)"),
];

fn two_people(arena: &Arena) -> String {
    arena.table(&json!({"game": "tic-tac-toe", "seats": ["human", "human"]}))
}

#[test]
fn two_people_play_tic_tac_toe() {
    let arena = Arena::new();
    let table = two_people(&arena);
    let mut events = arena.listen(&table);
    let snapshot = events.until("snapshot");
    assert_eq!(snapshot["game"]["id"], "tic-tac-toe");
    assert_eq!(snapshot["game"]["text"], Value::Null);
    assert_eq!(snapshot["frames"].as_array().unwrap().len(), 1);
    for (ply, (role, text)) in X_WINS.into_iter().enumerate() {
        arena.make(&table, ply, role, text);
        let frame = events.until("frame");
        assert_eq!(
            (&frame["ply"], &frame["at"]),
            (&json!(ply + 1), &json!(ply))
        );
        assert_eq!(frame["made"]["joint"][role], text);
        assert_eq!(frame["made"]["cells"].as_array().unwrap().len(), 1);
    }
    let done = arena.get(&table);
    let frame = last(&done);
    assert_eq!(
        (&frame["ended"], &frame["goals"]),
        (&json!("over"), &json!([100, 0]))
    );
    assert_eq!(frame["turn"], json!([]));
    let frames = done["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 6);
    // What may be done is told for the last position only.
    assert!(frames[..5].iter().all(|frame| frame["legal"].is_null()));
    assert!(!frames[5]["legal"].is_null());
    arena.refused(
        409,
        &format!("{table}/move"),
        &json!({"ply": 5, "role": 1, "move": "(mark 3 3)"}),
    );
}

#[test]
fn what_is_not_legal_is_refused_and_changes_nothing() {
    let arena = Arena::new();
    let table = two_people(&arena);
    let path = format!("{table}/move");
    for (ply, role, text, word) in [
        (1, 0, "(mark 1 1)", "ply"),
        (0, 0, "(mark 4 4)", "not legal"),
        (0, 1, "(mark 1 1)", "not legal"),
        (0, 2, "(mark 1 1)", "no such role"),
        (0, 0, "", "not legal"),
    ] {
        let order = json!({"ply": ply, "role": role, "move": text});
        let refused = arena.refused(409, &path, &order);
        assert!(
            refused["error"].as_str().unwrap().contains(word),
            "{order}: {refused}"
        );
    }
    assert_eq!(arena.get(&table)["frames"].as_array().unwrap().len(), 1);
    let table =
        arena.table(&json!({"game": "tic-tac-toe", "seats": ["random", "human"], "paused": true}));
    let order = json!({"ply": 0, "role": 0, "move": "(mark 1 1)"});
    arena.refused(409, &format!("{table}/move"), &order);
}

#[test]
fn a_person_plays_against_a_player() {
    let arena = Arena::new();
    let table = arena.table(
        &json!({"game": "tic-tac-toe", "seats": ["human", "random"], "seconds": 0.05, "seed": 3}),
    );
    let mut events = arena.listen(&table);
    let mut frame = last(&events.until("snapshot")).clone();
    let mut asked = 0;
    while frame["ended"].is_null() {
        if frame["turn"] == json!([0]) {
            let (ply, text) = (
                frame["ply"].as_u64().unwrap() as usize,
                legal(&frame, 0).remove(0),
            );
            arena.make(&table, ply, 0, &text);
            asked += 1;
        } else {
            assert_eq!(events.until("thinking")["role"], 1);
        }
        frame = events.until("frame");
    }
    assert!(asked >= 3 && frame["goals"].is_array(), "{frame}");
    let snapshot = arena.get(&table);
    let second = &snapshot["frames"][2]["made"]["by"][1];
    assert_eq!(
        (&second["player"], &second["role"]),
        (&json!("random"), &json!(1))
    );
}

#[test]
fn moves_at_the_same_time_wait_for_everybody() {
    let arena = Arena::new();
    let games = arena.get("/api/games");
    let games = games["games"].as_array().unwrap();
    let game = games
        .iter()
        .find(|game| game["kind"] == "simultaneous" && game["players"] == 2)
        .unwrap();
    let table = arena.table(&json!({"game": game["id"], "seats": ["human", "human"]}));
    let mut events = arena.listen(&table);
    let mut frame = last(&events.until("snapshot")).clone();
    let mut together = 0;
    for _ in 0..20 {
        if !frame["ended"].is_null() {
            break;
        }
        let turn: Vec<usize> = serde_json::from_value(frame["turn"].clone()).unwrap();
        let ply = frame["ply"].as_u64().unwrap() as usize;
        for (place, &role) in turn.iter().enumerate() {
            let text = legal(&frame, role).remove(0);
            arena.make(&table, ply, role, &text);
            if place + 1 < turn.len() {
                let pending = events.until("pending");
                assert_eq!(pending["pending"], json!(turn[..=place]));
                assert_eq!(arena.get(&table)["pending"], pending["pending"]);
                together += 1;
            }
        }
        frame = events.until("frame");
        assert_eq!(frame["ply"], json!(ply + 1));
    }
    assert!(together > 0, "{game}");
}

#[test]
fn three_play_together() {
    let arena = Arena::new();
    let games = arena.get("/api/games");
    let games = games["games"].as_array().unwrap();
    let game = games.iter().find(|game| game["players"] == 3).unwrap();
    let seats = json!(["human", "random", "random"]);
    let table = arena.table(&json!({"game": game["id"], "seats": seats, "seconds": 0.05}));
    let mut events = arena.listen(&table);
    let mut frame = last(&events.until("snapshot")).clone();
    for _ in 0..12 {
        let turn: Vec<usize> = serde_json::from_value(frame["turn"].clone()).unwrap();
        if turn.contains(&0) {
            let text = legal(&frame, 0).remove(0);
            arena.make(&table, frame["ply"].as_u64().unwrap() as usize, 0, &text);
        }
        frame = events.until("frame");
        if !frame["ended"].is_null() {
            break;
        }
    }
    assert!(frame["ply"].as_u64().unwrap() >= 3, "{frame}");
}

#[test]
fn a_puzzle_that_was_pasted_is_solved() {
    let arena = Arena::new();
    let game = arena.post("/api/games", &json!({"name": "Coins", "text": COINS}));
    let table = arena.table(&json!({"game": game["id"], "seats": ["human"]}));
    for ply in 0..3 {
        let hint = arena.post(
            "/api/analyse",
            &json!({"game": game["id"], "moves": vec![["take"]; ply], "seconds": 0.5}),
        );
        assert_eq!(hint["decisions"][0]["move"], "take", "{hint}");
        arena.make(&table, ply, 0, "take");
    }
    assert_eq!(last(&arena.get(&table))["goals"], json!([100]));
}

#[test]
fn moves_are_taken_back_and_played_anew() {
    let arena = Arena::new();
    let table = two_people(&arena);
    for (ply, (role, text)) in X_WINS.into_iter().enumerate() {
        arena.make(&table, ply, role, text);
    }
    let mut events = arena.listen(&table);
    assert_eq!(
        events.until("snapshot")["frames"].as_array().unwrap().len(),
        6
    );
    arena.post(&format!("{table}/take-back"), &json!({"to": 2}));
    let frame = events.until("frame");
    assert_eq!(
        (&frame["ply"], &frame["at"], &frame["ended"]),
        (&json!(2), &json!(1), &Value::Null)
    );
    assert_eq!(
        (&frame["turn"], &frame["made"]["joint"][1]),
        (&json!([0]), &json!("(mark 2 1)"))
    );
    assert_eq!(legal(&frame, 0).len(), 7);
    assert_eq!(arena.get(&table)["frames"].as_array().unwrap().len(), 3);
    arena.make(&table, 2, 0, "(mark 3 3)");
    assert_eq!(events.until("frame")["ply"], 3);
    arena.refused(409, &format!("{table}/take-back"), &json!({"to": 4}));
    arena.post(&format!("{table}/take-back"), &json!({"to": 0}));
    assert_eq!(events.until("frame")["at"], -1);
}

#[test]
fn players_play_on_their_own_as_fast_as_they_may() {
    let arena = Arena::new();
    let order =
        json!({"game": "connect-four", "seats": ["uct", "random"], "seconds": 0.1, "paused": true});
    let table = arena.table(&order);
    let mut events = arena.listen(&table);
    assert_eq!(events.until("snapshot")["paused"], true);
    arena.post(&format!("{table}/step"), &json!({}));
    assert_eq!(events.until("frame")["ply"], 1);
    assert_eq!(arena.get(&table)["frames"].as_array().unwrap().len(), 2);
    arena.post(&format!("{table}/pace"), &json!({"pace": 0.01}));
    assert_eq!(events.until("paused")["pace"], 0.01);
    arena.post(&format!("{table}/resume"), &json!({}));
    assert_eq!(events.until("paused")["paused"], false);
    let done = loop {
        let frame = events.until("frame");
        if !frame["ended"].is_null() {
            break frame;
        }
    };
    assert_eq!(done["ended"], "over");
    let snapshot = arena.get(&table);
    let by = &snapshot["frames"][1]["made"]["by"][0];
    assert_eq!(by["player"], "uct");
    assert!(by["simulations"].as_u64().unwrap() > 0 && by["line"].is_array());
    let value = by["value"].as_f64().unwrap();
    assert!((0.0..=100.0).contains(&value), "{value}");
    assert_eq!(by["values"][1].as_f64().unwrap(), 100.0 - value);
    arena.refused(409, &format!("{table}/step"), &json!({}));
}

#[test]
fn a_search_is_interrupted_when_it_is_of_no_use() {
    // A search that is not interrupted lasts longer than the test waits for anything.
    let hour = 3_600.0;
    let arena = Arena::with("127.0.0.1:0", |options| {
        options.limits.search_seconds = hour;
    });
    let order = json!({"game": "connect-four", "seats": ["human", "uct"], "seconds": hour});
    let table = arena.table(&order);
    let mut events = arena.listen(&table);
    arena.make(&table, 0, 0, "(drop 4)");
    events.until("thinking");
    arena.post(&format!("{table}/take-back"), &json!({"to": 0}));
    events.until("frame");
    arena.post(
        &format!("{table}/seats"),
        &json!({"seats": ["human", "random"], "seconds": 0.1}),
    );
    assert_eq!(events.until("seats")["seats"], json!(["human", "random"]));
    arena.make(&table, 0, 0, "(drop 3)");
    while events.until("frame")["ply"] != 2 {}
    arena.post(&format!("{table}/close"), &json!({}));
    events.until("closed");
    arena.until("/api/tables", |list| list["tables"] == json!([]));
}

#[test]
fn a_person_resigns() {
    let arena = Arena::new();
    let table = two_people(&arena);
    arena.make(&table, 0, 0, "(mark 1 1)");
    arena.refused(409, &format!("{table}/resign"), &json!({"role": 7}));
    let mut events = arena.listen(&table);
    arena.post(&format!("{table}/resign"), &json!({"role": 1}));
    let frame = events.until("frame");
    assert_eq!(
        (&frame["ended"], &frame["goals"]),
        (&json!("resigned o"), &Value::Null)
    );
    let id = events.until("recorded")["match"]
        .as_str()
        .unwrap()
        .to_owned();
    let record = arena.get(&format!("/api/matches/{id}"));
    assert_eq!(record["match"]["completed"], false);
    // A resignation can be taken back.
    arena.post(&format!("{table}/take-back"), &json!({"to": 1}));
    assert_eq!(events.until("frame")["ended"], Value::Null);
}

#[test]
fn clocks_run_from_the_first_move_on_and_the_one_whose_time_is_up_loses() {
    let arena = Arena::new();
    let people = ["human", "human"];
    let order = json!({"game": "tic-tac-toe", "seats": people,
        "clock": {"seconds": 4, "increment": 2}});
    let table = arena.table(&order);
    let mut events = arena.listen(&table);
    let start = &arena.get(&table)["clock"];
    assert_eq!(start["left"], json!([4000, 4000]));
    assert_eq!(
        start["running"],
        json!([]),
        "before the first move none runs"
    );
    arena.make(&table, 0, 0, "(mark 1 1)");
    let frame = events.until("frame");
    assert_eq!(frame["clock"], json!([4000, 4000]));
    assert_eq!(arena.get(&table)["clock"]["running"], json!([1]));
    arena.make(&table, 1, 1, "(mark 2 2)");
    let left = &events.until("frame")["clock"];
    let second = left[1].as_u64().unwrap();
    assert!(
        (2000..=6000).contains(&second),
        "a move brings two seconds: {left}"
    );
    assert_eq!(left[0], 4000);
    // No third move is made.
    let end = events.until("frame");
    assert_eq!(
        (&end["ended"], &end["clock"][1]),
        (&json!("time x"), &left[1])
    );
    arena.refused(
        409,
        &format!("{table}/move"),
        &json!({"ply": 2, "role": 0, "move": "(mark 3 3)"}),
    );
    let hidden = json!({"game": "kuhn-poker", "seats": ["human", "human", null],
        "clock": {"seconds": 60}});
    let refused = arena.refused(422, "/api/tables", &hidden);
    assert!(
        refused["error"].as_str().unwrap().contains("clocks"),
        "{refused}"
    );
    let endless = json!({"game": "tic-tac-toe", "seats": people, "clock": {"seconds": 1e9}});
    arena.refused(422, "/api/tables", &endless);
}

#[test]
fn a_clock_is_turned_back_with_the_move_and_stands_while_the_match_is_paused() {
    let arena = Arena::new();
    let order = json!({"game": "tic-tac-toe", "seats": ["human", "human"],
        "clock": {"seconds": 600, "increment": 5}});
    let table = arena.table(&order);
    arena.make(&table, 0, 0, "(mark 1 1)");
    arena.make(&table, 1, 1, "(mark 2 2)");
    let left = |snapshot: &Value| snapshot["clock"]["left"][1].as_u64().unwrap();
    assert!(left(&arena.get(&table)) > 600_000);
    arena.post(&format!("{table}/take-back"), &json!({"to": 1}));
    assert!(left(&arena.get(&table)) <= 600_000);
    arena.post(&format!("{table}/pause"), &json!({}));
    let paused = arena.get(&table);
    assert_eq!(paused["clock"]["running"], json!([]));
    std::thread::sleep(std::time::Duration::from_millis(30));
    assert_eq!(left(&arena.get(&table)), left(&paused));
}

#[test]
fn a_match_goes_on_from_any_position() {
    let arena = Arena::new();
    let from = json!([["(mark 2 2)", "noop"], ["noop", "(mark 1 1)"]]);
    let order = json!({"game": "tic-tac-toe", "seats": ["human", "human"], "from": from});
    let table = arena.table(&order);
    let snapshot = arena.get(&table);
    assert_eq!(snapshot["frames"].as_array().unwrap().len(), 3);
    assert_eq!(last(&snapshot)["turn"], json!([0]));
    let bad = json!([["(mark 2 2)", "noop"], ["noop", "(mark 2 2)"]]);
    let refused = arena.refused(
        422,
        "/api/tables",
        &json!({"game": "tic-tac-toe", "seats": ["human", "human"], "from": bad}),
    );
    assert!(
        refused["error"].as_str().unwrap().contains("move 2"),
        "{refused}"
    );
}

#[test]
fn chance_draws_for_the_role_random() {
    let arena = Arena::new();
    let game = arena.get("/api/games/kuhn-poker");
    let random = game["random"].as_u64().unwrap() as usize;
    let seat = |role: usize| {
        if role == random {
            Value::Null
        } else {
            json!("random")
        }
    };
    let seats: Vec<Value> = (0..game["roles"].as_array().unwrap().len())
        .map(seat)
        .collect();
    let table = arena.table(&json!({"game": "kuhn-poker", "seats": seats, "seconds": 0.05}));
    let done = arena.until(&table, |snapshot| !last(snapshot)["ended"].is_null());
    assert_eq!(last(&done)["ended"], "over");
    assert!(
        done["frames"]
            .as_array()
            .unwrap()
            .iter()
            .skip(1)
            .any(|frame| frame["made"]["joint"][random] != "noop")
    );
}
