//! Recorded play by an independent reasoner, checked in lanes: each step in some lane, with other states in the others.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use flate2::read::GzDecoder;
use paidia_accel::{Backend, LANES, Lanes, Order, Program, compile};
use paidia_game::{Goal, LegalMoves, MoveId, RoleId};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::grounding::Budget;
use paidia_reason::propnet::{GroundGame, ground_game};
use serde::Deserialize;

/// A line of a trace, after the first.
#[derive(Deserialize)]
struct Step {
    playout: u32,
    step: u32,
    state: Vec<String>,
    legal: Option<Vec<Vec<String>>>,
    moves: Option<Vec<String>>,
    #[serde(default)]
    terminal: bool,
    goals: Option<Vec<i32>>,
}

/// The folder of the public collection, if it is there.
fn corpus() -> Option<PathBuf> {
    let given = std::env::var_os("PAIDIA_CORPUS").map(PathBuf::from);
    let folder = given
        .unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games"));
    folder.join("gdl").is_dir().then_some(folder)
}

fn ground(name: &str, rules: &str) -> Result<GroundGame, String> {
    let (reading, report) = check_source(&Source::new(name, rules), None);
    let program = paidia_gdl::program::Program::new(&reading.sheet, report.dialect)
        .map_err(|error| error.to_string())?;
    // Enough for most games; this is no test of grounding.
    let budget = Budget {
        time: Duration::from_secs(3),
        atoms: 500_000,
        rules: 300_000,
        ..Budget::default()
    };
    ground_game(name, &program, budget).map_err(|error| error.to_string())
}

fn read_steps(path: &Path) -> Vec<Step> {
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    let steps = lines
        .skip(1)
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap());
    steps.collect()
}

/// A game with its trace.
struct Replay<'a> {
    game: &'a GroundGame,
    fluents: BTreeMap<&'a str, usize>,
    lanes: Lanes,
}

impl<'a> Replay<'a> {
    fn new(game: &'a GroundGame, program: &Arc<Program>, backend: Backend) -> Self {
        let names = game.fluents.iter().map(String::as_str);
        Self {
            game,
            fluents: names.zip(0..).collect(),
            lanes: Lanes::new(Arc::clone(program), backend),
        }
    }

    fn state(&self, texts: &[String]) -> Vec<u64> {
        let mut state = vec![0; self.game.fluents.len().div_ceil(64)];
        for text in texts {
            // A fluent that never changes anything is none of the network's.
            if let Some(&fluent) = self.fluents.get(&**text) {
                state[fluent / 64] |= 1 << (fluent % 64);
            }
        }
        state
    }

    fn check(&self, lane: usize, step: &Step) {
        let place = format!(
            "{}, playout {}, step {}",
            self.game.facts.name, step.playout, step.step
        );
        assert_eq!(self.lanes.is_terminal(lane), step.terminal, "{place}");
        let mut legal = LegalMoves::new();
        self.lanes.legal(lane, &mut legal);
        for (role, expected) in (0..).map(RoleId).zip(step.legal.iter().flatten()) {
            let found = legal.of(role).iter().map(|&id| self.game.moves.name(id));
            let found: Vec<_> = found.collect();
            assert!(
                found.iter().map(|name| &**name).eq(expected),
                "{place}: {found:?}, not {expected:?}"
            );
        }
        for (role, &expected) in (0..).map(RoleId).zip(step.goals.iter().flatten()) {
            assert_eq!(self.lanes.goal(lane, role), Goal::One(expected), "{place}");
        }
    }

    fn choose(&mut self, lane: usize, step: &Step) {
        if let Some(moves) = &step.moves {
            let joint = moves.iter().map(|text| self.game.moves.find(text).unwrap());
            let joint: Vec<MoveId> = joint.collect();
            assert_eq!(self.lanes.choose(lane, &joint), Ok(()));
        }
    }

    /// Checks steps, each in a lane of its own; those of the last are followed by one that is not among them.
    fn check_all(&mut self, steps: &[Step], following: &[Step]) {
        for (lane, step) in steps.iter().enumerate() {
            let state = self.state(&step.state);
            self.lanes.load(lane, &state);
        }
        self.lanes.evaluate();
        for (lane, step) in steps.iter().enumerate() {
            self.check(lane, step);
            self.choose(lane, step);
        }
        self.lanes.advance();
        for (lane, (step, next)) in steps.iter().zip(following).enumerate() {
            if step.moves.is_some() && (next.playout, next.step) == (step.playout, step.step + 1) {
                let expected = self.state(&next.state);
                assert_eq!(self.lanes.state(lane), expected, "{}", self.game.facts.name);
            }
        }
    }
}

/// Checks a game against its trace; how many steps it has.
fn check_game(folder: &Path, game: &GroundGame) -> usize {
    let trace = format!("{}.jsonl.gz", game.facts.name);
    let steps = read_steps(&folder.join("traces").join(trace));
    let program = Arc::new(compile(&game.network, Order::Depth));
    let mut replay = Replay::new(game, &program, Backend::fastest());
    for (number, chunk) in steps.chunks(LANES).enumerate() {
        replay.check_all(chunk, &steps[number * LANES + 1..]);
    }
    steps.len()
}

#[test]
fn recorded_play_is_followed_in_lanes() {
    let Some(folder) = corpus() else {
        println!("skipped: the public collection is not there");
        return;
    };
    let (mut games, mut steps) = (0, 0);
    let files = std::fs::read_dir(folder.join("gdl")).unwrap();
    for path in files.map(|file| file.unwrap().path()) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let rules = std::fs::read_to_string(&path).unwrap();
        match ground(&name, &rules) {
            Ok(game) => {
                steps += check_game(&folder, &game);
                games += 1;
            }
            Err(because) => println!("{name} skipped: {because}"),
        }
    }
    println!("{games} games, {steps} steps");
    assert!(games > 180, "only {games} games were checked");
}
