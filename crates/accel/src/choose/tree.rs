//! The logic of a random choice among legal moves, as gates.
//!
//! Leaves are words that say in which lanes a move is legal. A binary tree of adders over them
//! counts, in every lane, the legal moves under each node; the count at the root is how many there
//! are. Given a number below that count in each lane, as bits, a descent of the same tree marks the
//! leaf with that rank: at a node the lane goes left if its number is below the left child's count,
//! else right with that count taken off. At each level a lane is at one node only, so the counts
//! that matter are gathered into one number a lane, and the level costs one subtraction for all of
//! its nodes.
//!
//! Where moves have weights, a leaf counts as many as its weight where it is legal, and a rank
//! below the sum of all of them picks a leaf as often as its weight says.

use paidia_reason::propnet::Wire;

use crate::circuit::Circuit;

/// A number in every lane, as bits from the lowest.
pub(crate) type Number = Vec<Wire>;

/// Counts over a row of leaves, which can be descended.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    /// The counts of all nodes by level: the leaves first, each node of a level above adding two of
    /// the level below, the last perhaps only one; a single node at the end.
    levels: Vec<Vec<Number>>,
    /// The most that a leaf counts.
    most: usize,
}

impl Tree {
    /// Adds the gates that count the leaves, of which there is at least one, each with what it
    /// counts.
    pub(crate) fn new(circuit: &mut Circuit, leaves: Vec<Number>) -> Self {
        let digits = leaves.iter().map(Vec::len).max().unwrap_or(1);
        let mut levels = vec![leaves];
        while let Some(below) = levels.last()
            && below.len() > 1
        {
            let level = below.chunks(2).map(|pair| match pair {
                [left, right] => add(circuit, left, right),
                _ => pair[0].clone(),
            });
            let level = level.collect();
            levels.push(level);
        }
        Self {
            levels,
            most: (1 << digits) - 1,
        }
    }

    /// How many bits a rank has.
    pub(crate) fn rank_bits(&self) -> usize {
        self.bits_below(self.levels.len() - 1)
    }

    /// How many bits a rank has under a node of a level.
    fn bits_below(&self, level: usize) -> usize {
        let most = (self.most << level) - 1;
        (usize::BITS - most.leading_zeros()) as usize
    }

    /// For each leaf, where it is the one with the given rank. In lanes where the rank is too high,
    /// some leaf is marked.
    pub(crate) fn descend(&self, circuit: &mut Circuit, rank: &[Wire]) -> Vec<Wire> {
        let mut rank = rank.to_vec();
        let mut marked = vec![Wire::TRUE];
        for (height, children) in self.levels.iter().enumerate().rev().skip(1) {
            if height == 0 && self.most == 1 {
                return mark_leaves(circuit, children, &marked, rank[0]);
            }
            let gathered = gather(circuit, children, &marked);
            let (is_left, rest) = step_down(circuit, &rank, &gathered);
            marked = split(circuit, children.len(), &marked, is_left);
            rank = rest;
            rank.truncate(self.bits_below(height));
        }
        marked
    }

    /// How many leaves are set.
    pub(crate) fn total(&self) -> &[Wire] {
        let top = &self.levels[self.levels.len() - 1];
        &top[0]
    }
}

/// The sum of two numbers.
pub(super) fn add(circuit: &mut Circuit, left: &[Wire], right: &[Wire]) -> Number {
    let mut carry = Wire::FALSE;
    let mut sum = Number::new();
    for place in 0..left.len().max(right.len()) {
        let bit = |number: &[Wire]| number.get(place).copied().unwrap_or(Wire::FALSE);
        let (left, right) = (bit(left), bit(right));
        let half = circuit.xor(left, right);
        sum.push(circuit.xor(half, carry));
        let both = circuit.and(left, right);
        let carried = circuit.and(half, carry);
        carry = circuit.or(both, carried);
    }
    sum.push(carry);
    while sum.last() == Some(&Wire::FALSE) {
        sum.pop();
    }
    sum
}

/// The count of the left child of the marked node, in every lane.
fn gather(circuit: &mut Circuit, children: &[Number], marked: &[Wire]) -> Number {
    let pairs = || children.chunks(2).zip(marked);
    let width = children.iter().map(Vec::len).max().unwrap_or(0);
    let mut gathered = Number::new();
    for place in 0..width {
        let mut any = Wire::FALSE;
        for (pair, &mark) in pairs().filter(|(pair, _)| pair.len() == 2) {
            let bit = pair[0].get(place).copied().unwrap_or(Wire::FALSE);
            let counts = circuit.and(mark, bit);
            any = circuit.or(any, counts);
        }
        gathered.push(any);
    }
    gathered
}

/// Whether the rank is below the count, and the rank less the count where it is not.
fn step_down(circuit: &mut Circuit, rank: &[Wire], count: &[Wire]) -> (Wire, Number) {
    let mut borrow = Wire::FALSE;
    let mut changes = Number::new();
    for place in 0..rank.len().max(count.len()) {
        let bit = |number: &[Wire]| number.get(place).copied().unwrap_or(Wire::FALSE);
        let (rank, count) = (bit(rank), bit(count));
        let change = circuit.xor(count, borrow);
        let both = circuit.and(count, borrow);
        let lent = circuit.and_not(change, rank);
        borrow = circuit.or(both, lent);
        changes.push(change);
    }
    let is_below = borrow;
    let rest = rank.iter().zip(changes).map(|(&bit, change)| {
        let change = circuit.and_not(change, is_below);
        circuit.xor(bit, change)
    });
    (is_below, rest.collect())
}

/// Sends the marks of nodes on to their children: to the left where `is_left`.
fn split(circuit: &mut Circuit, children: usize, marked: &[Wire], is_left: Wire) -> Vec<Wire> {
    let mut below = Vec::with_capacity(children);
    for &mark in marked {
        if below.len() + 1 == children {
            below.push(mark);
        } else {
            below.push(circuit.and(mark, is_left));
            below.push(circuit.and_not(mark, is_left));
        }
    }
    below
}

/// The last step down, where counts and ranks have one bit: left if the left leaf is set and the
/// rank is 0.
fn mark_leaves(circuit: &mut Circuit, leaves: &[Number], marked: &[Wire], rank: Wire) -> Vec<Wire> {
    let mut below = Vec::with_capacity(leaves.len());
    for (pair, &mark) in leaves.chunks(2).zip(marked) {
        if pair.len() == 1 {
            below.push(mark);
        } else {
            let left = pair[0].first().copied().unwrap_or(Wire::FALSE);
            let is_left = circuit.and_not(left, rank);
            below.push(circuit.and(mark, is_left));
            below.push(circuit.and_not(mark, is_left));
        }
    }
    below
}

/// The highest rank among as many as a number says: one less, in a number of bits. Where the number
/// is 0 it is some number.
pub(crate) fn last(circuit: &mut Circuit, total: &[Wire], bits: usize) -> Number {
    let mut borrow = Wire::TRUE;
    let mut last = Number::new();
    for &bit in total.iter().take(bits) {
        last.push(circuit.xor(bit, borrow));
        borrow = circuit.and_not(borrow, bit);
    }
    last.resize(bits, Wire::FALSE);
    last
}
