//! Means of moves as weights to draw by: MAST by Gibbs without an exponential for every legal move.
//!
//! A move's weight is exp((Q - 100) / τ), and is worked out when its mean Q has changed, not when
//! it is asked for. The mean of a move that was made a thousand times hardly changes by one more: a
//! weight is worked out anew when the visits have grown by one in [`STEADY`], so that up to as many
//! visits it is exact, and later lags behind by that little.
//!
//! Weights are added eight at a time, two in each vector instruction. The compiler finds that by
//! itself once no index has to be compared with the length of the table: the length is a power of
//! two, and one look at all indices together tells whether the table is long enough for them.

use paidia_game::{Chance, MoveId, RoleId};

use super::UNKNOWN;
use super::draw::gibbs;

/// Visits from which on a weight lags behind its mean.
const STEADY: f64 = 32.0;

/// Moves whose weights are added up at a time.
const BLOCK: usize = 8;

/// The weight of a move that was never made.
const UNKNOWN_WEIGHT: f64 = 1.0;

/// For each role and move, the mean return of the simulations in which the role made it anywhere,
/// and its weight.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    of_role: Vec<Row>,
    temperature: f64,
    /// Scratch: the weights of blocks of moves, added up from the first on.
    sums: Vec<f64>,
}

/// What a role remembers, by the numbers of moves. Weights stand by themselves, since they are
/// looked at much more often.
#[derive(Clone, Debug, Default)]
struct Row {
    weights: Vec<f64>,
    known: Vec<Known>,
}

/// The returns of a move.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    visits: f64,
    total: f64,
    /// Visits at which the weight is worked out anew.
    due: f64,
}

impl Known {
    fn mean(self) -> f64 {
        match self.visits > 0.0 {
            true => self.total / self.visits,
            false => UNKNOWN,
        }
    }
}

impl Row {
    /// Makes room for the moves up to a number; that of weights is a power of two.
    #[cold]
    fn grow(&mut self, last: usize) {
        let places = (last + 1).next_power_of_two();
        self.weights
            .resize(places.max(self.weights.len()), UNKNOWN_WEIGHT);
    }

    /// The weights, of which there is one at the least for each of these moves.
    #[inline]
    fn weights_for(&mut self, moves: &[MoveId]) -> Table<'_> {
        // No number has a bit that is in none of them.
        let all = moves.iter().fold(0, |all, id| all | id.0) as usize;
        if all >= self.weights.len() {
            self.grow(all);
        }
        Table(&self.weights)
    }

    #[cfg(test)]
    fn weight(&mut self, id: MoveId) -> f64 {
        self.weights_for(&[id]).weight(id)
    }

    fn mean(&self, id: MoveId) -> f64 {
        let known = self.known.get(id.0 as usize);
        known.map_or(UNKNOWN, |known| known.mean())
    }
}

/// Weights by the numbers of moves; there is a power of two of them.
#[derive(Clone, Copy)]
struct Table<'a>(&'a [f64]);

impl Table<'_> {
    /// The weight of a move for which there is one.
    #[inline]
    fn weight(self, id: MoveId) -> f64 {
        // What is masked off is zero, and with the mask no check of the index is left.
        self.0[id.0 as usize & (self.0.len() - 1)]
    }

    /// The weights of a block of moves, added up.
    #[inline]
    fn weigh(self, block: &[MoveId; BLOCK]) -> f64 {
        // In pairs: no addition waits for all before it. Written out, since `map` of an array is a
        // call for each element where the compiler does not look into it.
        let [a, b, c, d, e, f, g, h] = *block;
        let first = (self.weight(a) + self.weight(b)) + (self.weight(c) + self.weight(d));
        let second = (self.weight(e) + self.weight(f)) + (self.weight(g) + self.weight(h));
        first + second
    }

    /// How many of some moves a part of their weight goes beyond.
    #[inline]
    fn passed_by(self, moves: &[MoveId], part: f64) -> usize {
        let mut sum = 0.0;
        let beyond = moves.iter().map(|&id| {
            sum += self.weight(id);
            usize::from(sum <= part)
        });
        beyond.sum()
    }
}

impl Weights {
    pub(super) fn new(roles: usize, temperature: f64) -> Self {
        Self {
            of_role: vec![Row::default(); roles],
            temperature,
            sums: Vec::new(),
        }
    }

    pub(super) fn learn(&mut self, role: RoleId, id: MoveId, value: f64) {
        let row = &mut self.of_role[role.index()];
        let index = id.0 as usize;
        if row.known.len() <= index {
            row.known.resize(index + 1, Known::default());
        }
        if row.weights.len() <= index {
            row.grow(index);
        }
        let known = &mut row.known[index];
        known.visits += 1.0;
        known.total += value;
        if known.visits >= known.due {
            known.due = known.visits * (1.0 + 1.0 / STEADY);
            row.weights[index] = ((known.mean() - UNKNOWN) / self.temperature).exp();
        }
    }

    /// The place of one of a role's moves, drawn by Gibbs.
    #[inline]
    pub(super) fn draw(&mut self, role: RoleId, moves: &[MoveId], chance: &mut Chance) -> usize {
        let table = self.of_role[role.index()].weights_for(moves);
        if table.0.is_empty() {
            return 0;
        }
        let (blocks, rest) = moves.as_chunks::<BLOCK>();
        let mut sum = 0.0;
        self.sums.resize(blocks.len(), 0.0);
        for (block, upto) in blocks.iter().zip(&mut self.sums) {
            sum += table.weigh(block);
            *upto = sum;
        }
        sum += rest.iter().map(|&id| table.weight(id)).sum::<f64>();
        if !(sum > 0.0 && sum < f64::INFINITY) {
            return self.draw_exactly(role, moves, chance);
        }
        let target = chance.fraction() * sum;
        // Counted rather than searched for: without an unpredictable jump.
        let passed = self.sums.iter().filter(|&&sum| sum <= target).count();
        let left = target - passed.checked_sub(1).map_or(0.0, |last| self.sums[last]);
        let within = match blocks.get(passed) {
            Some(block) => table.passed_by(block, left),
            None => table.passed_by(rest, left),
        };
        // What rounding leaves over belongs to the last.
        (passed * BLOCK + within).min(moves.len() - 1)
    }

    /// The same at temperatures so low that weights are too small, or too large, for numbers.
    #[cold]
    fn draw_exactly(&mut self, role: RoleId, moves: &[MoveId], chance: &mut Chance) -> usize {
        let row = &self.of_role[role.index()];
        self.sums.clear();
        self.sums.extend(moves.iter().map(|&id| row.mean(id)));
        gibbs(&mut self.sums, self.temperature, chance)
    }

    pub(super) fn fade(&mut self, factor: f64) {
        for row in &mut self.of_role {
            for (known, weight) in row.known.iter_mut().zip(&mut row.weights) {
                known.visits *= factor;
                known.total *= factor;
                known.due = 0.0;
                if known.visits == 0.0 {
                    *weight = UNKNOWN_WEIGHT;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Weights;
    use paidia_game::{Chance, MoveId, RoleId};

    const ROLE: RoleId = RoleId(0);

    fn learned(temperature: f64, means: &[(u32, f64)]) -> Weights {
        let mut weights = Weights::new(1, temperature);
        for &(id, mean) in means {
            for value in [mean - 10.0, mean + 10.0] {
                weights.learn(ROLE, MoveId(id), value);
            }
        }
        weights
    }

    /// How often each of the moves 0, 1 and 2 is drawn.
    fn frequencies(weights: &mut Weights) -> [f64; 3] {
        let (mut chance, mut counts) = (Chance::from_seed(5), [0.0; 3]);
        for _ in 0..20_000 {
            let moves = [MoveId(0), MoveId(1), MoveId(2)];
            counts[weights.draw(ROLE, &moves, &mut chance)] += 1.0 / 20_000.0;
        }
        counts
    }

    fn assert_near(measured: [f64; 3], weights: [f64; 3]) {
        let sum: f64 = weights.iter().sum();
        for (measured, weight) in measured.iter().zip(weights) {
            let expected = weight / sum;
            assert!(
                (measured - expected).abs() < 0.015,
                "{measured} for {expected}"
            );
        }
    }

    #[test]
    fn moves_are_drawn_by_gibbs() {
        let mut weights = learned(10.0, &[(0, 20.0), (1, 40.0), (2, 50.0)]);
        let expected = [-3.0f64, -1.0, 0.0].map(f64::exp);
        assert_near(frequencies(&mut weights), expected);
    }

    #[test]
    fn unknown_moves_count_as_the_highest_goal() {
        let mut weights = learned(10.0, &[(1, 90.0)]);
        assert_near(frequencies(&mut weights), [1.0, (-1.0f64).exp(), 1.0]);
    }

    #[test]
    fn at_low_temperatures_the_best_is_drawn() {
        let mut weights = learned(0.01, &[(0, 20.0), (1, 60.0), (2, 50.0)]);
        assert_near(frequencies(&mut weights), [0.0, 1.0, 0.0]);
    }

    #[test]
    fn weights_follow_the_mean_closely() {
        let mut weights = Weights::new(1, 10.0);
        for turn in 0..10_000 {
            let value = if turn < 5_000 { 80.0 } else { 20.0 };
            weights.learn(ROLE, MoveId(0), value);
            let row = &mut weights.of_role[0];
            let exact = ((row.mean(MoveId(0)) - 100.0) / 10.0).exp();
            let ratio = row.weight(MoveId(0)) / exact;
            assert!((0.8..1.25).contains(&ratio), "{turn}: {ratio}");
        }
    }

    #[test]
    fn long_lists_are_drawn_from_by_blocks() {
        // Of 37 moves, the 20th and the 36th weigh as much as all others together.
        let heavy = [20, 36];
        let mut weights = Weights::new(1, 10.0);
        let light = 100.0 - 10.0 * (35.0f64).ln();
        let others = (0..37).filter(|id| !heavy.contains(id));
        others.for_each(|id| weights.learn(ROLE, MoveId(id), light));
        let moves: Vec<MoveId> = (0..37).map(MoveId).collect();
        let (mut chance, mut counts) = (Chance::from_seed(5), [0; 37]);
        for _ in 0..30_000 {
            counts[weights.draw(ROLE, &moves, &mut chance)] += 1;
        }
        for id in heavy {
            let drawn = counts[id as usize];
            assert!((9_500..10_500).contains(&drawn), "{id}: {drawn} times");
        }
        let rest = 30_000 - counts[20] - counts[36];
        assert!((9_500..10_500).contains(&rest), "{rest}");
        assert!(counts.iter().all(|&count| count > 200), "{counts:?}");
    }

    #[test]
    fn what_fades_away_is_unknown_again() {
        let mut weights = learned(10.0, &[(0, 20.0), (1, 20.0)]);
        weights.fade(0.5);
        assert_near(frequencies(&mut weights), [0.0, 0.0, 1.0]);
        // One visit is left, with 20 on average; 60 makes it 40.
        weights.learn(ROLE, MoveId(0), 60.0);
        assert!((weights.of_role[0].mean(MoveId(0)) - 40.0).abs() < 1e-9);
        weights.fade(0.0);
        assert_near(frequencies(&mut weights), [1.0; 3]);
    }
}
