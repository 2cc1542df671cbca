//! Weights that are learned by play against itself: TDLeaf(lambda) with temporal coherence.
//! (Jonathan Baxter, Andrew Tridgell and Lex Weaver, 1998; Don Beal and Martin Smith, 1999.)

use std::sync::Arc;

use paidia_languages::board::{BoardState, Colour, EMPTY, Position, Tables};

use super::evaluation::{Evaluation, Extras};
use super::search::{Limits, Search, Style};
use super::table::Table;
use super::weights::Weights;

/// How much is learned from what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates {
    /// How far a weight goes at first, of what a man is typically worth.
    pub alpha: f64,
    /// How much of a change goes to the positions before.
    pub lambda: f64,
    /// How sure a win is when a typical man is ahead.
    pub omega: f64,
}

impl Default for Rates {
    fn default() -> Self {
        Self {
            alpha: 0.1,
            lambda: 0.7,
            omega: 0.5,
        }
    }
}

/// The probability of a win for an evaluation (formula 6.3).
pub fn probability(omega: f64, evaluation: f64) -> f64 {
    1.0 / (1.0 + (-omega * evaluation).exp())
}

/// What is added to the weights after a series of positions, by their features and the
/// probabilities of a win (formulae 6.2 and 6.4, without the factor omega, as printed).
pub fn changes<'a>(
    features: impl IntoIterator<Item = &'a [(usize, f64)]>,
    probabilities: &[f64],
    alpha: f64,
    lambda: f64,
    weights: usize,
) -> Vec<f64> {
    let (mut trace, mut sum) = (vec![0.0; weights], vec![0.0; weights]);
    let pairs = probabilities.windows(2);
    for (features, pair) in features.into_iter().zip(pairs) {
        trace.iter_mut().for_each(|value| *value *= lambda);
        for &(place, feature) in features {
            trace[place] += feature * pair[0] * (1.0 - pair[0]);
        }
        let step = alpha * (pair[1] - pair[0]);
        sum.iter_mut()
            .zip(&trace)
            .for_each(|(sum, value)| *sum += step * value);
    }
    sum
}

/// Learns weights of a game, for one thread.
#[derive(Clone)]
pub struct Learner {
    tables: Arc<Tables>,
    weights: Weights,
    rates: Rates,
    typical: f64,
    search: Search,
    /// Where the search finds its lines; cleared when the weights change.
    table: Arc<Table>,
    /// Temporal coherence: for each weight the sum of changes, and of their sizes.
    coherence: Vec<[f64; 2]>,
    factors: Vec<f64>,
    playouts: u32,
}

/// Bytes of the search's table.
const TABLE: usize = 1 << 20;

/// Playouts after which it is looked again how coherent changes were.
const COHERENCE: u32 = 10;

impl Learner {
    /// Begins with these weights.
    pub fn new(tables: &Arc<Tables>, weights: Weights, rates: Rates) -> Self {
        let evaluation = Arc::new(Evaluation::new(tables, &weights, Extras::default()));
        let style = Style {
            quiescence: false,
            modern: false,
        };
        let count = weights.material.len() + weights.place.len();
        let table = Arc::new(Table::new(TABLE));
        Self {
            typical: weights.typical(tables),
            search: Search::new(tables, evaluation, style, Some(Arc::clone(&table))),
            table,
            tables: Arc::clone(tables),
            coherence: vec![[0.0; 2]; count],
            factors: vec![1.0; count],
            playouts: 0,
            weights,
            rates,
        }
    }

    /// The weights.
    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// Playouts that it learned from.
    pub fn playouts(&self) -> u32 {
        self.playouts
    }

    /// Plays from a state to the end, each move by a search of this depth, and learns from it.
    /// Returns false, and learns nothing, if it was stopped.
    pub fn play(&mut self, state: &BoardState, depth: i32, limits: &Limits<'_>) -> bool {
        let mut state = state.clone();
        let mut position = Position::new(Arc::clone(&self.tables));
        let mut leaves: [Vec<Vec<(usize, f64)>>; 2] = Default::default();
        let limits = Limits { depth, ..*limits };
        let winner = loop {
            position.set(&state);
            let mut moves = Vec::new();
            position.moves(&mut moves);
            if let Some(winner) = position.winner() {
                break Some(winner);
            }
            if moves.is_empty() {
                break Some(position.mover().other());
            }
            if position.is_out_of_turns() {
                break None;
            }
            let found = self.search.run(&state, &limits, |_| ());
            let Some(&(chosen, _)) = found.moves.first().filter(|_| !found.was_stopped) else {
                return false;
            };
            let mover = position.mover();
            let undo: Vec<_> = found.line.iter().map(|&next| position.make(next)).collect();
            leaves[mover as usize].push(self.features(&position));
            undo.into_iter()
                .rev()
                .for_each(|undo| position.unmake(undo));
            position.make(chosen);
            position.save(&mut state);
        };
        self.learn(&leaves, winner);
        true
    }

    /// The features of a position, from white's view.
    fn features(&self, position: &Position) -> Vec<(usize, f64)> {
        let (material, squares) = (self.weights.material.len(), self.tables.squares());
        let men = position.board().iter().enumerate();
        let men = men.filter(|&(_, &content)| content != EMPTY);
        men.flat_map(|(square, &content)| {
            let sign = if content & 1 == 0 { 1.0 } else { -1.0 };
            let place = material + usize::from(content) * squares + square;
            [(usize::from(content), sign), (place, sign)]
        })
        .collect()
    }

    fn value(&self, features: &[(usize, f64)]) -> f64 {
        let material = self.weights.material.len();
        let weight = |place: usize| match place.checked_sub(material) {
            Some(place) => self.weights.place[place],
            None => self.weights.material[place],
        };
        features
            .iter()
            .map(|&(place, sign)| sign * weight(place))
            .sum()
    }

    /// Changes the weights by the mean of what the positions of both players tell.
    fn learn(&mut self, leaves: &[Vec<Vec<(usize, f64)>>; 2], winner: Option<Colour>) {
        let result = match winner {
            Some(Colour::White) => 1.0,
            Some(Colour::Black) => 0.0,
            None => 0.5,
        };
        let omega = self.rates.omega / self.typical;
        let mut sum = vec![0.0; self.factors.len()];
        for leaves in leaves {
            let sure = leaves
                .iter()
                .map(|features| probability(omega, self.value(features)));
            let sure: Vec<f64> = sure.chain([result]).collect();
            let features = leaves.iter().map(Vec::as_slice);
            let Rates { alpha, lambda, .. } = self.rates;
            let alpha = alpha * self.typical;
            let changes = changes(features, &sure, alpha, lambda, sum.len());
            sum.iter_mut()
                .zip(changes)
                .for_each(|(sum, change)| *sum += change / 2.0);
        }
        let material = self.weights.material.len();
        for (place, change) in sum.into_iter().enumerate() {
            let [total, sizes] = &mut self.coherence[place];
            *total += change;
            *sizes += change.abs();
            let change = change * self.factors[place];
            match place.checked_sub(material) {
                Some(place) => self.weights.place[place] += change,
                None => self.weights.material[place] += change,
            }
        }
        self.playouts += 1;
        if self.playouts.is_multiple_of(COHERENCE) {
            let pairs = self.factors.iter_mut().zip(&self.coherence);
            for (factor, [total, sizes]) in pairs {
                if *sizes > 0.0 {
                    *factor = total.abs() / sizes;
                }
            }
        }
        let evaluation = Evaluation::new(&self.tables, &self.weights, Extras::default());
        self.search.set_evaluation(Arc::new(evaluation));
        self.table.clear();
    }
}
