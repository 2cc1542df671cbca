//! Regular expressions over steps.

use std::fmt;

/// What must be on the square that a step leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum On {
    /// Nothing.
    Empty,
    /// A man of the opponent.
    Opponent,
    /// A man of the mover.
    Own,
}

impl On {
    /// All, in the order of their letters.
    pub const ALL: [On; 3] = [On::Empty, On::Opponent, On::Own];

    /// The letter in rules.
    pub fn letter(self) -> char {
        match self {
            On::Empty => 'e',
            On::Opponent => 'p',
            On::Own => 'w',
        }
    }

    /// What a letter stands for.
    pub fn of_letter(letter: u8) -> Option<Self> {
        On::ALL.into_iter().find(|on| on.letter() as u8 == letter)
    }
}

/// A step from a square to another, as the mover sees it: `dy` is positive away from the mover's
/// side of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Columns to the right.
    pub dx: i16,
    /// Rows ahead.
    pub dy: i16,
    /// What must be there.
    pub on: On,
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Step { dx, dy, on } = self;
        write!(formatter, "({dx},{dy},{})", on.letter())
    }
}

/// How often something is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Power {
    /// This number of times.
    Times(u32),
    /// Any number of times, or not at all.
    Star,
}

/// A regular expression over steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// One step.
    Step(Step),
    /// One after the other; at least two, none of which is a sequence itself.
    Sequence(Vec<Expression>),
    /// One of these; at least two, none of which is a choice itself.
    Choice(Vec<Expression>),
    /// Repetition.
    Repeat(Box<Expression>, Power),
}

impl Expression {
    /// One after the other. Sequences in sequences become one.
    ///
    /// # Panics
    /// If there are no parts.
    pub fn sequence(parts: Vec<Expression>) -> Self {
        Self::joined(parts, Expression::Sequence, |part| match part {
            Expression::Sequence(parts) => Ok(parts),
            other => Err(other),
        })
    }

    /// One of these. Choices in choices become one.
    ///
    /// # Panics
    /// If there are no parts.
    pub fn choice(parts: Vec<Expression>) -> Self {
        Self::joined(parts, Expression::Choice, |part| match part {
            Expression::Choice(parts) => Ok(parts),
            other => Err(other),
        })
    }

    fn joined(
        parts: Vec<Expression>,
        join: fn(Vec<Expression>) -> Expression,
        open: fn(Expression) -> Result<Vec<Expression>, Expression>,
    ) -> Self {
        let mut flat = Vec::with_capacity(parts.len());
        for part in parts {
            match open(part) {
                Ok(parts) => flat.extend(parts),
                Err(part) => flat.push(part),
            }
        }
        assert!(!flat.is_empty(), "an expression of no parts");
        match flat.len() {
            1 => flat.remove(0),
            _ => join(flat),
        }
    }

    /// How many steps it has with all powers written out.
    pub fn steps(&self) -> u64 {
        match self {
            Expression::Step(_) => 1,
            Expression::Sequence(parts) | Expression::Choice(parts) => parts
                .iter()
                .fold(0, |sum: u64, part| sum.saturating_add(part.steps())),
            Expression::Repeat(part, Power::Star) => part.steps(),
            Expression::Repeat(part, Power::Times(times)) => {
                part.steps().saturating_mul(u64::from(*times))
            }
        }
    }

    /// Does something with each step as it is written.
    pub fn each_step(&self, work: &mut dyn FnMut(Step)) {
        match self {
            Expression::Step(step) => work(*step),
            Expression::Sequence(parts) | Expression::Choice(parts) => {
                parts.iter().for_each(|part| part.each_step(work));
            }
            Expression::Repeat(part, _) => part.each_step(work),
        }
    }

    /// Whether it allows no step at all.
    pub fn accepts_nothing(&self) -> bool {
        match self {
            Expression::Step(_) => false,
            Expression::Sequence(parts) => parts.iter().all(Expression::accepts_nothing),
            Expression::Choice(parts) => parts.iter().any(Expression::accepts_nothing),
            Expression::Repeat(_, Power::Star | Power::Times(0)) => true,
            Expression::Repeat(part, Power::Times(_)) => part.accepts_nothing(),
        }
    }

    /// The parts of a choice, or the expression itself.
    pub fn alternatives(&self) -> &[Expression] {
        match self {
            Expression::Choice(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expression::Step(step) => write!(formatter, "{step}"),
            Expression::Sequence(parts) => parts.iter().try_for_each(|part| match part {
                Expression::Choice(_) => write!(formatter, "({part})"),
                _ => write!(formatter, "{part}"),
            }),
            Expression::Choice(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let sign = if index > 0 { " + " } else { "" };
                    write!(formatter, "{sign}{part}")?;
                }
                Ok(())
            }
            Expression::Repeat(part, power) => {
                match &**part {
                    Expression::Step(step) => write!(formatter, "{step}")?,
                    part => write!(formatter, "({part})")?,
                }
                match power {
                    Power::Star => formatter.write_str("^*"),
                    Power::Times(times) => write!(formatter, "^{times}"),
                }
            }
        }
    }
}
