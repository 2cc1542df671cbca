//! Playouts in lanes: each lane plays one, and gets the next when it has ended.
//!
//! A step of a block is: evaluate the state; where a playout has ended, evaluate goals, report it and note what the lane gets next;
//! draw moves; advance; load the noted states. A lane that ended takes part in that step like the others, and what
//! comes out is overwritten.
//!
//! Some games have goals that cost more than a step, and of a block only few lanes end at a time. There the last states are
//! copied to the same lanes of other memory, and goals are evaluated there when a lane would be needed a second
//! time.

mod block;

use std::collections::VecDeque;
use std::sync::Arc;

use paidia_game::{BatchPlayout, BatchPlayouts, Goal};
use paidia_reason::propnet::Network;

use crate::compile::compile;
use crate::kernel::{Backend, Machine, Memory, Phase};
use crate::program::Program;
use crate::random::Stream;
use crate::word::Word;
use block::Block;

/// How a [`Batch`] runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchOptions {
    /// The seed of everything random.
    pub seed: u64,
    /// Batches with one seed and different streams play different playouts: one stream for each thread, or for each share
    /// of the work.
    pub stream: u64,
    /// After how many joint moves a playout is cut.
    pub step_limit: u32,
    /// How many blocks of [`crate::LANES`] lanes run side by side, at least one. The playouts depend on it.
    pub blocks: usize,
    /// What runs the program. The playouts do not depend on it.
    pub backend: Backend,
}

impl Default for BatchOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            stream: 0,
            step_limit: 10_000,
            blocks: 4,
            backend: Backend::chosen().unwrap_or_else(|_| Backend::fastest()),
        }
    }
}

/// The batch engine: many uniformly random playouts side by side.
///
/// States are sets of fluents: fluent number n is bit `n % 64` of word `n / 64`; words that are missing are zero.
#[derive(Clone, Debug)]
pub struct Batch {
    machine: Machine,
    units: Vec<Unit>,
    queue: VecDeque<Submission>,
    open: u64,
    /// How many steps were made so far.
    now: u64,
    step_limit: u64,
    reporter: Reporter,
}

/// Playouts that have not begun.
#[derive(Clone, Debug)]
struct Submission {
    from: Arc<[u64]>,
    tag: u32,
    left: u32,
}

/// Blocks that are run at once.
#[derive(Clone, Debug)]
struct Unit {
    memory: Memory,
    /// Where goals are evaluated, if not where everything is.
    apart: Option<Memory>,
    blocks: Vec<Block>,
}

impl Unit {
    fn is_idle(&self) -> bool {
        self.blocks.iter().all(|block| block.active.is_none())
    }
}

impl Batch {
    /// Compiles a network and makes an engine for it.
    pub fn new(network: &Network, options: BatchOptions) -> Self {
        let program = compile(network, options.backend.order());
        Self::with_program(Arc::new(program), options)
    }

    /// An engine for a compiled program, which several engines can share.
    pub fn with_program(program: Arc<Program>, options: BatchOptions) -> Self {
        let BatchOptions {
            seed,
            stream,
            backend,
            ..
        } = options;
        let blocks = options.blocks.max(1);
        let width = backend.width(blocks);
        let memory = Memory::new(&program, width, backend);
        let unit = |first: usize| Unit {
            apart: program.goals_are_apart.then(|| memory.clone()),
            memory: memory.clone(),
            blocks: (first..blocks.min(first + width))
                .map(|number| Block::new(Stream::new(seed, stream, number as u64)))
                .collect(),
        };
        Self {
            units: (0..blocks).step_by(width).map(unit).collect(),
            queue: VecDeque::new(),
            open: 0,
            now: 0,
            step_limit: u64::from(options.step_limit),
            reporter: Reporter::default(),
            machine: Machine::new(program, backend, width),
        }
    }

    /// The program that is run.
    pub fn program(&self) -> &Arc<Program> {
        self.machine.program()
    }
}

impl BatchPlayouts for Batch {
    type State = [u64];

    fn submit(&mut self, from: &[u64], tag: u32, playouts: u32) {
        if playouts > 0 {
            self.open += u64::from(playouts);
            self.queue.push_back(Submission {
                from: from.into(),
                tag,
                left: playouts,
            });
        }
    }

    fn run(&mut self, steps: u32, done: &mut dyn FnMut(BatchPlayout<'_>)) {
        self.fill_idle_lanes();
        for _ in 0..steps {
            if self.units.iter().all(Unit::is_idle) {
                break;
            }
            self.step(done);
        }
        self.report_all(done);
    }

    fn open(&self) -> u64 {
        self.open
    }

    fn cancel(&mut self) {
        self.queue.clear();
        self.open = 0;
        for block in self.units.iter_mut().flat_map(|unit| &mut unit.blocks) {
            block.cancel();
        }
    }
}

/// The batch engine for the states of [`Propnet`](paidia_reason::propnet::Propnet).
#[derive(Clone, Debug)]
pub struct PropnetBatch {
    batch: Batch,
}

impl From<Batch> for PropnetBatch {
    fn from(batch: Batch) -> Self {
        Self { batch }
    }
}

impl BatchPlayouts for PropnetBatch {
    type State = paidia_reason::propnet::engine::State;

    fn submit(&mut self, from: &Self::State, tag: u32, playouts: u32) {
        self.batch.submit(from.words(), tag, playouts);
    }

    fn run(&mut self, steps: u32, done: &mut dyn FnMut(BatchPlayout<'_>)) {
        self.batch.run(steps, done);
    }

    fn open(&self) -> u64 {
        self.batch.open()
    }

    fn cancel(&mut self) {
        self.batch.cancel();
    }
}

impl Batch {
    fn fill_idle_lanes(&mut self) {
        for unit in &mut self.units {
            for (number, block) in unit.blocks.iter_mut().enumerate() {
                block.refill(!block.active, &mut self.queue, self.now);
                block.load(&mut unit.memory, number);
            }
        }
    }

    fn step(&mut self, done: &mut dyn FnMut(BatchPlayout<'_>)) {
        for unit in 0..self.units.len() {
            if self.units[unit].is_idle() {
                continue;
            }
            self.machine
                .run(Phase::Evaluate, &mut self.units[unit].memory);
            self.finish_playouts(unit, done);
            self.machine
                .run(Phase::Advance, &mut self.units[unit].memory);
            let Unit { memory, blocks, .. } = &mut self.units[unit];
            for (number, block) in blocks.iter_mut().enumerate() {
                block.load(memory, number);
            }
        }
        self.now += 1;
    }

    /// Sees to the playouts that have ended, and draws moves for the others.
    fn finish_playouts(&mut self, unit: usize, done: &mut dyn FnMut(BatchPlayout<'_>)) {
        let mut has_goals = false;
        for number in 0..self.units[unit].blocks.len() {
            let program = self.machine.program();
            let Unit {
                memory,
                apart,
                blocks,
            } = &mut self.units[unit];
            let block = &mut blocks[number];
            let ended = block.ended(program, memory, number, self.now, self.step_limit);
            let lanes = ended.all();
            let going_on = block.active.and_not(lanes);
            self.machine
                .draw(memory, number, going_on, &mut block.stream);
            if lanes.is_none() {
                continue;
            }
            if apart.is_some() && !(block.unreported & lanes).is_none() {
                self.report_all(done);
            }
            let program = self.machine.program();
            let Unit {
                memory,
                apart,
                blocks,
            } = &mut self.units[unit];
            let block = &mut blocks[number];
            block.note(program, memory, number, self.now, ended);
            if let Some(apart) = apart {
                apart.copy_state(memory, number, lanes);
            } else {
                if !has_goals {
                    self.machine.run(Phase::Goals, memory);
                    has_goals = true;
                }
                self.open -= self.reporter.report(program, memory, number, block, done);
            }
            block.refill(lanes, &mut self.queue, self.now + 1);
        }
    }

    /// Reports what has ended and waits for its goals.
    fn report_all(&mut self, done: &mut dyn FnMut(BatchPlayout<'_>)) {
        for unit in &mut self.units {
            let is_waiting = unit.blocks.iter().any(|block| !block.unreported.is_none());
            if let (Some(apart), true) = (&mut unit.apart, is_waiting) {
                self.machine.run(Phase::Goals, apart);
                let program = self.machine.program();
                for (number, block) in unit.blocks.iter_mut().enumerate() {
                    self.open -= self.reporter.report(program, apart, number, block, done);
                }
            }
        }
    }
}

/// Tells about playouts; scratch memory for that.
#[derive(Clone, Debug, Default)]
struct Reporter {
    /// For each role, the words of its goal: any, several, and the bits of the place.
    words: Vec<Word>,
    goals: Vec<Goal>,
}

impl Reporter {
    /// Reports what has ended in a block, the goals of which were evaluated in the given memory; how many playouts.
    fn report(
        &mut self,
        program: &Program,
        memory: &Memory,
        number: usize,
        block: &mut Block,
        done: &mut dyn FnMut(BatchPlayout<'_>),
    ) -> u64 {
        self.words.clear();
        let signals = program.roles.iter().flat_map(|role| role.goals.signals());
        self.words
            .extend(signals.map(|signal| memory.signal(signal, number)));
        let lanes = std::mem::take(&mut block.unreported);
        for lane in lanes.lanes() {
            self.goals.clear();
            let mut words = &self.words[..];
            for role in &program.roles {
                let (own, others) = words.split_at(role.goals.signals().len());
                words = others;
                self.goals
                    .push(role.goals.read(|place| own[place].get(lane)));
            }
            let (tag, playout) = block.results[lane];
            done(BatchPlayout {
                tag,
                playout,
                goals: &self.goals,
            });
        }
        u64::from(lanes.count())
    }
}
