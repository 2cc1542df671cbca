//! Hostile and mistaken requests: whatever is sent, the answer is a sensible status with a message,
//! and the arena goes on. `PAIDIA_FULL=1` tries many more.

use paidia_game::Chance;
use serde_json::{Value, json};

use paidia_testkit::http::exchange;

use crate::web::client::Arena;
use crate::web::games::COINS;

/// Everything that can be asked, with something that makes sense there.
fn questions(table: &str, id: &str) -> Vec<(&'static str, String, Value)> {
    let moves = json!([["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]]);
    let get = |path: &str| ("GET", path.to_owned(), Value::Null);
    let post = |path: &str, body: Value| ("POST", path.to_owned(), body);
    let order = |what: &str| format!("{table}/{what}");
    vec![
        get("/api/games"),
        get("/api/games/tic-tac-toe"),
        get("/api/games/tic-tac-toe/picture"),
        get("/api/games/tic-tac-toe/info"),
        get("/api/players"),
        get("/api/status"),
        get("/api/tables"),
        get(table),
        get("/api/matches?game=chess&player=uct&page=1"),
        get(&format!("/api/matches/{id}")),
        get("/api/video"),
        post(
            "/api/video",
            json!({"game": "goats", "level": 1, "seed": 3}),
        ),
        post(
            "/api/video/1/step",
            json!({"player": "iw(width=2)", "thinking": 5, "ticks": 1}),
        ),
        post("/api/video/1/seek", json!({"tick": 0})),
        get("/api/tournaments"),
        get("/api/tournaments/x"),
        get("/games/chess"),
        get("/index.html"),
        post("/api/games", json!({"name": "x", "text": COINS})),
        post("/api/check", json!({"text": COINS})),
        post("/api/format", json!({"text": COINS, "to": "infix"})),
        post(
            "/api/games/tic-tac-toe/statistics",
            json!({"seconds": 0.02, "seed": 1}),
        ),
        post(
            "/api/analyse",
            json!({"game": "tic-tac-toe", "moves": moves, "role": 0, "players": ["uct(exploration=3)"], "seconds": 0.02}),
        ),
        post("/api/line", json!({"game": "tic-tac-toe", "moves": moves})),
        post(
            "/api/tables",
            json!({"game": "tic-tac-toe", "seats": ["human", "random"], "seconds": 0.02, "pace": 0.1, "seed": 1, "from": moves}),
        ),
        post(
            &order("move"),
            json!({"ply": 0, "role": 0, "move": "(mark 1 1)"}),
        ),
        post(&order("take-back"), json!({"to": 0})),
        post(
            &order("seats"),
            json!({"seats": ["human", "uct"], "seconds": 0.02}),
        ),
        post(&order("pause"), json!({})),
        post(&order("resume"), json!({})),
        post(&order("step"), json!({})),
        post(&order("pace"), json!({"pace": 0.5})),
        post(&order("resign"), json!({"role": 0})),
        post(
            "/api/tournaments",
            json!({"name": "x", "games": ["tic-tac-toe"], "players": ["random", "mc-flat"], "rounds": 1, "seconds": 0.01}),
        ),
        post("/api/tournaments/x/stop", json!({})),
    ]
}

/// One of some things.
fn one<'a, T>(chance: &mut Chance, all: &'a [T]) -> Option<&'a T> {
    let place = chance.below(all.len().max(1) as u32);
    all.get(place as usize)
}

/// Values of unexpected types and sizes.
fn strange(chance: &mut Chance) -> Value {
    let deep = || (0..100).fold(json!(1), |inner, _| json!([inner]));
    match chance.below(16) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(u64::MAX),
        3 => json!(1e308),
        4 => json!(0.1),
        5 => json!("x".repeat(5_000)),
        6 => json!("\u{0}\u{1b}[31m<script>alert(1)</script>\u{202e}"),
        7 => json!([]),
        8 => json!({}),
        9 => json!([[["a"]]]),
        10 => json!(true),
        11 => json!("../../etc/passwd"),
        12 => json!("((((((((("),
        13 => json!(vec!["noop"; 300]),
        14 => deep(),
        _ => json!("uct(exploration=1e999, memory=-1)"),
    }
}

/// Something else than what makes sense.
fn spoilt(chance: &mut Chance, body: &Value) -> Value {
    let mut body = body.clone();
    match &mut body {
        Value::Object(fields) => {
            let names: Vec<String> = fields.keys().cloned().collect();
            let name = one(chance, &names);
            match (chance.below(5), name) {
                (0, Some(name)) => {
                    fields.remove(name);
                }
                (1, _) => {
                    fields.insert("other".to_owned(), strange(chance));
                }
                (2, _) => return strange(chance),
                (_, Some(name)) => {
                    let inner = fields.get(name).cloned().unwrap_or_default();
                    let changed = match chance.below(2) {
                        0 => strange(chance),
                        _ => spoilt(chance, &inner),
                    };
                    fields.insert(name.clone(), changed);
                }
                _ => {}
            }
        }
        Value::Array(items) if !items.is_empty() => {
            let place = chance.below(items.len() as u32) as usize;
            items[place] = spoilt(chance, &items[place].clone());
        }
        other => *other = strange(chance),
    }
    body
}

/// Bytes with some of them changed, taken out or doubled.
fn damaged(chance: &mut Chance, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..=chance.below(4) {
        if bytes.is_empty() {
            break;
        }
        let place = chance.below(bytes.len() as u32) as usize;
        match chance.below(4) {
            0 => bytes[place] = chance.below(256) as u8,
            1 => {
                bytes.remove(place);
            }
            2 => bytes.insert(place, bytes[place]),
            _ => bytes.truncate(place),
        }
    }
    bytes
}

/// A request, more or less.
fn request(chance: &mut Chance, port: u16, question: &(&str, String, Value)) -> Vec<u8> {
    let (method, path, body) = question;
    let mut path = path.clone();
    let methods = ["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "BREW"];
    let method = match chance.below(12) {
        0 => chance.pick(&methods).unwrap_or("GET"),
        _ => method,
    };
    if chance.below(8) == 0 {
        let additions = [
            "/",
            "%00",
            "%2e%2e%2f",
            "?page=-1",
            "?=&&&",
            "/../../x.txt",
            "%ff%fe",
            "//",
        ];
        path += chance.pick(&additions).unwrap_or("");
    }
    let body = match (body, chance.below(6)) {
        (Value::Null, _) => Vec::new(),
        (body, 0) => body.to_string().into_bytes(),
        (body, 1) => damaged(chance, body.to_string().into_bytes()),
        (body, _) => spoilt(chance, body).to_string().into_bytes(),
    };
    let kinds = [
        "application/json",
        "application/json",
        "application/json",
        "application/json; charset=utf-8",
        "text/plain",
        "",
        "multipart/form-data",
    ];
    let kind = chance.pick(&kinds).unwrap_or("");
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend(body);
    request
}

#[test]
fn whatever_is_sent_the_answer_makes_sense() {
    let full = std::env::var("PAIDIA_FULL").is_ok_and(|full| full == "1");
    let count = if full { 20_000 } else { 600 };
    let arena = Arena::with("127.0.0.1:0", |options| {
        let limits = &mut options.limits;
        (limits.search_seconds, limits.statistics_seconds) = (0.05, 0.05);
        (limits.tables, limits.tournament_matches, limits.line_length) = (8, 4, 50);
    });
    let table =
        arena.table(&json!({"game": "tic-tac-toe", "seats": ["human", "human"], "seconds": 0.05}));
    let questions = questions(&table, "x");
    let mut chance = Chance::from_seed(20_261_115);
    let mut refused = 0;
    for number in 0..count {
        let Some(question) = one(&mut chance, &questions) else {
            continue;
        };
        let request = request(&mut chance, arena.address.port(), question);
        let shown = || {
            format!(
                "{number}: {}",
                String::from_utf8_lossy(&request[..request.len().min(600)])
            )
        };
        let reply = exchange(arena.address, &request);
        let is_head = request.starts_with(b"HEAD");
        match reply.status {
            200 => {}
            400..=499 | 503 if is_head => refused += 1,
            // Requests that are not even HTTP are answered before we see them.
            400 if reply.body.is_empty() => refused += 1,
            400..=499 | 503 => {
                let answer: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
                assert!(answer["error"].is_string(), "{}", shown());
                refused += 1;
            }
            status => panic!("{status}: {}", shown()),
        }
    }
    assert!(refused > count / 3, "{refused} of {count}");
    assert_eq!(
        arena.get("/api/games")["games"].as_array().unwrap().len(),
        paidia_library::all().len()
    );
    let status = arena.get("/api/status");
    assert!(status["tables"].as_u64().unwrap() <= 8, "{status}");
}

#[test]
fn bytes_that_are_no_requests_do_no_harm() {
    let arena = Arena::new();
    let port = arena.address.port();
    let mut chance = Chance::from_seed(7);
    for number in 0..200 {
        let good = format!(
            "GET /api/status HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
        );
        let mut bytes = damaged(&mut chance, good.into_bytes());
        if number % 5 == 0 {
            bytes = (0..chance.below(300))
                .map(|_| chance.below(256) as u8)
                .collect();
        }
        let mut stream = paidia_testkit::http::connect(arena.address);
        let _ = std::io::Write::write_all(&mut stream, &bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let _ = std::io::Read::read_to_end(&mut stream, &mut Vec::new());
    }
    arena.get("/api/games");
}
