//! A model of a machine of many small cores, in virtual time.
//!
//! A run goes as in the paper. The host hands a set of positions to the I/O node, which sends every cluster its part, one after the other.
//! In a cluster one core gives each thread its position, and collects what comes back. When all threads are done, the cluster answers;
//! the I/O node takes the answers one after the other, and when all are there, the host gets them at once.
//!
//! Threads share the memory of their cluster: each that uses it makes the others slower, and a thread that polls for work uses it, too.
//! The core that collects is slower the more results wait for it.

/// What the machine takes for everything, in microseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    /// From the host to the I/O node and back.
    pub(crate) latency: f64,
    /// To handle a position on its way, besides its bytes.
    pub(crate) position: f64,
    /// To send a byte to a cluster.
    pub(crate) byte: f64,
    /// To evaluate an operation of the network.
    pub(crate) operation: f64,
    /// To collect the result of a thread; as much more for each that waits.
    pub(crate) result: f64,
    /// By which part each other thread that uses the memory makes a thread slower.
    pub(crate) contention: f64,
    /// To start a thread.
    pub(crate) start: f64,
    /// To wake a thread that was kept.
    pub(crate) wake: f64,
    /// Bytes of a cluster's memory.
    pub(crate) memory: usize,
}

/// What becomes of threads between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Threads {
    /// They end, and others are started.
    Restarted,
    /// They poll for work.
    Polling,
}

/// How much of the machine is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) clusters: usize,
    /// Threads of each cluster.
    pub(crate) threads: usize,
}

impl Shape {
    pub(crate) const ONE: Shape = Shape {
        clusters: 1,
        threads: 1,
    };
    pub(crate) const ALL: Shape = Shape {
        clusters: 16,
        threads: 16,
    };

    pub(crate) fn cores(self) -> usize {
        self.clusters * self.threads
    }
}

/// What is played.
#[derive(Clone, Debug)]
pub(crate) struct Load {
    pub(crate) name: &'static str,
    /// Operations of a joint move.
    pub(crate) operations: usize,
    /// Bytes of a position.
    pub(crate) message: usize,
    /// How long playouts are, one after the other.
    pub(crate) lengths: Vec<u32>,
}

/// The rules of a game need more memory than a cluster has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge {
    pub(crate) bytes: usize,
    pub(crate) memory: usize,
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { bytes, memory } = self;
        write!(
            formatter,
            "the rules take {bytes} bytes, and a cluster has {memory}"
        )
    }
}

/// Bytes of an operation: the slot that it writes and two that it reads.
const OPERATION_BYTES: usize = 12;

impl Machine {
    /// The machine of the paper: constants that give its figures for tic-tac-toe and for messages, see `docs/methods/parallel-uct.md`.
    pub(crate) const PAPER: Machine = Machine {
        latency: 600.0,
        position: 1.2,
        byte: 0.0117,
        operation: 0.55,
        result: 1.5,
        contention: 0.025,
        start: 6.0,
        wake: 3.0,
        memory: 2 << 20,
    };

    /// Whether the rules of a game with so many operations fit into a cluster, with one value of a bit in a byte for each.
    ///
    /// # Errors
    /// If they do not.
    pub(crate) fn fit(&self, operations: usize) -> Result<(), TooLarge> {
        let bytes = operations * (OPERATION_BYTES + 1);
        match bytes <= self.memory {
            true => Ok(()),
            false => Err(TooLarge {
                bytes,
                memory: self.memory,
            }),
        }
    }

    /// Playouts a second over so many runs, each of one playout for each thread. Threads draw from generators seeded with their place in
    /// the cluster, so that all clusters play the same.
    pub(crate) fn rate(&self, shape: Shape, load: &Load, threads: Threads, runs: usize) -> f64 {
        let mut lengths = load.lengths.iter().copied().cycle();
        let mut time = 0.0;
        for _ in 0..runs {
            let run: Vec<u32> = lengths.by_ref().take(shape.threads).collect();
            let work = run.iter().map(|&steps| self.work(load, steps)).collect();
            let cluster = self.cluster(work, threads);
            time += self.run(shape, load.message, cluster);
        }
        (runs * shape.cores()) as f64 / time * 1e6
    }

    /// How many times as fast as one thread of one cluster.
    pub(crate) fn gain(&self, shape: Shape, load: &Load, threads: Threads) -> f64 {
        let rate = |shape| self.rate(shape, load, threads, RUNS);
        rate(shape) / rate(Shape::ONE)
    }

    /// The time of a playout on a thread that has the memory for itself.
    fn work(&self, load: &Load, steps: u32) -> f64 {
        f64::from(steps) * load.operations as f64 * self.operation
    }

    /// The time of a run of which each cluster needs so much for itself.
    pub(crate) fn run(&self, shape: Shape, message: usize, cluster: f64) -> f64 {
        let threads = shape.threads as f64;
        let sending = threads * (self.position / 2.0 + self.byte * message as f64);
        let taking = threads * self.position / 2.0;
        let mut taken: f64 = 0.0;
        for number in 1..=shape.clusters {
            let answered = sending * number as f64 + cluster;
            taken = taken.max(answered) + taking;
        }
        self.latency + taken
    }

    /// The time of a cluster from the positions to the last result, given each thread's work.
    fn cluster(&self, mut work: Vec<f64>, threads: Threads) -> f64 {
        let (begin, polling) = match threads {
            Threads::Restarted => (self.start, 0.0),
            Threads::Polling => (self.wake, 1.0),
        };
        let (mut now, mut started) = (0.0, 0);
        let mut arrivals = Vec::new();
        while arrivals.len() < work.len() {
            let active = started - arrivals.len();
            let idle = work.len() - active;
            let users = active as f64 + polling * idle as f64;
            let slower = 1.0 + self.contention * (users - 1.0).max(0.0);
            let least = work[..started].iter().copied().filter(|&left| left > 0.0);
            let end = least.fold(f64::INFINITY, f64::min) * slower;
            let start = match started < work.len() {
                true => begin * (started + 1) as f64 - now,
                false => f64::INFINITY,
            };
            let step = end.min(start);
            now += step;
            for left in work[..started].iter_mut().filter(|left| **left > 0.0) {
                *left -= step / slower;
                if *left <= 1e-9 {
                    *left = 0.0;
                    arrivals.push(now);
                }
            }
            if start <= end {
                started += 1;
            }
        }
        self.collect(&arrivals)
    }

    /// When the last of these results is collected.
    fn collect(&self, arrivals: &[f64]) -> f64 {
        let mut now = 0.0;
        for (place, &arrival) in arrivals.iter().enumerate() {
            now = arrival.max(now);
            let waiting = arrivals[place + 1..].iter().filter(|&&other| other <= now);
            now += self.result * (1.0 + waiting.count() as f64);
        }
        now
    }
}

/// Runs over which rates are taken.
pub(crate) const RUNS: usize = 500;
