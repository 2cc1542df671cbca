//! Goals of any range: a game whose goals are moved and stretched is played with the same moves.

use paidia_arena::{Playable, PlayerSpec};
use paidia_game::{RoleId, Rules};
use paidia_search::{Budget, Report};

use crate::contract::made_up::{MadeUp, Shape};
use crate::contract::players_of_states;

/// The lowest goal, and the distance from one of 101 goals to the next.
const RANGES: [(i32, i32); 4] = [(-1_000, 20), (-100, 1), (7, 3), (0, 1_000_000)];

/// Players with settings that have constants on the scale of goals.
const MORE: [&str; 6] = [
    "uct(returns=own)",
    "uct(playouts=nst)",
    "uct(rave=always)",
    "uct(sufficiency=60)",
    "uct(sufficiency=dynamic)",
    "paidia(leaves=one, history=4)",
];

fn think(game: &MadeUp, player: &str, role: RoleId) -> Report {
    let spec: PlayerSpec = player.parse().unwrap();
    let playable = Playable::new(game.clone());
    let mut player = playable.search(&spec, role, 3).unwrap();
    let budget = Budget::simulations(400);
    player.choose(&game.initial(), budget).report
}

/// What does not depend on the range: the moves in their order, and how often each was tried.
fn order(report: &Report) -> Vec<(u32, u64)> {
    let moves = report.moves.iter();
    moves.map(|made| (made.id.0, made.visits)).collect()
}

#[test]
fn every_player_plays_the_same_whatever_the_range_of_goals() {
    let names = players_of_states().chain(MORE);
    let mut compared = 0;
    for player in names {
        for (seed, roles) in [(1, 1), (2, 2), (3, 2), (4, 3)] {
            let shape = Shape {
                roles,
                simultaneous: seed % 2 == 1,
                ..Shape::PLAIN
            };
            let plain = MadeUp::new(seed, shape);
            for (lowest, step) in RANGES {
                let shape = Shape {
                    lowest,
                    step,
                    ..shape
                };
                let stretched = MadeUp::new(seed, shape);
                for role in plain.facts().players() {
                    let one = think(&plain, player, role);
                    let other = think(&stretched, player, role);
                    assert_eq!(
                        order(&one),
                        order(&other),
                        "{player}, seed {seed}, {lowest}"
                    );
                    compared += one.moves.len();
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

/// Values are told on the scale of the game's own goals.
#[test]
fn values_are_told_as_goals_of_the_game() {
    let shape = Shape {
        roles: 1,
        lowest: -1_000,
        step: 20,
        ..Shape::PLAIN
    };
    let plain = Shape {
        roles: 1,
        ..Shape::PLAIN
    };
    for seed in 0..8 {
        let [one, other] = [plain, shape].map(|shape| {
            let report = think(&MadeUp::new(seed, shape), "uct(discount=1)", RoleId(0));
            report.moves[0].value
        });
        let expected = -1_000.0 + 20.0 * one;
        assert!((other - expected).abs() < 1e-6, "{other}, not {expected}");
    }
}
