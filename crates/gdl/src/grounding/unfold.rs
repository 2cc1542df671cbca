//! Replacing atoms by their definitions where these are narrower than the relations that they
//! define.
//!
//! In `line :- a(P), b(Q), c(R), alike(P, Q, R)` with
//! `alike(P, Q, R) :- has(P, X), has(Q, X), has(R, X)` the relation `alike` has an instance for
//! every triple, although its arguments meet only in X. With the definition in the place of the
//! atom, [`decompose`](super::decompose) finds `p(X) :- a(P), has(P, X)`, and all that is left of
//! the triples are three atoms for each X.

use super::decompose::renumbered;
use crate::analysis::{Dependencies, Dynamics};
use crate::program::{Atom, Literal, Program, RelationKind, Rule, Term};

/// Relations of fewer arguments are left alone: pairs are as good as what would replace them.
const ARGUMENTS: usize = 3;

/// The program with such atoms replaced by their definitions.
#[must_use]
pub(super) fn unfold(program: Program) -> Program {
    let definitions = definitions(&program);
    if definitions.iter().all(Option::is_none) {
        return program;
    }
    let unfolded: Vec<Rule> = program
        .rules
        .iter()
        .map(|rule| unfolded(rule, &definitions))
        .collect();
    // A relation that no rule mentions any more need not be derived.
    let mut mentioned = vec![false; definitions.len()];
    let literals = unfolded.iter().flat_map(|rule| &rule.body);
    for atom in literals.filter_map(Literal::atom) {
        mentioned[atom.relation.index()] = true;
    }
    let is_wanted = |rule: &Rule| {
        let head = rule.head.relation.index();
        definitions[head].is_none() || mentioned[head]
    };
    Program {
        rules: unfolded.into_iter().filter(is_wanted).collect(),
        ..program
    }
}

/// For each relation, its only rule, if atoms of the relation are better replaced by it.
fn definitions(program: &Program) -> Vec<Option<Rule>> {
    let dependencies = Dependencies::new(program);
    let relations = program.relations.iter().enumerate();
    let definition = |(index, relation): (usize, &crate::program::Relation)| {
        let own = matches!(relation.kind, RelationKind::Plain | RelationKind::Helper);
        let fixed = dependencies.dynamics[index] == Dynamics::Static;
        match dependencies.rules_of[index][..] {
            [only] if own && fixed => Some(&program.rules[only]),
            _ => None,
        }
    };
    relations
        .map(|entry| definition(entry).filter(|rule| is_loose(rule)).cloned())
        .collect()
}

/// Whether the arguments of a rule's head are different variables that no condition of the body
/// ties to each other directly.
fn is_loose(rule: &Rule) -> bool {
    let mut is_argument = vec![false; rule.variables];
    for arg in &rule.head.args {
        match arg {
            Term::Variable(variable) if !is_argument[*variable] => is_argument[*variable] = true,
            _ => return false,
        }
    }
    let ties_at_most_one = |literal: &Literal| {
        let Literal::Holds(atom) = literal else {
            return false;
        };
        let mut tied = 0;
        let mut count = |variable: usize| tied += usize::from(is_argument[variable]);
        atom.args.iter().for_each(|arg| arg.variables(&mut count));
        tied <= 1 && atom.relation != rule.head.relation
    };
    rule.head.args.len() >= ARGUMENTS
        && !rule.body.is_empty()
        && rule.body.iter().all(ties_at_most_one)
}

/// The rule with atoms replaced whose arguments it needs for nothing but its own conditions.
fn unfolded(rule: &Rule, definitions: &[Option<Rule>]) -> Rule {
    let mut is_needed = vec![false; rule.variables];
    for arg in &rule.head.args {
        arg.variables(&mut |variable| is_needed[variable] = true);
    }
    let is_local = |arg: &Term| matches!(arg, Term::Variable(variable) if !is_needed[*variable]);
    let mut unfolded = Rule {
        body: Vec::with_capacity(rule.body.len()),
        ..rule.clone()
    };
    for literal in &rule.body {
        let definition = match literal {
            Literal::Holds(atom) if atom.args.iter().all(is_local) => definitions
                [atom.relation.index()]
            .as_ref()
            .map(|definition| (atom, definition)),
            _ => None,
        };
        match definition {
            Some((atom, definition)) => put_in_place(atom, definition, &mut unfolded),
            None => unfolded.body.push(literal.clone()),
        }
    }
    if unfolded.variables > rule.variables {
        unfolded = renumbered(&unfolded);
    }
    unfolded
}

/// Appends what defines an atom, with the atom's arguments for those of the definition and new
/// variables for the others.
fn put_in_place(atom: &Atom, definition: &Rule, rule: &mut Rule) {
    let first = rule.variables;
    rule.variables += definition.variables;
    let value = |variable: usize| {
        let parameter = Term::Variable(variable);
        let place = definition
            .head
            .args
            .iter()
            .position(|arg| *arg == parameter);
        place.map_or(Term::Variable(first + variable), |place| {
            atom.args[place].clone()
        })
    };
    for literal in &definition.body {
        if let Literal::Holds(condition) = literal {
            let args = condition.args.iter();
            rule.body.push(Literal::Holds(Atom {
                relation: condition.relation,
                args: args.map(|arg| arg.substitute(&value)).collect(),
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dialect, Source, syntax};

    /// How many atoms the body of `line` has once definitions are in place.
    fn conditions(alike: &str) -> usize {
        let text = format!(
            "(role r) (has a 1) (has b 1) (has c 2) (near a b)
             (<= (alike ?p ?q ?r) {alike})
             (<= line (true (cell ?p)) (true (cell ?q)) (true (cell ?r)) (alike ?p ?q ?r))
             (init (cell a)) (<= (next (cell ?p)) (does r (put ?p))) (<= (legal r (put ?p)) (has ?p ?n))
             (<= terminal line) (<= (goal r 1) line)"
        );
        let sheet = syntax::read(&Source::new("test", text)).sheet;
        let program = unfold(Program::new(&sheet, Dialect::detect(&sheet)).unwrap());
        let names = |rule: &&Rule| program.relation_name(rule.head.relation) == "line/0";
        let line = program.rules.iter().find(names).unwrap();
        line.body.len()
    }

    #[test]
    fn arguments_that_meet_in_another_variable_only_are_unfolded() {
        assert_eq!(conditions("(has ?p ?n) (has ?q ?n) (has ?r ?n)"), 6);
    }

    #[test]
    fn arguments_that_are_tied_to_each_other_stay() {
        assert_eq!(conditions("(near ?p ?q) (has ?q ?n) (has ?r ?n)"), 4);
    }

    #[test]
    fn what_changes_stays() {
        assert_eq!(
            conditions("(has ?p ?n) (has ?q ?n) (has ?r ?n) (true (cell ?p))"),
            4
        );
    }
}
