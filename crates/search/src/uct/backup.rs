//! The way back: every move of a simulation learns what came of it, and what is certain is noted as
//! certain.

use paidia_game::{Game, RoleId};

use super::explore::{Explorer, Search, Way};
use super::policy::Line;
use super::tree::{NodeId, OutcomeId};
use crate::costs::{Part, Watch};

impl<G: Game> Explorer<G> {
    /// Sets the returns of all roles to what certainly comes.
    pub(super) fn set_certain_returns(&mut self, search: &Search<'_, G>, outcome: OutcomeId) {
        search.fill_certain(outcome, &mut self.returns);
    }

    /// Discounts the returns by the moves made outside of the tree, which are remembered if a part
    /// of the search needs them.
    pub(super) fn back_up_beyond<W: Watch>(
        &mut self,
        search: &Search<'_, G>,
        way: &Way,
        steps: u32,
        watch: &mut W,
    ) {
        let discount = search.settings.discount;
        let inside = way.nodes.len();
        if search.extras.draw.is_some() {
            watch.lap(Part::Backup);
            for step in (inside..inside + steps as usize).rev() {
                self.returns.iter_mut().for_each(|value| *value *= discount);
                self.learn(step);
            }
            watch.lap(Part::Policy);
        } else {
            let factor = discount.powi(steps as i32);
            self.returns.iter_mut().for_each(|value| *value *= factor);
        }
        if search.extras.rave.is_some() {
            watch.lap(Part::Backup);
            self.later.restart();
            let roles = self.returns.len();
            let beyond = self.made.get(inside * roles..).unwrap_or_default();
            beyond.chunks(roles).for_each(|joint| self.later.add(joint));
            watch.lap(Part::Records);
        }
    }

    /// Remembers what came of the moves that were made in a step.
    fn learn(&mut self, step: usize) {
        let line = Line {
            roles: self.returns.len(),
            made: &self.made,
        };
        self.policy.learn(line, step, &self.returns);
    }

    /// Adds each role's return to the records of all its moves in a node that it made there or
    /// later.
    fn note_later(&mut self, search: &Search<'_, G>, node: NodeId, step: usize) {
        let roles = self.returns.len();
        let first = step * roles;
        let joint = self.made.get(first..first + roles).unwrap_or_default();
        self.later.add(joint);
        for (role, &value) in (0..).map(RoleId).zip(&self.returns) {
            let arms = search.tree.arms(node, role).iter();
            for (arm, record) in arms.zip(search.tree.records(node, role)) {
                if self.later.contains(role, arm.id()) {
                    search.tree.note(record, value);
                }
            }
        }
    }

    /// Gives every move on the way its return.
    pub(super) fn back_up<W: Watch>(&mut self, search: &Search<'_, G>, way: &Way, watch: &mut W) {
        let roles = self.returns.len();
        let steps = way.nodes.iter().zip(way.places.chunks(roles)).enumerate();
        for (step, (&node, places)) in steps.rev() {
            self.settle_arms(search, node, places);
            if search.extras.wants_moves {
                self.remember(search, node, step, watch);
            }
            self.prefer_proven(search, node);
        }
    }

    /// Discounts the returns of all roles by a step, and gives it to the moves that were chosen in
    /// a node.
    #[inline(always)]
    fn settle_arms(&mut self, search: &Search<'_, G>, node: NodeId, places: &[u32]) {
        let (tree, discount) = (search.tree, search.settings.discount);
        self.returns.iter_mut().for_each(|value| *value *= discount);
        let has_history = search.extras.learns_leads;
        let (returns, leads) = (&self.returns, &mut self.leads);
        let mut settle = |role: RoleId| {
            let arm = tree.arm(node, role, places[role.index()] as usize);
            tree.settle_arm(arm, search.guess, returns[role.index()]);
            if has_history {
                leads.learn(role, arm.id(), returns[role.index()]);
            }
        };
        match tree.mover(node) {
            Some(mover) => settle(mover),
            None => {
                let roles = search.facts.role_ids();
                roles
                    .filter(|&role| tree.counts(node, role))
                    .for_each(settle);
            }
        }
    }

    /// Remembers what came of the moves that were made in a node, for the parts that learn from
    /// them.
    fn remember<W: Watch>(
        &mut self,
        search: &Search<'_, G>,
        node: NodeId,
        step: usize,
        watch: &mut W,
    ) {
        watch.lap(Part::Backup);
        if search.extras.draw.is_some() {
            self.learn(step);
            watch.lap(Part::Policy);
        }
        if search.extras.rave.is_some() {
            self.note_later(search, node, step);
            watch.lap(Part::Records);
        }
    }

    /// A role that knows a certainly better move would not have made the one of the simulation:
    /// what is backed up further is the better one's return.
    #[inline(always)]
    fn prefer_proven(&mut self, search: &Search<'_, G>, node: NodeId) {
        let tree = search.tree;
        let proven = tree.mover(node).zip(tree.best_proven(node));
        let Some((mover, best)) = proven else { return };
        let Some(outcome) = tree.arm_outcome(node, mover, best) else {
            return;
        };
        search.fill_certain(outcome, &mut self.spare_returns);
        self.spare_returns
            .iter_mut()
            .for_each(|value| *value *= search.settings.discount);
        if self.spare_returns[mover.index()] > self.returns[mover.index()] {
            std::mem::swap(&mut self.returns, &mut self.spare_returns);
        }
    }
}

impl<G: Game> Search<'_, G> {
    fn fill_certain(&self, outcome: OutcomeId, returns: &mut Vec<f64>) {
        returns.clear();
        let roles = self.facts.role_ids();
        returns.extend(roles.map(|role| self.scale.return_of(self.tree.result(outcome, role))));
        self.as_returns(returns);
    }

    /// A solved node may settle nodes on the way to it.
    pub(super) fn back_up_proofs(&self, way: &Way, solved: NodeId) {
        if !self.settings.proofs {
            return;
        }
        let roles = self.facts.roles.len();
        let mut child = solved;
        for (&node, places) in way.nodes.iter().zip(way.places.chunks(roles)).rev() {
            let Some(outcome) = self.tree.outcome(child) else {
                return;
            };
            // Only where at most one role has a choice, and without chance, does a move settle
            // which state comes next.
            let mover = self.tree.mover(node);
            let mover = mover.filter(|_| !self.facts.has_chance());
            let Some(mover) = mover else { return };
            let place = places[mover.index()] as usize;
            self.tree.prove_arm(node, mover, place, outcome);
            self.settle(node, mover);
            child = node;
        }
    }

    /// Notes what certainly comes of a node, if its moves say so by now.
    pub(super) fn settle(&self, node: NodeId, mover: RoleId) {
        if self.tree.outcome(node).is_none()
            && let Some(best) = self.settled_by(node, mover)
        {
            self.tree.prove(node, best);
        }
    }

    /// What certainly comes of a node: of a move with the highest goal there is, or of the best
    /// once all are known.
    fn settled_by(&self, node: NodeId, mover: RoleId) -> Option<OutcomeId> {
        let highest = *self.facts.goal_range.end();
        let mut best: Option<(i32, OutcomeId)> = None;
        let mut all_known = true;
        for place in 0..self.tree.count(node, mover) {
            let Some(outcome) = self.tree.arm_outcome(node, mover, place) else {
                all_known = false;
                continue;
            };
            let value = self.tree.result(outcome, mover);
            if best.is_none_or(|(known, _)| value > known) {
                best = Some((value, outcome));
            }
        }
        let (value, outcome) = best?;
        let settled = all_known || (value >= highest && self.all_others_lose(outcome, mover));
        (settled && self.is_clear(node, mover, outcome)).then_some(outcome)
    }

    /// Whether a move with this outcome need not be compared with others that are as good for the
    /// mover.
    fn all_others_lose(&self, outcome: OutcomeId, mover: RoleId) -> bool {
        let lowest = *self.facts.goal_range.start();
        let mut others = self.facts.players().filter(|&role| role != mover);
        others.all(|role| self.tree.result(outcome, role) <= lowest)
    }

    /// Moves that are as good for the mover may differ for the others, and nothing says which it
    /// takes; then nothing is certain.
    fn is_clear(&self, node: NodeId, mover: RoleId, chosen: OutcomeId) -> bool {
        let own = self.tree.result(chosen, mover);
        (0..self.tree.count(node, mover)).all(|place| {
            let other = self.tree.arm_outcome(node, mover, place);
            other.is_none_or(|other| other == chosen || self.tree.result(other, mover) != own)
        })
    }
}
