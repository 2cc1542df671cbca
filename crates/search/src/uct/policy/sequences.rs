//! Means of moves after other moves (N-grams): the N-gram selection technique, NST.
//!
//! The sequence of length two that ends with a move of role *i* has before it the move of
//! role *i* - 1 in the step before, the one of length three also that of role *i* - 2 two steps
//! before, all counted around.

use paidia_game::{MoveId, RoleId};

use super::moves::Moves;
use super::rows::{Row, Rows};
use super::{Line, UNKNOWN};

/// For each role, the mean returns of sequences of moves that end with a move of that role.
#[derive(Clone, Debug)]
pub(super) struct Sequences {
    singles: Moves,
    longer: Vec<Longer>,
    /// How often a longer sequence must have been made to be asked.
    least_visits: f64,
}

/// Sequences of two and of three moves.
#[derive(Clone, Debug, Default)]
struct Longer {
    pairs: Rows<MoveId>,
    triples: Rows<[MoveId; 2]>,
}

/// The moves before one of a role: one step before, and two.
fn before(line: Line<'_>, step: usize, role: usize) -> (Option<MoveId>, Option<MoveId>) {
    let back = |steps: usize| {
        let other = (role + line.roles * steps - steps) % line.roles;
        line.at(step.checked_sub(steps), other)
    };
    (back(1), back(2))
}

impl Sequences {
    pub(super) fn new(roles: usize, least_visits: u32) -> Self {
        Self {
            singles: Moves::new(roles),
            longer: vec![Longer::default(); roles],
            least_visits: f64::from(least_visits),
        }
    }

    pub(super) fn learn(&mut self, line: Line<'_>, step: usize, role: RoleId, value: f64) {
        let Some(id) = line.at(Some(step), role.index()) else {
            return;
        };
        self.singles.learn(role, id, value);
        let longer = &mut self.longer[role.index()];
        let (one, two) = before(line, step, role.index());
        let Some(one) = one else { return };
        longer.pairs.learn(one, id, value);
        let Some(two) = two else { return };
        longer.triples.learn([two, one], id, value);
    }

    /// Appends the scores of some moves of a role after a line.
    pub(super) fn score_all(
        &self,
        line: Line<'_>,
        role: RoleId,
        moves: &[MoveId],
        scores: &mut Vec<f64>,
    ) {
        let longer = &self.longer[role.index()];
        let (one, two) = before(line, line.steps(), role.index());
        let pairs = one.map(|one| longer.pairs.after(&one));
        let triples = one.zip(two);
        let triples = triples.map(|(one, two)| longer.triples.after(&[two, one]));
        let mut rows: [Row<'_>; 2] = [pairs, triples].map(Option::unwrap_or_default);
        for &id in moves {
            let Some(single) = self.singles.mean(role, id) else {
                scores.push(UNKNOWN);
                continue;
            };
            let (mut sum, mut count) = (single, 1.0);
            for mean in rows.iter_mut().filter_map(|row| row.find(id)) {
                if mean.visits >= self.least_visits {
                    sum += mean.value;
                    count += 1.0;
                }
            }
            scores.push(sum / count);
        }
    }

    pub(super) fn fade(&mut self, factor: f64) {
        self.singles.fade(factor);
        for longer in &mut self.longer {
            longer.pairs.fade(factor);
            longer.triples.fade(factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Sequences};
    use paidia_game::{MoveId, RoleId};

    fn ids(numbers: &[u32]) -> Vec<MoveId> {
        numbers.iter().map(|&number| MoveId(number)).collect()
    }

    /// What was learned from one simulation by a role: pairs and triples.
    fn learned(roles: usize, moves: &[u32], role: usize) -> (Vec<[u32; 2]>, Vec<[u32; 3]>) {
        let made = ids(moves);
        let line = Line { roles, made: &made };
        let mut sequences = Sequences::new(roles, 7);
        for step in 0..line.steps() {
            sequences.learn(line, step, RoleId(role as u16), 50.0);
        }
        let longer = &sequences.longer[role];
        let pairs = longer.pairs.iter().map(|(one, id)| [one.0, id.0]);
        let triples = longer.triples.iter();
        let triples = triples.map(|([two, one], id)| [two.0, one.0, id.0]);
        let (mut pairs, mut triples): (Vec<_>, Vec<_>) = (pairs.collect(), triples.collect());
        pairs.sort_unstable();
        triples.sort_unstable();
        (pairs, triples)
    }

    #[test]
    fn sequences_of_two_roles_alternate() {
        // Steps (1 9) (9 2) (3 9): role 0 plays 1 and 3, role 1 plays 2; 9 is a noop.
        let moves = [1, 9, 9, 2, 3, 9];
        let (pairs, triples) = learned(2, &moves, 0);
        assert_eq!(pairs, [[2, 3], [9, 9]]);
        assert_eq!(triples, [[1, 2, 3]]);
        let (pairs, triples) = learned(2, &moves, 1);
        assert_eq!(pairs, [[1, 2], [9, 9]]);
        assert_eq!(triples, [[9, 9, 9]]);
    }

    #[test]
    fn sequences_of_three_roles_go_around() {
        let moves = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        // Role 0 makes 1, 4, 7; one step before them role 2 made 3, 6; two steps before 7, role 1
        // made 2.
        assert_eq!(
            learned(3, &moves, 0),
            (vec![[3, 4], [6, 7]], vec![[2, 6, 7]])
        );
        assert_eq!(
            learned(3, &moves, 2),
            (vec![[2, 6], [5, 9]], vec![[1, 5, 9]])
        );
    }

    #[test]
    fn sequences_of_one_role_are_its_own_moves() {
        assert_eq!(
            learned(1, &[1, 2, 3], 0),
            (vec![[1, 2], [2, 3]], vec![[1, 2, 3]])
        );
    }

    #[test]
    fn longer_sequences_count_once_they_were_made_often_enough() {
        let mut sequences = Sequences::new(1, 7);
        let made = ids(&[1, 2]);
        let line = Line {
            roles: 1,
            made: &made,
        };
        let score = |sequences: &Sequences, before: &[u32], id: u32| {
            let made = ids(before);
            let mut scores = Vec::new();
            let line = Line {
                roles: 1,
                made: &made,
            };
            sequences.score_all(line, RoleId(0), &[MoveId(id)], &mut scores);
            scores[0]
        };
        for _ in 0..6 {
            sequences.learn(line, 1, RoleId(0), 80.0);
        }
        let alone = ids(&[2]);
        let alone = Line {
            roles: 1,
            made: &alone,
        };
        for _ in 0..6 {
            sequences.learn(alone, 0, RoleId(0), 20.0);
        }
        // The move alone has (6 * 80 + 6 * 20) / 12 = 50; the pair has been made six times only.
        assert_eq!(score(&sequences, &[1], 2), 50.0);
        sequences.learn(line, 1, RoleId(0), 80.0);
        let single = (7.0 * 80.0 + 6.0 * 20.0) / 13.0;
        assert!((score(&sequences, &[1], 2) - (single + 80.0) / 2.0).abs() < 1e-9);
        assert!((score(&sequences, &[5], 2) - single).abs() < 1e-9);
        assert_eq!(score(&sequences, &[1], 7), 100.0, "never made");
        sequences.fade(0.5);
        assert!(
            (score(&sequences, &[1], 2) - single).abs() < 1e-9,
            "3.5 visits"
        );
    }
}
