//! What an outsider tried once and what then went wrong: calls that must be answered, in time and
//! in words of their users.

use std::fmt::Write as _;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use paidia_testkit::process::{Run, file, wait_for, wait_until};

use super::{ONE_MOVE, PAIDIA, paidia, paidia_with_input};

/// Of two roles the second never has a move.
const STUCK: &str = "(role a) (role b) (init (n 0)) (<= (legal a go) (true (n ?x)))
(<= (next (n 1)) (true (n 0))) (<= (next (n 2)) (true (n 1)))
(<= terminal (true (n 2))) (goal a 100) (goal b 0)";

/// It ends with two goals of one role.
const TWO_GOALS: &str = "(role a) (init s) (legal a go) (<= (next t) (true s))
(<= terminal (true t)) (goal a 100) (goal a 50)";

#[track_caller]
fn says(run: &Run, words: &[&str]) {
    let text = format!("{}{}", run.out, run.err);
    for word in words {
        assert!(text.contains(word), "`{word}` is not in:\n{text}");
    }
    assert!(!text.contains("panicked"), "{text}");
}

#[test]
fn a_role_without_a_move_fails_no_command() {
    let folder = tempfile::tempdir().unwrap();
    let game = file(&folder, "stuck.kif", STUCK);
    for player in [
        "paidia",
        "uct",
        "uct(playouts=nst)",
        "mc-flat",
        "nested",
        "ida",
    ] {
        let call = ["match", &game, "--player", player, "--player", "random"];
        let run = paidia(&[&call[..], &["--simulations", "20"]].concat());
        assert!((0..=2).contains(&run.code), "{player}: {}", run.err);
        says(&run, &["b"]);
        let call = ["analyse", &game, "--player", player, "--simulations", "20"];
        let run = paidia(&call);
        assert!((0..=2).contains(&run.code), "{player}: {}", run.err);
        says(&run, &[]);
    }
    let run = paidia_with_input(&["play", &game, "--as", "a"], "1\n1\nquit\n");
    assert!((0..=2).contains(&run.code), "{}", run.err);
    says(&run, &[]);
}

#[test]
fn counting_ends_with_the_game_and_names_what_is_too_much() {
    let folder = tempfile::tempdir().unwrap();
    let game = file(&folder, "one.kif", ONE_MOVE);
    let run = paidia(&["perft", &game, "--depth", "20000000"]).expect(0);
    assert!(run.out.len() < 10_000, "{}", run.out.len());
    let mut wide = "(init s) (<= (next t) (true s)) (<= terminal (true t))".to_owned();
    for number in 0..20 {
        let _ = write!(wide, " (d {number})");
    }
    for role in 0..8 {
        let _ = write!(wide, " (role r{role})");
    }
    wide += " (<= (legal ?r (m ?x)) (role ?r) (d ?x)) (<= (goal ?r 100) (role ?r))";
    let game = file(&folder, "wide.kif", &wide);
    let run = paidia(&["perft", &game, "--depth", "1"]);
    assert!(run.code > 0, "{}", run.out);
    says(&run, &["25600000000"]);
}

#[test]
fn more_roles_than_an_engine_counts_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "(init s) (<= (legal ?r go) (role ?r)) (<= (next t) (true s))
        (<= terminal (true t)) (<= (goal ?r 100) (role ?r))"
        .to_owned();
    for role in 0..4_100 {
        let _ = write!(text, " (role r{role})");
    }
    let game = file(&folder, "crowd.kif", &text);
    for engine in ["auto", "propnet", "incremental", "compiled", "reference"] {
        let call = ["simulate", &game, "--engine", engine, "--playouts", "1"];
        let run = paidia(&call);
        assert!(run.code > 0, "{engine}: {}", run.out);
        says(&run, &["4096"]);
    }
}

#[test]
fn budgets_of_grounding_hold_and_are_told_as_they_are() {
    let nothing = ["--grounding-seconds", "0", "--json"];
    let run = paidia(&[&["info", "tic-tac-toe"], &nothing[..]].concat()).expect(0);
    assert_ne!(run.json()["engine"], "propnet");
    let folder = tempfile::tempdir().unwrap();
    let mut text = "(role a) (init s) (<= (next t) (true s)) (<= terminal (true t)) (goal a 100)
        (<= (legal a (m ?x ?y ?z)) (d ?x) (d ?y) (d ?z))"
        .to_owned();
    for number in 0..70 {
        let _ = write!(text, " (d {number})");
    }
    let game = file(&folder, "many.kif", &text);
    let call = [
        "simulate",
        &game,
        "--grounding-seconds",
        "0.5",
        "--playouts",
        "1",
    ];
    let run = paidia(&call);
    says(&run, &[]);
    assert!(!run.err.contains("20000000"), "{}", run.err);
}

#[test]
fn loading_ends_whatever_the_sheet_asks_for() {
    let folder = tempfile::tempdir().unwrap();
    let ten = "(role a) (init s) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
        (<= terminal (true t)) (goal a 100)";
    // As many facts of the next state as ten digits have places.
    let facts = format!(
        "{ten} (legal a go) (<= (next (at ?a ?b ?c ?d ?e ?f ?g ?h ?i ?j))
        (d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i) (d ?j))"
    );
    let game = file(&folder, "facts.kif", &facts);
    let run = paidia(&["info", &game, "--grounding-seconds", "0.2"]).expect(2);
    says(&run, &["facts derived in one state"]);
    // 100,000 moves, which are many but not too many.
    let moves = format!(
        "{ten} (<= (next t) (true s)) (<= (legal a (m ?a ?b ?c ?d ?e))
        (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))"
    );
    let game = file(&folder, "moves.kif", &moves);
    let run = paidia(&["info", &game, "--grounding-seconds", "0.01", "--json"]).expect(0);
    let because = run.json()["engine_because"].to_string();
    assert!(because.contains("ran out of time"), "{because}");
}

#[test]
fn a_tournament_of_a_thousand_roles_is_refused_within_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = "(init s) (<= (legal ?r go) (role ?r)) (<= (next t) (true s))
        (<= terminal (true t)) (<= (goal ?r 100) (role ?r))"
        .to_owned();
    for role in 0..1_000 {
        let _ = write!(text, " (role r{role})");
    }
    file(&folder, "crowd.kif", &text);
    let plan = "title = \"t\"\ngames = [\"crowd.kif\"]\nsimulations = 5\n[players]\n\
        A = \"uct\"\nB = \"random\"\n";
    file(&folder, "t.toml", plan);
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 3000000; exec \"$0\" tournament t.toml"])
        .arg(PAIDIA)
        .current_dir(folder.path())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("1000 players"), "{err}");
}

#[test]
fn what_cannot_work_is_told_before_work_begins() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "title = \"t\"\ngames = [\"tic-tac-toe\"]\nsimulations = 5\n[players]\n\
        Good = \"uct\"\nWrong = \"uct(exploration=often)\"\n";
    let plan = file(&folder, "t.toml", plan);
    let out = folder.path().join("out");
    let run = paidia(&["tournament", &plan, "--out", out.to_str().unwrap()]).expect(2);
    says(&run, &["Wrong", "exploration"]);
    assert!(!out.join("t").exists());

    let call = [
        "match",
        "tic-tac-toe",
        "--player",
        "random",
        "--player",
        "random",
    ];
    let run = paidia(&[&call[..], &["--record=/proc/none/record.json"]].concat()).expect(2);
    assert!(run.out.is_empty(), "{}", run.out);
    says(&run, &["/proc/none/record.json"]);

    let call = [
        "simulate",
        "tic-tac-toe",
        "--after",
        "(mark 9 9)",
        "--playouts",
        "10",
    ];
    let run = paidia(&call).expect(2);
    assert!(run.out.is_empty(), "{}", run.out);
    says(&run, &["(mark 9 9)"]);
}

#[test]
fn a_bad_item_does_not_hide_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let good = file(&folder, "good.kif", ONE_MOVE);
    let bad = file(&folder, "bad.kif", "(role a) (legal a ?x)");
    let run = paidia(&["check", &good, &bad]).expect(1);
    says(&run, &["good.kif", "bad.kif"]);
    let run = paidia(&["check", "nowhere.kif", &bad]);
    assert!(run.code > 0);
    says(&run, &["nowhere.kif", "bad.kif"]);

    let records = tempfile::tempdir().unwrap();
    let record = records.path().join("b.json");
    let call = [
        "match",
        "tic-tac-toe",
        "--player",
        "random",
        "--player",
        "random",
    ];
    let to = format!("--record={}", record.display());
    paidia(&[&call[..], &[&to]].concat()).expect(0);
    file(&records, "a.json", "{\"broken\":");
    let run = paidia(&["replay", records.path().to_str().unwrap()]);
    assert!(run.code > 0);
    says(&run, &["a.json", "1 record of"]);
    assert!(!run.err.contains("expected struct"), "{}", run.err);
}

#[test]
fn exit_codes_say_who_was_wrong() {
    for command in ["bench", "crosscheck", "simulate", "info", "check"] {
        let run = paidia(&[command, "nowhere.kif"]).expect(2);
        says(&run, &["nowhere.kif"]);
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("stuck.kif", STUCK), ("two.kif", TWO_GOALS)] {
        let game = file(&folder, name, text);
        let run = paidia(&["simulate", &game, "--playouts", "5"]).expect(1);
        says(&run, &[]);
    }
    for call in [
        ["simulate", "tic-tac-toe", "--playouts", "0"],
        ["crosscheck", "tic-tac-toe", "--playouts", "0"],
    ] {
        let run = paidia(&call);
        assert!(run.code > 0, "{call:?}: {}", run.out);
    }
    let run = paidia(&["simulate", "tic-tac-toe", "--playouts", "abc"]).expect(2);
    assert!(!run.err.contains("invalid digit"), "{}", run.err);
}

#[test]
fn ctrl_c_shows_what_was_done_so_far() {
    for call in [
        &["simulate", "tic-tac-toe", "--seconds", "600"][..],
        &[
            "simulate",
            "tic-tac-toe",
            "--seconds",
            "600",
            "--engine",
            "reference",
        ],
        &[
            "analyse",
            "connect-four",
            "--seconds",
            "600",
            "--player",
            "uct",
        ],
    ] {
        // A machine with other work takes its time to begin; before that there is nothing to show.
        let shown = [1, 4, 16, 64].into_iter().any(|seconds| {
            let output = interrupted(call, Duration::from_secs(seconds));
            !output.stdout.is_empty()
        });
        assert!(shown, "{call:?}");
    }
}

#[test]
fn ctrl_c_keeps_the_matches_and_trials_that_are_done() {
    let folder = tempfile::tempdir().unwrap();
    let plan = "title = \"t\"\ngames = [\"tic-tac-toe\"]\nsimulations = 3000\nrounds = 5000\n\
        [players]\nA = \"uct\"\nB = \"random\"\n";
    file(&folder, "t.toml", plan);
    let study = "title = \"t\"\nsource = \"s\"\nabout = \"a\"\n[games]\ntic-tac-toe = \"ours\"\n\
        [players]\nA = \"uct\"\nB = \"random\"\n[scales]\nquick = { games = 9000 }\n\
        [[cells]]\nname = \"one\"\ngroup = \"all\"\ngame = \"tic-tac-toe\"\n\
        players = [\"A\", \"B\"]\nsimulations = [3000, 1]\npaper = { points = 90.0 }\n\
        [[claims]]\nid = \"C1\"\ntext = \"x\"\ntest = { kind = \"each\", cells = {} }\nat_most = 101\n";
    file(&folder, "s.toml", study);
    let tournament = ["tournament", "t.toml", "--jobs", "1"];
    let study = ["study", "./s.toml", "--jobs", "1"];
    for (call, done, word) in [
        (tournament, "tournament-results/t", "A v B"),
        (study, "study-results/s.jsonl", "3000 simulations"),
    ] {
        let done = folder.path().join(done);
        let size = || match done.is_dir() {
            true => std::fs::read_dir(&done).map_or(0, Iterator::count),
            false => std::fs::read_to_string(&done).map_or(0, |text| text.lines().count()),
        };
        let mut child = Command::new(PAIDIA)
            .args(call)
            .current_dir(folder.path())
            .env("PAIDIA_CACHE", "off")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_until("something is done", || size() >= 3);
        let id = child.id().to_string();
        Command::new("kill").args(["-INT", &id]).status().unwrap();
        wait_for("the end of a call", || child.try_wait().unwrap());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{call:?}");
        let shown = String::from_utf8_lossy(&output.stdout);
        assert!(shown.contains(word), "{call:?}: {shown}");
        assert!(size() >= 3, "{call:?}");
        // What was done is there for the next call, which reports it.
        let report = Command::new(PAIDIA)
            .args([call[0], call[1], "--report-only"])
            .current_dir(folder.path())
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&report.stdout);
        assert!(shown.contains(word), "{call:?}: {shown}");
    }
}

/// What a call wrote that got Ctrl-C after some time.
fn interrupted(call: &[&str], after: Duration) -> Output {
    let mut child = Command::new(PAIDIA)
        .args(call)
        .env("PAIDIA_CACHE", "off")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    std::thread::sleep(after);
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().unwrap();
    wait_for("the end of a call", || child.try_wait().unwrap());
    child.wait_with_output().unwrap()
}

#[test]
fn pipes_are_games_and_folders_are_not() {
    let mut child = Command::new(PAIDIA)
        .args(["info", "/dev/stdin", "--json"])
        .env("PAIDIA_CACHE", "off")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), ONE_MOVE.as_bytes()).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());

    let folder = tempfile::tempdir().unwrap();
    let run = paidia(&["info", folder.path().to_str().unwrap()]).expect(2);
    says(&run, &["is a folder"]);

    let pipe = folder.path().join("pipe");
    Command::new("mkfifo").arg(&pipe).status().unwrap();
    let at = pipe.clone();
    let writer = std::thread::spawn(move || std::fs::write(at, ONE_MOVE));
    let run = paidia(&["info", pipe.to_str().unwrap(), "--json"]).expect(0);
    assert_eq!(run.json()["roles"][0], "a");
    writer.join().unwrap().unwrap();
}

#[test]
fn an_error_is_told_once_and_in_words_of_users() {
    let folder = tempfile::tempdir().unwrap();
    let bad = file(&folder, "bad.kif", "(role a) (legal a ?x)");
    let study = file(&folder, "s.toml", "title = \"t\"\nabout = nan\n");
    let record = file(&folder, "r.json", "{\"matchId\":");
    for call in [
        &["info", "nowhere.kif"][..],
        &["simulate", &bad],
        &["match", &bad, "--player", "random", "--player", "random"],
        &["simulate", "tic-tac-toe", "--engine", "none"],
        &["simulate", "tic-tac-toe", "--after", "(mark 9 9)"],
        &["match", "tic-tac-toe", "--player", "uct(exploration=nan)"],
        &["study", &study],
        &["replay", &record],
        &["bench", "tic-tac-toe", "--seconds", "abc"],
    ] {
        let run = paidia(call);
        assert!(run.code > 0, "{call:?}");
        // Two problems of a sheet may be in the same line, and have the same advice.
        let is_of_sheet = |line: &str| line.starts_with([' ', '1']);
        let said = format!("{}{}", run.out, run.err);
        let lines = said.lines();
        let lines = lines.filter(|line| line.len() > 12 && !is_of_sheet(line));
        let mut lines: Vec<&str> = lines.collect();
        let all = lines.len();
        lines.sort_unstable();
        lines.dedup();
        assert!(all > 0 && lines.len() == all, "{call:?}: {said}");
        for inside in [
            "invalid digit",
            "invalid float",
            "expected struct",
            "Error {",
        ] {
            assert!(!said.contains(inside), "{call:?}: {said}");
        }
    }
}

#[test]
fn check_knows_the_limits_of_engines() {
    let folder = tempfile::tempdir().unwrap();
    let long = format!(
        "(role a) (init s) (legal a go) (p 1) (<= (next t) {}) (<= terminal (true t)) (goal a 100)",
        "(p 1) ".repeat(1_001)
    );
    let long = file(&folder, "long.kif", &long);
    let run = paidia(&["check", &long]).expect(1);
    says(&run, &["conditions"]);
    let growing = "(role a) (init (n z)) (legal a go) (<= (next (n (s ?x))) (true (n ?x)))
        (<= terminal (true (n q))) (goal a 100)";
    let growing = file(&folder, "growing.kif", growing);
    let run = paidia(&["check", &growing]);
    says(&run, &["warning", "grow"]);
    let nul = "(role a\0b) (legal a\0b go) (goal a\0b 100) (<= terminal (true s)) (init s)";
    let nul = file(&folder, "nul.kif", nul);
    let run = paidia(&["check", &nul]).expect(1);
    says(&run, &["control-character", "U+0000"]);
}

#[test]
fn what_plays_the_same_either_way_is_no_error() {
    let folder = tempfile::tempdir().unwrap();
    let rest = "(init s) (role a) (legal a go) (<= terminal (true t)) (goal a 100)";
    let no_body = format!("{rest} (<= (p 1)) (<= (next t) (p 1))");
    let parentheses = format!("{rest} (<= (done) (true s)) (<= (next t) (done))");
    for (name, text) in [("no-body.kif", no_body), ("parentheses.kif", parentheses)] {
        let game = file(&folder, name, &text);
        paidia(&["check", &game, "--strict"]).expect(0);
    }
    // Nearly every sheet that uses a relation with two numbers of arguments means something else.
    let arities = format!("{rest} (p 1) (p 1 2) (<= (next t) (p 1) (p 1 2))");
    let game = file(&folder, "arities.kif", &arities);
    says(&paidia(&["check", &game]).expect(1), &["relation-arity"]);
}
