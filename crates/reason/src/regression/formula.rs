//! Formulas in which equal parts are made once.
//!
//! As in networks there is one connective, the conjunction, and everything may be negated: a
//! disjunction is the negated conjunction of negated parts. Values are those of Kleene's
//! three-valued logic. A part that is certainly false makes a conjunction false whatever else is
//! unknown, and parts that are certainly true are dropped.

use std::ops::Not;

use rustc_hash::FxHashMap;

use super::{Budget, TooComplex};

/// A formula, by its place among all of them, negated or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Formula(u32);

impl Formula {
    /// Always true.
    pub const TRUE: Formula = Formula(0);
    /// Never true.
    pub const FALSE: Formula = Formula(1);
    /// Unknown, and so is its negation.
    pub const UNKNOWN: Formula = Formula(2);

    /// The place of the formula or of the one that it negates.
    #[inline]
    pub(super) fn place(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is a negation.
    #[inline]
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) fn at(place: usize) -> Self {
        Formula((place as u32) << 1)
    }

    /// The formula, negated if `negate`.
    #[must_use]
    pub(super) fn negated_if(self, negate: bool) -> Self {
        if negate { !self } else { self }
    }
}

impl Not for Formula {
    type Output = Formula;

    fn not(self) -> Formula {
        match self {
            Formula::UNKNOWN => self,
            Formula(code) => Formula(code ^ 1),
        }
    }
}

/// What a formula that is no negation says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part<'a> {
    /// It is true.
    True,
    /// Unknown.
    Unknown,
    /// The fluent with that number holds now.
    Holds(u32),
    /// The role with that number makes its move with that number.
    Does(u16, u32),
    /// All of these are true.
    All(&'a [Formula]),
}

#[derive(Clone, Copy, Debug)]
enum Node {
    True,
    Unknown,
    Holds(u32),
    Does(u16, u32),
    /// Where the parts start and end, and whether something in them is unknown.
    All(u32, u32, bool),
}

/// Formulas in which equal parts are made once. Parts come before what they are parts of.
#[derive(Clone, Debug)]
pub(super) struct Formulas {
    nodes: Vec<Node>,
    parts: Vec<Formula>,
    atoms: FxHashMap<(u32, u32), Formula>,
    known: FxHashMap<Box<[Formula]>, Formula>,
    scratch: Vec<Formula>,
    budget: Budget,
    steps: u64,
}

/// Conjunctions of more parts become conjunctions of conjunctions, so that a change of one part is
/// a change of few.
const WIDEST: usize = 6;

/// The first number of the key of a fluent among atoms; that of a move is its role's.
const FLUENT: u32 = u32::MAX;

impl Formulas {
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            nodes: vec![Node::True, Node::Unknown],
            parts: Vec::new(),
            atoms: FxHashMap::default(),
            known: FxHashMap::default(),
            scratch: Vec::new(),
            budget,
            steps: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The answer that something is too complex, with the figures so far.
    pub(super) fn too_complex(&self, what: &'static str) -> TooComplex {
        TooComplex {
            what,
            formulas: self.nodes.len(),
            parts: self.parts.len(),
            steps: self.steps,
        }
    }

    /// Forgets what is only needed to make more.
    pub(super) fn forget_known(&mut self) {
        self.known = FxHashMap::default();
        self.atoms = FxHashMap::default();
    }

    /// Counts work.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), TooComplex> {
        self.steps += steps as u64;
        match self.steps > self.budget.steps {
            true => Err(self.too_complex("time")),
            false => Ok(()),
        }
    }

    pub(super) fn holds(&mut self, fluent: u32) -> Formula {
        self.atom((FLUENT, fluent), Node::Holds(fluent))
    }

    pub(super) fn does(&mut self, role: u16, index: u32) -> Formula {
        self.atom((u32::from(role), index), Node::Does(role, index))
    }

    fn atom(&mut self, key: (u32, u32), node: Node) -> Formula {
        let nodes = &mut self.nodes;
        *self.atoms.entry(key).or_insert_with(|| {
            nodes.push(node);
            Formula::at(nodes.len() - 1)
        })
    }

    /// What the formula says, or the one that it negates.
    pub(super) fn part(&self, formula: Formula) -> Part<'_> {
        self.part_at(formula.place())
    }

    pub(super) fn part_at(&self, place: usize) -> Part<'_> {
        match self.nodes[place] {
            Node::True => Part::True,
            Node::Unknown => Part::Unknown,
            Node::Holds(fluent) => Part::Holds(fluent),
            Node::Does(role, index) => Part::Does(role, index),
            Node::All(start, end, _) => Part::All(&self.parts[start as usize..end as usize]),
        }
    }

    /// All of these, wide ones as conjunctions of narrower ones.
    pub(super) fn all_narrow(
        &mut self,
        parts: impl IntoIterator<Item = Formula>,
    ) -> Result<Formula, TooComplex> {
        let mut level: Vec<Formula> = parts.into_iter().collect();
        while level.len() > WIDEST {
            let narrow = level.chunks(WIDEST);
            level = narrow
                .map(|chunk| self.all(chunk.iter().copied()))
                .collect::<Result<_, _>>()?;
        }
        self.all(level)
    }

    /// All of these.
    pub(super) fn all(
        &mut self,
        parts: impl IntoIterator<Item = Formula>,
    ) -> Result<Formula, TooComplex> {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clear();
        scratch.extend(parts);
        let made = self.spend(scratch.len());
        let made = made.and_then(|()| self.conjunction(&mut scratch));
        self.scratch = scratch;
        made
    }

    fn conjunction(&mut self, parts: &mut Vec<Formula>) -> Result<Formula, TooComplex> {
        parts.sort_unstable();
        parts.dedup();
        // Constants come first, and a formula and its negation are neighbours.
        if parts.first() == Some(&Formula::TRUE) {
            parts.remove(0);
        }
        let denies = |pair: &[Formula]| pair[0] == !pair[1] && !self.is_unsure(pair[0]);
        if parts.first() == Some(&Formula::FALSE) || parts.windows(2).any(denies) {
            return Ok(Formula::FALSE);
        }
        match parts[..] {
            [] => return Ok(Formula::TRUE),
            [single] => return Ok(single),
            _ => {}
        }
        if let Some(&known) = self.known.get(&parts[..]) {
            return Ok(known);
        }
        if self.nodes.len() >= self.budget.formulas
            || self.parts.len() + parts.len() > self.budget.parts
        {
            return Err(self.too_complex("room"));
        }
        let unsure = parts.iter().any(|&part| self.is_unsure(part));
        let start = self.parts.len() as u32;
        self.parts.extend_from_slice(parts);
        let node = Node::All(start, self.parts.len() as u32, unsure);
        self.nodes.push(node);
        let made = Formula::at(self.nodes.len() - 1);
        self.known.insert(parts[..].into(), made);
        Ok(made)
    }

    /// Whether something in it is unknown. Two formulas that look the same then need not be: what
    /// is unknown may differ.
    fn is_unsure(&self, formula: Formula) -> bool {
        matches!(
            self.nodes[formula.place()],
            Node::Unknown | Node::All(_, _, true)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Formula, Formulas};

    #[test]
    fn equal_formulas_are_made_once_and_constants_fold() {
        let mut formulas = Formulas::new(Budget::default());
        let [a, b] = [3, 7].map(|fluent| formulas.holds(fluent));
        let both = formulas.all([a, b]).unwrap();
        assert_eq!(formulas.all([b, a, a, Formula::TRUE]), Ok(both));
        assert_eq!(formulas.all([b, a, Formula::FALSE]), Ok(Formula::FALSE));
        assert_eq!(formulas.all([both, !both]), Ok(Formula::FALSE));
        assert_eq!(formulas.all([!a, !a]), Ok(!a));
        assert_eq!(formulas.all([]), Ok(Formula::TRUE));
    }

    #[test]
    fn unknown_is_that_of_kleene() {
        let mut formulas = Formulas::new(Budget::default());
        let (unknown, a) = (Formula::UNKNOWN, formulas.holds(0));
        assert_eq!(!unknown, unknown);
        let mut all = |parts: &[Formula]| formulas.all(parts.iter().copied()).unwrap();
        assert_eq!(all(&[unknown, Formula::FALSE]), Formula::FALSE);
        assert_eq!(all(&[unknown, Formula::TRUE]), unknown);
        let perhaps = all(&[unknown, a]);
        assert_ne!(all(&[perhaps, !perhaps]), Formula::FALSE);
    }

    #[test]
    fn over_budget_is_an_answer() {
        let mut formulas = Formulas::new(Budget {
            formulas: 4,
            ..Budget::default()
        });
        let [a, b] = [0, 1].map(|fluent| formulas.holds(fluent));
        let refused = formulas.all([a, b]).unwrap_err();
        assert_eq!((refused.what, refused.formulas), ("room", 4));
    }
}
