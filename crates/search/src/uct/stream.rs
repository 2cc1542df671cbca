//! Simulations whose playouts are made elsewhere: leaves are handed over, and values come back
//! later.

use paidia_game::{Fault, Game, Walker};

use super::explore::{Explorer, Leaf, Search, Way};
use super::tree::NodeId;
use crate::budget::Meter;
use crate::costs::{Part, Stopwatch, Unwatched, Watch};
use crate::evaluation::difference;
use crate::leaves::LeafPlayouts;

/// The simulations that wait for their playouts, by tag.
pub(super) struct Waiting<State> {
    ways: Vec<Option<Way>>,
    free: Vec<u32>,
    state: State,
    /// Leaves that came back, and the returns of all roles, one after the other.
    done: Vec<Done>,
    means: Vec<f64>,
    /// Leaves that came back since the search began, and when moves are weighed again.
    returned: u64,
    weighed_at: u64,
}

/// Leaves that come back before moves are weighed again, at least, and as a part of all.
const LEAST_BEFORE_WEIGHING: u64 = 128;
const PART_BEFORE_WEIGHING: u64 = 8;

/// A leaf that came back.
struct Done {
    tag: u32,
    playouts: u32,
    states: u64,
    shortest: u32,
}

impl<State> Waiting<State> {
    /// Nothing waits. The state is scratch memory.
    pub(super) fn new(state: State) -> Self {
        Self {
            ways: Vec::new(),
            free: Vec::new(),
            state,
            done: Vec::new(),
            means: Vec::new(),
            returned: 0,
            weighed_at: 0,
        }
    }

    /// How many simulations wait.
    fn open(&self) -> u64 {
        (self.ways.len() - self.free.len()) as u64
    }

    fn keep(&mut self, way: Way) -> u32 {
        match self.free.pop() {
            Some(tag) => {
                self.ways[tag as usize] = Some(way);
                tag
            }
            None => {
                self.ways.push(Some(way));
                (self.ways.len() - 1) as u32
            }
        }
    }

    fn take(&mut self, tag: u32) -> Option<Way> {
        let way = self.ways.get_mut(tag as usize)?.take()?;
        self.free.push(tag);
        Some(way)
    }
}

/// Ways to solved states that are backed up before playouts are made again. A tree that is nearly
/// solved has little else.
const MOST_KNOWN: u32 = 1_000;

impl<G: Game> Explorer<G> {
    /// Hands over leaves until there are enough, works on them, and backs up what came of them; now
    /// and then watched.
    pub(super) fn stream(
        &mut self,
        search: &Search<'_, G>,
        waiting: &mut Waiting<G::State>,
        leaves: &mut dyn LeafPlayouts<G::State>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Fault> {
        if !self.sampler.is_due() {
            self.stream_watched(search, waiting, leaves, meter, &mut Unwatched)?;
            self.sampler.add_unwatched();
            return Ok(());
        }
        let mut watch = Stopwatch::start();
        self.stream_watched(search, waiting, leaves, meter, &mut watch)?;
        self.sampler.add(&watch);
        Ok(())
    }

    fn stream_watched<W: Watch>(
        &mut self,
        search: &Search<'_, G>,
        waiting: &mut Waiting<G::State>,
        leaves: &mut dyn LeafPlayouts<G::State>,
        meter: &mut Meter<'_>,
        watch: &mut W,
    ) -> Result<(), Fault> {
        if let Some(temperature) = search.settings.weights
            && waiting.returned >= waiting.weighed_at
        {
            let step = LEAST_BEFORE_WEIGHING.max(waiting.returned / PART_BEFORE_WEIGHING);
            waiting.weighed_at = waiting.returned + step;
            let leads = &self.leads;
            leaves.weigh(&mut |role, id| leads.weight(role, id, temperature));
        }
        let playouts = search.settings.leaves.playouts();
        let mut known = 0;
        while leaves.room() > 0 && known < MOST_KNOWN && meter.has_room_for(waiting.open() + 1) {
            let mut way = self.spare.pop().unwrap_or_default();
            match self.descend(search, &mut way, meter, watch) {
                Leaf::Known(node, outcome) => {
                    self.set_certain_returns(search, outcome);
                    self.back_up(search, &way, watch);
                    search.back_up_proofs(&way, node);
                    watch.lap(Part::Backup);
                    self.spare.push(way);
                    meter.simulations += 1;
                    known += 1;
                }
                Leaf::Open(node) => {
                    self.walker.save(&mut waiting.state);
                    way.leaf = node;
                    let judge = self.judge.as_mut();
                    way.lead = judge.map(|judge| difference(judge.judge(&waiting.state).0));
                    let tag = waiting.keep(way);
                    leaves.submit(&waiting.state, tag, playouts);
                }
            }
            if let Some(fault) = self.walker.fault() {
                return Err(*fault);
            }
            if meter.reached().is_some() || search.is_settled() {
                return Ok(());
            }
        }
        waiting.done.clear();
        waiting.means.clear();
        leaves.run(&mut |value| {
            waiting.done.push(Done {
                tag: value.tag,
                playouts: value.playouts,
                states: value.states,
                shortest: value.shortest,
            });
            waiting.means.extend_from_slice(value.means);
        });
        watch.lap(Part::Engine);
        if let Some(fault) = leaves.fault() {
            return Err(fault);
        }
        let (done, means) = (
            std::mem::take(&mut waiting.done),
            std::mem::take(&mut waiting.means),
        );
        waiting.returned += done.len() as u64;
        let roles = search.facts.roles.len();
        for (leaf, means) in done.iter().zip(means.chunks(roles)) {
            let Some(way) = waiting.take(leaf.tag) else {
                continue;
            };
            if let Some(node) = way.leaf.filter(|_| leaf.shortest == 1) {
                search.tree.raise_alarm(node);
            }
            self.returns.clear();
            self.returns.extend_from_slice(means);
            search.as_returns(&mut self.returns);
            if let Some(lead) = way.lead {
                search.count_in(lead, &mut self.returns);
            }
            self.back_up(search, &way, watch);
            self.spare.push(way);
            meter.simulations += 1;
            meter.playouts += u64::from(leaf.playouts);
            meter.states += leaf.states;
        }
        (waiting.done, waiting.means) = (done, means);
        watch.lap(Part::Backup);
        Ok(())
    }

    /// Takes everything back that still waits.
    pub(super) fn give_up(
        &mut self,
        search: &Search<'_, G>,
        waiting: &mut Waiting<G::State>,
        leaves: &mut dyn LeafPlayouts<G::State>,
    ) {
        leaves.cancel();
        for tag in 0..waiting.ways.len() as u32 {
            if let Some(way) = waiting.take(tag) {
                search.take_back(&way);
                self.spare.push(way);
            }
        }
    }
}

impl<G: Game> Search<'_, G> {
    /// Whether it is certain what comes of the root.
    pub(super) fn is_settled(&self) -> bool {
        self.settings.proofs && self.tree.outcome(self.root).is_some()
    }

    /// Takes a simulation back whose return will never be known.
    fn take_back(&self, way: &Way) {
        let roles = self.facts.roles.len();
        for (&node, places) in way.nodes.iter().zip(way.places.chunks(roles)) {
            self.take_back_move(node, places);
        }
    }

    fn take_back_move(&self, node: NodeId, places: &[u32]) {
        for (role, &place) in self.facts.role_ids().zip(places) {
            if self.tree.counts(node, role) {
                let arm = self.tree.arm(node, role, place as usize);
                self.tree.untry_arm(arm, self.guess);
            }
        }
    }
}
