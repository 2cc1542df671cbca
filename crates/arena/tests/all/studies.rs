//! Small studies of all kinds from their data to their results.

mod bandits;
mod matches;
mod measurements;
mod positions;

use std::path::Path;
use std::sync::atomic::AtomicBool;

use paidia_arena::Playable;
use paidia_arena::study::measurements::{Contender, Walking};
use paidia_arena::study::{
    self, ContestGame, EngineContest, Equipment, Experiment, Ledger, Run, Scale, Session,
    StudyError,
};
use paidia_game::AnyGame;
use paidia_gdl::program::Program;
use paidia_reason::propnet::{Propnet, ground_game};
use paidia_reason::{Compiled, Reference};

fn program(game: &str) -> Program {
    paidia_testkit::bundled(game).program()
}

fn network(game: &str) -> Propnet {
    Propnet::new(ground_game(game, &program(game), Default::default()).unwrap())
}

/// Bundled games on the engines that tests want.
struct Bundled;

impl Equipment for Bundled {
    fn table(&self, game: &str) -> Result<Box<dyn ContestGame>, StudyError> {
        let reference = Reference::new(game, &program(game)).unwrap();
        Ok(match game {
            // Searches of thousands of states want a fast engine.
            "tic-tac-toe" => Box::new(EngineContest::new(Playable::any(AnyGame::new(network(
                game,
            ))))),
            _ => Box::new(EngineContest::new(Playable::any(AnyGame::new(reference)))),
        })
    }

    fn contender(&self, game: &str, engine: &str) -> Result<Box<dyn Contender>, String> {
        let program = program(game);
        match engine {
            "reference" => Ok(Box::new(Walking::new(
                Reference::new(game, &program).unwrap(),
            ))),
            "compiled" => Ok(Box::new(Walking::new(
                Compiled::new(game, &program).unwrap(),
            ))),
            _ => Err("there is no such engine".to_owned()),
        }
    }
}

/// A run at a scale, from a seed.
fn run(scale: Scale, seed: u64) -> Run {
    Run { scale, seed }
}

/// Nothing interrupts a study in tests.
static NEVER: AtomicBool = AtomicBool::new(false);

/// How a study is carried out in tests.
fn session(file: &Path, run: Run, jobs: usize) -> Session<'_> {
    Session {
        run,
        file,
        jobs,
        report_only: false,
        equipment: &Bundled,
        interrupt: &NEVER,
        progress: &|_, _, _| {},
    }
}

/// Makes what is missing of a study, and gives its ledger.
fn carry_out<E: Experiment>(
    text: &str,
    file: &Path,
    run: Run,
    jobs: usize,
) -> Result<Ledger<E::Record>, StudyError> {
    let study: E = study::parse("test", text)?;
    study::carry_out(&study, &session(file, run, jobs))
}

/// What the data of a study is refused with when one part of it is replaced.
#[track_caller]
fn refusal<E: Experiment>(text: &str, right: &str, wrong: &str) -> String {
    assert!(text.contains(right), "{right}");
    let parsed = study::parse::<E>("test", &text.replacen(right, wrong, 1));
    parsed
        .err()
        .map_or_else(|| panic!("{wrong} is accepted"), |error| error.to_string())
}

#[test]
fn bundled_studies_are_sound_and_their_games_exist() {
    assert!(study::all().len() >= 25);
    let corpus = paidia_testkit::corpus();
    for bundled in study::all() {
        let study = bundled.read();
        let study = study.unwrap_or_else(|error| panic!("{}: {error}", bundled.name));
        let contents = study.contents();
        for game in &contents.games {
            let name = bundled.name;
            let is_bundled =
                paidia_library::find(game).is_ok() || paidia_video::Bundled::find(game).is_some();
            let exists = match (game.strip_prefix("corpus:"), &corpus) {
                (Some(sheet), Some(corpus)) => corpus.path(sheet).is_file(),
                (Some(_), None) => true,
                (None, _) => is_bundled,
            };
            assert!(exists, "{name}: {game}");
        }
        for scale in contents.scales {
            let count = study.count(scale).unwrap();
            // Those that take all bundled games have none until they are told.
            let wants_all = contents.games.is_empty() && bundled.text.contains("all_games");
            assert!(count > 0 || wants_all, "{}", bundled.name);
        }
    }
}

#[test]
fn what_is_no_number_is_refused_with_its_place() {
    for (text, right, wrong, place) in [
        (
            matches::TEXT,
            "at_least = 10",
            "at_least = nan",
            "claims[1].at_least",
        ),
        (
            matches::TEXT,
            "points = 90.0",
            "points = inf",
            "cells[1].paper.points",
        ),
        (
            positions::TEXT,
            "right = 99.5",
            "right = nan",
            "cells[1].paper.right",
        ),
        (
            bandits::TEXT,
            "threshold = 0.6",
            "threshold = nan",
            "threshold",
        ),
        (
            measurements::TEXT,
            "seconds = 0.004",
            "seconds = nan",
            "scales.quick.seconds",
        ),
    ] {
        assert!(text.contains(right), "{right}");
        let error = study::read("test", &text.replacen(right, wrong, 1))
            .err()
            .unwrap();
        assert!(error.to_string().contains(place), "{error}");
    }
    let reversed = matches::TEXT.replacen("at_least = 10", "at_least = 10\nat_most = 9", 1);
    let error = study::read("test", &reversed).err().unwrap().to_string();
    assert!(
        error.contains("claim `C1`") && error.contains("at most 9"),
        "{error}"
    );
    let more = matches::TEXT.replacen("points = 90.0", "points = 190.0", 1);
    let error = study::read("test", &more).err().unwrap().to_string();
    assert!(
        error.contains("cell `two`") && error.contains("0 to 100"),
        "{error}"
    );
    let unknown = format!("colour = 7\n{}", bandits::TEXT);
    let error = study::read("test", &unknown).err().unwrap().to_string();
    assert!(error.contains("unknown field `colour`"), "{error}");
}

#[test]
fn nothing_to_report_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.jsonl");
    for (text, trials) in [
        (matches::TEXT, "has no games"),
        (positions::TEXT, "has no searches"),
        (bandits::TEXT, "has no models"),
        (measurements::TEXT, "has no samples"),
    ] {
        let study = study::read("test", text).unwrap();
        let session = Session {
            report_only: true,
            ..session(&file, run(Scale::Quick, 1), 1)
        };
        let error = study.perform(&session).err().unwrap().to_string();
        assert!(error.contains(trials), "{error}");
    }
}
