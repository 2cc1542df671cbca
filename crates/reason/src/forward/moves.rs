//! Between facts and moves: which moves the legal facts are, and which facts moves become when they
//! are made.

use paidia_game::{Fault, LegalMoves, MoveId, RoleId};

use super::Rules;
use super::chainer::Chainer;
use super::coding::{NEVER, Numbered};
use crate::names::MoveNames;

/// The moves that a walker has met.
pub(super) struct Moves {
    names: MoveNames,
    /// For each kind of move and number of a legal one, the move and its role; nothing for kinds
    /// without numbers, or with too many.
    known: Vec<Vec<Known>>,
    /// For each role, its moves as they are found.
    found: Vec<Vec<MoveId>>,
    /// For each move and role, the relation and number of the fact that it is made; [`NEVER`] if
    /// that was not looked up yet.
    made: Vec<(u32, u32)>,
    row: Vec<u32>,
}

/// A legal move of a role.
#[derive(Clone, Copy)]
struct Known {
    role: RoleId,
    id: MoveId,
}

/// No move that has been met.
const UNKNOWN: Known = Known {
    role: RoleId(0),
    id: MoveId::CHANCE,
};

/// The most moves that are looked up in arrays.
const KNOWN_MOVES: usize = 1 << 18;

impl Moves {
    /// None yet.
    pub(super) fn new(rules: &Rules) -> Self {
        let kinds = rules.program.moves.iter();
        let arities = kinds.map(|kind| rules.program.relation(kind.legal).arity - 1);
        let kinds = rules.program.moves.iter();
        let sizes = kinds.map(|kind| {
            let numbered = rules.chains.numbering.relations[kind.legal.index()].as_ref();
            let size = numbered.map_or(0, |numbered| numbered.coding.size() as usize);
            if size <= KNOWN_MOVES { size } else { 0 }
        });
        Self {
            names: MoveNames::new(arities),
            known: sizes.map(|size| vec![UNKNOWN; size]).collect(),
            found: vec![Vec::new(); rules.roles.len()],
            made: Vec::new(),
            row: Vec::new(),
        }
    }

    /// Lists the legal moves that were derived.
    pub(super) fn list(
        &mut self,
        rules: &Rules,
        chainer: &Chainer,
        legal: &mut LegalMoves,
    ) -> Result<(), Fault> {
        self.found.iter_mut().for_each(Vec::clear);
        for kind in 0..rules.program.moves.len() {
            let relation = rules.program.moves[kind].legal.index();
            let numbered = rules.chains.numbering.relations[relation].as_ref();
            match numbered.filter(|_| !self.known[kind].is_empty()) {
                Some(numbered) => {
                    let facts = chainer.knowledge.list(relation);
                    self.find_numbered(rules, chainer, kind, numbered, facts)?;
                }
                None => self.find_rows(rules, chainer, kind, relation)?,
            }
        }
        for moves in &mut self.found {
            self.names.push_sorted(moves, &rules.moves, legal);
        }
        Ok(())
    }

    fn find_numbered(
        &mut self,
        rules: &Rules,
        chainer: &Chainer,
        kind: usize,
        numbered: &Numbered,
        facts: &[u32],
    ) -> Result<(), Fault> {
        for &fact in facts {
            let number = (fact - numbered.first) as usize;
            let mut known = self.known[kind][number];
            if known.id == UNKNOWN.id {
                numbered.row(fact, &mut self.row);
                let Some(met) = self.meet(rules, chainer, kind)? else {
                    continue;
                };
                self.known[kind][number] = met;
                known = met;
            }
            self.found[known.role.index()].push(known.id);
        }
        Ok(())
    }

    fn find_rows(
        &mut self,
        rules: &Rules,
        chainer: &Chainer,
        kind: usize,
        relation: usize,
    ) -> Result<(), Fault> {
        for place in 0..chainer.count(&rules.chains, relation) {
            chainer.row(&rules.chains, relation, place, &mut self.row);
            if let Some(known) = self.meet(rules, chainer, kind)? {
                self.found[known.role.index()].push(known.id);
            }
        }
        Ok(())
    }

    /// The move that `row` is, and its role, if that is one.
    fn meet(
        &mut self,
        rules: &Rules,
        chainer: &Chainer,
        kind: usize,
    ) -> Result<Option<Known>, Fault> {
        let Some(role) = rules.role(self.row[0]) else {
            return Ok(None);
        };
        let legal = rules.program.moves[kind].legal;
        let rest = &self.row[1..];
        let write = |text: &mut String| {
            let terms = &chainer.machine.terms;
            rules.texts.write_after_role(legal, rest, terms, text);
        };
        let id = self.names.id(kind, rest, &rules.moves, write)?;
        Ok(Some(Known { role, id }))
    }

    /// Adds the facts that moves are made, one for each role.
    pub(super) fn make(&mut self, rules: &Rules, chainer: &mut Chainer, joint: &[MoveId]) {
        let roles = rules.roles.len();
        for (role, &id) in joint.iter().enumerate().take(roles) {
            let place = (id.0 as usize).saturating_mul(roles).saturating_add(role);
            match self.made.get(place) {
                Some(&(relation, fact)) if fact != NEVER => {
                    chainer.add_fact(&rules.chains, relation as usize, fact);
                }
                _ => self.make_unknown(rules, chainer, role, id, place),
            }
        }
    }

    /// Adds the fact that a move is made of which that is not known yet, and keeps it for the next
    /// time.
    #[cold]
    fn make_unknown(
        &mut self,
        rules: &Rules,
        chainer: &mut Chainer,
        role: usize,
        id: MoveId,
        place: usize,
    ) {
        let terms = &mut chainer.machine.terms;
        let read = |text: &str| rules.texts.read_move(text, terms).ok();
        let Some((kind, rest)) = self.names.row(id, &rules.moves, read) else {
            return;
        };
        let does = rules.program.moves[kind].does.index();
        self.row.clear();
        self.row.push(rules.roles[role]);
        self.row.extend_from_slice(rest);
        chainer.add(&rules.chains, does, &self.row);
        let numbered = rules.chains.numbering.relations[does].as_ref();
        let fact = numbered.and_then(|numbered| numbered.fact(&self.row));
        if let Some(fact) = fact.filter(|_| place < KNOWN_MOVES) {
            let size = self.made.len().max(place + 1);
            self.made.resize(size, (0, NEVER));
            self.made[place] = (does as u32, fact);
        }
    }
}
