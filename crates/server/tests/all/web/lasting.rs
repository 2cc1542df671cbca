//! What goes on after the arena has ended, in whatever way. What is on disk at a moment is all that
//! an arena leaves that is killed then; so these tests copy the folder while the arena is open, and
//! open another arena with the copy.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::web::client::{Arena, last, legal};
use crate::web::games::COINS;

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => drop(fs::copy(entry.path(), target).unwrap()),
        }
    }
}

/// An arena that finds what another one would leave behind if it were killed now.
fn killed(arena: &Arena, name: &str) -> Arena {
    let folder: PathBuf = arena.folder.path().join(name);
    copy(&arena.folder.path().join("records"), &folder);
    Arena::with("127.0.0.1:0", |options| options.records = folder)
}

/// What is to be seen of a match, without what belongs to one run of the program.
fn seen(snapshot: &Value) -> (Value, Value, Value) {
    let part = |name: &str| snapshot[name].clone();
    (part("frames"), part("seats"), part("seconds"))
}

#[test]
fn a_match_goes_on_wherever_the_arena_was_killed() {
    let arena = Arena::new();
    let order =
        json!({"game": "tic-tac-toe", "seats": ["human", "human"], "seconds": 2, "seed": 7});
    let table = arena.table(&order);
    let moves = ["(mark 2 2)", "(mark 1 1)", "(mark 3 3)", "(mark 1 2)"];
    for (ply, text) in moves.iter().enumerate() {
        arena.make(&table, ply, ply % 2, text);
        let after = killed(&arena, &format!("after-{ply}"));
        assert_eq!(
            seen(&after.get(&table)),
            seen(&arena.get(&table)),
            "ply {ply}"
        );
        assert_eq!(after.get("/api/tables")["tables"][0]["ply"], ply + 1);
    }
    arena.post(&format!("{table}/take-back"), &json!({"to": 2}));
    arena.post(
        &format!("{table}/seats"),
        &json!({"seats": ["human", "random"], "seconds": 0.5}),
    );
    arena.make(&table, 2, 0, "(mark 1 3)");
    arena.until(&table, |snapshot| last(snapshot)["ply"] == 4);
    let after = killed(&arena, "taken-back");
    assert_eq!(seen(&after.get(&table)), seen(&arena.get(&table)));
    // It is played on there, and what it comes to is written down.
    while last(&after.get(&table))["ended"].is_null() {
        let snapshot = after.until(&table, |snapshot| {
            let frame = last(snapshot);
            !frame["ended"].is_null() || frame["turn"] == json!([0])
        });
        let frame = last(&snapshot);
        if frame["ended"].is_null() {
            let ply = frame["ply"].as_u64().unwrap() as usize;
            after.make(&table, ply, 0, &legal(frame, 0)[0]);
        }
    }
    let done = after.until(&table, |snapshot| !snapshot["match"].is_null());
    assert_eq!(after.get("/api/matches")["total"], 1);
    let again = killed_of(&after);
    assert_eq!(again.get(&table)["match"], done["match"]);
    assert_eq!(again.get("/api/matches")["total"], 1);
}

/// The same for an arena that has a folder of a copy.
fn killed_of(arena: &Arena) -> Arena {
    let order = json!({"game": "tic-tac-toe", "seats": ["human", "human"]});
    let records = arena.records.clone();
    // A table that was opened and left is there as well.
    arena.table(&order);
    let folder = records.with_extension("again");
    copy(&records, &folder);
    Arena::with("127.0.0.1:0", |options| options.records = folder)
}

#[test]
fn what_is_open_when_the_arena_closes_is_open_in_the_next() {
    let mut arena = Arena::new();
    let table = arena.table(&json!({"game": "tic-tac-toe", "seats": ["human", "human"]}));
    arena.make(&table, 0, 0, "(mark 1 1)");
    let before = arena.get(&table);
    let records = arena.records.clone();
    arena.close();
    let arena = Arena::with("127.0.0.1:0", |options| options.records = records);
    assert_eq!(arena.get("/api/matches")["total"], 0);
    assert_eq!(seen(&arena.get(&table)), seen(&before));
    arena.make(&table, 1, 1, "(mark 2 2)");
    // A table that is closed is broken off, and does not come back.
    arena.post(&format!("{table}/close"), &json!({}));
    let list = arena.until("/api/matches", |list| list["total"] == 1);
    assert_eq!(list["matches"][0]["completed"], false);
    arena.until("/api/tables", |list| list["tables"] == json!([]));
    arena.refused(404, &table, &Value::Null);
}

#[test]
fn clocks_go_on_after_a_restart_with_what_they_had() {
    let arena = Arena::new();
    let order = json!({"game": "tic-tac-toe", "seats": ["human", "human"],
        "clock": {"seconds": 300, "increment": 7}});
    let table = arena.table(&order);
    arena.make(&table, 0, 0, "(mark 1 1)");
    arena.make(&table, 1, 1, "(mark 2 2)");
    let noted = |snapshot: &Value| snapshot["frames"][2]["clock"].clone();
    let before = arena.get(&table);
    assert!(
        noted(&before)[1].as_u64().unwrap() > 300_000,
        "{}",
        noted(&before)
    );
    let after = killed(&arena, "clocks").get(&table);
    assert_eq!(noted(&after), noted(&before));
    assert_eq!(after["clock"]["running"], json!([0]));
    assert_eq!(after["clock"]["left"][1], noted(&before)[1]);
}

#[test]
fn a_person_who_resigned_has_resigned_after_a_restart() {
    let arena = Arena::new();
    let table = arena.table(&json!({"game": "tic-tac-toe", "seats": ["human", "human"]}));
    arena.make(&table, 0, 0, "(mark 1 1)");
    arena.post(&format!("{table}/resign"), &json!({"role": 1}));
    let done = arena.until(&table, |snapshot| !snapshot["match"].is_null());
    let after = killed(&arena, "resigned");
    assert_eq!(seen(&after.get(&table)), seen(&done));
    assert_eq!(after.get("/api/tables")["tables"][0]["ended"], "resigned o");
}

#[test]
fn chance_and_pasted_rules_go_on_where_they_were() {
    let arena = Arena::new();
    let game = arena.post("/api/games", &json!({"name": "Three coins", "text": COINS}));
    let coins = arena.table(&json!({"game": game["id"], "seats": ["human"]}));
    arena.make(&coins, 0, 0, "take");
    let order = json!({"game": "kuhn-poker", "seats": [null, "human", "human"], "seed": 3});
    let listed = arena.get("/api/games/kuhn-poker");
    let random = listed["random"].as_u64().unwrap() as usize;
    let seats: Vec<Value> = (0..listed["roles"].as_array().unwrap().len())
        .map(|role| {
            if role == random {
                Value::Null
            } else {
                json!("human")
            }
        })
        .collect();
    let poker = arena.table(&json!({"game": order["game"], "seats": seats, "seed": 3}));
    let people = (0..seats.len()).filter(|&role| role != random);
    let paths: Vec<String> = people.map(|role| arena.sit(&poker, role)).collect();
    arena.until(&paths[0], |snapshot| {
        last(snapshot)["ply"].as_u64() > Some(0)
    });
    let after = killed(&arena, "chance");
    assert_eq!(seen(&after.get(&coins)), seen(&arena.get(&coins)));
    for path in paths {
        // Each role sees its own cards, and no others; and it is still its person's.
        assert_eq!(seen(&after.get(&path)), seen(&arena.get(&path)));
        let nameless = path.split('&').next().unwrap();
        after.refused(403, nameless, &Value::Null);
    }
    let id = game["id"].as_str().unwrap();
    assert_eq!(after.get(&format!("/api/games/{id}"))["text"], COINS);
}

#[test]
fn a_damaged_journal_loses_no_more_than_what_is_damaged() {
    let arena = Arena::new();
    let table = arena.table(&json!({"game": "tic-tac-toe", "seats": ["human", "human"]}));
    arena.make(&table, 0, 0, "(mark 1 1)");
    arena.make(&table, 1, 1, "(mark 2 2)");
    let id = table.rsplit('/').next().unwrap().to_owned();
    let whole = fs::read(arena.records.join(format!("arena/tables/{id}.table"))).unwrap();
    let lines: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
    for cut in 1..whole.len() {
        // Each line's borders, and some places within it.
        if lines.iter().any(|line| cut.abs_diff(*line) < 2) || cut % 97 == 0 {
            let folder = arena.folder.path().join(format!("cut-{cut}"));
            fs::create_dir_all(folder.join("arena/tables")).unwrap();
            fs::write(
                folder.join(format!("arena/tables/{id}.table")),
                &whole[..cut],
            )
            .unwrap();
            let after = Arena::with("127.0.0.1:0", |options| options.records = folder);
            let kept = lines.iter().filter(|&&line| line < cut).count();
            match kept {
                0 => drop(after.refused(404, &table, &Value::Null)),
                kept => assert_eq!(last(&after.get(&table))["ply"], kept - 1),
            }
        }
    }
}

#[test]
fn a_tournament_is_played_on() {
    let arena = Arena::new();
    let wish = json!({"games": ["connect-four"], "players": ["random", "mc-flat"], "rounds": 8, "seconds": 0.02});
    let opened = arena.post("/api/tournaments", &wish);
    let path = format!("/api/tournaments/{}", opened["id"].as_str().unwrap());
    let before = arena.until(&path, |progress| progress["done"].as_u64() > Some(1));
    arena.post(&format!("{path}/stop"), &json!({}));
    // A tournament that was stopped stays so; what an arena leaves that is killed says `playing`.
    arena.until(&path, |progress| progress["state"] == "stopped");
    let name = arena.records.join("arena/tournaments");
    let file = fs::read_dir(name).unwrap().next().unwrap().unwrap().path();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("\"stopped\"", "\"playing\"")).unwrap();
    let after = killed(&arena, "tournament");
    let done = after.until(&path, |progress| progress["state"] == "finished");
    assert_eq!(done["done"], 16);
    assert_eq!(
        after.get(&format!(
            "/api/matches?tournament={}",
            opened["id"].as_str().unwrap()
        ))["total"],
        16
    );
    assert!(before["done"].as_u64() < Some(16));
}

#[test]
fn levels_are_seats_and_a_player_can_be_told_to_move_now() {
    let arena = Arena::new();
    let levels = arena.get("/api/players")["levels"].clone();
    let names: Vec<&str> = (0..5)
        .map(|place| levels[place]["name"].as_str().unwrap())
        .collect();
    let table =
        arena.table(&json!({"game": "breakthrough", "seats": ["human", names[0]], "seconds": 1}));
    let frame = |snapshot: &Value| legal(last(snapshot), 0)[0].clone();
    arena.make(&table, 0, 0, &frame(&arena.get(&table)));
    let answered = arena.until(&table, |snapshot| last(snapshot)["ply"] == 2);
    let found = &last(&answered)["made"]["by"][1];
    assert!(found["simulations"].as_u64().unwrap() <= 40, "{found}");
    assert_eq!(found["stopped"], "simulations");
    arena.refused(409, &format!("{table}/move-now"), &json!({}));
    arena.refused(
        422,
        "/api/tournaments",
        &json!({"games": ["tic-tac-toe"], "players": ["level-1", "level-2"]}),
    );
    // The highest takes its time, tells what it finds, and can be hurried.
    let slow =
        arena.table(&json!({"game": "breakthrough", "seats": ["human", names[4]], "seconds": 50}));
    let mut events = arena.listen(&slow);
    events.until("snapshot");
    arena.make(&slow, 0, 0, &frame(&arena.get(&slow)));
    events.until("thinking");
    let (one, other) = (events.until("thought"), events.until("thought"));
    let count = |found: &Value| found["simulations"].as_u64().unwrap();
    assert!(
        0 < count(&one) && count(&one) < count(&other),
        "{one} {other}"
    );
    let visits = |found: &Value| found["moves"][0]["visits"].as_u64().unwrap();
    assert!(visits(&other) > visits(&one), "{one} {other}");
    arena.post(&format!("{slow}/move-now"), &json!({}));
    loop {
        let frame = events.until("frame");
        if frame["ply"] == 2 {
            let found = &frame["made"]["by"][1];
            assert!(found["seconds"].as_f64().unwrap() < 40.0, "{found}");
            assert_eq!(found["move"], frame["made"]["joint"][1]);
            let line = &found["line"];
            assert!(
                line == &json!([]) || line[0]["joint"][1] == found["move"],
                "{line}"
            );
            break;
        }
    }
}

#[test]
fn moves_that_name_no_square_can_be_clicked_where_they_change_something() {
    let arena = Arena::new();
    // White castles on the king's side: the king goes from e1 to g1, the rook from h1 to f1.
    let moves = [
        ["(move 7 1 6 3)", "noop"],
        ["noop", "(move 1 7 1 6)"],
        ["(move 5 2 5 4)", "noop"],
        ["noop", "(move 2 7 2 6)"],
        ["(move 6 1 5 2)", "noop"],
        ["noop", "(move 3 7 3 6)"],
    ];
    let line = arena.post("/api/line", &json!({"game": "chess", "moves": moves}));
    let legal = last(&line)["legal"][0].as_array().unwrap();
    let castle = legal
        .iter()
        .find(|one| one["move"] == "(castle king_side)")
        .expect("castling");
    let ways = castle["ways"].as_array().unwrap();
    for way in [json!([4, 6]), json!([4, 7]), json!([7, 4])] {
        assert!(ways.contains(&way), "{castle}");
    }
    // The rook may go beside the king by itself.
    assert!(!ways.contains(&json!([7, 5])), "{castle}");
    // Tron is steered: each way leads to one square beside the head.
    let tron = arena.get("/api/games/tron");
    let ways = tron["start"]["legal"][0]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["ways"].clone());
    let ways: Vec<Value> = ways.collect();
    assert!(
        ways.iter()
            .all(|ways| ways.as_array().is_some_and(|ways| !ways.is_empty())),
        "{ways:?}"
    );
}
