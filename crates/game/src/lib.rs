//! The vocabulary of games, and what can be said about any game through it.
//!
//! Engines implement [`Game`] and [`Walker`]; everything else in the project uses a game through these traits alone.
//! Rules are shared and immutable, a *walker* is one thread's cursor with its scratch memory, and a *state* is a small value
//! that can be stored, hashed and compared. Moves, percepts and facts have a canonical text (prefix form with single spaces, such
//! as `(mark 1 1)`), and engines are compared by text, never by id.
//!
//! Nothing here knows about rule languages, files or search.

mod chance;
mod contract;
mod facts;
mod ids;
mod legal;
mod names;
mod play;

pub use chance::Chance;
pub use contract::{Fault, Game, Legible, Resource, UnknownFluent, Walker};
pub use facts::{GameFacts, Information, TurnOrder};
pub use ids::{Goal, MoveId, PerceptId, RoleId};
pub use legal::LegalMoves;
pub use names::{MoveTable, NameId, NameTable, PerceptTable, TableFull};
pub use play::{IllegalMove, play};
