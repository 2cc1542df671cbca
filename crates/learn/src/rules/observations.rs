//! What was seen of games: positions, with the words that were legal or played.
//!
//! The text of records has a position after each `ply` or `position` line: the rows from the top,
//! the number of legal words, and these words, a line each: the letter of the man, column, row, the
//! word. A count of 1 without a line `played` means that the word was played and nothing is known
//! of others. Records without positions have a line a ply; their positions follow from the start.

use paidia_languages::board::{Letter, On};

/// The most squares of a board in records.
const MAX_SQUARES: usize = 1024;

/// A word of one man.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The letter as on the board, lower case for black.
    pub letter: u8,
    /// Its square, row by row from the bottom.
    pub square: usize,
    /// The word.
    pub word: Vec<Letter>,
}

/// A position that was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// What stands where, row by row from the bottom, as letters and dots.
    pub board: Vec<u8>,
    /// Whether white is to move.
    pub is_white: bool,
    /// The words that are known to be legal.
    pub words: Vec<Seen>,
    /// Whether there are no others.
    pub is_complete: bool,
}

/// What was seen of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observations {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The positions.
    pub positions: Vec<Observation>,
    /// How many plays they are from.
    pub plays: usize,
}

/// A record that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {because}")]
pub struct BadRecord {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub because: String,
}

impl Observations {
    /// Reads the first plays of a record. `start` is the board at the start, row by row from the
    /// bottom, with its width, for records that have no positions.
    ///
    /// # Errors
    /// Names the first line that does not fit.
    pub fn read(
        text: &str,
        start: Option<(&[u8], usize)>,
        plays: usize,
    ) -> Result<Self, BadRecord> {
        let mut reader = Reader {
            lines: text.lines().enumerate().peekable(),
            seen: Self::default(),
            line: 0,
        };
        reader.read(start, plays)?;
        Ok(reader.seen)
    }

    /// Adds what was seen elsewhere; whether that was on a board of the same size.
    pub fn add(&mut self, other: Observations) -> bool {
        if self.plays == 0 {
            *self = other;
            return true;
        }
        self.positions.extend(other.positions);
        self.plays += other.plays;
        (self.width, self.height) == (other.width, other.height)
    }

    /// The positions in which a colour is to move.
    pub fn of_colour(&self, is_white: bool) -> impl Iterator<Item = &Observation> {
        let positions = self.positions.iter();
        positions.filter(move |position| position.is_white == is_white)
    }

    /// The same without the positions of the other colour.
    #[must_use]
    pub fn only(mut self, is_white: bool) -> Self {
        self.positions
            .retain(|position| position.is_white == is_white);
        self
    }
}

/// The letters of a word such as `(0,1,e)(0,1,p)`.
pub(super) fn word(text: &str) -> Option<Vec<Letter>> {
    let mut letters = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (letter, after) = rest.strip_prefix('(')?.split_once(')')?;
        let mut parts = letter.split(',');
        let [dx, dy] = [parts.next()?, parts.next()?].map(|part| part.parse().ok());
        let on = match parts.next()?.as_bytes() {
            [letter] => On::of_letter(*letter)?,
            _ => return None,
        };
        if parts.next().is_some() {
            return None;
        }
        letters.push(Letter {
            dx: dx?,
            dy: dy?,
            on,
        });
        rest = after;
    }
    Some(letters)
}

struct Reader<'a, L: Iterator<Item = (usize, &'a str)>> {
    lines: std::iter::Peekable<L>,
    seen: Observations,
    /// The line that was read last, from 1.
    line: usize,
}

impl<'a, L: Iterator<Item = (usize, &'a str)>> Reader<'a, L> {
    fn bad<T>(&self, because: &str) -> Result<T, BadRecord> {
        let because = because.to_owned();
        Err(BadRecord {
            line: self.line,
            because,
        })
    }

    fn next(&mut self) -> Option<&'a str> {
        let (index, line) = self.lines.next()?;
        self.line = index + 1;
        Some(line)
    }

    fn peek(&mut self) -> &'a str {
        self.lines.peek().map_or("", |(_, line)| line)
    }

    fn read(&mut self, start: Option<(&[u8], usize)>, plays: usize) -> Result<(), BadRecord> {
        while let Some(line) = self.next() {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("play") => {
                    if self.seen.plays == plays {
                        return Ok(());
                    }
                    self.seen.plays += 1;
                    let is_bare = !self.peek().starts_with("ply");
                    if let (true, Some((start, width))) = (is_bare, start) {
                        self.bare_play(start, width)?;
                    }
                }
                Some("ply" | "position") => {
                    let is_white = match words.nth(1) {
                        Some("white") => true,
                        Some("black") => false,
                        _ => return self.bad("the colour to move is missing"),
                    };
                    // A word without its position teaches nothing here.
                    if self.peek().starts_with("unlisted") {
                        self.next();
                        continue;
                    }
                    self.position(is_white)?;
                }
                // What the end of a play was, and its last board.
                _ => {}
            }
        }
        Ok(())
    }

    fn position(&mut self, is_white: bool) -> Result<(), BadRecord> {
        let mut rows = Vec::new();
        while self
            .peek()
            .bytes()
            .all(|byte| byte == b'.' || byte.is_ascii_alphabetic())
            && !self.peek().is_empty()
        {
            rows.push(self.next().unwrap_or_default().as_bytes());
        }
        self.size(&rows)?;
        let board: Vec<u8> = rows
            .iter()
            .rev()
            .flat_map(|row| row.iter().copied())
            .collect();
        let Some(count) = self
            .next()
            .and_then(|line| line.trim().parse::<usize>().ok())
        else {
            return self.bad("the number of legal words is missing");
        };
        let mut words = Vec::new();
        for _ in 0..count {
            let Some(line) = self.next() else {
                return self.bad("the record ends in the middle of the legal words");
            };
            words.push(self.seen_word(line)?);
        }
        let is_listed = self.peek().starts_with("played") || count != 1;
        // Positions by themselves list all words.
        let is_complete = is_listed || self.seen.plays == 0;
        self.seen.positions.push(Observation {
            board,
            is_white,
            words,
            is_complete,
        });
        Ok(())
    }

    /// Takes the size of the board from the first position; all others must have it.
    fn size(&mut self, rows: &[&[u8]]) -> Result<(), BadRecord> {
        let width = rows.first().map_or(0, |row| row.len());
        let height = rows.len();
        if width == 0 || rows.iter().any(|row| row.len() != width) {
            return self.bad("the rows of the board are missing, or have different lengths");
        }
        if width * height > MAX_SQUARES {
            return self.bad("the board has more than 1024 squares");
        }
        if self.seen.width == 0 {
            (self.seen.width, self.seen.height) = (width, height);
        }
        match (self.seen.width, self.seen.height) == (width, height) {
            true => Ok(()),
            false => self.bad("the board has another size than the first"),
        }
    }

    fn seen_word(&self, line: &str) -> Result<Seen, BadRecord> {
        let parts: Vec<&str> = line.split_whitespace().collect();
        let [letter, x, y, text] = parts[..] else {
            return self.bad("a legal word has a letter, a column, a row and steps");
        };
        let place = x.parse::<usize>().ok().zip(y.parse::<usize>().ok());
        let (width, height) = (self.seen.width, self.seen.height);
        let place = place.filter(|&(x, y)| x < width && y < height);
        let Some((x, y)) = place else {
            return self.bad("the board has no such square");
        };
        match (letter.as_bytes(), word(text)) {
            ([letter], Some(word)) if letter.is_ascii_alphabetic() => Ok(Seen {
                letter: *letter,
                square: y * width + x,
                word,
            }),
            _ => self.bad("this is no letter of a man, or no word"),
        }
    }

    /// A play whose plies are words alone.
    fn bare_play(&mut self, start: &[u8], width: usize) -> Result<(), BadRecord> {
        let rows: Vec<&[u8]> = start.chunks(width.max(1)).collect();
        self.size(&rows)?;
        let mut board = start.to_vec();
        let mut is_white = true;
        loop {
            let line = self.peek();
            if line.is_empty() || line.starts_with("play") || line.starts_with("end") {
                return Ok(());
            }
            let line = self.next().unwrap_or_default();
            let seen = self.seen_word(line)?;
            if board[seen.square] != seen.letter {
                return self.bad("no such man stands there");
            }
            let Some(target) = self.target(&seen, is_white) else {
                return self.bad("the word leaves the board");
            };
            self.seen.positions.push(Observation {
                board: board.clone(),
                is_white,
                words: vec![seen.clone()],
                is_complete: false,
            });
            board[seen.square] = b'.';
            board[target] = seen.letter;
            is_white = !is_white;
        }
    }

    fn target(&self, seen: &Seen, is_white: bool) -> Option<usize> {
        let width = self.seen.width as i64;
        let (mut x, mut y) = (seen.square as i64 % width, seen.square as i64 / width);
        for letter in &seen.word {
            x += i64::from(letter.dx);
            y += i64::from(if is_white { letter.dy } else { -letter.dy });
        }
        let is_on = (0..width).contains(&x) && (0..self.seen.height as i64).contains(&y);
        is_on.then(|| (y * width + x) as usize)
    }
}
