//! Where the rules draw by chance, nothing may be called certain that is not.

use paidia_arena::{Playable, PlayerSpec};
use paidia_game::{
    ConformanceOptions, CrossCheck, MoveId, PerftStop, Randomness, RoleId, Rules, SolveBudget,
    SolveError, conformance, perft, solve,
};
use paidia_search::puzzle::{self, Method};
use paidia_search::{Budget, Report};

use crate::contract::made_up::{MadeUp, Place, Shape};
use crate::contract::players_of_states;

const SEEDS: std::ops::Range<u64> = 0..12;

fn dice(seed: u64, roles: u16, randomness: Randomness) -> MadeUp {
    let shape = Shape {
        roles,
        dice: true,
        randomness,
        ..Shape::PLAIN
    };
    MadeUp::new(seed, shape)
}

/// The first role's goal by best play if chance always does the worst, or always the best, for it:
/// the value is certain where both are the same. By enumeration.
fn value(game: &MadeUp, state: Place, kindly: bool) -> i32 {
    if let Some(goals) = game.goals_at(state) {
        return goals[0];
    }
    let (mover, choices) = game.choices(state);
    let values = choices.iter().map(|next| worth(game, next, kindly));
    match mover {
        Some(RoleId(0)) => values.max().unwrap(),
        _ => values.min().unwrap(),
    }
}

fn worth(game: &MadeUp, next: &[Place], kindly: bool) -> i32 {
    let values = next.iter().map(|&state| value(game, state, kindly));
    match kindly {
        true => values.max().unwrap(),
        false => values.min().unwrap(),
    }
}

/// The mean goal of the first role by best play, in games of one role.
fn expectation(game: &MadeUp, state: Place) -> f64 {
    if let Some(goals) = game.goals_at(state) {
        return f64::from(goals[0]);
    }
    let (_, choices) = game.choices(state);
    let values = choices.iter().map(|next| mean(game, next));
    values.fold(f64::NEG_INFINITY, f64::max)
}

fn mean(game: &MadeUp, next: &[Place]) -> f64 {
    let sum: f64 = next.iter().map(|&state| expectation(game, state)).sum();
    sum / next.len() as f64
}

fn think(game: &MadeUp, player: &str, role: RoleId, simulations: u64) -> Report {
    let spec: PlayerSpec = player.parse().unwrap();
    let playable = Playable::new(game.clone());
    let mut player = playable.search(&spec, role, 7).unwrap();
    let budget = Budget::simulations(simulations);
    player.choose(&game.initial(), budget).report
}

/// What a report calls certain and is not.
fn mistakes(game: &MadeUp, role: RoleId, report: &Report) -> Vec<String> {
    let own = |goal: i32| if role == RoleId(0) { goal } else { 100 - goal };
    let start = game.initial();
    let (_, choices) = game.choices(start);
    let mut found = Vec::new();
    if let Some(goals) = &report.proven {
        let truth = [false, true].map(|kindly| value(game, start, kindly));
        if truth != [goals[0]; 2] {
            found.push(format!("{goals:?} is proven, and the truth is {truth:?}"));
        }
    }
    for made in report
        .moves
        .iter()
        .filter(|made| made.id.0 < choices.len() as u32)
    {
        let next = &choices[made.id.0 as usize];
        let truth = [false, true].map(|kindly| own(worth(game, next, kindly)));
        if made.proven.is_some_and(|goal| truth != [goal; 2]) {
            found.push(format!("{made:?} is proven, and the truth is {truth:?}"));
        }
    }
    found
}

fn all_mistakes(randomness: Randomness) -> Vec<String> {
    let mut found = Vec::new();
    for seed in SEEDS {
        for roles in [1, 2] {
            let game = dice(seed, roles, randomness);
            for player in players_of_states() {
                for role in game.facts().players() {
                    let report = think(&game, player, role, 300);
                    let wrong = mistakes(&game, role, &report).into_iter();
                    found.extend(wrong.map(|what| format!("{player}: {what}")));
                }
            }
        }
    }
    found
}

#[test]
fn no_player_calls_certain_what_dice_decide() {
    let found = all_mistakes(Randomness::Inside);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The same games with facts that deny the dice: otherwise the test above could not fail.
#[test]
fn with_facts_that_deny_the_dice_proofs_are_wrong() {
    assert!(!all_mistakes(Randomness::None).is_empty());
}

#[test]
fn a_tree_search_weighs_what_the_dice_may_bring() {
    for seed in SEEDS {
        let game = dice(seed, 1, Randomness::Inside);
        let start = game.initial();
        let (_, choices) = game.choices(start);
        let report = think(&game, "uct(discount=1)", RoleId(0), 200_000);
        let MoveId(best) = report.moves[0].id;
        let found = mean(&game, &choices[best as usize]);
        let truth = expectation(&game, start);
        assert!(found >= truth - 3.0, "seed {seed}: {found}, not {truth}");
        let told = report.moves[0].value;
        assert!(
            (told - found).abs() < 5.0,
            "seed {seed}: {told}, not {found}"
        );
    }
}

#[test]
fn exact_methods_refuse_dice() {
    for roles in [1, 2] {
        let game = dice(3, roles, Randomness::Inside);
        let start = game.initial();
        let solved = solve(&game, &start, SolveBudget::states(10_000));
        assert!(
            matches!(solved, Err(SolveError::NotApplicable(_))),
            "{solved:?}"
        );
        let counted = perft(&game, &start, 3, 10_000);
        assert_eq!(counted.stopped, Some(PerftStop::ChanceInside));
        assert_eq!(counted.depths.len(), 1);
        for method in Method::ALL {
            let budget = Budget::states(1_000);
            let found = puzzle::solve(&game, RoleId(0), &start, method, 1 << 20, budget);
            assert!(found.is_err(), "{method:?}");
        }
    }
}

#[test]
fn a_game_with_dice_keeps_the_contract_and_agrees_with_itself() {
    for seed in SEEDS {
        let game = dice(seed, 2, Randomness::Inside);
        let failures = conformance(&game, ConformanceOptions::default());
        assert!(failures.is_empty(), "{failures:?}");
        let check = CrossCheck {
            trusted: game.clone(),
            suspect: game,
        };
        assert!(check.run(20, 10, seed).is_ok());
    }
}

/// The conformance kit finds out games that draw and do not say so.
#[test]
fn facts_that_deny_the_dice_are_found_out() {
    let caught = SEEDS.filter(|&seed| {
        let game = dice(seed, 2, Randomness::None);
        let options = ConformanceOptions {
            playouts: 10,
            ..ConformanceOptions::default()
        };
        !conformance(&game, options).is_empty()
    });
    assert_eq!(caught.count(), SEEDS.count());
}
