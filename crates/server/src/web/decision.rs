//! What a search found, as the page shows it.

use paidia_arena::PlayerSpec;
use paidia_arena::catalogue::tells_differences;
use paidia_game::{Chance, Game, GameFacts, Legible, MoveId, RoleId, Walker};
use paidia_picture::Scene;
use paidia_search::{Decision, MoveReport};
use serde::{Deserialize, Serialize};

use super::frame::touched;

/// The most moves that are told of.
const MOST_MOVES: usize = 30;
/// The longest line that is told of.
const LONGEST_LINE: usize = 12;

/// What a search found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct DecisionView {
    role: usize,
    player: String,
    #[serde(rename = "move")]
    pub(super) text: String,
    /// What the searching role expects of its move, on the scale of goals.
    value: f64,
    /// The same for each role, where it is known.
    values: Vec<Option<f64>>,
    /// The searching role's result, if that is proven.
    certain: Option<i32>,
    simulations: u64,
    playouts: u64,
    /// Simulations a second.
    rate: f64,
    states: u64,
    seconds: f64,
    nodes: usize,
    stopped: String,
    /// The best first.
    moves: Vec<MoveView>,
    /// What is expected from here on.
    line: Vec<StepView>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct MoveView {
    #[serde(rename = "move")]
    text: String,
    value: f64,
    visits: u64,
    certain: Option<i32>,
    steps: Vec<Vec<u32>>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct StepView {
    joint: Vec<String>,
    cells: Vec<u32>,
}

/// A player and the position it searched.
pub(super) struct Searched<'a, G: Game> {
    pub(super) game: &'a G,
    /// Where it was searched.
    pub(super) state: &'a G::State,
    pub(super) scene: &'a Scene,
    pub(super) role: RoleId,
    pub(super) spec: &'a PlayerSpec,
    /// What the player is called.
    pub(super) name: &'a str,
}

impl<G: Game + Legible> Searched<'_, G> {
    /// A decision for the page.
    pub(super) fn view(&self, decision: &Decision) -> DecisionView {
        let report = &decision.report;
        let chosen = report.moves.iter().find(|own| own.id == decision.id);
        let value = chosen.map_or(0.0, |chosen| self.value(chosen));
        DecisionView {
            role: self.role.index(),
            player: self.name.to_owned(),
            text: self.text(decision.id),
            value,
            values: self.values(value, report.proven.as_deref()),
            certain: chosen.and_then(|chosen| chosen.proven),
            simulations: report.simulations,
            playouts: report.playouts,
            rate: report.simulations_per_second(),
            states: report.states,
            seconds: report.time.as_secs_f64(),
            nodes: report.nodes,
            stopped: report.stopped.name().to_owned(),
            moves: report
                .moves
                .iter()
                .take(MOST_MOVES)
                .map(|own| self.move_view(own))
                .collect(),
            line: self.line(&expected(&report.line, self.role, decision.id)),
        }
    }

    fn text(&self, id: MoveId) -> String {
        self.game.moves().name(id).to_string()
    }

    fn move_view(&self, own: &MoveReport) -> MoveView {
        let text = self.text(own.id);
        MoveView {
            value: self.value(own),
            visits: own.visits,
            certain: own.proven,
            steps: self.scene.steps(&text),
            text,
        }
    }

    /// A line of joint moves, each with the squares it is about.
    fn line(&self, line: &[Vec<MoveId>]) -> Vec<StepView> {
        let (mut walker, mut state) = (self.game.walker(), self.state.clone());
        walker.jump(&state);
        let mut chance = Chance::from_seed(0);
        let mut before = self.scene.frame(&self.game.fluents(&state)).cells;
        let mut steps = Vec::new();
        for ids in line.iter().take(LONGEST_LINE) {
            let joint: Vec<String> = ids.iter().map(|&id| self.text(id)).collect();
            if ids.len() == self.game.facts().roles.len() && walker.fault().is_none() {
                walker.advance(ids, &mut chance);
                walker.save(&mut state);
            }
            let after = self.scene.frame(&self.game.fluents(&state)).cells;
            steps.push(StepView {
                cells: touched(self.scene, &joint, &before, &after),
                joint,
            });
            before = after;
        }
        steps
    }

    /// The value of a move on the scale of goals. Players that compare two roles tell the
    /// difference between them.
    fn value(&self, own: &MoveReport) -> f64 {
        let (lowest, highest) = ends(self.game.facts());
        match own.proven {
            Some(goal) => f64::from(goal),
            None if self.is_difference() => f64::midpoint(lowest, highest) + own.value / 2.0,
            None => own.value,
        }
    }

    /// The value of each role, given the value of the searching one.
    fn values(&self, value: f64, proven: Option<&[i32]>) -> Vec<Option<f64>> {
        let facts = self.game.facts();
        let (lowest, highest) = ends(facts);
        let of = |role: RoleId| match proven.and_then(|proven| proven.get(role.index())) {
            Some(&goal) => Some(f64::from(goal)),
            None if role == self.role => Some(value),
            None if self.is_difference() && Some(role) != facts.random() => {
                Some(lowest + highest - value)
            }
            None => None,
        };
        facts.role_ids().map(of).collect()
    }

    fn is_difference(&self) -> bool {
        self.game.facts().players().count() == 2 && tells_differences(self.spec)
    }
}

/// A line that begins with the move that is made. Where the search expected another one of its
/// role, its line is cut after the first joint move, with the move that is made in it.
fn expected(line: &[Vec<MoveId>], role: RoleId, made: MoveId) -> Vec<Vec<MoveId>> {
    let Some(first) = line.first().filter(|first| role.index() < first.len()) else {
        return Vec::new();
    };
    if first[role.index()] == made {
        return line.to_vec();
    }
    let mut joint = first.clone();
    joint[role.index()] = made;
    vec![joint]
}

/// The lowest and the highest goal.
fn ends(facts: &GameFacts) -> (f64, f64) {
    let range = &facts.goal_range;
    (f64::from(*range.start()), f64::from(*range.end()))
}
