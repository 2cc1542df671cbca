//! The infix notation in which papers print rules.

use super::Reading;
use crate::source::Source;

/// Reads a rule sheet in infix notation.
pub fn read(_source: &Source) -> Reading {
    Reading::default()
}
