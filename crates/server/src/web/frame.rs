//! Positions as the page sees them.

use paidia_game::{AnyGame, AnyWalker, Legible, MoveId, RoleId, Rules, Walker};
use paidia_picture::{Frame as Picture, Scene};
use serde::Serialize;

use super::decision::DecisionView;

/// A position.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Frame {
    pub(super) ply: usize,
    #[serde(flatten)]
    picture: Picture,
    /// Roles that have something to do.
    pub(super) turn: Vec<usize>,
    /// For each role what it may do; left out where nobody can act on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) legal: Option<Vec<Vec<LegalMove>>>,
    percepts: Vec<Vec<String>>,
    /// For each role, at the end.
    pub(super) goals: Option<Vec<Option<i32>>>,
    pub(super) ended: Option<String>,
    /// What led here.
    pub(super) made: Option<Made>,
}

impl Frame {
    /// Ends the match here, for a reason that is none of the rules.
    pub(super) fn end(&mut self, ended: &str) {
        self.ended = Some(ended.to_owned());
        self.turn.clear();
    }
}

/// A legal move, and what to click for it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct LegalMove {
    #[serde(rename = "move")]
    pub(super) text: String,
    steps: Vec<Vec<u32>>,
}

/// A joint move that was made.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Made {
    pub(super) joint: Vec<String>,
    /// The squares it was about.
    cells: Vec<u32>,
    /// For each role what its player found.
    pub(super) by: Vec<Option<DecisionView>>,
    /// For each role why its move is not its own, if it is not.
    pub(super) failures: Vec<Option<String>>,
}

impl Made {
    /// A joint move about which nothing else is known, between these positions.
    pub(super) fn plain(joint: Vec<String>, scene: &Scene, before: &Frame, after: &Frame) -> Self {
        Self {
            cells: touched(scene, &joint, &before.picture.cells, &after.picture.cells),
            by: vec![None; joint.len()],
            failures: vec![None; joint.len()],
            joint,
        }
    }
}

/// The squares that a joint move was about: those it names, and of those it leaves open the ones whose content has changed.
pub(super) fn touched(
    scene: &Scene,
    joint: &[String],
    before: &[Option<String>],
    after: &[Option<String>],
) -> Vec<u32> {
    let mut touched = scene.touched(joint);
    let has_changed = |cell: &u32| before.get(*cell as usize) != after.get(*cell as usize);
    let steps = joint.iter().flat_map(|text| scene.steps(text));
    let open = steps.filter(|step| step.len() > 1).flatten();
    touched.extend(open.filter(has_changed));
    touched.sort_unstable();
    touched.dedup();
    touched
}

/// Makes frames of the positions of a game.
pub(super) struct Camera<'a> {
    game: &'a AnyGame,
    scene: &'a Scene,
}

impl<'a> Camera<'a> {
    pub(super) fn new(game: &'a AnyGame, scene: &'a Scene) -> Self {
        Self { game, scene }
    }

    /// The position where a walker stands, after so many joint moves.
    pub(super) fn frame(&self, walker: &mut AnyWalker, ply: usize) -> Frame {
        let mut state = self.game.initial();
        walker.save(&mut state);
        let is_over = walker.is_terminal();
        let roles = || self.game.facts().role_ids();
        let legal = match is_over {
            true => vec![Vec::new(); roles().count()],
            false => self.legal(walker),
        };
        let percept = |role: RoleId| {
            let ids = walker.percepts(role).iter();
            ids.map(|&id| self.game.percepts().name(id).to_string())
                .collect()
        };
        let percepts = roles().map(percept).collect();
        let fault = walker.fault().map(|fault| format!("fault: {fault}"));
        let goals = (is_over && fault.is_none())
            .then(|| roles().map(|role| walker.goal(role).value()).collect());
        let is_stuck = !is_over && legal.iter().any(Vec::is_empty);
        let ended = match fault {
            Some(fault) => Some(fault),
            None if is_over => Some("over".to_owned()),
            None => is_stuck.then(|| "stuck".to_owned()),
        };
        Frame {
            ply,
            picture: self.scene.frame(&self.game.fluents(&state)),
            turn: if ended.is_some() {
                Vec::new()
            } else {
                self.turn(&legal)
            },
            legal: Some(legal),
            percepts,
            goals,
            ended,
            made: None,
        }
    }

    fn legal(&self, walker: &mut AnyWalker) -> Vec<Vec<LegalMove>> {
        let legal = walker.legal();
        let view = |id: &MoveId| {
            let text = self.game.moves().name(*id).to_string();
            let steps = self.scene.steps(&text);
            LegalMove { text, steps }
        };
        let roles = self.game.facts().role_ids();
        roles
            .map(|role| legal.of(role).iter().map(view).collect())
            .collect()
    }

    /// The roles that have something to do: a choice, or a single move that is more than waiting.
    fn turn(&self, legal: &[Vec<LegalMove>]) -> Vec<usize> {
        let acts = |role: &RoleId| match &legal[role.index()][..] {
            [only] => only.text != "noop",
            moves => !moves.is_empty(),
        };
        let players = self.game.facts().players();
        players.filter(acts).map(RoleId::index).collect()
    }

    /// How a game looks before the first move.
    pub(super) fn start(&self) -> Picture {
        self.scene.frame(&self.game.fluents(&self.game.initial()))
    }
}
