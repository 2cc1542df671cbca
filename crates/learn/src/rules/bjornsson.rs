//! Björnsson's search among automata (algorithm 3.2.2 of the thesis).

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, VecDeque};

use paidia_languages::board::{Automaton, Letter};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Settings;
use super::check::Judges;
use super::quotient::Tree;

/// An automaton that becomes larger than this when states are made one is dropped.
const MAX_STATES: usize = 5_000;

/// Looks at the smallest automaton so far, again and again, and at all that come of making two of
/// its near states one. Of automata of one size the one found first is looked at first, and none
/// is looked at twice.
pub(super) fn learn(judge: &dyn Judges, settings: Settings) -> Option<Automaton> {
    let first = Tree::new(judge.words()).automaton();
    if !judge.allows(&first) {
        return None;
    }
    let mut found = vec![first.minimal()];
    let mut known: FxHashSet<Automaton> = found.iter().cloned().collect();
    let mut queue = BinaryHeap::from([Reverse((found[0].states(), 0))]);
    let mut best = 0;
    for _ in 0..settings.expansions {
        let Some(Reverse((states, place))) = queue.pop() else {
            break;
        };
        if states < found[best].states() {
            best = place;
        }
        let automaton = found[place].clone();
        for (one, other) in near(&automaton, settings.distance) {
            let Some(merged) = collapsed(&automaton, one, other) else {
                continue;
            };
            let minimal = merged.minimal();
            // What was seen before was allowed, or was not.
            if known.insert(minimal.clone()) && judge.allows(&minimal) {
                queue.push(Reverse((minimal.states(), found.len())));
                found.push(minimal);
            }
        }
    }
    // What waits was made, too, and may be smaller than all that was looked at.
    if let Some(Reverse((states, place))) = queue.pop()
        && states < found[best].states()
    {
        best = place;
    }
    Some(found.swap_remove(best))
}

/// Pairs of states that are at most `distance` edges apart, whichever way these go.
fn near(automaton: &Automaton, distance: usize) -> Vec<(u32, u32)> {
    let states = automaton.states();
    let mut neighbours = vec![BTreeSet::new(); states];
    for (from, _, to) in automaton.table() {
        neighbours[from as usize].insert(to);
        neighbours[to as usize].insert(from);
    }
    let mut pairs = Vec::new();
    for start in 0..states as u32 {
        let mut seen = BTreeSet::from([start]);
        let mut open = VecDeque::from([(start, 0)]);
        while let Some((state, far)) = open.pop_front() {
            if far == distance {
                continue;
            }
            for &next in &neighbours[state as usize] {
                if seen.insert(next) {
                    open.push_back((next, far + 1));
                }
            }
        }
        pairs.extend(
            seen.into_iter()
                .filter(|&other| other > start)
                .map(|other| (start, other)),
        );
    }
    pairs
}

/// The automaton for what two states made one accept; `None` if that is too large.
fn collapsed(automaton: &Automaton, one: u32, other: u32) -> Option<Automaton> {
    let kept = |state: u32| if state == other { one } else { state };
    let mut number: FxHashMap<BTreeSet<u32>, u32> = FxHashMap::default();
    let start = BTreeSet::from([kept(0)]);
    number.insert(start.clone(), 0);
    let mut order = vec![start];
    let (mut accepting, mut edges) = (Vec::new(), Vec::new());
    let mut done = 0;
    while done < order.len() {
        let mut members: Vec<u32> = order[done].iter().copied().collect();
        if members.contains(&one) {
            members.push(other);
        }
        accepting.push(members.iter().any(|&state| automaton.is_accepting(state)));
        let mut targets: FxHashMap<Letter, BTreeSet<u32>> = FxHashMap::default();
        for &(letter, to) in members.iter().flat_map(|&state| automaton.edges(state)) {
            targets.entry(letter).or_default().insert(kept(to));
        }
        for (letter, set) in targets {
            let count = order.len() as u32;
            let to = *number.entry(set.clone()).or_insert_with(|| {
                order.push(set);
                count
            });
            edges.push((done as u32, letter, to));
        }
        if order.len() > MAX_STATES {
            return None;
        }
        done += 1;
    }
    Some(Automaton::of_table(&accepting, &edges))
}
