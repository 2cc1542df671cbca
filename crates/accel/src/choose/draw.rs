//! Drawing, in every lane, a number of which each is equally likely.
//!
//! As many random bits are drawn as the highest number that may be drawn has; lanes whose number came out above it draw
//! again. That is exact, and a lane draws less than twice on average.

use crate::random::Stream;
use crate::word::Word;

/// Fills `rank` with a number from 0 to `last` in each of the lanes; other lanes get some number.
///
/// All numbers are bits from the lowest. `mask` says for each bit where any number up to `last` has this bit or a
/// higher one.
#[inline(always)]
pub(crate) fn draw(
    stream: &mut Stream,
    lanes: Word,
    last: &[Word],
    mask: &[Word],
    rank: &mut [Word],
) {
    let mut open = lanes;
    rank.fill(Word::NONE);
    while !open.is_none() {
        let mut is_above = Word::NONE;
        for ((rank, &last), &mask) in rank.iter_mut().zip(last).zip(mask) {
            let drawn = stream.next() & mask & open;
            let kept = rank.and_not(open);
            *rank = kept | drawn;
            is_above = (*rank).and_not(last) | (is_above & !(*rank ^ last));
        }
        open &= is_above;
    }
}
