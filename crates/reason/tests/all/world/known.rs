//! Counts that the world agrees on.

use std::time::Instant;

use serde::Deserialize;

use paidia_testkit::bundled;
use paidia_testkit::settings::full;

use crate::world::{ENGINES, count};

/// One game of `known.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    name: String,
    /// The depth that every run goes to.
    quick: usize,
    /// Sequences of 1, 2, … moves.
    leaves: Vec<u128>,
    /// Sequences that end in a finished game, where the table has all depths.
    games: Option<u128>,
    /// Different states over all depths, likewise.
    states: Option<usize>,
}

#[derive(Deserialize)]
struct Table {
    game: Vec<Known>,
}

#[test]
fn the_engines_count_what_the_world_counts() {
    let table: Table = toml::from_str(include_str!("known.toml")).unwrap();
    assert!(table.game.len() >= 8);
    let mut wrong = Vec::new();
    for known in &table.game {
        let program = bundled(&known.name).program();
        for (engine, load) in ENGINES {
            let start = Instant::now();
            let game = load(&known.name, &program);
            let loaded = start.elapsed();
            let depth = if full() {
                known.leaves.len()
            } else {
                known.quick
            };
            let found = count(&game, depth as u32, 5_000_000);
            let leaves: Vec<u128> = found.depths[1..].iter().map(|depth| depth.leaves).collect();
            println!(
                "{}, {engine}: {leaves:?}, loaded in {loaded:.1?}, counted in {:.1?}",
                known.name,
                start.elapsed() - loaded
            );
            let finished: u128 = found.depths.iter().map(|depth| depth.terminals).sum();
            if leaves != known.leaves[..depth]
                || known.games.is_some_and(|games| games != finished)
                || known.states.is_some_and(|states| states != found.states)
            {
                wrong.push(format!("{}, {engine}: {found:?}", known.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
