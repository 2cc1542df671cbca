//! The ways of searching: what they find, what they claim, and what they keep to.

use paidia_game::{Chance, Game, Goal, Legible, MoveId, RoleId, Rules, Walker};
use paidia_search::puzzle::{Hunt, Method, Solution, solve};
use paidia_search::{Budget, StopReason};
use paidia_testkit::bundled;

use crate::puzzles::MEMORY;
use crate::puzzles::colliding::Colliding;

const ROLE: RoleId = RoleId(0);

/// The goal to which moves lead, each of which must be legal, and the last must end the game.
fn goal_after<G: Game>(game: &G, start: &G::State, moves: &[MoveId]) -> i32 {
    let (mut walker, mut chance) = (game.walker(), Chance::from_seed(0));
    walker.jump(start);
    for &id in moves {
        paidia_game::play(game, &mut walker, &[id], &mut chance).unwrap();
    }
    assert!(walker.is_terminal());
    match walker.goal(ROLE) {
        Goal::One(goal) => goal,
        other => panic!("{other:?}"),
    }
}

#[test]
fn shortest_solutions_are_found_where_they_are_promised() {
    for (name, length) in [
        ("lights-on", 4),
        ("maze", 6),
        ("buttons-and-lights", 6),
        ("blocks-world", 3),
        ("pancakes", 7),
    ] {
        let game = bundled(name).reference();
        for method in [Method::Deepening, Method::Breadth] {
            let start = game.initial();
            let outcome = solve(
                &game,
                ROLE,
                &start,
                method,
                MEMORY,
                Budget::states(2_000_000),
            )
            .unwrap();
            let best = outcome.best.unwrap();
            let found = (best.goal, best.moves.len());
            assert_eq!(found, (100, length), "{name} by {method:?}");
            assert!(outcome.perfect);
        }
    }
}

/// A board of the eight puzzle, made from the solved one by random slides.
fn scrambled(slides: u32, chance: &mut Chance) -> Vec<String> {
    let mut tiles = [1, 2, 3, 4, 5, 6, 7, 8, 0];
    let mut hole = 8usize;
    for _ in 0..slides {
        let next = [
            hole.wrapping_sub(3),
            hole + 3,
            hole.wrapping_sub(1),
            hole + 1,
        ];
        let beside = |&place: &usize| place < 9 && (place / 3 == hole / 3 || place % 3 == hole % 3);
        let places: Vec<usize> = next.into_iter().filter(beside).collect();
        let place = chance.pick(&places).unwrap();
        tiles.swap(hole, place);
        hole = place;
    }
    let square = |(place, tile): (usize, &i32)| {
        let (column, row) = (place % 3 + 1, 3 - place / 3);
        match tile {
            0 => format!("(cell {column} {row} empty)"),
            _ => format!("(cell {column} {row} {tile})"),
        }
    };
    let mut fluents: Vec<String> = tiles.iter().enumerate().map(square).collect();
    fluents.push("(step 1)".into());
    fluents
}

#[test]
fn deepening_is_as_short_as_breadth_on_eight_puzzles() {
    let (game, mut chance) = (bundled("eight-puzzle").propnet(), Chance::from_seed(3));
    let mut lengths = Vec::new();
    for slides in [1, 3, 6, 9, 12, 14, 17, 20] {
        let fluents = scrambled(slides, &mut chance);
        let fluents: Vec<&str> = fluents.iter().map(String::as_str).collect();
        let start = game.state(&fluents).unwrap();
        let length = |method| {
            let outcome = solve(
                &game,
                ROLE,
                &start,
                method,
                MEMORY,
                Budget::states(5_000_000),
            )
            .unwrap();
            let best = outcome.best.unwrap();
            assert!(
                outcome.perfect && best.goal == 100,
                "{fluents:?} by {method:?}"
            );
            assert_eq!(goal_after(&game, &start, &best.moves), 100);
            best.moves.len()
        };
        let shortest = length(Method::Breadth);
        assert_eq!(length(Method::Deepening), shortest, "{fluents:?}");
        assert!(shortest <= slides as usize);
        lengths.push(shortest);
    }
    // Some of them were worth the trouble.
    assert!(lengths.iter().any(|&length| length >= 8), "{lengths:?}");
}

#[test]
fn every_way_finds_what_it_says() {
    for name in [
        "buttons-and-lights",
        "maze",
        "blocks-world",
        "chinese-checkers-1",
    ] {
        let game = bundled(name).propnet();
        for method in Method::ALL {
            let start = game.initial();
            let outcome = solve(
                &game,
                ROLE,
                &start,
                method,
                MEMORY,
                Budget::states(1_000_000),
            )
            .unwrap();
            let Solution { moves, goal } = outcome.best.unwrap();
            assert_eq!(goal, 100, "{name} by {method:?}");
            assert_eq!(
                goal_after(&game, &start, &moves),
                goal,
                "{name} by {method:?}"
            );
        }
    }
}

#[test]
fn a_puzzle_without_a_solution_is_known_for_it() {
    // Six steps are needed, and three are left.
    let game = bundled("maze").propnet();
    let start = game
        .state(&["(robot_in a)", "(gold_in c)", "(step 7)"])
        .unwrap();
    for method in [
        Method::Breadth,
        Method::Deepening,
        Method::Diving,
        Method::Auto,
    ] {
        let outcome = solve(&game, ROLE, &start, method, MEMORY, Budget::states(100_000)).unwrap();
        assert_eq!(outcome.stopped, StopReason::Solved, "{method:?}");
        assert!(outcome.perfect);
        assert_eq!(outcome.best.unwrap().goal, 0, "{method:?}");
    }
}

#[test]
fn states_with_the_same_hash_are_told_apart() {
    for name in ["maze", "buttons-and-lights"] {
        let game = bundled(name).propnet();
        let start = game.initial();
        let search = |method| {
            solve(
                &Colliding(game.clone()),
                ROLE,
                &start,
                method,
                MEMORY,
                Budget::states(100_000),
            )
            .unwrap()
        };
        let exact = solve(
            &game,
            ROLE,
            &start,
            Method::Breadth,
            MEMORY,
            Budget::states(100_000),
        )
        .unwrap();
        for method in [Method::Breadth, Method::Deepening] {
            let outcome = search(method);
            assert_eq!(outcome.best, exact.best, "{name} by {method:?}");
        }
        assert_eq!(search(Method::Breadth).states, exact.states);
    }
}

#[test]
fn a_search_can_be_taken_up_again() {
    let game = bundled("eight-puzzle").propnet();
    let whole = |method| {
        let mut hunt = Hunt::new(&game, ROLE, &game.initial(), method, MEMORY, 1).unwrap();
        hunt.run(Budget::states(60_000));
        (hunt.best().cloned(), hunt.states())
    };
    let pieces = |method| {
        let mut hunt = Hunt::new(&game, ROLE, &game.initial(), method, MEMORY, 1).unwrap();
        for _ in 0..6 {
            assert_eq!(hunt.run(Budget::states(10_000)), StopReason::States);
        }
        (hunt.best().cloned(), hunt.states())
    };
    // Diving remembers all of what it did; the other ways repeat at most a state or a rollout.
    assert_eq!(whole(Method::Diving), pieces(Method::Diving));
    let solved = |method, states| {
        let game = bundled("hanoi-6").propnet();
        let mut hunt = Hunt::new(&game, ROLE, &game.initial(), method, MEMORY, 1).unwrap();
        while hunt.run(Budget::states(states)) == StopReason::States {}
        hunt.best().map(|best| (best.goal, best.moves.len()))
    };
    assert_eq!(solved(Method::Breadth, 500), Some((100, 63)));
    assert_eq!(
        solved(Method::Breadth, 500),
        solved(Method::Breadth, 1_000_000)
    );
}

#[test]
fn memory_is_kept_to() {
    let game = bundled("fifteen-puzzle").propnet();
    for method in Method::ALL {
        let memory = 4 << 20;
        let mut hunt = Hunt::new(&game, ROLE, &game.initial(), method, memory, 1).unwrap();
        let mut most = 0;
        for _ in 0..20 {
            let stopped = hunt.run(Budget::states(5_000));
            most = most.max(hunt.memory());
            assert!(hunt.memory() <= memory, "{method:?}: {}", hunt.memory());
            if stopped == StopReason::Memory {
                break;
            }
        }
        // What is counted is not nothing.
        assert!(most > 0, "{method:?}: {most}");
    }
    let mut hunt = Hunt::new(&game, ROLE, &game.initial(), Method::Breadth, 4 << 20, 1).unwrap();
    assert_eq!(hunt.run(Budget::states(5_000_000)), StopReason::Memory);
    assert!(!hunt.is_perfect());
}

#[test]
fn an_engine_that_knows_no_fluents_keeps_to_memory_too() {
    let game = bundled("fifteen-puzzle").reference();
    let mut hunt = Hunt::new(&game, ROLE, &game.initial(), Method::Breadth, 8 << 20, 1).unwrap();
    assert_eq!(hunt.run(Budget::states(1_000_000)), StopReason::Memory);
    assert!(hunt.memory() <= 8 << 20);
}
