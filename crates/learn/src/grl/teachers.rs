//! Games to learn from, whose moves are found by code of their own.

use super::scene::{Does, EMPTY, Hand, Micro, Record, Scene};

const AROUND: [(i32, i32); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

fn step(dx: i32, dy: i32, does: Does) -> Micro {
    Micro { dx, dy, does }
}

/// A move as it grows.
struct Growing<'a> {
    scene: &'a Scene,
    steps: Vec<Micro>,
}

impl Growing<'_> {
    /// Makes some steps, if all can be made.
    fn make(&mut self, hand: &Hand, steps: &[Micro]) -> Option<Hand> {
        let mut hand = hand.clone();
        for &micro in steps {
            hand = self.scene.step(&hand, micro)?;
        }
        self.steps.extend(steps);
        Some(hand)
    }

    fn record(&self, from: usize) -> Record {
        Record {
            from,
            steps: self.steps.clone(),
        }
    }
}

/// The squares from which moves may begin.
fn own(scene: &Scene) -> impl Iterator<Item = (usize, Hand)> {
    (0..scene.board.len()).filter_map(|from| Some((from, scene.lift(from)?)))
}

/// The game of the Amazons on a square board, 10 x 10 as it is played: a queen moves and shoots an
/// arrow, which moves like a queen and stays.
pub fn amazons(size: usize) -> Scene {
    let (area, third) = (size * size, size / 3);
    let mut scene = Scene::new(size, vec![EMPTY; area]);
    for (x, y) in [
        (0, third),
        (third, 0),
        (size - 1 - third, 0),
        (size - 1, third),
    ] {
        scene.board[y * size + x] = b'Q';
        scene.board[(size - 1 - y) * size + x] = b'q';
    }
    scene.waiting = [vec![b'A'; area], vec![b'a'; area]];
    scene
}

/// The moves of the Amazons.
pub fn amazons_moves(scene: &Scene) -> Vec<Record> {
    let mut records = Vec::new();
    for (from, start) in own(scene).filter(|(_, hand)| hand.piece.eq_ignore_ascii_case(&b'Q')) {
        let growing = Growing {
            scene,
            steps: Vec::new(),
        };
        rides(&growing, &start, &mut |mut growing, hand| {
            if let Some(arrow) = growing.make(&hand, &[Micro::ADD]) {
                rides(&growing, &arrow, &mut |growing, _| {
                    records.push(growing.record(from));
                });
            }
        });
    }
    records
}

/// Goes all ways of a queen.
fn rides<'a>(growing: &Growing<'a>, hand: &Hand, each: &mut dyn FnMut(Growing<'a>, Hand)) {
    for (dx, dy) in AROUND {
        let mut hand = hand.clone();
        let mut ride = Growing {
            scene: growing.scene,
            steps: growing.steps.clone(),
        };
        while let Some(next) = ride.make(&hand, &[step(dx, dy, Does::Empty)]) {
            hand = next;
            let steps = ride.steps.clone();
            let scene = ride.scene;
            each(Growing { scene, steps }, hand.clone());
        }
    }
}

/// Checkers on 8 x 8 squares. Men that come to the far row become kings at once, and may go on to
/// jump as such. Nothing has to be taken, and series of jumps may end anywhere.
pub fn checkers() -> Scene {
    let mut scene = Scene::new(8, vec![EMPTY; 64]);
    for square in (0..64).filter(|square| (square % 8 + square / 8) % 2 == 0) {
        match square / 8 {
            0..3 => scene.board[square] = b'M',
            5..8 => scene.board[square] = b'm',
            _ => {}
        }
    }
    for x in 0..8 {
        scene.waiting[0][56 + x] = b'K';
        scene.waiting[1][x] = b'k';
    }
    scene
}

/// The moves of checkers.
pub fn checkers_moves(scene: &Scene) -> Vec<Record> {
    let mut records = Vec::new();
    for (from, start) in own(scene) {
        for (dx, dy) in diagonals(start.piece) {
            let mut growing = Growing {
                scene,
                steps: Vec::new(),
            };
            if let Some(hand) = growing.make(&start, &[step(dx, dy, Does::Empty)]) {
                let stands = promote(&mut growing, &hand);
                records.push(growing.record(from));
                if stands.piece != hand.piece {
                    jumps(&growing, &stands, from, &mut records);
                }
            }
        }
        let growing = Growing {
            scene,
            steps: Vec::new(),
        };
        jumps(&growing, &start, from, &mut records);
    }
    records
}

/// The same where one who can take must take, though not go on taking.
pub fn forced_checkers_moves(scene: &Scene) -> Vec<Record> {
    let mut records = checkers_moves(scene);
    let takes = |record: &Record| record.steps.iter().any(|step| step.does == Does::Opponent);
    if records.iter().any(takes) {
        records.retain(takes);
    }
    records
}

fn diagonals(piece: u8) -> impl Iterator<Item = (i32, i32)> {
    let is_king = piece.eq_ignore_ascii_case(&b'K');
    let all = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    all.into_iter().filter(move |&(_, dy)| is_king || dy > 0)
}

/// Makes a man a king if it has come to the far row.
fn promote(growing: &mut Growing<'_>, hand: &Hand) -> Hand {
    let is_man = hand.piece.eq_ignore_ascii_case(&b'M');
    let promoted = is_man
        .then(|| growing.make(hand, &[Micro::ADD, Micro::REMOVE]))
        .flatten();
    promoted.unwrap_or_else(|| hand.clone())
}

fn jumps(growing: &Growing<'_>, hand: &Hand, from: usize, records: &mut Vec<Record>) {
    for (dx, dy) in diagonals(hand.piece) {
        let mut next = Growing {
            scene: growing.scene,
            steps: growing.steps.clone(),
        };
        let jump = [
            step(dx, dy, Does::Opponent),
            Micro::REMOVE,
            step(dx, dy, Does::Empty),
        ];
        if let Some(landed) = next.make(hand, &jump) {
            let landed = promote(&mut next, &landed);
            records.push(next.record(from));
            jumps(&next, &landed, from, records);
        }
    }
}

/// Peg solitaire on the English board of 33 holes.
pub fn peg_solitaire() -> Scene {
    let is_off = |square: usize| {
        let outside = |at: usize| !(2..5).contains(&at);
        outside(square % 7) && outside(square / 7)
    };
    let mut board: Vec<u8> = (0..49)
        .map(|square| if is_off(square) { b'#' } else { b'P' })
        .collect();
    board[24] = EMPTY;
    Scene {
        alternates: false,
        ..Scene::new(7, board)
    }
}

/// The moves of peg solitaire.
pub fn peg_solitaire_moves(scene: &Scene) -> Vec<Record> {
    let mut records = Vec::new();
    for (from, start) in own(scene) {
        for (dx, dy) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let mut growing = Growing {
                scene,
                steps: Vec::new(),
            };
            let jump = [
                step(dx, dy, Does::Own),
                Micro::REMOVE,
                step(dx, dy, Does::Empty),
            ];
            if growing.make(&start, &jump).is_some() {
                records.push(growing.record(from));
            }
        }
    }
    records
}
