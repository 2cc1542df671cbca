//! Every bundled game can be checked and played, and goes as its playthrough says.

use paidia_library::{all, real_time};

use paidia_testkit::process::file;

use super::paidia;

#[test]
fn every_bundled_game_has_sound_rules() {
    let names: Vec<&str> = ["check", "--strict", "--json"]
        .into_iter()
        .chain(all().iter().chain(real_time()).map(|game| game.name))
        .collect();
    let run = paidia(&names);
    let report = run.json();
    let files = report["files"].as_array().unwrap();
    let faulty: Vec<_> = files
        .iter()
        .filter(|file| file["valid"] != true)
        .map(|file| &file["file"])
        .collect();
    assert!(faulty.is_empty(), "{faulty:?}");
    assert_eq!(files.len(), all().len() + real_time().len());
}

#[test]
fn every_bundled_game_ends_with_a_goal_for_each_role() {
    for game in all() {
        let report = paidia(&["simulate", game.name, "--playouts", "1", "--json"])
            .expect(0)
            .json();
        assert_eq!(
            (&report["cut"], &report["stuck"]),
            (&0.into(), &0.into()),
            "{}",
            game.name
        );
        let roles = report["roles"]
            .as_array()
            .unwrap()
            .iter()
            .zip(report["mean_goals"].as_array().unwrap());
        for (role, goal) in roles.filter(|(role, _)| *role != "random") {
            assert!(goal.is_number(), "{} has no goal in {}", role, game.name);
        }
    }
}

#[test]
fn playthroughs_go_as_they_are_written() {
    let folder = tempfile::tempdir().unwrap();
    for game in all().iter().chain(real_time()) {
        let Some(playthrough) = game.playthrough else {
            panic!("{} has no playthrough.txt", game.name)
        };
        let path = file(&folder, &format!("{}.txt", game.name), playthrough);
        let run = paidia(&["transcript", game.name, "--verify", &path]);
        assert_eq!(run.code, 0, "{}: {}{}", game.name, run.out, run.err);
    }
}

#[test]
fn some_games_come_in_any_size() {
    let moves = |game: &str| {
        let report = paidia(&["info", game, "--json"]).expect(0).json();
        assert_eq!(report["game"], game);
        report["legal"][0].as_array().unwrap().len()
    };
    assert_eq!(moves("hex@5"), 25);
    assert_eq!(moves("connect-four@8"), 9);
    assert_eq!(moves("breakthrough@10"), 28);
    for wrong in ["hex@2", "hex@x", "hex@", "chess@9", "@"] {
        let run = paidia(&["info", wrong]).expect(2);
        assert!(run.err.contains("such as `hex@11`"), "{wrong}: {}", run.err);
    }
}
