//! What the CADIA-Player thesis (Hilmar Finnsson, 2007) says about rules, keys of states, the tree
//! and the choice of moves, as tests.

mod keys;
mod memory;
mod rules;
mod selection;
mod tree;
