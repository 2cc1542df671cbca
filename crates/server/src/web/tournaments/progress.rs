//! How far a tournament is, as the page shows it.

use paidia_arena::statistics::{Interval, Tally};
use paidia_arena::tournament::{Summary, Tournament};
use serde::{Deserialize, Serialize};

use super::board::Board;

/// How far a tournament is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum State {
    Playing,
    Finished,
    Stopped,
    Failed,
}

#[derive(Clone, Serialize, Deserialize)]
pub(in crate::web) struct Progress {
    id: String,
    name: String,
    pub(super) state: State,
    /// What went wrong, if something did.
    pub(super) error: Option<String>,
    pub(super) done: usize,
    pub(super) total: usize,
    seconds: f64,
    players: Vec<String>,
    standings: Vec<StandingView>,
    pairings: Vec<PairingView>,
    games: Vec<GameView>,
    /// The names of the matches that were played, the latest first.
    pub(super) matches: Vec<String>,
}

#[derive(Clone, Serialize, Deserialize)]
struct StandingView {
    player: String,
    rating: Option<f64>,
    interval: Option<[f64; 2]>,
    /// In percent.
    points: Option<f64>,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
}

#[derive(Clone, Serialize, Deserialize)]
struct PairingView {
    players: [String; 2],
    /// Of the first, in percent.
    points: Option<f64>,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    /// Whether one of the two is better, all pairings considered.
    significant: bool,
}

#[derive(Clone, Serialize, Deserialize)]
struct GameView {
    game: String,
    title: String,
    matches: usize,
    /// Joint moves of a match, on average.
    length: f64,
    /// In percent, for each player in the order of the standings.
    points: Vec<Option<f64>>,
}

impl Progress {
    /// Nothing is played yet.
    pub(super) fn new(setting: &Tournament, total: usize) -> Self {
        Self {
            id: setting.name.clone(),
            name: setting.title.clone(),
            state: State::Playing,
            error: None,
            done: 0,
            total,
            seconds: setting.seconds.unwrap_or_default(),
            players: setting.players.keys().cloned().collect(),
            standings: Vec::new(),
            pairings: Vec::new(),
            games: Vec::new(),
            matches: Vec::new(),
        }
    }

    /// The name of the tournament in records.
    pub(super) fn id(&self) -> String {
        self.id.clone()
    }

    /// Its name for people.
    pub(super) fn title(&self) -> String {
        self.name.clone()
    }

    /// Takes in what was played.
    pub(super) fn take(&mut self, summary: &Summary, boards: &[Board]) {
        let standings = summary.standings.iter().map(|standing| StandingView {
            player: standing.player.clone(),
            rating: standing.rating.map(|rating| rating.value),
            interval: standing.rating.map(|rating| [rating.low, rating.high]),
            points: standing.points.map(|points| points.value),
            games: standing.tally.games,
            wins: standing.tally.wins,
            draws: standing.tally.draws,
            losses: standing.tally.losses,
        });
        let pairings = summary.pairings.iter().map(|pairing| PairingView {
            players: pairing.players.clone(),
            points: pairing.points.map(|points| points.value),
            games: pairing.tally.games,
            wins: pairing.tally.wins,
            draws: pairing.tally.draws,
            losses: pairing.tally.losses,
            significant: pairing.is_significant(),
        });
        let title = |id: &str| {
            let board = boards.iter().find(|board| board.id() == id);
            board.map_or_else(|| id.to_owned(), |board| board.title().to_owned())
        };
        let games = summary.games.iter().map(|game| GameView {
            game: game.game.clone(),
            title: title(&game.game),
            matches: game.matches,
            length: game.mean_steps,
            points: game.tallies.iter().map(percent).collect(),
        });
        self.standings = standings.collect();
        self.pairings = pairings.collect();
        self.games = games.collect();
    }
}

/// Points in percent.
fn percent(tally: &Tally) -> Option<f64> {
    let estimate = tally.estimate(Interval::TwoSided95)?;
    Some(estimate.value * 100.0)
}
