//! Tables in real time: two people play a match to its end, which is written down like any other.

use paidia_testkit::process::wait_for;
use serde_json::{Value, json};

use crate::web::client::Arena;

/// A table with open seats; its path.
fn open(arena: &Arena, game: &str, seats: &[&str], pace: f64) -> String {
    let wish = json!({"game": game, "seats": seats, "pace": pace});
    let id = arena.post("/api/live", &wish)["id"].clone();
    format!("/api/live/{}", id.as_str().unwrap())
}

fn join(arena: &Arena, path: &str, role: usize) -> String {
    let joined = arena.post(&format!("{path}/join"), &json!({ "role": role }));
    joined["token"].as_str().unwrap().to_owned()
}

/// Waits until the match is being played.
fn begun(arena: &Arena, path: &str) {
    arena.until(path, |table| table["moment"].is_object());
}

/// The replay, as soon as the match is over.
fn replay(arena: &Arena, path: &str) -> Value {
    wait_for("the end of the match", || {
        let response = arena.ask("GET", &format!("{path}/replay"), "");
        (response.status == 200).then(|| response.json())
    })
}

#[test]
fn two_people_play_to_the_end_and_the_match_is_among_all_others() {
    let arena = Arena::new();
    let path = open(&arena, "tic-tac-toe-clock", &["open", "open"], 20.0);
    let tokens = [0, 1].map(|role| join(&arena, &path, role));
    begun(&arena, &path);
    let moves = [
        "(mark 1 1)",
        "(mark 2 1)",
        "(mark 1 2)",
        "(mark 2 2)",
        "(mark 1 3)",
    ];
    for (turn, text) in moves.iter().enumerate() {
        let made = json!({"token": tokens[turn % 2], "move": text});
        assert!(arena.post(&format!("{path}/move"), &made)["now"].is_number());
        wait_for("the move", || {
            let table = arena.get(&path);
            let moment = &table["moment"];
            (moment["number"].as_u64() > Some(turn as u64 + 1)).then_some(())
        });
    }
    let again = replay(&arena, &path);
    assert_eq!(again["moments"].as_array().unwrap().len(), 6);
    assert_eq!(again["unkept"], Value::Null);
    let kept = arena.get(&format!(
        "/api/matches/{}",
        again["match"].as_str().unwrap()
    ));
    assert_eq!(kept["match"]["players"], json!(["human", "human"]));
    assert_eq!(kept["match"]["goals"], json!([100, 0]));
    assert_eq!(kept["match"]["title"], "Tic-Tac-Toe with a Move Clock");
    assert_eq!(kept["live"]["differs"], Value::Null);
    assert_eq!(kept["live"]["pace"], 20.0);
    assert_eq!(kept["live"]["moments"], again["moments"]);
    assert_eq!(arena.get("/api/matches?player=human")["total"], 1);
}

#[test]
fn what_a_table_in_real_time_is_sent_by_strangers_changes_nothing() {
    let arena = Arena::new();
    let path = open(&arena, "cheshire-cat", &["open"], 10.0);
    let token = join(&arena, &path, 0);
    begun(&arena, &path);
    let said = |what: &str, body: Value| {
        let response = arena.ask("POST", &format!("{path}/{what}"), &body.to_string());
        response.status
    };
    assert_eq!(said("join", json!({"role": 0})), 409);
    assert_eq!(said("join", json!({"role": 7})), 400);
    assert_eq!(
        said("move", json!({"token": "stranger", "move": "grab"})),
        400
    );
    assert_eq!(
        said("move", json!({"token": token, "move": "x".repeat(2_000)})),
        400
    );
    assert_eq!(said("stop", json!({"token": "stranger"})), 400);
    assert_eq!(said("move", json!({"token": token, "move": "((("})), 200);
    for pace in [0.0, -1.0, 1e9] {
        let wish = json!({"game": "cheshire-cat", "seats": ["open"], "pace": pace});
        let refused = arena.ask("POST", "/api/live", &wish.to_string());
        assert_eq!(refused.status, 400, "{pace}");
    }
    let wish = json!({"game": "cheshire-cat", "seats": ["uct"], "pace": 1.0});
    assert_eq!(
        arena.ask("POST", "/api/live", &wish.to_string()).status,
        400
    );
    // A flood is cut, and the match goes on.
    for _ in 0..400 {
        assert_eq!(said("move", json!({"token": token, "move": "jump"})), 200);
    }
    let table = arena.get(&path);
    assert_eq!(table["over"], json!(false));
    assert_eq!(said("stop", json!({"token": token})), 200);
    let again = replay(&arena, &path);
    let kept = arena.get(&format!(
        "/api/matches/{}",
        again["match"].as_str().unwrap()
    ));
    assert_eq!(kept["match"]["completed"], json!(false));
    assert_eq!(kept["live"]["differs"], Value::Null);
}
