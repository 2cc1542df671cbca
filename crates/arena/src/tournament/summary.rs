//! What came out of a tournament.

use std::collections::BTreeSet;

use serde::Serialize;

use super::plan::Plan;
use super::ratings::{self, Ratings};
use super::setting::{Tournament, TournamentError};
use crate::contest::{Ending, Outcome, PlayerResult, Setup};
use crate::statistics::{Estimate, Interval, Tally, holm, sign_test};

/// The results of a tournament.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// The tournament.
    pub tournament: String,
    /// What it is called.
    pub title: String,
    /// Its seed.
    pub seed: u64,
    /// Matches that were played.
    pub played: usize,
    /// Matches that there are.
    pub wanted: usize,
    /// Matches that do not count: the engine or the rules failed.
    pub faulty: usize,
    /// Matches that were too long, and count as draws.
    pub cut: usize,
    /// Whether players thought by the clock.
    pub timed: bool,
    /// Whether ratings needed drawn games that were not played.
    pub bounded_ratings: bool,
    /// The players, the best first.
    pub standings: Vec<Standing>,
    /// The games, in their order.
    pub games: Vec<GameResult>,
    /// Every two players that met.
    pub pairings: Vec<Pairing>,
}

/// How a player did.
#[derive(Clone, Debug, Serialize)]
pub struct Standing {
    /// The player.
    pub player: String,
    /// As the catalogue writes it.
    pub written: String,
    /// How much thinking a move has.
    pub thinking: String,
    /// Seats taken, and how they ended.
    #[serde(flatten)]
    pub tally: Tally,
    /// Points in percent with their 95 % interval.
    pub points: Option<Estimate>,
    /// The rating over all games with its 95 % interval.
    pub rating: Option<Estimate>,
}

/// What came out on a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameResult {
    /// The game.
    pub game: String,
    /// Matches that were played.
    pub matches: usize,
    /// Joint moves of a match, on average.
    pub mean_steps: f64,
    /// For each player, in the order of the standings, its seats.
    pub tallies: Vec<Tally>,
}

/// What came out between two players.
#[derive(Clone, Debug, Serialize)]
pub struct Pairing {
    /// The players; points are the first one's.
    pub players: [String; 2],
    /// How often they met, and what the first one made of it.
    #[serde(flatten)]
    pub tally: Tally,
    /// Points in percent with their 95 % interval.
    pub points: Option<Estimate>,
    /// How likely equals are to differ as much (exact sign test, two-sided).
    pub chance: f64,
    /// The same, corrected for the number of pairings (Holm).
    pub corrected: f64,
}

impl Pairing {
    /// Whether one of the two is better, at the level of 5 %, all pairings considered.
    pub fn is_significant(&self) -> bool {
        self.corrected < 0.05
    }
}

/// Sums up what was played of a tournament.
///
/// # Errors
/// If a player of the tournament cannot be read.
pub fn summarise(
    tournament: &Tournament,
    plan: &Plan,
    outcomes: &[Outcome],
) -> Result<Summary, TournamentError> {
    let names: Vec<&String> = tournament.players.keys().collect();
    let points = pair_points(&names, outcomes);
    let ratings = ratings::rate(&points);
    let mut standings = standings(tournament, outcomes, ratings.as_ref())?;
    standings.sort_by(|one, other| order(other).total_cmp(&order(one)));
    let ending = |ending: &[Ending]| {
        let those = outcomes.iter();
        those
            .filter(|outcome| ending.contains(&outcome.ending))
            .count()
    };
    Ok(Summary {
        tournament: tournament.name.clone(),
        title: tournament.title.clone(),
        seed: tournament.seed,
        played: outcomes.len(),
        wanted: plan.matches.len(),
        faulty: ending(&[Ending::Stuck, Ending::Fault]),
        cut: ending(&[Ending::Cut]),
        timed: plan.is_timed(),
        bounded_ratings: ratings.is_some_and(|ratings| ratings.bounded),
        games: tournament
            .games
            .iter()
            .map(|game| game_result(game, plan, &standings, outcomes))
            .collect(),
        pairings: pairings(&standings, outcomes),
        standings,
    })
}

/// What players are sorted by: the rating, or the points where there are no ratings.
fn order(standing: &Standing) -> f64 {
    let value = standing.rating.or(standing.points);
    value.map_or(f64::NEG_INFINITY, |value| value.value)
}

/// In percent.
pub(super) fn percent(tally: &Tally) -> Option<Estimate> {
    let estimate = tally.estimate(Interval::TwoSided95)?;
    Some(Estimate {
        value: estimate.value * 100.0,
        low: estimate.low * 100.0,
        high: estimate.high * 100.0,
    })
}

/// The seats of a player, in matches of which the filter approves.
fn tally(player: &str, outcomes: &[Outcome], counts: impl Fn(&Outcome) -> bool) -> Tally {
    let mut tally = Tally::default();
    for outcome in outcomes.iter().filter(|outcome| counts(outcome)) {
        let seats = outcome.seats.iter().filter(|seat| seat.player == player);
        let points = seats.filter_map(|seat| outcome.points(seat.place));
        points.for_each(|points| tally.add(points));
    }
    tally
}

fn standings(
    tournament: &Tournament,
    outcomes: &[Outcome],
    ratings: Option<&Ratings>,
) -> Result<Vec<Standing>, TournamentError> {
    let mut standings = Vec::new();
    for (place, player) in tournament.players.keys().enumerate() {
        let (spec, thinking) = tournament.entrant(player)?;
        let tally = tally(player, outcomes, |_| true);
        standings.push(Standing {
            player: player.clone(),
            written: spec.to_string(),
            thinking: thinking.to_string(),
            tally,
            points: percent(&tally),
            rating: ratings.and_then(|ratings| ratings.players.get(place).copied()),
        });
    }
    Ok(standings)
}

fn game_result(
    game: &str,
    plan: &Plan,
    standings: &[Standing],
    outcomes: &[Outcome],
) -> GameResult {
    let setups = plan.matches.iter().filter(|setup| setup.game == game);
    let setups: BTreeSet<String> = setups.map(Setup::fingerprint).collect();
    let here = |outcome: &Outcome| setups.contains(&outcome.setup);
    let own: Vec<&Outcome> = outcomes.iter().filter(|outcome| here(outcome)).collect();
    let steps: usize = own.iter().map(|outcome| outcome.steps).sum();
    GameResult {
        game: game.to_owned(),
        matches: own.len(),
        mean_steps: steps as f64 / own.len().max(1) as f64,
        tallies: standings
            .iter()
            .map(|standing| tally(&standing.player, outcomes, here))
            .collect(),
    }
}

/// The points of one seat against another, if the match counts.
fn against(outcome: &Outcome, one: &PlayerResult, other: &PlayerResult) -> Option<f64> {
    match outcome.ending {
        Ending::Cut => Some(0.5),
        Ending::Stuck | Ending::Fault => None,
        Ending::Over => Some(match one.goal?.cmp(&other.goal?) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        }),
    }
}

/// For each two players the points of the first against the second, over all games. In a match of
/// many each meeting counts the less the more there are, so that a match weighs as much for a
/// player as one of two does.
fn pair_points(names: &[&String], outcomes: &[Outcome]) -> Vec<Vec<f64>> {
    let place = |seat: &PlayerResult| names.iter().position(|name| **name == seat.player);
    let mut points = vec![vec![0.0; names.len()]; names.len()];
    for outcome in outcomes {
        let weight = 1.0 / outcome.seats.len().saturating_sub(1).max(1) as f64;
        for one in &outcome.seats {
            for other in &outcome.seats {
                let (Some(row), Some(column)) = (place(one), place(other)) else {
                    continue;
                };
                if row != column {
                    let made = against(outcome, one, other).unwrap_or(0.0);
                    points[row][column] += weight * made;
                }
            }
        }
    }
    points
}

fn pairings(standings: &[Standing], outcomes: &[Outcome]) -> Vec<Pairing> {
    let mut pairings = Vec::new();
    for (place, one) in standings.iter().enumerate() {
        for other in &standings[place + 1..] {
            let tally = meetings(&one.player, &other.player, outcomes);
            if tally.games > 0 {
                pairings.push(Pairing {
                    players: [one.player.clone(), other.player.clone()],
                    tally,
                    points: percent(&tally),
                    chance: sign_test(tally.wins, tally.losses),
                    corrected: 0.0,
                });
            }
        }
    }
    let chances: Vec<f64> = pairings.iter().map(|pairing| pairing.chance).collect();
    for (pairing, corrected) in pairings.iter_mut().zip(holm(&chances)) {
        pairing.corrected = corrected;
    }
    pairings
}

/// What one player made of its meetings with another.
fn meetings(one: &str, other: &str, outcomes: &[Outcome]) -> Tally {
    let mut tally = Tally::default();
    for outcome in outcomes {
        for own in outcome.seats.iter().filter(|seat| seat.player == one) {
            for their in outcome.seats.iter().filter(|seat| seat.player == other) {
                if let Some(points) = against(outcome, own, their) {
                    tally.add(points);
                }
            }
        }
    }
    tally
}
