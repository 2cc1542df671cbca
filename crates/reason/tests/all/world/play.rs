//! Random play: every game ends, each role has one goal, and games are as long as published.

use paidia_game::{AnyGame, Chance, Ending, Game, Goal, PlayoutRunner, Rules, Walker, playout};

use paidia_testkit::{RuleSheet, bundled};

use crate::world::{ENGINES, reference};

/// The longest bundled game takes some hundreds of steps.
const STEP_LIMIT: u32 = 2_000;

/// What is wrong with the end of a random game, if anything is.
fn fault_of_playout(game: &AnyGame, chance: &mut Chance) -> Option<String> {
    let mut walker = game.walker();
    let end = playout(&mut walker, &mut Vec::new(), STEP_LIMIT, chance);
    if end.ending != Ending::Finished {
        return Some(format!("ended with {:?}", end.ending));
    }
    let facts = game.facts();
    let players = facts
        .role_ids()
        .filter(|&role| facts.random() != Some(role));
    let mut goals = players.map(|role| (facts.role_name(role), walker.goal(role)));
    let odd = goals.find(|(_, goal)| !matches!(goal, Goal::One(0..=100)));
    odd.map(|(role, goal)| format!("{role} has {goal:?} after {} steps", end.length))
}

#[test]
fn every_bundled_game_ends_with_one_goal_for_each_role() {
    let mut faults = Vec::new();
    for bundled in paidia_library::sheets() {
        let game = reference(
            bundled.name,
            &RuleSheet::new(bundled.name, bundled.rules).program(),
        );
        let mut chance = Chance::from_seed(11);
        for number in 0..5 {
            let fault = fault_of_playout(&game, &mut chance);
            faults
                .extend(fault.map(|fault| format!("{}, playout {number}: {fault}", bundled.name)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Mean lengths of random games: of tic-tac-toe exactly, of the others from tens of thousands of
/// games. The tolerances are five standard errors of as many games as are played here.
const LENGTHS: [(&str, u32, f64, f64); 3] = [
    ("tic-tac-toe", 10_000, 7.626_19, 0.07),
    ("connect-four-8x6", 1_000, 22.40, 1.1),
    ("breakthrough", 300, 64.19, 3.2),
];

#[test]
fn random_games_are_as_long_as_they_are_known_to_be() {
    for (name, playouts, expected, tolerance) in LENGTHS {
        let program = bundled(name).program();
        for (engine, load) in ENGINES {
            let game = load(name, &program);
            let mut runner = PlayoutRunner::new(&game, game.initial(), STEP_LIMIT);
            let mut chance = Chance::from_seed(1);
            for _ in 0..playouts {
                runner.run(&mut chance);
            }
            let mean = runner.figures().mean_length().unwrap();
            println!("{name}, {engine}: {mean:.3} steps, known to be {expected}");
            assert!(
                (mean - expected).abs() < tolerance,
                "{name}, {engine}: {mean}"
            );
        }
    }
}

/// A random player who moves first wins 212,256 of 362,880 games of tic-tac-toe in the mean and
/// loses 104,544.
#[test]
fn the_first_player_of_tic_tac_toe_has_the_known_advantage() {
    let game = reference("tic-tac-toe", &bundled("tic-tac-toe").program());
    let mut runner = PlayoutRunner::new(&game, game.initial(), STEP_LIMIT);
    let mut chance = Chance::from_seed(2);
    for _ in 0..10_000 {
        runner.run(&mut chance);
    }
    let first = game.facts().role_ids().next().unwrap();
    let mean = runner.figures().mean_goal(first).unwrap();
    let draws = 362_880.0 - 212_256.0 - 104_544.0;
    let expected = 100.0 * (212_256.0 + 0.5 * draws) / 362_880.0;
    // Five standard errors: a game's goal deviates by 44 from its mean.
    assert!((mean - expected).abs() < 2.2, "{mean}, expected {expected}");
}
