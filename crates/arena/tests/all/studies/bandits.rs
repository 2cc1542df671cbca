//! A small study of bandits from its data to its results.

use std::path::Path;

use paidia_arena::study::bandits::{Bandits, CurveFigures, ModelRecord};
use paidia_arena::study::{self, Experiment, Finding, Judgement, Ledger, Scale, Summary};

use super::{carry_out, refusal, run};

pub(super) const TEXT: &str = r#"
title = "A few arms"
source = "Nobody, never"
about = "A test."
exploration = 0.4
threshold = 0.6
trials = 600
every = 50
shown = [100, 600]

[scales]
quick = { models = 6, tasks = 5 }
report = { models = 8, tasks = 5 }

[[bandits]]
name = "easy"
arms = 3
winners = 0.7
sight = "outcome"

[[bandits]]
name = "bare"
arms = 8
winners = 0.1
sight = "mean"

[[claims]]
id = "same"
text = "Nothing is certain"
bandits = ["easy", "bare"]
at = 600
at_least = -1
at_most = 1

[[claims]]
id = "better"
text = "It is always far ahead"
bandits = ["easy"]
at = 600
at_least = 0.9
"#;

fn play(path: &Path, scale: Scale, jobs: usize) -> Ledger<ModelRecord> {
    carry_out::<Bandits>(TEXT, path, run(scale, 1), jobs).unwrap()
}

fn sorted(ledger: &Ledger<ModelRecord>) -> Vec<ModelRecord> {
    let mut records = ledger.records.clone();
    records.sort_by_key(|record| (record.bandit.clone(), record.model));
    records
}

fn summary(ledger: &Ledger<ModelRecord>) -> Summary<CurveFigures> {
    let study: Bandits = study::parse("test", TEXT).unwrap();
    study::summarise(&study, run(Scale::Quick, 1), ledger).unwrap()
}

#[test]
fn results_depend_neither_on_jobs_nor_on_interruptions() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    let alone = play(&one, Scale::Report, 1);
    play(&two, Scale::Quick, 2);
    let taken_up = play(&two, Scale::Report, 2);
    assert_eq!(alone.records.len(), 16);
    assert_eq!(sorted(&alone), sorted(&taken_up));
    assert_eq!(play(&two, Scale::Report, 1).records.len(), 16);
}

#[test]
fn curves_have_a_point_for_each_look_and_claims_are_judged() {
    let folder = tempfile::tempdir().unwrap();
    let file = play(&folder.path().join("file"), Scale::Quick, 1);
    let summary = summary(&file);
    assert_eq!((summary.figures.played, summary.figures.wanted), (12, 12));
    for curve in &summary.figures.curves {
        assert_eq!((curve.models, curve.difference.len()), (6, 12));
        let last = curve.plain[11].value;
        assert!((0.0..=1.0).contains(&last));
    }
    let judgements: Vec<Judgement> = summary.claims.iter().map(|claim| claim.judgement).collect();
    assert_eq!(judgements, [Judgement::Holds, Judgement::Fails]);
    assert!(!summary.stands());
    let report = Bandits::report(&summary);
    assert_eq!(report.csv().lines().count(), 1 + 2 * 12);
    let text = report.text();
    assert!(text.contains("k = 100") && text.contains("fails"), "{text}");
    assert!(report.markdown().contains("](test.svg)"));
    assert_eq!(report.svg().matches("<polyline").count(), 4);
}

#[test]
fn what_was_not_played_decides_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::read(&folder.path().join("nothing")).unwrap();
    let summary = summary(&ledger);
    let undecided = |claim: &Finding| claim.judgement == Judgement::Undecided;
    assert!(summary.figures.played == 0 && summary.claims.iter().all(undecided));
}

#[test]
fn data_that_makes_no_sense_is_refused() {
    for (good, faulty, place) in [
        ("threshold = 0.6", "threshold = 60", "threshold"),
        ("every = 50", "every = 0", "trials"),
        ("shown = [100", "shown = [110", "shown"),
        ("arms = 3", "arms = 0", "easy"),
        ("models = 6", "models = 0", "scales"),
        ("name = \"bare\"", "name = \"easy\"", "bandits"),
        ("[\"easy\", \"bare\"]", "[\"hard\"]", "same"),
        ("at = 600\nat_least = 0.9", "at = 600", "better"),
        (
            "at = 600\nat_least = 0.9",
            "at = 601\nat_least = 0.9",
            "better",
        ),
    ] {
        let error = refusal::<Bandits>(TEXT, good, faulty);
        assert!(error.contains(place), "{faulty}: {error}");
    }
}
