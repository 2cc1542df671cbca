//! Everything that is tested through the public interface of this crate.

mod breeding;
mod grl;
mod learning;
mod pieces;
mod player;
