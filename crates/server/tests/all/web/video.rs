//! Video games over the API: opened, played, watched, gone back in, and refused with places.

use serde_json::{Value, json};

use crate::web::client::Arena;

/// A game of one level, which is won by going right twice.
const FLAG: &str = "BasicGame square_size=10\n  SpriteSet\n    flag > Door\n  LevelMapping\n    f > flag\n  \
    InteractionSet\n    avatar wall > stepBack\n    flag avatar > killSprite scoreChange=1\n  TerminationSet\n    \
    SpriteCounter stype=flag win=True\n    Timeout limit=90\nLevel\nwA fw\n";

fn step(arena: &Arena, id: &Value, wish: &Value) -> Value {
    let id = id.as_str().unwrap();
    arena.post(&format!("/api/video/{id}/step"), wish)
}

#[test]
fn a_video_game_is_played_to_its_end_and_gone_back_in() {
    let arena = Arena::new();
    let opened = arena.post("/api/video", &json!({"text": FLAG}));
    assert_eq!(
        (&opened["columns"], &opened["rows"]),
        (&json!(5), &json!(1))
    );
    assert_eq!(opened["fixed"].as_array().unwrap().len(), 2, "two walls");
    let id = &opened["id"];
    let first = step(&arena, id, &json!({"action": "RIGHT"}));
    assert_eq!((&first["tick"], &first["over"]), (&json!(1), &json!(false)));
    let last = step(&arena, id, &json!({"action": "RIGHT"}));
    assert_eq!((&last["win"], &last["score"]), (&json!(1), &json!(1)));
    let path = format!("/api/video/{}/seek", id.as_str().unwrap());
    let back = arena.post(&path, &json!({"tick": 1}));
    assert_eq!((&back["tick"], &back["length"]), (&json!(1), &json!(2)));
    assert_eq!(back["sprites"], first["sprites"]);
}

#[test]
fn a_controller_plays_with_its_plan_shown() {
    let arena = Arena::new();
    let opened = arena.post("/api/video", &json!({"text": FLAG}));
    let watched = step(
        &arena,
        &opened["id"],
        &json!({"player": "iw", "thinking": 50}),
    );
    assert_eq!(watched["action"], "RIGHT", "{watched}");
    assert!(watched["calls"].as_u64().unwrap() > 0);
    assert_eq!(watched["plan"], json!([[30, 0]]));
}

#[test]
fn what_cannot_be_played_is_refused() {
    let arena = Arena::new();
    let faulty = FLAG.replace("BasicGame", "NoGame");
    let refused = arena.refused(422, "/api/video", &json!({"text": faulty}));
    assert!(refused["error"].is_string());
    for wish in [
        json!({"game": "../../etc/passwd"}),
        json!({"game": "goats", "level": 9}),
        json!({"text": "(role x)"}),
    ] {
        arena.refused(404, "/api/video", &wish);
    }
    let opened = arena.post("/api/video", &json!({"game": "goats"}));
    let path = format!("/api/video/{}/step", opened["id"].as_str().unwrap());
    arena.refused(400, &path, &json!({"action": "JUMP"}));
    arena.refused(400, &path, &json!({"player": "uct(memory=100000)"}));
    arena.refused(404, "/api/video/none/step", &json!({}));
}
