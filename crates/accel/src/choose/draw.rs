//! Drawing, in every lane, a number of which each is equally likely.
//!
//! As many random bits are drawn as the highest number that may be drawn has; lanes whose number
//! came out above it draw again. That is exact, and a lane draws less than twice on average. A
//! block takes a random word for a bit whenever one of its lanes needs that bit, so that what it
//! draws depends on its own lanes only.

use crate::program::{Draw, STREAM_SLOTS, Signal};
use crate::random::Stream;
use crate::word::Word;

/// Draws a number in the lanes of a block, given the slots of all blocks.
#[inline(always)]
pub(crate) fn draw<const WIDTH: usize>(draw: &Draw, memory: &mut [[Word; WIDTH]], block: usize) {
    let start = draw.stream as usize;
    let slots = start..start + STREAM_SLOTS as usize;
    let mut stream = Stream {
        state: std::array::from_fn(|number| memory[slots.clone()][number][block]),
    };
    let mut open = read(memory, draw.lanes, block);
    for digit in &draw.digits {
        memory[digit.rank as usize][block] = Word::NONE;
    }
    while !open.is_none() {
        let mut is_above = Word::NONE;
        for digit in &draw.digits {
            let mask = read(memory, digit.mask, block) & open;
            let last = read(memory, digit.last, block);
            let rank = &mut memory[digit.rank as usize][block];
            if !mask.is_none() {
                *rank = rank.and_not(open) | (stream.next() & mask);
            }
            let differs = *rank ^ last;
            is_above = (*rank & differs) | is_above.and_not(differs);
        }
        open &= is_above;
    }
    for (slot, state) in memory[slots].iter_mut().zip(stream.state) {
        slot[block] = state;
    }
}

#[inline(always)]
fn read<const WIDTH: usize>(memory: &[[Word; WIDTH]], signal: Signal, block: usize) -> Word {
    memory[signal.slot as usize][block].inverted_if(signal.is_inverted)
}
