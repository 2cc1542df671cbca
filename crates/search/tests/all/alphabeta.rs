//! Alpha-beta and what it judges states by.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use paidia_game::solve::Oracle;
use paidia_game::{Chance, Features, Game, RoleId, Rules, Walker};
use paidia_reason::propnet::Propnet;
use paidia_search::alphabeta::{AlphaBeta, NotInTurn, Settings, fits};
use paidia_search::evaluation::{Lesson, NotForTwo, Pupil, Shared, Teacher};
use paidia_search::{Budget, Informed};
use paidia_testkit::bundled;

/// An evaluation from a few playouts.
fn learnt(game: &Propnet) -> Arc<Shared> {
    let teacher = Teacher::new(game, None, 1).unwrap();
    let lesson = Lesson {
        states: 80,
        ..Lesson::WITHOUT_CLOCK
    };
    let shared = Arc::new(Shared::default());
    shared.keep(teacher.learn(&game.initial(), lesson, &AtomicBool::new(false)));
    shared
}

fn player(
    game: &Propnet,
    role: RoleId,
    settings: Settings,
    shared: &Arc<Shared>,
) -> AlphaBeta<Propnet> {
    let pupil = Pupil::new(game, None, Arc::clone(shared), 1);
    AlphaBeta::new(game, role, settings, pupil).unwrap()
}

/// States of random games in which one role has a choice, with that role.
fn states(game: &Propnet, seed: u64, least: usize) -> Vec<(RoleId, <Propnet as Rules>::State)> {
    let (mut walker, mut chance) = (game.walker(), Chance::from_seed(seed));
    let (mut joint, mut found) = (Vec::new(), Vec::new());
    for _ in 0..8 {
        walker.jump(&game.initial());
        let mut ply = 0;
        while !walker.is_terminal() {
            let chooser = walker.legal().iter().find(|(_, moves)| moves.len() > 1);
            if let Some((role, _)) = chooser.filter(|_| ply >= least) {
                let mut state = game.initial();
                walker.save(&mut state);
                found.push((role, state));
            }
            walker.draw(&mut chance, &mut joint).unwrap();
            walker.advance(&joint, &mut chance);
            ply += 1;
        }
    }
    found
}

#[test]
fn whatever_is_left_out_the_best_moves_are_found() {
    let small = Settings {
        memory: 1 << 15,
        ..Settings::default()
    };
    let plain = Settings {
        quiescence: false,
        reductions: false,
        ..Settings::default()
    };
    for (name, least) in [("tic-tac-toe", 1), ("nim-small", 0)] {
        let game = bundled(name).propnet();
        let mut oracle = Oracle::new(&game, 2_000_000).unwrap();
        let shared = learnt(&game);
        for settings in [Settings::default(), plain, small] {
            let mut checked = 0;
            for (role, state) in states(&game, 3, least).into_iter().take(12) {
                let mut player = player(&game, role, settings, &shared);
                let chosen = player.choose(&state, Budget::simulations(60_000));
                let best = oracle.best_moves(&state).unwrap();
                assert!(best.contains(&chosen.id), "{name}, {settings:?}");
                checked += 1;
            }
            assert!(checked > 0, "{name}");
        }
    }
}

#[test]
fn a_seed_and_a_number_of_nodes_give_the_same_search() {
    let game = bundled("breakthrough-5x5").propnet();
    let search = || {
        let mut player = player(&game, RoleId(0), Settings::default(), &learnt(&game));
        let mut report = player
            .choose(&game.initial(), Budget::simulations(3_000))
            .report;
        report.time = std::time::Duration::ZERO;
        report
    };
    let (one, other) = (search(), search());
    assert_eq!(one, other);
    assert!(!one.line.is_empty() && one.simulations >= 3_000);
}

#[test]
fn games_of_other_kinds_are_refused() {
    let refused = |name: &str| fits(&bundled(name).propnet()).unwrap_err();
    assert_eq!(refused("eight-puzzle"), NotForTwo::Players.into());
    assert_eq!(refused("kuhn-poker"), NotForTwo::Chance.into());
    assert_eq!(refused("krieg-tic-tac-toe"), NotForTwo::Hidden.into());
    assert_eq!(refused("rock-paper-scissors"), NotInTurn::Simultaneous);
}

#[test]
fn an_evaluation_finds_out_what_pieces_are_worth() {
    let game = bundled("breakthrough-5x5").propnet();
    let teacher = Teacher::new(&game, None, 1).unwrap();
    let lesson = Lesson {
        states: 500,
        ..Lesson::WITHOUT_CLOCK
    };
    let learnt = teacher.learn(&game.initial(), lesson, &AtomicBool::new(false));
    assert!(learnt.quality.correlation > 0.4, "{:?}", learnt.quality);
    assert_eq!(learnt.quality.playouts, 500 * 16);
    // A pawn that is far ahead is good for its owner, and pawns are pieces.
    let places = |content: &str| {
        let mut values = learnt.told.values.iter();
        let found = values.find(|value| value.content == content).unwrap();
        assert!(found.is_piece);
        (found.places[0].1, found.places[found.places.len() - 1].1)
    };
    assert!(places("white").0 > 0.3 && places("black").1 < -0.3);
    let mut words = vec![0; game.width()];
    game.write(&game.initial(), &mut words);
    assert_eq!(learnt.pieces(&words), 20);
    let balance = learnt.score(&words);
    assert!(balance.abs() < 1_000, "{balance}");
}
