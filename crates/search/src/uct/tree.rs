//! The tree: states with what is known about every role's moves in them.
//!
//! Nodes and moves lie in flat storage and are named by numbers; everything that changes is an
//! atomic number, so that several threads search one tree without locks. A node is found by its
//! state's hash and its depth: states reached in different ways at the same depth are one node.
//! Where only one role has a choice, a move also remembers the node it leads to.
//!
//! The tree never takes more memory than it was given. When it is full, [`Tree::collect`] makes
//! room; until then simulations go on without adding to it.

mod collect;
mod outcomes;
mod store;

use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU32, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use paidia_game::{LegalMoves, MoveId, RoleId};
use rustc_hash::FxHashMap;

use outcomes::Outcomes;
use store::{CacheAligned, MemoryBudget, Store};

/// Threads see each other's statistics a little later; nothing hangs on their order.
const RELAXED: Ordering = Ordering::Relaxed;

/// A node's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

/// The number of what each role certainly gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct OutcomeId(u32);

/// A number that may be missing: stored as one more, so that zero is nothing.
#[derive(Debug, Default)]
struct Link(AtomicU32);

impl Link {
    #[inline]
    fn get(&self) -> Option<u32> {
        // What the number names was written before the number was.
        self.0.load(Ordering::Acquire).checked_sub(1)
    }

    fn set(&self, number: Option<u32>) {
        self.0
            .store(number.map_or(0, |number| number + 1), Ordering::Release);
    }
}

/// A move of a role in a state, with its statistics.
#[derive(Debug, Default)]
pub(crate) struct Arm {
    id: AtomicU32,
    visits: AtomicU32,
    /// The sum of returns, in units of [`UNIT`].
    total: AtomicI64,
    /// What the move certainly leads to.
    outcome: Link,
    /// The node it leads to, where it alone settles that.
    child: Link,
}

/// Returns are added up as whole numbers of this part of a goal, so that threads can add at the
/// same time.
const UNIT: f64 = 1.0 / (1 << 20) as f64;

impl Arm {
    /// The move.
    #[inline]
    pub(crate) fn id(&self) -> MoveId {
        MoveId(self.id.load(RELAXED))
    }

    /// How often it was tried.
    #[inline]
    pub(crate) fn visits(&self) -> u32 {
        self.visits.load(RELAXED)
    }

    /// Whether it is certain what comes of it.
    #[inline]
    pub(crate) fn is_proven(&self) -> bool {
        self.outcome.get().is_some()
    }

    /// The sum of returns.
    #[inline]
    pub(crate) fn total(&self) -> f64 {
        self.total.load(RELAXED) as f64 * UNIT
    }

    /// Counts a try with its return, where only one thread searches.
    pub(crate) fn add(&self, value: f64) {
        self.visits.store(self.visits() + 1, RELAXED);
        let total = self.total.load(RELAXED) + units(value);
        self.total.store(total, RELAXED);
    }

    /// Makes it a move of which nothing is known.
    fn restart(&self, id: MoveId) {
        self.id.store(id.0, RELAXED);
        self.visits.store(0, RELAXED);
        self.total.store(0, RELAXED);
        self.outcome.set(None);
        self.child.set(None);
    }

    #[cfg(test)]
    pub(crate) fn with(id: MoveId, visits: u32, mean: f64) -> Self {
        let arm = Self::default();
        arm.id.store(id.0, RELAXED);
        arm.visits.store(visits, RELAXED);
        arm.total
            .store((mean * f64::from(visits) / UNIT) as i64, RELAXED);
        arm
    }
}

/// All of a node that a simulation looks at on its way is in one line of the cache, and hardly ever
/// written.
#[derive(Debug, Default)]
#[repr(align(64))]
struct Node {
    key: AtomicU64,
    depth: AtomicU32,
    /// Where the moves of role 0 start; those of the other roles follow.
    first_arm: AtomicU32,
    /// Where the moves of the first roles end.
    ends: [AtomicU32; NEAR_ROLES],
    /// Where it says where the moves of the other roles end.
    far_ends: AtomicU32,
    /// What certainly comes of the state.
    outcome: Link,
    /// The place of the choosing role's move with the best certain outcome so far.
    best_proven: Link,
    /// The only role with a choice, or [`SEVERAL`], or [`TERMINAL`].
    mover: AtomicU32,
    /// A playout ended the game from here with one move, which was not yet searched for.
    alarm: AtomicBool,
}

/// Roles of which a node itself says where their moves end.
const NEAR_ROLES: usize = 6;

const SEVERAL: u32 = u32::MAX;
const TERMINAL: u32 = u32::MAX - 1;

/// What is kept of each move of a state besides its statistics. It follows the moves of all roles,
/// in rows as long as these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Besides {
    /// What came of it wherever it was made later.
    pub(super) records: bool,
    /// Advice about it, in the last row.
    pub(super) advice: bool,
}

impl Besides {
    /// How many rows there are, with that of the moves.
    fn rows(self) -> usize {
        1 + usize::from(self.records) + usize::from(self.advice)
    }
}

/// Bytes of a node in the index, at its emptiest.
const INDEX_BYTES: usize = 40;

/// The most moves of a state, as a power of two, with all that is kept of them.
const MOST_ARM_BITS: u32 = 24;

/// Parts of the index, each with a lock of its own.
const SHARDS: usize = 64;

/// A part of the index: nodes by key and depth.
type Shard = CacheAligned<Mutex<FxHashMap<(u64, u32), u32>>>;

/// States with what is known about every role's moves in them.
#[derive(Debug)]
pub(super) struct Tree {
    roles: usize,
    /// What is kept of each move of a state besides its statistics.
    besides: Besides,
    /// Several threads use it.
    is_shared: bool,
    budget: MemoryBudget,
    nodes: Store<Node>,
    arms: Store<Arm>,
    /// For each node that is not terminal, where the moves of all roles after the first few end.
    far_ends: Store<AtomicU32>,
    outcomes: Outcomes,
    index: Box<[Shard]>,
    /// Something was not added because there was no room.
    full: AtomicBool,
    /// Nothing is added any more.
    closed: AtomicBool,
}

impl Tree {
    /// A tree for states in which all roles together have at most this number of moves; others are
    /// not added.
    ///
    /// With `has_records` there is also a record for each of them, of what came of it wherever it
    /// was made later.
    #[cfg(test)]
    pub(super) fn new(roles: usize, moves: usize, memory: usize, has_records: bool) -> Self {
        let besides = Besides {
            records: has_records,
            advice: false,
        };
        Self::with(roles, moves, memory, besides)
    }

    /// The same, with what is to be kept of each move besides its statistics.
    pub(super) fn with(roles: usize, moves: usize, memory: usize, besides: Besides) -> Self {
        let budget = MemoryBudget::new(memory);
        let moves = moves * besides.rows();
        // Pieces are small against the limit, and large against what is done once a piece. The
        // moves of a state are in one.
        let usual = (memory / (64 * size_of::<Arm>())).clamp(64, 1 << 14);
        let bits = usual
            .max(moves)
            .min(1 << MOST_ARM_BITS)
            .next_power_of_two()
            .ilog2();
        Self {
            nodes: Store::new(usual.ilog2() - 2, size_of::<Node>() + INDEX_BYTES, &budget),
            arms: Store::new(bits, size_of::<Arm>(), &budget),
            far_ends: Store::new(usual.ilog2() - 2, size_of::<AtomicU32>(), &budget),
            outcomes: Outcomes::new(roles),
            index: (0..SHARDS).map(|_| Shard::default()).collect(),
            full: AtomicBool::new(false),
            closed: AtomicBool::new(false),
            budget,
            is_shared: false,
            besides,
            roles,
        }
    }

    /// An empty tree of the same kind, whose states may have this number of moves, if its memory is
    /// enough for one such state.
    pub(super) fn for_more_moves(&self, moves: usize) -> Option<Self> {
        let arms = (moves * self.besides.rows()).next_power_of_two();
        let fits = arms <= 1 << MOST_ARM_BITS && arms * size_of::<Arm>() <= self.budget.limit();
        fits.then(|| Self::with(self.roles, moves, self.budget.limit(), self.besides))
    }

    /// Says whether several threads are going to use it at a time.
    pub(super) fn set_shared(&mut self, is_shared: bool) {
        self.is_shared = is_shared;
    }

    pub(super) fn clear(&mut self) {
        self.truncate(0, 0, 0);
        for shard in &mut self.index {
            *shard.0.get_mut().unwrap_or_else(PoisonError::into_inner) = FxHashMap::default();
        }
    }

    fn truncate(&mut self, nodes: usize, arms: usize, far_ends: usize) {
        self.nodes.truncate(nodes, &self.budget);
        self.arms.truncate(arms, &self.budget);
        self.far_ends.truncate(far_ends, &self.budget);
        *self.full.get_mut() = false;
        *self.closed.get_mut() = false;
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes set aside.
    pub(super) fn memory(&self) -> usize {
        self.budget.spent()
    }

    /// From now on nothing is added, and the tree is not reported as full.
    pub(super) fn stop_growing(&self) {
        self.closed.store(true, RELAXED);
    }

    /// Whether something was not added because there was no room.
    pub(super) fn is_full(&self) -> bool {
        self.full.load(RELAXED) && !self.closed.load(RELAXED)
    }

    fn shard(&self, hash: u64) -> &Shard {
        &self.index[hash as usize % SHARDS]
    }

    #[inline]
    pub(super) fn find(&self, hash: u64, depth: u32) -> Option<NodeId> {
        let shard = self.shard(hash);
        let shard = shard.0.lock().unwrap_or_else(PoisonError::into_inner);
        shard.get(&(hash, depth)).map(|&number| NodeId(number))
    }

    /// Adds a state in which the roles have these moves; `None` if there is no room.
    pub(super) fn add(&self, hash: u64, depth: u32, legal: &LegalMoves) -> Option<NodeId> {
        let count: usize = legal.iter().map(|(_, moves)| moves.len()).sum();
        let (first_arm, far_ends) = self.room_for(count * self.besides.rows())?;
        let id = self.new_node(hash, depth)?;
        let node = self.node(id);
        node.first_arm.store(first_arm, RELAXED);
        node.far_ends.store(far_ends, RELAXED);
        node.mover.store(only_chooser(legal), RELAXED);
        let mut next = first_arm;
        for (role, moves) in legal.iter() {
            for &id in moves {
                self.arms.get(next).restart(id);
                next += 1;
            }
            self.end(node, role).store(next, RELAXED);
        }
        if self.besides.records {
            let records = next..next + count as u32;
            records.for_each(|record| self.arms.get(record).restart(MoveId(0)));
        }
        if self.besides.advice {
            self.forget_advice(
                first_arm + (count * (self.besides.rows() - 1)) as u32,
                legal,
            );
        }
        Some(self.publish(id))
    }

    /// Adds a state in which the game is over with these results; `None` if there is no room.
    pub(super) fn add_end(&self, hash: u64, depth: u32, results: &[i32]) -> Option<NodeId> {
        let outcome = self.outcomes.number(results)?;
        let id = self.new_node(hash, depth)?;
        let node = self.node(id);
        node.mover.store(TERMINAL, RELAXED);
        node.outcome.set(Some(outcome.0));
        Some(self.publish(id))
    }

    fn new_node(&self, hash: u64, depth: u32) -> Option<NodeId> {
        let number = self.or_full(self.nodes.take(1, &self.budget))?;
        let node = self.nodes.get(number);
        node.key.store(hash, RELAXED);
        node.depth.store(depth, RELAXED);
        node.outcome.set(None);
        node.best_proven.set(None);
        node.alarm.store(false, RELAXED);
        Some(NodeId(number))
    }

    /// Room for this number of moves, and for their ends.
    fn room_for(&self, arms: usize) -> Option<(u32, u32)> {
        if self.is_full() || self.closed.load(RELAXED) {
            return None;
        }
        let first_arm = self.or_full(self.arms.take(arms, &self.budget))?;
        let far_roles = self.roles.saturating_sub(NEAR_ROLES);
        let far_ends = self.or_full(self.far_ends.take(far_roles, &self.budget))?;
        Some((first_arm, far_ends))
    }

    fn or_full(&self, taken: Option<u32>) -> Option<u32> {
        if taken.is_none() {
            self.full.store(true, RELAXED);
        }
        taken
    }

    /// Lets others find a node; the node itself, or the one that another thread made of the same
    /// state meanwhile.
    fn publish(&self, id: NodeId) -> NodeId {
        let node = self.node(id);
        let (key, depth) = (node.key.load(RELAXED), node.depth.load(RELAXED));
        let shard = self.shard(key);
        let mut shard = shard.0.lock().unwrap_or_else(PoisonError::into_inner);
        NodeId(*shard.entry((key, depth)).or_insert(id.0))
    }

    #[inline]
    fn node(&self, id: NodeId) -> &Node {
        self.nodes.get(id.0)
    }

    /// Where the moves of a role start and end.
    #[inline(always)]
    fn bounds(&self, node: NodeId, role: RoleId) -> (u32, u32) {
        let node = self.node(node);
        if node.mover.load(RELAXED) == TERMINAL {
            return (0, 0);
        }
        let start = match role.0 {
            0 => node.first_arm.load(RELAXED),
            number => self.end(node, RoleId(number - 1)).load(RELAXED),
        };
        (start, self.end(node, role).load(RELAXED))
    }

    /// Where it says where the moves of a role end.
    #[inline]
    fn end<'a>(&'a self, node: &'a Node, role: RoleId) -> &'a AtomicU32 {
        match node.ends.get(role.index()) {
            Some(end) => end,
            None => {
                let far = node.far_ends.load(RELAXED) + u32::from(role.0) - NEAR_ROLES as u32;
                self.far_ends.get(far)
            }
        }
    }

    /// The moves of a role in a state.
    #[inline]
    pub(super) fn arms(&self, node: NodeId, role: RoleId) -> &[Arm] {
        let (start, end) = self.bounds(node, role);
        self.arms.row(start, end)
    }

    /// How often a state was visited, by the role that has been counted most often.
    pub(super) fn visits(&self, node: NodeId) -> u64 {
        let roles = (0..self.roles as u16).map(RoleId);
        let of_role = |role| -> u64 {
            let arms = self.arms(node, role).iter();
            arms.map(|arm| u64::from(arm.visits())).sum()
        };
        roles.map(of_role).max().unwrap_or(0)
    }

    /// For each role its moves in a state that is not terminal, and whether it is counted what it
    /// chooses there; looked up once for all.
    #[inline]
    pub(super) fn rows(&self, node: NodeId) -> impl Iterator<Item = (RoleId, &[Arm], bool)> {
        let node = self.node(node);
        let mover = node.mover.load(RELAXED);
        let roles = 0..self.roles as u16;
        let last = roles.end.checked_sub(1);
        let first = node.first_arm.load(RELAXED);
        let end = last.map_or(first, |last| self.end(node, RoleId(last)).load(RELAXED));
        let all = self.arms.row(first, end);
        let mut start = 0;
        roles.map(RoleId).map(move |role| {
            let end = (self.end(node, role).load(RELAXED) - first) as usize;
            let arms = &all[start..end];
            start = end;
            let counts = match mover {
                SEVERAL => arms.len() > 1,
                mover => mover == u32::from(role.0),
            };
            (role, arms, counts)
        })
    }

    /// For each move of a role in a state, what came of it wherever it was made later; nothing in
    /// trees without records.
    pub(super) fn records(&self, node: NodeId, role: RoleId) -> &[Arm] {
        match self.besides.records {
            true => self.extra_row(node, role, 1),
            false => &[],
        }
    }

    /// For each move of a role in a state advice about it, as the total of an arm, if the first has
    /// a visit; nothing in trees without advice.
    #[inline]
    pub(super) fn advice(&self, node: NodeId, role: RoleId) -> &[Arm] {
        match self.besides.advice {
            true => self.extra_row(node, role, self.besides.rows() - 1),
            false => &[],
        }
    }

    /// Makes a row that starts at an arm one without advice: the visits of a role's first move
    /// tell.
    fn forget_advice(&self, row: u32, legal: &LegalMoves) {
        let mut first = row;
        for (_, moves) in legal.iter() {
            if !moves.is_empty() {
                self.arms.get(first).visits.store(0, RELAXED);
            }
            first += moves.len() as u32;
        }
    }

    /// Notes advice about the moves of a role in a state.
    pub(super) fn advise(&self, node: NodeId, role: RoleId, values: &[f64]) {
        let row = self.advice(node, role);
        for (advice, &value) in row.iter().zip(values) {
            advice.total.store(units(value), RELAXED);
        }
        if let Some(first) = row.first() {
            first.visits.store(1, RELAXED);
        }
    }

    /// What one of the rows after the moves of a state has for the moves of a role.
    fn extra_row(&self, node: NodeId, role: RoleId, row: usize) -> &[Arm] {
        let (start, end) = self.bounds(node, role);
        if start == end {
            return &[];
        }
        let (first, _) = self.bounds(node, RoleId(0));
        let (_, last) = self.bounds(node, RoleId(self.roles as u16 - 1));
        let distance = (last - first) * row as u32;
        self.arms.row(start + distance, end + distance)
    }

    /// Adds a return to a record.
    pub(super) fn note(&self, record: &Arm, value: f64) {
        self.add_one(&record.visits);
        self.add_units(&record.total, units(value));
    }

    /// How many moves a role has in a state.
    #[inline]
    pub(super) fn count(&self, node: NodeId, role: RoleId) -> usize {
        let (start, end) = self.bounds(node, role);
        (end - start) as usize
    }

    /// A move of a role in a state, by its place.
    #[inline]
    pub(super) fn arm(&self, node: NodeId, role: RoleId, place: usize) -> &Arm {
        let (start, _) = self.bounds(node, role);
        self.arms.get(start + place as u32)
    }

    #[inline]
    pub(super) fn depth(&self, node: NodeId) -> u32 {
        self.node(node).depth.load(RELAXED)
    }

    /// How often moves were chosen in a state.
    fn choices(&self, node: NodeId) -> u32 {
        let mut roles = (0..self.roles as u16).map(RoleId);
        let role = roles.find(|&role| self.counts(node, role));
        role.map_or(0, |role| tried(self.arms(node, role)))
    }

    /// Whether it is counted what a role chooses in a state: where it has a choice, and for one
    /// role where none has.
    #[inline]
    pub(super) fn counts(&self, node: NodeId, role: RoleId) -> bool {
        match self.node(node).mover.load(RELAXED) {
            SEVERAL => self.count(node, role) > 1,
            mover => mover == u32::from(role.0),
        }
    }

    #[inline]
    pub(super) fn is_terminal(&self, node: NodeId) -> bool {
        self.node(node).mover.load(RELAXED) == TERMINAL
    }

    /// The only role with a choice in a state; role 0 if none has one, `None` if several have.
    #[inline]
    pub(super) fn mover(&self, node: NodeId) -> Option<RoleId> {
        let mover = self.node(node).mover.load(RELAXED);
        u16::try_from(mover).ok().map(RoleId)
    }

    /// Counts that a move was chosen, with a first guess at its return.
    #[inline]
    pub(super) fn try_arm(&self, arm: &Arm, guess: f64) {
        self.add_one(&arm.visits);
        if guess != 0.0 {
            self.add_units(&arm.total, units(guess));
        }
    }

    /// Puts the return of a move in the place of the guess.
    #[inline]
    pub(super) fn settle_arm(&self, arm: &Arm, guess: f64, value: f64) {
        self.add_units(&arm.total, units(value) - units(guess));
    }

    /// Takes back that a move was chosen.
    pub(super) fn untry_arm(&self, arm: &Arm, guess: f64) {
        arm.visits.fetch_sub(1, RELAXED);
        arm.total.fetch_sub(units(guess), RELAXED);
    }

    #[inline]
    fn add_one(&self, number: &AtomicU32) {
        if self.is_shared {
            number.fetch_add(1, RELAXED);
        } else {
            // No other thread writes in between, so that this is the same, and quicker.
            number.store(number.load(RELAXED) + 1, RELAXED);
        }
    }

    #[inline]
    fn add_units(&self, number: &AtomicI64, units: i64) {
        if self.is_shared {
            number.fetch_add(units, RELAXED);
        } else {
            number.store(number.load(RELAXED) + units, RELAXED);
        }
    }

    /// The node that a move of the only role with a choice leads to, once that is known.
    #[inline]
    pub(super) fn child(&self, node: NodeId, role: RoleId, place: usize) -> Option<NodeId> {
        self.arm(node, role, place).child.get().map(NodeId)
    }

    /// Notes where a move of the only role with a choice leads to.
    pub(super) fn set_child(&self, node: NodeId, role: RoleId, place: usize, child: NodeId) {
        self.arm(node, role, place).child.set(Some(child.0));
    }

    /// Notes that a move was seen to end the game in a state.
    pub(super) fn raise_alarm(&self, node: NodeId) {
        self.node(node).alarm.store(true, RELAXED);
    }

    /// Whether a move was seen to end the game in a state; told once.
    #[inline]
    pub(super) fn take_alarm(&self, node: NodeId) -> bool {
        let alarm = &self.node(node).alarm;
        alarm.load(RELAXED) && alarm.swap(false, RELAXED)
    }

    /// The number of what each role gets; `None` if there are too many different ones.
    pub(super) fn outcome_of(&self, results: &[i32]) -> Option<OutcomeId> {
        self.outcomes.number(results)
    }

    /// What certainly comes of a state.
    #[inline]
    pub(super) fn outcome(&self, node: NodeId) -> Option<OutcomeId> {
        self.node(node).outcome.get().map(OutcomeId)
    }

    /// For each role its certain result, if the node is solved.
    pub(super) fn proof(&self, node: NodeId) -> Option<Vec<i32>> {
        self.outcome(node).map(|outcome| self.results(outcome))
    }

    /// What each role gets.
    pub(super) fn results(&self, outcome: OutcomeId) -> Vec<i32> {
        let roles = 0..self.roles as u16;
        roles
            .map(|role| self.outcomes.result(outcome, RoleId(role)))
            .collect()
    }

    /// What a role gets.
    #[inline]
    pub(super) fn result(&self, outcome: OutcomeId, role: RoleId) -> i32 {
        self.outcomes.result(outcome, role)
    }

    /// What certainly comes of a move, if the move alone settles it.
    #[inline]
    pub(super) fn arm_outcome(
        &self,
        node: NodeId,
        role: RoleId,
        place: usize,
    ) -> Option<OutcomeId> {
        self.arm(node, role, place).outcome.get().map(OutcomeId)
    }

    /// The move with the best certain outcome for the only role with a choice.
    #[inline]
    pub(super) fn best_proven(&self, node: NodeId) -> Option<usize> {
        self.node(node)
            .best_proven
            .get()
            .map(|place| place as usize)
    }

    /// Notes what certainly comes of a move of the only role with a choice.
    pub(super) fn prove_arm(&self, node: NodeId, role: RoleId, place: usize, outcome: OutcomeId) {
        self.arm(node, role, place).outcome.set(Some(outcome.0));
        let result = |place| {
            let outcome = self.arm_outcome(node, role, place);
            outcome.map(|outcome| self.result(outcome, role))
        };
        let best = self.best_proven(node);
        if best.is_none_or(|best| result(place) > result(best)) {
            self.node(node).best_proven.set(Some(place as u32));
        }
    }

    /// Notes what certainly comes of a state.
    pub(super) fn prove(&self, node: NodeId, outcome: OutcomeId) {
        self.node(node).outcome.set(Some(outcome.0));
    }
}

/// How often the moves of a role were chosen in a state. This is added up each time, because a
/// number that every simulation wrote would have to travel from one thread's cache to another's,
/// and all else that is known of the state with it.
#[inline]
pub(super) fn tried(arms: &[Arm]) -> u32 {
    arms.iter().map(Arm::visits).sum()
}

/// A return in whole units.
fn units(value: f64) -> i64 {
    (value / UNIT) as i64
}

/// The only role with a choice; role 0 if none has one.
fn only_chooser(legal: &LegalMoves) -> u32 {
    let mut choosing = legal
        .iter()
        .filter(|(_, moves)| moves.len() > 1)
        .map(|(role, _)| u32::from(role.0));
    let first = choosing.next().unwrap_or(0);
    choosing.next().map_or(first, |_| SEVERAL)
}
