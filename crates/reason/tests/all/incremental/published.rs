//! The algorithm as the paper prints it, to compare with: section 4, `propagate`.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::incremental::program::Program;

/// A numeric model as the paper keeps it. Among entries of equal priority, the one that was added
/// first is taken first.
pub(crate) struct Published<'a> {
    program: &'a Program,
    pub(crate) atoms: Vec<u32>,
    rules: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, u32, usize, usize)>>,
    added: usize,
    /// For each atom, how often its value changed since this was last cleared.
    pub(crate) changes: Vec<u32>,
}

impl<'a> Published<'a> {
    /// The model in which all base atoms are false.
    pub(crate) fn new(program: &'a Program) -> Self {
        let mut this = Self {
            atoms: vec![0; program.atoms],
            rules: vec![0; program.rules.len()],
            queue: BinaryHeap::new(),
            added: 0,
            changes: vec![0; program.atoms],
            program,
        };
        (0..program.rules.len()).for_each(|rule| this.push(rule, 0));
        this.run();
        this
    }

    /// Sets base atoms and updates the model.
    pub(crate) fn update(&mut self, changed: &[(usize, bool)]) {
        for &(atom, holds) in changed {
            self.atoms[atom] = u32::from(holds);
            for rule in self
                .rules_with(atom, true)
                .chain(self.rules_with(atom, false))
            {
                self.push(rule, 0);
            }
        }
        self.run();
    }

    fn rules_with(&self, atom: usize, holds: bool) -> impl Iterator<Item = usize> + use<'a> {
        let rules = self.program.rules.iter().enumerate();
        let rules = rules.filter(move |(_, rule)| {
            let body = if holds { &rule.holds } else { &rule.fails };
            body.contains(&atom)
        });
        rules.map(|(number, _)| number)
    }

    fn push(&mut self, rule: usize, priority: u32) {
        self.added += 1;
        let level = self.program.rule_levels[rule];
        self.queue
            .push(Reverse((level, priority, self.added, rule)));
    }

    fn run(&mut self) {
        while let Some(Reverse((.., rule))) = self.queue.pop() {
            self.update_rule(rule);
        }
    }

    fn update_rule(&mut self, number: usize) {
        let (program, rule) = (self.program, &self.program.rules[number]);
        let level = program.rule_levels[number];
        let mut value = 1;
        for &atom in rule
            .holds
            .iter()
            .filter(|&&atom| program.atom_levels[atom] == level)
        {
            value = value.max(self.atoms[atom]);
        }
        let lacks = rule.holds.iter().any(|&atom| self.atoms[atom] == 0);
        let denied = rule.fails.iter().any(|&atom| self.atoms[atom] > 0);
        if lacks || denied {
            value = 0;
        }
        if value != self.rules[number] {
            self.rules[number] = value;
            self.update_atom(rule.head);
        }
    }

    fn update_atom(&mut self, atom: usize) {
        let program = self.program;
        let level = program.atom_levels[atom];
        let own = |rule: &usize| program.rules[*rule].head == atom;
        let active: Vec<usize> = (0..self.rules.len())
            .filter(own)
            .filter(|&rule| self.rules[rule] > 0)
            .collect();
        let offer = |&rule: &usize| match program.rule_levels[rule] == level {
            true => self.rules[rule] + 1,
            false => 1,
        };
        let mut value = active.iter().map(offer).min().unwrap_or(0);
        let before = self.atoms[atom];
        if before > 0 && value > before {
            for &rule in &active {
                self.push(rule, self.rules[rule]);
                self.rules[rule] = 0;
            }
            value = 0;
        }
        if value == before {
            return;
        }
        self.atoms[atom] = value;
        self.changes[atom] += 1;
        let holds = value.min(1);
        for rule in self.rules_with(atom, true) {
            let same = program.rule_levels[rule] == level;
            self.push(rule, if same { value } else { holds });
        }
        for rule in self.rules_with(atom, false) {
            self.push(rule, 1 - holds);
        }
    }
}
