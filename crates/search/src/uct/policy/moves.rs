//! Means of moves, wherever they are made: the history heuristic, or MAST.

use paidia_game::{MoveId, RoleId};

use super::{Mean, UNKNOWN};

/// For each role and move, the mean return of the simulations in which the role made it anywhere.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    of_role: Vec<Vec<Mean>>,
}

impl Moves {
    pub(super) fn new(roles: usize) -> Self {
        Self {
            of_role: vec![Vec::new(); roles],
        }
    }

    pub(super) fn learn(&mut self, role: RoleId, id: MoveId, value: f64) {
        let means = &mut self.of_role[role.index()];
        let index = id.0 as usize;
        if means.len() <= index {
            means.resize(index + 1, Mean::default());
        }
        means[index].add(value);
    }

    /// What a move is worth, if it was ever made.
    pub(super) fn mean(&self, role: RoleId, id: MoveId) -> Option<f64> {
        let mean = self.of_role[role.index()].get(id.0 as usize);
        mean.filter(|mean| mean.visits > 0.0).map(|mean| mean.value)
    }

    pub(super) fn score(&self, role: RoleId, id: MoveId) -> f64 {
        self.mean(role, id).unwrap_or(UNKNOWN)
    }

    pub(super) fn fade(&mut self, factor: f64) {
        let means = self.of_role.iter_mut().flatten();
        means.for_each(|mean| mean.fade(factor));
    }
}

#[cfg(test)]
mod tests {
    use super::Moves;
    use paidia_game::{MoveId, RoleId};

    #[test]
    fn unknown_moves_get_their_chance() {
        let mut moves = Moves::new(2);
        moves.learn(RoleId(0), MoveId(3), 20.0);
        moves.learn(RoleId(0), MoveId(3), 40.0);
        let score = |role, id| moves.score(RoleId(role), MoveId(id));
        assert_eq!(
            [score(0, 3), score(0, 1), score(0, 9), score(1, 3)],
            [30.0, 100.0, 100.0, 100.0]
        );
    }

    #[test]
    fn what_fades_away_is_unknown_again() {
        let mut moves = Moves::new(1);
        moves.learn(RoleId(0), MoveId(0), 20.0);
        moves.fade(0.5);
        assert_eq!(moves.score(RoleId(0), MoveId(0)), 20.0);
        moves.fade(0.0);
        assert_eq!(moves.score(RoleId(0), MoveId(0)), 100.0);
    }
}
