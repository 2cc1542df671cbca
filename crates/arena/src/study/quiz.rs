//! Quizzes: which moves players choose in positions of which the best move is known.
//!
//! A [`Quiz`] is data, as an [`Experiment`](super::Experiment) is (`studies/NAME.toml` with `positions`): positions with their right moves, who
//! is asked in which of them (its cells), what the paper found there, and what it claims. A [`Questionnaire`] is the list of searches
//! to make, each by a new player with a seed of its own; [`ask`] makes those that are missing from the result file; a [`Marks`] is what
//! came out: how often each move was chosen, how often that was right, and how many states were visited for it.

mod ask;
mod claims;
mod data;
mod marks;
mod report;

pub use ask::{Answer, Question, Questionnaire, ask};
pub use claims::{Figure, QuizClaim};
pub use data::{Position, Quiz, QuizCell, QuizPaper, QuizScale};
pub use marks::{CellMarks, Marks, Share, mark};
