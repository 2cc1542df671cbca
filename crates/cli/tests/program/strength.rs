//! Sequential tests, the signature of searches, and the values of pieces.

use serde_json::Value;

use crate::paidia;

/// A test in a folder: its report.
fn test(folder: &tempfile::TempDir, first: &str, second: &str, more: &[&str], code: i32) -> Value {
    let out = folder.path().display().to_string();
    let mut arguments = vec![
        "sprt", first, second, "--out", &out, "--json", "--jobs", "1",
    ];
    arguments.extend(more);
    paidia(&arguments).expect(code).json()
}

#[test]
fn a_test_ends_when_it_is_decided_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let more = [
        "--games",
        "tic-tac-toe,connect-four",
        "--simulations",
        "60",
        "--high",
        "70",
    ];
    let better = test(&folder, "uct", "random", &more, 0);
    assert_eq!(better["verdict"], "better");
    let pairs = better["pairs"].as_u64().unwrap();
    assert!((4..200).contains(&pairs), "{pairs}");
    assert_eq!(better["games"].as_array().unwrap().len(), 2);
    assert!(better["points"].as_f64().unwrap() > 75.0);
    // Nothing is left to be played.
    let again = test(&folder, "uct", "random", &more, 0);
    assert_eq!(again, better);
    // The other way round it is another test.
    let other = test(&folder, "random", "uct", &more, 1);
    assert_eq!(other["verdict"], "notbetter");
}

#[test]
fn a_test_that_is_not_decided_says_so_and_can_be_made_longer() {
    let folder = tempfile::tempdir().unwrap();
    let more = |pairs| {
        [
            "--games",
            "tic-tac-toe",
            "--simulations",
            "1",
            "--pairs",
            pairs,
            "--opening",
            "2",
        ]
    };
    let open = test(&folder, "random", "random", &more("2"), 1);
    assert_eq!(
        (&open["verdict"], &open["pairs"]),
        (&"open".into(), &2.into())
    );
    let longer = test(&folder, "random", "random", &more("3"), 1);
    assert_eq!(longer["pairs"], 3);
    let out = folder.path().display().to_string();
    let bad = ["sprt", "random", "uct", "--low", "60", "--out", &out];
    assert!(paidia(&bad).expect(2).err.contains("--low and --high"));
}

#[test]
fn the_signature_is_a_number_that_stays_as_it_is() {
    let sign = |player: &str| {
        let arguments = [
            "bench",
            "--signature",
            "tic-tac-toe",
            "--player",
            player,
            "--json",
        ];
        paidia(&arguments).expect(0).json()["signature"].clone()
    };
    let usual = sign("paidia");
    assert!(usual.is_u64());
    assert_eq!(sign("paidia"), usual);
    assert_ne!(sign("paidia(exploration=60)"), usual);
}

#[test]
fn values_are_learnt_and_shown() {
    let arguments = [
        "info",
        "breakthrough-5x5",
        "--values",
        "--seconds",
        "1",
        "--json",
    ];
    let values = paidia(&arguments).expect(0).json();
    assert!(values["correlation"].as_f64().unwrap() > 0.5, "{values}");
    let value = |content: &str| {
        let values = values["values"].as_array().unwrap();
        let found = values.iter().find(|value| value["content"] == content);
        found.unwrap()["value"].as_f64().unwrap()
    };
    assert!(value("white") > 0.0 && value("black") < 0.0);
    let shown = paidia(&["info", "breakthrough-5x5", "--values", "--seconds", "0.5"]).expect(0);
    assert!(shown.out.contains("correlation"), "{}", shown.out);
    let refused = paidia(&["info", "eight-puzzle", "--values"]).expect(2);
    assert!(
        refused.err.contains("games of two players"),
        "{}",
        refused.err
    );
}
