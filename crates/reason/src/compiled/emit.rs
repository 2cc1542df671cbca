//! From filter trees to instructions.

use paidia_gdl::datalog::plan::{Match, Source, Step};
use paidia_gdl::program::{Program, RelationId};
use rustc_hash::FxHashMap;

use super::code::{Address, Bind, Code, Instruction, Read, Span, Table};
use super::container::{Container, Layout, Radix, Weights};
use super::tree::{Accept, Filter, Node, Target, Tree};

/// A place in the code that is not known yet.
type Label = u32;

/// Writes instructions.
pub(super) struct Emitter<'a> {
    program: &'a Program,
    pub(super) code: Code,
    labels: Vec<Address>,
    constants: FxHashMap<u32, u32>,
    /// The first register that no variable has.
    first_free: u32,
    /// Registers taken for the present filter.
    taken: u32,
    /// Loops around the present filter.
    loops: u16,
}

/// The filters around the present one.
struct Path {
    /// For each filter, where its failure goes, and whether one rule alone goes through it.
    nodes: Vec<(Label, bool)>,
}

impl<'a> Emitter<'a> {
    /// An emitter for a program of which `is_fixed` tells what never changes and `least` which column counts least in bit
    /// arrays, for trees with these constants and at most so many registers.
    pub(super) fn new(
        program: &'a Program,
        is_fixed: Vec<bool>,
        least: &[usize],
        constants: Vec<u32>,
        registers: usize,
    ) -> Self {
        let mut code = Code {
            is_fixed,
            ..Code::default()
        };
        for (relation, &least) in program.relations.iter().zip(least) {
            let layout = Layout::new(&relation.domains, least, &mut code.pool);
            code.layouts.push(layout);
        }
        // Rows of the next state become rows of this one as they are, so both are kept alike.
        for fluent in &program.fluents {
            let (holds, next) = (fluent.holds.index(), fluent.next.index());
            if code.layouts[holds].members.is_none() || code.layouts[next].members.is_none() {
                code.layouts[holds].members = None;
                code.layouts[next].members = None;
            }
        }
        let numbers = constants.iter().zip(0..);
        let first_free = (constants.len() + registers) as u32;
        Self {
            program,
            constants: numbers
                .map(|(&constant, number)| (constant, number))
                .collect(),
            code: Code { constants, ..code },
            labels: Vec::new(),
            first_free,
            taken: 0,
            loops: 0,
        }
    }

    /// Puts the jumps right and gives the code away.
    pub(super) fn finish(mut self) -> Code {
        for instruction in &mut self.code.instructions {
            if let Some(target) = instruction.target_mut() {
                *target = self.labels[*target as usize];
            }
        }
        self.code.registers = self.code.registers.max(self.first_free as usize);
        self.code.bits = vec![0; self.code.pool.words()];
        let layouts = self.code.layouts.iter();
        self.code.fixed = layouts.map(Container::new).collect();
        self.code
    }

    /// Where the next instruction will be.
    pub(super) fn here(&self) -> Address {
        self.code.instructions.len() as Address
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels.push(Address::MAX);
        self.labels.len() as Label - 1
    }

    pub(super) fn set(&mut self, label: Label) {
        self.labels[label as usize] = self.here();
    }

    pub(super) fn push(&mut self, instruction: Instruction) {
        self.code.instructions.push(instruction);
    }

    /// The instructions of a tree, after which the code goes on at `after`.
    pub(super) fn tree(&mut self, tree: &Tree, after: Label) {
        let mut path = Path { nodes: Vec::new() };
        self.nodes(&tree.nodes, after, &mut path);
    }

    fn nodes(&mut self, nodes: &[Node], after: Label, path: &mut Path) {
        for (number, node) in nodes.iter().enumerate() {
            let last = number + 1 == nodes.len();
            let next = if last { after } else { self.label() };
            match node {
                Node::Accept(accept) => self.accept(accept, next, path),
                Node::Filter {
                    filter,
                    rules,
                    then,
                } => {
                    if *rules == 1 {
                        self.guard(filter, then, next, path);
                    }
                    path.nodes.push((next, *rules == 1));
                    let inner = self.filter(filter, next);
                    let loops = self.loops;
                    self.loops += u16::from(inner != next);
                    self.code.cursors = self.code.cursors.max(self.loops as usize);
                    self.nodes(then, inner, path);
                    self.loops = loops;
                    path.nodes.pop();
                }
            }
            if !last {
                self.set(next);
            }
        }
    }

    /// Before a search for one success: a test whether what would be derived is known already.
    fn guard(&mut self, filter: &Filter, then: &[Node], next: Label, path: &Path) {
        let Some(accept) = only_leaf(then) else {
            return;
        };
        let depth = path.nodes.len();
        let is_first =
            path.nodes.last().is_none_or(|&(_, alone)| !alone) || accept.once_from == depth;
        let searches = is_loop(filter) || contains_loop(then);
        let simple = !accept
            .row
            .iter()
            .any(|source| matches!(source, Source::Compound(..)));
        let Target::Relation(relation) = accept.target else {
            return;
        };
        if accept.once_from <= depth && is_first && searches && simple {
            self.test(relation, &accept.row, false, next);
        }
    }

    /// Tests whether a row is there, or is not.
    fn test(&mut self, relation: RelationId, row: &[Source], expected: bool, exit: Label) {
        let Some((mut start, weights)) = self.member_weights(relation) else {
            let row = self.values(row);
            let table = self.table(relation);
            self.push(Instruction::Find {
                table,
                row,
                expected,
                exit,
            });
            return;
        };
        let row = self.open_key(row.iter().zip(weights), &mut start);
        self.push(match expected {
            true => Instruction::Holds { start, row, exit },
            false => Instruction::Fails { start, row, exit },
        });
    }

    fn accept(&mut self, accept: &Accept, after: Label, path: &Path) {
        self.taken = 0;
        let mut nodes = path.nodes.iter().enumerate().skip(accept.once_from);
        let cut = nodes.find(|(_, (_, alone))| *alone);
        let next = cut.map_or(after, |(_, &(label, _))| label);
        let row = self.build_all(&accept.row, true);
        match accept.target {
            Target::Relation(relation) => {
                let relation = relation.0;
                let instruction = match self.member_weights(RelationId(relation)) {
                    Some((start, weights)) => Instruction::Accept {
                        relation,
                        start,
                        row: self.key(&row, Some(&weights)),
                        next,
                    },
                    None => Instruction::AcceptHash {
                        relation,
                        row: self.values(&row),
                        next,
                    },
                };
                self.push(instruction);
            }
            Target::Call(call) => {
                let row = self.values(&row);
                let call = call as u32;
                self.push(Instruction::Answer { call, row, next });
            }
        }
    }

    /// The instructions of a filter; where what is below it goes on when it is through.
    fn filter(&mut self, filter: &Filter, exit: Label) -> Label {
        self.taken = 0;
        match filter {
            Filter::Step(step) => self.step(step, exit),
            Filter::Within(register, values) => {
                let weights = self.code.pool.add(values.clone(), 0);
                let register = self.variable(*register);
                let value = Read { register, weights };
                self.push(Instruction::Within { value, exit });
                exit
            }
            Filter::Enter(matches) => {
                let mut found = Vec::new();
                for (number, matching) in matches.iter().enumerate() {
                    let into = self.target_of(matching);
                    let number = number as u32;
                    self.push(Instruction::Argument { number, into });
                    found.push((into, matching));
                }
                self.check(found, exit);
                exit
            }
        }
    }

    fn step(&mut self, step: &Step, exit: Label) -> Label {
        match step {
            Step::Scan {
                relation,
                newest,
                matches,
            } => self.scan(*relation, *newest, matches, exit),
            Step::Probe {
                relation,
                columns,
                key,
                matches,
                ..
            } => self.probe(*relation, columns, key, matches, exit),
            Step::Call { call, key, matches } => self.ask(*call as u32, key, matches, exit),
            Step::CallTest {
                call,
                row,
                expected,
            } => {
                let row = self.build_all(row, true);
                let row = self.values(&row);
                self.push(Instruction::AskWhether {
                    call: *call as u32,
                    row,
                    expected: *expected,
                    exit,
                });
                exit
            }
            Step::Test {
                relation,
                row,
                expected,
            } => {
                let row = self.build_all(row, false);
                self.test(*relation, &row, *expected, exit);
                exit
            }
            Step::Differ(left, right) => {
                self.differ(left, right, exit);
                exit
            }
            Step::Plain(source) => {
                let value = self.build(source, false);
                let value = self.register(&value);
                self.push(Instruction::Plain { value, exit });
                exit
            }
        }
    }

    fn scan(
        &mut self,
        relation: RelationId,
        newest: bool,
        matches: &[(usize, Match)],
        exit: Label,
    ) -> Label {
        let (table, cursor, relation) = (self.table(relation), self.loops, relation.0);
        let (binds, found) = self.binds(matches);
        self.push(match newest {
            true => Instruction::ScanNewest { relation, cursor },
            false => Instruction::Scan {
                table,
                cursor,
                binds,
                exit,
            },
        });
        let next = Instruction::ScanNext {
            table,
            cursor,
            binds,
            exit,
        };
        self.turn(next, found)
    }

    fn probe(
        &mut self,
        relation: RelationId,
        columns: &[usize],
        key: &[Source],
        matches: &[(usize, Match)],
        exit: Label,
    ) -> Label {
        if let Some(again) = self.window(relation, columns, key, matches, exit) {
            return again;
        }
        let key = self.build_all(key, false);
        let domains = &self.program.relation(relation).domains;
        let layout = &mut self.code.layouts[relation.index()];
        let index = layout.index_on(domains, columns, &mut self.code.pool);
        let weights = layout.indexes[index].1.as_ref();
        let weights = weights.map(Radix::weights);
        let key = self.key(&key, weights.as_deref());
        let (table, cursor, index) = (self.table(relation), self.loops, index as u16);
        let (binds, found) = self.binds(matches);
        self.push(match weights {
            Some(_) => Instruction::Probe {
                table,
                index,
                cursor,
                key,
                binds,
                exit,
            },
            None => Instruction::ProbeHash {
                table,
                index,
                cursor,
                key,
                exit,
            },
        });
        let next = Instruction::ProbeNext {
            table,
            index,
            cursor,
            binds,
            exit,
        };
        self.turn(next, found)
    }

    /// A probe by the bits of a column, if that column alone is not known and its bits stand side by side.
    fn window(
        &mut self,
        relation: RelationId,
        columns: &[usize],
        key: &[Source],
        matches: &[(usize, Match)],
        exit: Label,
    ) -> Option<Label> {
        let members = self.code.layouts[relation.index()].members.as_ref()?;
        let (least, values) = members.least()?;
        let [(column, matching)] = matches else {
            return None;
        };
        if *column != least || values.is_empty() {
            return None;
        }
        let first = self.code.values.len() as u32;
        self.code.values.extend_from_slice(values);
        let values = Span {
            start: first,
            end: self.code.values.len() as u32,
        };
        let key = self.build_all(key, false);
        let (mut start, weights) = self.member_weights(relation)?;
        let known = columns.iter().map(|&column| weights[column]);
        let key = self.open_key(key.iter().zip(known), &mut start);
        let (cursor, register) = (self.loops, self.target_of(matching));
        self.push(Instruction::Window {
            start,
            key,
            cursor,
            values,
            register,
            exit,
        });
        let next = Instruction::WindowNext {
            cursor,
            values,
            register,
            exit,
        };
        Some(self.turn(next, vec![(register, matching)]))
    }

    fn ask(&mut self, call: u32, key: &[Source], matches: &[(usize, Match)], exit: Label) -> Label {
        let key = self.build_all(key, true);
        let key = self.values(&key);
        let cursor = self.loops;
        self.push(Instruction::Ask { call, cursor, key });
        let (binds, found) = self.binds(matches);
        let next = Instruction::AskNext {
            call,
            cursor,
            binds,
            exit,
        };
        self.turn(next, found)
    }

    /// Where the columns of a row go, and what they must match there.
    fn binds<'b>(&mut self, matches: &'b [(usize, Match)]) -> (Span, Vec<(u32, &'b Match)>) {
        let start = self.code.binds.len() as u32;
        let mut found = Vec::new();
        for (column, matching) in matches {
            let register = self.target_of(matching);
            let column = *column as u32;
            self.code.binds.push(Bind { column, register });
            found.push((register, matching));
        }
        let end = self.code.binds.len() as u32;
        (Span { start, end }, found)
    }

    /// The instruction that takes the next row, and the tests of what a row brings; the label of that instruction.
    fn turn(&mut self, next: Instruction, found: Vec<(u32, &Match)>) -> Label {
        let again = self.label();
        self.set(again);
        self.push(next);
        self.check(found, again);
        again
    }

    /// Where a value goes that is matched: to its variable, or to a register of its own.
    fn target_of(&mut self, matching: &Match) -> u32 {
        match matching {
            Match::Bind(register) => self.variable(*register),
            Match::Equal(_) | Match::Compound(..) => self.take(),
        }
    }

    /// Tests what was found and takes compound terms apart.
    fn check(&mut self, found: Vec<(u32, &Match)>, exit: Label) {
        let mut open = found;
        open.reverse();
        while let Some((register, matching)) = open.pop() {
            match matching {
                Match::Bind(_) => {}
                Match::Equal(source) => {
                    let right = self.build(source, false);
                    let right = self.register(&right);
                    self.push(Instruction::Same {
                        left: register,
                        right,
                        exit,
                    });
                }
                Match::Compound(function, args) => {
                    let registers: Vec<u32> = args.iter().map(|arg| self.target_of(arg)).collect();
                    let start = self.code.binds.len() as u32;
                    let binds = registers.iter().map(|&register| Bind {
                        column: 0,
                        register,
                    });
                    self.code.binds.extend(binds);
                    let end = self.code.binds.len() as u32;
                    self.push(Instruction::TakeApart {
                        value: register,
                        function: *function,
                        into: Span { start, end },
                        exit,
                    });
                    // Variables are bound in the order of the arguments, and may be compared later in it.
                    let parts = registers.into_iter().zip(args);
                    let at = open.len();
                    open.extend(parts);
                    open[at..].reverse();
                }
            }
        }
    }

    fn differ(&mut self, left: &Source, right: &Source, exit: Label) {
        let mut pairs = Vec::new();
        if !unequal_pairs(left, right, &mut pairs) {
            return;
        }
        let mut values = Vec::new();
        for (left, right) in pairs {
            values.push(self.build(left, false));
            values.push(self.build(right, false));
        }
        if let [left, right] = &values[..] {
            let (left, right) = (self.register(left), self.register(right));
            self.push(Instruction::Differ { left, right, exit });
            return;
        }
        let pairs = self.values(&values);
        self.push(Instruction::DifferSomewhere { pairs, exit });
    }

    /// Replaces compound terms by registers that hold them.
    fn build_all(&mut self, sources: &[Source], make: bool) -> Vec<Source> {
        let sources = sources.iter();
        sources.map(|source| self.build(source, make)).collect()
    }

    fn build(&mut self, source: &Source, make: bool) -> Source {
        let Source::Compound(function, args) = source else {
            return source.clone();
        };
        let args = self.build_all(args, make);
        let args = self.values(&args);
        let into = self.take();
        self.push(Instruction::Build {
            function: *function,
            args,
            into,
            make,
        });
        Source::Register((into as usize) - self.code.constants.len())
    }

    /// Where the bits of a relation start, and the weights of its columns, if it has bits.
    fn member_weights(&self, relation: RelationId) -> Option<(u32, Vec<Weights>)> {
        let members = self.code.layouts[relation.index()].members.as_ref()?;
        Some((members.start(), members.weights()))
    }

    /// The key of those values that are not constants; what the constants count is added to `start`.
    fn open_key<'b>(
        &mut self,
        row: impl Iterator<Item = (&'b Source, Weights)>,
        start: &mut u32,
    ) -> Span {
        let mut open = Vec::new();
        for (source, weights) in row {
            match source {
                Source::Constant(id) => *start += self.code.pool.weight(weights, *id),
                _ => open.push((source.clone(), weights)),
            }
        }
        let (row, weights): (Vec<Source>, Vec<Weights>) = open.into_iter().unzip();
        self.key(&row, Some(&weights))
    }

    fn values(&mut self, row: &[Source]) -> Span {
        self.key(row, None)
    }

    fn key(&mut self, row: &[Source], weights: Option<&[Weights]>) -> Span {
        let none = self.code.pool.add(Vec::new(), 0);
        let start = self.code.reads.len() as u32;
        for (number, source) in row.iter().enumerate() {
            let weights = weights.map_or(none, |weights| weights[number]);
            let register = self.register(source);
            self.code.reads.push(Read { register, weights });
        }
        let end = self.code.reads.len() as u32;
        Span { start, end }
    }

    fn register(&self, source: &Source) -> u32 {
        match source {
            Source::Constant(id) => self.constants.get(id).copied().unwrap_or(0),
            Source::Register(register) => self.variable(*register),
            // `build` leaves none of these.
            Source::Compound(..) => 0,
        }
    }

    fn variable(&self, register: usize) -> u32 {
        (self.code.constants.len() + register) as u32
    }

    /// A register for something between two instructions.
    fn take(&mut self) -> u32 {
        self.taken += 1;
        let register = self.first_free + self.taken - 1;
        self.code.registers = self.code.registers.max(register as usize + 1);
        register
    }

    fn table(&self, relation: RelationId) -> Table {
        match self.code.is_fixed[relation.index()] {
            true => Table::Fixed(relation.0),
            false => Table::Changing(relation.0),
        }
    }
}

/// Collects the pairs that differ somewhere if, and only if, the terms differ; false if they always do.
fn unequal_pairs<'a>(
    left: &'a Source,
    right: &'a Source,
    pairs: &mut Vec<(&'a Source, &'a Source)>,
) -> bool {
    match (left, right) {
        (Source::Compound(f, left), Source::Compound(g, right)) => {
            f == g
                && left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| unequal_pairs(left, right, pairs))
        }
        (Source::Constant(left), Source::Constant(right)) if left != right => false,
        (Source::Constant(_), Source::Compound(..))
        | (Source::Compound(..), Source::Constant(_)) => false,
        _ => {
            pairs.push((left, right));
            true
        }
    }
}

/// What is derived at the end of a chain that one rule alone goes through.
fn only_leaf(nodes: &[Node]) -> Option<&Accept> {
    match nodes {
        [Node::Accept(accept)] => Some(accept),
        [Node::Filter { then, .. }] => only_leaf(then),
        _ => None,
    }
}

fn contains_loop(nodes: &[Node]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Filter { filter, then, .. } => is_loop(filter) || contains_loop(then),
        Node::Accept(_) => false,
    })
}

fn is_loop(filter: &Filter) -> bool {
    matches!(
        filter,
        Filter::Step(Step::Scan { .. } | Step::Probe { .. } | Step::Call { .. })
    )
}
