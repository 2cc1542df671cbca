//! Video games on the command line.

use paidia_testkit::process::file;
use paidia_testkit::recordings;

use super::paidia;

/// A description without a level.
const FLAG: &str = "BasicGame square_size=10\n  SpriteSet\n    flag > Door\n  LevelMapping\n    f > flag\n  \
    InteractionSet\n    avatar wall > stepBack\n    flag avatar > killSprite scoreChange=1\n  TerminationSet\n    \
    SpriteCounter stype=flag win=True\n    Timeout limit=9\n";

#[test]
fn descriptions_are_checked_with_places_and_suggestions() {
    let folder = tempfile::tempdir().unwrap();
    let good = file(&folder, "flag.txt", FLAG);
    paidia(&["check", "--strict", &good]).expect(0);
    let bad = file(&folder, "bad.txt", &FLAG.replace("killSprite", "killSprit"));
    let report = paidia(&["check", "--strict", "--json", &bad])
        .expect(1)
        .json();
    let problem = &report["files"][0]["problems"][0];
    assert_eq!(
        (&problem["line"], &problem["column"]),
        (&8.into(), &19.into())
    );
    assert_eq!(problem["help"], "did you mean `killSprite`?");
    let code = problem["code"].as_str().unwrap();
    paidia(&["explain", code]).expect(0);
    // To be played it needs a level.
    let refused = paidia(&["info", &good]).expect(1);
    assert!(
        refused.err.contains("there is no level to play"),
        "{}",
        refused.err
    );
}

#[test]
fn levels_are_chosen_by_number_and_by_file() {
    let folder = tempfile::tempdir().unwrap();
    let game = file(&folder, "flag.txt", FLAG);
    file(&folder, "flag_lvl0.txt", "A f\n");
    file(&folder, "flag_lvl1.txt", "A   f\n");
    let level = file(&folder, "other.txt", "A      f\n");
    for (level, name) in [
        (None, "flag"),
        (Some("1"), "flag@1"),
        (Some(&*level), "flag"),
    ] {
        let mut call = vec!["info", &game, "--json"];
        call.extend(level.iter().flat_map(|level| ["--level", level]));
        let info = paidia(&call).expect(0).json();
        assert_eq!(info["game"], name);
        assert_eq!(info["roles"], serde_json::json!(["player"]));
    }
    let none = paidia(&["info", &game, "--level", "4"]).expect(2);
    assert!(none.err.contains("has no level `4`"), "{}", none.err);
}

#[test]
fn bundled_video_games_are_simulated_and_played() {
    let report = paidia(&["simulate", "nets", "--playouts", "3", "--json"]);
    assert_eq!(report.expect(0).json()["playouts"], 3);
    let play = || {
        let call = [
            "match", "goats", "--level", "1", "--player", "iw", "--states", "60",
        ];
        paidia(&[&call[..], &["--seed", "2", "--step-limit", "12", "--json"]].concat())
    };
    let (one, other) = (play(), play());
    assert_eq!(one.json()["moves"].as_array().unwrap().len(), 12);
    assert_eq!(one.json()["moves"], other.json()["moves"]);
    let refused = paidia(&["match", "tic-tac-toe", "--player", "olets"]);
    assert!(refused.expect(2).err.contains("plays video games"));
}

/// `paidia replay --corpus ../shared/vgdl` without `--only` and `--runs` follows all of them.
#[test]
fn recorded_runs_are_followed() {
    let Some(folder) = recordings() else { return };
    let folder = folder.to_str().unwrap();
    let call = [
        "replay", "--corpus", folder, "--only", "zelda", "--runs", "1", "--json",
    ];
    let report = paidia(&call).expect(0).json();
    let count = |name: &str| report[name].as_u64().unwrap();
    assert!(count("runs") >= 2 && count("ticks") > 100, "{report}");
    assert_eq!((count("mismatches"), count("errors")), (0, 0));
    paidia(&["replay", "--corpus", folder, "--only", "no such game"]).expect(2);
}
