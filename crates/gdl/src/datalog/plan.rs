//! Turning a rule into a sequence of look-ups.
//!
//! Literals are ordered greedily: next comes the one that is expected to give the fewest rows,
//! given what is bound by then; tests come as soon as everything in them is bound. Where all
//! variables of the head are bound, the rest of the body only has to hold once, so the search below
//! that point stops at its first success.
//!
//! Relations that are too large to derive as a whole are *called*: evaluated only for the values
//! that a rule asks for. [`Calls`] collects the ways in which they are asked for, each with plans
//! of its own.

use rustc_hash::FxHashMap;

use super::terms::TermId;
use crate::analysis::Component;
use crate::program::domains::Domain;
use crate::program::{Atom, Literal, Program, RelationId, Rule, Term};

/// How many rows relations have, as far as that is known or guessed.
#[derive(Clone, Debug)]
pub struct Estimates {
    /// For each relation its expected number of rows.
    pub rows: Vec<f64>,
    /// For each relation and column the expected number of different values.
    pub values: Vec<Vec<f64>>,
}

/// How to evaluate the rules of one component.
#[derive(Clone, Debug, Default)]
pub struct ComponentPlan {
    /// Every rule over all rows.
    pub full: Vec<Plan>,
    /// For recursive rules, one plan for each recursive literal: that one over the newest rows, the
    /// others over all.
    pub deltas: Vec<Plan>,
    /// The relations that the component derives.
    pub heads: Vec<RelationId>,
}

/// The relations that are evaluated on demand, and how they are asked for.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// For each relation, whether it is evaluated on demand.
    on_demand: Vec<bool>,
    /// For each relation, whether its size is known though it is on demand.
    is_sized: Vec<bool>,
    /// Whether few of the rows are expected that their domains allow.
    is_sparse: bool,
    ids: FxHashMap<(RelationId, Vec<usize>), usize>,
    /// The ways in which they are asked for.
    pub all: Vec<Call>,
}

/// A relation asked for with the values of some columns.
#[derive(Clone, Debug)]
pub struct Call {
    /// The relation.
    pub relation: RelationId,
    /// The columns whose values are given.
    pub columns: Vec<usize>,
    /// What the columns can be: a question about anything else has no answers.
    pub(super) domains: Vec<Domain>,
    /// How to answer: one plan a rule.
    pub plans: Vec<Plan>,
}

impl Calls {
    /// Nothing is asked for yet; `on_demand` says for each relation whether it is evaluated on
    /// demand.
    pub fn new(on_demand: Vec<bool>) -> Self {
        Self {
            on_demand,
            ..Self::default()
        }
    }

    /// Takes the sizes of some relations for known, though these are on demand.
    #[must_use]
    pub fn with_sizes(mut self, is_sized: Vec<bool>) -> Self {
        self.is_sized = is_sized;
        self
    }

    /// Expects a question to have about the square root of the answers that domains allow. Else
    /// rules would enumerate all that could be asked about before they ask.
    #[must_use]
    pub fn with_sparse_answers(mut self) -> Self {
        self.is_sparse = true;
        self
    }

    /// Whether nothing is known about the size of a relation.
    fn is_unsized(&self, relation: RelationId) -> bool {
        let is_sized = self.is_sized.get(relation.index());
        self.is_on_demand(relation) && !is_sized.copied().unwrap_or(false)
    }

    fn is_on_demand(&self, relation: RelationId) -> bool {
        self.on_demand
            .get(relation.index())
            .copied()
            .unwrap_or(false)
    }

    fn id(&mut self, relation: RelationId, columns: &[usize]) -> usize {
        let next = self.all.len();
        let id = *self.ids.entry((relation, columns.to_vec())).or_insert(next);
        if id == next {
            self.all.push(Call {
                relation,
                columns: columns.to_vec(),
                domains: Vec::new(),
                plans: Vec::new(),
            });
        }
        id
    }

    /// Plans the rules of everything that is asked for, which may ask for more.
    pub fn finish(&mut self, program: &Program, rules_of: &[Vec<usize>], estimates: &Estimates) {
        let mut next = self
            .all
            .iter()
            .take_while(|call| !call.plans.is_empty())
            .count();
        while next < self.all.len() {
            let (relation, columns) = (self.all[next].relation, self.all[next].columns.clone());
            let mut plans = Vec::new();
            for &index in &rules_of[relation.index()] {
                let planner = Planner::new(&program.rules[index], estimates, self);
                plans.push(planner.plan(index, Start::Asked(&columns)));
            }
            let domains = &program.relation(relation).domains;
            self.all[next].domains = columns
                .iter()
                .map(|&column| domains[column].clone())
                .collect();
            self.all[next].plans = plans;
            next += 1;
        }
    }
}

/// A rule as a sequence of steps.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The rule's position in the program.
    pub rule: usize,
    /// What the values that a call gives must be, or where they go.
    pub entry: Vec<Match>,
    /// The steps, each for all solutions of those before it.
    pub steps: Vec<Step>,
    /// The relation that is derived.
    pub head: RelationId,
    /// The values that are derived.
    pub head_args: Vec<Source>,
    /// How many registers there are: one a variable.
    pub registers: usize,
    /// From this step on, one success is enough; the number of steps if there is no such point.
    pub once_from: usize,
    /// Solutions are collected; the head is not derived.
    pub(super) collects: bool,
}

/// A look-up or a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// All rows of a relation, or only its newest.
    Scan {
        /// The relation.
        relation: RelationId,
        /// Whether only rows count that are new in this round of a recursion.
        newest: bool,
        /// What the values of columns must be.
        matches: Vec<(usize, Match)>,
    },
    /// The rows with some known values. The index is over `columns`.
    Probe {
        /// The relation.
        relation: RelationId,
        /// The columns whose values are known.
        columns: Vec<usize>,
        /// The number of the index, once there is one.
        index: usize,
        /// The known values.
        key: Vec<Source>,
        /// What the values of the other columns must be.
        matches: Vec<(usize, Match)>,
    },
    /// The rows with some known values of a relation that is evaluated on demand.
    Call {
        /// The way of asking, a position in [`Calls::all`].
        call: usize,
        /// The known values.
        key: Vec<Source>,
        /// What the values of the other columns must be.
        matches: Vec<(usize, Match)>,
    },
    /// Whether a known row of such a relation is there, or is not.
    CallTest {
        /// The way of asking, a position in [`Calls::all`].
        call: usize,
        /// The row.
        row: Vec<Source>,
        /// Whether it must be there.
        expected: bool,
    },
    /// Whether a known row is there, or is not.
    Test {
        /// The relation.
        relation: RelationId,
        /// The row.
        row: Vec<Source>,
        /// Whether it must be there.
        expected: bool,
    },
    /// Whether two known terms differ.
    Differ(Source, Source),
    /// Whether a known term is a constant.
    Plain(Source),
}

/// A known value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A constant.
    Constant(TermId),
    /// What was found before.
    Register(usize),
    /// A compound term: its function and the sources of its arguments.
    Compound(u32, Vec<Source>),
}

/// What a value that was found must be, or where it goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Match {
    /// It goes to that register.
    Bind(usize),
    /// It must be this.
    Equal(Source),
    /// A compound term with that function whose arguments match.
    Compound(u32, Vec<Match>),
}

/// Plans the rules of a component.
pub fn plan_component(
    program: &Program,
    component: &Component,
    estimates: &Estimates,
    calls: &mut Calls,
) -> ComponentPlan {
    let mut plans = ComponentPlan {
        heads: component.relations.clone(),
        ..ComponentPlan::default()
    };
    for &index in &component.rules {
        let rule = &program.rules[index];
        plans
            .full
            .push(Planner::new(rule, estimates, calls).plan(index, Start::Everything));
        for (place, literal) in rule.body.iter().enumerate() {
            if let Literal::Holds(atom) = literal
                && component.relations.contains(&atom.relation)
            {
                plans
                    .deltas
                    .push(Planner::new(rule, estimates, calls).plan(index, Start::Newest(place)));
            }
        }
    }
    plans
}

/// The plan that finds all solutions of a rule's body, for [`super::Machine::solutions`].
pub fn plan_solutions(rule: &Rule, index: usize, estimates: &Estimates, calls: &mut Calls) -> Plan {
    let mut plan = Planner::new(rule, estimates, calls).plan(index, Start::Everything);
    plan.once_from = plan.steps.len();
    plan.collects = true;
    plan
}

/// The order in which the literals of a rule's body are looked up, by their places, if the values
/// of some columns of the head are given. What is on demand and must not hold comes last, so that
/// nothing is asked because of it. A literal that can never be looked up, because a variable of it
/// has no value, is left out.
pub fn order(rule: &Rule, given: &[usize], estimates: &Estimates, calls: &mut Calls) -> Vec<usize> {
    let mut planner = Planner::new(rule, estimates, calls);
    planner.denies_last = true;
    planner.arrange(Start::Asked(given));
    planner.order
}

/// Where the evaluation of a rule starts.
#[derive(Clone, Copy)]
enum Start<'a> {
    /// With nothing.
    Everything,
    /// With the newest rows for the literal at that place.
    Newest(usize),
    /// With the values of these columns of the head.
    Asked(&'a [usize]),
}

/// When a test comes whose variables are bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Urgency {
    /// At once: it costs nothing.
    Free,
    /// After those, because it must be asked for.
    Asked,
    /// After everything else.
    Last,
}

struct Planner<'a> {
    rule: &'a Rule,
    estimates: &'a Estimates,
    calls: &'a mut Calls,
    bound: Vec<bool>,
    steps: Vec<Step>,
    /// The places of the literals that steps were made of.
    order: Vec<usize>,
    left: Vec<usize>,
    /// Whether conditions on demand that must not hold wait for all others.
    denies_last: bool,
}

impl<'a> Planner<'a> {
    fn new(rule: &'a Rule, estimates: &'a Estimates, calls: &'a mut Calls) -> Self {
        Self {
            rule,
            estimates,
            calls,
            bound: vec![false; rule.variables],
            steps: Vec::new(),
            order: Vec::new(),
            left: (0..rule.body.len()).collect(),
            denies_last: false,
        }
    }

    fn plan(mut self, index: usize, start: Start<'_>) -> Plan {
        let (entry, once_from) = self.arrange(start);
        let head_variables = variables_of(&self.rule.head);
        // A rule that passed the checks has no variable left; in one that did not, it can take no
        // value.
        let unbound =
            head_variables.iter().any(|&variable| !self.bound[variable]) || !self.left.is_empty();
        if unbound {
            self.steps
                .insert(0, Step::Differ(Source::Constant(0), Source::Constant(0)));
        }
        let head_args = self.rule.head.args.iter().map(source_of).collect();
        Plan {
            rule: index,
            collects: false,
            entry,
            once_from: once_from.unwrap_or(self.steps.len()),
            steps: self.steps,
            head: self.rule.head.relation,
            head_args,
            registers: self.rule.variables,
        }
    }

    /// Puts the literals in order; what must match the values given, and the step from which on one
    /// success is enough.
    fn arrange(&mut self, start: Start<'_>) -> (Vec<Match>, Option<usize>) {
        let head_variables = variables_of(&self.rule.head);
        let mut once_from = None;
        let mut entry = Vec::new();
        match start {
            Start::Everything => {}
            Start::Newest(place) => {
                self.left.retain(|&other| other != place);
                self.lookup(place, true);
            }
            Start::Asked(columns) => {
                let rule = self.rule;
                entry = columns
                    .iter()
                    .map(|&column| self.matching(&rule.head.args[column]))
                    .collect();
            }
        }
        loop {
            self.tests();
            if once_from.is_none() && head_variables.iter().all(|&variable| self.bound[variable]) {
                once_from = Some(self.steps.len());
            }
            let Some(position) = self.cheapest() else {
                return (entry, once_from);
            };
            let place = self.left.remove(position);
            self.lookup(place, false);
        }
    }

    /// Emits all tests whose variables are bound, those last that must be asked for.
    fn tests(&mut self) {
        for urgency in [Urgency::Free, Urgency::Asked, Urgency::Last] {
            // What comes last waits for all that finds something.
            if urgency == Urgency::Last && self.cheapest().is_some() {
                return;
            }
            let mut position = 0;
            while position < self.left.len() {
                let literal = &self.rule.body[self.left[position]];
                if !self.is_bound(literal) || self.urgency(literal) != urgency {
                    position += 1;
                    continue;
                }
                let step = self.test(literal);
                self.steps.push(step);
                self.order.push(self.left.remove(position));
            }
        }
    }

    fn urgency(&self, literal: &Literal) -> Urgency {
        let asked = |atom: &Atom| self.calls.is_on_demand(atom.relation);
        match literal {
            Literal::Fails(atom) if asked(atom) && self.denies_last => Urgency::Last,
            Literal::Holds(atom) | Literal::Fails(atom) if asked(atom) => Urgency::Asked,
            _ => Urgency::Free,
        }
    }

    /// The step of a literal all of whose variables are bound.
    fn test(&mut self, literal: &Literal) -> Step {
        match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                let relation = atom.relation;
                let row = atom.args.iter().map(source_of).collect();
                let expected = matches!(literal, Literal::Holds(_));
                if self.calls.is_on_demand(relation) {
                    let columns: Vec<usize> = (0..atom.args.len()).collect();
                    Step::CallTest {
                        call: self.calls.id(relation, &columns),
                        row,
                        expected,
                    }
                } else {
                    Step::Test {
                        relation,
                        row,
                        expected,
                    }
                }
            }
            Literal::Distinct(left, right) => Step::Differ(source_of(left), source_of(right)),
            Literal::Plain(term) => Step::Plain(source_of(term)),
        }
    }

    fn is_bound(&self, literal: &Literal) -> bool {
        match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                atom.args.iter().all(|arg| self.is_known(arg))
            }
            Literal::Distinct(left, right) => self.is_known(left) && self.is_known(right),
            Literal::Plain(term) => self.is_known(term),
        }
    }

    fn is_known(&self, term: &Term) -> bool {
        let mut known = true;
        term.variables(&mut |variable| known &= self.bound[variable]);
        known
    }

    /// The position in `left` of the positive literal with the fewest expected rows.
    fn cheapest(&self) -> Option<usize> {
        let mut best: Option<(f64, usize)> = None;
        for (position, &place) in self.left.iter().enumerate() {
            let Literal::Holds(atom) = &self.rule.body[place] else {
                continue;
            };
            let cost = self.expected_rows(atom);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, position));
            }
        }
        best.map(|(_, position)| position)
    }

    fn expected_rows(&self, atom: &Atom) -> f64 {
        let relation = atom.relation.index();
        if self.calls.is_unsized(atom.relation) {
            // Nothing is known about how many rows there are, so the more of them is left open the
            // later they are asked for.
            let open = atom
                .args
                .iter()
                .enumerate()
                .filter(|(_, arg)| !self.is_known(arg));
            let most: f64 = open
                .map(|(column, _)| self.estimates.values[relation][column].max(2.0))
                .product();
            return match self.calls.is_sparse {
                true => most.sqrt(),
                false => most,
            };
        }
        let mut rows = self.estimates.rows[relation].max(0.01);
        for (column, arg) in atom.args.iter().enumerate() {
            if self.is_known(arg) {
                rows /= self.estimates.values[relation][column].max(1.0);
            }
        }
        rows
    }

    fn lookup(&mut self, place: usize, newest: bool) {
        let rule = self.rule;
        self.order.push(place);
        let Literal::Holds(atom) = &rule.body[place] else {
            return;
        };
        let mut columns = Vec::new();
        let mut key = Vec::new();
        let mut matches = Vec::new();
        let known: Vec<bool> = atom.args.iter().map(|arg| self.is_known(arg)).collect();
        for (column, arg) in atom.args.iter().enumerate() {
            if known[column] && !newest {
                columns.push(column);
                key.push(source_of(arg));
            } else {
                let found = self.matching(arg);
                matches.push((column, found));
            }
        }
        let relation = atom.relation;
        self.steps
            .push(if self.calls.is_on_demand(relation) && !newest {
                Step::Call {
                    call: self.calls.id(relation, &columns),
                    key,
                    matches,
                }
            } else if columns.is_empty() {
                Step::Scan {
                    relation,
                    newest,
                    matches,
                }
            } else {
                Step::Probe {
                    relation,
                    columns,
                    index: 0,
                    key,
                    matches,
                }
            });
    }

    fn matching(&mut self, term: &Term) -> Match {
        if self.is_known(term) {
            return Match::Equal(source_of(term));
        }
        match term {
            Term::Variable(variable) => {
                self.bound[*variable] = true;
                Match::Bind(*variable)
            }
            Term::Constant(symbol) => Match::Equal(Source::Constant(symbol.0)),
            Term::Compound(functor, args) => Match::Compound(
                functor.0,
                args.iter().map(|arg| self.matching(arg)).collect(),
            ),
        }
    }
}

fn source_of(term: &Term) -> Source {
    match term {
        Term::Variable(variable) => Source::Register(*variable),
        Term::Constant(symbol) => Source::Constant(symbol.0),
        Term::Compound(functor, args) => {
            Source::Compound(functor.0, args.iter().map(source_of).collect())
        }
    }
}

fn variables_of(atom: &Atom) -> Vec<usize> {
    let mut variables = Vec::new();
    atom.args
        .iter()
        .for_each(|arg| arg.variables(&mut |variable| variables.push(variable)));
    variables
}

impl Plan {
    /// Registers the indexes that the plan looks up.
    pub(super) fn resolve_indexes(
        &mut self,
        mut index_on: impl FnMut(RelationId, &[usize]) -> usize,
    ) {
        for step in &mut self.steps {
            if let Step::Probe {
                relation,
                columns,
                index,
                ..
            } = step
            {
                *index = index_on(*relation, columns);
            }
        }
    }
}
