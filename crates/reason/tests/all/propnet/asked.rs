//! Relations that are too large as a whole are grounded as far as they are asked for: with room for
//! fewer atoms than a game has as a whole, its network still plays as the reference engine does.

use paidia_game::CrossCheck;
use paidia_gdl::grounding::{self, Budget};
use paidia_reason::propnet::{Propnet, ground_game};
use paidia_testkit::corpus::corpus;
use paidia_testkit::replay::difference;
use paidia_testkit::rules::{RuleSheet, rules};

/// Networks of bundled games that are made at least though there is no room for all atoms.
const MADE: u32 = 10;

/// A counter over all squares from question to question, with totals as arguments.
const COUNTING: &str = "
    (role r) (<= (legal r (put ?x)) (square ?x) (not (true (full ?x))))
    (<= (legal r pass) (square ?x))
    (init (step 0)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (next (full ?x)) (does r (put ?x))) (<= (next (full ?x)) (true (full ?x)))
    (<= (count ?x ?n ?all) (last ?x) (one ?x ?n ?all))
    (<= (count ?x ?n ?all) (one ?x ?n ?m) (after ?x ?y) (count ?y ?m ?all))
    (<= (one ?x ?n ?m) (true (full ?x)) (succ ?n ?m))
    (<= (one ?x ?n ?n) (square ?x) (not (true (full ?x))) (number ?n))
    (<= terminal (true (step 7)))
    (<= (goal r 100) (count a 0 5)) (<= (goal r 50) (count a 0 4))
    (<= (goal r 0) (count a 0 ?n) (small ?n))
    (small 0) (small 1) (small 2) (small 3)
    (square a) (square b) (square c) (square d) (square e) (square f)
    (after a b) (after b c) (after c d) (after d e) (after e f) (last f)
    (<= (number ?n) (succ ?n ?m)) (<= (number ?n) (succ ?m ?n))";

/// Rays between squares that pass over one square more, asked for by where a piece stands, denied
/// in what is legal; the move is a term of one function on the way.
const RAYS: &str = "
    (role white) (role black) (init (control white)) (init (at white 0)) (init (at black 9))
    (init (step 0)) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
    (<= (next (control white)) (true (control black)))
    (<= (next (control black)) (true (control white)))
    (<= (next (at ?p ?y)) (does ?p (go ?x ?y)))
    (<= (next (at ?p ?x)) (true (at ?p ?x)) (not (moves ?p))) (<= (moves ?p) (does ?p (go ?x ?y)))
    (<= (can ?p (go ?x ?y)) (true (at ?p ?x)) (succ ?x ?y))
    (<= (can ?p (go ?x ?y)) (true (at ?p ?x)) (succ ?y ?x))
    (<= (legal ?p (go ?x ?y)) (true (control ?p)) (can ?p (go ?x ?y)) (not (seen ?p ?y ?x)))
    (<= (legal ?p wait) (role ?p))
    (<= (seen ?p ?y ?ignored) (other ?p ?q) (true (at ?q ?z)) (clear ?z ?y ?ignored))
    (<= (clear ?x ?y ?ignored) (succ ?x ?y) (square ?ignored))
    (<= (clear ?x ?y ?x2) (succ ?x ?x2) (clear ?x2 ?y ?x2))
    (<= (clear ?x ?y ?ignored) (succ ?x ?x2) (free ?x2) (clear ?x2 ?y ?ignored))
    (<= (free ?x) (square ?x) (not (taken ?x))) (<= (taken ?x) (true (at ?p ?x)))
    (<= (square ?n) (succ ?n ?m)) (<= (square ?n) (succ ?m ?n))
    (other white black) (other black white)
    (<= terminal (true (step 30)))
    (<= (goal ?p 100) (true (at ?p 5))) (<= (goal ?p 0) (role ?p) (not (true (at ?p 5))))";

/// A sheet with the numbers up to 40 in order.
fn with_numbers(sheet: &str) -> RuleSheet {
    let facts = (0..40).map(|number| format!(" (succ {number} {})", number + 1));
    rules(&format!("{sheet}{}", facts.collect::<String>()))
}

fn with_room_for(atoms: u64) -> Budget {
    Budget {
        atoms,
        ..Budget::default()
    }
}

/// The number of atoms of a sheet's ground program, if there is room for them.
fn atoms(sheet: &RuleSheet, room: u64) -> Option<usize> {
    let ground = grounding::ground(&sheet.program(), with_room_for(room));
    ground.ok().map(|ground| ground.atoms)
}

/// Plays the network that is made with so little room beside the reference engine, if one is made.
fn agrees(sheet: &RuleSheet, room: u64, playouts: u32) -> bool {
    let Ok(game) = ground_game("test", &sheet.program(), with_room_for(room)) else {
        return false;
    };
    let engines = CrossCheck {
        trusted: sheet.reference(),
        suspect: Propnet::new(game),
    };
    if let Err(difference) = engines.run(playouts, 40, 1) {
        panic!("{} in room for {room} atoms: {difference}", sheet.name);
    }
    true
}

/// Checks that a sheet needs much less room if large relations are asked for.
fn check_in_a_third_of_the_room(sheet: &str) {
    let sheet = with_numbers(sheet);
    let whole = atoms(&sheet, u64::MAX).unwrap();
    let asked = atoms(&sheet, whole as u64 / 2).unwrap();
    assert!(asked * 3 < whole, "{asked} of {whole} atoms");
    assert!(agrees(&sheet, whole as u64 / 2, 30));
}

#[test]
fn counting_asks_on_from_square_to_square() {
    check_in_a_third_of_the_room(COUNTING);
}

#[test]
fn rays_are_asked_for_by_the_square_that_is_seen() {
    check_in_a_third_of_the_room(RAYS);
}

#[test]
fn bundled_games_play_the_same_in_little_room() {
    let mut made = 0;
    for sheet in RuleSheet::all_bundled() {
        let Some(whole) = atoms(&sheet, 6_000) else {
            continue;
        };
        for share in [1, 2, 3] {
            made += u32::from(agrees(&sheet, whole as u64 * share / 4, 2));
        }
    }
    assert!(
        made >= MADE,
        "{made} networks in too little room for the whole"
    );
}

/// Sheets of the public collection that are too large as a whole.
const LARGE: &[&str] = &["merrills"];

#[test]
fn large_sheets_play_as_recorded() {
    let Some(corpus) = corpus() else { return };
    for name in LARGE {
        let network = corpus.rules(name).propnet();
        for playout in corpus.playouts(name) {
            assert_eq!(difference(&network, &playout), None, "{name}");
        }
    }
}
