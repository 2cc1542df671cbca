//! The alpha-beta player: its search against plain minimax, games that are solved, and learning.

use std::fs;
use std::sync::Arc;

use paidia_game::{Chance, Game, Rules, Walker};
use paidia_gdl::Source;
use paidia_languages::board::{self, BoardGame, BoardRules, Position};
use paidia_learn::player::learning::{Learner, Rates, changes, probability};
use paidia_learn::player::{Evaluation, Extras, Limits, Search, Style, Table, WIN, Weights};
use paidia_testkit::boards;
use serde_json::Value;

fn rules(text: &str) -> BoardRules {
    let reading = board::read(&Source::new("test.sbg", text));
    assert!(!reading.has_errors(), "{:?}", reading.problems);
    reading.rules
}

fn game(name: &str) -> Option<BoardGame> {
    let folder = boards()?;
    let text = fs::read_to_string(folder.join("games").join(format!("{name}.sbg"))).unwrap();
    Some(BoardGame::new(name, rules(&text)).unwrap())
}

const CLASSIC: Style = Style {
    quiescence: false,
    modern: false,
};

/// The value for the mover by trying everything.
fn minimax(position: &mut Position, evaluation: &Evaluation, depth: i32, ply: i32) -> i32 {
    if let Some(winner) = position.winner() {
        let value = WIN - ply;
        return if winner == position.mover() {
            value
        } else {
            -value
        };
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    if position.is_out_of_turns() {
        return if moves.is_empty() { ply - WIN } else { 0 };
    }
    if depth == 0 {
        let sum = evaluation.sum(position);
        return if position.turn().is_multiple_of(2) {
            sum
        } else {
            -sum
        };
    }
    let mut best = ply - WIN;
    for (place, &chosen) in moves.iter().enumerate() {
        let undo = position.make(chosen);
        let value = -minimax(position, evaluation, depth - 1, ply + 1);
        position.unmake(undo);
        best = if place == 0 { value } else { best.max(value) };
    }
    best
}

#[test]
fn alpha_and_beta_cut_only_what_does_not_matter() {
    let mut compared = 0;
    for name in [
        "gardner",
        "ibis",
        "genp4",
        "hexapawn",
        "checkers_breakthrough",
        "action_mans",
    ] {
        let Some(game) = game(name) else { return };
        let weights = Weights::of_rules(game.tables()).unwrap();
        let evaluation = Arc::new(Evaluation::new(game.tables(), &weights, Extras::default()));
        let mut search = Search::new(game.tables(), Arc::clone(&evaluation), CLASSIC, None);
        let (mut walker, mut chance) = (game.walker(), Chance::from_seed(7));
        let (mut state, mut joint, mut position) = (game.initial(), Vec::new(), game.position());
        while !walker.is_terminal() {
            walker.save(&mut state);
            position.set(&state);
            let limits = Limits {
                depth: 3,
                ..Limits::default()
            };
            if position.turn() % 5 == 0 {
                let found = search.run(&state, &limits, |_| ());
                let expected = minimax(&mut position, &evaluation, found.depth, 0);
                assert_eq!(found.moves[0].1, expected, "{name}: {position:?}");
                compared += 1;
            }
            walker.draw(&mut chance, &mut joint).unwrap();
            walker.advance(&joint, &mut chance);
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn small_games_are_won_by_whom_they_are_won() {
    let Some(folder) = boards() else { return };
    let solved = fs::read_to_string(folder.join("player/solved.json")).unwrap();
    let solved: Vec<Value> = serde_json::from_str(&solved).unwrap();
    assert!(solved.len() > 10);
    for case in &solved {
        let name = case["name"].as_str().unwrap();
        let game = BoardGame::new(name, rules(case["game"].as_str().unwrap())).unwrap();
        let weights = Weights::of_rules(game.tables()).unwrap();
        let evaluation = Arc::new(Evaluation::new(game.tables(), &weights, Extras::default()));
        let table = Arc::new(Table::new(1 << 24));
        let mut search = Search::new(game.tables(), evaluation, Style::default(), Some(table));
        let limits = Limits {
            nodes: 3_000_000,
            ..Limits::default()
        };
        let found = search.run(&game.initial(), &limits, |_| ());
        let value = found.moves[0].1;
        assert!(
            value.abs() > WIN - 1000,
            "{name}: {value} at depth {}",
            found.depth
        );
        let winner = if value > 0 { "white" } else { "black" };
        assert_eq!(case["winner"], winner, "{name}");
        let [from, to] = [found.moves[0].0.from, found.moves[0].0.to];
        let chosen = game.tables().square_name(from) + &game.tables().square_name(to);
        let good = case["first_moves_that_keep_the_value"].as_array().unwrap();
        assert!(good.contains(&chosen.into()), "{name}");
    }
}

#[test]
fn differences_change_weights_as_the_formulae_say() {
    let Some(folder) = boards() else { return };
    let text = fs::read_to_string(folder.join("player/td_example.json")).unwrap();
    let example: Value = serde_json::from_str(&text).unwrap();
    let numbers = |value: &Value| -> Vec<f64> {
        value
            .as_array()
            .unwrap()
            .iter()
            .map(|number| number.as_f64().unwrap())
            .collect()
    };
    let number = |name: &str| example[name].as_f64().unwrap();
    let weights = numbers(&example["weights"]);
    let features: Vec<Vec<(usize, f64)>> = example["features_by_time"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| numbers(row).into_iter().enumerate().collect())
        .collect();
    let value = |row: &Vec<(usize, f64)>| -> f64 {
        row.iter()
            .map(|&(place, feature)| weights[place] * feature)
            .sum()
    };
    let sure: Vec<f64> = features
        .iter()
        .map(|row| probability(number("omega"), value(row)))
        .collect();
    for (one, other) in sure.iter().zip(numbers(&example["P"])) {
        assert!((one - other).abs() < 1e-12);
    }
    let rows = features.iter().map(Vec::as_slice);
    let sum = changes(
        rows,
        &sure,
        number("alpha"),
        number("lambda"),
        weights.len(),
    );
    let expected = numbers(&example["delta_w"]["as_printed_6_4"]["sum"]);
    assert_eq!(sum.len(), expected.len());
    for (one, other) in sum.iter().zip(expected) {
        assert!((one - other).abs() < 1e-12, "{sum:?}");
    }
}

#[test]
fn weights_grow_for_men_that_win() {
    // The side with two rooks wins nearly always, whatever they are worth at first.
    let text = "<<R>>\n<BOARD>\n4 4\n|pk..|\n|....|\n|....|\n|RKR.|\n<PIECES>\nP (0,1,e) &\n\
        K (0,1,e) + (0,1,p) + (0,-1,e) + (1,0,e) + (1,0,p) + (-1,0,e) + (-1,0,p) &\n\
        R (0,1,e)^*((0,1,e)+(0,1,p)) + (1,0,e)^*((1,0,e)+(1,0,p)) + (-1,0,e)^*((-1,0,e)+(-1,0,p)) \
        + (0,-1,e)^*((0,-1,e)+(0,-1,p)) &\n<GOALS>\n30 &\n#K 0 &\n#k 0 &\n";
    let game = BoardGame::new("r", rules(text)).unwrap();
    let mut learner = Learner::new(
        game.tables(),
        Weights::alike(game.tables(), 1.0),
        Rates::default(),
    );
    for _ in 0..30 {
        assert!(learner.play(&game.initial(), 3, &Limits::default()));
    }
    assert_eq!(learner.playouts(), 30);
    let worth = |letter: u8| {
        let content = game.tables().content_of(letter).unwrap();
        learner.weights().material[usize::from(content)]
    };
    assert!(worth(b'R') > worth(b'r'), "{} {}", worth(b'R'), worth(b'r'));
}
