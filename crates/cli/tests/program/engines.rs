//! The choice of engine: by hand, by budget, and what each is good for.

use serde_json::Value;

use paidia_testkit::corpus;
use paidia_testkit::process::file;

use super::paidia;

/// The report of `paidia simulate`.
fn simulate(game: &str, options: &[&str]) -> Value {
    let mut arguments = vec!["simulate", game, "--json"];
    arguments.extend(options);
    paidia(&arguments).expect(0).json()
}

/// What a seed decides.
fn outcome(report: &Value) -> [&Value; 4] {
    ["playouts", "states", "mean_goals", "longest"].map(|field| &report[field])
}

#[test]
fn auto_takes_the_network_and_says_so() {
    let report = paidia(&["info", "connect-four", "--json"]).expect(0).json();
    assert_eq!(report["engine"], "propnet");
    assert_eq!(report["engine_because"], "the rules became a network");
    assert_eq!(report["move_count"], 8);
    let network = &report["network"];
    for figure in ["atoms", "rules", "gates", "operations"] {
        assert!(network[figure].as_u64().unwrap() > 100, "{network}");
    }
    let rates = report["rates"].as_array().unwrap();
    assert_eq!(rates[0]["engine"], "propnet");
    assert_eq!(rates[1]["engine"], "compiled");
    assert!(report["over_budget"].is_null() && report["load_ms"].as_f64().unwrap() > 0.0);
    let shown = paidia(&["info", "connect-four"]).expect(0).out;
    let gates = format!("{} gates", network["gates"]);
    assert!(
        shown.contains("propnet, loaded in") && shown.contains(&gates),
        "{shown}"
    );
}

#[test]
fn auto_does_without_a_network_that_costs_too_much() {
    let budget = ["--grounding-seconds", "0", "--playouts", "1"];
    let mut arguments = vec!["info", "chess", "--json"];
    arguments.extend(budget);
    let report = paidia(&arguments).expect(0).json();
    let engine = report["engine"].as_str().unwrap();
    assert!(
        ["compiled", "reference", "prover", "forward"].contains(&engine),
        "{engine}"
    );
    let rates = report["rates"].as_array().unwrap();
    let [chosen, other, ..] = &rates[..] else {
        panic!("{rates:?}")
    };
    assert_eq!(chosen["engine"], engine);
    assert_ne!(other["engine"], engine);
    let rate = |rate: &Value| rate["states_per_cpu_s"].as_f64().unwrap();
    assert!(rate(chosen) >= rate(other) && rate(other) > 0.0);
    let because = report["engine_because"].as_str().unwrap();
    assert!(because.contains("ran out of time"), "{because}");
    assert_eq!(report["over_budget"]["what"], "time");
    assert!(report["over_budget"]["milliseconds"].is_u64() && report["network"].is_null());

    let mut arguments = vec!["simulate", "chess"];
    arguments.extend(budget);
    let shown = paidia(&arguments).expect(0).out;
    assert!(
        shown.contains("engine (auto: grounding ran out of time"),
        "{shown}"
    );

    // A request for the network alone is answered with why there is none, and what to do.
    for engine in ["propnet", "batch"] {
        let mut arguments = vec!["simulate", "chess", "--engine", engine];
        arguments.extend(budget);
        let run = paidia(&arguments).expect(2);
        assert!(
            run.err.contains("ran out of time") && run.err.contains("`auto`"),
            "{}",
            run.err
        );
    }
}

/// A game without a network.
const TOWER: &str = include_str!("../../../arena/tests/data/tower.kif");

#[test]
fn matches_and_their_records_tell_the_engine_and_its_rates() {
    let folder = tempfile::tempdir().unwrap();
    let tower = file(&folder, "tower.kif", TOWER);
    let shown = paidia(&["match", &tower, "--simulations", "9"])
        .expect(0)
        .out;
    assert!(
        shown.contains("engine (auto: grounding ran out of levels in one term")
            && shown.contains("joint moves per CPU second"),
        "{shown}"
    );
    let records = format!("--record={}", folder.path().join("records").display());
    let call = ["match", &tower, "--simulations", "9", "--json", &records];
    let report = paidia(&call).expect(0).json();
    assert!(report["rates"].as_array().unwrap().len() >= 2, "{report}");
    let name = format!("{}.json", report["match_id"].as_str().unwrap());
    let record = std::fs::read(folder.path().join("records").join(name)).unwrap();
    let record: Value = serde_json::from_slice(&record).unwrap();
    assert_eq!(record["engine"]["name"], report["engine"]);
    assert_eq!(record["engine"]["because"], report["engine_because"]);
    assert_eq!(record["engine"]["rates"], report["rates"]);
}

#[test]
fn engines_are_asked_for_with_settings() {
    let plain = simulate("tic-tac-toe", &["--engine", "compiled", "--playouts", "9"]);
    let written = "compiled(cut=off, share=off)";
    let set = simulate("tic-tac-toe", &["--engine", written, "--playouts", "9"]);
    assert_eq!(set["engine"], written);
    assert_eq!(outcome(&set), outcome(&plain));
    let wrong = paidia(&["simulate", "chess", "--engine", "compiled(shrae=off)"]).expect(2);
    let said = "the engine `compiled` has no `shrae`; did you mean `share`?";
    assert!(wrong.err.contains(said), "{}", wrong.err);
    let wrong = paidia(&["simulate", "chess", "--engine", "compild"]).expect(2);
    assert!(
        wrong.err.contains("did you mean `compiled`?"),
        "{}",
        wrong.err
    );
    let help = paidia(&["simulate", "--help"]).expect(0).out;
    for engine in [
        "auto",
        "reference",
        "forward",
        "prover",
        "compiled",
        "propnet",
        "batch",
    ] {
        assert!(help.contains(&format!("- {engine}:")), "{help}");
    }
    assert!(
        help.contains("restrict: values that a later query"),
        "{help}"
    );
    let call = ["bench", "tic-tac-toe", "--json", "--seconds", "0.01"];
    let engines = ["--engine", "compiled(cut=off, share=off),propnet"];
    let table = paidia(&[&call[..], &engines].concat()).expect(0).json();
    assert_eq!(table["rows"][0]["asked"], written);
    assert_eq!(table["rows"][0]["engine"], written);
    assert_eq!(table["rows"][1]["asked"], "propnet");
}

#[test]
fn a_seed_means_the_same_play_with_and_without_a_network() {
    for game in ["tic-tac-toe", "kuhn-poker", "breakthrough-6x6"] {
        let options = |engine| ["--engine", engine, "--playouts", "40", "--seed", "9"];
        let one = simulate(game, &options("reference"));
        for engine in ["forward", "prover", "compiled", "propnet"] {
            let other = simulate(game, &options(engine));
            assert_eq!(
                (&one["engine"], &other["engine"]),
                (&"reference".into(), &engine.into())
            );
            assert_eq!(outcome(&one), outcome(&other), "{game}");
        }
    }
}

#[test]
fn threads_share_the_playouts_and_a_seed_still_decides_them() {
    for engine in [
        "reference",
        "forward",
        "prover",
        "compiled",
        "propnet",
        "batch",
    ] {
        let run = |threads, seed| {
            let count = ["--playouts", "301", "--threads", threads, "--seed", seed];
            simulate("tic-tac-toe", &[&["--engine", engine][..], &count].concat())
        };
        let (one, two) = (run("1", "4"), run("2", "4"));
        assert_eq!(two["threads"], 2);
        assert_eq!(
            (&one["playouts"], &two["playouts"]),
            (&301.into(), &301.into())
        );
        assert_eq!(outcome(&two), outcome(&run("2", "4")), "{engine}");
        assert_ne!(outcome(&two), outcome(&one), "{engine}");
        assert_ne!(outcome(&two), outcome(&run("2", "5")), "{engine}");
    }
    paidia(&["simulate", "tic-tac-toe", "--threads", "0"]).expect(2);
}

#[test]
fn batch_playouts_are_finished_and_counted() {
    let report = simulate("tic-tac-toe", &["--engine", "batch", "--playouts", "20000"]);
    assert_eq!(
        (&report["engine"], &report["playouts"]),
        (&"batch".into(), &20_000.into())
    );
    let length = report["mean_length"].as_f64().unwrap();
    let states = report["states"].as_f64().unwrap();
    assert!((states / 20_000.0 - length).abs() < 1e-9);
    // 7.6296 joint moves and 58.5 + 12.7 / 2 points for x, give or take four standard deviations.
    assert!((7.58..7.68).contains(&length), "{length}");
    let x = report["mean_goals"][0].as_f64().unwrap();
    assert!((63.5..66.3).contains(&x), "{x}");
    assert!(report["peak_memory"].is_null() || report["peak_memory"].as_u64().unwrap() > 1 << 20);

    let timed = simulate("tic-tac-toe", &["--engine", "batch", "--seconds", "0"]);
    assert!(timed["playouts"].as_u64().unwrap() > 0);
}

#[test]
fn batch_playouts_start_anywhere() {
    let line = "(mark 1 1) (mark 2 1) (mark 1 2) (mark 2 2)";
    let won = [
        "--after",
        &format!("{line} (mark 1 3)"),
        "--engine",
        "batch",
        "--playouts",
        "600",
    ];
    let report = simulate("tic-tac-toe", &won);
    assert_eq!(
        outcome(&report)[..3],
        [&600.into(), &0.into(), &serde_json::json!([100.0, 0.0])]
    );
    let state = "(cell 1 1 x) (cell 1 2 x) (cell 1 3 empty) (control x)";
    let report = simulate(
        "tic-tac-toe",
        &["--from", state, "--engine", "batch", "--playouts", "3"],
    );
    assert_eq!(report["mean_length"], 1.0);
    let run = paidia(&[
        "simulate",
        "tic-tac-toe",
        "--engine",
        "batch",
        "--from",
        "(cell 9 9 x)",
    ]);
    assert!(run.expect(2).err.contains("`(cell 9 9 x)` can never hold"));
}

#[test]
fn endless_and_stuck_playouts_are_told_by_every_engine() {
    let folder = tempfile::tempdir().unwrap();
    let endless = file(
        &folder,
        "endless.kif",
        "(role a) (init p) (legal a m) (<= (next p) (true p)) (<= terminal (not (true p))) (goal a 0)",
    );
    let stuck = file(
        &folder,
        "stuck.kif",
        "(role a) (init p) (<= (legal a m) (true p)) (<= (next q) (does a m)) (<= terminal (true r)) (<= (next r) (true r)) (goal a 0)",
    );
    for engine in [
        "reference",
        "forward",
        "prover",
        "compiled",
        "propnet",
        "batch",
    ] {
        let cut = simulate(
            &endless,
            &["--engine", engine, "--playouts", "5", "--step-limit", "7"],
        );
        assert_eq!(
            (&cut["cut"], &cut["states"]),
            (&5.into(), &35.into()),
            "{engine}"
        );
        let call = ["simulate", &stuck, "--json", "--engine", engine];
        let stuck = paidia(&[&call[..], &["--playouts", "5"]].concat());
        // Where every playout is stuck, the rules are faulty.
        let stuck = stuck.expect(1).json();
        assert_eq!(
            (&stuck["stuck"], &stuck["states"]),
            (&5.into(), &5.into()),
            "{engine}"
        );
    }
}

#[test]
fn the_batch_engine_does_not_go_from_state_to_state() {
    let calls: [&[&str]; 5] = [
        &["info", "tic-tac-toe"],
        &["perft", "tic-tac-toe", "--depth", "1"],
        &["solve", "tic-tac-toe"],
        &["transcript", "tic-tac-toe"],
        &["simulate", "tic-tac-toe", "--show"],
    ];
    for call in calls {
        let run = paidia(&[call, &["--engine", "batch"]].concat()).expect(2);
        assert!(
            run.err.contains("use --engine propnet"),
            "{call:?}: {}",
            run.err
        );
        paidia(&[call, &["--engine", "propnet"]].concat()).expect(0);
    }
}

#[test]
fn passes_are_shown_and_can_be_left_out() {
    let passes = |without: &[&str]| {
        let call = ["info", "nine-board-tic-tac-toe", "--passes"];
        paidia(&[&call[..], without].concat()).expect(0).out
    };
    let operations = |shown: &str, pass: &str| -> u64 {
        let mut lines = shown.lines().map(str::split_whitespace);
        let mut line = lines.find_map(|mut words| (words.next() == Some(pass)).then_some(words));
        let operations = line.as_mut().and_then(|words| words.nth(1)).unwrap();
        operations.replace(',', "").parse().unwrap()
    };
    let all = passes(&[]);
    assert!(
        operations(&all, "drop-dead") < operations(&all, "build"),
        "{all}"
    );
    assert!(
        all.contains("takes common inputs out of alternatives"),
        "{all}"
    );
    let less = passes(&["--without", "factor", "--without", "factor-again"]);
    let left_out = |line: &str| line.contains("factor ") && line.contains("left out");
    assert!(less.lines().any(left_out), "{less}");
    assert!(
        operations(&less, "drop-dead") > operations(&all, "drop-dead"),
        "{less}"
    );

    let json = paidia(&["info", "breakthrough", "--json", "--without", "one-of"]);
    let json = json.expect(0).json();
    let stages = json["network"]["stages"].as_array().unwrap();
    assert_eq!(stages[0]["name"], "build");
    assert!(stages.len() > 3 && stages.iter().all(|stage| stage["name"] != "one-of"));

    let wrong = paidia(&["info", "chess", "--passes", "--without", "one-off"]).expect(2);
    assert!(wrong.err.contains("perhaps `one-of`?"), "{}", wrong.err);
    let none = paidia(&["info", "chess", "--passes", "--grounding-seconds", "0"]).expect(1);
    let reason = "chess has no network: grounding ran out of time";
    assert!(none.out.contains(reason), "{}", none.out);
}

#[test]
fn networks_without_some_pass_play_the_same() {
    let run = |without: &[&str]| {
        let fixed = ["--engine", "propnet", "--playouts", "20"];
        simulate("breakthrough-6x6", &[&fixed[..], without].concat())
    };
    let all = run(&[]);
    for pass in ["flatten", "factor", "one-of", "drop-dead"] {
        assert_eq!(outcome(&all), outcome(&run(&["--without", pass])), "{pass}");
    }
}

#[test]
fn counts_and_solutions_do_not_depend_on_the_engine() {
    let counts = |engine| {
        let report = paidia(&[
            "perft",
            "connect-four",
            "--depth",
            "4",
            "--json",
            "--engine",
            engine,
        ]);
        report.expect(0).json()["depths"].clone()
    };
    assert_eq!(counts("reference"), counts("propnet"));
    let solution = |engine| {
        paidia(&["solve", "tic-tac-toe", "--json", "--engine", engine])
            .expect(0)
            .json()
    };
    let (one, other) = (solution("reference"), solution("propnet"));
    for field in ["goals", "best_moves", "line", "states"] {
        assert_eq!(one[field], other[field], "{field}");
    }
}

#[test]
fn games_that_never_become_networks_are_played_all_the_same() {
    let Some(corpus) = corpus() else { return };
    for name in ["laikLee_hex", "slaughter"] {
        let path = corpus.path(name);
        let path = path.to_str().unwrap();
        let report = simulate(
            path,
            &[
                "--playouts",
                "1",
                "--step-limit",
                "3",
                "--grounding-seconds",
                "0.5",
            ],
        );
        let engine = report["engine"].as_str().unwrap();
        assert!(
            ["compiled", "reference", "prover", "forward"].contains(&engine),
            "{name}"
        );
        assert_eq!(report["playouts"], 1, "{name}");
        let load = report["load_cpu_ms"].as_f64().unwrap();
        assert!(load < 60_000.0, "{name}: {load} ms");
    }
}
