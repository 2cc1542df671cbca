//! Commands about rules: check, explain, fmt, info, games, completions.

use std::process::Command;

use paidia_testkit::process::file;

use super::{ONE_MOVE, paidia, paidia_with_input};

#[test]
fn good_rules_pass() {
    let run = paidia(&["check", "tic-tac-toe"]).expect(0);
    assert!(
        run.out.contains("gdl rules, 0 errors, 0 warnings"),
        "{}",
        run.out
    );
}

#[test]
fn bad_rules_are_shown_with_line_and_code() {
    let folder = tempfile::tempdir().unwrap();
    let rules = file(
        &folder,
        "bad.kif",
        &format!("{ONE_MOVE}\n(<= (p ?x) (not (q ?x)))\n(q 1)"),
    );
    let run = paidia(&["check", &rules]).expect(1);
    assert!(
        run.out.contains("error[unsafe-variable]") && run.out.contains("bad.kif:6:"),
        "{}",
        run.out
    );

    let report = paidia(&["check", "--json", &rules, "tic-tac-toe"])
        .expect(1)
        .json();
    assert_eq!(report["valid"], false);
    assert_eq!(report["files"][0]["problems"][0]["line"], 6);
    assert_eq!(report["files"][1]["valid"], true);
}

#[test]
fn warnings_count_only_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let rules = file(
        &folder,
        "unused.kif",
        &format!("{ONE_MOVE}\n(nobody_asks 1)"),
    );
    let run = paidia(&["check", &rules]).expect(0);
    assert!(run.out.contains("unused-relation"), "{}", run.out);
    paidia(&["check", "--strict", &rules]).expect(1);
}

#[test]
fn rules_come_from_standard_input_too() {
    paidia_with_input(&["check", "-"], ONE_MOVE).expect(0);
    paidia_with_input(&["check", "-"], "(role").expect(1);
}

#[test]
fn what_cannot_be_read_is_an_error_of_the_call() {
    let run = paidia(&["check", "no/such/file.kif"]).expect(2);
    assert!(run.err.contains("no/such/file.kif"), "{}", run.err);
    let run = paidia(&["simulate", "tic-tak-toe"]).expect(2);
    assert!(
        run.err.contains("did you mean `tic-tac-toe`"),
        "{}",
        run.err
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("latin1.kif");
    std::fs::write(&path, b"; caf\xe9\n(role a)").unwrap();
    let run = paidia(&["check", path.to_str().unwrap()]).expect(2);
    assert!(run.err.contains("not UTF-8"), "{}", run.err);
    paidia(&["check"]).expect(2);
    paidia(&["fly"]).expect(2);
}

#[test]
fn every_command_refuses_invalid_rules_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let rules = file(&folder, "bad.kif", "(role a)");
    for command in [
        &["info"][..],
        &["simulate"],
        &["solve"],
        &["transcript"],
        &["perft", "--depth", "1"],
    ] {
        let run = paidia(&[command, &[&rules]].concat()).expect(1);
        assert!(
            run.err.contains("error[missing-terminal]"),
            "{command:?}: {}",
            run.err
        );
    }
}

#[test]
fn codes_are_explained() {
    let run = paidia(&["explain", "unsafe-variable"]).expect(0);
    assert!(run.out.contains("# unsafe-variable"), "{}", run.out);
    let run = paidia(&["explain", "unsafe-varable"]).expect(2);
    assert!(
        run.err.contains("did you mean `unsafe-variable`?"),
        "{}",
        run.err
    );
    assert!(
        paidia(&["explain"])
            .expect(0)
            .out
            .contains("negative-cycle")
    );
}

#[test]
fn the_normal_form_is_stable_in_both_notations() {
    let folder = tempfile::tempdir().unwrap();
    let rules = file(&folder, "one.kif", ONE_MOVE);
    let kif = paidia(&["fmt", &rules]).expect(0).out;
    let infix = paidia(&["fmt", &rules, "--to", "infix"]).expect(0).out;
    assert!(
        kif.contains("(<= (next won)\n") && infix.contains("next(won) :-"),
        "{kif}{infix}"
    );
    let infix_file = file(&folder, "one.gdl", &infix);
    assert_eq!(
        paidia(&["fmt", &infix_file, "--to", "kif"]).expect(0).out,
        kif
    );
    paidia(&["fmt", &rules, "--check"]).expect(1);
    paidia(&["fmt", &rules, "--write"]).expect(0);
    assert_eq!(std::fs::read_to_string(&rules).unwrap(), kif);
    paidia(&["fmt", &rules, "--check"]).expect(0);
}

#[test]
fn rules_become_a_prolog_program() {
    let asserted = paidia(&["export", "tic-tac-toe", "--to", "prolog"]).expect(0);
    assert!(asserted.out.contains("\ng_terminal :-"), "{}", asserted.out);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tic-tac-toe.pl");
    let path = file.to_str().unwrap();
    let arguments = ["export", "tic-tac-toe", "--to", "prolog", "--state", "list"];
    let run = paidia(&[&arguments[..], &["--out", path]].concat()).expect(0);
    assert_eq!(run.out, "");
    let listed = std::fs::read_to_string(&file).unwrap();
    assert!(listed.contains("\ng_terminal(State) :-"), "{listed}");
    paidia(&["export", "tic-tac-toe", "--to", "cobol"]).expect(2);
    paidia(&["export", "tic-tac-tow", "--to", "prolog"]).expect(2);
}

#[test]
fn facts_about_a_game() {
    let report = paidia(&["info", "tic-tac-toe", "--json"]).expect(0).json();
    assert_eq!(report["dialect"], "gdl");
    assert_eq!(report["roles"], serde_json::json!(["x", "o"]));
    assert_eq!(report["turn_order"], "alternating");
    assert_eq!(report["information"], "perfect");
    assert_eq!(
        report["fluents"],
        serde_json::json!(["cell/3", "control/1"])
    );
    assert_eq!(report["legal"][0].as_array().unwrap().len(), 9);
    let later = paidia(&["info", "tic-tac-toe", "--json", "--after", "(mark 2 2)"])
        .expect(0)
        .json();
    assert_eq!(later["legal"][1].as_array().unwrap().len(), 8);
    let shown = paidia(&["info", "tic-tac-toe"]).expect(0).out;
    assert!(
        shown.contains("3 · · ·") && shown.contains("alternating"),
        "{shown}"
    );
}

#[test]
fn a_rule_file_in_a_folder_brings_its_facts() {
    let folder = tempfile::tempdir().unwrap();
    let rules = file(&folder, "one-move/rules.kif", ONE_MOVE);
    let facts = "title = \"One Move\"\nplayers = 1\nkind = \"puzzle\"\nidea = \"Ours.\"\nrules = \"Win.\"\n";
    file(&folder, "one-move/game.toml", facts);
    let report = paidia(&["info", &rules, "--json"]).expect(0).json();
    assert_eq!(
        (&report["game"], &report["title"]),
        (&"one-move".into(), &"One Move".into())
    );
    file(&folder, "one-move/game.toml", "titel = 1");
    assert!(paidia(&["info", &rules]).expect(2).err.contains("titel"));
}

#[test]
fn games_are_listed_and_filtered() {
    let all = paidia(&["games", "--json"]).expect(0).json();
    let names: Vec<_> = all["games"]
        .as_array()
        .unwrap()
        .iter()
        .map(|game| game["name"].as_str().unwrap())
        .collect();
    let bundled = paidia_library::all().iter().map(|game| game.name);
    let timed = paidia_library::real_time().iter().map(|game| game.name);
    let video = paidia_video::GAMES.iter().map(|game| game.name);
    assert_eq!(names, bundled.chain(timed).chain(video).collect::<Vec<_>>());
    let some = paidia(&["games", "tac-toe"]).expect(0).out;
    assert!(some.lines().all(|line| line.contains("tac-toe")), "{some}");
    paidia(&["games", "no such game"]).expect(1);
}

#[test]
fn completions_and_help_name_every_command() {
    let help = paidia(&["--help"]).expect(0).out;
    for shell in ["bash", "zsh", "fish"] {
        let script = paidia(&["completions", shell]).expect(0).out;
        for command in [
            "games",
            "check",
            "explain",
            "simulate",
            "perft",
            "replay",
            "transcript",
        ] {
            assert!(
                script.contains(command) && help.contains(command),
                "{shell} {command}"
            );
        }
    }
}

#[test]
fn there_are_no_colours_in_a_pipe() {
    for arguments in [
        &["games"][..],
        &["check", "tic-tac-toe"],
        &["simulate", "tic-tac-toe", "--show"],
    ] {
        let run = paidia(arguments).expect(0);
        assert!(
            !run.out.contains('\u{1b}') && !run.err.contains('\u{1b}'),
            "{arguments:?}"
        );
    }
}

/// What was done with rules in a run, without the names of the games.
fn rule_work(arguments: &[&str]) -> Vec<String> {
    let run = Command::new(env!("CARGO_BIN_EXE_paidia"))
        .args(arguments)
        .env("PAIDIA_TRACE", "rules")
        .output()
        .unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.success(), "{said}");
    let lines = said.lines().filter_map(|line| line.strip_prefix("rules: "));
    let work = lines.map(|line| line.split(' ').next().unwrap_or_default().to_owned());
    work.collect()
}

#[test]
fn a_match_reads_and_checks_its_rules_once() {
    let quick = ["--simulations", "5", "--seed", "1"];
    let players = ["--player", "paidia", "--player", "uct(advice=tree)"];
    let clocks = ["--start-clock", "1", "--play-clock", "1"];
    let random = ["--player", "random"];
    let game = ["match", "tic-tac-toe"];
    for arguments in [
        [&game[..], &quick].concat(),
        [&game[..], &quick, &players, &["--json"]].concat(),
        [&game[..], &random, &clocks].concat(),
    ] {
        let work = rule_work(&arguments);
        assert_eq!(work, ["read", "checked", "grounded"], "{arguments:?}");
    }
}

#[test]
fn info_reads_checks_and_grounds_its_rules_once() {
    for more in [
        &[][..],
        &["--json"],
        &["--passes"],
        &["--engine", "propnet"],
    ] {
        let work = rule_work(&[&["info", "connect-four"], more].concat());
        assert_eq!(work, ["read", "checked", "grounded"], "{more:?}");
    }
    let work = rule_work(&["info", "connect-four", "--engine", "compiled"]);
    assert_eq!(work, ["read", "checked"]);
}

#[test]
fn card_games_are_checked_formatted_and_played() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[SETTINGS] P=2, T=0\n[STAGES]\nStage 0\nCOMPUTER deal, <allplayers>, 1\nStage 1\n\
                MANDATORY if sum, HX, >, HA then win\n[RANKING] 2:2, ..., Ace:14\n";
    let rules = file(&folder, "high.cgdl", text);
    paidia(&["check", &rules]).expect(0);
    let formatted = paidia(&["fmt", &rules]).expect(0);
    assert!(
        formatted
            .out
            .contains("    COMPUTER deal, <allplayers>, 1\n"),
        "{}",
        formatted.out
    );
    let played = paidia(&["simulate", &rules, "--playouts", "200", "--json"]).expect(0);
    assert_eq!(played.json()["playouts"], 200);
    paidia(&["match", &rules, "--player", "random"]).expect(0);
    let faulty = file(
        &folder,
        "faulty.cgdl",
        "[SETTINGS] P=2, T=0\n[STAGES]\nStage 0\nPERHAPS done\n",
    );
    let run = paidia(&["check", &faulty]).expect(1);
    assert!(run.out.contains("cards-rule"), "{}", run.out);
}

#[test]
fn a_game_on_standard_input_is_played() {
    let run = paidia_with_input(&["info", "-", "--json"], ONE_MOVE).expect(0);
    assert_eq!(run.json()["game"], "game");
}

#[test]
fn a_sheet_of_the_public_collection_is_found_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    file(&folder, "gdl/oneMove.kif", ONE_MOVE);
    let ask = |game: &str, corpus: Option<&std::path::Path>| {
        let mut command = std::process::Command::new(super::PAIDIA);
        command
            .args(["info", game, "--json"])
            .env_remove("PAIDIA_CORPUS");
        if let Some(corpus) = corpus {
            command.env("PAIDIA_CORPUS", corpus);
        }
        let output = command.output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code(),
            text(output.stdout),
            text(output.stderr),
        )
    };
    let (code, out, _) = ask("corpus:oneMove", Some(folder.path()));
    assert_eq!(code, Some(0));
    assert!(out.contains("\"game\":\"oneMove\""), "{out}");
    let (code, _, err) = ask("corpus:oneMoove", Some(folder.path()));
    assert_eq!(code, Some(2));
    assert!(err.contains("did you mean `corpus:oneMove`?"), "{err}");
    let (code, _, err) = ask("corpus:../gdl/oneMove", Some(folder.path()));
    assert!(code == Some(2) && err.contains("there is no gdl/"), "{err}");
    let (code, _, err) = ask("corpus:oneMove", None);
    assert!(
        code == Some(2) && err.contains("set PAIDIA_CORPUS"),
        "{err}"
    );
}
