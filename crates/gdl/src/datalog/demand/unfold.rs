//! Putting definitions in the place of atoms where these are short.

use super::known::bind;
use super::{Rewriter, Situation};
use crate::analysis::Dependencies;
use crate::datalog::plan::order;
use crate::program::{Atom, Literal, Program, RelationId, Rule, Term};

/// A relation with more rules is not unfolded.
const MOST_RULES: usize = 4;

/// Nor is one with more conditions in a rule.
const MOST_CONDITIONS: usize = 4;

/// A rule becomes no more rules than this.
const MOST_VARIANTS: usize = 16;

/// The program in which two demanded relations that are defined by each other are not: in the rules
/// of the one, the rules of the other, which are fewer and do not mention it, take its place.
pub(super) fn untwine(
    program: &Program,
    dependencies: &Dependencies,
    demanded: &[bool],
) -> Program {
    let mut untwined = program.clone();
    for group in dependencies
        .components
        .iter()
        .filter(|group| !group.partial)
    {
        let [one, other] = group.relations[..] else {
            continue;
        };
        let size = |relation: RelationId| dependencies.rules_of[relation.index()].len();
        let (inner, outer) = match size(one) < size(other) {
            true => (one, other),
            false => (other, one),
        };
        let rules = &dependencies.rules_of[inner.index()];
        let definitions: Vec<Rule> = rules
            .iter()
            .map(|&rule| program.rules[rule].clone())
            .collect();
        let mentions = |rule: &Rule| place_of(rule, inner).is_some();
        let demanded = demanded[inner.index()] && demanded[outer.index()];
        if demanded && definitions.len() <= MOST_RULES && !definitions.iter().any(mentions) {
            put_in_place(&mut untwined.rules, inner, outer, &definitions);
        }
    }
    untwined
}

/// The place of a condition about a relation.
fn place_of(rule: &Rule, relation: RelationId) -> Option<usize> {
    let mut body = rule.body.iter();
    body.position(|literal| literal.atom().is_some_and(|atom| atom.relation == relation))
}

/// Puts the definitions of `inner` in the place of its atoms in the rules of `outer`.
fn put_in_place(rules: &mut Vec<Rule>, inner: RelationId, outer: RelationId, definitions: &[Rule]) {
    let mut open = std::mem::take(rules);
    open.reverse();
    while let Some(rule) = open.pop() {
        match place_of(&rule, inner).filter(|_| rule.head.relation == outer) {
            None => rules.push(rule),
            Some(place) => {
                let definitions = definitions.iter().rev();
                open.extend(definitions.filter_map(|definition| resolve(&rule, place, definition)));
            }
        }
    }
}

impl<'a> Rewriter<'a> {
    /// The rules that a rule becomes if definitions take the place of atoms, as far as that is
    /// worth it.
    pub(super) fn unfolded(&mut self, rule: &Rule, given: &[usize]) -> Vec<Rule> {
        let mut done = Vec::new();
        let mut open = vec![rule.clone()];
        while let Some(rule) = open.pop() {
            let room = MOST_VARIANTS.saturating_sub(done.len() + open.len());
            let Some((place, rules)) = self.unfoldable(&rule, given, room) else {
                done.push(rule);
                continue;
            };
            let rules = rules
                .iter()
                .map(|&rule| &self.situation.program.rules[rule]);
            open.extend(rules.filter_map(|definition| resolve(&rule, place, definition)));
        }
        done
    }

    /// The first condition whose relation has few enough short rules to take its place, and those.
    fn unfoldable(
        &mut self,
        rule: &Rule,
        given: &[usize],
        room: usize,
    ) -> Option<(usize, &'a [usize])> {
        let Situation {
            dependencies,
            estimates,
            ..
        } = self.situation;
        let mut bound = vec![false; rule.variables];
        for &column in given {
            rule.head.args[column].variables(&mut |variable| bound[variable] = true);
        }
        for place in order(rule, given, estimates, &mut self.calls) {
            let literal = &rule.body[place];
            if let Literal::Holds(atom) = literal
                && self.demanded[atom.relation.index()]
            {
                let rules = &dependencies.rules_of[atom.relation.index()];
                // What is asked for as a whole is better derived once for all rules that ask.
                let mut is_asked_whole = !atom.args.is_empty();
                for arg in &atom.args {
                    let mut known = true;
                    arg.variables(&mut |variable| known &= bound[variable]);
                    is_asked_whole &= !known;
                }
                let mut is_once = true;
                let head = rule.head.args.iter();
                head.for_each(|arg| arg.variables(&mut |variable| is_once &= bound[variable]));
                if !is_asked_whole && rules.len() <= room && self.is_short(atom.relation, is_once) {
                    return Some((place, rules.as_slice()));
                }
            }
            bind(literal, &mut bound);
        }
        None
    }

    /// Whether a relation has few short rules that do not lead back to it. Unless one success is
    /// enough where they are put, they may not find anything that is not asked for, or the rest of
    /// a body would run for each of that.
    fn is_short(&self, relation: RelationId, is_once: bool) -> bool {
        let Situation {
            program,
            dependencies,
            ..
        } = self.situation;
        let mut groups = dependencies.components_of[relation.index()].iter();
        let rules = &dependencies.rules_of[relation.index()];
        let is_plain = |rule: &Rule| {
            let mut told = vec![false; rule.variables];
            let head = rule.head.args.iter();
            head.for_each(|arg| arg.variables(&mut |variable| told[variable] = true));
            rule.body.len() <= MOST_CONDITIONS && (is_once || told.iter().all(|&told| told))
        };
        rules.len() <= MOST_RULES
            && groups.all(|&group| !dependencies.components[group].recursive)
            && rules.iter().all(|&rule| is_plain(&program.rules[rule]))
    }
}

/// A rule with the atom at a place of its body replaced by the body of a rule that derives such
/// atoms; `None` if that rule derives none that the atom could be.
fn resolve(rule: &Rule, place: usize, definition: &Rule) -> Option<Rule> {
    let atom = rule.body[place].atom()?;
    let mut bindings = Bindings {
        of: vec![None; rule.variables + definition.variables],
    };
    let apart = |variable: usize| Term::Variable(rule.variables + variable);
    for (left, right) in atom.args.iter().zip(&definition.head.args) {
        if !bindings.unify(left, &right.substitute(&apart)) {
            return None;
        }
    }
    let others = |range: &[Literal]| -> Vec<Literal> {
        let literals = range.iter();
        literals
            .map(|literal| map(literal, &|term| bindings.value(term)))
            .collect()
    };
    let mut body = others(&rule.body[..place]);
    let defining = definition.body.iter();
    body.extend(
        defining.map(|literal| map(literal, &|term| bindings.value(&term.substitute(&apart)))),
    );
    body.extend(others(&rule.body[place + 1..]));
    Some(Rule {
        head: map_atom(&rule.head, &|term| bindings.value(term)),
        body,
        variables: bindings.of.len(),
        clause: rule.clause,
    })
}

fn map(literal: &Literal, value: &impl Fn(&Term) -> Term) -> Literal {
    match literal {
        Literal::Holds(atom) => Literal::Holds(map_atom(atom, value)),
        Literal::Fails(atom) => Literal::Fails(map_atom(atom, value)),
        Literal::Distinct(left, right) => Literal::Distinct(value(left), value(right)),
        Literal::Plain(term) => Literal::Plain(value(term)),
    }
}

fn map_atom(atom: &Atom, value: &impl Fn(&Term) -> Term) -> Atom {
    Atom {
        relation: atom.relation,
        args: atom.args.iter().map(value).collect(),
    }
}

/// What variables stand for.
struct Bindings {
    of: Vec<Option<Term>>,
}

impl Bindings {
    /// A term with everything in it that is known.
    fn value(&self, term: &Term) -> Term {
        term.substitute(&|variable| match &self.of[variable] {
            Some(term) => self.value(term),
            None => Term::Variable(variable),
        })
    }

    /// Makes two terms the same; false if they cannot be.
    fn unify(&mut self, left: &Term, right: &Term) -> bool {
        match (self.value(left), self.value(right)) {
            (Term::Variable(one), Term::Variable(other)) if one == other => true,
            (Term::Variable(variable), term) | (term, Term::Variable(variable)) => {
                let mut within = false;
                term.variables(&mut |other| within |= other == variable);
                self.of[variable] = Some(term);
                !within
            }
            (Term::Constant(one), Term::Constant(other)) => one == other,
            (Term::Compound(f, left), Term::Compound(g, right)) => {
                f == g
                    && left.len() == right.len()
                    && left
                        .iter()
                        .zip(&right)
                        .all(|(left, right)| self.unify(left, right))
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::resolve;
    use crate::program::{Program, Rule};
    use crate::{Dialect, Source, syntax};

    /// The first rule with the last atom of its body replaced by the body of the second.
    fn resolved(rules: &str) -> Option<Rule> {
        let sheet = syntax::read(&Source::new("test", rules)).sheet;
        let program = Program::new(&sheet, Dialect::detect(&sheet)).unwrap();
        let [rule, definition] = &program.rules[..2] else {
            return None;
        };
        resolve(rule, rule.body.len() - 1, definition)
    }

    #[test]
    fn arguments_become_those_of_the_definition() {
        let rule =
            resolved("(<= (p ?x ?y) (a ?x ?y) (q ?x b)) (<= (q c ?z) (r ?z ?z)) (a c b) (r b b)");
        let rule = rule.unwrap();
        let atom = |place: usize| rule.body[place].atom().unwrap();
        assert!(rule.head.args[0].is_ground() && !rule.head.args[1].is_ground());
        assert_eq!(atom(0).args, rule.head.args);
        assert!(atom(1).args[0].is_ground());
        assert_eq!(atom(1).args[0], atom(1).args[1]);
        assert_ne!(atom(1).args[0], rule.head.args[0]);
    }

    #[test]
    fn what_cannot_be_is_left_out() {
        let facts = "(a c) (q c b) (q c (f c))";
        let with = |rules: &str| resolved(&format!("{rules} {facts}"));
        assert!(with("(<= (p ?x) (a ?x) (q ?x b)) (<= (q ?z c) (a ?z))").is_none());
        assert!(with("(<= (p ?x) (a ?x) (q ?x ?x)) (<= (q ?z ?z) (a ?z))").is_some());
        assert!(with("(<= (p ?x) (a ?x) (q ?x (f ?x))) (<= (q ?z ?z) (a ?z))").is_none());
    }
}
