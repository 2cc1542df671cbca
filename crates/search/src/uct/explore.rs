//! One thread and its simulations: down the tree, a node more, on from there, and back.

use paidia_game::{Chance, Fault, Game, GameFacts, Goal, MoveId, RoleId, Walker};

use super::advice::Adviser;
use super::extras::Extras;
use super::history::Leads;
use super::policy::Policy;
use super::rave::{Later, Rave};
use super::settings::{Lookahead, Returns, Settings};
use super::sufficiency::Experience;
use super::tree::{NodeId, OutcomeId, Tree};
use crate::budget::Meter;
use crate::costs::{Part, Sampler, Stopwatch, Unwatched, Watch};
use crate::evaluation::{Judge, difference};
use crate::leaves::LeafPlayouts;
use crate::nested::Nest;
use crate::scale::{Scale, pair};

/// What all threads of a search look at.
pub(super) struct Search<'a, G: Game> {
    pub(super) facts: &'a GameFacts,
    pub(super) scale: Scale,
    pub(super) settings: &'a Settings,
    pub(super) tree: &'a Tree,
    pub(super) state: &'a G::State,
    pub(super) root: NodeId,
    /// What a move counts while its return is not known: in a search of several simulations at a
    /// time the worst, so that they spread.
    pub(super) guess: f64,
    /// What goes beyond plain UCT.
    pub(super) extras: Extras,
}

/// One thread's walker, its chance, and what it remembers.
pub(super) struct Explorer<G: Game> {
    pub(super) walker: G::Walker,
    pub(super) chance: Chance,
    pub(super) policy: Policy,
    /// What it remembers of the moves of the tree, if that counts.
    pub(super) leads: Leads,
    /// The source of playouts, if not the walker.
    pub(super) leaves: Option<Box<dyn LeafPlayouts<G::State>>>,
    /// The search by which all roles move in playouts, if these are nested.
    pub(super) nest: Option<Nest<G::State>>,
    /// The source of advice about moves, if there is one.
    pub(super) adviser: Option<Adviser<G::State>>,
    /// Who judges leaves, if an evaluation counts.
    pub(super) judge: Option<Judge<G>>,
    /// Where it stands, while it looks ahead.
    pub(super) here: G::State,
    pub(super) joint: Vec<MoveId>,
    /// The moves made since the root, one role after the other, if they are to be remembered.
    pub(super) made: Vec<MoveId>,
    /// Those of them that were made from some step on, on the way back.
    pub(super) later: Later,
    /// For each role, what it has seen of returns, and whether it won the present simulation.
    pub(super) experience: Vec<(Experience, bool)>,
    /// Whether RAVE is used in the present simulation, if it is used at all.
    pub(super) uses_rave: bool,
    pub(super) returns: Vec<f64>,
    pub(super) spare_returns: Vec<f64>,
    pub(super) untried: Vec<MoveId>,
    /// Ways that are not in use.
    pub(super) spare: Vec<Way>,
    /// What the time is spent on.
    pub(super) sampler: Sampler,
}

/// The way of a simulation through the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    pub(super) nodes: Vec<NodeId>,
    /// For each node, the place of every role's move.
    pub(super) places: Vec<u32>,
    /// The node that was added, while the simulation waits for its playouts.
    pub(super) leaf: Option<NodeId>,
    /// What the first player leads by there, by the evaluation, if it counts.
    pub(super) lead: Option<f64>,
}

impl Way {
    fn clear(&mut self) {
        self.nodes.clear();
        self.places.clear();
    }
}

/// Where a simulation left the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaf {
    /// In a state of which it is certain what comes of it.
    Known(NodeId, OutcomeId),
    /// In a state that was added, or would have been if there were room.
    Open(Option<NodeId>),
}

impl<G: Game> Explorer<G> {
    pub(super) fn new(game: &G, settings: &Settings, chance: Chance) -> Self {
        let roles = game.facts().roles.len();
        Self {
            walker: game.walker(),
            policy: Policy::new(roles, &settings.playouts),
            leads: Leads::new(roles),
            leaves: None,
            nest: settings
                .playouts
                .nesting()
                .map(|nesting| Nest::new(game, nesting, 0)),
            adviser: None,
            judge: None,
            here: game.initial(),
            joint: Vec::with_capacity(roles),
            made: Vec::new(),
            later: Later::new(roles),
            experience: vec![(Experience::default(), false); roles],
            uses_rave: false,
            returns: vec![0.0; roles],
            spare_returns: Vec::new(),
            untried: Vec::new(),
            spare: Vec::new(),
            sampler: Sampler::default(),
            chance,
        }
    }

    /// Runs one simulation with a playout by the walker, now and then one that is watched.
    pub(super) fn simulate(
        &mut self,
        search: &Search<'_, G>,
        meter: &mut Meter<'_>,
    ) -> Result<(), Fault> {
        if !self.sampler.is_due() {
            self.simulate_watched(search, meter, &mut Unwatched)?;
            self.sampler.add_unwatched();
            return Ok(());
        }
        let mut watch = Stopwatch::start();
        self.simulate_watched(search, meter, &mut watch)?;
        self.sampler.add(&watch);
        Ok(())
    }

    fn simulate_watched<W: Watch>(
        &mut self,
        search: &Search<'_, G>,
        meter: &mut Meter<'_>,
        watch: &mut W,
    ) -> Result<(), Fault> {
        let mut way = self.spare.pop().unwrap_or_default();
        let leaf = self.descend(search, &mut way, meter, watch);
        let mut lead = None;
        let steps_beyond = match leaf {
            Leaf::Known(_, outcome) => {
                self.set_certain_returns(search, outcome);
                self.note_certain_wins(search, outcome);
                0
            }
            Leaf::Open(node) => {
                lead = self.lead();
                let steps = match lead.filter(|_| search.settings.is_static()) {
                    Some(_) => {
                        self.returns.fill(0.0);
                        0
                    }
                    None => self.play_out(search, meter, watch)?,
                };
                if let Some(node) = node.filter(|_| steps == 1) {
                    search.tree.raise_alarm(node);
                }
                steps
            }
        };
        self.back_up_beyond(search, &way, steps_beyond, watch);
        if let Some(lead) = lead {
            search.count_in(lead, &mut self.returns);
        }
        self.back_up(search, &way, watch);
        self.learn_what_suffices(search);
        if let Leaf::Known(node, _) = leaf {
            search.back_up_proofs(&way, node);
        }
        self.spare.push(way);
        meter.simulations += 1;
        watch.lap(Part::Backup);
        Ok(())
    }

    /// Walks down from the root to a state that is solved, or that the tree does not know and gets.
    pub(super) fn descend<W: Watch>(
        &mut self,
        search: &Search<'_, G>,
        way: &mut Way,
        meter: &mut Meter<'_>,
        watch: &mut W,
    ) -> Leaf {
        let tree = search.tree;
        self.walker.jump(search.state);
        watch.lap(Part::Engine);
        way.clear();
        self.made.clear();
        let mut node = search.root;
        if let Some(rave) = search.extras.rave {
            self.uses_rave = search.uses(rave);
            watch.lap(Part::Records);
        }
        loop {
            if search.settings.proofs && tree.take_alarm(node) {
                self.look_ahead(search, node);
            }
            if let Some(outcome) = tree.outcome(node) {
                watch.lap(Part::Selection);
                return Leaf::Known(node, outcome);
            }
            self.select(search, node, way, watch);
            watch.lap(Part::Selection);
            self.walker.advance(&self.joint, &mut self.chance);
            watch.lap(Part::Engine);
            meter.states += 1;
            let depth = tree.depth(node) + 1;
            if let Some(known) = self.known_child(search, node, way, depth) {
                node = known;
                continue;
            }
            let added = add_node::<G>(search.facts, tree, &mut self.walker, depth);
            watch.lap(Part::Selection);
            let Some(added) = added else {
                return Leaf::Open(None);
            };
            search.link(node, way, added);
            if search.settings.lookahead == Lookahead::Always {
                tree.raise_alarm(added);
            }
            return tree
                .outcome(added)
                .map_or(Leaf::Open(Some(added)), |outcome| {
                    Leaf::Known(added, outcome)
                });
        }
    }

    /// What the first player leads by in the state where the walker stands, by the evaluation.
    fn lead(&mut self) -> Option<f64> {
        let judge = self.judge.as_mut()?;
        self.walker.save(&mut self.here);
        Some(difference(judge.judge(&self.here).0))
    }

    /// Notes which moves end the game where the walker stands, in a node where one role has a
    /// choice, in games without chance.
    fn look_ahead(&mut self, search: &Search<'_, G>, node: NodeId) {
        let (tree, facts) = (search.tree, search.facts);
        let Some(mover) = tree.mover(node).filter(|_| !facts.has_chance()) else {
            return;
        };
        self.walker.save(&mut self.here);
        self.joint.clear();
        for role in facts.role_ids() {
            self.joint.push(tree.arm(node, role, 0).id());
        }
        for (place, arm) in tree.arms(node, mover).iter().enumerate() {
            if arm.is_proven() {
                continue;
            }
            self.joint[mover.index()] = arm.id();
            self.walker.jump(&self.here);
            self.walker.advance(&self.joint, &mut self.chance);
            if self.walker.is_terminal() && self.walker.fault().is_none() {
                let results = results_of::<G>(facts, &mut self.walker);
                if let Some(outcome) = tree.outcome_of(&results) {
                    tree.prove_arm(node, mover, place, outcome);
                }
            }
        }
        search.settle(node, mover);
        self.walker.jump(&self.here);
    }

    /// The node of the state where the walker stands, one step after a node, if the tree has it.
    #[inline]
    fn known_child(
        &self,
        search: &Search<'_, G>,
        node: NodeId,
        way: &Way,
        depth: u32,
    ) -> Option<NodeId> {
        if let Some((mover, place)) = search.settling_move(node, way)
            && let Some(child) = search.tree.child(node, mover, place)
        {
            return Some(child);
        }
        let child = search.tree.find(self.walker.hash64(), depth)?;
        search.link(node, way, child);
        Some(child)
    }
}

/// The node of the state where a walker stands, made if need be; `None` if there is no room for it,
/// or if it is no sound state: a role has no move there, or the engine ran into a limit, so that
/// nothing can be chosen and nothing is certain.
pub(super) fn add_node<G: Game>(
    facts: &GameFacts,
    tree: &Tree,
    walker: &mut G::Walker,
    depth: u32,
) -> Option<NodeId> {
    let hash = walker.hash64();
    if !walker.is_terminal() {
        let legal = walker.legal();
        if legal.stuck_role().is_some() {
            return None;
        }
        return tree.add(hash, depth, walker.legal());
    }
    if walker.fault().is_some() {
        return None;
    }
    tree.add_end(hash, depth, &results_of::<G>(facts, walker))
}

/// What each role gets where a walker stands, at the end of the game.
fn results_of<G: Game>(facts: &GameFacts, walker: &mut G::Walker) -> Vec<i32> {
    let result = |role| match walker.goal(role) {
        Goal::One(value) => value,
        Goal::None | Goal::Several => facts.goal_range.start().midpoint(*facts.goal_range.end()),
    };
    facts.role_ids().map(result).collect()
}

impl<G: Game> Search<'_, G> {
    /// Whether the next simulation may use RAVE, as far as the root says: its first role with a
    /// choice.
    fn uses(&self, rave: Rave) -> bool {
        let (tree, root) = (self.tree, self.root);
        let chooser = self
            .facts
            .role_ids()
            .find(|&role| tree.count(root, role) > 1);
        let role = chooser.unwrap_or(RoleId(0));
        rave.is_used_from(tree.arms(root, role), tree.records(root, role))
    }

    /// The choosing role and its move, where that alone settles which state comes next.
    pub(super) fn settling_move(&self, node: NodeId, way: &Way) -> Option<(RoleId, usize)> {
        let mover = self.tree.mover(node)?;
        if self.facts.has_chance() {
            return None;
        }
        let first = way.places.len() - self.facts.roles.len();
        Some((mover, way.places[first + mover.index()] as usize))
    }

    /// Notes where the last move of a way leads to.
    fn link(&self, node: NodeId, way: &Way, child: NodeId) {
        if let Some((mover, place)) = self.settling_move(node, way) {
            self.tree.set_child(node, mover, place, child);
        }
    }

    /// Lets the evaluation count beside what came of playouts: what the first player leads by.
    pub(super) fn count_in(&self, lead: f64, returns: &mut [f64]) {
        let Some(((first, second), weight)) = pair(self.facts).zip(self.settings.evaluation) else {
            return;
        };
        let (one, other) = match self.settings.returns {
            Returns::Difference => (lead, -lead),
            Returns::Own => (Scale::MIDDLE + lead / 2.0, Scale::MIDDLE - lead / 2.0),
        };
        for (role, value) in [(first, one), (second, other)] {
            let own = &mut returns[role.index()];
            *own += weight * (value - *own);
        }
    }

    /// Makes goals what they are worth to each role.
    pub(super) fn as_returns(&self, goals: &mut [f64]) {
        as_returns(self.facts, self.settings.returns, goals);
    }
}

/// Makes goals what they are worth to each role.
pub(super) fn as_returns(facts: &GameFacts, returns: Returns, goals: &mut [f64]) {
    if returns == Returns::Difference
        && let Some((first, second)) = pair(facts)
    {
        let difference = goals[first.index()] - goals[second.index()];
        goals[first.index()] = difference;
        goals[second.index()] = -difference;
    }
}
