//! Measurements of engines, from their data to their results.

use std::collections::BTreeSet;
use std::path::Path;

use paidia_arena::study::measurements::{
    Contender, Count, Job, Measure, MeasurementFigures, Measurements, Place, Position, Sample,
    Task, Walking, Work,
};
use paidia_arena::study::{self, Equipment, Experiment, Judgement, Ledger, Scale, Summary};
use paidia_game::{Legible, Rules};
use paidia_reason::Compiled;

use super::{Bundled, carry_out, program, refusal, run};

pub(super) const TEXT: &str = r#"
title = "Trees against none"
source = "Nobody, never"
about = "A test."

[games]
tic-tac-toe = "ours"
nim = "ours, too"

[scales]
quick = { seconds = 0.004, rounds = 3, positions = 2 }
report = { seconds = 0.004, rounds = 4, positions = 2 }

[[engines]]
name = "Plain"
engine = "reference"

[[engines]]
name = "Trees"
engine = "compiled"

[[engines]]
name = "Nobody"
engine = "perpetual"

[[tables]]
name = "rates"
title = "Playouts a second"
measure = "playouts"
unit = "playouts"
order = [["Trees"], ["Plain"]]

[tables.paper.Trees]
tic-tac-toe = 0.001

[tables.paper."A dream"]
tic-tac-toe = 1e15

[[tables]]
name = "minimax"
title = "Minimax in the middle"
measure = "minimax"
unit = "states"
at = "middle"

[[tables]]
name = "nodes"
title = "Nodes from the start"
measure = "nodes"
unit = "nodes"
depths = { tic-tac-toe = 4 }
paper = { known = { tic-tac-toe = 3609 } }

[[tables]]
name = "matches"
title = "Nodes in matches"
measure = "nodes"
unit = "nodes"
at = "spread"
depths = { tic-tac-toe = 2, nim = 1 }

[[tables]]
name = "load"
title = "Seconds to load"
measure = "load"
unit = "seconds"

[[claims]]
id = "C1"
text = "All find the numbers that are known"
figure = { table = "nodes", engine = "*" }
over = { table = "nodes", paper = "known" }
at_least = 1
at_most = 1

[[claims]]
id = "C2"
text = "All find the same in matches"
figure = { table = "matches", engine = "*" }
over = { table = "matches", engine = "Plain" }
at_least = 1
at_most = 1

[[claims]]
id = "C3"
text = "Trees are as fast as a snail"
figure = { table = "rates", engine = "Trees" }
over = { table = "rates", paper = "Trees" }
at_least = 1

[[claims]]
id = "C4"
text = "Trees are as fast as a dream"
figure = { table = "rates", engine = "Trees" }
over = { table = "rates", paper = "A dream" }
which = "mean"
at_least = 1

[[claims]]
id = "C5"
text = "Nobody is fast"
figure = { table = "rates", engine = "Nobody" }
at_least = 1
"#;

fn measurements() -> Measurements {
    study::parse("test", TEXT).unwrap()
}

fn load(game: &str, engine: &str) -> Box<dyn Contender> {
    Bundled.contender(game, engine).unwrap()
}

/// Takes what is missing, and gives what came out.
fn measure(file: &Path, scale: Scale) -> (Ledger<Sample>, Summary<MeasurementFigures>) {
    // Samples are taken one after the other, whatever is asked for.
    let ledger = carry_out::<Measurements>(TEXT, file, run(scale, 1), 4).unwrap();
    assert_eq!(ledger.runs.last().unwrap().jobs, 1);
    let summary = study::summarise(&measurements(), run(scale, 1), &ledger).unwrap();
    (ledger, summary)
}

#[test]
fn no_sample_of_a_bundled_study_is_taken_twice() {
    let mut found = 0;
    for bundled in study::all() {
        let Ok(mut study) = study::parse::<Measurements>(bundled.name, bundled.text) else {
            continue;
        };
        found += 1;
        study.take_bundled(&["tic-tac-toe".to_owned()]);
        for scale in study.contents().scales {
            let agenda = study.agenda(run(scale, 1)).unwrap();
            let prints: BTreeSet<String> = agenda.iter().map(Task::fingerprint).collect();
            assert!(!agenda.is_empty());
            assert_eq!(prints.len(), agenda.len(), "{}", bundled.name);
        }
    }
    assert!(found >= 5);
}

#[test]
fn figures_claims_and_reasons_come_out() {
    let folder = tempfile::tempdir().unwrap();
    let (_, summary) = measure(&folder.path().join("results.jsonl"), Scale::Quick);
    let judgements: Vec<Judgement> = summary.claims.iter().map(|claim| claim.judgement).collect();
    assert_eq!(
        judgements,
        [
            Judgement::Holds,
            Judgement::Holds,
            Judgement::Holds,
            Judgement::Fails,
            Judgement::Undecided
        ]
    );
    let figures = &summary.figures;
    assert!(!summary.stands() && !Measurements::is_blank(figures));
    // Two engines of three took 3 rounds of 2 measures and 1 of loading in 2 games, and 3 counts.
    assert_eq!(figures.taken, 2 * (2 * 7 + 3));
    let rates = &figures.tables[0];
    for row in &rates.rows {
        for slot in &row.slots[..2] {
            let figure = slot.figure.unwrap();
            assert_eq!(slot.rounds.len(), 3);
            assert!(figure.low > 0.0 && figure.low <= figure.value && figure.value <= figure.high);
        }
        assert!(row.slots[2].figure.is_none());
    }
    let report = Measurements::report(&summary);
    let text = report.text();
    assert!(
        text.contains("Nobody on all games: there is no such engine"),
        "{text}"
    );
    let markdown = report.markdown();
    for part in [
        "| game | Plain | Trees | Trees (paper) | Nobody | A dream | against the order |",
        "| tic-tac-toe | 3,609 | 3,609 | – | 3,609 |",
        "| C4 | Trees are as fast as a dream | **fails** |",
        "$ paidia study test --scale quick --seed 1",
    ] {
        assert!(markdown.contains(part), "{part} in\n{markdown}");
    }
    assert_eq!(report.csv().lines().count(), 1 + 6 + 2 + 6 + 3 + 1 + 6 + 6);
    assert!(report.svg().contains("Trees (paper)"));
}

#[test]
fn what_was_taken_is_not_taken_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.jsonl");
    let (whole, before) = measure(&path, Scale::Quick);
    let bytes = std::fs::read(&path).unwrap();
    // Killed in the middle of a line: what is whole stays as it is, and the rest is taken.
    let torn = folder.path().join("torn.jsonl");
    std::fs::write(&torn, &bytes[..bytes.len() / 2]).unwrap();
    let (continued, after) = measure(&torn, Scale::Quick);
    assert_eq!(after.figures.taken, before.figures.taken);
    // The first line tells of the run.
    let kept = bytes[..bytes.len() / 2]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .skip(1);
    for (one, other) in whole
        .records
        .iter()
        .zip(&continued.records)
        .take(kept.count())
    {
        let states = |sample: &Sample| sample.count.map(|count| (count.states, count.playouts));
        assert_eq!((&one.task, states(one)), (&other.task, states(other)));
    }
    // A larger scale has one round more; only what failed is tried again besides.
    let (larger, _) = measure(&path, Scale::Report);
    let fresh = &larger.records[whole.records.len()..];
    let taken = fresh.iter().filter(|sample| sample.count.is_some());
    assert_eq!(taken.count(), 2 * 2 * 2);
}

#[test]
fn engines_take_turns() {
    let agenda = measurements().agenda(run(Scale::Quick, 1)).unwrap();
    let tasks: Vec<&Task> = agenda
        .iter()
        .filter(|task| task.game == "tic-tac-toe")
        .collect();
    let turns: Vec<(u32, &str)> = tasks
        .iter()
        .filter(|task| task.measure == Measure::Playouts)
        .map(|task| (task.round, task.engine.as_str()))
        .collect();
    let (plain, trees, nobody) = ("reference", "compiled", "perpetual");
    assert_eq!(
        turns,
        [
            (0, plain),
            (0, trees),
            (0, nobody),
            (1, trees),
            (1, nobody),
            (1, plain),
            (2, nobody),
            (2, plain),
            (2, trees)
        ]
    );
    let places: BTreeSet<Place> = tasks.iter().map(|task| task.at).collect();
    assert!(places.contains(&Place::Start) && places.contains(&Place::Spread));
}

fn job(work: Work, positions: std::ops::Range<usize>) -> Job {
    Job {
        work,
        positions,
        seconds: 0.05,
        seed: 7,
        step_limit: 1_000,
    }
}

#[test]
fn searches_count_what_the_world_counts() {
    let game = Compiled::new("tic-tac-toe", &program("tic-tac-toe")).unwrap();
    let mut walking = Walking::new(game.clone());
    let nodes = |walking: &mut Walking<Compiled>, depth| {
        let count: Count = walking.measure(&job(Work::Nodes(depth), 0..1)).unwrap();
        count.states
    };
    // Nodes by depth: 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872.
    assert_eq!(nodes(&mut walking, 0), 0);
    assert_eq!(nodes(&mut walking, 6), 73_449);
    assert_eq!(nodes(&mut walking, 12), 549_945);
    // A match at random, and a search from its last state but one to the end: deepening stops by
    // itself.
    let states = walking.record(3, 1_000).unwrap();
    assert_eq!(states[0], Position::Fluents(game.fluents(&game.initial())));
    walking
        .prepare(&[states[states.len() - 1].clone()])
        .unwrap();
    let count = walking.measure(&job(Work::Minimax, 0..1)).unwrap();
    let moves = nodes(&mut walking, 1);
    assert!((1..=9).contains(&moves));
    assert!(count.states >= moves);
    let again = walking.measure(&job(Work::Minimax, 0..1)).unwrap();
    assert_eq!(again.states, count.states);
}

#[test]
fn playouts_are_counted_and_the_same_for_all() {
    for engine in ["reference", "compiled"] {
        let mut contender = load("tic-tac-toe", engine);
        let count = contender.measure(&job(Work::Playouts, 0..1)).unwrap();
        assert!(count.playouts > 0 && !count.cut && count.cpu > 0.0);
        let length = count.states as f64 / count.playouts as f64;
        assert!((5.0..=9.0).contains(&length), "{length}");
        let nowhere = Position::Fluents(vec!["(cell 1".to_owned()]);
        assert!(contender.prepare(&[nowhere]).is_err());
    }
    let one = load("nim", "reference").record(5, 1_000);
    assert_eq!(one, load("nim", "compiled").record(5, 1_000));
}

#[test]
fn faulty_data_is_refused_with_the_place() {
    let faults = [
        (
            "measure = \"minimax\"",
            "measure = \"load\"",
            "does not come out",
        ),
        (
            "engine = \"Trees\" }\nover = { table = \"rates\", paper = \"Trees\" }",
            "engine = \"Bushes\" }\nover = { table = \"rates\", paper = \"Trees\" }",
            "claim `C3`",
        ),
        (
            "tic-tac-toe = 0.001",
            "chess = 1",
            "does not tell of `chess`",
        ),
        ("rounds = 3", "rounds = 0", "at least one round"),
        (
            "name = \"Plain\"",
            "name = \"Trees\"",
            "all of different names",
        ),
        ("name = \"matches\"", "name = \"nodes\"", "two of that name"),
        (
            "order = [[\"Trees\"]",
            "order = [[\"Shrubs\"]",
            "no engine `Shrubs`",
        ),
    ];
    for (right, wrong, said) in faults {
        let error = refusal::<Measurements>(TEXT, right, wrong);
        assert!(error.contains(said), "{error}");
    }
}
