//! Play and reasoning where players do not see everything.
//!
//! The way through this crate starts with [`mod@explore`], which writes the states of a game, its
//! joint moves and what the roles perceive of them into flat tables. [`mod@unfold`] goes through
//! the histories of play, merged where nothing tells them apart, and gives every player its
//! information sets. On these stand exact values and best responses ([`values`]), equilibria of two
//! players ([`equilibrium`]), what HyperPlay tends to ([`mod@limits`]), formulas about what players
//! know ([`mod@epistemic`]), and what [`agreement`] compares with truth computed elsewhere.
//!
//! [`mod@belief`] and [`mod@bag`] are for matches: they follow what one role is told, exactly while
//! that fits a budget, and [`mod@players`] play by them. [`mod@filter`] follows it without a list
//! of states.
//!
//! Nothing here knows files or opens sockets.

pub mod agreement;
pub mod bag;
pub mod belief;
pub mod epistemic;
pub mod equilibrium;
pub mod explore;
pub mod filter;
pub mod limits;
pub mod players;
pub mod symbolic;
pub mod unfold;
pub mod values;

pub use explore::{Explorer, Limits, Table, TooLarge};
pub use unfold::{Unfolding, unfold};
