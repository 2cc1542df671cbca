//! Everything that is tested through the public interface of this crate.

mod learning;
mod pieces;
