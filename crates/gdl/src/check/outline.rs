//! The definitions and uses of each relation of a sheet, on which all checks are built.
//!
//! Relations are told apart by name alone; whether a name is used with two arities is itself a
//! check. The outline is also the dependency graph: a [`Use`] is an edge from the relation that a
//! clause defines to one that its body asks.

use crate::dialect::Dialect;
use crate::graph;
use crate::keyword::Keyword;
use crate::symbol::{Symbol, Symbols};
use crate::syntax::{Atom, Clause, Formula, Sheet};

/// The place of a relation in [`Outline::relations`].
pub(super) type RelationId = usize;

/// One relation of the sheet.
pub(super) struct Relation {
    pub(super) symbol: Symbol,
    /// The meaning that the language gives to the name, in this dialect.
    pub(super) keyword: Option<Keyword>,
    /// The clauses that define it.
    pub(super) clauses: Vec<usize>,
    /// The places in [`Outline::uses`] where bodies ask for it.
    pub(super) uses: Vec<usize>,
}

/// An atom in the body of a clause.
pub(super) struct Use<'a> {
    pub(super) clause: usize,
    /// The relation that the clause defines.
    pub(super) head: RelationId,
    /// The relation asked for.
    pub(super) relation: RelationId,
    pub(super) atom: &'a Atom,
    /// Whether it stands under a `not`.
    pub(super) negative: bool,
}

/// A sheet with its relations sorted out.
pub(super) struct Outline<'a> {
    pub(super) sheet: &'a Sheet,
    pub(super) dialect: Dialect,
    /// Whether all clauses could be read. If not, a fact may be a piece of a rule that was closed
    /// too early.
    pub(super) is_complete: bool,
    pub(super) relations: Vec<Relation>,
    /// In the order of the text.
    pub(super) uses: Vec<Use<'a>>,
    /// The relations that each relation's clauses ask for.
    needs: Vec<Vec<RelationId>>,
    /// The component of the dependency graph that each relation belongs to, misplaced keywords
    /// aside.
    component: Vec<usize>,
    by_symbol: Vec<Option<RelationId>>,
}

impl<'a> Outline<'a> {
    /// Reads the whole sheet once.
    pub(super) fn new(sheet: &'a Sheet, dialect: Dialect, is_complete: bool) -> Self {
        let mut outline = Self {
            sheet,
            dialect,
            is_complete,
            relations: Vec::new(),
            uses: Vec::new(),
            needs: Vec::new(),
            component: Vec::new(),
            by_symbol: vec![None; sheet.symbols.len()],
        };
        for (index, clause) in sheet.clauses.iter().enumerate() {
            let head = outline.relation(clause.head.relation);
            outline.relations[head].clauses.push(index);
            for_each_atom(&clause.body, &mut |atom, negative| {
                outline.add_use(index, head, atom, negative);
            });
        }
        outline.find_components();
        outline
    }

    fn relation(&mut self, symbol: Symbol) -> RelationId {
        let known = &mut self.by_symbol[symbol.0 as usize];
        *known.get_or_insert_with(|| {
            self.relations.push(Relation {
                symbol,
                keyword: keyword(self.sheet.symbols.name(symbol), self.dialect),
                clauses: Vec::new(),
                uses: Vec::new(),
            });
            self.relations.len() - 1
        })
    }

    fn add_use(&mut self, clause: usize, head: RelationId, atom: &'a Atom, negative: bool) {
        let relation = self.relation(atom.relation);
        self.relations[relation].uses.push(self.uses.len());
        self.uses.push(Use {
            clause,
            head,
            relation,
            atom,
            negative,
        });
    }

    fn find_components(&mut self) {
        let mut sound = vec![Vec::new(); self.relations.len()];
        self.needs = sound.clone();
        for used in &self.uses {
            self.needs[used.head].push(used.relation);
            if !self.is_misplaced(used) {
                sound[used.head].push(used.relation);
            }
        }
        self.component = vec![0; self.relations.len()];
        for (index, members) in graph::components(&sound).into_iter().enumerate() {
            for member in members {
                self.component[member] = index;
            }
        }
    }

    pub(super) fn symbols(&self) -> &'a Symbols {
        &self.sheet.symbols
    }

    pub(super) fn name(&self, relation: RelationId) -> &'a str {
        self.sheet.symbols.name(self.relations[relation].symbol)
    }

    pub(super) fn keyword(&self, relation: RelationId) -> Option<Keyword> {
        self.relations[relation].keyword
    }

    /// The relation with that name.
    pub(super) fn id(&self, symbol: Symbol) -> Option<RelationId> {
        self.by_symbol[symbol.0 as usize]
    }

    /// The relations that a relation's clauses ask for, with repetitions.
    pub(super) fn needs(&self, relation: RelationId) -> &[RelationId] {
        &self.needs[relation]
    }

    /// The relation of a keyword, if the sheet mentions it.
    pub(super) fn find(&self, keyword: Keyword) -> Option<RelationId> {
        let symbol = self.sheet.symbols.get(keyword.name())?;
        self.id(symbol)
            .filter(|&id| self.keyword(id) == Some(keyword))
    }

    /// The clauses that define a keyword.
    pub(super) fn clauses(&self, keyword: Keyword) -> impl Iterator<Item = &'a Clause> + '_ {
        let clauses = self.find(keyword).map(|id| &self.relations[id].clauses);
        clauses
            .into_iter()
            .flatten()
            .map(|&index| &self.sheet.clauses[index])
    }

    /// The places where bodies ask for a keyword.
    pub(super) fn uses_of(&self, keyword: Keyword) -> impl Iterator<Item = &Use<'a>> + '_ {
        let uses = self.find(keyword).map(|id| &self.relations[id].uses);
        uses.into_iter().flatten().map(|&index| &self.uses[index])
    }

    /// The component of the dependency graph that a relation belongs to.
    pub(super) fn component(&self, relation: RelationId) -> usize {
        self.component[relation]
    }

    /// Whether what is asked here depends on what the clause defines.
    pub(super) fn in_cycle(&self, used: &Use) -> bool {
        self.component[used.head] == self.component[used.relation] && !self.is_misplaced(used)
    }

    /// Whether a keyword stands where it may not, here or in the head; then it says nothing about
    /// dependencies.
    pub(super) fn is_misplaced(&self, used: &Use) -> bool {
        let head_is_given = self
            .keyword(used.head)
            .is_some_and(|keyword| !may_be_defined(keyword));
        head_is_given
            || self
                .keyword(used.relation)
                .is_some_and(|keyword| !may_be_asked(keyword))
    }

    /// Whether the atom has as many arguments as its relation must have, if it is a keyword.
    pub(super) fn is_well_formed(&self, atom: &Atom) -> bool {
        let keyword = self.id(atom.relation).and_then(|id| self.keyword(id));
        keyword.is_none_or(|keyword| keyword.arity(self.dialect.is_timed()) == atom.args.len())
    }
}

/// Whether clauses may define the keyword; the others are given by the course of the game.
pub(super) fn may_be_defined(keyword: Keyword) -> bool {
    !matches!(keyword, Keyword::True | Keyword::Does | Keyword::Expired)
}

/// Whether bodies may ask for the keyword; the others tell something to the world outside.
pub(super) fn may_be_asked(keyword: Keyword) -> bool {
    !matches!(keyword, Keyword::Init | Keyword::Next | Keyword::Sees)
}

/// The meaning of a relation's name in the dialect.
fn keyword(name: &str, dialect: Dialect) -> Option<Keyword> {
    Keyword::by_name(name).filter(|&keyword| keyword != Keyword::Expired || dialect.is_timed())
}

/// Calls `visit` for every atom of a body, telling whether it stands under a `not`.
fn for_each_atom<'a>(body: &'a [Formula], visit: &mut impl FnMut(&'a Atom, bool)) {
    fn inside<'a>(formula: &'a Formula, negative: bool, visit: &mut impl FnMut(&'a Atom, bool)) {
        match formula {
            Formula::Atom(atom) => visit(atom, negative),
            Formula::Distinct(..) => {}
            Formula::Not(inner, _) => inside(inner, true, visit),
            Formula::And(parts, _) | Formula::Or(parts, _) => {
                parts.iter().for_each(|part| inside(part, negative, visit));
            }
        }
    }
    body.iter()
        .for_each(|formula| inside(formula, false, visit));
}
