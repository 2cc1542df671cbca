//! States as values.

use super::Rules;
use super::container::Container;
use crate::rows::sort_rows;

/// The facts that hold, in a canonical order: for each kind of fluent how many there are, then their places in the kind's bit
/// array, sorted, or their rows, sorted, where there is no bit array.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    cells: Vec<u32>,
}

impl State {
    /// Whether a state has no memory of facts, not even of how many there are.
    pub(super) fn clear(&mut self) {
        self.cells.clear();
    }

    /// Appends the facts of the next kind of fluent.
    pub(super) fn push(&mut self, container: &Container, arity: usize) {
        self.cells.push(container.len());
        let start = self.cells.len();
        match container.places() {
            Some(places) => {
                self.cells.extend_from_slice(places);
                self.cells[start..].sort_unstable();
            }
            None => {
                self.cells.extend_from_slice(container.flat());
                sort_rows(&mut self.cells[start..], arity);
            }
        }
    }

    /// The values in the state, among them all of its terms.
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells
    }
}

impl Rules {
    /// The state with some rows, which may be repeated, for each kind of fluent.
    pub(super) fn state_of<'a>(&self, rows: impl Fn(usize) -> &'a [u32]) -> State {
        let mut state = State::default();
        let mut bits = vec![0; self.code.bits.len()];
        for (kind, fluent) in self.program.fluents.iter().enumerate() {
            let layout = &self.code.layouts[fluent.holds.index()];
            let mut container = Container::new(layout);
            for row in rows(kind).chunks_exact(layout.arity) {
                container.insert(layout, &self.code.pool, &mut bits, row);
            }
            state.push(&container, layout.arity);
        }
        state
    }

    /// Whether a row of a kind of fluent is within its domains.
    pub(super) fn is_possible(&self, kind: usize, row: &[u32]) -> bool {
        let holds = self.program.fluents[kind].holds;
        let domains = self.program.relation(holds).domains.iter();
        domains.zip(row).all(|(domain, &value)| {
            domain.open
                || !domain.compounds.is_empty()
                || domain.constants.contains(&paidia_gdl::Symbol(value))
        })
    }

    /// Calls `visit` with the kind and values of every fact of a state.
    ///
    /// `row` is scratch memory.
    pub(super) fn each_row(
        &self,
        state: &State,
        row: &mut Vec<u32>,
        mut visit: impl FnMut(usize, &[u32]),
    ) {
        let mut rest = &state.cells[..];
        for (kind, fluent) in self.program.fluents.iter().enumerate() {
            let layout = &self.code.layouts[fluent.holds.index()];
            let Some((&count, after)) = rest.split_first() else {
                return;
            };
            let count = count as usize;
            let (facts, after) = match &layout.members {
                Some(radix) => {
                    let (places, after) = after.split_at(count);
                    for &place in places {
                        radix.row(place, row);
                        visit(kind, row);
                    }
                    (&[][..], after)
                }
                None => after.split_at(count * layout.arity),
            };
            facts
                .chunks_exact(layout.arity)
                .for_each(|row| visit(kind, row));
            rest = after;
        }
    }
}
