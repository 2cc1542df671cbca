//! States as bytes: all engines write the same, read what others wrote, and refuse what is damaged.

use paidia_arena::engine::{ENGINES, EngineSpec, load};
use paidia_arena::rules::Ruleset;
use paidia_game::{AnyGame, Chance, Game, Rules, Walker};
use paidia_gdl::grounding::Budget;

fn engines(game: &str) -> Vec<(&'static str, AnyGame)> {
    let rules = Ruleset::find(game).unwrap();
    let names = ENGINES.iter().map(|kind| kind.name);
    let game = |name: &str| {
        let spec: EngineSpec = name.parse().unwrap();
        let loaded = load(&spec, &rules, Budget::default()).unwrap();
        loaded.game().unwrap()
    };
    // Engines for whole playouts have no states to walk through.
    let names = names.filter(|&name| !["batch", "gpu"].contains(&name));
    names.map(|name| (name, game(name))).collect()
}

/// Snapshots of the states of a random playout.
fn snapshots(game: &AnyGame, seed: u64) -> Vec<Vec<u8>> {
    let (mut walker, mut state) = (game.walker(), game.initial());
    let mut chance = Chance::from_seed(seed);
    let (mut joint, mut found) = (Vec::new(), Vec::new());
    loop {
        walker.save(&mut state);
        let mut bytes = Vec::new();
        game.snapshot(&state, &mut bytes);
        found.push(bytes);
        if walker.is_terminal() || walker.draw(&mut chance, &mut joint).is_err() {
            return found;
        }
        walker.advance(&joint, &mut chance);
    }
}

fn again(game: &AnyGame, bytes: &[u8]) -> Vec<u8> {
    let mut again = Vec::new();
    game.snapshot(&game.restore(bytes).unwrap(), &mut again);
    again
}

#[test]
fn engines_write_the_same_bytes_and_read_those_of_others() {
    for name in ["tic-tac-toe", "connect-four", "eight-puzzle"] {
        let games = engines(name);
        let expected = snapshots(&games[0].1, 5);
        for (engine, game) in &games {
            assert_eq!(snapshots(game, 5), expected, "{name} by {engine}");
            for bytes in &expected {
                assert_eq!(again(game, bytes), *bytes, "{name} by {engine}");
            }
        }
    }
}

#[test]
fn no_engine_panics_on_damaged_bytes() {
    let mut chance = Chance::from_seed(11);
    let (mut refused, mut taken) = (0, 0);
    for (engine, game) in engines("tic-tac-toe") {
        let whole = snapshots(&game, 5);
        for _ in 0..2_000 {
            let mut bytes = whole[chance.below(whole.len() as u32) as usize].clone();
            for _ in 0..=chance.below(3) {
                damage(&mut bytes, &mut chance);
            }
            let Ok(state) = game.restore(&bytes) else {
                refused += 1;
                continue;
            };
            taken += 1;
            let mut written = Vec::new();
            game.snapshot(&state, &mut written);
            let read = game.restore(&written);
            assert!(read.is_ok_and(|read| read == state), "{engine}: {bytes:?}");
        }
    }
    assert!(refused > 1_000 && taken > 100, "{refused} {taken}");
}

fn damage(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let place = chance.below(bytes.len().max(1) as u32) as usize;
    match (chance.below(4), bytes.get_mut(place)) {
        (0, Some(byte)) => *byte = chance.bits() as u8,
        (1, Some(byte)) => *byte ^= 1 << chance.below(8),
        (2, Some(_)) => drop(bytes.remove(place)),
        (3, Some(_)) => bytes.truncate(place),
        _ => bytes.push(chance.bits() as u8),
    }
}

#[test]
fn snapshots_are_smaller_than_texts() {
    let (_, game) = engines("connect-four").remove(0);
    let last = snapshots(&game, 5).pop().unwrap();
    let state = game.restore(&last).unwrap();
    let text: usize = paidia_game::Legible::fluents(&game, &state)
        .iter()
        .map(String::len)
        .sum();
    assert!(last.len() * 4 < text * 3, "{} bytes for {text}", last.len());
}
