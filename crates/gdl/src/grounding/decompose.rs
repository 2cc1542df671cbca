//! Cutting long bodies into chains of small joins.
//!
//! In `h(X) :- a(X, Y), b(Y, Z), c(Z)` the variable Z matters to two literals only, so the body is
//! as good as `a(X, Y), p(Y)` with `p(Y) :- b(Y, Z), c(Z)`. The helper is smaller than the join
//! that it replaces, and rules with the same helper share it. A cut is made where the expected
//! number of instances shrinks.

use rustc_hash::FxHashMap;

use crate::datalog::fixed;
use crate::program::{Atom, Literal, Program, Relation, RelationId, RelationKind, Rule, Term};

/// Bodies expected to have fewer instances than this are left alone.
const SMALL: f64 = 30.0;

/// A cut must leave at most this share of the expected instances.
const WORTHWHILE: f64 = 0.75;

/// The program with long bodies cut into helper relations.
#[must_use]
pub fn decompose(program: &Program) -> Program {
    let mut cutter = Cutter::new(program);
    for rule in &program.rules {
        cutter.cut(rule.clone());
    }
    cutter.program
}

struct Cutter {
    program: Program,
    rows: Vec<f64>,
    values: Vec<Vec<f64>>,
    helpers: FxHashMap<(Vec<Literal>, Vec<usize>), RelationId>,
}

/// A part of a body that could become a helper.
struct Part {
    /// Places of its literals in the body.
    inside: Vec<usize>,
    /// The variables that the rest of the rule needs of it.
    interface: Vec<usize>,
    /// Expected instances of both rules together.
    cost: f64,
}

impl Cutter {
    fn new(program: &Program) -> Self {
        let guess = fixed::guess(program);
        let mut rows = guess.rows;
        // A relation that consists of facts alone has as many rows as facts.
        let mut facts = vec![0.0; rows.len()];
        let mut derived = vec![false; rows.len()];
        for rule in &program.rules {
            facts[rule.head.relation.index()] += 1.0;
            derived[rule.head.relation.index()] |= !rule.body.is_empty();
        }
        for index in 0..rows.len() {
            if !derived[index] && facts[index] > 0.0 {
                rows[index] = facts[index];
            }
        }
        Self {
            program: Program {
                rules: Vec::new(),
                ..program.clone()
            },
            rows,
            values: guess.values,
            helpers: FxHashMap::default(),
        }
    }

    fn cut(&mut self, rule: Rule) {
        let mut rule = rule;
        while let Some(part) = self.best_part(&rule) {
            rule = self.replace(&rule, &part);
        }
        self.program.rules.push(rule);
    }

    fn best_part(&self, rule: &Rule) -> Option<Part> {
        let positives: Vec<usize> = (0..rule.body.len())
            .filter(|&place| matches!(rule.body[place], Literal::Holds(_)))
            .collect();
        if positives.len() < 2 {
            return None;
        }
        let whole = self.join(rule, &positives);
        if whole < SMALL {
            return None;
        }
        let needed = marks(rule.variables, |mark| {
            rule.head
                .args
                .iter()
                .for_each(|arg| arg.variables(&mut |variable| mark(variable)));
        });
        let local: Vec<usize> = (0..rule.variables)
            .filter(|&variable| !needed[variable])
            .collect();
        let mut candidates: Vec<Vec<usize>> =
            local.iter().map(|&variable| vec![variable]).collect();
        candidates.extend(connected(rule, &local));
        let parts = candidates
            .iter()
            .filter_map(|variables| self.part(rule, &positives, &needed, variables));
        let best = parts.min_by(|left, right| left.cost.total_cmp(&right.cost))?;
        (best.cost < WORTHWHILE * whole).then_some(best)
    }

    /// The part of all literals with one of these variables, if it can stand alone.
    fn part(
        &self,
        rule: &Rule,
        positives: &[usize],
        needed: &[bool],
        variables: &[usize],
    ) -> Option<Part> {
        let mentions = |place: usize, set: &[bool]| {
            let mut found = false;
            literal_variables(&rule.body[place], &mut |variable| found |= set[variable]);
            found
        };
        let chosen = marks(rule.variables, |mark| {
            variables.iter().for_each(|&variable| mark(variable));
        });
        let (inside, outside): (Vec<usize>, Vec<usize>) = positives
            .iter()
            .partition(|&&place| mentions(place, &chosen));
        if outside.is_empty() {
            return None;
        }
        let in_part = marks(rule.variables, |mark| {
            inside
                .iter()
                .for_each(|&place| literal_variables(&rule.body[place], mark));
        });
        let in_rest = marks(rule.variables, |mark| {
            outside
                .iter()
                .for_each(|&place| literal_variables(&rule.body[place], mark));
        });
        // Variables that only the part has disappear with it.
        let own: Vec<bool> = (0..rule.variables)
            .map(|variable| in_part[variable] && !in_rest[variable] && !needed[variable])
            .collect();
        let mut literals = inside.clone();
        for place in 0..rule.body.len() {
            if !positives.contains(&place) && mentions(place, &own) {
                let mut bound = true;
                literal_variables(&rule.body[place], &mut |variable| {
                    bound &= in_part[variable];
                });
                if !bound {
                    return None;
                }
                literals.push(place);
            }
        }
        literals.sort_unstable();
        let interface: Vec<usize> = (0..rule.variables)
            .filter(|&variable| in_part[variable] && !own[variable])
            .collect();
        let part = self.join(rule, &inside);
        let cost = part + self.join_with_helper(rule, &outside, &interface, part);
        Some(Part {
            inside: literals,
            interface,
            cost,
        })
    }

    /// Expected instances of a join, if values were spread evenly.
    fn join(&self, rule: &Rule, places: &[usize]) -> f64 {
        self.join_with(rule, places, None)
    }

    fn join_with_helper(
        &self,
        rule: &Rule,
        places: &[usize],
        interface: &[usize],
        rows: f64,
    ) -> f64 {
        self.join_with(rule, places, Some((interface, rows)))
    }

    fn join_with(&self, rule: &Rule, places: &[usize], helper: Option<(&[usize], f64)>) -> f64 {
        let mut size = 1.0;
        // For each variable, the numbers of values that its places have.
        let mut choices: Vec<Vec<f64>> = vec![Vec::new(); rule.variables];
        for &place in places {
            let Literal::Holds(atom) = &rule.body[place] else {
                continue;
            };
            size *= self.rows[atom.relation.index()].max(1.0);
            for (column, arg) in atom.args.iter().enumerate() {
                let values = self.values[atom.relation.index()][column].max(1.0);
                match arg {
                    Term::Variable(variable) => choices[*variable].push(values),
                    _ => size /= values,
                }
            }
        }
        if let Some((interface, rows)) = helper {
            let limit: f64 = interface
                .iter()
                .map(|&variable| self.variable_values(rule, variable))
                .product();
            size *= rows.min(limit).max(1.0);
            for &variable in interface {
                choices[variable].push(self.variable_values(rule, variable));
            }
        }
        for mut values in choices {
            values.sort_by(f64::total_cmp);
            for &extra in values.iter().skip(1) {
                size /= extra;
            }
        }
        size.max(1.0)
    }

    /// The fewest values that a place of the variable has.
    fn variable_values(&self, rule: &Rule, variable: usize) -> f64 {
        let mut fewest = f64::INFINITY;
        for literal in &rule.body {
            let Literal::Holds(atom) = literal else {
                continue;
            };
            for (column, arg) in atom.args.iter().enumerate() {
                if *arg == Term::Variable(variable) {
                    fewest = fewest.min(self.values[atom.relation.index()][column].max(1.0));
                }
            }
        }
        if fewest.is_finite() { fewest } else { 1e6 }
    }

    /// Replaces a part of a rule by a helper, which gets a rule of its own.
    fn replace(&mut self, rule: &Rule, part: &Part) -> Rule {
        let literals: Vec<Literal> = part
            .inside
            .iter()
            .map(|&place| rule.body[place].clone())
            .collect();
        let helper = self.helper(rule, &literals, &part.interface);
        let args: Vec<Term> = part
            .interface
            .iter()
            .map(|&variable| Term::Variable(variable))
            .collect();
        let first = part.inside.first().copied().unwrap_or(0);
        let mut body = Vec::new();
        for (place, literal) in rule.body.iter().enumerate() {
            if place == first {
                body.push(Literal::Holds(Atom {
                    relation: helper,
                    args: args.clone(),
                }));
            }
            if !part.inside.contains(&place) {
                body.push(literal.clone());
            }
        }
        renumbered(&Rule {
            head: rule.head.clone(),
            body,
            variables: rule.variables,
            clause: rule.clause,
        })
    }

    fn helper(&mut self, rule: &Rule, literals: &[Literal], interface: &[usize]) -> RelationId {
        // Interface variables first, so that equal parts of different rules look the same.
        let head = Atom {
            relation: RelationId(u32::MAX),
            args: interface
                .iter()
                .map(|&variable| Term::Variable(variable))
                .collect(),
        };
        let mut own = renumbered(&Rule {
            head,
            body: literals.to_vec(),
            variables: rule.variables,
            clause: rule.clause,
        });
        let key = (own.body.clone(), vec![interface.len(), own.variables]);
        if let Some(&known) = self.helpers.get(&key) {
            return known;
        }
        let relation = RelationId(self.program.relations.len() as u32);
        self.helpers.insert(key, relation);
        self.declare(rule, literals, interface);
        own.head.relation = relation;
        self.cut(own);
        relation
    }

    fn declare(&mut self, rule: &Rule, literals: &[Literal], interface: &[usize]) {
        let name = self
            .program
            .symbols
            .intern(&format!("part#{}", self.helpers.len()));
        let domain_of = |variable: usize| {
            let mut domain = None;
            for literal in literals {
                let Literal::Holds(atom) = literal else {
                    continue;
                };
                for (column, arg) in atom.args.iter().enumerate() {
                    if *arg == Term::Variable(variable) {
                        let other = &self.program.relation(atom.relation).domains[column];
                        domain = Some(match domain {
                            None => other.clone(),
                            Some(before) => other.intersection(&before),
                        });
                    }
                }
            }
            domain.unwrap_or_else(crate::program::domains::Domain::anything)
        };
        let domains: Vec<_> = interface
            .iter()
            .map(|&variable| domain_of(variable))
            .collect();
        let values: Vec<f64> = interface
            .iter()
            .map(|&variable| self.variable_values(rule, variable))
            .collect();
        let places: Vec<usize> = (0..rule.body.len())
            .filter(|&place| literals.contains(&rule.body[place]))
            .collect();
        let limit: f64 = values.iter().product();
        self.rows.push(self.join(rule, &places).min(limit));
        self.values.push(values);
        self.program.relations.push(Relation {
            kind: RelationKind::Helper,
            name,
            functor: None,
            arity: interface.len(),
            domains,
        });
    }
}

fn marks(count: usize, fill: impl FnOnce(&mut dyn FnMut(usize))) -> Vec<bool> {
    let mut marked = vec![false; count];
    fill(&mut |variable| marked[variable] = true);
    marked
}

fn literal_variables(literal: &Literal, visit: &mut dyn FnMut(usize)) {
    let mut visit = |variable: usize| visit(variable);
    match literal {
        Literal::Holds(atom) | Literal::Fails(atom) => {
            atom.args.iter().for_each(|arg| arg.variables(&mut visit));
        }
        Literal::Distinct(left, right) => {
            left.variables(&mut visit);
            right.variables(&mut visit);
        }
        Literal::Plain(term) => term.variables(&mut visit),
    }
}

/// Groups of local variables that are connected by positive literals.
fn connected(rule: &Rule, local: &[usize]) -> Vec<Vec<usize>> {
    let mut group: Vec<usize> = (0..rule.variables).collect();
    fn root(group: &mut [usize], mut variable: usize) -> usize {
        while group[variable] != variable {
            group[variable] = group[group[variable]];
            variable = group[variable];
        }
        variable
    }
    for literal in rule
        .body
        .iter()
        .filter(|literal| matches!(literal, Literal::Holds(_)))
    {
        let mut members = Vec::new();
        literal_variables(literal, &mut |variable| {
            if local.contains(&variable) {
                members.push(variable);
            }
        });
        for pair in members.windows(2) {
            let (left, right) = (root(&mut group, pair[0]), root(&mut group, pair[1]));
            group[left] = right;
        }
    }
    let mut groups: std::collections::BTreeMap<usize, Vec<usize>> =
        std::collections::BTreeMap::new();
    for &variable in local {
        groups
            .entry(root(&mut group, variable))
            .or_default()
            .push(variable);
    }
    groups
        .into_values()
        .filter(|members| members.len() > 1)
        .collect()
}

/// The rule with its variables numbered in the order in which they occur.
pub(super) fn renumbered(rule: &Rule) -> Rule {
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
    rule.body
        .iter()
        .for_each(|literal| literal_variables(literal, &mut see));
    let value = |variable: usize| Term::Variable(order[variable].unwrap_or(variable));
    let atom = |atom: &Atom| Atom {
        relation: atom.relation,
        args: atom.args.iter().map(|arg| arg.substitute(&value)).collect(),
    };
    let literal = |literal: &Literal| match literal {
        Literal::Holds(inner) => Literal::Holds(atom(inner)),
        Literal::Fails(inner) => Literal::Fails(atom(inner)),
        Literal::Distinct(left, right) => {
            Literal::Distinct(left.substitute(&value), right.substitute(&value))
        }
        Literal::Plain(term) => Literal::Plain(term.substitute(&value)),
    };
    Rule {
        head: atom(&rule.head),
        body: rule.body.iter().map(literal).collect(),
        variables: count,
        clause: rule.clause,
    }
}
