//! Networks that several threads evaluate together give the answers that one thread gives.

use paidia_game::{
    ConformanceOptions, CrossCheck, Effort, Extent, Game, MoveId, RoleId, Rules, Walker,
    conformance, simulate,
};
use paidia_reason::propnet::engine::{Layered, NoLayers};
use paidia_reason::propnet::{GroundGame, Propnet};

use crate::propnet::games;

/// One thread without waits, and more of them.
const THREADS: [usize; 2] = [1, 3];

fn drawn() -> [GroundGame; 3] {
    [
        games::tic_tac_toe(),
        games::breakthrough(),
        games::hidden_coin(),
    ]
}

#[test]
fn layered_networks_conform() {
    for threads in THREADS {
        for game in drawn() {
            let name = game.facts.name.clone();
            let options = ConformanceOptions {
                playouts: 1,
                ..ConformanceOptions::default()
            };
            let game = Layered::new(game, threads).unwrap();
            assert_eq!(conformance(&game, options), [], "{name}, {threads} threads");
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_answers_of_one() {
    for threads in THREADS {
        for game in drawn() {
            let name = game.facts.name.clone();
            let check = CrossCheck {
                trusted: Propnet::new(game.clone()),
                suspect: Layered::new(game, threads).unwrap(),
            };
            let agreement = check.run(2, 200, 4);
            assert!(
                agreement.is_ok(),
                "{name}, {threads} threads: {agreement:?}"
            );
        }
    }
}

#[test]
fn a_seed_is_the_same_play_with_any_number_of_threads() {
    let effort = Effort {
        extent: Extent::Playouts(5),
        threads: 1,
        seed: 8,
        step_limit: 1_000,
    };
    let propnet = Propnet::new(games::breakthrough());
    let expected = simulate(&propnet, &propnet.initial(), effort, &mut |_| ());
    for threads in [1, 2] {
        let game = Layered::new(games::breakthrough(), threads).unwrap();
        let figures = simulate(&game, &game.initial(), effort, &mut |_| ());
        assert_eq!(figures, expected, "{threads} threads");
    }
}

#[test]
fn recursion_has_no_layers() {
    let refused = Layered::new(games::corridor(5), 2).err();
    assert!(matches!(refused, Some(NoLayers { nodes }) if nodes > 0));
}

#[test]
fn layers_do_not_depend_on_threads() {
    let layers = |threads| {
        let game = Layered::new(games::breakthrough(), threads).unwrap();
        (game.layers(), game.gates())
    };
    let (depth, gates) = layers(1);
    assert!(depth >= 4 && gates > 100, "{depth} layers, {gates} gates");
    assert_eq!(layers(7), (depth, gates));
}

#[test]
fn a_move_that_the_role_does_not_have_leads_somewhere() {
    let game = Layered::new(games::breakthrough(), 2).unwrap();
    let mut walker = game.walker();
    let mut chance = paidia_game::Chance::from_seed(1);
    for joint in [
        vec![],
        vec![MoveId(u32::MAX - 1), MoveId(0)],
        vec![MoveId::CHANCE; 2],
        vec![MoveId(1); 5],
    ] {
        walker.advance(&joint, &mut chance);
        walker.is_terminal();
    }
    walker.jump(&game.initial());
    assert_eq!(walker.legal().of(RoleId(0)).len(), 22);
}
