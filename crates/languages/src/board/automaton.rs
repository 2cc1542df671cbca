//! Deterministic automata over steps: from expressions, minimal, in one form for each language.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::expression::{Expression, Power, Step};
use super::limits::{MAX_AUTOMATON_WORK, MAX_STATES};
use super::minimise::minimise;

/// A letter of words that automata accept.
pub type Letter = Step;

/// An expression whose automaton is larger than the program takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the automaton of this rule has more than {MAX_STATES} states, or takes too long to make")]
pub struct TooComplex;

/// A deterministic automaton in which each state is on a way from the start, state 0, to an
/// accepting one. There are no edges but those.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Automaton {
    accepting: Vec<bool>,
    /// Where the edges of each state begin, and the end of the last.
    first: Vec<u32>,
    /// By state, then by letter.
    edges: Vec<(Letter, u32)>,
}

impl Automaton {
    /// The minimal automaton of an expression, with its states numbered breadth first by letters in
    /// their order. So two languages are equal exactly if these automata are.
    ///
    /// # Errors
    /// If it is too large.
    pub fn of(expression: &Expression) -> Result<Self, TooComplex> {
        let parts = Parts::new(expression);
        Ok(parts.determinised()?.minimal())
    }

    /// An automaton of a table: whether each state accepts, and edges in any order. What is not on
    /// a way from state 0 to an accepting state is left out, and states are numbered breadth first.
    ///
    /// # Panics
    /// If two edges of a state have the same letter, or an edge names a state that is not there.
    pub fn of_table(accepting: &[bool], edges: &[(u32, Letter, u32)]) -> Self {
        let states = accepting.len();
        let mut sorted = edges.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let unique = sorted
            .windows(2)
            .all(|pair| (pair[0].0, pair[0].1) != (pair[1].0, pair[1].1));
        assert!(unique, "two edges of a state have the same letter");
        let is_live = live(accepting, &sorted);
        sorted.retain(|&(from, _, to)| is_live[from as usize] && is_live[to as usize]);
        let of_state = |state: u32| {
            let first = sorted.partition_point(|edge| edge.0 < state);
            let after = sorted.partition_point(|edge| edge.0 <= state);
            &sorted[first..after]
        };
        let mut number = vec![u32::MAX; states.max(1)];
        number[0] = 0;
        let mut order = vec![0];
        let mut automaton = Self {
            accepting: Vec::new(),
            first: vec![0],
            edges: Vec::new(),
        };
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for &(_, letter, to) in of_state(state) {
                if number[to as usize] == u32::MAX {
                    number[to as usize] = order.len() as u32;
                    order.push(to);
                }
                automaton.edges.push((letter, number[to as usize]));
            }
            automaton.first.push(automaton.edges.len() as u32);
            let accepts = accepting.get(state as usize).copied();
            automaton.accepting.push(accepts.unwrap_or_default());
        }
        automaton
    }

    /// The automaton with the fewest states for the same language.
    #[must_use]
    pub fn minimal(&self) -> Self {
        let edges: Vec<(u32, Letter, u32)> = self.table().collect();
        let classes = minimise(&self.accepting, &edges);
        let count = classes.iter().max().map_or(0, |most| most + 1);
        // The start keeps its number.
        let swap = |class: u32| match class {
            class if class == classes[0] => 0,
            0 => classes[0],
            class => class,
        };
        let mut accepting = vec![false; count as usize];
        for (state, &class) in classes.iter().enumerate() {
            accepting[swap(class) as usize] = self.accepting[state];
        }
        let merged = |state: u32| swap(classes[state as usize]);
        let merged: Vec<_> = edges
            .iter()
            .map(|&(from, letter, to)| (merged(from), letter, merged(to)))
            .collect();
        Self::of_table(&accepting, &merged)
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Whether a word may end in a state.
    pub fn is_accepting(&self, state: u32) -> bool {
        self.accepting[state as usize]
    }

    /// The edges of a state, by letter.
    pub fn edges(&self, state: u32) -> &[(Letter, u32)] {
        let state = state as usize;
        &self.edges[self.first[state] as usize..self.first[state + 1] as usize]
    }

    /// Where a letter leads from a state.
    pub fn step(&self, state: u32, letter: Letter) -> Option<u32> {
        let edges = self.edges(state);
        let place = edges.binary_search_by_key(&letter, |edge| edge.0).ok()?;
        Some(edges[place].1)
    }

    /// All edges, by state and letter.
    pub fn table(&self) -> impl Iterator<Item = (u32, Letter, u32)> {
        (0..self.states() as u32).flat_map(|state| {
            let edges = self.edges(state).iter();
            edges.map(move |&(letter, to)| (state, letter, to))
        })
    }

    /// Whether a word is in the language.
    pub fn accepts(&self, word: &[Letter]) -> bool {
        let steps = word.iter();
        let end = steps
            .copied()
            .try_fold(0, |state, letter| self.step(state, letter));
        end.is_some_and(|state| self.is_accepting(state))
    }
}

/// From which states an accepting one can be reached.
fn live(accepting: &[bool], edges: &[(u32, Letter, u32)]) -> Vec<bool> {
    let mut back: Vec<(u32, u32)> = edges.iter().map(|&(from, _, to)| (to, from)).collect();
    back.sort_unstable();
    let mut is_live = accepting.to_vec();
    let mut open: Vec<u32> = (0..accepting.len() as u32)
        .filter(|&state| accepting[state as usize])
        .collect();
    while let Some(state) = open.pop() {
        let first = back.partition_point(|edge| edge.0 < state);
        let into = back[first..].iter().take_while(|edge| edge.0 == state);
        for &(_, from) in into {
            if !std::mem::replace(&mut is_live[from as usize], true) {
                open.push(from);
            }
        }
    }
    is_live
}

/// A state of the automaton with free choices.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// A letter, and where it leads.
    Letter(Letter, u32),
    /// Goes on in both places at once.
    Fork(u32, u32),
    /// The end of a word.
    End,
}

/// An automaton with free choices (Thompson, Regular Expression Search Algorithm, 1968). It is
/// built from the end, so that each part knows what follows it.
struct Parts {
    parts: Vec<Part>,
    start: u32,
}

impl Parts {
    fn new(expression: &Expression) -> Self {
        let mut this = Self {
            parts: vec![Part::End],
            start: 0,
        };
        this.start = this.before(expression, 0);
        this
    }

    fn add(&mut self, part: Part) -> u32 {
        self.parts.push(part);
        self.parts.len() as u32 - 1
    }

    /// The place from which the words of an expression lead to `next`.
    fn before(&mut self, expression: &Expression, next: u32) -> u32 {
        match expression {
            Expression::Step(step) => self.add(Part::Letter(*step, next)),
            Expression::Sequence(parts) => {
                let parts = parts.iter().rev();
                parts.fold(next, |next, part| self.before(part, next))
            }
            Expression::Choice(parts) => {
                let mut starts: Vec<u32> =
                    parts.iter().map(|part| self.before(part, next)).collect();
                let last = starts.pop().unwrap_or(next);
                let starts = starts.into_iter().rev();
                starts.fold(last, |rest, start| self.add(Part::Fork(start, rest)))
            }
            Expression::Repeat(part, Power::Times(times)) => {
                (0..*times).fold(next, |next, _| self.before(part, next))
            }
            Expression::Repeat(part, Power::Star) => {
                let fork = self.add(Part::Fork(next, next));
                let start = self.before(part, fork);
                self.parts[fork as usize] = Part::Fork(start, next);
                fork
            }
        }
    }

    /// The automaton of sets of states.
    fn determinised(&self) -> Result<Automaton, TooComplex> {
        let mut sets = Sets {
            parts: &self.parts,
            seen: vec![0; self.parts.len()],
            round: 0,
            work: 0,
            open: Vec::new(),
        };
        let start = sets.closure(&[self.start])?;
        let mut number: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut order = vec![start.clone()];
        number.insert(start, 0);
        let (mut accepting, mut edges) = (Vec::new(), Vec::new());
        let mut state = 0;
        while let Some(set) = order.get(state) {
            accepting.push(
                set.iter()
                    .any(|&part| matches!(sets.parts[part as usize], Part::End)),
            );
            let mut letters: Vec<(Letter, u32)> = Vec::new();
            for &part in set {
                if let Part::Letter(letter, next) = self.parts[part as usize] {
                    letters.push((letter, next));
                }
            }
            letters.sort_unstable();
            for group in letters.chunk_by(|one, other| one.0 == other.0) {
                let targets: Vec<u32> = group.iter().map(|&(_, next)| next).collect();
                let count = order.len() as u32;
                let to = match number.entry(sets.closure(&targets)?) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(free) => {
                        order.push(free.key().clone());
                        *free.insert(count)
                    }
                };
                edges.push((state as u32, group[0].0, to));
            }
            if order.len() > MAX_STATES {
                return Err(TooComplex);
            }
            state += 1;
        }
        Ok(Automaton::of_table(&accepting, &edges))
    }
}

/// Scratch memory for sets of parts.
struct Sets<'a> {
    parts: &'a [Part],
    seen: Vec<u32>,
    round: u32,
    work: u64,
    open: Vec<u32>,
}

impl Sets<'_> {
    /// The letters and ends that are reached from some parts without a letter, in order.
    fn closure(&mut self, from: &[u32]) -> Result<Vec<u32>, TooComplex> {
        self.round += 1;
        self.open.clear();
        self.open.extend_from_slice(from);
        let mut set = Vec::new();
        while let Some(part) = self.open.pop() {
            if std::mem::replace(&mut self.seen[part as usize], self.round) == self.round {
                continue;
            }
            self.work += 1;
            match self.parts[part as usize] {
                Part::Fork(one, other) => self.open.extend([one, other]),
                Part::Letter(..) | Part::End => set.push(part),
            }
        }
        if self.work > MAX_AUTOMATON_WORK {
            return Err(TooComplex);
        }
        set.sort_unstable();
        Ok(set)
    }
}
