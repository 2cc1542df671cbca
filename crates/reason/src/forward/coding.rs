//! Numbers for facts (the paper's definition 4): where every column of a relation has a known set
//! of values, each row that these sets allow has a number.
//!
//! The number of a row is Σ index(aᵢ) · Π_{j<i} |Δʲ|: the first column counts fastest. Facts of all
//! relations are then numbered one relation after the other, so that a fact is one number wherever
//! it is met.

use paidia_gdl::program::Program;
use paidia_gdl::program::domains::Domain;

/// The fact that never holds.
pub(super) const NEVER: u32 = 0;

/// More rows than this and a relation gets no numbers: its facts are kept as rows.
const MAX_ROWS: u64 = 1 << 22;

/// The numbers of the rows of one relation.
#[derive(Clone, Debug)]
pub(super) struct Coding {
    columns: Vec<Column>,
    size: u32,
}

#[derive(Clone, Debug)]
struct Column {
    /// The values in the order of their indexes.
    values: Vec<u32>,
    /// The value with the smallest symbol.
    lowest: u32,
    /// For each symbol from there on, what it adds to a row's number; `None` if it cannot stand
    /// here.
    parts: Vec<Option<u32>>,
}

impl Coding {
    /// Numbers for rows whose columns have these values; `None` if they are too many.
    pub(super) fn new(domains: Vec<Vec<u32>>) -> Option<Self> {
        let sizes = domains.iter().map(|values| values.len() as u64);
        if sizes.fold(1, u64::saturating_mul) > MAX_ROWS {
            return None;
        }
        let mut size = 1;
        let mut columns = Vec::with_capacity(domains.len());
        for values in domains {
            let count = values.len() as u32;
            columns.push(Column::new(values, size));
            size *= count;
        }
        Some(Self { columns, size })
    }

    /// How many rows there can be.
    pub(super) fn size(&self) -> u32 {
        self.size
    }

    /// The number of a row; `None` if a value cannot stand where it does.
    #[inline]
    pub(super) fn number(&self, row: &[u32]) -> Option<u32> {
        let columns = self.columns.iter().zip(row);
        columns.map(|(column, &value)| column.part(value)).sum()
    }

    /// Writes the row with a number.
    #[inline]
    pub(super) fn row(&self, mut number: u32, into: &mut Vec<u32>) {
        into.clear();
        for column in &self.columns {
            let count = column.values.len() as u32;
            into.push(column.values[(number % count) as usize]);
            number /= count;
        }
    }

    /// Whether rows have the same numbers here and there.
    pub(super) fn has_values_of(&self, other: &Self) -> bool {
        let values = |coding: &'_ Self| -> Vec<Vec<u32>> {
            let columns = coding.columns.iter();
            columns.map(|column| column.values.clone()).collect()
        };
        values(self) == values(other)
    }
}

impl Column {
    /// A column with these values, of which the one with the index 1 adds `step` to a row's number.
    fn new(values: Vec<u32>, step: u32) -> Self {
        let lowest = values.iter().copied().min().unwrap_or(0);
        let highest = values.iter().copied().max().unwrap_or(0);
        let mut parts = vec![None; (highest - lowest) as usize + 1];
        for (index, value) in (0..).zip(&values) {
            parts[(value - lowest) as usize] = Some(index * step);
        }
        Self {
            values,
            lowest,
            parts,
        }
    }

    #[inline]
    fn part(&self, value: u32) -> Option<u32> {
        let place = value.checked_sub(self.lowest)?;
        self.parts.get(place as usize).copied().flatten()
    }
}

/// The facts of one relation.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    /// The number of the relation's first fact.
    pub(super) first: u32,
    pub(super) coding: Coding,
}

impl Numbered {
    /// The number of a fact; `None` if it can never hold.
    #[inline]
    pub(super) fn fact(&self, row: &[u32]) -> Option<u32> {
        Some(self.first + self.coding.number(row)?)
    }

    /// Writes the row of a fact.
    #[inline]
    pub(super) fn row(&self, fact: u32, into: &mut Vec<u32>) {
        self.coding.row(fact - self.first, into);
    }
}

/// The numbers of all facts of a program.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// For each relation, its facts, unless they have no numbers.
    pub(super) relations: Vec<Option<Numbered>>,
    /// How many numbers there are, that of [`NEVER`] included.
    pub(super) facts: u32,
}

impl Numbering {
    /// Numbers the facts of the `wanted` relations, as long as there is room for them.
    pub(super) fn new(program: &Program, wanted: impl Fn(usize) -> bool, room: u64) -> Self {
        let mut this = Self {
            relations: Vec::with_capacity(program.relations.len()),
            facts: NEVER + 1,
        };
        for (index, relation) in program.relations.iter().enumerate() {
            let numbered = wanted(index)
                .then(|| values_of(&relation.domains))
                .flatten()
                .and_then(Coding::new)
                .filter(|coding| u64::from(this.facts) + u64::from(coding.size()) <= room)
                .map(|coding| Numbered {
                    first: this.facts,
                    coding,
                });
            this.facts += numbered
                .as_ref()
                .map_or(0, |numbered| numbered.coding.size());
            this.relations.push(numbered);
        }
        this
    }
}

/// The values of columns, if they are plain constants.
pub(super) fn values_of(domains: &[Domain]) -> Option<Vec<Vec<u32>>> {
    let is_plain = |domain: &Domain| !domain.open && domain.compounds.is_empty();
    let values =
        |domain: &Domain| -> Vec<u32> { domain.constants.iter().map(|symbol| symbol.0).collect() };
    domains
        .iter()
        .map(|domain| is_plain(domain).then(|| values(domain)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Coding;

    /// Symbols: 1, 2, 3, x, o and b of tic-tac-toe.
    fn cell() -> Coding {
        let index = vec![0, 1, 2];
        Coding::new(vec![index.clone(), index, vec![3, 4, 5]]).unwrap()
    }

    #[test]
    fn a_cell_of_tic_tac_toe_has_the_number_that_the_paper_gives() {
        // (cell 3 1 o): 2·1 + 0·3 + 1·9.
        assert_eq!(cell().number(&[2, 0, 4]), Some(11));
        assert_eq!(cell().size(), 27);
    }

    #[test]
    fn numbers_and_rows_are_the_same_thing() {
        let coding = cell();
        let mut row = Vec::new();
        for number in 0..coding.size() {
            coding.row(number, &mut row);
            assert_eq!(coding.number(&row), Some(number));
        }
    }

    #[test]
    fn a_row_outside_the_domains_has_no_number() {
        assert_eq!(cell().number(&[3, 0, 4]), None);
        assert_eq!(cell().number(&[0, 0, 2]), None);
        assert_eq!(cell().number(&[0, 0, 99]), None);
    }

    #[test]
    fn a_proposition_is_one_fact() {
        let coding = Coding::new(Vec::new()).unwrap();
        assert_eq!((coding.size(), coding.number(&[])), (1, Some(0)));
    }

    #[test]
    fn too_many_rows_have_no_numbers() {
        let wide = vec![(0..100).collect::<Vec<u32>>(); 4];
        assert!(Coding::new(wide).is_none());
        assert!(Coding::new(vec![Vec::new(), vec![0]]).is_some());
    }
}
