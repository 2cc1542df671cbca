//! Monte Carlo tree search for any number of roles (UCT), in the design of CADIA-Player.
//!
//! In every simulation each role chooses by its own statistics, on its own returns, and all roles
//! share the simulations: moves made at the same time, and any number of players, need nothing
//! special ("decoupled" UCT). A simulation walks down the tree, adds the first state that it does
//! not know, plays to the end, and updates what it passed.
//!
//! The parts that papers vary are parts here, too: [`select`] is how a move is chosen in the tree,
//! [`policy`] how playouts choose, [`Returns`] and the discount what is backed up, [`Choice`] which
//! move is made in the end. Beyond the thesis, values that are certain are backed up as proofs,
//! playouts may be made by a [`LeafSource`] or a [crew of threads](crate::leaves::crew) from many
//! leaves at once, and several threads may search, on one tree or each on its own.

pub mod advice;
mod backup;
mod choose;
mod explore;
mod extras;
pub mod history;
mod playout;
pub mod policy;
pub mod rave;
mod report;
pub mod select;
mod settings;
mod stream;
pub mod sufficiency;
pub(crate) mod tree;
mod trial;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use paidia_game::{Chance, Game, GameFacts, MoveId, RoleId, Walker};

use crate::budget::{Budget, Meter, StopReason};
use crate::evaluation::{Evaluation, Judge, Pupil};
use crate::leaves::{LeafOptions, LeafSource};
use crate::player::{Decision, Informed, cannot_go_on, in_slices, without_choice};
use crate::report::Report;
use crate::scale::{Scale, pair};
pub use advice::Advised;
use explore::{Explorer, Search, add_node};
use extras::Extras;
pub use history::History;
pub use policy::Draw;
pub use rave::{Rave, RaveUse};
pub use select::Selection;
pub use settings::{Choice, Leaves, Lookahead, Parallel, Playouts, Returns, Settings};
use stream::Waiting;
pub use sufficiency::{Reading, Sufficiency};
use tree::{Besides, NodeId, Tree};

/// A player that searches with UCT.
pub struct Uct<G: Game> {
    game: G,
    role: RoleId,
    settings: Settings,
    seed: u64,
    walker: G::Walker,
    /// One tree for all threads, or one for each.
    trees: Vec<Tree>,
    explorers: Vec<Explorer<G>>,
    /// How deep the last search started, and the hash of its state.
    depth: u32,
    state: Option<u64>,
    /// Whether both ways to make playouts were tried.
    was_tried: bool,
    /// Simulations that the trees had of the last searched state before.
    known: u64,
    /// Who has the evaluation learnt, if it counts.
    pupil: Option<Pupil<G>>,
}

impl<G: Game> Uct<G> {
    /// A player for a role.
    pub fn new(game: &G, role: RoleId, settings: Settings, seed: u64) -> Self {
        let crew = match settings.leaves {
            Leaves::Crewed { playouts, crew } if settings.has_plain_playouts() => {
                Some((crew, playouts))
            }
            _ => None,
        };
        let threads = match settings.threads {
            Some(threads) => threads.max(1),
            None if crew.is_some() => 1,
            None => processors(),
        };
        let mut chance = Chance::from_seed(seed);
        let mut explorers: Vec<_> = (0..threads)
            .map(|_| Explorer::new(game, &settings, chance.split()))
            .collect();
        if let Some((crew, playouts)) = crew {
            for (stream, explorer) in (0..).zip(&mut explorers) {
                let options = leaf_options(&settings, seed, stream);
                explorer.leaves = Some(crew.open(game, playouts, options));
            }
        }
        Self {
            walker: game.walker(),
            trees: new_trees(game, &settings, threads, false),
            explorers,
            game: game.clone(),
            depth: 0,
            state: None,
            was_tried: false,
            known: 0,
            pupil: None,
            role,
            settings,
            seed,
        }
    }

    /// The same player with a source of playouts from many leaves at once; used if the settings say
    /// so.
    ///
    /// This may take a while, since an engine may be compiled for it, so do it before a clock runs.
    #[must_use]
    pub fn with_leaves(mut self, source: &LeafSource<G::State>) -> Self {
        let wanted = matches!(self.settings.leaves, Leaves::Batched { .. })
            && self.settings.has_plain_playouts();
        if wanted {
            for (stream, explorer) in (0..).zip(&mut self.explorers) {
                let options = leaf_options(&self.settings, self.seed, stream);
                explorer.leaves = Some(source(options));
            }
        }
        self
    }

    /// The same player with an evaluation, which is used if the settings say so and the game has
    /// one.
    #[must_use]
    pub fn with_evaluation(self, pupil: Pupil<G>) -> Self {
        let pupil = self.settings.evaluation.map(|_| pupil);
        Self { pupil, ..self }
    }

    /// Has an evaluation learnt in a part of a start clock, if one counts.
    fn learn(&mut self, state: &G::State, budget: &mut Budget, interrupt: &AtomicBool) {
        if let Some(pupil) = &self.pupil {
            let learnt = pupil.prepare(state, budget, LEARNING, interrupt);
            self.take_evaluation(learnt);
        }
    }

    /// Lets the evaluation judge leaves.
    fn take_evaluation(&mut self, learnt: Option<Arc<Evaluation>>) {
        let Some(learnt) = learnt else { return };
        for explorer in &mut self.explorers {
            if explorer.judge.is_none() {
                explorer.judge = Judge::new(&self.game, Arc::clone(&learnt));
            }
        }
    }

    /// How many states the trees hold.
    pub fn nodes(&self) -> usize {
        self.trees.iter().map(Tree::len).sum()
    }

    /// How much memory the trees take, in bytes.
    pub fn memory(&self) -> usize {
        self.trees.iter().map(Tree::memory).sum()
    }

    /// Searches from a state until the budget is spent or the state is solved.
    pub fn search(&mut self, state: &G::State, budget: Budget) -> Report {
        let never = AtomicBool::new(false);
        self.search_until(state, budget, &never)
    }

    /// Searches from a state until the budget is spent, the state is solved, or the search is
    /// interrupted.
    pub fn search_until(
        &mut self,
        state: &G::State,
        budget: Budget,
        interrupt: &AtomicBool,
    ) -> Report {
        let mut meter = Meter::until(budget, interrupt);
        let mut roots = match self.plant(state) {
            Ok(roots) => roots,
            Err(stopped) => return self.report_unsearched(&meter, stopped),
        };
        let planted = self.trees.iter().zip(&roots);
        self.known = planted.map(|(tree, &root)| tree.visits(root)).sum();
        self.explorers
            .iter_mut()
            .for_each(|explorer| explorer.sampler.restart());
        // The moves that are to be chosen from are looked at first.
        for (tree, &root) in self.trees.iter().zip(&roots) {
            tree.raise_alarm(root);
        }
        let mut before = 0;
        let stopped = loop {
            let reason = self.run(state, &roots, &mut meter);
            let Some(reason) = reason else {
                // The trees are full. If hardly anything was done since they were made smaller,
                // they stay as they are.
                let may_grow = meter.simulations > before + LEAST_BETWEEN_COLLECTIONS;
                before = meter.simulations;
                for (tree, root) in self.trees.iter_mut().zip(&mut roots) {
                    *root = tree.collect(*root);
                }
                if !may_grow {
                    self.trees.iter().for_each(Tree::stop_growing);
                }
                continue;
            };
            break reason;
        };
        self.report(state, &roots, &meter, stopped)
    }

    /// The node of a state in every tree; what lies before it is forgotten.
    ///
    /// # Errors
    /// Why there is nothing to search: no joint move can be made, or a tree cannot hold the moves.
    fn plant(&mut self, state: &G::State) -> Result<Vec<NodeId>, StopReason> {
        self.walker.jump(state);
        let stopped = cannot_go_on(&mut self.walker);
        if let Some(stopped) = stopped.filter(|_| !self.is_plain_end()) {
            return Err(stopped);
        }
        let hash = self.walker.hash64();
        let first = &self.trees[0];
        let known = (self.depth..self.depth + LONGEST_GAP)
            .find(|&depth| first.find(hash, depth).is_some())
            .filter(|_| self.settings.keep_tree);
        self.let_memory_fade(hash, known);
        self.depth = known.unwrap_or(0);
        let (facts, walker, depth) = (self.game.facts(), &mut self.walker, self.depth);
        let mut roots = Vec::new();
        for tree in &mut self.trees {
            let root = known.and_then(|depth| tree.find(hash, depth));
            roots.push(match root {
                Some(root) => tree.forget_before(root),
                None => {
                    tree.clear();
                    let root = plant_in::<G>(facts, tree, walker, depth);
                    root.ok_or(StopReason::Memory)?
                }
            });
        }
        Ok(roots)
    }

    /// Whether the game is over where the walker stands, and what comes of that can be proven: then
    /// a tree of one node has the answer.
    fn is_plain_end(&mut self) -> bool {
        self.settings.proofs && self.walker.is_terminal() && self.walker.fault().is_none()
    }

    /// What playouts remember counts less after every step that was really made since the last
    /// search.
    fn let_memory_fade(&mut self, hash: u64, known: Option<u32>) {
        let decay = self.settings.playouts.decay();
        let before = self.state.replace(hash);
        if decay == 1.0 || before.is_none_or(|before| before == hash) {
            return;
        }
        // In a state that the tree does not know, it is not known how many.
        let steps = known.map_or(1, |depth| depth.saturating_sub(self.depth).max(1));
        for explorer in &mut self.explorers {
            explorer.policy.fade(decay.powi(steps as i32));
        }
    }

    /// Lets all threads search; why they stopped, or `None` if a tree is full.
    fn run(
        &mut self,
        state: &G::State,
        roots: &[NodeId],
        meter: &mut Meter<'_>,
    ) -> Option<StopReason> {
        let stop = AtomicBool::new(false);
        let threads = match self.settings.threads {
            None if meter.is_repeatable() => 1,
            _ => self.explorers.len(),
        };
        let explorers = &mut self.explorers[..threads];
        let is_shared = threads > self.trees.len();
        self.trees
            .iter_mut()
            .for_each(|tree| tree.set_shared(is_shared));
        let (facts, settings, trees) = (self.game.facts(), &self.settings, &self.trees);
        let spreads = threads > 1 && settings.parallel == Parallel::Tree
            || explorers.iter().any(|explorer| explorer.leaves.is_some());
        let search = |number: usize| Search {
            tree: &trees[number % trees.len()],
            root: roots[number % trees.len()],
            guess: if spreads { worst(settings, facts) } else { 0.0 },
            extras: Extras::of(settings),
            scale: Scale::new(facts),
            facts,
            settings,
            state,
        };
        if let [explorer] = explorers {
            let mut share = meter.share(0, 1);
            let reason = explorer.go(&search(0), &mut share, &stop);
            meter.add(&share);
            return reason;
        }
        let shares: Vec<Meter<'_>> = (0..threads as u64)
            .map(|number| meter.share(number, threads as u64))
            .collect();
        let results: Vec<(Option<StopReason>, Meter<'_>)> = std::thread::scope(|scope| {
            let handles: Vec<_> = explorers
                .iter_mut()
                .zip(shares)
                .enumerate()
                .map(|(number, (explorer, mut share))| {
                    let (search, stop) = (search(number), &stop);
                    scope.spawn(move || (explorer.go(&search, &mut share, stop), share))
                })
                .collect();
            handles
                .into_iter()
                .map(|handle| {
                    handle
                        .join()
                        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
                })
                .collect()
        });
        results.iter().for_each(|(_, share)| meter.add(share));
        let reasons = results.into_iter().map(|(reason, _)| reason);
        // The reason of one of the threads, unless all that happened is that a tree is full.
        let mut reasons: Vec<StopReason> = reasons.flatten().collect();
        reasons.sort_by_key(|&reason| reason == StopReason::Interrupted);
        reasons.first().copied()
    }
}

/// Moves of all roles in one state for which there is room if the engine does not know how many
/// there can be.
const MOST_MOVES: usize = 1 << 16;

/// Simulations that must have been made since trees were last made smaller for that to be worth it
/// again.
const LEAST_BETWEEN_COLLECTIONS: u64 = 100;

/// The part of a start clock in which an evaluation is learnt.
const LEARNING: f64 = 0.5;

/// Joint moves that may lie between two searches of a match.
const LONGEST_GAP: u32 = 16;

/// What the source of leaf playouts of one searching thread is made with.
fn leaf_options(settings: &Settings, seed: u64, stream: u64) -> LeafOptions {
    LeafOptions {
        seed,
        stream,
        discount: settings.discount,
        step_limit: settings.playout_limit,
        decisive: settings.decisive,
        is_weighted: settings.weights.is_some(),
    }
}

/// The trees of `threads` threads.
fn new_trees<G: Game>(
    game: &G,
    settings: &Settings,
    threads: usize,
    has_advice: bool,
) -> Vec<Tree> {
    let roles = game.facts().roles.len();
    let moves = game.facts().moves.map_or(MOST_MOVES, |moves| moves * roles);
    let trees = match settings.parallel {
        Parallel::Tree => 1,
        Parallel::Root => threads,
    };
    let besides = Besides {
        records: settings.rave().is_some(),
        advice: has_advice,
    };
    let tree = |_| Tree::with(roles, moves, settings.memory / trees, besides);
    (0..trees).map(tree).collect()
}

fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The node of the state where a walker stands, in an empty tree.
///
/// Such a tree has room for one node, whatever its limit, unless the state has more moves than it
/// was made for; then it is made for more, if its limit allows that.
fn plant_in<G: Game>(
    facts: &GameFacts,
    tree: &mut Tree,
    walker: &mut G::Walker,
    depth: u32,
) -> Option<NodeId> {
    if let Some(root) = add_node::<G>(facts, tree, walker, depth) {
        return Some(root);
    }
    *tree = tree.for_more_moves(walker.legal().count())?;
    add_node::<G>(facts, tree, walker, depth)
}

/// The worst return there is.
fn worst(settings: &Settings, facts: &GameFacts) -> f64 {
    match settings.returns {
        Returns::Difference if pair(facts).is_some() => -Scale::HIGHEST,
        Returns::Own | Returns::Difference => 0.0,
    }
}

impl<G: Game> Explorer<G> {
    /// Simulates until there is a reason to stop; `None` if the tree is full.
    fn go(
        &mut self,
        search: &Search<'_, G>,
        meter: &mut Meter<'_>,
        stop: &AtomicBool,
    ) -> Option<StopReason> {
        let mut leaves = self.leaves.take();
        let mut waiting = Waiting::new(search.state.clone());
        let reason = loop {
            if let Some(reason) = self.reason_to_stop(search, meter, stop) {
                break reason;
            }
            let simulated = match &mut leaves {
                Some(leaves) => self.stream(search, &mut waiting, leaves.as_mut(), meter),
                None => self.simulate(search, meter),
            };
            if simulated.is_err() {
                break Some(StopReason::Fault);
            }
        };
        // A thread that has done its share leaves the other threads theirs.
        if !matches!(reason, Some(StopReason::Simulations | StopReason::States)) {
            stop.store(true, Ordering::Relaxed);
        }
        if let Some(leaves) = &mut leaves {
            self.give_up(search, &mut waiting, leaves.as_mut());
        }
        self.leaves = leaves;
        reason
    }

    /// `Some(None)` if the tree is full.
    fn reason_to_stop(
        &self,
        search: &Search<'_, G>,
        meter: &Meter<'_>,
        stop: &AtomicBool,
    ) -> Option<Option<StopReason>> {
        if search.is_settled() {
            return Some(Some(StopReason::Solved));
        }
        if let Some(reason) = meter.reached() {
            return Some(Some(reason));
        }
        if search.tree.is_full() {
            return Some(None);
        }
        // Another thread had a reason, and tells it.
        stop.load(Ordering::Relaxed).then_some(None)
    }
}

impl<G: Game> Informed<G> for Uct<G> {
    fn prepare(&mut self, state: &G::State, mut budget: Budget) {
        self.learn(state, &mut budget, &AtomicBool::new(false));
        budget.time = budget.time.map(|time| self.try_leaves(state, time));
        self.search(state, budget);
    }

    fn prepare_until(&mut self, state: &G::State, mut budget: Budget, interrupt: &AtomicBool) {
        self.learn(state, &mut budget, interrupt);
        let mut prepare = |slice| self.prepare(state, slice);
        in_slices(budget, interrupt, &mut prepare);
    }

    fn choose_until(
        &mut self,
        state: &G::State,
        mut budget: Budget,
        interrupt: &AtomicBool,
    ) -> Decision {
        self.walker.jump(state);
        if let Some(decision) = without_choice(&mut self.walker, self.role)
            && (decision.report.stopped != StopReason::OnlyMove || !self.settings.think_always)
        {
            return decision;
        }
        if let Some(pupil) = &self.pupil {
            let known = pupil.late(state, &mut budget);
            self.take_evaluation(known);
        }
        let report = self.search_until(state, budget, interrupt);
        let id = report.moves.first().map_or(MoveId::CHANCE, |best| best.id);
        Decision { id, report }
    }

    fn ponder(&mut self, state: &G::State, interrupt: &AtomicBool) {
        self.search_until(state, Budget::default(), interrupt);
    }
}
