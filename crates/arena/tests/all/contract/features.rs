//! States as bits: engines that know all fluents agree on what each bit means.

use paidia_arena::engine::{EngineSpec, load};
use paidia_arena::rules::Ruleset;
use paidia_game::{AnyGame, Chance, Game, Rules, Walker};
use paidia_gdl::grounding::Budget;

fn game(engine: &str) -> AnyGame {
    let spec: EngineSpec = engine.parse().unwrap();
    let rules = Ruleset::find("connect-four").unwrap();
    load(&spec, &rules, Budget::default())
        .unwrap()
        .game()
        .unwrap()
}

/// The names, and the bits of each state of a playout.
fn features(game: &AnyGame) -> (Vec<String>, Vec<Vec<u64>>) {
    let features = game.features().unwrap();
    let (mut walker, mut state) = (game.walker(), game.initial());
    let (mut chance, mut joint) = (Chance::from_seed(9), Vec::new());
    let mut found = Vec::new();
    while !walker.is_terminal() {
        walker.save(&mut state);
        let mut words = vec![0; features.width()];
        features.write(&state, &mut words);
        found.push(words);
        walker.draw(&mut chance, &mut joint).unwrap();
        walker.advance(&joint, &mut chance);
    }
    (features.names().to_vec(), found)
}

#[test]
fn engines_of_ground_rules_write_the_same_bits() {
    let (names, states) = features(&game("propnet"));
    assert!(names.is_sorted() && states.len() > 7);
    assert_eq!(features(&game("incremental")), (names, states));
}

/// Rows that are derived are not known beforehand.
#[test]
fn other_engines_have_no_features() {
    assert!(game("reference").features().is_none());
    assert!(game("forward").features().is_none());
}
