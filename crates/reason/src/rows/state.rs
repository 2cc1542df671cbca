//! States as values: the facts that hold, as sorted rows.

use paidia_gdl::datalog::TermId;
use paidia_gdl::program::Program;

use super::Rows;

/// The facts that hold, in a canonical order: for each kind of fluent the number of its rows, then
/// the rows, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct State {
    cells: Vec<u32>,
}

impl State {
    /// The numbers of rows, and all values, among them all of the state's terms.
    pub(crate) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// Forgets all facts, even how many there are.
    pub(crate) fn clear(&mut self) {
        self.cells.clear();
    }

    /// Appends the rows of the next kind of fluent.
    pub(crate) fn push_sorted(&mut self, rows: Rows<'_>) {
        let start = self.cells.len() + 1;
        self.push(rows);
        sort_rows(&mut self.cells[start..], rows.arity);
    }

    /// Appends the rows of the next kind of fluent in some order, for a state that is never
    /// compared.
    pub(crate) fn push(&mut self, rows: Rows<'_>) {
        self.cells.push(rows.count as u32);
        self.cells.extend_from_slice(rows.flat);
    }

    /// Calls `visit` for each kind of fluent with its rows.
    pub fn each_kind<'a>(
        &'a self,
        program: &Program,
        mut visit: impl FnMut(usize, std::slice::ChunksExact<'a, TermId>),
    ) {
        let mut rest = &self.cells[..];
        for (kind, fluent) in program.fluents.iter().enumerate() {
            let Some((&count, after)) = rest.split_first() else {
                return;
            };
            let arity = program.relation(fluent.holds).arity;
            let (rows, after) = after.split_at(count as usize * arity);
            visit(kind, rows.chunks_exact(arity));
            rest = after;
        }
    }
}

/// Sorts rows of equal length that stand one after the other.
pub(crate) fn sort_rows(cells: &mut [u32], arity: usize) {
    match arity {
        0 | 1 => cells.sort_unstable(),
        2 => cells.as_chunks_mut::<2>().0.sort_unstable(),
        3 => cells.as_chunks_mut::<3>().0.sort_unstable(),
        4 => cells.as_chunks_mut::<4>().0.sort_unstable(),
        5 => cells.as_chunks_mut::<5>().0.sort_unstable(),
        _ => {
            let mut rows: Vec<Vec<u32>> = cells.chunks_exact(arity).map(<[u32]>::to_vec).collect();
            rows.sort_unstable();
            for (target, row) in cells.chunks_exact_mut(arity).zip(rows) {
                target.copy_from_slice(&row);
            }
        }
    }
}

/// A number for a row of a kind, to be added up with those of other rows.
pub(crate) fn mix(kind: u64, row: &[u32]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = kind.wrapping_mul(FACTOR) ^ FACTOR;
    for &value in row {
        state = (state.rotate_left(29) ^ u64::from(value)).wrapping_mul(FACTOR);
    }
    state ^ (state >> 32)
}
