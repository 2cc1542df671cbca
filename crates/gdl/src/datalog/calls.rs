//! Relations on demand: top-down evaluation with tables of answers.
//!
//! A relation is asked for with the values of some of its columns. The first time, the rules of the
//! relation run with those values given, and their answers are kept; later, the answers are looked
//! up. A question that comes up again while it is being answered gets the answers found so far, and
//! the outermost question concerned is asked again until nothing new comes out (so recursion ends).
//! Questions about terms outside the relation's domains have no answers, and are not asked on:
//! rules such as `(<= (p ?x) (p (f ?x)))` would otherwise ask about ever larger terms. Negation is
//! safe because a negated relation never depends on those that ask for it: its answers are complete
//! when they are looked at.

use std::sync::Arc;

use super::machine::Machine;
use super::plan::{Call, Calls, Match, Plan, Source};
use super::table::{NONE, Table};
use super::terms::{TermId, Terms};
use crate::program::RelationId;
use crate::program::domains::Domain;
use crate::symbol::Symbol;

/// No question that is still open.
const INDEPENDENT: usize = usize::MAX;

/// What a call takes of the stack, in look-ups.
const FRAMES_OF_A_CALL: usize = 6;

/// Everything asked so far, with its answers.
#[derive(Clone, Debug, Default)]
pub struct Calling {
    calls: Arc<Calls>,
    answers: Vec<Answers>,
    /// The calls that are being answered, outermost first.
    open: Vec<usize>,
    /// Questions whose answers depend on an open question, in the order in which they were answered
    /// for the time being.
    provisional: Vec<(usize, u32)>,
    /// The outermost open question that the one being answered depends on.
    lowest: usize,
    /// Counts rounds of asking again: provisional answers of another round are out of date.
    round: u64,
}

/// What is known of one way to ask for a relation.
#[derive(Clone, Debug)]
struct Answers {
    rows: Table,
    asked: Table,
    status: Vec<Status>,
    /// The relation's facts change from state to state.
    changing: bool,
}

#[derive(Clone, Copy, Debug)]
enum Status {
    /// Being answered, at that place in [`Calling::open`].
    Open(usize),
    /// Answered in that round, depending on the open question at that place.
    Provisional {
        round: u64,
        lowest: usize,
    },
    Complete,
}

/// Provisional in a round that never is.
const UNANSWERED: Status = Status::Provisional {
    round: u64::MAX,
    lowest: INDEPENDENT,
};

impl Calling {
    /// Nothing is asked yet. `arity` tells how wide relations are, and `changing` which of them
    /// change from state to state.
    pub fn new(
        calls: Arc<Calls>,
        arity: impl Fn(RelationId) -> usize,
        changing: &[RelationId],
    ) -> Self {
        let answers = |call: &Call| {
            let mut rows = Table::new(arity(call.relation));
            rows.index_on(&call.columns);
            Answers {
                rows,
                asked: Table::new(call.columns.len()),
                status: Vec::new(),
                changing: changing.contains(&call.relation),
            }
        };
        Self {
            answers: calls.all.iter().map(answers).collect(),
            calls,
            lowest: INDEPENDENT,
            ..Self::default()
        }
    }

    /// The ways in which relations can be asked for.
    pub fn calls(&self) -> Arc<Calls> {
        Arc::clone(&self.calls)
    }

    /// The answers found so far to all questions of a kind. Index 0 is over the columns that are
    /// asked with.
    pub fn answers(&self, call: usize) -> &Table {
        &self.answers[call].rows
    }

    /// Where the rules of a call put what they find.
    pub fn answers_mut(&mut self, call: usize) -> &mut Table {
        &mut self.answers[call].rows
    }

    /// The place of a question among those asked, new if need be.
    fn place(&mut self, call: usize, key: &[TermId], terms: &Terms) -> u32 {
        let answers = &mut self.answers[call];
        let mut row = answers.asked.find(key);
        if row == NONE {
            row = answers.asked.len();
            answers.asked.insert(key);
            let mut values = key.iter().zip(&self.calls.all[call].domains);
            let possible = values.all(|(&value, domain)| is_possible(value, domain, terms));
            answers.status.push(match possible {
                true => UNANSWERED,
                false => Status::Complete,
            });
        }
        row
    }

    /// Forgets the answers about relations that change.
    pub fn forget(&mut self) {
        for answers in self.answers.iter_mut().filter(|answers| answers.changing) {
            answers.rows.clear();
            answers.asked.clear();
            answers.status.clear();
        }
        self.open.clear();
        self.provisional.clear();
        self.lowest = INDEPENDENT;
    }

    /// The question that these ones depend on is answered: so are they, unless they were last
    /// answered in a round before the last, when not everything was known. Those are answered anew
    /// if they come up again.
    fn complete(&mut self, first_provisional: usize) {
        for (call, row) in self.provisional.split_off(first_provisional) {
            let status = &mut self.answers[call].status[row as usize];
            if matches!(status, Status::Provisional { round, .. } if *round == self.round) {
                *status = Status::Complete;
            }
        }
    }

    /// The question that these ones depend on depends itself on one further out: so do they.
    fn defer(&mut self, first_provisional: usize, outer: usize) {
        for &(call, row) in &self.provisional[first_provisional..] {
            if let Status::Provisional { lowest, .. } = &mut self.answers[call].status[row as usize]
            {
                *lowest = outer.min(*lowest);
            }
        }
    }

    /// Where the call that runs now puts its answers.
    pub(super) fn running(&mut self) -> Option<&mut Table> {
        let call = *self.open.last()?;
        Some(&mut self.answers[call].rows)
    }
}

/// Whether a domain has room for a term, as far as its functions go.
pub fn is_possible(value: TermId, domain: &Domain, terms: &Terms) -> bool {
    let Some(parts) = terms.parts(value) else {
        return true;
    };
    let (functor, args) = (Symbol(parts[0]), &parts[1..]);
    match domain.compounds.get(&(functor, args.len())) {
        Some(domains) => args
            .iter()
            .zip(domains)
            .all(|(&arg, domain)| is_possible(arg, domain, terms)),
        None => domain.open,
    }
}

/// A machine that can answer questions. What must be asked, and how often, is worked out here.
pub trait Tabling {
    /// The questions, the scratch memory with their keys, and the terms.
    fn parts(&mut self) -> (&mut Calling, &[TermId], &Terms);
    /// Runs the rules of a call once for the key at the end of the scratch memory, from `base` on.
    fn run_call(&mut self, call: usize, base: usize);
    /// How many rows were derived so far: more of them mean news.
    fn derived(&self) -> u64;
    /// Whether the machine ran out of something and answers nothing more.
    fn is_exhausted(&self) -> bool;

    /// Makes sure that the answers for the key at the end of the scratch memory, from `base` on,
    /// are there.
    fn ask(&mut self, call: usize, base: usize) {
        let (calling, scratch, terms) = self.parts();
        let row = calling.place(call, &scratch[base..], terms);
        let lowest = match calling.answers[call].status[row as usize] {
            Status::Complete => return,
            Status::Open(place) => place,
            Status::Provisional { round, lowest } if round == calling.round => lowest,
            Status::Provisional { .. } => self.answer(call, row, base),
        };
        let calling = self.parts().0;
        calling.lowest = calling.lowest.min(lowest);
    }

    /// Answers a question, again and again if need be; the outermost open question that it depends
    /// on.
    fn answer(&mut self, call: usize, row: u32, base: usize) -> usize {
        let calling = self.parts().0;
        let place = calling.open.len();
        calling.answers[call].status[row as usize] = Status::Open(place);
        calling.open.push(call);
        let outer = std::mem::replace(&mut calling.lowest, INDEPENDENT);
        let first_provisional = calling.provisional.len();
        let lowest = loop {
            let before = self.derived();
            self.parts().0.lowest = INDEPENDENT;
            self.run_call(call, base);
            let lowest = self.parts().0.lowest;
            if lowest != place || self.derived() == before || self.is_exhausted() {
                break lowest;
            }
            self.parts().0.round += 1;
        };
        let exhausted = self.is_exhausted();
        let calling = self.parts().0;
        calling.open.pop();
        calling.lowest = outer;
        if exhausted {
            // The answers are incomplete; a later call with a larger budget must not take them as
            // complete.
            calling.answers[call].status[row as usize] = UNANSWERED;
            calling.round += 1;
            calling.provisional.truncate(first_provisional);
            return INDEPENDENT;
        }
        if lowest >= place {
            calling.answers[call].status[row as usize] = Status::Complete;
            calling.complete(first_provisional);
            return INDEPENDENT;
        }
        calling.defer(first_provisional, lowest);
        let round = calling.round;
        calling.answers[call].status[row as usize] = Status::Provisional { round, lowest };
        calling.provisional.push((call, row));
        lowest
    }
}

impl Machine {
    /// Whether a known row of a relation on demand holds.
    pub(super) fn call_holds(&mut self, call: usize, row: &[Source]) -> bool {
        let base = self.scratch.len();
        // The rules of the call may be the first to build a term, so that the question comes before
        // the term.
        let asked = self.push_new_values(row);
        if asked {
            self.ask(call, base);
        }
        let holds = asked
            && self.calling.answers[call]
                .rows
                .contains(&self.scratch[base..]);
        self.scratch.truncate(base);
        holds
    }

    /// Goes on with the plan for every answer.
    pub(super) fn call_rows(
        &mut self,
        plan: &Plan,
        depth: usize,
        call: usize,
        key: &[Source],
        matches: &[(usize, Match)],
    ) -> bool {
        let base = self.scratch.len();
        if !self.push_new_values(key) {
            return false;
        }
        self.ask(call, base);
        let mut row = self.calling.answers[call]
            .rows
            .first(0, &self.scratch[base..]);
        self.scratch.truncate(base);
        let mut success = false;
        while row != NONE && self.exhausted.is_none() {
            if self.row_matches(matches, |machine, column| {
                machine.calling.answers[call].rows.value(row, column)
            }) && self.solve(plan, depth + 1)
            {
                success = true;
                if depth >= plan.once_from {
                    return true;
                }
            }
            row = self.calling.answers[call].rows.next(0, row);
        }
        success
    }
}

impl Tabling for Machine {
    fn parts(&mut self) -> (&mut Calling, &[TermId], &Terms) {
        (&mut self.calling, &self.scratch, &self.terms)
    }

    fn derived(&self) -> u64 {
        self.rows
    }

    fn is_exhausted(&self) -> bool {
        self.exhausted.is_some()
    }

    fn run_call(&mut self, call: usize, base: usize) {
        let calls = Arc::clone(&self.calling.calls);
        let frame = std::mem::replace(&mut self.frame, self.registers.len());
        for plan in &calls.all[call].plans {
            self.registers.resize(self.frame + plan.registers, 0);
            let entered = self.may_step()
                && plan.entry.iter().enumerate().all(|(column, matching)| {
                    let value = self.scratch[base + column];
                    self.value_matches(value, matching)
                });
            if entered {
                self.nest(plan, FRAMES_OF_A_CALL);
            }
        }
        self.registers.truncate(self.frame);
        self.frame = frame;
    }
}
