//! Packing gates into tiers of 64 so that no gate feeds another of its own tier or an earlier one.

/// Tiers while they are filled.
#[derive(Debug, Default)]
pub(super) struct Packing {
    /// For each tier, how many of its bits are taken.
    taken: Vec<u8>,
    /// For each tier, itself if it has room, else a later one to look at.
    roomy: Vec<usize>,
    /// Tiers before this one are not used any more.
    first: usize,
}

impl Packing {
    /// How many tiers there are.
    pub(super) fn tiers(&self) -> usize {
        self.taken.len()
    }

    /// From now on only new tiers are used.
    pub(super) fn start_part(&mut self) {
        self.first = self.tiers();
    }

    /// A new tier, which nothing else gets into.
    pub(super) fn fresh(&mut self) -> usize {
        self.taken.push(64);
        self.roomy.push(self.tiers());
        self.tiers() - 1
    }

    /// A tier and a bit in it: the first with room that is not before `earliest`.
    pub(super) fn place(&mut self, earliest: usize) -> (usize, usize) {
        let tier = self.find_room(earliest.max(self.first));
        let bit = usize::from(self.taken[tier]);
        self.taken[tier] += 1;
        if self.taken[tier] == 64 {
            self.roomy[tier] = tier + 1;
        }
        (tier, bit)
    }

    fn find_room(&mut self, earliest: usize) -> usize {
        let mut tier = earliest;
        while tier < self.tiers() && self.roomy[tier] != tier {
            tier = self.roomy[tier];
        }
        while self.tiers() <= tier {
            self.roomy.push(self.tiers());
            self.taken.push(0);
        }
        // The next search for this place takes one step.
        let mut passed = earliest;
        while passed < tier {
            passed = std::mem::replace(&mut self.roomy[passed], tier);
        }
        tier
    }
}
