//! Ground rules in flat arrays, those with the same head side by side.

use std::ops::Range;

use paidia_gdl::grounding::{AtomId, GroundLiteral};

use crate::lists::Lists;

/// Rules without variables. Atoms are numbers; those without a rule are *base* atoms, which are set
/// from outside.
#[derive(Clone, Debug, Default)]
pub struct Clauses {
    heads: Vec<AtomId>,
    /// For each rule, where its body ends; it starts where the one before ends.
    ends: Vec<u32>,
    literals: Vec<GroundLiteral>,
}

impl Clauses {
    /// No rules.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a rule: the head holds if all literals of the body do. A literal that is there twice is
    /// kept once.
    pub fn push(&mut self, head: AtomId, body: impl IntoIterator<Item = GroundLiteral>) {
        let start = self.literals.len();
        self.literals.extend(body);
        let body = &mut self.literals[start..];
        body.sort_unstable();
        let mut kept = 0;
        for place in 0..body.len() {
            if kept == 0 || body[kept - 1] != body[place] {
                body[kept] = body[place];
                kept += 1;
            }
        }
        self.literals.truncate(start + kept);
        self.heads.push(head);
        self.ends.push(self.literals.len() as u32);
    }

    /// One more than the largest number of an atom in the rules.
    pub fn atoms(&self) -> usize {
        let body = self.literals.iter().map(|literal| literal.atom());
        let atoms = self.heads.iter().copied().chain(body);
        atoms.max().map_or(0, |last| last as usize + 1)
    }

    fn body(&self, rule: usize) -> &[GroundLiteral] {
        let start = rule.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.literals[start as usize..self.ends[rule] as usize]
    }
}

/// [`Clauses`] sorted by head.
#[derive(Debug)]
pub(super) struct Sorted {
    /// For each rule, its head.
    pub(super) heads: Vec<AtomId>,
    /// For each atom, where its rules start; one more entry than there are atoms.
    starts: Vec<u32>,
    /// For each rule, its body.
    bodies: Lists<GroundLiteral>,
}

impl Sorted {
    /// The rules over `atoms` atoms.
    pub(super) fn new(clauses: &Clauses, atoms: usize) -> Self {
        let rules =
            (0..clauses.heads.len() as u32).map(|rule| (clauses.heads[rule as usize], rule));
        let by_head = Lists::new(atoms, &rules.collect::<Vec<_>>());
        let mut bodies = Lists {
            starts: vec![0],
            items: Vec::with_capacity(clauses.literals.len()),
        };
        for &rule in &by_head.items {
            bodies.items.extend_from_slice(clauses.body(rule as usize));
            bodies.starts.push(bodies.items.len() as u32);
        }
        let heads = by_head.items.iter();
        Self {
            heads: heads.map(|&rule| clauses.heads[rule as usize]).collect(),
            starts: by_head.starts,
            bodies,
        }
    }

    /// How many atoms there are.
    pub(super) fn atoms(&self) -> usize {
        self.starts.len() - 1
    }

    /// The rules with that head.
    #[inline]
    pub(super) fn rules_of(&self, atom: AtomId) -> Range<usize> {
        self.starts[atom as usize] as usize..self.starts[atom as usize + 1] as usize
    }

    /// The body of a rule.
    #[inline]
    pub(super) fn body(&self, rule: usize) -> &[GroundLiteral] {
        self.bodies.of(rule)
    }

    /// The literals in the bodies of all rules with that head.
    pub(super) fn literals_of(&self, atom: AtomId) -> &[GroundLiteral] {
        let rules = self.rules_of(atom);
        let place = |rule: usize| self.bodies.starts[rule] as usize;
        &self.bodies.items[place(rules.start)..place(rules.end)]
    }
}
