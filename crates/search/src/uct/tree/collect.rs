//! Making room: what lies before the current state goes, and if that is not enough, what was
//! visited least.
//!
//! Nodes that stay move down in the storage, in their order, so that collecting needs hardly any
//! memory of its own.

use std::sync::PoisonError;

use paidia_game::RoleId;

use super::{Link, NEAR_ROLES, NodeId, RELAXED, Tree};

/// How much of the storage is in use again.
#[derive(Default)]
struct Room {
    nodes: u32,
    arms: u32,
    far_ends: u32,
}

impl Tree {
    /// Deletes all nodes nearer to the start than the root.
    pub(crate) fn forget_before(&mut self, root: NodeId) -> NodeId {
        self.keep(root, 0)
    }

    /// Makes room: forgets what lies before the root, then half of what is left or more, the least
    /// visited first. The root's new number.
    pub(crate) fn collect(&mut self, root: NodeId) -> NodeId {
        let before = self.len();
        let mut root = self.forget_before(root);
        if self.len() * 2 > before {
            root = self.keep(root, self.median_choices() + 1);
        }
        root
    }

    fn median_choices(&self) -> u32 {
        let numbers = (0..self.len() as u32).filter(|&number| self.nodes.exists(number));
        let mut choices: Vec<u32> = numbers.map(|number| self.choices(NodeId(number))).collect();
        let middle = choices.len() / 2;
        *choices.select_nth_unstable(middle).1
    }

    /// Keeps the root, and the nodes behind it in which moves were chosen at least so often.
    fn keep(&mut self, root: NodeId, least_choices: u32) -> NodeId {
        let depth = self.depth(root);
        let is_kept = |tree: &Tree, id: NodeId| {
            id == root || (tree.depth(id) >= depth && tree.choices(id) >= least_choices)
        };
        let mut moved: Vec<u32> = Vec::with_capacity(self.len());
        let mut room = Room::default();
        for number in 0..self.len() as u32 {
            let id = NodeId(number);
            if !self.is_published(id) || !is_kept(self, id) {
                moved.push(u32::MAX);
                continue;
            }
            moved.push(room.nodes);
            self.move_node(id, &mut room);
        }
        self.truncate(
            room.nodes as usize,
            room.arms as usize,
            room.far_ends as usize,
        );
        self.move_links(&moved);
        self.rebuild_index();
        NodeId(moved[root.0 as usize])
    }

    /// Whether the index knows a node: those made twice at the same time, or not finished, are not
    /// known.
    fn is_published(&self, id: NodeId) -> bool {
        if !self.nodes.exists(id.0) {
            return false;
        }
        let key = self.node(id).key.load(RELAXED);
        self.find(key, self.depth(id)) == Some(id)
    }

    /// Copies a node with its moves down to where there is room.
    fn move_node(&self, from: NodeId, room: &mut Room) {
        let (old, new) = (self.node(from), self.nodes.get(room.nodes));
        room.nodes += 1;
        let terminal = self.is_terminal(from);
        // What is read of the old place is read before the new one, which may be the same, is
        // written.
        let rows: Vec<(u32, u32)> = (0..self.roles as u16)
            .map(|role| self.bounds(from, RoleId(role)))
            .collect();
        new.key.store(old.key.load(RELAXED), RELAXED);
        new.depth.store(old.depth.load(RELAXED), RELAXED);
        new.mover.store(old.mover.load(RELAXED), RELAXED);
        new.outcome.set(old.outcome.get());
        new.best_proven.set(old.best_proven.get());
        new.alarm.store(old.alarm.load(RELAXED), RELAXED);
        if terminal {
            return;
        }
        let count: u32 = rows.iter().map(|(start, end)| end - start).sum();
        let far_roles = self.roles.saturating_sub(NEAR_ROLES) as u32;
        let with_extras = count * self.besides.rows() as u32;
        room.arms = self.arms.place(room.arms as usize, with_extras as usize) as u32;
        room.far_ends = self
            .far_ends
            .place(room.far_ends as usize, far_roles as usize) as u32;
        new.first_arm.store(room.arms, RELAXED);
        new.far_ends.store(room.far_ends, RELAXED);
        room.far_ends += far_roles;
        let after = rows.last().map_or(0, |&(_, end)| end);
        for (role, (start, end)) in (0..).map(RoleId).zip(rows) {
            for arm in start..end {
                self.move_arm(arm, room.arms);
                room.arms += 1;
            }
            self.end(new, role).store(room.arms, RELAXED);
        }
        for extra in after..after + with_extras - count {
            self.move_arm(extra, room.arms);
            room.arms += 1;
        }
    }

    fn move_arm(&self, from: u32, to: u32) {
        let (old, new) = (self.arms.get(from), self.arms.get(to));
        new.id.store(old.id.load(RELAXED), RELAXED);
        new.visits.store(old.visits.load(RELAXED), RELAXED);
        new.total.store(old.total.load(RELAXED), RELAXED);
        new.outcome.set(old.outcome.get());
        new.child.set(old.child.get());
    }

    /// Moves lead to the nodes' new numbers.
    fn move_links(&self, moved: &[u32]) {
        let new = |link: &Link| {
            let to = moved[link.get()? as usize];
            (to != u32::MAX).then_some(to)
        };
        for number in 0..self.len() as u32 {
            for role in 0..self.roles as u16 {
                for arm in self.arms(NodeId(number), RoleId(role)) {
                    arm.child.set(new(&arm.child));
                }
            }
        }
    }

    fn rebuild_index(&mut self) {
        for shard in &mut self.index {
            let shard = shard.0.get_mut().unwrap_or_else(PoisonError::into_inner);
            shard.clear();
        }
        for number in 0..self.len() as u32 {
            self.publish(NodeId(number));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Arm, Tree};
    use paidia_game::{LegalMoves, MoveId, RoleId};

    fn moves() -> LegalMoves {
        let mut legal = LegalMoves::new();
        for ids in [&[1, 2][..], &[3]] {
            ids.iter().for_each(|&id| legal.push(MoveId(id)));
            legal.end_role();
        }
        legal
    }

    #[test]
    fn a_full_tree_takes_no_more() {
        let tree = Tree::new(2, 10, 60_000, false);
        let mut added = 0;
        while tree.add(added, 0, &moves()).is_some() {
            added += 1;
        }
        assert!(added > 100, "{added}");
        assert!(tree.memory() <= 60_000, "{}", tree.memory());
        assert!(tree.is_full());
    }

    #[test]
    fn what_lies_behind_is_forgotten() {
        let mut tree = Tree::new(2, 10, 1 << 20, false);
        let root = tree.add(10, 0, &moves()).unwrap();
        let child = tree.add(11, 1, &moves()).unwrap();
        let end = tree.add_end(12, 2, &[100, 0]).unwrap();
        let arm = tree.arm(child, RoleId(0), 1);
        tree.try_arm(arm, 20.0);
        tree.settle_arm(arm, 20.0, 30.0);
        tree.set_child(root, RoleId(0), 0, child);
        tree.set_child(child, RoleId(0), 1, end);
        tree.prove_arm(child, RoleId(0), 1, tree.outcome(end).unwrap());
        let child = tree.forget_before(child);
        assert_eq!(tree.len(), 2);
        assert_eq!(tree.find(10, 0), None);
        assert_eq!(tree.find(11, 1), Some(child));
        assert_eq!(tree.arm(child, RoleId(0), 1).total(), 30.0);
        let outcome = tree.arm_outcome(child, RoleId(0), 1).unwrap();
        assert_eq!(tree.results(outcome), [100, 0]);
        assert_eq!(tree.arm_outcome(child, RoleId(0), 0), None);
        let end = tree.find(12, 2).unwrap();
        assert_eq!(tree.child(child, RoleId(0), 1), Some(end));
        assert_eq!(tree.proof(end), Some(vec![100, 0]));
    }

    #[test]
    fn records_go_with_their_moves() {
        let mut tree = Tree::new(2, 10, 1 << 20, true);
        tree.add(10, 0, &moves()).unwrap();
        let child = tree.add(11, 1, &moves()).unwrap();
        for (role, place, value) in [(0, 1, 30.0), (1, 0, 70.0)] {
            tree.note(&tree.records(child, RoleId(role))[place], value);
        }
        let child = tree.forget_before(child);
        let totals = |role: u16| -> Vec<f64> {
            let records = tree.records(child, RoleId(role)).iter();
            records.map(Arm::total).collect()
        };
        assert_eq!((totals(0), totals(1)), (vec![0.0, 30.0], vec![70.0]));
        let added = tree.add(12, 2, &moves()).unwrap();
        let visits = |role: u16| {
            tree.records(added, RoleId(role))
                .iter()
                .map(Arm::visits)
                .sum::<u32>()
        };
        assert_eq!((visits(0), visits(1)), (0, 0), "new ones are empty");
        assert_eq!(tree.arms(added, RoleId(0)).len(), 2);
    }

    #[test]
    fn the_least_visited_go_first() {
        let mut tree = Tree::new(2, 10, 60_000, false);
        let root = tree.add(0, 0, &moves()).unwrap();
        let mut hash = 1;
        while let Some(node) = tree.add(hash, 1, &moves()) {
            for _ in 0..hash % 10 {
                tree.try_arm(tree.arm(node, RoleId(0), 0), 0.0);
            }
            hash += 1;
        }
        let before = tree.len();
        let root = tree.collect(root);
        assert_eq!(tree.find(0, 0), Some(root));
        assert!(tree.len() * 2 <= before + 2, "{} of {before}", tree.len());
        assert!(tree.find(9, 1).is_some() && tree.find(10, 1).is_none());
        assert!(tree.add(hash, 1, &moves()).is_some());
    }
}
