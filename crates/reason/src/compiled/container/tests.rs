//! All kinds of containers beside each other, and beside a set of rows.

use std::collections::BTreeSet;

use paidia_game::Chance;
use paidia_gdl::Symbol;
use paidia_gdl::datalog::table::NONE;
use paidia_gdl::program::domains::Domain;

use super::{Container, Layout, Pool, is_set, window};

type Rows = BTreeSet<Vec<u32>>;

/// Domains of some columns, with gaps.
fn domains(chance: &mut Chance) -> Vec<Domain> {
    let columns = 1 + chance.below(3);
    let column = |_| {
        let values = 1 + chance.below(5);
        let constants = (0..values).map(|_| Symbol(chance.below(40))).collect();
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

/// A container of one kind beside what it should hold.
struct Subject {
    layout: Layout,
    pool: Pool,
    bits: Vec<u64>,
    container: Container,
    rows: Rows,
}

impl Subject {
    fn new(domains: &[Domain], least: usize, hashed: bool) -> Self {
        let mut pool = Pool::default();
        let mut layout = Layout::new(domains, least, &mut pool);
        for columns in shapes(domains.len()) {
            layout.index_on(domains, &columns, &mut pool);
        }
        if hashed {
            layout.members = None;
            layout.indexes.iter_mut().for_each(|index| index.1 = None);
        }
        Self {
            bits: vec![0; pool.words()],
            container: Container::new(&layout),
            layout,
            pool,
            rows: Rows::new(),
        }
    }

    fn insert(&mut self, row: &[u32], allowed: bool) {
        let new = self
            .container
            .insert(&self.layout, &self.pool, &mut self.bits, row);
        assert_eq!(new, allowed && self.rows.insert(row.to_vec()), "{row:?}");
    }

    fn has(&self, row: &[u32]) -> bool {
        match &self.layout.members {
            Some(radix) => is_set(&self.bits, radix.place(&self.pool, row)),
            None => self.container.finds(row.len(), row),
        }
    }

    /// The rows with a key, found by an index.
    fn lookup(&self, index: usize, row: &[u32]) -> Rows {
        let (columns, radix) = &self.layout.indexes[index];
        let key: Vec<u32> = columns.iter().map(|&column| row[column]).collect();
        let mut number = match radix {
            Some(radix) => self.container.first_at(index, radix.place(&self.pool, row)),
            None => self.container.first_with(index, row.len(), &key),
        };
        let mut found = Rows::new();
        while number != NONE {
            let row = self.container.row(number, row.len()).to_vec();
            assert!(found.insert(row), "a row is found once");
            number = self.container.next(index, number);
        }
        found
    }

    /// Asks in every way about a row.
    fn check(&self, row: &[u32]) {
        assert_eq!(self.has(row), self.rows.contains(row), "{row:?}");
        assert_eq!(self.container.len() as usize, self.rows.len());
        for (index, (columns, _)) in self.layout.indexes.iter().enumerate() {
            let same =
                |other: &&Vec<u32>| columns.iter().all(|&column| other[column] == row[column]);
            let expected: Rows = self.rows.iter().filter(same).cloned().collect();
            assert_eq!(self.lookup(index, row), expected, "{columns:?} of {row:?}");
        }
        self.check_window(row);
        if let (Some(radix), Some(places)) = (&self.layout.members, self.container.places()) {
            let mut decoded = Vec::new();
            for (&place, row) in places.iter().zip(self.container.flat().chunks(row.len())) {
                radix.row(place, &mut decoded);
                assert_eq!(decoded, row);
            }
        }
    }

    /// The bits side by side tell which values the column that counts least has beside the others.
    fn check_window(&self, row: &[u32]) {
        let members = self.layout.members.as_ref();
        let Some((radix, (column, values))) =
            members.and_then(|radix| Some((radix, radix.least()?)))
        else {
            return;
        };
        let Some(&first) = values.first() else { return };
        let mut other = row.to_vec();
        other[column] = first;
        let place = radix.place(&self.pool, &other);
        let bits = window(&self.bits, place, values.len() as u32);
        for (number, &value) in values.iter().enumerate() {
            other[column] = value;
            assert_eq!(bits >> number & 1 == 1, self.rows.contains(&other));
        }
    }
}

#[test]
fn all_containers_give_the_same_answers() {
    let mut chance = Chance::from_seed(1);
    for round in 0..60 {
        let domains = domains(&mut chance);
        let least = chance.below(domains.len() as u32) as usize;
        let mut subjects = [false, true].map(|hashed| Subject::new(&domains, least, hashed));
        for step in 0..60 {
            let row: Vec<u32> = domains
                .iter()
                .map(|domain| {
                    let values: Vec<u32> = domain.constants.iter().map(|id| id.0).collect();
                    chance.pick(&values).unwrap_or(0)
                })
                .collect();
            for subject in &mut subjects {
                subject.insert(&row, true);
                subject.check(&row);
                if step % 25 == 24 {
                    subject.container.clear(&mut subject.bits);
                    subject.rows.clear();
                }
            }
        }
        // A value that the domains do not allow is in no row, and cannot be put in one.
        let foreign = vec![40 + round; domains.len()];
        subjects[0].insert(&foreign, false);
        subjects.iter().for_each(|subject| subject.check(&foreign));
    }
}

#[test]
fn the_next_state_becomes_this_one() {
    let mut chance = Chance::from_seed(2);
    for hashed in [false, true] {
        let domains = domains(&mut chance);
        let mut pool = Pool::default();
        let mut layouts = [0; 2].map(|_| Layout::new(&domains, 0, &mut pool));
        for columns in shapes(domains.len()) {
            layouts[0].index_on(&domains, &columns, &mut pool);
        }
        if hashed {
            layouts.iter_mut().for_each(|layout| layout.members = None);
        }
        let mut bits = vec![0; pool.words()];
        let [mut now, mut next] = [0, 1].map(|number| Container::new(&layouts[number]));
        let rows = |chance: &mut Chance| -> Rows {
            let row = |_| {
                let values = domains.iter().map(|domain| {
                    let values: Vec<u32> = domain.constants.iter().map(|id| id.0).collect();
                    chance.pick(&values).unwrap_or(0)
                });
                values.collect()
            };
            (0..4).map(row).collect()
        };
        for row in rows(&mut chance) {
            now.insert(&layouts[0], &pool, &mut bits, &row);
        }
        let expected = rows(&mut chance);
        for row in &expected {
            next.insert(&layouts[1], &pool, &mut bits, row);
        }
        now.take(&mut next, [&layouts[0], &layouts[1]], &pool, &mut bits);
        let flat = now.flat().chunks(domains.len()).map(<[u32]>::to_vec);
        assert_eq!(flat.collect::<Rows>(), expected);
        assert_eq!(next.len(), 0);
        for row in &expected {
            assert!(!now.insert(&layouts[0], &pool, &mut bits, row));
            assert!(next.insert(&layouts[1], &pool, &mut bits, row));
        }
    }
}
