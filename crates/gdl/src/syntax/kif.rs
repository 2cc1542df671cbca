//! The prefix notation in which GGP programs exchange rules.

use super::Reading;
use crate::source::Source;

/// Reads a rule sheet in KIF notation.
pub fn read(_source: &Source) -> Reading {
    Reading::default()
}
