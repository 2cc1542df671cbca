//! Recorded play: good traces, wrong ones, broken ones, and the public collection.

use std::io::Write;

use super::{ONE_MOVE, corpus, file, paidia};

const HEADER: &str = r#"{"game":"one","roles":["a"]}"#;
const START: &str =
    r#"{"playout":0,"step":0,"state":["start"],"legal":[["give_up","win"]],"moves":["win"]}"#;
const END: &str = r#"{"playout":0,"step":1,"state":["won"],"terminal":true,"goals":[100]}"#;

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
    let report = paidia(&["replay", &place.rules, &trace, "--json"])
        .expect(0)
        .json();
    assert_eq!(
        (&report["steps"], &report["mismatches"]),
        (&2.into(), &0.into())
    );
    assert_eq!(
        (&report["game"], &report["engine"]),
        (&"one".into(), &"reference".into())
    );
    assert!(report["first_mismatch"].is_null());
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
        let report = paidia(&["replay", &place.rules, &trace, "--json"])
            .expect(1)
            .json();
        assert_eq!(report["first_mismatch"]["what"], what, "{report}");
        assert_eq!(report["first_mismatch"]["trace"], trace);
        let shown = paidia(&["replay", &place.rules, &trace]).expect(1).out;
        assert!(shown.contains(&format!(": {what}\n")), "{shown}");
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
        let run = paidia(&["replay", &place.rules, &trace]).expect(2);
        assert!(run.err.contains("one.jsonl"), "{lines:?}: {}", run.err);
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
fn the_public_records_are_followed_to_the_last_step() {
    let Some(folder) = corpus() else {
        println!("skipped: the public collection is not there");
        return;
    };
    let run = paidia(&["replay", "--corpus", folder.to_str().unwrap(), "--json"]);
    let report = run.json();
    let wrong = |row: &&serde_json::Value| row["mismatches"] != 0 || !row["error"].is_null();
    let wrong: Vec<_> = report["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter(wrong)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(report["games"].as_u64().unwrap() >= 200 && report["steps"].as_u64().unwrap() > 15_000);
    run.expect(0);
}
