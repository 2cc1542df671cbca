//! Where rules and atoms stand: levels, recursive parts, and the questions that need them.
//!
//! A rule stands one level above the highest atom of its body, an atom at the highest level of its
//! rules, a base atom at level 1. Atoms that depend on each other form a *region*; the rules that
//! tie them together, and the atoms, share one level, which is above everything else that the
//! region depends on.

use paidia_gdl::graph;
use paidia_gdl::grounding::AtomId;

use super::clauses::Sorted;
use super::{NegativeCycle, Questions};

/// No region.
pub(super) const NONE: u32 = u32::MAX;

/// The level of base atoms.
const BASE: u32 = 1;

/// Where rules and atoms stand.
#[derive(Debug)]
pub(super) struct Levels {
    pub(super) of_atom: Vec<u32>,
    pub(super) of_rule: Vec<u32>,
    /// For each atom, the questions that need it, those of atoms that it helps to derive included.
    pub(super) uses: Vec<Questions>,
    /// For each atom, its region, or [`NONE`].
    pub(super) region_of: Vec<u32>,
    /// For each region, its atoms.
    pub(super) regions: Vec<Vec<AtomId>>,
}

impl Levels {
    /// Finds them. `wanted` has, for each atom, the questions that it answers itself.
    pub(super) fn new(clauses: &Sorted, wanted: Vec<Questions>) -> Result<Self, NegativeCycle> {
        let asked = (0..wanted.len()).filter(|&atom| wanted[atom] != 0);
        let edge = |atom: usize, place: usize| {
            let literals = clauses.literals_of(atom as AtomId);
            literals.get(place).map(|literal| literal.atom() as usize)
        };
        let components = graph::components_from(clauses.atoms(), asked, edge);
        let mut levels = Self {
            of_atom: vec![BASE; clauses.atoms()],
            of_rule: vec![BASE; clauses.heads.len()],
            uses: wanted,
            region_of: vec![NONE; clauses.atoms()],
            regions: Vec::new(),
        };
        for component in &components {
            levels.place(clauses, component)?;
        }
        for component in components.iter().rev() {
            levels.pass_on_uses(clauses, component);
        }
        Ok(levels)
    }

    /// Gives a component its level; those it depends on have theirs.
    fn place(&mut self, clauses: &Sorted, component: &[usize]) -> Result<(), NegativeCycle> {
        let first = component[0] as AtomId;
        let own = clauses.literals_of(first);
        if component.len() == 1 && own.iter().all(|literal| literal.atom() != first) {
            for rule in clauses.rules_of(first) {
                self.of_rule[rule] = 1 + self.highest(clauses, rule);
                let level = &mut self.of_atom[component[0]];
                *level = (*level).max(self.of_rule[rule]);
            }
            return Ok(());
        }
        self.place_region(clauses, component)
    }

    /// The level of the highest atom in a body.
    fn highest(&self, clauses: &Sorted, rule: usize) -> u32 {
        let body = clauses.body(rule).iter();
        let levels = body.map(|literal| self.of_atom[literal.atom() as usize]);
        levels.max().unwrap_or(BASE)
    }

    fn place_region(&mut self, clauses: &Sorted, component: &[usize]) -> Result<(), NegativeCycle> {
        let region = self.regions.len() as u32;
        let atoms: Vec<AtomId> = component.iter().map(|&atom| atom as AtomId).collect();
        component
            .iter()
            .for_each(|&atom| self.region_of[atom] = region);
        let mut level = BASE;
        // Members still stand at the lowest level, so that they do not count.
        for rule in atoms.iter().flat_map(|&atom| clauses.rules_of(atom)) {
            let inner = |fails: bool| {
                let mut body = clauses.body(rule).iter();
                body.any(|literal| {
                    literal.fails() == fails && self.region_of[literal.atom() as usize] == region
                })
            };
            if inner(true) {
                return Err(NegativeCycle);
            }
            self.of_rule[rule] = 1 + self.highest(clauses, rule);
            let above = if inner(false) { 0 } else { 1 };
            level = level.max(self.of_rule[rule] + above);
        }
        for &atom in &atoms {
            self.of_atom[atom as usize] = level;
            for rule in clauses.rules_of(atom) {
                let body = clauses.body(rule).iter();
                let mut members = body.map(|literal| self.region_of[literal.atom() as usize]);
                if members.any(|other| other == region) {
                    self.of_rule[rule] = level;
                }
            }
        }
        self.regions.push(atoms);
        Ok(())
    }

    /// What a component is needed for, the atoms of its rules' bodies are needed for.
    fn pass_on_uses(&mut self, clauses: &Sorted, component: &[usize]) {
        let uses = component
            .iter()
            .fold(0, |uses, &atom| uses | self.uses[atom]);
        for &atom in component {
            self.uses[atom] = uses;
            for literal in clauses.literals_of(atom as AtomId) {
                self.uses[literal.atom() as usize] |= uses;
            }
        }
    }
}
