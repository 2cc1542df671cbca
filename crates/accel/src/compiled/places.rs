//! What values of registers count, and the most that it can be.

use paidia_reason::compiled::code::{Code, Instruction, RowLoop};
use paidia_reason::compiled::tables::Weights;

/// More than any register holds.
pub(super) const ANYTHING: u64 = 1 << 32;

/// What is known of a read when code is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    /// Always that.
    Constant(u64),
    /// The register's value shifted, and something added.
    Shifted { shift: u32, plus: u64 },
    /// An entry of the tables: at the register's value from there on.
    Entry(u32),
    /// An entry of the tables; the value may be outside of them.
    Checked,
}

/// What a read counts, and the most that it can be, if the register's value is below some number;
/// `None` if its table is not within the entries, together with the one behind it that is for
/// values that it does not have.
pub(super) fn weight(entries: &[u32], weights: Weights, below: u64) -> Option<(Weight, u64)> {
    let table = entries.get(weights.start as usize..)?;
    let (table, rest) = table.split_at_checked(weights.span as usize)?;
    let other = *rest.first()?;
    let last = below.checked_sub(1)?;
    // Digits are below the number of values, but this is not what keeps the code within its memory.
    let is_digit = weights.first == 0 && below <= weights.span.next_power_of_two().into();
    if is_digit && let Some((shift, plus)) = line(table) {
        return Some(match table {
            [_] => (Weight::Constant(plus), plus),
            _ => (Weight::Shifted { shift, plus }, plus + (last << shift)),
        });
    }
    let end = u64::from(weights.start) + below;
    if weights.first == 0 && end <= entries.len() as u64 {
        let most = entries[weights.start as usize..end as usize].iter().max();
        let most = most.map_or(0, |&most| most.into());
        return Some((Weight::Entry(weights.start), most));
    }
    let most = table.iter().copied().max().unwrap_or(0).max(other);
    Some((Weight::Checked, most.into()))
}

/// If the entries of a table lie on a line: by how much its steps are shifted, and where it starts.
fn line(table: &[u32]) -> Option<(u32, u64)> {
    let first = *table.first()?;
    let step = table
        .get(1)
        .map_or(Some(1), |next| next.checked_sub(first))?;
    let straight = || {
        let numbers = table.iter().zip(0u64..);
        let mut numbers = numbers.map(|(&entry, number)| {
            u64::from(entry) == u64::from(first) + number * u64::from(step)
        });
        numbers.all(|on_it| on_it)
    };
    (step.is_power_of_two() && straight()).then(|| (step.trailing_zeros(), first.into()))
}

/// More than all values of a column in the lists of a loop.
pub(super) fn above_column(code: &Code, l: &RowLoop, column: u32) -> u64 {
    let first = code.rows[l.index as usize];
    let end = code.rows[(l.index + l.keys) as usize];
    let rows = &code.rows[first as usize..end as usize];
    let rows = rows.chunks_exact(l.width as usize);
    let most = rows.map(|row| row[column as usize]).max();
    u64::from(most.unwrap_or(0)) + 1
}

/// Whether the lists of a loop are within the rows, one after the other, and of whole rows.
pub(super) fn has_whole_lists(code: &Code, l: &RowLoop) -> bool {
    let ends = &code.rows[l.index as usize..=(l.index + l.keys) as usize];
    ends.windows(2).all(|pair| {
        let length = pair[1].checked_sub(pair[0]);
        length.is_some_and(|length| length % u32::from(l.width) == 0)
    }) && ends.iter().all(|&end| end as usize <= code.rows.len())
}

/// The registers that an instruction writes which is not machine code.
pub(super) fn written(code: &Code, instruction: &Instruction) -> Vec<u32> {
    use Instruction as I;
    let binds = match instruction {
        I::ScanNext(l) | I::ProbeNext(l) => l.binds,
        I::AskNext { binds, .. } => *binds,
        I::TakeApart { into, .. } => *into,
        I::Translate { into, .. } | I::Build { into, .. } | I::Argument { into, .. } => {
            return vec![*into];
        }
        _ => return Vec::new(),
    };
    let binds = binds.of(&code.binds).iter();
    binds.map(|bind| bind.register).collect()
}

/// The registers that an instruction reads which is not machine code.
pub(super) fn read(code: &Code, instruction: &Instruction) -> Vec<u32> {
    use Instruction as I;
    let reads = match instruction {
        I::Probe(l) => l.key,
        I::Find { row, .. }
        | I::AcceptHash { row, .. }
        | I::AskWhether { row, .. }
        | I::Answer { row, .. } => *row,
        I::DifferSomewhere { pairs, .. } => *pairs,
        I::Build { args, .. } => *args,
        I::Ask { key, .. } => *key,
        I::Plain { value, .. } | I::TakeApart { value, .. } => return vec![*value],
        _ => return Vec::new(),
    };
    let reads = reads.of(&code.reads).iter();
    reads.map(|read| read.register).collect()
}

#[cfg(test)]
mod tests {
    use super::{Weight, weight};
    use paidia_reason::compiled::tables::Weights;

    /// A table of two values that are not on a line of powers of two, the entry for other values,
    /// and one of another table.
    const ENTRIES: [u32; 4] = [5, 8, 1 << 27, 9];

    fn at(first: u32, span: u32, start: u32) -> Weights {
        Weights { first, span, start }
    }

    #[test]
    fn tables_and_the_entry_behind_them_are_within_the_entries() {
        let checked = Some((Weight::Checked, 1 << 27));
        assert_eq!(weight(&ENTRIES, at(3, 2, 0), 10), checked);
        // What is read for other values would be behind the last entry.
        assert_eq!(weight(&ENTRIES, at(3, 2, 2), 10), None);
        assert_eq!(weight(&ENTRIES, at(3, 4, 0), 10), None);
        assert_eq!(weight(&ENTRIES, at(3, 1, 7), 10), None);
    }

    #[test]
    fn entries_are_read_unchecked_only_below_the_last() {
        let whole = Some((Weight::Entry(0), 1 << 27));
        assert_eq!(weight(&ENTRIES, at(0, 2, 0), 4), whole);
        assert_eq!(
            weight(&ENTRIES, at(0, 2, 0), 5),
            Some((Weight::Checked, 1 << 27))
        );
        assert_eq!(weight(&ENTRIES, at(0, 2, 0), 0), None);
    }
}
