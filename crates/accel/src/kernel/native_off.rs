//! Machine code where none is made: there is never any.

use crate::program::{Part, Program};
use crate::word::Word;

/// A part as machine code, of which there is none here.
#[derive(Clone, Debug)]
pub(super) enum Native {}

impl Native {
    pub(super) fn new(_: &Program, _: &Part) -> Option<Self> {
        None
    }

    pub(super) fn run(&self, _: &mut [Word]) {
        match *self {}
    }
}
