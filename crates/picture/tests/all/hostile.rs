//! Sheets and states made to do harm: pictures stay small, and nothing panics.

use std::fmt::Write;

use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_picture::{LONGEST_SIDE, MOST_BOARDS, MOST_CELLS, Rules, Scene};

/// The picture of whatever could be understood of a text.
fn scene(text: &str, states: &[Vec<String>]) -> Option<Scene> {
    let (reading, report) = check_source(&Source::new("hostile", text), None);
    let program = Program::new(&reading.sheet, report.dialect).ok()?;
    let rules = Rules {
        sheet: &reading.sheet,
        program: &program,
    };
    Some(Scene::new(Some(rules), None, states))
}

fn is_small(scene: &Scene) -> bool {
    let side = |board: &paidia_picture::Board| board.columns.len().max(board.rows.len());
    scene.boards.len() <= MOST_BOARDS
        && scene.cells as usize <= MOST_CELLS
        && scene.boards.iter().all(|board| side(board) <= LONGEST_SIDE)
}

#[test]
fn huge_boards_are_not_drawn() {
    let mut text = String::from("(role robot)\n");
    for number in 0..100 {
        writeln!(text, "(init (cell {number} {number} x)) (index {number})").unwrap();
        writeln!(
            text,
            "(init (deep {} {} {} x))",
            number % 60,
            number / 2,
            number / 3
        )
        .unwrap();
        writeln!(text, "(init (nest {0} {0} {0} {0} x))", number % 20).unwrap();
    }
    text.push_str("(<= (legal robot (mark ?x ?y)) (index ?x) (index ?y))\n");
    text.push_str(
        "(<= (next (cell ?x ?y x)) (does robot (mark ?x ?y)))\nterminal\n(goal robot 0)\n",
    );
    let scene = scene(&text, &[]).unwrap();
    assert!(is_small(&scene), "{} squares", scene.cells);
    assert_eq!(scene.boards, []);
}

#[test]
fn many_boards_are_cut_off() {
    let mut text = String::from("(role robot)\n");
    let mut state = Vec::new();
    for board in 0..200 {
        for square in 0..16 {
            state.push(format!("(cell{board} {} {} b)", square % 4, square / 4));
        }
    }
    for fluent in &state {
        writeln!(text, "(init {fluent})").unwrap();
    }
    let scene = scene(&text, std::slice::from_ref(&state)).unwrap();
    assert!(is_small(&scene), "{} boards", scene.boards.len());
    assert_eq!(scene.boards.len(), MOST_BOARDS);
    let frame = scene.frame(&state);
    assert_eq!(frame.cells.iter().flatten().count(), MOST_BOARDS * 16);
    // One group for each of the four columns.
    assert_eq!(frame.beside.len(), 4 * (200 - MOST_BOARDS));
}

#[test]
fn odd_states_and_moves_are_shown_somehow() {
    let game = paidia_library::find("tic-tac-toe").unwrap();
    let scene = scene(game.rules, &[]).unwrap();
    let odd = [
        "",
        "(",
        "(cell)",
        "(cell 1 1)",
        "(cell 9 9 x)",
        "(cell (a b) 1 x)",
        "(cell 1 1 (f x))",
        "((",
        ")(",
    ];
    let odd: Vec<String> = odd.iter().map(|&text| text.to_owned()).collect();
    let frame = scene.frame(&odd);
    assert_eq!(frame.cells[0].as_deref(), Some("f_x"));
    for text in &odd {
        scene.steps(text);
    }
    for text in [
        "(mark 1)",
        "(mark 9 9)",
        "(mark 1 1 1)",
        "mark",
        "(mark (a) 1)",
    ] {
        assert_eq!(scene.steps(text), Vec::<Vec<u32>>::new(), "{text}");
    }
}

#[test]
fn damaged_sheets_do_no_harm() {
    // Every sheet of some games with a piece cut out, at places that a fixed step chooses.
    for name in [
        "chess",
        "tic-tac-toe-3d",
        "hex-7x7",
        "chinese-checkers-2",
        "kuhn-poker",
    ] {
        let text = paidia_library::find(name).unwrap().rules;
        let length = text.len();
        for cut in 0..40 {
            let from = cut * length / 40;
            let to = (from + 1 + cut * 7).min(length);
            let (Some(before), Some(after)) = (text.get(..from), text.get(to..)) else {
                continue;
            };
            let damaged = format!("{before}{after}");
            if let Some(scene) = scene(&damaged, &[vec!["(cell 1 1 x)".to_owned()]]) {
                assert!(is_small(&scene), "{name} without {from}..{to}");
            }
        }
    }
}
