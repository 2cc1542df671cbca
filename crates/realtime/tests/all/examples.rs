//! The examples of the papers, as they are printed there but for typing errors, come out as the
//! papers say, on every engine. Kowalski and Kisielewicz 2015, and listing 5.1 of Kowalski 2016.

use paidia_game::{Chance, Reading, Rules, Ticks, TimedGame, TimedWalker};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;

use crate::stage::{Stage, engines, engines_reading};

const CHICKEN: &str = include_str!("../../../gdl/tests/sheets/listings/chicken.gdl");
const TIC_TAC_TOE: &str = include_str!("../../../gdl/tests/sheets/listings/tic-tac-toe-clock.gdl");
const CHESS_CLOCK: &str = include_str!("../../../gdl/tests/sheets/listings/chess-clock.gdl");
const OBJECTS: &str = include_str!("../../../gdl/tests/sheets/listings/real-time-objects.gdl");

/// When which moves arrive.
type Schedule = &'static [(&'static str, &'static str)];

#[test]
fn chicken_pays_as_printed_and_ends_at_one() {
    let schedules: [(Schedule, [i32; 2]); 4] = [
        (&[], [0, 0]),
        (&[("0.25", "white swerve")], [80, 100]),
        (&[("0.999999", "black swerve")], [100, 80]),
        (
            &[("0.5", "black swerve"), ("0.75", "white swerve")],
            [90, 90],
        ),
    ];
    for game in engines(CHICKEN) {
        for (moves, goals) in schedules {
            let mut stage = Stage::new(&game);
            for (time, text) in moves {
                stage.at(time, &[text]);
            }
            stage.until("5");
            assert!(stage.table.is_over());
            assert_eq!(stage.table.now(), Ticks::from_units(1.0));
            assert_eq!(stage.goals(), goals.map(|goal| vec![goal]));
        }
    }
}

#[test]
fn a_driver_of_chicken_swerves_once_and_a_second_time_changes_nothing() {
    for game in engines(CHICKEN) {
        let mut stage = Stage::new(&game);
        stage.at("0.25", &["white swerve"]);
        let before = stage.lasting();
        stage.at("0.5", &["white swerve"]);
        assert_eq!(stage.lasting(), before, "no update");
        assert_eq!(stage.table.updates(), 1);
        let lines = ["0.25: white swerve", "0.5: white swerve is refused"];
        assert_eq!(stage.lines(), lines);
    }
}

#[test]
fn a_move_on_the_instant_at_which_chicken_ends_is_judged_but_comes_too_late() {
    for game in engines(CHICKEN) {
        let mut stage = Stage::new(&game);
        stage.at("1", &["white swerve"]);
        assert_eq!(stage.lines(), ["1: white swerve, timer ends"]);
        assert_eq!(stage.goals(), [[0], [0]], "the end is read before the move");
    }
}

#[test]
fn whose_move_clock_runs_out_in_tic_tac_toe_has_lost() {
    for game in engines(TIC_TAC_TOE) {
        let mut stage = Stage::new(&game);
        stage.at("0.75", &["xplayer (mark 2 2)"]).until("9");
        let lines = ["0.75: xplayer (mark 2 2)", "1.75: (control oplayer) ends"];
        assert_eq!(stage.lines(), lines);
        assert_eq!(stage.goals(), [[100], [0]]);
    }
    // Under the other reading the silent update drops the empty squares first.
    for game in engines_reading(TIC_TAC_TOE, Some(Reading::PostUpdate)) {
        let mut stage = Stage::new(&game);
        stage.until("9");
        assert_eq!(stage.goals(), [vec![0, 50], vec![50, 100]]);
    }
}

#[test]
fn lines_end_tic_tac_toe_with_a_move_clock_and_it_has_no_noop() {
    for game in engines(TIC_TAC_TOE) {
        let mut stage = Stage::new(&game);
        assert!(
            stage
                .table
                .walker()
                .legal()
                .of(paidia_game::RoleId(1))
                .is_empty()
        );
        let moves = [
            ("0.5", "xplayer (mark 1 1)"),
            ("1.25", "oplayer (mark 2 1)"),
            ("1.5", "xplayer (mark 1 2)"),
            ("2.25", "oplayer (mark 2 2)"),
            ("3.125", "xplayer (mark 1 3)"),
        ];
        for (time, text) in moves {
            assert!(!stage.table.is_over());
            stage.at(time, &[text]);
        }
        assert!(stage.table.is_over());
        assert_eq!(stage.goals(), [[100], [0]]);
    }
}

#[test]
fn the_chess_clock_shows_115_and_113_and_white_loses_at_127() {
    for game in engines(CHESS_CLOCK) {
        let mut stage = Stage::new(&game);
        assert_eq!(
            stage.facts("timer"),
            ["infinity (timer black 120)", "infinity (timer white 120)"]
        );
        stage.at("5", &["white press"]);
        let timers = ["infinity (timer black 120)", "infinity (timer white 115)"];
        assert_eq!(stage.facts("timer"), timers);
        assert_eq!(stage.facts("clock"), ["120 clock"]);
        stage.at("12", &["black press"]);
        let timers = ["infinity (timer black 113)", "infinity (timer white 115)"];
        assert_eq!(stage.facts("timer"), timers);
        assert_eq!(stage.facts("clock"), ["115 clock"]);
        stage.until("1000");
        assert_eq!(stage.lines().last().unwrap(), "127: clock ends");
        assert_eq!(stage.goals(), [[0], [100]]);
    }
}

#[test]
fn the_cheshire_cat_comes_and_goes_at_1_4_5_8_and_so_on() {
    for game in engines(OBJECTS) {
        let mut stage = Stage::new(&game);
        // Moves in between shift nothing.
        stage.at("0.3", &["player (build barracks)"]);
        stage.at("4.321", &["player (take 2 3)"]).until("17");
        let changes = stage.lines().iter().filter_map(|line| {
            let (time, what) = line.split_once(": ")?;
            what.contains("cheshireCat").then_some(time)
        });
        let changes: Vec<&str> = changes.collect();
        assert_eq!(changes, ["1", "4", "5", "8", "9", "12", "13", "16", "17"]);
        assert_eq!(stage.facts("disappear"), ["3 (disappear cheshireCat)"]);
    }
}

#[test]
fn armour_comes_back_when_its_time_is_over_and_keeps_how_long_that_is() {
    for game in engines(OBJECTS) {
        let mut stage = Stage::new(&game);
        stage.at("1", &["player (take 2 3)"]);
        stage.at("2.25", &["player (take 11 11)"]);
        let gone = [
            "10 (toRespawn 11 11 redArmor 10)",
            "4.25 (toRespawn 2 3 yellowArmor 5.5)",
        ];
        assert_eq!(
            stage.facts("toRespawn"),
            gone,
            "what is left, and what it was"
        );
        stage.at("6.25", &["player (take 2 3)"]);
        assert_eq!(
            stage.lines().last().unwrap(),
            "6.25: player (take 2 3) is refused"
        );
        stage.until("6.5");
        let yellow = "infinity (onMap 2 3 yellowArmor 5.5)";
        assert_eq!(stage.facts("onMap"), [yellow]);
        stage.at("7", &["player (take 2 3)"]).until("12.25");
        let red = "infinity (onMap 11 11 redArmor 10)";
        assert_eq!(stage.facts("onMap"), [red]);
        stage.until("12.5");
        assert_eq!(stage.facts("onMap"), [red, yellow]);
    }
}

#[test]
fn a_ship_flies_every_half_unit_and_moves_do_not_shift_it() {
    let places = ["37 88 41", "39 90 42", "41 92 43", "43 94 44"];
    for game in engines(OBJECTS) {
        for moves in [
            &[][..],
            &[
                ("0.1", "player (take 2 3)"),
                ("0.99", "player (build blacksmith)"),
            ],
        ] {
            let mut stage = Stage::new(&game);
            let mut moves = moves.iter().peekable();
            for (step, place) in places.iter().enumerate() {
                let due = 0.5 * (step + 1) as f64;
                while let Some((time, text)) =
                    moves.next_if(|(time, _)| time.parse::<f64>().unwrap() < due)
                {
                    let before = stage.facts("space");
                    stage.at(time, &[text]);
                    assert_eq!(stage.facts("space"), before, "only its refresh moves it");
                }
                stage.until(&due.to_string());
                assert_eq!(stage.table.now(), Ticks::from_units(due));
                let flies = format!("infinity (space {place} xwing)");
                assert_eq!(stage.facts("space"), [flies]);
            }
        }
    }
}

#[test]
fn buildings_are_finished_when_their_time_is_over() {
    for game in engines(OBJECTS) {
        let mut stage = Stage::new(&game);
        stage.at("0.75", &["player (build barracks)"]);
        stage.at("2", &["player (build blacksmith)"]).until("6.75");
        assert_eq!(
            stage.facts("constructed"),
            ["infinity (constructed barracks)"]
        );
        assert!(!stage.table.is_over());
        stage.until("20");
        assert_eq!(stage.table.now(), Ticks::from_units(9.0));
        assert_eq!(stage.goals(), [[100]]);
    }
}

#[test]
fn the_same_fact_with_two_lifetimes_expires_twice() {
    for game in engines(OBJECTS) {
        let mut stage = Stage::new(&game);
        stage.at("1", &["player (build barracks)"]);
        stage.at("3", &["player (build barracks)"]);
        let both = [
            "4 (underConstruction barracks)",
            "6 (underConstruction barracks)",
        ];
        assert_eq!(stage.facts("underConstruction"), both);
        stage.until("20");
        let ends = stage.lines().iter();
        let ends = ends.filter(|line| line.contains("(underConstruction barracks) ends"));
        let ends: Vec<&str> = ends.map(|line| line.split(':').next().unwrap()).collect();
        assert_eq!(ends, ["7", "9"]);
    }
}

#[test]
fn rules_compare_and_copy_times_but_do_not_calculate() {
    let text = "(role p) (init 1.5 a) (plus 1 1 two) (plus 1.25 1 more)
        (<= (next ?t a) (true ?t a)) (<= (next infinity (is ?t)) (does p look) (true ?t a))
        (<= (next infinity (sum ?z)) (does p look) (true ?t a) (plus ?t 1 ?z))
        (<= (legal p look) (role p)) (<= terminal (expired a)) (goal p 0)";
    for game in engines(text) {
        let mut stage = Stage::new(&game);
        for (time, left, sum) in [
            ("0.5", "1", &["infinity (sum two)"][..]),
            ("1.0", "0.5", &[]),
        ] {
            stage.at(time, &["p look"]);
            assert_eq!(stage.facts("is"), [format!("infinity (is {left})")]);
            assert_eq!(
                stage.facts("sum"),
                sum,
                "a fact for 1, and no arithmetic for 0.5"
            );
        }
    }
}

#[test]
fn every_restriction_of_the_language_refuses_a_sheet() {
    let sound = "(role p) (init 1.0 f) (<= (next ?t f) (true ?t f)) (<= (legal p go) (role p))
        (<= terminal (expired f)) (goal p 0) ";
    let problems = |text: &str| {
        let (_, report) = check_source(&Source::new("sheet", text.to_owned()), None);
        report.has_errors()
    };
    assert!(!problems(sound));
    for broken in [
        "(<= (role q) (true ?t f))",
        "(<= (next 1.0 f) (init 1.0 f))",
        "(<= (init 1.0 g) (true ?t f))",
        "(<= (init 1.0 g) (expired f))",
        "(true 1.0 f)",
        "(expired f)",
        "(does p go)",
        "(<= (legal p stay) (does p go))",
        "(<= q (does p go)) (<= (goal p 1) q)",
        "(<= terminal (next 1.0 f))",
        "(<= a (role p) (not b)) (<= b (role p) (not a))",
        "(<= (next 1.0 (g ?x)) (true ?t f))",
        "(n 0) (<= (n (s ?x)) (n ?x))",
        "(init 0 g)",
        "(init -1 g)",
        "(init g)",
    ] {
        assert!(problems(&format!("{sound}{broken}")), "{broken}");
    }
}

/// A lifetime above the time that passed stays with the difference, any other expires.
#[test]
fn what_passes_of_the_time_parts_the_facts_of_a_state() {
    let mut chance = Chance::from_seed(27);
    for round in 0..20 {
        let lifetimes: Vec<u64> = (0..12)
            .map(|_| u64::from(chance.below(8_000_000)) + 1)
            .collect();
        let mut text = "(role p) (<= (legal p look) (role p)) (<= terminal (true infinity end))
            (<= (next ?t (f ?n)) (true ?t (f ?n))) (<= (next infinity (gone ?n)) (expired (f ?n)))
            (<= (next infinity end) (does p end)) (goal p 0)"
            .to_owned();
        for (number, &lifetime) in lifetimes.iter().enumerate() {
            text += &format!(" (init {} (f {number}))", Ticks(lifetime));
        }
        let elapsed = match round % 2 {
            0 => lifetimes[3],
            _ => u64::from(chance.below(9_000_000)),
        };
        let mut expected: Vec<String> = lifetimes
            .iter()
            .enumerate()
            .map(|(number, &lifetime)| match lifetime > elapsed {
                true => format!("{} (f {number})", Ticks(lifetime - elapsed)),
                false => format!("infinity (gone {number})"),
            })
            .collect();
        expected.sort();
        for game in engines(&text) {
            let mut walker = game.walker();
            walker.update(&[], Ticks(elapsed));
            let mut state = game.initial();
            walker.save(&mut state);
            let lasting = game.lasting(&state).into_iter().map(|(left, fact)| {
                assert!(left.is_none_or(|left| left > Ticks::ZERO));
                let left = left.map_or("infinity".to_owned(), |left| left.to_string());
                format!("{left} {fact}")
            });
            let mut found: Vec<String> = lasting.collect();
            found.sort();
            assert_eq!(found, expected);
        }
    }
}
