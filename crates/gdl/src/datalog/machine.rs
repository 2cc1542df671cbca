//! Running plans over tables.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;

use super::calls::Calling;
use super::plan::{Calls, ComponentPlan, Match, Plan, Source, Step};
use super::table::{NONE, Table};
use super::terms::{NoRoom, TermId, Terms};
use crate::program::{Program, RelationId, Term};

/// The clock is read when the step count has none of these bits.
const CLOCK_MASK: u64 = (1 << 16) - 1;

/// How much a machine may do and keep.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Rows looked at between two calls of [`Machine::restart_count`].
    pub steps: u64,
    /// Rows kept in all tables together.
    pub rows: u64,
    /// Compound terms.
    pub terms: u32,
    /// Look-ups within each other: the literals of a rule, and those of the rules that answer its
    /// questions on demand.
    pub depth: usize,
}

impl Limits {
    /// As many look-ups within each other as fit a thread's usual stack of 2 MB, with as much room
    /// to spare.
    pub const DEPTH: usize = 6_000;
}

/// What ran out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// [`Limits::steps`].
    Steps,
    /// [`Limits::rows`].
    Rows,
    /// [`Limits::terms`].
    Terms,
    /// [`MAX_LEVELS`](super::terms::MAX_LEVELS) of a term.
    Levels,
    /// [`Limits::depth`].
    Depth,
    /// The time set with [`Machine::limit_time`].
    Time,
}

impl From<NoRoom> for Exhausted {
    fn from(reason: NoRoom) -> Self {
        match reason {
            NoRoom::Terms => Exhausted::Terms,
            NoRoom::Levels => Exhausted::Levels,
        }
    }
}

/// Tables of facts with the memory to derive more.
#[derive(Clone, Debug)]
pub struct Machine {
    /// One table a relation.
    pub tables: Vec<Table>,
    /// The terms in them.
    pub terms: Terms,
    pub(super) limits: Limits,
    /// The CPU time of this thread at which to stop.
    deadline: Option<Duration>,
    steps: u64,
    pub(super) rows: u64,
    pub(super) exhausted: Option<Exhausted>,
    pub(super) registers: Vec<TermId>,
    /// Where the registers of the plan that runs now start.
    pub(super) frame: usize,
    pub(super) scratch: Vec<TermId>,
    pub(super) calling: Calling,
    /// How many look-ups the rules that run now can be within each other.
    depth: usize,
    /// Solutions of a plan that collects them.
    collected: Vec<TermId>,
    found: usize,
    /// For each relation, the rows that count as newest.
    newest: Vec<(u32, u32)>,
}

impl Machine {
    /// A machine with empty tables for a program's relations.
    pub fn new(program: &Program, limits: Limits) -> Self {
        Self {
            tables: program
                .relations
                .iter()
                .map(|relation| Table::new(relation.arity))
                .collect(),
            terms: Terms::new(&program.symbols, limits.terms),
            limits,
            deadline: None,
            steps: 0,
            rows: 0,
            exhausted: None,
            registers: Vec::new(),
            frame: 0,
            calling: Calling::default(),
            depth: 0,
            scratch: Vec::new(),
            collected: Vec::new(),
            found: 0,
            newest: vec![(0, 0); program.relations.len()],
        }
    }

    /// Makes the indexes that a plan needs and room for its variables.
    pub fn prepare(&mut self, plan: &mut ComponentPlan) {
        for plan in plan.full.iter_mut().chain(&mut plan.deltas) {
            self.prepare_plan(plan);
        }
    }

    /// Makes relations available on demand; what was derived on demand before is forgotten.
    pub fn prepare_calls(
        &mut self,
        mut calls: Calls,
        arity: impl Fn(RelationId) -> usize,
        changing: &[RelationId],
    ) {
        for call in &mut calls.all {
            for plan in &mut call.plans {
                self.prepare_plan(plan);
            }
        }
        self.calling = Calling::new(Arc::new(calls), arity, changing);
    }

    /// Forgets what was derived on demand of the changing relations.
    pub fn forget_calls(&mut self) {
        self.calling.forget();
    }

    /// Rows looked at since the last [`Self::restart_count`].
    pub fn steps(&self) -> u64 {
        self.steps
    }

    fn prepare_plan(&mut self, plan: &mut Plan) {
        plan.resolve_indexes(|relation, columns| self.tables[relation.index()].index_on(columns));
    }

    /// Changes how much may be done and kept.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Sets how much CPU time of this thread may pass from `start` on until nothing is derived any
    /// more.
    pub fn limit_time(&mut self, start: ThreadTime, limit: Duration) {
        self.deadline = Some(start.as_duration() + limit);
    }

    /// What ran out since the last [`Self::restart_count`], if anything did; from then on nothing
    /// is derived.
    pub fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted
    }

    /// Starts a new count of steps and rows; `rows` are there already.
    pub fn restart_count(&mut self, rows: u64) {
        self.steps = 0;
        self.rows = rows;
        self.exhausted = None;
    }

    /// Adds a fact; whether it was new.
    pub fn insert(&mut self, relation: RelationId, row: &[TermId]) -> bool {
        let new = self.tables[relation.index()].insert(row);
        self.rows += u64::from(new);
        if self.rows > self.limits.rows {
            self.exhausted = Some(Exhausted::Rows);
        }
        new
    }

    /// Derives all facts of a component; those that it depends on must be there.
    pub fn evaluate(&mut self, plan: &ComponentPlan) {
        for &head in &plan.heads {
            self.newest[head.index()] = (0, 0);
        }
        for rule in &plan.full {
            self.run(rule);
        }
        if plan.deltas.is_empty() {
            return;
        }
        while self.exhausted.is_none() && self.advance_newest(&plan.heads) {
            for rule in &plan.deltas {
                self.run(rule);
            }
        }
    }

    /// Makes the rows that were added since the last call the newest; whether there are any.
    fn advance_newest(&mut self, heads: &[RelationId]) -> bool {
        let mut any = false;
        for &head in heads {
            let newest = &mut self.newest[head.index()];
            *newest = (newest.1, self.tables[head.index()].len());
            any |= newest.0 < newest.1;
        }
        any
    }

    fn run(&mut self, plan: &Plan) {
        if self.registers.len() < plan.registers {
            self.registers.resize(plan.registers, 0);
        }
        self.nest(plan, 0);
    }

    /// Runs a plan within those that run, if there is room for its look-ups and as many frames
    /// besides.
    pub(super) fn nest(&mut self, plan: &Plan, frames: usize) {
        let outer = self.depth;
        self.depth += plan.steps.len() + frames;
        if self.depth > self.limits.depth {
            self.exhausted = Some(Exhausted::Depth);
        } else {
            self.solve(plan, 0);
        }
        self.depth = outer;
    }

    /// Runs the steps from `depth` on; whether they succeeded at least once.
    pub(super) fn solve(&mut self, plan: &Plan, depth: usize) -> bool {
        if depth == plan.once_from && depth < plan.steps.len() && self.is_known_head(plan) {
            return true;
        }
        let Some(step) = plan.steps.get(depth) else {
            return self.emit(plan);
        };
        match step {
            Step::Test {
                relation,
                row,
                expected,
            } => self.holds(*relation, row) == *expected && self.solve(plan, depth + 1),
            Step::Differ(left, right) => {
                let differ = match (self.value(left), self.value(right)) {
                    (Some(left), Some(right)) => left != right,
                    // A term that no fact contains: it differs unless the other is the same new
                    // term.
                    _ => !self.same_structure(left, right),
                };
                differ && self.solve(plan, depth + 1)
            }
            Step::CallTest {
                call,
                row,
                expected,
            } => {
                self.call_holds(*call, row) == *expected
                    && self.exhausted.is_none()
                    && self.solve(plan, depth + 1)
            }
            Step::Call { call, key, matches } => self.call_rows(plan, depth, *call, key, matches),
            Step::Plain(source) => {
                let value = self.value(source);
                value.is_some_and(|id| self.terms.parts(id).is_none())
                    && self.solve(plan, depth + 1)
            }
            Step::Scan {
                relation,
                newest,
                matches,
            } => self.scan(plan, depth, *relation, *newest, matches),
            Step::Probe {
                relation,
                index,
                key,
                matches,
                ..
            } => self.probe(plan, depth, *relation, *index, key, matches),
        }
    }

    fn scan(
        &mut self,
        plan: &Plan,
        depth: usize,
        relation: RelationId,
        newest: bool,
        matches: &[(usize, Match)],
    ) -> bool {
        let (from, to) = match newest {
            true => self.newest[relation.index()],
            false => (0, self.tables[relation.index()].len()),
        };
        let mut success = false;
        for row in from..to {
            if self.row_matches(matches, |machine, column| {
                machine.tables[relation.index()].value(row, column)
            }) && self.solve(plan, depth + 1)
            {
                success = true;
                if depth >= plan.once_from {
                    return true;
                }
            }
            if self.exhausted.is_some() {
                return false;
            }
        }
        success
    }

    fn probe(
        &mut self,
        plan: &Plan,
        depth: usize,
        relation: RelationId,
        index: usize,
        key: &[Source],
        matches: &[(usize, Match)],
    ) -> bool {
        let base = self.scratch.len();
        if !self.push_values(key) {
            return false;
        }
        let mut row = self.tables[relation.index()].first(index, &self.scratch[base..]);
        self.scratch.truncate(base);
        let mut success = false;
        while row != NONE {
            if self.row_matches(matches, |machine, column| {
                machine.tables[relation.index()].value(row, column)
            }) && self.solve(plan, depth + 1)
            {
                success = true;
                if depth >= plan.once_from {
                    return true;
                }
            }
            if self.exhausted.is_some() {
                return false;
            }
            row = self.tables[relation.index()].next(index, row);
        }
        success
    }

    /// Counts a step; false if it was one too many.
    #[inline]
    pub(super) fn may_step(&mut self) -> bool {
        self.steps += 1;
        if self.steps > self.limits.steps {
            self.exhausted = Some(Exhausted::Steps);
        }
        if self.steps & CLOCK_MASK == 0
            && self
                .deadline
                .is_some_and(|deadline| ThreadTime::now().as_duration() > deadline)
        {
            self.exhausted = Some(Exhausted::Time);
        }
        self.exhausted.is_none()
    }

    #[inline]
    pub(super) fn row_matches(
        &mut self,
        matches: &[(usize, Match)],
        value: impl Fn(&Self, usize) -> TermId,
    ) -> bool {
        self.may_step()
            && matches.iter().all(|(column, matching)| {
                let value = value(self, *column);
                self.value_matches(value, matching)
            })
    }

    #[inline]
    pub(super) fn value_matches(&mut self, value: TermId, matching: &Match) -> bool {
        match matching {
            Match::Bind(register) => {
                self.registers[self.frame + *register] = value;
                true
            }
            Match::Equal(source) => self.value(source) == Some(value),
            Match::Compound(functor, args) => self.parts_match(value, *functor, args),
        }
    }

    fn parts_match(&mut self, value: TermId, functor: u32, args: &[Match]) -> bool {
        let Some(parts) = self.terms.parts(value) else {
            return false;
        };
        if parts[0] != functor || parts.len() != args.len() + 1 {
            return false;
        }
        (0..args.len()).all(|place| match self.terms.parts(value) {
            Some(parts) => {
                let part = parts[place + 1];
                self.value_matches(part, &args[place])
            }
            None => false,
        })
    }

    /// The term of a source, unless no fact can contain it because it was never built.
    #[inline]
    fn value(&mut self, source: &Source) -> Option<TermId> {
        match source {
            Source::Constant(id) => Some(*id),
            Source::Register(register) => Some(self.registers[self.frame + *register]),
            Source::Compound(functor, args) => self.compound(*functor, args, false),
        }
    }

    fn compound(&mut self, functor: u32, args: &[Source], create: bool) -> Option<TermId> {
        let base = self.scratch.len();
        self.scratch.push(functor);
        for arg in args {
            let value = match arg {
                Source::Compound(functor, args) if create => self.compound(*functor, args, true),
                other => self.value(other),
            };
            let Some(value) = value else {
                self.scratch.truncate(base);
                return None;
            };
            self.scratch.push(value);
        }
        let found = match create {
            true => match self.terms.intern(&self.scratch[base..]) {
                Ok(id) => Some(id),
                Err(reason) => {
                    self.exhausted = Some(reason.into());
                    None
                }
            },
            false => self.terms.find(&self.scratch[base..]),
        };
        self.scratch.truncate(base);
        found
    }

    /// Whether two sources are equal part by part, whether or not their terms were ever built.
    fn same_structure(&mut self, left: &Source, right: &Source) -> bool {
        match (left, right) {
            (Source::Compound(f, left), Source::Compound(g, right)) => {
                f == g
                    && left.len() == right.len()
                    && left
                        .iter()
                        .zip(right)
                        .all(|(left, right)| self.same_structure(left, right))
            }
            // One is a term that exists: the other is the same only if it exists, too.
            _ => match (self.value(left), self.value(right)) {
                (Some(left), Some(right)) => left == right,
                _ => false,
            },
        }
    }

    /// Pushes the values to the scratch memory; false, with nothing pushed, if one does not exist.
    #[inline]
    pub(super) fn push_values(&mut self, sources: &[Source]) -> bool {
        let base = self.scratch.len();
        for source in sources {
            let Some(value) = self.value(source) else {
                self.scratch.truncate(base);
                return false;
            };
            self.scratch.push(value);
        }
        true
    }

    /// Pushes the values to the scratch memory, making terms that were never built; false, with
    /// nothing pushed, if there is no room for them.
    pub(super) fn push_new_values(&mut self, sources: &[Source]) -> bool {
        let base = self.scratch.len();
        for source in sources {
            let value = match source {
                Source::Compound(functor, args) => self.compound(*functor, args, true),
                other => self.value(other),
            };
            let Some(value) = value else {
                self.scratch.truncate(base);
                return false;
            };
            self.scratch.push(value);
        }
        true
    }

    fn holds(&mut self, relation: RelationId, row: &[Source]) -> bool {
        let base = self.scratch.len();
        let known = self.push_values(row);
        let holds = known && self.tables[relation.index()].contains(&self.scratch[base..]);
        self.scratch.truncate(base);
        holds
    }

    fn is_known_head(&mut self, plan: &Plan) -> bool {
        let base = self.scratch.len();
        let known = self.push_values(&plan.head_args);
        let table = match self.calling.running() {
            Some(answers) => answers,
            None => &mut self.tables[plan.head.index()],
        };
        let holds = known && table.contains(&self.scratch[base..]);
        self.scratch.truncate(base);
        holds
    }

    /// All solutions of a plan made by [`super::plan::plan_solutions`]: the values of its rule's
    /// variables, one after the other.
    ///
    /// Every solution counts as a row towards the limits. The memory may be given back with
    /// [`Self::recycle`].
    pub fn solutions(&mut self, plan: &mut Plan) -> Vec<TermId> {
        self.prepare_plan(plan);
        self.found = 0;
        self.run(plan);
        std::mem::take(&mut self.collected)
    }

    /// How many solutions the last call of [`Self::solutions`] found; they may have no values to
    /// count them by.
    pub fn last_solutions(&self) -> usize {
        self.found
    }

    /// The ways in which relations can be asked for on demand.
    pub fn calls(&self) -> Arc<Calls> {
        self.calling.calls()
    }

    /// Takes back the memory of solutions.
    pub fn recycle(&mut self, mut solutions: Vec<TermId>) {
        solutions.clear();
        self.collected = solutions;
    }

    /// The row of an atom's arguments under a solution; `None` if a compound term in it is in no
    /// fact.
    pub fn instance(
        &self,
        args: &[Term],
        solution: &[TermId],
        row: &mut Vec<TermId>,
    ) -> Option<()> {
        row.clear();
        for arg in args {
            row.push(self.instance_of(arg, solution)?);
        }
        Some(())
    }

    fn instance_of(&self, term: &Term, solution: &[TermId]) -> Option<TermId> {
        match term {
            Term::Variable(variable) => Some(solution[*variable]),
            Term::Constant(symbol) => Some(symbol.0),
            Term::Compound(functor, args) => {
                let mut parts = vec![functor.0];
                for arg in args {
                    parts.push(self.instance_of(arg, solution)?);
                }
                self.terms.find(&parts)
            }
        }
    }

    fn collect(&mut self, plan: &Plan) -> bool {
        self.collected
            .extend_from_slice(&self.registers[..plan.registers]);
        self.found += 1;
        self.rows += 1;
        if self.rows > self.limits.rows {
            self.exhausted = Some(Exhausted::Rows);
        }
        true
    }

    /// Adds the head of a plan whose body holds, to the answers of the call that runs or else to
    /// its relation.
    fn emit(&mut self, plan: &Plan) -> bool {
        if plan.collects {
            return self.collect(plan);
        }
        let base = self.scratch.len();
        if !self.push_new_values(&plan.head_args) {
            return false;
        }
        let table = match self.calling.running() {
            Some(answers) => answers,
            None => &mut self.tables[plan.head.index()],
        };
        if table.insert(&self.scratch[base..]) {
            self.rows += 1;
            if self.rows > self.limits.rows {
                self.exhausted = Some(Exhausted::Rows);
            }
        }
        self.scratch.truncate(base);
        true
    }
}
