//! Every variable must get its value from a positive condition.
//!
//! The stable model of a sheet with an unbound variable is infinite, or depends on which constants
//! happen to occur elsewhere. An unbound variable is reported once a clause, at its first place.

use super::binding::{self, Bound, Part};
use super::findings::Findings;
use super::names::{closest, notation_at, quote_variable};
use super::outline::Outline;
use crate::keyword::Keyword;
use crate::problem::{Code, Problem};
use crate::source::Span;
use crate::symbol::{Symbol, Symbols};
use crate::syntax::{Clause, Formula};
use rustc_hash::FxHashSet;

pub(super) fn check(outline: &Outline, findings: &mut Findings) {
    for clause in &outline.sheet.clauses {
        if !clause.body.is_empty() {
            check_rule(outline.symbols(), clause, findings);
        } else if outline.is_complete {
            check_fact(outline, clause, findings);
        }
    }
}

fn check_fact(outline: &Outline, clause: &Clause, findings: &mut Findings) {
    let mut first = None;
    for arg in &clause.head.args {
        arg.variables(&mut |variable, span| {
            first.get_or_insert((variable, span));
        });
    }
    let Some((variable, span)) = first else {
        return;
    };
    let notation = notation_at(outline.symbols(), variable, span);
    let variable = quote_variable(outline.symbols(), variable, notation);
    let is_role =
        Keyword::by_name(outline.symbols().name(clause.head.relation)) == Some(Keyword::Role);
    let help = match is_role {
        true => "write one fact for each role, with its name".to_owned(),
        false => {
            format!("name the value, or make it a rule whose body says where {variable} comes from")
        }
    };
    findings.add(
        Problem::new(
            Code::NotGround,
            span,
            format!("a fact cannot contain the variable {variable}"),
        )
        .label("which value?")
        .help(help),
    );
}

fn check_rule(symbols: &Symbols, clause: &Clause, findings: &mut Findings) {
    let mut reported = FxHashSet::default();
    binding::visit_clause(clause, &|_| true, &mut |part, bound| {
        if matches!(part, Part::Positive(_)) {
            return;
        }
        part.variables(&mut |variable, span| {
            if !bound.contains(variable) && reported.insert(variable) {
                let place = Place {
                    part,
                    variable,
                    span,
                };
                let without_advice = findings.is_full(Code::UnsafeVariable);
                findings.add(place.problem(symbols, clause, bound, without_advice));
            }
        });
    });
}

/// Where an unbound variable is needed.
struct Place<'a> {
    part: Part<'a>,
    variable: Symbol,
    span: Span,
}

impl Place<'_> {
    fn problem(
        &self,
        symbols: &Symbols,
        clause: &Clause,
        bound: &Bound,
        without_advice: bool,
    ) -> Problem {
        let notation = notation_at(symbols, self.variable, self.span);
        let name = quote_variable(symbols, self.variable, notation);
        let needed = match self.part {
            Part::Head(_) | Part::Positive(_) => "in the head",
            Part::Negative(_) => "under `not`",
            Part::Distinct(..) => "in `distinct`",
        };
        let message = format!("the variable {name} {needed} is not bound by a positive condition");
        let problem = Problem::new(Code::UnsafeVariable, self.span, message).label("not bound");
        if without_advice {
            return problem;
        }
        if let Some(branch) = missing_branch(&clause.body, self.variable) {
            return problem
                .related(branch, format!("this branch of `or` does not bind {name}"))
                .help(format!("bind {name} in every branch, or beside the `or`"));
        }
        let mut known: Vec<&str> = bound.iter().map(|known| symbols.name(known)).collect();
        known.sort_unstable();
        let meant = closest(symbols.name(self.variable), known);
        let help = match meant.and_then(|meant| symbols.get(meant)) {
            Some(meant) => format!("did you mean {}?", quote_variable(symbols, meant, notation)),
            None => format!("add a condition that says which values {name} can have"),
        };
        problem.help(help)
    }
}

/// The first branch of an `or` that lacks the variable while another branch binds it.
fn missing_branch(body: &[Formula], variable: Symbol) -> Option<Span> {
    let binds = |formula: &Formula| {
        binding::bound_by(formula, &|_| true)
            .binary_search(&variable)
            .is_ok()
    };
    body.iter().find_map(|formula| match formula {
        Formula::Or(branches, _) if branches.iter().any(binds) => branches
            .iter()
            .find(|branch| !binds(branch))
            .map(Formula::span),
        Formula::And(parts, _) | Formula::Or(parts, _) => missing_branch(parts, variable),
        _ => None,
    })
}
