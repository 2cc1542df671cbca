//! The statistics run: how many facts relations have, and which values stand in them, seen in
//! random play with rules that have no tables yet.

use paidia_game::{Chance, Walker};
use paidia_gdl::datalog::Limits;
use paidia_gdl::datalog::table::Table;
use rustc_hash::FxHashMap;

use super::walker::ForwardWalker;
use crate::rows::{LIMITS, Question};

/// States that are looked at, if that takes no longer than it may.
const STATES: u64 = 300;

/// Rows that may be looked at: about a second.
const ROWS: u64 = 10_000_000;

/// What the run may take for one state.
const LIMIT: Limits = Limits {
    steps: ROWS,
    rows: 1_000_000,
    ..LIMITS
};

/// Values are counted in one of this many states: counting them takes longer than deriving rows.
const VALUES_EVERY: u64 = 8;

/// What random play tells about relations.
#[derive(Clone, Debug, Default)]
pub(super) struct Statistics {
    /// For each relation, the mean number of its facts.
    pub(super) facts: Vec<f64>,
    /// For each column of each relation, how often each value was seen there.
    values: Vec<Vec<FxHashMap<u32, u64>>>,
}

impl Statistics {
    /// Relations with these numbers of facts, of whose values nothing is known.
    pub(super) fn of_facts(facts: Vec<f64>) -> Self {
        Self {
            facts,
            values: Vec::new(),
        }
    }

    /// The part of a relation's facts that have one of these values in a column; `None` if no fact
    /// was seen.
    pub(super) fn share(&self, relation: usize, column: usize, values: &[u32]) -> Option<f64> {
        let seen = self.values.get(relation)?.get(column)?;
        let all: u64 = seen.values().sum();
        let found = values.iter().filter_map(|value| seen.get(value));
        (all > 0).then(|| found.sum::<u64>() as f64 / all as f64)
    }

    fn count(&mut self, relation: usize, table: &Table) {
        let columns = &mut self.values[relation];
        columns.resize_with(table.arity(), FxHashMap::default);
        for row in table.iter() {
            for (seen, &value) in columns.iter_mut().zip(row) {
                *seen.entry(value).or_default() += 1;
            }
        }
    }
}

/// What some states of random play tell; `None` if no state could be looked at.
///
/// The walker's facts must all be rows.
pub(super) fn observe(mut walker: ForwardWalker) -> Option<Statistics> {
    walker.chainer.machine.set_limits(LIMIT);
    let relations = walker.chainer.machine.tables.len();
    let mut statistics = Statistics::of_facts(vec![0.0; relations]);
    statistics.values.resize_with(relations, Vec::new);
    let (mut states, mut rows) = (0, 0);
    let (mut chance, mut joint) = (Chance::from_seed(0), Vec::new());
    while states < STATES && rows < ROWS {
        let over = walker.is_terminal() || walker.legal().draw(&mut chance, &mut joint).is_err();
        walker.ask(Question::Goal);
        if !over {
            walker.derive_successor(&joint, &mut chance);
        }
        rows += walker.chainer.machine.steps();
        for (relation, table) in walker.chainer.machine.tables.iter().enumerate() {
            statistics.facts[relation] += f64::from(table.len());
            if states % VALUES_EVERY == 0 {
                statistics.count(relation, table);
            }
        }
        states += 1;
        if walker.fault().is_some() {
            break;
        }
        match over {
            true => walker.restart(),
            false => walker.enter_successor(),
        }
    }
    let facts = statistics.facts.iter_mut();
    facts.for_each(|sum| *sum /= states as f64);
    (states > 0).then_some(statistics)
}
