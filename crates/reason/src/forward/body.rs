//! What the bodies of rules consist of, in the paper's words (definition 1).
//!
//! A condition of a rule without variables is a *precondition*. Of the others, in a given order,
//! one that brings a new variable is an *input*, and one whose variables were all met before is a
//! *condition*. Negations and `distinct` are never inputs.

use paidia_gdl::program::{Atom, Literal, Program, Rule, Term};

use super::cost::{holds_probability, pass_probability};
use super::statistics::Statistics;

/// What is known about a program's relations.
pub(super) struct Surroundings<'a> {
    pub(super) program: &'a Program,
    /// What random play told about its relations.
    pub(super) statistics: &'a Statistics,
    /// For each relation, whether its facts are permanent: the same in every state.
    pub(super) permanent: &'a [bool],
}

/// One hypothesis of a rule.
#[derive(Clone, Debug)]
pub(super) struct Hypothesis {
    /// Its variables, each once.
    pub(super) variables: Vec<usize>,
    /// Whether it can be an input.
    pub(super) positive: bool,
    /// Whether it is about facts that are the same in every state.
    pub(super) permanent: bool,
    /// The mean number of facts of its relation.
    pub(super) facts: f64,
    /// What agrees in each column of its relation.
    columns: Vec<Agreement>,
    /// The probability that it holds once its variables are known.
    pub(super) probability: f64,
}

/// Which part of a relation's facts agree with a rule in a column.
#[derive(Clone, Copy, Debug)]
struct Agreement {
    /// The variable that stands there, if one does for the first time.
    variable: Option<usize>,
    /// While the variable is not known: the part with a value that it can have. Else the part with
    /// the value that stands there.
    any: f64,
    /// Once it is known: the part with one of its values, in the mean over all of them.
    each: f64,
}

/// What a hypothesis is in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Precondition,
    Input,
    Condition,
}

/// The body of a rule.
pub(super) struct Body {
    /// As many as the rule has literals.
    pub(super) hypotheses: Vec<Hypothesis>,
    /// For each variable, the values that all its positive places allow; `None` if that is not
    /// known.
    pub(super) domains: Vec<Option<Vec<u32>>>,
}

impl Body {
    pub(super) fn new(rule: &Rule, surroundings: &Surroundings<'_>) -> Self {
        let domains = domains(rule, surroundings.program);
        let hypotheses = rule.body.iter();
        Self {
            hypotheses: hypotheses
                .map(|literal| Hypothesis::new(literal, surroundings, &domains))
                .collect(),
            domains,
        }
    }

    /// How many facts of an input can agree with what is known.
    pub(super) fn candidates(&self, place: usize, known: &[bool]) -> f64 {
        let variables = self.hypotheses[place].variables.iter();
        let unknown = variables.filter(|&&variable| !known[variable]);
        unknown
            .map(|&variable| size(&self.domains, variable))
            .product()
    }

    /// The probability that a fact of an input agrees with what is known.
    pub(super) fn pass(&self, place: usize, known: &[bool]) -> f64 {
        let columns = self.hypotheses[place].columns.iter();
        pass_probability(columns.map(|column| match column.variable {
            Some(variable) if known[variable] => column.each,
            _ => column.any,
        }))
    }

    /// What each hypothesis is if they come in that order.
    pub(super) fn parts(&self, order: impl Iterator<Item = usize>) -> Vec<(usize, Part)> {
        let mut known = vec![false; self.domains.len()];
        let mut parts = Vec::new();
        for place in order {
            let hypothesis = &self.hypotheses[place];
            let part = match hypothesis.is_known(&known) {
                _ if hypothesis.variables.is_empty() => Part::Precondition,
                false if hypothesis.positive => Part::Input,
                _ => Part::Condition,
            };
            if part == Part::Input {
                hypothesis.variables.iter().for_each(|&v| known[v] = true);
            }
            parts.push((place, part));
        }
        parts
    }
}

/// The guess for the size of a domain that is not known.
const MANY: f64 = 1e6;

impl Hypothesis {
    fn new(
        literal: &Literal,
        surroundings: &Surroundings<'_>,
        domains: &[Option<Vec<u32>>],
    ) -> Self {
        let mut variables = Vec::new();
        let mut note = |variable| {
            if !variables.contains(&variable) {
                variables.push(variable);
            }
        };
        match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                atom.args.iter().for_each(|arg| arg.variables(&mut note));
            }
            Literal::Distinct(left, right) => {
                left.variables(&mut note);
                right.variables(&mut note);
            }
            Literal::Plain(term) => term.variables(&mut note),
        }
        let positive = matches!(literal, Literal::Holds(_));
        let Some(atom) = literal.atom() else {
            // Of two terms with the same n values, one pair in n is equal.
            let smallest = variables.iter().map(|&variable| size(domains, variable));
            let smallest = smallest.fold(MANY, f64::min).max(2.0);
            return Self {
                variables,
                positive,
                permanent: true,
                facts: 0.0,
                columns: Vec::new(),
                probability: 1.0 - 1.0 / smallest,
            };
        };
        let relation = atom.relation.index();
        let facts = surroundings.statistics.facts[relation];
        let columns = agreements(atom, surroundings, domains);
        let known = columns.iter().map(|column| match column.variable {
            Some(_) => column.each,
            None => column.any,
        });
        let holds = holds_probability(facts, known);
        Self {
            variables,
            positive,
            permanent: surroundings.permanent[relation],
            facts,
            columns,
            probability: if positive { holds } else { 1.0 - holds },
        }
    }

    /// Whether all variables are known.
    pub(super) fn is_known(&self, known: &[bool]) -> bool {
        self.variables.iter().all(|&variable| known[variable])
    }
}

fn size(domains: &[Option<Vec<u32>>], variable: usize) -> f64 {
    let domain = domains[variable].as_ref();
    domain.map_or(MANY, |values| values.len() as f64)
}

/// What agrees in each column of an atom: as random play has seen it, or, where it has seen
/// nothing, as if all values were as frequent.
fn agreements(
    atom: &Atom,
    surroundings: &Surroundings<'_>,
    domains: &[Option<Vec<u32>>],
) -> Vec<Agreement> {
    let relation = atom.relation.index();
    let columns = &surroundings.program.relation(atom.relation).domains;
    let mut met = Vec::new();
    let mut found = Vec::with_capacity(atom.args.len());
    for (place, (arg, column)) in atom.args.iter().zip(columns).enumerate() {
        let one = column
            .size()
            .map_or(1.0 / MANY, |size| 1.0 / size.max(1) as f64);
        let share = |values: &[u32]| {
            let seen = surroundings.statistics.share(relation, place, values);
            seen.unwrap_or_else(|| (values.len() as f64 * one).min(1.0))
        };
        let (variable, any, each) = match arg {
            Term::Constant(symbol) => (None, share(&[symbol.0]), 0.0),
            Term::Variable(variable) => {
                let (any, each) = match &domains[*variable] {
                    Some(values) => {
                        let any = share(values);
                        (any, any / values.len().max(1) as f64)
                    }
                    None => (1.0, one),
                };
                match met.contains(variable) {
                    // It must be what it is in the column before.
                    true => (None, each, each),
                    false => (Some(*variable), any, each),
                }
            }
            Term::Compound(..) => (None, one, one),
        };
        met.extend(variable);
        found.push(Agreement {
            variable,
            any,
            each,
        });
    }
    found
}

/// For each variable of a rule, the plain values that all its positive places allow.
fn domains(rule: &Rule, program: &Program) -> Vec<Option<Vec<u32>>> {
    let mut domains: Vec<Option<Vec<u32>>> = vec![None; rule.variables];
    for literal in &rule.body {
        let Literal::Holds(atom) = literal else {
            continue;
        };
        let columns = &program.relation(atom.relation).domains;
        for (arg, column) in atom.args.iter().zip(columns) {
            let Term::Variable(variable) = arg else {
                continue;
            };
            if column.open || !column.compounds.is_empty() {
                continue;
            }
            let allowed = |value: &u32| column.constants.contains(&paidia_gdl::Symbol(*value));
            match &mut domains[*variable] {
                Some(values) => values.retain(allowed),
                unknown => {
                    *unknown = Some(column.constants.iter().map(|symbol| symbol.0).collect());
                }
            }
        }
    }
    domains
}

#[cfg(test)]
pub(super) mod tests {
    use paidia_gdl::Source;
    use paidia_gdl::check::check_source;
    use paidia_gdl::program::{Program, RelationKind};

    use super::{Body, Part, Statistics, Surroundings};

    /// A capture of breakthrough, with what it needs.
    const CAPTURE: &str = "
        (role white) (role black) (init (control white))
        (init (cell 1 1 white)) (init (cell 2 2 black)) (init (cell 3 3 black))
        (<= (legal white (move ?x1 ?y1 ?x2 ?y2))
            (true (control white))
            (true (cell ?x1 ?y1 white))
            (true (cell ?x2 ?y2 black))
            (succ ?x1 ?x2)
            (succ ?y1 ?y2))
        (legal black noop) (legal white noop)
        (<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)))
        (next (control white))
        (succ 1 2) (succ 2 3)
        (<= terminal (true (cell 3 3 white)))
        (goal white 50) (goal black 50)";

    /// The body of the rule for captures, where every relation has `facts` facts and those of
    /// `succ` are permanent.
    pub(in super::super) fn capture(facts: f64) -> Body {
        let (reading, report) = check_source(&Source::new("capture", CAPTURE), None);
        let program = Program::new(&reading.sheet, report.dialect).unwrap();
        let relations = program.relations.iter();
        let permanent: Vec<bool> = relations
            .map(|relation| relation.kind == RelationKind::Plain)
            .collect();
        let means: Vec<f64> = permanent
            .iter()
            .map(|&fixed| if fixed { 2.0 } else { facts })
            .collect();
        let rule = program
            .rules
            .iter()
            .find(|rule| rule.body.len() == 5)
            .unwrap();
        let surroundings = Surroundings {
            program: &program,
            statistics: &Statistics::of_facts(means),
            permanent: &permanent,
        };
        Body::new(rule, &surroundings)
    }

    fn counts(order: [usize; 5]) -> [usize; 3] {
        let parts = capture(3.0).parts(order.into_iter());
        [Part::Precondition, Part::Input, Part::Condition]
            .map(|wanted| parts.iter().filter(|(_, part)| *part == wanted).count())
    }

    #[test]
    fn what_is_an_input_depends_on_the_order() {
        assert_eq!(counts([0, 1, 2, 3, 4]), [1, 2, 2]);
        assert_eq!(counts([0, 1, 3, 4, 2]), [1, 3, 1]);
    }

    #[test]
    fn a_variable_can_be_what_all_its_places_allow() {
        let sizes: Vec<usize> = capture(3.0)
            .domains
            .iter()
            .flatten()
            .map(Vec::len)
            .collect();
        // Cells have 1, 2 and 3; the first of a pair of successors is 1 or 2, the second 2 or 3.
        assert_eq!(sizes, [2, 2, 2, 2]);
    }
}
