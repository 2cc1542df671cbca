//! An alpha-beta player for simplified board games. (Jakub Kowalski, General Game Description
//! Languages, 2016, section 6.2: RBgPlayer.)
//!
//! [`Weights`] say what men are worth, by the rules alone, alike, or learned. [`Evaluation`] makes
//! whole numbers of them for the search. [`Search`] is the search, [`Table`] its memory, and
//! [`learning`] improves weights by play against itself. `docs/methods/board-player.md` tells what
//! is as in the thesis and what is not.

mod evaluation;
pub mod learning;
mod order;
mod search;
mod table;
mod tally;
mod weights;

pub use evaluation::{Evaluation, Extras, SCALE};
pub use search::{Found, Limits, Search, Style, WIN};
pub use table::Table;
pub use weights::Weights;
