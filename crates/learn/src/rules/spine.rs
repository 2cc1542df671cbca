//! Spine compaction (algorithm 3.4.1 of the thesis): ways on which a word repeats become loops.

use paidia_languages::board::{Automaton, Letter};

use super::check::Judges;
use super::quotient::{Quotient, Tree};

/// A way in a tree along which a word repeats, with the same states accepting each time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Spine {
    /// The word.
    pub vertebra: Vec<Letter>,
    /// Where the way begins.
    pub root: u32,
    /// How many letters it has.
    pub length: usize,
}

/// The spines with vertebrae of a length that begin at a state or below it.
pub fn select_spines(tree: &Tree, size: usize, root: u32) -> Vec<Spine> {
    let mut search = Search {
        tree,
        size,
        found: Vec::new(),
    };
    search.candidate(&[root], &[]);
    search.found
}

struct Search<'a> {
    tree: &'a Tree,
    size: usize,
    found: Vec<Spine>,
}

impl Search<'_> {
    fn accepts(&self, state: u32) -> bool {
        self.tree.accepting[state as usize]
    }

    /// A way that has not repeated yet: its states, and the letters between them.
    fn candidate(&mut self, states: &[u32], letters: &[Letter]) {
        let last = states[states.len() - 1];
        if letters.len() < self.size {
            for &(letter, to) in &self.tree.edges[last as usize] {
                self.candidate(&[states, &[to]].concat(), &[letters, &[letter]].concat());
            }
        } else if self.accepts(states[0]) != self.accepts(last) {
            self.candidate(&states[1..], &letters[1..]);
        } else {
            self.spine(states.to_vec(), letters);
        }
    }

    /// A way along which the vertebra repeats, as far as it does.
    fn spine(&mut self, mut states: Vec<u32>, vertebra: &[Letter]) {
        loop {
            let length = states.len() - 1;
            let last = states[length];
            let letter = vertebra[length % self.size];
            let onward = self.tree.step(last, letter);
            let repeats = onward
                .filter(|&to| self.accepts(states[length + 1 - self.size]) == self.accepts(to));
            if repeats.is_none() {
                let vertebra = vertebra.to_vec();
                self.found.push(Spine {
                    vertebra,
                    root: states[0],
                    length,
                });
            }
            for &(other, to) in &self.tree.edges[last as usize] {
                if repeats != Some(to) {
                    self.aside(&states, vertebra, other, to);
                }
            }
            match repeats {
                Some(to) => states.push(to),
                None => return,
            }
        }
    }

    /// A way that leaves a spine: it begins as far back as a vertebra is long.
    fn aside(&mut self, states: &[u32], vertebra: &[Letter], letter: Letter, to: u32) {
        let length = states.len() - 1;
        let before = &states[states.len() - self.size..];
        let letters = length + 1 - self.size..length;
        let mut letters: Vec<Letter> = letters.map(|at| vertebra[at % self.size]).collect();
        letters.push(letter);
        self.candidate(&[before, &[to]].concat(), &letters);
    }
}

/// The states along a spine.
fn along(tree: &Tree, spine: &Spine) -> Vec<u32> {
    let mut states = vec![spine.root];
    for at in 0..spine.length {
        let letter = spine.vertebra[at % spine.vertebra.len()];
        // A spine is a way of this tree.
        let Some(next) = tree.step(states[at], letter) else {
            break;
        };
        states.push(next);
    }
    states
}

/// Two states of a spine that should be one: the first from which on no state a vertebra further
/// has more beside the spine than it.
fn select_pair(tree: &Tree, spine: &Spine) -> Option<(u32, u32)> {
    let states = along(tree, spine);
    let size = spine.vertebra.len();
    let mut first = 0;
    for at in 0..states.len().saturating_sub(size) {
        let letter = spine.vertebra[at % size];
        let beside = |state: u32| {
            let edges = tree.edges[state as usize].iter();
            let edges = edges.filter(move |edge| edge.0 != letter);
            edges.map(|&(letter, to)| (letter, tree.accepting[to as usize]))
        };
        let (near, far) = (states[at], states[at + size]);
        let has_more = beside(far).any(|edge| beside(near).all(|other| other != edge));
        if has_more {
            first = at + size;
        }
    }
    let remains = states.len() - 1 - first.min(states.len() - 1);
    (remains > size).then(|| (states[first], states[first + size]))
}

/// Closes spines to loops, those with the shortest vertebrae first and of these the longest first,
/// as far as the judge allows. No state gets two loops.
pub(super) fn learn(judge: &dyn Judges, most: usize) -> Option<Automaton> {
    let tree = Tree::new(judge.words());
    let mut quotient = Quotient::new(tree.clone());
    if !judge.allows(&quotient.automaton()) {
        return None;
    }
    let mut spines: Vec<Spine> = Vec::new();
    for &(_, child) in &tree.edges[0] {
        for size in 1..=most {
            spines.extend(select_spines(&tree, size, child));
        }
    }
    spines.sort_by_key(|spine| (spine.vertebra.len(), std::cmp::Reverse(spine.length)));
    let mut looped: Vec<u32> = Vec::new();
    let mut tried: Vec<(u32, u32)> = Vec::new();
    for (one, other) in spines.iter().filter_map(|spine| select_pair(&tree, spine)) {
        let has_loop = |state: u32| {
            let stands = quotient.find(state);
            looped.iter().any(|&looped| quotient.find(looped) == stands)
        };
        if tried.contains(&(one, other)) || has_loop(one) || has_loop(other) {
            continue;
        }
        tried.push((one, other));
        let merged = quotient.merged(one, other);
        if judge.allows(&merged.automaton()) {
            quotient = merged;
            looped.push(one);
        }
    }
    Some(quotient.automaton().minimal())
}
