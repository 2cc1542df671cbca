//! What each player knows of a position, for watchers of a match in which nothing is secret: on
//! each square and beside the boards how likely something is to be there, by what the player was
//! told.
//!
//! The asker gives all joint moves of the line, so that nothing is told here that was secret.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use paidia_arena::Match;
use paidia_game::{AnyGame, Information, Legible, PerceptId, RoleId, Rules};
use paidia_imperfect::belief::{Belief, BeliefLimits};
use paidia_picture::Scene;
use serde::{Deserialize, Serialize};

use super::Site;
use super::line::{self, Joint};
use super::refusal::Refusal;

/// How much is done for one player.
const LIMITS: BeliefLimits = BeliefLimits {
    states: 2_000,
    joint_moves: 500,
    steps: 30_000,
};
/// What is less likely is left out.
const LEAST: f64 = 0.005;
/// Facts beside the boards that are told of one player.
const MOST_FACTS: usize = 60;

/// A line of moves of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    game: String,
    #[serde(default)]
    moves: Vec<Joint>,
}

/// What all players know.
#[derive(Serialize)]
pub(super) struct Answer {
    players: Vec<View>,
}

/// What a player knows.
#[derive(Serialize)]
struct View {
    role: usize,
    /// How many states agree with what it was told, as far as they were looked at.
    states: usize,
    /// Whether they are a sample.
    sample: bool,
    /// What it perceived of the last joint move.
    percepts: Vec<String>,
    /// Squares with what may be on them, the likeliest first.
    cells: BTreeMap<u32, Vec<Likely>>,
    /// Facts beside the boards, the likeliest first.
    beside: Vec<Likely>,
}

/// Something with its probability.
#[derive(Clone, Serialize)]
struct Likely {
    what: String,
    chance: f64,
}

/// What each player knows after a line.
pub(super) fn beliefs(
    site: &Arc<Site>,
    asked: &Asked,
    interrupt: &AtomicBool,
) -> Result<Answer, Refusal> {
    let entry = site.games.find(&asked.game)?;
    let rules = entry.rules()?;
    let game = entry.walking(&rules);
    if game.facts().information != Information::Hidden {
        return Err(Refusal::unusable(
            "this game hides nothing from its players",
        ));
    }
    let mut played = line::start(&game);
    line::follow(&mut played, &asked.moves, site.options.limits.line_length)?;
    let gone = || Refusal::busy("the client no longer waits for the answer");
    let _place = site.desk.sit(interrupt).ok_or_else(gone)?;
    let mut players = Vec::new();
    for role in game.facts().players() {
        players.push(view(&game, &rules.scene, &played, role, interrupt));
        if interrupt.load(Ordering::Relaxed) {
            return Err(gone());
        }
    }
    Ok(Answer { players })
}

/// What one player knows now.
fn view(
    game: &AnyGame,
    scene: &Scene,
    played: &Match<AnyGame>,
    role: RoleId,
    interrupt: &AtomicBool,
) -> View {
    // The same for every look at the same match.
    let mut belief = Belief::new(game, role, LIMITS, 1);
    let mut percepts: &[PerceptId] = &[];
    let mut is_lost = false;
    for (made, seen) in played.told(role) {
        percepts = seen;
        is_lost = is_lost || interrupt.load(Ordering::Relaxed) || belief.see(made, seen).is_err();
    }
    let name = |&id: &PerceptId| game.percepts().name(id).to_string();
    let mut found = View {
        role: role.index(),
        states: 0,
        sample: true,
        percepts: percepts.iter().map(name).collect(),
        cells: BTreeMap::new(),
        beside: Vec::new(),
    };
    if is_lost {
        return found;
    }
    found.states = belief.states().len();
    found.sample = belief.is_sample();
    let whole = belief.whole();
    let mut chances: BTreeMap<String, f64> = BTreeMap::new();
    for (state, weight) in belief.states() {
        for fluent in game.fluents(state) {
            *chances.entry(fluent).or_default() += weight.weight / whole;
        }
    }
    for (fluent, chance) in chances {
        if chance < LEAST {
            continue;
        }
        let fluent = [fluent];
        let layout = scene.lay_out(&fluent);
        let on_board = layout.cells.iter().position(Option::is_some);
        match on_board.and_then(|cell| Some((cell, layout.cells[cell].clone()?))) {
            Some((cell, what)) => {
                let cell = found.cells.entry(cell as u32).or_default();
                cell.push(Likely { what, chance });
            }
            None => found.beside.push(Likely {
                what: fluent[0].clone(),
                chance,
            }),
        }
    }
    let likelier = |one: &Likely, other: &Likely| other.chance.total_cmp(&one.chance);
    found
        .cells
        .values_mut()
        .for_each(|cell| cell.sort_by(likelier));
    found.beside.sort_by(likelier);
    found.beside.truncate(MOST_FACTS);
    found
}
