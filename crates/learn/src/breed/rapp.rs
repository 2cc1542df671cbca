//! Rating a game by how players that judge differently do against each other: relative algorithm
//! performance profiles. (Kowalski 2016, section 4.3.)

use paidia_languages::board::{BoardGame, Colour, TooComplex};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

use super::playing::{Contest, Ending, Played, play};
use super::profile::{Profile, Seat};

/// The scores of players against each other: for the first of two in order, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Matrix {
    /// How many players.
    pub players: usize,
    /// The scores of players 0 and 1, 0 and 2, ..., 1 and 2, and so on.
    pub scores: Vec<f64>,
}

/// The pairs of players in the order of the scores.
pub fn pairs(players: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..players).flat_map(move |one| (one + 1..players).map(move |other| (one, other)))
}

impl Matrix {
    /// All scores one half.
    pub fn even(players: usize) -> Self {
        Self {
            players,
            scores: vec![0.5; players * players.saturating_sub(1) / 2],
        }
    }

    /// The score of a player against another.
    pub fn score(&self, one: usize, other: usize) -> f64 {
        if one == other {
            return 0.5;
        }
        let (low, high) = (one.min(other), one.max(other));
        let place = low * self.players - low * (low + 1) / 2 + high - low - 1;
        match one < other {
            true => self.scores[place],
            false => 1.0 - self.scores[place],
        }
    }

    /// The mean score of a player against all others.
    pub fn mean(&self, player: usize) -> f64 {
        let others = (0..self.players).filter(|&other| other != player);
        let sum: f64 = others.map(|other| self.score(player, other)).sum();
        sum / self.players.saturating_sub(1).max(1) as f64
    }

    /// The mean of the matrices of several games.
    pub fn mean_of(matrices: &[Matrix]) -> Option<Matrix> {
        let first = matrices.first()?;
        let mean = |place: usize| {
            let sum: f64 = matrices.iter().map(|matrix| matrix.scores[place]).sum();
            sum / matrices.len() as f64
        };
        Some(Matrix {
            players: first.players,
            scores: (0..first.scores.len()).map(mean).collect(),
        })
    }

    /// The mean square of the differences of scores (formula 4.2).
    pub fn distance(&self, other: &Matrix) -> f64 {
        self.mean_of_differences(other, |difference| difference * difference)
    }

    /// The mean size of the differences of scores, which is part of the fitness.
    pub fn deviation(&self, other: &Matrix) -> f64 {
        self.mean_of_differences(other, f64::abs)
    }

    fn mean_of_differences(&self, other: &Matrix, of: impl Fn(f64) -> f64) -> f64 {
        let pairs = self.scores.iter().zip(&other.scores);
        let sum: f64 = pairs.map(|(one, other)| of(one - other)).sum();
        sum / self.scores.len().max(1) as f64
    }

    /// How much the scores differ from one half (formula 4.3).
    pub fn spread(&self) -> f64 {
        let squares = self.scores.iter().map(|score| (score - 0.5).powi(2));
        squares.sum()
    }

    /// The scores among some of the players.
    pub fn among(&self, players: &[usize]) -> Matrix {
        let scores =
            pairs(players.len()).map(|(one, other)| self.score(players[one], players[other]));
        Matrix {
            players: players.len(),
            scores: scores.collect(),
        }
    }

    /// The players, this many, among whom scores differ most from one half. Branch and bound: what
    /// a set can still gain is bounded by the largest differences that its rest has.
    pub fn widest(&self, count: usize) -> Vec<usize> {
        let gain = |one: usize, other: usize| (self.score(one, other) - 0.5).powi(2);
        let mut largest: Vec<f64> = pairs(self.players)
            .map(|(one, other)| gain(one, other))
            .collect();
        largest.sort_by(|one, other| other.total_cmp(one));
        // The most that n further pairs can bring.
        let most: Vec<f64> = [0.0]
            .into_iter()
            .chain(largest.iter().scan(0.0, |sum, &gain| {
                *sum += gain;
                Some(*sum)
            }))
            .collect();
        let mut best = (f64::NEG_INFINITY, Vec::new());
        let mut open = vec![(Vec::<usize>::new(), 0.0)];
        while let Some((set, sum)) = open.pop() {
            if set.len() == count {
                if sum > best.0 {
                    best = (sum, set);
                }
                continue;
            }
            let missing =
                count * count.saturating_sub(1) / 2 - set.len() * set.len().saturating_sub(1) / 2;
            if sum + most[missing.min(most.len() - 1)] <= best.0 {
                continue;
            }
            let next = set.last().map_or(0, |last| last + 1);
            for player in (next..self.players).rev() {
                let more: f64 = set.iter().map(|&other| gain(other, player)).sum();
                let set = set.iter().copied().chain([player]).collect();
                open.push((set, sum + more));
            }
        }
        best.1
    }
}

/// The distance of a set of games: the sum over its pairs.
pub fn distance_of_set(matrices: &[&Matrix]) -> f64 {
    let pairs = pairs(matrices.len());
    pairs
        .map(|(one, other)| matrices[one].distance(matrices[other]))
        .sum()
}

/// The six games by whose mean profile the thesis judges others.
pub const MODEL: [&str; 6] = [
    "action-mans-chess",
    "cannons-and-crabs",
    "double-step-chess",
    "los-alamos",
    "shatranj",
    "small-deacon-chess",
];

/// Plays that end within this number of half-moves are short.
pub const SHORT: u32 = 10;

/// What a game is like by plays of players against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// The scores.
    pub matrix: Matrix,
    /// The points of white, one a win and half a draw.
    pub white: f64,
    /// The points of black.
    pub black: f64,
    /// How many plays.
    pub plays: u32,
    /// How many of them were short.
    pub short: u32,
    /// How many were drawn.
    pub draws: u32,
    /// The mean number of half-moves.
    pub length: f64,
    /// Whether no play took too long.
    pub playable: bool,
}

/// How a rating is taken.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The players.
    pub players: Vec<Profile>,
    /// Plays of each pair; half of them with each of the two as white.
    pub plays: u32,
    /// How they play.
    pub contest: Contest,
}

impl Default for Trial {
    /// The four players of the thesis, 300 plays.
    fn default() -> Self {
        let players = ["C", "CG", "WGM", "WGC"].map(str::parse);
        Self {
            players: players.into_iter().flatten().collect(),
            plays: 50,
            contest: Contest::default(),
        }
    }
}

impl Trial {
    /// How many plays it takes.
    pub fn all_plays(&self) -> usize {
        pairs(self.players.len()).count() * self.plays as usize
    }

    /// Rates a game, on all threads; the same seed means the same plays.
    ///
    /// # Errors
    /// If a rule has no automaton that is small enough.
    pub fn rate(&self, game: &BoardGame, seed: u64) -> Result<Rating, TooComplex> {
        let judge = |profile: &Profile| profile.evaluation(game.tables());
        let seats = self.players.iter().map(judge);
        let seats = seats.map(|made| made.map(|made| Seat::Judge(Arc::new(made))));
        let seats: Vec<Seat> = seats.collect::<Result<_, _>>()?;
        let jobs = pairs(seats.len()).enumerate();
        let jobs =
            jobs.flat_map(|(pair, players)| (0..self.plays).map(move |n| (pair, players, n)));
        let jobs: Vec<(usize, (usize, usize), u32)> = jobs.collect();
        let overran = std::sync::atomic::AtomicBool::new(false);
        let one = |&(pair, (one, other), number): &(usize, (usize, usize), u32)| {
            use std::sync::atomic::Ordering::Relaxed;
            // One play that takes too long settles that the game is not playable.
            if overran.load(Relaxed) {
                return None;
            }
            let is_first = number % 2 == 0;
            let (white, black) = if is_first { (one, other) } else { (other, one) };
            let seed = seed ^ (pair as u64) << 40 ^ u64::from(number) << 20;
            let played = play(game, [&seats[white], &seats[black]], self.contest, seed);
            if played.ending == Ending::Overrun {
                overran.store(true, Relaxed);
            }
            Some((pair, is_first, played))
        };
        let played: Vec<(usize, bool, Played)> = jobs.par_iter().filter_map(one).collect();
        Ok(Rating::new(self.players.len(), self.plays, &played))
    }
}

impl Rating {
    /// The rating by plays: which pair, whether its first player was white, and the play.
    pub fn new(players: usize, plays: u32, played: &[(usize, bool, Played)]) -> Self {
        let mut rating = Self {
            matrix: Matrix::even(players),
            white: 0.0,
            black: 0.0,
            plays: played.len() as u32,
            short: 0,
            draws: 0,
            length: 0.0,
            playable: true,
        };
        let mut points = vec![0.0; rating.matrix.scores.len()];
        for &(pair, is_first, ref played) in played {
            let white = match played.ending {
                Ending::Won(Colour::White) => 1.0,
                Ending::Won(Colour::Black) => 0.0,
                Ending::Drawn | Ending::Overrun => 0.5,
            };
            rating.white += white;
            rating.black += 1.0 - white;
            points[pair] += if is_first { white } else { 1.0 - white };
            rating.short += u32::from(played.plies <= SHORT);
            rating.draws += u32::from(played.ending == Ending::Drawn);
            rating.length += f64::from(played.plies) / f64::from(rating.plays.max(1));
            rating.playable &= played.ending != Ending::Overrun;
        }
        for (score, points) in rating.matrix.scores.iter_mut().zip(points) {
            *score = points / f64::from(plays.max(1));
        }
        rating
    }

    /// By how much one colour is better off.
    pub fn imbalance(&self) -> f64 {
        (self.white - self.black).abs() / f64::from(self.plays.max(1))
    }

    /// The part of plays that are short.
    pub fn quick(&self) -> f64 {
        f64::from(self.short) / f64::from(self.plays.max(1))
    }

    /// How good the game is beside a model (formula 4.4): from 0 to 1, or -1 if it is not playable.
    pub fn fitness(&self, model: &Matrix) -> f64 {
        match self.playable {
            true => {
                (1.0 - self.matrix.deviation(model))
                    * (1.0 - self.imbalance())
                    * (1.0 - self.quick())
            }
            false => -1.0,
        }
    }

    /// Whether it is worth a look: playable, balanced, and not over soon.
    pub fn is_promising(&self) -> bool {
        self.playable && self.imbalance() < 0.2 && self.quick() < 0.05
    }
}
