//! Engines: a checked [`paidia_gdl::program::Program`] becomes a [`paidia_game::Game`].
//!
//! [`mod@reference`] is the simplest engine and the judge of all others: it derives, for every state, what the rules say, and nothing
//! else. [`prover`] proves what it is asked, as Prolog does. [`forward`] runs them as look-ups in tables over numbered facts, [`compiled`] as code over flat arrays, and [`propnet`] rules
//! without variables as a network of gates. [`rows`] is what engines that derive rows of relations have in common.
//!
//! Nothing here knows about files, search or players.

mod bits;
pub mod compiled;
mod error;
pub mod forward;
mod ground;
mod lists;
mod names;
pub mod propnet;
pub mod prover;
pub mod reference;
pub mod rows;
mod shapes;

pub use compiled::Compiled;
pub use error::LoadError;
pub use forward::Forward;
pub use prover::Prover;
pub use reference::Reference;
