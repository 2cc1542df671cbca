//! Removing `or`, `and` and nested `not` from bodies: disjunctive normal form with sharing.
//!
//! Negation is pushed inwards (De Morgan), then every `or` either multiplies its rule, one copy a
//! branch, or, where that would give many copies, becomes a helper relation over the variables that
//! it shares with the rest of the rule. A helper is possible only if every branch binds all those
//! variables itself.

use rustc_hash::FxHashMap;

use super::Term;
use crate::dialect::Dialect;
use crate::keyword::Keyword;
use crate::symbol::{Symbol, Symbols};
use crate::syntax::{self, Formula, Sheet, TermKind};

/// A clause may multiply into this many rules before helpers are made for its disjunctions.
const COPIES_WITHOUT_HELPERS: usize = 8;

/// The most rules a program may have.
const MAX_RULES: usize = 500_000;

/// The most literals that the body of a rule may have; the largest public one has some fifty.
const MAX_LITERALS: usize = 1_000;

/// The rules would not fit any engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// There would be this many rules, at least.
    Rules(usize),
    /// The body of a clause has this many literals.
    Body {
        /// The clause's position in the sheet.
        clause: usize,
        /// How many there are.
        literals: usize,
    },
}

impl std::fmt::Display for TooLarge {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TooLarge::Rules(rules) => write!(
                formatter,
                "without disjunctions and variables for whole fluents there would be more than {rules} rules"
            ),
            TooLarge::Body { clause, literals } => write!(
                formatter,
                "clause {} of the sheet has {literals} conditions; there may be {MAX_LITERALS}",
                clause + 1
            ),
        }
    }
}

impl std::error::Error for TooLarge {}

/// Rules without disjunctions, over relations by name.
#[derive(Clone, Debug)]
pub struct Clauses {
    /// The sheet's names, and those of helpers.
    pub symbols: Symbols,
    /// The rules.
    pub rules: Vec<NamedRule>,
    /// The names of helper relations.
    pub helpers: Vec<Symbol>,
    /// Whether facts carry lifetimes.
    pub dialect: Dialect,
}

/// A rule over relations by name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedRule {
    /// What is derived.
    pub head: NamedAtom,
    /// The conditions.
    pub body: Vec<NamedLiteral>,
    /// How many variables there are.
    pub variables: usize,
    /// Position of the clause in the sheet.
    pub clause: usize,
    /// Variables for whole fluents, moves or percepts that stand for plain constants only in this
    /// copy of the rule.
    pub(super) plain: Vec<usize>,
}

/// A relation, by name, with its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NamedAtom {
    /// The relation's name.
    pub relation: Symbol,
    /// The arguments.
    pub args: Vec<Term>,
}

/// A condition over relations by name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NamedLiteral {
    /// The atom holds.
    Holds(NamedAtom),
    /// The atom does not hold.
    Fails(NamedAtom),
    /// The terms differ.
    Distinct(Term, Term),
    /// The terms are the same: what `not distinct` says.
    Same(Term, Term),
}

/// A body in negation normal form.
#[derive(Clone, Debug, PartialEq)]
enum Condition {
    Literal(NamedLiteral),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// The rules of a sheet without disjunctions.
///
/// # Errors
/// If there would be more than half a million rules, or a thousand literals in one.
pub fn conjunctive(sheet: &Sheet, dialect: Dialect) -> Result<Clauses, TooLarge> {
    let mut symbols = sheet.symbols.clone();
    for keyword in Keyword::ALL {
        symbols.intern(keyword.name());
    }
    let mut out = Clauses {
        symbols,
        rules: Vec::new(),
        helpers: Vec::new(),
        dialect,
    };
    for (index, clause) in sheet.clauses.iter().enumerate() {
        if is_declaration(sheet, clause.head.relation) {
            continue;
        }
        let mut numbers = FxHashMap::default();
        let head = named_atom(&clause.head, &mut numbers);
        let body = Condition::All(
            clause
                .body
                .iter()
                .map(|formula| condition(formula, true, &mut numbers))
                .collect(),
        );
        out.add_clause(&head, body, numbers.len(), index)?;
    }
    Ok(out)
}

/// `base` and `input` are declarations: nothing relies on them, so they become no rules.
fn is_declaration(sheet: &Sheet, relation: Symbol) -> bool {
    let keyword = Keyword::by_name(sheet.symbols.name(relation));
    matches!(keyword, Some(Keyword::Base | Keyword::Input))
}

fn named_atom(atom: &syntax::Atom, numbers: &mut FxHashMap<Symbol, usize>) -> NamedAtom {
    NamedAtom {
        relation: atom.relation,
        args: atom
            .args
            .iter()
            .map(|term| numbered(term, numbers))
            .collect(),
    }
}

fn numbered(term: &syntax::Term, numbers: &mut FxHashMap<Symbol, usize>) -> Term {
    match &term.kind {
        TermKind::Variable(name) => {
            let fresh = numbers.len();
            Term::Variable(*numbers.entry(*name).or_insert(fresh))
        }
        TermKind::Constant(symbol) => Term::Constant(*symbol),
        TermKind::Compound(functor, args) => Term::Compound(
            *functor,
            args.iter().map(|arg| numbered(arg, numbers)).collect(),
        ),
    }
}

/// The formula, or its opposite if not `positive`, in negation normal form.
fn condition(
    formula: &Formula,
    positive: bool,
    numbers: &mut FxHashMap<Symbol, usize>,
) -> Condition {
    match formula {
        Formula::Atom(atom) => {
            let atom = named_atom(atom, numbers);
            Condition::Literal(if positive {
                NamedLiteral::Holds(atom)
            } else {
                NamedLiteral::Fails(atom)
            })
        }
        Formula::Distinct(left, right, _) => {
            let (left, right) = (numbered(left, numbers), numbered(right, numbers));
            Condition::Literal(if positive {
                NamedLiteral::Distinct(left, right)
            } else {
                NamedLiteral::Same(left, right)
            })
        }
        Formula::Not(inner, _) => condition(inner, !positive, numbers),
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            let conjunction = matches!(formula, Formula::And(..));
            let parts = parts
                .iter()
                .map(|part| condition(part, positive, numbers))
                .collect();
            if conjunction == positive {
                Condition::All(parts)
            } else {
                Condition::Any(parts)
            }
        }
    }
}

impl Clauses {
    fn add_clause(
        &mut self,
        head: &NamedAtom,
        body: Condition,
        variables: usize,
        clause: usize,
    ) -> Result<(), TooLarge> {
        let literals = length(&body);
        if literals > MAX_LITERALS {
            return Err(TooLarge::Body { clause, literals });
        }
        let body = if copies(&body) > COPIES_WITHOUT_HELPERS {
            self.share(head, body, variables, clause)?
        } else {
            body
        };
        let total = self.rules.len().saturating_add(copies(&body));
        if total > MAX_RULES {
            return Err(TooLarge::Rules(total));
        }
        for literals in multiply(&body) {
            if let Some(rule) = rule_of(head.clone(), literals, variables, clause) {
                self.rules.push(rule);
            }
        }
        Ok(())
    }

    /// Replaces the disjunctions directly in a body by helper relations where they can be.
    fn share(
        &mut self,
        head: &NamedAtom,
        body: Condition,
        variables: usize,
        clause: usize,
    ) -> Result<Condition, TooLarge> {
        let mut parts = Vec::new();
        flatten_all(body, &mut parts);
        for index in 0..parts.len() {
            let Condition::Any(branches) = &parts[index] else {
                continue;
            };
            let mut outside = vec![false; variables];
            mark_atom(head, &mut outside);
            for (other, part) in parts.iter().enumerate() {
                if other != index {
                    mark(part, &mut outside);
                }
            }
            let mut inside = vec![false; variables];
            mark(&parts[index], &mut inside);
            let shared: Vec<usize> = (0..variables)
                .filter(|&v| inside[v] && outside[v])
                .collect();
            let closed = branches.iter().all(|branch| {
                let bound = bound_by(branch, variables);
                shared.iter().all(|&variable| bound[variable])
            });
            if closed {
                let helper = self.helper(&shared);
                let branches = branches.clone();
                for branch in branches {
                    self.add_clause(&helper, branch, variables, clause)?;
                }
                parts[index] = Condition::Literal(NamedLiteral::Holds(helper));
            }
        }
        Ok(Condition::All(parts))
    }

    fn helper(&mut self, shared: &[usize]) -> NamedAtom {
        let relation = self
            .symbols
            .intern(&format!("or#{}", self.helpers.len() + 1));
        self.helpers.push(relation);
        NamedAtom {
            relation,
            args: shared
                .iter()
                .map(|&variable| Term::Variable(variable))
                .collect(),
        }
    }
}

/// How many rules a body multiplies into.
fn copies(condition: &Condition) -> usize {
    match condition {
        Condition::Literal(_) => 1,
        Condition::All(parts) => parts.iter().map(copies).fold(1, usize::saturating_mul),
        Condition::Any(parts) => parts.iter().map(copies).fold(0, usize::saturating_add),
    }
}

/// How many literals the longest of these rules has.
fn length(condition: &Condition) -> usize {
    match condition {
        Condition::Literal(_) => 1,
        Condition::All(parts) => parts.iter().map(length).sum(),
        Condition::Any(parts) => parts.iter().map(length).max().unwrap_or(0),
    }
}

fn multiply(condition: &Condition) -> Vec<Vec<NamedLiteral>> {
    match condition {
        Condition::Literal(literal) => vec![vec![literal.clone()]],
        Condition::Any(parts) => parts.iter().flat_map(multiply).collect(),
        Condition::All(parts) => parts.iter().fold(vec![Vec::new()], |products, part| {
            let choices = multiply(part);
            let extend = |product: Vec<NamedLiteral>| {
                choices
                    .iter()
                    .map(move |choice| [product.as_slice(), choice].concat())
                    .collect::<Vec<_>>()
            };
            products.into_iter().flat_map(extend).collect()
        }),
    }
}

fn flatten_all(condition: Condition, into: &mut Vec<Condition>) {
    match condition {
        Condition::All(parts) => parts.into_iter().for_each(|part| flatten_all(part, into)),
        other => into.push(other),
    }
}

fn mark_atom(atom: &NamedAtom, marks: &mut [bool]) {
    for arg in &atom.args {
        arg.variables(&mut |variable| marks[variable] = true);
    }
}

fn mark(condition: &Condition, marks: &mut [bool]) {
    match condition {
        Condition::Literal(NamedLiteral::Holds(atom) | NamedLiteral::Fails(atom)) => {
            mark_atom(atom, marks);
        }
        Condition::Literal(
            NamedLiteral::Distinct(left, right) | NamedLiteral::Same(left, right),
        ) => {
            left.variables(&mut |variable| marks[variable] = true);
            right.variables(&mut |variable| marks[variable] = true);
        }
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().for_each(|part| mark(part, marks));
        }
    }
}

/// Which variables the positive literals of a condition bind, in every branch.
fn bound_by(condition: &Condition, variables: usize) -> Vec<bool> {
    let mut bound = vec![false; variables];
    match condition {
        Condition::Literal(NamedLiteral::Holds(atom)) => mark_atom(atom, &mut bound),
        Condition::Literal(_) => {}
        Condition::All(parts) => {
            for part in parts {
                let by_part = bound_by(part, variables);
                bound
                    .iter_mut()
                    .zip(by_part)
                    .for_each(|(all, one)| *all |= one);
            }
        }
        Condition::Any(parts) => {
            bound.fill(!parts.is_empty());
            for part in parts {
                let by_part = bound_by(part, variables);
                bound
                    .iter_mut()
                    .zip(by_part)
                    .for_each(|(all, one)| *all &= one);
            }
        }
    }
    bound
}

/// The rule with its `Same` literals solved by unification; `None` if they cannot be.
fn rule_of(
    head: NamedAtom,
    literals: Vec<NamedLiteral>,
    variables: usize,
    clause: usize,
) -> Option<NamedRule> {
    let mut rule = NamedRule {
        head,
        body: Vec::new(),
        variables,
        clause,
        plain: Vec::new(),
    };
    let mut equations = Vec::new();
    for literal in literals {
        match literal {
            NamedLiteral::Same(left, right) => equations.push((left, right)),
            other if rule.body.contains(&other) => {}
            other => rule.body.push(other),
        }
    }
    if !equations.is_empty() {
        let solution = unify(equations, variables)?;
        rule.substitute(&|variable| solution[variable].clone());
    }
    renumber(&mut rule);
    Some(rule)
}

impl NamedRule {
    pub(super) fn substitute(&mut self, value: &impl Fn(usize) -> Term) {
        let atom = |atom: &mut NamedAtom| {
            atom.args
                .iter_mut()
                .for_each(|arg| *arg = arg.substitute(value));
        };
        atom(&mut self.head);
        for literal in &mut self.body {
            match literal {
                NamedLiteral::Holds(inner) | NamedLiteral::Fails(inner) => atom(inner),
                NamedLiteral::Distinct(left, right) | NamedLiteral::Same(left, right) => {
                    *left = left.substitute(value);
                    *right = right.substitute(value);
                }
            }
        }
    }
}

/// Gives the variables that are left the numbers from 0.
fn renumber(rule: &mut NamedRule) {
    let mut order: Vec<Option<usize>> = vec![None; rule.variables];
    let mut count = 0;
    let mut see = |variable: usize| {
        if order[variable].is_none() {
            order[variable] = Some(count);
            count += 1;
        }
    };
    rule.head
        .args
        .iter()
        .for_each(|arg| arg.variables(&mut see));
    for literal in &rule.body {
        match literal {
            NamedLiteral::Holds(atom) | NamedLiteral::Fails(atom) => {
                atom.args.iter().for_each(|arg| arg.variables(&mut see));
            }
            NamedLiteral::Distinct(left, right) | NamedLiteral::Same(left, right) => {
                left.variables(&mut see);
                right.variables(&mut see);
            }
        }
    }
    rule.substitute(&|variable| Term::Variable(order[variable].unwrap_or(variable)));
    rule.variables = count;
}

/// The most general solution of the equations as one term a variable, or `None`.
fn unify(mut equations: Vec<(Term, Term)>, variables: usize) -> Option<Vec<Term>> {
    let mut solution: Vec<Term> = (0..variables).map(Term::Variable).collect();
    while let Some((left, right)) = equations.pop() {
        let apply = |term: &Term| term.substitute(&|variable| solution[variable].clone());
        match (apply(&left), apply(&right)) {
            (left, right) if left == right => {}
            (Term::Variable(variable), term) | (term, Term::Variable(variable)) => {
                let mut occurs = false;
                term.variables(&mut |other| occurs |= other == variable);
                if occurs {
                    return None;
                }
                let bind = |other: usize| {
                    if other == variable {
                        term.clone()
                    } else {
                        Term::Variable(other)
                    }
                };
                solution = solution.iter().map(|old| old.substitute(&bind)).collect();
            }
            (Term::Compound(f, left), Term::Compound(g, right))
                if f == g && left.len() == right.len() =>
            {
                equations.extend(left.into_iter().zip(right));
            }
            _ => return None,
        }
    }
    Some(solution)
}
