//! Engines: a checked [`paidia_gdl::program::Program`] becomes a [`paidia_game::Game`].
//!
//! [`mod@reference`] is the simplest engine and the judge of all others: it derives, for every state, what the rules say, and nothing
//! else.
//!
//! Nothing here knows about files, search or players.

mod error;
pub mod propnet;
pub mod reference;
mod shapes;

pub use error::LoadError;
pub use reference::Reference;
