//! Observations of random play, for experiments: what one would see of players that draw words.

use paidia_game::Chance;
use paidia_languages::board::{Automaton, BoardGame, BoardMove, Letter, Position, TooComplex};

use super::observations::{Observation, Observations, Seen};
use super::walk::Board;

/// Half-moves after which a play is cut, as in the thesis.
const MOST_PLIES: u32 = 160;

/// What is seen of white in plays in which both players draw any legal word. With `is_complete`
/// all legal words of a position are known, else the one that was played. Words do not come back
/// to a square.
///
/// # Errors
/// If a rule has no automaton that is small enough.
pub fn random_plays(
    game: &BoardGame,
    plays: usize,
    is_complete: bool,
    seed: u64,
) -> Result<Observations, TooComplex> {
    let rules = game.tables().rules();
    let automata = rules.automata().map_err(|(_, error)| error)?;
    let mut chance = Chance::from_seed(seed);
    let mut seen = Observations {
        width: rules.width.into(),
        height: rules.height.into(),
        positions: Vec::new(),
        plays,
    };
    for _ in 0..plays {
        let mut position = game.position();
        while position.winner().is_none()
            && !position.is_out_of_turns()
            && position.turn() < MOST_PLIES
        {
            let is_white = position.turn().is_multiple_of(2);
            let mut now = Observation {
                board: letters(&position),
                is_white,
                words: Vec::new(),
                is_complete,
            };
            now.words = legal_words(game, &automata, &now);
            let chosen = chance.below(now.words.len().max(1) as u32) as usize;
            let Some(word) = now.words.get(chosen).cloned() else {
                break;
            };
            position.make(made(game, &word, is_white));
            if !is_complete {
                now.words = vec![word];
            }
            if is_white {
                seen.positions.push(now);
            }
        }
    }
    Ok(seen)
}

/// What is seen of a match: in each position the word that was made or, with `is_complete`, all
/// legal words. Where several words are the move that was made, the first is taken for it.
///
/// # Errors
/// Says in words which move cannot be followed.
pub fn of_match(
    game: &BoardGame,
    moves: &[BoardMove],
    is_complete: bool,
) -> Result<Observations, String> {
    let rules = game.tables().rules();
    let automata = rules.automata().map_err(|(_, error)| error.to_string())?;
    let mut seen = Observations {
        width: rules.width.into(),
        height: rules.height.into(),
        positions: Vec::new(),
        plays: 1,
    };
    let mut position = game.position();
    for (number, &chosen) in moves.iter().enumerate() {
        let is_white = position.turn().is_multiple_of(2);
        let mut now = Observation {
            board: letters(&position),
            is_white,
            words: Vec::new(),
            is_complete,
        };
        let words = legal_words(game, &automata, &now);
        let word = words
            .iter()
            .find(|&word| made(game, word, is_white) == chosen);
        let Some(word) = word.filter(|_| position.winner().is_none()).cloned() else {
            return Err(format!("move {} is not one of this game", number + 1));
        };
        now.words = if is_complete { words } else { vec![word] };
        seen.positions.push(now);
        position.make(chosen);
    }
    Ok(seen)
}

/// What stands where, row by row from the bottom.
fn letters(position: &Position) -> Vec<u8> {
    let tables = position.tables();
    let (width, height) = (tables.rules().width, tables.rules().height);
    let squares = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let letter = |(x, y)| {
        tables
            .square(x, y)
            .map_or(b'.', |square| position.letter(square))
    };
    squares.map(letter).collect()
}

/// The move that a word is.
fn made(game: &BoardGame, seen: &Seen, is_white: bool) -> BoardMove {
    let width = usize::from(game.tables().rules().width);
    let ahead = if is_white { 1 } else { -1 };
    let (x, y) = ((seen.square % width) as i32, (seen.square / width) as i32);
    let add = |(x, y): (i32, i32), letter: &Letter| {
        (x + i32::from(letter.dx), y + ahead * i32::from(letter.dy))
    };
    let to = seen.word.iter().fold((x, y), add);
    let square = |(x, y): (i32, i32)| game.tables().square(x as u8, y as u8).unwrap_or_default();
    BoardMove {
        from: square((x, y)),
        to: square(to),
    }
}

/// All legal words of the player to move.
fn legal_words(game: &BoardGame, automata: &[Automaton], now: &Observation) -> Vec<Seen> {
    let rules = game.tables().rules();
    let board = Board::new(now, rules.width.into());
    let mut words = Vec::new();
    for (square, &letter) in now.board.iter().enumerate() {
        let is_own = letter != b'.' && letter.is_ascii_uppercase() == now.is_white;
        let kind = letter.to_ascii_uppercase();
        let piece = rules.pieces.iter().position(|piece| piece.letter == kind);
        if let (true, Some(piece)) = (is_own, piece) {
            let mut ways = Ways {
                automaton: &automata[piece],
                board: &board,
                path: vec![square],
                word: Vec::new(),
                found: Vec::new(),
            };
            ways.follow(0);
            words.extend(ways.found.into_iter().map(|word| Seen {
                letter,
                square,
                word,
            }));
        }
    }
    words
}

/// The words of one man.
struct Ways<'a> {
    automaton: &'a Automaton,
    board: &'a Board,
    path: Vec<usize>,
    word: Vec<Letter>,
    found: Vec<Vec<Letter>>,
}

impl Ways<'_> {
    fn follow(&mut self, state: u32) {
        for &(letter, next) in self.automaton.edges(state) {
            let square = self.path[self.path.len() - 1];
            let Some(after) = self.board.after(square, letter) else {
                continue;
            };
            if self.path.contains(&after) {
                continue;
            }
            self.path.push(after);
            self.word.push(letter);
            if self.automaton.is_accepting(next) {
                self.found.push(self.word.clone());
            }
            self.follow(next);
            self.path.pop();
            self.word.pop();
        }
    }
}
