//! Playouts by a crew of threads: what a search finds, counts and leaves behind.

mod odd;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use odd::{Odd, Oddity};
use paidia_game::{Game, RoleId, Rules};
use paidia_search::leaves::crew::{Crewing, Management};
use paidia_search::uct::{Leaves, Settings, Uct};
use paidia_search::{Budget, Costs, Informed, Report, StopReason};
use paidia_testkit::bundled;
use paidia_testkit::counting::Counting;
use paidia_testkit::process::wait_until;

/// Plain UCT with a crew.
fn crewed(threads: usize, management: Management, positions: u32, playouts: u32) -> Settings {
    let crew = Crewing {
        threads,
        management,
        positions: Some(positions),
    };
    Settings {
        leaves: Leaves::Crewed { playouts, crew },
        ..Settings::cadia()
    }
}

/// What a search found, without the time it took, and how many nodes its tree has.
fn search<G: Game>(game: &G, settings: Settings, simulations: u64) -> (Report, usize) {
    let mut player = Uct::new(game, RoleId(0), settings, 11);
    let mut report = player.search(&game.initial(), Budget::simulations(simulations));
    report.time = Duration::ZERO;
    report.costs = Costs::default();
    (report, player.nodes())
}

#[test]
fn any_number_of_threads_and_any_management_is_one_search() {
    let game = bundled("connect-four").propnet();
    for (positions, playouts) in [(1, 1), (4, 1), (3, 5)] {
        let serial = crewed(1, Management::Serial, positions, playouts);
        let expected = search(&game, serial, 150);
        for management in Management::ALL {
            for threads in [1, 3] {
                let found = search(&game, crewed(threads, management, positions, playouts), 150);
                assert_eq!(found, expected, "{management:?}, {threads} threads");
            }
        }
    }
}

/// With playouts that draw nothing, the searching thread draws what it draws without a crew, so
/// that the trees must be the same.
#[test]
fn sets_of_one_position_give_the_tree_of_a_search_without_a_crew() {
    let game = Odd::new(bundled("connect-four").propnet(), Oddity::NoChance);
    let plain = Settings {
        discount: 1.0,
        ..Settings::cadia()
    };
    let expected = search(&game, plain, 400);
    for management in Management::ALL {
        let settings = Settings {
            discount: 1.0,
            ..crewed(2, management, 1, 1)
        };
        assert_eq!(search(&game, settings, 400), expected, "{management:?}");
    }
    // Larger sets are another search: leaves are chosen before the last ones are known.
    let larger = Settings {
        discount: 1.0,
        ..crewed(2, Management::Signal, 8, 1)
    };
    assert_ne!(search(&game, larger, 400), expected);
}

#[test]
fn no_playout_is_lost_and_all_are_counted() {
    let game = bundled("breakthrough-6x6").propnet();
    for management in Management::ALL {
        // The last set is not full: 333 is no multiple of 8.
        let (report, _) = search(&game, crewed(3, management, 8, 3), 333);
        assert_eq!(report.stopped, StopReason::Simulations);
        assert_eq!((report.simulations, report.playouts), (333, 999));
        let visits: u64 = report.moves.iter().map(|made| made.visits).sum();
        assert_eq!(visits, 333, "{management:?}");
    }
}

#[test]
fn a_crew_finds_the_move_that_wins() {
    let game = bundled("tic-tac-toe").propnet();
    let mut player = Uct::new(&game, RoleId(0), crewed(2, Management::Signal, 4, 2), 3);
    // x has two in a row, and o has two in another.
    let state = paidia_game::Legible::state(
        &game,
        &[
            "(cell 1 1 x)",
            "(cell 1 2 x)",
            "(cell 1 3 empty)",
            "(cell 2 1 o)",
            "(cell 2 2 o)",
            "(cell 2 3 empty)",
            "(cell 3 1 empty)",
            "(cell 3 2 empty)",
            "(cell 3 3 empty)",
            "(control x)",
        ],
    );
    let decision = player.choose(&state.unwrap(), Budget::simulations(2_000));
    assert_eq!(game.moves().name(decision.id).to_string(), "(mark 1 3)");
}

#[test]
fn searches_end_on_time_or_when_they_are_interrupted_and_leave_no_thread() {
    for management in Management::ALL {
        let odd = Odd::new(bundled("connect-four").propnet(), Oddity::None);
        let alive = Arc::clone(&odd.alive);
        let game = Counting::new(odd);
        let mut player = Uct::new(&game, RoleId(0), crewed(3, management, 6, 1), 5);
        let report = player.search(&game.initial(), Budget::time(Duration::from_millis(30)));
        assert_eq!(report.stopped, StopReason::Time, "{management:?}");
        let enough = AtomicBool::new(false);
        let report = std::thread::scope(|scope| {
            let search =
                scope.spawn(|| player.search_until(&game.initial(), Budget::default(), &enough));
            let before = game.asked();
            wait_until("the search has begun", || game.asked() > before + 1_000);
            enough.store(true, Ordering::Relaxed);
            search.join().unwrap()
        });
        assert_eq!(report.stopped, StopReason::Interrupted, "{management:?}");
        drop(player);
        // Threads have walkers, and walkers are counted.
        assert_eq!(Arc::strong_count(&alive), 2, "{management:?}");
    }
}

#[test]
fn an_engine_limit_in_a_playout_stops_the_search() {
    for management in Management::ALL {
        let game = Odd::new(bundled("connect-four").propnet(), Oddity::Fault);
        let (report, _) = search(&game, crewed(2, management, 4, 1), 100);
        assert_eq!(report.stopped, StopReason::Fault, "{management:?}");
    }
}

#[test]
fn a_panic_of_a_thread_is_a_panic_of_the_search_and_not_a_wait_for_ever() {
    for management in Management::ALL {
        let game = Odd::new(bundled("connect-four").propnet(), Oddity::Panic);
        let settings = crewed(2, management, 4, 1);
        let ended = catch_unwind(AssertUnwindSafe(|| search(&game, settings, 100)));
        assert!(ended.is_err(), "{management:?}");
    }
}
