//! The bundled games on boards of 5x5, move by move beside a second writing of their rules that has
//! nothing in common with the sheets.

use paidia_game::{Chance, Game, Goal, RoleId, Rules, Walker};
use paidia_testkit::bundled;

const SIZE: i32 = 5;

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Pawns,
    Knights,
    Dominoes,
    NoGo,
    AtariGo,
}

/// A square, from (1, 1).
type Square = (i32, i32);

#[derive(Clone)]
struct Position {
    kind: Kind,
    /// The role whose piece stands on each square.
    cells: Vec<Option<usize>>,
    mover: usize,
    /// Whether the last move captured, in Atari Go.
    captured: bool,
}

fn squares() -> impl Iterator<Item = Square> {
    (1..=SIZE).flat_map(|column| (1..=SIZE).map(move |row| (column, row)))
}

fn is_inside((column, row): Square) -> bool {
    (1..=SIZE).contains(&column) && (1..=SIZE).contains(&row)
}

fn neighbours((column, row): Square) -> impl Iterator<Item = Square> {
    let all = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let near = all.into_iter().map(move |(x, y)| (column + x, row + y));
    near.filter(|&square| is_inside(square))
}

impl Position {
    fn start(kind: Kind) -> Self {
        let mut position = Self {
            kind,
            cells: vec![None; 25],
            mover: 0,
            captured: false,
        };
        if matches!(kind, Kind::Pawns | Kind::Knights) {
            for square in squares().filter(|square| square.1 != 3) {
                position.set(square, Some(usize::from(square.1 > 3)));
            }
        }
        position
    }

    fn place((column, row): Square) -> usize {
        ((column - 1) * SIZE + row - 1) as usize
    }

    fn at(&self, square: Square) -> Option<usize> {
        self.cells[Self::place(square)]
    }

    fn set(&mut self, square: Square, content: Option<usize>) {
        self.cells[Self::place(square)] = content;
    }

    /// The mover's moves as texts, with what comes of them, in the order of the texts.
    fn moves(&self) -> Vec<(String, Position)> {
        let mut moves = Vec::new();
        for square in squares() {
            match self.kind {
                Kind::Pawns | Kind::Knights => self.race_from(square, &mut moves),
                Kind::Dominoes => self.lay_on(square, &mut moves),
                Kind::NoGo | Kind::AtariGo => self.put_on(square, &mut moves),
            }
        }
        moves.sort_by(|left, right| left.0.cmp(&right.0));
        moves
    }

    fn race_from(&self, from: Square, moves: &mut Vec<(String, Position)>) {
        if self.at(from) != Some(self.mover) {
            return;
        }
        let ahead = if self.mover == 0 { 1 } else { -1 };
        let steps: &[(i32, i32)] = match self.kind {
            Kind::Pawns => &[(-1, 1), (0, 1), (1, 1)],
            _ => &[(-1, 2), (1, 2), (-2, 1), (2, 1)],
        };
        for &(aside, forward) in steps {
            let to = (from.0 + aside, from.1 + ahead * forward);
            if !is_inside(to) || self.at(to) == Some(self.mover) {
                continue;
            }
            if aside == 0 && self.at(to).is_some() {
                continue;
            }
            let mut next = self.turn();
            next.set(from, None);
            next.set(to, Some(self.mover));
            let text = format!("(move {} {} {} {})", from.0, from.1, to.0, to.1);
            moves.push((text, next));
        }
    }

    fn lay_on(&self, square: Square, moves: &mut Vec<(String, Position)>) {
        let other = match self.mover {
            0 => (square.0, square.1 + 1),
            _ => (square.0 + 1, square.1),
        };
        if is_inside(other) && self.at(square).is_none() && self.at(other).is_none() {
            let mut next = self.turn();
            next.set(square, Some(self.mover));
            next.set(other, Some(self.mover));
            moves.push((format!("(place {} {})", square.0, square.1), next));
        }
    }

    fn put_on(&self, square: Square, moves: &mut Vec<(String, Position)>) {
        if self.at(square).is_some() {
            return;
        }
        let mut next = self.turn();
        next.set(square, Some(self.mover));
        let enemy = Some(1 - self.mover);
        let is_taken = |near| next.at(near) == enemy && !next.has_liberty(near);
        let takes = neighbours(square).any(is_taken);
        let lives = next.has_liberty(square);
        let is_legal = match self.kind {
            Kind::NoGo => lives && !takes,
            _ => lives || takes,
        };
        if is_legal {
            next.captured = takes;
            moves.push((format!("(place {} {})", square.0, square.1), next));
        }
    }

    fn has_liberty(&self, stone: Square) -> bool {
        let (mut chain, mut done) = (vec![stone], 0);
        while done < chain.len() {
            for near in neighbours(chain[done]) {
                if self.at(near).is_none() {
                    return true;
                }
                if self.at(near) == self.at(stone) && !chain.contains(&near) {
                    chain.push(near);
                }
            }
            done += 1;
        }
        false
    }

    fn turn(&self) -> Self {
        Self {
            mover: 1 - self.mover,
            ..self.clone()
        }
    }

    /// The winner by the usual aim; none while the game goes on.
    fn winner(&self) -> Option<usize> {
        match self.kind {
            Kind::Pawns | Kind::Knights => (0..2).find(|&role| {
                let far = if role == 0 { SIZE } else { 1 };
                let is_there = |square: Square| self.at(square) == Some(role);
                let reached = squares().any(|square| square.1 == far && is_there(square));
                reached || !self.cells.contains(&Some(1 - role))
            }),
            _ => (self.captured || self.moves().is_empty()).then_some(1 - self.mover),
        }
    }
}

/// Plays random games in both writings of the rules.
fn compare(name: &str, kind: Kind, is_misere: bool) {
    let game = bundled(name).propnet();
    let mut walker = game.walker();
    let mut chance = Chance::from_seed(11);
    let noop = game.moves().find("noop").unwrap();
    for _ in 0..150 {
        let mut position = Position::start(kind);
        walker.jump(&game.initial());
        while position.winner().is_none() {
            assert!(!walker.is_terminal(), "{name}");
            let moves = position.moves();
            let mover = RoleId(position.mover as u16);
            let legal = walker.legal().of(mover).to_vec();
            let texts: Vec<String> = legal
                .iter()
                .map(|&id| game.moves().name(id).to_string())
                .collect();
            let ours: Vec<&String> = moves.iter().map(|(text, _)| text).collect();
            assert_eq!(texts.iter().collect::<Vec<_>>(), ours, "{name}");
            let drawn = chance.below(moves.len() as u32) as usize;
            let mut joint = [noop; 2];
            joint[mover.index()] = legal[drawn];
            walker.advance(&joint, &mut chance);
            position = moves.into_iter().nth(drawn).unwrap().1;
        }
        assert!(walker.is_terminal(), "{name}");
        let best = position
            .winner()
            .map(|role| if is_misere { 1 - role } else { role });
        for role in 0..2 {
            let goal = if best == Some(role) { 100 } else { 0 };
            assert_eq!(walker.goal(RoleId(role as u16)), Goal::One(goal), "{name}");
        }
    }
}

#[test]
fn races() {
    compare("breakthrough-5x5", Kind::Pawns, false);
    compare("breakthrough-misere-5x5", Kind::Pawns, true);
    compare("knightthrough-5x5", Kind::Knights, false);
    compare("knightthrough-misere-5x5", Kind::Knights, true);
}

#[test]
fn dominoes() {
    compare("domineering-5x5", Kind::Dominoes, false);
    compare("domineering-misere-5x5", Kind::Dominoes, true);
}

#[test]
fn stones() {
    compare("nogo-5x5", Kind::NoGo, false);
    compare("nogo-misere-5x5", Kind::NoGo, true);
    compare("atari-go-5x5", Kind::AtariGo, false);
}
