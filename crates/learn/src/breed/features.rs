//! Rating a game by what play of it looks like: nine features. (Kowalski 2016, section 4.2.)

use std::sync::Arc;

use paidia_languages::board::{BoardGame, Colour, TooComplex};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::playing::{Contest, Ending, Played, play};
use super::profile::{Profile, Seat};

/// The nine features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Features {
    /// Playable: 1 if no play took too long, else 0.
    pub playable: f64,
    /// Length of plays between players that search: 1 from half of the turn limit on.
    pub length: f64,
    /// By how much such plays are longer than those against random moves.
    pub longer: f64,
    /// How near the number of legal moves is to what is wanted.
    pub width: f64,
    /// How often the player that searches beats the one that draws its moves.
    pub skill: f64,
    /// How near the size of the rules is to what is wanted.
    pub complexity: f64,
    /// Wins of white less those of black between players that search, from -1 to 1.
    pub balance: f64,
    /// Wins of the player that searches as white, less those as black, against random moves.
    pub balance_random: f64,
    /// How unequally kinds of men are used.
    pub reducible: f64,
}

impl Features {
    /// How good the game is: from 0 to 1.
    pub fn fitness(&self) -> f64 {
        let even =
            6.0 - 3.0 * self.balance.abs() - self.balance_random.abs() - 2.0 * self.reducible;
        let rest = self.length + self.longer + 2.0 * self.width.abs();
        self.playable / 15.0 * (rest + 3.0 * self.skill + 2.0 * self.complexity + even)
    }
}

/// L_M of the thesis, by the mean length as a part of the turn limit.
pub fn length(part: f64) -> f64 {
    (2.0 * part).min(1.0)
}

/// L_D of the thesis, by the mean lengths between players that search and against random moves.
pub fn longer(searching: f64, random: f64) -> f64 {
    (4.0 * (searching - random)).clamp(0.0, 1.0)
}

/// How near a number is to what is wanted: a bell whose deviation is a quarter of that (formula
/// 4.1).
pub fn near(number: f64, wanted: f64) -> f64 {
    let deviation = wanted / 4.0;
    (-(number - wanted).powi(2) / (2.0 * deviation * deviation)).exp()
}

/// R of the thesis, by the parts of moves that are made with each kind of men.
pub fn reducible(used: &[f64]) -> f64 {
    let even = 1.0 / used.len().max(1) as f64;
    used.iter().map(|part| (even - part).powi(2)).sum()
}

/// How the features are taken.
#[derive(Clone, Copy, Debug)]
pub struct FeatureTrial {
    /// Plays between players that search, and as many in each colour against random moves.
    pub plays: u32,
    /// How they play.
    pub contest: Contest,
    /// How many legal moves are wanted.
    pub moves: f64,
    /// How many edges the automata of a kind of men should have.
    pub edges: f64,
}

impl Default for FeatureTrial {
    /// As many moves as Gardner's chess has, and edges as the men of chess have.
    fn default() -> Self {
        Self {
            plays: 20,
            contest: Contest::default(),
            moves: 20.0,
            edges: 16.5,
        }
    }
}

impl FeatureTrial {
    /// The features of a game, by plays on all threads; the same seed means the same plays. The
    /// player that searches knows what men are worth by the rules and goals (`WG`).
    ///
    /// # Errors
    /// If a rule has no automaton that is small enough.
    pub fn rate(&self, game: &BoardGame, seed: u64) -> Result<Features, TooComplex> {
        let tables = game.tables();
        let profile = "WG".parse::<Profile>().ok();
        let evaluation = profile
            .map(|profile| profile.evaluation(tables))
            .transpose()?;
        let judge = evaluation.map_or(Seat::Random, |made| Seat::Judge(Arc::new(made)));
        let seats = [
            [&judge, &judge],
            [&judge, &Seat::Random],
            [&Seat::Random, &judge],
        ];
        let jobs: Vec<(usize, u32)> = (0..3)
            .flat_map(|kind| (0..self.plays).map(move |n| (kind, n)))
            .collect();
        let one = |&(kind, number): &(usize, u32)| {
            let seed = seed ^ (kind as u64) << 40 ^ u64::from(number) << 20;
            (kind, play(game, seats[kind], self.contest, seed))
        };
        let played: Vec<(usize, Played)> = jobs.par_iter().map(one).collect();
        let edges: usize = match tables.rules().automata() {
            Ok(automata) => automata.iter().map(edges).sum(),
            Err((_, error)) => return Err(error),
        };
        let kinds = tables.rules().pieces.len().max(1) as f64;
        let mut features = self.of_plays(&played, tables.rules().turns);
        features.complexity = near(edges as f64, self.edges * kinds);
        Ok(features)
    }

    /// The features that plays tell, by who played (0: both search, 1: white does, 2: black does).
    pub fn of_plays(&self, played: &[(usize, Played)], turns: u32) -> Features {
        let of = |wanted: fn(usize) -> bool| played.iter().filter(move |(kind, _)| wanted(*kind));
        let mean = |wanted: fn(usize) -> bool, value: &dyn Fn(&(usize, Played)) -> f64| {
            let count = of(wanted).count().max(1) as f64;
            of(wanted).map(value).sum::<f64>() / count
        };
        let won = |play: &Played, colour: Colour| f64::from(play.ending == Ending::Won(colour));
        let plies = |play: &(usize, Played)| f64::from(play.1.plies) / f64::from(turns.max(1));
        let searching = mean(|kind| kind == 0, &plies);
        let random = mean(|kind| kind != 0, &plies);
        let states: f64 = played.iter().map(|(_, play)| f64::from(play.plies)).sum();
        let legal: f64 = played.iter().map(|(_, play)| play.legal as f64).sum();
        let kinds = played.first().map_or(0, |(_, play)| play.used.len());
        let used: Vec<f64> = (0..kinds)
            .map(|kind| {
                of(|kind| kind == 0)
                    .map(|(_, play)| f64::from(play.used[kind]))
                    .sum()
            })
            .collect();
        let all: f64 = used.iter().sum();
        let used: Vec<f64> = used.iter().map(|used| used / all.max(1.0)).collect();
        let own = |play: &(usize, Played)| match play.0 {
            1 => won(&play.1, Colour::White),
            _ => won(&play.1, Colour::Black),
        };
        Features {
            playable: f64::from(
                played
                    .iter()
                    .all(|(_, play)| play.ending != Ending::Overrun),
            ),
            length: length(searching),
            longer: longer(searching, random),
            width: near(legal / states.max(1.0), self.moves),
            skill: mean(|kind| kind != 0, &own),
            complexity: 0.0,
            balance: mean(|kind| kind == 0, &|play| {
                won(&play.1, Colour::White) - won(&play.1, Colour::Black)
            }),
            balance_random: (mean(|kind| kind == 1, &own) - mean(|kind| kind == 2, &own)) / 2.0,
            reducible: reducible(&used),
        }
    }
}

fn edges(automaton: &paidia_languages::board::Automaton) -> usize {
    (0..automaton.states() as u32)
        .map(|state| automaton.edges(state).len())
        .sum()
}
