//! Playouts in lanes: each lane plays one, and gets the next when it has ended.
//!
//! A step of a block is: say which lanes may go on; evaluate the state; where a playout has ended,
//! evaluate goals, report it and note what the lane gets next; draw moves; advance; load the noted
//! states. A lane that ended takes part in that step like the others, and what comes out is
//! overwritten.
//!
//! Some games have goals that cost more than a step, and of a block only few lanes end at a time.
//! There the last states are copied to the same lanes of other memory, and goals are evaluated
//! there when a lane would be needed a second time.

mod block;
mod numbers;
mod results;

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::Arc;

use paidia_game::{BatchPlayout, BatchPlayouts, Figures, MoveId, RoleId};
use paidia_reason::propnet::Network;

use crate::batches::BLOCKS;
use crate::batches::Draws;
use crate::compile::compile;
use crate::kernel::{Backend, Device, Memory, Phase, Work};
use crate::lower::WEIGHT_BITS;
use crate::program::Program;
use crate::random::Stream;
use crate::word::Word;
use block::Block;
use results::{OneByOne, Results, Tally, report};

/// The most that a move can weigh.
pub const MOST_WEIGHT: u32 = (1 << WEIGHT_BITS) - 1;

/// How a [`Batch`] runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BatchOptions {
    /// The seed of everything random.
    pub seed: u64,
    /// Batches with one seed and different streams play different playouts: one stream for each
    /// thread, or for each share of the work.
    pub stream: u64,
    /// After how many joint moves a playout is cut.
    pub step_limit: u32,
    /// How many blocks of [`crate::LANES`] lanes run side by side, at least one. The playouts
    /// depend on it.
    pub blocks: usize,
    /// What runs the program. The playouts do not depend on it.
    pub backend: Backend,
    /// How moves are drawn, where [`crate::Batches`] opens it; else each as likely.
    pub draws: Draws,
}

impl Default for BatchOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            stream: 0,
            step_limit: 10_000,
            blocks: BLOCKS,
            backend: Backend::chosen().unwrap_or_else(|_| Backend::fastest()),
            draws: Draws::default(),
        }
    }
}

/// Many uniformly random playouts side by side, on one thread.
///
/// States are sets of fluents: fluent number n is bit `n % 64` of word `n / 64`; words that are
/// missing are zero. `S` is whatever has such words.
#[derive(Debug)]
pub struct Batch<S: ?Sized = [u64]> {
    device: Arc<Device>,
    units: Vec<Unit>,
    queue: VecDeque<Submission>,
    open: u64,
    /// How many steps were made so far.
    now: u64,
    step_limit: u64,
    words: Vec<Word>,
    states: PhantomData<fn(&S)>,
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
    /// Compiles a network and makes an engine for it alone.
    pub fn new(network: &Network, options: BatchOptions) -> Self {
        let program = compile(network, options.backend.order());
        Self::with_program(Arc::new(program), options)
    }

    /// An engine for a compiled program, which several engines can share.
    pub fn with_program(program: Arc<Program>, options: BatchOptions) -> Self {
        let width = options.backend.width(options.blocks);
        let device = Device::new(program, options.backend, width);
        Self::of(Arc::new(device), options)
    }
}

impl<S: ?Sized> Batch<S> {
    /// An engine that runs a device which was made for its width.
    pub(crate) fn of(device: Arc<Device>, options: BatchOptions) -> Self {
        let blocks = options.blocks.max(1);
        let width = options.backend.width(blocks);
        let program = device.program();
        let memory = Memory::new(program, width, options.backend);
        let unit = |first: usize| {
            let numbers = first..blocks.min(first + width);
            let mut unit = Unit {
                apart: program.goals_are_apart.then(|| memory.clone()),
                memory: memory.clone(),
                blocks: numbers.clone().map(|_| Block::new()).collect(),
            };
            for (place, number) in numbers.enumerate() {
                let stream = Stream::new(options.seed, options.stream, number as u64);
                unit.memory.seed(program, place, &stream);
            }
            unit
        };
        let mut batch = Self {
            units: (0..blocks).step_by(width).map(unit).collect(),
            queue: VecDeque::new(),
            open: 0,
            now: 0,
            step_limit: u64::from(options.step_limit),
            words: Vec::new(),
            states: PhantomData,
            device,
        };
        batch.weigh(&mut |_, _| 1);
        batch
    }

    /// Sets how often each move is drawn beside others, from 1 to [`MOST_WEIGHT`], where moves have
    /// weights; all have 1 at first.
    pub fn weigh(&mut self, weight: &mut dyn FnMut(RoleId, MoveId) -> u32) {
        let program = self.device.program();
        for (chooser, &first) in program.choosers.iter().zip(&program.weights) {
            for (leaf, slot) in chooser
                .leaves
                .iter()
                .zip((first..).step_by(WEIGHT_BITS as usize))
            {
                let Some(&(role, place)) = leaf.first() else {
                    continue;
                };
                let (id, _) = program.roles[usize::from(role)].legal[place as usize];
                let weight = weight(RoleId(role), id).clamp(1, MOST_WEIGHT);
                for unit in &mut self.units {
                    for block in 0..unit.memory.width() {
                        for bit in 0..WEIGHT_BITS {
                            let is_set = weight >> bit & 1 == 1;
                            *unit.memory.word_mut(slot + bit, block) =
                                Word::NONE.inverted_if(is_set);
                        }
                    }
                }
            }
        }
    }

    /// The program that is run.
    pub fn program(&self) -> &Arc<Program> {
        self.device.program()
    }
}

impl<S: AsRef<[u64]> + ?Sized> BatchPlayouts for Batch<S> {
    type State = S;

    fn submit(&mut self, from: &S, tag: u32, playouts: u32) {
        if playouts > 0 {
            self.open += u64::from(playouts);
            self.queue.push_back(Submission {
                from: from.as_ref().into(),
                tag,
                left: playouts,
            });
        }
    }

    fn run(&mut self, steps: u32, done: &mut dyn FnMut(BatchPlayout<'_>)) {
        self.steps(steps, &mut OneByOne::new(done));
    }

    fn tally(&mut self, steps: u32, figures: &mut Figures) {
        self.steps(steps, &mut Tally::new(figures));
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

impl<S: ?Sized> Batch<S> {
    fn steps(&mut self, steps: u32, results: &mut impl Results) {
        self.fill_idle_lanes();
        for _ in 0..steps {
            if self.units.iter().all(Unit::is_idle) {
                break;
            }
            self.step(results);
        }
        self.report_all(results);
    }

    fn fill_idle_lanes(&mut self) {
        for unit in &mut self.units {
            for (number, block) in unit.blocks.iter_mut().enumerate() {
                block.refill(!block.active, &mut self.queue, self.now);
                block.load(&mut unit.memory, number);
            }
        }
    }

    fn step(&mut self, results: &mut impl Results) {
        for unit in 0..self.units.len() {
            if self.units[unit].is_idle() {
                continue;
            }
            let Unit { memory, blocks, .. } = &mut self.units[unit];
            for (number, block) in blocks.iter_mut().enumerate() {
                block.open(
                    self.device.program(),
                    memory,
                    number,
                    self.now,
                    self.step_limit,
                );
            }
            self.device.run(Phase::Evaluate, memory);
            self.finish_playouts(unit, results);
            let Unit { memory, blocks, .. } = &mut self.units[unit];
            self.device.run(Phase::Draw, memory);
            self.device.run(Phase::Advance, memory);
            for (number, block) in blocks.iter_mut().enumerate() {
                block.load(memory, number);
            }
        }
        self.now += 1;
    }

    /// Sees to the playouts that have ended.
    fn finish_playouts(&mut self, unit: usize, results: &mut impl Results) {
        let mut has_goals = false;
        for number in 0..self.units[unit].blocks.len() {
            let Unit { memory, blocks, .. } = &self.units[unit];
            let lanes = blocks[number].ended(self.device.program(), memory, number);
            if lanes.is_none() {
                continue;
            }
            let Unit { apart, blocks, .. } = &self.units[unit];
            if apart.is_some() && !(blocks[number].unreported & lanes).is_none() {
                self.report_all(results);
            }
            let program = self.device.program();
            let Unit {
                memory,
                apart,
                blocks,
            } = &mut self.units[unit];
            let block = &mut blocks[number];
            let backend = self.device.backend();
            backend.run(Note {
                block,
                program,
                memory,
                number,
                now: self.now,
                lanes,
            });
            if let Some(apart) = apart {
                apart.copy_state(memory, number, lanes);
            } else {
                if !has_goals {
                    self.device.run(Phase::Goals, memory);
                    has_goals = true;
                }
                let mut reported = 0;
                backend.run(Report {
                    program,
                    memory,
                    number,
                    block,
                    words: &mut self.words,
                    results,
                    reported: &mut reported,
                });
                self.open -= reported;
            }
            backend.run(Refill {
                block,
                lanes,
                queue: &mut self.queue,
                now: self.now + 1,
            });
        }
    }

    /// Reports what has ended and waits for its goals.
    fn report_all(&mut self, results: &mut impl Results) {
        for unit in &mut self.units {
            let is_waiting = unit.blocks.iter().any(|block| !block.unreported.is_none());
            if let (Some(apart), true) = (&mut unit.apart, is_waiting) {
                self.device.run(Phase::Goals, apart);
                let program = self.device.program();
                for (number, block) in unit.blocks.iter_mut().enumerate() {
                    self.open -= report(program, apart, number, block, &mut self.words, results);
                }
            }
        }
    }
}

/// See [`Block::note`].
struct Note<'a> {
    block: &'a mut Block,
    program: &'a Program,
    memory: &'a Memory,
    number: usize,
    now: u64,
    lanes: Word,
}

impl Work for Note<'_> {
    #[inline(always)]
    fn work(self) {
        self.block
            .note(self.program, self.memory, self.number, self.now, self.lanes);
    }
}

/// See [`report`].
struct Report<'a, R> {
    program: &'a Program,
    memory: &'a Memory,
    number: usize,
    block: &'a mut Block,
    words: &'a mut Vec<Word>,
    results: &'a mut R,
    reported: &'a mut u64,
}

impl<R: Results> Work for Report<'_, R> {
    #[inline(always)]
    fn work(self) {
        *self.reported = report(
            self.program,
            self.memory,
            self.number,
            self.block,
            self.words,
            self.results,
        );
    }
}

/// See [`Block::refill`].
struct Refill<'a> {
    block: &'a mut Block,
    lanes: Word,
    queue: &'a mut VecDeque<Submission>,
    now: u64,
}

impl Work for Refill<'_> {
    #[inline(always)]
    fn work(self) {
        self.block.refill(self.lanes, self.queue, self.now);
    }
}
