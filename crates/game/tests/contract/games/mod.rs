//! Games that implement the contract by hand.

pub(crate) mod coins;
pub(crate) mod graph;
pub(crate) mod tic_tac_toe;
