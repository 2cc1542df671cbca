//! Games drawn by hand.

use paidia_reason::propnet::{GroundGame, Wire};

use crate::propnet::drawing::Drawing;

/// Tic-tac-toe as its public rule sheet has it.
pub(crate) fn tic_tac_toe() -> GroundGame {
    let squares: Vec<(u32, u32)> = (1..=3).flat_map(|x| (1..=3).map(move |y| (x, y))).collect();
    let mark = |(x, y): (u32, u32)| format!("(mark {x} {y})");
    let cell = |(x, y): (u32, u32), what: &str| format!("(cell {x} {y} {what})");
    let mut moves: Vec<String> = squares.iter().map(|&square| mark(square)).collect();
    moves.push("noop".into());
    let mut fluents = vec![
        "(control xplayer)".to_owned(),
        "(control oplayer)".to_owned(),
    ];
    for what in ["b", "x", "o"] {
        fluents.extend(squares.iter().map(|&square| cell(square, what)));
    }
    let blanks: Vec<String> = squares.iter().map(|&square| cell(square, "b")).collect();
    let mut initial: Vec<&str> = blanks.iter().map(String::as_str).collect();
    initial.push("(control xplayer)");
    let roles: [(&str, &[String]); 2] = [("xplayer", &moves), ("oplayer", &moves)];
    let mut drawing = Drawing::new(&roles, &fluents, &initial);
    let control = ["(control xplayer)", "(control oplayer)"].map(|name| drawing.holds(name));
    drawing.next("(control xplayer)", control[1]);
    drawing.next("(control oplayer)", control[0]);
    for &square in &squares {
        let blank = drawing.holds(&cell(square, "b"));
        let marked = [0, 1].map(|role| drawing.does(role, &mark(square)));
        for (role, what) in ["x", "o"].into_iter().enumerate() {
            let legal = drawing.and(&[blank, control[role]]);
            drawing.legal(role, &mark(square), legal);
            let stays = drawing.holds(&cell(square, what));
            let made = drawing.and(&[marked[role], blank]);
            let next = drawing.or(&[made, stays]);
            drawing.next(&cell(square, what), next);
        }
        let stays = drawing.and(&[blank, !marked[0], !marked[1]]);
        drawing.next(&cell(square, "b"), stays);
    }
    drawing.legal(0, "noop", control[1]);
    drawing.legal(1, "noop", control[0]);
    tic_tac_toe_end(&mut drawing);
    drawing.finish("tic-tac-toe")
}

fn tic_tac_toe_end(drawing: &mut Drawing) {
    let lines: Vec<Vec<(u32, u32)>> = (1..=3)
        .flat_map(|k| {
            [
                (1..=3).map(|i| (k, i)).collect(),
                (1..=3).map(|i| (i, k)).collect(),
            ]
        })
        .chain([
            (1..=3).map(|i| (i, i)).collect(),
            (1..=3).map(|i| (i, 4 - i)).collect(),
        ])
        .collect();
    let line = ["x", "o"].map(|what| {
        let found: Vec<Wire> = lines
            .iter()
            .map(|line| {
                let cells: Vec<Wire> = line
                    .iter()
                    .map(|(x, y)| drawing.holds(&format!("(cell {x} {y} {what})")))
                    .collect();
                drawing.and(&cells)
            })
            .collect();
        drawing.or(&found)
    });
    let blanks: Vec<Wire> = (1..=3)
        .flat_map(|x| (1..=3).map(move |y| format!("(cell {x} {y} b)")))
        .map(|name| drawing.holds(&name))
        .collect();
    let open = drawing.or(&blanks);
    let terminal = drawing.or(&[line[0], line[1], !open]);
    drawing.terminal(terminal);
    let draw = drawing.and(&[!line[0], !line[1], !open]);
    for role in [0, 1] {
        drawing.goal(role, 100, line[role]);
        drawing.goal(role, 50, draw);
        drawing.goal(role, 0, line[1 - role]);
    }
}

/// A step of a breakthrough pawn.
struct Step {
    name: String,
    from: (i32, i32),
    to: (i32, i32),
}

fn steps(forward: i32) -> Vec<Step> {
    let board = 1..=8;
    let squares = board
        .clone()
        .flat_map(|x| board.clone().map(move |y| (x, y)));
    let steps = squares.flat_map(|(x, y)| [-1, 0, 1].map(|side| ((x, y), (x + side, y + forward))));
    steps
        .filter(|(_, (x, y))| board.contains(x) && board.contains(y))
        .map(|(from, to)| Step {
            name: format!("(move {} {} {} {})", from.0, from.1, to.0, to.1),
            from,
            to,
        })
        .collect()
}

const SIDES: [&str; 2] = ["white", "black"];

fn pawn((x, y): (i32, i32), side: usize) -> String {
    format!("(cell {x} {y} {})", SIDES[side])
}

fn turn(side: usize) -> String {
    format!("(control {})", SIDES[side])
}

/// Breakthrough on eight by eight squares.
pub(crate) fn breakthrough() -> GroundGame {
    let squares: Vec<(i32, i32)> = (1..=8).flat_map(|x| (1..=8).map(move |y| (x, y))).collect();
    let steps = [steps(1), steps(-1)];
    let moves = [0, 1].map(|side| {
        let names = steps[side].iter().map(|step: &Step| step.name.clone());
        names.chain(["noop".to_owned()]).collect::<Vec<_>>()
    });
    let pawns = [0, 1].map(|side| squares.iter().map(move |&square| pawn(square, side)));
    let fluents: Vec<String> = pawns
        .into_iter()
        .flatten()
        .chain([turn(0), turn(1)])
        .collect();
    let start = |y: i32| {
        if y <= 2 {
            Some(0)
        } else {
            (y >= 7).then_some(1)
        }
    };
    let initial = squares
        .iter()
        .filter_map(|&square| Some(pawn(square, start(square.1)?)));
    let initial: Vec<String> = initial.chain([turn(0)]).collect();
    let initial: Vec<&str> = initial.iter().map(String::as_str).collect();
    let roles: [(&str, &[String]); 2] = [(SIDES[0], &moves[0]), (SIDES[1], &moves[1])];
    let mut drawing = Drawing::new(&roles, &fluents, &initial);
    for side in [0, 1] {
        breakthrough_moves(&mut drawing, side, &steps[side]);
        for &square in &squares {
            breakthrough_square(&mut drawing, side, square, &steps);
        }
    }
    breakthrough_end(&mut drawing);
    drawing.finish("breakthrough")
}

fn breakthrough_moves(drawing: &mut Drawing, side: usize, steps: &[Step]) {
    let other = 1 - side;
    let control = [0, 1].map(|side| drawing.holds(&turn(side)));
    drawing.next(&turn(side), control[other]);
    drawing.legal(side, "noop", control[other]);
    for step in steps {
        let mut needs = vec![control[side], drawing.holds(&pawn(step.from, side))];
        needs.push(!drawing.holds(&pawn(step.to, side)));
        if step.from.0 == step.to.0 {
            needs.push(!drawing.holds(&pawn(step.to, other)));
        }
        let legal = drawing.and(&needs);
        drawing.legal(side, &step.name, legal);
    }
}

fn breakthrough_square(
    drawing: &mut Drawing,
    side: usize,
    square: (i32, i32),
    steps: &[Vec<Step>; 2],
) {
    let select = |side: usize, with: &dyn Fn(&Step) -> bool| -> Vec<Wire> {
        let steps = steps[side].iter().filter(|step| with(step));
        steps.map(|step| drawing.does(side, &step.name)).collect()
    };
    let arrive = select(side, &|step| step.to == square);
    let leave = select(side, &|step| step.from == square);
    let taken = select(1 - side, &|step| step.to == square);
    let gone = drawing.or(&[leave, taken].concat());
    let stays = drawing.holds(&pawn(square, side));
    let stays = drawing.and(&[stays, !gone]);
    let next = drawing.or(&[arrive, vec![stays]].concat());
    drawing.next(&pawn(square, side), next);
}

fn breakthrough_end(drawing: &mut Drawing) {
    let wins = [0, 1].map(|side| {
        let (goal_row, other) = ([8, 1][side], 1 - side);
        let arrived: Vec<Wire> = (1..=8)
            .map(|x| drawing.holds(&pawn((x, goal_row), side)))
            .collect();
        let squares = (1..=8).flat_map(|x| (1..=8).map(move |y| (x, y)));
        let left: Vec<Wire> = squares
            .map(|square| drawing.holds(&pawn(square, other)))
            .collect();
        let left = drawing.or(&left);
        let arrived = drawing.or(&arrived);
        drawing.or(&[arrived, !left])
    });
    let terminal = drawing.or(&wins);
    drawing.terminal(terminal);
    for side in [0, 1] {
        drawing.goal(side, 100, wins[side]);
        drawing.goal(side, 0, !wins[side]);
    }
}

/// Rooms in a row with doors between neighbours: a move opens or closes one of them. Room 1 is
/// reached from outside, others from their neighbours, if they are open; the goal is to reach the
/// last.
pub(crate) fn corridor(rooms: usize) -> GroundGame {
    let names: Vec<String> = (1..=rooms).map(|room| format!("(open {room})")).collect();
    let moves: Vec<String> = (1..=rooms).map(|room| format!("(turn {room})")).collect();
    let mut drawing = Drawing::new(&[("porter", &moves)], &names, &["(open 1)"]);
    let open: Vec<Wire> = names.iter().map(|name| drawing.holds(name)).collect();
    for room in 0..rooms {
        let turned = drawing.does(0, &moves[room]);
        let opened = drawing.and(&[turned, !open[room]]);
        let stays = drawing.and(&[!turned, open[room]]);
        let next = drawing.or(&[opened, stays]);
        drawing.next(&names[room], next);
        drawing.legal(0, &moves[room], Wire::TRUE);
    }
    let reached = drawing.recursion(rooms, |drawing, reached| {
        (0..rooms)
            .map(|room| {
                let before = if room == 0 {
                    Wire::TRUE
                } else {
                    reached[room - 1]
                };
                let beside = reached.get(room + 1).copied().unwrap_or(Wire::FALSE);
                let from = drawing.or(&[before, beside]);
                drawing.and(&[from, open[room]])
            })
            .collect()
    });
    let last = reached[rooms - 1];
    drawing.terminal(last);
    drawing.goal(0, 100, last);
    drawing.goal(0, 0, !last);
    drawing.finish("corridor")
}

/// A player calls how a coin falls and sees only whether that was right.
pub(crate) fn hidden_coin() -> GroundGame {
    let calls = ["(call heads)", "(call tails)"].map(str::to_owned);
    let sides = ["heads", "tails"].map(str::to_owned);
    let fluents = ["over", "won"].map(str::to_owned);
    let roles: [(&str, &[String]); 2] = [("caller", &calls), ("random", &sides)];
    let mut drawing = Drawing::new(&roles, &fluents, &[]);
    let right = [0, 1].map(|side| {
        let (call, fall) = (drawing.does(0, &calls[side]), drawing.does(1, &sides[side]));
        drawing.and(&[call, fall])
    });
    let right = drawing.or(&right);
    drawing.next("won", right);
    drawing.next("over", Wire::TRUE);
    drawing.sees(0, "right", right);
    drawing.sees(0, "wrong", !right);
    for side in [0, 1] {
        drawing.legal(0, &calls[side], Wire::TRUE);
        drawing.legal(1, &sides[side], Wire::TRUE);
    }
    let (over, won) = (drawing.holds("over"), drawing.holds("won"));
    drawing.terminal(over);
    drawing.goal(0, 100, won);
    drawing.goal(0, 0, !won);
    drawing.finish("hidden-coin")
}
