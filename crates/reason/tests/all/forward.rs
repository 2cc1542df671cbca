//! The forward engine: recursion, tables within their memory, and the lengths of play that its
//! paper gives. Its answers are compared with the reference in the suite of `arena`.

use paidia_game::{
    Chance, ConformanceOptions, CrossCheck, Legible, PlayoutRunner, Rules, conformance,
};
use paidia_gdl::program::Program;
use paidia_reason::forward::{Options, Order};
use paidia_reason::{Forward, Reference};
use paidia_testkit::{bundled, rules};

/// Little memory, so that tests are quick and large rules run without tables.
const SMALL: Options = Options {
    order: Order::Best,
    memory: 8 << 20,
    candidates: true,
};

/// The first difference to the reference engine in some random play.
fn difference(name: &str, program: &Program, options: Options, playouts: u32) -> Option<String> {
    let suspect = Forward::with(name, program, options).unwrap();
    let trusted = Reference::new(name, program).unwrap();
    let pair = CrossCheck { trusted, suspect };
    let difference = pair.run(playouts, 60, 5).err();
    difference.map(|difference| format!("{name}, {options:?}: {difference}"))
}

#[test]
fn any_memory_gives_the_same_answers() {
    for name in [
        "tic-tac-toe",
        "breakthrough-6x6",
        "kuhn-poker",
        "hanoi",
        "atari-go-7x7",
    ] {
        for memory in [20_000, 0] {
            let options = Options { memory, ..SMALL };
            let found = difference(name, &bundled(name).program(), options, 3);
            assert_eq!(found, None);
        }
    }
}

#[test]
fn walkers_keep_the_promises_of_the_contract() {
    for name in ["tic-tac-toe", "hanoi", "kuhn-poker", "rock-paper-scissors"] {
        for memory in [0, 3_000, 1 << 20] {
            let options = Options { memory, ..SMALL };
            let game = Forward::with(name, &bundled(name).program(), options).unwrap();
            assert_eq!(
                conformance(&game, ConformanceOptions::default()),
                [],
                "{name}"
            );
        }
    }
}

/// Groups of relations that need each other, with two recursive conditions in one rule, and a
/// recursion without variables.
#[test]
fn recursion_is_followed_to_its_end() {
    let paths = "
        (role r) (init (at a)) (init (link a b))
        (node a) (node b) (node c) (node d)
        (<= (legal r (join ?x ?y)) (node ?x) (node ?y))
        (<= (next (link ?x ?y)) (true (link ?x ?y)))
        (<= (next (link ?x ?y)) (does r (join ?x ?y)))
        (<= (next (at ?x)) (true (at ?x)))
        (<= (next (at ?x)) (path a ?x))
        (<= (path ?x ?y) (true (link ?x ?y)))
        (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
        (<= (even ?x) (true (at ?x)) (not (true (link ?x ?x))))
        (<= (even ?y) (odd ?x) (true (link ?x ?y)))
        (<= (odd ?y) (even ?x) (true (link ?x ?y)))
        (<= win (path a d) (odd d))
        (<= lost win (even a))
        (<= win lost)
        (<= terminal win)
        (<= (goal r 100) lost)
        (<= (goal r 50) win (not lost))
        (<= (goal r 0) (not win))";
    let program = rules(paths).program();
    for order in [Order::Best, Order::Original, Order::Worst] {
        let options = Options { order, ..SMALL };
        let found = difference("paths", &program, options, 40);
        assert_eq!(found, None);
    }
}

#[test]
fn memory_is_never_more_than_allowed() {
    for name in ["breakthrough", "connect-four-8x6", "peg-solitaire"] {
        let program = bundled(name).program();
        for memory in [1_000, 100_000, 1 << 20] {
            let game = Forward::with(name, &program, Options { memory, ..SMALL }).unwrap();
            let report = game.report();
            let used = report.table_bytes + report.knowledge_bytes;
            assert!(used <= memory, "{name}: {report:?}");
        }
    }
}

#[test]
fn small_games_have_small_tables() {
    let game = Forward::new("tic-tac-toe", &bundled("tic-tac-toe").program()).unwrap();
    let report = game.report();
    assert_eq!(report.untabled, 0, "{report:?}");
    assert!((1_000..70_000).contains(&report.table_bytes), "{report:?}");
}

fn mean_states(name: &str, playouts: u32) -> f64 {
    let game = Forward::new(name, &bundled(name).program()).unwrap();
    let mut runner = PlayoutRunner::new(&game, game.initial(), 100);
    let mut chance = Chance::from_seed(1);
    (0..playouts).for_each(|_| {
        runner.run(&mut chance);
    });
    // The paper counts the state at the start, too.
    1.0 + runner.figures().mean_length().unwrap()
}

#[test]
fn playouts_are_as_long_as_published() {
    let (short, long) = (
        mean_states("tic-tac-toe", 20_000),
        mean_states("connect-four-8x6", 3_000),
    );
    assert!((short - 8.63).abs() < 0.04, "{short}");
    assert!((long - 23.36).abs() < 0.6, "{long}");
}

#[test]
fn states_are_read_and_written() {
    let game = Forward::new("hanoi", &bundled("hanoi").program()).unwrap();
    let start = game.initial();
    let fluents = game.fluents(&start);
    let texts: Vec<&str> = fluents.iter().map(String::as_str).rev().collect();
    assert_eq!(game.state(&texts), Ok(start));
    assert!(game.state(&["(on 5 17)"]).is_err());
    assert!(game.state(&["(nowhere 5 1)"]).is_err());
}
