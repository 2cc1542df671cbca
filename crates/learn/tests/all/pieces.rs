//! What men are worth.

use std::fs;

use paidia_gdl::Source;
use paidia_languages::board::{self, BoardRules};
use paidia_learn::values::{Likelihood, Value, values};
use paidia_testkit::boards;
use serde_json::Value as Json;

pub(crate) fn rules(text: &str) -> BoardRules {
    let reading = board::read(&Source::new("test", text));
    assert!(!reading.has_errors(), "{:?}", reading.problems);
    reading.rules
}

/// A fraction such as `12521/405`.
fn exact(text: &str) -> f64 {
    match text.split_once('/') {
        Some((over, under)) => over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap(),
        None => text.parse().unwrap(),
    }
}

#[test]
fn men_are_worth_what_the_reference_says() {
    let Some(folder) = boards() else { return };
    let text = fs::read_to_string(folder.join("player/initial_weights.json")).unwrap();
    let data: Json = serde_json::from_str(&text).unwrap();
    let mut compared = 0;
    for (game, expected) in data.as_object().unwrap() {
        let Some(pieces) = expected["pieces"].as_object() else {
            continue;
        };
        let path = folder.join(format!("games/{game}.sbg"));
        let rules = rules(&fs::read_to_string(path).unwrap());
        let empty = exact(expected["p_empty"].as_str().unwrap());
        assert!(
            (Likelihood::new(&rules).of[0] - empty).abs() < 1e-12,
            "{game}"
        );
        let values = values(&rules).unwrap();
        for (letter, expected) in pieces {
            let letter = letter.as_bytes()[0];
            let value = values.iter().find(|value| value.letter == letter).unwrap();
            let mobility = exact(expected["mobility_exact"].as_str().unwrap());
            let goal = expected["goal"].as_f64().unwrap();
            let name = char::from(letter);
            assert!(
                (value.mobility - mobility).abs() < 1e-9,
                "{game} {name}: {value:?}"
            );
            assert!((value.goal - goal).abs() < 1e-9, "{game} {name}: {value:?}");
            let corner = expected["corner_a1"].as_f64().unwrap();
            assert!((value.squares[0] - corner).abs() < 1e-9, "{game} {name}");
            compared += 1;
        }
    }
    assert!(compared >= 80, "{compared} pieces");
}

/// Table 6.2.3 of the thesis, in pawns: knight, bishop, rook, queen, king, and the goal's part of
/// the pawn. The table divides numbers of two decimals: so come out its kings exactly.
#[test]
fn values_are_those_of_the_printed_table() {
    let Some(folder) = boards() else { return };
    for (game, printed) in [
        ("regular_chess", [2.50, 3.00, 4.18, 7.16, 161.60, 0.38]),
        (
            "asymmetric_los_alamos",
            [1.97, 2.01, 2.88, 4.90, 150.46, 0.47],
        ),
        ("gardner", [1.57, 1.51, 2.20, 3.70, 138.59, 0.54]),
    ] {
        let path = folder.join(format!("games/{game}.sbg"));
        let values = values(&rules(&fs::read_to_string(path).unwrap())).unwrap();
        let of = |letter| {
            values
                .iter()
                .find(|value: &&Value| value.letter == letter)
                .unwrap()
        };
        let cut = |value: f64| (value * 100.0).round() / 100.0;
        let pawn = cut(of(b'P').total());
        for (letter, printed) in b"NBRQK".iter().zip(printed) {
            let bound = if *letter == b'K' { 0.15 } else { 0.02 };
            let value = cut(of(*letter).total()) / pawn;
            assert!(
                (value - printed).abs() < bound,
                "{game} {}: {value}",
                char::from(*letter)
            );
        }
        assert!((of(b'P').goal / pawn - printed[5]).abs() < 0.01, "{game}");
    }
}
