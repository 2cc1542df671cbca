//! The knowledge base: which facts hold.
//!
//! Each relation has the list of its facts in the order in which they were produced, and each fact
//! a mark. Writing, asking and enumerating take constant time a fact, and so does emptying a
//! relation: its list tells which marks to wipe.

use super::coding::Numbering;

/// The facts that hold.
#[derive(Clone, Debug)]
pub(super) struct Knowledge {
    lists: Vec<Vec<u32>>,
    marks: Vec<bool>,
}

impl Knowledge {
    /// Nothing holds.
    pub(super) fn new(numbering: &Numbering) -> Self {
        Self {
            lists: vec![Vec::new(); numbering.relations.len()],
            marks: vec![false; numbering.facts as usize],
        }
    }

    /// The facts of a relation in the order in which they were written.
    #[inline]
    pub(super) fn list(&self, relation: usize) -> &[u32] {
        &self.lists[relation]
    }

    /// Whether a fact holds.
    #[inline]
    pub(super) fn holds(&self, fact: u32) -> bool {
        self.marks[fact as usize]
    }

    /// Writes a fact of a relation; whether it was new.
    #[inline]
    pub(super) fn write(&mut self, relation: usize, fact: u32) -> bool {
        let mark = &mut self.marks[fact as usize];
        let new = !std::mem::replace(mark, true);
        if new {
            self.lists[relation].push(fact);
        }
        new
    }

    /// Forgets the facts of a relation.
    #[inline]
    pub(super) fn clear(&mut self, relation: usize) {
        for &fact in &self.lists[relation] {
            self.marks[fact as usize] = false;
        }
        self.lists[relation].clear();
    }

    /// Makes the facts of one relation those of another, whose facts are numbered `shift` further
    /// on, and the only ones.
    pub(super) fn carry_over(&mut self, from: usize, to: usize, shift: u32) {
        self.clear(to);
        let mut list = std::mem::take(&mut self.lists[to]);
        for &fact in &self.lists[from] {
            let carried = fact.wrapping_add(shift);
            self.marks[carried as usize] = true;
            list.push(carried);
        }
        self.lists[to] = list;
    }

    /// Memory in bytes if everything held that can.
    pub(super) fn bytes(numbering: &Numbering) -> usize {
        numbering.facts as usize * (size_of::<bool>() + size_of::<u32>())
    }
}
