//! Tables of answers for relations that may ask for themselves, so that every derivation ends.
//!
//! A call is asked with the values of those arguments that are bound; the rest is left open. Its
//! clauses run until they have no more answers, which are kept, and then the answers are handed out
//! like facts. A call that comes up again while it is being answered gets the answers found so far,
//! and the outermost call concerned runs again until nothing new comes out. A negated relation
//! never depends on those that ask for it, so its answers are complete when they are looked at.

use paidia_gdl::datalog::table::NONE;
use paidia_gdl::datalog::{Table, TermId};

/// No call that is still open.
const INDEPENDENT: usize = usize::MAX;

/// All calls with their answers.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    ways: Vec<Way>,
    /// For each relation, which arguments it was asked with, and the position in `ways`.
    of_relation: Vec<Vec<(u64, u32)>>,
    /// The calls that are being answered, outermost first.
    open: Vec<Open>,
    /// Calls whose answers depend on an open one, in the order in which they were answered for the
    /// time being.
    provisional: Vec<(u32, u32)>,
    /// The outermost open call that the one being answered depends on.
    lowest: usize,
    /// Counts rounds of asking again: provisional answers of another round are out of date.
    round: u64,
    /// Answers are used again; else only while calls depend on each other.
    keep: bool,
    /// Answers that were new, since the state was entered.
    pub(super) derived: u64,
    /// Answers about relations that never change.
    lasting: u64,
}

/// A relation asked for with the values of some arguments.
#[derive(Clone, Debug)]
struct Way {
    columns: Vec<usize>,
    rows: Table,
    asked: Table,
    status: Vec<Status>,
    /// The relation's facts change from state to state.
    changing: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    way: u32,
    call: u32,
    /// What [`Tables::lowest`] was outside.
    outer: usize,
    /// How many provisional calls there were.
    provisional: usize,
    /// How many answers there were at the start of the round.
    derived: u64,
}

#[derive(Clone, Copy, Debug)]
enum Status {
    Unanswered,
    /// Being answered, at that place in [`Tables::open`].
    Open(usize),
    /// Answered in that round, depending on the open call at that place.
    Provisional {
        round: u64,
        lowest: usize,
    },
    Complete,
}

/// What is to be done about a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asked {
    /// Take the answers that are there.
    Answered,
    /// It was not asked yet: answer the call with that number.
    New(u32),
    /// It was asked, but must be answered anew.
    Again(u32),
}

impl Tables {
    /// Nothing is asked yet.
    pub(super) fn new(relations: usize, keep: bool) -> Self {
        Self {
            ways: Vec::new(),
            of_relation: vec![Vec::new(); relations],
            open: Vec::new(),
            provisional: Vec::new(),
            lowest: INDEPENDENT,
            round: 0,
            keep,
            derived: 0,
            lasting: 0,
        }
    }

    /// The way of asking for a relation with those arguments whose bits are set.
    pub(super) fn way(&mut self, relation: u32, bound: u64, arity: usize, changing: bool) -> u32 {
        let known = &mut self.of_relation[relation as usize];
        if let Some(&(_, way)) = known.iter().find(|(other, _)| *other == bound) {
            return way;
        }
        let way = self.ways.len() as u32;
        known.push((bound, way));
        let columns: Vec<usize> = (0..arity.min(64))
            .filter(|column| bound >> column & 1 == 1)
            .collect();
        let mut rows = Table::new(arity);
        rows.index_on(&columns);
        self.ways.push(Way {
            rows,
            asked: Table::new(columns.len()),
            columns,
            status: Vec::new(),
            changing,
        });
        way
    }

    /// What is to be done about a call with these values.
    pub(super) fn ask(&mut self, way: u32, key: &[TermId]) -> Asked {
        let asked = &mut self.ways[way as usize];
        let call = asked.asked.find(key);
        if call == NONE {
            asked.asked.insert(key);
            asked.status.push(Status::Unanswered);
            return Asked::New(asked.asked.len() - 1);
        }
        let lowest = match asked.status[call as usize] {
            Status::Complete => return Asked::Answered,
            Status::Open(place) => place,
            Status::Provisional { round, lowest } if round == self.round => lowest,
            Status::Provisional { .. } | Status::Unanswered => return Asked::Again(call),
        };
        self.lowest = self.lowest.min(lowest);
        Asked::Answered
    }

    /// The call cannot have answers.
    pub(super) fn refuse(&mut self, way: u32, call: u32) {
        self.ways[way as usize].status[call as usize] = Status::Complete;
    }

    /// How many calls are being answered.
    pub(super) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Starts to answer a call.
    pub(super) fn open(&mut self, way: u32, call: u32) {
        self.ways[way as usize].status[call as usize] = Status::Open(self.open.len());
        self.open.push(Open {
            way,
            call,
            outer: std::mem::replace(&mut self.lowest, INDEPENDENT),
            provisional: self.provisional.len(),
            derived: self.derived,
        });
    }

    /// The clauses of the innermost call have run; whether they must run again.
    pub(super) fn must_repeat(&mut self) -> bool {
        let place = self.open.len().wrapping_sub(1);
        let Some(open) = self.open.last_mut() else {
            return false;
        };
        if self.lowest != place || self.derived == open.derived {
            return false;
        }
        open.derived = self.derived;
        self.lowest = INDEPENDENT;
        self.round += 1;
        true
    }

    /// The innermost call is answered, at least as long as those are open that it depends on.
    pub(super) fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let lowest = std::mem::replace(&mut self.lowest, open.outer);
        if lowest >= self.open.len() {
            self.set(open.way, open.call, self.finished());
            return self.complete(open.provisional);
        }
        self.lowest = self.lowest.min(lowest);
        for &(way, call) in &self.provisional[open.provisional..] {
            let status = &mut self.ways[way as usize].status[call as usize];
            if let Status::Provisional { lowest: known, .. } = status {
                *known = lowest.min(*known);
            }
        }
        let round = self.round;
        self.set(open.way, open.call, Status::Provisional { round, lowest });
        self.provisional.push((open.way, open.call));
    }

    fn finished(&self) -> Status {
        match self.keep {
            true => Status::Complete,
            false => Status::Unanswered,
        }
    }

    fn set(&mut self, way: u32, call: u32, status: Status) {
        self.ways[way as usize].status[call as usize] = status;
    }

    /// The call that these ones depend on is answered: so are they, unless they were last answered
    /// in a round before the last, when not everything was known. Those are answered anew if they
    /// come up again.
    fn complete(&mut self, first: usize) {
        let finished = self.finished();
        while self.provisional.len() > first {
            let Some((way, call)) = self.provisional.pop() else {
                return;
            };
            let status = &mut self.ways[way as usize].status[call as usize];
            if matches!(status, Status::Provisional { round, .. } if *round == self.round) {
                *status = finished;
            }
        }
    }

    /// The answers of a way of asking. Index 0 is over the arguments that it is asked with.
    pub(super) fn answers(&self, way: u32) -> &Table {
        &self.ways[way as usize].rows
    }

    /// The values that a call was asked with, with their arguments.
    pub(super) fn key(&self, way: u32, call: u32) -> impl Iterator<Item = (usize, TermId)> {
        let way = &self.ways[way as usize];
        let values = way.asked.row(call).iter().copied();
        way.columns.iter().copied().zip(values)
    }

    /// Adds an answer.
    pub(super) fn insert(&mut self, way: u32, row: &[TermId]) {
        let way = &mut self.ways[way as usize];
        if way.rows.insert(row) {
            self.derived += 1;
            self.lasting += u64::from(!way.changing);
        }
    }

    /// Forgets what changes from state to state, and everything if `limit` answers have come
    /// together that do not.
    pub(super) fn enter_state(&mut self, limit: u64) {
        let everything = self.lasting > limit;
        self.forget(|way| everything || way.changing);
        if everything {
            self.lasting = 0;
        }
        self.derived = 0;
    }

    /// Forgets everything, because a derivation was left in the middle.
    pub(super) fn abandon(&mut self) {
        self.forget(|_| true);
        self.lasting = 0;
    }

    fn forget(&mut self, which: impl Fn(&Way) -> bool) {
        for way in self.ways.iter_mut().filter(|way| which(way)) {
            way.rows.clear();
            way.asked.clear();
            way.status.clear();
        }
        self.open.clear();
        self.provisional.clear();
        self.lowest = INDEPENDENT;
    }
}
