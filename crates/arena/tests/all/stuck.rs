//! Every player copes with games that get stuck, end without a goal or with several, or never end.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use paidia_arena::{Local, MatchEnd, Playable, PlayerSpec, Referee, make};
use paidia_game::{AnyGame, Chance, Game, Goal, MoveId, RoleId, Rules, Walker};
use paidia_reason::propnet::Propnet;
use paidia_search::{Budget, StopReason};
use paidia_testkit::odd::{Oddities, sheet};
use paidia_testkit::rules;
use paidia_testkit::settings::number;

/// Every player, and settings that lead through other parts of the search.
const SPECS: &[&str] = &[
    "paidia",
    "paidia(learn=no, proofs=no, threads=1)",
    "paidia(leaves=one, threads=2)",
    "paidia(share=nothing, threads=2, memory=1)",
    "paidia(leaf-threads=1, threads=1)",
    "uct",
    "uct(choice=value, noop=think)",
    "uct(playouts=nested)",
    "uct(playouts=mast, rave=always)",
    "uct(playouts=nst)",
    "uct-history",
    "uct-history(among=all)",
    "ida",
    "mc-memory",
    "mc-flat",
    "nested",
    "random",
];

fn game(seed: u64) -> (Playable<Propnet>, AnyGame) {
    let sheet = rules(&sheet(Oddities::drawn(seed), seed));
    (Playable::ground(sheet.ground()), sheet.any())
}

/// Some states of a game, the first among them: those of a random walk, and where it ended.
fn states<G: Game>(game: &G, seed: u64) -> Vec<G::State> {
    let (mut walker, mut chance) = (game.walker(), Chance::from_seed(seed));
    let (mut states, mut joint) = (vec![game.initial()], Vec::new());
    while states.len() < 5 && !walker.is_terminal() {
        if walker.draw(&mut chance, &mut joint).is_err() {
            break;
        }
        walker.advance(&joint, &mut chance);
        let mut state = game.initial();
        walker.save(&mut state);
        states.push(state);
    }
    states
}

/// Asks a player in every seat and several states, with budgets of every kind.
fn ask<G: Game>(spec: &str, playable: &Playable<G>, seed: u64) {
    let player: PlayerSpec = spec.parse().unwrap_or_else(|bad| panic!("{spec}: {bad}"));
    let budgets = [
        // Nested playouts of a game without end make very many states for one simulation.
        Budget {
            states: Some(20_000),
            ..Budget::simulations(12)
        },
        Budget::states(40),
        Budget::time(Duration::from_millis(1)),
    ];
    let game = &playable.game;
    let mut walker = game.walker();
    let never = AtomicBool::new(false);
    for role in game.facts().players().take(4) {
        let mut search = playable.search(&player, role, seed).expect("a player");
        search.prepare(&game.initial(), budgets[0]);
        for (number, state) in states(game, seed).iter().enumerate() {
            let decision = search.choose_until(state, budgets[number % 3], &never);
            walker.jump(state);
            let legal = walker.legal().of(role).to_vec();
            let is_possible = match legal.is_empty() {
                true => decision.id == MoveId::CHANCE,
                false => legal.contains(&decision.id),
            };
            assert!(
                is_possible,
                "{spec}, game {seed}: {decision:?} of {legal:?}"
            );
            let is_stuck = !walker.is_terminal() && walker.legal().stuck_role().is_some();
            if is_stuck {
                let reported = decision.report.moves.iter();
                assert!(
                    reported.clone().all(|made| legal.contains(&made.id)),
                    "{spec}"
                );
                assert_eq!(
                    decision.report.stopped,
                    StopReason::NoSearch,
                    "{spec}, {seed}"
                );
            }
        }
    }
}

#[test]
fn every_player_copes_with_odd_games_in_every_seat() {
    let games = number("PAIDIA_FUZZ_GAMES", 60);
    let mut stuck = 0;
    for seed in 0..games {
        let (playable, reference) = game(seed);
        // Each player meets a part of the games, and the slow engine a part of these.
        for (turn, spec) in (0..).zip(SPECS) {
            if (seed + turn) % 3 == 0 {
                ask(spec, &playable, seed);
            }
            if (seed + turn) % 8 == 0 {
                ask(spec, &Playable::any(reference.clone()), seed);
            }
        }
        let states = states(&playable.game, seed);
        let mut walker = playable.game.walker();
        walker.jump(&states[states.len() - 1]);
        stuck += u64::from(!walker.is_terminal() && walker.legal().stuck_role().is_some());
    }
    assert!(
        stuck * 10 >= games,
        "only {stuck} of {games} games got stuck"
    );
}

#[test]
fn matches_end_as_the_rules_say_however_odd() {
    for seed in 0..number("PAIDIA_FUZZ_GAMES", 60) {
        let (playable, _) = game(seed);
        let referee = Referee::new(&playable.game, 30);
        let facts = playable.game.facts();
        let spec = SPECS[seed as usize % SPECS.len()];
        let player: PlayerSpec = spec.parse().expect("a player");
        let players = facts.role_ids().map(|role| {
            (Some(role) != facts.random()).then(|| make(&player, &playable, role, seed).unwrap())
        });
        let mut seats = Local::seats(players, Budget::states(300));
        let mut record = referee.start(&playable.game.initial(), seed);
        let end = referee.play(&mut record, &mut seats);
        assert!(
            !matches!(end, MatchEnd::Fault(_)),
            "{spec}, game {seed}: {end:?}"
        );
        if let MatchEnd::Stuck(role) = end {
            assert!(record.legal(role).is_empty());
        }
        let refused = record
            .moves
            .iter()
            .flatten()
            .find(|made| made.failure.is_some());
        assert!(refused.is_none(), "{spec}, game {seed}: {refused:?}");
    }
}

/// The second of two roles never has a move: the game that once made tree searches panic.
#[test]
fn a_role_that_never_has_a_move_makes_no_player_fail() {
    let text = "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
        (<= (legal a (pick 1)) (true (n ?x)))
        (<= (legal a (pick 2)) (true (n ?x)))
        (<= (legal b never) (true (never ?x)))
        (<= (next (n ?y)) (does a (pick ?k)) (true (n ?x)) (succ ?x ?y))
        (<= (next (never 0)) (true (never 0)))
        (<= terminal (true (n 3)))
        (goal a 100) (goal b 0)";
    let playable = Playable::ground(rules(text).ground());
    for spec in SPECS {
        ask(spec, &playable, 1);
    }
}

/// A state may have more moves than a tree is made for where the engine does not know them all
/// beforehand.
#[test]
fn tree_searches_hold_a_state_with_very_many_moves() {
    let mut text = String::from(
        "(role a) (role b) (init (n 0)) (<= (legal b wait) (true (n ?x)))
        (<= (legal a (pick ?x ?y)) (number ?x) (number ?y) (true (n 0)))
        (<= (legal a rest) (true (n 1)))
        (<= (next (n 1)) (true (n 0))) (<= terminal (true (n 1)))
        (<= (goal a 100) (true (n 1))) (<= (goal b 0) (true (n 1)))",
    );
    for number in 0..270 {
        text.push_str(&format!("(number {number})"));
    }
    let game = rules(&text).any();
    for spec in [
        "uct",
        "uct(memory=1)",
        "paidia(threads=2, share=nothing, memory=32)",
    ] {
        let spec: PlayerSpec = spec.parse().expect("a player");
        let mut search = Playable::any(game.clone())
            .search(&spec, RoleId(0), 1)
            .unwrap();
        let never = AtomicBool::new(false);
        let decision = search.choose_until(&game.initial(), Budget::simulations(3), &never);
        assert_ne!(decision.id, MoveId::CHANCE, "{:?}", decision.report.stopped);
    }
    let mut walker = game.walker();
    assert!(walker.legal().count() > 1 << 16);
    assert_eq!(walker.goal(RoleId(0)), Goal::None);
}
