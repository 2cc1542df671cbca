//! The worked example of the paper: tic-tac-toe.

use paidia_game::{MoveId, RoleId};
use paidia_gdl::grounding::Budget as Grounding;
use paidia_reason::knowledge::{Certainty, Persistence, Turns};
use paidia_reason::propnet::GroundGame;
use paidia_reason::regression::{Budget, FluentWeights, Formula, Heuristics, Part};

use crate::regression::as_written;

/// Tic-tac-toe up to what makes a line.
const BOARD: &str = "
(role xplayer) (role oplayer)
(init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 1 3 b))
(init (cell 2 1 b)) (init (cell 2 2 b)) (init (cell 2 3 b))
(init (cell 3 1 b)) (init (cell 3 2 b)) (init (cell 3 3 b))
(init (control xplayer))
(<= (legal ?player (mark ?m ?n)) (true (control ?player)) (true (cell ?m ?n b)))
(<= (legal xplayer noop) (true (control oplayer)))
(<= (legal oplayer noop) (true (control xplayer)))
(<= (next (cell ?m ?n x)) (does xplayer (mark ?m ?n)) (true (cell ?m ?n b)))
(<= (next (cell ?m ?n o)) (does oplayer (mark ?m ?n)) (true (cell ?m ?n b)))
(<= (next (cell ?m ?n ?mark)) (true (cell ?m ?n ?mark)) (distinct ?mark b))
(<= (next (cell ?m ?n b)) (true (cell ?m ?n b)) (does ?player (mark ?j ?k)) (distinct ?m ?j))
(<= (next (cell ?m ?n b)) (true (cell ?m ?n b)) (does ?player (mark ?j ?k)) (distinct ?n ?k))
(<= (next (control xplayer)) (true (control oplayer)))
(<= (next (control oplayer)) (true (control xplayer)))
(<= (goal xplayer 100) (line x)) (<= (goal oplayer 0) (line x))
(<= (goal oplayer 100) (line o)) (<= (goal xplayer 0) (line o))
(<= (goal ?player 50) (role ?player) (not (line x)) (not (line o)))
(<= terminal (line x)) (<= terminal (line o)) (<= terminal (not open))
(<= open (true (cell ?m ?n b)))
(<= (line ?mark) (true (cell 1 1 ?mark)) (true (cell 2 2 ?mark)) (true (cell 3 3 ?mark)))
(<= (line ?mark) (true (cell 3 1 ?mark)) (true (cell 2 2 ?mark)) (true (cell 1 3 ?mark)))
";

/// The lines that the paper's listing has not, but its values need.
const ROWS: &str = "
(<= (line ?mark) (true (cell ?m 1 ?mark)) (true (cell ?m 2 ?mark)) (true (cell ?m 3 ?mark)))
(<= (line ?mark) (true (cell 1 ?n ?mark)) (true (cell 2 ?n ?mark)) (true (cell 3 ?n ?mark)))
";

fn game(rules: &str) -> (GroundGame, Heuristics) {
    let game = as_written("tic-tac-toe", rules, Grounding::default()).unwrap();
    let turns = Turns::prove(&game.network).expect("turns are plain in these rules");
    assert_eq!(turns.certainty, Certainty::Proven);
    let heuristics = Heuristics::new(&game, &turns, Budget::default()).unwrap();
    (game, heuristics)
}

fn mark(game: &GroundGame, column: u32, row: u32) -> MoveId {
    game.moves.find(&format!("(mark {column} {row})")).unwrap()
}

/// A formula with its parts in order and without brackets that change nothing.
fn normal(game: &GroundGame, heuristics: &Heuristics, formula: Formula) -> String {
    let text = |negated: bool, name: String| match negated {
        true => format!("!{name}"),
        false => name,
    };
    match heuristics.part(formula) {
        Part::True => text(formula.is_negated(), "true".into()),
        Part::Unknown => "unknown".into(),
        Part::Does(role, index) => text(formula.is_negated(), format!("does {role} {index}")),
        Part::Holds(fluent) => text(formula.is_negated(), game.fluents[fluent as usize].clone()),
        Part::All(_) => {
            let negated = formula.is_negated();
            let mut parts = Vec::new();
            collect(game, heuristics, formula, negated, &mut parts);
            parts.sort();
            format!("[{}]", parts.join([" & ", " | "][usize::from(negated)]))
        }
    }
}

/// The parts of a conjunction, or (if `negated`) of a disjunction, and of those that are parts of
/// it.
fn collect(
    game: &GroundGame,
    heuristics: &Heuristics,
    formula: Formula,
    negated: bool,
    parts: &mut Vec<String>,
) {
    match heuristics.part(formula) {
        Part::All(inner) if formula.is_negated() == negated => {
            for &part in inner {
                let part = if negated { !part } else { part };
                collect(game, heuristics, part, negated, parts);
            }
        }
        _ => parts.push(normal(game, heuristics, formula)),
    }
}

fn x(column: u32, row: u32) -> String {
    format!("(cell {column} {row} x)")
}

fn free_or_x(column: u32, row: u32) -> String {
    format!("[(cell {column} {row} b) | {}]", x(column, row))
}

fn line(mut cells: [String; 3]) -> String {
    cells.sort();
    format!("[{}]", cells.join(" & "))
}

fn either(mut lines: [String; 2]) -> String {
    lines.sort();
    format!("[{}]", lines.join(" | "))
}

#[test]
fn the_formulas_of_the_diagonals_are_those_of_the_paper() {
    let (game, heuristics) = game(BOARD);
    let formula = |column, row| {
        let formula = heuristics.formula(RoleId(0), mark(&game, column, row));
        normal(&game, &heuristics, formula.unwrap())
    };
    // Formula (7): (x22 & x33 & (b11 | x11)) | (x31 & x22 & x13)
    let rising = line([x(3, 1), x(2, 2), x(1, 3)]);
    let corner = either([line([free_or_x(1, 1), x(2, 2), x(3, 3)]), rising.clone()]);
    assert_eq!(formula(1, 1), corner);
    let centre = either([
        line([x(1, 1), free_or_x(2, 2), x(3, 3)]),
        line([x(3, 1), free_or_x(2, 2), x(1, 3)]),
    ]);
    assert_eq!(formula(2, 2), centre);
    let edge = either([line([x(1, 1), x(2, 2), x(3, 3)]), rising]);
    assert_eq!(formula(1, 2), edge);
}

/// What the squares are worth at the start: the centre, a corner, an edge.
fn values(game: &GroundGame, heuristics: &Heuristics, weights: &FluentWeights<'_>) -> [f64; 3] {
    let moves = [(2, 2), (1, 1), (1, 2)].map(|(column, row)| mark(game, column, row));
    let mut state = vec![0u64; game.fluents.len().div_ceil(64)];
    for (fluent, _) in game.network.initial.iter().enumerate().filter(|new| *new.1) {
        state[fluent / 64] |= 1 << (fluent % 64);
    }
    let mut values = Vec::new();
    heuristics
        .evaluator(weights)
        .evaluate(&state, RoleId(0), &moves, &mut values);
    values.try_into().unwrap()
}

fn assert_near(found: [f64; 3], expected: [f64; 3]) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
    }
}

#[test]
fn the_values_of_the_start_are_exact() {
    let (diagonals, of_diagonals) = game(BOARD);
    let found = values(&diagonals, &of_diagonals, &FluentWeights::USUAL);
    assert_near(found, [0.001_747, 0.000_901, 0.000_054]);
    let (lines, of_lines) = game(&[BOARD, ROWS].concat());
    let found = values(&lines, &of_lines, &FluentWeights::USUAL);
    assert_near(found, [0.003_598, 0.002_754, 0.001_909]);
    // As many as there are lines through each: 4, 3 and 2.
    let [centre, corner, edge] = found;
    assert!((corner / centre / 0.75 - 1.0).abs() < 0.1 && (edge / centre / 0.5 - 1.0).abs() < 0.1);
}

#[test]
fn marks_stay_and_blanks_do_not_come_back() {
    let (game, heuristics) = game(&[BOARD, ROWS].concat());
    let persistence = Persistence::new(&game.network, Default::default());
    assert_eq!(persistence.true_for_good(), 18);
    assert_eq!(persistence.false_for_good(), 9);
    for (fluent, name) in game.fluents.iter().enumerate() {
        let marked = name.ends_with("x)") || name.ends_with("o)");
        let blank = name.ends_with("b)");
        assert_eq!(persistence.is_true_for_good(fluent), marked, "{name}");
        assert_eq!(persistence.is_false_for_good(fluent), blank, "{name}");
    }
    // Nothing is marked yet, and all blanks may be: the values stay.
    let weights = FluentWeights {
        persistence: Some(&persistence),
        ..FluentWeights::USUAL
    };
    let [with, without] =
        [weights, FluentWeights::USUAL].map(|weights| values(&game, &heuristics, &weights));
    assert_near(with, without);
}

#[test]
fn what_others_do_at_the_same_time_is_unknown() {
    let rules = "
        (role left) (role right) (init idle)
        (<= (legal ?role press) (role ?role)) (<= (legal ?role rest) (role ?role))
        (<= (next lit) (does left press) (does right press))
        (<= (next dark) (does left rest))
        (<= (goal left 100) (true lit)) (<= (goal left 0) (not (true lit)))
        (<= (goal right 100) (true dark)) (<= (goal right 0) (not (true dark)))
        (<= terminal (true lit))";
    let game = as_written("lamp", rules, Grounding::default()).unwrap();
    assert_eq!(Turns::prove(&game.network), None);
    let turns = Turns::observe(&paidia_reason::propnet::Propnet::new(game.clone()), 1, 1);
    let heuristics = Heuristics::new(&game, &turns, Budget::default()).unwrap();
    let formula = |role, name| {
        let id = game.moves.find(name).unwrap();
        heuristics.formula(RoleId(role), id).unwrap()
    };
    assert_eq!(formula(0, "press"), Formula::UNKNOWN);
    assert_eq!(formula(0, "rest"), Formula::FALSE);
    assert_eq!(formula(1, "press"), Formula::UNKNOWN);
}

#[test]
fn too_complex_is_an_answer_with_figures() {
    let game = as_written("tic-tac-toe", BOARD, Grounding::default()).unwrap();
    let turns = Turns::prove(&game.network).unwrap();
    let small = Budget {
        formulas: 20,
        ..Budget::default()
    };
    let refused = Heuristics::new(&game, &turns, small).unwrap_err();
    assert_eq!(refused.what, "room");
    assert!(refused.formulas >= 20, "{refused}");
    let hasty = Budget {
        steps: 30,
        ..Budget::default()
    };
    let refused = Heuristics::new(&game, &turns, hasty).unwrap_err();
    assert_eq!(refused.what, "time");
    assert!(refused.to_string().contains("steps"), "{refused}");
}
