//! A tournament of two players that ends once it is clear which of two claims holds: a sequential
//! probability ratio test (A. Wald, 1945), as testers of chess programs use it.
//!
//! All matches of a round on a game have the same opening, and every player every seat, so the mean
//! of the first player's points over them, a *pair* in games of two, depends less on luck than a
//! match does. The claims are that the first player has `low` of the points, and that it has
//! `high`. With `n` pairs of mean `m` and variance `v` the logarithm of how much likelier the
//! second makes what was seen is `n (high − low) (2 m − low − high) / (2 v)` (the generalised test:
//! the mean of many pairs is normal). The test ends where it leaves the range from
//! `ln(β / (1 − α))` to `ln((1 − β) / α)`, with the probabilities α and β of wrong decisions.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;

use super::plan::Plan;
use crate::contest::Outcome;
use crate::record::MatchRecord;
use crate::store::{StoreError, WorkList};

/// The claims between which a test decides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Claims {
    /// The part of the points that the first player has by the first claim.
    pub low: f64,
    /// The same by the second.
    pub high: f64,
    /// How likely a wrong decision may be, each way.
    pub error: f64,
}

/// What a test has found so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The first player has as many points as the second claim says.
    Better,
    /// It has no more than the first claim says.
    NotBetter,
    /// Not decided.
    Open,
}

/// Pairs of one game.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct GamePairs {
    /// The game.
    pub game: String,
    /// Whole pairs.
    pub pairs: u32,
    /// The first player's points in the mean, in percent.
    pub points: f64,
    /// The standard error of that.
    pub error: f64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The decision.
    pub verdict: Verdict,
    /// Whole pairs.
    pub pairs: u32,
    /// The first player's points in the mean over pairs, in percent.
    pub points: f64,
    /// The standard error of that.
    pub error: f64,
    /// The logarithm of the ratio of likelihoods.
    pub ratio: f64,
    /// Where it decides.
    pub bounds: (f64, f64),
    /// Every game that has a pair.
    pub games: Vec<GamePairs>,
}

/// Values with their mean and variance.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }

    /// The variance of a value, as if one pair more had been won and one lost: a few pairs that are
    /// alike prove nothing.
    fn variance(&self) -> f64 {
        let (count, sum, squares) = (self.count + 2.0, self.sum + 1.0, self.squares + 1.0);
        squares / count - (sum / count).powi(2)
    }

    fn error(&self) -> f64 {
        (self.variance() / self.count.max(1.0)).sqrt()
    }
}

impl Claims {
    /// Where the logarithm of the ratio of likelihoods decides.
    pub fn bounds(&self) -> (f64, f64) {
        let bound = ((1.0 - self.error) / self.error).ln();
        (-bound, bound)
    }

    /// What outcomes of a plan say about a player, by its name in the tournament.
    pub fn judge(&self, plan: &Plan, outcomes: &[Outcome], player: &str) -> Standing {
        let mut all = Sum::default();
        let mut of_games: BTreeMap<&str, Sum> = BTreeMap::new();
        for (game, pair) in pairs(plan, outcomes, player) {
            all.add(pair);
            of_games.entry(game).or_default().add(pair);
        }
        let spread = self.high - self.low;
        let ratio = all.count * spread * (2.0 * all.mean() - self.low - self.high)
            / (2.0 * all.variance().max(1e-9));
        let bounds = self.bounds();
        let verdict = match all.count > 0.0 {
            true if ratio >= bounds.1 => Verdict::Better,
            true if ratio <= bounds.0 => Verdict::NotBetter,
            _ => Verdict::Open,
        };
        let game = |(game, sum): (&str, Sum)| GamePairs {
            game: game.to_owned(),
            pairs: sum.count as u32,
            points: 100.0 * sum.mean(),
            error: 100.0 * sum.error(),
        };
        Standing {
            verdict,
            pairs: all.count as u32,
            points: 100.0 * all.mean(),
            error: 100.0 * all.error(),
            ratio: if all.count > 0.0 { ratio } else { 0.0 },
            bounds,
            games: of_games.into_iter().map(game).collect(),
        }
    }
}

/// The points of a player in each whole pair, with its game. A pair with a match that does not
/// count is left out.
fn pairs<'a>(
    plan: &'a Plan,
    outcomes: &[Outcome],
    player: &str,
) -> impl Iterator<Item = (&'a str, f64)> {
    let known: BTreeMap<&str, &Outcome> = outcomes
        .iter()
        .map(|outcome| (outcome.setup.as_str(), outcome))
        .collect();
    let mut found: BTreeMap<(u32, &str), (usize, Vec<f64>)> = BTreeMap::new();
    for setup in &plan.matches {
        let pair = found.entry((setup.number, &setup.game)).or_default();
        pair.0 += 1;
        let outcome = known.get(setup.fingerprint().as_str());
        pair.1
            .extend(outcome.and_then(|outcome| points_of(outcome, player)));
    }
    let whole = |((_, game), (wanted, points)): ((u32, &'a str), (usize, Vec<f64>))| {
        let mean = points.iter().sum::<f64>() / points.len().max(1) as f64;
        (points.len() == wanted).then_some((game, mean))
    };
    found.into_iter().filter_map(whole)
}

/// The points of a player in a match, in the mean over its seats.
fn points_of(outcome: &Outcome, player: &str) -> Option<f64> {
    let seats = outcome.seats.iter().filter(|seat| seat.player == player);
    let points: Option<Vec<f64>> = seats.map(|seat| outcome.points(seat.place)).collect();
    let points = points.filter(|points| !points.is_empty())?;
    Some(points.iter().sum::<f64>() / points.len() as f64)
}

/// A work list that has nothing left once the test is decided.
pub struct Sequential<'a> {
    claims: Claims,
    plan: &'a Plan,
    player: &'a str,
    list: &'a dyn WorkList,
    outcomes: Mutex<Vec<Outcome>>,
}

impl<'a> Sequential<'a> {
    /// The list for a test about a player, with what was played before.
    pub fn new(
        claims: Claims,
        plan: &'a Plan,
        player: &'a str,
        list: &'a dyn WorkList,
        outcomes: Vec<Outcome>,
    ) -> Self {
        Self {
            claims,
            plan,
            player,
            list,
            outcomes: Mutex::new(outcomes),
        }
    }

    /// What was found by now.
    pub fn standing(&self) -> Standing {
        let outcomes = self.outcomes.lock();
        let outcomes = outcomes.unwrap_or_else(PoisonError::into_inner);
        self.claims.judge(self.plan, &outcomes, self.player)
    }

    fn is_decided(&self) -> bool {
        self.standing().verdict != Verdict::Open
    }
}

impl WorkList for Sequential<'_> {
    fn claim(&self) -> Result<Option<String>, StoreError> {
        match self.is_decided() {
            true => Ok(None),
            false => self.list.claim(),
        }
    }

    fn renewal(&self) -> Option<Duration> {
        self.list.renewal()
    }

    fn renew(&self, setups: &[String]) -> Result<(), StoreError> {
        self.list.renew(setups)
    }

    fn finish(&self, outcome: &Outcome, record: Option<&MatchRecord>) -> Result<(), StoreError> {
        self.list.finish(outcome, record)?;
        let outcomes = self.outcomes.lock();
        outcomes
            .unwrap_or_else(PoisonError::into_inner)
            .push(outcome.clone());
        Ok(())
    }

    fn left(&self) -> Result<usize, StoreError> {
        match self.is_decided() {
            true => Ok(0),
            false => self.list.left(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Claims, Sum};

    #[test]
    fn the_test_decides_as_often_as_it_should() {
        // Pairs of two matches with a fair coin each, and with one that falls so in 60 % of cases.
        let claims = Claims {
            low: 0.5,
            high: 0.6,
            error: 0.05,
        };
        let (mut state, mut wrong) = (7u64, 0);
        let mut next = move || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) as f64 / f64::from(1u32 << 31)
        };
        for trial in 0..200 {
            let chance = if trial % 2 == 0 { 0.5 } else { 0.6 };
            let mut sum = Sum::default();
            let decided = loop {
                let half = |value: f64| f64::from(u8::from(value < chance)) / 2.0;
                sum.add(half(next()) + half(next()));
                let ratio = sum.count * 0.1 * (2.0 * sum.mean() - 1.1) / (2.0 * sum.variance());
                if ratio.abs() >= claims.bounds().1 {
                    break ratio > 0.0;
                }
            };
            wrong += u32::from(decided != (trial % 2 == 1));
        }
        assert!(wrong <= 20, "{wrong} of 200 decisions were wrong");
    }
}
