//! What a search tells of itself.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use paidia_game::{Game, MoveId, RoleId, Walker};

use super::explore::as_returns;
use super::settings::{Choice, Returns};
use super::tree::NodeId;
use super::{Tree, Uct};
use crate::budget::{Meter, StopReason};
use crate::costs::Costs;
use crate::report::{MoveReport, Report};
use crate::scale::{Scale, pair};

impl<G: Game> Uct<G> {
    pub(super) fn report(
        &mut self,
        state: &G::State,
        roots: &[NodeId],
        meter: &Meter<'_>,
        stopped: StopReason,
    ) -> Report {
        let mut moves = self.moves(roots);
        sort(
            &mut moves,
            self.settings.choice,
            &self.game.facts().goal_range,
        );
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
            known: self.known,
            playouts: meter.playouts,
            states: meter.states,
            time: meter.elapsed(),
            nodes: self.nodes(),
            stopped,
            costs: self.costs(),
        }
    }

    /// What is known of the moves where the walker stands, if nothing can be searched there.
    pub(super) fn report_unsearched(&mut self, meter: &Meter<'_>, stopped: StopReason) -> Report {
        let moves = self.walker.legal().of(self.role);
        Report {
            moves: moves.iter().map(|&id| MoveReport::untried(id)).collect(),
            time: meter.elapsed(),
            nodes: self.nodes(),
            ..Report::without_search(MoveId::CHANCE, stopped)
        }
    }

    /// What all threads together spent their time on.
    fn costs(&self) -> Costs {
        let mut sum = Costs::default();
        for explorer in &self.explorers {
            sum += explorer.sampler.costs();
        }
        sum
    }

    /// What all trees together know of the role's moves.
    fn moves(&self, roots: &[NodeId]) -> Vec<MoveReport> {
        let (role, facts) = (self.role, self.game.facts());
        let differs = self.settings.returns == Returns::Difference && pair(facts).is_some();
        let scale = Scale::new(facts).of_differences(differs);
        let of_tree =
            |(tree, &root): (&Tree, &NodeId)| -> Vec<(MoveId, u64, f64, Option<Certain>)> {
                let proven = |place| {
                    let outcome = tree.arm_outcome(root, role, place)?;
                    let results = tree.results(outcome).into_iter();
                    let mut returns: Vec<f64> = results.map(|goal| scale.return_of(goal)).collect();
                    as_returns(facts, self.settings.returns, &mut returns);
                    Some(Certain {
                        goal: tree.result(outcome, role),
                        value: returns[role.index()] * self.settings.discount,
                    })
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
            .map(|(id, visits, total, certain)| MoveReport {
                value: scale.goal_of(match (certain, visits) {
                    (Some(certain), _) => certain.value,
                    (None, 0) => 0.0,
                    (None, _) => total / visits as f64,
                }),
                id,
                visits,
                proven: certain.map(|certain| certain.goal),
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
            // Where the rules draw, the state after a move is not known.
            if !self.game.facts().is_repeatable() {
                break;
            }
            let next = tree.find(self.walker.hash64(), tree.depth(node) + 1);
            let Some(next) = next else { break };
            node = next;
        }
        line
    }
}

/// Sorts moves: certain wins first, certain losses last, between them by what the choice goes by. A
/// move with another certain outcome comes before the others if it is worth as much as the best of
/// them, and after them if not.
fn sort(moves: &mut [MoveReport], choice: Choice, goals: &RangeInclusive<i32>) {
    let open = moves.iter().filter(|made| made.proven.is_none());
    let best = open.max_by(|left, right| {
        let (left, right) = (preference(left, choice), preference(right, choice));
        left.partial_cmp(&right).unwrap_or(Ordering::Equal)
    });
    let bar = best.map_or(f64::NEG_INFINITY, |best| best.value);
    let class = |made: &MoveReport| match made.proven {
        Some(goal) if goal >= *goals.end() => 4,
        Some(goal) if goal <= *goals.start() => 0,
        Some(_) if made.value >= bar => 3,
        Some(_) => 1,
        None => 2,
    };
    let rank = |made: &MoveReport| {
        let certain = made.proven.map_or(0.0, f64::from);
        (class(made), certain, preference(made, choice))
    };
    moves.sort_by(|left, right| {
        rank(right)
            .partial_cmp(&rank(left))
            .unwrap_or(Ordering::Equal)
    });
}

/// What certainly comes of a move.
#[derive(Clone, Copy)]
struct Certain {
    /// The goal of the role.
    goal: i32,
    /// What that is worth to it.
    value: f64,
}

/// What a choice goes by.
fn preference(made: &MoveReport, choice: Choice) -> (f64, f64) {
    let visits = made.visits as f64;
    match choice {
        Choice::BestValue if made.visits == 0 => (f64::NEG_INFINITY, 0.0),
        Choice::BestValue => (made.value, visits),
        Choice::MostVisits => (visits, made.value),
    }
}

/// In a solved state, the move by which it was solved comes first: it leads nearer to the end,
/// which another move with the same outcome need not.
fn prefer_proven(moves: &mut [MoveReport], tree: &Tree, root: NodeId, role: RoleId) {
    let best = tree
        .best_proven(root)
        .filter(|_| tree.mover(root) == Some(role));
    let id = best.map(|place| tree.arm(root, role, place).id());
    if let Some(index) = moves.iter().position(|moves| Some(moves.id) == id) {
        moves[..=index].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use super::sort;
    use crate::report::MoveReport;
    use crate::uct::Choice;
    use paidia_game::MoveId;

    fn order(moves: &[(f64, u64, Option<i32>)]) -> Vec<u32> {
        let report = |(id, &(value, visits, proven))| MoveReport {
            id: MoveId(id),
            value,
            visits,
            proven,
        };
        let mut moves: Vec<MoveReport> = (0..).zip(moves).map(report).collect();
        sort(&mut moves, Choice::MostVisits, &(0..=100));
        moves.iter().map(|made| made.id.0).collect()
    }

    #[test]
    fn a_certain_draw_does_not_keep_from_a_likely_win() {
        let (draw, loss) = ((0.0, 5, Some(50)), (-99.0, 9, Some(0)));
        assert_eq!(order(&[draw, (60.0, 100, None), loss]), [1, 0, 2]);
        assert_eq!(order(&[draw, (-60.0, 100, None), loss]), [0, 1, 2]);
        assert_eq!(
            order(&[(80.0, 900, None), (99.0, 1, Some(100)), draw]),
            [1, 0, 2]
        );
    }

    #[test]
    fn the_most_visited_of_open_moves_is_first() {
        assert_eq!(
            order(&[(70.0, 10, None), (60.0, 100, None), (0.0, 0, None)]),
            [1, 0, 2]
        );
    }
}
