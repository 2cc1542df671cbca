//! A rule with its reference tables, and running it.
//!
//! A combination of facts, one for each input so far, that agree with each other has a *reference
//! number*. An input's table tells, for the reference number of the inputs before it and for a
//! fact, the next reference number. What else must hold, and what is derived, is then looked up by
//! reference number: nothing is computed while a rule runs.

use super::knowledge::Knowledge;

/// No combination.
pub(super) const NONE: u32 = u32::MAX;

/// A rule as tables.
#[derive(Clone, Debug)]
pub(super) struct Tabled {
    /// The relation that gets facts.
    pub(super) head: usize,
    /// Facts that must hold, or must not, before anything is read.
    pub(super) preconditions: Box<[(u32, bool)]>,
    pub(super) inputs: Box<[Input]>,
    /// The number of inputs after which the head is known, and the rest must hold once.
    pub(super) known_after: usize,
    /// For each reference number after that many inputs, the fact that is derived.
    pub(super) results: Box<[u32]>,
    /// Whether the last table gives facts that are derived, and there are no `results`.
    pub(super) direct: bool,
}

/// One input with the conditions that can be asked after it.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) reading: Reading,
    /// What the answers to the conditions must be.
    pub(super) expected: Box<[bool]>,
    /// For each reference number, the facts that are asked for, one after the other.
    pub(super) conditions: Box<[u32]>,
}

/// How an input finds the next reference numbers.
#[derive(Clone, Debug)]
pub(super) enum Reading {
    /// All facts of the relation are looked up.
    Facts {
        relation: usize,
        /// The number of the relation's first fact.
        first: u32,
        /// How many facts there can be.
        size: u32,
        /// Whether only facts count that are new in this round of a recursion.
        newest: bool,
        table: Box<[u32]>,
    },
    /// All facts that can agree are asked for: those of reference number *r* are at
    /// `starts[r]..starts[r + 1]`, and where a fact stands is the next reference number.
    Candidates {
        starts: Box<[u32]>,
        facts: Box<[u32]>,
    },
    /// The facts that agree are permanent: `starts[r]..starts[r + 1]` are the next reference
    /// numbers.
    Permanent { starts: Box<[u32]> },
}

impl Tabled {
    /// Memory of all tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        let inputs = self.inputs.iter().map(Input::bytes);
        inputs.sum::<usize>() + self.results.len() * size_of::<u32>()
    }
}

impl Input {
    /// Memory of its tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        let entries = match &self.reading {
            Reading::Facts { table, .. } => table.len(),
            Reading::Candidates { starts, facts } => starts.len() + facts.len(),
            Reading::Permanent { starts } => starts.len(),
        };
        (entries + self.conditions.len()) * size_of::<u32>()
    }
}

/// A rule that runs.
pub(super) struct Run<'a> {
    pub(super) rule: &'a Tabled,
    pub(super) knowledge: &'a Knowledge,
    /// Where in their lists the facts begin and end that count as newest.
    pub(super) newest: &'a [(u32, u32)],
    /// Gets the facts that are derived, perhaps repeatedly.
    pub(super) derived: &'a mut Vec<u32>,
    /// How many facts may still be read.
    pub(super) reads_left: u64,
}

impl Run<'_> {
    /// Runs the rule; the number of facts that may still be read, 0 if that was not enough.
    pub(super) fn run(mut self) -> u64 {
        let mut preconditions = self.rule.preconditions.iter();
        if preconditions.all(|&(fact, expected)| self.knowledge.holds(fact) == expected) {
            self.arrive(0, 0);
        }
        self.reads_left
    }

    /// Goes on with a combination of `depth` facts; whether the rest held at least once.
    #[inline]
    fn arrive(&mut self, depth: usize, reference: u32) -> bool {
        let rule = self.rule;
        let is_last = depth == rule.inputs.len();
        if depth != rule.known_after || rule.direct {
            return is_last || self.read(depth, reference);
        }
        let result = rule.results[reference as usize];
        if !is_last && self.knowledge.holds(result) {
            return true;
        }
        let holds = is_last || self.read(depth, reference);
        if holds {
            self.derived.push(result);
        }
        holds
    }

    /// Reads the input at a depth; whether the rest held at least once.
    fn read(&mut self, depth: usize, reference: u32) -> bool {
        let rule = self.rule;
        let input = &rule.inputs[depth];
        match &input.reading {
            Reading::Facts {
                relation,
                first,
                size,
                newest,
                table,
            } => {
                let knowledge = self.knowledge;
                let mut facts = knowledge.list(*relation);
                if *newest {
                    let (from, to) = self.newest[*relation];
                    facts = &facts[from as usize..to as usize];
                }
                if !self.may_read(facts.len()) {
                    return false;
                }
                let start = reference as usize * *size as usize;
                let table = &table[start..start + *size as usize];
                if rule.direct && depth + 1 == rule.inputs.len() {
                    let results = facts.iter().map(|fact| table[(fact - first) as usize]);
                    self.derived
                        .extend(results.filter(|&result| result != NONE));
                    return false;
                }
                let next = facts.iter().map(|fact| table[(fact - first) as usize]);
                self.follow(depth, input, next.filter(|&next| next != NONE))
            }
            Reading::Candidates { starts, facts } => {
                let (from, to) = range(starts, reference);
                if !self.may_read((to - from) as usize) {
                    return false;
                }
                let knowledge = self.knowledge;
                let next = (from..).zip(&facts[from as usize..to as usize]);
                let next = next.filter(|(_, fact)| knowledge.holds(**fact));
                self.follow(depth, input, next.map(|(next, _)| next))
            }
            Reading::Permanent { starts } => {
                let (from, to) = range(starts, reference);
                let possible = self.may_read((to - from) as usize);
                possible && self.follow(depth, input, from..to)
            }
        }
    }

    /// Goes on with each of these combinations for which the conditions of the input hold.
    #[inline]
    fn follow(&mut self, depth: usize, input: &Input, next: impl Iterator<Item = u32>) -> bool {
        let once = depth >= self.rule.known_after;
        let mut success = false;
        for next in next {
            if self.passes(input, next) && self.arrive(depth + 1, next) {
                success = true;
                if once {
                    break;
                }
            }
        }
        success
    }

    #[inline]
    fn passes(&self, input: &Input, reference: u32) -> bool {
        let count = input.expected.len();
        let start = reference as usize * count;
        let asked = &input.conditions[start..start + count];
        let mut asked = asked.iter().zip(&input.expected);
        asked.all(|(&fact, &expected)| self.knowledge.holds(fact) == expected)
    }

    /// Counts reads; false if they were too many.
    #[inline]
    fn may_read(&mut self, facts: usize) -> bool {
        self.reads_left = self.reads_left.saturating_sub(facts as u64);
        self.reads_left > 0
    }
}

#[inline]
fn range(starts: &[u32], reference: u32) -> (u32, u32) {
    let reference = reference as usize;
    (starts[reference], starts[reference + 1])
}
