//! From filter trees to instructions: which filter comes where, and where its failure goes.
//!
//! `values` reads and compares, `query` finds rows, `carry` copies whole relations.

mod carry;
mod query;
mod values;

use paidia_gdl::datalog::plan::{Source, Step};
use paidia_gdl::datalog::table::Table as Facts;
use paidia_gdl::program::RelationId;
use rustc_hash::FxHashMap;

use super::code::{Address, Code, Instruction, Mark, PLAIN, Read, Span, Table, Test};
use super::container::Container;
use super::layout::{View, Words};
use super::tree::{Accept, Filter, Node, Target, Tree};
use values::{Sort, Value};

/// A place in the code that is not known yet.
type Label = u32;

/// Writes instructions.
pub(super) struct Emitter<'a> {
    /// For each relation, its facts if they are the same in every state.
    facts: &'a [Facts],
    /// For each relation, whether it is asked for on demand.
    on_demand: Vec<bool>,
    pub(super) code: Code,
    words: Words,
    labels: Vec<Address>,
    /// For each constant that is read, its register.
    constants: FxHashMap<u32, u32>,
    /// For each variable, what its register holds.
    sorts: Vec<Sort>,
    /// Lists of rows that were made, by relation and columns.
    lists: FxHashMap<(u32, Vec<usize>), query::Lists>,
    /// The first register that no variable has.
    first_free: u32,
    /// Registers taken for the present filter.
    taken: u32,
    /// Loops around the present filter.
    loops: u16,
}

/// The filters around the present one: for each, where its failure goes, and whether one rule alone
/// goes through it.
type Path = Vec<(Label, bool)>;

impl<'a> Emitter<'a> {
    /// An emitter for code that knows its relations, constants and words, for trees with at most
    /// `registers` registers.
    pub(super) fn new(
        facts: &'a [Facts],
        on_demand: Vec<bool>,
        code: Code,
        words: Words,
        registers: usize,
    ) -> Self {
        let numbers = code.constants.iter().zip(0..);
        Self {
            facts,
            on_demand,
            words,
            labels: Vec::new(),
            constants: numbers.map(|(&id, number)| (id, number)).collect(),
            sorts: vec![Sort::Symbol; registers],
            lists: FxHashMap::default(),
            first_free: (code.constants.len() + registers) as u32,
            taken: 0,
            loops: 0,
            code,
        }
    }

    /// Puts the jumps right and gives the code away, with the facts of all states.
    pub(super) fn finish(mut self) -> Code {
        for instruction in &mut self.code.instructions {
            if let Some(target) = instruction.target_mut() {
                *target = self.labels[*target as usize];
            }
        }
        let code = &mut self.code;
        code.registers = code.registers.max(self.first_free as usize);
        code.bits = vec![0; self.words.taken() as usize];
        code.fixed = code.layouts.iter().map(Container::new).collect();
        for (index, facts) in self.facts.iter().enumerate() {
            let layout = &code.layouts[index];
            for row in facts.iter().filter(|_| code.is_fixed[index]) {
                match layout.views.is_empty() {
                    true => {
                        code.fixed[index].insert(layout, &code.tables, row.iter().copied());
                    }
                    false => {
                        layout.insert(&code.domains, &mut code.bits, row);
                    }
                }
            }
        }
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
        self.nodes(&tree.nodes, after, &mut Path::new());
    }

    fn nodes(&mut self, nodes: &[Node], after: Label, path: &mut Path) {
        if nodes.is_empty() {
            return self.push(Instruction::Jump { exit: after });
        }
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
                    path.push((next, *rules == 1));
                    let inner = self.filter(filter, next);
                    let loops = self.loops;
                    self.loops += u16::from(inner != next);
                    self.code.cursors = self.code.cursors.max(self.loops as usize);
                    self.nodes(then, inner, path);
                    self.loops = loops;
                    path.pop();
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
        let depth = path.len();
        let is_first = path.last().is_none_or(|&(_, alone)| !alone) || accept.once_from == depth;
        let searches = is_loop(filter) || contains_loop(then);
        let mut row = accept.row.iter();
        let simple = !row.any(|source| matches!(source, Source::Compound(..)));
        let Target::Relation(relation) = accept.target else {
            return;
        };
        if accept.once_from <= depth && is_first && searches && simple {
            self.taken = 0;
            let row = self.build_all(&accept.row, false);
            self.test(relation, &row, false, next);
        }
    }

    /// Tests whether a row is there, or is not.
    fn test(&mut self, relation: RelationId, row: &[Value], expected: bool, exit: Label) {
        let Some(view) = self.code.layouts[relation.index()].views.first().cloned() else {
            let row = self.symbols(row);
            let table = self.table(relation);
            self.push(Instruction::Find {
                table,
                row,
                expected,
                exit,
            });
            return;
        };
        let (start, row) = self.place(relation, &view, row);
        let test = Test { start, row, exit };
        self.push(match expected {
            true => Instruction::Holds(test),
            false => Instruction::Fails(test),
        });
    }

    /// The place of a row in a view.
    fn place(&mut self, relation: RelationId, view: &View, row: &[Value]) -> (u32, Span) {
        let columns: Vec<usize> = (0..row.len()).collect();
        self.place_of(relation, view, &columns, row)
    }

    /// The place of a row of which some columns are known, in a view.
    fn place_of(
        &mut self,
        relation: RelationId,
        view: &View,
        columns: &[usize],
        values: &[Value],
    ) -> (u32, Span) {
        let layout = &self.code.layouts[relation.index()];
        let domains = layout.domains.clone();
        let places = columns.iter().map(|&column| {
            let shift = view.digits[column].shift;
            (domains[column].unwrap_or(0), shift)
        });
        let places: Vec<(u32, u32)> = places.collect();
        self.count(view.start(), values, &places)
    }

    fn accept(&mut self, accept: &Accept, after: Label, path: &Path) {
        self.taken = 0;
        let mut nodes = path.iter().enumerate().skip(accept.once_from);
        let cut = nodes.find(|(_, (_, alone))| *alone);
        let next = cut.map_or(after, |(_, &(label, _))| label);
        let row = self.build_all(&accept.row, true);
        match accept.target {
            Target::Relation(relation) => self.derive(relation, &row, next),
            Target::Call(call) => {
                let row = self.symbols(&row);
                let call = call as u32;
                self.push(Instruction::Answer { call, row, next });
            }
        }
    }

    /// Derives a row, then goes on elsewhere.
    fn derive(&mut self, relation: RelationId, row: &[Value], next: Label) {
        let layout = &self.code.layouts[relation.index()];
        let fresh = layout.rounds.iter().map(|[_, fresh]| fresh);
        let views: Vec<View> = layout.views.iter().chain(fresh).cloned().collect();
        if views.is_empty() {
            let (relation, row) = (relation.0, self.symbols(row));
            self.push(Instruction::AcceptHash {
                relation,
                row,
                next,
            });
        }
        for (number, view) in views.iter().enumerate() {
            let (start, row) = self.place(relation, view, row);
            let mark = Mark {
                start,
                row,
                view: self.summarised(view),
                next,
            };
            self.push(match number + 1 == views.len() {
                true => Instruction::Accept(mark),
                false => Instruction::Mark(mark),
            });
        }
    }

    /// The number of a view with a summary.
    fn summarised(&mut self, view: &View) -> u32 {
        let Some(summarised) = view.summarised() else {
            return PLAIN;
        };
        let mut views = self.code.views.iter();
        let known = views.position(|other| other.first == summarised.first);
        let number = known.unwrap_or_else(|| {
            self.code.views.push(summarised);
            self.code.views.len() - 1
        });
        number as u32
    }

    /// The instructions of a filter; where what is below it goes on when it is through.
    fn filter(&mut self, filter: &Filter, exit: Label) -> Label {
        self.taken = 0;
        match filter {
            Filter::Step(step) => self.step(step, exit),
            Filter::Within(register, values) => {
                self.within(*register, values, exit);
                exit
            }
            Filter::Enter(matches) => {
                let mut found = Vec::new();
                for (number, matching) in matches.iter().enumerate() {
                    let into = self.target_of(matching, Sort::Symbol);
                    let number = number as u32;
                    self.push(Instruction::Argument { number, into });
                    found.push((Value::Register(into, Sort::Symbol), matching));
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
            } => return self.scan(*relation, *newest, matches, exit),
            Step::Probe {
                relation,
                columns,
                key,
                matches,
                ..
            } => return self.probe(*relation, columns, key, matches, exit),
            Step::Call { call, key, matches } => {
                return self.ask(*call as u32, key, matches, exit);
            }
            Step::CallTest {
                call,
                row,
                expected,
            } => {
                let row = self.build_all(row, true);
                let row = self.symbols(&row);
                self.push(Instruction::AskWhether {
                    call: *call as u32,
                    row,
                    expected: *expected,
                    exit,
                });
            }
            Step::Test {
                relation,
                row,
                expected,
            } => {
                let row = self.build_all(row, false);
                self.test(*relation, &row, *expected, exit);
            }
            Step::Differ(left, right) => self.differ(left, right, exit),
            Step::Plain(source) => {
                let value = self.build(source, false);
                // What has a digit is a constant.
                if !matches!(value, Value::Register(_, Sort::Digit(_))) {
                    let value = self.symbol(value);
                    self.push(Instruction::Plain { value, exit });
                }
            }
        }
        exit
    }

    fn table(&self, relation: RelationId) -> Table {
        match self.code.is_fixed[relation.index()] {
            true => Table::Fixed(relation.0),
            false => Table::Changing(relation.0),
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
