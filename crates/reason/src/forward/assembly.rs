//! From rules to [`Chains`]: numbers for facts, orders of inputs, tables within the memory there
//! is, and plans for the rest.

use paidia_gdl::analysis::{Component, Dynamics};
use paidia_gdl::datalog::plan::plan_component;
use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Literal, Program, RelationId, RelationKind};

use super::body::{Body, Surroundings};
use super::chainer::{Carrying, Chains, Group};
use super::coding::Numbering;
use super::knowledge::Knowledge;
use super::order;
use super::rule::Tabled;
use super::statistics::Statistics;
use super::tables::{NoTables, Workshop};
use super::{Options, Report};
use crate::reference::Planning;

/// Combinations that are tried to build the tables of a game: some seconds.
const WORK: u64 = 30_000_000;

/// The part of the work that is left which one rule may take.
const SHARE_OF_WORK: u64 = 4;

/// Bytes of the memory cap for each fact that gets a number; tables take the rest.
const BYTES_PER_FACT: usize = 16;

/// Builds everything for rules about whose relations random play told this.
pub(super) fn assemble(
    program: &Program,
    planning: &Planning,
    statistics: &Statistics,
    options: &Options,
) -> (Chains, Report) {
    let permanent = permanent(program, planning);
    let numbering = numbering(program, planning, &permanent, options);
    let assembly = Assembly {
        program,
        planning,
        options,
        surroundings: Surroundings {
            program,
            statistics,
            permanent: &permanent,
        },
    };
    let knowledge = Knowledge::bytes(&numbering);
    let mut workshop = Workshop {
        numbering: &numbering,
        machine: planning.base().clone(),
        permanent: &permanent,
        candidates: options.candidates,
        room: options.memory.saturating_sub(knowledge),
        work: WORK,
    };
    let variants = assembly.build(&mut workshop);
    drop(workshop);
    let mut report = Report {
        knowledge_bytes: knowledge,
        ..Report::default()
    };
    let chains = assembly.chains(variants, numbering, &mut report);
    (chains, report)
}

/// For each relation, whether its facts are the same in every state, and known.
fn permanent(program: &Program, planning: &Planning) -> Vec<bool> {
    let dynamics = &planning.dependencies.dynamics;
    let relations = (0..program.relations.len()).map(|index| RelationId(index as u32));
    let is_known = |relation| {
        !planning
            .known
            .is_on_demand(&planning.dependencies, relation)
    };
    relations
        .map(|relation| dynamics[relation.index()] == Dynamics::Static && is_known(relation))
        .collect()
}

/// Numbers for what changes, and for what walkers ask.
fn numbering(
    program: &Program,
    planning: &Planning,
    permanent: &[bool],
    options: &Options,
) -> Numbering {
    let is_asked = |index: usize| {
        matches!(
            program.relations[index].kind,
            RelationKind::Keyword(
                Keyword::Next | Keyword::Legal | Keyword::Goal | Keyword::Terminal | Keyword::Sees
            )
        )
    };
    let on_demand = |index: usize| {
        let relation = RelationId(index as u32);
        planning
            .known
            .is_on_demand(&planning.dependencies, relation)
    };
    let wanted = |index: usize| !on_demand(index) && (!permanent[index] || is_asked(index));
    let room = (options.memory / BYTES_PER_FACT).min(u32::MAX as usize);
    Numbering::new(program, wanted, room as u64)
}

struct Assembly<'a> {
    program: &'a Program,
    planning: &'a Planning,
    options: &'a Options,
    surroundings: Surroundings<'a>,
}

/// A rule to be built: on its own, or for the newest facts of one of its literals.
struct Variant {
    component: usize,
    rule: usize,
    newest: Option<usize>,
    body: Body,
    built: Result<Option<Tabled>, NoTables>,
}

impl Variant {
    /// How many combinations its variables can have: an upper bound of what there will be to
    /// number.
    fn combinations(&self) -> f64 {
        let sizes = self.body.domains.iter().flatten();
        sizes.map(|values| values.len() as f64).product()
    }
}

impl Assembly<'_> {
    /// Whether a component is derived in every state.
    fn is_derived(&self, component: usize) -> bool {
        let known = &self.planning.known;
        !known.fixed[component] && !known.on_demand[component]
    }

    /// Builds tables as far as there is room, for small rules first. A recursive component gets all
    /// of its tables, or none.
    fn build(&self, workshop: &mut Workshop<'_>) -> Vec<Variant> {
        let mut variants = self.variants();
        variants.sort_by(|left, right| left.combinations().total_cmp(&right.combinations()));
        if self.options.memory > 0 {
            for variant in &mut variants {
                let rule = &self.program.rules[variant.rule];
                let (order, candidates) = (self.options.order, self.options.candidates);
                let inputs = order::inputs(&variant.body, order, variant.newest, candidates);
                let newest = variant.newest.is_some();
                let kept = workshop.work - workshop.work / SHARE_OF_WORK;
                workshop.work -= kept;
                variant.built = workshop.build(rule, &variant.body, &inputs, newest);
                workshop.work += kept;
            }
        }
        for component in 0..self.planning.dependencies.components.len() {
            self.drop_partial(component, &mut variants);
        }
        variants.sort_by_key(|variant| (variant.component, variant.rule, variant.newest));
        variants
    }

    /// Lets a recursive component do without tables if one of its rules must.
    fn drop_partial(&self, component: usize, variants: &mut [Variant]) {
        if !self.planning.dependencies.components[component].recursive {
            return;
        }
        let own = variants.iter_mut();
        let mut own: Vec<&mut Variant> = own
            .filter(|variant| variant.component == component)
            .collect();
        let failure = own
            .iter()
            .find_map(|variant| variant.built.as_ref().err().copied());
        if let Some(failure) = failure {
            own.iter_mut()
                .for_each(|variant| variant.built = Err(failure));
        }
    }

    fn variants(&self) -> Vec<Variant> {
        let mut variants = Vec::new();
        let components = self.planning.dependencies.components.iter().enumerate();
        for (index, component) in components.filter(|&(index, _)| self.is_derived(index)) {
            for &rule in &component.rules {
                let places = self.recursive_places(component, rule);
                let newest = places.iter().map(|&place| Some(place));
                let alone = places.is_empty().then_some(None);
                variants.extend(newest.chain(alone).map(|newest| Variant {
                    component: index,
                    rule,
                    newest,
                    body: Body::new(&self.program.rules[rule], &self.surroundings),
                    built: Err(NoTables::TooLarge),
                }));
            }
        }
        variants
    }

    /// The places of a rule's body that are about relations of its own component.
    fn recursive_places(&self, component: &Component, rule: usize) -> Vec<usize> {
        let body = self.program.rules[rule].body.iter().enumerate();
        let inside = body.filter(|(_, literal)| match literal {
            Literal::Holds(atom) => {
                component.recursive && component.relations.contains(&atom.relation)
            }
            _ => false,
        });
        inside.map(|(place, _)| place).collect()
    }

    fn chains(&self, variants: Vec<Variant>, numbering: Numbering, report: &mut Report) -> Chains {
        let components = self.planning.dependencies.components.len();
        let mut groups = vec![Group::default(); components];
        let mut untabled: Vec<Vec<usize>> = vec![Vec::new(); components];
        for variant in variants {
            let group = &mut groups[variant.component];
            report.rules += 1;
            match variant.built {
                Err(_) => {
                    let rules = &mut untabled[variant.component];
                    if rules.last() != Some(&variant.rule) {
                        rules.push(variant.rule);
                    }
                }
                Ok(None) => {}
                Ok(Some(tabled)) => {
                    report.table_bytes += tabled.bytes();
                    match variant.newest {
                        Some(_) => group.recursive.push(tabled),
                        None => group.rules.push(tabled),
                    }
                }
            }
        }
        report.untabled = untabled.iter().map(Vec::len).sum();
        let has_rows = self.has_rows(&untabled, &numbering);
        let mut chains = Chains {
            base: self.planning.base().clone(),
            permanent: self.permanent_facts(&numbering),
            questions: self.questions(),
            changing: self.changing(|index| numbering.relations[index].is_some()),
            changing_rows: self.changing(|index| has_rows[index]),
            transient: Vec::new(),
            fluents: self.fluents(&numbering),
            groups,
            numbering,
            has_rows,
        };
        let is_carried = |index: &usize| {
            let mut fluents = chains.fluents.iter();
            fluents.any(|fluent| fluent.holds == *index && fluent.shift.is_some())
        };
        chains.transient = chains
            .changing
            .iter()
            .copied()
            .filter(|index| !is_carried(index))
            .collect();
        self.plan_untabled(&untabled, &mut chains);
        chains
    }

    /// The relations whose facts change, of those that `wanted` tells.
    fn changing(&self, wanted: impl Fn(usize) -> bool) -> Vec<usize> {
        let changing = self.planning.changing().into_iter();
        changing
            .map(RelationId::index)
            .filter(|&index| wanted(index))
            .collect()
    }

    /// How the next state becomes the state.
    fn fluents(&self, numbering: &Numbering) -> Vec<Carrying> {
        let shift = |holds: usize, next: usize| {
            let holds = numbering.relations[holds].as_ref()?;
            let next = numbering.relations[next].as_ref()?;
            let same = holds.coding.has_values_of(&next.coding);
            same.then(|| holds.first.wrapping_sub(next.first))
        };
        let fluents = self.program.fluents.iter();
        fluents
            .map(|fluent| {
                let (holds, next) = (fluent.holds.index(), fluent.next.index());
                let shift = shift(holds, next);
                Carrying { holds, next, shift }
            })
            .collect()
    }

    /// For each relation, whether its facts are kept as rows: because they have no numbers, or
    /// because a rule without tables or one that is evaluated on demand reads them.
    fn has_rows(&self, untabled: &[Vec<usize>], numbering: &Numbering) -> Vec<bool> {
        let mut has_rows: Vec<bool> = numbering.relations.iter().map(Option::is_none).collect();
        let components = self.planning.dependencies.components.iter().enumerate();
        let on_demand = components.filter(|&(index, _)| self.planning.known.on_demand[index]);
        let on_demand = on_demand.flat_map(|(_, component)| &component.rules);
        for &rule in untabled.iter().flatten().chain(on_demand) {
            let rule = &self.program.rules[rule];
            for atom in rule
                .body
                .iter()
                .filter_map(Literal::atom)
                .chain([&rule.head])
            {
                has_rows[atom.relation.index()] = true;
            }
        }
        has_rows
    }

    fn permanent_facts(&self, numbering: &Numbering) -> Vec<(usize, u32)> {
        let mut facts = Vec::new();
        for (index, numbered) in numbering.relations.iter().enumerate() {
            if let Some(numbered) = numbered
                .as_ref()
                .filter(|_| self.surroundings.permanent[index])
            {
                let rows = self.planning.base().tables[index].iter();
                facts.extend(rows.filter_map(|row| Some((index, numbered.fact(row)?))));
            }
        }
        facts
    }

    fn questions(&self) -> [Vec<usize>; 4] {
        let queries = self.planning.queries(self.program);
        // In the order of `Question`.
        [
            queries.terminal,
            queries.goal,
            queries.legal,
            queries.successor,
        ]
    }

    /// Plans rules without tables, and says what must be exchanged between the two forms.
    fn plan_untabled(&self, untabled: &[Vec<usize>], chains: &mut Chains) {
        let (program, planning) = (self.program, self.planning);
        let (dependencies, estimates) = (&planning.dependencies, &planning.known.estimates);
        let mut calls = planning.known.calls(program, dependencies);
        let components = dependencies.components.iter().enumerate();
        for (index, component) in components.filter(|(_, component)| !component.rules.is_empty()) {
            let group = &mut chains.groups[index];
            group.heads = component
                .relations
                .iter()
                .copied()
                .map(RelationId::index)
                .collect();
            let heads = group.heads.iter().copied();
            let both = heads.filter(|&head| {
                chains.has_rows[head] && chains.numbering.relations[head].is_some()
            });
            group.as_rows = both.collect();
            if !untabled[index].is_empty() {
                group.as_facts = group.as_rows.clone();
                let rest = Component {
                    rules: untabled[index].clone(),
                    ..component.clone()
                };
                group.untabled = Some(plan_component(program, &rest, estimates, &mut calls));
            }
        }
        calls.finish(program, &dependencies.rules_of, estimates);
        for plan in chains
            .groups
            .iter_mut()
            .filter_map(|group| group.untabled.as_mut())
        {
            chains.base.prepare(plan);
        }
        let arity = |relation| program.relation(relation).arity;
        chains
            .base
            .prepare_calls(calls, arity, &planning.changing());
    }
}
