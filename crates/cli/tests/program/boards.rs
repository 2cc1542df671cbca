//! Board games in languages of their own, on the command line.

use paidia_testkit::process::file;

use super::paidia;

#[test]
fn rules_are_learned_from_matches_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let kept = format!("--record={}", path("kept"));
    for seed in ["1", "2", "3"] {
        let players = ["--player", "random", "--player", "random"];
        let mut arguments = vec!["match", "simplified-breakthrough", "--seed", seed, &kept];
        arguments.extend(players);
        paidia(&arguments).expect(0);
    }
    let files = std::fs::read_dir(path("kept")).unwrap();
    let files = files.map(|entry| entry.unwrap().path().to_str().unwrap().to_owned());
    let records: Vec<String> = files.filter(|file| file.ends_with(".json")).collect();
    assert_eq!(records.len(), 3);
    let learned = path("learned.sbg");
    let mut arguments = vec!["learn"];
    arguments.extend(records.iter().map(String::as_str));
    arguments.extend([
        "--legal",
        "--goals-of",
        "simplified-breakthrough",
        "--to",
        &learned,
    ]);
    paidia(&arguments).expect(0);
    // What was learned is the game that was watched.
    let [ours, theirs] = [learned.as_str(), "simplified-breakthrough"].map(|game| {
        let report = paidia(&["perft", game, "--depth", "3", "--json"])
            .expect(0)
            .json();
        report["depths"][2]["leaves"].as_u64().unwrap()
    });
    assert_eq!(ours, theirs);
    let other = file(&folder, "other.json", "{\"moves\": 3}");
    paidia(&["learn", &other]).expect(2);
}

#[test]
fn translated_languages_are_checked_and_exported() {
    for game in ["american-checkers", "tic-tac-toe-rewritten"] {
        let sheet = paidia(&["export", game, "--to", "gdl"]).expect(0).out;
        assert!(sheet.contains("(role "), "{sheet}");
        let folder = tempfile::tempdir().unwrap();
        let translated = file(&folder, "translated.kif", &sheet);
        paidia(&["check", &translated]).expect(0);
    }
    let folder = tempfile::tempdir().unwrap();
    let faulty = file(&folder, "faulty.metagame", "GAME x GOALS sleep");
    let report = paidia(&["check", "--json", &faulty]).expect(1).json();
    let problem = &report["files"][0]["problems"][0];
    assert_eq!(
        (&problem["line"], &problem["column"]),
        (&1.into(), &14.into())
    );
    paidia(&["explain", problem["code"].as_str().unwrap()]).expect(0);
}
