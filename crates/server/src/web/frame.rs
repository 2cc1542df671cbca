//! Positions as the page sees them.

use paidia_arena::{Match, MatchEnd};
use paidia_game::{AnyGame, Legible, MoveId, PerceptId, RoleId, Rules};
use paidia_picture::{Frame as Picture, Scene};
use serde::Serialize;

#[cfg(test)]
mod unseen;
mod ways;

use super::decision::DecisionView;

/// A position.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Frame {
    pub(super) ply: usize,
    #[serde(flatten)]
    picture: Picture,
    /// Roles that have something to do.
    pub(super) turn: Vec<usize>,
    /// For each role what it may do; left out where the receiver cannot act on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) legal: Option<Vec<Vec<LegalMove>>>,
    percepts: Vec<Vec<String>>,
    /// For each role, at the end.
    pub(super) goals: Option<Vec<Option<i32>>>,
    pub(super) ended: Option<String>,
    /// What led here.
    pub(super) made: Option<Made>,
    /// For each role what it had left on its clock when this position came about, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) clock: Option<Vec<u64>>,
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
    /// Other ways to click it, each a square or two: by what it changes on the boards.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    ways: Vec<Vec<u32>>,
}

/// A joint move that was made.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Made {
    /// For each role its move; empty where it is hidden.
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

/// The squares that a joint move was about: those it names, and of those it leaves open the ones
/// whose content has changed.
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

    /// The present position of a match.
    pub(super) fn frame(&self, played: &Match<AnyGame>) -> Frame {
        let roles = || self.game.facts().role_ids();
        let mut legal: Vec<Vec<LegalMove>> =
            roles().map(|role| self.legal(played.legal(role))).collect();
        ways::add(self.game, self.scene, played, &mut legal);
        let percepts = roles().map(|role| match played.told(role).last() {
            Some((_, percepts)) => self.percepts(percepts),
            None => Vec::new(),
        });
        let (ended, goals) = match played.end() {
            None => (None, None),
            Some(MatchEnd::Over(goals)) => {
                let goals = goals.iter().map(|goal| goal.value()).collect();
                (Some("over".to_owned()), Some(goals))
            }
            Some(MatchEnd::Cut) => (Some("cut".to_owned()), None),
            Some(MatchEnd::Stuck(_)) => (Some("stuck".to_owned()), None),
            Some(MatchEnd::Fault(fault)) => (Some(format!("fault: {fault}")), None),
        };
        Frame {
            ply: played.ply(),
            picture: self.scene.frame(&self.game.shown(played.state())),
            turn: match ended {
                Some(_) => Vec::new(),
                None => self.turn(&legal),
            },
            percepts: percepts.collect(),
            legal: Some(legal),
            goals,
            ended,
            made: None,
            clock: None,
        }
    }

    /// The position after a joint move, with the move.
    pub(super) fn after(&self, played: &Match<AnyGame>, before: &Frame) -> Frame {
        let mut frame = self.frame(played);
        let last = played.moves.last().map_or(&[][..], Vec::as_slice);
        let joint = last
            .iter()
            .map(|made| self.game.moves().name(made.id).to_string());
        frame.made = Some(Made::plain(joint.collect(), self.scene, before, &frame));
        frame
    }

    /// What a role may know of a position whose frame is this: its own move and percepts, what it
    /// may do, and of the state what is certain. Everything here is worked out from the role's own
    /// moves and percepts.
    pub(super) fn of_role(&self, whole: &Frame, role: usize, certain: &[String]) -> Frame {
        let own = |all: &[Vec<String>]| -> Vec<Vec<String>> {
            let part = |(place, percepts): (usize, &Vec<String>)| match place == role {
                true => percepts.clone(),
                false => Vec::new(),
            };
            all.iter().enumerate().map(part).collect()
        };
        let legal = whole.legal.as_ref().map(|all| {
            let mut legal = vec![Vec::new(); all.len()];
            legal[role].clone_from(&all[role]);
            legal
        });
        let made = whole.made.as_ref().map(|made| {
            let mut joint = vec![String::new(); made.joint.len()];
            joint[role].clone_from(&made.joint[role]);
            let mut failures = vec![None; made.joint.len()];
            failures[role].clone_from(&made.failures[role]);
            Made {
                cells: self.scene.touched(&joint[role..=role]),
                by: vec![None; joint.len()],
                failures,
                joint,
            }
        });
        let has_turn = whole.turn.contains(&role);
        Frame {
            ply: whole.ply,
            picture: self.scene.frame(certain),
            turn: has_turn.then_some(role).into_iter().collect(),
            legal,
            percepts: own(&whole.percepts),
            goals: None,
            ended: None,
            made,
            clock: None,
        }
    }

    fn legal(&self, legal: &[MoveId]) -> Vec<LegalMove> {
        let view = |id: &MoveId| {
            let text = self.game.moves().name(*id).to_string();
            let steps = self.scene.steps(&text);
            LegalMove {
                text,
                steps,
                ways: Vec::new(),
            }
        };
        legal.iter().map(view).collect()
    }

    fn percepts(&self, ids: &[PerceptId]) -> Vec<String> {
        let name = |&id: &PerceptId| self.game.percepts().name(id).to_string();
        ids.iter().map(name).collect()
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
        self.scene.frame(&self.game.shown(&self.game.initial()))
    }
}
