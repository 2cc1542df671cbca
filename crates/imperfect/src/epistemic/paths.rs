//! Formulas over paths: which combinations of their temporal parts can hold on the runs from a
//! point.
//!
//! Every temporal part has a bit: whether it holds now. Given the point, the next point and the
//! bits there, the bits here follow. In a model without cycles the combinations that are possible
//! at a point follow from those of its successors, so that they are found in one pass from the
//! ends, where the only run stays for ever. With cycles a run must also fulfil what it promises: it
//! must reach a strongly connected part of the product in which every promise is kept at some
//! place.

use super::model::Model;
use crate::explore::TooLarge;

/// The most temporal parts of one formula without an `A` or `E` between them.
const MOST_PARTS: usize = 12;
/// The largest product of points and combinations where play need not end.
const MOST_PRODUCTS: usize = 40_000_000;

/// A formula over paths. Truth of its state formulas is known for each point.
#[derive(Clone, Debug)]
pub(super) enum Path {
    /// A state formula, by its place.
    State(usize),
    Not(Box<Path>),
    And(Vec<Path>),
    Or(Vec<Path>),
    Iff(Box<Path>, Box<Path>),
    /// A temporal part, by its place.
    Part(usize),
}

/// A temporal part.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Next(Path),
    Finally(Path),
    Globally(Path),
    Until(Path, Path),
}

/// A formula with its parts, inner ones first.
pub(super) struct Paths<'a> {
    pub(super) parts: Vec<Part>,
    pub(super) whole: Path,
    /// For each state formula its truth in each point.
    pub(super) states: Vec<&'a [bool]>,
}

impl Paths<'_> {
    /// Whether a formula holds at a point with these bits.
    fn holds(&self, path: &Path, point: u32, bits: u32) -> bool {
        match path {
            Path::State(place) => self.states[*place][point as usize],
            Path::Not(inner) => !self.holds(inner, point, bits),
            Path::And(all) => all.iter().all(|path| self.holds(path, point, bits)),
            Path::Or(all) => all.iter().any(|path| self.holds(path, point, bits)),
            Path::Iff(one, other) => self.holds(one, point, bits) == self.holds(other, point, bits),
            Path::Part(place) => bits >> place & 1 == 1,
        }
    }

    /// The bits at a point before another with these bits.
    fn before(&self, point: u32, next: u32, after: u32) -> u32 {
        let mut bits = 0;
        for (place, part) in self.parts.iter().enumerate() {
            let later = after >> place & 1 == 1;
            let now = match part {
                Part::Next(inner) => self.holds(inner, next, after),
                Part::Finally(inner) => later || self.holds(inner, point, bits),
                Part::Globally(inner) => later && self.holds(inner, point, bits),
                Part::Until(first, second) => {
                    self.holds(second, point, bits) || later && self.holds(first, point, bits)
                }
            };
            bits |= u32::from(now) << place;
        }
        bits
    }

    /// The bits at a point that stays for ever.
    fn staying(&self, point: u32) -> u32 {
        let mut bits = 0;
        for (place, part) in self.parts.iter().enumerate() {
            let now = match part {
                Part::Next(inner) | Part::Finally(inner) | Part::Globally(inner) => {
                    self.holds(inner, point, bits)
                }
                Part::Until(_, second) => self.holds(second, point, bits),
            };
            bits |= u32::from(now) << place;
        }
        bits
    }

    /// Whether a promise of a part is kept at a point with these bits.
    fn keeps(&self, place: usize, point: u32, bits: u32) -> bool {
        let holds = bits >> place & 1 == 1;
        match &self.parts[place] {
            Part::Next(_) => true,
            Part::Finally(inner) => !holds || self.holds(inner, point, bits),
            Part::Until(_, second) => !holds || self.holds(second, point, bits),
            Part::Globally(inner) => holds || !self.holds(inner, point, bits),
        }
    }

    /// For each point the combinations that some run from it has, in order.
    pub(super) fn possible(&self, model: &Model) -> Result<Vec<Vec<u32>>, TooLarge> {
        if self.parts.len() > MOST_PARTS {
            let what = "temporal operators without an A or E between them";
            return Err(TooLarge::Limit {
                what,
                limit: MOST_PARTS,
            });
        }
        if !model.acyclic {
            return self.possible_in_cycles(model);
        }
        let mut possible: Vec<Vec<u32>> = vec![Vec::new(); model.len()];
        for &point in &model.order {
            let mut own = Vec::new();
            for &next in model.successors(point) {
                if next == point {
                    own.push(self.staying(point));
                } else {
                    own.extend(
                        possible[next as usize]
                            .iter()
                            .map(|&after| self.before(point, next, after)),
                    );
                }
            }
            own.sort_unstable();
            own.dedup();
            possible[point as usize] = own;
        }
        Ok(possible)
    }

    /// Whether the formula holds at a point on a run with these bits.
    pub(super) fn whole(&self, point: u32, bits: u32) -> bool {
        self.holds(&self.whole, point, bits)
    }

    /// A run from a point with these bits: the points up to one that stays, or up to one that came
    /// before.
    pub(super) fn run(
        &self,
        model: &Model,
        possible: &[Vec<u32>],
        point: u32,
        bits: u32,
    ) -> Vec<u32> {
        let (mut run, mut at) = (vec![point], (point, bits));
        let mut seen = rustc_hash::FxHashSet::default();
        while seen.insert(at) {
            let (point, bits) = at;
            let mut nexts = model.successors(point).iter().copied();
            let found = nexts.find_map(|next| {
                let mut afters = possible[next as usize].iter().copied();
                let fits = |&after: &u32| match next == point && model.acyclic {
                    true => self.staying(point) == bits && after == bits,
                    false => self.before(point, next, after) == bits,
                };
                afters.find(fits).map(|after| (next, after))
            });
            let Some(next) = found else { break };
            run.push(next.0);
            at = next;
        }
        run
    }

    fn possible_in_cycles(&self, model: &Model) -> Result<Vec<Vec<u32>>, TooLarge> {
        let width = 1_usize << self.parts.len();
        let nodes = model.len() * width;
        if nodes > MOST_PRODUCTS {
            let what = "points times combinations of temporal operators";
            return Err(TooLarge::Limit {
                what,
                limit: MOST_PRODUCTS,
            });
        }
        // Edges from each node, and towards each node.
        let (mut forward, mut backward): (Vec<Vec<u32>>, Vec<Vec<u32>>) =
            (vec![Vec::new(); nodes], vec![Vec::new(); nodes]);
        for point in 0..model.len() as u32 {
            for &next in model.successors(point) {
                for after in 0..width as u32 {
                    let bits = self.before(point, next, after);
                    let (one, other) = (
                        point as usize * width + bits as usize,
                        next as usize * width + after as usize,
                    );
                    forward[one].push(other as u32);
                    backward[other].push(one as u32);
                }
            }
        }
        let mut good = vec![false; nodes];
        let mut stack = Vec::new();
        for component in components(&forward) {
            let cyclic =
                component.len() > 1 || forward[component[0] as usize].contains(&component[0]);
            let at = |node: u32| {
                (
                    (node as usize / width) as u32,
                    (node as usize % width) as u32,
                )
            };
            let kept = |place| {
                component
                    .iter()
                    .any(|&node| self.keeps(place, at(node).0, at(node).1))
            };
            if cyclic && (0..self.parts.len()).all(kept) {
                component
                    .iter()
                    .for_each(|&node| good[node as usize] = true);
                stack.extend(component);
            }
        }
        while let Some(node) = stack.pop() {
            for &before in &backward[node as usize] {
                if !std::mem::replace(&mut good[before as usize], true) {
                    stack.push(before);
                }
            }
        }
        let of = |point: usize| {
            (0..width as u32)
                .filter(|&bits| good[point * width + bits as usize])
                .collect()
        };
        Ok((0..model.len()).map(of).collect())
    }
}

/// The strongly connected components of a graph (Tarjan, without recursion).
pub(crate) fn components(edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let mut index = vec![NEW; edges.len()];
    let (mut low, mut on_stack) = (vec![0_u32; edges.len()], vec![false; edges.len()]);
    let (mut stack, mut work, mut found) = (Vec::new(), Vec::new(), Vec::new());
    let mut counter = 0;
    for root in 0..edges.len() as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        work.push((root, 0_usize));
        while let Some((node, place)) = work.pop() {
            let here = node as usize;
            if place == 0 {
                index[here] = counter;
                low[here] = counter;
                counter += 1;
                stack.push(node);
                on_stack[here] = true;
            }
            match edges[here].get(place) {
                Some(&next) => {
                    work.push((node, place + 1));
                    if index[next as usize] == NEW {
                        work.push((next, 0));
                    } else if on_stack[next as usize] {
                        low[here] = low[here].min(index[next as usize]);
                    }
                }
                None => {
                    if let Some(&(parent, _)) = work.last() {
                        low[parent as usize] = low[parent as usize].min(low[here]);
                    }
                    if low[here] == index[here] {
                        let mut component = Vec::new();
                        while let Some(member) = stack.pop() {
                            on_stack[member as usize] = false;
                            component.push(member);
                            if member == node {
                                break;
                            }
                        }
                        found.push(component);
                    }
                }
            }
        }
    }
    found
}
