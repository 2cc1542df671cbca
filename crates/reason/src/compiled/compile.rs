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
use super::tree::{Surroundings, Target, Tree};
use crate::reference::Planning;

/// The questions that a walker is asked, a bit each.
pub(super) mod questions {
    pub(in crate::compiled) const TERMINAL: u8 = 1;
    pub(in crate::compiled) const GOAL: u8 = 2;
    pub(in crate::compiled) const LEGAL: u8 = 4;
    pub(in crate::compiled) const SUCCESSOR: u8 = 8;
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
    let dependencies = &planning.dependencies;
    let dynamics = dependencies.dynamics.iter();
    let is_fixed: Vec<bool> = dynamics.map(|&kind| kind == Dynamics::Static).collect();
    let (constants, registers) = registers_of(&plans, &calls);
    let least = least_columns(program, &plans, &calls);
    let surroundings = Surroundings {
        program,
        calls: &calls,
    };
    let mut compiler = Compiler {
        surroundings,
        dependencies,
        plans: &plans,
        optimisations,
        emitter: Emitter::new(program, is_fixed, &least, constants, registers),
    };
    let segments = compiler.segments(&phases(planning, program));
    let call_entries = compiler.calls();
    let mut code = compiler.emitter.finish();
    code.segments = segments;
    code.call_entries = call_entries;
    code.changing = planning.changing();
    code.calls = Arc::new(calls);
    fill_fixed(&mut code, planning);
    code
}

/// Puts the facts of all states in their containers.
fn fill_fixed(code: &mut Code, planning: &Planning) {
    for (index, container) in code.fixed.iter_mut().enumerate() {
        if code.is_fixed[index] {
            for row in planning.base().tables[index].iter() {
                container.insert(&code.layouts[index], &code.pool, &mut code.bits, row);
            }
        }
    }
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
    /// A component is needed wherever something is that depends on it, so that who serves more questions never depends on
    /// who serves fewer of them: segments in the order of falling numbers of questions can be derived one after the other.
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

    /// Layers in their order: components as low as those allow that they depend on, a recursion on its own.
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
        // Of those on one level, recursions come first; what is derived once is then derived as late, and together, as can be.
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
        let once = self.tree(plans().flat_map(|plan| &plan.full));
        if !layer.recursive {
            return self.emit(&once);
        }
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
        let all = &mut self.emitter.code.heads;
        let start = all.len() as u32;
        all.extend(heads.map(|head| head.0));
        let end = all.len() as u32;
        Span { start, end }
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

/// For each relation, the column that is most often the only one not known where rows are looked up.
fn least_columns(program: &Program, plans: &[ComponentPlan], calls: &Calls) -> Vec<usize> {
    let arities = program.relations.iter().map(|relation| relation.arity);
    let mut asked: Vec<Vec<usize>> = arities.map(|arity| vec![0; arity]).collect();
    for step in all_plans(plans, calls).flat_map(|plan| &plan.steps) {
        if let Step::Probe {
            relation, matches, ..
        } = step
            && let [(column, _)] = &matches[..]
        {
            asked[relation.index()][*column] += 1;
        }
    }
    // Rows of the next state become rows of this one as they are.
    for fluent in &program.fluents {
        asked[fluent.next.index()] = asked[fluent.holds.index()].clone();
    }
    let most = |counts: &Vec<usize>| {
        let columns = (0..counts.len()).rev();
        columns.max_by_key(|&column| counts[column]).unwrap_or(0)
    };
    asked.iter().map(most).collect()
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
