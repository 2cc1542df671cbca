//! The formulas of all moves in flat arrays, in the order in which they are evaluated.
//!
//! What several moves need is evaluated once for all of them; what only one move needs, only if the
//! move is asked about. So the arrays have a segment for what roles share, one for each role, one
//! for each move by any role, and one for each move of each role.

use std::ops::Range;

use super::formula::{Formula, Formulas, Part};

/// Formulas in the order of evaluation. A formula's value has a slot, and its negation's the next.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// The fluents that matter; their slots come after those of the constants.
    pub(super) fluents: Vec<u32>,
    /// For each conjunction, where its parts end; they start where those of the one before end.
    ends: Vec<u32>,
    /// For each part its slot.
    parts: Vec<u32>,
    /// What several roles need.
    pub(super) common: Range<usize>,
    /// For each role, what several of its moves need.
    pub(super) of_role: Vec<Range<usize>>,
    /// For each role and id of a move, what only that move needs, and the slot of its value.
    pub(super) of_move: Vec<Vec<Option<Entry>>>,
}

/// A move's own conjunctions, and the slot of its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// What only that move needs, but several roles that make it.
    pub(super) of_all: Range<usize>,
    /// What only that move of that role needs.
    pub(super) own: Range<usize>,
    pub(super) slot: usize,
}

/// What needs a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    Unused,
    Common,
    Role(u16),
    /// One move, by any role.
    Either(u32),
    Move(u16, u32),
}

impl Owner {
    fn join(self, other: Owner) -> Owner {
        let role = |owner| match owner {
            Owner::Role(role) | Owner::Move(role, _) => Some(role),
            Owner::Unused | Owner::Common | Owner::Either(_) => None,
        };
        let id = |owner| match owner {
            Owner::Either(id) | Owner::Move(_, id) => Some(id),
            Owner::Unused | Owner::Common | Owner::Role(_) => None,
        };
        match (self, other) {
            (Owner::Unused, one) | (one, Owner::Unused) => one,
            (one, same) if one == same => one,
            (one, same) if id(one).is_some() && id(one) == id(same) => {
                id(one).map_or(Owner::Common, Owner::Either)
            }
            _ => match (role(self), role(other)) {
                (Some(one), Some(same)) if one == same => Owner::Role(one),
                _ => Owner::Common,
            },
        }
    }
}

/// The first slots are those of what is true and of what is unknown, with their negations.
pub(super) const FIRST_FLUENT: usize = 4;

impl Layout {
    /// The layout of formulas, given for each role and move the move's id and its formula, in a
    /// game with `all_moves` moves.
    pub(super) fn new(
        formulas: &Formulas,
        roots: &[Vec<(u32, Formula)>],
        all_moves: usize,
    ) -> Self {
        let owners = owners(formulas, roots);
        let mut order: Vec<usize> = (0..formulas.len())
            .filter(|&place| {
                owners[place] != Owner::Unused && matches!(formulas.part_at(place), Part::All(_))
            })
            .collect();
        // The sort is stable, so that within a segment parts still come first.
        order.sort_by_key(|&place| owners[place]);
        let (fluents, mut slots) = fluents_of(formulas, &owners);
        for (&place, number) in order.iter().zip(fluents.len()..) {
            slots[place] = (FIRST_FLUENT + 2 * number) as u32;
        }
        let slot = |formula: Formula| slots[formula.place()] + u32::from(formula.is_negated());
        let mut this = Self {
            fluents,
            ends: Vec::with_capacity(order.len()),
            parts: Vec::new(),
            common: 0..0,
            of_role: Vec::new(),
            of_move: Vec::new(),
        };
        for &place in &order {
            if let Part::All(parts) = formulas.part_at(place) {
                this.parts.extend(parts.iter().map(|&part| slot(part)));
            }
            this.ends.push(this.parts.len() as u32);
        }
        let segment = |owner: Owner| {
            let start = order.partition_point(|&place| owners[place] < owner);
            let end = order.partition_point(|&place| owners[place] <= owner);
            start..end
        };
        this.common = segment(Owner::Common);
        for (role, moves) in (0..).zip(roots) {
            this.of_role.push(segment(Owner::Role(role)));
            let mut entries = vec![None; all_moves];
            for &(id, formula) in moves {
                entries[id as usize] = Some(Entry {
                    of_all: segment(Owner::Either(id)),
                    own: segment(Owner::Move(role, id)),
                    slot: slot(formula) as usize,
                });
            }
            this.of_move.push(entries);
        }
        this
    }

    /// Conjunctions and fluents, and the parts of these.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.ends.len() + self.fluents.len(), self.parts.len())
    }

    /// How many slots there are.
    pub(super) fn slots(&self) -> usize {
        FIRST_FLUENT + 2 * (self.fluents.len() + self.ends.len())
    }

    /// The slot of the first conjunction.
    #[inline]
    pub(super) fn first_slot(&self) -> usize {
        FIRST_FLUENT + 2 * self.fluents.len()
    }

    /// Evaluates the conjunctions of a segment: the product of the values of their parts.
    #[inline]
    pub(super) fn evaluate(&self, segment: Range<usize>, values: &mut [f64]) {
        let mut start = match segment.start {
            0 => 0,
            first => self.ends[first - 1] as usize,
        };
        let mut slot = self.first_slot() + 2 * segment.start;
        for &end in &self.ends[segment] {
            let read = |part: u32| values[part as usize];
            // Most have two or three parts.
            let value = match self.parts[start..end as usize] {
                [one, two] => read(one) * read(two),
                [one, two, three] => read(one) * read(two) * read(three),
                ref parts => parts.iter().map(|&part| read(part)).product(),
            };
            values[slot] = value;
            values[slot + 1] = 1.0 - value;
            slot += 2;
            start = end as usize;
        }
    }
}

/// For each formula, what needs it.
fn owners(formulas: &Formulas, roots: &[Vec<(u32, Formula)>]) -> Vec<Owner> {
    let mut owners = vec![Owner::Unused; formulas.len()];
    for (role, moves) in (0..).zip(roots) {
        for &(id, formula) in moves {
            let owner = &mut owners[formula.place()];
            *owner = owner.join(Owner::Move(role, id));
        }
    }
    for place in (0..formulas.len()).rev() {
        let owner = owners[place];
        if let (true, Part::All(parts)) = (owner != Owner::Unused, formulas.part_at(place)) {
            for part in parts {
                owners[part.place()] = owners[part.place()].join(owner);
            }
        }
    }
    owners
}

/// The fluents that matter, and for each formula its slot; that of conjunctions is not known yet.
fn fluents_of(formulas: &Formulas, owners: &[Owner]) -> (Vec<u32>, Vec<u32>) {
    let mut slots = vec![0; formulas.len()];
    slots[Formula::UNKNOWN.place()] = 2;
    let mut fluents = Vec::new();
    for (place, &owner) in owners.iter().enumerate() {
        if let (true, Part::Holds(fluent)) = (owner != Owner::Unused, formulas.part_at(place)) {
            slots[place] = (FIRST_FLUENT + 2 * fluents.len()) as u32;
            fluents.push(fluent);
        }
    }
    (fluents, slots)
}
