//! Values of bundled games that are known from elsewhere, by regret minimisation.

use paidia_imperfect::equilibrium::{Effort, Equilibrium, solve};
use paidia_imperfect::{Explorer, Limits, unfold};
use paidia_testkit::rules::bundled;

fn equilibrium(name: &str) -> Equilibrium {
    let mut explorer = Explorer::new(&bundled(name).propnet(), Limits::default()).unwrap();
    let unfolding = unfold(&mut explorer, None).unwrap();
    let effort = Effort {
        rounds: 1_000_000,
        enough: 1e-6,
    };
    solve(&unfolding, &explorer.table, effort, &mut |_, _| true).unwrap()
}

/// The value is -1/18 of the ante, which is 25 points (Kuhn 1950).
#[test]
fn kuhn_poker_is_worth_what_kuhn_found() {
    let found = equilibrium("kuhn-poker");
    assert!(
        (found.value() - (50.0 - 25.0 / 18.0)).abs() < 1e-6,
        "{found:?}"
    );
    assert!(found.upper - found.lower <= 1e-6);
    assert_eq!(found.sets, [6, 6]);
}

/// The value is -0.085606424 chips of 3 points each, by linear programs of several programs.
#[test]
fn leduc_poker_is_worth_what_linear_programs_found() {
    let found = equilibrium("leduc-poker");
    let chips = (found.value() - 50.0) / 3.0;
    assert!((chips + 0.085_606_424).abs() < 1e-6, "{chips}");
    assert!(found.upper - found.lower <= 1e-6);
}

/// Hiding makes the cutter guess: 40 for the armer on average, against 20 for telling.
#[test]
fn spies_hide() {
    let mut explorer = Explorer::new(&bundled("spy-vs-spy").propnet(), Limits::default()).unwrap();
    let unfolding = unfold(&mut explorer, None).unwrap();
    let hyperplay = paidia_imperfect::limits::hyperplay(&unfolding, &explorer.table);
    let worth = paidia_imperfect::limits::hyperplay_ii(&unfolding, &explorer.table, 0, &hyperplay);
    let mut first: Vec<f64> = worth[unfolding.players[0].sequences(0)].to_vec();
    first.sort_by(f64::total_cmp);
    assert_eq!(first, [20.0, 20.0, 40.0, 40.0]);
}
