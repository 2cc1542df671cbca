//! Recorded plays, small games with an open question each, and games that were solved.

use paidia_game::{Chance, Game, Goal, Legible, RoleId, Rules, SolveBudget, Walker, solve};
use paidia_languages::board::{BoardGame, Colour, Position};
use paidia_testkit::boards;
use serde_json::Value;

use crate::data::{game, games, json, legal, short, strings, unzipped};

/// Makes a move in the short form, which must be legal.
#[track_caller]
fn play(position: &mut Position, short: &str) {
    let legal = legal(position);
    let found = legal.iter().find(|(_, name)| name == short);
    let &(chosen, _) = found.unwrap_or_else(|| panic!("{short} is not in {legal:?}"));
    position.make(chosen);
}

/// Who has won and why, if the game is over.
fn result(position: &mut Position) -> Option<(&'static str, &'static str)> {
    if let Some(winner) = position.winner() {
        return Some((winner.name(), "goal"));
    }
    if !position.can_move(&mut Vec::new()) {
        return Some((position.mover().other().name(), "stuck"));
    }
    position.is_out_of_turns().then_some(("draw", "limit"))
}

/// What a reason of the data says about the kind of end.
fn reason(text: &str) -> &str {
    match text {
        "stuck" | "limit" => text,
        _ => "goal",
    }
}

#[test]
fn recorded_plays_are_followed_to_their_ends() {
    let Some(folder) = boards() else { return };
    let mut steps = 0;
    for (name, text) in games(&folder) {
        let game = game(&name, &text);
        for line in unzipped(&folder.join(format!("plays/{name}.jsonl.gz"))).lines() {
            let record: Value = serde_json::from_str(line).unwrap();
            let mut position = game.position();
            for step in record["steps"].as_array().unwrap() {
                let place = format!("{name}, play {}, {position:?}", record["play"]);
                assert_eq!(result(&mut position), None, "{place}");
                assert_eq!(position.rows(), step["board"].as_str().unwrap(), "{place}");
                let names: Vec<String> = legal(&mut position)
                    .into_iter()
                    .map(|(_, name)| name)
                    .collect();
                assert_eq!(names, strings(&step["legal"]), "{place}");
                play(&mut position, step["move"].as_str().unwrap());
                steps += 1;
            }
            assert_eq!(position.rows(), record["final"].as_str().unwrap(), "{name}");
            let expected = (
                record["result"].as_str().unwrap(),
                reason(record["reason"].as_str().unwrap()),
            );
            assert_eq!(
                result(&mut position),
                Some(expected),
                "{name}, play {}",
                record["play"]
            );
        }
    }
    assert!(steps > 10_000, "{steps} steps");
}

#[test]
fn open_questions_are_answered_as_the_reference_answers_them() {
    let Some(folder) = boards() else { return };
    for case in json(&folder.join("syntax/ambiguous.json"))
        .as_array()
        .unwrap()
    {
        let id = case["id"].as_str().unwrap();
        let mut position = game(id, case["game"].as_str().unwrap()).position();
        let names = |position: &mut Position| -> Vec<String> {
            legal(position).into_iter().map(|(_, name)| name).collect()
        };
        assert_eq!(names(&mut position), strings(&case["first_moves"]), "{id}");
        for step in strings(&case["played"]) {
            assert_eq!(result(&mut position), None, "{id}");
            play(&mut position, &step);
        }
        let expected = case["result"].as_array().map(|result| {
            (
                result[0].as_str().unwrap(),
                reason(result[1].as_str().unwrap()),
            )
        });
        assert_eq!(result(&mut position), expected, "{id}");
        if case["legal_after"].is_array() {
            assert_eq!(names(&mut position), strings(&case["legal_after"]), "{id}");
        }
    }
}

#[test]
fn small_games_have_the_values_that_are_known() {
    let Some(folder) = boards() else { return };
    let cases = json(&folder.join("player/solved.json"));
    let cases = cases.as_array().unwrap();
    assert!(cases.len() >= 2);
    for case in cases {
        let name = case["name"].as_str().unwrap();
        let game = game(name, case["game"].as_str().unwrap());
        // The number of moves is a part of our states, so there are more of them.
        if case["positions"].as_u64().unwrap() > 20_000 {
            continue;
        }
        let solution = solve(&game, &game.initial(), SolveBudget::states(2_000_000));
        let solution = solution.unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = match case["winner"].as_str().unwrap() {
            "white" => [100, 0],
            "black" => [0, 100],
            _ => [50, 50],
        };
        assert_eq!(solution.goals, expected, "{name}");
        let best = &solution.best_moves;
        let position = game.position();
        let best = best
            .iter()
            .filter_map(|&id| Some(short(&position, game.decoded(id)?)));
        let best: Vec<String> = best.collect();
        assert_eq!(
            best,
            strings(&case["first_moves_that_keep_the_value"]),
            "{name}"
        );
    }
}

#[test]
fn goals_and_texts_are_those_of_the_contract() {
    let text =
        "<<T>><BOARD> 2 2 |.k||P.| <PIECES> P (1,1,p)+(0,1,e)& K (-1,0,e)& <GOALS> 4 & #k 0 &";
    let game: BoardGame = game("t", text);
    let mut walker = game.walker();
    let start = [
        "(cell a 1 wp)",
        "(cell b 2 bk)",
        "(control white)",
        "(men bk 1)",
        "(step 0)",
    ];
    assert_eq!(game.fluents(&game.initial()), start);
    assert_eq!(game.state(&start).unwrap(), game.initial());
    let legal: Vec<String> = walker
        .legal()
        .of(RoleId(0))
        .iter()
        .map(|&id| game.moves().name(id).to_string())
        .collect();
    assert_eq!(legal, ["(move a 1 a 2)", "(move a 1 b 2)"]);
    assert_eq!(walker.goal(RoleId(0)), Goal::One(50));
    let noop = game.moves().find("noop").unwrap();
    let take = game.moves().find(&legal[1]).unwrap();
    walker.advance(&[take, noop], &mut Chance::from_seed(0));
    assert!(walker.is_terminal());
    assert_eq!(
        [0, 1].map(|role| walker.goal(RoleId(role))),
        [Goal::One(100), Goal::One(0)]
    );
    let mut state = game.initial();
    walker.save(&mut state);
    let texts = game.fluents(&state);
    assert_eq!(
        texts,
        [
            "(cell b 2 wp)",
            "(control black)",
            "(men bk 0)",
            "(step 1)",
            "(won white)"
        ]
    );
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    assert_eq!(game.state(&texts).unwrap(), state);
    for wrong in [
        "(cell c 1 wp)",
        "(cell a 1 wq)",
        "(control white)",
        "(step 01)",
        "(men bk 2)",
        "x",
        "",
    ] {
        let with: Vec<&str> = texts.iter().copied().chain([wrong]).collect();
        assert_eq!(game.state(&with).unwrap_err().text, wrong);
    }
    assert!(game.state(&texts[1..]).is_ok());
    assert!(game.state(&texts[..2]).is_err());
    assert_eq!(Colour::White.other(), Colour::Black);
}
