//! What a search tells of itself.

use paidia_game::{Game, MoveId, RoleId, Walker};

use super::settings::Choice;
use super::tree::NodeId;
use super::{Tree, Uct};
use crate::budget::{Meter, StopReason};
use crate::report::{MoveReport, Report};

impl<G: Game> Uct<G> {
    pub(super) fn report(
        &mut self,
        state: &G::State,
        roots: &[NodeId],
        meter: &Meter<'_>,
        stopped: StopReason,
    ) -> Report {
        let mut moves = self.moves(roots);
        let choice = self.settings.choice;
        moves.sort_by(|left, right| {
            rank(right, choice)
                .partial_cmp(&rank(left, choice))
                .unwrap_or(std::cmp::Ordering::Equal)
        });
        let mut planted = self.trees.iter().zip(roots);
        let solved = planted.find(|(tree, root)| tree.outcome(**root).is_some());
        if let Some((tree, &root)) = solved.filter(|_| self.settings.proofs) {
            prefer_proven(&mut moves, tree, root, self.role);
        }
        Report {
            proven: solved.and_then(|(tree, root)| tree.proof(*root)),
            line: self.expected_line(state, roots[0]),
            moves,
            simulations: meter.simulations,
            playouts: meter.playouts,
            states: meter.states,
            time: meter.elapsed(),
            nodes: self.nodes(),
            stopped,
        }
    }

    /// What all trees together know of the role's moves.
    fn moves(&self, roots: &[NodeId]) -> Vec<MoveReport> {
        let (role, lowest) = (self.role, f64::from(*self.game.facts().goal_range.start()));
        let of_tree = |(tree, &root): (&Tree, &NodeId)| -> Vec<(MoveId, u64, f64, Option<i32>)> {
            let proven = |place| {
                let outcome = tree.arm_outcome(root, role, place);
                outcome.map(|outcome| tree.result(outcome, role))
            };
            tree.arms(root, role)
                .iter()
                .enumerate()
                .map(|(place, arm)| {
                    (
                        arm.id(),
                        u64::from(arm.visits()),
                        arm.total(),
                        proven(place),
                    )
                })
                .collect()
        };
        let mut trees = self.trees.iter().zip(roots).map(of_tree);
        let mut sums = trees.next().unwrap_or_default();
        for other in trees {
            for (sum, arm) in sums.iter_mut().zip(other) {
                *sum = (sum.0, sum.1 + arm.1, sum.2 + arm.2, sum.3.or(arm.3));
            }
        }
        sums.into_iter()
            .map(|(id, visits, total, proven)| MoveReport {
                value: if visits == 0 {
                    lowest
                } else {
                    total / visits as f64
                },
                id,
                visits,
                proven,
            })
            .collect()
    }

    /// The joint moves that all roles prefer, as far as the tree knows.
    fn expected_line(&mut self, state: &G::State, root: NodeId) -> Vec<Vec<MoveId>> {
        const LONGEST: usize = 40;
        let tree = &self.trees[0];
        let (mut line, mut node) = (Vec::new(), root);
        self.walker.jump(state);
        while line.len() < LONGEST && !tree.is_terminal(node) {
            let best = |role: RoleId| {
                let only = tree.count(node, role) == 1;
                tree.arms(node, role)
                    .iter()
                    .filter(|arm| only || arm.visits() > 0)
                    .max_by_key(|arm| arm.visits())
                    .map(super::tree::Arm::id)
            };
            let joint: Option<Vec<MoveId>> = self.game.facts().role_ids().map(best).collect();
            let Some(joint) = joint else { break };
            let mut chance = paidia_game::Chance::from_seed(self.seed);
            self.walker.advance(&joint, &mut chance);
            line.push(joint);
            let next = tree.find(self.walker.hash64(), tree.depth(node) + 1);
            let Some(next) = next else { break };
            node = next;
        }
        line
    }
}

/// Sorts moves: proven wins first, proven losses last, between them by what the choice goes by.
fn rank(report: &MoveReport, choice: Choice) -> (f64, f64, f64) {
    let certain = match report.proven {
        Some(value) => f64::from(value),
        // Not known: better than a proven loss, worse than a proven win.
        None => 0.5,
    };
    let visits = report.visits as f64;
    match choice {
        Choice::BestValue if report.visits == 0 => (certain, f64::NEG_INFINITY, 0.0),
        Choice::BestValue => (certain, report.value, visits),
        Choice::MostVisits => (certain, visits, report.value),
    }
}

/// In a solved state, the move by which it was solved comes first: it leads nearer to the end, which another move with the same
/// outcome need not.
fn prefer_proven(moves: &mut [MoveReport], tree: &Tree, root: NodeId, role: RoleId) {
    let best = tree
        .best_proven(root)
        .filter(|_| tree.mover(root) == Some(role));
    let id = best.map(|place| tree.arm(root, role, place).id());
    if let Some(index) = moves.iter().position(|moves| Some(moves.id) == id) {
        moves[..=index].rotate_right(1);
    }
}
