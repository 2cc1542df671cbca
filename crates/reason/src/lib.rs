//! Engines: a checked [`paidia_gdl::program::Program`] becomes a [`paidia_game::Game`].
//!
//! [`mod@reference`] is the simplest engine and the judge of all others: it derives, for every
//! state, what the rules say, and nothing else. [`prover`] proves what it is asked, as Prolog does.
//! [`forward`] runs rules as look-ups in tables over numbered facts, [`compiled`] as code over flat
//! arrays, [`propnet`] rules without variables as a network of gates, and [`incremental`] updates
//! what such rules derive by what changes. [`rows`] is what engines that derive rows of relations
//! have in common. [`timed`] plays rules in real time on two of them.
//!
//! [`knowledge`] is what the rules prove about a game, [`explain`] tells why something holds in a
//! state or does not, and [`regression`] turns goals into heuristics for moves.
//!
//! Nothing here knows about files, search or players.

mod bits;
pub mod compiled;
mod error;
pub mod explain;
pub mod forward;
mod ground;
mod handle;
pub mod incremental;
pub mod knowledge;
mod lists;
mod names;
pub mod propnet;
pub mod prover;
pub mod reference;
pub mod regression;
pub mod rows;
mod shapes;
pub mod timed;

pub use compiled::Compiled;
pub use error::LoadError;
pub use forward::Forward;
pub use incremental::Incremental;
pub use prover::Prover;
pub use reference::Reference;
pub use timed::Timed;
