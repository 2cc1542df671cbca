//! Records of matches: written, read, and repeated with an engine.

use std::sync::atomic::AtomicBool;

use paidia_arena::record::{BadRecord, Heading, MatchRecord, Recorder, verify};
use paidia_arena::{Local, Playable, PlayerSpec, Referee, make};
use paidia_game::{AnyGame, Chance, MoveId, Rules, Sight};
use paidia_search::{Budget, Decision, Player, StopReason};
use paidia_testkit::bundled;

/// Written by hand as ggp-base writes: states as one text, spaces within parentheses, `START`'s
/// errors first.
const BY_HAND: &str = include_str!("../data/ggp-base-match.json");

/// A match between random players, written down.
fn recorded(name: &str, seed: u64, limit: usize) -> (AnyGame, MatchRecord) {
    let game = bundled(name).any();
    let spec: PlayerSpec = "random".parse().unwrap();
    let playable = Playable::any(game.clone());
    let mut players: Vec<Option<Box<dyn Player<AnyGame>>>> = Vec::new();
    for role in game.facts().role_ids() {
        let drawn = Some(role) == game.facts().random();
        players.push((!drawn).then(|| make(&spec, &playable, role, seed).unwrap()));
    }
    let names = players
        .iter()
        .map(|player| player.as_ref().map(|_| "random player".to_owned()));
    let heading = Heading {
        game: name.to_owned(),
        players: names.collect(),
        clocks: Some((2.5, 1.0)),
        ..Heading::default()
    };
    let mut seats = Local::seats(players, Budget::simulations(1));
    let referee = Referee::new(&game, limit);
    let mut record = referee.start(&game.initial(), seed);
    let mut recorder = Recorder::new(&game, heading, &game.initial());
    let result = loop {
        if let Some(result) = referee.step(&mut record, &mut seats) {
            break result;
        }
        recorder.step(record.moves.last().unwrap(), record.state());
    };
    (game, recorder.finish(&result))
}

#[test]
fn matches_come_back_as_they_were_and_can_be_repeated() {
    for name in [
        "tic-tac-toe",
        "monty-hall",
        "chinese-checkers-3",
        "maze",
        "kuhn-poker",
    ] {
        let (game, record) = recorded(name, 3, 500);
        assert!(record.is_completed && !record.is_aborted);
        let text = serde_json::to_vec(&record).unwrap();
        let again = MatchRecord::parse(&text).unwrap();
        assert_eq!(again, record, "{name}");
        assert_eq!(verify(&game, &again), [], "{name}");
        assert_eq!((record.start_clock, record.play_clock), (3, 1));
        assert_eq!(record.state_times.len(), record.states.len());
        assert_eq!(record.errors.len(), record.states.len());
        assert_eq!(record.random_token.len(), 32);
    }
    let (game, cut) = recorded("tic-tac-toe", 3, 2);
    assert!(cut.is_aborted && !cut.is_completed && cut.goal_values.is_empty());
    assert_eq!(verify(&game, &cut), []);
}

#[test]
fn illegal_choices_are_noted_as_ggp_base_notes_them() {
    struct Stubborn(Option<paidia_game::MoveId>);
    impl Player<AnyGame> for Stubborn {
        fn observe(&mut self, _: &Sight<'_, <AnyGame as Rules>::State>) {}

        fn choose(&mut self, _: &[MoveId], _: Budget, _: &AtomicBool) -> Decision {
            let id = self.0.unwrap_or(paidia_game::MoveId(0));
            Decision::without_search(id, StopReason::NoSearch)
        }
    }
    let game = bundled("tic-tac-toe").any();
    let referee = Referee::new(&game, 9);
    let mut record = referee.start(&game.initial(), 1);
    let first = record.legal(paidia_game::RoleId(0))[0];
    let stubborn = || Some(Box::new(Stubborn(Some(first))) as Box<dyn Player<AnyGame>>);
    let mut seats = Local::seats([stubborn(), stubborn()], Budget::simulations(1));
    let mut recorder = Recorder::new(&game, Heading::default(), &game.initial());
    referee.step(&mut record, &mut seats);
    recorder.step(record.moves.last().unwrap(), record.state());
    let written = recorder.finish(&paidia_arena::MatchEnd::Cut);
    let text = game.moves().name(first);
    assert_eq!(written.errors[0], ["", ""]);
    assert_eq!(written.errors[1], [String::new(), format!("IL {text}")]);
    assert_eq!(written.error_count(), 1);
    assert_eq!(verify(&game, &written), []);
}

#[test]
fn a_record_by_ggp_base_is_read() {
    let record = MatchRecord::parse(BY_HAND.as_bytes()).unwrap();
    assert_eq!(record.match_id, "base.ticTacToe.1415804102000");
    assert_eq!(
        record.game_meta_url.as_deref(),
        Some("http://games.ggp.org/base/games/ticTacToe/")
    );
    assert_eq!(
        (record.start_clock, record.play_clock, record.preview_clock),
        (30, 15, -1)
    );
    assert_eq!(record.moves[0], ["(mark 2 2)", "noop"]);
    assert_eq!(record.states[0].len(), 10);
    assert!(record.states[1].contains(&"(cell 2 2 x)".to_owned()));
    assert_eq!(record.errors[2], ["", "TO"]);
    assert_eq!(record.goal_values, [100, 0]);
    assert_eq!(record.error_count(), 1);
}

#[test]
fn a_record_that_is_not_true_is_found_out() {
    let (game, record) = recorded("tic-tac-toe", 5, 500);
    let what = |change: &dyn Fn(&mut MatchRecord)| {
        let mut changed = record.clone();
        change(&mut changed);
        let found = verify(&game, &changed);
        found
            .first()
            .map(|difference| (difference.step, difference.what.clone()))
    };
    assert_eq!(what(&|_| {}), None);
    let goals = what(&|record| record.goal_values[0] = 77);
    assert_eq!(goals, Some((record.moves.len(), "goal of x".to_owned())));
    let state = what(&|record| record.states[2].push("(cell 9 9 x)".to_owned()));
    assert_eq!(state, Some((2, "state".to_owned())));
    let illegal = what(&|record| record.moves[1] = record.moves[0].clone());
    assert!(illegal.is_some_and(|(step, what)| step == 1 && what.contains("is not a legal move")));
    let over = what(&|record| {
        record.moves.pop();
        record.states.pop();
    });
    assert!(over.is_some_and(|(_, what)| what == "whether the game is over"));
    let beyond = what(&|record| {
        record.moves.push(vec!["noop".to_owned(); 2]);
        record.states.push(Vec::new());
    });
    assert!(beyond.is_some());
    let roles = what(&|record| record.game_role_names = Some(vec!["x".to_owned()]));
    assert_eq!(roles, Some((0, "roles".to_owned())));
    assert_ne!(verify(&bundled("maze").any(), &record), []);
}

#[test]
fn what_makes_no_sense_is_refused_with_a_reason() {
    let refused = |from: &str, to: &str| {
        assert!(BY_HAND.contains(from), "{from}");
        let text = BY_HAND.replacen(from, to, 1);
        MatchRecord::parse(text.as_bytes()).unwrap_err().to_string()
    };
    assert!(refused("\"moves\":", "\"plays\":").contains("moves"));
    assert!(refused("[100, 0]", "[100]").contains("a list of 1 is not for 2 roles"));
    assert!(refused("[\"( mark 2 2 )\", \"noop\"],", "").contains("states do not go with"));
    assert!(refused("\"( mark 2 2 )\"", "\"( mark 2 2\"").contains("parentheses"));
    assert!(refused("\"( mark 2 2 )\"", "\"a b\"").contains("is not one move"));
    assert!(refused("\"( mark 2 2 )\"", "3").contains("expected a string"));
    for text in ["", " \n", "[]", "(does x noop)"] {
        let read = MatchRecord::parse(text.as_bytes());
        assert!(matches!(read, Err(BadRecord::NoObject)), "{text}");
    }
    assert!(matches!(MatchRecord::parse(b"{"), Err(BadRecord::Form(_))));
    let deep = format!(
        "{{\"matchId\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert!(matches!(
        MatchRecord::parse(deep.as_bytes()),
        Err(BadRecord::Form(_))
    ));
}

/// Damaged records: bytes changed, cut, doubled. Whatever can be read can be repeated; nothing
/// panics.
#[test]
fn damaged_records_upset_nobody() {
    let inputs = std::env::var("PAIDIA_FUZZ_INPUTS").ok();
    let inputs: u32 = inputs
        .and_then(|inputs| inputs.parse().ok())
        .unwrap_or(2_000);
    let game = bundled("tic-tac-toe").any();
    let own = serde_json::to_vec(&recorded("tic-tac-toe", 2, 500).1).unwrap();
    let mut chance = Chance::from_seed(1);
    let mut read = 0;
    for input in 0..inputs {
        let mut bytes = if input % 2 == 0 {
            own.clone()
        } else {
            BY_HAND.as_bytes().to_vec()
        };
        for _ in 0..=chance.below(4) {
            let place = chance.below(bytes.len() as u32) as usize;
            let end = (place + chance.below(30) as usize).min(bytes.len());
            match chance.below(4) {
                0 => bytes[place] = chance.below(256) as u8,
                1 => bytes[place] = b"()[]{},:\"\\0- "[chance.below(13) as usize],
                2 => drop(bytes.drain(place..end)),
                _ => {
                    let part = bytes[place..end].to_vec();
                    bytes.splice(place..place, part);
                }
            }
            if bytes.is_empty() {
                break;
            }
        }
        if let Ok(record) = MatchRecord::parse(&bytes) {
            read += 1;
            verify(&game, &record);
        }
    }
    assert!(read > 0, "all damage was fatal: nothing was tested");
}
