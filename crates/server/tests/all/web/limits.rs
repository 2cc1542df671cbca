//! How much visitors may ask for.

use std::io::{Read, Write};

use serde_json::{Value, json};

use paidia_testkit::http::{connect, exchange};

use crate::web::client::{Arena, last};

#[test]
fn a_table_without_visitors_makes_room_for_another_and_goes_on_when_it_is_visited() {
    let arena = Arena::with("127.0.0.1:0", |options| options.limits.tables = 2);
    let order = json!({"game": "tic-tac-toe", "seats": ["human", "human"]});
    let first = arena.table(&order);
    arena.make(&first, 0, 0, "(mark 1 1)");
    let second = arena.table(&order);
    let third = arena.table(&order);
    let listed = |arena: &Arena| arena.get("/api/tables")["tables"].as_array().unwrap().len();
    assert_eq!(
        (arena.get("/api/status")["tables"].as_u64(), listed(&arena)),
        (Some(2), 3)
    );
    assert_eq!(last(&arena.get(&first))["ply"], 1);
    arena.make(&first, 1, 1, "(mark 2 2)");
    // Tables that have visitors stay.
    let (mut one, mut other) = (arena.listen(&first), arena.listen(&third));
    one.until("snapshot");
    other.until("snapshot");
    arena.refused(503, "/api/tables", &order);
    arena.refused(503, &second, &Value::Null);
    arena.post(&format!("{first}/close"), &json!({}));
    arena.until("/api/status", |status| status["tables"] == 1);
    arena.refused(404, &first, &Value::Null);
    arena.get(&second);
}

#[test]
fn tables_without_visitors_are_put_away_after_a_time() {
    let arena = Arena::with("127.0.0.1:0", |options| options.limits.idle_seconds = 5);
    let order = json!({"game": "tic-tac-toe", "seats": ["human", "human"]});
    let watched = arena.table(&order);
    let mut events = arena.listen(&watched);
    events.until("snapshot");
    let left = arena.table(&order);
    arena.until("/api/status", |status| status["tables"] == 1);
    assert_eq!(
        arena.get("/api/tables")["tables"].as_array().unwrap().len(),
        2
    );
    drop(events);
    arena.until("/api/status", |status| status["tables"] == 0);
    assert_eq!(last(&arena.get(&left))["ply"], 0);
}

#[test]
fn the_oldest_unfinished_matches_are_broken_off_where_there_are_too_many() {
    let arena = Arena::with("127.0.0.1:0", |options| {
        (options.limits.idle_seconds, options.limits.unfinished) = (1, 1);
    });
    let order = json!({"game": "tic-tac-toe", "seats": ["human", "human"]});
    let first = arena.table(&order);
    arena.make(&first, 0, 0, "(mark 1 1)");
    let second = arena.table(&order);
    arena.make(&second, 0, 0, "(mark 2 2)");
    arena.until("/api/matches", |list| list["total"] == 1);
    arena.refused(404, &first, &Value::Null);
    assert_eq!(last(&arena.get(&second))["ply"], 1);
}

#[test]
fn there_are_only_so_many_listeners() {
    let arena = Arena::with("127.0.0.1:0", |options| options.limits.listeners = 2);
    let table = arena.table(&json!({"game": "tic-tac-toe", "seats": ["human", "human"]}));
    let (mut one, mut other) = (arena.listen(&table), arena.listen(&table));
    one.until("snapshot");
    other.until("snapshot");
    arena.refused(503, &format!("{table}/events"), &Value::Null);
    assert_eq!(arena.get("/api/tables")["tables"][0]["viewers"], 2);
    drop(one);
    arena.until("/api/tables", |list| list["tables"][0]["viewers"] == 1);
    arena.listen(&table).until("snapshot");
    // A listener that was there before still gets events.
    arena.make(&table, 0, 0, "(mark 2 2)");
    assert_eq!(other.until("frame")["ply"], 1);
}

#[test]
fn long_and_slow_questions_are_refused() {
    let arena = Arena::with("127.0.0.1:0", |options| options.limits.body_bytes = 1000);
    let long = json!({"text": "x".repeat(2000)});
    arena.refused(413, "/api/check", &long);
    let own = format!("Host: 127.0.0.1:{}\r\n", arena.address.port());
    let chunked = format!(
        "POST /api/check HTTP/1.1\r\n{own}Connection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n{}\r\n0\r\n\r\n",
        "x".repeat(2000)
    );
    assert_eq!(exchange(arena.address, chunked.as_bytes()).status, 413);
    let header = format!(
        "GET /api/games HTTP/1.1\r\n{own}X-Long: {}\r\n\r\n",
        "x".repeat(300_000)
    );
    let mut stream = connect(arena.address);
    let _ = stream.write_all(header.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP/1.1 200"));
    // Others are not bothered.
    arena.get("/api/games");
}

#[test]
fn the_state_of_the_arena_is_told() {
    let arena = Arena::new();
    arena.table(&json!({"game": "tic-tac-toe", "seats": ["human", "human"]}));
    let status = arena.get("/api/status");
    assert_eq!(
        (&status["tables"], &status["token"]),
        (&json!(1), &json!(false))
    );
    assert_eq!(status["limits"]["bodyBytes"], 1 << 20);
    assert!(status["version"].is_string());
}

#[test]
fn long_questions_are_limited_in_number() {
    let arena = Arena::with("127.0.0.1:0", |options| {
        (options.limits.questions, options.limits.searches) = (1, 1);
    });
    let question = json!({"game": "tic-tac-toe", "seconds": 30, "players": ["uct"]}).to_string();
    let head = format!(
        "POST /api/analyse HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        arena.address.port(),
        question.len()
    );
    let mut stream = connect(arena.address);
    stream
        .write_all(format!("{head}{question}").as_bytes())
        .unwrap();
    arena.until("/api/status", |status| status["thinking"] == 1);
    arena.refused(429, "/api/analyse", &json!({"game": "tic-tac-toe"}));
    // Closing the connection interrupts the work on its request.
    drop(stream);
    arena.until("/api/status", |status| status["thinking"] == 0);
    arena.post(
        "/api/analyse",
        &json!({"game": "tic-tac-toe", "seconds": 0.05}),
    );
}
