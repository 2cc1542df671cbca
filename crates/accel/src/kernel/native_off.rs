//! Machine code where none is made: there is never any.

use crate::program::{Part, Program};
use crate::word::Word;

/// A part as machine code, of which there is none here.
#[derive(Clone, Debug)]
pub(super) enum Native {}

/// The registers and instructions that code would be made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vector {
    Avx2,
    Half,
    Full,
}

impl Vector {
    pub(super) fn is_available(self) -> bool {
        false
    }
}

impl Native {
    pub(super) fn new(_: &Program, _: &Part, _: Vector) -> Result<Self, String> {
        Err("none is made here".to_owned())
    }

    pub(super) fn run(&self, _: &mut [Word]) {
        match *self {}
    }
}
