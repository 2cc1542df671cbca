//! What the reference engine says about states: those of random play, and those in which any
//! fluents hold.

use paidia_game::{Chance, Fault, Game, Goal, Legible, MoveId, RoleId, Rules, Walker};
use paidia_reason::Reference;

/// Everything about a state and one joint move in it, in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) state: Vec<String>,
    pub(crate) is_terminal: bool,
    pub(crate) legal: Vec<Vec<String>>,
    pub(crate) goals: Vec<Goal>,
    /// A joint move and what comes of it, unless a role has no move.
    pub(crate) after: Option<After>,
}

/// What comes of a joint move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct After {
    pub(crate) joint: Vec<String>,
    pub(crate) state: Vec<String>,
    pub(crate) percepts: Vec<Vec<String>>,
}

/// How many steps of play follow a state that was made up.
const STEPS_FROM_ANYWHERE: usize = 3;

/// Plays at random until there are as many steps, first from the start and then, the other half,
/// from states in which any of the given fluents hold.
///
/// # Errors
/// The limit that the engine ran into.
pub(crate) fn record(
    game: &Reference,
    fluents: &[String],
    steps: usize,
    chance: &mut Chance,
) -> Result<Vec<Step>, Fault> {
    let mut recorder = Recorder {
        game,
        walker: game.walker(),
        steps: Vec::with_capacity(steps),
    };
    while recorder.steps.len() < steps / 2 {
        recorder.walker.jump(&game.initial());
        recorder.play(steps / 2 - recorder.steps.len(), chance)?;
    }
    while recorder.steps.len() < steps {
        recorder.walker.jump(&any_state(game, fluents, chance));
        let left = steps - recorder.steps.len();
        recorder.play(left.min(STEPS_FROM_ANYWHERE), chance)?;
    }
    Ok(recorder.steps)
}

fn any_state(
    game: &Reference,
    fluents: &[String],
    chance: &mut Chance,
) -> <Reference as Rules>::State {
    let share = chance.below(4);
    let holding = fluents.iter().filter(|_| chance.below(4) <= share);
    let holding: Vec<&str> = holding.map(String::as_str).collect();
    let state = game.state(&holding);
    state.expect("the reference engine takes any fluent")
}

struct Recorder<'a> {
    game: &'a Reference,
    walker: <Reference as Game>::Walker,
    steps: Vec<Step>,
}

impl Recorder<'_> {
    /// Plays from where the walker is. A state in which the game is over is recorded with a move
    /// like any other, and then play ends.
    fn play(&mut self, most: usize, chance: &mut Chance) -> Result<(), Fault> {
        for _ in 0..most {
            let step = self.step(chance);
            if let Some(&fault) = self.walker.fault() {
                return Err(fault);
            }
            let is_last = step.is_terminal || step.after.is_none();
            self.steps.push(step);
            if is_last {
                break;
            }
        }
        Ok(())
    }

    fn step(&mut self, chance: &mut Chance) -> Step {
        let state = fluents(self.game, &self.walker);
        let (is_terminal, legal, goals) = position(self.game, &mut self.walker);
        let mut joint = Vec::new();
        let can_move = self.walker.legal().draw(chance, &mut joint).is_ok();
        Step {
            state,
            is_terminal,
            legal,
            goals,
            after: can_move.then(|| after(self.game, &mut self.walker, &joint, chance)),
        }
    }
}

/// The end, the legal moves and the goals where a walker is.
pub(crate) fn position<G: Game + Legible>(
    game: &G,
    walker: &mut G::Walker,
) -> (bool, Vec<Vec<String>>, Vec<Goal>) {
    let roles: Vec<RoleId> = game.facts().role_ids().collect();
    let name = |&id: &MoveId| game.moves().name(id).to_string();
    let legal = walker.legal();
    let legal = roles
        .iter()
        .map(|&role| legal.of(role).iter().map(name).collect());
    let legal = legal.collect();
    let goals = roles.iter().map(|&role| walker.goal(role)).collect();
    (walker.is_terminal(), legal, goals)
}

/// Makes a joint move and tells what comes of it.
pub(crate) fn after<G: Game + Legible>(
    game: &G,
    walker: &mut G::Walker,
    joint: &[MoveId],
    chance: &mut Chance,
) -> After {
    walker.advance(joint, chance);
    let percepts = game.facts().role_ids().map(|role| {
        let percepts = walker.percepts(role).iter();
        percepts
            .map(|&id| game.percepts().name(id).to_string())
            .collect()
    });
    After {
        joint: joint
            .iter()
            .map(|&id| game.moves().name(id).to_string())
            .collect(),
        percepts: percepts.collect(),
        state: fluents(game, walker),
    }
}

fn fluents<G: Game + Legible>(game: &G, walker: &G::Walker) -> Vec<String> {
    let mut state = game.initial();
    walker.save(&mut state);
    game.fluents(&state)
}
