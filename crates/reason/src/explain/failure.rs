//! Why something does not hold: for each rule that could derive it, the fewest conditions that
//! would have to be otherwise.

use std::cmp::Reverse;

use paidia_gdl::program::{Atom, Literal, Rule};

use super::position::{Position, Solution, Unexplained, bound, filled, is_ground};
use super::proof::IMPOSSIBLE;
use super::{Attempt, Reason};

/// Rules that fail within each other before a statement is left as it is.
const DEEPEST: usize = 5;
/// How much it counts that something else would have to move.
const WEIGHT_OF_WHAT_MOVES: usize = 3;
/// Conditions that are left out together, beside those that fail by themselves.
const MOST_OMITTED: usize = 5;
/// Ways to leave conditions out that are looked at in full.
const MOST_COMPARED: usize = 12;
/// Attempts that are told of one statement.
const MOST_ATTEMPTS: usize = 6;

impl Position<'_> {
    /// Why an atom does not hold.
    pub(super) fn failure(&mut self, atom: &Atom) -> Result<Reason, Unexplained> {
        self.fail(atom, &mut Vec::new())
    }

    /// The same as a condition at some depth of a proof: in short where that is deep.
    pub(super) fn failure_within(
        &mut self,
        atom: &Atom,
        depth: usize,
    ) -> Result<Reason, Unexplained> {
        match depth > 2 {
            true => Ok(Reason::bare(self.statement(atom), false)),
            false => self.failure(atom),
        }
    }

    fn fail(&mut self, atom: &Atom, path: &mut Vec<Atom>) -> Result<Reason, Unexplained> {
        let mut reason = Reason::bare(self.statement(atom), false);
        if self.is_leaf(atom.relation) {
            reason.instead = self.instead(atom);
            if self.is_what_moves(atom) {
                reason.weight = WEIGHT_OF_WHAT_MOVES;
            }
            return Ok(reason);
        }
        if self.is_static(atom.relation) || path.len() >= DEEPEST || path.contains(atom) {
            return Ok(reason);
        }
        path.push(atom.clone());
        for rule in self.rules_for(atom) {
            if let Some(attempt) = self.attempt(&rule, path)? {
                reason.attempts.push(attempt);
            }
        }
        path.pop();
        // Of those that lack the same, the one of which most is there is nearest.
        reason
            .attempts
            .sort_by_key(|attempt| (attempt.lacks(), Reverse(attempt.met.len())));
        // Rules about things of another kind are told only where there are no others.
        let is_hopeful = |attempt: &Attempt| attempt.lacks() < IMPOSSIBLE;
        if reason.attempts.iter().any(is_hopeful) {
            reason.attempts.retain(is_hopeful);
        }
        // A clause is many rules where it has `or`, or variables for fluents.
        let mut told = Vec::new();
        reason.attempts.retain(|attempt| {
            let texts = attempt.missing.iter().map(|one| one.statement.text.clone());
            let own = (attempt.clause, texts.collect::<Vec<_>>());
            let is_new = !told.contains(&own);
            told.push(own);
            is_new
        });
        reason.attempts.truncate(MOST_ATTEMPTS);
        Ok(reason)
    }

    /// What a rule lacks to derive its head; nothing if it lacks too much to be told.
    ///
    /// What is the same in every state is never left out: it says what kind of thing the rule is
    /// about. A rule that fails on that is told with this alone.
    fn attempt(
        &mut self,
        rule: &Rule,
        path: &mut Vec<Atom>,
    ) -> Result<Option<Attempt>, Unexplained> {
        let mut failing = Vec::new();
        for (place, literal) in rule.body.iter().enumerate() {
            if literal.atom().is_some_and(|atom| self.is_no_role(atom)) {
                return Ok(None);
            }
            if is_ground(literal) && !self.is_met(literal)? {
                failing.push(place);
            }
        }
        let fixed = |place: &usize| !self.can_turn(&rule.body[*place]);
        let hopeless: Vec<usize> = failing.iter().copied().filter(fixed).collect();
        if !hopeless.is_empty() {
            return Ok(self.in_short(rule, &hopeless));
        }
        let (kinds, open): (Vec<usize>, Vec<usize>) = (0..rule.body.len())
            .filter(|&place| !is_ground(&rule.body[place]))
            .partition(fixed);
        for more in 0..=MOST_OMITTED.min(open.len()) {
            let best = self.best_without(rule, &failing, &subsets(&open, more), path)?;
            if best.is_some() {
                return Ok(best);
            }
        }
        let without: Vec<usize> = failing.iter().chain(&open).copied().collect();
        match self.remaining(rule, &without)?.is_empty() {
            true => Ok(self.in_short(rule, &kinds)),
            false => Ok(self.in_short(rule, &failing)),
        }
    }

    /// Of the ways to leave out some conditions, together with those that fail, the one that lacks
    /// least, if the others can be met with any.
    fn best_without(
        &mut self,
        rule: &Rule,
        failing: &[usize],
        ways: &[Vec<usize>],
        path: &mut Vec<Atom>,
    ) -> Result<Option<Attempt>, Unexplained> {
        let mut best: Option<(usize, Attempt)> = None;
        let mut compared = 0;
        for omitted in ways {
            if self.is_spent() {
                break;
            }
            let mut left_out = failing.to_vec();
            left_out.extend(omitted);
            left_out.sort_unstable();
            for solution in self.remaining(rule, &left_out)? {
                compared += 1;
                let attempt = self.told(rule, &left_out, &solution, path)?;
                let lacks = attempt.lacks();
                if best.as_ref().is_none_or(|(least, _)| lacks < *least) {
                    best = Some((lacks, attempt));
                }
                if lacks == left_out.len() || compared >= MOST_COMPARED {
                    break;
                }
            }
            let enough = failing.len() + omitted.len();
            let is_best = best.as_ref().is_some_and(|(least, _)| *least == enough);
            if is_best || compared >= MOST_COMPARED {
                break;
            }
        }
        Ok(best.map(|(_, attempt)| attempt))
    }

    /// Whether a condition can be otherwise in another state.
    fn can_turn(&self, literal: &Literal) -> bool {
        literal
            .atom()
            .is_some_and(|atom| !self.is_static(atom.relation))
    }

    /// What a rule lacks by itself, where nothing more can be said.
    fn in_short(&self, rule: &Rule, lacking: &[usize]) -> Option<Attempt> {
        let missing = lacking.iter().map(|&place| match &rule.body[place] {
            Literal::Holds(atom) => Reason::bare(self.statement(atom), false),
            Literal::Fails(atom) => Reason::bare(self.statement(atom), true),
            other => Reason::bare(self.difference(other), false),
        });
        (!lacking.is_empty()).then(|| Attempt {
            clause: rule.clause,
            met: Vec::new(),
            missing: missing.collect(),
        })
    }

    /// Ways to meet the conditions of a rule without some of them.
    fn remaining(&mut self, rule: &Rule, left_out: &[usize]) -> Result<Vec<Solution>, Unexplained> {
        let kept = rule.body.iter().enumerate();
        let kept = kept.filter(|(place, _)| !left_out.contains(place));
        let mut body: Vec<Literal> = kept.map(|(_, literal)| literal.clone()).collect();
        // What says something about values that nothing gives any more cannot be decided.
        let bound = bound(&body, rule.variables);
        let is_decided = |literal: &Literal| {
            let free = filled(
                literal,
                &bound
                    .iter()
                    .map(|&is| is.then(|| NOTHING.clone()))
                    .collect(),
            );
            matches!(literal, Literal::Holds(_)) || is_ground(&free)
        };
        body.retain(is_decided);
        if body.is_empty() {
            return Ok(vec![vec![None; rule.variables]]);
        }
        let rest = Rule {
            body,
            ..rule.clone()
        };
        self.solutions(&rest, MOST_COMPARED)
    }

    /// What a rule lacks, with the values that its other conditions give.
    fn told(
        &mut self,
        rule: &Rule,
        left_out: &[usize],
        solution: &Solution,
        path: &mut Vec<Atom>,
    ) -> Result<Attempt, Unexplained> {
        let mut attempt = Attempt {
            clause: rule.clause,
            met: Vec::new(),
            missing: Vec::new(),
        };
        for (place, literal) in rule.body.iter().enumerate() {
            let literal = filled(literal, solution);
            if left_out.contains(&place) {
                let missing = match &literal {
                    Literal::Holds(atom) => self.fail(atom, path)?,
                    Literal::Fails(atom) if is_ground(&literal) => self.proof(atom)?,
                    Literal::Fails(atom) => Reason::bare(self.statement(atom), true),
                    Literal::Distinct(..) | Literal::Plain(_) => {
                        Reason::bare(self.difference(&literal), false)
                    }
                };
                attempt.missing.push(missing);
            } else if let Literal::Holds(atom) = &literal {
                attempt.met.push(self.statement(atom));
            }
        }
        Ok(attempt)
    }

    /// Whether a condition without variables is met.
    fn is_met(&mut self, literal: &Literal) -> Result<bool, Unexplained> {
        match literal {
            Literal::Holds(atom) => self.holds(atom),
            Literal::Fails(atom) => Ok(!self.holds(atom)?),
            Literal::Distinct(left, right) => Ok(left != right),
            Literal::Plain(term) => Ok(matches!(term, paidia_gdl::program::Term::Constant(_))),
        }
    }
}

/// Stands for a value that is known.
static NOTHING: paidia_gdl::program::Term =
    paidia_gdl::program::Term::Constant(paidia_gdl::Symbol(0));

/// All ways to take some of these.
fn subsets(from: &[usize], count: usize) -> Vec<Vec<usize>> {
    let Some(rest) = count.checked_sub(1) else {
        return vec![Vec::new()];
    };
    let mut all = Vec::new();
    for (place, &first) in from.iter().enumerate() {
        for mut others in subsets(&from[place + 1..], rest) {
            others.insert(0, first);
            all.push(others);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::subsets;

    #[test]
    fn every_choice_is_there_once() {
        assert_eq!(subsets(&[3, 5, 8], 0), [Vec::<usize>::new()]);
        assert_eq!(subsets(&[3, 5, 8], 2), [[3, 5], [3, 8], [5, 8]]);
        assert!(subsets(&[3], 2).is_empty());
    }
}
