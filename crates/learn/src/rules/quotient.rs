//! The tree of the words that were seen, and what it becomes when states of it are made one.

use paidia_languages::board::{Automaton, Letter};

/// An automaton in which each word has states of its own, but for what it shares with others at
/// the beginning.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    pub(super) accepting: Vec<bool>,
    /// By state, by letter.
    pub(super) edges: Vec<Vec<(Letter, u32)>>,
}

impl Tree {
    /// The tree of some words. States are numbered breadth first by letters.
    pub fn new(words: &[Vec<Letter>]) -> Self {
        let mut words: Vec<&[Letter]> = words.iter().map(Vec::as_slice).collect();
        words.sort_unstable();
        words.dedup();
        let mut tree = Self {
            accepting: vec![false],
            edges: vec![Vec::new()],
        };
        // The words that go through each state, and how far they have come.
        let mut open = vec![(words, 0)];
        let mut state = 0;
        while state < open.len() {
            let (words, depth) = std::mem::take(&mut open[state]);
            let ended = words.iter().take_while(|word| word.len() == depth).count();
            tree.accepting[state] = ended > 0;
            for group in words[ended..].chunk_by(|one, other| one[depth] == other[depth]) {
                let to = tree.accepting.len() as u32;
                tree.edges[state].push((group[0][depth], to));
                tree.accepting.push(false);
                tree.edges.push(Vec::new());
                open.push((group.to_vec(), depth + 1));
            }
            state += 1;
        }
        tree
    }

    /// How many states there are.
    pub fn states(&self) -> usize {
        self.accepting.len()
    }

    /// Where a letter leads from a state.
    pub(super) fn step(&self, state: u32, letter: Letter) -> Option<u32> {
        let edges = &self.edges[state as usize];
        let place = edges.binary_search_by_key(&letter, |edge| edge.0).ok()?;
        Some(edges[place].1)
    }

    /// The same as an automaton.
    pub fn automaton(&self) -> Automaton {
        Quotient::new(self.clone()).automaton()
    }
}

/// A tree some of whose states are made one, so that each letter still leads to one state.
#[derive(Clone, Debug)]
pub(super) struct Quotient {
    tree: Tree,
    /// Towards the state that stands for each.
    parent: Vec<u32>,
}

impl Quotient {
    pub(super) fn new(tree: Tree) -> Self {
        let parent = (0..tree.states() as u32).collect();
        Self { tree, parent }
    }

    /// The state that stands for another.
    pub(super) fn find(&self, mut state: u32) -> u32 {
        while self.parent[state as usize] != state {
            state = self.parent[state as usize];
        }
        state
    }

    /// The edges of a state that stands for itself, each to a state that does.
    pub(super) fn edges(&self, state: u32) -> impl Iterator<Item = (Letter, u32)> {
        let edges = self.tree.edges[state as usize].iter();
        edges.map(|&(letter, to)| (letter, self.find(to)))
    }

    /// The same with two states made one, and with all those made one that must be so that each
    /// letter leads to one state.
    pub(super) fn merged(&self, one: u32, other: u32) -> Self {
        let mut this = self.clone();
        let mut open = vec![(one, other)];
        while let Some((one, other)) = open.pop() {
            let (one, other) = (this.find(one), this.find(other));
            if one == other {
                continue;
            }
            // The earlier state stands for both.
            let (kept, gone) = (one.min(other), one.max(other));
            this.parent[gone as usize] = kept;
            let accepts = this.tree.accepting[gone as usize];
            this.tree.accepting[kept as usize] |= accepts;
            for (letter, to) in std::mem::take(&mut this.tree.edges[gone as usize]) {
                let edges = &mut this.tree.edges[kept as usize];
                match edges.binary_search_by_key(&letter, |edge| edge.0) {
                    Ok(place) => open.push((edges[place].1, to)),
                    Err(place) => edges.insert(place, (letter, to)),
                }
            }
        }
        this
    }

    /// The automaton.
    pub(super) fn automaton(&self) -> Automaton {
        let states = self.tree.states() as u32;
        let roots = (0..states).filter(|&state| self.parent[state as usize] == state);
        let edges = roots.flat_map(|state| {
            let edges = self.edges(state);
            edges.map(move |(letter, to)| (state, letter, to))
        });
        let edges: Vec<(u32, Letter, u32)> = edges.collect();
        Automaton::of_table(&self.tree.accepting, &edges)
    }
}
