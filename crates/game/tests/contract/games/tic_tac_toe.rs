//! Tic-tac-toe on bit boards, with flaws that the conformance kit and the cross-check must find.

use std::sync::Arc;

use paidia_game::{
    Chance, Damaged, Fault, Game, GameFacts, Goal, Information, LegalMoves, Legible, MoveId,
    MoveTable, PerceptId, PerceptTable, Randomness, RoleId, TurnOrder, UnknownFluent, Walker,
    snapshot,
};

/// A mistake to make on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flaw {
    None,
    /// The legal moves come in reverse order.
    Unsorted,
    /// The hash depends neither on the turn nor on the squares.
    PoorHash,
    /// The hash depends on how many moves this walker ever made.
    HashOfHistory,
    /// Jumping leaves the legal moves of the last state in place.
    StaleLegal,
    /// A line along the anti-diagonal does not end the game.
    NoAntiDiagonal,
    /// The winner gets 101.
    GoalOutOfRange,
    /// The last square of the board is left out when a state is written.
    ForgetfulText,
    /// The noop of the idle player is missing when the board has five marks.
    Stuck,
    /// Drawing a joint move takes a random number too many.
    WastefulDraw,
}

/// Squares from 0 in the order of `(mark column row)` texts, one set for each player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Board {
    marks: [u16; 2],
}

const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

const ANTI_DIAGONAL: u16 = 0b001_010_100;

const NOOP: MoveId = MoveId(9);

impl Board {
    fn taken(self) -> u16 {
        self.marks[0] | self.marks[1]
    }

    fn mover(self) -> usize {
        self.taken().count_ones() as usize % 2
    }
}

#[derive(Clone, Debug)]
pub(crate) struct TicTacToe {
    rules: Arc<Rules>,
}

#[derive(Debug)]
struct Rules {
    facts: GameFacts,
    moves: MoveTable,
    percepts: PerceptTable,
    flaw: Flaw,
}

impl TicTacToe {
    pub(crate) fn new() -> Self {
        Self::with_flaw(Flaw::None)
    }

    pub(crate) fn with_flaw(flaw: Flaw) -> Self {
        let mut moves: Vec<String> = (0..9)
            .map(|square| format!("(mark {})", place(square)))
            .collect();
        moves.push("noop".into());
        let facts = GameFacts {
            name: "tic-tac-toe".into(),
            roles: vec!["x".into(), "o".into()],
            randomness: Randomness::None,
            turn_order: TurnOrder::Alternating,
            information: Information::Perfect,
            goal_range: 0..=100,
            fluents: Some(29),
            moves: Some(10),
        };
        let moves = MoveTable::from_names(moves.iter().map(String::as_str)).unwrap();
        let percepts = PerceptTable::with_limit(0);
        Self {
            rules: Arc::new(Rules {
                facts,
                moves,
                percepts,
                flaw,
            }),
        }
    }
}

fn place(square: usize) -> String {
    format!("{} {}", square / 3 + 1, square % 3 + 1)
}

impl paidia_game::Rules for TicTacToe {
    type State = Board;

    fn facts(&self) -> &GameFacts {
        &self.rules.facts
    }

    fn moves(&self) -> &MoveTable {
        &self.rules.moves
    }

    fn percepts(&self) -> &PerceptTable {
        &self.rules.percepts
    }

    fn initial(&self) -> Board {
        Board::default()
    }

    fn snapshot(&self, state: &Board, into: &mut Vec<u8>) {
        snapshot::write(self, state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<Board, Damaged> {
        snapshot::read(self, bytes)
    }
}

impl Game for TicTacToe {
    type Walker = BoardWalker;

    fn walker(&self) -> BoardWalker {
        let mut walker = BoardWalker {
            board: Board::default(),
            legal: LegalMoves::new(),
            flaw: self.rules.flaw,
            history: 0,
        };
        walker.fill();
        walker
    }
}

impl Legible for TicTacToe {
    fn fluents(&self, state: &Board) -> Vec<String> {
        let shown = if self.rules.flaw == Flaw::ForgetfulText {
            8
        } else {
            9
        };
        let cell = |square: usize| {
            let content = match state
                .marks
                .iter()
                .position(|marks| marks >> square & 1 == 1)
            {
                Some(player) => &self.rules.facts.roles[player],
                None => "b",
            };
            format!("(cell {} {content})", place(square))
        };
        let mut fluents: Vec<String> = (0..shown).map(cell).collect();
        fluents.push(format!(
            "(control {})",
            self.rules.facts.roles[state.mover()]
        ));
        fluents
    }

    fn state(&self, fluents: &[&str]) -> Result<Board, UnknownFluent> {
        let mut board = Board::default();
        for &text in fluents {
            let cell = text
                .strip_prefix("(cell ")
                .and_then(|rest| rest.strip_suffix(')'));
            let known = cell.and_then(|cell| {
                let square = (0..9).find(|&square| cell.starts_with(&place(square)))?;
                Some((square, cell.strip_prefix(&place(square))?.trim()))
            });
            match known {
                Some((square, "x")) => board.marks[0] |= 1 << square,
                Some((square, "o")) => board.marks[1] |= 1 << square,
                Some((_, "b")) => {}
                _ if text.starts_with("(control ") => {}
                _ => {
                    return Err(UnknownFluent {
                        text: text.into(),
                        because: "no such cell".into(),
                    });
                }
            }
        }
        Ok(board)
    }
}

#[derive(Clone, Debug)]
pub(crate) struct BoardWalker {
    board: Board,
    legal: LegalMoves,
    flaw: Flaw,
    history: u64,
}

impl BoardWalker {
    fn fill(&mut self) {
        self.legal.clear();
        let free = !self.board.taken();
        for role in 0..2 {
            if role == self.board.mover() {
                let mut squares: Vec<u32> =
                    (0..9).filter(|square| free >> square & 1 == 1).collect();
                if self.flaw == Flaw::Unsorted {
                    squares.reverse();
                }
                squares
                    .iter()
                    .for_each(|&square| self.legal.push(MoveId(square)));
            } else if self.flaw != Flaw::Stuck || free.count_ones() != 16 - 5 {
                self.legal.push(NOOP);
            }
            self.legal.end_role();
        }
    }

    fn winner(&self) -> Option<usize> {
        let lines = LINES
            .iter()
            .filter(|&&line| self.flaw != Flaw::NoAntiDiagonal || line != ANTI_DIAGONAL);
        let mut lines = lines.flat_map(|&line| [(0, line), (1, line)]);
        lines
            .find(|&(player, line)| self.board.marks[player] & line == line)
            .map(|(player, _)| player)
    }
}

impl Walker for BoardWalker {
    type State = Board;

    fn jump(&mut self, state: &Board) {
        self.board = *state;
        if self.flaw != Flaw::StaleLegal {
            self.fill();
        }
    }

    fn save(&self, into: &mut Board) {
        *into = self.board;
    }

    fn hash64(&self) -> u64 {
        let [x, o] = self.board.marks.map(u64::from);
        match self.flaw {
            Flaw::PoorHash => x.count_ones().into(),
            Flaw::HashOfHistory => self.history,
            _ => (x << 9 | o).wrapping_mul(0x9e37_79b9_7f4a_7c15),
        }
    }

    fn is_terminal(&mut self) -> bool {
        self.winner().is_some() || self.board.taken().count_ones() == 9
    }

    fn legal(&mut self) -> &LegalMoves {
        &self.legal
    }

    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        if self.flaw == Flaw::WastefulDraw {
            chance.bits();
        }
        self.legal.draw(chance, joint)
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        let win = if self.flaw == Flaw::GoalOutOfRange {
            101
        } else {
            100
        };
        Goal::One(match self.winner() {
            Some(winner) if winner == role.index() => win,
            Some(_) => 0,
            None => 50,
        })
    }

    fn advance(&mut self, joint: &[MoveId], _chance: &mut Chance) {
        self.history += 1;
        let mover = self.board.mover();
        self.board.marks[mover] |= 1 << joint[mover].0;
        self.fill();
    }

    fn percepts(&self, _role: RoleId) -> &[PerceptId] {
        &[]
    }

    fn fault(&self) -> Option<&Fault> {
        None
    }
}
