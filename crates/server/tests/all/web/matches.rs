//! Records of what was played.

use serde_json::{Value, json};

use crate::web::client::{Arena, last};
use crate::web::games::COINS;

/// Plays a match of players to its end: the name of its record.
fn played(arena: &Arena, order: &Value) -> String {
    let table = arena.table(order);
    let done = arena.until(&table, |snapshot| !snapshot["match"].is_null());
    done["match"].as_str().unwrap().to_owned()
}

#[test]
fn a_finished_match_is_found_again() {
    let arena = Arena::new();
    assert_eq!(
        arena.get("/api/matches"),
        json!({"matches": [], "total": 0, "pageSize": 50})
    );
    let order = json!({"game": "tic-tac-toe", "seats": ["uct", "random"], "seconds": 0.2});
    let id = played(&arena, &order);
    let list = arena.get("/api/matches");
    assert_eq!(list["total"], 1);
    let listed = &list["matches"][0];
    assert_eq!(
        (&listed["id"], &listed["title"]),
        (&json!(id), &json!("Tic-Tac-Toe"))
    );
    assert_eq!(
        (&listed["players"], &listed["completed"]),
        (&json!(["uct", "random"]), &json!(true))
    );
    let whole = arena.get(&format!("/api/matches/{id}"));
    let frames = whole["frames"].as_array().unwrap();
    assert_eq!(frames.len() as u64, listed["moves"].as_u64().unwrap() + 1);
    assert_eq!(last(&whole)["goals"], listed["goals"]);
    assert_eq!(
        (&whole["game"]["id"], &whole["differs"]),
        (&json!("tic-tac-toe"), &Value::Null)
    );
    // What the player said about its first move is in the record.
    let said = &frames[1]["made"]["by"][0];
    assert!(said["simulations"].as_u64().unwrap() > 0, "{said}");
    assert_eq!(frames[1]["made"]["joint"][0], said["move"]);
    arena.refused(404, "/api/matches/nothing", &Value::Null);
}

#[test]
fn matches_are_filtered_and_come_in_pages() {
    let arena = Arena::new();
    let order = |seats: [&str; 2]| json!({"game": "tic-tac-toe", "seats": seats, "seconds": 0.01});
    played(&arena, &order(["random", "random"]));
    played(&arena, &order(["random", "mc-flat"]));
    for (query, count) in [
        ("", 2),
        ("?game=tic-tac-toe", 2),
        ("?game=chess", 0),
        ("?player=mc-flat", 1),
        ("?player=mc-flat&game=tic-tac-toe&page=1", 1),
        ("?page=2", 0),
        ("?player=%72andom", 2),
    ] {
        let list = arena.get(&format!("/api/matches{query}"));
        assert_eq!(list["matches"].as_array().unwrap().len(), count, "{query}");
    }
    arena.refused(400, "/api/matches?page=x", &Value::Null);
    arena.refused(400, "/api/matches?colour=red", &Value::Null);
}

#[test]
fn pasted_rules_are_in_the_record() {
    let mut arena = Arena::new();
    let game = arena.post("/api/games", &json!({"name": "Three coins", "text": COINS}));
    let id = played(
        &arena,
        &json!({"game": game["id"], "seats": ["paidia"], "seconds": 0.05}),
    );
    let records = arena.folder.path().join("records");
    arena.close();
    // Another arena does not know the game, but the record does.
    let arena = Arena::with("127.0.0.1:0", |options| options.records = records);
    let whole = arena.get(&format!("/api/matches/{id}"));
    assert_eq!(
        (&whole["match"]["title"], &whole["game"]["id"]),
        (&json!("Three coins"), &game["id"])
    );
    assert_eq!(last(&whole)["goals"], json!([100]));
}

#[test]
fn a_match_that_was_taken_back_is_another_one() {
    let arena = Arena::new();
    let order =
        json!({"game": "tic-tac-toe", "seats": ["random", "random"], "seconds": 0.01, "seed": 5});
    let table = arena.table(&order);
    let first = arena.until(&table, |snapshot| !snapshot["match"].is_null());
    arena.post(&format!("{table}/take-back"), &json!({"to": 1}));
    let wanted =
        |snapshot: &Value| !snapshot["match"].is_null() && snapshot["match"] != first["match"];
    let second = arena.until(&table, wanted);
    assert_eq!(
        first["frames"][1]["made"]["joint"],
        second["frames"][1]["made"]["joint"]
    );
    assert_eq!(arena.get("/api/matches")["total"], 2);
}
