//! Rules without variables: every rule instance that can ever matter.
//!
//! Four steps. `unfold` and [`decompose`] cuts long bodies into chains of small joins, so that cost
//! follows the width of a body and not its number of variables. Facts that hold in every state are
//! derived and from then on only filter. Then the atoms that can ever be true are over-approximated
//! by a semi-naive run in which every fluent that can become true stays so, every move that can be
//! legal is made, and negation (of what changes) holds. At last every rule is instantiated over
//! those atoms.
//!
//! Grounding has a [`Budget`]. Over budget is an ordinary answer, with figures.

mod asked;
pub mod decompose;
mod open;
mod reach;
mod unfold;

use std::fmt;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::analysis::{Dependencies, Dynamics};
use crate::datalog::plan::{Plan, plan_solutions};
use crate::datalog::{Calls, Estimates, Exhausted, Fixed, Limits, Machine, Table, fixed};
use crate::keyword::Keyword;
use crate::program::{Atom, Literal, Program, RelationId, RelationKind, Rule};
use asked::AskingProgram;
use reach::Reach;

/// Relations are found as a whole as long as there are no more atoms than this; then those that
/// are large are found as far as they are asked for.
const WHOLE_ATOMS: u64 = 2_200_000;

/// How much grounding may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// CPU time of the thread that grounds.
    pub time: Duration,
    /// Atoms, and facts that hold in every state.
    pub atoms: u64,
    /// Rule instances.
    pub rules: u64,
    /// Literals in all rule instances, which is what takes memory: four bytes each.
    pub literals: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            // A game without a network is to be loaded within ten seconds all the same.
            time: Duration::from_secs(9),
            atoms: 4_000_000,
            rules: 20_000_000,
            literals: 100_000_000,
        }
    }
}

/// Why there is no ground program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OverBudget {
    /// What ran out.
    pub what: &'static str,
    /// Atoms found by then.
    pub atoms: u64,
    /// Rule instances made by then.
    pub rules: u64,
    /// Milliseconds of CPU time spent.
    pub milliseconds: u64,
}

impl fmt::Display for OverBudget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OverBudget {
            what,
            atoms,
            rules,
            milliseconds,
        } = self;
        write!(
            formatter,
            "grounding ran out of {what} with {atoms} atoms and {rules} rules after {milliseconds} ms"
        )
    }
}

impl std::error::Error for OverBudget {}

/// Rule instances between two looks at the clock.
const BETWEEN_LOOKS: usize = 1 << 12;

/// An atom of a [`GroundProgram`].
pub type AtomId = u32;

/// A literal of a ground rule: an atom that must hold, or must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    /// The atom holds, or (if `fails`) does not.
    pub fn new(atom: AtomId, fails: bool) -> Self {
        Self(atom << 1 | u32::from(fails))
    }

    /// The atom.
    pub fn atom(self) -> AtomId {
        self.0 >> 1
    }

    /// Whether the atom must not hold.
    pub fn fails(self) -> bool {
        self.0 & 1 == 1
    }
}

/// Rules without variables over the atoms that can ever be true.
#[derive(Debug)]
pub struct GroundProgram {
    /// The program that was grounded, decomposed, with relations on demand where it needs them.
    pub program: Program,
    /// For each relation, whether its facts change from state to state; atoms are of those
    /// relations only.
    pub changing: Vec<bool>,
    /// The atoms that can be true, as rows of tables, and the facts of relations that do not
    /// change.
    machine: Machine,
    /// For each relation, the one in whose table its rows are: `next` shares that of `true`,
    /// `legal` that of `does`.
    alias: Vec<RelationId>,
    /// For each relation, the id of its first atom.
    first: Vec<AtomId>,
    /// How many atoms there are.
    pub atoms: usize,
    /// For each rule instance, its head; instances with the same head follow each other.
    pub heads: Vec<AtomId>,
    /// For each atom, its first rule instance; one more entry than there are atoms.
    starts: Vec<u32>,
    /// For each rule instance, where its body ends in `literals`; it starts where the one before
    /// ends.
    ends: Vec<u32>,
    literals: Vec<GroundLiteral>,
}

/// Grounds a program.
///
/// # Errors
/// If that takes more than the budget.
pub fn ground(program: &Program, budget: Budget) -> Result<GroundProgram, OverBudget> {
    let start = ThreadTime::now();
    in_time(start, budget, 0)?;
    let program = decompose::decompose(&unfold::unfold(open::open(program.clone())));
    let whole = Grounder::new(AskingProgram::whole(program), start, budget)?;
    let first = budget.atoms.min(WHOLE_ATOMS);
    let (mut reach, mut stopped) = whole.reach(first);
    if stopped == Some(Exhausted::Rows) {
        let asking = whole.asking(&reach);
        drop(reach);
        if let Some(asking) = asking {
            let grounder = Grounder::new(asking, start, budget)?;
            let (reach, stopped) = grounder.reach(budget.atoms);
            return grounder.finish(reach, stopped);
        }
        (reach, stopped) = whole.reach(budget.atoms);
    }
    whole.finish(reach, stopped)
}

/// A program on its way to ground rules.
struct Grounder {
    asking: AskingProgram,
    /// The dependencies of all its rules.
    dependencies: Dependencies,
    /// For each relation, what its facts can change with, whatever is asked.
    dynamics: Vec<Dynamics>,
    fixed: Fixed,
    /// The relations that are evaluated on demand because they are too large as a whole and never
    /// change.
    calls: Calls,
    start: ThreadTime,
    budget: Budget,
}

impl Grounder {
    /// Derives what never changes.
    fn new(asking: AskingProgram, start: ThreadTime, budget: Budget) -> Result<Self, OverBudget> {
        let dependencies = Dependencies::new(&asking.program);
        let program = asking.without_questions();
        let meant = Dependencies::new(&program);
        let limits = limits(budget.atoms);
        let whole = Limits {
            steps: 20_000_000,
            rows: budget.atoms.min(600_000),
            ..limits
        };
        let mut fixed = Fixed::derive(&program, &meant, whole)
            .map_err(|exhausted| over(start, exhausted, 0, 0))?;
        in_time(start, budget, 0)?;
        fixed.machine.limit_time(start, budget.time);
        Ok(Self {
            calls: fixed.calls(&program, &meant),
            dynamics: meant.dynamics,
            asking,
            dependencies,
            fixed,
            start,
            budget,
        })
    }

    /// Finds what can ever be true, and asked, in this much room; why it stopped early, if it did.
    fn reach(&self, atoms: u64) -> (Reach, Option<Exhausted>) {
        let is_found: Vec<bool> = (0..self.dynamics.len())
            .map(|index| self.changes(index) || self.asking.is_asked[index])
            .collect();
        let mut reach = Reach::new(
            &self.asking.program,
            &self.dependencies,
            &self.fixed,
            self.calls.clone(),
            &is_found,
        );
        let stopped = reach.run(limits(atoms)).err();
        (reach, stopped)
    }

    fn changes(&self, relation: usize) -> bool {
        self.dynamics[relation] != Dynamics::Static && !self.asking.is_asked[relation]
    }

    /// The same program asking for what was large.
    fn asking(&self, reach: &Reach) -> Option<AskingProgram> {
        let estimates = &self.fixed.estimates;
        AskingProgram::new(&self.asking.program, &self.dependencies, estimates, reach)
    }

    /// Instantiates the rules.
    fn finish(self, reach: Reach, stopped: Option<Exhausted>) -> Result<GroundProgram, OverBudget> {
        if let Some(exhausted) = stopped {
            return Err(over(self.start, exhausted, reach.atoms(), 0));
        }
        in_time(self.start, self.budget, reach.atoms())?;
        let changing = (0..self.dynamics.len()).map(|index| self.changes(index));
        let changing = changing.collect();
        let mut ground = GroundProgram::new(self.asking.program, changing, reach);
        let has_time = || self.start.elapsed() < self.budget.time;
        let outcome = ground.instantiate(&self.dependencies, self.budget, &has_time);
        outcome.map_err(|what| OverBudget {
            what,
            atoms: ground.atoms as u64,
            rules: ground.heads.len() as u64,
            milliseconds: self.start.elapsed().as_millis() as u64,
        })?;
        Ok(ground)
    }
}

fn limits(rows: u64) -> Limits {
    Limits {
        steps: u64::MAX,
        rows,
        terms: 4_000_000,
        depth: Limits::DEPTH,
    }
}

/// Whether there is time left: the machine looks at the clock seldom, and what is done between its
/// runs does not.
fn in_time(start: ThreadTime, budget: Budget, atoms: u64) -> Result<(), OverBudget> {
    match start.elapsed() < budget.time {
        true => Ok(()),
        false => Err(over(start, Exhausted::Time, atoms, 0)),
    }
}

fn over(start: ThreadTime, exhausted: Exhausted, atoms: u64, rules: u64) -> OverBudget {
    OverBudget {
        what: match exhausted {
            Exhausted::Steps | Exhausted::Time => "time",
            Exhausted::Rows | Exhausted::Terms => "room for atoms",
            Exhausted::Levels => "levels in one term",
            Exhausted::Depth => "room for look-ups within look-ups",
        },
        atoms,
        rules,
        milliseconds: start.elapsed().as_millis() as u64,
    }
}

impl GroundProgram {
    fn new(program: Program, changing: Vec<bool>, reach: Reach) -> Self {
        let (machine, alias) = reach.into_tables();
        let mut this = Self {
            first: Vec::with_capacity(program.relations.len()),
            atoms: 0,
            heads: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
            literals: Vec::new(),
            program,
            changing,
            machine,
            alias,
        };
        for index in 0..this.program.relations.len() {
            this.first.push(this.atoms as AtomId);
            if this.changing[index] {
                this.atoms += this.machine.tables[this.alias[index].index()].len() as usize;
            }
        }
        this
    }

    /// The atoms (for a relation that does not change: the facts) of a relation.
    pub fn table(&self, relation: RelationId) -> &Table {
        &self.machine.tables[self.alias[relation.index()].index()]
    }

    /// The atom of a row of [`Self::table`], if the relation changes.
    pub fn atom(&self, relation: RelationId, row: u32) -> Option<AtomId> {
        self.changing[relation.index()].then(|| self.first[relation.index()] + row)
    }

    /// Whether a fact of a relation that does not change holds.
    pub fn always_holds(&self, relation: RelationId, row: &[u32]) -> bool {
        !self.changing[relation.index()] && self.machine.tables[relation.index()].contains(row)
    }

    /// The facts that hold in every state, or at the start, of a relation that does not change.
    pub fn facts(&self, relation: RelationId) -> &Table {
        &self.machine.tables[relation.index()]
    }

    /// The rule instances that derive an atom.
    pub fn rules_of(&self, atom: AtomId) -> std::ops::Range<usize> {
        self.starts[atom as usize] as usize..self.starts[atom as usize + 1] as usize
    }

    /// All literals in the bodies of the rule instances that derive an atom.
    pub fn literals_of(&self, atom: AtomId) -> &[GroundLiteral] {
        let rules = self.rules_of(atom);
        let start = rules
            .start
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        let end = rules
            .end
            .checked_sub(1)
            .map_or(0, |last| self.ends[last] as usize);
        &self.literals[start..end.max(start)]
    }

    /// The body of a rule instance.
    pub fn body(&self, rule: usize) -> &[GroundLiteral] {
        let start = rule
            .checked_sub(1)
            .map_or(0, |before| self.ends[before] as usize);
        &self.literals[start..self.ends[rule] as usize]
    }

    /// How many literals all bodies have together.
    pub fn literals(&self) -> usize {
        self.literals.len()
    }

    /// Writes the arguments of a row, with the function that they belong to.
    pub fn write_row(&self, functor: Option<crate::Symbol>, row: &[u32], into: &mut String) {
        self.machine
            .terms
            .write_row(functor, row, &self.program.symbols, into);
    }

    /// The relation of an atom, and its row.
    pub fn place(&self, atom: AtomId) -> (RelationId, u32) {
        let relation = self.first.partition_point(|&first| first <= atom) - 1;
        (RelationId(relation as u32), atom - self.first[relation])
    }

    /// Instantiates every rule that the game needs.
    fn instantiate(
        &mut self,
        dependencies: &Dependencies,
        budget: Budget,
        has_time: &dyn Fn() -> bool,
    ) -> Result<(), &'static str> {
        let limits = Limits {
            steps: u64::MAX,
            rows: budget.rules,
            terms: u32::MAX,
            depth: Limits::DEPTH,
        };
        self.machine.set_limits(limits);
        self.machine.restart_count(0);
        for (rule, mut plan) in self.plans(dependencies) {
            self.instantiate_rule(&rule, &mut plan, budget, has_time)?;
        }
        self.sort_by_head();
        Ok(())
    }

    fn sort_by_head(&mut self) {
        let mut starts = vec![0u32; self.atoms + 1];
        self.heads
            .iter()
            .for_each(|&head| starts[head as usize + 1] += 1);
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut order = vec![0u32; self.heads.len()];
        let mut places = starts.clone();
        for (rule, &head) in self.heads.iter().enumerate() {
            order[places[head as usize] as usize] = rule as u32;
            places[head as usize] += 1;
        }
        let mut literals = Vec::with_capacity(self.literals.len());
        let mut ends = Vec::with_capacity(self.ends.len());
        for &rule in &order {
            literals.extend_from_slice(self.body(rule as usize));
            ends.push(literals.len() as u32);
        }
        self.heads = order
            .iter()
            .map(|&rule| self.heads[rule as usize])
            .collect();
        (self.literals, self.ends, self.starts) = (literals, ends, starts);
    }

    /// Plans that find the instances of every rule that the game needs.
    fn plans(&mut self, dependencies: &Dependencies) -> Vec<(Rule, Plan)> {
        let estimates = self.measured();
        let mut calls = reach::calls_of(&self.machine);
        let mut plans = Vec::new();
        for component in dependencies.cone(&self.program, outputs(&self.program)) {
            for &index in &dependencies.components[component].rules {
                let rule = &self.program.rules[index];
                if self.changing[rule.head.relation.index()] {
                    let relaxed = reach::relaxed(rule, &self.changing, &self.alias);
                    let plan = plan_solutions(&relaxed, index, &estimates, &mut calls);
                    plans.push((rule.clone(), plan));
                }
            }
        }
        calls.finish(&self.program, &dependencies.rules_of, &estimates);
        let program = &self.program;
        self.machine
            .prepare_calls(calls, |relation| program.relation(relation).arity, &[]);
        plans
    }

    fn measured(&self) -> Estimates {
        let mut estimates = fixed::guess(&self.program);
        for index in 0..self.program.relations.len() {
            let (rows, values) = fixed::count(&self.machine, self.alias[index]);
            // The tables of relations on demand stay empty, which says nothing about their size.
            if rows > 0.0 || self.changing[index] {
                estimates.rows[index] = rows;
                estimates.values[index] = values;
            }
        }
        estimates
    }

    fn instantiate_rule(
        &mut self,
        rule: &Rule,
        plan: &mut Plan,
        budget: Budget,
        has_time: &dyn Fn() -> bool,
    ) -> Result<(), &'static str> {
        let solutions = self.machine.solutions(plan);
        match self.machine.exhausted() {
            Some(Exhausted::Rows) => return Err("room for rules"),
            Some(_) => return Err("time"),
            None => {}
        }
        let (width, mut row) = (rule.variables, Vec::new());
        let count = self.machine.last_solutions();
        for number in 0..count {
            self.add_instance(
                rule,
                &solutions[number * width..(number + 1) * width],
                &mut row,
            );
            if self.literals.len() as u64 > budget.literals {
                return Err("memory for rules");
            }
            if number % BETWEEN_LOOKS == 0 && !has_time() {
                return Err("time");
            }
        }
        self.machine.recycle(solutions);
        Ok(())
    }

    fn add_instance(&mut self, rule: &Rule, solution: &[u32], row: &mut Vec<u32>) {
        let start = self.literals.len();
        for literal in &rule.body {
            let (atom, fails) = match literal {
                Literal::Holds(atom) => (atom, false),
                Literal::Fails(atom) => (atom, true),
                Literal::Distinct(..) | Literal::Plain(_) => continue,
            };
            if !self.changing[atom.relation.index()] {
                continue;
            }
            match self.find(atom, solution, row) {
                Some(id) => self.literals.push(GroundLiteral::new(id, fails)),
                // An atom that can never hold: its negation always does.
                None if fails => {}
                None => {
                    self.literals.truncate(start);
                    return;
                }
            }
        }
        match self.find(&rule.head, solution, row) {
            Some(head) => {
                self.heads.push(head);
                self.ends.push(self.literals.len() as u32);
            }
            None => self.literals.truncate(start),
        }
    }

    fn find(&self, atom: &Atom, solution: &[u32], row: &mut Vec<u32>) -> Option<AtomId> {
        self.machine.instance(&atom.args, solution, row)?;
        let number = self.table(atom.relation).find(row);
        (number != crate::datalog::table::NONE).then(|| self.first[atom.relation.index()] + number)
    }
}

/// The relations that a game is asked about.
pub fn outputs(program: &Program) -> Vec<RelationId> {
    let keyword = |relation: &&RelationId| {
        matches!(
            program.relation(**relation).kind,
            RelationKind::Keyword(
                Keyword::Next | Keyword::Legal | Keyword::Goal | Keyword::Terminal | Keyword::Sees
            )
        )
    };
    let all: Vec<RelationId> = (0..program.relations.len())
        .map(|index| RelationId(index as u32))
        .collect();
    all.iter().filter(keyword).copied().collect()
}
