//! Hand-drawn games are played by their rules.

use paidia_game::{
    Chance, ConformanceOptions, Game, Goal, Legible, MoveId, PlayoutRunner, RoleId, Rules, Walker,
    conformance, perft,
};
use paidia_reason::propnet::Propnet;

use crate::propnet::games;

#[test]
fn hand_drawn_games_conform() {
    for game in [
        games::tic_tac_toe(),
        games::breakthrough(),
        games::corridor(100),
        games::hidden_coin(),
    ] {
        let name = game.facts.name.clone();
        let options = ConformanceOptions {
            playouts: 10,
            ..ConformanceOptions::default()
        };
        assert_eq!(conformance(&Propnet::new(game), options), [], "{name}");
    }
}

#[test]
fn tic_tac_toe_has_its_known_counts() {
    let game = Propnet::new(games::tic_tac_toe());
    let counted = perft(&game, &game.initial(), 9, 100_000);
    let leaves: Vec<u128> = counted.depths.iter().map(|depth| depth.leaves).collect();
    // Joint moves along all lines of play, games that ended earlier not counted any more.
    let known = [
        1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872,
    ];
    assert_eq!(leaves, known);
    assert_eq!(counted.states, 5_478);
}

#[test]
fn tic_tac_toe_has_its_known_odds() {
    let game = Propnet::new(games::tic_tac_toe());
    let mut runner = PlayoutRunner::new(&game, game.initial(), 100);
    let mut chance = Chance::from_seed(1);
    (0..20_000).for_each(|_| {
        runner.run(&mut chance);
    });
    // x wins 0.5849 of random games, o 0.2881; five standard errors are 1.6 goal points.
    let x = runner.figures().mean_goal(RoleId(0)).unwrap();
    assert!((x - 64.84).abs() < 1.6, "{x}");
}

#[test]
fn what_is_reached_through_itself_is_not_reached() {
    let game = Propnet::new(games::corridor(5));
    let mut walker = game.walker();
    let goal_with = |walker: &mut <Propnet as Game>::Walker, open: &[&str]| {
        walker.jump(&game.state(open).unwrap());
        walker.goal(RoleId(0))
    };
    let all = ["(open 1)", "(open 2)", "(open 3)", "(open 4)", "(open 5)"];
    // The last room can be reached; then the way is cut behind rooms that have a door to each
    // other.
    assert_eq!(goal_with(&mut walker, &all), Goal::One(100));
    assert_eq!(goal_with(&mut walker, &all[1..]), Goal::One(0));
    assert_eq!(goal_with(&mut walker, &all), Goal::One(100));
    let gap = ["(open 1)", "(open 3)", "(open 4)", "(open 5)"];
    assert_eq!(goal_with(&mut walker, &gap), Goal::One(0));
}

#[test]
fn a_move_that_the_role_does_not_have_leads_somewhere() {
    let game = Propnet::new(games::breakthrough());
    let mut walker = game.walker();
    let mut chance = Chance::from_seed(1);
    let strange = [
        vec![],
        vec![MoveId(0)],
        vec![MoveId(u32::MAX - 1), MoveId(0)],
        vec![MoveId::CHANCE; 2],
        vec![MoveId(1); 5],
    ];
    for joint in strange {
        walker.advance(&joint, &mut chance);
        walker.legal();
        walker.is_terminal();
    }
    walker.jump(&game.initial());
    assert_eq!(walker.legal().of(RoleId(0)).len(), 22);
    assert!(walker.percepts(RoleId(7)).is_empty());
    assert_eq!(walker.goal(RoleId(7)), Goal::None);
}

#[test]
fn chance_and_percepts_belong_together() {
    let game = Propnet::new(games::hidden_coin());
    let mut walker = game.walker();
    let mut chance = Chance::from_seed(1);
    let call = game.moves().find("(call heads)").unwrap();
    let mut seen = Vec::new();
    for _ in 0..40 {
        walker.jump(&game.initial());
        assert!(walker.percepts(RoleId(0)).is_empty());
        walker.advance(&[call, MoveId::CHANCE], &mut chance);
        let told = walker.percepts(RoleId(0)).to_vec();
        assert_eq!(told.len(), 1);
        let won = walker.goal(RoleId(0)) == Goal::One(100);
        assert_eq!(
            &*game.percepts().name(told[0]),
            if won { "right" } else { "wrong" }
        );
        seen.push(won);
    }
    assert!(seen.contains(&true) && seen.contains(&false));
}

#[test]
fn unknown_fluents_are_refused() {
    let game = Propnet::new(games::tic_tac_toe());
    let refused = game.state(&["(cell 1 1 x)", "(cell 4 1 x)"]).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`(cell 4 1 x)` can never hold in this game: no play of these rules makes it true"
    );
}
