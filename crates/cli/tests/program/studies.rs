//! Studies by the command line.

use paidia_testkit::process::file;

use super::paidia;

const STUDY: &str = r#"
title = "Thinking against not thinking"
source = "Nobody, never"
about = "A test."

[games]
tic-tac-toe = "ours"

[players]
Thinker = "uct"
Guesser = "random"

[scales]
quick = { games = 4 }
report = { games = 8 }

[[cells]]
name = "one cell"
group = "all"
game = "tic-tac-toe"
players = ["Thinker", "Guesser"]
simulations = [50, 1]
paper = { points = 90.0 }

[[claims]]
id = "C1"
text = "Thinking loses"
test = { kind = "each", cells = {} }
at_most = 5
"#;

#[test]
fn a_study_is_played_continued_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let study = file(&folder, "tiny.toml", STUDY);
    let results = folder.path().join("results");
    let results = results.to_str().unwrap();
    let run = |more: &[&str]| {
        let arguments = [&["study", &study, "--out", results, "--jobs", "2"], more].concat();
        paidia(&arguments)
    };
    let nothing = run(&["--report-only"]).expect(2);
    assert!(nothing.err.contains("has no games"), "{}", nothing.err);

    // The claim fails, and that is the answer.
    let quick = run(&[]).expect(1).out;
    assert!(
        quick.contains("Scale quick, seed 1: 4 of 4 games."),
        "{quick}"
    );
    assert!(quick.contains("fails      C1  Thinking loses"), "{quick}");
    for ending in ["jsonl", "csv", "trials.csv", "svg", "md"] {
        assert!(
            std::path::Path::new(results)
                .join(format!("tiny.{ending}"))
                .is_file()
        );
    }

    let again = run(&["--json"]).expect(1).json();
    assert_eq!((&again["played"], &again["wanted"]), (&4.into(), &4.into()));
    assert_eq!(again["claims"][0]["judgement"], "fails");
    assert_eq!(again, run(&["--report-only", "--json"]).expect(1).json());
}

#[test]
fn studies_are_listed_and_looked_up() {
    let list = paidia(&["study", "--list", "--json"]).expect(0).json();
    let names = list["studies"].as_array().unwrap().iter();
    assert!(names.clone().any(|study| study["name"] == "cadia-connect4"));
    let shown = paidia(&["study", "--list"]).expect(0).out;
    assert!(
        names
            .clone()
            .all(|study| shown.contains(study["title"].as_str().unwrap())),
        "{shown}"
    );
    let unknown = paidia(&["study", "cadia-conect4"]).expect(2);
    assert!(
        unknown.err.contains("did you mean `cadia-connect4`?"),
        "{}",
        unknown.err
    );
    let missing = paidia(&["study", "nowhere.toml"]).expect(2);
    assert!(
        missing.err.contains("cannot read nowhere.toml"),
        "{}",
        missing.err
    );
    paidia(&["study"]).expect(2);
}

const THREADS: &str = r#"
title = "Threads"
source = "Nobody, never"
about = "A test."

[games]
tic-tac-toe = "ours"

[[engines]]
name = "crew"
engine = "uct(leaf-threads=2, management=restart, leaves=8)"
[[engines]]
name = "layers"
engine = "layered(threads=2)"
[[engines]]
name = "too many"
engine = "layered(threads=1000)"
[[engines]]
name = "nobody"
engine = "perpetual"

[scales]
quick = { seconds = 0.02, rounds = 2 }

[[tables]]
name = "clock"
title = "By the clock"
measure = "playouts"
unit = "playouts"
clock = true

[[tables]]
name = "length"
title = "Lengths"
measure = "playouts"
unit = "length"
"#;

#[test]
fn names_like_what_was_asked_for_are_told() {
    let unknown = paidia(&["study", "nested"]).expect(2);
    for name in ["`nested-positions`", "`nested-tables`"] {
        assert!(unknown.err.contains(name), "{}", unknown.err);
    }
}

#[test]
fn constants_are_tuned_for_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let tune = |more: &[&str]| {
        let common = ["tune", "tic-tac-toe", "--rounds", "2,2", "--games", "4"];
        let few = ["--simulations", "20", "--out", out, "--jobs", "2"];
        paidia(&[&common[..], &few, more].concat())
    };
    let run = tune(&[
        "--try",
        "exploration=0.001,40",
        "--try",
        "choice=value,visits",
    ]);
    assert!((0..=1).contains(&run.code), "{}", run.err);
    // Lines without a terminal: four candidates play two games each, then two of them, then one.
    assert!(
        run.err.contains("8 of 8 games for champions"),
        "{}",
        run.err
    );
    assert!(run.err.contains("4 of 4 games"), "{}", run.err);
    assert!(run.out.contains("uct tuned for tic-tac-toe"), "{}", run.out);
    let trials = folder.path().join("tune-tic-tac-toe.trials.csv");
    // A head, the games of the two rounds, and the new ones.
    let lines = std::fs::read_to_string(trials).unwrap().lines().count();
    assert_eq!(lines, 1 + 8 + 4 + 4);
    for wrong in [["--try", "exploration"], ["--try", "none=1"]] {
        tune(&wrong).expect(2);
    }
}

#[test]
fn threads_are_compared_by_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let study = file(&folder, "threads.toml", THREADS);
    let results = folder.path().join("results");
    let arguments = [
        "study",
        &study,
        "--json",
        "--out",
        results.to_str().unwrap(),
    ];
    let report = paidia(&arguments).expect(0).json();
    let slot = |table: usize, engine: usize| &report["tables"][table]["rows"][0]["slots"][engine];
    for engine in 0..2 {
        let rate = slot(0, engine)["figure"]["value"].as_f64().unwrap();
        assert!(rate > 0.0, "{rate}");
        let length = slot(1, engine)["figure"]["value"].as_f64().unwrap();
        assert!((7.0..8.3).contains(&length), "{length}");
    }
    let problem = |engine: usize| slot(0, engine)["problem"].as_str().unwrap().to_owned();
    assert!(problem(2).contains("from 1 to 64"), "{}", problem(2));
    assert!(problem(3).contains("perpetual"), "{}", problem(3));
}

#[test]
fn bandits_are_played_with() {
    let text = r#"
title = "A few arms"
source = "Nobody, never"
about = "A test."
exploration = 0.4
threshold = 0.6
trials = 100
every = 50
shown = [100]
scales.quick = { models = 3, tasks = 2 }
bandits = [{ name = "three", arms = 3, winners = 0.3, sight = "outcome" }]
"#;
    let folder = tempfile::tempdir().unwrap();
    let study = file(&folder, "arms.toml", text);
    let results = folder.path().join("results");
    let call = ["study", &study, "--out", results.to_str().unwrap()];
    let nothing = paidia(&[&call[..], &["--report-only"]].concat()).expect(2);
    assert!(nothing.err.contains("has no models"), "{}", nothing.err);
    let shown = paidia(&call).expect(0).out;
    assert!(shown.contains("seed 1: 3 of 3 models."), "{shown}");
    let again = paidia(&[&call[..], &["--json"]].concat()).expect(0).json();
    assert_eq!(again["curves"][0]["models"], 3);
    for ending in ["jsonl", "csv", "svg", "md"] {
        assert!(results.join(format!("arms.{ending}")).is_file());
    }
}

const POSITIONS: &str = r#"
title = "Seeing a win"
source = "Nobody, never"
about = "A test."
games = { tic-tac-toe = "ours" }
players = { Looker = "nested(level=1, samples=20)" }
scales.quick = { searches = { all = 5 } }

[[positions]]
name = "a win at once"
game = "tic-tac-toe"
after = "(mark 1 1) (mark 1 2) (mark 2 2) (mark 2 3)"
right = ["(mark 3 3)"]

[[cells]]
name = "looking"
group = "all"
position = "a win at once"
player = "Looker"

[[claims]]
id = "C1"
text = "Who looks, sees"
figure = "right"
cells = ["looking"]
at_least = 50
"#;

#[test]
fn positions_are_asked_about_and_reported() {
    let folder = tempfile::tempdir().unwrap();
    let study = file(&folder, "tiny.toml", POSITIONS);
    let results = folder.path().join("results");
    let results = results.to_str().unwrap();
    let run = |more: &[&str], code| {
        let arguments = [&["study", &study, "--out", results], more].concat();
        paidia(&arguments).expect(code)
    };
    let nothing = run(&["--report-only"], 2);
    assert!(nothing.err.contains("has no searches"), "{}", nothing.err);
    let text = run(&[], 0).out;
    assert!(
        text.contains("5 of 5 searches") && text.contains("holds      C1"),
        "{text}"
    );
    let marks = run(&["--report-only", "--json"], 0).json();
    assert_eq!(marks["cells"][0]["right"]["value"], 100.0);
    let wrong = POSITIONS.replace("(mark 2 3)\"", "(mark 1 1)\"");
    let wrong = file(&folder, "wrong.toml", &wrong);
    let refused = paidia(&["study", &wrong, "--out", results]).expect(2);
    assert!(
        refused.err.contains("position `a win at once`"),
        "{}",
        refused.err
    );
}
