//! Playouts from many leaves of a tree at once.
//!
//! A search hands over a leaf and goes on to the next; what came out of the leaf's playouts is told
//! later, in any order. What is told is for each role the mean of its goals, each discounted by the
//! length of its own playout. (To discount the mean goal by the mean length would be something
//! else: short playouts and long ones end differently.)

pub mod crew;

use paidia_game::{BatchPlayout, BatchPlayouts, Ending, Fault, Goal, MoveId, RoleId};

use crate::scale::Scale;

/// A source of playouts from leaves.
pub trait LeafPlayouts<State: ?Sized>: Send {
    /// Asks for playouts from a state; the leaf is reported with the tag.
    fn submit(&mut self, from: &State, tag: u32, playouts: u32);
    /// Works for a while and reports the leaves whose playouts are finished.
    fn run(&mut self, done: &mut dyn FnMut(LeafValue<'_>));
    /// How many playouts should be submitted now so that the source does not idle.
    fn room(&self) -> u32;
    /// Forgets everything that was submitted and not yet told of.
    fn cancel(&mut self);
    /// Sets how often each move of a role is drawn beside others, from 1 to [`MOST_WEIGHT`], if the
    /// source was made for that.
    fn weigh(&mut self, weight: &mut dyn FnMut(RoleId, MoveId) -> u32) {
        let _ = weight;
    }
    /// The limit that an engine ran into in a playout, if one did; what was told of its leaf is
    /// then worth nothing.
    fn fault(&self) -> Option<Fault> {
        None
    }
}

/// What came out of a leaf.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafValue<'a> {
    /// What it was submitted with.
    pub tag: u32,
    /// How many playouts were made.
    pub playouts: u32,
    /// Joint moves made in them.
    pub states: u64,
    /// Joint moves of the shortest.
    pub shortest: u32,
    /// For each role the mean of its discounted returns, which are goals on a [`Scale`].
    pub means: &'a [f64],
}

/// What a source of leaf playouts is to be made with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeafOptions {
    /// The seed of everything random.
    pub seed: u64,
    /// Which of several sources with one seed this is.
    pub stream: u64,
    /// What is left of a goal one step further from the end.
    pub discount: f64,
    /// Joint moves after which a playout is cut.
    pub step_limit: u32,
    /// Which moves are drawn from, where the source can tell; else all.
    pub decisive: Decisive,
    /// Whether moves are drawn by their weights, where the source can.
    pub is_weighted: bool,
}

/// The most that a move can weigh.
pub const MOST_WEIGHT: u32 = 7;

/// Which moves playouts draw from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decisive {
    /// All that are legal.
    #[default]
    No,
    /// Those that win at once, where there are some.
    Own,
    /// The same, and else those after which the opponent cannot win at once, where there are some.
    Both,
}

/// Makes sources of leaf playouts, one for each thread.
pub type LeafSource<State> =
    std::sync::Arc<dyn Fn(LeafOptions) -> Box<dyn LeafPlayouts<State>> + Send + Sync>;

/// Sets the weights of moves of an engine.
pub type Weigher<B> = fn(&mut B, &mut dyn FnMut(RoleId, MoveId) -> u32);

/// Leaf playouts by an engine that makes many at once.
pub struct Streamed<B> {
    engine: B,
    /// How many playouts should be open.
    wanted: u32,
    /// The discount of a goal by the number of steps.
    factors: Vec<f64>,
    discount: f64,
    scale: Scale,
    roles: usize,
    sums: Vec<Sum>,
    /// For each tag, the sums of the roles' discounted goals.
    totals: Vec<f64>,
    finished: Vec<u32>,
    /// How long playouts were lately.
    length: f64,
    means: Vec<f64>,
    fault: Option<Fault>,
    weigher: Option<Weigher<B>>,
}

/// The playouts of a leaf so far.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    wanted: u32,
    made: u32,
    states: u64,
    shortest: u32,
}

impl<B: BatchPlayouts> Streamed<B> {
    /// Leaf playouts by an engine that should have that many playouts open, for a game with that
    /// many roles.
    pub fn new(engine: B, wanted: u32, roles: usize, scale: Scale, discount: f64) -> Self {
        Self {
            engine,
            wanted,
            factors: vec![1.0],
            discount,
            scale,
            roles,
            sums: Vec::new(),
            totals: Vec::new(),
            finished: Vec::new(),
            length: 16.0,
            means: vec![0.0; roles],
            fault: None,
            weigher: None,
        }
    }

    /// The same by an engine whose moves have weights.
    #[must_use]
    pub fn with_weigher(self, weigher: Weigher<B>) -> Self {
        Self {
            weigher: Some(weigher),
            ..self
        }
    }

    /// How many steps are made before new leaves are asked for: a small part of a playout, so that
    /// leaves are looked at soon.
    fn steps(&self) -> u32 {
        (self.length / 8.0).clamp(1.0, 64.0) as u32
    }
}

/// Adds up playouts, tag by tag.
struct Ledger<'a> {
    factors: &'a mut Vec<f64>,
    discount: f64,
    scale: Scale,
    sums: &'a mut [Sum],
    totals: &'a mut [f64],
    finished: &'a mut Vec<u32>,
    length: &'a mut f64,
    fault: &'a mut Option<Fault>,
}

impl Ledger<'_> {
    fn add(&mut self, playout: BatchPlayout<'_>) {
        let length = playout.playout.length as usize;
        while self.factors.len() <= length {
            let last = self.factors[self.factors.len() - 1];
            self.factors.push(last * self.discount);
        }
        let (factor, roles) = (self.factors[length], playout.goals.len());
        let tag = playout.tag as usize;
        let totals = &mut self.totals[tag * roles..(tag + 1) * roles];
        let finished = playout.playout.ending == Ending::Finished;
        if let Ending::Faulted(fault) = playout.playout.ending {
            self.fault.get_or_insert(fault);
        }
        for (total, goal) in totals.iter_mut().zip(playout.goals) {
            let value = match goal {
                Goal::One(value) if finished => self.scale.return_of(*value),
                _ => Scale::MIDDLE,
            };
            *total += factor * value;
        }
        *self.length += (length as f64 - *self.length) * (1.0 / 256.0);
        let sum = &mut self.sums[tag];
        sum.made += 1;
        sum.states += length as u64;
        sum.shortest = sum.shortest.min(length as u32);
        if sum.made == sum.wanted {
            self.finished.push(playout.tag);
        }
    }
}

impl<B> LeafPlayouts<B::State> for Streamed<B>
where
    B: BatchPlayouts + Send,
{
    fn submit(&mut self, from: &B::State, tag: u32, playouts: u32) {
        let index = tag as usize;
        if self.sums.len() <= index {
            self.sums.resize(index + 1, Sum::default());
            self.totals.resize((index + 1) * self.roles, 0.0);
        }
        self.sums[index] = Sum {
            wanted: playouts,
            shortest: u32::MAX,
            ..Sum::default()
        };
        self.totals[index * self.roles..(index + 1) * self.roles].fill(0.0);
        self.engine.submit(from, tag, playouts);
    }

    fn run(&mut self, done: &mut dyn FnMut(LeafValue<'_>)) {
        let steps = self.steps();
        let mut ledger = Ledger {
            factors: &mut self.factors,
            discount: self.discount,
            scale: self.scale,
            sums: &mut self.sums,
            totals: &mut self.totals,
            finished: &mut self.finished,
            length: &mut self.length,
            fault: &mut self.fault,
        };
        self.engine.run(steps, &mut |playout| ledger.add(playout));
        for tag in self.finished.drain(..) {
            let (index, sum) = (tag as usize, self.sums[tag as usize]);
            let totals = &self.totals[index * self.roles..(index + 1) * self.roles];
            for (mean, total) in self.means.iter_mut().zip(totals) {
                *mean = total / f64::from(sum.made);
            }
            done(LeafValue {
                tag,
                playouts: sum.made,
                states: sum.states,
                shortest: sum.shortest,
                means: &self.means,
            });
        }
    }

    fn room(&self) -> u32 {
        u64::from(self.wanted).saturating_sub(self.engine.open()) as u32
    }

    fn cancel(&mut self) {
        self.engine.cancel();
        self.fault = None;
    }

    fn weigh(&mut self, weight: &mut dyn FnMut(RoleId, MoveId) -> u32) {
        if let Some(weigher) = self.weigher {
            weigher(&mut self.engine, weight);
        }
    }

    fn fault(&self) -> Option<Fault> {
        self.fault
    }
}
