//! The web arena as browsers and other clients see it: over real connections.

mod analysis;
mod beliefs;
mod client;
mod fuzz;
mod games;
mod guard;
mod lasting;
mod limits;
mod live;
mod matches;
mod secrets;
mod tables;
mod tournaments;
mod video;
