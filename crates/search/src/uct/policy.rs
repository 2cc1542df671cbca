//! How playouts choose moves, and what is remembered about moves wherever they are made.

use paidia_game::{Chance, LegalMoves, MoveId, RoleId};

/// For each role and move, the mean return of the simulations in which the role made it anywhere: the history heuristic.
#[derive(Clone, Debug)]
pub struct History {
    of_role: Vec<Vec<Record>>,
    weights: Vec<f64>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Record {
    visits: u32,
    mean: f64,
}

/// What an unknown move is worth: the highest goal, so that it gets its chance.
const UNKNOWN: f64 = 100.0;

impl History {
    /// Nothing remembered yet.
    pub fn new(roles: usize) -> Self {
        Self {
            of_role: vec![Vec::new(); roles],
            weights: Vec::new(),
        }
    }

    /// Remembers a return of a move.
    pub fn update(&mut self, role: RoleId, id: MoveId, value: f64) {
        let records = &mut self.of_role[role.index()];
        let index = id.0 as usize;
        if records.len() <= index {
            records.resize(index + 1, Record::default());
        }
        let record = &mut records[index];
        record.visits += 1;
        record.mean += (value - record.mean) / f64::from(record.visits);
    }

    fn value(&self, role: RoleId, id: MoveId) -> f64 {
        match self.of_role[role.index()].get(id.0 as usize) {
            Some(record) if record.visits > 0 => record.mean,
            _ => UNKNOWN,
        }
    }

    /// Draws one of the moves with probability proportional to exp(value / temperature).
    pub fn draw(
        &mut self,
        role: RoleId,
        moves: &[MoveId],
        temperature: f64,
        chance: &mut Chance,
    ) -> Option<usize> {
        if moves.len() < 2 {
            return moves.len().checked_sub(1);
        }
        let mut weights = std::mem::take(&mut self.weights);
        weights.clear();
        weights.extend(moves.iter().map(|&id| self.value(role, id)));
        // The highest value is taken off first, so that nothing overflows.
        let highest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut total = 0.0;
        for weight in &mut weights {
            *weight = ((*weight - highest) / temperature).exp();
            total += *weight;
        }
        let mut left = chance.fraction() * total;
        let drawn = weights.iter().position(|&weight| {
            left -= weight;
            left < 0.0
        });
        let drawn = drawn.unwrap_or(moves.len() - 1);
        self.weights = weights;
        Some(drawn)
    }

    /// Draws a legal move for each role into `joint`; false if a role has none.
    pub fn draw_joint(
        &mut self,
        legal: &LegalMoves,
        temperature: f64,
        chance: &mut Chance,
        joint: &mut Vec<MoveId>,
    ) -> bool {
        joint.clear();
        for (role, moves) in legal.iter() {
            let Some(place) = self.draw(role, moves, temperature, chance) else {
                return false;
            };
            joint.push(moves[place]);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::History;
    use paidia_game::{Chance, MoveId, RoleId};

    fn frequencies(temperature: f64) -> [f64; 3] {
        let (mut history, mut chance) = (History::new(1), Chance::from_seed(11));
        for (id, value) in [(0, 20.0), (1, 40.0), (2, 50.0)] {
            history.update(RoleId(0), MoveId(id), value);
        }
        let moves = [MoveId(0), MoveId(1), MoveId(2)];
        let mut counts = [0.0; 3];
        for _ in 0..20_000 {
            let place = history
                .draw(RoleId(0), &moves, temperature, &mut chance)
                .unwrap();
            counts[place] += 1.0 / 20_000.0;
        }
        counts
    }

    #[test]
    fn sampling_follows_gibbs() {
        let weights = [(-3.0f64).exp(), (-1.0f64).exp(), 1.0];
        let total: f64 = weights.iter().sum();
        for (measured, weight) in frequencies(10.0).iter().zip(weights) {
            assert!(
                (measured - weight / total).abs() < 0.015,
                "{measured} for {}",
                weight / total
            );
        }
    }

    #[test]
    fn cold_is_greedy_and_hot_is_uniform() {
        assert_eq!(frequencies(0.01), [0.0, 0.0, frequencies(0.01)[2]]);
        assert!(
            frequencies(1e9)
                .iter()
                .all(|share| (share - 1.0 / 3.0).abs() < 0.015)
        );
    }

    #[test]
    fn unknown_moves_get_their_chance() {
        let (mut history, mut chance) = (History::new(1), Chance::from_seed(2));
        history.update(RoleId(0), MoveId(0), 0.0);
        let place = history.draw(RoleId(0), &[MoveId(0), MoveId(9)], 1.0, &mut chance);
        assert_eq!(place, Some(1));
    }
}
