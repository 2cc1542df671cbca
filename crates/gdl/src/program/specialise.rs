//! Splitting the language's relations by what they are about.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use super::conjunctive::{Clauses, NamedAtom, NamedLiteral, NamedRule, TooLarge};
use super::domains::{Domain, Domains};
use super::{
    Atom, Fluent, Literal, MoveKind, PerceptKind, Program, Relation, RelationId, RelationKind,
    Rule, Term,
};
use crate::dialect::Dialect;
use crate::keyword::Keyword;
use crate::symbol::Symbol;

/// The most rules that expanding variables may give.
const MAX_RULES: usize = 500_000;

/// Which relation an atom belongs to after the split.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct RelationKey {
    name: Symbol,
    functor: Option<Symbol>,
    arity: usize,
}

pub(super) fn specialise(
    clauses: Clauses,
    domains: &Domains,
    dialect: Dialect,
) -> Result<Program, TooLarge> {
    let mut splitter = Splitter::new(&clauses, domains, dialect);
    let mut rules = Vec::new();
    for rule in &clauses.rules {
        if let Some(variables) = domains.variables(rule) {
            let variables: Vec<&Domain> = variables.iter().collect();
            splitter.expand(rule.clone(), &variables, &mut rules)?;
        }
    }
    let rules = rules.iter().map(|rule| splitter.rule(rule)).collect();
    let (fluents, moves, percepts) = splitter.subjects();
    let Splitter { relations, .. } = splitter;
    Ok(Program {
        symbols: clauses.symbols,
        dialect,
        relations,
        rules,
        fluents,
        moves,
        percepts,
    })
}

struct Splitter<'a> {
    clauses: &'a Clauses,
    domains: &'a Domains,
    dialect: Dialect,
    keywords: FxHashMap<Symbol, Keyword>,
    helpers: FxHashSet<Symbol>,
    /// The functions that occur as a fluent, move or percept anywhere.
    functions: BTreeSet<(Symbol, usize)>,
    relations: Vec<Relation>,
    ids: FxHashMap<RelationKey, RelationId>,
}

impl<'a> Splitter<'a> {
    fn new(clauses: &'a Clauses, domains: &'a Domains, dialect: Dialect) -> Self {
        let known = |keyword: Keyword| dialect.is_timed() || keyword != Keyword::Expired;
        let keywords = Keyword::ALL.into_iter().filter(|&keyword| known(keyword));
        let keywords =
            keywords.filter_map(|keyword| Some((clauses.symbols.get(keyword.name())?, keyword)));
        let mut this = Self {
            clauses,
            domains,
            dialect,
            keywords: keywords.collect(),
            helpers: clauses.helpers.iter().copied().collect(),
            functions: BTreeSet::new(),
            relations: Vec::new(),
            ids: FxHashMap::default(),
        };
        let subjects = clauses.rules.iter().flat_map(atoms).filter_map(|atom| {
            match &atom.args[this.subject(atom)?] {
                Term::Compound(functor, args) => Some((*functor, args.len())),
                _ => None,
            }
        });
        this.functions = subjects.collect();
        this
    }

    /// The argument that says what an atom of a keyword is about, if it has the right number of
    /// arguments.
    fn subject(&self, atom: &NamedAtom) -> Option<usize> {
        let keyword = *self.keywords.get(&atom.relation)?;
        let is_about = matches!(
            keyword,
            Keyword::Init
                | Keyword::True
                | Keyword::Next
                | Keyword::Expired
                | Keyword::Legal
                | Keyword::Does
                | Keyword::Sees
        );
        let arity = keyword.arity(self.dialect.is_timed());
        (is_about && atom.args.len() == arity).then(|| arity - 1)
    }

    /// Replaces variables that stand for whole fluents, moves or percepts by all functions they can
    /// be.
    fn expand(
        &self,
        rule: NamedRule,
        variables: &[&Domain],
        into: &mut Vec<NamedRule>,
    ) -> Result<(), TooLarge> {
        let Some(variable) = self.variable_subject(&rule) else {
            into.push(rule);
            return if into.len() > MAX_RULES {
                Err(TooLarge::Rules(into.len()))
            } else {
                Ok(())
            };
        };
        let domain = variables[variable];
        let anything = Domain::anything();
        let functions: Vec<(Symbol, Vec<&Domain>)> = match domain.open {
            true => self
                .functions
                .iter()
                .map(|&(functor, arity)| (functor, vec![&anything; arity]))
                .collect(),
            false => domain
                .compounds
                .iter()
                .map(|(key, args)| (key.0, args.iter().collect()))
                .collect(),
        };
        for (functor, args) in functions {
            let arity = args.len();
            let first = rule.variables;
            let fresh = Term::Compound(
                functor,
                (first..first + arity).map(Term::Variable).collect(),
            );
            let mut copy = rule.clone();
            copy.substitute(&|other| {
                if other == variable {
                    fresh.clone()
                } else {
                    Term::Variable(other)
                }
            });
            copy.variables += arity;
            let mut known = variables.to_vec();
            known.extend(args);
            self.expand(copy, &known, into)?;
        }
        if domain.open || !domain.constants.is_empty() {
            let mut copy = rule;
            copy.plain.push(variable);
            self.expand(copy, variables, into)?;
        }
        Ok(())
    }

    fn variable_subject(&self, rule: &NamedRule) -> Option<usize> {
        atoms(rule).find_map(|atom| match atom.args[self.subject(atom)?] {
            Term::Variable(variable) if !rule.plain.contains(&variable) => Some(variable),
            _ => None,
        })
    }

    fn rule(&mut self, rule: &NamedRule) -> Rule {
        let head = self.atom(&rule.head);
        let body = rule.body.iter().filter_map(|literal| match literal {
            NamedLiteral::Holds(atom) => Some(Literal::Holds(self.atom(atom))),
            NamedLiteral::Fails(atom) => Some(Literal::Fails(self.atom(atom))),
            NamedLiteral::Distinct(left, right) => {
                Some(Literal::Distinct(left.clone(), right.clone()))
            }
            // Unification solved these before.
            NamedLiteral::Same(..) => None,
        });
        let mut body: Vec<Literal> = body.collect();
        body.extend(
            rule.plain
                .iter()
                .map(|&variable| Literal::Plain(Term::Variable(variable))),
        );
        Rule {
            head,
            body,
            variables: rule.variables,
            clause: rule.clause,
        }
    }

    fn atom(&mut self, atom: &NamedAtom) -> Atom {
        let Some(subject) = self.subject(atom) else {
            let key = RelationKey {
                name: atom.relation,
                functor: None,
                arity: atom.args.len(),
            };
            return Atom {
                relation: self.id(key, || atom.clone()),
                args: atom.args.clone(),
            };
        };
        let (functor, args) = match &atom.args[subject] {
            Term::Compound(functor, inner) => (
                Some(*functor),
                atom.args[..subject]
                    .iter()
                    .chain(inner)
                    .cloned()
                    .collect::<Vec<_>>(),
            ),
            _ => (None, atom.args.clone()),
        };
        let key = RelationKey {
            name: atom.relation,
            functor,
            arity: args.len(),
        };
        Atom {
            relation: self.id(key, || atom.clone()),
            args,
        }
    }

    fn id(&mut self, key: RelationKey, sample: impl Fn() -> NamedAtom) -> RelationId {
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let kind = match self.keywords.get(&key.name) {
            Some(&keyword) => RelationKind::Keyword(keyword),
            None if self.helpers.contains(&key.name) => RelationKind::Helper,
            None => RelationKind::Plain,
        };
        let id = RelationId(self.relations.len() as u32);
        let domains = self.domains_of(&sample(), key);
        self.relations.push(Relation {
            kind,
            name: key.name,
            functor: key.functor,
            arity: key.arity,
            domains,
        });
        self.ids.insert(key, id);
        id
    }

    fn domains_of(&self, atom: &NamedAtom, key: RelationKey) -> Vec<Domain> {
        let empty = || vec![Domain::default(); key.arity];
        let Some(domains) = self.domains.of(atom) else {
            return empty();
        };
        let Some(subject) = self.subject(atom) else {
            return domains.to_vec();
        };
        let Some(functor) = key.functor else {
            let mut domains = domains.to_vec();
            domains[subject].compounds.clear();
            return domains;
        };
        let inner = key.arity - subject;
        match domains[subject].compounds.get(&(functor, inner)) {
            Some(args) => domains[..subject].iter().chain(args).cloned().collect(),
            None if domains[subject].open => vec![Domain::anything(); key.arity],
            None => empty(),
        }
    }

    /// Makes sure that every fluent, move and percept has all its relations, and lists them.
    fn subjects(&mut self) -> (Vec<Fluent>, Vec<MoveKind>, Vec<PerceptKind>) {
        let fluents = self.shapes(&[Keyword::Init, Keyword::True, Keyword::Next]);
        let moves = self.shapes(&[Keyword::Legal, Keyword::Does]);
        let percepts = self.shapes(&[Keyword::Sees]);
        let fluent = |(functor, ids): (Option<Symbol>, Vec<RelationId>)| Fluent {
            functor,
            init: ids[0],
            holds: ids[1],
            next: ids[2],
        };
        (
            fluents.into_iter().map(fluent).collect(),
            moves
                .into_iter()
                .map(|(functor, ids)| MoveKind {
                    functor,
                    legal: ids[0],
                    does: ids[1],
                })
                .collect(),
            percepts
                .into_iter()
                .map(|(functor, ids)| PerceptKind {
                    functor,
                    sees: ids[0],
                })
                .collect(),
        )
    }

    fn shapes(&mut self, keywords: &[Keyword]) -> Vec<(Option<Symbol>, Vec<RelationId>)> {
        let mut shapes = indexmap::IndexSet::<(Option<Symbol>, usize)>::new();
        for relation in &self.relations {
            if keywords
                .iter()
                .any(|&keyword| relation.kind == RelationKind::Keyword(keyword))
            {
                shapes.insert((relation.functor, relation.arity));
            }
        }
        let mut found = Vec::new();
        for (functor, arity) in shapes {
            let ids = keywords
                .iter()
                .map(|&keyword| self.keyword_id(keyword, functor, arity))
                .collect();
            found.push((functor, ids));
        }
        found
    }

    fn keyword_id(
        &mut self,
        keyword: Keyword,
        functor: Option<Symbol>,
        arity: usize,
    ) -> RelationId {
        // The lowering interns all keywords, so that the name is there even if the sheet lacks it.
        let name = self
            .clauses
            .symbols
            .get(keyword.name())
            .unwrap_or(Symbol(0));
        let key = RelationKey {
            name,
            functor,
            arity,
        };
        let subject_arity = if functor.is_some() {
            arity + 1 - keyword.arity(self.dialect.is_timed())
        } else {
            0
        };
        let sample = sample_atom(
            name,
            keyword.arity(self.dialect.is_timed()),
            functor,
            subject_arity,
        );
        self.id(key, || sample.clone())
    }
}

/// An atom of a keyword about some function, for looking up domains.
fn sample_atom(
    name: Symbol,
    arity: usize,
    functor: Option<Symbol>,
    subject_arity: usize,
) -> NamedAtom {
    let mut args = vec![Term::Variable(0); arity];
    if let (Some(functor), Some(subject)) = (functor, args.last_mut()) {
        *subject = Term::Compound(functor, vec![Term::Variable(0); subject_arity]);
    }
    NamedAtom {
        relation: name,
        args,
    }
}

/// The atoms of a rule, the head first.
fn atoms(rule: &NamedRule) -> impl Iterator<Item = &NamedAtom> {
    let body = rule.body.iter().filter_map(|literal| match literal {
        NamedLiteral::Holds(atom) | NamedLiteral::Fails(atom) => Some(atom),
        _ => None,
    });
    std::iter::once(&rule.head).chain(body)
}
