//! Exported rules in SWI-Prolog, if it is there: it finds what our engines find.

use std::path::Path;
use std::process::Command;

use paidia_game::{Rules, perft};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::prolog::{StateForm, export};
use paidia_reason::{Prover, Reference};
use paidia_testkit::replay::{Step, difference};
use paidia_testkit::settings::is_wanted;
use paidia_testkit::{bundled, need};

/// Games of many kinds: puzzles, simultaneous moves, hidden information, recursion.
const GAMES: [&str; 14] = [
    "tic-tac-toe",
    "connect-four",
    "breakthrough",
    "checkers",
    "othello",
    "hanoi",
    "blocker",
    "skirmish",
    "eight-puzzle",
    "kuhn-poker",
    "monty-hall",
    "rock-paper-scissors",
    "atari-go-7x7",
    "hex-7x7",
];

/// Whether there is a Prolog to ask.
fn is_there() -> bool {
    need::need("prolog", need::program(&["swipl"])).is_some()
}

/// What a goal of an exported game prints.
fn ask(file: &Path, goal: &str) -> String {
    let run = Command::new("swipl")
        .args(["-q", "-g", goal, "-t", "halt"])
        .arg(file)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&run.stderr);
    assert!(
        run.status.success() && errors.is_empty(),
        "{}: {errors}",
        file.display()
    );
    String::from_utf8(run.stdout).unwrap()
}

/// An exported game in a folder that stays as long as it is looked at.
fn exported(name: &str, form: StateForm, folder: &Path) -> std::path::PathBuf {
    let rules = paidia_library::find(name).unwrap().rules;
    let (reading, report) = check_source(&Source::new(name, rules), None);
    let text = export(name, &reading.sheet, report.dialect, form).unwrap();
    let file = folder.join(format!("{name}.pl"));
    std::fs::write(&file, text).unwrap();
    file
}

/// The steps of a playout as the driver prints them.
fn steps(trace: &str, roles: &[String]) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in trace.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "state" {
            steps.push(Step {
                goals: Some(vec![None; roles.len()]),
                ..Step::default()
            });
        }
        let step = steps.last_mut().unwrap();
        let (role, term) = rest.split_once(' ').unwrap_or((rest, ""));
        let role = roles.iter().position(|name| name == role);
        match word {
            "state" | "end" | "sees" => {}
            "fact" => step.state.push(rest.to_owned()),
            "terminal" => step.terminal = true,
            "goal" => step.goals.as_mut().unwrap()[role.unwrap()] = term.parse().ok(),
            "legal" => {
                let legal = step.legal.get_or_insert(vec![Vec::new(); roles.len()]);
                legal[role.unwrap()].push(term.to_owned());
            }
            "does" => {
                let moves = step.moves.get_or_insert(vec![String::new(); roles.len()]);
                moves[role.unwrap()] = term.to_owned();
            }
            other => panic!("{other}"),
        }
    }
    steps
}

#[test]
fn random_play_of_swi_prolog_is_followed_without_a_mismatch() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    for name in GAMES.into_iter().filter(|name| is_wanted(name)) {
        let program = bundled(name).program();
        let prover = Prover::new(name, &program).unwrap();
        for form in [StateForm::Asserted, StateForm::List] {
            let file = exported(name, form, folder.path());
            let trace = ask(&file, "trace(7, 12)");
            let steps = steps(&trace, &prover.facts().roles);
            assert!(steps.len() > 1, "{name}: {trace}");
            let different = difference(&prover, &steps);
            found.extend(different.map(|what| format!("{name}, {form:?}: {what}")));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn swi_prolog_counts_the_same_nodes() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let depths = [("tic-tac-toe", 3), ("connect-four", 2), ("hanoi", 4)];
    for (name, depth) in depths {
        let program = bundled(name).program();
        let game = Reference::new(name, &program).unwrap();
        let counts = perft(&game, &game.initial(), depth, 1_000_000);
        // A node is a move that was made: the leaves of all depths but the start.
        let nodes: u128 = counts.depths.iter().skip(1).map(|depth| depth.leaves).sum();
        for form in [StateForm::Asserted, StateForm::List] {
            let file = exported(name, form, folder.path());
            let report = ask(&file, &format!("count({depth})"));
            let expected = format!("count nodes {nodes} playouts 0 milliseconds ");
            assert!(report.starts_with(&expected), "{name}: {report}{expected}");
        }
    }
}

#[test]
fn swi_prolog_plays_for_a_time() {
    if !is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = exported("tic-tac-toe", StateForm::Asserted, folder.path());
    for (goal, word) in [
        ("playouts(0.2, 1)", "playouts"),
        ("minimax(0.2)", "minimax"),
    ] {
        let report = ask(&file, goal);
        let words: Vec<&str> = report.split_whitespace().collect();
        let number = |place: usize| words[place].parse::<u64>().unwrap();
        assert_eq!(
            [words[0], words[1], words[3], words[5]],
            [word, "nodes", "playouts", "milliseconds"]
        );
        assert!(number(2) > 0 && number(6) >= 200, "{report}");
    }
}
