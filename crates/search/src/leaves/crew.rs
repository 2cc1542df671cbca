//! A crew of threads that makes the playouts of a search: leaf parallelisation.
//!
//! The search collects a set of positions on its own thread. In a *run* the crew distributes the
//! set, makes the playouts, each on one thread's walker, and waits for the last. This is the
//! protocol of Hufschmitt, Méhat and Vittaut for a machine whose cores have no room for a tree.
//! [`Management`] says what becomes of the threads between two runs.
//!
//! Every playout has a number and draws from a generator of that number, and results are reported
//! in the order of the numbers. So a search has the same result with any number of threads and any
//! management, as long as its sets have the same size.

mod mailbox;

use std::thread::JoinHandle;

use paidia_game::{
    BatchPlayout, BatchPlayouts, Chance, Game, Goal, MoveId, Playout, RoleId, Walker, playout,
};

use super::{LeafOptions, LeafPlayouts, Streamed};
use crate::scale::Scale;
use mailbox::{Inbox, Post, mailbox};

/// What becomes of a crew's threads between two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Management {
    /// There are none: the searching thread makes all playouts itself.
    Serial,
    /// They end with the run, and others are started for the next.
    Restart,
    /// They are kept, and sleep until they are signalled.
    Signal,
    /// They are kept, and look again and again whether there is something to do.
    Spin,
    /// They are kept, and work and results are messages.
    Channel,
}

impl Management {
    /// All there are.
    pub const ALL: [Management; 5] = [
        Management::Serial,
        Management::Restart,
        Management::Signal,
        Management::Spin,
        Management::Channel,
    ];

    /// The word for people.
    pub fn name(self) -> &'static str {
        match self {
            Management::Serial => "serial",
            Management::Restart => "restart",
            Management::Signal => "signal",
            Management::Spin => "spin",
            Management::Channel => "channel",
        }
    }
}

/// How many threads make playouts, how they are managed, and the positions of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Crewing {
    /// How many threads there are.
    pub threads: usize,
    /// What becomes of them between two runs.
    pub management: Management,
    /// Positions of a run; `None` is one for each thread.
    pub positions: Option<u32>,
}

impl Crewing {
    /// Leaf playouts by such a crew, `playouts` from each position.
    pub fn open<G: Game>(
        self,
        game: &G,
        playouts: u32,
        options: LeafOptions,
    ) -> Box<dyn LeafPlayouts<G::State>> {
        let facts = game.facts();
        let positions = self.positions.unwrap_or(self.threads as u32).max(1);
        Box::new(Streamed::new(
            Crew::new(game, self, options),
            positions.saturating_mul(playouts.max(1)),
            facts.roles.len(),
            Scale::new(facts),
            options.discount,
        ))
    }
}

/// Threads that make playouts, each with a walker of its own.
pub struct Crew<G: Game> {
    staff: Staff<G>,
    desks: Vec<Desk<G::State>>,
    /// The number of the next playout.
    next: u64,
    open: usize,
    roles: usize,
}

/// The work of one thread in a run, and what came of it.
struct Desk<State> {
    tasks: Vec<Task<State>>,
    ended: Vec<Playout>,
    /// The goals of all roles, playout by playout.
    goals: Vec<Goal>,
}

/// A playout that is to be made.
struct Task<State> {
    from: State,
    tag: u32,
    number: u64,
}

impl<State> Desk<State> {
    fn new() -> Self {
        Self {
            tasks: Vec::new(),
            ended: Vec::new(),
            goals: Vec::new(),
        }
    }
}

/// The threads that work at the desks.
enum Staff<G: Game> {
    Here(Box<Worker<G>>),
    Restarted(Vec<Worker<G>>),
    Kept(Keep<G>),
}

impl<G: Game> Crew<G> {
    /// A crew for a game.
    pub fn new(game: &G, crewing: Crewing, options: LeafOptions) -> Self {
        let threads = match crewing.management {
            Management::Serial => 1,
            _ => crewing.threads.max(1),
        };
        let worker = || Worker::new(game, options);
        let workers = (0..threads).map(|_| worker());
        let staff = match crewing.management {
            Management::Serial => Staff::Here(Box::new(worker())),
            Management::Restart => Staff::Restarted(workers.collect()),
            management => Staff::Kept(Keep {
                management,
                resting: workers.collect(),
                working: Vec::new(),
            }),
        };
        Self {
            staff,
            desks: (0..threads).map(|_| Desk::new()).collect(),
            next: 0,
            open: 0,
            roles: game.facts().roles.len(),
        }
    }
}

impl<G: Game> BatchPlayouts for Crew<G> {
    type State = G::State;

    fn submit(&mut self, from: &G::State, tag: u32, playouts: u32) {
        for _ in 0..playouts {
            let desk = self.open % self.desks.len();
            self.desks[desk].tasks.push(Task {
                from: from.clone(),
                tag,
                number: self.next,
            });
            self.next += 1;
            self.open += 1;
        }
    }

    /// Makes a run: everything that was submitted, to its end, however many steps were asked for.
    fn run(&mut self, _steps: u32, done: &mut dyn FnMut(BatchPlayout<'_>)) {
        if self.open == 0 {
            return;
        }
        self.staff.work(&mut self.desks);
        for number in 0..self.open {
            let desk = &self.desks[number % self.desks.len()];
            let place = number / self.desks.len();
            done(BatchPlayout {
                tag: desk.tasks[place].tag,
                playout: desk.ended[place],
                goals: &desk.goals[place * self.roles..(place + 1) * self.roles],
            });
        }
        self.clear();
    }

    fn open(&self) -> u64 {
        self.open as u64
    }

    fn cancel(&mut self) {
        self.clear();
        if let Staff::Kept(keep) = &mut self.staff {
            keep.send_home();
        }
    }
}

impl<G: Game> Crew<G> {
    fn clear(&mut self) {
        self.open = 0;
        self.desks.iter_mut().for_each(|desk| desk.tasks.clear());
    }
}

impl<G: Game> Staff<G> {
    /// Sees to it that all work is done.
    fn work(&mut self, desks: &mut [Desk<G::State>]) {
        match self {
            Staff::Here(worker) => desks.iter_mut().for_each(|desk| worker.work(desk)),
            Staff::Restarted(workers) => std::thread::scope(|scope| {
                let busy = desks.iter_mut().filter(|desk| !desk.tasks.is_empty());
                for (worker, desk) in workers.iter_mut().zip(busy) {
                    scope.spawn(|| worker.work(desk));
                }
            }),
            Staff::Kept(keep) => keep.work(desks),
        }
    }
}

/// One thread's walker.
struct Worker<G: Game> {
    walker: G::Walker,
    joint: Vec<MoveId>,
    roles: u16,
    /// The seed of playout number 0; those of the others follow.
    seed: u64,
    step_limit: u32,
}

impl<G: Game> Worker<G> {
    fn new(game: &G, options: LeafOptions) -> Self {
        let mut chance = Chance::from_seed(options.seed);
        (0..options.stream).for_each(|_| drop(chance.split()));
        Self {
            walker: game.walker(),
            joint: Vec::new(),
            roles: game.facts().roles.len() as u16,
            seed: chance.bits(),
            step_limit: options.step_limit,
        }
    }

    /// Makes all playouts at a desk.
    fn work(&mut self, desk: &mut Desk<G::State>) {
        desk.ended.clear();
        desk.goals.clear();
        for task in &desk.tasks {
            let mut chance = Chance::from_seed(self.seed.wrapping_add(task.number));
            self.walker.jump(&task.from);
            let ended = playout(
                &mut self.walker,
                &mut self.joint,
                self.step_limit,
                &mut chance,
            );
            desk.ended.push(ended);
            let goals = (0..self.roles).map(|role| self.walker.goal(RoleId(role)));
            desk.goals.extend(goals);
        }
    }
}

/// Threads that are kept from run to run. They end with the search, so that the next player has the
/// whole machine.
struct Keep<G: Game> {
    management: Management,
    resting: Vec<Worker<G>>,
    working: Vec<Kept<G>>,
}

impl<G: Game> Keep<G> {
    fn work(&mut self, desks: &mut [Desk<G::State>]) {
        let resting = self.resting.drain(..);
        self.working
            .extend(resting.map(|worker| Kept::new(worker, self.management)));
        for (worker, desk) in self.working.iter_mut().zip(desks.iter_mut()) {
            worker.begin(desk);
        }
        for (place, desk) in desks.iter_mut().enumerate() {
            if !self.working[place].finish(desk) {
                // It ended in a panic, which goes on here.
                self.working.swap_remove(place).end();
            }
        }
    }

    fn send_home(&mut self) {
        let working = self.working.drain(..);
        self.resting.extend(working.map(Kept::end));
    }
}

/// A thread that is kept. Its desk is carried to it and back.
struct Kept<G: Game> {
    work: Post<Desk<G::State>>,
    results: Inbox<Desk<G::State>>,
    /// Whether it has its desk.
    is_busy: bool,
    thread: JoinHandle<Worker<G>>,
}

impl<G: Game> Kept<G> {
    fn new(mut worker: Worker<G>, management: Management) -> Self {
        let (work, inbox) = mailbox::<Desk<G::State>>(management);
        let (post, results) = mailbox(management);
        let thread = std::thread::spawn(move || {
            while let Some(mut desk) = inbox.take() {
                worker.work(&mut desk);
                post.put(desk);
            }
            worker
        });
        Self {
            work,
            results,
            is_busy: false,
            thread,
        }
    }

    /// Gives the thread its desk, if there is work on it.
    fn begin(&mut self, desk: &mut Desk<G::State>) {
        if !desk.tasks.is_empty() {
            self.work.put(std::mem::replace(desk, Desk::new()));
            self.is_busy = true;
        }
    }

    /// Waits for the desk, if the thread has it; `false` if it will never come.
    fn finish(&mut self, desk: &mut Desk<G::State>) -> bool {
        if !std::mem::take(&mut self.is_busy) {
            return true;
        }
        let finished = self.results.take();
        finished.map(|finished| *desk = finished).is_some()
    }

    /// Waits for the end of the thread.
    ///
    /// # Panics
    /// If the thread did.
    fn end(self) -> Worker<G> {
        // The threads end when the channel of work closes.
        drop(self.work);
        let ended = self.thread.join();
        ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}
