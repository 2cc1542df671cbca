//! Tournaments that are killed, or played by several processes: what comes out is what comes out of
//! a straight run.

use std::path::{Path, PathBuf};

use serde_json::Value;

use paidia_testkit::postgres::PostgresServer;
use paidia_testkit::process::{Process, Run, file, wait_until};

use super::tournaments::TOURNAMENT;
use super::{PAIDIA, paidia};

/// A tournament, and what comes out of it when it is played straight.
struct Trial {
    folder: tempfile::TempDir,
    file: String,
    matches: usize,
    straight: Value,
}

impl Trial {
    /// Plays a tournament without interruption; it has `matches` matches. `mine.kif` in its text
    /// becomes the path of rules that are not bundled.
    fn new(text: &str, matches: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let rules = paidia_library::find("tic-tac-toe").unwrap().rules;
        let game = file(&folder, "mine.kif", &rules.replace("mark", "put"));
        let file = file(&folder, "three.toml", &text.replace("mine.kif", &game));
        let mut trial = Self {
            folder,
            file,
            matches,
            straight: Value::Null,
        };
        trial.straight = trial.report("straight", &["--jobs", "1"]);
        assert_eq!(trial.straight["played"], matches);
        assert_eq!(trial.straight["wanted"], matches);
        trial
    }

    fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The arguments that play the tournament, with results in a folder of this name.
    fn arguments<'a>(&'a self, out: &'a Path, more: &[&'a str]) -> Vec<&'a str> {
        let base = ["tournament", &self.file, "--out", out.to_str().unwrap()];
        [&base, more].concat()
    }

    /// Runs the tournament to its end, and gives its report.
    fn report(&self, name: &str, more: &[&str]) -> Value {
        let more = [more, &["--json"]].concat();
        paidia(&self.arguments(&self.out(name), &more))
            .expect(0)
            .json()
    }

    /// How many matches are played.
    fn played(&self, name: &str, more: &[&str]) -> usize {
        let report = self.report(name, &[more, &["--report-only"]].concat());
        report["played"].as_u64().unwrap() as usize
    }

    /// Kills the tournament after each of these numbers of further matches, then lets it finish,
    /// and compares.
    fn kill_and_compare(&self, kills: &[usize]) {
        let out = self.out("killed");
        let recorded = || std::fs::read_dir(out.join("three")).map_or(0, Iterator::count);
        for more in kills {
            let goal = recorded() + more;
            let mut process = Process::start(PAIDIA, &self.arguments(&out, &["--jobs", "2"]));
            wait_until("matches are played", || {
                recorded() >= goal || !process.is_running()
            });
            assert!(process.is_running(), "it is too fast to be killed");
        }
        let played = self.played("killed", &[]);
        assert!(played > 0 && played < self.matches, "{played}");
        let limited = self.report("killed", &["--at-most", "2"]);
        assert_eq!(limited["played"], played + 2);
        assert_eq!(self.report("killed", &["--jobs", "2"]), self.straight);
        self.compare("killed", &["--in", out.to_str().unwrap()]);
    }

    /// Lets two workers and a host play over PostgreSQL, kills a worker and the host when these
    /// many matches are played, begins it anew, and compares.
    fn share_and_compare(&self, worker_until: usize, host_until: usize) {
        let Some(server) = PostgresServer::start() else {
            return;
        };
        let address = server.address();
        let database = ["--database", &address];
        let out = self.out("shared");
        let worker = || {
            Process::start(
                PAIDIA,
                &["worker", "--database", &address, "--threads", "1"],
            )
        };
        let (mut first, _second) = (worker(), worker());
        let host = [&database[..], &["--lease", "2", "--jobs", "1"]].concat();
        let mut host = Process::start(PAIDIA, &self.arguments(&out, &host));
        let played = || self.played("shared", &database);

        wait_until("matches are played", || played() >= worker_until);
        assert!(first.is_running());
        drop(first);
        wait_until("matches are played", || played() >= host_until);
        assert!(host.is_running(), "it is too fast to be killed");
        drop(host);
        assert!(played() < self.matches, "it is too fast to be killed");

        let waiting = [&database[..], &["--lease", "2", "--jobs", "0"]].concat();
        assert_eq!(self.report("shared", &waiting), self.straight);
        self.compare("shared", &database);
        // Nothing is left, which a worker that is to end then finds out.
        paidia(&["worker", "--database", &address, "--until-done"]).expect(0);
    }

    /// Compares files and recorded matches with those of the straight run, and checks the records.
    fn compare(&self, name: &str, place: &[&str]) {
        for ending in ["csv", "md", "html"] {
            let text = |out: &str| {
                let path = self.out(out).join(format!("three.{ending}"));
                std::fs::read_to_string(path).unwrap()
            };
            assert_eq!(text(name), text("straight"), "{ending}");
        }
        let straight = self.out("straight");
        let rows = rows(place);
        assert_eq!(rows.len(), self.matches);
        assert_eq!(rows, self::rows(&["--in", straight.to_str().unwrap()]));
        let verified = paidia(&[&["matches", "--verify", "--json"], place].concat());
        assert_eq!(verified.expect(0).json()["checked"], self.matches);
    }
}

/// The recorded matches with what came out, in the order of their names.
fn rows(place: &[&str]) -> Vec<String> {
    let list: Run = paidia(&[&["matches", "--json"], place].concat());
    let list = list.expect(0).json();
    let rows = list["matches"].as_array().unwrap().iter();
    let mut rows: Vec<String> = rows
        .map(|row| format!("{} {} {}", row["id"], row["goals"], row["steps"]))
        .collect();
    rows.sort();
    rows
}

#[test]
fn a_tournament_that_is_killed_ends_as_one_that_is_not() {
    Trial::new(TOURNAMENT, 36).kill_and_compare(&[1, 5, 3]);
}

#[test]
fn a_tournament_of_several_processes_ends_as_one_of_one() {
    let text = TOURNAMENT.replace("\"tic-tac-toe\"", "\"mine.kif\"");
    Trial::new(&text, 36).share_and_compare(3, 8);
}

#[test]
#[ignore = "takes its time: the command is in docs/tournaments.md"]
fn a_large_tournament_ends_the_same_straight_killed_and_shared() {
    let games = "\"connect-four\", \"breakthrough-6x6\", \"number-scrabble\", \"tic-tac-toe-5x5\"]";
    let large = TOURNAMENT
        .replace("\"connect-four\"]", games)
        .replace("rounds = 3", "rounds = 20")
        .replace("simulations = 150", "simulations = 50")
        .replace("[players]", "[players]\nDefault = \"paidia\"");
    // Six pairings of four players, five games, forty matches each.
    let trial = Trial::new(&large, 6 * 5 * 40);
    trial.kill_and_compare(&[10, 300, 1, 200, 50]);
    trial.share_and_compare(200, 500);
}

#[test]
fn what_a_database_refuses_is_told_without_the_password() {
    let folder = tempfile::tempdir().unwrap();
    let tournament = file(&folder, "three.toml", TOURNAMENT);
    let out = folder.path().join("out");
    let nowhere = "postgres://me:hush-hush@127.0.0.1:1/games";
    let base = ["tournament", &tournament, "--out", out.to_str().unwrap()];
    let calls = [
        [&base[..], &["--database", nowhere]].concat(),
        vec!["worker", "--database", nowhere],
        vec!["matches", "--database", nowhere],
    ];
    for call in calls {
        let refused = paidia(&call).expect(2);
        assert!(refused.err.contains("127.0.0.1:1/games"), "{}", refused.err);
        assert!(!refused.err.contains("hush"), "{}", refused.err);
    }
    let neither = paidia(&["worker"]).expect(2);
    assert!(neither.err.contains("--token-file"), "{}", neither.err);
    assert!(neither.err.contains("--database"), "{}", neither.err);
    let both = ["worker", "--database", nowhere, "--token-file", "t"];
    paidia(&both).expect(2);
}
