//! Games without an end: states may grow, but nothing breaks.

use paidia_game::{Chance, Ending, Game, Legible, PlayoutRunner, Resource, Rules, Walker};
use paidia_gdl::datalog::terms::MAX_LEVELS;

use paidia_testkit::rules;

use crate::world::reference;

const GROWING: &str = "
    (role r) (init (count zero)) (goal r 0)
    (<= (legal r (add ?x)) (true (count ?x)))
    (<= (next (count (s ?x))) (does r (add ?x)))
    (<= terminal (true (count none)))";

#[test]
fn terms_that_grow_for_ever_run_into_a_limit() {
    let game = reference("growing", &rules(GROWING).program());
    let mut runner = PlayoutRunner::new(&game, game.initial(), 10_000);
    let playout = runner.run(&mut Chance::from_seed(1));
    assert_eq!(playout.length, u32::from(MAX_LEVELS) + 1);
    let Ending::Faulted(fault) = playout.ending else {
        panic!("{:?}", playout.ending);
    };
    assert_eq!(fault.resource, Resource::TermDepth);
    assert_eq!(
        fault.to_string(),
        "the engine stopped at a limit: more than 190 levels in one term"
    );
}

#[test]
fn the_largest_state_can_be_written_and_read() {
    let game = reference("growing", &rules(GROWING).program());
    let (mut walker, mut chance) = (game.walker(), Chance::from_seed(1));
    let (mut state, mut joint) = (game.initial(), Vec::new());
    for _ in 0..MAX_LEVELS {
        walker.legal().draw(&mut chance, &mut joint).unwrap();
        walker.advance(&joint, &mut chance);
    }
    walker.save(&mut state);
    let fluents = game.fluents(&state);
    assert_eq!(fluents[0].matches("(s ").count(), usize::from(MAX_LEVELS));
    let texts: Vec<&str> = fluents.iter().map(String::as_str).collect();
    assert_eq!(game.state(&texts), Ok(state));
    let deeper = fluents[0].replace("zero", "(s zero)");
    let error = game.state(&[&deeper]).unwrap_err();
    assert_eq!(error.because, "it is nested too deeply");
}
