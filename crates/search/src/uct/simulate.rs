//! One simulation: down the tree, one new node, a playout, and back.

use paidia_game::{Fault, Game, Goal, MoveId, RoleId, Walker};

use super::tree::NodeId;
use super::{Playouts, Returns, Uct};
use crate::budget::Meter;

/// Memory that simulations use again and again.
pub(super) struct Scratch {
    /// The nodes passed, each followed by the place of every role's move.
    path: Vec<(NodeId, Vec<usize>)>,
    /// The moves made after the tree was left, one role after the other.
    beyond: Vec<MoveId>,
    joint: Vec<MoveId>,
    results: Vec<i32>,
    returns: Vec<f64>,
    spare: Vec<Vec<usize>>,
    untried: Vec<MoveId>,
    open: Vec<usize>,
    proven: Vec<f64>,
    arms: Vec<super::tree::Arm>,
}

impl Scratch {
    pub(super) fn new(roles: usize) -> Self {
        Self {
            path: Vec::new(),
            beyond: Vec::new(),
            joint: Vec::with_capacity(roles),
            results: vec![0; roles],
            returns: vec![0.0; roles],
            spare: Vec::new(),
            untried: Vec::new(),
            open: Vec::new(),
            proven: Vec::new(),
            arms: Vec::new(),
        }
    }
}

impl<G: Game> Uct<G> {
    /// The node of the state where the walker stands, made if need be; `None` if there is no room for it.
    pub(super) fn node(&mut self, depth: u32) -> Option<NodeId> {
        let hash = self.walker.hash64();
        if let Some(known) = self.tree.find(hash, depth) {
            return Some(known);
        }
        if self.walker.is_terminal() {
            let results: Vec<i32> = self
                .game
                .facts()
                .role_ids()
                .map(|role| self.result(role))
                .collect();
            return self.tree.add_end(hash, depth, &results);
        }
        self.tree.add(hash, depth, self.walker.legal())
    }

    /// A role's goal where the walker stands. A game that does not say counts as the middle.
    fn result(&mut self, role: RoleId) -> i32 {
        match self.walker.goal(role) {
            Goal::One(value) => value,
            Goal::None | Goal::Several => self.middle(),
        }
    }

    fn middle(&self) -> i32 {
        let range = &self.game.facts().goal_range;
        range.start().midpoint(*range.end())
    }

    /// Runs one simulation from the root, where the walker stands.
    pub(super) fn simulate(&mut self, root: NodeId, meter: &mut Meter) -> Result<(), Fault> {
        let leaf = self.descend(root, meter);
        let steps_beyond = match leaf {
            Some(leaf) if self.tree.is_terminal(leaf) => {
                let results = self.tree.proof(leaf).unwrap_or(&[]);
                self.scratch.results.clear();
                self.scratch.results.extend_from_slice(results);
                0
            }
            _ => self.play_out(meter)?,
        };
        self.back_up(steps_beyond);
        if self.settings.proofs
            && let Some(leaf) = leaf
        {
            self.back_up_proofs(leaf);
        }
        while let Some((_, places)) = self.scratch.path.pop() {
            self.scratch.spare.push(places);
        }
        Ok(())
    }

    /// Walks down to the first state that the tree does not know, adds it, and gives its node; `None` if there was no room.
    fn descend(&mut self, root: NodeId, meter: &mut Meter) -> Option<NodeId> {
        let mut node = root;
        self.scratch.beyond.clear();
        loop {
            self.tree.visit(node);
            if self.tree.is_terminal(node) {
                return Some(node);
            }
            self.select(node);
            let joint = std::mem::take(&mut self.scratch.joint);
            self.walker.advance(&joint, &mut self.chance);
            self.scratch.joint = joint;
            meter.states += 1;
            let depth = self.tree.depth(node) + 1;
            match self.tree.find(self.walker.hash64(), depth) {
                Some(known) => node = known,
                None => {
                    let added = self.node(depth)?;
                    self.tree.visit(added);
                    return Some(added);
                }
            }
        }
    }

    /// Chooses a move for every role in a node of the tree.
    fn select(&mut self, node: NodeId) {
        let mut places = self.scratch.spare.pop().unwrap_or_default();
        places.clear();
        self.scratch.joint.clear();
        for role in self.game.facts().role_ids() {
            let place = self.select_for(node, role);
            places.push(place);
            self.scratch
                .joint
                .push(self.tree.arms(node, role)[place].id);
        }
        self.scratch.path.push((node, places));
    }

    fn select_for(&mut self, node: NodeId, role: RoleId) -> usize {
        let arms = self.tree.arms(node, role);
        if let Playouts::History { temperature } = self.settings.playouts
            && arms.iter().any(|arm| arm.visits == 0)
        {
            // Untried moves are drawn by what is known of them elsewhere.
            let mut untried = std::mem::take(&mut self.scratch.untried);
            untried.clear();
            untried.extend(arms.iter().filter(|arm| arm.visits == 0).map(|arm| arm.id));
            let drawn = self
                .history
                .draw(role, &untried, temperature, &mut self.chance)
                .unwrap_or(0);
            let id = untried[drawn];
            self.scratch.untried = untried;
            return arms.iter().position(|arm| arm.id == id).unwrap_or(0);
        }
        if self.tree.best_proven(node).is_some() && self.tree.mover(node) == Some(role) {
            return self.select_unproven(node, role);
        }
        self.settings
            .selection
            .select(arms, self.tree.visits(node), &mut self.chance)
    }

    /// Chooses among the moves of which something is still to be found out.
    fn select_unproven(&mut self, node: NodeId, role: RoleId) -> usize {
        let arms = self.tree.arms(node, role);
        let mut open = std::mem::take(&mut self.scratch.open);
        open.clear();
        open.extend((0..arms.len()).filter(|&place| !self.tree.is_arm_proven(node, role, place)));
        let mut left = std::mem::take(&mut self.scratch.arms);
        left.clear();
        left.extend(open.iter().map(|&place| arms[place]));
        let place = match left.is_empty() {
            true => self.tree.best_proven(node).unwrap_or(0),
            false => {
                let visits = self.tree.visits(node);
                open[self
                    .settings
                    .selection
                    .select(&left, visits, &mut self.chance)]
            }
        };
        (self.scratch.open, self.scratch.arms) = (open, left);
        place
    }

    /// Plays to the end from where the walker stands; how many joint moves that took.
    fn play_out(&mut self, meter: &mut Meter) -> Result<u32, Fault> {
        let remembers = matches!(self.settings.playouts, Playouts::History { .. });
        let mut steps = 0;
        let mut joint = std::mem::take(&mut self.scratch.joint);
        let finished = loop {
            if self.walker.is_terminal() {
                break true;
            }
            let may_go_on = steps < self.settings.playout_limit;
            let playouts = self.settings.playouts;
            if !may_go_on
                || !playouts.draw(
                    self.walker.legal(),
                    &mut self.history,
                    &mut self.chance,
                    &mut joint,
                )
            {
                break false;
            }
            if remembers {
                self.scratch.beyond.extend_from_slice(&joint);
            }
            self.walker.advance(&joint, &mut self.chance);
            steps += 1;
        };
        self.scratch.joint = joint;
        meter.states += u64::from(steps);
        if let Some(fault) = self.walker.fault() {
            return Err(*fault);
        }
        self.scratch.results.clear();
        for role in self.game.facts().role_ids() {
            let result = if finished {
                self.result(role)
            } else {
                self.middle()
            };
            self.scratch.results.push(result);
        }
        Ok(steps)
    }

    /// Updates every move of the simulation with its discounted return.
    fn back_up(&mut self, steps_beyond: u32) {
        let roles = self.scratch.results.len();
        self.set_returns();
        let discount = self.settings.discount;
        for step in (0..steps_beyond as usize).rev() {
            for role in 0..roles {
                self.scratch.returns[role] *= discount;
                if let Some(&id) = self.scratch.beyond.get(step * roles + role) {
                    self.history
                        .update(RoleId(role as u16), id, self.scratch.returns[role]);
                }
            }
        }
        let remembers = matches!(self.settings.playouts, Playouts::History { .. });
        for index in (0..self.scratch.path.len()).rev() {
            let node = self.scratch.path[index].0;
            for role in 0..roles {
                let place = self.scratch.path[index].1[role];
                let value = &mut self.scratch.returns[role];
                *value *= discount;
                let role = RoleId(role as u16);
                self.tree.update(node, role, place, *value);
                if remembers {
                    self.history
                        .update(role, self.tree.arms(node, role)[place].id, *value);
                }
            }
            self.prefer_proven(node);
        }
    }

    /// A role that knows a certainly better move would not have made the one of the simulation:
    /// what is backed up further is the better one's return.
    fn prefer_proven(&mut self, node: NodeId) {
        let proven = self.tree.mover(node).zip(self.tree.best_proven(node));
        let Some((mover, best)) = proven else { return };
        let Some(results) = self.tree.arm_results(node, mover, best) else {
            return;
        };
        let mut returns = std::mem::take(&mut self.scratch.proven);
        self.fill_returns(results, &mut returns);
        returns
            .iter_mut()
            .for_each(|value| *value *= self.settings.discount);
        if returns[mover.index()] > self.scratch.returns[mover.index()] {
            std::mem::swap(&mut returns, &mut self.scratch.returns);
        }
        self.scratch.proven = returns;
    }

    fn set_returns(&mut self) {
        let mut returns = std::mem::take(&mut self.scratch.returns);
        self.fill_returns(&self.scratch.results, &mut returns);
        self.scratch.returns = returns;
    }

    /// What results are worth to each role.
    fn fill_returns(&self, results: &[i32], returns: &mut Vec<f64>) {
        returns.clear();
        returns.extend(results.iter().map(|&result| f64::from(result)));
        if self.settings.returns == Returns::Difference {
            let mut players = self.game.facts().players().map(RoleId::index);
            let pair = (players.next(), players.next(), players.next());
            if let (Some(first), Some(second), None) = pair {
                let difference = f64::from(results[first] - results[second]);
                returns[first] = difference;
                returns[second] = -difference;
            }
        }
    }

    /// If the leaf is solved, solves what it settles on the way back.
    fn back_up_proofs(&mut self, leaf: NodeId) {
        let mut child = leaf;
        for index in (0..self.scratch.path.len()).rev() {
            if self.tree.proof(child).is_none() {
                return;
            }
            let node = self.scratch.path[index].0;
            // Only where at most one role has a choice does a move settle which state comes next.
            let random = self.game.facts().random;
            let mover = self.tree.mover(node).filter(|&mover| random != Some(mover));
            let Some(mover) = mover else { return };
            let place = self.scratch.path[index].1[mover.index()];
            self.tree.prove_arm(node, mover, place, child);
            if self.tree.proof(node).is_none()
                && let Some(best) = self.settled_by(node, mover)
            {
                self.tree.prove_by_arm(node, mover, best);
            }
            child = node;
        }
    }

    /// The move that settles a node: one with the highest goal there is, or the best once all are known.
    fn settled_by(&self, node: NodeId, mover: RoleId) -> Option<usize> {
        let count = self.tree.arms(node, mover).len();
        let highest = *self.game.facts().goal_range.end();
        let mut best: Option<(i32, usize)> = None;
        let mut all_known = true;
        for place in 0..count {
            match self.tree.arm_proof(node, mover, place) {
                Some(value) if value >= highest => {
                    return self.is_clear(node, mover, place).then_some(place);
                }
                Some(value) if best.is_none_or(|(known, _)| value > known) => {
                    best = Some((value, place));
                }
                Some(_) => {}
                None => all_known = false,
            }
        }
        let (_, place) = best?;
        (all_known && self.is_clear(node, mover, place)).then_some(place)
    }

    /// With more than two players, moves that are as good for the mover may differ for the others, and nothing says which it
    /// takes; then nothing is certain.
    fn is_clear(&self, node: NodeId, mover: RoleId, place: usize) -> bool {
        if self.game.facts().players().count() <= 2 {
            return true;
        }
        let chosen = self.tree.arm_results(node, mover, place);
        (0..self.tree.arms(node, mover).len()).all(|other| {
            let results = self.tree.arm_results(node, mover, other);
            results.is_none_or(|results| {
                results[mover.index()] != chosen.map_or(0, |chosen| chosen[mover.index()])
                    || Some(results) == chosen
            })
        })
    }
}
