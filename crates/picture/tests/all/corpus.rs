//! Sheets of the public collection, if it is there: boards that were never described to us.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock};

use crate::common::Subject;
use paidia_picture::{Frame, Scene};
use paidia_testkit::{Corpus, corpus};

fn subject(corpus: &Corpus, name: &str) -> Subject {
    let text = corpus.rules(name).text;
    Subject::read(name, &text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The picture of a sheet, and its first state.
type Drawn = Arc<OnceLock<(Scene, Frame)>>;

/// The picture of a sheet, which is made once for all tests.
fn drawn(corpus: &Corpus, name: &str) -> Drawn {
    static ALL: Mutex<BTreeMap<String, Drawn>> = Mutex::new(BTreeMap::new());
    let drawn = Arc::clone(ALL.lock().unwrap().entry(name.to_owned()).or_default());
    drawn.get_or_init(|| {
        let subject = subject(corpus, name);
        let scene = subject.scene(None);
        let frame = subject.start(&scene);
        (scene, frame)
    });
    drawn
}

#[test]
fn boards_of_known_sheets_have_their_sizes() {
    let Some(corpus) = corpus() else { return };
    let expected: [(&str, &[(usize, usize)]); 28] = [
        ("ticTacToe", &[(3, 3)]),
        ("conn4", &[(7, 6)]),
        ("breakthrough", &[(8, 8)]),
        ("chess", &[(8, 8)]),
        ("chess_200", &[(8, 8)]),
        ("alexChess", &[(8, 8)]),
        ("checkers", &[(8, 8)]),
        ("hex", &[(9, 9)]),
        ("chineseCheckers6", &[(7, 9)]),
        ("tron_10x10", &[(12, 12)]),
        ("nineBoardTicTacToe", &[(9, 9)]),
        ("eightPuzzle", &[(3, 3)]),
        ("sudokuGrade1", &[(9, 9)]),
        ("reversi", &[(8, 8)]),
        ("pentago", &[(3, 3); 4]),
        ("tictactoe_3d_2player", &[(4, 4); 4]),
        ("connectFourSimultaneous", &[(8, 6); 2]),
        ("racetrackcorridor", &[(5, 3); 2]),
        ("double_tictactoe_dengji", &[(3, 3); 2]),
        ("ticblock", &[(4, 4), (3, 3)]),
        ("chomp", &[(8, 7)]),
        ("nonogram_10x10_1", &[(10, 10)]),
        ("amazons", &[(10, 10)]),
        ("slidingpieces", &[(4, 5)]),
        ("quad", &[(11, 11)]),
        ("kitten_escapes_from_fire", &[(15, 4)]),
        ("nim3", &[(4, 1)]),
        ("gt_staghunt", &[]),
    ];
    for (name, sizes) in expected {
        let drawn = drawn(&corpus, name);
        let (scene, _) = drawn.get().unwrap();
        let found: Vec<(usize, usize)> = scene
            .boards
            .iter()
            .map(|board| (board.columns.len(), board.rows.len()))
            .collect();
        assert_eq!(found, sizes, "{name}");
    }
}

#[test]
fn contents_of_known_sheets_are_on_their_squares() {
    let Some(corpus) = corpus() else { return };
    // The name of the sheet, column, row, and what is there at the start.
    let expected = [
        ("chess", "e", "1", "wk"),
        ("chess_200", "d", "8", "black_queen"),
        ("alexChess", "c", "8", "bbc"),
        ("checkers", "a", "2", "wp"),
        ("breakthrough", "3", "7", "black"),
        ("tron_10x10", "3", "3", "red"),
        ("tron_10x10", "0", "5", "v"),
        ("amazons", "10", "4", "white"),
        ("eightPuzzle", "1", "2", "7"),
        ("slidingpieces", "x4", "y1", "piece3"),
        ("sudokuGrade1", "1.1", "1.1", "9"),
        ("ghostMaze2p", "2", "6", "explorer"),
    ];
    for (name, column, row, content) in expected {
        let drawn = drawn(&corpus, name);
        let (scene, frame) = drawn.get().unwrap();
        let board = &scene.boards[0];
        let place = |values: &[String], value: &str| values.iter().position(|other| other == value);
        let (Some(column), Some(row)) = (place(&board.columns, column), place(&board.rows, row))
        else {
            panic!("{name} has no column {column} or no row {row}: {board:?}");
        };
        let found = frame.cells[row * board.columns.len() + column].as_deref();
        let words: Vec<&str> = found.unwrap_or_default().split(' ').collect();
        assert!(words.contains(&content), "{name}: {found:?}");
    }
}

#[test]
fn moves_of_known_sheets_are_squares() {
    let Some(corpus) = corpus() else { return };
    let expected: [(&str, &str, &[&[u32]]); 16] = [
        ("ticTacToe", "(mark 2 3)", &[&[7]]),
        ("conn4", "(drop 3)", &[&[2, 9, 16, 23, 30, 37]]),
        ("breakthrough", "(move 1 2 2 3)", &[&[8], &[17]]),
        ("chess", "(move wp a 2 a 3)", &[&[8], &[16]]),
        ("chess_200", "(move knight b 1 c 3)", &[&[1], &[18]]),
        ("checkers", "(move wp b 3 c 4)", &[&[17], &[26]]),
        (
            "checkers",
            "(doublejump bp b 7 d 5 f 3)",
            &[&[49], &[35], &[21]],
        ),
        ("hex", "(place c 4)", &[&[29]]),
        ("amazons", "(play 1 4 1 1 1 2)", &[&[30], &[0], &[10]]),
        ("nineBoardTicTacToe", "(play 2 1 3 2 x)", &[&[14]]),
        ("pentago", "(place 2 3 1)", &[&[11]]),
        (
            "pentago",
            "(rotate 1 clockwise)",
            &[&[0, 1, 2, 3, 4, 5, 6, 7, 8]],
        ),
        ("tictactoe_3d_2player", "(select 2 1 3)", &[&[33]]),
        ("sudoku", "(play 1 2 9)", &[&[9]]),
        ("double_tictactoe_dengji", "(mark2 1 1)", &[&[9]]),
        ("biddingTicTacToe", "(bid 3 no_tiebreaker)", &[]),
    ];
    for (name, text, steps) in expected {
        let drawn = drawn(&corpus, name);
        let (scene, _) = drawn.get().unwrap();
        assert_eq!(scene.steps(text), steps, "{name} {text}");
    }
}

#[test]
fn a_sample_of_sheets_is_drawn() {
    let Some(corpus) = corpus() else { return };
    let names = corpus.names();
    let sample: Vec<&String> = names.iter().step_by(9).collect();
    assert!(sample.len() > 20, "only {} sheets", sample.len());
    for name in sample {
        let subject = subject(&corpus, name);
        let scene = subject.scene(None);
        let drawn = scene.looks.iter().filter(|(_, look)| !look.is_empty());
        let drawn: Vec<(&String, String)> = drawn
            .map(|(content, look)| (content, format!("{look:?}")))
            .collect();
        for (at, (content, look)) in drawn.iter().enumerate() {
            let same = drawn[..at].iter().find(|(_, other)| other == look);
            assert!(same.is_none(), "{name}: {content} looks like {same:?}");
        }
        subject.walk(5, 12, |fluents, legal| {
            assert_eq!(
                scene.frame(&fluents).cells.len(),
                scene.cells as usize,
                "{name}"
            );
            let cells = legal.iter().flat_map(|text| scene.steps(text).concat());
            assert!(cells.max().is_none_or(|cell| cell < scene.cells), "{name}");
        });
    }
}
