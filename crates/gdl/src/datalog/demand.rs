//! Rewriting rules so that what is asked drives what is derived: magic sets.
//!
//! A relation *p* of which only some rows matter is replaced by copies, one for every way of
//! asking: for every set of columns whose values are known where *p* stands in a body. Beside a
//! copy stands the relation of what is *asked* of it, with those columns. A rule of *p* becomes
//!
//! ```text
//! p'(head) <= asked p'(the known columns of the head), body
//! ```
//!
//! and for every atom *q* of a body that is replaced, too, what was found before it tells what is
//! asked of it:
//!
//! ```text
//! asked q'(known columns) <= asked p'(...), the literals before q
//! ```
//!
//! After F. Bancilhon, D. Maier, Y. Sagiv, J. Ullman, "Magic sets and other strange ways to
//! implement logic programs" (PODS 1986), in the form of C. Beeri and R. Ramakrishnan, "On the
//! power of magic" (1987), with the order of literals from the planner. The rules that come out are
//! evaluated bottom up like all others, so that recursion needs no special care.
//!
//! A relation with few short rules needs no copy: its rules take the place of the atom (`unfold`).
//! A recursion that is asked one question only, and ends with itself, keeps no more of its answers
//! than what that question does not tell (`tail`).
//!
//! Two things are ours. Copies are kept apart by *phase* (the questions that need the asking
//! rules): else what is legal would come to depend on moves being made, where both ask for the
//! same. And in `q(x), not p(x)`, where *q* asks for *p*, too, what is asked of *p* would depend on
//! *q*, which depends on *p*; magic sets are known to make rules unstratified so. There, what is
//! asked is kept apart on another *level*; and if that does not help, the relation stays whole.

mod copies;
mod known;
mod tail;
mod unfold;

use rustc_hash::FxHashMap;

use copies::{Questions, RelationCopy, Way};
use known::{Known, bind};

use super::plan::{Calls, Estimates, order};
use crate::analysis::Dependencies;
use crate::program::domains::{self, Domain};
use crate::program::{Atom, Literal, Program, Relation, RelationId, RelationKind, Rule, Term};

/// What phases of the next level count more.
const LEVEL: u32 = 1 << 8;

/// There are no more levels than this.
const MOST_LEVELS: u32 = 6;

/// What is known about a program that is to be rewritten.
pub struct Situation<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its dependencies.
    pub dependencies: &'a Dependencies,
    /// How large its relations are.
    pub estimates: &'a Estimates,
    /// For each relation, whether its size is a guess from its domains.
    pub is_guessed: &'a [bool],
    /// For each relation, the questions that need it: what rules of different numbers ask for is
    /// kept apart. Rules that no question needs have 0.
    pub phases: &'a [u8],
    /// What becomes of what is asked.
    pub asking: Asking,
}

/// What becomes of what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// It is derived in every state, like everything else.
    Derived,
    /// All that can ever be asked is found once, by grounding, and then filters for nothing. It may
    /// be more than is asked in a state, so it can neither make rules unstratified nor tie a
    /// question to moves, and short rules are no reason to multiply others by them.
    Assumed,
}

/// A program in which some relations are derived as far as they are asked for.
pub struct Rewritten {
    /// The program. All relations keep their numbers; new ones are behind them.
    pub program: Program,
    /// The relations that have copies, each with its copy.
    pub copies: Vec<(RelationId, RelationId)>,
    /// For each relation, whether it is derived as far as it is asked for.
    pub demanded: Vec<bool>,
    /// The relations that only tell what is asked. With what tail recursions ask it is different:
    /// their answers do not repeat the question, so that it is a part of the answer.
    pub asked: Vec<RelationId>,
}

/// The program in which `demanded` relations are derived as far as they are asked for; `None` if
/// that is possible for none.
///
/// Of those that are demanded, nothing is derived under their old numbers unless they had to stay
/// whole.
pub fn rewrite(situation: &Situation<'_>, mut demanded: Vec<bool>) -> Option<Rewritten> {
    let mut levels = FxHashMap::default();
    while demanded.contains(&true) {
        let program = unfold::untwine(situation.program, situation.dependencies, &demanded);
        let situation = Situation {
            dependencies: &Dependencies::new(&program),
            program: &program,
            ..*situation
        };
        match Rewriter::new(&situation, &demanded, &levels).rewrite() {
            Ok(rewritten) => return Some(rewritten),
            Err(Setback::Separate(sites)) => levels.extend(sites),
            Err(Setback::Whole(relations)) => {
                let relations = relations.into_iter();
                relations.for_each(|relation| demanded[relation.index()] = false);
            }
        }
    }
    None
}

/// Why a program must be rewritten again.
enum Setback {
    /// These relations must stay whole, at least one.
    Whole(Vec<RelationId>),
    /// What is asked there must be kept apart, at least at one site, which gets that level.
    Separate(Vec<(Site, u32)>),
}

/// Where something is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Site {
    /// The rule by its place in the program, the columns of its head that are given, and which of
    /// the rules it is that it becomes.
    rule: usize,
    given: Vec<usize>,
    variant: usize,
    /// The place in the body.
    place: usize,
}

/// A rule of the new program that tells what is asked.
struct Ask {
    rule: usize,
    site: Site,
    copy: usize,
}

struct Rewriter<'a> {
    situation: &'a Situation<'a>,
    demanded: &'a [bool],
    /// The levels of what is asked where it must be kept apart.
    levels: &'a FxHashMap<Site, u32>,
    /// Tells the planner which relations are better asked for when much is known.
    calls: Calls,
    copies: Vec<RelationCopy>,
    ids: FxHashMap<Way, usize>,
    asks: Vec<Ask>,
    /// The new program.
    program: Program,
    whole: Vec<RelationId>,
}

impl<'a> Rewriter<'a> {
    fn new(
        situation: &'a Situation<'a>,
        demanded: &'a [bool],
        levels: &'a FxHashMap<Site, u32>,
    ) -> Self {
        let mut program = situation.program.clone();
        program.rules.clear();
        let is_sized = situation.is_guessed.iter().map(|guessed| !guessed);
        let calls = Calls::new(demanded.to_vec()).with_sizes(is_sized.collect());
        let calls = match situation.asking {
            Asking::Derived => calls,
            Asking::Assumed => calls.with_sparse_answers(),
        };
        Self {
            situation,
            demanded,
            levels,
            calls,
            copies: Vec::new(),
            ids: FxHashMap::default(),
            asks: Vec::new(),
            program,
            whole: Vec::new(),
        }
    }

    fn rewrite(mut self) -> Result<Rewritten, Setback> {
        let Situation {
            program,
            dependencies,
            phases,
            ..
        } = self.situation;
        for (index, rule) in program.rules.iter().enumerate() {
            let head = rule.head.relation.index();
            let mut atoms = rule.body.iter().filter_map(Literal::atom);
            if !atoms.any(|atom| self.demanded[atom.relation.index()]) && !self.demanded[head] {
                self.program.rules.push(rule.clone());
            } else if !self.demanded[head] && phases[head] != 0 {
                self.rule(index, None, phases[head].into());
            }
        }
        let mut next = 0;
        while next < self.copies.len() && self.whole.is_empty() {
            let Way { of, phase, .. } = self.copies[next].way;
            for &rule in &dependencies.rules_of[of.index()] {
                self.rule(rule, Some(next), phase);
            }
            next += 1;
        }
        if self.whole.is_empty() {
            if self.situation.asking == Asking::Derived {
                self.find_cycles()?;
            }
            domains::find_from(program.relations.len(), &mut self.program);
            self.find_growing_terms();
        }
        if !self.whole.is_empty() {
            return Err(Setback::Whole(self.whole));
        }
        let copies = self.copies.iter();
        let asked = copies.clone().filter(|copy| copy.way.tail.is_none());
        let asked = asked.map(|copy| copy.asked).collect();
        let copies = copies.map(|copy| (copy.way.of, copy.answers)).collect();
        Ok(Rewritten {
            program: self.program,
            asked,
            copies,
            demanded: self.demanded.to_vec(),
        })
    }

    /// Adds what a rule becomes for a copy of its head, or for the head itself, and what is asked
    /// in its body.
    fn rule(&mut self, index: usize, copy: Option<usize>, phase: u32) {
        let given = copy.map_or(&[][..], |copy| &self.copies[copy].way.columns[..]);
        let given = given.to_vec();
        let ends_with_itself = copy.is_some_and(|copy| self.copies[copy].way.tail.is_some());
        let rule = &self.situation.program.rules[index];
        let rules = match self.situation.asking {
            Asking::Derived => self.unfolded(rule, &given),
            Asking::Assumed => vec![rule.clone()],
        };
        for (variant, mut rule) in rules.into_iter().enumerate() {
            let place = tail::place(&rule).filter(|_| ends_with_itself);
            let last = place.map(|place| rule.body.remove(place));
            // A recursion that ends with itself asks on, and leaves it to that to answer.
            let head = match (copy, last.as_ref().and_then(Literal::atom)) {
                (None, _) => rule.head.clone(),
                (Some(copy), None) => self.copies[copy].answer(&rule.head.args),
                (Some(copy), Some(last)) => self.copies[copy].question(&last.args),
            };
            let site = Site {
                rule: index,
                given: given.clone(),
                variant,
                place: 0,
            };
            if let Some(body) = self.body(&rule, &head, copy, &site, phase) {
                self.program.rules.push(Rule { head, body, ..rule });
            }
        }
    }

    /// The body of a rule of a copy in the order in which it is looked up, with copies for what is
    /// asked, if it is to tell what is in `head`. Adds what is asked.
    fn body(
        &mut self,
        rule: &Rule,
        head: &Atom,
        copy: Option<usize>,
        site: &Site,
        phase: u32,
    ) -> Option<Vec<Literal>> {
        let given = copy.map_or(&[][..], |copy| &self.copies[copy].way.columns[..]);
        let places = order(rule, given, self.situation.estimates, &mut self.calls);
        // What the planner left out can never hold, and nor does the rule.
        if places.len() < rule.body.len() {
            return None;
        }
        let mut known = Known::new(rule, head);
        let guard = copy.map(|copy| self.copies[copy].question(&rule.head.args));
        let mut body: Vec<Literal> = guard.map(Literal::Holds).into_iter().collect();
        body.iter().for_each(|guard| bind(guard, &mut known.bound));
        // What is asked does not wait for the answers to tests: what is asked of one relation would
        // depend on what another, or itself, answers.
        let mut before = body.clone();
        let mut has_tests = false;
        for (number, &place) in places.iter().enumerate() {
            let mut literal = rule.body[place].clone();
            let mut is_test = false;
            if let Literal::Holds(atom) | Literal::Fails(atom) = &mut literal
                && self.demanded[atom.relation.index()]
            {
                is_test = atom.args.iter().all(|arg| known.is_bound(arg));
                let holds = matches!(rule.body[place], Literal::Holds(_));
                // Where a test came before, what was asked is not all that must hold.
                let is_last = number + 1 == places.len() && copy.is_none() && holds && !has_tests;
                let site = Site {
                    place,
                    ..site.clone()
                };
                let phase = self.phase_of(&site, phase);
                let copy = self.ask(atom, &known, is_last, phase)?;
                let asked = Literal::Holds(self.copies[copy].question(&atom.args));
                if let (false, Literal::Holds(head)) = (before.contains(&asked), asked) {
                    let body = before.clone();
                    let rule_number = self.program.rules.len();
                    self.asks.push(Ask {
                        rule: rule_number,
                        site,
                        copy,
                    });
                    self.program.rules.push(Rule {
                        head,
                        body,
                        ..*rule
                    });
                }
                *atom = self.copies[copy].answer(&atom.args);
                if matches!(self.copies[copy].way.tail, Some(Questions::Of(_))) {
                    // What came before is what was asked.
                    body.clear();
                }
            }
            bind(&rule.body[place], &mut known.bound);
            has_tests |= is_test;
            if !is_test {
                before.push(literal.clone());
            }
            body.push(literal);
        }
        Some(body)
    }

    /// The phase of what is asked at a site within a phase: at least at the site's level.
    fn phase_of(&self, site: &Site, phase: u32) -> u32 {
        let level = self.levels.get(site).copied().unwrap_or(0);
        phase % LEVEL + (phase / LEVEL).max(level) * LEVEL
    }

    /// The copy that an atom means; nothing if it is asked for as a whole.
    fn ask(&mut self, atom: &Atom, known: &Known, is_last: bool, phase: u32) -> Option<usize> {
        let all = || 0..atom.args.len();
        let columns = all().filter(|&column| known.is_bound(&atom.args[column]));
        let columns: Vec<usize> = columns.collect();
        if columns.is_empty() && !atom.args.is_empty() {
            self.whole.push(atom.relation);
            return None;
        }
        let ignored = all().filter(|&column| known.is_ignored(&atom.args[column]));
        let questions = columns.iter().map(|&column| atom.args[column].clone());
        let questions: Vec<Term> = questions.collect();
        let tail = match questions.iter().all(Term::is_ground) {
            true => Some(Questions::One(questions)),
            false if is_last && !known.tells_bound() => {
                Some(Questions::Of(self.program.rules.len()))
            }
            false => None,
        };
        let Situation {
            program,
            dependencies,
            asking,
            ..
        } = *self.situation;
        let is_tail =
            |_: &Questions| tail::is_tail_recursive(program, dependencies, atom.relation, &columns);
        let tail = tail.filter(is_tail);
        let is_assumed = asking == Asking::Assumed && tail.is_none();
        Some(self.copy(Way {
            of: atom.relation,
            ignored: ignored.collect(),
            phase: if is_assumed { 0 } else { phase },
            tail,
            columns,
        }))
    }

    /// The number of a copy, made if need be.
    fn copy(&mut self, way: Way) -> usize {
        if let Some(&known) = self.ids.get(&way) {
            return known;
        }
        let next = self.copies.len();
        let relation = self.situation.program.relation(way.of);
        let name = self.program.symbols.name(relation.name).to_owned();
        let known: Vec<String> = way.columns.iter().map(ToString::to_string).collect();
        let name = format!("{name} by {}", known.join(","));
        let width = (0..relation.arity)
            .filter(|&column| way.has(column))
            .count();
        let answers = self.relation(&name, width);
        let asked = self.relation(&format!("asked {name}"), way.columns.len());
        self.ids.insert(way.clone(), next);
        self.copies.push(RelationCopy {
            way,
            answers,
            asked,
        });
        next
    }

    /// A new relation.
    fn relation(&mut self, name: &str, arity: usize) -> RelationId {
        let name = self.program.symbols.intern(name);
        self.program.relations.push(Relation {
            kind: RelationKind::Helper,
            name,
            functor: None,
            arity,
            domains: vec![Domain::default(); arity],
        });
        RelationId(self.program.relations.len() as u32 - 1)
    }

    /// Finds copies about which ever larger terms would be asked, as by `(<= (p ?x) (p (f ?x)))`.
    fn find_growing_terms(&mut self) {
        for RelationCopy { way, asked, .. } in &self.copies {
            let domains = &self.situation.program.relation(way.of).domains;
            let asked = self.program.relation(*asked).domains.iter();
            let mut columns = asked.zip(&way.columns);
            if columns
                .any(|(asked, &column)| asked.size().is_none() && domains[column].size().is_some())
            {
                self.whole.push(way.of);
            }
        }
    }

    /// Finds out whether what is asked of a relation depends on its answers though the relation
    /// does not depend on itself.
    ///
    /// Such rules would be a recursion that is none, or not even stratified. What is asked where
    /// that comes from must be kept apart from what is asked elsewhere, on a level of its own;
    /// where this does not help, copies that depend on their own negation must be whole.
    fn find_cycles(&mut self) -> Result<(), Setback> {
        let dependencies = Dependencies::new(&self.program);
        let groups = dependencies.components.iter();
        for group in groups.filter(|group| group.recursive || group.partial) {
            let sites = self.crossing(&group.relations);
            let sites: Vec<_> = sites.filter(|&(_, level)| level <= MOST_LEVELS).collect();
            if !sites.is_empty() {
                return Err(Setback::Separate(sites));
            }
            if group.partial {
                let rules = group.rules.iter();
                let bodies = rules.flat_map(|&rule| &self.program.rules[rule].body);
                let denied = bodies.filter_map(|literal| match literal {
                    Literal::Fails(atom) => Some(atom.relation),
                    _ => None,
                });
                let denied: Vec<RelationId> = denied.collect();
                self.stay_whole(&group.relations, &denied);
            }
        }
        Ok(())
    }

    /// Where among some relations that depend on each other something is asked because of what
    /// another relation answers, and at which level it should be.
    fn crossing(&self, relations: &[RelationId]) -> impl Iterator<Item = (Site, u32)> {
        let groups = &self.situation.dependencies.components_of;
        let first = RelationId(self.situation.program.relations.len() as u32);
        let origins = relations.iter().map(|&relation| {
            let mut copies = self.copies.iter();
            let copy = copies.find(|copy| copy.answers == relation);
            let of = copy.map(|copy| copy.way.of);
            (relation, of.or((relation < first).then_some(relation)))
        });
        let origins: FxHashMap<RelationId, Option<RelationId>> = origins.collect();
        let asks = self.asks.iter().filter(move |ask| {
            let copy = &self.copies[ask.copy];
            let asked = &groups[copy.way.of.index()];
            // A recursion asks on in its own phase: there would be no end of them.
            let asks = &self.situation.program.rules[ask.site.rule].head.relation;
            let is_recursion = groups[asks.index()] == *asked;
            let crosses = |literal: &Literal| {
                let atom = literal.atom();
                let origin = atom.and_then(|atom| origins.get(&atom.relation));
                let origin = origin.copied().flatten();
                origin.is_some_and(|of| groups[of.index()] != *asked)
            };
            !is_recursion
                && origins.contains_key(&copy.asked)
                && self.program.rules[ask.rule].body.iter().any(crosses)
        });
        asks.map(|ask| {
            let level = self.copies[ask.copy].way.phase / LEVEL + 1;
            (ask.site.clone(), level)
        })
    }

    /// Takes the relations of those copies among some relations for whole that are denied, or of
    /// all of them if there are none.
    fn stay_whole(&mut self, relations: &[RelationId], denied: &[RelationId]) {
        let inside = |relation: &RelationId| relations.contains(relation);
        let copies = || self.copies.iter();
        let is_denied =
            |copy: &&RelationCopy| inside(&copy.answers) && denied.contains(&copy.answers);
        let concerned = |copy: &&RelationCopy| inside(&copy.answers) || inside(&copy.asked);
        let mut whole: Vec<RelationId> =
            copies().filter(is_denied).map(|copy| copy.way.of).collect();
        if whole.is_empty() {
            whole.extend(copies().filter(concerned).map(|copy| copy.way.of));
        }
        self.whole.extend(whole);
    }
}
