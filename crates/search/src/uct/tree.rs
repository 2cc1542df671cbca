//! The tree: states with what is known about every role's moves in them.
//!
//! Nodes, moves and proofs lie in flat arrays and are named by numbers. A node is found by its state's hash and its
//! depth, so that states reached in different ways at the same depth are one node, and a node is deleted by forgetting
//! it. The tree never takes more memory than it was given: when it is full, simulations go on without adding to it.

use paidia_game::{LegalMoves, MoveId, RoleId};
use rustc_hash::FxHashMap;

/// A node's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The node that was added to an empty tree.
    pub(super) const FIRST: NodeId = NodeId(0);

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move of a role in a state, with its statistics.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    /// The move.
    pub(crate) id: MoveId,
    /// How often it was tried.
    pub(crate) visits: u32,
    /// The sum of returns.
    pub(crate) total: f64,
}

impl Arm {
    /// The mean return; 0 before the first.
    #[inline]
    pub(crate) fn mean(&self) -> f64 {
        if self.visits == 0 {
            0.0
        } else {
            self.total / f64::from(self.visits)
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Node {
    key: u64,
    depth: u32,
    visits: u32,
    /// Where the moves of role 0 start; those of the other roles follow.
    first_arm: u32,
    /// Where the ends of the roles' moves are listed.
    ends: u32,
    /// Where the proven results are, or [`NOTHING`].
    proof: u32,
    /// The move of the choosing role with the best proven results so far, or [`NOTHING`].
    best_proven: u32,
    /// The only role with a choice, or [`SEVERAL`].
    mover: u16,
    terminal: bool,
}

const SEVERAL: u16 = u16::MAX;

const NOTHING: u32 = u32::MAX;

/// Bytes that a node takes beside its moves: itself, its place in the index, the ends of its moves.
const NODE_BYTES: usize = size_of::<Node>() + 24;

/// States with what is known about every role's moves in them.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    roles: usize,
    memory: usize,
    nodes: Vec<Node>,
    arms: Vec<Arm>,
    ends: Vec<u32>,
    proofs: Vec<i32>,
    /// For each arm, where its proven results are, or [`NOTHING`].
    arm_proofs: Vec<u32>,
    index: FxHashMap<(u64, u32), NodeId>,
}

impl Tree {
    pub(super) fn new(roles: usize, memory: usize) -> Self {
        Self {
            roles,
            memory,
            nodes: Vec::new(),
            arms: Vec::new(),
            ends: Vec::new(),
            proofs: Vec::new(),
            arm_proofs: Vec::new(),
            index: FxHashMap::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.arms.clear();
        self.ends.clear();
        self.proofs.clear();
        self.arm_proofs.clear();
        self.index.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Bytes in use. Vectors grow by doubling, so up to twice as much may be set aside; limits count with that.
    pub(super) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.arms.capacity() * (size_of::<Arm>() + 4)
            + (self.ends.capacity() + self.proofs.capacity()) * 4
            + self.index.capacity() * 24
    }

    fn used(&self) -> usize {
        self.nodes.len() * (NODE_BYTES + self.roles * 4)
            + self.arms.len() * (size_of::<Arm>() + 4)
            + self.proofs.len() * 4
    }

    /// Whether there is room for a node with so many moves, counting that vectors double.
    fn has_room(&self, arms: usize) -> bool {
        let more = NODE_BYTES + self.roles * 8 + arms * (size_of::<Arm>() + 4);
        (self.used() + more) * 2 <= self.memory || self.nodes.is_empty()
    }

    /// Whether the tree has used most of its memory.
    pub(super) fn is_crowded(&self) -> bool {
        self.used() * 4 > self.memory
    }

    pub(super) fn find(&self, hash: u64, depth: u32) -> Option<NodeId> {
        self.index.get(&(hash, depth)).copied()
    }

    /// The depth at which a state is known, the least if there are several; 0 for one that is not.
    pub(super) fn depth_of(&self, hash: u64) -> u32 {
        let depths = self
            .nodes
            .iter()
            .filter(|node| node.key == hash)
            .map(|node| node.depth);
        depths.min().unwrap_or(0)
    }

    /// Adds a state in which the roles have these moves; `None` if there is no room.
    pub(super) fn add(&mut self, hash: u64, depth: u32, legal: &LegalMoves) -> Option<NodeId> {
        let count = legal.iter().map(|(_, moves)| moves.len()).sum();
        if !self.has_room(count) {
            return None;
        }
        let mut choosing = legal
            .iter()
            .filter(|(_, moves)| moves.len() > 1)
            .map(|(role, _)| role.0);
        let first = choosing.next().unwrap_or(0);
        let mover = if choosing.next().is_some() {
            SEVERAL
        } else {
            first
        };
        let node = Node {
            mover,
            ..self.new_node(hash, depth)
        };
        for (_, moves) in legal.iter() {
            self.arms.extend(moves.iter().map(|&id| Arm {
                id,
                visits: 0,
                total: 0.0,
            }));
            self.ends.push(self.arms.len() as u32);
        }
        self.arm_proofs.resize(self.arms.len(), NOTHING);
        Some(self.push(node))
    }

    /// Adds a state in which the game is over with these results; `None` if there is no room.
    pub(super) fn add_end(&mut self, hash: u64, depth: u32, results: &[i32]) -> Option<NodeId> {
        if !self.has_room(0) {
            return None;
        }
        let node = self.new_node(hash, depth);
        self.ends
            .extend(std::iter::repeat_n(self.arms.len() as u32, self.roles));
        let proof = self.add_results(results);
        Some(self.push(Node {
            terminal: true,
            proof,
            ..node
        }))
    }

    fn new_node(&self, hash: u64, depth: u32) -> Node {
        Node {
            key: hash,
            depth,
            visits: 0,
            first_arm: self.arms.len() as u32,
            ends: self.ends.len() as u32,
            proof: NOTHING,
            best_proven: NOTHING,
            mover: 0,
            terminal: false,
        }
    }

    fn push(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.index.insert((node.key, node.depth), id);
        id
    }

    fn range(&self, node: NodeId, role: RoleId) -> std::ops::Range<usize> {
        let node = &self.nodes[node.index()];
        let ends = node.ends as usize;
        let start = match role.index() {
            0 => node.first_arm,
            index => self.ends[ends + index - 1],
        };
        start as usize..self.ends[ends + role.index()] as usize
    }

    /// The moves of a role in a state.
    #[inline]
    pub(super) fn arms(&self, node: NodeId, role: RoleId) -> &[Arm] {
        if self.nodes[node.index()].terminal {
            return &[];
        }
        &self.arms[self.range(node, role)]
    }

    pub(super) fn depth(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].depth
    }

    pub(super) fn visits(&self, node: NodeId) -> u32 {
        self.nodes[node.index()].visits
    }

    pub(super) fn is_terminal(&self, node: NodeId) -> bool {
        self.nodes[node.index()].terminal
    }

    /// Counts a visit of a node.
    pub(super) fn visit(&mut self, node: NodeId) {
        self.nodes[node.index()].visits += 1;
    }

    /// Adds a return to a move.
    pub(super) fn update(&mut self, node: NodeId, role: RoleId, place: usize, value: f64) {
        let range = self.range(node, role);
        let arm = &mut self.arms[range.start + place];
        arm.visits += 1;
        arm.total += value;
    }

    /// For each role its certain result, if the node is solved.
    pub(super) fn proof(&self, node: NodeId) -> Option<&[i32]> {
        self.results(self.nodes[node.index()].proof)
    }

    fn results(&self, place: u32) -> Option<&[i32]> {
        let start = place as usize;
        (place != NOTHING).then(|| &self.proofs[start..start + self.roles])
    }

    /// The role's certain result after a move of its own, if the move alone settles what comes.
    pub(super) fn arm_proof(&self, node: NodeId, role: RoleId, place: usize) -> Option<i32> {
        let range = self.range(node, role);
        self.results(*self.arm_proofs.get(range.start + place)?)
            .map(|results| results[role.index()])
    }

    /// All certain results after a move.
    pub(super) fn arm_results(&self, node: NodeId, role: RoleId, place: usize) -> Option<&[i32]> {
        let range = self.range(node, role);
        self.results(self.arm_proofs[range.start + place])
    }

    /// The only role with a choice in a state; role 0 if none has one, `None` if several have.
    pub(super) fn mover(&self, node: NodeId) -> Option<RoleId> {
        let mover = self.nodes[node.index()].mover;
        (mover != SEVERAL).then_some(RoleId(mover))
    }

    /// The move with the best proven results for the only role with a choice.
    pub(super) fn best_proven(&self, node: NodeId) -> Option<usize> {
        let place = self.nodes[node.index()].best_proven;
        (place != NOTHING).then_some(place as usize)
    }

    /// Whether it is certain what a move leads to.
    pub(super) fn is_arm_proven(&self, node: NodeId, role: RoleId, place: usize) -> bool {
        self.arm_proofs[self.range(node, role).start + place] != NOTHING
    }

    /// Notes that a move of the only role with a choice leads to a solved state.
    pub(super) fn prove_arm(&mut self, node: NodeId, role: RoleId, place: usize, child: NodeId) {
        let range = self.range(node, role);
        self.arm_proofs[range.start + place] = self.nodes[child.index()].proof;
        let value = |place: usize| self.arm_proof(node, role, place);
        let best = self.best_proven(node);
        if best.is_none_or(|best| value(place) > value(best)) {
            self.nodes[node.index()].best_proven = place as u32;
        }
    }

    /// Notes that a node is worth what a move in it is worth.
    pub(super) fn prove_by_arm(&mut self, node: NodeId, role: RoleId, place: usize) {
        let range = self.range(node, role);
        self.nodes[node.index()].proof = self.arm_proofs[range.start + place];
    }

    /// Deletes all nodes nearer to the start than `depth`.
    pub(super) fn forget_before(&mut self, depth: u32) {
        let mut kept = Tree::new(self.roles, self.memory);
        let roles: Vec<RoleId> = (0..self.roles as u16).map(RoleId).collect();
        for index in 0..self.nodes.len() {
            let old = NodeId(index as u32);
            let node = self.nodes[index];
            if node.depth < depth {
                continue;
            }
            let first_arm = kept.arms.len() as u32;
            let ends = kept.ends.len() as u32;
            for &role in &roles {
                let range = self.range(old, role);
                kept.arms.extend_from_slice(&self.arms[range.clone()]);
                kept.ends.push(kept.arms.len() as u32);
                for &place in &self.arm_proofs[range] {
                    let moved = self
                        .results(place)
                        .map_or(NOTHING, |results| kept.add_results(results));
                    kept.arm_proofs.push(moved);
                }
            }
            let proof = self
                .results(node.proof)
                .map_or(NOTHING, |results| kept.add_results(results));
            let id = NodeId(kept.nodes.len() as u32);
            kept.nodes.push(Node {
                first_arm,
                ends,
                proof,
                ..node
            });
            kept.index.insert((node.key, node.depth), id);
        }
        *self = kept;
    }

    fn add_results(&mut self, results: &[i32]) -> u32 {
        self.proofs.extend_from_slice(results);
        (self.proofs.len() - results.len()) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use paidia_game::{LegalMoves, MoveId, RoleId};

    fn moves() -> LegalMoves {
        let mut legal = LegalMoves::new();
        for ids in [[1, 2], [3, 4]] {
            ids.into_iter().for_each(|id| legal.push(MoveId(id)));
            legal.end_role();
        }
        legal
    }

    #[test]
    fn a_full_tree_takes_no_more() {
        let mut tree = Tree::new(2, 20_000);
        let mut added = 0;
        while tree.add(added, 0, &moves()).is_some() {
            added += 1;
        }
        assert!(added > 20, "{added}");
        assert!(tree.memory() <= 20_000, "{}", tree.memory());
    }

    #[test]
    fn what_lies_behind_is_forgotten() {
        let mut tree = Tree::new(2, 1 << 20);
        let root = tree.add(10, 0, &moves()).unwrap();
        let child = tree.add(11, 1, &moves()).unwrap();
        let end = tree.add_end(12, 2, &[100, 0]).unwrap();
        tree.update(child, RoleId(1), 1, 30.0);
        tree.prove_arm(child, RoleId(0), 1, end);
        assert_eq!(tree.depth(root), 0);
        tree.forget_before(1);
        assert_eq!(tree.len(), 2);
        assert_eq!(tree.find(10, 0), None);
        let child = tree.find(11, 1).unwrap();
        assert_eq!(tree.arms(child, RoleId(1))[1].total, 30.0);
        assert_eq!(tree.arm_proof(child, RoleId(0), 1), Some(100));
        assert_eq!(tree.arm_proof(child, RoleId(0), 0), None);
        let end = tree.find(12, 2).unwrap();
        assert_eq!(tree.proof(end), Some(&[100, 0][..]));
    }
}
