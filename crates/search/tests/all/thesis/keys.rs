//! Keys of states: the tree finds states by 64 bits, so those must tell states apart.

use std::collections::{HashMap, HashSet};

use paidia_game::{AnyGame, Chance, Game, JointMoves, Legible, Rules, Walker};
use paidia_testkit::{RuleSheet, bundled};

/// All states that can be reached, with their keys.
fn keys(game: &AnyGame) -> HashMap<paidia_game::AnyState, u64> {
    let (mut walker, mut chance) = (game.walker(), Chance::from_seed(0));
    let mut found = HashMap::from([(game.initial(), walker.hash64())]);
    let mut open = vec![game.initial()];
    let mut joints = JointMoves::new();
    while let Some(state) = open.pop() {
        walker.jump(&state);
        if walker.is_terminal() {
            continue;
        }
        joints.refill(walker.legal());
        while let Some(joint) = joints.next() {
            walker.jump(&state);
            walker.advance(joint, &mut chance);
            let (mut next, key) = (state.clone(), walker.hash64());
            walker.save(&mut next);
            match found.insert(next.clone(), key) {
                None => open.push(next),
                // By whatever moves a state is reached, its key is the same.
                Some(before) => assert_eq!(key, before),
            }
        }
    }
    found
}

#[test]
fn no_two_states_of_tic_tac_toe_have_the_same_key() {
    for game in [
        AnyGame::new(bundled("tic-tac-toe").reference()),
        AnyGame::new(bundled("tic-tac-toe").propnet()),
    ] {
        let keys = keys(&game);
        assert_eq!(keys.len(), 5_478);
        let different: HashSet<u64> = keys.values().copied().collect();
        assert_eq!(different.len(), keys.len());
        // A jump gives the key that play gave.
        let mut walker = game.walker();
        for (state, &key) in &keys {
            walker.jump(state);
            assert_eq!(walker.hash64(), key);
        }
    }
}

/// Any square may hold anything: the states of the thesis' counter-examples can all be reached.
const SQUARES: &str = "
    (role player)
    (init (cell 1 2 b))
    (<= (legal player (put ?x ?y ?mark)) (number ?x) (number ?y) (mark ?mark))
    (<= (next (cell ?x ?y ?mark)) (does player (put ?x ?y ?mark)))
    (<= (next (cell ?x ?y ?mark)) (true (cell ?x ?y ?mark)))
    (<= terminal (true (cell 3 3 x)))
    (goal player 0)
    (number 1) (number 2) (number 3)
    (mark x) (mark o) (mark b)";

fn key_of<G: Game + Legible>(game: &G, fluents: &[&str]) -> u64 {
    let mut walker = game.walker();
    walker.jump(&game.state(fluents).unwrap());
    walker.hash64()
}

#[test]
fn the_counter_examples_of_the_thesis_have_different_keys() {
    let simple = RuleSheet::new("squares", SQUARES).reference();
    for game in [
        AnyGame::new(simple),
        AnyGame::new(RuleSheet::new("squares", SQUARES).propnet()),
    ] {
        // The order of the arguments counts.
        assert_ne!(
            key_of(&game, &["(cell 1 2 b)"]),
            key_of(&game, &["(cell 2 1 b)"])
        );
        // So does which of two facts has which part.
        let one = key_of(&game, &["(cell 1 1 x)", "(cell 2 2 o)"]);
        assert_ne!(one, key_of(&game, &["(cell 1 1 o)", "(cell 2 2 x)"]));
        assert_ne!(one, key_of(&game, &["(cell 1 2 x)", "(cell 2 1 o)"]));
        // The order of the facts does not.
        assert_eq!(one, key_of(&game, &["(cell 2 2 o)", "(cell 1 1 x)"]));
    }
}
