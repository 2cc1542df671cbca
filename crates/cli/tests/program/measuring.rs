//! Engines measured with `bench` and compared with `crosscheck`.

use paidia_testkit::process::file;

use super::{HUGE, ONE_MOVE, paidia};

#[test]
fn bench_measures_games_and_engines() {
    let folder = tempfile::tempdir().unwrap();
    let rules = file(&folder, "gdl/one.kif", ONE_MOVE);
    let run = paidia(&[
        "bench",
        "tic-tac-toe",
        &rules,
        "--engine",
        "propnet,batch",
        "--seconds",
        "0.02",
        "--json",
    ]);
    let report = run.expect(0).json();
    let rows = report["rows"].as_array().unwrap();
    let names: Vec<_> = rows
        .iter()
        .map(|row| {
            (
                row["game"].as_str().unwrap(),
                row["engine"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        names,
        [
            ("tic-tac-toe", "propnet"),
            ("tic-tac-toe", "batch"),
            ("one", "propnet"),
            ("one", "batch")
        ]
    );
    for row in rows {
        for figure in [
            "playouts_per_cpu_s",
            "states_per_cpu_s",
            "load_ms",
            "load_cpu_ms",
        ] {
            assert!(row[figure].as_f64().unwrap() > 0.0, "{figure}: {row}");
        }
        assert!(
            row["gates"].is_u64() && row["operations"].is_u64() && row["error"].is_null(),
            "{row}"
        );
        assert!(row["peak_memory"].is_null() || row["peak_memory"].as_u64().unwrap() > 1 << 20);
    }
    assert_eq!(rows[2]["mean_length"], 1.0);
}

#[test]
fn bench_compares_with_a_table_of_rates() {
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "gdl/one.kif", ONE_MOVE);
    file(&folder, "gdl/two.kif", ONE_MOVE);
    let table = "game,sancho,sancho_load_ms,rbg,mean_length\none,0.5,1e9,,1\ntwo,2,1e9,4,3\n";
    let table = file(&folder, "rates.csv", table);
    let folder = folder.path().to_str().unwrap();
    let fixed = [
        "bench",
        "--corpus",
        folder,
        "--table",
        "--reference",
        &table,
    ];
    let runs = ["--engine", "propnet", "--seconds", "0.02", "--runs", "2"];
    let report = paidia(&[&fixed[..], &runs, &["--json"]].concat())
        .expect(0)
        .json();
    let rows = &report["rows"];
    for (row, sancho) in [(&rows[0], 0.5), (&rows[1], 2.0)] {
        let (rate, ratio) = (
            row["playouts_per_cpu_s"].as_f64(),
            row["ratios"]["sancho"].as_f64(),
        );
        assert!(
            (rate.unwrap() / sancho / ratio.unwrap() - 1.0).abs() < 1e-9,
            "{row}"
        );
        assert!(row["spread"].as_f64().unwrap() >= 0.0);
    }
    assert!(rows[0]["ratios"]["rbg"].is_null() && rows[0]["ratios"]["prover"].is_null());
    let summaries = report["summaries"].as_array().unwrap();
    let than = |than| summaries.iter().find(|summary| summary["than"] == than);
    let sancho = than("sancho").unwrap();
    let product = rows[0]["ratios"]["sancho"].as_f64().unwrap()
        * rows[1]["ratios"]["sancho"].as_f64().unwrap();
    assert!((sancho["geometric_mean"].as_f64().unwrap() / product.sqrt() - 1.0).abs() < 1e-9);
    assert_eq!(
        (&sancho["games"], &sancho["least_game"]),
        (&2.into(), &"two".into())
    );
    assert!(than("rbg").unwrap()["games"] == 1 && than("prover").is_none());

    let shown = paidia(&[&fixed[..], &runs].concat()).expect(0).out;
    assert!(
        shown.contains("× Sancho") && shown.contains("the geometric mean over 2 games"),
        "{shown}"
    );
    assert!(
        shown.contains("playouts are 0.33 times as long as those of the reference table"),
        "{shown}"
    );
}

#[test]
fn bench_says_what_loading_costs() {
    let folder = tempfile::tempdir().unwrap();
    let broken = file(&folder, "broken.kif", "(role a) (<= p (not p))");
    let list = folder.path().join("loads.csv").display().to_string();
    let call = ["bench", "--loads", "tic-tac-toe", &broken, "--list", &list];
    let report = paidia(&[&call[..], &["--json"]].concat()).expect(1).json();
    assert!(report["games"] == 2 && report["loaded"] == 1 && report["in_good_time"] == 1);
    let rows = &report["rows"];
    assert!(rows[0]["cpu_s"].as_f64().unwrap() > 0.0 && rows[0]["gates"].as_u64().unwrap() > 0);
    assert!(!rows[1]["error"].as_str().unwrap().is_empty(), "{report}");
    let csv = std::fs::read_to_string(&list).unwrap();
    assert_eq!(csv.lines().count(), 3, "{csv}");
    let shown = paidia(&call[..3]).expect(0).out;
    assert!(
        shown.starts_with("1 of 1 games have become networks, 1 (100.0 %)"),
        "{shown}"
    );
    paidia(&["bench", "--list", &list]).expect(2);
}

#[test]
fn bench_says_how_fast_players_search() {
    let players = ["--player", "uct", "--player", "paidia(leaves=8)"];
    let call = [
        &["bench", "--search", "connect-four", "--seconds", "0.05"],
        &players[..],
    ]
    .concat();
    let report = paidia(&[&call[..], &["--json"]].concat()).expect(0).json();
    let row = &report["rows"][0];
    assert!(row["scalar"].as_f64().unwrap() > 0.0 && row["batch"].as_f64().unwrap() > 0.0);
    let count = |player: usize, what: &str| row["players"][player][what].as_u64().unwrap();
    assert!(count(0, "simulations") >= count(0, "playouts"));
    assert!(count(1, "playouts") > count(1, "simulations"));
    let shown = paidia(&call).expect(0).out;
    assert!(shown.contains("% of one by one") && shown.contains("% of side by side"));
    paidia(&["bench", "--player", "uct"]).expect(2);
    let unknown = paidia(&["bench", "--search", "tic-tac-toe", "--player", "utc"]).expect(1);
    assert!(
        unknown.out.contains("did you mean `uct`"),
        "{}",
        unknown.out
    );
}

#[test]
fn bench_goes_on_after_a_game_that_fails() {
    let folder = tempfile::tempdir().unwrap();
    let broken = file(&folder, "broken.kif", "(role a) (<= p (not p))");
    let huge = file(&folder, "huge.kif", HUGE);
    let games = [&*huge, "tic-tac-toe", &broken];
    let call = [
        &["bench"],
        &games[..],
        &["--engine", "propnet", "--seconds", "0"],
    ]
    .concat();
    let report = paidia(&[&call[..], &["--json"]].concat()).expect(0).json();
    let error = |place: usize| report["rows"][place]["error"].as_str().unwrap_or("");
    assert!(error(0).contains("grounding ran out of room"), "{report}");
    assert!(error(1).is_empty() && !error(2).is_empty(), "{report}");
    let shown = paidia(&call).expect(0).out;
    assert!(shown.contains("grounding ran out of room"), "{shown}");
    paidia(&["bench", "no-such-game", "--seconds", "0"]).expect(2);
    paidia(&["bench", "--table"]).expect(2);
    paidia(&["bench", "tic-tac-toe", "--reference", "no-such-table"]).expect(2);
}

#[test]
fn engines_are_compared_state_by_state() {
    let report = paidia(&[
        "crosscheck",
        "tic-tac-toe",
        "monty-hall",
        "--playouts",
        "20",
        "--json",
    ])
    .expect(0)
    .json();
    assert_eq!(
        (
            &report["games"],
            &report["playouts"],
            &report["differences"]
        ),
        (&2.into(), &40.into(), &0.into())
    );
    assert!(report["states"].as_u64().unwrap() > 100);
    assert_eq!(report["results"][1]["game"], "monty-hall");
    let itself = paidia(&["crosscheck", "tic-tac-toe", "--engine", "reference"])
        .expect(0)
        .out;
    assert!(
        itself.contains("skipped: this is the reference engine itself"),
        "{itself}"
    );
    let without = paidia(&[
        "crosscheck",
        "chess",
        "--engine",
        "propnet",
        "--grounding-seconds",
        "0",
    ])
    .expect(0)
    .out;
    assert!(
        without.contains("skipped: grounding ran out of time"),
        "{without}"
    );
    paidia(&["crosscheck"]).expect(2);
    paidia(&["crosscheck", "--bundled", "--only", "no such game"]).expect(2);
    paidia(&["crosscheck", "no-such-game"]).expect(2);
}

#[test]
fn batches_are_compared_by_their_means() {
    let call = [
        "crosscheck",
        "tic-tac-toe",
        "--engine",
        "batch",
        "--playouts",
        "5000",
        "--seconds",
        "0.05",
        "--json",
    ];
    let report = paidia(&call).expect(0).json();
    let distances = report["results"][0]["distances"].as_array().unwrap();
    let compared: Vec<_> = distances
        .iter()
        .map(|found| {
            (
                found["what"].as_str().unwrap(),
                found["against"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = ["propnet", "reference"]
        .map(|against| ["length", "goal of x", "goal of o"].map(|what| (what, against)));
    assert_eq!(compared, expected.concat());
    for found in distances {
        assert!(found["distance"].as_f64().unwrap().abs() < 4.0, "{found}");
        assert!(found["their_count"].as_u64().unwrap() > 0, "{found}");
    }
}

/// A sample of what `docs/benchmarks.md` documents in full.
#[test]
fn every_bundled_game_is_the_same_for_every_engine() {
    let in_step = [
        "crosscheck",
        "--bundled",
        "--playouts",
        "1",
        "--step-limit",
        "60",
        "--json",
    ];
    let report = paidia(&in_step).expect(0).json();
    assert!(
        report["games"].as_u64().unwrap() >= 60 && report["skipped"] == 0,
        "{report}"
    );
    let by_means = [
        "crosscheck",
        "--bundled",
        "--engine",
        "batch",
        "--playouts",
        "600",
        "--seconds",
        "0.02",
        "--json",
    ];
    let report = paidia(&by_means).expect(0).json();
    assert!(
        report["playouts"].as_u64().unwrap() >= 60 * 600 && report["skipped"] == 0,
        "{report}"
    );
}

#[test]
fn analyse_says_what_the_time_went_to() {
    let call = ["analyse", "tic-tac-toe", "--player", "uct(playouts=mast)"];
    let call = [&call[..], &["--simulations", "3000"]].concat();
    let report = paidia(&[&call[..], &["--json"]].concat()).expect(0).json();
    let shares = report["shares"].as_object().unwrap();
    let sum: f64 = shares.values().filter_map(serde_json::Value::as_f64).sum();
    assert!((sum - 1.0).abs() < 1e-6, "{shares:?}");
    assert!(shares.contains_key("engine") && shares.contains_key("policy"));
    let shown = paidia(&call).expect(0).out;
    assert!(shown.contains("Time by samples: "), "{shown}");
}

/// The program with this in `PAIDIA_BACKEND`: exit code, output, errors.
fn with_backend(backend: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_paidia"))
        .args(arguments)
        .env("PAIDIA_BACKEND", backend)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn an_unknown_backend_is_an_error_and_machine_code_that_is_off_has_a_reason() {
    let (code, _, errors) = with_backend("avx9", &["info", "tic-tac-toe"]);
    assert_eq!(code, Some(2), "{errors}");
    for name in ["`avx9`", "`portable`", "`avx2`", "`native`"] {
        assert!(errors.contains(name), "{errors}");
    }
    let call = [
        "bench",
        "tic-tac-toe",
        "--engine",
        "batch",
        "--seconds",
        "0.01",
    ];
    for call in [&["info", "tic-tac-toe"][..], &call] {
        let (code, output, errors) = with_backend("portable", call);
        assert_eq!(code, Some(0), "{errors}");
        let line = output
            .lines()
            .find(|line| line.trim_start().starts_with("native"));
        assert!(line.is_some_and(|line| line.contains("off")), "{output}");
        assert!(
            line.is_some_and(|line| line.contains("because")),
            "{output}"
        );
    }
}
