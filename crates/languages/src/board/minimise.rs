//! Which states of an automaton accept the same words.
//!
//! The method is that of Antti Valmari, Fast brief practical DFA minimization (2012): states and
//! edges are split into ever finer classes, each edge being looked at a logarithmic number of
//! times. Edges may be missing.

use super::automaton::Letter;

/// The class of each state: equal for states that accept the same words. Classes are numbered from
/// 0 without gaps.
pub(super) fn minimise(accepting: &[bool], edges: &[(u32, Letter, u32)]) -> Vec<u32> {
    let mut states = Partition::new(accepting.len());
    for (state, _) in accepting
        .iter()
        .enumerate()
        .filter(|(_, accepts)| **accepts)
    {
        states.mark(state);
    }
    states.split();
    if edges.is_empty() {
        return states.class;
    }
    let mut cords = Partition::by(edges.len(), |edge| edges[edge].1);
    let into = Adjacent::new(accepting.len(), edges);
    let (mut state_class, mut cord_class) = (1, 0);
    while cord_class < cords.count {
        for place in cords.first[cord_class]..cords.past[cord_class] {
            states.mark(edges[cords.elements[place]].0 as usize);
        }
        states.split();
        cord_class += 1;
        while state_class < states.count {
            for place in states.first[state_class]..states.past[state_class] {
                for &edge in into.of(states.elements[place]) {
                    cords.mark(edge as usize);
                }
            }
            cords.split();
            state_class += 1;
        }
    }
    states.class
}

/// The edges that lead into each state.
struct Adjacent {
    first: Vec<usize>,
    edges: Vec<u32>,
}

impl Adjacent {
    fn new(states: usize, edges: &[(u32, Letter, u32)]) -> Self {
        let mut sorted: Vec<u32> = (0..edges.len() as u32).collect();
        sorted.sort_by_key(|&edge| edges[edge as usize].2);
        let mut first = vec![0; states + 1];
        edges
            .iter()
            .for_each(|edge| first[edge.2 as usize + 1] += 1);
        (0..states).for_each(|state| first[state + 1] += first[state]);
        Self {
            first,
            edges: sorted,
        }
    }

    fn of(&self, state: usize) -> &[u32] {
        &self.edges[self.first[state]..self.first[state + 1]]
    }
}

/// Elements in classes that can be split: the elements of a class lie side by side.
struct Partition {
    count: usize,
    elements: Vec<usize>,
    place: Vec<usize>,
    class: Vec<u32>,
    first: Vec<usize>,
    past: Vec<usize>,
    /// How many elements of each class are marked; they are its first.
    marked: Vec<usize>,
    touched: Vec<usize>,
}

impl Partition {
    /// All elements in one class.
    fn new(size: usize) -> Self {
        Self {
            count: usize::from(size > 0),
            elements: (0..size).collect(),
            place: (0..size).collect(),
            class: vec![0; size],
            first: vec![0; size.max(1)],
            past: vec![size; size.max(1)],
            marked: vec![0; size.max(1)],
            touched: Vec::new(),
        }
    }

    /// Elements with the same key in one class.
    fn by<K: Ord>(size: usize, key: impl Fn(usize) -> K) -> Self {
        let mut this = Self::new(size);
        this.elements.sort_by_key(|&element| key(element));
        let mut class = 0;
        for place in 0..size {
            let element = this.elements[place];
            if place > 0 && key(element) != key(this.elements[place - 1]) {
                this.past[class] = place;
                class += 1;
                this.first[class] = place;
            }
            this.place[element] = place;
            this.class[element] = class as u32;
        }
        this.past[class] = size;
        this.count = class + 1;
        this
    }

    fn mark(&mut self, element: usize) {
        let class = self.class[element] as usize;
        let (place, end) = (self.place[element], self.first[class] + self.marked[class]);
        if place < end {
            return;
        }
        let other = self.elements[end];
        self.elements.swap(place, end);
        (self.place[other], self.place[element]) = (place, end);
        if self.marked[class] == 0 {
            self.touched.push(class);
        }
        self.marked[class] += 1;
    }

    /// Makes the marked elements of each class a class of their own; the smaller part is the new
    /// one.
    fn split(&mut self) {
        while let Some(class) = self.touched.pop() {
            let middle = self.first[class] + self.marked[class];
            if middle == self.past[class] {
                self.marked[class] = 0;
                continue;
            }
            let new = self.count;
            if self.marked[class] <= self.past[class] - middle {
                self.first[new] = self.first[class];
                self.past[new] = middle;
                self.first[class] = middle;
            } else {
                self.past[new] = self.past[class];
                self.first[new] = middle;
                self.past[class] = middle;
            }
            for place in self.first[new]..self.past[new] {
                self.class[self.elements[place]] = new as u32;
            }
            (self.marked[class], self.marked[new]) = (0, 0);
            self.count += 1;
        }
    }
}
