//! Recorded play: good traces, wrong ones, broken ones, and the public collection.

use std::io::Write;

use paidia_testkit::corpus;
use paidia_testkit::process::file;

use super::{HUGE, ONE_MOVE, paidia};

const HEADER: &str = r#"{"game":"one","roles":["a"]}"#;
const START: &str =
    r#"{"playout":0,"step":0,"state":["start"],"legal":[["give_up","win"]],"moves":["win"]}"#;
const END: &str = r#"{"playout":0,"step":1,"state":["won"],"terminal":true,"goals":[100]}"#;

const ENGINES: [&str; 6] = [
    "reference",
    "forward",
    "prover",
    "compiled",
    "propnet",
    "batch",
];

struct Place {
    folder: tempfile::TempDir,
    rules: String,
}

fn place() -> Place {
    let folder = tempfile::tempdir().unwrap();
    let rules = file(&folder, "gdl/one.kif", ONE_MOVE);
    Place { folder, rules }
}

impl Place {
    fn trace(&self, lines: &[&str]) -> String {
        file(&self.folder, "traces/one.jsonl", &lines.join("\n"))
    }
}

#[test]
fn a_true_record_passes() {
    let place = place();
    let trace = place.trace(&[HEADER, START, END]);
    for engine in ENGINES {
        let call = ["replay", &place.rules, &trace, "--json", "--engine", engine];
        let report = paidia(&call).expect(0).json();
        assert_eq!(
            (&report["steps"], &report["mismatches"]),
            (&2.into(), &0.into())
        );
        assert_eq!(
            (&report["game"], &report["engine"]),
            (&"one".into(), &engine.into())
        );
        assert!(report["first_mismatch"].is_null());
    }
}

#[test]
fn gzip_is_read_as_well() {
    let place = place();
    let path = place.folder.path().join("one.jsonl.gz");
    let mut gzip = flate2::write::GzEncoder::new(
        std::fs::File::create(&path).unwrap(),
        flate2::Compression::fast(),
    );
    gzip.write_all([HEADER, START, END].join("\n").as_bytes())
        .unwrap();
    gzip.finish().unwrap();
    let report = paidia(&["replay", &place.rules, path.to_str().unwrap(), "--json"])
        .expect(0)
        .json();
    assert_eq!(report["steps"], 2);
}

#[test]
fn every_kind_of_lie_is_found() {
    let place = place();
    let lies = [
        (
            START.replace("\"start\"", "\"won\""),
            END.to_owned(),
            "state",
        ),
        (START.to_owned(), END.replace("won", "lost"), "state"),
        (
            START.replace("\"give_up\",", ""),
            END.to_owned(),
            "legal moves of a",
        ),
        (START.to_owned(), END.replace("100", "30"), "goal of a"),
        (
            START.to_owned(),
            END.replace("\"terminal\":true", "\"terminal\":false"),
            "terminal",
        ),
        (
            START.replace("[\"win\"]", "[\"fly\"]"),
            END.to_owned(),
            "moves",
        ),
    ];
    for (start, end, what) in lies {
        let trace = place.trace(&[HEADER, &start, &end]);
        for engine in ENGINES {
            let call = ["replay", &place.rules, &trace, "--engine", engine];
            let report = paidia(&[&call[..], &["--json"]].concat()).expect(1).json();
            assert_eq!(report["first_mismatch"]["what"], what, "{engine}: {report}");
            assert_eq!(report["first_mismatch"]["trace"], trace);
            let shown = paidia(&call).expect(1).out;
            assert!(shown.contains(&format!(": {what}\n")), "{engine}: {shown}");
        }
    }
}

#[test]
fn broken_traces_are_refused_and_nothing_breaks() {
    let place = place();
    let broken = [
        vec![],
        vec!["[]"],
        vec!["{\"roles\":3}"],
        vec![HEADER, "{\"playout\":0"],
        vec![HEADER, "null"],
        vec!["{\"game\":\"one\",\"roles\":[\"b\"]}", START],
        vec!["{\"game\":\"one\",\"roles\":[\"a\",\"a\"]}", START],
        vec!["{\"game\":\"one\",\"roles\":[]}", START],
        vec![
            HEADER,
            "{\"playout\":0,\"step\":0,\"state\":[\"start\"],\"legal\":[],\"moves\":[]}",
        ],
        vec![
            HEADER,
            "{\"playout\":0,\"step\":5,\"state\":[\"((\"],\"legal\":[[]]}",
        ],
        vec![HEADER, "{\"playout\":-1,\"step\":0,\"state\":[]}"],
        vec![
            HEADER,
            "{\"playout\":0,\"step\":18446744073709551615,\"state\":[\"start\"],\"moves\":[]}",
        ],
    ];
    for lines in broken {
        let trace = place.trace(&lines);
        for engine in ENGINES {
            let run = paidia(&["replay", &place.rules, &trace, "--engine", engine]).expect(2);
            assert!(run.err.contains("one.jsonl"), "{lines:?}: {}", run.err);
        }
    }
    paidia(&["replay", &place.rules, "no-such-trace"]).expect(2);
    let noise = file(&place.folder, "noise.gz", "\u{1f}\u{8b}");
    paidia(&["replay", &place.rules, &noise]).expect(2);
}

#[test]
fn a_folder_of_traces_is_checked_at_once() {
    let place = place();
    place.trace(&[HEADER, START, END]);
    let folder = place.folder.path().to_str().unwrap();
    let report = paidia(&["replay", "--corpus", folder, "--json"])
        .expect(0)
        .json();
    assert_eq!(
        (&report["games"], &report["steps"], &report["mismatches"]),
        (&1.into(), &2.into(), &0.into())
    );
    assert_eq!(report["results"][0]["game"], "one");

    file(&place.folder, "traces/lost.jsonl", HEADER);
    let run = paidia(&["replay", "--corpus", folder]).expect(1);
    assert!(run.out.contains("lost.kif"), "{}", run.out);
    paidia(&["replay", "--corpus", folder, "--only", "one"]).expect(0);
    paidia(&["replay", "--corpus", folder, "--only", "nothing"]).expect(2);
}

#[test]
fn games_that_do_not_load_are_skipped_and_listed() {
    let place = place();
    place.trace(&[HEADER, START, END]);
    file(&place.folder, "gdl/huge.kif", HUGE);
    let header = r#"{"game":"huge","roles":["a"]}"#;
    file(&place.folder, "traces/huge.jsonl", header);
    let folder = place.folder.path().to_str().unwrap();
    for engine in ["propnet", "batch"] {
        let call = ["replay", "--corpus", folder, "--engine", engine];
        let report = paidia(&[&call[..], &["--json"]].concat()).expect(0).json();
        assert_eq!(
            (&report["skipped"], &report["errors"], &report["steps"]),
            (&1.into(), &0.into(), &2.into())
        );
        let reason = report["results"][0]["skipped"].as_str().unwrap();
        assert!(reason.contains("grounding ran out of room"), "{report}");
        let shown = paidia(&call).expect(0).out;
        assert!(
            shown.contains("skipped: grounding ran out of room") && shown.contains("1 skipped"),
            "{shown}"
        );
    }
}

#[test]
fn a_long_trace_fills_the_lanes_more_than_once() {
    let folder = tempfile::tempdir().unwrap();
    let numbers: Vec<String> = (0..700)
        .map(|n| format!("(successor {n} {})", n + 1))
        .collect();
    let rules = format!(
        "(role a) (init (step 0)) {}
(legal a wait) (<= (next (step ?m)) (true (step ?n)) (successor ?n ?m))
(<= terminal (true (step 700))) (goal a 50)",
        numbers.join(" ")
    );
    let rules = file(&folder, "count.kif", &rules);
    let line = |n: u32, state: u32| {
        format!(
            r#"{{"playout":0,"step":{n},"state":["(step {state})"],"legal":[["wait"]],"moves":["wait"]}}"#
        )
    };
    let mut lines = vec![HEADER.to_owned()];
    lines.extend((0..700).map(|n| line(n, n)));
    lines.push(
        r#"{"playout":0,"step":700,"state":["(step 700)"],"terminal":true,"goals":[50]}"#
            .to_owned(),
    );
    let trace = file(&folder, "count.jsonl", &lines.join("\n"));
    // Step 512 is the first of the third lot: that it follows step 511 is seen across lots.
    lines[513] = line(512, 600);
    let wrong = file(&folder, "wrong.jsonl", &lines.join("\n"));
    for engine in ENGINES {
        let call = ["replay", &rules, &trace, "--json", "--engine", engine];
        let report = paidia(&call).expect(0).json();
        assert_eq!(report["steps"], 701, "{engine}");
        let call = ["replay", &rules, &wrong, "--json", "--engine", engine];
        let report = paidia(&call).expect(1).json();
        assert_eq!(report["mismatches"], 2, "{engine}");
        let first = &report["first_mismatch"];
        assert_eq!(
            (&first["step"], &first["what"]),
            (&512.into(), &"state".into())
        );
        let few = [&call[..], &["--max-steps", "512"]].concat();
        assert_eq!(paidia(&few).expect(0).json()["steps"], 512, "{engine}");
    }
}

/// The reference and compiled rules follow all public records; the others those of games that
/// become networks.
fn follow_the_public_records(engine: &str, most_skipped: usize) {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.folder().to_str().unwrap();
    let fixed = ["replay", "--corpus", folder, "--json", "--engine", engine];
    let run = paidia(&[&fixed[..], &["--grounding-seconds", "5"]].concat());
    let report = run.json();
    let rows = report["results"].as_array().unwrap();
    let wrong = |row: &&serde_json::Value| row["mismatches"] != 0 || !row["error"].is_null();
    let wrong: Vec<_> = rows.iter().filter(wrong).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let skipped: Vec<_> = rows
        .iter()
        .filter(|row| !row["skipped"].is_null())
        .collect();
    assert!(skipped.len() <= most_skipped, "{skipped:#?}");
    assert!(report["games"].as_u64().unwrap() >= 200 && report["steps"].as_u64().unwrap() > 15_000);
    run.expect(0);
}

#[test]
fn the_public_records_are_followed_by_the_reference() {
    follow_the_public_records("reference", 0);
}

#[test]
fn the_public_records_are_followed_by_compiled_rules() {
    follow_the_public_records("compiled", 0);
}

#[test]
fn the_public_records_are_followed_by_the_network() {
    follow_the_public_records("propnet", 12);
}

#[test]
fn the_public_records_are_followed_in_lanes() {
    follow_the_public_records("batch", 12);
}
