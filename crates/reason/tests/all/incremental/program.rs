//! Small ground programs, and their numeric models from scratch.

use paidia_game::Chance;
use paidia_gdl::grounding::GroundLiteral;
use paidia_reason::incremental::Clauses;

/// A rule: its head, the atoms that must hold and those that must not.
#[derive(Clone, Debug)]
pub(crate) struct Rule {
    pub(crate) head: usize,
    pub(crate) holds: Vec<usize>,
    pub(crate) fails: Vec<usize>,
}

/// A stratified program. Base atoms come first; no atom after them is without meaning, but some may
/// be without rules.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) base: usize,
    pub(crate) atoms: usize,
    pub(crate) rules: Vec<Rule>,
    /// For each rule, its level.
    pub(crate) rule_levels: Vec<u32>,
    /// For each atom, its level.
    pub(crate) atom_levels: Vec<u32>,
}

/// Which programs are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No atom depends on itself.
    Tight,
    /// Atoms may depend on themselves.
    Recursive,
}

impl Program {
    /// A program with levels.
    pub(crate) fn new(base: usize, atoms: usize, rules: Vec<Rule>) -> Self {
        let mut program = Self {
            base,
            atoms,
            rule_levels: vec![0; rules.len()],
            atom_levels: vec![0; atoms],
            rules,
        };
        program.find_levels();
        program
    }

    /// A random program: 2 to 8 base atoms, 3 to 25 others in up to four strata, 3 to 70 rules.
    pub(crate) fn random(kind: Kind, chance: &mut Chance) -> Self {
        let mut below = |bound: usize| chance.below(bound as u32) as usize;
        let base = 2 + below(7);
        let atoms = base + 3 + below(23);
        let strata = 1 + below(4);
        let stratum: Vec<usize> = (0..atoms)
            .map(|atom| if atom < base { 0 } else { 1 + below(strata) })
            .collect();
        let mut rules = Vec::new();
        for _ in 0..3 + below(68) {
            let head = base + below(atoms - base);
            let (mut holds, mut fails) = (Vec::new(), Vec::new());
            // Few rules without conditions, and none with many: most atoms would never change.
            let literals = if below(16) == 0 { 0 } else { 1 + below(3) };
            while holds.len() + fails.len() < literals {
                let atom = if below(3) == 0 {
                    below(base)
                } else {
                    below(atoms)
                };
                let lower = stratum[atom] < stratum[head];
                let same = stratum[atom] == stratum[head];
                if lower && below(3) == 0 {
                    fails.push(atom);
                } else if lower || same && (kind == Kind::Recursive || atom < head) {
                    holds.push(atom);
                }
            }
            rules.push(Rule { head, holds, fails });
        }
        Self::new(base, atoms, rules)
    }

    /// The rules as the engine takes them.
    pub(crate) fn clauses(&self) -> Clauses {
        let mut clauses = Clauses::new();
        for rule in &self.rules {
            let holds = rule.holds.iter().map(|&atom| (atom, false));
            let body = holds.chain(rule.fails.iter().map(|&atom| (atom, true)));
            clauses.push(
                rule.head as u32,
                body.map(|(atom, fails)| GroundLiteral::new(atom as u32, fails)),
            );
        }
        clauses
    }

    fn body<'a>(&self, rule: &'a Rule) -> impl Iterator<Item = usize> + 'a {
        rule.holds.iter().chain(&rule.fails).copied()
    }

    /// For each pair of atoms, whether the first depends on the second.
    fn dependencies(&self) -> Vec<Vec<bool>> {
        let mut depends = vec![vec![false; self.atoms]; self.atoms];
        for rule in &self.rules {
            self.body(rule)
                .for_each(|atom| depends[rule.head][atom] = true);
        }
        for middle in 0..self.atoms {
            let through = depends[middle].clone();
            for from in depends.iter_mut().filter(|from| from[middle]) {
                let both = from.iter_mut().zip(&through);
                both.for_each(|(known, &more)| *known |= more);
            }
        }
        depends
    }

    /// Levels: a rule above its body, unless it is part of a cycle, whose rules share a level above
    /// all else that they depend on.
    fn find_levels(&mut self) {
        let depends = self.dependencies();
        let together = |one: usize, other: usize| depends[one][other] && depends[other][one];
        self.atom_levels.fill(1);
        // Levels grow until they are right; a chain has at most as many links as there are atoms
        // and rules.
        for _ in 0..2 * self.atoms + 2 {
            for (number, rule) in self.rules.iter().enumerate() {
                let mut level = 2;
                for atom in self.body(rule).filter(|&atom| !together(rule.head, atom)) {
                    level = level.max(1 + self.atom_levels[atom]);
                }
                let inside = self.body(rule).any(|atom| together(rule.head, atom));
                if inside {
                    level = level.max(self.atom_levels[rule.head]);
                }
                self.rule_levels[number] = level;
                let recursive = depends[rule.head][rule.head];
                let own = level + u32::from(recursive && !inside);
                for atom in 0..self.atoms {
                    if atom == rule.head || together(rule.head, atom) {
                        self.atom_levels[atom] = self.atom_levels[atom].max(own);
                    }
                }
            }
        }
    }

    /// The numeric model, level by level and round by round, given which base atoms hold.
    pub(crate) fn numeric_model(&self, base: &[bool]) -> Vec<u32> {
        let mut values = vec![0; self.atoms];
        for (value, &holds) in values.iter_mut().zip(base) {
            *value = u32::from(holds);
        }
        let top = self.atom_levels.iter().copied().max().unwrap_or(0);
        for level in 2..=top {
            self.start_level(level, &mut values);
            let mut round = 1;
            while self.derive_round(level, round, &mut values) {
                round += 1;
            }
        }
        values
    }

    /// Atoms of a level that rules of lower levels support have the value 1.
    fn start_level(&self, level: u32, values: &mut [u32]) {
        let known = values.to_vec();
        for (rule, &own) in self.rules.iter().zip(&self.rule_levels) {
            let supports = rule.holds.iter().all(|&atom| known[atom] > 0)
                && rule.fails.iter().all(|&atom| known[atom] == 0);
            if own < level && self.atom_levels[rule.head] == level && supports {
                values[rule.head] = 1;
            }
        }
    }

    /// Adds what follows from values up to `round`; whether a value of the next round, or later, is
    /// there.
    fn derive_round(&self, level: u32, round: u32, values: &mut [u32]) -> bool {
        for (rule, &own) in self.rules.iter().zip(&self.rule_levels) {
            let found = |atom: &usize| {
                values[*atom] > 0 && (self.atom_levels[*atom] < level || values[*atom] <= round)
            };
            let supports =
                rule.holds.iter().all(found) && rule.fails.iter().all(|&atom| values[atom] == 0);
            if own == level && self.atom_levels[rule.head] == level && supports {
                let value = &mut values[rule.head];
                *value = if *value == 0 { round + 1 } else { *value };
            }
        }
        let mut own = (0..self.atoms).filter(|&atom| self.atom_levels[atom] == level);
        own.any(|atom| values[atom] > round)
    }
}
