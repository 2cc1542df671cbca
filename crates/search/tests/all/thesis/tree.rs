//! The tree: how it grows, what it saves, and what it forgets.

use paidia_game::{Chance, Game, Legible, MoveId, RoleId, Rules, Walker};
use paidia_search::Budget;
use paidia_search::uct::{Settings, Uct};
use paidia_testkit::bundled;
use paidia_testkit::counting::Counting;

/// The state after some joint moves.
fn after<G: Game>(game: &G, line: &[Vec<MoveId>]) -> G::State {
    let (mut walker, mut state) = (game.walker(), game.initial());
    for joint in line {
        walker.advance(joint, &mut Chance::from_seed(0));
    }
    walker.save(&mut state);
    state
}

#[test]
fn a_simulation_adds_at_most_one_state() {
    for name in ["connect-four", "tic-tic-toe", "chinese-checkers-3"] {
        let game = bundled(name).propnet();
        let mut player = Uct::new(&game, RoleId(0), Settings::cadia(), 1);
        let mut before = 1;
        for _ in 0..200 {
            player.search(&game.initial(), Budget::simulations(1));
            assert!(player.nodes() <= before + 1, "{name}");
            before = player.nodes();
        }
        assert!(before > 100, "{name}: {before}");
    }
}

#[test]
fn known_states_are_never_asked_for_their_moves() {
    let game = Counting::new(bundled("tic-tac-toe").propnet());
    // Five squares are left, so that soon all there is is in the tree.
    let late = bundled("tic-tac-toe").propnet();
    let mut walker = late.walker();
    let mut fluents: Vec<String> = late.fluents(&late.initial());
    for (square, mark) in [("1 1", "x"), ("2 2", "o"), ("3 3", "x"), ("1 3", "o")] {
        let empty = format!("(cell {square} ");
        let place = fluents
            .iter()
            .position(|fluent| fluent.starts_with(&empty))
            .unwrap();
        fluents[place] = format!("(cell {square} {mark})");
    }
    let fluents: Vec<&str> = fluents.iter().map(String::as_str).collect();
    let state = late.state(&fluents).unwrap();
    walker.jump(&state);
    assert_eq!(walker.legal().of(RoleId(0)).len(), 5);

    let mut player = Uct::new(&game, RoleId(0), Settings::cadia(), 1);
    player.search(&state, Budget::simulations(20_000));
    let (nodes, asked) = (player.nodes(), game.asked());
    assert!(asked > 0);
    player.search(&state, Budget::simulations(1_000));
    assert_eq!(player.nodes(), nodes, "the tree was not complete");
    // The state that is searched is asked once, whether it can be searched at all.
    assert_eq!(game.asked(), asked + 1);
}

#[test]
fn after_a_move_nothing_before_it_is_kept() {
    let game = bundled("connect-four").propnet();
    let mut player = Uct::new(&game, RoleId(0), Settings::cadia(), 1);
    let report = player.search(&game.initial(), Budget::simulations(2_000));
    let before = player.nodes();
    // Two moves, so that the same player has a choice again.
    let next = after(&game, &report.line[..2]);
    let report = player.search(&next, Budget::simulations(1));
    // What was learnt about the new state is still there, and the states of no move and of one are
    // not.
    let visits: u64 = report.moves.iter().map(|moves| moves.visits).sum();
    assert!(visits > 20, "{visits}");
    let gone = before - player.nodes() + 1;
    assert!(gone >= 8, "{gone} of {before}");
    // The state before is as new.
    let report = player.search(&game.initial(), Budget::simulations(10));
    let visits: u64 = report.moves.iter().map(|moves| moves.visits).sum();
    assert_eq!(visits, 10);
}
