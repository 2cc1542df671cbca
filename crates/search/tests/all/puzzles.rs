//! Searching for solutions of puzzles.

mod colliding;
mod player;
mod ways;

/// Bytes that searches may take here.
const MEMORY: usize = 1 << 28;
