//! What a state is worth, learnt from playouts before a match begins.
//!
//! The batch engine makes millions of playouts in a start clock. From states of random games and
//! what came of playouts from them a [`Teacher`] fits the odds of the first player by a logistic
//! regression on the fluents of a state and on counts of fluents that have constants in common,
//! such as all with a white pawn, or all with a white pawn on the sixth row (`groups`). Counts
//! are sums of fluents, so in the end each fluent has one weight, and a state is judged by adding
//! up the weights of its fluents. Whether the weights predict anything is checked on playouts from
//! states that were not learnt from. `docs/methods/evaluation.md` has formulae and figures.

mod fit;
mod groups;
mod pupil;
mod teacher;
mod told;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use paidia_game::{Game, Information, RoleId, Rules};

use crate::scale::pair;
pub use pupil::Pupil;
pub use teacher::{Lesson, Teacher};
pub use told::{PieceValue, Told};

/// Scores are natural logarithms of the first player's odds, in thousandths.
pub const UNIT: f64 = 1_000.0;

/// Scores of states that are not over have no larger absolute values: odds of e to the tenth.
pub const MOST: i32 = 10_000;

/// What the fluents of a game of two are worth to the first player.
#[derive(Clone, Debug, Default)]
pub struct Evaluation {
    /// For each feature, in the order of [`paidia_game::Features`].
    weights: Vec<i32>,
    bias: i32,
    /// The features that are pieces: things that moves carry along, and that can be taken.
    pieces: Vec<u64>,
    /// What it was learnt from, and how well it predicts.
    pub quality: Quality,
    /// What is told of it.
    pub told: Told,
}

/// How an evaluation was learnt, and how well it predicts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Quality {
    /// States that were learnt from.
    pub states: usize,
    /// Playouts from these.
    pub playouts: u64,
    /// How long that took.
    pub time: Duration,
    /// The correlation of what was predicted for other states with what came of their playouts.
    pub correlation: f64,
}

impl Evaluation {
    /// What a state with these features is worth to the first player.
    #[inline]
    pub fn score(&self, features: &[u64]) -> i32 {
        let mut sum = self.bias;
        for (word, weights) in features.iter().zip(self.weights.chunks(64)) {
            let mut left = *word;
            while left != 0 {
                sum += weights[left.trailing_zeros() as usize];
                left &= left - 1;
            }
        }
        sum.clamp(-MOST, MOST)
    }

    /// How many pieces there are in a state with these features.
    #[inline]
    pub fn pieces(&self, features: &[u64]) -> u32 {
        let words = features.iter().zip(&self.pieces);
        words.map(|(word, mask)| (word & mask).count_ones()).sum()
    }

    /// Whether anything is a piece.
    pub fn has_pieces(&self) -> bool {
        self.pieces.iter().any(|&word| word != 0)
    }
}

/// A score as the difference between the goals of the two players that is to be expected, where
/// the largest difference is 100.
pub fn difference(score: i32) -> f64 {
    100.0 * (f64::from(score) / (2.0 * UNIT)).tanh()
}

/// The score of a certain difference of goals, where the largest is 100 and is not asked for.
pub(crate) fn score_of(difference: f64) -> i32 {
    let odds = 2.0 * (difference / 100.0).clamp(-0.9999, 0.9999).atanh();
    ((odds * UNIT) as i32).clamp(-MOST, MOST)
}

/// Why a game has no evaluation, and no search that needs one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotForTwo {
    /// There are more or fewer than two players.
    #[error("it is for games of two players")]
    Players,
    /// Chance comes in.
    #[error("it is for games without chance")]
    Chance,
    /// Things are hidden.
    #[error("it is for games in which nothing is hidden")]
    Hidden,
    /// The engine does not know all fluents.
    #[error(
        "the engine does not know all fluents; `propnet` does where the rules become a network"
    )]
    Fluents,
}

/// The two players of a game that evaluations are for.
///
/// # Errors
/// Why it is none.
pub fn players_of<G: Game>(game: &G) -> Result<(RoleId, RoleId), NotForTwo> {
    let facts = game.facts();
    let players = pair(facts).ok_or(NotForTwo::Players)?;
    if facts.has_chance() {
        return Err(NotForTwo::Chance);
    }
    if facts.information == Information::Hidden {
        return Err(NotForTwo::Hidden);
    }
    game.features().ok_or(NotForTwo::Fluents)?;
    Ok(players)
}

/// The evaluation of a game, shared by all players of it.
#[derive(Debug, Default)]
pub struct Shared(Mutex<Option<Arc<Evaluation>>>);

impl Shared {
    /// The evaluation, if it is learnt.
    pub fn get(&self) -> Option<Arc<Evaluation>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.clone()
    }

    /// Keeps one that was learnt, unless there is one from more playouts.
    pub fn keep(&self, learnt: Evaluation) -> Arc<Evaluation> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.as_ref()
            && known.quality.playouts >= learnt.quality.playouts
        {
            return Arc::clone(known);
        }
        let learnt = Arc::new(learnt);
        *kept = Some(Arc::clone(&learnt));
        learnt
    }
}

/// Judges states of a game, with scratch memory.
#[derive(Clone)]
pub struct Judge<G: Rules> {
    game: G,
    evaluation: Arc<Evaluation>,
    words: Vec<u64>,
}

impl<G: Rules> Judge<G> {
    /// A judge, if the engine knows all fluents.
    pub fn new(game: &G, evaluation: Arc<Evaluation>) -> Option<Self> {
        let width = game.features()?.width();
        Some(Self {
            game: game.clone(),
            evaluation,
            words: vec![0; width],
        })
    }

    /// The score of a state, and how many pieces it has.
    #[inline]
    pub fn judge(&mut self, state: &G::State) -> (i32, u32) {
        if let Some(features) = self.game.features() {
            features.write(state, &mut self.words);
        }
        let evaluation = &self.evaluation;
        (
            evaluation.score(&self.words),
            evaluation.pieces(&self.words),
        )
    }

    /// Whether another judge has the same evaluation.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.evaluation, &other.evaluation)
    }
}

#[cfg(test)]
mod tests {
    use super::{Evaluation, MOST, Quality, Told, difference, score_of};

    #[test]
    fn a_state_is_worth_the_sum_of_its_fluents() {
        let mut weights = vec![0; 70];
        (weights[0], weights[65]) = (300, -1_000);
        let evaluation = Evaluation {
            weights,
            bias: 50,
            pieces: vec![1, 0],
            quality: Quality::default(),
            told: Told::default(),
        };
        assert_eq!(evaluation.score(&[0, 0]), 50);
        assert_eq!(evaluation.score(&[1, 2]), -650);
        assert_eq!(evaluation.pieces(&[3, 3]), 1);
    }

    #[test]
    fn scores_and_differences_say_the_same() {
        for wanted in [-60.0, 0.0, 25.0, 90.0] {
            assert!((difference(score_of(wanted)) - wanted).abs() < 0.1);
        }
        assert!(score_of(100.0) <= MOST && score_of(-100.0) >= -MOST);
    }
}
