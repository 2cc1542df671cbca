//! One way to ask either engine for what it derives.

use std::sync::Arc;

use paidia_game::Fault;
use paidia_gdl::datalog::Terms;
use paidia_gdl::program::RelationId;

use super::Engine;
use crate::compiled::Derivation;
use crate::reference::Evaluation;
use crate::rows::{Deduction, Question, RowEngine};

/// One thread's derivation of the timeless part of the rules.
pub(super) enum Deriving {
    Reference(Box<Evaluation>),
    Compiled(Box<Derivation>),
}

impl Deriving {
    pub(super) fn new(engine: &Engine) -> Self {
        match engine {
            Engine::Reference(rules) => {
                Deriving::Reference(Box::new(Arc::clone(rules).deduction()))
            }
            Engine::Compiled(compiled) => Deriving::Compiled(Box::new(compiled.derivation())),
        }
    }

    /// Forgets all facts and what was derived of them.
    pub(super) fn clear(&mut self) {
        match self {
            Deriving::Reference(evaluation) => evaluation.clear(),
            Deriving::Compiled(derivation) => derivation.clear(),
        }
    }

    /// Adds a fact.
    pub(super) fn insert(&mut self, relation: RelationId, row: &[u32]) {
        match self {
            Deriving::Reference(evaluation) => evaluation.make_move(relation, row),
            Deriving::Compiled(derivation) => derivation.insert(relation, row),
        }
    }

    /// Derives what a question needs, unless it is there.
    pub(super) fn answer(&mut self, question: Question) -> Result<(), Fault> {
        match self {
            Deriving::Reference(evaluation) => evaluation.answer(question),
            Deriving::Compiled(derivation) => derivation.answer(question),
        }
    }

    /// Appends the rows of a relation, one after the other.
    pub(super) fn rows(&mut self, relation: RelationId, into: &mut Vec<u32>) {
        match self {
            Deriving::Reference(evaluation) => {
                into.extend_from_slice(evaluation.rows(relation).flat);
            }
            Deriving::Compiled(derivation) => {
                derivation.each_row(relation, |row| into.extend_from_slice(row));
            }
        }
    }

    /// Whether a relation has rows.
    pub(super) fn has_rows(&self, relation: RelationId) -> bool {
        match self {
            Deriving::Reference(evaluation) => evaluation.rows(relation).count > 0,
            Deriving::Compiled(derivation) => derivation.has_rows(relation),
        }
    }

    /// The compound terms that were met.
    pub(super) fn terms_mut(&mut self) -> &mut Terms {
        match self {
            Deriving::Reference(evaluation) => evaluation.terms_mut(),
            Deriving::Compiled(derivation) => derivation.terms_mut(),
        }
    }
}
