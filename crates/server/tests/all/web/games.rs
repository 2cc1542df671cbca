//! Games, players, rules as text.

use serde_json::{Value, json};

use crate::web::client::Arena;

/// A tiny game that is bundled nowhere.
pub(crate) const COINS: &str = "
(role ann)
(init (coins 3))
(less 3 2) (less 2 1) (less 1 0)
(<= (legal ann take) (true (coins ?n)) (distinct ?n 0))
(<= (legal ann leave) (true (coins ?n)))
(<= (next (coins ?m)) (does ann take) (true (coins ?n)) (less ?n ?m))
(<= (next (coins ?n)) (does ann leave) (true (coins ?n)))
(<= terminal (true (coins 0)))
(<= (goal ann 100) (true (coins 0)))
(<= (goal ann 0) (not (true (coins 0))))
";

#[test]
fn every_bundled_game_is_listed_and_can_be_drawn() {
    let arena = Arena::new();
    let games = arena.get("/api/games");
    let games = games["games"].as_array().unwrap();
    assert_eq!(games.len(), paidia_library::all().len());
    for game in games {
        let id = game["id"].as_str().unwrap();
        assert!(
            game["title"].is_string() && game["players"].as_u64().unwrap() > 0,
            "{game}"
        );
        let picture = arena.get(&format!("/api/games/{id}/picture"));
        let cells = picture["scene"]["cells"].as_u64().unwrap();
        let start = &picture["start"];
        assert_eq!(
            start["cells"].as_array().unwrap().len() as u64,
            cells,
            "{id}"
        );
        let beside = start["beside"].as_array().unwrap();
        assert!(cells > 0 || !beside.is_empty(), "{id}");
        assert!(!picture["roles"].as_array().unwrap().is_empty());
    }
}

#[test]
fn a_game_is_shown_with_its_rules_and_first_position() {
    let arena = Arena::new();
    let game = arena.get("/api/games/tic-tac-toe");
    assert_eq!(game["roles"], json!(["x", "o"]));
    assert_eq!(
        (&game["turns"], &game["hidden"]),
        (&json!("alternating"), &json!(false))
    );
    assert_eq!(game["start"]["turn"], json!([0]));
    assert_eq!(game["start"]["legal"][0].as_array().unwrap().len(), 9);
    assert_eq!(
        game["start"]["legal"][1],
        json!([{"move": "noop", "steps": []}])
    );
    let first = &game["start"]["legal"][0][0];
    assert_eq!(first["steps"].as_array().unwrap().len(), 1, "{first}");
    assert!(game["text"].as_str().unwrap().contains("(role x)"));
    let hidden = arena.get("/api/games/kuhn-poker");
    assert_eq!(hidden["hidden"], json!(true));
    let unknown = arena.refused(404, "/api/games/tic-tac-to", &Value::Null);
    assert!(
        unknown["error"]
            .as_str()
            .unwrap()
            .contains("did you mean `tic-tac-toe`"),
        "{unknown}"
    );
}

#[test]
fn players_are_listed_with_what_can_be_set() {
    let arena = Arena::new();
    let players = arena.get("/api/players");
    let players = players["players"].as_array().unwrap();
    let paidia = players
        .iter()
        .find(|player| player["name"] == "paidia")
        .unwrap();
    let keys = paidia["keys"].as_array().unwrap();
    let threads = keys.iter().find(|key| key["name"] == "threads").unwrap();
    assert_eq!(threads["default"], "auto");
    assert!(threads["about"].as_str().unwrap().contains("threads"));
}

#[test]
fn pasted_rules_become_a_game() {
    let arena = Arena::new();
    let pasted = json!({"name": " My <b>coins</b>\n ", "text": COINS});
    let game = arena.post("/api/games", &pasted);
    assert_eq!(game["title"], "My <b>coins</b>");
    assert_eq!(
        (&game["kind"], &game["bundled"]),
        (&json!("pasted"), &json!(false))
    );
    assert_eq!(
        (&game["players"], &game["turns"]),
        (&json!(1), &json!("single-player"))
    );
    let id = game["id"].as_str().unwrap();
    assert!(id.starts_with("pasted-"));
    assert_eq!(arena.get(&format!("/api/games/{id}"))["text"], COINS);
    // The same rules are the same game.
    assert_eq!(arena.post("/api/games", &pasted)["id"], id);
    let info = arena.get(&format!("/api/games/{id}/info"));
    assert_eq!(info["fluents"], json!(["coins/1"]));
    assert_eq!(
        (&info["engine"], &info["roles"]),
        (&json!("propnet"), &json!(["ann"]))
    );
    assert_eq!(info["engine_because"], "the rules became a network");
    assert!(info["network"]["gates"].as_u64().unwrap() > 0);
}

/// A game without a network.
const TOWER: &str = include_str!("../../../../arena/tests/data/tower.kif");

#[test]
fn games_without_a_network_are_played_by_the_fastest_of_the_others() {
    let arena = Arena::new();
    let game = arena.post("/api/games", &json!({"name": "tower", "text": TOWER}));
    let id = game["id"].as_str().unwrap();
    let info = arena.get(&format!("/api/games/{id}/info"));
    let because = info["engine_because"].as_str().unwrap();
    assert!(because.contains("levels in one term"), "{because}");
    assert!(info["network"].is_null());
    let rates = info["rates"].as_array().unwrap();
    let rate = |place: usize| rates[place]["states_per_cpu_s"].as_f64().unwrap();
    assert_eq!(rates[0]["engine"], info["engine"]);
    assert!(rates.len() >= 2 && rate(0) >= rate(1));
    let played = arena.post(
        &format!("/api/games/{id}/statistics"),
        &json!({"seconds": 0.1}),
    );
    assert_eq!(played["engine"], info["engine"]);
    let asked = json!({"game": id, "players": ["uct"], "seconds": 0.1});
    let found = arena.post("/api/analyse", &asked);
    assert!(found["decisions"][0].is_object(), "{found}");
}

#[test]
fn faulty_rules_are_refused_with_the_places_of_their_problems() {
    let arena = Arena::new();
    let text = "(role ann)\n(init (p 1))\n(<= (legal ann ?m) (not (true (p ?m))))\n";
    for path in ["/api/check", "/api/games"] {
        let answer = match path {
            "/api/check" => arena.post(path, &json!({"text": text})),
            _ => arena.refused(422, path, &json!({"name": "x", "text": text})),
        };
        let problems = answer["problems"].as_array().unwrap();
        let found = problems
            .iter()
            .find(|problem| problem["code"] == "unsafe-variable");
        let found = found.unwrap_or_else(|| panic!("{answer}"));
        assert_eq!(
            (&found["severity"], &found["line"]),
            (&json!("error"), &json!(3))
        );
        let (column, end) = (
            found["column"].as_u64().unwrap(),
            found["endColumn"].as_u64().unwrap(),
        );
        let line = text.lines().nth(2).unwrap();
        assert!(column < end && end as usize <= line.len() + 1, "{found}");
        assert!(found["explanation"].as_str().unwrap().len() > 100);
    }
    let fine = arena.post("/api/check", &json!({"text": COINS}));
    assert_eq!(
        (&fine["ok"], &fine["dialect"]),
        (&json!(true), &json!("gdl"))
    );
}

#[test]
fn columns_are_counted_in_characters() {
    let arena = Arena::new();
    let answer = arena.post("/api/check", &json!({"text": "(role ä) (röle 😀 ( "}));
    let problems = answer["problems"].as_array().unwrap();
    let unclosed = problems
        .iter()
        .find(|problem| problem["code"] == "unclosed-parenthesis");
    let column = unclosed.unwrap()["column"].as_u64().unwrap();
    assert!([10, 18].contains(&column), "{answer}");
}

#[test]
fn rules_are_printed_in_both_notations() {
    let arena = Arena::new();
    let kif = "(<= (next (p ?x))(true (p ?x)))";
    let infix = arena.post("/api/format", &json!({"text": kif, "to": "infix"}));
    let infix = infix["text"].as_str().unwrap();
    assert!(infix.contains("next(p(X)) :-"), "{infix}");
    let back = arena.post("/api/format", &json!({"text": infix, "to": "kif"}));
    assert!(
        back["text"].as_str().unwrap().contains("(next (p ?x))"),
        "{back}"
    );
    arena.refused(422, "/api/format", &json!({"text": "(((", "to": "kif"}));
    arena.refused(400, "/api/format", &json!({"text": "", "to": "latin"}));
}

#[test]
fn pasted_games_that_leave_memory_are_read_again_from_disk() {
    let arena = Arena::with("127.0.0.1:0", |options| options.limits.pasted_games = 2);
    let paste = |name: &str| {
        let game = arena.post("/api/games", &json!({"name": name, "text": COINS}));
        format!("/api/games/{}", game["id"].as_str().unwrap())
    };
    let games = ["one", "two", "three"].map(paste);
    for (path, title) in games.iter().zip(["one", "two", "three"]) {
        assert_eq!(arena.get(path)["title"], title);
    }
    let gone = arena.refused(404, "/api/games/pasted-0123456789abcdef", &Value::Null);
    assert!(gone["error"].as_str().unwrap().contains("paste them again"));
}
