//! Atoms that depend on themselves: ranks, and how they are brought up to date.
//!
//! An atom *a* of a region has a rank *v(a)*: 0 if it is false, else the number of the round of
//! derivation in which it is found, with all that is outside the region given. A rule that has all
//! it needs *offers* its head the rank
//!
//! ```text
//! o(r) = 1 + max { v(b) : b in the body of r, of the same region }      max {} = 0
//! v(a) = min { o(r) : r has the head a }
//! ```
//!
//! so that whatever is true rests on something of lower rank, and in the end on something outside.
//! Changes are made in two phases. First everything is *withdrawn* that rested on what is gone: an
//! atom none of whose rules offers its old rank any longer becomes false, with all its rules'
//! offers, even if these would still hold it up, because they may rest on the atom itself. Then
//! offers are *settled*, the lowest first, as in Dijkstra's algorithm. In the first phase an atom
//! can only fall, and once; in the second it gets a rank that is final: no atom changes more than
//! twice.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use paidia_gdl::grounding::AtomId;

use super::model::Model;
use super::stratified::Stratified;

/// What is known of atoms and rules in regions.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranks {
    /// For each atom, its rank.
    pub(super) rank: Vec<u32>,
    /// For each atom with a rank, a rule that offers it.
    primary: Vec<u32>,
    /// For each rule, what it offers; 0 if nothing.
    offer: Vec<u32>,
    /// For each region, the rules that have gained or lost what they need from outside.
    touched: Vec<Vec<u32>>,
    /// For each rule, whether it is among these.
    is_touched: Vec<bool>,
    /// Rules that lost what they need, while offers are withdrawn.
    lost: Vec<u32>,
    /// Rules whose offers were withdrawn with the heads that they offered a higher rank to.
    doubted: Vec<u32>,
    /// Atoms that became true or false.
    changed: Vec<AtomId>,
    /// Rules that offer rank 1 and wait to be settled.
    first: Vec<u32>,
    /// Rules that wait to be settled, the lowest offers first.
    later: BinaryHeap<Reverse<(u32, u32)>>,
}

impl Ranks {
    /// Nothing is true. Programs without regions need no room.
    pub(super) fn new(rules: &Stratified) -> Self {
        let regions = rules.levels.regions.len();
        if regions == 0 {
            return Self::default();
        }
        Self {
            rank: vec![0; rules.atoms()],
            primary: vec![0; rules.atoms()],
            offer: vec![0; rules.rules()],
            touched: vec![Vec::new(); regions],
            is_touched: vec![false; rules.rules()],
            ..Self::default()
        }
    }
}

impl Model {
    /// Notes that a rule of a region has gained, or lost, something from outside.
    pub(super) fn touch(&mut self, rules: &Stratified, rule: usize, region: usize) {
        if std::mem::replace(&mut self.ranks.is_touched[rule], true) {
            return;
        }
        self.ranks.touched[region].push(rule as u32);
        let item = (rules.atoms() + region) as u32;
        self.queue
            .push(&rules.buckets, rules.bucket_of_region[region], item);
    }

    /// Brings a region up to date.
    pub(super) fn update_region(&mut self, rules: &Stratified, region: usize) {
        let mut touched = std::mem::take(&mut self.ranks.touched[region]);
        for &rule in &touched {
            self.ranks.is_touched[rule as usize] = false;
            if self.ranks.offer[rule as usize] > 0 && self.rules[rule as usize].missing > 0 {
                self.ranks.lost.push(rule);
            }
        }
        self.withdraw(rules);
        let mut doubted = std::mem::take(&mut self.ranks.doubted);
        for &rule in touched.iter().chain(&doubted) {
            if self.ranks.offer[rule as usize] == 0 {
                self.propose(rules, rule as usize);
            }
        }
        self.settle(rules);
        touched.clear();
        doubted.clear();
        self.ranks.touched[region] = touched;
        self.ranks.doubted = doubted;
        self.tell_outside(rules);
    }

    /// Withdraws the offers of rules that lost what they need, and all that rests on them.
    fn withdraw(&mut self, rules: &Stratified) {
        while let Some(rule) = self.ranks.lost.pop() {
            let ranks = &mut self.ranks;
            let head = rules.clauses.heads[rule as usize];
            let rank = ranks.rank[head as usize];
            let offer = std::mem::replace(&mut ranks.offer[rule as usize], 0);
            let is_needed = !rules.options.support || ranks.primary[head as usize] == rule;
            if offer == 0 || rank == 0 || !is_needed {
                continue;
            }
            let mut of_head = rules.clauses.rules_of(head);
            match of_head.find(|&other| ranks.offer[other] == rank) {
                Some(other) => ranks.primary[head as usize] = other as u32,
                None => self.fall(rules, head),
            }
        }
    }

    /// Makes an atom false, with all that its rules offer.
    fn fall(&mut self, rules: &Stratified, atom: AtomId) {
        self.work.changes += 1;
        self.ranks.rank[atom as usize] = 0;
        self.ranks.changed.push(atom);
        for rule in rules.clauses.rules_of(atom) {
            if self.ranks.offer[rule] > 0 {
                self.ranks.offer[rule] = 0;
                self.ranks.doubted.push(rule as u32);
            }
        }
        for &rule in rules.inner_fans.of(atom as usize) {
            self.rules[rule as usize].missing = match rules.options.count {
                true => self.rules[rule as usize].missing + 1,
                false => self.count_missing(rules, rule as usize),
            };
            if self.ranks.offer[rule as usize] > 0 {
                self.ranks.lost.push(rule);
            }
        }
    }

    /// Lets a rule wait to be settled, if it has all it needs and offers less than before.
    fn propose(&mut self, rules: &Stratified, rule: usize) {
        if self.rules[rule].missing > 0 {
            return;
        }
        let body = rules.inner_bodies.of(rule).iter();
        let highest = body.map(|&atom| self.ranks.rank[atom as usize]).max();
        let offer = 1 + highest.unwrap_or(0);
        let before = self.ranks.offer[rule];
        if before != 0 && before <= offer {
            return;
        }
        // Not known until it is settled: the body's ranks may become lower still.
        self.ranks.offer[rule] = 0;
        if offer == 1 && rules.options.queue {
            self.ranks.first.push(rule as u32);
        } else {
            self.work.heap += 1;
            self.ranks.later.push(Reverse((offer, rule as u32)));
        }
    }

    /// Makes true, or gives a lower rank to, what the waiting rules offer.
    fn settle(&mut self, rules: &Stratified) {
        loop {
            let ranks = &mut self.ranks;
            let next = ranks.first.pop().map(|rule| (1, rule));
            let Some((offer, rule)) = next.or_else(|| ranks.later.pop().map(|next| next.0)) else {
                return;
            };
            let before = &mut ranks.offer[rule as usize];
            if *before != 0 && *before <= offer {
                continue;
            }
            *before = offer;
            let head = rules.clauses.heads[rule as usize];
            let rank = ranks.rank[head as usize];
            if rank == 0 || offer < rank {
                ranks.rank[head as usize] = offer;
                ranks.primary[head as usize] = rule;
                self.work.changes += 1;
                self.pass_on(rules, head, rank);
            }
        }
    }

    /// Tells the rules of its region that an atom has got a rank, or a lower one than before.
    fn pass_on(&mut self, rules: &Stratified, atom: AtomId, before: u32) {
        if before == 0 {
            self.ranks.changed.push(atom);
        }
        for &rule in rules.inner_fans.of(atom as usize) {
            let rule = rule as usize;
            if !rules.options.count {
                self.rules[rule].missing = self.count_missing(rules, rule);
            } else if before == 0 {
                self.rules[rule].missing -= 1;
            } else if self.ranks.offer[rule] > before + 1 {
                // Another atom of the body has a higher rank, which the offer rests on.
                continue;
            }
            self.propose(rules, rule);
        }
    }

    /// Tells the rules outside the region of atoms that have become true or false.
    fn tell_outside(&mut self, rules: &Stratified) {
        let mut changed = std::mem::take(&mut self.ranks.changed);
        for &atom in &changed {
            let holds = self.ranks.rank[atom as usize] > 0;
            if self.holds(atom) != holds {
                // The change of the rank has been counted.
                self.work.changes -= 1;
                self.flip(rules, atom, holds);
            }
        }
        changed.clear();
        self.ranks.changed = changed;
    }
}
