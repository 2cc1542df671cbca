//! Threads that evaluate a network together.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::plan::{Part, Plan, Tap};

/// The values of a network, and the threads that keep them.
pub(super) struct LayerThreads {
    shared: Arc<Shared>,
    helpers: Vec<JoinHandle<()>>,
}

struct Shared {
    plan: Arc<Plan>,
    /// A slot is written by one thread in a layer and read in later ones, and between layers all
    /// threads meet at the barrier: that makes what was written visible, so that the accesses
    /// themselves need no order.
    values: Vec<AtomicBool>,
    barrier: Barrier,
    /// What is evaluated next, as the number of a [`Part`], or [`END`].
    task: AtomicU8,
}

/// The task that ends a thread.
const END: u8 = u8::MAX;

const PARTS: [Part; 3] = [Part::Now, Part::After, Part::Goals];

impl LayerThreads {
    pub(super) fn new(plan: &Arc<Plan>, threads: usize) -> Self {
        let shared = Arc::new(Shared {
            plan: Arc::clone(plan),
            values: (0..plan.slots)
                .map(|slot| AtomicBool::new(slot == 0))
                .collect(),
            barrier: Barrier::new(threads),
            task: AtomicU8::new(END),
        });
        let helper = |thread: usize| {
            let shared = Arc::clone(&shared);
            std::thread::spawn(move || shared.help(thread))
        };
        Self {
            helpers: (1..threads).map(helper).collect(),
            shared,
        }
    }

    pub(super) fn get(&self, tap: Tap) -> bool {
        self.shared.get(tap)
    }

    /// Sets a slot that no gate writes.
    pub(super) fn set(&mut self, slot: usize, value: bool) {
        self.shared.values[slot].store(value, Ordering::Relaxed);
    }

    /// Evaluates a part, together with the helper threads.
    pub(super) fn evaluate(&mut self, part: Part) {
        // The helpers have read the task before the first layer ends, and only then another task
        // may be set.
        if !self.shared.plan.part(part).is_empty() {
            self.begin(part as u8);
            self.shared.evaluate(part, 0);
        }
    }

    fn begin(&self, task: u8) {
        self.shared.task.store(task, Ordering::Relaxed);
        self.shared.barrier.wait();
    }
}

impl Drop for LayerThreads {
    fn drop(&mut self) {
        self.begin(END);
        for helper in self.helpers.drain(..) {
            // Nothing in them panics, and a drop cannot report a failure.
            let _ = helper.join();
        }
    }
}

impl Shared {
    fn get(&self, tap: Tap) -> bool {
        self.values[tap.slot as usize].load(Ordering::Relaxed) != tap.is_inverted
    }

    /// One thread's share of a part.
    fn evaluate(&self, part: Part, thread: usize) {
        for layer in self.plan.part(part) {
            for &gate in &layer[thread] {
                let inputs = self.plan.inputs(gate);
                let value = inputs.iter().all(|&input| self.get(input));
                self.values[gate.target as usize].store(value, Ordering::Relaxed);
            }
            self.barrier.wait();
        }
    }

    /// What a helper thread does until its end.
    fn help(&self, thread: usize) {
        loop {
            self.barrier.wait();
            let task = self.task.load(Ordering::Relaxed);
            match PARTS.get(usize::from(task)) {
                Some(&part) => self.evaluate(part, thread),
                None => return,
            }
        }
    }
}

/// A place where threads wait for each other. A layer takes less than a microsecond, so a thread
/// polls first; but the thread it waits for may need the processor, so it does not poll for long.
struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    sleepers: AtomicUsize,
    lock: Mutex<()>,
    woken: Condvar,
}

/// How often a thread polls before it sleeps.
const LOOKS: u32 = 1 << 9;

impl Barrier {
    fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            sleepers: AtomicUsize::new(0),
            lock: Mutex::new(()),
            woken: Condvar::new(),
        }
    }

    fn wait(&self) {
        if self.threads == 1 {
            return;
        }
        let round = self.round.load(Ordering::Relaxed);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.round.store(round.wrapping_add(1), Ordering::SeqCst);
            self.wake();
            return;
        }
        for _ in 0..LOOKS {
            if self.round.load(Ordering::Acquire) != round {
                return;
            }
            std::hint::spin_loop();
        }
        self.sleep(round);
    }

    /// Sleeps until the round is over. A sleeper is counted before it checks for the last time, and
    /// the thread that ends a round reads the count after that, so that no sleeper is missed.
    fn sleep(&self, round: usize) {
        let lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let goes_on = |_: &mut ()| self.round.load(Ordering::SeqCst) == round;
        let guard = self.woken.wait_while(lock, goes_on);
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        drop(guard);
    }

    fn wake(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            drop(self.lock.lock());
            self.woken.notify_all();
        }
    }
}
