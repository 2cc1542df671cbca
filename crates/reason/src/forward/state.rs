//! States as values.

use super::chainer::{Chainer, Chains};
use crate::rows::sort_rows;

/// The facts that hold, in a canonical order: for each kind of fluent how many there are, then the
/// facts' numbers within their relation, sorted, or their rows, sorted, where they have no numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    cells: Vec<u32>,
}

impl State {
    /// The values in the state, among them all of its terms.
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Makes it the state that a chainer is in.
    pub(super) fn read(&mut self, chains: &Chains, chainer: &Chainer) {
        self.cells.clear();
        for fluent in &chains.fluents {
            self.cells.push(chainer.count(chains, fluent.holds) as u32);
            let start = self.cells.len();
            match &chains.numbering.relations[fluent.holds] {
                Some(numbered) => {
                    let facts = chainer.knowledge.list(fluent.holds).iter();
                    self.cells.extend(facts.map(|fact| fact - numbered.first));
                    self.cells[start..].sort_unstable();
                }
                None => {
                    let table = &chainer.machine.tables[fluent.holds];
                    self.cells.extend_from_slice(table.flat());
                    sort_rows(&mut self.cells[start..], table.arity());
                }
            }
        }
    }

    /// Lets a chainer, which has left for a new state, be in this one.
    pub(super) fn write(&self, chains: &Chains, chainer: &mut Chainer) {
        let mut rest = &self.cells[..];
        for fluent in &chains.fluents {
            let Some((&count, after)) = rest.split_first() else {
                return;
            };
            let count = count as usize;
            rest = match &chains.numbering.relations[fluent.holds] {
                Some(numbered) => {
                    let (facts, after) = after.split_at(count);
                    for fact in facts {
                        chainer.add_fact(chains, fluent.holds, numbered.first + fact);
                    }
                    after
                }
                None => {
                    let arity = chainer.machine.tables[fluent.holds].arity();
                    let (rows, after) = after.split_at(count * arity);
                    for row in rows.chunks_exact(arity) {
                        chainer.add(chains, fluent.holds, row);
                    }
                    after
                }
            };
        }
    }
}
