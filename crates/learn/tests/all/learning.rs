//! Rules from observations: known numbers, theorems, and records of random play.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use paidia_languages::board::{Automaton, BoardGame, Letter, On, print, read_expression};
use paidia_learn::rules::{
    Check, Fraction, Method, Observations, Settings, Tree, accepted_words, expression,
    is_impossible, learn, learn_rules, select_spines,
};
use paidia_testkit::boards;
use serde_json::Value;

const TENTHS: [u32; 5] = [5, 6, 7, 8, 9];

fn tenths(of: u32) -> Check {
    Check::Fractional(Fraction { of, among: 10 })
}

fn settings(method: Method, check: Check) -> Settings {
    Settings {
        method,
        check,
        ..Settings::default()
    }
}

fn letter(text: &str) -> Letter {
    let parts: Vec<&str> = text.trim_matches(['(', ')']).split(',').collect();
    let on = On::of_letter(parts[2].as_bytes()[0]).unwrap();
    Letter {
        dx: parts[0].parse().unwrap(),
        dy: parts[1].parse().unwrap(),
        on,
    }
}

fn word(text: &str) -> Vec<Letter> {
    text.split_inclusive(')').map(letter).collect()
}

fn automaton(text: &str) -> Automaton {
    Automaton::of(&read_expression(text).unwrap()).unwrap()
}

fn unzipped(path: &Path) -> String {
    let mut text = String::new();
    let file = fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    GzDecoder::new(file).read_to_string(&mut text).unwrap();
    text
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// White's positions of the first plays of a record.
fn record(folder: &Path, game: &str, name: &str, plays: usize) -> Observations {
    let path = folder.join(format!("learning/{game}/{name}.txt.gz"));
    let seen = Observations::read(&unzipped(&path), None, plays).unwrap();
    assert_eq!(seen.plays, plays.min(seen.plays).max(1));
    seen.only(true)
}

/// The words that are right, and the size of the smallest automaton, by letter.
fn truth(folder: &Path, game: &str) -> Vec<(u8, BTreeSet<Vec<Letter>>, u64)> {
    let data = json(&folder.join(format!("languages/{game}.json")));
    let pieces = data["pieces"].as_object().unwrap().iter();
    let pieces = pieces.map(|(name, piece)| {
        let words = piece["word_list"].as_array().unwrap().iter();
        let words = words.map(|text| word(text.as_str().unwrap())).collect();
        let size = piece["smallest_modulo_s0"]["states"].as_u64().unwrap();
        (name.as_bytes()[0], words, size)
    });
    pieces.collect()
}

/// How many words an automaton accepts that are wrong.
fn errors(learned: &Automaton, right: &BTreeSet<Vec<Letter>>, seen: &Observations) -> usize {
    let words = accepted_words(learned, seen.width, seen.height, 200_000);
    words.iter().filter(|word| !right.contains(*word)).count()
}

#[test]
fn words_are_sorted_as_in_the_listing() {
    // An 8x8 knight: a word seen, one that is possible, one that leaves every board.
    let [seen, longer] = ["(-1,2,e)", "(-1,2,e)(-1,2,e)"].map(word);
    assert!(!is_impossible(&seen, 8, 8));
    assert!(!is_impossible(&longer, 8, 8));
    assert!(is_impossible(&word(&"(-1,2,e)".repeat(4)), 8, 8));
    assert!(is_impossible(&word("(1,0,e)(-1,0,w)"), 8, 8));
}

#[test]
fn records_hold_what_their_counts_say() {
    let Some(folder) = boards() else { return };
    for game in ["tricky", "ibis", "checkers_breakthrough"] {
        let counts = json(&folder.join(format!("learning/{game}/counts.json")));
        let seen = record(&folder, game, "all-100", 10);
        for (letter, expected) in counts["all"]["10"].as_object().unwrap() {
            let words: BTreeSet<Vec<Letter>> = seen
                .positions
                .iter()
                .flat_map(|position| &position.words)
                .filter(|seen| seen.letter == letter.as_bytes()[0])
                .map(|seen| seen.word.clone())
                .collect();
            let words: Vec<Vec<Letter>> = words.into_iter().collect();
            assert_eq!(
                words.len() as u64,
                expected["words_seen"].as_u64().unwrap(),
                "{game} {letter}"
            );
            let tree = Tree::new(&words);
            assert_eq!(
                tree.states() as u64,
                expected["pta_states"].as_u64().unwrap(),
                "{game} {letter}"
            );
            let minimal = tree.automaton().minimal().states() as u64;
            assert_eq!(
                minimal,
                expected["minimised_pta_states"].as_u64().unwrap(),
                "{game} {letter}"
            );
        }
    }
}

#[test]
fn records_without_positions_are_followed_from_the_start() {
    let Some(folder) = boards() else { return };
    let rules = super::pieces::rules(&fs::read_to_string(folder.join("games/tricky.sbg")).unwrap());
    let start: Vec<u8> = rules
        .start
        .iter()
        .map(|man| man.character() as u8)
        .collect();
    let text = unzipped(&folder.join("learning/tricky/single-1000.txt.gz"));
    let bare = Observations::read(&text, Some((&start, 11)), 10).unwrap();
    let full = unzipped(&folder.join("learning/tricky/single-10.txt.gz"));
    let full = Observations::read(&full, None, 10).unwrap();
    assert_eq!(bare.positions, full.positions);
    assert!(full.positions.len() > 100);
}

#[test]
fn damaged_records_are_refused_by_line() {
    for (text, line) in [
        ("ply 0 white\n..\n.\n1", 3),
        ("ply 0 white\n..\n..\n2\nP 0 0 (0,1,e)", 5),
        ("ply 0 white\n..\n..\n1\nP 0 9 (0,1,e)\n", 5),
        ("ply 0 white\n..\n..\n1\nP 0 0 (0,1,x)\n", 5),
        ("ply 0\n", 1),
    ] {
        assert_eq!(
            Observations::read(text, None, 9).unwrap_err().line,
            line,
            "{text}"
        );
    }
}

#[test]
fn spines_are_those_of_the_figure() {
    let [a, b, c] = ["(1,0,e)", "(0,1,e)", "(0,1,p)"];
    let names = |vertebra: &[Letter]| -> String {
        let name = |step: &Letter| match step.to_string() {
            text if text == a => 'a',
            text if text == b => 'b',
            _ => 'c',
        };
        vertebra.iter().map(name).collect()
    };
    // Words that end in the accepting states 1, 3, 4, 5, 6 of the tree; the way 0-c-7-c-8 accepts
    // nothing in the figure, so a last state is added that does.
    let words = ["a", "aba", "abb", "aa", "aaa", "ccb"];
    let spelt = |word: &str| -> Vec<Letter> {
        let steps = word.chars().map(|name| match name {
            'a' => a,
            'b' => b,
            _ => c,
        });
        steps.map(letter).collect()
    };
    let words: Vec<Vec<Letter>> = words.iter().map(|word| spelt(word)).collect();
    let tree = Tree::new(&words);
    let found = |size| -> BTreeSet<(String, usize)> {
        let spines = select_spines(&tree, size, 0).into_iter();
        spines
            .map(|spine| (names(&spine.vertebra), spine.length))
            .collect()
    };
    let set = |spines: &[(&str, usize)]| -> BTreeSet<(String, usize)> {
        spines
            .iter()
            .map(|(name, length)| ((*name).to_owned(), *length))
            .collect()
    };
    assert_eq!(found(1), set(&[("a", 2), ("c", 2)]));
    let two = found(2);
    for spine in set(&[("ab", 3), ("bb", 2), ("aa", 2), ("cc", 2)]) {
        assert!(two.contains(&spine), "{two:?}");
    }
}

#[test]
fn a_forward_slider_of_five_rows_becomes_three_states() {
    let words = [
        "(0,1,e)",
        "(0,1,e)(0,1,e)",
        "(0,1,e)(0,1,e)(0,1,e)",
        "(0,1,e)(0,1,e)(0,1,e)(0,1,e)",
        "(0,1,p)",
        "(0,1,e)(0,1,p)",
        "(0,1,e)(0,1,e)(0,1,p)",
        "(0,1,e)(0,1,e)(0,1,e)(0,1,p)",
    ];
    let mut text = "position 0 white\n.\n.\n.\n.\nS\n4\n".to_owned();
    words[..4]
        .iter()
        .for_each(|word| text += &format!("S 0 0 {word}\n"));
    for captured in 0..4 {
        let rows: Vec<&str> = (0..4)
            .rev()
            .map(|row| if row == captured { "p" } else { "." })
            .collect();
        text += &format!(
            "position 0 white\n{}\nS\n{}\n",
            rows.join("\n"),
            captured + 1
        );
        words[..captured]
            .iter()
            .for_each(|word| text += &format!("S 0 0 {word}\n"));
        text += &format!("S 0 0 {}\n", words[4 + captured]);
    }
    let seen = Observations::read(&text, None, 1).unwrap();
    let expected = automaton("(0,1,e)(0,1,e)^* + (0,1,e)^*(0,1,p)");
    for method in Method::ALL {
        for check in [Check::Fast, Check::Bjornsson, tenths(7)] {
            let learned = learn(&seen, b'S', settings(method, check)).unwrap();
            assert_eq!(learned.states(), 3, "{method:?} {check:?}");
            if method == Method::Spine {
                assert_eq!(learned, expected, "{check:?}");
            }
        }
    }
}

/// Theorem 3.2.1: what was seen of a rook that goes four squares lets Björnsson's learner believe
/// in five.
#[test]
fn short_rides_mislead_bjornsson_and_not_the_fast_check() {
    let Some(folder) = boards() else { return };
    let text = fs::read_to_string(folder.join("learning/short_rook_theorem.txt")).unwrap();
    let seen = Observations::read(&text, None, 1).unwrap();
    let words: Vec<Vec<Letter>> = seen
        .positions
        .iter()
        .flat_map(|position| position.words.iter().map(|seen| seen.word.clone()))
        .collect();
    assert_eq!(Tree::new(&words).automaton().minimal().states(), 14);
    let five = word(&"(1,0,e)".repeat(5));
    let is_long = |learned: &Automaton| {
        ["(1,0,e)", "(-1,0,e)", "(0,1,e)", "(0,-1,e)"]
            .iter()
            .any(|step| learned.accepts(&word(&step.repeat(5))))
    };
    assert!(!is_impossible(&five, 6, 8));
    let learned = learn(&seen, b'S', settings(Method::Bjornsson, Check::Bjornsson)).unwrap();
    assert!(is_long(&learned), "{learned:?}");
    for method in Method::ALL {
        let learned = learn(&seen, b'S', settings(method, Check::Fast)).unwrap();
        assert!(!is_long(&learned), "{method:?}");
    }
}

/// Which pieces of Tricky are learned wrongly follows from exact fractions.
#[test]
fn tricky_pieces_are_wrong_exactly_where_the_fractions_say() {
    let Some(folder) = boards() else { return };
    let seen = record(&folder, "tricky", "all-100", 50);
    let truth = truth(&folder, "tricky");
    let is_wrong = |name: u8, settings: Settings| {
        let right = &truth.iter().find(|(letter, ..)| *letter == name).unwrap().1;
        errors(&learn(&seen, name, settings).unwrap(), right, &seen) > 0
    };
    for of in TENTHS {
        let settings = settings(Method::Bjornsson, tenths(of));
        assert!(is_wrong(b'S', settings), "S at {of}/10");
        assert_eq!(is_wrong(b'T', settings), of == 5, "T at {of}/10");
    }
    for method in Method::ALL {
        for name in [b'S', b'T', b'P'] {
            assert!(!is_wrong(name, settings(method, Check::Fast)), "{method:?}");
        }
    }
    assert_eq!(learn(&seen, b'X', Settings::default()), None);
}

/// All that was seen is accepted, whatever the method; the fast check makes no errors and is the
/// fractional check with 1.
#[test]
fn what_was_seen_is_kept_and_the_fast_check_makes_no_errors() {
    let Some(folder) = boards() else { return };
    for game in ["ibis", "los_alamos", "checkers_breakthrough"] {
        let seen = record(&folder, game, "all-100", 10);
        for (name, right, _) in truth(&folder, game) {
            for method in Method::ALL {
                let fast = learn(&seen, name, settings(method, Check::Fast)).unwrap();
                assert_eq!(
                    errors(&fast, &right, &seen),
                    0,
                    "{game} {} {method:?}",
                    char::from(name)
                );
                let whole = Check::Fractional(Fraction { of: 1, among: 1 });
                assert_eq!(
                    learn(&seen, name, settings(method, whole)).as_ref(),
                    Some(&fast)
                );
                let some = learn(&seen, name, settings(method, tenths(7))).unwrap();
                let own = seen.positions.iter().flat_map(|position| &position.words);
                for word in own.filter(|seen| seen.letter == name) {
                    assert!(fast.accepts(&word.word) && some.accepts(&word.word));
                }
            }
        }
    }
}

#[test]
fn spines_with_seven_tenths_find_the_chess_pieces() {
    let Some(folder) = boards() else { return };
    let seen = record(&folder, "los_alamos", "all-100", 50);
    for (name, right, size) in truth(&folder, "los_alamos") {
        let learned = learn(&seen, name, Settings::default()).unwrap();
        assert_eq!(errors(&learned, &right, &seen), 0, "{}", char::from(name));
        assert_eq!(learned.states() as u64, size, "{}", char::from(name));
    }
}

/// What was learned is written as rules, read again, and played: the moves are those of the game
/// that was watched.
#[test]
fn learned_rules_are_played_like_the_game_that_was_watched() {
    let Some(folder) = boards() else { return };
    let real =
        super::pieces::rules(&fs::read_to_string(folder.join("games/los_alamos.sbg")).unwrap());
    let seen = record(&folder, "los_alamos", "all-100", 50);
    let goals = real.goals.clone();
    let learned = learn_rules("Learned", &seen, Settings::default(), real.turns, goals).unwrap();
    let learned = super::pieces::rules(&print(&learned));
    assert_eq!(learned.start, real.start);
    let games = [real, learned].map(|rules| BoardGame::new("game", rules).unwrap());
    let [mut trusted, mut suspect] = games.each_ref().map(BoardGame::position);
    let mut positions = 0;
    for play in 0..20 {
        let mut line = Vec::new();
        while trusted.winner().is_none() && !trusted.is_out_of_turns() {
            let (mut moves, mut others) = (Vec::new(), Vec::new());
            trusted.moves(&mut moves);
            suspect.moves(&mut others);
            assert_eq!(moves, others, "{trusted:?}");
            positions += 1;
            if moves.is_empty() {
                break;
            }
            // A fixed choice that differs from play to play.
            let chosen = moves[(play * 31 + positions * 17) % moves.len()];
            line.push((trusted.make(chosen), suspect.make(chosen)));
        }
        for (one, other) in line.into_iter().rev() {
            trusted.unmake(one);
            suspect.unmake(other);
        }
    }
    assert!(positions > 300, "{positions} positions");
}

#[test]
fn an_automaton_becomes_an_expression_of_the_same_language() {
    for text in [
        "(0,1,e)",
        "(0,1,e)(0,1,e)^* + (0,1,e)^*(0,1,p)",
        "((1,1,p)(1,1,e)+(-1,1,p)(-1,1,e))((1,1,p)(1,1,e)+(-1,1,p)(-1,1,e))^* + (1,1,e)",
        "(1,1,e)(0,1,e)^2(0,1,e)^*((0,1,e)+(0,1,p)) + (2,1,w)",
        "((0,1,e)(1,0,p)^* + (0,2,e)^3)(0,1,w)",
    ] {
        let automaton = automaton(text);
        let written = expression(&automaton).unwrap();
        assert_eq!(
            Automaton::of(&written).unwrap(),
            automaton,
            "{text}: {written}"
        );
    }
}
