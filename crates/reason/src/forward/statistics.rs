//! The statistics run: how many facts relations have, seen in random play with rules that have no tables yet.

use paidia_game::{Chance, Walker};
use paidia_gdl::datalog::Limits;

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

/// For each relation, the mean number of its facts over some states; `None` if no state could be looked at.
///
/// The walker's facts must all be rows.
pub(super) fn mean_facts(mut walker: ForwardWalker) -> Option<Vec<f64>> {
    walker.chainer.machine.set_limits(LIMIT);
    let relations = walker.chainer.machine.tables.len();
    let mut sums = vec![0u64; relations];
    let (mut states, mut rows) = (0, 0);
    let (mut chance, mut joint) = (Chance::from_seed(0), Vec::new());
    while states < STATES && rows < ROWS {
        states += 1;
        let over = walker.is_terminal() || walker.legal().draw(&mut chance, &mut joint).is_err();
        walker.ask(Question::Goal);
        if !over {
            walker.derive_successor(&joint, &mut chance);
        }
        rows += walker.chainer.machine.steps();
        for (sum, table) in sums.iter_mut().zip(&walker.chainer.machine.tables) {
            *sum += u64::from(table.len());
        }
        if walker.fault().is_some() {
            break;
        }
        match over {
            true => walker.restart(),
            false => walker.enter_successor(),
        }
    }
    let mean = |sum: u64| sum as f64 / states as f64;
    (states > 0).then(|| sums.into_iter().map(mean).collect())
}
