//! The logic of a uniformly random choice among many moves that holds few values at any time.
//!
//! The leaves stand in groups. Going through the groups, each takes its count from the rank as long
//! as that is not below it; the first for which it is has the leaf, and what is left of the rank is
//! the leaf's rank in the group. The leaves of that group are gathered, in every lane those of
//! another group, and a [`Tree`] chooses among them. A leaf is chosen where its group is and its
//! place in it. While the rank is counted down only the leaves of one group are looked at, so the
//! others need not be there.

use paidia_reason::propnet::Wire;

use super::tree::{Number, Tree, add};
use crate::circuit::Circuit;

/// How much more a group costs than a place in it.
const GROUP_COST: f64 = 2.8;

/// Leaves in groups.
#[derive(Clone, Debug)]
pub(crate) struct Groups {
    groups: Vec<Vec<Wire>>,
    counts: Vec<Number>,
    total: Number,
    bits: usize,
    /// What is to be computed in this order to count.
    pub(crate) order: Vec<Wire>,
}

impl Groups {
    /// Adds the gates that count the leaves, of which there is at least one.
    pub(crate) fn new(circuit: &mut Circuit, leaves: &[Wire]) -> Self {
        let size = ((leaves.len() as f64 * GROUP_COST).sqrt() as usize).max(4);
        let groups: Vec<Vec<Wire>> = leaves.chunks(size).map(<[Wire]>::to_vec).collect();
        let (mut counts, mut order, mut total) = (Vec::new(), Vec::new(), Number::new());
        for group in &groups {
            let count = count(circuit, group);
            total = add(circuit, &total, &count);
            order.extend(count.iter().chain(&total));
            counts.push(count);
        }
        Self {
            groups,
            counts,
            total,
            bits: (usize::BITS - (leaves.len() - 1).leading_zeros()) as usize,
            order,
        }
    }

    /// How many bits a rank has.
    pub(crate) fn rank_bits(&self) -> usize {
        self.bits
    }

    /// How many leaves are set.
    pub(crate) fn total(&self) -> &[Wire] {
        &self.total
    }

    /// For each leaf, where it is the one with the given rank, and what is to be computed in this
    /// order for that.
    pub(crate) fn descend(&self, circuit: &mut Circuit, rank: &[Wire]) -> (Vec<Wire>, Vec<Wire>) {
        let widest = self.counts.iter().map(Vec::len).max().unwrap_or(0);
        let places = self.groups[0].len();
        let mut left = rank.to_vec();
        let mut is_done = Wire::FALSE;
        let mut inner = vec![Wire::FALSE; widest.min(rank.len())];
        let mut gathered = vec![Wire::FALSE; places];
        let (mut chosen, mut order) = (Vec::new(), Vec::new());
        for (group, count) in self.groups.iter().zip(&self.counts) {
            let (is_below, rest) = take(circuit, &left, count);
            let here = circuit.and_not(is_below, is_done);
            is_done = circuit.or(is_done, is_below);
            for (bit, &now) in inner.iter_mut().zip(&left) {
                let own = circuit.and(here, now);
                *bit = circuit.or(*bit, own);
            }
            for (place, &leaf) in gathered.iter_mut().zip(group) {
                let own = circuit.and(here, leaf);
                *place = circuit.or(*place, own);
            }
            left = rest;
            order.extend(count.iter().chain(&left).chain([&here, &is_done]));
            order.extend(inner.iter().chain(&gathered));
            chosen.push(here);
        }
        let tree = Tree::new(circuit, gathered.iter().map(|&wire| vec![wire]).collect());
        inner.resize(tree.rank_bits(), Wire::FALSE);
        let places = match tree.rank_bits() {
            0 => vec![Wire::TRUE],
            _ => tree.descend(circuit, &inner),
        };
        order.extend(&places);
        let marks = self.groups.iter().zip(chosen).flat_map(|(group, here)| {
            let places = &places[..group.len()];
            places.iter().map(move |&place| (here, place))
        });
        let marks: Vec<(Wire, Wire)> = marks.collect();
        let marks = marks.into_iter();
        let marks = marks.map(|(here, place)| circuit.and(here, place));
        (marks.collect(), order)
    }
}

/// How many of a few words are set: two bits of a place become one of the next, with the help of
/// full adders.
fn count(circuit: &mut Circuit, words: &[Wire]) -> Number {
    let mut count = Number::new();
    let mut now = words.to_vec();
    while !now.is_empty() {
        let mut next = Vec::new();
        while now.len() > 1 {
            let third = if now.len() > 2 { now.pop() } else { None };
            let (Some(second), Some(first)) = (now.pop(), now.pop()) else {
                break;
            };
            let third = third.unwrap_or(Wire::FALSE);
            let half = circuit.xor(first, second);
            let sum = circuit.xor(half, third);
            let both = circuit.and(first, second);
            let carried = circuit.and(half, third);
            let carry = circuit.or(both, carried);
            now.push(sum);
            next.push(carry);
        }
        count.extend(now.pop());
        now = next;
    }
    while count.last() == Some(&Wire::FALSE) {
        count.pop();
    }
    count
}

/// Whether a number is below a count, and the number less the count.
fn take(circuit: &mut Circuit, number: &[Wire], count: &[Wire]) -> (Wire, Number) {
    let mut borrow = Wire::FALSE;
    let mut rest = Number::new();
    for place in 0..number.len().max(count.len()) {
        let bit = |number: &[Wire]| number.get(place).copied().unwrap_or(Wire::FALSE);
        let (own, taken) = (bit(number), bit(count));
        let change = circuit.xor(taken, borrow);
        let both = circuit.and(taken, borrow);
        let lent = circuit.and_not(change, own);
        borrow = circuit.or(both, lent);
        if place < number.len() {
            rest.push(circuit.xor(own, change));
        }
    }
    (borrow, rest)
}
