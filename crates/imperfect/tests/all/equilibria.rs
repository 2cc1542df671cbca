//! Values of bundled games that are known from elsewhere, by regret minimisation.

use std::convert::Infallible;
use std::sync::atomic::AtomicBool;

use paidia_game::{MoveId, RoleId, Sight};
use paidia_imperfect::equilibrium::{Effort, Equilibrium, solve};
use paidia_imperfect::players::{Equilibrist, Solutions};
use paidia_imperfect::values::{self, Play};
use paidia_imperfect::{Explorer, Limits, unfold};
use paidia_search::{Budget, Player, RandomPlayer};
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

/// What a best response wins from a player that draws its moves by an equilibrium is little: it is
/// asked thirty times in each information set, as `paidia exploit` does.
#[test]
fn a_best_response_wins_little_from_the_equilibrist() {
    for (name, most) in [
        ("kuhn-poker", 2.0),
        ("leduc-poker", 5.0),
        ("liars-dice", 5.0),
    ] {
        let game = bundled(name).propnet();
        let mut explorer = Explorer::new(&game, Limits::default()).unwrap();
        let unfolding = unfold(&mut explorer, None).unwrap();
        let (table, solutions) = (&explorer.table, Solutions::default());
        let effort = Effort {
            rounds: 10_000,
            enough: 0.05,
        };
        let found = solve(&unfolding, table, effort, &mut |_, _| true).unwrap();
        for player in 0..2 {
            let role = table.players[player];
            let mut ask = |history: &[(MoveId, u32)], legal: &[MoveId], sample: u32| {
                let seed = u64::from(sample);
                let other = Box::new(RandomPlayer::new(&game, RoleId(role.0), seed));
                let mut asked = Equilibrist::new(&game, role, other, solutions.clone(), seed);
                for &(made, percepts) in history {
                    asked.observe(&Sight::Own {
                        made: Some(made),
                        percepts: &table.percept_sets[percepts as usize],
                    });
                }
                let decision = asked.choose(legal, Budget::default(), &AtomicBool::new(false));
                Ok::<MoveId, Infallible>(decision.id)
            };
            let strategy = values::measured(&unfolding, table, player, 30, &mut ask).unwrap();
            let mut plays = [Play::Uniform; 2];
            plays[player] = Play::Strategy(&strategy);
            let reach = values::reach(&unfolding, table, &plays, Some(1 - player));
            let best = values::best_response(&unfolding, table, 1 - player, &reach).unwrap();
            let guaranteed = match player {
                0 => found.value(),
                _ => f64::from(found.sum) - found.value(),
            };
            let loss = guaranteed - (f64::from(found.sum) - best.value());
            println!("{name} {player}: loses {loss:.3}");
            assert!(loss < most, "{name} {player}: {loss}");
        }
    }
}
