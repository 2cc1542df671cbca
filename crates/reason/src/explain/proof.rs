//! Why something holds: a rule whose conditions are met, and why these are.
//!
//! Recursive relations are proven without going round: an atom that is being proven, or was given
//! up, is no premise.

use paidia_gdl::program::{Atom, Literal};
use rustc_hash::FxHashMap;

use super::position::{Position, Unexplained, filled};
use super::{Attempt, Kind, Reason, Statement};

/// Ways to meet the conditions of a rule that are tried.
const MOST_TRIED: usize = 40;
/// Statements in one proof; what is beyond is stated without a proof.
const MOST_PROVEN: usize = 200;
/// Rules that rest on each other in one proof.
const DEEPEST: usize = 60;

/// What is known of atoms while a proof is looked for.
#[derive(Default)]
struct Known {
    /// Proven; nothing for those that are being proven or were given up.
    proofs: FxHashMap<Atom, Option<Reason>>,
    proven: usize,
}

impl Position<'_> {
    /// Why an atom holds that does.
    pub(super) fn proof(&mut self, atom: &Atom) -> Result<Reason, Unexplained> {
        let found = self.prove(atom, &mut Known::default(), 0)?;
        Ok(found.unwrap_or_else(|| Reason::bare(self.statement(atom), true)))
    }

    fn prove(
        &mut self,
        atom: &Atom,
        known: &mut Known,
        depth: usize,
    ) -> Result<Option<Reason>, Unexplained> {
        if let Some(proven) = known.proofs.get(atom) {
            // Told once in full.
            let short = |reason: &Reason| Reason::bare(reason.statement.clone(), true);
            return Ok(proven.as_ref().map(short));
        }
        let mut reason = Reason::bare(self.statement(atom), true);
        known.proven += 1;
        if self.is_static(atom.relation) {
            reason.clause = self.given_by(atom)?;
        }
        let is_end = self.is_leaf(atom.relation) || self.is_static(atom.relation);
        if is_end || depth > DEEPEST || known.proven > MOST_PROVEN {
            return Ok(Some(reason));
        }
        known.proofs.insert(atom.clone(), None);
        let mut rules = self.rules_for(atom);
        // What rests on its own kind comes last, so that proofs are short.
        rules.sort_by_key(|rule| {
            let own = |literal: &Literal| {
                literal
                    .atom()
                    .is_some_and(|one| one.relation == atom.relation)
            };
            rule.body.iter().any(own)
        });
        for rule in rules {
            for solution in self.solutions(&rule, MOST_TRIED)? {
                let body: Vec<Literal> =
                    rule.body.iter().map(|one| filled(one, &solution)).collect();
                if let Some(conditions) = self.premises(&body, known, depth)? {
                    reason.clause = Some(rule.clause);
                    reason.conditions = conditions;
                    known.proofs.insert(atom.clone(), Some(reason.clone()));
                    return Ok(Some(reason));
                }
            }
        }
        Ok(None)
    }

    /// Why all conditions of a rule are met; nothing if that goes round.
    fn premises(
        &mut self,
        body: &[Literal],
        known: &mut Known,
        depth: usize,
    ) -> Result<Option<Vec<Reason>>, Unexplained> {
        let mut reasons = Vec::new();
        for literal in body {
            match literal {
                Literal::Holds(atom) => match self.prove(atom, known, depth + 1)? {
                    None => return Ok(None),
                    // A disjunction is told by what is met of it.
                    Some(proof) if self.is_helper(atom.relation) => {
                        reasons.extend(proof.conditions);
                    }
                    Some(proof) => reasons.push(proof),
                },
                Literal::Fails(atom) => reasons.push(self.failure_within(atom, depth + 1)?),
                Literal::Distinct(..) | Literal::Plain(_) => {
                    reasons.push(Reason::bare(self.difference(literal), true));
                }
            }
        }
        Ok(Some(reasons))
    }

    /// The clause that gives a fact which is the same in every state.
    fn given_by(&mut self, atom: &Atom) -> Result<Option<usize>, Unexplained> {
        for rule in self.rules_for(atom) {
            if !self.solutions(&rule, 1)?.is_empty() {
                return Ok(Some(rule.clause));
            }
        }
        Ok(None)
    }
}

impl Reason {
    /// A statement without anything that it rests on.
    pub(super) fn bare(statement: Statement, holds: bool) -> Self {
        Self {
            statement,
            holds,
            clause: None,
            conditions: Vec::new(),
            attempts: Vec::new(),
            instead: None,
            weight: 1,
        }
    }

    /// How many things would have to be otherwise for a statement to turn; what can never turn
    /// counts as very many.
    pub(super) fn lacks(&self) -> usize {
        if self.holds || self.attempts.is_empty() {
            return match self.statement.kind {
                Kind::Given | Kind::Difference | Kind::Other => IMPOSSIBLE,
                // Nothing is known about how it could turn.
                Kind::Derived if !self.holds => UNKNOWN,
                _ => self.weight,
            };
        }
        let least = self.attempts.iter().map(Attempt::lacks).min();
        least.unwrap_or(1).min(IMPOSSIBLE)
    }
}

impl Attempt {
    /// How many things would have to be otherwise for its rule to apply.
    pub(super) fn lacks(&self) -> usize {
        self.missing.iter().map(Reason::lacks).sum()
    }
}

/// What [`Reason::lacks`] says of what can never turn.
pub(super) const IMPOSSIBLE: usize = 1_000;
/// What it says where that was not found out.
pub(super) const UNKNOWN: usize = 50;
