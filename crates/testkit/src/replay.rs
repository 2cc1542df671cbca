//! Recorded play, followed by an engine.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use paidia_game::{Chance, Game, Goal, Legible, MoveId, Walker};
use serde::Deserialize;

/// A state as it was recorded, with what was done there.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Step {
    /// The fluents that hold.
    pub state: Vec<String>,
    /// Whether the game is over.
    #[serde(default)]
    pub terminal: bool,
    /// For each role its moves, if they were recorded.
    pub legal: Option<Vec<Vec<String>>>,
    /// For each role its value; a role without exactly one has `None`.
    pub goals: Option<Vec<Option<i32>>>,
    /// The joint move that leads to the next step, if that was recorded.
    pub moves: Option<Vec<String>>,
}

/// The steps of one match.
pub type Playout = Vec<Step>;

/// A line of a trace, after the first.
#[derive(Deserialize)]
struct Line {
    playout: usize,
    #[serde(flatten)]
    step: Step,
}

/// The playouts of a packed trace.
///
/// # Panics
/// If the file is not a trace.
#[must_use]
pub fn read_trace(path: &Path) -> Vec<Playout> {
    let file = File::open(path);
    let file = file.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut playouts: Vec<Playout> = Vec::new();
    // The first line tells the roles.
    for line in BufReader::new(GzDecoder::new(file)).lines().skip(1) {
        let line: Line = serde_json::from_str(&line.unwrap()).unwrap();
        playouts.resize(playouts.len().max(line.playout + 1), Vec::new());
        playouts[line.playout].push(line.step);
    }
    playouts
}

/// Follows a recorded playout; what differs first, if anything does.
pub fn difference<G: Game + Legible>(game: &G, steps: &[Step]) -> Option<String> {
    let mut walker = game.walker();
    for (number, step) in steps.iter().enumerate() {
        if number == 0 || steps[number - 1].moves.is_none() {
            let texts: Vec<&str> = step.state.iter().map(String::as_str).collect();
            match game.state(&texts) {
                Ok(state) => walker.jump(&state),
                Err(unknown) => return Some(format!("step {number}: {unknown}")),
            }
        }
        let found = compare(game, &mut walker, step);
        if let Some(what) = found.or_else(|| walker.fault().map(ToString::to_string)) {
            return Some(format!("step {number}: {what}"));
        }
        if let Some(moves) = &step.moves {
            let find = |name: &String| game.moves().find(name).unwrap_or(MoveId::CHANCE);
            let joint: Vec<MoveId> = moves.iter().map(find).collect();
            walker.advance(&joint, &mut Chance::from_seed(0));
        }
    }
    None
}

/// What differs, in words.
fn differ<T: PartialEq + std::fmt::Debug>(what: &str, recorded: &T, found: &T) -> Option<String> {
    (recorded != found).then(|| format!("{what}: recorded {recorded:?}, found {found:?}"))
}

fn sorted(texts: &[String]) -> Vec<String> {
    let mut texts = texts.to_vec();
    texts.sort();
    texts
}

fn compare<G: Game + Legible>(game: &G, walker: &mut G::Walker, step: &Step) -> Option<String> {
    let mut state = game.initial();
    walker.save(&mut state);
    let mut found = differ("fluents", &sorted(&step.state), &game.fluents(&state))
        .or_else(|| differ("end", &step.terminal, &walker.is_terminal()));
    if let Some(goals) = &step.goals {
        let ours = game.facts().role_ids().map(|role| match walker.goal(role) {
            Goal::One(value) => Some(value),
            Goal::None | Goal::Several => None,
        });
        found = found.or_else(|| differ("goals", goals, &ours.collect()));
    }
    if let Some(legal) = &step.legal {
        let ours = walker.legal();
        let name = |&id: &MoveId| game.moves().name(id).to_string();
        let of = |role| sorted(&ours.of(role).iter().map(name).collect::<Vec<String>>());
        let ours: Vec<Vec<String>> = game.facts().role_ids().map(of).collect();
        let legal: Vec<Vec<String>> = legal.iter().map(|moves| sorted(moves)).collect();
        found = found.or_else(|| differ("legal", &legal, &ours));
    }
    found
}
