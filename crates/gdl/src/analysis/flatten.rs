//! Flattening.
