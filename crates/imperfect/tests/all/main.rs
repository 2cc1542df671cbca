//! Beliefs, values, formulas and players, held against truth from elsewhere and against each other.
//!
//! One program for all of them: `cargo test -p paidia-imperfect --test all FILTER`.

mod equilibria;
mod filter;
mod players;
mod reference;
mod soundness;
mod symbolic;
