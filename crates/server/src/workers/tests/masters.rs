//! Searches with workers, and what becomes of them when a worker does not do its part.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use paidia_arena::Playable;
use paidia_game::{RoleId, Rules};
use paidia_reason::propnet::Propnet;
use paidia_search::uct::{Returns, Settings, Uct};
use paidia_search::{Budget, Report, StopReason};

use super::super::master::Patience;
use super::super::{Token, Workers};
use super::proxy::{Mode, Proxy};
use super::{
    FOREVER, OPTIONS, await_room, eight_each, from_worker, modest, play_all, playable, rules,
    token, worker, workers,
};

const GAME: &str = "connect-four";

fn player(playable: &Playable<Propnet>, workers: &Workers, threads: usize) -> Uct<Propnet> {
    let settings = Settings {
        threads: Some(threads),
        returns: Returns::Own,
        ..Settings::paidia()
    };
    let source = workers.source(Arc::clone(playable.leaves().unwrap()));
    Uct::new(&playable.game, RoleId(0), settings, 1).with_leaves(&source)
}

/// Searches until `look_on`, in a thread of its own, returns.
fn search(
    player: &mut Uct<Propnet>,
    playable: &Playable<Propnet>,
    look_on: impl FnOnce() + Send,
) -> Report {
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            look_on();
            enough.store(true, Ordering::Relaxed);
        });
        player.search_until(&playable.game.initial(), Budget::time(FOREVER), &enough)
    })
}

/// Waits until something is so.
fn wait_until(is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() && started.elapsed() < FOREVER {
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Every simulation counted once: none was lost with a worker, and none told of twice.
#[track_caller]
fn assert_counts(report: &Report) {
    assert_eq!(report.stopped, StopReason::Interrupted);
    assert_eq!(report.moves.len(), 7);
    let visits: u64 = report.moves.iter().map(|made| made.visits).sum();
    assert_eq!(visits, report.simulations);
    assert!(report.playouts >= report.simulations);
    assert!(report.states > report.playouts);
    for made in &report.moves {
        assert!((0.0..=100.0).contains(&made.value), "{made:?}");
    }
}

#[test]
fn a_search_with_workers_finds_what_a_search_finds() {
    let playable = playable(GAME);
    let workers = workers(&playable.game, GAME, &[worker(2), worker(1)]);
    for report in workers.check() {
        assert_eq!(report.problem, None);
    }
    let mut player = player(&playable, &workers, 2);
    let report = search(&mut player, &playable, || {
        wait_until(|| {
            workers
                .report()
                .iter()
                .all(|worker| worker.playouts > 20_000)
        });
    });
    assert_counts(&report);
    let elsewhere: u64 = workers.report().iter().map(|worker| worker.playouts).sum();
    assert!(elsewhere > 40_000);
    // Those on the way when the search ended are not counted.
    assert!(report.playouts >= elsewhere);
    assert_eq!(
        playable.game.moves().name(report.moves[0].id).as_ref(),
        "(drop 4)",
        "the middle is best"
    );
}

#[test]
fn a_search_survives_its_workers() {
    let playable = playable(GAME);
    let proxy = Proxy::new(worker(1));
    let workers = workers(&playable.game, GAME, &[proxy.address]);
    let mut player = player(&playable, &workers, 1);
    let report = search(&mut player, &playable, || {
        wait_until(|| from_worker(&workers) > 1_000);
        proxy.set(Mode::Die);
        wait_until(|| workers.report()[0].problem.is_some());
        let before = from_worker(&workers);
        proxy.set(Mode::Pass);
        wait_until(|| from_worker(&workers) > before + 1_000);
    });
    assert_counts(&report);
    assert!(from_worker(&workers) > 2_000, "the worker came back");
}

/// Leaves at a worker that changes its ways are played elsewhere, each once.
#[track_caller]
fn assert_nothing_is_lost(mode: Mode, problem: &str) {
    let playable = playable(GAME);
    let proxy = Proxy::new(worker(1));
    let result = match mode {
        Mode::Silent => Duration::from_millis(100),
        _ => FOREVER,
    };
    let patience = Patience {
        result,
        retry: FOREVER,
    };
    let addresses = [proxy.address.to_string()];
    let workers =
        Workers::with_patience(&playable.game, rules(GAME), &addresses, token(), patience);
    let mut leaves = workers.source(modest(&playable))(OPTIONS);
    await_room(leaves.as_mut());
    proxy.set(mode);
    let told = play_all(leaves.as_mut(), &playable.game.initial(), 40);
    assert_eq!(told, eight_each(40));
    assert_eq!(from_worker(&workers), 0);
    let found = workers.report()[0].problem.clone().unwrap();
    assert!(found.contains(problem), "{found}");
    assert_eq!(leaves.room(), 0, "nothing more goes to the worker");
}

#[test]
fn a_worker_that_dies_is_given_up() {
    assert_nothing_is_lost(Mode::Die, "closed the connection");
}

#[test]
fn a_worker_that_falls_silent_is_given_up() {
    assert_nothing_is_lost(Mode::Silent, "took too long");
}

#[test]
fn a_worker_that_talks_nonsense_is_given_up() {
    let makes_no_sense = "makes no sense";
    assert_nothing_is_lost(Mode::Say("what?\n"), makes_no_sense);
    assert_nothing_is_lost(Mode::Say("[[[[\"\\u0000\n"), makes_no_sense);
    let answers = [
        r#"{"done":{"id":9999,"playouts":8,"states":100,"means":[50,50]}}"#,
        r#"{"done":{"id":0,"playouts":9,"states":100,"means":[50,50]}}"#,
        r#"{"done":{"id":0,"playouts":8,"states":100,"means":[50]}}"#,
        r#"{"done":{"id":0,"playouts":8,"states":100,"means":[50,1e999]}}"#,
        r#"{"done":{"id":-1,"playouts":8,"states":100,"means":[50,50]}}"#,
        r#"{"welcome":{"proof":""}}"#,
    ];
    for answer in answers {
        let line: &'static str = Box::leak(format!("{answer}\n").into_boxed_str());
        assert_nothing_is_lost(Mode::Say(line), makes_no_sense);
    }
}

#[test]
fn a_worker_that_says_why_it_goes_is_quoted() {
    let words = "{\"refused\":{\"because\":\"the tea is ready\"}}\n";
    assert_nothing_is_lost(Mode::Say(words), "the tea is ready");
}

#[test]
fn answers_to_what_was_cancelled_are_forgotten() {
    let playable = playable(GAME);
    let workers = workers(&playable.game, GAME, &[worker(2)]);
    let mut leaves = workers.source(modest(&playable))(OPTIONS);
    await_room(leaves.as_mut());
    let initial = playable.game.initial();
    for _ in 0..20 {
        for tag in 0..10 {
            leaves.submit(&initial, tag, 16);
        }
        leaves.run(&mut |value| assert_eq!(value.playouts, 16));
        leaves.cancel();
        assert_eq!(play_all(leaves.as_mut(), &initial, 10), eight_each(10));
    }
}

#[test]
fn the_master_plays_alone_where_nobody_is() {
    let playable = playable(GAME);
    // A listener that never answers, and an address without one.
    let mute = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let addresses = [mute.local_addr().unwrap(), gone.local_addr().unwrap()];
    drop(gone);
    let workers = workers(&playable.game, GAME, &addresses);
    let mut player = player(&playable, &workers, 1);
    let report = player.search(&playable.game.initial(), Budget::simulations(200));
    assert_eq!(report.stopped, StopReason::Simulations);
    assert!(report.simulations >= 200);
    assert!(workers.report().iter().all(|worker| worker.playouts == 0));
}

#[test]
fn tokens_must_be_equal() {
    let playable = playable(GAME);
    let other = Token::new(b"a secret that nobody knows").unwrap();
    let addresses = [worker(1).to_string()];
    let workers = Workers::new(&playable.game, rules(GAME), &addresses, other);
    let problem = workers.check()[0].problem.clone();
    assert_eq!(problem.as_deref(), Some("refused: the tokens differ"));
}

#[test]
fn both_sides_must_number_everything_alike() {
    let playable = playable(GAME);
    let addresses = [worker(1).to_string()];
    let workers = Workers::new(&playable.game, rules("tic-tac-toe"), &addresses, token());
    let problem = workers.check()[0].problem.clone().unwrap();
    assert!(problem.contains("read the rules differently"), "{problem}");
    let mut leaves = workers.source(modest(&playable))(OPTIONS);
    let told = play_all(leaves.as_mut(), &playable.game.initial(), 10);
    assert_eq!(told, eight_each(10));
    assert_eq!(from_worker(&workers), 0);
}

#[test]
fn rules_that_are_faulty_or_too_large_are_refused() {
    let playable = playable(GAME);
    let addresses = [worker(1).to_string()];
    let sheets = [
        ("(role", "faulty"),
        ("", "faulty"),
        (&"(".repeat(900_000), "faulty"),
        (&"; nothing\n".repeat(110_000), "limit"),
        (&"\u{1}".repeat(1_000_000), "too long"),
    ];
    for (text, problem) in sheets {
        let mut rules = rules(GAME);
        rules.text = text.to_owned();
        let workers = Workers::new(&playable.game, rules, &addresses, token());
        let found = workers.check()[0].problem.clone().unwrap();
        // A worker that has not read everything may be gone before its reason arrives.
        assert!(
            found.contains(problem) || problem == "too long",
            "{found}, not {problem}"
        );
    }
    let workers = workers(&playable.game, GAME, &[addresses[0].parse().unwrap()]);
    assert_eq!(workers.check()[0].problem, None);
}
