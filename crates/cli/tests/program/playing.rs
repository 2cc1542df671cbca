//! Commands that play: simulate, perft, solve, transcript.

use paidia_testkit::process::file;

use super::{ONE_MOVE, paidia};

#[test]
fn simulate_reports_its_figures() {
    let report = paidia(&["simulate", "tic-tac-toe", "--playouts", "200", "--json"])
        .expect(0)
        .json();
    let fields = [
        "game",
        "engine",
        "seed",
        "load_ms",
        "playouts",
        "states",
        "cpu_s",
        "wall_s",
        "playouts_per_cpu_s",
        "states_per_cpu_s",
        "mean_length",
        "mean_goals",
    ];
    for field in fields {
        assert!(!report[field].is_null(), "{field} is missing: {report}");
    }
    assert_eq!(report["playouts"], 200);
    let (states, length) = (
        report["states"].as_f64().unwrap(),
        report["mean_length"].as_f64().unwrap(),
    );
    assert!((states / 200.0 - length).abs() < 1e-9 && (5.0..=9.0).contains(&length));
    let goals: f64 = report["mean_goals"]
        .as_array()
        .unwrap()
        .iter()
        .map(|goal| goal.as_f64().unwrap())
        .sum();
    assert!((goals - 100.0).abs() < 1e-9);
}

#[test]
fn a_seed_gives_the_same_playouts() {
    let run = |seed: &str| {
        let report = paidia(&[
            "simulate",
            "tic-tac-toe",
            "--playouts",
            "50",
            "--seed",
            seed,
            "--json",
        ])
        .expect(0)
        .json();
        (report["states"].clone(), report["mean_goals"].clone())
    };
    assert_eq!(run("7"), run("7"));
    assert_ne!(run("7"), run("8"));
}

#[test]
fn time_is_a_budget_too() {
    let report = paidia(&["simulate", "tic-tac-toe", "--seconds", "0.05", "--json"])
        .expect(0)
        .json();
    assert!(report["playouts"].as_u64().unwrap() > 0);
    let zero = paidia(&["simulate", "tic-tac-toe", "--seconds", "0", "--json"])
        .expect(0)
        .json();
    assert_eq!(zero["playouts"], 1);
    paidia(&["simulate", "tic-tac-toe", "--seconds", "-1"]).expect(2);
    paidia(&["simulate", "tic-tac-toe", "--seconds", "NaN"]).expect(2);
    paidia(&[
        "simulate",
        "tic-tac-toe",
        "--seconds",
        "1",
        "--playouts",
        "1",
    ])
    .expect(2);
}

#[test]
fn play_can_start_anywhere() {
    let line = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2) (mark 1 3)";
    let report = paidia(&[
        "simulate",
        "tic-tac-toe",
        "--playouts",
        "3",
        "--json",
        "--after",
        line,
    ])
    .expect(0)
    .json();
    assert_eq!(
        (&report["states"], &report["mean_goals"]),
        (&0.into(), &serde_json::json!([100.0, 0.0]))
    );

    let state = "(cell 1 1 x) (cell 1 2 x) (cell 1 3 empty) (control x)";
    let report = paidia(&[
        "simulate",
        "tic-tac-toe",
        "--playouts",
        "3",
        "--json",
        "--from",
        state,
    ])
    .expect(0)
    .json();
    assert_eq!(
        (&report["states"], &report["mean_length"]),
        (&3.into(), &1.0.into())
    );

    let folder = tempfile::tempdir().unwrap();
    let path = format!("@{}", file(&folder, "state.txt", state));
    let again = paidia(&[
        "perft",
        "tic-tac-toe",
        "--depth",
        "1",
        "--json",
        "--from",
        &path,
    ])
    .expect(0)
    .json();
    assert_eq!(again["depths"][1]["leaves"], 1);

    let wrong = paidia(&["simulate", "tic-tac-toe", "--after", "(mark 9 9)"]).expect(2);
    assert!(
        wrong
            .err
            .contains("step 1: `(mark 9 9)` is not a legal move of x here"),
        "{}",
        wrong.err
    );
}

#[test]
fn a_match_is_shown_move_by_move() {
    let shown = paidia(&["simulate", "tic-tac-toe", "--show"]).expect(0).out;
    assert!(
        shown.contains("Tic-Tac-Toe") && shown.contains("  3 · · ·\n"),
        "{shown}"
    );
    assert!(
        shown.contains("\n1. x (mark ") && shown.contains("The game is over after"),
        "{shown}"
    );
}

#[test]
fn endless_games_are_cut_and_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "(role a) (init (at 1)) (next (at 1)) (legal a wait) (<= terminal (true (at 2))) (goal a 50)";
    let rules = file(&folder, "endless.kif", rules);
    let run = paidia(&["simulate", &rules, "--playouts", "2", "--step-limit", "10"]).expect(0);
    assert!(
        run.out
            .contains("2 playouts did not end within the step limit"),
        "{}",
        run.out
    );
}

#[test]
fn tic_tac_toe_counts_are_those_of_the_world() {
    let report = paidia(&["perft", "tic-tac-toe", "--depth", "9", "--json"])
        .expect(0)
        .json();
    let column = |name: &str| -> Vec<u64> {
        report["depths"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row[name].as_u64().unwrap())
            .collect()
    };
    assert_eq!(column("depth"), (0..=9).collect::<Vec<u64>>());
    assert_eq!(
        column("leaves"),
        [1, 9, 72, 504, 3024, 15120, 54720, 148_176, 200_448, 127_872]
    );
    assert_eq!(
        column("states"),
        [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    );
    assert_eq!(
        column("terminals"),
        [0, 0, 0, 0, 0, 1440, 5328, 47952, 72576, 127_872]
    );
    assert_eq!(report["total_states"], 5478);
}

#[test]
fn chess_counts_are_those_of_the_world() {
    let report = paidia(&["perft", "chess", "--depth", "3", "--json"])
        .expect(0)
        .json();
    let leaves: Vec<_> = report["depths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["leaves"].as_u64())
        .collect();
    assert_eq!(leaves, [Some(1), Some(20), Some(400), Some(8902)]);
}

#[test]
fn a_count_that_does_not_fit_says_so() {
    let run = paidia(&[
        "perft",
        "tic-tac-toe",
        "--depth",
        "9",
        "--max-states",
        "100",
        "--json",
    ])
    .expect(1);
    assert_eq!(
        run.json()["stopped"],
        "more than 100 different states (--max-states)"
    );
    assert_eq!(run.json()["depths"].as_array().unwrap().len(), 2);
}

#[test]
fn small_games_are_solved() {
    let report = paidia(&["solve", "tic-tac-toe", "--json"]).expect(0).json();
    assert_eq!(
        (&report["goals"], &report["method"]),
        (&serde_json::json!([50, 50]), &"minimax".into())
    );
    let folder = tempfile::tempdir().unwrap();
    let rules = file(&folder, "one.kif", ONE_MOVE);
    let report = paidia(&["solve", &rules, "--json"]).expect(0).json();
    assert_eq!(
        (&report["goals"], &report["line"]),
        (&serde_json::json!([100]), &serde_json::json!([["win"]]))
    );
    let refused = paidia(&["solve", "rock-paper-scissors"]).expect(1).out;
    assert!(refused.contains("at the same time"), "{refused}");
}

#[test]
fn a_transcript_can_be_repeated_and_a_forged_one_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let written = paidia(&["transcript", "tic-tac-toe", "--seed", "3"])
        .expect(0)
        .out;
    assert!(
        written
            .starts_with("game: tic-tac-toe\ntitle: Tic-Tac-Toe\nroles: x o\nseed: 3\n\nstep 0\n"),
        "{written}"
    );
    let path = file(&folder, "match.txt", &written);
    paidia(&["transcript", "tic-tac-toe", "--verify", &path]).expect(0);

    let forged = file(
        &folder,
        "forged.txt",
        &written.replace("  goal   o: ", "  goal   o: 1"),
    );
    let run = paidia(&["transcript", "tic-tac-toe", "--verify", &forged]).expect(1);
    assert!(run.out.contains("goal   o: 1"), "{}", run.out);
    let cut = file(
        &folder,
        "cut.txt",
        &written[..written.find("step 2").unwrap()],
    );
    paidia(&["transcript", "tic-tac-toe", "--verify", &cut]).expect(1);
    let illegal = file(
        &folder,
        "illegal.txt",
        "seed: 1\n  moves  (mark 9 9) noop\n",
    );
    let run = paidia(&["transcript", "tic-tac-toe", "--verify", &illegal]).expect(2);
    assert!(
        run.err.contains("`(mark 9 9)` is not legal for x"),
        "{}",
        run.err
    );
}
