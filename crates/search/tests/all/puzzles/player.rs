//! The player of puzzles.

use paidia_game::{Chance, Game, Goal, RoleId, Rules, Walker};
use paidia_reason::propnet::Propnet;
use paidia_search::puzzle::{Method, Puzzler, solve};
use paidia_search::uct::{Settings, Uct};
use paidia_search::{Budget, Decision, Informed, StopReason};
use paidia_testkit::bundled;

use crate::puzzles::MEMORY;

const ROLE: RoleId = RoleId(0);

fn puzzler(game: &Propnet, method: Method) -> Puzzler<Propnet> {
    Puzzler::new(game, ROLE, method, Settings::paidia(), 1)
}

/// Plays to the end; the goal and what was decided.
fn play(
    game: &Propnet,
    player: &mut dyn Informed<Propnet>,
    budget: Budget,
) -> (i32, Vec<Decision>) {
    let (mut walker, mut chance, mut state) = (game.walker(), Chance::from_seed(9), game.initial());
    let mut decisions = Vec::new();
    while !walker.is_terminal() {
        walker.save(&mut state);
        let decision = player.choose(&state, budget);
        paidia_game::play(game, &mut walker, &[decision.id], &mut chance).unwrap();
        decisions.push(decision);
    }
    match walker.goal(ROLE) {
        Goal::One(goal) => (goal, decisions),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_solution_is_followed_without_further_search() {
    let game = bundled("maze").propnet();
    let mut player = puzzler(&game, Method::Breadth);
    player.prepare(&game.initial(), Budget::states(100_000));
    assert_eq!(player.goal(), Some(100));
    let (goal, decisions) = play(&game, &mut player, Budget::simulations(1));
    assert_eq!((goal, decisions.len()), (100, 6));
    for decision in decisions {
        assert_eq!(decision.report.stopped, StopReason::Solved);
        assert_eq!(decision.report.proven, Some(vec![100]));
        assert_eq!(decision.report.states, 0);
    }
}

#[test]
fn without_a_solution_in_time_the_player_switches_to_uct() {
    let game = bundled("eight-puzzle").propnet();
    let mut player = puzzler(&game, Method::Breadth);
    player.prepare(&game.initial(), Budget::states(100));
    assert_eq!(player.goal(), None);
    let decision = player.choose(&game.initial(), Budget::simulations(20));
    assert_eq!(decision.report.stopped, StopReason::Simulations);
    assert!(decision.report.simulations > 0);
}

#[test]
fn the_search_before_the_first_move_is_gone_on_with() {
    let game = bundled("hanoi-6").propnet();
    let start = game.initial();
    let needed = solve(
        &game,
        ROLE,
        &start,
        Method::Breadth,
        MEMORY,
        Budget::default(),
    )
    .unwrap()
    .states;
    let alone = |before: u64, then: u64| {
        let mut player = puzzler(&game, Method::Breadth);
        player.prepare(&game.initial(), Budget::states(before));
        player.choose(&game.initial(), Budget::states(then));
        player.goal()
    };
    // Without a solution half of a move's budget is for the search.
    let (before, then) = (needed * 2 / 3, needed);
    assert_eq!(alone(before, 2), None);
    assert_eq!(alone(2, then), None);
    assert_eq!(alone(before, then), Some(100));
}

#[test]
fn a_better_solution_replaces_a_worse_one() {
    let game = bundled("knights-tour").propnet();
    let mut player = puzzler(&game, Method::Nested);
    player.prepare(&game.initial(), Budget::states(100));
    let first = player.goal().unwrap();
    assert!(first < 100);
    let (goal, _) = play(&game, &mut player, Budget::states(100_000));
    assert!(goal > first, "{goal} after {first}");
}

#[test]
fn a_player_told_of_another_state_than_it_planned_for_thinks_again() {
    let game = bundled("maze").propnet();
    let mut player = puzzler(&game, Method::Auto);
    player.prepare(&game.initial(), Budget::states(100_000));
    let mut walker = game.walker();
    // Moves are made that the player did not choose.
    let planned = player.choose(&game.initial(), Budget::states(1_000)).id;
    let mut chance = Chance::from_seed(1);
    paidia_game::play(&game, &mut walker, &[planned], &mut chance).unwrap();
    let mut state = game.initial();
    for _ in 0..2 {
        let id = walker.legal().of(ROLE)[0];
        paidia_game::play(&game, &mut walker, &[id], &mut chance).unwrap();
    }
    walker.save(&mut state);
    let decision = player.choose(&state, Budget::states(1_000));
    assert!(walker.legal().of(ROLE).contains(&decision.id));
}

/// A player that gives up where nothing was found before the first move.
fn giving_up(game: &Propnet) -> Puzzler<Propnet> {
    let fallback = Uct::new(game, ROLE, Settings::cadia(), 1);
    Puzzler::giving_up(game, ROLE, MEMORY, fallback, 1)
}

#[test]
fn what_ida_finds_before_the_first_move_is_followed_and_is_shortest() {
    let game = bundled("maze").propnet();
    let mut player = giving_up(&game);
    player.prepare(&game.initial(), Budget::states(1_000_000));
    let (goal, decisions) = play(&game, &mut player, Budget::simulations(1));
    assert_eq!((goal, decisions.len()), (100, 6));
    assert!(decisions.iter().all(|decision| decision.report.states == 0));
}

#[test]
fn uct_takes_over_for_good_where_ida_found_nothing_in_time() {
    let game = bundled("maze").propnet();
    let mut player = giving_up(&game);
    player.prepare(&game.initial(), Budget::states(5));
    // A search would find the solution with these states at once, but the player has given up.
    let (_, decisions) = play(&game, &mut player, Budget::simulations(200));
    let first = decisions
        .iter()
        .find(|decision| decision.report.moves.len() > 1);
    let report = first.map(|decision| (decision.report.simulations, decision.report.stopped));
    assert_eq!(report, Some((200, StopReason::Simulations)));
    for decision in decisions {
        let stopped = decision.report.stopped;
        let is_uct = matches!(stopped, StopReason::Simulations | StopReason::OnlyMove);
        assert!(is_uct, "{stopped:?}");
    }
}
