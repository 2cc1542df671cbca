//! A number for each lane of a block.
//!
//! Playouts that began together have numbers in common: when they began, how long they were, who
//! asked for them. Where games are short, the lanes of a block are a few groups, and to go through
//! these takes a few operations on words where a look at each lane takes most of the time.

use crate::word::{LANES, Word};

/// The most groups; lanes with more different numbers have them one by one.
const MOST_GROUPS: usize = 12;

/// A number for each lane.
#[derive(Clone, Debug)]
pub(super) struct Numbers<T> {
    /// Numbers with the lanes that have them, which are all lanes; empty if each has its own.
    groups: Vec<(T, Word)>,
    each: Vec<T>,
}

impl<T: Copy + Default + PartialEq> Numbers<T> {
    /// The same number in all lanes.
    pub(super) fn new() -> Self {
        Self {
            groups: vec![(T::default(), Word::ALL)],
            each: Vec::new(),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> T {
        let mut groups = self.groups.iter();
        match groups.find(|(_, lanes)| lanes.get(lane)) {
            Some(&(number, _)) => number,
            None => self.each[lane],
        }
    }

    /// Sets the number of some lanes.
    #[inline(always)]
    pub(super) fn set(&mut self, lanes: Word, number: T) {
        if let [(own, _)] = self.groups[..]
            && own == number
        {
            return;
        }
        if lanes == Word::ALL {
            self.groups.clear();
            self.groups.push((number, lanes));
        } else if self.groups.is_empty() {
            lanes.lanes().for_each(|lane| self.each[lane] = number);
        } else {
            self.groups.retain_mut(|(own, others)| {
                *others = match *own == number {
                    true => *others | lanes,
                    false => others.and_not(lanes),
                };
                !others.is_none()
            });
            if !self.groups.iter().any(|(own, _)| *own == number) && !lanes.is_none() {
                self.groups.push((number, lanes));
            }
            if self.groups.len() > MOST_GROUPS {
                self.part();
            }
        }
    }

    /// Sets the numbers of some lanes by other numbers of theirs.
    #[inline(always)]
    pub(super) fn copy<U: Copy + Default + PartialEq>(
        &mut self,
        from: &Numbers<U>,
        lanes: Word,
        number: impl Fn(U) -> T,
    ) {
        if from.groups.is_empty() {
            self.part();
            for lane in lanes.lanes() {
                self.each[lane] = number(from.each[lane]);
            }
        } else {
            from.parts(lanes, |other, lanes| self.set(lanes, number(other)));
        }
    }

    /// Tells of some lanes which number how many of them have.
    #[inline(always)]
    pub(super) fn count(&self, lanes: Word, mut tell: impl FnMut(T, u32)) {
        match self.groups.is_empty() {
            true => lanes.lanes().for_each(|lane| tell(self.each[lane], 1)),
            false => self.parts(lanes, |number, lanes| tell(number, lanes.count())),
        }
    }

    /// Tells the numbers of some lanes, each with lanes that have it.
    #[inline(always)]
    pub(super) fn parts(&self, lanes: Word, mut tell: impl FnMut(T, Word)) {
        if self.groups.is_empty() {
            lanes
                .lanes()
                .for_each(|lane| tell(self.each[lane], Word::of(lane)));
        }
        for &(number, own) in &self.groups {
            let own = own & lanes;
            if !own.is_none() {
                tell(number, own);
            }
        }
    }

    /// From now on each lane has its number by itself.
    #[inline(always)]
    fn part(&mut self) {
        if self.groups.is_empty() {
            return;
        }
        self.each.resize(LANES, T::default());
        for (number, lanes) in self.groups.drain(..) {
            lanes.lanes().for_each(|lane| self.each[lane] = number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LANES, MOST_GROUPS, Numbers, Word};
    use paidia_game::Chance;

    /// Some lanes: none, all, a few or many.
    fn some_lanes(chance: &mut Chance) -> Word {
        let mut lanes = Word::NONE;
        match chance.below(64) {
            0 => {}
            1 => lanes = Word::ALL,
            parts => {
                let step = 2 + parts as usize % 6;
                let lane = |lane: &usize| !lane.is_multiple_of(step);
                let from = chance.below(LANES as u32);
                let from = from as usize;
                (from..LANES)
                    .filter(lane)
                    .for_each(|lane| lanes.set(lane, true));
            }
        }
        lanes
    }

    #[test]
    fn lanes_in_groups_have_the_numbers_that_each_was_given() {
        let mut chance = Chance::from_seed(7);
        // Few different numbers stay in groups; many do not.
        for most in [3, MOST_GROUPS as u32, 40] {
            let mut was_one_by_one = false;
            let (mut numbers, mut doubles) = (Numbers::<u32>::new(), Numbers::<u64>::new());
            let (mut known, mut known_doubles) = ([0_u32; LANES], [0_u64; LANES]);
            for _ in 0..500 {
                let (lanes, number) = (some_lanes(&mut chance), chance.below(most));
                numbers.set(lanes, number);
                lanes.lanes().for_each(|lane| known[lane] = number);
                let lanes = some_lanes(&mut chance);
                doubles.copy(&numbers, lanes, |number| 2 * u64::from(number));
                for lane in lanes.lanes() {
                    known_doubles[lane] = 2 * u64::from(known[lane]);
                }
                let all = 0..LANES;
                assert!(all.clone().all(|lane| numbers.get(lane) == known[lane]));
                assert!(
                    all.clone()
                        .all(|lane| doubles.get(lane) == known_doubles[lane])
                );
                let lanes = some_lanes(&mut chance);
                let (mut sum, mut count) = (0, 0);
                numbers.count(lanes, |number, lanes| {
                    sum += number * lanes;
                    count += lanes;
                });
                assert_eq!(count, lanes.count());
                assert_eq!(sum, lanes.lanes().map(|lane| known[lane]).sum());
                was_one_by_one |= numbers.groups.is_empty();
            }
            assert_eq!(was_one_by_one, most == 40);
        }
    }
}
