//! Reading the goals: the turn limit, `@` and `#`.

use paidia_gdl::{Problem, Span};

use super::cursor::Number;
use super::limits::MAX_TURNS;
use super::problems::{GOAL, OFF_BOARD, TOO_LARGE};
use super::read::Reader;
use super::rules::Goal;

impl Reader<'_> {
    /// The turn limit and the goals after it.
    pub(super) fn goals(&mut self) {
        match self.turn_limit() {
            Ok(turns) => self.rules.turns = turns,
            Err(problem) => {
                self.problems.push(problem);
                // A file that begins with another goal has its goals read.
                if !matches!(self.cursor.peek(), Some(b'@' | b'#')) {
                    self.next_item(b"@#");
                }
            }
        }
        self.end_item();
        while !self.cursor.is_done() {
            match self.goal() {
                Ok(goal) => self.rules.goals.push(goal),
                Err(problem) => {
                    self.problems.push(problem);
                    self.next_item(b"@#");
                }
            }
            self.end_item();
        }
    }

    fn turn_limit(&mut self) -> Result<u32, Problem> {
        let Some(number) = self.cursor.number() else {
            let problem = self.cursor.problem(GOAL, "the turn limit");
            return Err(problem.help(
                "the goals begin with the number of moves after which the game is a draw: `100 &`",
            ));
        };
        let turns = natural(number, "the turn limit")?;
        if turns > MAX_TURNS {
            let message = format!("the turn limit is above {MAX_TURNS}");
            return Err(Problem::new(TOO_LARGE, number.span, message));
        }
        self.ampersand("the turn limit", number.span)?;
        Ok(turns as u32)
    }

    fn goal(&mut self) -> Result<Goal, Problem> {
        let start = self.cursor.next_span();
        let is_reach = match self.cursor.peek() {
            Some(b'@') => true,
            Some(b'#') => false,
            _ => {
                let problem = self.cursor.problem(GOAL, "a goal");
                return Err(problem.help(
                    "goals begin with `@`, for squares to reach, or `#`, for a number of men",
                ));
            }
        };
        self.cursor.at += 1;
        let Some((letter, _)) = self.cursor.letter() else {
            let problem = self.cursor.problem(GOAL, "the letter of a man");
            return Err(problem.help("upper case letters are men of white, lower case of black"));
        };
        let goal = match is_reach {
            true => Goal::Reach {
                letter,
                squares: self.squares()?,
            },
            false => Goal::Fall {
                letter,
                count: self.count()?,
            },
        };
        self.ampersand("a goal", start)?;
        let end = self.cursor.at;
        self.goal_spans.push(Span::new(start.start as usize, end));
        Ok(goal)
    }

    fn count(&mut self) -> Result<u32, Problem> {
        let Some(number) = self.cursor.number() else {
            let problem = self.cursor.problem(GOAL, "the number of men");
            return Err(problem.help("`#k 0` lets black lose when it has no k left"));
        };
        let count = natural(number, "the number of men")?;
        Ok(count.min(u64::from(u32::MAX)) as u32)
    }

    fn squares(&mut self) -> Result<Vec<(u8, u8)>, Problem> {
        let mut squares = Vec::new();
        loop {
            let mut pair = [0; 2];
            let mut span = None;
            let sizes = [self.rules.width, self.rules.height].map(u64::from);
            for (place, size) in sizes.into_iter().enumerate() {
                let Some(number) = self.cursor.number() else {
                    let what = ["the column of a square", "the row of the square"][place];
                    let problem = self.cursor.problem(GOAL, what);
                    let help = "squares are a column and a row, separated by commas: `0 7, 1 7`";
                    return Err(problem.help(help));
                };
                let value = natural(number, "a column or row")?;
                // A board that could not be read has no size, and every square is on it.
                if value >= size && size > 0 {
                    let side = ["columns", "rows"][place];
                    let message = format!(
                        "the board has no such square: {side} go from 0 to {}",
                        size - 1
                    );
                    return Err(Problem::new(OFF_BOARD, number.span, message));
                }
                pair[place] = value.min(255) as u8;
                span = Some(number.span);
            }
            if span.is_some() {
                squares.push((pair[0], pair[1]));
            }
            if !self.cursor.take(b',') {
                return Ok(squares);
            }
        }
    }
}

/// A number that must not be negative.
pub(super) fn natural(number: Number, what: &str) -> Result<u64, Problem> {
    match number.is_negative {
        true => {
            let message = format!("{what} is negative");
            Err(Problem::new(GOAL, number.span, message))
        }
        false => Ok(number.value),
    }
}
