//! Commands about hidden information: `verify`, `exploit`, `solve`, and players made for it.

use super::paidia;

#[test]
fn the_six_properties_of_monty_hall() {
    let report = paidia(&["verify", "monty-hall", "--standard", "--json"])
        .expect(0)
        .json();
    let rows = report["formulas"].as_array().unwrap();
    let numbers: Vec<u64> = rows
        .iter()
        .map(|row| row["property"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6]);
    assert!(rows.iter().all(|row| row["holds"] == true));
}

#[test]
fn a_false_formula_has_a_run_that_can_be_made() {
    let formula = "(A (G (-> terminal (K alice (true (holds bert king))))))";
    let report = paidia(&["verify", "kuhn-poker", formula, "--json"])
        .expect(1)
        .json();
    let run = report["formulas"][0]["run"].as_array().unwrap();
    let joint = |moves: &serde_json::Value| {
        let moves: Vec<&str> = moves
            .as_array()
            .unwrap()
            .iter()
            .map(|id| id.as_str().unwrap())
            .collect();
        format!("({})", moves.join(" "))
    };
    let line: Vec<String> = run.iter().map(joint).collect();
    let shown = paidia(&[
        "perft",
        "kuhn-poker",
        "--depth",
        "1",
        "--after",
        &line.join(" "),
        "--json",
    ]);
    shown.expect(0);
}

#[test]
fn mistakes_in_formulas_are_named() {
    for (formula, said) in [
        ("(A (G", "parentheses"),
        ("(K carol terminal)", "the players are alice, bert"),
        ("(A (F nonsense))", "no relation `nonsense`"),
        ("(goal alice)", "does not stand so"),
    ] {
        let run = paidia(&["verify", "kuhn-poker", formula]);
        let error = run.expect(2).err;
        assert!(error.contains(said), "{formula}: {error}");
    }
}

#[test]
fn kuhn_poker_is_solved() {
    let report = paidia(&["solve", "kuhn-poker", "--json", "--strategy"])
        .expect(0)
        .json();
    let value = report["values"][0].as_f64().unwrap();
    assert!((value - (50.0 - 25.0 / 18.0)).abs() < 1e-6, "{value}");
    assert_eq!(report["strategy"].as_array().unwrap().len(), 12);
}

#[test]
fn monty_hall_has_a_best_plan() {
    let report = paidia(&["solve", "monty-hall", "--json"]).expect(0).json();
    let value = report["values"][0].as_f64().unwrap();
    assert!((value - 200.0 / 3.0).abs() < 1e-9, "{value}");
}

#[test]
fn an_equilibrium_is_not_exploited_and_random_play_is() {
    let measure = |player: &str| {
        let fixed = [
            "exploit",
            "kuhn-poker",
            "--samples",
            "300",
            "--simulations",
            "100",
            "--json",
        ];
        let report = paidia(&[&fixed[..], &["--player", player]].concat())
            .expect(0)
            .json();
        report["exploitability"].as_f64().unwrap()
    };
    let equilibrium = measure("equilibrium");
    assert!((0.0..2.0).contains(&equilibrium), "{equilibrium}");
    let random = measure("random");
    assert!((random - 11.458).abs() < 2.0, "{random}");
}

#[test]
fn players_for_hidden_information_play_matches() {
    let players = [
        "hyperplay(index=3)",
        "hyperplay-ii(index=2)",
        "ismcts(choice=drawn)",
        "equilibrium",
    ];
    for (one, other) in [(0, 1), (2, 3)] {
        let run = paidia(&[
            "match",
            "kuhn-poker",
            "--simulations",
            "50",
            "--player",
            players[one],
            "--player",
            players[other],
        ]);
        run.expect(0);
    }
}

#[test]
fn a_filter_follows_random_matches() {
    let rows = paidia(&[
        "verify",
        "monty-hall",
        "--filter",
        "--json",
        "--matches",
        "30",
    ])
    .expect(0)
    .json();
    let row = &rows[0];
    assert!(
        row["legal"] == true && row["terminal"] == true && row["goal"] == true,
        "{row}"
    );
    assert_eq!(row["unsound"], 0);
}

#[test]
fn both_ways_to_decide_formulas_agree_and_tell_how_large_they_are() {
    let report = paidia(&[
        "verify",
        "monty-hall",
        "--standard",
        "--backend",
        "both",
        "--json",
    ])
    .expect(0)
    .json();
    assert_eq!(report["system"]["without"], serde_json::json!([]));
    let bits = report["system"]["bits"].as_u64().unwrap();
    for row in report["formulas"].as_array().unwrap() {
        assert!(row["holds"] == true, "{row}");
        assert!(row["points"].is_u64() && row["nodes"].is_u64(), "{row}");
    }
    let plain = paidia(&[
        "verify",
        "monty-hall",
        "(A (F terminal))",
        "--backend",
        "symbolic",
        "--leave-out",
        "typed",
        "--leave-out",
        "definitions",
        "--json",
    ])
    .expect(0)
    .json();
    let without = serde_json::json!(["typed", "definitions"]);
    assert_eq!(plain["system"]["without"], without);
    assert!(plain["system"]["bits"].as_u64().unwrap() > bits);
}

#[test]
fn without_the_guard_the_end_does_not_last() {
    let lasts = "(A (G (-> terminal (G terminal))))";
    let symbolic = ["verify", "monty-hall", lasts, "--backend", "symbolic"];
    paidia(&symbolic).expect(0);
    paidia(&[&symbolic[..], &["--leave-out", "freeze"]].concat()).expect(1);
}

#[test]
fn what_does_not_fit_the_back_end_is_said() {
    let formula = "(A (F terminal))";
    let explicit = paidia(&["verify", "monty-hall", formula, "--leave-out", "typed"]);
    let error = explicit.expect(2).err;
    assert!(error.contains("--backend symbolic"), "{error}");
    let small = paidia(&[
        "verify",
        "kuhn-poker",
        formula,
        "--backend",
        "symbolic",
        "--max-nodes",
        "20",
    ]);
    let error = small.expect(2).err;
    assert!(error.contains("--max-nodes"), "{error}");
    let few = paidia(&["verify", "kuhn-poker", formula, "--max-points", "5"]);
    let error = few.expect(2).err;
    assert!(error.contains("more than 5"), "{error}");
}

/// A run on which a formula fails is a trace that `replay` repeats.
#[test]
fn a_run_on_which_a_formula_fails_is_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("run.jsonl");
    let trace = trace.to_str().unwrap();
    let formula = "(A (G (-> terminal (K alice (true (holds bert king))))))";
    for backend in ["explicit", "symbolic"] {
        let arguments = ["verify", "kuhn-poker", formula, "--backend", backend];
        paidia(&[&arguments[..], &["--trace", trace]].concat()).expect(1);
        paidia(&["replay", "kuhn-poker", trace]).expect(0);
    }
    let holds = ["verify", "kuhn-poker", "(A (F terminal))", "--trace", trace];
    let error = paidia(&holds).expect(2).err;
    assert!(error.contains("nothing to write"), "{error}");
}

#[test]
fn rules_are_written_for_mck_with_and_without_typed_variables() {
    let export = ["export", "monty-hall", "--to", "mck"];
    let typed = paidia(&export).expect(0).out;
    let plain = paidia(&[&export[..], &["--leave-out", "typed"]].concat())
        .expect(0)
        .out;
    for text in [&typed, &plain] {
        assert!(text.contains("agent candidate") && text.contains("define terminal ="));
    }
    assert!(typed.contains("type one_of_") && !plain.contains("type one_of_"));
}
