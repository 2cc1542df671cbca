//! The list of matches of a tournament.

use super::setting::{Tournament, TournamentError, bad};
use crate::contest::{ContestGames, Contestant, Setup, Thinking, game_seed};

/// The most matches of a tournament.
const MAX_MATCHES: usize = 1_000_000;

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
        let mut count = 0;
        let too_many = || bad("size", format!("it has more than {MAX_MATCHES} matches"));
        for game in &tournament.games {
            let table = tables.get(game);
            let table = table.ok_or_else(|| TournamentError::NoTable(game.clone()))?;
            let seats = tournament.seats;
            let found = seats.seatings(names.len(), table.players(), MAX_MATCHES);
            let found = found.ok_or_else(too_many)?;
            count += found.len();
            seatings.push((game, table.rules(), found));
        }
        if count as u64 * tournament.rounds.min(1 << 32) > MAX_MATCHES as u64 {
            return Err(too_many());
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
        step_limit: tournament.step_limit,
    })
}
