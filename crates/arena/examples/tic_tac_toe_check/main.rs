//! Tic-tac-toe must not be lost, neither to random nor to perfect play.
//!
//! ```text
//! cargo run --release -p paidia-arena --example tic_tac_toe_check -- \
//!     --games 1000 --simulations 2000
//! ```
//!
//! Each player plays that many games against a random opponent and as many against a perfect one,
//! which draws among all moves that keep the exact value; half of the games in either role. Plain
//! UCT, which does not know proofs, is there for comparison.

#[path = "../common/bundled.rs"]
mod bundled;
#[path = "../common/mod.rs"]
mod common;
mod perfect;

use clap::Parser;
use paidia_arena::{Local, MatchEnd, Playable, PlayerSpec, Referee};
use paidia_game::{Goal, RoleId, Rules};
use paidia_reason::propnet::Propnet;
use paidia_search::{Budget, Informed, InformedPlayer, Player};

use crate::perfect::{Perfect, Values};

#[derive(Parser)]
#[command(about = "Counts what players lose at tic-tac-toe")]
struct Arguments {
    /// The players
    #[arg(long = "player", default_values = ["paidia", "uct", "uct(returns=own)"])]
    players: Vec<PlayerSpec>,
    /// Games against each opponent, half of them in either role
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Simulations for each move
    #[arg(long, default_value_t = 2000)]
    simulations: u64,
}

fn main() {
    let arguments = Arguments::parse();
    let game = bundled::load("tic-tac-toe");
    let values = Values::of(&game.game);
    println!(
        "{:<20}{:<10}{:<6}{:>7}{:>7}{:>7}",
        "player", "opponent", "as", "won", "drawn", "lost"
    );
    for spec in &arguments.players {
        for opponent in [Opponent::Random, Opponent::Perfect] {
            for role in [RoleId(0), RoleId(1)] {
                let budget = Budget::simulations(arguments.simulations);
                let seeds = 0..arguments.games / 2;
                let tally = play(&game, &values, (spec, role), opponent, budget, seeds);
                let name = game.game.facts().role_name(role);
                println!(
                    "{:<20}{:<10}{name:<6}{:>7}{:>7}{:>7}",
                    spec.to_string(),
                    format!("{opponent:?}").to_lowercase(),
                    tally.won,
                    tally.drawn,
                    tally.lost
                );
            }
        }
    }
}

/// The opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opponent {
    Random,
    Perfect,
}

/// Games by their result for the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    won: u64,
    drawn: u64,
    lost: u64,
}

/// Plays a game for each seed, the player in one role.
fn play(
    game: &Playable<Propnet>,
    values: &Values,
    (spec, role): (&PlayerSpec, RoleId),
    opponent: Opponent,
    budget: Budget,
    seeds: std::ops::Range<u64>,
) -> Tally {
    let referee = Referee::new(&game.game, 10);
    let other = RoleId(1 - role.0);
    let mut tally = Tally::default();
    for seed in seeds {
        let against: Box<dyn Informed<Propnet>> = match opponent {
            Opponent::Random => common::search(&random(), game, other, seed),
            Opponent::Perfect => Box::new(Perfect::new(&game.game, values, other, seed)),
        };
        let player = |role, search| -> Option<Box<dyn Player<Propnet>>> {
            Some(Box::new(InformedPlayer::new(
                &game.game, role, search, seed,
            )))
        };
        let own = common::search(spec, game, role, seed);
        let mut players = vec![player(role, own), player(other, against)];
        if role == RoleId(1) {
            players.swap(0, 1);
        }
        let mut record = referee.start(&game.game.initial(), seed);
        match referee.play(&mut record, &mut Local::seats(players, budget)) {
            MatchEnd::Over(goals) => match goals[role.index()] {
                Goal::One(100) => tally.won += 1,
                Goal::One(50) => tally.drawn += 1,
                _ => tally.lost += 1,
            },
            other => panic!("a game of tic-tac-toe ended so: {other:?}"),
        }
    }
    tally
}

fn random() -> PlayerSpec {
    "random".parse().expect("it is a player")
}

#[cfg(test)]
mod tests {
    use paidia_game::RoleId;
    use paidia_search::Budget;

    use super::{Opponent, Values, bundled, play};

    #[test]
    fn the_default_player_loses_nothing() {
        let game = bundled::load("tic-tac-toe");
        let (values, spec) = (Values::of(&game.game), "paidia".parse().unwrap());
        for opponent in [Opponent::Random, Opponent::Perfect] {
            for role in [RoleId(0), RoleId(1)] {
                let budget = Budget::simulations(2_000);
                let tally = play(&game, &values, (&spec, role), opponent, budget, 0..20);
                assert_eq!(tally.lost, 0, "{opponent:?}, {role:?}: {tally:?}");
                if opponent == Opponent::Perfect {
                    assert_eq!(tally.drawn, 20, "{role:?}: {tally:?}");
                }
            }
        }
    }

    #[test]
    fn the_perfect_player_is_neither_beaten_nor_always_the_same() {
        let game = bundled::load("tic-tac-toe");
        let (values, spec) = (Values::of(&game.game), "random".parse().unwrap());
        let budget = Budget::simulations(1);
        for role in [RoleId(0), RoleId(1)] {
            let tally = play(
                &game,
                &values,
                (&spec, role),
                Opponent::Perfect,
                budget,
                0..300,
            );
            assert_eq!(tally.won, 0, "{tally:?}");
            assert!(tally.lost > 150, "{tally:?}");
        }
    }
}
