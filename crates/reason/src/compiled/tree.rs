//! Filter trees: the rules of a layer as nested queries that share what they have in common.
//!
//! A rule is a chain of filters, each for all solutions of those before it, with what is derived at
//! its end. Chains that start alike are merged, so that the common part runs once. Registers are
//! numbered in the order in which they are bound, so chains that do the same look the same.

use paidia_gdl::datalog::Calls;
use paidia_gdl::datalog::plan::{Match, Plan, Source, Step};
use paidia_gdl::program::domains::Domain;
use paidia_gdl::program::{Program, RelationId};

use super::Optimisations;

/// A query or a test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Filter {
    /// A step of a plan.
    Step(Step),
    /// The register's value is one of these.
    Within(usize, Vec<u32>),
    /// The values that a call was given match.
    Enter(Vec<Match>),
}

/// What is derived at the end of a chain.
#[derive(Clone, Debug)]
pub(super) struct Accept {
    /// The relation, or the call, that gets a row.
    pub(super) target: Target,
    pub(super) row: Vec<Source>,
    /// From this filter of the chain on, one success is enough.
    pub(super) once_from: usize,
}

/// Where a row is derived to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Relation(RelationId),
    Call(usize),
}

/// Something to do for every solution of the filters around it.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Filter {
        filter: Filter,
        /// How many rules go through here.
        rules: usize,
        then: Vec<Node>,
    },
    Accept(Accept),
}

/// The filter tree of some rules.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
}

impl Tree {
    /// Adds a rule.
    pub(super) fn add(
        &mut self,
        plan: &Plan,
        target: Target,
        surroundings: &Surroundings<'_>,
        optimisations: Optimisations,
    ) {
        let chain = surroundings.chain(plan, target, optimisations);
        let mut nodes = &mut self.nodes;
        for filter in chain.filters {
            let known = nodes.iter().position(|node| match node {
                Node::Filter { filter: other, .. } => optimisations.share && *other == filter,
                Node::Accept(_) => false,
            });
            let place = known.unwrap_or_else(|| {
                nodes.push(Node::Filter {
                    filter,
                    rules: 0,
                    then: Vec::new(),
                });
                nodes.len() - 1
            });
            let Node::Filter { rules, then, .. } = &mut nodes[place] else {
                return;
            };
            *rules += 1;
            nodes = then;
        }
        nodes.push(Node::Accept(chain.accept));
    }
}

/// A rule on its own.
struct Chain {
    filters: Vec<Filter>,
    accept: Accept,
}

/// What must be known to make chains of plans.
pub(super) struct Surroundings<'a> {
    pub(super) program: &'a Program,
    pub(super) calls: &'a Calls,
}

impl Surroundings<'_> {
    fn chain(&self, plan: &Plan, target: Target, optimisations: Optimisations) -> Chain {
        let mut numbers = Numbers {
            of: vec![None; plan.registers],
            next: 0,
        };
        let mut filters = Vec::new();
        if !plan.entry.is_empty() {
            let entry = plan.entry.iter().map(|entry| numbers.matching(entry));
            filters.push(Filter::Enter(entry.collect()));
        }
        let domains = match optimisations.restrict {
            true => self.domains(plan),
            false => vec![None; plan.registers],
        };
        let mut once_from = None;
        for (number, step) in plan.steps.iter().enumerate() {
            if number == plan.once_from && optimisations.cut {
                once_from = Some(filters.len());
            }
            filters.push(Filter::Step(numbers.step(step)));
            for (column, matching) in matches_of(step) {
                let Match::Bind(register) = matching else {
                    continue;
                };
                let found = self.column(step, *column);
                let (Some(wanted), Some(found)) = (&domains[*register], found) else {
                    continue;
                };
                if !found.constants.is_subset(&wanted.constants) {
                    let values = wanted.constants.iter().map(|symbol| symbol.0).collect();
                    filters.push(Filter::Within(numbers.register(*register), values));
                }
            }
        }
        let row = plan.head_args.iter().map(|arg| numbers.source(arg));
        let row = row.collect();
        Chain {
            accept: Accept {
                target,
                row,
                once_from: once_from.unwrap_or(filters.len()),
            },
            filters,
        }
    }

    /// The values that a column of a step's relation can have, if they are plain constants.
    fn column(&self, step: &Step, column: usize) -> Option<&Domain> {
        let relation = match step {
            Step::Scan { relation, .. }
            | Step::Probe { relation, .. }
            | Step::Test { relation, .. } => *relation,
            Step::Call { call, .. } | Step::CallTest { call, .. } => self.calls.all[*call].relation,
            Step::Differ(..) | Step::Plain(_) => return None,
        };
        let domain = self.program.relation(relation).domains.get(column)?;
        (!domain.open && domain.compounds.is_empty()).then_some(domain)
    }

    /// For each register, what it can be by all places where it stands.
    fn domains(&self, plan: &Plan) -> Vec<Option<Domain>> {
        let mut domains: Vec<Option<Domain>> = vec![None; plan.registers];
        for step in &plan.steps {
            let bound = matches_of(step).iter().filter_map(|(column, matching)| {
                let (Match::Bind(register) | Match::Equal(Source::Register(register))) = matching
                else {
                    return None;
                };
                Some((*column, *register))
            });
            let known = known_of(step, self.calls);
            for (column, register) in bound.chain(known) {
                let Some(domain) = self.column(step, column) else {
                    continue;
                };
                domains[register] = Some(match &domains[register] {
                    None => domain.clone(),
                    Some(before) => before.intersection(domain),
                });
            }
        }
        domains
    }
}

/// What a step matches with the columns that it finds.
fn matches_of(step: &Step) -> &[(usize, Match)] {
    match step {
        Step::Scan { matches, .. } | Step::Probe { matches, .. } | Step::Call { matches, .. } => {
            matches
        }
        _ => &[],
    }
}

/// The columns in which a positive step has a register that is known before.
fn known_of(step: &Step, calls: &Calls) -> Vec<(usize, usize)> {
    let (columns, values): (Vec<usize>, &[Source]) = match step {
        Step::Probe { columns, key, .. } => (columns.clone(), key),
        Step::Call { call, key, .. } => (calls.all[*call].columns.clone(), key),
        Step::Test { row, expected, .. } | Step::CallTest { row, expected, .. } if *expected => {
            ((0..row.len()).collect(), row)
        }
        _ => return Vec::new(),
    };
    let pairs = columns.into_iter().zip(values);
    let registers = pairs.filter_map(|(column, value)| match value {
        Source::Register(register) => Some((column, *register)),
        _ => None,
    });
    registers.collect()
}

/// New numbers for registers, in the order in which they are bound.
struct Numbers {
    of: Vec<Option<usize>>,
    next: usize,
}

impl Numbers {
    fn register(&mut self, register: usize) -> usize {
        let next = &mut self.next;
        *self.of[register].get_or_insert_with(|| {
            *next += 1;
            *next - 1
        })
    }

    fn source(&mut self, source: &Source) -> Source {
        match source {
            Source::Constant(id) => Source::Constant(*id),
            Source::Register(register) => Source::Register(self.register(*register)),
            Source::Compound(function, args) => Source::Compound(*function, self.sources(args)),
        }
    }

    fn sources(&mut self, sources: &[Source]) -> Vec<Source> {
        sources.iter().map(|source| self.source(source)).collect()
    }

    fn matching(&mut self, matching: &Match) -> Match {
        match matching {
            Match::Bind(register) => Match::Bind(self.register(*register)),
            Match::Equal(source) => Match::Equal(self.source(source)),
            Match::Compound(function, args) => Match::Compound(
                *function,
                args.iter().map(|arg| self.matching(arg)).collect(),
            ),
        }
    }

    fn matches(&mut self, matches: &[(usize, Match)]) -> Vec<(usize, Match)> {
        let matches = matches.iter();
        matches
            .map(|(column, matching)| (*column, self.matching(matching)))
            .collect()
    }

    fn step(&mut self, step: &Step) -> Step {
        match step {
            Step::Scan {
                relation,
                newest,
                matches,
            } => Step::Scan {
                relation: *relation,
                newest: *newest,
                matches: self.matches(matches),
            },
            Step::Probe {
                relation,
                columns,
                index,
                key,
                matches,
            } => Step::Probe {
                relation: *relation,
                columns: columns.clone(),
                index: *index,
                key: self.sources(key),
                matches: self.matches(matches),
            },
            Step::Call { call, key, matches } => Step::Call {
                call: *call,
                key: self.sources(key),
                matches: self.matches(matches),
            },
            Step::CallTest {
                call,
                row,
                expected,
            } => Step::CallTest {
                call: *call,
                row: self.sources(row),
                expected: *expected,
            },
            Step::Test {
                relation,
                row,
                expected,
            } => Step::Test {
                relation: *relation,
                row: self.sources(row),
                expected: *expected,
            },
            Step::Differ(left, right) => Step::Differ(self.source(left), self.source(right)),
            Step::Plain(source) => Step::Plain(self.source(source)),
        }
    }
}
