//! From rules to code: what is derived for which questions, in which layers, by which trees.

use std::collections::BTreeSet;
use std::sync::Arc;

use paidia_gdl::analysis::{Dependencies, Dynamics};
use paidia_gdl::datalog::plan::{Match, Plan, Source, Step};
use paidia_gdl::datalog::{Calls, ComponentPlan, Estimates};
use paidia_gdl::program::{Literal, Program, RelationId};

use super::Optimisations;
use super::code::{Code, Instruction, Segment, Span};
use super::emit::Emitter;
use super::layout::{Asked, Domains, Layout, View, Words};
use super::tree::{Surroundings, Target, Tree};
use crate::reference::Planning;

/// The questions that a walker is asked, a bit each.
pub(super) mod questions {
    pub(in crate::compiled) const TERMINAL: u8 = 1;
    pub(in crate::compiled) const GOAL: u8 = 2;
    pub(in crate::compiled) const LEGAL: u8 = 4;
    pub(in crate::compiled) const SUCCESSOR: u8 = 8;

    /// All of them, in the order of [`crate::reference::Planning::cones`].
    pub(in crate::compiled) const ALL: [u8; 4] = [TERMINAL, GOAL, LEGAL, SUCCESSOR];
}

/// Relations that can be derived together, because none of them needs another; or one recursion.
struct Layer {
    components: Vec<usize>,
    recursive: bool,
}

/// The code of a program.
pub(super) fn compile(
    program: &Program,
    planning: &Planning,
    optimisations: Optimisations,
) -> Code {
    let known = &planning.known;
    let estimates = match optimisations.order {
        true => known.estimates.clone(),
        false => indifferent(program),
    };
    let (plans, calls) = planning.plans(program, &estimates);
    let (constants, registers) = registers_of(&plans, &calls);
    let mut on_demand = vec![false; program.relations.len()];
    for call in &calls.all {
        on_demand[call.relation.index()] = true;
    }
    let (mut code, words) = relations(program, planning, &plans, &calls);
    code.constants = constants;
    let facts = &planning.base().tables;
    let mut compiler = Compiler {
        surroundings: Surroundings {
            program,
            calls: &calls,
        },
        dependencies: &planning.dependencies,
        plans: &plans,
        optimisations,
        emitter: Emitter::new(facts, on_demand, code, words, registers),
    };
    let segments = compiler.segments(&phases(planning, program));
    let call_entries = compiler.calls();
    let mut code = compiler.emitter.finish();
    code.segments = segments;
    code.call_entries = call_entries;
    code.changing = planning.changing();
    code.calls = Arc::new(calls);
    code
}

/// Code that knows how relations are kept: fixed ones first, then those of states, then all that is
/// emptied in every step.
fn relations(
    program: &Program,
    planning: &Planning,
    plans: &[ComponentPlan],
    calls: &Calls,
) -> (Code, Words) {
    let dynamics = planning.dependencies.dynamics.iter();
    let is_fixed: Vec<bool> = dynamics.map(|&kind| kind == Dynamics::Static).collect();
    let asked = asked(program, plans, calls);
    let mut domains = Domains::default();
    let all = program.relations.iter().zip(asked.iter().zip(&is_fixed));
    let layouts = all.map(|(relation, (asked, &fixed))| {
        Layout::new(&relation.domains, asked, fixed, &mut domains)
    });
    let mut layouts: Vec<Layout> = layouts.collect();
    for call in &calls.all {
        layouts[call.relation.index()].views.clear();
    }
    agree(program, &mut layouts);
    let mut words = Words::default();
    let mut order: Vec<usize> = (0..layouts.len()).collect();
    let of_state = |index: &usize| {
        let mut fluents = program.fluents.iter();
        fluents.any(|fluent| fluent.holds.index() == *index)
    };
    let is_small = |index: &usize| layouts[*index].views.iter().all(View::is_small);
    order.sort_by_key(|index| match index {
        index if is_fixed[*index] => 0,
        index if of_state(index) => 1,
        index if is_small(index) => 2,
        _ => 3,
    });
    let mut emptied = Span::default();
    let recursive = recursive(planning, plans);
    let small: Vec<bool> = (0..layouts.len()).map(|index| is_small(&index)).collect();
    for index in order {
        let is_emptied = !is_fixed[index] && !of_state(&index) && small[index];
        let before = words.taken();
        words.place_all(&mut layouts[index], recursive[index]);
        if is_emptied {
            let start = if emptied.end == 0 {
                before
            } else {
                emptied.start
            };
            let end = words.taken();
            emptied = Span { start, end };
        }
    }
    agree(program, &mut layouts);
    let code = Code {
        domains,
        layouts,
        is_fixed,
        emptied,
        ..Code::default()
    };
    (code, words)
}

/// Rows of the next state become rows of this one as they are, so both are kept alike.
fn agree(program: &Program, layouts: &mut [Layout]) {
    for fluent in &program.fluents {
        let (holds, next) = (fluent.holds.index(), fluent.next.index());
        layouts[next].views.truncate(1);
        if layouts[holds].views.is_empty() || layouts[next].views.is_empty() {
            layouts[holds].views.clear();
            layouts[next].views.clear();
        }
    }
}

/// For each relation, whether it is derived by a recursion.
fn recursive(planning: &Planning, plans: &[ComponentPlan]) -> Vec<bool> {
    let dependencies = &planning.dependencies;
    let mut recursive = vec![false; dependencies.dynamics.len()];
    for (component, plan) in dependencies.components.iter().zip(plans) {
        for head in plan.heads.iter().filter(|_| component.recursive) {
            recursive[head.index()] = true;
        }
    }
    recursive
}

/// Sizes with which no order of literals is better than the author's.
fn indifferent(program: &Program) -> Estimates {
    let relations = program.relations.iter();
    Estimates {
        rows: vec![1.0; program.relations.len()],
        values: relations
            .map(|relation| vec![1.0; relation.arity])
            .collect(),
    }
}

/// For each component, the questions that need it.
fn phases(planning: &Planning, program: &Program) -> Vec<u8> {
    let queries = planning.queries(program);
    let mut questions = vec![0; planning.dependencies.components.len()];
    for (query, bit) in [
        (&queries.terminal, questions::TERMINAL),
        (&queries.goal, questions::GOAL),
        (&queries.legal, questions::LEGAL),
        (&queries.successor, questions::SUCCESSOR),
    ] {
        query
            .iter()
            .for_each(|&component| questions[component] |= bit);
    }
    questions
}

struct Compiler<'a> {
    surroundings: Surroundings<'a>,
    dependencies: &'a Dependencies,
    plans: &'a [ComponentPlan],
    optimisations: Optimisations,
    emitter: Emitter<'a>,
}

impl Compiler<'_> {
    /// The code of everything that questions need.
    ///
    /// A component is needed wherever something is that depends on it, so that a component of more
    /// questions never depends on one of fewer: segments in the order of falling numbers of
    /// questions can be derived one after the other.
    fn segments(&mut self, phases: &[u8]) -> Vec<Segment> {
        let mut kinds: Vec<u8> = (1..16).filter(|kind| phases.contains(kind)).collect();
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.count_ones()));
        let mut segments = Vec::new();
        for questions in kinds {
            let entry = self.emitter.here();
            let members = (0..phases.len()).filter(|&index| phases[index] == questions);
            for layer in self.layers(&members.collect::<Vec<_>>()) {
                self.layer(&layer);
            }
            self.emitter.push(Instruction::Done);
            segments.push(Segment { questions, entry });
        }
        segments
    }

    /// Layers in their order: components as low as those allow that they depend on, a recursion on
    /// its own.
    fn layers(&self, components: &[usize]) -> Vec<Layer> {
        let mut levels: Vec<(usize, bool, usize)> = Vec::new();
        for &component in components {
            let group = &self.dependencies.components[component];
            let rules = group.rules.iter();
            let bodies = rules.flat_map(|&rule| &self.surroundings.program.rules[rule].body);
            let below: BTreeSet<usize> = bodies
                .filter_map(Literal::atom)
                .flat_map(|atom| &self.dependencies.components_of[atom.relation.index()])
                .copied()
                .collect();
            let levels_below = levels.iter().filter(|(_, _, other)| below.contains(other));
            let level = levels_below.map(|(level, ..)| level + 1).max().unwrap_or(0);
            levels.push((level, group.recursive, component));
        }
        // Of those on one level, recursions come first; what is derived once is then derived as
        // late, and together, as can be.
        levels.sort_by_key(|&(level, recursive, component)| (level, !recursive, component));
        let mut layers: Vec<(usize, Layer)> = Vec::new();
        for (level, recursive, component) in levels {
            match layers.last_mut() {
                Some((last, layer)) if *last == level && !recursive && !layer.recursive => {
                    layer.components.push(component);
                }
                _ => layers.push((
                    level,
                    Layer {
                        components: vec![component],
                        recursive,
                    },
                )),
            }
        }
        layers.into_iter().map(|(_, layer)| layer).collect()
    }

    fn layer(&mut self, layer: &Layer) {
        let all = self.plans;
        let plans = || layer.components.iter().map(|&index| &all[index]);
        if !layer.recursive {
            let rules = &self.surroundings.program.rules;
            let mut rest = Vec::new();
            for plan in plans().flat_map(|plan| &plan.full) {
                if !self.optimisations.carry || !self.emitter.carry(&rules[plan.rule]) {
                    rest.push(plan);
                }
            }
            let once = self.tree(rest.into_iter());
            return self.emit(&once);
        }
        let once = self.tree(plans().flat_map(|plan| &plan.full));
        let again = self.tree(plans().flat_map(|plan| &plan.deltas));
        let heads = self.heads(plans().flat_map(|plan| &plan.heads));
        self.emitter.push(Instruction::Begin { heads });
        self.emit(&once);
        let (round, end) = (self.emitter.label(), self.emitter.label());
        self.emitter.set(round);
        self.emitter.push(Instruction::Round { heads, exit: end });
        self.emitter.tree(&again, round);
        self.emitter.set(end);
    }

    fn heads<'b>(&mut self, heads: impl Iterator<Item = &'b RelationId>) -> Span {
        Span::extend(&mut self.emitter.code.heads, heads.map(|head| head.0))
    }

    fn tree<'b>(&self, plans: impl Iterator<Item = &'b Plan>) -> Tree {
        let mut tree = Tree::default();
        for plan in plans {
            let target = Target::Relation(plan.head);
            tree.add(plan, target, &self.surroundings, self.optimisations);
        }
        tree
    }

    /// The code of a tree, after which the code goes on with what follows.
    fn emit(&mut self, tree: &Tree) {
        if tree.nodes.is_empty() {
            return;
        }
        let after = self.emitter.label();
        self.emitter.tree(tree, after);
        self.emitter.set(after);
    }

    /// The code of all calls; where each starts.
    fn calls(&mut self) -> Vec<u32> {
        let calls = self.surroundings.calls;
        let mut entries = Vec::new();
        for (number, call) in calls.all.iter().enumerate() {
            entries.push(self.emitter.here());
            let mut tree = Tree::default();
            for plan in &call.plans {
                let target = Target::Call(number);
                tree.add(plan, target, &self.surroundings, self.optimisations);
            }
            self.emit(&tree);
            self.emitter.push(Instruction::Done);
        }
        entries
    }
}

/// All plans there are.
fn all_plans<'a>(plans: &'a [ComponentPlan], calls: &'a Calls) -> impl Iterator<Item = &'a Plan> {
    let whole = plans.iter();
    let whole = whole.flat_map(|plan| plan.full.iter().chain(&plan.deltas));
    whole.chain(calls.all.iter().flat_map(|call| &call.plans))
}

/// For each relation, the sets of columns that are not known where its rows are looked up, most
/// frequent first.
fn asked(program: &Program, plans: &[ComponentPlan], calls: &Calls) -> Vec<Asked> {
    let mut asked: Vec<Asked> = vec![Vec::new(); program.relations.len()];
    for step in all_plans(plans, calls).flat_map(|plan| &plan.steps) {
        if let Step::Probe {
            relation, columns, ..
        } = step
        {
            let all = 0..program.relation(*relation).arity;
            let unknown: Vec<usize> = all.filter(|column| !columns.contains(column)).collect();
            let asked = &mut asked[relation.index()];
            match asked.iter_mut().find(|(other, _)| *other == unknown) {
                Some((_, times)) => *times += 1,
                None => asked.push((unknown, 1)),
            }
        }
    }
    for asked in &mut asked {
        asked.sort_by_key(|&(_, times)| std::cmp::Reverse(times));
    }
    for fluent in &program.fluents {
        asked[fluent.next.index()] = asked[fluent.holds.index()].clone();
    }
    asked
}

/// All constants in plans, and the most registers that one has.
fn registers_of(plans: &[ComponentPlan], calls: &Calls) -> (Vec<u32>, usize) {
    let (mut constants, mut registers) = (BTreeSet::new(), 0);
    for plan in all_plans(plans, calls) {
        registers = registers.max(plan.registers);
        plan.entry
            .iter()
            .for_each(|matching| in_match(matching, &mut constants));
        in_sources(&plan.head_args, &mut constants);
        plan.steps
            .iter()
            .for_each(|step| in_step(step, &mut constants));
    }
    (constants.into_iter().collect(), registers)
}

fn in_step(step: &Step, constants: &mut BTreeSet<u32>) {
    let (sources, matches): (&[Source], &[(usize, Match)]) = match step {
        Step::Scan { matches, .. } => (&[], matches),
        Step::Probe { key, matches, .. } | Step::Call { key, matches, .. } => (key, matches),
        Step::CallTest { row, .. } | Step::Test { row, .. } => (row, &[]),
        Step::Differ(left, right) => {
            in_sources(std::slice::from_ref(left), constants);
            in_sources(std::slice::from_ref(right), constants);
            return;
        }
        Step::Plain(source) => (std::slice::from_ref(source), &[]),
    };
    in_sources(sources, constants);
    matches
        .iter()
        .for_each(|(_, matching)| in_match(matching, constants));
}

fn in_sources(sources: &[Source], constants: &mut BTreeSet<u32>) {
    for source in sources {
        match source {
            Source::Constant(id) => {
                constants.insert(*id);
            }
            Source::Register(_) => {}
            Source::Compound(_, args) => in_sources(args, constants),
        }
    }
}

fn in_match(matching: &Match, constants: &mut BTreeSet<u32>) {
    match matching {
        Match::Bind(_) => {}
        Match::Equal(source) => in_sources(std::slice::from_ref(source), constants),
        Match::Compound(_, args) => args.iter().for_each(|arg| in_match(arg, constants)),
    }
}
