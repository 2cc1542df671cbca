//! The engine for networks, on networks drawn by hand and at random.

mod drawing;
mod games;
mod play;
mod random;
