//! What Paidia says to other programs over the network.
//!
//! [`ggp`] is the protocol in which hosts and players of General Game Playing talk; [`workers`]
//! lets other machines make the playouts of a tree search, and [`database`] lets them play the
//! matches of a tournament. [`web`] is the arena in the browser: a page, and what it asks.
//!
//! This is the only crate that opens sockets. Everything that comes in over one is read with a
//! limit on its length and its time.

mod contest;
pub mod database;
pub mod ggp;
mod http;
mod threads;
pub mod web;
pub mod workers;

pub use contest::{contest_table, timed_contest_table};
