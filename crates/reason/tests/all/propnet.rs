//! The engine for networks, on networks drawn by hand and at random.

mod asked;
mod drawing;
mod games;
mod layered;
mod play;
mod random;
