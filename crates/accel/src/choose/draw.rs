//! Drawing, in every lane, a number of which each is equally likely.
//!
//! As many random bits are drawn as the highest number that may be drawn has; lanes whose number
//! came out above it draw again. That is exact, and a lane draws less than twice on average.

use crate::random::Stream;
use crate::word::Word;

/// One bit of a number that is drawn in every lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digit {
    /// This bit of the highest number that may be drawn.
    pub(crate) last: Word,
    /// Where any number that may be drawn has this bit or a higher one.
    pub(crate) mask: Word,
    /// This bit of the number that was drawn.
    pub(crate) rank: Word,
}

/// Draws a number in each of the lanes; other lanes get 0. The digits are those of the number from
/// the lowest, with ranks of 0.
#[inline(always)]
pub(crate) fn draw(stream: &mut Stream, lanes: Word, digits: &mut [Digit]) {
    let mut open = lanes;
    while !open.is_none() {
        let mut is_above = Word::NONE;
        for digit in &mut *digits {
            let mask = digit.mask & open;
            if !mask.is_none() {
                digit.rank = digit.rank.and_not(open) | (stream.next() & mask);
            }
            let differs = digit.rank ^ digit.last;
            is_above = (digit.rank & differs) | is_above.and_not(differs);
        }
        open &= is_above;
    }
}
