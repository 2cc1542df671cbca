//! The meaning of a sheet by the shortest way: no lowering, no planning, no indexes.
//!
//! Clauses are taken as they are written. A level of relations is derived by trying all its clauses
//! on all facts, again and again, until nothing new comes out; relations that are negated lie on
//! lower levels. `true` holds what `init` does, and every role makes the first of its legal moves.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use paidia_gdl::Symbol;
use paidia_gdl::syntax::{Atom, Clause, Formula, Sheet, Term, TermKind};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Ground {
    Constant(Symbol),
    Compound(Symbol, Vec<Ground>),
}

type Facts = BTreeMap<Symbol, BTreeSet<Vec<Ground>>>;
type Values = BTreeMap<Symbol, Ground>;

/// Everything that holds, as texts; `None` if that takes too long to find out.
pub(crate) fn facts(sheet: &Sheet) -> Option<BTreeSet<String>> {
    let naive = Naive::new(sheet);
    let mut given = Facts::new();
    let start = naive.derive(&given)?;
    naive.copy("init", "true", &start, &mut given);
    let state = naive.derive(&given)?;
    naive.make_first_moves(&state, &mut given);
    let all = naive.derive(&given)?;
    let texts = all.iter().flat_map(|(&relation, rows)| {
        let atoms = rows
            .iter()
            .map(move |row| Ground::Compound(relation, row.clone()));
        atoms.map(|atom| naive.text(&atom))
    });
    Some(texts.collect())
}

struct Naive<'a> {
    sheet: &'a Sheet,
    /// Rows that may still be looked at.
    patience: Cell<u32>,
    levels: BTreeMap<Symbol, usize>,
}

impl<'a> Naive<'a> {
    fn new(sheet: &'a Sheet) -> Self {
        let mut levels: BTreeMap<Symbol, usize> = BTreeMap::new();
        let mut changed = true;
        while changed {
            changed = false;
            for clause in &sheet.clauses {
                let mut least = 0;
                for formula in &clause.body {
                    each_atom(formula, true, &mut |atom, positive| {
                        let level = levels.get(&atom.relation).copied().unwrap_or(0);
                        least = least.max(level + usize::from(!positive));
                    });
                }
                let level = levels.entry(clause.head.relation).or_default();
                changed |= *level < least;
                *level = least.max(*level);
                assert!(*level < 100, "the sheet is not stratified");
            }
        }
        let patience = Cell::new(100_000);
        Self {
            sheet,
            levels,
            patience,
        }
    }

    fn derive(&self, given: &Facts) -> Option<Facts> {
        let mut facts = given.clone();
        let top = self.levels.values().copied().max().unwrap_or(0);
        for level in 0..=top {
            let on_level = |clause: &&Clause| self.levels[&clause.head.relation] == level;
            loop {
                let before = count(&facts);
                for clause in self.sheet.clauses.iter().filter(on_level) {
                    let body: Vec<&Formula> = clause.body.iter().collect();
                    for values in self.solve(&body, &Values::new(), &facts) {
                        let row = clause.head.args.iter().map(|arg| ground(arg, &values));
                        facts
                            .entry(clause.head.relation)
                            .or_default()
                            .insert(row.collect());
                    }
                }
                if self.patience.get() == 0 {
                    return None;
                }
                if count(&facts) == before {
                    break;
                }
            }
        }
        Some(facts)
    }

    fn copy(&self, from: &str, to: &str, facts: &Facts, given: &mut Facts) {
        let symbol = |name| self.sheet.symbols.get(name);
        if let (Some(from), Some(to)) = (symbol(from), symbol(to)) {
            given.insert(to, facts.get(&from).cloned().unwrap_or_default());
        }
    }

    fn make_first_moves(&self, facts: &Facts, given: &mut Facts) {
        let symbol = |name| self.sheet.symbols.get(name);
        let (Some(legal), Some(does)) = (symbol("legal"), symbol("does")) else {
            return;
        };
        let mut first: BTreeMap<&Ground, (String, &Vec<Ground>)> = BTreeMap::new();
        for row in facts.get(&legal).into_iter().flatten() {
            let text = self.text(&row[1]);
            let known = first.get(&row[0]);
            if known.is_none_or(|(least, _)| text < *least) {
                first.insert(&row[0], (text, row));
            }
        }
        let rows = first.into_values().map(|(_, row)| row.clone());
        given.insert(does, rows.collect());
    }

    /// All ways to make all formulas true. Tests wait until their variables have values.
    fn solve(&self, formulas: &[&Formula], values: &Values, facts: &Facts) -> Vec<Values> {
        if self.patience.get() == 0 {
            return Vec::new();
        }
        if formulas.is_empty() {
            return vec![values.clone()];
        }
        let ready = formulas.iter().position(|formula| match formula {
            Formula::Atom(_) | Formula::And(..) | Formula::Or(..) => true,
            Formula::Distinct(..) | Formula::Not(..) => is_bound(formula, values),
        });
        let ready = ready.expect("every variable of a test is bound by something else");
        let mut rest = formulas.to_vec();
        let formula = rest.remove(ready);
        match formula {
            Formula::Atom(atom) => {
                let rows = facts.get(&atom.relation).into_iter().flatten();
                let rows =
                    rows.inspect(|_| self.patience.set(self.patience.get().saturating_sub(1)));
                let found = rows.filter_map(|row| match_row(&atom.args, row, values.clone()));
                found
                    .flat_map(|values| self.solve(&rest, &values, facts))
                    .collect()
            }
            Formula::And(parts, _) => {
                rest.extend(parts);
                self.solve(&rest, values, facts)
            }
            Formula::Or(parts, _) => {
                let branch = |part| self.solve(&[rest.as_slice(), &[part]].concat(), values, facts);
                parts.iter().flat_map(branch).collect()
            }
            Formula::Distinct(left, right, _) => {
                match ground(left, values) != ground(right, values) {
                    true => self.solve(&rest, values, facts),
                    false => Vec::new(),
                }
            }
            Formula::Not(inner, _) => match self.solve(&[inner], values, facts).is_empty() {
                true => self.solve(&rest, values, facts),
                false => Vec::new(),
            },
        }
    }

    fn text(&self, term: &Ground) -> String {
        match term {
            Ground::Constant(symbol) => self.sheet.symbols.name(*symbol).to_owned(),
            Ground::Compound(functor, args) => {
                let mut text = format!("({}", self.sheet.symbols.name(*functor));
                for arg in args {
                    text.push(' ');
                    text.push_str(&self.text(arg));
                }
                text + ")"
            }
        }
    }
}

fn count(facts: &Facts) -> usize {
    facts.values().map(BTreeSet::len).sum()
}

/// Visits all atoms of a formula, and whether they stand under an even number of negations.
fn each_atom(formula: &Formula, positive: bool, visit: &mut impl FnMut(&Atom, bool)) {
    match formula {
        Formula::Atom(atom) => visit(atom, positive),
        Formula::Distinct(..) => {}
        Formula::Not(inner, _) => each_atom(inner, !positive, visit),
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            parts
                .iter()
                .for_each(|part| each_atom(part, positive, visit));
        }
    }
}

fn is_bound(formula: &Formula, values: &Values) -> bool {
    let mut bound = true;
    let mut check = |term: &Term| {
        term.variables(&mut |variable, _| bound &= values.contains_key(&variable));
    };
    match formula {
        Formula::Distinct(left, right, _) => [left, right].into_iter().for_each(check),
        _ => each_term(formula, &mut check),
    }
    bound
}

fn each_term(formula: &Formula, visit: &mut impl FnMut(&Term)) {
    match formula {
        Formula::Atom(atom) => atom.args.iter().for_each(visit),
        Formula::Distinct(left, right, _) => [left, right].into_iter().for_each(visit),
        Formula::Not(inner, _) => each_term(inner, visit),
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            parts.iter().for_each(|part| each_term(part, visit));
        }
    }
}

fn match_row(args: &[Term], row: &[Ground], mut values: Values) -> Option<Values> {
    let all = args
        .iter()
        .zip(row)
        .all(|(arg, value)| match_term(arg, value, &mut values));
    (all && args.len() == row.len()).then_some(values)
}

fn match_term(term: &Term, value: &Ground, values: &mut Values) -> bool {
    match (&term.kind, value) {
        (TermKind::Variable(variable), _) => {
            values.entry(*variable).or_insert_with(|| value.clone()) == value
        }
        (TermKind::Constant(left), Ground::Constant(right)) => left == right,
        (TermKind::Compound(f, left), Ground::Compound(g, right)) => {
            f == g
                && left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| match_term(left, right, values))
        }
        _ => false,
    }
}

fn ground(term: &Term, values: &Values) -> Ground {
    match &term.kind {
        TermKind::Variable(variable) => values[variable].clone(),
        TermKind::Constant(symbol) => Ground::Constant(*symbol),
        TermKind::Compound(functor, args) => Ground::Compound(
            *functor,
            args.iter().map(|arg| ground(arg, values)).collect(),
        ),
    }
}
