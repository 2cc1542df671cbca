//! A list of things to do, on several threads.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::terminal::Progress;

/// Does something with each item, each thread taking the next one when it is free, and gives the
/// results in the order of the items. All processors are used if the number of threads is not
/// given.
pub(crate) fn map<T: Sync, R: Send>(
    items: &[T],
    threads: Option<usize>,
    unit: &'static str,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or(processors).clamp(1, items.len().max(1));
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::default();
    let work = || {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(place) else { return };
            let result = work(item);
            let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
            results.push((place, result));
        }
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let mut progress = Progress::new(Some(items.len() as u64), unit);
        while workers.iter().any(|worker| !worker.is_finished()) {
            let started = next.load(Ordering::Relaxed).min(items.len());
            progress.set(started.saturating_sub(threads) as u64);
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::map;

    #[test]
    fn every_item_is_done_once_and_results_stay_in_order() {
        let items: Vec<u64> = (0..100).collect();
        let squares: Vec<u64> = items.iter().map(|item| item * item).collect();
        for threads in [None, Some(0), Some(3), Some(1000)] {
            assert_eq!(map(&items, threads, "items", |item| item * item), squares);
        }
        assert!(map(&[0u8; 0], None, "items", |item| *item).is_empty());
    }
}
