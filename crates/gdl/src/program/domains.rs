//! Which terms can stand at which argument, by a fixpoint over the rules.
//!
//! Kowalski and Szykuła's method: constants of heads seed the domains; a variable of a head can be
//! whatever *every* positive occurrence of it in the body can be (an intersection). Two
//! refinements: domains are trees, so that the arguments of different functions are kept apart, and
//! a rule whose body cannot be met yet contributes nothing. `init`, `true` and `next` share one
//! domain, and so do `legal` and `does`.
//!
//! [`Domain::at`] gives the view of the compiler chapter, where position ⟨0⟩ of a nested argument
//! is its function.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::conjunctive::{Clauses, NamedAtom, NamedLiteral, NamedRule};
use super::{Literal, Program, Relation, Rule, Term};
use crate::keyword::Keyword;
use crate::symbol::Symbol;

/// Terms nested deeper than this make a domain open.
const MAX_DEPTH: usize = 6;

/// The terms that can stand at some place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Domain {
    /// Anything can stand here: terms grow without a bound that the analysis sees.
    pub open: bool,
    /// Plain constants.
    pub constants: BTreeSet<Symbol>,
    /// Functions, by name and number of arguments, with the domains of those.
    pub compounds: BTreeMap<(Symbol, usize), Vec<Domain>>,
}

/// A relation by name and arity; keywords that share their domains have one key.
pub type Key = (Symbol, usize);

/// The domains of all relations.
#[derive(Clone, Debug, Default)]
pub struct Domains {
    of: FxHashMap<Key, Vec<Domain>>,
    aliases: FxHashMap<Symbol, Symbol>,
    /// In rtGDL, `expired` and the relation whose facts expire.
    expired: Option<(Symbol, Key)>,
}

/// The domains of the relations of some rules.
pub fn find(clauses: &Clauses) -> Domains {
    let mut domains = Domains::new(clauses);
    // Rules wait for changes of the relations in their bodies.
    let mut readers: FxHashMap<Key, Vec<usize>> = FxHashMap::default();
    for (index, rule) in clauses.rules.iter().enumerate() {
        for literal in &rule.body {
            if let NamedLiteral::Holds(atom) = literal {
                readers.entry(domains.key(atom)).or_default().push(index);
            }
        }
    }
    let mut waiting = vec![true; clauses.rules.len()];
    let mut queue: std::collections::VecDeque<usize> = (0..clauses.rules.len()).collect();
    while let Some(index) = queue.pop_front() {
        waiting[index] = false;
        let rule = &clauses.rules[index];
        if domains.apply(rule) {
            for &reader in readers
                .get(&domains.key(&rule.head))
                .map_or(&[][..], Vec::as_slice)
            {
                if !std::mem::replace(&mut waiting[reader], true) {
                    queue.push_back(reader);
                }
            }
        }
    }
    domains
}

/// Finds the domains of those relations of a program that stand from a number on, and that no other
/// relation's domains depend on.
pub(crate) fn find_from(first: usize, program: &mut Program) {
    let Program {
        relations, rules, ..
    } = program;
    let rules = rules.iter();
    let rules = rules.filter(|rule| rule.head.relation.index() >= first);
    let rules: Vec<&Rule> = rules.collect();
    let mut changed = true;
    while changed {
        changed = false;
        for rule in &rules {
            let Some(variables) = variables_of(rule, relations) else {
                continue;
            };
            let head = &mut relations[rule.head.relation.index()];
            for (domain, term) in head.domains.iter_mut().zip(&rule.head.args) {
                changed |= domain.add(term, &variables, 0);
            }
        }
    }
}

/// What each variable of a rule can be by the domains of the relations in its body, or `None` if
/// that can never hold.
fn variables_of(rule: &Rule, relations: &[Relation]) -> Option<Vec<Domain>> {
    let mut known: Vec<Option<Domain>> = vec![None; rule.variables];
    for literal in &rule.body {
        if let Literal::Holds(atom) = literal {
            let domains = &relations[atom.relation.index()].domains;
            let mut pairs = atom.args.iter().zip(domains);
            if !pairs.all(|(term, domain)| narrow(term, domain, &mut known)) {
                return None;
            }
        }
    }
    Some(or_anything(known))
}

/// Variables about which nothing is known can be anything.
fn or_anything(known: Vec<Option<Domain>>) -> Vec<Domain> {
    let known = known.into_iter();
    known
        .map(|domain| domain.unwrap_or_else(Domain::anything))
        .collect()
}

/// Which keyword's domains another keyword shares.
fn aliases(clauses: &Clauses) -> FxHashMap<Symbol, Symbol> {
    let pairs = [
        (Keyword::Init, Keyword::True),
        (Keyword::Next, Keyword::True),
        (Keyword::Does, Keyword::Legal),
    ];
    let symbol = |keyword: Keyword| clauses.symbols.get(keyword.name());
    pairs
        .into_iter()
        .filter_map(|(from, to)| Some((symbol(from)?, symbol(to)?)))
        .collect()
}

impl Domains {
    fn new(clauses: &Clauses) -> Self {
        let mut domains = Domains {
            aliases: aliases(clauses),
            ..Domains::default()
        };
        if clauses.dialect.is_timed() {
            let symbol = |keyword: Keyword| clauses.symbols.get(keyword.name());
            if let (Some(expired), Some(holds)) = (symbol(Keyword::Expired), symbol(Keyword::True))
            {
                // Time passes, so a lifetime can become any number.
                domains
                    .of
                    .insert((holds, 2), vec![Domain::anything(), Domain::default()]);
                domains.expired = Some((expired, (holds, 2)));
            }
        }
        domains
    }

    fn key(&self, atom: &NamedAtom) -> Key {
        if let Some((expired, key)) = self.expired
            && atom.relation == expired
        {
            return key;
        }
        let name = self
            .aliases
            .get(&atom.relation)
            .copied()
            .unwrap_or(atom.relation);
        (name, atom.args.len())
    }

    /// The domains of an atom's relation, one an argument; none if the relation never holds.
    pub fn of(&self, atom: &NamedAtom) -> Option<&[Domain]> {
        let domains = self.of.get(&self.key(atom))?;
        // A fact that expired is told without its lifetime, which is over.
        let skipped = domains.len().saturating_sub(atom.args.len());
        Some(&domains[skipped..])
    }

    /// What each variable of a rule can be, or `None` if the body can never hold.
    pub fn variables(&self, rule: &NamedRule) -> Option<Vec<Domain>> {
        let mut known: Vec<Option<Domain>> = vec![None; rule.variables];
        for literal in &rule.body {
            if let NamedLiteral::Holds(atom) = literal {
                let domains = self.of(atom)?;
                for (term, domain) in atom.args.iter().zip(domains) {
                    if !narrow(term, domain, &mut known) {
                        return None;
                    }
                }
            }
        }
        Some(or_anything(known))
    }

    /// Adds what a rule derives; whether that was news.
    fn apply(&mut self, rule: &NamedRule) -> bool {
        let Some(variables) = self.variables(rule) else {
            return false;
        };
        let key = self.key(&rule.head);
        let mut changed = false;
        let domains = self.of.entry(key).or_insert_with(|| {
            changed = true;
            vec![Domain::default(); key.1]
        });
        for (domain, term) in domains.iter_mut().zip(&rule.head.args) {
            changed |= domain.add(term, &variables, 0);
        }
        changed
    }
}

/// Narrows the domains of the variables in a term that stands where `domain` allows; false if it
/// cannot stand there.
fn narrow(term: &Term, domain: &Domain, known: &mut [Option<Domain>]) -> bool {
    match term {
        Term::Variable(variable) => {
            let narrowed = match &known[*variable] {
                None => domain.clone(),
                Some(before) => before.intersection(domain),
            };
            let possible = !narrowed.is_empty();
            known[*variable] = Some(narrowed);
            possible
        }
        Term::Constant(symbol) => domain.open || domain.constants.contains(symbol),
        Term::Compound(functor, args) => match domain.compounds.get(&(*functor, args.len())) {
            Some(domains) => args
                .iter()
                .zip(domains)
                .all(|(arg, domain)| narrow(arg, domain, known)),
            None => domain.open,
        },
    }
}

impl Domain {
    /// The domain of a place about which nothing is known.
    pub fn anything() -> Self {
        Domain {
            open: true,
            ..Domain::default()
        }
    }

    /// Whether nothing can stand here.
    pub fn is_empty(&self) -> bool {
        !self.open && self.constants.is_empty() && self.compounds.is_empty()
    }

    /// How many terms can stand here; `None` if there is no bound.
    pub fn size(&self) -> Option<usize> {
        if self.open {
            return None;
        }
        let mut total = self.constants.len();
        for domains in self.compounds.values() {
            let mut product = 1usize;
            for domain in domains {
                product = product.saturating_mul(domain.size()?);
            }
            total = total.saturating_add(product);
        }
        Some(total)
    }

    /// The constants and function names at a position below this one, as the compiler chapter lists
    /// them: the position's first index counts a nested term's parts, 0 being its function. The
    /// empty position gives the plain constants, and those of every function's arguments are
    /// merged.
    pub fn at(&self, position: &[usize]) -> BTreeSet<Symbol> {
        match position {
            [] => self.constants.clone(),
            [0] => self.compounds.keys().map(|key| key.0).collect(),
            [index, rest @ ..] => {
                let parts = self
                    .compounds
                    .values()
                    .filter_map(|args| args.get(index.checked_sub(1)?));
                parts.flat_map(|domain| domain.at(rest)).collect()
            }
        }
    }

    /// What can stand both here and there.
    #[must_use]
    pub fn intersection(&self, other: &Domain) -> Domain {
        if self.open {
            return other.clone();
        }
        if other.open {
            return self.clone();
        }
        let mut common = Domain {
            open: false,
            constants: self
                .constants
                .intersection(&other.constants)
                .copied()
                .collect(),
            compounds: BTreeMap::new(),
        };
        for (key, left) in &self.compounds {
            if let Some(right) = other.compounds.get(key) {
                let args: Vec<Domain> = left
                    .iter()
                    .zip(right)
                    .map(|(l, r)| l.intersection(r))
                    .collect();
                if args.iter().all(|arg| !arg.is_empty()) {
                    common.compounds.insert(*key, args);
                }
            }
        }
        common
    }

    /// Adds the values of a head's term; whether that was news.
    fn add(&mut self, term: &Term, variables: &[Domain], depth: usize) -> bool {
        if self.open {
            return false;
        }
        if depth > MAX_DEPTH {
            return self.open_up();
        }
        match term {
            Term::Variable(variable) => self.union(&variables[*variable], depth),
            Term::Constant(symbol) => self.constants.insert(*symbol),
            Term::Compound(functor, args) => {
                let mut changed = false;
                let domains = self
                    .compounds
                    .entry((*functor, args.len()))
                    .or_insert_with(|| {
                        changed = true;
                        vec![Domain::default(); args.len()]
                    });
                for (domain, arg) in domains.iter_mut().zip(args) {
                    changed |= domain.add(arg, variables, depth + 1);
                }
                changed
            }
        }
    }

    fn union(&mut self, other: &Domain, depth: usize) -> bool {
        if self.open {
            return false;
        }
        if other.open || depth > MAX_DEPTH {
            return self.open_up();
        }
        let before = self.constants.len();
        self.constants.extend(&other.constants);
        let mut changed = self.constants.len() > before;
        for (key, args) in &other.compounds {
            let domains = self.compounds.entry(*key).or_insert_with(|| {
                changed = true;
                vec![Domain::default(); key.1]
            });
            for (domain, arg) in domains.iter_mut().zip(args) {
                changed |= domain.union(arg, depth + 1);
            }
        }
        changed
    }

    fn open_up(&mut self) -> bool {
        *self = Domain::anything();
        true
    }
}
