//! The incremental engine: numeric models after random updates, and games beside the reference engine.
//!
//! `PAIDIA_CORPUS` tells where the public collection is.

mod games;
mod numeric;
mod program;
mod published;
mod rows;
