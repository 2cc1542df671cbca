//! Tabled calls, answers and solutions.

use paidia_gdl::datalog::Exhausted;
use paidia_gdl::datalog::calls::is_possible;
use paidia_gdl::datalog::table::NONE;

use super::{Alternative, Resolver};
use crate::prover::bindings::{HEADER, is_ground};
use crate::prover::code::{ASK, Code, Procedure};
use crate::prover::tables::Asked;

impl Resolver {
    /// Takes the answers of the call with the arguments from `base` on, or starts to answer it.
    pub(super) fn ask(&mut self, code: &Code, procedure: u32, base: usize) -> bool {
        let rules = &code.procedures[procedure as usize];
        let way = self.way(rules, base);
        let call = match self.tables.ask(way, &self.row) {
            Asked::Answered => return self.first_answer(way, base),
            Asked::New(call) if !self.is_possible(rules, base) => {
                // Rules such as `(<= (p ?x) (p (f ?x)))` would ask about ever larger terms.
                self.tables.refuse(way, call);
                self.args.truncate(base);
                return false;
            }
            Asked::New(call) | Asked::Again(call) => call,
        };
        if self.tables.depth() >= self.limits.depth {
            self.exhausted = Some(Exhausted::Depth);
            return false;
        }
        self.tables.open(way, call);
        let args = (base as u32, self.args.len() as u32);
        let (trail, stack) = self.marks();
        let answers = Alternative::Answers {
            procedure,
            way,
            call,
        };
        self.push_choice(answers, args, trail, stack);
        self.run_call(code, procedure, way, call)
    }

    /// The way of asking with those arguments that are ground, whose values are then in `self.row`.
    fn way(&mut self, procedure: &Procedure, base: usize) -> u32 {
        self.row.clear();
        let mut bound = 0u64;
        for (column, &value) in self.args[base..].iter().enumerate().take(64) {
            if is_ground(value) {
                bound |= 1 << column;
                self.row.push(value);
            }
        }
        let arity = self.args.len() - base;
        self.tables
            .way(procedure.relation, bound, arity, procedure.changing)
    }

    fn is_possible(&self, procedure: &Procedure, base: usize) -> bool {
        let mut values = self.args[base..].iter().zip(&procedure.domains);
        values.all(|(&value, domain)| {
            !is_ground(value) || is_possible(value, domain, &self.facts.terms)
        })
    }

    /// Runs the clauses of a call that is being answered.
    pub(super) fn run_call(&mut self, code: &Code, procedure: u32, way: u32, call: u32) -> bool {
        let base = self.args.len();
        let arity = self.tables.answers(way).arity();
        self.frame = self.bindings.stack.len();
        self.goal = ASK;
        self.bindings.push_frame([way, call], arity as u32);
        for column in 0..arity {
            let variable = self.bindings.unbind(self.frame + HEADER + column);
            self.args.push(variable);
        }
        for (column, value) in self.tables.key(way, call) {
            self.bindings.stack[self.frame + HEADER + column] = value;
            self.args[base + column] = value;
        }
        let (next, end) = self.candidates(&code.procedures[procedure as usize], base);
        self.try_clauses(code, next, end, base)
    }

    /// Takes the first answer of a call.
    pub(super) fn first_answer(&mut self, way: u32, base: usize) -> bool {
        let row = self.tables.answers(way).first(0, &self.row);
        self.try_answers(way, row, base)
    }

    /// Takes the first answer of a call that was just answered.
    pub(super) fn first_answer_of(&mut self, way: u32, call: u32, base: usize) -> bool {
        self.row.clear();
        let key = self.tables.key(way, call);
        self.row.extend(key.map(|(_, value)| value));
        self.first_answer(way, base)
    }

    /// Takes the first answer from `row` on that matches the arguments from `base` on.
    pub(super) fn try_answers(&mut self, way: u32, mut row: u32, base: usize) -> bool {
        let (trail, stack) = self.marks();
        while row != NONE && self.may_step() {
            let answers = self.tables.answers(way);
            let answer = answers.row(row);
            row = answers.next(0, row);
            let (bindings, terms) = (&mut self.bindings, &self.facts.terms);
            let mut pairs = self.args[base..].iter().zip(answer);
            if !pairs.all(|(&arg, &value)| bindings.unify_ground(arg, value, terms)) {
                bindings.undo(trail as usize, stack as usize);
                continue;
            }
            if row == NONE {
                self.args.truncate(base);
            } else {
                let args = (base as u32, self.args.len() as u32);
                self.push_choice(Alternative::Answer { way, row }, args, trail, stack);
            }
            self.goal += 1;
            return true;
        }
        self.args.truncate(base);
        false
    }

    /// Reads the row of the frame's variables; whether all of them are ground, as they are where
    /// rules are safe.
    fn read_row(&mut self, arity: usize) -> bool {
        self.row.clear();
        for column in 0..arity {
            let value = self.bindings.stack[self.frame + HEADER + column];
            match self.bindings.ground(value, &mut self.facts.terms, 0) {
                Some(term) => self.row.push(term),
                None => return false,
            }
        }
        true
    }

    /// Keeps an answer of a tabled call, and fails, so that the next one is looked for.
    pub(super) fn add_answer(&mut self) -> bool {
        let way = self.bindings.stack[self.frame];
        let arity = self.tables.answers(way).arity();
        if self.read_row(arity) {
            self.tables.insert(way, &self.row);
            if self.tables.derived > self.limits.rows {
                self.exhausted = Some(Exhausted::Rows);
            }
        }
        false
    }

    /// Keeps an answer to what was asked from outside, and fails, so that the next one is looked
    /// for.
    pub(super) fn add_solution(&mut self) -> bool {
        let relation = self.bindings.stack[self.frame] as usize;
        let arity = self.facts.tables[relation].arity();
        if self.read_row(arity) {
            let table = &mut self.facts.tables[relation];
            table.insert(&self.row);
            if u64::from(table.len()) > self.limits.rows {
                self.exhausted = Some(Exhausted::Rows);
            }
        }
        false
    }
}
