//! The tree keeps to its memory, move after move.

use paidia_game::{Chance, Game, MoveId, RoleId, Rules, Walker};
use paidia_search::uct::{Parallel, Settings, Uct};
use paidia_search::{Budget, Informed};
use paidia_testkit::bundled;

#[test]
fn a_match_never_takes_more_than_the_limit() {
    const LIMIT: usize = 150_000;
    let small = Settings {
        memory: LIMIT,
        ..Settings::paidia()
    };
    let threads = Settings {
        threads: Some(2),
        ..small
    };
    let alone = Settings {
        parallel: Parallel::Root,
        ..threads
    };
    for (name, settings) in [
        ("connect-four", small),
        ("connect-four", threads),
        ("connect-four", alone),
        ("tic-tic-toe", small),
        ("amazons-6x6", small),
    ] {
        let game = bundled(name).propnet();
        let mut player = Uct::new(&game, RoleId(0), settings, 1);
        let (mut walker, mut chance) = (game.walker(), Chance::from_seed(2));
        let (mut state, mut most) = (game.initial(), 0);
        while !walker.is_terminal() {
            walker.save(&mut state);
            let choice = player.choose(&state, Budget::simulations(2_000)).id;
            most = most.max(player.memory());
            assert!(player.memory() <= LIMIT, "{name}: {}", player.memory());
            let mut joint: Vec<MoveId> = Vec::new();
            walker.draw(&mut chance, &mut joint).unwrap();
            joint[0] = choice;
            paidia_game::play(&game, &mut walker, &joint, &mut chance).unwrap();
        }
        // The limit was what held it.
        assert!(most > LIMIT / 2, "{name}: {most}");
    }
}
