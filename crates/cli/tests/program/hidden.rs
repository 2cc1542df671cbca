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
