//! Reading descriptions.

use paidia_gdl::{Problem, Source, Span};

use super::tokens::{Token, tokens};
use super::{
    Capture, Description, Goal, MEANING, Movement, MovementKind, Piece, SYNTAX, Side, Targets,
};

/// The longest text that is read, in bytes.
const MAX_TEXT_BYTES: usize = 1 << 20;

/// The most columns and rows.
const MAX_SIDE: i64 = 26;

/// The most pieces, goals and movements each.
const MAX_PARTS: usize = 64;

/// The most squares that a hop passes of each kind.
const MAX_HOP: i64 = 8;

/// What was understood of a text.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    /// The game.
    pub description: Description,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
}

impl Reading {
    /// Whether the game cannot be played.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }
}

/// Reads a description. It ends at the first mistake of syntax; what follows from the meaning is
/// looked at in what was read before.
pub fn read(source: &Source) -> Reading {
    let mut reader = Reader {
        tokens: Vec::new(),
        at: 0,
        end: Span::new(source.text.len(), source.text.len()),
        names: Vec::new(),
        reading: Reading::default(),
    };
    if source.text.len() > MAX_TEXT_BYTES {
        let message = format!("the text is longer than {MAX_TEXT_BYTES} bytes");
        let problem = Problem::new(MEANING, Span::new(0, 0), message);
        reader.reading.problems.push(problem);
        return reader.reading;
    }
    reader.tokens = tokens(&source.text);
    if let Err(problem) = reader.game() {
        reader.reading.problems.push(problem);
        return reader.reading;
    }
    reader.check();
    reader.reading
}

type Read<T> = Result<T, Problem>;

struct Reader {
    tokens: Vec<Token>,
    at: usize,
    end: Span,
    /// Names of pieces that are used, with their places.
    names: Vec<(String, Span)>,
    reading: Reading,
}

impl Reader {
    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |token| &token.text)
    }

    fn span(&self) -> Span {
        self.tokens
            .get(self.at)
            .map_or(self.end, |token| token.span)
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        let found = match self.peek() {
            "" => "the text ends here".to_owned(),
            found => format!("`{found}` stands here"),
        };
        let message = format!("{what} is expected, and {found}");
        Err(Problem::new(SYNTAX, self.span(), message))
    }

    fn refused<T>(&self, span: Span, message: &str) -> Read<T> {
        Err(Problem::new(MEANING, span, message.to_owned()))
    }

    /// Takes a word or sign if it is the next.
    fn take(&mut self, text: &str) -> bool {
        let is_next = self.peek() == text;
        self.at += usize::from(is_next);
        is_next
    }

    fn need(&mut self, texts: &[&str]) -> Read<()> {
        for text in texts {
            if !self.take(text) {
                let word = match text.as_bytes()[0].is_ascii_alphabetic() {
                    true => text.to_uppercase(),
                    false => (*text).to_owned(),
                };
                return self.expected(&format!("`{word}`"));
            }
        }
        Ok(())
    }

    fn word(&mut self, what: &str) -> Read<String> {
        let text = self.peek().to_owned();
        if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return self.expected(what);
        }
        self.at += 1;
        Ok(text)
    }

    fn piece_name(&mut self) -> Read<String> {
        let span = self.span();
        let name = self.word("the name of a piece")?;
        self.names.push((name.clone(), span));
        Ok(name)
    }

    fn number(&mut self, what: &str, from: i64, to: i64) -> Read<i64> {
        match self.peek().parse::<i64>() {
            Ok(number) if (from..=to).contains(&number) => {
                self.at += 1;
                Ok(number)
            }
            Ok(_) => {
                let message = format!("{what} is from {from} to {to}");
                self.refused(self.span(), &message)
            }
            Err(_) => self.expected(what),
        }
    }

    fn game(&mut self) -> Read<()> {
        self.need(&["game"])?;
        self.reading.description.name = self.word("the name of the game")?;
        loop {
            match self.peek() {
                "goals" => self.goals()?,
                "board" => self.board()?,
                "promote" => {
                    self.need(&["promote", "rank"])?;
                    let rank = self.number("the row of promotion", 1, MAX_SIDE)?;
                    self.reading.description.promote_rank = Some(rank as u8);
                }
                "setup" => self.setup()?,
                "constraints" => {
                    self.at += 1;
                    self.need(&["must_capture"])?;
                    self.reading.description.must_capture = true;
                }
                "define" => {
                    let piece = self.piece()?;
                    let known = &self.reading.description.pieces;
                    if known.iter().any(|other| other.name == piece.name) {
                        let message = format!("the piece `{}` is defined twice", piece.name);
                        return self.refused(self.span(), &message);
                    }
                    self.reading.description.pieces.push(piece);
                }
                "end" => {
                    self.need(&["end", "game"])?;
                    self.take(".");
                    return match self.peek() {
                        "" => Ok(()),
                        _ => self.expected("the end of the text"),
                    };
                }
                _ => {
                    return self.expected(
                        "`GOALS`, `BOARD`, `PROMOTE RANK`, `SETUP`, `CONSTRAINTS`, `DEFINE` or \
                         `END GAME`",
                    );
                }
            }
            if self.reading.description.pieces.len() > MAX_PARTS {
                return self.refused(self.span(), "there are more than 64 pieces");
            }
        }
    }

    fn side(&mut self) -> Read<Side> {
        match self.peek() {
            "player" => {
                self.at += 1;
                Ok(Side::Player)
            }
            "opponent" => {
                self.at += 1;
                Ok(Side::Opponent)
            }
            _ => self.expected("`player` or `opponent`"),
        }
    }

    fn goals(&mut self) -> Read<()> {
        self.at += 1;
        loop {
            let goal = match self.peek() {
                "stalemate" => {
                    self.at += 1;
                    Goal::Stalemate(self.side()?)
                }
                "eradicate" => {
                    self.at += 1;
                    let side = self.side()?;
                    match self.take("any_piece") {
                        true => Goal::Eradicate(side, None),
                        false => Goal::Eradicate(side, Some(self.piece_name()?)),
                    }
                }
                "arrive" => {
                    self.at += 1;
                    let (side, piece) = (self.side()?, self.piece_name()?);
                    self.need(&["at"])?;
                    Goal::Arrive(side, piece, self.square()?)
                }
                _ if self.reading.description.goals.is_empty() => {
                    return self.expected("`stalemate`, `eradicate` or `arrive`");
                }
                _ => return Ok(()),
            };
            self.reading.description.goals.push(goal);
            if self.reading.description.goals.len() > MAX_PARTS {
                return self.refused(self.span(), "there are more than 64 goals");
            }
        }
    }

    fn board(&mut self) -> Read<()> {
        self.at += 1;
        if self.take("type") {
            let is_cylinder = self.take("vertical_cylinder");
            self.reading.description.is_cylinder = is_cylinder;
            return match is_cylinder || self.take("planar") {
                true => Ok(()),
                false => self.expected("`planar` or `vertical_cylinder`"),
            };
        }
        self.need(&["size"])?;
        let width = self.number("the number of columns", 1, MAX_SIDE)?;
        self.need(&["by"])?;
        let height = self.number("the number of rows", 1, MAX_SIDE)?;
        let board = &mut self.reading.description;
        (board.width, board.height) = (width as u8, height as u8);
        Ok(())
    }

    fn square(&mut self) -> Read<(u8, u8)> {
        let (width, height) = {
            let board = &self.reading.description;
            (i64::from(board.width), i64::from(board.height))
        };
        if width == 0 {
            return self.refused(self.span(), "`BOARD SIZE` comes before squares");
        }
        self.need(&["("])?;
        let x = self.number("a column of the board", 1, width)?;
        self.need(&[","])?;
        let y = self.number("a row of the board", 1, height)?;
        self.need(&[")"])?;
        Ok((x as u8, y as u8))
    }

    fn setup(&mut self) -> Read<()> {
        self.at += 1;
        while self.peek() != "end" {
            let name = self.piece_name()?;
            self.need(&["at", "{"])?;
            let mut squares = Vec::new();
            while !self.take("}") {
                squares.push(self.square()?);
            }
            self.reading.description.setup.push((name, squares));
            let is_next = self
                .tokens
                .get(self.at + 1)
                .is_some_and(|next| next.text == "at");
            if !is_next {
                break;
            }
        }
        Ok(())
    }

    fn piece(&mut self) -> Read<Piece> {
        self.at += 1;
        let mut piece = Piece {
            name: self.word("the name of a piece")?,
            ..Piece::default()
        };
        loop {
            match self.peek() {
                "moving" => {
                    self.at += 1;
                    while self.peek() == "movement" {
                        piece.moves.push(self.movement()?);
                    }
                    self.need(&["end", "moving"])?;
                }
                "capturing" => {
                    self.at += 1;
                    while self.peek() == "capture" {
                        let capture = self.capture()?;
                        piece.captures.push(capture);
                    }
                    self.need(&["end", "capturing"])?;
                }
                "promoting" => {
                    self.need(&["promoting", "promote_to"])?;
                    piece.promotes_to = Some(self.piece_name()?);
                    self.need(&["end", "promoting"])?;
                }
                "constraints" => {
                    self.need(&["constraints", "continue_captures"])?;
                    piece.continues = true;
                }
                _ => {
                    self.need(&["end", "define"])?;
                    return Ok(piece);
                }
            }
            if piece.moves.len() + piece.captures.len() > MAX_PARTS {
                return self.refused(self.span(), "the piece has more than 64 movements");
            }
        }
    }

    fn capture(&mut self) -> Read<Capture> {
        self.need(&["capture", "by", "{"])?;
        let by_hop = self.take("hop");
        if !by_hop && !self.take("clobber") {
            return self.expected("`clobber` or `hop`");
        }
        self.need(&["}", "type"])?;
        let targets = self.targets()?;
        self.need(&["effect"])?;
        let span = self.span();
        if !self.take("remove") {
            self.word("an effect")?;
            return self.refused(span, "what is taken is removed; no other effect is played");
        }
        let mut movements = Vec::new();
        while self.peek() == "movement" {
            let (span, movement) = (self.span(), self.movement()?);
            let hops = matches!(movement.kind, MovementKind::Hop { .. });
            if by_hop && !hops {
                return self.refused(span, "what takes by hopping has to hop");
            }
            movements.push(movement);
        }
        self.need(&["end", "capture"])?;
        Ok(Capture {
            by_hop,
            targets,
            movements,
        })
    }

    /// Such as `[{opponent} any_piece]`.
    fn targets(&mut self) -> Read<Targets> {
        self.need(&["[", "{"])?;
        let mut targets = Targets {
            player: false,
            opponent: false,
            kinds: None,
        };
        while !self.take("}") {
            match self.side()? {
                Side::Player => targets.player = true,
                Side::Opponent => targets.opponent = true,
            }
        }
        if self.take("any_piece") {
            self.need(&["]"])?;
            return Ok(targets);
        }
        let mut kinds = Vec::new();
        while !self.take("]") {
            kinds.push(self.piece_name()?);
        }
        targets.kinds = Some(kinds);
        Ok(targets)
    }

    fn movement(&mut self) -> Read<Movement> {
        self.need(&["movement"])?;
        let kind = match self.peek() {
            "leap" => {
                self.at += 1;
                MovementKind::Leap
            }
            "ride" => {
                self.at += 1;
                MovementKind::Ride
            }
            "hop" => self.hop()?,
            _ => return self.expected("`LEAP`, `RIDE` or `HOP`"),
        };
        self.need(&["<"])?;
        let dx = self.number("a number of columns", -MAX_SIDE, MAX_SIDE)?;
        self.need(&[","])?;
        let dy = self.number("a number of rows", -MAX_SIDE, MAX_SIDE)?;
        self.need(&[">"])?;
        let mut vectors = vec![(dx as i32, dy as i32)];
        if self.take("symmetry") {
            self.need(&["{"])?;
            while !self.take("}") {
                let turned: fn((i32, i32)) -> (i32, i32) = match self.word("a symmetry")?.as_str() {
                    "forward" => |(x, y): (i32, i32)| (x, -y),
                    "side" => |(x, y): (i32, i32)| (-x, y),
                    "rotate" | "rotation" => |(x, y): (i32, i32)| (y, x),
                    _ => {
                        self.at -= 1;
                        return self.expected("`forward`, `side` or `rotate`");
                    }
                };
                let more: Vec<(i32, i32)> = vectors.iter().copied().map(turned).collect();
                vectors.extend(more);
                vectors.sort_unstable();
                vectors.dedup();
            }
        }
        self.need(&["end", "movement"])?;
        Ok(Movement { kind, vectors })
    }

    /// Such as `HOP BEFORE [X = 0] OVER [X = 1] AFTER [X = 0] HOP_OVER [{opponent} any_piece]`.
    fn hop(&mut self) -> Read<MovementKind> {
        self.at += 1;
        let mut counts = [0; 3];
        for (count, (word, least)) in
            counts
                .iter_mut()
                .zip([("before", 0), ("over", 1), ("after", 0)])
        {
            self.need(&[word, "[", "x", "="])?;
            *count = self.number("a number of squares", least, MAX_HOP)? as u32;
            self.need(&["]"])?;
        }
        self.need(&["hop_over"])?;
        let what = self.targets()?;
        let [before, over, after] = counts;
        Ok(MovementKind::Hop {
            before,
            over,
            after,
            what,
        })
    }

    /// Looks for what cannot be meant.
    fn check(&mut self) {
        let mut problems = Vec::new();
        let game = &self.reading.description;
        for (name, span) in &self.names {
            if !game.pieces.iter().any(|piece| piece.name == *name) {
                let message = format!("no piece is called `{name}`");
                problems.push(Problem::new(MEANING, *span, message));
            }
        }
        let at_start = self.tokens.first().map_or(self.end, |token| token.span);
        let mut need = |holds: bool, message: &str| {
            if !holds {
                problems.push(Problem::new(MEANING, at_start, message.to_owned()));
            }
        };
        need(game.width > 0, "`BOARD SIZE` is missing");
        need(!game.goals.is_empty(), "`GOALS` are missing");
        need(!game.setup.is_empty(), "`SETUP` is missing");
        let promotes = game.pieces.iter().any(|piece| piece.promotes_to.is_some());
        need(
            !promotes || game.promote_rank.is_some(),
            "`PROMOTE RANK` is missing, and a piece is promoted",
        );
        let mut squares: Vec<(u8, u8)> = Vec::new();
        for (_, own) in &game.setup {
            for &(x, y) in own {
                // Black stands where white does on the board turned by half a circle.
                squares.extend([(x, y), (game.width + 1 - x, game.height + 1 - y)]);
            }
        }
        let count = squares.len();
        squares.sort_unstable();
        squares.dedup();
        need(
            squares.len() == count,
            "two pieces stand on one square, counting those of black",
        );
        self.reading.problems.extend(problems);
    }
}
