//! What studies rely on: exact values of the positions that they are about.

use paidia_game::solve::Oracle;
use paidia_game::{Chance, Game, Legible, RoleId, Rules, Walker};
use paidia_reason::propnet::Propnet;
use paidia_testkit::bundled;

type State = <Propnet as Rules>::State;

/// All sequences of best moves from a state, as the moves of the role that has a choice.
fn best_lines(game: &Propnet, oracle: &mut Oracle<Propnet>, state: &State) -> Vec<Vec<String>> {
    let best = oracle.best_moves(state).unwrap();
    if best.is_empty() {
        return vec![Vec::new()];
    }
    let mut lines = Vec::new();
    for id in best {
        let mut walker = game.walker();
        walker.jump(state);
        let legal = walker.legal();
        let joint: Vec<_> = legal
            .iter()
            .map(|(_, moves)| if moves.len() > 1 { id } else { moves[0] })
            .collect();
        walker.advance(&joint, &mut Chance::from_seed(0));
        let mut next = state.clone();
        walker.save(&mut next);
        let name = game.moves().name(id).to_string();
        for rest in best_lines(game, oracle, &next) {
            lines.push([vec![name.clone()], rest].concat());
        }
    }
    lines
}

/// The sequence of checks that a line cashes.
fn cashed(line: &[String]) -> Vec<u32> {
    let value = |name: &String| name.trim_matches(|c: char| !c.is_ascii_digit()).parse();
    line.iter().map(|name| value(name).unwrap()).collect()
}

#[test]
fn stale_dated_checks_have_six_best_lines_and_are_a_draw() {
    let game = bundled("stale-dated-checks").propnet();
    let mut oracle = Oracle::new(&game, 500_000).unwrap();
    assert_eq!(oracle.value(&game.initial()).unwrap(), 50);
    let lines = best_lines(&game, &mut oracle, &game.initial());
    let mut lines: Vec<Vec<u32>> = lines.iter().map(|line| cashed(line)).collect();
    lines.sort_unstable();
    // All numbers in turn from 12 on, or left goes one down at one of its five turns, and all
    // numbers after that are one lower.
    let shifted = |from: u32| (1..=10).map(move |turn| 13 - turn - u32::from(turn >= from));
    let mut expected: Vec<Vec<u32>> = [1, 3, 5, 7, 9, 11]
        .map(|from| shifted(from).collect())
        .to_vec();
    expected.sort_unstable();
    assert_eq!(lines, expected);
}

#[test]
fn blind_cashing_checks_are_a_draw_with_one_best_line() {
    let game = bundled("blind-cashing-checks").propnet();
    let mut oracle = Oracle::new(&game, 4_000_000).unwrap();
    assert_eq!(oracle.value(&game.initial()).unwrap(), 50);
    let lines = best_lines(&game, &mut oracle, &game.initial());
    let lines: Vec<Vec<u32>> = lines.iter().map(|line| cashed(line)).collect();
    assert_eq!(lines, [(11..=20).rev().collect::<Vec<u32>>()]);
    println!("{} states", oracle.remembered());
}

/// A position of breakthrough on six files and eight ranks, white to move, by the squares of the
/// pawns.
fn position(game: &Propnet, white: &[&str], black: &[&str]) -> State {
    let mut fluents = vec!["(control white)".to_owned()];
    for column in 1..=6 {
        for row in 1..=8 {
            let square = format!("{}{row}", char::from(b'a' + column - 1));
            let content = match square.as_str() {
                square if white.contains(&square) => "white",
                square if black.contains(&square) => "black",
                _ => "empty",
            };
            fluents.push(format!("(cell {column} {row} {content})"));
        }
    }
    let fluents: Vec<&str> = fluents.iter().map(String::as_str).collect();
    game.state(&fluents).unwrap()
}

#[test]
fn in_the_positions_with_tempting_captures_one_quiet_move_wins() {
    let game = bundled("breakthrough-6x8").propnet();
    let black = ["b8", "a7", "b7", "c7", "f4"];
    let first = ["a5", "b6", "a3", "b3", "a1", "b1"];
    let third = ["a5", "b6", "a2", "b2", "c2", "d1"];
    for white in [first, third] {
        let state = position(&game, &white, &black);
        let mut walker = game.walker();
        walker.jump(&state);
        assert_eq!(walker.legal().of(RoleId(0)).len(), 13);
        let mut oracle = Oracle::new(&game, 4_000_000).unwrap();
        assert_eq!(oracle.value(&state).unwrap(), 100);
        let best = oracle.best_moves(&state).unwrap();
        let names = best.iter().map(|&id| game.moves().name(id).to_string());
        assert_eq!(names.collect::<Vec<String>>(), ["(move 1 5 1 6)"]);
        println!("{} states", oracle.remembered());
    }
}
