//! The web arena as browsers see it, and as those do who are none: over real connections.

mod analysis;
mod client;
mod fuzz;
mod games;
mod guard;
mod limits;
mod matches;
mod secrets;
mod tables;
mod tournaments;
