//! Proving: one goal after the other, with a stack of choices to go back to.
//!
//! This is what a Prolog machine does, without its recursion on the machine's stack. Calling a
//! clause puts a frame of cells for its variables on the stack. Where a goal has more than one
//! clause or fact, a [`Choice`] remembers how to try the next; when a goal fails, the newest choice
//! is taken up. A frame that leaves no choice behind is dropped when its clause is proved.

mod tabling;

use paidia_gdl::datalog::{Exhausted, Limits, TermId};

use super::bindings::{Bindings, HEADER, is_ground};
use super::code::{Access, Code, Goal, Pattern, Procedure, key_of};
use super::facts::{Cursor, Facts, Start};
use super::tables::Tables;

/// The most cells on the stack, and on the trail.
const MAX_CELLS: usize = 1 << 24;

/// The most choices.
const MAX_CHOICES: usize = 1 << 22;

/// How to try something else.
#[derive(Clone, Copy, Debug)]
struct Choice {
    alternative: Alternative,
    /// The frame and the goal that has the choice.
    frame: u32,
    goal: u32,
    /// The goal's arguments.
    args: (u32, u32),
    /// How long trail and stack were.
    trail: u32,
    stack: u32,
}

#[derive(Clone, Copy, Debug)]
enum Alternative {
    /// There is nothing else.
    Nothing,
    /// The next of the clauses that can match.
    Clause { next: u32, end: u32 },
    /// This fact, and then those after it.
    Fact(Cursor),
    /// An answer of a tabled call, and then those after it.
    Answer { way: u32, row: u32 },
    /// Hand out the answers of a tabled call, unless it must run again.
    Answers { procedure: u32, way: u32, call: u32 },
    /// Go on at another goal: what had to fail has failed.
    Proceed,
}

/// The memory of one thread's proofs.
#[derive(Clone, Debug)]
pub(super) struct Resolver {
    pub(super) facts: Facts,
    pub(super) tables: Tables,
    pub(super) limits: Limits,
    bindings: Bindings,
    choices: Vec<Choice>,
    /// Arguments of the goals that have choices, and of the one being called.
    args: Vec<u32>,
    row: Vec<TermId>,
    frame: usize,
    goal: u32,
    pub(super) steps: u64,
    exhausted: Option<Exhausted>,
}

impl Resolver {
    /// Nothing was proved yet.
    pub(super) fn new(facts: Facts, tables: Tables, limits: Limits) -> Self {
        Self {
            facts,
            tables,
            limits,
            bindings: Bindings::default(),
            choices: Vec::new(),
            args: Vec::new(),
            row: Vec::new(),
            frame: 0,
            goal: 0,
            steps: 0,
            exhausted: None,
        }
    }

    /// Puts all provable rows of a relation in its table, or one if `once`.
    ///
    /// # Errors
    /// If something ran out.
    pub(super) fn prove(
        &mut self,
        code: &Code,
        relation: u32,
        once: bool,
    ) -> Result<(), Exhausted> {
        let Some(start) = code.roots[relation as usize] else {
            return Ok(());
        };
        self.bindings.clear();
        self.choices.clear();
        self.args.clear();
        self.exhausted = None;
        self.push_choice(Alternative::Nothing, (0, 0), 0, 0);
        let arity = self.facts.tables[relation as usize].arity();
        self.frame = self.bindings.stack.len();
        self.bindings.push_frame([relation, 0], arity as u32);
        self.goal = start;
        self.run(code, once);
        match self.exhausted.or(self.bindings.exhausted) {
            Some(exhausted) => {
                self.tables.abandon();
                Err(exhausted)
            }
            None => Ok(()),
        }
    }

    fn run(&mut self, code: &Code, once: bool) {
        loop {
            if self.step(code) {
                continue;
            }
            let is_enough = once && matches!(code.goals[self.goal as usize], Goal::Solution);
            if is_enough || !self.back(code) {
                return;
            }
        }
    }

    /// Proves the present goal, as far as that takes one step; false if it fails.
    #[inline]
    fn step(&mut self, code: &Code) -> bool {
        match &code.goals[self.goal as usize] {
            Goal::Call { procedure, args } => {
                let base = self.put_all(args);
                let procedure = &code.procedures[*procedure as usize];
                let (next, end) = self.candidates(procedure, base);
                self.try_clauses(code, next, end, base)
            }
            Goal::Tabled { procedure, args } => {
                let base = self.put_all(args);
                self.ask(code, *procedure, base)
            }
            Goal::Fact {
                relation,
                access,
                args,
            } => self.find_fact(*relation, *access, args),
            Goal::NoFact {
                relation,
                access,
                args,
            } => self.has_no_fact(*relation, *access, args),
            Goal::Not { slot, next } => {
                self.bindings.stack[self.frame + HEADER + *slot as usize] =
                    self.choices.len() as u32;
                let here = std::mem::replace(&mut self.goal, *next);
                let end = self.args.len() as u32;
                let (trail, stack) = self.marks();
                self.push_choice(Alternative::Proceed, (end, end), trail, stack);
                self.goal = here + 1;
                true
            }
            Goal::Refuted { slot } => {
                let choices = self.bindings.stack[self.frame + HEADER + *slot as usize];
                self.choices.truncate(choices as usize);
                false
            }
            Goal::Distinct(left, right) => {
                let (left, right) = (self.put(left), self.put(right));
                self.go_on(left != right)
            }
            Goal::Plain(term) => {
                let term = self.put(term);
                self.go_on(self.facts.terms.parts(term).is_none())
            }
            Goal::Return => {
                self.leave();
                true
            }
            Goal::Answer => self.add_answer(),
            Goal::Solution => self.add_solution(),
        }
    }

    #[inline]
    fn go_on(&mut self, holds: bool) -> bool {
        self.goal += u32::from(holds);
        holds
    }

    #[inline]
    fn put(&mut self, pattern: &Pattern) -> u32 {
        self.bindings
            .put(pattern, self.frame, &mut self.facts.terms)
    }

    /// Pushes the values of a goal's arguments; where they start.
    #[inline]
    fn put_all(&mut self, args: &[Pattern]) -> usize {
        let base = self.args.len();
        for arg in args {
            let value = self.bindings.put(arg, self.frame, &mut self.facts.terms);
            self.args.push(value);
        }
        base
    }

    #[inline]
    fn marks(&self) -> (u32, u32) {
        let bindings = &self.bindings;
        (bindings.trail.len() as u32, bindings.stack.len() as u32)
    }

    #[inline]
    fn push_choice(&mut self, alternative: Alternative, args: (u32, u32), trail: u32, stack: u32) {
        self.choices.push(Choice {
            alternative,
            frame: self.frame as u32,
            goal: self.goal,
            args,
            trail,
            stack,
        });
    }

    /// Counts a step; false if it was one too many.
    #[inline]
    fn may_step(&mut self) -> bool {
        self.steps += 1;
        if self.steps > self.limits.steps {
            self.exhausted = Some(Exhausted::Steps);
        }
        let bindings = &self.bindings;
        let cells = bindings.stack.len().max(bindings.trail.len());
        if cells > MAX_CELLS || self.choices.len() > MAX_CHOICES {
            self.exhausted = Some(Exhausted::Depth);
        }
        !self.is_exhausted()
    }

    /// Goes back to the newest choice and takes it; false if there is none.
    fn back(&mut self, code: &Code) -> bool {
        while !self.is_exhausted()
            && let Some(&choice) = self.choices.last()
        {
            let (trail, stack) = (choice.trail as usize, choice.stack as usize);
            self.bindings.undo(trail, stack);
            self.args.truncate(choice.args.1 as usize);
            self.frame = choice.frame as usize;
            self.goal = choice.goal;
            let base = choice.args.0 as usize;
            if let Some(proceeds) = self.repeat(code, choice.alternative) {
                if proceeds {
                    return true;
                }
                continue;
            }
            self.choices.pop();
            let proceeds = match choice.alternative {
                Alternative::Nothing => return false,
                Alternative::Clause { next, end } => self.try_clauses(code, next, end, base),
                Alternative::Fact(cursor) => self.try_facts(code, cursor, base),
                Alternative::Answer { way, row } => self.try_answers(way, row, base),
                Alternative::Answers { way, call, .. } => self.first_answer_of(way, call, base),
                Alternative::Proceed => true,
            };
            if proceeds {
                return true;
            }
        }
        false
    }

    fn is_exhausted(&self) -> bool {
        self.exhausted.or(self.bindings.exhausted).is_some()
    }

    /// Runs the clauses of a tabled call again, if they must: whether one of them could be entered.
    /// Else closes the call.
    fn repeat(&mut self, code: &Code, alternative: Alternative) -> Option<bool> {
        let Alternative::Answers {
            procedure,
            way,
            call,
        } = alternative
        else {
            return None;
        };
        if self.tables.must_repeat() {
            return Some(self.run_call(code, procedure, way, call));
        }
        self.tables.close();
        None
    }

    /// The clauses that can match the arguments from `base` on.
    #[inline]
    fn candidates(&self, procedure: &Procedure, base: usize) -> (u32, u32) {
        let Some(column) = procedure.column else {
            return procedure.all;
        };
        let value = self.args[base + column];
        if !is_ground(value) {
            return procedure.all;
        }
        let key = key_of(value, &self.facts.terms);
        let known = procedure.by_key.get(&key);
        known.copied().unwrap_or(procedure.others)
    }

    /// Enters the first of some clauses whose head matches the arguments from `base` on.
    fn try_clauses(&mut self, code: &Code, mut next: u32, end: u32, base: usize) -> bool {
        let (trail, stack) = self.marks();
        while next < end {
            if !self.may_step() {
                return false;
            }
            let clause = &code.clauses[code.candidates[next as usize] as usize];
            next += 1;
            let frame = stack as usize;
            self.bindings
                .push_frame([self.frame as u32, self.goal + 1], clause.cells);
            let (bindings, terms) = (&mut self.bindings, &mut self.facts.terms);
            let mut args = clause.head.iter().zip(&self.args[base..]);
            if !args.all(|(pattern, &value)| bindings.unify_head(pattern, value, frame, terms)) {
                bindings.undo(trail as usize, stack as usize);
                continue;
            }
            if next < end {
                let args = (base as u32, self.args.len() as u32);
                self.push_choice(Alternative::Clause { next, end }, args, trail, stack);
            } else {
                self.args.truncate(base);
            }
            self.frame = frame;
            self.goal = clause.body;
            return true;
        }
        self.args.truncate(base);
        false
    }

    /// Goes on where the clause that is proved was called.
    #[inline]
    fn leave(&mut self) {
        let frame = self.frame;
        self.frame = self.bindings.stack[frame] as usize;
        self.goal = self.bindings.stack[frame + 1];
        if let Some(choice) = self.choices.last()
            && choice.stack as usize <= frame
        {
            self.bindings.drop_frame(frame, choice.trail as usize);
        }
    }

    fn find_fact(&mut self, relation: u32, access: Access, args: &[Pattern]) -> bool {
        let base = self.put_all(args);
        let row = &self.args[base..];
        match self.facts.start(relation, access, row) {
            Start::At(cursor) => self.try_fact_rows(relation, cursor, base),
            Start::Known(holds) => {
                self.args.truncate(base);
                self.go_on(holds)
            }
        }
    }

    fn has_no_fact(&mut self, relation: u32, access: Access, args: &[Pattern]) -> bool {
        let base = self.put_all(args);
        let row = &self.args[base..];
        let found = match self.facts.start(relation, access, row) {
            Start::Known(holds) => holds,
            Start::At(cursor) => self.is_among(relation, cursor, base),
        };
        self.args.truncate(base);
        self.go_on(!found)
    }

    /// Whether one of the facts from `cursor` on is the row of arguments from `base` on.
    fn is_among(&mut self, relation: u32, cursor: Cursor, base: usize) -> bool {
        let mut cursor = Some(cursor);
        while let Some(at) = cursor
            && self.may_step()
            && let Some((row, next)) = self.facts.at(relation, at)
        {
            if row == &self.args[base..] {
                return true;
            }
            cursor = next;
        }
        false
    }

    fn try_facts(&mut self, code: &Code, cursor: Cursor, base: usize) -> bool {
        match &code.goals[self.goal as usize] {
            Goal::Fact { relation, .. } => self.try_fact_rows(*relation, cursor, base),
            _ => false,
        }
    }

    /// Takes the first fact from `cursor` on that matches the arguments from `base` on.
    fn try_fact_rows(&mut self, relation: u32, cursor: Cursor, base: usize) -> bool {
        let (trail, stack) = self.marks();
        let mut cursor = Some(cursor);
        while let Some(at) = cursor
            && self.may_step()
            && let Some((row, next)) = self.facts.at(relation, at)
        {
            cursor = next;
            let (bindings, terms) = (&mut self.bindings, &self.facts.terms);
            let mut pairs = self.args[base..].iter().zip(row);
            if !pairs.all(|(&arg, &value)| bindings.unify_ground(arg, value, terms)) {
                bindings.undo(trail as usize, stack as usize);
                continue;
            }
            match cursor {
                Some(next) => {
                    let args = (base as u32, self.args.len() as u32);
                    self.push_choice(Alternative::Fact(next), args, trail, stack);
                }
                None => self.args.truncate(base),
            }
            self.goal += 1;
            return true;
        }
        self.args.truncate(base);
        false
    }
}
