//! The rules of a program without variables, instance by instance, over what may ever hold.
//!
//! This stands beside the grounder of the engines on purpose: the translation wants the author's
//! rules as they are, facts that never change included, and what is checked by it should not rest
//! on the same code as the engines. It is for games that a model checker can decide, not for large
//! ones.

use indexmap::IndexSet;
use paidia_gdl::Symbol;
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Atom, Literal, Program, RelationId, RelationKind, Rule, Term};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::TooHard;

/// Rows that are looked at while rules are instantiated.
const MOST_LOOKS: u64 = 200_000_000;
/// Instances of rules.
const MOST_INSTANCES: usize = 1_000_000;
/// Terms that differ.
const MOST_TERMS: usize = 1_000_000;

/// A term without variables.
type TermId = u32;
/// An atom without variables: a relation, and a place in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Fact {
    pub(super) relation: RelationId,
    pub(super) row: u32,
}

/// An instance of a rule.
pub(super) struct Instance {
    pub(super) head: Fact,
    /// Conditions, and whether each must fail.
    pub(super) body: Vec<(Fact, bool)>,
}

/// All instances of the rules of a program.
pub(super) struct Ground<'a> {
    pub(super) program: &'a Program,
    terms: IndexSet<(Symbol, Box<[TermId]>), FxBuildHasher>,
    /// For each relation what may hold. `next` and `init` share the table of `true`, `does` that of
    /// `legal`.
    tables: Vec<IndexSet<Box<[TermId]>, FxBuildHasher>>,
    /// Rows with a term at a position of a relation.
    places: FxHashMap<(u32, u32, TermId), Vec<u32>>,
    alias: Vec<RelationId>,
    /// Relations that are the same in all states.
    pub(super) fixed: Vec<bool>,
    pub(super) instances: Vec<Instance>,
    /// What holds at the start, in the tables of `true`.
    pub(super) initial: FxHashSet<Fact>,
    looks: u64,
}

impl<'a> Ground<'a> {
    pub(super) fn new(program: &'a Program) -> Result<Self, TooHard> {
        let count = program.relations.len();
        let mut alias: Vec<RelationId> = (0..count as u32).map(RelationId).collect();
        for fluent in &program.fluents {
            alias[fluent.next.index()] = fluent.holds;
        }
        for kind in &program.moves {
            alias[kind.does.index()] = kind.legal;
        }
        let mut this = Self {
            program,
            terms: IndexSet::default(),
            tables: vec![IndexSet::default(); count],
            places: FxHashMap::default(),
            alias,
            fixed: fixed(program),
            instances: Vec::new(),
            initial: FxHashSet::default(),
            looks: 0,
        };
        this.derive_fixed()?;
        for fluent in &program.fluents {
            for row in this.tables[fluent.init.index()].clone() {
                let row = this.add(fluent.holds, row);
                this.initial.insert(Fact {
                    relation: fluent.holds,
                    row,
                });
            }
        }
        this.derive_changing()?;
        this.instantiate()?;
        Ok(this)
    }

    /// The table in which the atoms of a relation are.
    pub(super) fn table_of(&self, relation: RelationId) -> RelationId {
        self.alias[relation.index()]
    }

    /// Whether a relation is one of declarations that nothing relies on.
    fn is_declaration(&self, relation: RelationId) -> bool {
        let kind = self.program.relation(relation).kind;
        matches!(
            kind,
            RelationKind::Keyword(Keyword::Base | Keyword::Input | Keyword::Init)
        )
    }

    /// The arguments of a fact in words, those of its subject as one term.
    pub(super) fn arguments(&self, fact: Fact) -> Vec<String> {
        let relation = self.program.relation(fact.relation);
        let args = &self.tables[self.alias[fact.relation.index()].index()][fact.row as usize];
        let words = |args: &[TermId]| args.iter().map(|&id| self.text(id)).collect::<Vec<_>>();
        let Some(functor) = relation.functor else {
            return words(args);
        };
        let RelationKind::Keyword(keyword) = relation.kind else {
            return words(args);
        };
        let before = keyword.arity(false).saturating_sub(1);
        let mut all = words(&args[..before]);
        let subject = words(&args[before..]);
        all.push(format!(
            "({} {})",
            self.program.symbols.name(functor),
            subject.join(" ")
        ));
        all
    }

    fn text(&self, id: TermId) -> String {
        let (symbol, args) = &self.terms[id as usize];
        let name = self.program.symbols.name(*symbol);
        if args.is_empty() {
            return name.to_owned();
        }
        let args: Vec<String> = args.iter().map(|&arg| self.text(arg)).collect();
        format!("({name} {})", args.join(" "))
    }

    fn add(&mut self, relation: RelationId, args: Box<[TermId]>) -> u32 {
        let table = self.alias[relation.index()];
        let (row, is_new) = self.tables[table.index()].insert_full(args);
        if is_new {
            for (place, &term) in self.tables[table.index()][row].iter().enumerate() {
                let key = (table.0, place as u32, term);
                self.places.entry(key).or_default().push(row as u32);
            }
        }
        row as u32
    }

    fn intern(&mut self, term: &Term, binding: &[Option<TermId>]) -> Result<TermId, TooHard> {
        if self.terms.len() > MOST_TERMS {
            return Err(TooHard::Ground("terms", MOST_TERMS));
        }
        Ok(match term {
            Term::Variable(variable) => binding[*variable].ok_or(TooHard::Unbound)?,
            Term::Constant(symbol) => self.terms.insert_full((*symbol, Box::default())).0 as u32,
            Term::Compound(functor, args) => {
                let args = args
                    .iter()
                    .map(|arg| self.intern(arg, binding))
                    .collect::<Result<Box<[_]>, _>>()?;
                self.terms.insert_full((*functor, args)).0 as u32
            }
        })
    }

    fn row(&mut self, atom: &Atom, binding: &[Option<TermId>]) -> Result<Box<[TermId]>, TooHard> {
        let args = atom.args.iter();
        args.map(|arg| self.intern(arg, binding)).collect()
    }

    /// Derives relations that never change, lower ones first.
    fn derive_fixed(&mut self) -> Result<(), TooHard> {
        let program = self.program;
        let ranks = ranks(program)?;
        let most = ranks.iter().copied().max().unwrap_or(0);
        for rank in 0..=most {
            let here = |rule: &&Rule| {
                let head = rule.head.relation;
                self.fixed[head.index()] && ranks[head.index()] == rank
            };
            let rules: Vec<&Rule> = program.rules.iter().filter(here).collect();
            self.close(&rules)?;
        }
        Ok(())
    }

    /// Everything that may hold where moves are made, as if no condition that changes ever failed.
    fn derive_changing(&mut self) -> Result<(), TooHard> {
        let program = self.program;
        let changing = |rule: &&Rule| !self.fixed[rule.head.relation.index()];
        let rules: Vec<&Rule> = program.rules.iter().filter(changing).collect();
        self.close(&rules)
    }

    /// Applies rules until nothing is new.
    fn close(&mut self, rules: &[&Rule]) -> Result<(), TooHard> {
        // How large the tables of each rule's body were when it was last applied.
        let mut seen: Vec<Option<usize>> = vec![None; rules.len()];
        loop {
            let mut is_new = false;
            for (place, rule) in rules.iter().enumerate() {
                let atoms = rule.body.iter().filter_map(Literal::atom);
                let size = atoms
                    .map(|atom| self.tables[self.alias[atom.relation.index()].index()].len())
                    .sum();
                if seen[place] == Some(size) {
                    continue;
                }
                seen[place] = Some(size);
                for binding in self.solutions(rule)? {
                    let row = self.row(&rule.head, &binding)?;
                    let table = self.alias[rule.head.relation.index()];
                    let before = self.tables[table.index()].len();
                    self.add(rule.head.relation, row);
                    is_new |= self.tables[table.index()].len() > before;
                }
            }
            if !is_new {
                return Ok(());
            }
        }
    }

    fn instantiate(&mut self) -> Result<(), TooHard> {
        let program = self.program;
        // All are found before atoms that never hold get rows.
        let mut all = Vec::new();
        for rule in &program.rules {
            if !self.is_declaration(rule.head.relation) {
                all.push((rule, self.solutions(rule)?));
            }
        }
        for (rule, bindings) in all {
            for binding in bindings {
                let row = self.row(&rule.head, &binding)?;
                let row = self.add(rule.head.relation, row);
                let head = Fact {
                    relation: rule.head.relation,
                    row,
                };
                let mut body = Vec::new();
                for literal in &rule.body {
                    if let Some(atom) = literal.atom() {
                        let row = self.row(atom, &binding)?;
                        // What never holds gets a row of its own here, behind all others.
                        let row = self.add(atom.relation, row);
                        let fact = Fact {
                            relation: atom.relation,
                            row,
                        };
                        body.push((fact, matches!(literal, Literal::Fails(_))));
                    }
                }
                self.instances.push(Instance { head, body });
            }
            if self.instances.len() > MOST_INSTANCES {
                return Err(TooHard::Ground("instances of rules", MOST_INSTANCES));
            }
        }
        Ok(())
    }

    /// All ways to satisfy the body of a rule by what may hold.
    fn solutions(&mut self, rule: &Rule) -> Result<Vec<Vec<Option<TermId>>>, TooHard> {
        let mut found = Vec::new();
        let mut open: Vec<&Atom> = rule
            .body
            .iter()
            .filter_map(|literal| match literal {
                Literal::Holds(atom) => Some(atom),
                _ => None,
            })
            .collect();
        let mut binding = vec![None; rule.variables];
        self.join(rule, &mut open, &mut binding, &mut found)?;
        Ok(found)
    }

    fn join(
        &mut self,
        rule: &Rule,
        open: &mut Vec<&Atom>,
        binding: &mut Vec<Option<TermId>>,
        found: &mut Vec<Vec<Option<TermId>>>,
    ) -> Result<(), TooHard> {
        if open.is_empty() {
            if self.passes(rule, binding)? {
                found.push(binding.clone());
                if found.len() > MOST_INSTANCES {
                    return Err(TooHard::Ground("instances of a rule", MOST_INSTANCES));
                }
            }
            return Ok(());
        }
        // The literal with the fewest rows left to look at comes next.
        let mut best: Option<(usize, usize, Vec<u32>)> = None;
        for (place, atom) in open.iter().enumerate() {
            let rows = self.candidates(atom, binding)?;
            if best
                .as_ref()
                .is_none_or(|(_, count, _)| rows.len() < *count)
            {
                best = Some((place, rows.len(), rows));
            }
        }
        let Some((place, _, rows)) = best else {
            return Ok(());
        };
        let atom = open.remove(place);
        let table = self.alias[atom.relation.index()];
        for row in rows {
            self.looks += 1;
            if self.looks > MOST_LOOKS {
                return Err(TooHard::Ground("steps of grounding", MOST_LOOKS as usize));
            }
            let mut bound = Vec::new();
            let args = &self.tables[table.index()][row as usize];
            let fits = atom
                .args
                .iter()
                .zip(args)
                .all(|(pattern, &term)| self.matches(pattern, term, binding, &mut bound));
            if fits {
                self.join(rule, open, binding, found)?;
            }
            bound
                .into_iter()
                .for_each(|variable| binding[variable] = None);
        }
        open.insert(place, atom);
        Ok(())
    }

    /// Rows that an atom can match, by the argument that leaves the fewest.
    fn candidates(&mut self, atom: &Atom, binding: &[Option<TermId>]) -> Result<Vec<u32>, TooHard> {
        let table = self.alias[atom.relation.index()];
        let mut best: Option<(u32, TermId, usize)> = None;
        for (place, arg) in atom.args.iter().enumerate() {
            let mut bound = true;
            arg.variables(&mut |variable| bound &= binding[variable].is_some());
            if bound {
                let term = self.intern(arg, binding)?;
                let key = (table.0, place as u32, term);
                let count = self.places.get(&key).map_or(0, Vec::len);
                if best.is_none_or(|(_, _, least)| count < least) {
                    best = Some((place as u32, term, count));
                }
            }
        }
        Ok(match best {
            Some((place, term, _)) => {
                let rows = self.places.get(&(table.0, place, term));
                rows.cloned().unwrap_or_default()
            }
            None => (0..self.tables[table.index()].len() as u32).collect(),
        })
    }

    fn matches(
        &self,
        pattern: &Term,
        term: TermId,
        binding: &mut [Option<TermId>],
        bound: &mut Vec<usize>,
    ) -> bool {
        match pattern {
            Term::Variable(variable) => match binding[*variable] {
                Some(other) => other == term,
                None => {
                    binding[*variable] = Some(term);
                    bound.push(*variable);
                    true
                }
            },
            Term::Constant(symbol) => {
                let (own, args) = &self.terms[term as usize];
                own == symbol && args.is_empty()
            }
            Term::Compound(functor, patterns) => {
                let (own, args) = &self.terms[term as usize];
                own == functor
                    && args.len() == patterns.len()
                    && patterns
                        .iter()
                        .zip(args)
                        .all(|(pattern, &arg)| self.matches(pattern, arg, binding, bound))
            }
        }
    }

    /// Whether the conditions hold that a join does not look at: differences, and that facts fail
    /// which never change.
    fn passes(&mut self, rule: &Rule, binding: &[Option<TermId>]) -> Result<bool, TooHard> {
        for literal in &rule.body {
            let passes = match literal {
                Literal::Holds(_) => true,
                Literal::Fails(atom) if self.fixed[atom.relation.index()] => {
                    let row = self.row(atom, binding)?;
                    !self.tables[atom.relation.index()].contains(&row)
                }
                Literal::Fails(_) => true,
                Literal::Distinct(one, other) => {
                    self.intern(one, binding)? != self.intern(other, binding)?
                }
                Literal::Plain(term) => {
                    let term = self.intern(term, binding)?;
                    self.terms[term as usize].1.is_empty()
                }
            };
            if !passes {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// For each relation whether its facts are the same in all states.
fn fixed(program: &Program) -> Vec<bool> {
    let mut fixed = vec![true; program.relations.len()];
    for fluent in &program.fluents {
        fixed[fluent.holds.index()] = false;
        fixed[fluent.next.index()] = false;
    }
    for kind in &program.moves {
        fixed[kind.does.index()] = false;
        fixed[kind.legal.index()] = false;
    }
    loop {
        let mut is_new = false;
        for rule in &program.rules {
            let head = rule.head.relation.index();
            let mut atoms = rule.body.iter().filter_map(Literal::atom);
            if fixed[head] && atoms.any(|atom| !fixed[atom.relation.index()]) {
                fixed[head] = false;
                is_new = true;
            }
        }
        if !is_new {
            return fixed;
        }
    }
}

/// For each relation a rank above that of all whose failure it needs.
fn ranks(program: &Program) -> Result<Vec<usize>, TooHard> {
    let mut ranks = vec![0_usize; program.relations.len()];
    loop {
        let mut is_new = false;
        for rule in &program.rules {
            let head = rule.head.relation.index();
            for literal in &rule.body {
                let least = match literal {
                    Literal::Holds(atom) => ranks[atom.relation.index()],
                    Literal::Fails(atom) => ranks[atom.relation.index()] + 1,
                    _ => 0,
                };
                // Through `true` and `does` nothing goes on within a state.
                if least > ranks[head] {
                    ranks[head] = least;
                    is_new = true;
                }
            }
            if ranks[head] > program.relations.len() {
                return Err(TooHard::Unstratified);
            }
        }
        if !is_new {
            return Ok(ranks);
        }
    }
}
