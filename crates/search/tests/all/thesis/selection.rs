//! How moves are chosen in the tree.

use paidia_game::{RoleId, Rules};
use paidia_search::Budget;
use paidia_search::uct::{Settings, Uct};
use paidia_testkit::bundled;

#[test]
fn every_move_is_tried_once_before_any_is_tried_twice() {
    let game = bundled("connect-four").propnet();
    for seed in 0..50 {
        for simulations in 1..=14 {
            let mut player = Uct::new(&game, RoleId(0), Settings::cadia(), seed);
            let report = player.search(&game.initial(), Budget::simulations(simulations));
            let visits = || report.moves.iter().map(|moves| moves.visits);
            assert_eq!(visits().sum::<u64>(), simulations);
            let most = visits().max().unwrap();
            assert!(
                simulations > 7 || most == 1,
                "seed {seed}: {:?}",
                report.moves
            );
            assert!(simulations < 7 || visits().all(|visits| visits > 0));
        }
    }
}

#[test]
fn the_first_move_is_drawn_uniformly() {
    let game = bundled("connect-four").propnet();
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..1_400 {
        let mut player = Uct::new(&game, RoleId(0), Settings::cadia(), seed);
        let report = player.search(&game.initial(), Budget::simulations(1));
        let tried = report.moves.iter().find(|moves| moves.visits > 0).unwrap();
        *counts.entry(tried.id).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 7);
    // Chi-square with six degrees of freedom: 22.5 is passed by chance once in a thousand.
    let square: f64 = counts
        .values()
        .map(|&count| (f64::from(count) - 200.0).powi(2) / 200.0)
        .sum();
    assert!(square < 22.5, "{counts:?}");
}
