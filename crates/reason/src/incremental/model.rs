//! The model of a stratified program, kept up to date.
//!
//! When an atom changes, the rules with it in their bodies are told at once: each counts how many
//! of its literals do not hold. A rule whose count becomes zero, or no longer is, tells its head,
//! which counts the rules that support it. Only if *that* count becomes or leaves zero does the
//! head wait to be looked at, at its level; by then everything that it depends on is final. An atom
//! that nothing depends on need not even wait. Atoms that depend on themselves are looked at
//! together (`regions`).

use std::ops::Range;

use paidia_gdl::grounding::AtomId;

use super::Question;
use super::levels::NONE;
use super::queue::Queue;
use super::regions::Ranks;
use super::stratified::Stratified;

/// What is true, and why.
#[derive(Clone, Debug)]
pub struct Model {
    /// A bit for each atom.
    values: Vec<u64>,
    pub(super) rules: Vec<RuleState>,
    /// For each atom outside regions, how many of its rules have all they need.
    support: Vec<u32>,
    pub(super) queue: Queue,
    pub(super) ranks: Ranks,
    pub(super) work: Work,
}

/// What is known of a rule.
#[derive(Clone, Copy, Debug)]
pub(super) struct RuleState {
    /// How many literals of its body do not hold.
    pub(super) missing: u32,
    /// Its head, perhaps with [`LAST`]; or, with [`RECURSIVE`], the head's region.
    target: u32,
}

/// Marks regions among targets of rules.
const RECURSIVE: u32 = 1 << 31;

/// Marks atoms that nothing depends on, which need not wait.
const LAST: u32 = 1 << 30;

/// How much was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Atoms and regions that were taken out of the queue.
    pub polls: u64,
    /// Values that changed, of base atoms too, but not of those that need not wait.
    pub changes: u64,
    /// Rules that went through a heap because of their rank.
    pub heap: u64,
}

impl Model {
    /// The model in which all base atoms are false.
    pub fn new(rules: &Stratified) -> Self {
        let clauses = &rules.clauses;
        let state = |rule: usize| {
            let body = clauses.body(rule).iter();
            RuleState {
                missing: body.filter(|literal| !literal.fails()).count() as u32,
                target: target(rules, clauses.heads[rule]),
            }
        };
        let mut model = Self {
            values: vec![0; rules.atoms().div_ceil(64)],
            rules: (0..rules.rules()).map(state).collect(),
            support: vec![0; rules.atoms()],
            queue: Queue::new(&rules.buckets, rules.options.queue),
            ranks: Ranks::new(rules),
            work: Work::default(),
        };
        for rule in (0..rules.rules()).filter(|&rule| rules.is_needed(rule)) {
            if model.rules[rule].missing == 0 {
                model.cross(rules, rule, true);
            }
        }
        for question in Question::EACH {
            model.answer(rules, question);
        }
        model
    }

    /// Sets a base atom. What depends on it is brought up to date when it is asked for.
    #[inline]
    pub fn set(&mut self, rules: &Stratified, atom: AtomId, holds: bool) {
        if self.holds(atom) != holds {
            self.flip(rules, atom, holds);
        }
    }

    /// Whether an atom holds, as far as was asked.
    #[inline]
    pub fn holds(&self, atom: AtomId) -> bool {
        self.values[atom as usize / 64] >> (atom % 64) & 1 == 1
    }

    /// The values of 64 atoms each.
    #[inline]
    pub(super) fn words(&self, words: Range<usize>) -> &[u64] {
        &self.values[words]
    }

    /// Brings everything up to date that a question needs.
    #[inline]
    pub fn answer(&mut self, rules: &Stratified, question: Question) {
        while let Some(bucket) = self.queue.first(&rules.buckets, question) {
            while let Some(item) = self.queue.take(&rules.buckets, bucket, question) {
                self.work.polls += 1;
                match (item as usize).checked_sub(rules.atoms()) {
                    None => self.poll(rules, item),
                    Some(region) => self.update_region(rules, region),
                }
            }
        }
    }

    /// How much was done so far.
    pub fn work(&self) -> Work {
        self.work
    }

    /// The value of an atom in the numeric model: 0 if it is false, else in how many steps it is
    /// derived from what stands on lower levels. Everything must be up to date.
    pub fn value(&self, rules: &Stratified, atom: AtomId) -> u32 {
        let levels = &rules.levels;
        if levels.region_of[atom as usize] != NONE {
            return self.ranks.rank[atom as usize];
        }
        if !self.holds(atom) {
            return 0;
        }
        let of_rules = rules.clauses.rules_of(atom);
        let lower = |rule: &usize| levels.of_rule[*rule] < levels.of_atom[atom as usize];
        let is_base = of_rules.is_empty();
        match is_base
            || of_rules
                .filter(lower)
                .any(|rule| self.rules[rule].missing == 0)
        {
            true => 1,
            false => 2,
        }
    }

    /// Looks at an atom again.
    #[inline]
    fn poll(&mut self, rules: &Stratified, atom: AtomId) {
        let holds = if rules.options.support {
            self.support[atom as usize] > 0
        } else {
            let mut of_atom = rules.clauses.rules_of(atom);
            of_atom.any(|rule| self.rules[rule].missing == 0)
        };
        if self.holds(atom) != holds {
            self.flip(rules, atom, holds);
        }
    }

    /// Changes an atom and tells the rules outside its region.
    #[inline]
    pub(super) fn flip(&mut self, rules: &Stratified, atom: AtomId, holds: bool) {
        self.work.changes += 1;
        self.values[atom as usize / 64] ^= 1 << (atom % 64);
        let fan = rules.fans[atom as usize];
        let need_it = &rules.edges[fan.holds as usize..fan.fails as usize];
        let need_it_not = &rules.edges[fan.fails as usize..fan.end as usize];
        if !rules.options.count {
            need_it
                .iter()
                .for_each(|&rule| self.recount(rules, rule as usize));
            need_it_not
                .iter()
                .for_each(|&rule| self.recount(rules, rule as usize));
            return;
        }
        let (gain, lose) = if holds {
            (need_it, need_it_not)
        } else {
            (need_it_not, need_it)
        };
        for &rule in gain {
            let state = &mut self.rules[rule as usize];
            state.missing -= 1;
            if state.missing == 0 {
                self.cross(rules, rule as usize, true);
            }
        }
        for &rule in lose {
            let state = &mut self.rules[rule as usize];
            state.missing += 1;
            if state.missing == 1 {
                self.cross(rules, rule as usize, false);
            }
        }
    }

    /// Counts anew what a rule misses.
    fn recount(&mut self, rules: &Stratified, rule: usize) {
        let before = self.rules[rule].missing == 0;
        self.rules[rule].missing = self.count_missing(rules, rule);
        let after = self.rules[rule].missing == 0;
        if before != after {
            self.cross(rules, rule, after);
        }
    }

    /// How many literals of a body do not hold; members of the head's region hold if they have a
    /// rank.
    pub(super) fn count_missing(&self, rules: &Stratified, rule: usize) -> u32 {
        let region_of = &rules.levels.region_of;
        let region = region_of[rules.clauses.heads[rule] as usize];
        let body = rules.clauses.body(rule).iter();
        let missing = body.filter(|literal| {
            let atom = literal.atom();
            let holds = if region != NONE && region_of[atom as usize] == region {
                self.ranks.rank[atom as usize] > 0
            } else {
                self.holds(atom)
            };
            holds == literal.fails()
        });
        missing.count() as u32
    }

    /// A rule has all it needs now, or no longer has.
    #[inline]
    fn cross(&mut self, rules: &Stratified, rule: usize, active: bool) {
        let target = self.rules[rule].target;
        if target & RECURSIVE != 0 {
            self.touch(rules, rule, (target & !RECURSIVE) as usize);
            return;
        }
        let (atom, is_last) = (target & !LAST, target & LAST != 0);
        if rules.options.support {
            let support = &mut self.support[atom as usize];
            let before = *support;
            *support = if active { before + 1 } else { before - 1 };
            if before != u32::from(!active) {
                return;
            }
        }
        if is_last {
            self.values[atom as usize / 64] ^= 1 << (atom % 64);
            return;
        }
        let bucket = if rules.options.levels {
            rules.bucket_of_atom[atom as usize]
        } else {
            rules.bucket_of_rule[rule]
        };
        self.queue.push(&rules.buckets, bucket, atom);
    }
}

/// What a rule with that head tells when it has all it needs, or no longer has.
fn target(rules: &Stratified, head: AtomId) -> u32 {
    let region = rules.levels.region_of[head as usize];
    let fan = rules.fans[head as usize];
    let waits = !(rules.options.support && rules.options.queue) || fan.holds != fan.end;
    match (region, waits) {
        (NONE, true) => head,
        (NONE, false) => LAST | head,
        _ => RECURSIVE | region,
    }
}
