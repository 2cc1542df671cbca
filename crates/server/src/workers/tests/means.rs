//! What is told of a leaf is the mean of discounted goals, each by the length of its own playout.

use paidia_game::Rules;
use paidia_search::leaves::LeafPlayouts;

use super::super::master::seed_for;
use super::{
    OPTIONS, await_room, from_worker, ground, modest, playable, recorded, run_until, worker,
    workers,
};

const PLAYOUTS: u32 = 1_000;

/// What a source tells about the first role in the first state of the game.
fn told(leaves: &mut dyn LeafPlayouts<super::State>, from: &super::State) -> (u64, f64) {
    leaves.submit(from, 0, PLAYOUTS);
    let told = std::cell::Cell::new(None);
    run_until(
        leaves,
        &mut |value| {
            assert_eq!((value.tag, value.playouts), (0, PLAYOUTS));
            told.set(Some((value.states, value.means[0])));
        },
        &mut |_| told.get().is_some(),
    );
    told.get().unwrap()
}

#[track_caller]
fn assert_discounted_one_by_one(playouts: &[(u32, f64)], (states, mean): (u64, f64)) {
    let of = |value: &dyn Fn(&(u32, f64)) -> f64| {
        playouts.iter().map(value).sum::<f64>() / playouts.len() as f64
    };
    let right = of(&|&(length, goal)| OPTIONS.discount.powi(length as i32) * goal);
    let wrong =
        OPTIONS.discount.powf(of(&|playout| f64::from(playout.0))) * of(&|playout| playout.1);
    let made: u64 = playouts.iter().map(|playout| u64::from(playout.0)).sum();
    assert_eq!(states, made);
    assert!((mean - right).abs() < 1e-9, "{mean} is not {right}");
    assert!((mean - wrong).abs() > 0.1, "{mean} is too near {wrong}");
}

#[test]
fn the_engine_at_hand_tells_the_mean_of_discounted_goals() {
    let playable = playable("tic-tac-toe");
    let mut leaves = playable.leaves().unwrap()(OPTIONS);
    let told = told(leaves.as_mut(), &playable.game.initial());
    let playouts = recorded(&ground("tic-tac-toe"), OPTIONS.seed, PLAYOUTS);
    assert_discounted_one_by_one(&playouts, told);
}

#[test]
fn a_worker_tells_the_mean_of_discounted_goals() {
    let playable = playable("tic-tac-toe");
    let workers = workers(&playable.game, "tic-tac-toe", &[worker(1)]);
    let mut leaves = workers.source(modest(&playable))(OPTIONS);
    await_room(leaves.as_mut());
    let told = told(leaves.as_mut(), &playable.game.initial());
    let playouts = recorded(&ground("tic-tac-toe"), seed_for(OPTIONS, 0), PLAYOUTS);
    assert_discounted_one_by_one(&playouts, told);
    assert_eq!(from_worker(&workers), u64::from(PLAYOUTS));
}
