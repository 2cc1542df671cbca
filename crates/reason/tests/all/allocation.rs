//! Walkers of networks, of compiled rules, of tables, of the prover and of updated models do not
//! allocate once they are warm.

use paidia_game::{Chance, Game, MoveId, Walker, playout};
use paidia_reason::{Compiled, Forward, Incremental, Prover};
use paidia_testkit::bundled;

/// Games with few fluents and with many, with recursion, and with chance and percepts.
const GAMES: [&str; 5] = [
    "tic-tac-toe",
    "breakthrough",
    "othello",
    "atari-go-7x7",
    "kuhn-poker",
];

/// Everything that can be asked of a walker, over some random play.
fn play<G: Game>(game: &G, walker: &mut G::Walker, memory: &mut Memory<G>) {
    let mut chance = Chance::from_seed(1);
    for _ in 0..5 {
        walker.jump(&memory.start);
        playout(walker, &mut memory.joint, 200, &mut chance);
        walker.jump(&memory.start);
        for _ in 0..20 {
            for role in game.facts().role_ids() {
                walker.goal(role);
                walker.percepts(role);
            }
            walker.save(&mut memory.saved);
            memory.hashes ^= walker.hash64();
            let legal = walker.legal();
            if legal.draw(&mut chance, &mut memory.joint).is_err() {
                break;
            }
            walker.advance(&memory.joint, &mut chance);
            if walker.is_terminal() {
                break;
            }
        }
    }
}

/// What the asker brings along.
struct Memory<G: Game> {
    start: G::State,
    saved: G::State,
    joint: Vec<MoveId>,
    hashes: u64,
}

fn assert_warm_walkers_do_not_allocate<G: Game>(name: &str, game: &G) {
    let mut walker = game.walker();
    let mut memory = Memory::<G> {
        start: game.initial(),
        saved: game.initial(),
        joint: Vec::new(),
        hashes: 0,
    };
    let cold = allocation_counter::measure(|| play(game, &mut walker, &mut memory));
    let warm = allocation_counter::measure(|| play(game, &mut walker, &mut memory));
    // Lists of legal moves grow at first, so the measure sees allocations where there are any.
    assert!(cold.count_total > 0, "{name}: {cold:?}");
    assert_eq!(warm.count_total, 0, "{name}: {warm:?}");
}

#[test]
fn warm_walkers_of_networks_do_not_allocate() {
    for name in GAMES {
        assert_warm_walkers_do_not_allocate(name, &bundled(name).propnet());
    }
}

#[test]
fn warm_walkers_of_compiled_rules_do_not_allocate() {
    for name in GAMES {
        let game = Compiled::new(name, &bundled(name).program()).unwrap();
        assert_warm_walkers_do_not_allocate(name, &game);
    }
}

#[test]
fn warm_walkers_of_tables_do_not_allocate() {
    for name in GAMES {
        let game = Forward::new(name, &bundled(name).program()).unwrap();
        assert_warm_walkers_do_not_allocate(name, &game);
    }
}

#[test]
fn warm_walkers_of_the_prover_do_not_allocate() {
    for name in GAMES {
        let game = Prover::new(name, &bundled(name).program()).unwrap();
        assert_warm_walkers_do_not_allocate(name, &game);
    }
}

#[test]
fn warm_walkers_of_updated_models_do_not_allocate() {
    for name in GAMES {
        let game = Incremental::new(name, &bundled(name).program()).unwrap();
        assert_warm_walkers_do_not_allocate(name, &game);
    }
}
