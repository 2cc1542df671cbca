//! Rows as bits, and rows in hash tables, beside a set of rows.

use std::collections::BTreeSet;

use paidia_game::Chance;
use paidia_gdl::Symbol;
use paidia_gdl::datalog::table::NONE;
use paidia_gdl::program::domains::Domain;

use super::{Asked, Domains, Layout, Words};
use crate::compiled::container::Container;
use crate::compiled::tables::Tables;

type Rows = BTreeSet<Vec<u32>>;

/// Domains of some columns, with gaps; some of the relations have a summary.
fn domains(chance: &mut Chance) -> Vec<Domain> {
    let columns = 1 + chance.below(4);
    let column = |_| {
        let values = 1 + chance.below(9);
        let constants = (0..values).map(|_| Symbol(chance.below(60))).collect();
        Domain {
            constants,
            ..Domain::default()
        }
    };
    (0..columns).map(column).collect()
}

/// All sets of columns by which something can be asked for.
fn shapes(columns: usize) -> Vec<Vec<usize>> {
    let sets = 1..(1usize << columns) - 1;
    sets.map(|set| {
        (0..columns)
            .filter(|column| set >> column & 1 == 1)
            .collect()
    })
    .collect()
}

fn random_row(domains: &[Domain], chance: &mut Chance) -> Vec<u32> {
    let columns = domains.iter().map(|domain| {
        let values: Vec<u32> = domain.constants.iter().map(|id| id.0).collect();
        chance.pick(&values).unwrap_or(0)
    });
    columns.collect()
}

/// A relation kept as bits, twice: the second is what the first is copied to.
struct Bits {
    domains: Domains,
    layouts: [Layout; 2],
    bits: Vec<u64>,
}

impl Bits {
    fn new(all: &[Domain]) -> Self {
        let asked: Asked = shapes(all.len()).into_iter().map(|set| (set, 1)).collect();
        let mut domains = Domains::default();
        let mut words = Words::default();
        let layouts = [(); 2].map(|()| {
            let mut layout = Layout::new(all, &asked, false, &mut domains);
            words.place_all(&mut layout, false);
            layout
        });
        Self {
            domains,
            layouts,
            bits: vec![0; words.taken() as usize],
        }
    }

    /// The rows, as every view tells them.
    fn rows(&self, number: usize) -> Rows {
        let layout = &self.layouts[number];
        let mut found = Rows::new();
        let mut row = Vec::new();
        layout.views[0].each(&self.bits, |place| {
            assert!(layout.is_place(&self.domains, place));
            layout.row(&self.domains, place, &mut row);
            assert!(found.insert(row.clone()), "a row is found once");
        });
        for view in &layout.views {
            let mut count = 0;
            view.each(&self.bits, |_| count += 1);
            assert_eq!(count, found.len());
            assert_eq!(view.is_empty(&self.bits), found.is_empty());
            for row in &found {
                let place = view.place(&self.domains, &layout.domains, row);
                assert!(!view.set(&mut self.bits.clone(), place.unwrap()));
            }
        }
        found
    }
}

#[test]
fn bits_tell_which_rows_there_are() {
    let mut chance = Chance::from_seed(1);
    let mut summaries = 0;
    for _ in 0..80 {
        let all = domains(&mut chance);
        let mut subject = Bits::new(&all);
        summaries += usize::from(subject.layouts[0].views[0].summary.is_some());
        let mut expected = Rows::new();
        for _ in 0..30 {
            let row = random_row(&all, &mut chance);
            let layout = &subject.layouts[0];
            assert!(layout.insert(&subject.domains, &mut subject.bits, &row));
            expected.insert(row);
        }
        let foreign = vec![99; all.len()];
        let layout = &subject.layouts[0];
        assert!(!layout.insert(&subject.domains, &mut subject.bits, &foreign));
        assert_eq!(subject.rows(0), expected);
        let [layout, other] = &subject.layouts;
        other.views[0].copy(&layout.views[0], &mut subject.bits);
        other.follow(&mut subject.bits);
        assert_eq!(subject.rows(1), expected);
        for view in &subject.layouts[0].views {
            view.clear(&mut subject.bits);
        }
        assert!(subject.rows(0).is_empty());
        assert_eq!(subject.rows(1), expected);
    }
    assert!(summaries > 2, "{summaries} relations had a summary");
}

/// The rows with a key, found by an index.
fn lookup(
    layout: &Layout,
    tables: &Tables,
    container: &Container,
    index: usize,
    row: &[u32],
) -> Rows {
    let (columns, _) = &layout.indexes[index];
    let key: Vec<u32> = columns.iter().map(|&column| row[column]).collect();
    let mut number = container.first(layout, tables, index, &key);
    let mut found = Rows::new();
    while number != NONE {
        let row = container.row(number, row.len()).to_vec();
        assert!(found.insert(row), "a row is found once");
        number = container.next(index, number);
    }
    found
}

#[test]
fn hash_tables_find_rows_by_all_sets_of_columns() {
    let mut chance = Chance::from_seed(2);
    for round in 0..60 {
        let all = domains(&mut chance);
        let (mut numbered, mut tables) = (Domains::default(), Tables::default());
        let mut layout = Layout::new(&all, &Asked::new(), false, &mut numbered);
        for columns in shapes(all.len()) {
            layout.index_on(&columns, &numbered, &mut tables);
        }
        if round % 2 == 1 {
            layout.indexes.iter_mut().for_each(|index| index.1 = None);
        }
        let [mut now, mut next] = [(); 2].map(|()| Container::new(&layout));
        let mut rows = Rows::new();
        for step in 0..60 {
            let row = random_row(&all, &mut chance);
            let new = next.insert(&layout, &tables, row.iter().copied());
            assert_eq!(new, rows.insert(row.clone()));
            if step % 20 == 19 {
                now.take(&mut next, &layout, &tables);
                assert_eq!((now.len() as usize, next.len()), (rows.len(), 0));
                for (index, (columns, _)) in layout.indexes.iter().enumerate() {
                    let same = |other: &&Vec<u32>| {
                        columns.iter().all(|&column| other[column] == row[column])
                    };
                    let expected: Rows = rows.iter().filter(same).cloned().collect();
                    let found = lookup(&layout, &tables, &now, index, &row);
                    assert_eq!(found, expected, "{columns:?} of {row:?}");
                }
                assert!(rows.iter().all(|row| now.finds(row.len(), row)));
                rows.clear();
            }
        }
    }
}
