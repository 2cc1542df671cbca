//! The list of matches of a tournament.

use std::collections::BTreeSet;

use super::setting::{Tournament, TournamentError, bad};
use crate::contest::{ContestGames, Contestant, Opening, Setup, Thinking, game_seed};

/// The most matches of a tournament.
const MAX_MATCHES: usize = 1_000_000;

/// The most seats of all matches together, which is what a plan takes memory for.
const MAX_SEATS: usize = 2_000_000;

/// All matches of a tournament.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The matches: the first round on all games, then the second, so that a tournament that is
    /// played in part is played in equal parts.
    pub matches: Vec<Setup>,
}

impl Plan {
    /// Plans a tournament; the tables tell how many players a game wants.
    ///
    /// # Errors
    /// If a game is missing from the tables or there are far too many matches.
    pub fn new(tournament: &Tournament, tables: &ContestGames) -> Result<Self, TournamentError> {
        let names: Vec<&String> = tournament.players.keys().collect();
        let mut seatings = Vec::new();
        // What a round may have: the matches of all rounds are limited, and the seats in them.
        let rounds = tournament.rounds.clamp(1, 1 << 32) as usize;
        let (mut matches_left, mut seats_left) = (MAX_MATCHES / rounds, MAX_SEATS / rounds);
        for game in &tournament.games {
            let table = tables.get(game);
            let table = table.ok_or_else(|| TournamentError::NoTable(game.clone()))?;
            let seats = tournament.seats;
            let players = table.players().max(1);
            let limit = matches_left.min(seats_left / players);
            let found = seats.seatings(names.len(), table.players(), limit);
            let found = found.ok_or_else(|| too_many(game, players))?;
            matches_left -= found.len();
            seats_left -= found.len() * players;
            seatings.push((game, table.rules(), found));
        }
        let mut matches = Vec::new();
        for round in 0..tournament.rounds as u32 {
            for (game, rules, seatings) in &seatings {
                for seating in seatings {
                    let setup = setup(tournament, &names, game, seating, round)?;
                    let rules = *rules;
                    matches.push(Setup { rules, ..setup });
                }
            }
        }
        Ok(Self { matches })
    }

    /// Tries once whether each player can be made in each of its games.
    ///
    /// # Errors
    /// Names the first player that cannot, and the game.
    pub fn try_players(&self, tables: &ContestGames) -> Result<(), TournamentError> {
        let mut tried = BTreeSet::new();
        for setup in &self.matches {
            let table = tables.get(&setup.game);
            let table = table.ok_or_else(|| TournamentError::NoTable(setup.game.clone()))?;
            for contestant in &setup.contestants {
                if tried.insert((&setup.game, &contestant.name)) {
                    let made = table.try_player(&contestant.player);
                    made.map_err(|reason| TournamentError::Player {
                        player: contestant.name.clone(),
                        game: Some(setup.game.clone()),
                        reason: Box::new(reason),
                    })?;
                }
            }
        }
        Ok(())
    }

    /// The fingerprints of the matches, in their order.
    pub fn setups(&self) -> Vec<String> {
        self.matches.iter().map(Setup::fingerprint).collect()
    }

    /// Whether any player thinks by the clock, so that results depend on the machine and on what
    /// else it does.
    pub fn is_timed(&self) -> bool {
        let mut contestants = self.matches.iter().flat_map(|setup| &setup.contestants);
        contestants.any(|contestant| matches!(contestant.thinking, Thinking::Seconds(_)))
    }
}

/// A tournament is too large by the matches of a game.
fn too_many(game: &str, players: usize) -> TournamentError {
    let problem = format!(
        "with `{game}`, which has {players} players, there are more than {MAX_MATCHES} matches or \
         {MAX_SEATS} seats in them; take fewer players or rounds, or `seats = \"balanced\"`"
    );
    bad("size", problem)
}

fn setup(
    tournament: &Tournament,
    names: &[&String],
    game: &str,
    seating: &[usize],
    round: u32,
) -> Result<Setup, TournamentError> {
    let seated: Vec<&str> = seating.iter().map(|&place| names[place].as_str()).collect();
    let cell = format!("{game}: {}", seated.join(" v "));
    let contestant = |(place, name): (usize, &&str)| {
        let (player, thinking) = tournament.entrant(name)?;
        Ok(Contestant {
            place,
            name: (*name).to_owned(),
            player,
            thinking,
        })
    };
    let contestants = seated.iter().enumerate().map(contestant);
    Ok(Setup {
        seed: game_seed(tournament.seed, &cell, round),
        cell,
        number: round,
        game: game.to_owned(),
        rules: None,
        contestants: contestants.collect::<Result<_, TournamentError>>()?,
        start_clock: tournament.start_clock()?,
        is_judged: false,
        opening: Opening {
            moves: tournament.opening,
            seed: game_seed(tournament.seed, game, round),
        },
        step_limit: tournament.step_limit,
    })
}
