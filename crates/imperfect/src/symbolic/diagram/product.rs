//! The relational product: both of two diagrams without some bits, in one pass.
//!
//! The crate has this operation, too, but works through a branch even where the other is empty, is
//! everything or is the same, so that to leave out a bit costs a pass through all that lies below
//! it. Here such branches are taken over as they are, and a branch of a bit that is left out is not
//! looked at where the other has everything already.

use biodivine_lib_bdd::{Bdd, BddNode, BddPointer, BddVariable};
use rustc_hash::FxHashMap;

const NOTHING: u32 = 0;
const EVERYTHING: u32 = 1;

/// A node of the result: its bit, and where it goes on without and with that bit.
type Node = (u16, u32, u32);

/// Both diagrams, without the bits that are left out; none if that has more than `most` nodes on
/// the way.
pub(super) fn product(one: &Bdd, other: &Bdd, left_out: &[bool], most: usize) -> Option<Bdd> {
    let mut work = Work {
        one: &one.clone().to_nodes(),
        other: &other.clone().to_nodes(),
        left_out,
        most,
        last: left_out.iter().rposition(|&out| out).unwrap_or(0) as u16,
        nodes: vec![(u16::MAX, 0, 0), (u16::MAX, 1, 1)],
        places: FxHashMap::default(),
        products: FxHashMap::default(),
        unions: FxHashMap::default(),
        open: Vec::new(),
        open_unions: Vec::new(),
    };
    let root = |nodes: &[BddNode]| nodes.len() as u32 - 1;
    let top = work.product(root(work.one), root(work.other))?;
    Some(work.in_order(top, one.num_vars()))
}

struct Work<'a> {
    one: &'a [BddNode],
    other: &'a [BddNode],
    left_out: &'a [bool],
    most: usize,
    /// The last bit that is left out.
    last: u16,
    nodes: Vec<Node>,
    places: FxHashMap<Node, u32>,
    products: FxHashMap<(u32, u32), u32>,
    unions: FxHashMap<(u32, u32), u32>,
    open: Vec<(u32, u32)>,
    open_unions: Vec<(u32, u32)>,
}

/// The bit of a node, and its branches if that bit is the one looked at.
fn branches(nodes: &[BddNode], place: u32, bit: u16) -> (u32, u32) {
    let node = &nodes[place as usize];
    match place > EVERYTHING && node.var.to_index() as u16 == bit {
        true => (
            node.low_link.to_index() as u32,
            node.high_link.to_index() as u32,
        ),
        false => (place, place),
    }
}

fn bit_of(nodes: &[BddNode], place: u32) -> u16 {
    match place > EVERYTHING {
        true => nodes[place as usize].var.to_index() as u16,
        false => u16::MAX,
    }
}

impl Work<'_> {
    /// The node of a bit with two branches.
    fn node(&mut self, bit: u16, low: u32, high: u32) -> Option<u32> {
        if low == high {
            return Some(low);
        }
        let key = (bit, low, high);
        if let Some(&place) = self.places.get(&key) {
            return Some(place);
        }
        if self.nodes.len() >= self.most {
            return None;
        }
        let place = self.nodes.len() as u32;
        self.nodes.push(key);
        self.places.insert(key, place);
        Some(place)
    }

    /// The product of two nodes, if it is known at once or was worked out.
    fn known(&self, one: u32, other: u32) -> Option<u32> {
        match (one, other) {
            (NOTHING, _) | (_, NOTHING) => Some(NOTHING),
            (EVERYTHING, EVERYTHING) => Some(EVERYTHING),
            _ => self.products.get(&(one, other)).copied(),
        }
    }

    fn product(&mut self, one: u32, other: u32) -> Option<u32> {
        if let Some(found) = self.known(one, other) {
            return Some(found);
        }
        self.open.push((one, other));
        while let Some(&(one, other)) = self.open.last() {
            let bit = bit_of(self.one, one).min(bit_of(self.other, other));
            let (one_low, one_high) = branches(self.one, one, bit);
            let (other_low, other_high) = branches(self.other, other, bit);
            let Some(high) = self.known(one_high, other_high) else {
                self.open.push((one_high, other_high));
                continue;
            };
            let is_out = bit <= self.last && self.left_out[bit as usize];
            let low = match (is_out && high == EVERYTHING, self.known(one_low, other_low)) {
                (true, _) => EVERYTHING,
                (false, Some(low)) => low,
                (false, None) => {
                    self.open.push((one_low, other_low));
                    continue;
                }
            };
            let found = match is_out {
                true => self.union(low, high)?,
                false => self.node(bit, low, high)?,
            };
            self.products.insert((one, other), found);
            self.open.pop();
        }
        self.known(one, other)
    }

    /// The union of two nodes of the result, if it is known.
    fn known_union(&self, one: u32, other: u32) -> Option<u32> {
        match (one, other) {
            (EVERYTHING, _) | (_, EVERYTHING) => Some(EVERYTHING),
            (NOTHING, rest) | (rest, NOTHING) => Some(rest),
            _ if one == other => Some(one),
            _ => self.unions.get(&(one.min(other), one.max(other))).copied(),
        }
    }

    fn union(&mut self, one: u32, other: u32) -> Option<u32> {
        if let Some(found) = self.known_union(one, other) {
            return Some(found);
        }
        self.open_unions.push((one, other));
        while let Some(&(one, other)) = self.open_unions.last() {
            let (first, second) = (self.nodes[one as usize], self.nodes[other as usize]);
            let bit = first.0.min(second.0);
            let parts = |place: u32, node: Node| match node.0 == bit {
                true => (node.1, node.2),
                false => (place, place),
            };
            let ((one_low, one_high), (other_low, other_high)) =
                (parts(one, first), parts(other, second));
            let Some(high) = self.known_union(one_high, other_high) else {
                self.open_unions.push((one_high, other_high));
                continue;
            };
            let Some(low) = self.known_union(one_low, other_low) else {
                self.open_unions.push((one_low, other_low));
                continue;
            };
            let found = self.node(bit, low, high)?;
            self.unions.insert((one.min(other), one.max(other)), found);
            self.open_unions.pop();
        }
        self.known_union(one, other)
    }

    /// The nodes below one, in the order of the crate: branches first, those with the bit before
    /// those without it. Equal diagrams are then equal lists.
    fn in_order(&self, top: u32, bits: u16) -> Bdd {
        let mut list = vec![BddNode::mk_zero(bits)];
        if top != NOTHING {
            list.push(BddNode::mk_one(bits));
        }
        let mut to = vec![u32::MAX; self.nodes.len()];
        (to[0], to[1]) = (NOTHING, EVERYTHING);
        let mut open = vec![top];
        while let Some(&place) = open.last() {
            if to[place as usize] != u32::MAX {
                open.pop();
                continue;
            }
            let (bit, low, high) = self.nodes[place as usize];
            if to[high as usize] == u32::MAX {
                open.push(high);
            } else if to[low as usize] == u32::MAX {
                open.push(low);
            } else {
                let pointer = |place: u32| BddPointer::from_index(to[place as usize] as usize);
                let bit = BddVariable::from_index(bit as usize);
                list.push(BddNode::mk_node(bit, pointer(low), pointer(high)));
                to[place as usize] = list.len() as u32 - 1;
                open.pop();
            }
        }
        let list = Bdd::from_nodes(&list);
        debug_assert!(list.is_ok(), "nodes are in order");
        list.unwrap_or_else(|_| unreachable!("the nodes of a result are in order"))
    }
}

#[cfg(test)]
mod tests {
    use biodivine_lib_bdd::{BddVariableSet, op_function};
    use paidia_game::Chance;

    use super::*;

    /// A diagram made by chance of some literals.
    fn made(set: &BddVariableSet, chance: &mut Chance, depth: u32) -> Bdd {
        if depth == 0 {
            let bits = set.variables();
            let bit = bits[chance.below(bits.len() as u32) as usize];
            return set.mk_literal(bit, chance.below(2) == 0);
        }
        let (one, other) = (made(set, chance, depth - 1), made(set, chance, depth - 1));
        match chance.below(3) {
            0 => one.and(&other),
            1 => one.or(&other),
            _ => one.iff(&other),
        }
    }

    #[test]
    fn products_are_those_of_the_crate_to_the_node() {
        let (set, mut chance) = (BddVariableSet::new_anonymous(9), Chance::from_seed(4));
        let bits = set.variables();
        for _ in 0..400 {
            let (one, other) = (made(&set, &mut chance, 4), made(&set, &mut chance, 4));
            let left_out: Vec<bool> = bits.iter().map(|_| chance.below(3) == 0).collect();
            let out: Vec<BddVariable> = bits
                .iter()
                .zip(&left_out)
                .filter(|&(_, &out)| out)
                .map(|(&bit, _)| bit)
                .collect();
            let theirs = Bdd::binary_op_with_exists(&one, &other, op_function::and, &out);
            assert_eq!(product(&one, &other, &left_out, 1 << 20), Some(theirs));
        }
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let set = BddVariableSet::new_anonymous(8);
        let bits = set.variables();
        let all = |from: usize| {
            let mut all = set.mk_true();
            for pair in bits[from..from + 4].chunks(2) {
                let literal = |bit| set.mk_literal(bit, true);
                all = all.and(&literal(pair[0]).iff(&literal(pair[1])));
            }
            all
        };
        assert!(product(&all(0), &all(4), &[false; 8], 4).is_none());
        assert!(product(&all(0), &all(4), &[false; 8], 100).is_some());
    }
}
