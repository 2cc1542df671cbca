//! A small tournament, from its start to its table.

use serde_json::{Value, json};

use crate::web::client::Arena;

#[test]
fn a_small_tournament_is_played_and_watched() {
    let arena = Arena::new();
    let wish = json!({"name": "Friday <night>", "games": ["tic-tac-toe"], "players": ["random", "mc-flat"], "rounds": 2, "seconds": 0.02});
    let id = arena.post("/api/tournaments", &wish)["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/tournaments/{id}");
    let mut events = arena.listen(&path);
    let done = loop {
        let progress = events.until("progress");
        assert_eq!(progress["total"], 4);
        if progress["state"] != "playing" {
            break progress;
        }
    };
    assert_eq!(
        (&done["state"], &done["done"], &done["name"]),
        (&json!("finished"), &json!(4), &json!("Friday <night>"))
    );
    let standings = done["standings"].as_array().unwrap();
    let points = |place: usize| standings[place]["points"].as_f64().unwrap();
    // The best first.
    assert!(
        points(0) >= points(1) && (points(0) + points(1) - 100.0).abs() < 1e-6,
        "{done}"
    );
    assert_eq!((&standings[0]["games"], standings.len()), (&json!(4), 2));
    assert_eq!(standings[0]["interval"].as_array().unwrap().len(), 2);
    assert_eq!(done["pairings"][0]["players"].as_array().unwrap().len(), 2);
    assert_eq!(done["games"][0]["title"], "Tic-Tac-Toe");
    let matches = done["matches"].as_array().unwrap();
    assert_eq!(matches.len(), 4);
    let one = arena.get(&format!("/api/matches/{}", matches[0].as_str().unwrap()));
    assert_eq!(one["match"]["tournament"], json!(id));
    assert_eq!(
        arena.get(&format!("/api/matches?tournament={id}"))["total"],
        4
    );
    let list = arena.get("/api/tournaments");
    assert_eq!(
        (
            &list["tournaments"][0]["id"],
            arena.get(&path)["state"].as_str()
        ),
        (&json!(id), Some("finished"))
    );
}

#[test]
fn a_tournament_is_stopped() {
    let arena = Arena::new();
    let wish = json!({"games": ["connect-four"], "players": ["random", "mc-flat"], "rounds": 50, "seconds": 0.01});
    let id = arena.post("/api/tournaments", &wish)["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/tournaments/{id}");
    // Another one has to wait.
    arena.refused(503, "/api/tournaments", &wish);
    arena.until(&path, |progress| progress["done"].as_u64().unwrap() > 0);
    arena.post(&format!("{path}/stop"), &json!({}));
    let stopped = arena.until(&path, |progress| progress["state"] != "playing");
    assert_eq!(
        (&stopped["state"], &stopped["error"]),
        (&json!("stopped"), &Value::Null),
        "{stopped}"
    );
}

#[test]
fn tournaments_that_make_no_sense_are_refused() {
    let arena = Arena::new();
    let wish = |games: Value, players: Value, rounds: u64, seconds: f64| json!({"name": "x", "games": games, "players": players, "rounds": rounds, "seconds": seconds});
    let two = json!(["random", "uct"]);
    let game = json!(["tic-tac-toe"]);
    for (wish, word) in [
        (wish(game.clone(), json!(["random"]), 1, 0.1), "players"),
        (
            wish(game.clone(), json!(["random", "random"]), 1, 0.1),
            "twice",
        ),
        (wish(json!([]), two.clone(), 1, 0.1), "games"),
        (
            wish(json!(["chess", "chess"]), two.clone(), 1, 0.1),
            "twice",
        ),
        (wish(game.clone(), two.clone(), 0, 0.1), "matches"),
        (wish(game.clone(), two.clone(), u64::MAX, 0.1), "matches"),
        (wish(game.clone(), two.clone(), 1, 1e6), "seconds"),
    ] {
        let refused = arena.refused(422, "/api/tournaments", &wish);
        assert!(
            refused["error"].as_str().unwrap().contains(word),
            "{wish}: {refused}"
        );
    }
    arena.refused(
        404,
        "/api/tournaments",
        &wish(json!(["no-such-game"]), two, 1, 0.1),
    );
    arena.refused(404, "/api/tournaments/none", &Value::Null);
}

#[test]
fn a_tournament_has_games_in_real_time_too() {
    let arena = Arena::new();
    let games = ["real-time-chicken", "tic-tac-toe"];
    let wish = |players: [&str; 2]| json!({"games": games, "players": players, "rounds": 1, "seconds": 0.05});
    let refused = arena.refused(422, "/api/tournaments", &wish(["random", "uct"]));
    let why = refused["error"].as_str().unwrap();
    assert!(why.contains("Chicken in Real Time"), "{why}");
    let id = arena.post("/api/tournaments", &wish(["random", "paidia"]))["id"].clone();
    let path = format!("/api/tournaments/{}", id.as_str().unwrap());
    let done = arena.until(&path, |progress| progress["state"] != "playing");
    assert_eq!(
        (&done["state"], &done["done"]),
        (&json!("finished"), &json!(4)),
        "{done}"
    );
    let titles = done["games"].as_array().unwrap().iter();
    let titles: Vec<&Value> = titles.map(|game| &game["title"]).collect();
    assert!(
        titles.contains(&&json!("Chicken in Real Time")),
        "{titles:?}"
    );
    let matches = done["matches"].as_array().unwrap().iter();
    let in_time = matches.filter(|id| {
        let kept = arena.get(&format!("/api/matches/{}", id.as_str().unwrap()));
        kept["live"]["differs"] == Value::Null && kept["live"]["moments"].is_array()
    });
    assert_eq!(in_time.count(), 2);
}
