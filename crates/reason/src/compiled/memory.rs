//! What a walker derives, and the memory to derive more.

use std::sync::Arc;

use paidia_gdl::datalog::{Calling, Exhausted, TermId, Terms};
use paidia_gdl::program::RelationId;

use super::code::Code;
use super::container::Container;
use crate::rows::LIMITS;

/// How far a loop is.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    /// The rows of the present word that come next.
    pub(super) bits: u64,
    /// The words of the present word of a summary that come next.
    pub(super) more: u64,
    /// What comes next: a row, a place in a list, an offset, a word of a summary.
    pub(super) at: u32,
    /// Where that ends.
    pub(super) end: u32,
    /// The place of the key, or the first word of its region.
    pub(super) base: u32,
    /// What the present word counts in places.
    pub(super) offset: u32,
}

/// What a walker derives, and the memory to derive more.
#[derive(Clone)]
pub(super) struct Memory {
    /// One container a relation; those of relations with bits, or that never change, stay empty.
    pub(super) containers: Vec<Container>,
    /// The bits of all relations.
    pub(super) bits: Vec<u64>,
    pub(super) terms: Terms,
    pub(super) calling: Calling,
    has_calls: bool,
    pub(super) registers: Vec<TermId>,
    /// For each loop around the present instruction, how far it is.
    pub(super) cursors: Vec<Cursor>,
    /// For each relation in a hash table, the rows that are new in this round of a recursion.
    pub(super) newest: Vec<(u32, u32)>,
    pub(super) scratch: Vec<TermId>,
    /// Registers and cursors of the rules that wait for the answer to a call.
    pub(super) waiting: Vec<TermId>,
    pub(super) waiting_cursors: Vec<Cursor>,
    pub(super) calls: usize,
    /// Where the key of the call that is being answered starts in the scratch memory.
    pub(super) argument: usize,
    pub(super) steps: u64,
    pub(super) rows: u64,
    pub(super) exhausted: Option<Exhausted>,
}

impl Memory {
    pub(super) fn new(code: &Code, terms: Terms) -> Self {
        let mut registers = code.constants.clone();
        registers.resize(code.registers, 0);
        let arity = |relation: RelationId| code.layouts[relation.index()].arity;
        Self {
            containers: code.layouts.iter().map(Container::new).collect(),
            bits: code.bits.clone(),
            terms,
            calling: Calling::new(Arc::clone(&code.calls), arity, &code.changing),
            has_calls: !code.calls.all.is_empty(),
            registers,
            cursors: vec![Cursor::default(); code.cursors],
            newest: vec![(0, 0); code.layouts.len()],
            scratch: Vec::new(),
            waiting: Vec::new(),
            waiting_cursors: Vec::new(),
            calls: 0,
            argument: 0,
            steps: 0,
            rows: 0,
            exhausted: None,
        }
    }

    /// Forgets what was derived for a state, but not its facts.
    pub(super) fn forget(&mut self) {
        if self.has_calls {
            self.calling.forget();
        }
        self.steps = 0;
        self.rows = 0;
        self.exhausted = None;
    }

    /// What ran out since the last [`Self::forget`], if anything did; from then on nothing is
    /// derived.
    pub(super) fn exhausted(&self) -> Option<Exhausted> {
        self.exhausted
    }

    /// Whether nothing ran out.
    #[inline]
    pub(super) fn may_go_on(&mut self) -> bool {
        if self.steps > LIMITS.steps {
            self.exhausted.get_or_insert(Exhausted::Steps);
        } else if self.rows > LIMITS.rows {
            self.exhausted.get_or_insert(Exhausted::Rows);
        }
        self.exhausted.is_none()
    }
}
