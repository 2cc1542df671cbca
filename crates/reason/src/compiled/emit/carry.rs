//! Rules that take rows over as they are: most facts of a state are facts of the next.
//!
//! Such a rule derives a row of one relation from the same row of another, if some tests of the row
//! hold. Where both keep their rows alike, it is done by words: those of the one, with the bits
//! that tests of fixed facts allow, without those for which there is a fact that must not be.

use paidia_gdl::datalog::plan::Match;
use paidia_gdl::program::{Atom, Literal, RelationId, Rule, Term};
use rustc_hash::FxHashMap;

use super::values::{Sort, Value};
use super::{Emitter, Instruction, Span};
use crate::compiled::code::{Carry, Remove};
use crate::compiled::layout::View;

/// If a fact is about more words than this, rows are tested one by one.
const MOST_OFFSETS: u32 = 8;

/// A rule that takes rows over, taken apart.
struct Frame<'r> {
    from: RelationId,
    arity: usize,
    /// For each variable of the row, its column.
    columns: FxHashMap<usize, usize>,
    /// Conditions about the row that are the same in every state.
    fixed: Vec<&'r Literal>,
    /// Conditions that do not depend on the row.
    guards: Vec<(&'r Atom, bool)>,
    /// Facts that must not be.
    without: Vec<&'r Atom>,
}

impl Emitter<'_> {
    /// The instructions of a rule that takes rows over as they are; false, and none, if the rule is
    /// not such a one.
    pub(in crate::compiled) fn carry(&mut self, rule: &Rule) -> bool {
        let Some(frame) = self.frame(rule) else {
            return false;
        };
        let [from, into] = [frame.from, rule.head.relation].map(|relation| self.view(relation));
        let (Some(from), Some(into)) = (from, into) else {
            return false;
        };
        let words = |atom: &&Atom| from.words_to_ask(&Self::untold(&frame, atom));
        if frame
            .without
            .iter()
            .map(words)
            .any(|words| words > MOST_OFFSETS)
        {
            return false;
        }
        let after = self.label();
        for &(atom, expected) in &frame.guards {
            let row: Vec<Value> = atom.args.iter().filter_map(constant).collect();
            self.test(atom.relation, &row, expected, after);
        }
        let mask = self.mask(rule, &frame, &from);
        let mask = Span::extend(&mut self.code.masks, mask);
        let carry = Carry {
            from: from.first,
            into: into.first,
            words: from.words,
            mask,
            joins: true,
        };
        if frame.without.is_empty() {
            self.push(Instruction::Carry(carry));
        } else {
            let between = View {
                first: self.words.take(from.words),
                ..from
            };
            self.push(Instruction::Carry(Carry {
                into: between.first,
                joins: false,
                ..carry
            }));
            for atom in &frame.without {
                self.remove(&frame, atom, &between);
            }
            self.push(Instruction::Carry(Carry {
                from: between.first,
                mask: Span::default(),
                ..carry
            }));
        }
        self.set(after);
        true
    }

    /// The view of a relation that has one only, and no summary.
    fn view(&self, relation: RelationId) -> Option<View> {
        let layout = &self.code.layouts[relation.index()];
        let view = layout.views.first()?;
        (view.summary.is_none() && !self.on_demand[relation.index()]).then(|| view.clone())
    }

    /// Whether all facts of a relation are known beforehand.
    fn is_known(&self, relation: RelationId) -> bool {
        self.code.is_fixed[relation.index()] && !self.on_demand[relation.index()]
    }

    /// Takes a rule apart, if it takes rows over.
    fn frame<'r>(&self, rule: &'r Rule) -> Option<Frame<'r>> {
        let head = &self.code.layouts[rule.head.relation.index()];
        if head.views.len() != 1 || head.rounds.is_some() {
            return None;
        }
        let source = rule.body.iter().position(|literal| match literal {
            Literal::Holds(atom) => {
                let other = &self.code.layouts[atom.relation.index()];
                let alike = other.views.first().map(|view| &view.digits)
                    == head.views.first().map(|view| &view.digits);
                let same = atom.args == rule.head.args && other.domains == head.domains;
                same && alike && !self.code.is_fixed[atom.relation.index()]
            }
            _ => false,
        })?;
        let mut frame = Frame {
            from: rule.body[source].atom()?.relation,
            arity: head.arity,
            columns: columns(&rule.head)?,
            fixed: Vec::new(),
            guards: Vec::new(),
            without: Vec::new(),
        };
        let others = rule.body.iter().enumerate();
        for (_, literal) in others.filter(|&(number, _)| number != source) {
            self.add(literal, &mut frame)?;
        }
        Some(frame)
    }

    /// Adds a condition, if it is one that words can tell.
    fn add<'r>(&self, literal: &'r Literal, frame: &mut Frame<'r>) -> Option<()> {
        let known = |term: &Term| match term {
            Term::Variable(variable) => frame.columns.contains_key(variable),
            Term::Constant(_) => true,
            Term::Compound(..) => false,
        };
        let terms: Vec<&Term> = match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => atom.args.iter().collect(),
            Literal::Distinct(left, right) => vec![left, right],
            Literal::Plain(term) => vec![term],
        };
        if !terms.into_iter().all(known) {
            return None;
        }
        match literal {
            Literal::Holds(atom) | Literal::Fails(atom) if !self.is_known(atom.relation) => {
                let expected = matches!(literal, Literal::Holds(_));
                self.view_of_any(atom.relation)?;
                if atom.args.iter().all(|arg| constant(arg).is_some()) {
                    frame.guards.push((atom, expected));
                } else if !expected && columns(atom).is_some() {
                    frame.without.push(atom);
                } else {
                    return None;
                }
            }
            _ => frame.fixed.push(literal),
        }
        Some(())
    }

    /// Some view of a relation that is derived as a whole.
    fn view_of_any(&self, relation: RelationId) -> Option<&View> {
        let view = self.code.layouts[relation.index()].views.first()?;
        (!self.on_demand[relation.index()]).then_some(view)
    }

    /// The columns of a row that a fact tells nothing about.
    fn untold(frame: &Frame<'_>, atom: &Atom) -> Vec<usize> {
        let told = |column: &usize| {
            atom.args.iter().any(|arg| match arg {
                Term::Variable(variable) => frame.columns.get(variable) == Some(column),
                _ => false,
            })
        };
        let columns = 0..frame.arity;
        columns.filter(|column| !told(column)).collect()
    }

    /// The bits of rows for which all fixed conditions hold.
    fn mask(&self, rule: &Rule, frame: &Frame<'_>, view: &View) -> Vec<u64> {
        let layout = &self.code.layouts[frame.from.index()];
        let mut mask = vec![0; view.words as usize];
        let mut row = Vec::new();
        for place in 0..view.words * 64 {
            if layout.is_place(&self.code.domains, place) {
                layout.row(&self.code.domains, place, &mut row);
                let value = |term: &Term| match term {
                    Term::Variable(variable) => row[frame.columns[variable]],
                    Term::Constant(symbol) => symbol.0,
                    Term::Compound(..) => u32::MAX,
                };
                let args = rule.head.args.iter();
                let fits = args.zip(&row).all(|(arg, &found)| value(arg) == found);
                if fits
                    && frame
                        .fixed
                        .iter()
                        .all(|literal| self.is_met(literal, &value))
                {
                    mask[place as usize / 64] |= 1 << (place % 64);
                }
            }
        }
        mask
    }

    /// Whether a fixed condition holds.
    fn is_met(&self, literal: &Literal, value: &impl Fn(&Term) -> u32) -> bool {
        let holds = |atom: &Atom| {
            let row: Vec<u32> = atom.args.iter().map(value).collect();
            self.facts[atom.relation.index()].contains(&row)
        };
        match literal {
            Literal::Holds(atom) => holds(atom),
            Literal::Fails(atom) => !holds(atom),
            Literal::Distinct(left, right) => value(left) != value(right),
            Literal::Plain(_) => true,
        }
    }

    /// Clears the bits of all rows that a fact must not be there for.
    fn remove(&mut self, frame: &Frame<'_>, atom: &Atom, rows: &View) {
        let (mut key, mut known, mut matches) = (Vec::new(), Vec::new(), Vec::new());
        for (column, arg) in atom.args.iter().enumerate() {
            match (arg, constant(arg)) {
                (_, Some(value)) => {
                    known.push(column);
                    key.push(value);
                }
                (Term::Variable(variable), None) => matches.push((column, Match::Bind(*variable))),
                (_, None) => {}
            }
        }
        let done = self.label();
        let again = self.find(atom.relation, &known, key, &matches, done);
        self.code.cursors = self.code.cursors.max(1);
        let layout = &self.code.layouts[frame.from.index()];
        let (mut values, mut places) = (Vec::new(), Vec::new());
        for (_, matching) in &matches {
            let Match::Bind(variable) = matching else {
                continue;
            };
            let column = frame.columns[variable];
            let sort: Sort = self.sorts[*variable];
            places.push((
                layout.domains[column].unwrap_or(0),
                rows.digits[column].shift,
            ));
            values.push(Value::Register(self.variable(*variable), sort));
        }
        let (_, row) = self.count(0, &values, &places);
        let shape = self.shape(rows, &Self::untold(frame, atom));
        let remove = Remove {
            first: rows.first,
            words: rows.words,
            row,
            shape: Span::extend(&mut self.code.shapes, [shape]).start,
            next: again,
        };
        self.push(Instruction::Remove(remove));
        self.set(done);
    }
}

/// For each variable of an atom, its column; `None` if one stands twice, or there are terms.
fn columns(atom: &Atom) -> Option<FxHashMap<usize, usize>> {
    let mut columns = FxHashMap::default();
    for (column, arg) in atom.args.iter().enumerate() {
        let known = match arg {
            Term::Variable(variable) => columns.insert(*variable, column),
            Term::Constant(_) => None,
            Term::Compound(..) => return None,
        };
        if known.is_some() {
            return None;
        }
    }
    Some(columns)
}

fn constant(term: &Term) -> Option<Value> {
    match term {
        Term::Constant(symbol) => Some(Value::Constant(symbol.0)),
        _ => None,
    }
}
