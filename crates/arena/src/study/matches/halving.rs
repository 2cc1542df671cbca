//! The best of some players on each game, found by successive halving.
//!
//! An experiment that has a `[champion]` can let players meet the *champion* of a game: of some
//! candidates, the one that did best there against one opponent. All candidates play some games
//! against it, the better half plays on, and so on, until the rounds are over. The games of a round
//! have the same seeds for all candidates, and others than the games of the study itself. There is
//! no time before the first move.
//!
//! (Z. Karnin, T. Koren, O. Somekh: Almost Optimal Exploration in Multi-Armed Bandits, ICML 2013.)

use std::collections::BTreeMap;

use serde::Deserialize;

use super::Matches;
use crate::contest::{Contestant, Opening, Outcome, Setup, StartClock, Thinking, game_seed};
use crate::study::error::StudyError;
use crate::study::front::{Run, Scale, bad};
use crate::study::ledger::Ledger;

/// What cells call the best candidate of their game.
pub const CHAMPION: &str = "champion";

/// How the champions of games are found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Halving {
    /// The players that can be champion, as the study calls them.
    pub candidates: Vec<String>,
    /// The opponent of all of them.
    pub against: String,
    /// Seconds a move.
    pub seconds: Option<f64>,
    /// Simulations a move, instead of seconds.
    pub simulations: Option<u64>,
    /// For some games, the candidates that cannot play them.
    #[serde(default)]
    pub missing: BTreeMap<String, Vec<String>>,
    /// For each scale, how many games a candidate plays in each round.
    pub rounds: BTreeMap<Scale, Vec<u32>>,
}

impl Halving {
    /// Whether the players and figures make sense.
    pub(super) fn check(&self, study: &Matches) -> Result<(), StudyError> {
        let missing = self.missing.values().flatten();
        let mut named = self.candidates.iter().chain([&self.against]).chain(missing);
        if let Some(unknown) = named.find(|name| !study.players.contains_key(*name)) {
            return Err(bad("champion", format!("there is no player `{unknown}`")));
        }
        if study.players.contains_key(CHAMPION) {
            return Err(bad("players", "`champion` is the best of the candidates"));
        }
        let sound = match (self.seconds, self.simulations) {
            (Some(seconds), None) => seconds > 0.0 && seconds <= 3_600.0,
            (None, Some(simulations)) => simulations > 0,
            _ => false,
        };
        let has_games = |rounds: &Vec<u32>| !rounds.is_empty() && !rounds.contains(&0);
        if self.candidates.is_empty() || !sound || !self.rounds.values().all(has_games) {
            return Err(bad(
                "champion",
                "there are candidates, either `seconds` or `simulations` above 0, and in every scale rounds of one game or more",
            ));
        }
        Ok(())
    }

    /// How much thinking a move gets.
    fn thinking(&self) -> Thinking {
        match self.simulations {
            Some(simulations) => Thinking::Simulations(simulations),
            None => Thinking::Seconds(self.seconds.unwrap_or_default()),
        }
    }

    /// How the champions of a scale were found, in a sentence.
    pub(super) fn note(&self, scale: Scale) -> String {
        let rounds: Vec<String> = self.rounds(scale).iter().map(u32::to_string).collect();
        format!(
            "Champions are the best of {} candidates on each game, by successive halving: rounds of {} games a candidate against {}, {} a move, the better half plays on.",
            self.candidates.len(),
            rounds.join(", "),
            self.against,
            self.thinking(),
        )
    }

    pub(super) fn rounds(&self, scale: Scale) -> &[u32] {
        self.rounds.get(&scale).map_or(&[], Vec::as_slice)
    }
}

/// The games of a round on all games that have a champion, as far as the ledger tells the
/// candidates; `None` if there is no such round.
///
/// # Errors
/// If a player is not written as one.
pub fn round(
    study: &Matches,
    run: Run,
    number: usize,
    ledger: &Ledger<Outcome>,
) -> Result<Option<Vec<Setup>>, StudyError> {
    let Some(halving) = &study.champion else {
        return Ok(None);
    };
    let Some(&games) = halving.rounds(run.scale).get(number) else {
        return Ok(None);
    };
    let trial = Trial {
        study,
        halving,
        run,
        ledger,
    };
    let mut setups = Vec::new();
    for game in games_with_champions(study) {
        for candidate in trial.left(game, number)? {
            for place in 0..games {
                setups.push(trial.setup(game, candidate, number, place)?);
            }
        }
    }
    Ok(Some(setups))
}

/// The study with the champions that the ledger tells in their cells.
///
/// # Errors
/// If a player is not written as one.
pub fn crown(study: &Matches, run: Run, ledger: &Ledger<Outcome>) -> Result<Matches, StudyError> {
    let mut crowned = study.clone();
    let Some(halving) = &study.champion else {
        return Ok(crowned);
    };
    let trial = Trial {
        study,
        halving,
        run,
        ledger,
    };
    let rounds = halving.rounds(run.scale);
    for game in games_with_champions(study) {
        let left = trial.left(game, rounds.len())?;
        let champion = left.first().copied().unwrap_or(&halving.against);
        let cells = crowned.cells.iter_mut();
        for cell in cells.filter(|cell| cell.game == game) {
            let players = cell.players.iter_mut();
            players
                .filter(|name| *name == CHAMPION)
                .for_each(|name| champion.clone_into(name));
        }
    }
    Ok(crowned)
}

/// The games on which a player meets the champion.
fn games_with_champions(study: &Matches) -> Vec<&str> {
    let cells = study.cells.iter();
    let with = cells.filter(|cell| cell.players.iter().any(|name| name == CHAMPION));
    let mut games: Vec<&str> = with.map(|cell| cell.game.as_str()).collect();
    games.sort_unstable();
    games.dedup();
    games
}

/// The search for champions.
struct Trial<'a> {
    study: &'a Matches,
    halving: &'a Halving,
    run: Run,
    ledger: &'a Ledger<Outcome>,
}

impl<'a> Trial<'a> {
    /// The candidates that are in a round on a game, the best so far first.
    fn left(&self, game: &str, round: usize) -> Result<Vec<&'a String>, StudyError> {
        let missing = self.halving.missing.get(game);
        let is_missing = |name: &String| missing.is_some_and(|missing| missing.contains(name));
        let candidates = self.halving.candidates.iter();
        let mut left: Vec<&String> = candidates.filter(|name| !is_missing(name)).collect();
        for earlier in 0..round {
            let mut points = Vec::new();
            for candidate in left {
                points.push((self.points(game, candidate, earlier)?, candidate));
            }
            // Of equals, the one that is named first.
            points.sort_by(|one, other| other.0.total_cmp(&one.0));
            points.truncate(points.len().div_ceil(2));
            left = points.into_iter().map(|(_, candidate)| candidate).collect();
        }
        Ok(left)
    }

    /// A candidate's mean points in all rounds up to this one.
    fn points(&self, game: &str, candidate: &str, last: usize) -> Result<f64, StudyError> {
        let (mut sum, mut count) = (0.0, 0.0);
        for (round, &games) in self.halving.rounds(self.run.scale)[..=last]
            .iter()
            .enumerate()
        {
            for number in 0..games {
                let setup = self.setup(game, candidate, round, number)?.fingerprint();
                let played = self.ledger.records.iter();
                let played = played.filter(|outcome: &&Outcome| outcome.setup == setup);
                for points in played.filter_map(|outcome| outcome.points(0)) {
                    sum += points;
                    count += 1.0;
                }
            }
        }
        Ok(if count > 0.0 { sum / count } else { 0.0 })
    }

    fn setup(
        &self,
        game: &str,
        candidate: &str,
        round: usize,
        number: u32,
    ) -> Result<Setup, StudyError> {
        let mut contestants = vec![
            self.contestant(0, candidate)?,
            self.contestant(1, &self.halving.against)?,
        ];
        contestants.rotate_left(number as usize % 2);
        let place = format!("champion of {game}, round {}", round + 1);
        Ok(Setup {
            seed: game_seed(self.run.seed, &place, number),
            cell: format!("{place}: {candidate}"),
            number,
            game: game.to_owned(),
            rules: None,
            contestants,
            start_clock: StartClock::None,
            opening: Opening::default(),
            step_limit: self.study.step_limit,
            is_judged: false,
        })
    }

    fn contestant(&self, place: usize, name: &str) -> Result<Contestant, StudyError> {
        let thinking = self.halving.thinking();
        self.study.contestant(place, name, thinking)
    }
}
