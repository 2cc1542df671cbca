//! The prover: every derivation ends, and SWI-Prolog finds the same in exported rules.

mod loops;
mod prolog;
