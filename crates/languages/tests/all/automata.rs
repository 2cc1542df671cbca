//! From expressions to minimal automata.

use paidia_languages::board::{Automaton, Letter, On, read_expression};
use paidia_testkit::boards;
use serde_json::Value;

use crate::data::{games, json, rules, strings};

/// The letters of a word such as `(0,1,e)(0,1,p)`.
fn word(text: &str) -> Vec<Letter> {
    let letters = text.split(')').filter(|part| !part.is_empty());
    letters
        .map(|letter| {
            let parts: Vec<&str> = letter.trim_start_matches('(').split(',').collect();
            Letter {
                dx: parts[0].parse().unwrap(),
                dy: parts[1].parse().unwrap(),
                on: On::of_letter(parts[2].as_bytes()[0]).unwrap(),
            }
        })
        .collect()
}

/// Compares an automaton with its table in the data.
#[track_caller]
fn check(automaton: &Automaton, table: &Value, what: &str) {
    assert_eq!(
        automaton.states() as u64,
        table["states"].as_u64().unwrap(),
        "{what}"
    );
    let accepting: Vec<u64> = (0..automaton.states() as u32)
        .filter(|&state| automaton.is_accepting(state))
        .map(u64::from)
        .collect();
    let expected: Vec<u64> = serde_json::from_value(table["accept"].clone()).unwrap();
    assert_eq!(accepting, expected, "{what}");
    let edges: Vec<(u32, String, u32)> = automaton
        .table()
        .map(|(from, letter, to)| (from, letter.to_string(), to))
        .collect();
    let expected: Vec<(u32, String, u32)> = serde_json::from_value(table["edges"].clone()).unwrap();
    assert_eq!(edges, expected, "{what}");
}

#[test]
fn expressions_have_the_automata_of_the_reference() {
    let Some(folder) = boards() else { return };
    let cases = json(&folder.join("syntax/expressions.json"));
    let cases = cases.as_array().unwrap();
    assert!(cases.len() >= 200);
    for case in cases {
        let text = case["expression"].as_str().unwrap();
        let automaton = Automaton::of(&read_expression(text).unwrap()).unwrap();
        check(&automaton, case, text);
        for inside in strings(&case["in"]) {
            assert!(automaton.accepts(&word(&inside)), "{text}: {inside}");
        }
        for outside in strings(&case["out"]) {
            assert!(!automaton.accepts(&word(&outside)), "{text}: {outside}");
        }
    }
}

#[test]
fn pieces_have_the_automata_of_the_reference() {
    let Some(folder) = boards() else { return };
    for (name, text) in games(&folder) {
        let rules = rules(&name, &text);
        let expected = json(&folder.join(format!("languages/{name}.json")));
        let pieces = expected["pieces"].as_object().unwrap();
        assert_eq!(pieces.len(), rules.pieces.len(), "{name}");
        for (piece, automaton) in rules.pieces.iter().zip(rules.automata().unwrap()) {
            let letter = char::from(piece.letter).to_string();
            let known = &pieces[&letter];
            check(&automaton, &known["minimal"], &format!("{name} {letter}"));
            // The list has all words that fit on the board.
            for listed in strings(&known["word_list"]) {
                assert!(
                    automaton.accepts(&word(&listed)),
                    "{name} {letter}: {listed}"
                );
            }
        }
    }
}

#[test]
fn a_table_becomes_the_same_automaton_whatever_its_numbers() {
    let one = word("(0,1,e)(0,1,p)");
    let (e, p) = (one[0], one[1]);
    // State 3 leads nowhere, state 4 is never reached.
    let table = [
        (0, p, 2),
        (0, e, 1),
        (1, e, 1),
        (1, p, 2),
        (0, word("(1,0,e)")[0], 3),
        (4, e, 2),
    ];
    let automaton = Automaton::of_table(&[false, true, true, false, true], &table).minimal();
    let same = Automaton::of(&read_expression("(0,1,e)^*(0,1,p) + (0,1,e)(0,1,e)^*").unwrap());
    assert_eq!(automaton, same.unwrap());
}
