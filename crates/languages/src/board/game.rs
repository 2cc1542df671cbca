//! Board games in the words of [`paidia_game`].

use std::sync::Arc;

use super::position::{BoardMove, Colour, Position};
use super::reach::Squares;
use super::rules::BoardRules;
use super::state::{BoardState, counted};
use super::tables::{Tables, TooLarge};
use super::text;
use paidia_game::{
    Chance, Damaged, Fault, Game, GameFacts, Goal, Information, LegalMoves, Legible, MoveId,
    MoveTable, PerceptId, PerceptTable, Randomness, RoleId, Rules, TurnOrder, UnknownFluent,
    Walker, snapshot,
};

/// A board game that can be played.
#[derive(Clone, Debug)]
pub struct BoardGame {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    tables: Arc<Tables>,
    facts: GameFacts,
    moves: MoveTable,
    percepts: PerceptTable,
    /// By squares from and to; [`NO_ID`] where no man can go.
    ids: Vec<MoveId>,
    noop: MoveId,
}

/// Stands for moves that no man can make.
const NO_ID: MoveId = MoveId(u32::MAX);

/// The text of the only move of the role that is not to move.
pub(super) const NOOP: &str = "noop";

impl BoardGame {
    /// The game of rules that passed the checks, by this name.
    ///
    /// # Errors
    /// If its tables are too large.
    pub fn new(name: &str, rules: BoardRules) -> Result<Self, TooLarge> {
        let tables = Tables::new(rules)?;
        let texts: Vec<String> = tables
            .moves
            .iter()
            .map(|&(from, to)| move_text(&tables, BoardMove { from, to }))
            .collect();
        let names = texts.iter().map(String::as_str).chain([NOOP]);
        // Squares are below 1024, so there are fewer pairs of them than ids.
        let moves = MoveTable::from_names(names).map_err(|_| TooLarge::Nodes)?;
        let mut ids = vec![NO_ID; tables.squares * tables.squares];
        for (id, &(from, to)) in (0..).map(MoveId).zip(&tables.moves) {
            ids[usize::from(from) * tables.squares + usize::from(to)] = id;
        }
        let facts = GameFacts {
            name: name.to_owned(),
            roles: [Colour::White, Colour::Black]
                .map(|colour| colour.name().to_owned())
                .into(),
            randomness: Randomness::None,
            turn_order: TurnOrder::Alternating,
            information: Information::Perfect,
            goal_range: 0..=100,
            fluents: Some(most_fluents(&tables)),
            moves: Some(texts.len() + 1),
        };
        let inner = Inner {
            facts,
            noop: MoveId(texts.len() as u32),
            moves,
            percepts: PerceptTable::with_limit(0),
            ids,
            tables: Arc::new(tables),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    /// The tables that it is played by.
    pub fn tables(&self) -> &Arc<Tables> {
        &self.inner.tables
    }

    /// A position at the start, for code that makes and unmakes moves.
    pub fn position(&self) -> Position {
        Position::new(Arc::clone(&self.inner.tables))
    }

    /// The move with that id; `None` for waiting, and for ids of other games.
    pub fn decoded(&self, id: MoveId) -> Option<BoardMove> {
        let &(from, to) = self.inner.tables.moves.get(id.0 as usize)?;
        Some(BoardMove { from, to })
    }

    /// The id of a move, if any man could make it on some board.
    pub fn id(&self, chosen: BoardMove) -> Option<MoveId> {
        let squares = self.inner.tables.squares;
        let place = usize::from(chosen.from) * squares + usize::from(chosen.to);
        let is_on = usize::from(chosen.to) < squares;
        let id = self.inner.ids.get(place).copied();
        id.filter(|&id| is_on && id != NO_ID)
    }
}

/// The text of a move.
pub(super) fn move_text(tables: &Tables, chosen: BoardMove) -> String {
    let [(from_x, from_y), (to_x, to_y)] =
        [chosen.from, chosen.to].map(|square| tables.place(square));
    let [from_x, to_x] = [from_x, to_x].map(text::column);
    format!("(move {from_x} {} {to_x} {})", from_y + 1, to_y + 1)
}

/// How many different fluents can hold at some time.
fn most_fluents(tables: &Tables) -> usize {
    let cells = tables.squares * (tables.contents() - 2);
    let steps = tables.rules.turns as usize + 1;
    let men = counted(tables).into_iter().map(|letter| {
        let content = tables.content_of(letter);
        tables
            .start
            .iter()
            .filter(|&&man| Some(man) == content)
            .count()
            + 1
    });
    cells + steps + men.sum::<usize>() + 4
}

impl Rules for BoardGame {
    type State = BoardState;

    fn facts(&self) -> &GameFacts {
        &self.inner.facts
    }

    fn moves(&self) -> &MoveTable {
        &self.inner.moves
    }

    fn percepts(&self) -> &PerceptTable {
        &self.inner.percepts
    }

    fn initial(&self) -> BoardState {
        BoardState::start(&self.inner.tables)
    }

    fn snapshot(&self, state: &BoardState, into: &mut Vec<u8>) {
        snapshot::write(self, state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<BoardState, Damaged> {
        snapshot::read(self, bytes)
    }
}

impl Legible for BoardGame {
    fn fluents(&self, state: &BoardState) -> Vec<String> {
        state.fluents(&self.inner.tables)
    }

    fn state(&self, fluents: &[&str]) -> Result<BoardState, UnknownFluent> {
        let read = BoardState::of_fluents(&self.inner.tables, fluents);
        read.map_err(|(text, because)| UnknownFluent { text, because })
    }
}

impl Game for BoardGame {
    type Walker = BoardWalker;

    fn walker(&self) -> BoardWalker {
        BoardWalker {
            game: self.clone(),
            position: self.position(),
            found: Vec::new(),
            sets: Vec::new(),
            count: 0,
            are_found: false,
            legal: LegalMoves::new(),
            is_listed: false,
        }
    }
}

/// One thread's place in a board game.
#[derive(Clone, Debug)]
pub struct BoardWalker {
    game: BoardGame,
    position: Position,
    /// The moves of the player to move, if they were looked for and the board has no sets.
    found: Vec<BoardMove>,
    /// The same as sets: squares from which, and to which.
    sets: Vec<(u16, Squares)>,
    /// How many moves there are.
    count: u32,
    are_found: bool,
    legal: LegalMoves,
    is_listed: bool,
}

impl BoardWalker {
    /// Looks for the moves, unless that was done.
    #[inline]
    fn find(&mut self) {
        if self.are_found {
            return;
        }
        self.are_found = true;
        if self.position.has_sets() {
            let (sets, mut count) = (&mut self.sets, 0);
            sets.clear();
            self.position.each_man(|from, set| {
                count += set.count_ones();
                sets.push((from, set));
            });
            self.count = count;
        } else {
            self.found.clear();
            self.position.moves(&mut self.found);
            self.count = self.found.len() as u32;
        }
    }

    /// The move with a number below the count.
    #[inline]
    fn numbered(&self, mut number: u32) -> Option<BoardMove> {
        if !self.position.has_sets() {
            return self.found.get(number as usize).copied();
        }
        for &(from, mut set) in &self.sets {
            let count = set.count_ones();
            if number >= count {
                number -= count;
                continue;
            }
            (0..number).for_each(|_| set &= set - 1);
            let to = set.trailing_zeros() as u16;
            return Some(BoardMove { from, to });
        }
        None
    }

    fn moved(&mut self) {
        (self.are_found, self.is_listed) = (false, false);
    }

    /// Who has won, if the game is over and not drawn.
    fn winner(&mut self) -> Option<Colour> {
        if let Some(winner) = self.position.winner() {
            return Some(winner);
        }
        self.find();
        (self.count == 0).then(|| self.position.mover().other())
    }
}

impl Walker for BoardWalker {
    type State = BoardState;

    fn jump(&mut self, state: &BoardState) {
        self.position.set(state);
        self.moved();
    }

    fn save(&self, into: &mut BoardState) {
        self.position.save(into);
    }

    fn hash64(&self) -> u64 {
        let winner = self.position.winner().map_or(0, |winner| 1 + winner as u64);
        let rest = u64::from(self.position.turn()) << 2 | winner;
        self.position.key() ^ super::position::mixed(rest ^ 1 << 40)
    }

    #[inline]
    fn is_terminal(&mut self) -> bool {
        if self.position.winner().is_some() || self.position.is_out_of_turns() {
            return true;
        }
        self.find();
        self.count == 0
    }

    fn legal(&mut self) -> &LegalMoves {
        if !self.is_listed {
            self.find();
            self.legal.clear();
            let mover = self.position.mover();
            for colour in [Colour::White, Colour::Black] {
                if colour == mover {
                    if self.position.has_sets() {
                        self.found.clear();
                        self.position.moves(&mut self.found);
                    }
                    let ids = self.found.iter();
                    let ids = ids.filter_map(|&chosen| self.game.id(chosen));
                    ids.for_each(|id| self.legal.push(id));
                } else {
                    self.legal.push(self.game.inner.noop);
                }
                self.legal.end_role();
            }
            self.is_listed = true;
        }
        &self.legal
    }

    #[inline]
    fn draw(&mut self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        self.find();
        let mover = self.position.mover();
        joint.clear();
        let number = match self.count {
            0 => return Err(RoleId(mover as u16)),
            1 => 0,
            count => chance.below(count),
        };
        let chosen = self.numbered(number).ok_or(RoleId(mover as u16))?;
        let id = self.game.id(chosen).unwrap_or(self.game.inner.noop);
        joint.extend(match mover {
            Colour::White => [id, self.game.inner.noop],
            Colour::Black => [self.game.inner.noop, id],
        });
        Ok(())
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        if role.index() > 1 {
            return Goal::None;
        }
        Goal::One(match self.winner() {
            Some(winner) if winner as usize == role.index() => 100,
            Some(_) => 0,
            None => 50,
        })
    }

    #[inline]
    fn advance(&mut self, joint: &[MoveId], _chance: &mut Chance) {
        let id = joint.get(self.position.mover() as usize).copied();
        if let Some(chosen) = id.and_then(|id| self.game.decoded(id)) {
            self.position.make(chosen);
        }
        self.moved();
    }

    fn percepts(&self, _role: RoleId) -> &[PerceptId] {
        &[]
    }

    fn fault(&self) -> Option<&Fault> {
        None
    }
}
