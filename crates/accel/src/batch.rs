//! Playouts in lanes: each lane plays one, and gets the next when it has ended.
//!
//! A step of a block is: evaluate the state; where a playout has ended, evaluate goals, report it and note what the lane gets next;
//! draw moves; advance; load the noted states. A lane that ended takes part in that step like the others, and what
//! comes out is overwritten.

use std::collections::VecDeque;
use std::sync::Arc;

use paidia_game::{BatchPlayout, BatchPlayouts, Ending, Goal, Playout, RoleId};
use paidia_reason::propnet::Network;

use crate::compile::{Order, compile};
use crate::kernel::{Backend, Machine, Memory, Phase};
use crate::program::Program;
use crate::random::Stream;
use crate::word::{LANES, Word};

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
    /// How many blocks of [`LANES`] lanes run side by side, at least one. The playouts depend on it.
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
            backend: Backend::detect(),
        }
    }
}

/// How many operations are moved around to bring equal kinds together.
const WINDOW: usize = 256;

/// How many blocks are run at once, at most.
const WIDTH: usize = 4;

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
    /// The goals of all lanes of a block, by lane and role.
    goals: Vec<Goal>,
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
    blocks: Vec<Block>,
}

/// What is known about the lanes of a block.
#[derive(Clone, Debug)]
struct Block {
    stream: Stream,
    /// The lanes in which a playout is open.
    active: Word,
    tags: Vec<u32>,
    /// The step before which each lane's playout began.
    started: Vec<u64>,
    /// No open playout began before this.
    oldest: u64,
    /// The states that lanes are to get.
    loads: Vec<(Arc<[u64]>, Word)>,
}

/// Lanes whose playouts have ended, by reason.
#[derive(Clone, Copy, Debug)]
struct Ended {
    terminal: Word,
    cut: Word,
    stuck: Word,
}

impl Ended {
    fn all(self) -> Word {
        self.terminal | self.cut | self.stuck
    }
}

impl Batch {
    /// Compiles a network and makes an engine for it.
    pub fn new(network: &Network, options: BatchOptions) -> Self {
        let program = compile(network, Order::Runs(WINDOW));
        Self::with_program(Arc::new(program), options)
    }

    /// An engine for a compiled program, which several engines can share.
    pub fn with_program(program: Arc<Program>, options: BatchOptions) -> Self {
        let blocks = options.blocks.max(1);
        let width = match blocks {
            1 => 1,
            2 => 2,
            _ => WIDTH,
        };
        let unit = |first: usize| Unit {
            memory: Memory::new(&program, width),
            blocks: (first..blocks.min(first + width))
                .map(|number| Block::new(Stream::new(options.seed, options.stream, number as u64)))
                .collect(),
        };
        Self {
            units: (0..blocks).step_by(width).map(unit).collect(),
            queue: VecDeque::new(),
            open: 0,
            now: 0,
            step_limit: u64::from(options.step_limit),
            goals: vec![Goal::None; LANES * program.roles.len()],
            machine: Machine::new(program, options.backend),
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
            if self.open == 0 {
                return;
            }
            for unit in 0..self.units.len() {
                self.step(unit, done);
            }
            self.now += 1;
        }
    }

    fn open(&self) -> u64 {
        self.open
    }
}

impl Batch {
    fn fill_idle_lanes(&mut self) {
        for unit in &mut self.units {
            for (number, block) in unit.blocks.iter_mut().enumerate() {
                block.refill(!block.active, &mut self.queue, self.now);
                block.load(&mut unit.memory, number, self.machine.program().fluents);
            }
        }
    }

    /// Makes a step of one unit.
    fn step(&mut self, unit: usize, done: &mut dyn FnMut(BatchPlayout<'_>)) {
        let Unit { memory, blocks } = &mut self.units[unit];
        if blocks.iter().all(|block| block.active.is_none()) {
            return;
        }
        let program = self.machine.program();
        self.machine.run(Phase::Evaluate, memory);
        let mut has_goals = false;
        for (number, block) in blocks.iter_mut().enumerate() {
            let ended = block.ended(memory, number, program, self.now, self.step_limit);
            if !ended.all().is_none() {
                if !has_goals {
                    self.machine.run(Phase::Goals, memory);
                    has_goals = true;
                }
                read_goals(program, memory, number, ended.all(), &mut self.goals);
                block.report(memory, number, program, self.now, ended, &self.goals, done);
                self.open -= u64::from(ended.all().count());
                block.refill(ended.all(), &mut self.queue, self.now + 1);
            }
            let drawing = block.active.and_not(ended.all());
            self.machine
                .draw(memory, number, drawing, &mut block.stream);
        }
        self.machine.run(Phase::Advance, memory);
        for (number, block) in blocks.iter_mut().enumerate() {
            block.load(memory, number, program.fluents);
        }
    }
}

impl Block {
    fn new(stream: Stream) -> Self {
        Self {
            stream,
            active: Word::NONE,
            tags: vec![0; LANES],
            started: vec![0; LANES],
            oldest: 0,
            loads: Vec::new(),
        }
    }

    /// The lanes whose playouts end in the state that was evaluated.
    fn ended(
        &mut self,
        memory: &Memory,
        number: usize,
        program: &Program,
        now: u64,
        step_limit: u64,
    ) -> Ended {
        let terminal = memory.signal(program.terminal, number) & self.active;
        let open = self.active.and_not(terminal);
        let cut = self.cut(now, step_limit) & open;
        let roles = program.roles.iter();
        let all_can_move = roles.fold(Word::ALL, |all, role| {
            all & memory.signal(role.can_move, number)
        });
        Ended {
            terminal,
            cut,
            stuck: open.and_not(cut).and_not(all_can_move),
        }
    }

    /// The active lanes that have made as many steps as they may.
    fn cut(&mut self, now: u64, step_limit: u64) -> Word {
        let mut cut = Word::NONE;
        if now < self.oldest.saturating_add(step_limit) {
            return cut;
        }
        self.oldest = now;
        for lane in self.active.lanes() {
            if now - self.started[lane] >= step_limit {
                cut.set(lane, true);
            } else {
                self.oldest = self.oldest.min(self.started[lane]);
            }
        }
        cut
    }

    #[allow(clippy::too_many_arguments)]
    fn report(
        &self,
        memory: &Memory,
        number: usize,
        program: &Program,
        now: u64,
        ended: Ended,
        goals: &[Goal],
        done: &mut dyn FnMut(BatchPlayout<'_>),
    ) {
        let roles = program.roles.len();
        for lane in ended.all().lanes() {
            let ending = if ended.terminal.get(lane) {
                Ending::Finished
            } else if ended.cut.get(lane) {
                Ending::Cut
            } else {
                let can_move = |role: usize| memory.signal(program.roles[role].can_move, number);
                let stuck = (0..roles).find(|&role| !can_move(role).get(lane));
                Ending::Stuck(RoleId(stuck.unwrap_or(0) as u16))
            };
            done(BatchPlayout {
                tag: self.tags[lane],
                playout: Playout {
                    length: (now - self.started[lane]) as u32,
                    ending,
                },
                goals: &goals[lane * roles..(lane + 1) * roles],
            });
        }
    }

    /// Notes for each of the lanes what it plays next, beginning before step `from`; lanes for which nothing is left become
    /// idle.
    fn refill(&mut self, lanes: Word, queue: &mut VecDeque<Submission>, from: u64) {
        self.active = self.active.and_not(lanes);
        let mut lanes = lanes.lanes().peekable();
        while let Some(submission) = queue.front_mut()
            && lanes.peek().is_some()
        {
            let mut loaded = Word::NONE;
            for lane in lanes.by_ref().take(submission.left as usize) {
                loaded.set(lane, true);
                self.tags[lane] = submission.tag;
                self.started[lane] = from;
            }
            submission.left -= loaded.count();
            self.active |= loaded;
            self.loads.push((Arc::clone(&submission.from), loaded));
            if submission.left == 0 {
                queue.pop_front();
            }
        }
    }

    /// Loads the states that were noted.
    fn load(&mut self, memory: &mut Memory, number: usize, fluents: u32) {
        for (state, lanes) in self.loads.drain(..) {
            memory.load(number, fluents, &state, lanes);
        }
    }
}

/// Reads the goals of all roles in the given lanes.
fn read_goals(program: &Program, memory: &Memory, number: usize, lanes: Word, goals: &mut [Goal]) {
    let roles = program.roles.len();
    for lane in lanes.lanes() {
        goals[lane * roles..(lane + 1) * roles].fill(Goal::None);
    }
    for (place, role) in program.roles.iter().enumerate() {
        for &(value, signal) in &role.goals {
            for lane in (memory.signal(signal, number) & lanes).lanes() {
                let goal = &mut goals[lane * roles + place];
                *goal = goal.and(value);
            }
        }
    }
}
