//! Queries: loops over the rows that match.

use paidia_gdl::datalog::plan::{Match, Source};
use paidia_gdl::program::RelationId;

use super::values::{Sort, Value};
use super::{Emitter, Instruction, Label, Span};
use crate::compiled::code::{Bind, Field, HashLoop, Loop, PLAIN, RowLoop, Shape};
use crate::compiled::layout::View;
use crate::compiled::tables::digit;

/// Rows in lists, one for each key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lists {
    index: u32,
    keys: u32,
}

/// What is asked for: a relation, the columns that are known with their values, and what the others
/// must match.
struct Query<'q> {
    relation: RelationId,
    columns: &'q [usize],
    key: Vec<Value>,
    matches: &'q [(usize, Match)],
    exit: Label,
}

impl Query<'_> {
    /// The columns that are not known.
    fn unknown(&self, arity: usize) -> Vec<usize> {
        let all = 0..arity;
        all.filter(|column| !self.columns.contains(column))
            .collect()
    }
}

impl Emitter<'_> {
    pub(super) fn scan(
        &mut self,
        relation: RelationId,
        newest: bool,
        matches: &[(usize, Match)],
        exit: Label,
    ) -> Label {
        let query = Query {
            relation,
            columns: &[],
            key: Vec::new(),
            matches,
            exit,
        };
        if !newest {
            return self.query(&query);
        }
        let rounds = self.code.layouts[relation.index()].rounds.clone();
        match rounds {
            Some([newest, _]) => self.loop_over(&query, &newest),
            None => self.hash_loop(&query, Instruction::ScanNewest, Instruction::ScanNext),
        }
    }

    pub(super) fn probe(
        &mut self,
        relation: RelationId,
        columns: &[usize],
        key: &[Source],
        matches: &[(usize, Match)],
        exit: Label,
    ) -> Label {
        let key = self.build_all(key, false);
        self.find(relation, columns, key, matches, exit)
    }

    /// A loop over the rows in which some columns have these values.
    pub(super) fn find(
        &mut self,
        relation: RelationId,
        columns: &[usize],
        key: Vec<Value>,
        matches: &[(usize, Match)],
        exit: Label,
    ) -> Label {
        self.query(&Query {
            relation,
            columns,
            key,
            matches,
            exit,
        })
    }

    /// A loop in the way that suits.
    fn query(&mut self, query: &Query<'_>) -> Label {
        let layout = &self.code.layouts[query.relation.index()];
        let unknown = query.unknown(layout.arity);
        let best = layout.best_view(&unknown);
        let best = best.map(|(view, words)| (view.clone(), words));
        if let Some((view, 1)) = &best {
            return self.loop_over(query, view);
        }
        if self.code.is_fixed[query.relation.index()]
            && let Some(again) = self.row_loop(query, &unknown)
        {
            return again;
        }
        let layout = &self.code.layouts[query.relation.index()];
        match (layout.region(&unknown).cloned(), best) {
            (Some(view), _) | (None, Some((view, _))) => self.loop_over(query, &view),
            (None, None) if query.columns.is_empty() => {
                self.hash_loop(query, Instruction::Scan, Instruction::ScanNext)
            }
            (None, None) => self.hash_loop(query, Instruction::Probe, Instruction::ProbeNext),
        }
    }

    /// A loop over the bits of a view.
    fn loop_over(&mut self, query: &Query<'_>, view: &View) -> Label {
        let (start, key) = self.place_of(query.relation, view, query.columns, &query.key);
        let arity = view.digits.len();
        let shape = self.shape(view, &query.unknown(arity));
        let (fields, found) = self.fields(query, view);
        let words = shape.offsets.end - shape.offsets.start;
        let shape = Span::extend(&mut self.code.shapes, [Shape { fields, ..shape }]).start;
        let cursor = self.loops;
        let exit = query.exit;
        let l = Loop {
            start,
            key,
            cursor,
            shape,
            exit,
        };
        let (first, next) = match words {
            0 => (Instruction::Sparse(l), Instruction::SparseNext(l)),
            1 => (Instruction::Window(l), Instruction::WindowNext(l)),
            _ => (Instruction::Sweep(l), Instruction::SweepNext(l)),
        };
        self.push(first);
        self.turn(next, found)
    }

    /// The places of a view that differ in some columns only; without offsets if the summary is
    /// asked for them.
    pub(super) fn shape(&mut self, view: &View, unknown: &[usize]) -> Shape {
        let digits: Vec<_> = unknown.iter().map(|&column| view.digits[column]).collect();
        let mask = digits
            .iter()
            .fold(0u32, |mask, digit| mask | digit.mask() << digit.shift);
        let pattern = subsets(mask & 63).fold(0u64, |bits, place| bits | 1 << place);
        let lowest = mask.trailing_ones() == mask.count_ones();
        let words = subsets(mask >> 6);
        let mut shape = Shape {
            pattern,
            offsets: Span::default(),
            fields: Span::default(),
            view: PLAIN,
            words: (mask >> 6) + 1,
        };
        if view.summary.is_some() && lowest && mask > 63 {
            shape.view = self.summarised(view);
        } else {
            shape.offsets = Span::extend(&mut self.code.offsets, words);
        }
        shape
    }

    /// Where the digits of a place go, and what they must match there.
    fn fields<'q>(&mut self, query: &Query<'q>, view: &View) -> (Span, Vec<(Value, &'q Match)>) {
        let domains = self.code.layouts[query.relation.index()].domains.clone();
        let mut found = Vec::new();
        let mut fields = Vec::new();
        for (column, matching) in query.matches {
            let sort = Sort::Digit(domains[*column].unwrap_or(0));
            let register = self.target_of(matching, sort);
            let digit = view.digits[*column];
            fields.push(Field {
                shift: digit.shift,
                mask: digit.mask(),
                register,
            });
            found.push((Value::Register(register, sort), matching));
        }
        (Span::extend(&mut self.code.fields, fields), found)
    }

    /// A loop over a list of rows of a fixed relation, if there can be such lists.
    fn row_loop(&mut self, query: &Query<'_>, unknown: &[usize]) -> Option<Label> {
        let layout = &self.code.layouts[query.relation.index()];
        let domains = layout.domains.clone();
        let keys = layout.keys(query.columns, &self.code.domains);
        let (shifts, keys) = keys.filter(|_| !unknown.is_empty())?;
        let lists = self.lists(query, unknown, &shifts, keys);
        let columns = query.columns.iter();
        let places: Option<Vec<u32>> = columns.map(|&column| domains[column]).collect();
        let places: Vec<(u32, u32)> = places?.into_iter().zip(shifts).collect();
        let (start, key) = self.count(0, &query.key, &places);
        let mut found = Vec::new();
        let mut binds = Vec::new();
        for (column, matching) in query.matches {
            let sort = domains[*column].map_or(Sort::Symbol, Sort::Digit);
            let register = self.target_of(matching, sort);
            let column = unknown.iter().position(|other| other == column)? as u32;
            binds.push(Bind { column, register });
            found.push((Value::Register(register, sort), matching));
        }
        // What constants count is the same for all keys: the list starts that much later.
        let l = RowLoop {
            index: lists.index + start.min(lists.keys),
            keys: lists.keys - start.min(lists.keys),
            key,
            cursor: self.loops,
            width: unknown.len() as u16,
            binds: Span::extend(&mut self.code.binds, binds),
            exit: query.exit,
        };
        self.push(Instruction::Rows(l));
        Some(self.turn(Instruction::RowsNext(l), found))
    }

    /// The lists of rows of a fixed relation by some columns.
    fn lists(&mut self, query: &Query<'_>, unknown: &[usize], shifts: &[u32], keys: u32) -> Lists {
        let name = (query.relation.0, query.columns.to_vec());
        if let Some(&known) = self.lists.get(&name) {
            return known;
        }
        let domains = &self.code.domains;
        let layout = &self.code.layouts[query.relation.index()];
        let of = |column: usize, value: u32| match layout.domains[column] {
            Some(domain) => digit(domains.of(domain), value),
            None => Some(value),
        };
        let mut found: Vec<(u32, Vec<u32>)> = Vec::new();
        for row in self.facts[query.relation.index()].iter() {
            let columns = query.columns.iter().zip(shifts);
            let key = columns
                .map(|(&column, shift)| Some(of(column, row[column])? << shift))
                .sum::<Option<u32>>();
            let rest = unknown.iter().map(|&column| of(column, row[column]));
            if let (Some(key), Some(rest)) = (key, rest.collect()) {
                found.push((key, rest));
            }
        }
        found.sort();
        let rows = &mut self.code.rows;
        let index = rows.len() as u32;
        let mut at = index + keys + 1;
        let mut rest = &found[..];
        for key in 0..keys {
            rows.push(at);
            let count = rest.iter().take_while(|(other, _)| *other == key).count();
            at += (count * unknown.len()) as u32;
            rest = &rest[count..];
        }
        rows.push(at);
        rows.extend(found.iter().flat_map(|(_, row)| row));
        let lists = Lists { index, keys };
        self.lists.insert(name, lists);
        lists
    }

    /// A loop over rows in a hash table.
    fn hash_loop(
        &mut self,
        query: &Query<'_>,
        first: impl Fn(HashLoop) -> Instruction,
        next: impl Fn(HashLoop) -> Instruction,
    ) -> Label {
        let layout = &mut self.code.layouts[query.relation.index()];
        let index = match query.columns {
            [] => 0,
            columns => layout.index_on(columns, &self.code.domains, &mut self.code.tables),
        };
        let key = self.symbols(&query.key);
        let (binds, found) = self.binds(query.matches);
        let l = HashLoop {
            table: self.table(query.relation),
            index: index as u16,
            cursor: self.loops,
            key,
            binds,
            exit: query.exit,
        };
        self.push(first(l));
        self.turn(next(l), found)
    }

    pub(super) fn ask(
        &mut self,
        call: u32,
        key: &[Source],
        matches: &[(usize, Match)],
        exit: Label,
    ) -> Label {
        let key = self.build_all(key, true);
        let key = self.symbols(&key);
        let cursor = self.loops;
        self.push(Instruction::Ask { call, cursor, key });
        let (binds, found) = self.binds(matches);
        let next = Instruction::AskNext {
            call,
            cursor,
            binds,
            exit,
        };
        self.turn(next, found)
    }

    /// Where the symbols of a row go, and what they must match there.
    fn binds<'q>(&mut self, matches: &'q [(usize, Match)]) -> (Span, Vec<(Value, &'q Match)>) {
        let mut binds = Vec::new();
        let mut found = Vec::new();
        for (column, matching) in matches {
            let register = self.target_of(matching, Sort::Symbol);
            let column = *column as u32;
            binds.push(Bind { column, register });
            found.push((Value::Register(register, Sort::Symbol), matching));
        }
        (Span::extend(&mut self.code.binds, binds), found)
    }

    /// The instruction that takes the next row, and the tests of what a row brings; the label of
    /// that instruction.
    fn turn(&mut self, next: Instruction, found: Vec<(Value, &Match)>) -> Label {
        let again = self.label();
        self.set(again);
        self.push(next);
        self.check(found, again);
        again
    }
}

/// All numbers whose bits are among those of a mask.
fn subsets(mask: u32) -> impl Iterator<Item = u32> {
    let mut next = Some(0u32);
    std::iter::from_fn(move || {
        let this = next?;
        let after = this.wrapping_sub(mask) & mask;
        next = (after != 0).then_some(after);
        Some(this)
    })
}
