//! States as values.

use super::Rules;
use super::layout::View;
use super::memory::Memory;
use crate::rows::{mix, sort_rows};

/// The facts that hold, in a canonical order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    /// The bits of those kinds of fluents that have few.
    words: Vec<u64>,
    /// For each other kind how many facts there are, then their places, or their rows, sorted,
    /// where there are no bits.
    cells: Vec<u32>,
}

impl State {
    /// The values in the state, among them all of its terms.
    pub(super) fn cells(&self) -> &[u32] {
        &self.cells
    }
}

impl Rules {
    /// The relations of a state, each with its first view if it has one.
    fn kinds(&self) -> impl Iterator<Item = (usize, usize, Option<&View>)> {
        let fluents = self.program.fluents.iter().enumerate();
        fluents.map(|(kind, fluent)| {
            let holds = fluent.holds.index();
            (kind, holds, self.code.layouts[holds].views.first())
        })
    }

    /// Puts the facts of a memory in a state.
    pub(super) fn save(&self, memory: &Memory, into: &mut State) {
        into.words.clear();
        into.cells.clear();
        for (_, holds, view) in self.kinds() {
            if let Some(view) = view.filter(|view| view.is_small()) {
                into.words.extend_from_slice(&memory.bits[view.range()]);
                continue;
            }
            let count = into.cells.len();
            into.cells.push(0);
            if let Some(view) = view {
                view.each(&memory.bits, |place| into.cells.push(place));
                into.cells[count] = (into.cells.len() - count - 1) as u32;
                continue;
            }
            let container = &memory.containers[holds];
            into.cells[count] = container.len();
            into.cells.extend_from_slice(container.flat());
            sort_rows(&mut into.cells[count + 1..], self.code.layouts[holds].arity);
        }
    }

    /// Makes the facts of a state those of a memory that has none.
    pub(super) fn load(&self, state: &State, memory: &mut Memory) {
        let (mut words, mut cells) = (&state.words[..], &state.cells[..]);
        for (_, holds, view) in self.kinds() {
            let layout = &self.code.layouts[holds];
            match view {
                Some(view) if view.is_small() => {
                    let (these, others) = words.split_at(view.words as usize);
                    memory.bits[view.range()].copy_from_slice(these);
                    words = others;
                }
                Some(view) => {
                    for &place in part(&mut cells, 1) {
                        view.set(&mut memory.bits, place);
                    }
                }
                None => {
                    for row in part(&mut cells, layout.arity).chunks_exact(layout.arity) {
                        let row = row.iter().copied();
                        memory.containers[holds].insert(layout, &self.code.tables, row);
                    }
                }
            }
            layout.follow(&mut memory.bits);
        }
    }

    /// The state with some rows, which may be repeated, for each kind of fluent.
    pub(super) fn state_of<'a>(&self, rows: impl Fn(usize) -> &'a [u32]) -> State {
        let mut memory = Memory::new(&self.code, self.terms.clone());
        for (kind, holds, _) in self.kinds() {
            let layout = &self.code.layouts[holds];
            for row in rows(kind).chunks_exact(layout.arity) {
                self.insert(holds, row, &mut memory);
            }
        }
        let mut state = State::default();
        self.save(&memory, &mut state);
        state
    }

    /// Adds a row to a relation that changes.
    pub(super) fn insert(&self, relation: usize, row: &[u32], memory: &mut Memory) {
        let layout = &self.code.layouts[relation];
        if layout.views.is_empty() {
            let row = row.iter().copied();
            memory.containers[relation].insert(layout, &self.code.tables, row);
        } else {
            layout.insert(&self.code.domains, &mut memory.bits, row);
        }
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
    pub(super) fn each_fact(&self, state: &State, mut visit: impl FnMut(usize, &[u32])) {
        let mut memory = Memory::new(&self.code, self.terms.clone());
        let mut row = Vec::new();
        self.load(state, &mut memory);
        for (kind, holds, _) in self.kinds() {
            self.each_row(holds, &memory, &mut row, |_, row| visit(kind, row));
        }
    }

    /// Calls `visit` with the place in the first view, if there is one, and the values of every row
    /// of a relation.
    pub(super) fn each_row(
        &self,
        relation: usize,
        memory: &Memory,
        row: &mut Vec<u32>,
        mut visit: impl FnMut(Option<u32>, &[u32]),
    ) {
        let layout = &self.code.layouts[relation];
        if let Some(view) = layout.views.first() {
            return view.each(&memory.bits, |place| {
                layout.row(&self.code.domains, place, row);
                visit(Some(place), row);
            });
        }
        let container = self.container(relation, memory);
        for number in 0..container.len() {
            visit(None, container.row(number, layout.arity));
        }
    }

    /// A hash of the facts of a memory, whatever their order.
    pub(super) fn hash64(&self, memory: &Memory) -> u64 {
        let mut hash = 0u64;
        for (kind, holds, view) in self.kinds() {
            match view {
                Some(view) if view.is_small() => {
                    for (number, &word) in memory.bits[view.range()].iter().enumerate() {
                        let cells = [number as u32, word as u32, (word >> 32) as u32];
                        hash = hash.wrapping_add(mix(kind as u64, &cells));
                    }
                }
                Some(view) => view.each(&memory.bits, |place| {
                    hash = hash.wrapping_add(mix(kind as u64, &[place]));
                }),
                None => {
                    let facts = memory.containers[holds].flat();
                    for fact in facts.chunks_exact(self.code.layouts[holds].arity) {
                        hash = hash.wrapping_add(mix(kind as u64, fact));
                    }
                }
            }
        }
        hash
    }
}

/// Splits off the cells of the next kind, whose facts have `width` cells each.
fn part<'a>(cells: &mut &'a [u32], width: usize) -> &'a [u32] {
    let Some((&count, rest)) = cells.split_first() else {
        return &[];
    };
    let (part, rest) = rest.split_at(count as usize * width);
    *cells = rest;
    part
}
