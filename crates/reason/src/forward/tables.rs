//! Building the reference tables of a rule.
//!
//! Inputs are taken in their order. For every reference number so far, all facts of the next input
//! that agree with it get the next numbers. What can be decided now is decided now: permanent
//! facts, `distinct`, and facts that can never hold. So only combinations get numbers that nothing
//! permanent forbids.

use paidia_gdl::datalog::Machine;
use paidia_gdl::datalog::table::NONE as NO_ROW;
use paidia_gdl::program::{Atom, Literal, Rule, Term};

use super::body::Body;
use super::coding::{NEVER, Numbering};
use super::rule::{Input, NONE, Reading, Tabled};

/// Why a rule has no tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTables {
    /// They would take more memory than there is room for, or more work than they can be worth.
    TooLarge,
    /// It is about terms that have no numbers.
    NotNumbered,
}

/// What tables are built from, and within.
pub(super) struct Workshop<'a> {
    pub(super) numbering: &'a Numbering,
    /// The permanent facts.
    pub(super) machine: Machine,
    /// For each relation, whether its facts are permanent and all in the machine.
    pub(super) permanent: &'a [bool],
    /// Whether inputs may be read by the facts that can agree.
    pub(super) candidates: bool,
    /// Bytes that tables may still take.
    pub(super) room: usize,
    /// Combinations that may still be tried.
    pub(super) work: u64,
}

impl Workshop<'_> {
    /// The tables of a rule whose inputs come in that order; `None` if it never derives anything.
    ///
    /// With `newest`, the first input reads only the newest facts.
    pub(super) fn build(
        &mut self,
        rule: &Rule,
        body: &Body,
        inputs: &[usize],
        newest: bool,
    ) -> Result<Option<Tabled>, NoTables> {
        if !self.is_numbered(rule) {
            return Err(NoTables::NotNumbered);
        }
        let before = self.room;
        let building = Building::new(self, rule, body, inputs);
        let built = building.finish(inputs, newest);
        // Memory for building is free again; that of the tables is not.
        let bytes = match &built {
            Ok(Some(tabled)) => tabled.bytes(),
            _ => 0,
        };
        self.room = before.saturating_sub(bytes);
        built
    }

    /// Whether everything that a rule says is about numbered or permanent facts.
    fn is_numbered(&self, rule: &Rule) -> bool {
        let is_plain = |atom: &Atom| {
            !atom
                .args
                .iter()
                .any(|arg| matches!(arg, Term::Compound(..)))
        };
        let has_number = |atom: &Atom| self.numbering.relations[atom.relation.index()].is_some();
        let body = rule.body.iter().all(|literal| match literal {
            Literal::Holds(atom) | Literal::Fails(atom) => {
                is_plain(atom) && (self.permanent[atom.relation.index()] || has_number(atom))
            }
            Literal::Distinct(left, right) => can_compare(left, right),
            Literal::Plain(term) => !matches!(term, Term::Compound(..)),
        });
        body && is_plain(&rule.head) && has_number(&rule.head)
    }
}

/// Whether two terms can be compared by comparing numbers.
fn can_compare(left: &Term, right: &Term) -> bool {
    match (left, right) {
        (Term::Compound(_, left), Term::Compound(_, right)) => left
            .iter()
            .zip(right)
            .all(|(left, right)| can_compare(left, right)),
        (Term::Compound(..), _) | (_, Term::Compound(..)) => false,
        _ => true,
    }
}

/// Tables in the making.
struct Building<'a, 'b> {
    workshop: &'a mut Workshop<'b>,
    rule: &'a Rule,
    body: &'a Body,
    /// The variables that have a value.
    known: Vec<bool>,
    /// Places of literals that have not been looked at.
    left: Vec<usize>,
    /// The values of the variables that are being tried.
    values: Vec<u32>,
    /// For each reference number, the values of all variables.
    bindings: Vec<u32>,
    references: usize,
    row: Vec<u32>,
}

/// What an input adds.
#[derive(Default)]
struct Level {
    /// Literals that are decided now.
    decided: Vec<usize>,
    /// Literals that are asked about when the rule runs.
    asked: Vec<usize>,
    /// Whether the fact that is derived is known for the first time.
    derives: bool,
    starts: Vec<u32>,
    facts: Vec<u32>,
    conditions: Vec<u32>,
    results: Vec<u32>,
    bindings: Vec<u32>,
}

impl Level {
    fn bytes(&self) -> usize {
        let entries = self.starts.len() + self.facts.len() + self.conditions.len();
        (entries + self.results.len() + self.bindings.len()) * size_of::<u32>()
    }
}

impl<'a, 'b> Building<'a, 'b> {
    fn new(
        workshop: &'a mut Workshop<'b>,
        rule: &'a Rule,
        body: &'a Body,
        inputs: &[usize],
    ) -> Self {
        let places = 0..rule.body.len();
        Self {
            workshop,
            rule,
            body,
            known: vec![false; rule.variables],
            left: places.filter(|place| !inputs.contains(place)).collect(),
            values: vec![0; rule.variables],
            bindings: vec![0; rule.variables],
            references: 1,
            row: Vec::new(),
        }
    }

    fn finish(mut self, inputs: &[usize], newest: bool) -> Result<Option<Tabled>, NoTables> {
        let Some(preconditions) = self.preconditions() else {
            return Ok(None);
        };
        let mut tabled = Tabled {
            head: self.rule.head.relation.index(),
            preconditions,
            inputs: Box::default(),
            known_after: 0,
            results: Box::default(),
            direct: false,
        };
        let mut derives = self.knows_head();
        if derives {
            let Some(result) = self.fact(&self.rule.head) else {
                return Ok(None);
            };
            tabled.results = Box::new([result]);
        }
        let mut built = Vec::new();
        for (depth, &place) in inputs.iter().enumerate() {
            let mut level = self.level(place, derives)?;
            if level.facts.is_empty() {
                return Ok(None);
            }
            if level.derives {
                derives = true;
                tabled.known_after = depth + 1;
                tabled.results = std::mem::take(&mut level.results).into();
            }
            built.push(self.input(place, level, newest && depth == 0)?);
        }
        if !self.left.is_empty() || !derives {
            return Err(NoTables::NotNumbered);
        }
        tabled.inputs = built.into();
        make_direct(&mut tabled);
        Ok(Some(tabled))
    }

    fn knows_head(&self) -> bool {
        let mut known = true;
        for arg in &self.rule.head.args {
            arg.variables(&mut |variable| known &= self.known[variable]);
        }
        known
    }

    /// Decides or collects the conditions without variables; `None` if one of them never holds.
    fn preconditions(&mut self) -> Option<Box<[(u32, bool)]>> {
        let (decided, asked) = self.due();
        if !decided.into_iter().all(|place| self.decide(place)) {
            return None;
        }
        let mut preconditions = Vec::new();
        for place in asked {
            let fact = self.asked_fact(place)?;
            preconditions.push((fact, self.body.hypotheses[place].positive));
        }
        Some(preconditions.into())
    }

    /// Takes the literals out of `left` whose variables are known: those that can be decided now,
    /// and those to ask about, least likely first.
    fn due(&mut self) -> (Vec<usize>, Vec<usize>) {
        let hypotheses = &self.body.hypotheses;
        let known = &self.known;
        let (due, left): (Vec<usize>, Vec<usize>) = std::mem::take(&mut self.left)
            .into_iter()
            .partition(|&place| hypotheses[place].is_known(known));
        self.left = left;
        let (decided, mut asked): (Vec<usize>, Vec<usize>) = due
            .into_iter()
            .partition(|&place| hypotheses[place].permanent);
        asked.sort_by(|&left, &right| {
            let [left, right] = [left, right].map(|place| hypotheses[place].probability);
            left.total_cmp(&right)
        });
        (decided, asked)
    }

    /// Whether a literal about permanent things holds for the values that are tried.
    fn decide(&mut self, place: usize) -> bool {
        let rule = self.rule;
        match &rule.body[place] {
            Literal::Holds(atom) => self.holds_permanently(atom),
            Literal::Fails(atom) => !self.holds_permanently(atom),
            Literal::Distinct(left, right) => !self.same(left, right),
            Literal::Plain(term) => {
                let value = self.value(term);
                self.workshop.machine.terms.parts(value).is_none()
            }
        }
    }

    fn holds_permanently(&mut self, atom: &Atom) -> bool {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend(atom.args.iter().map(|arg| self.value(arg)));
        let holds = self.workshop.machine.tables[atom.relation.index()].contains(&row);
        self.row = row;
        holds
    }

    fn same(&self, left: &Term, right: &Term) -> bool {
        match (left, right) {
            (Term::Compound(f, left), Term::Compound(g, right)) => {
                let mut pairs = left.iter().zip(right);
                f == g && left.len() == right.len() && pairs.all(|(l, r)| self.same(l, r))
            }
            _ => self.value(left) == self.value(right),
        }
    }

    /// The value that is tried for a term, which is no function.
    fn value(&self, term: &Term) -> u32 {
        match term {
            Term::Variable(variable) => self.values[*variable],
            Term::Constant(symbol) | Term::Compound(symbol, _) => symbol.0,
        }
    }

    /// The number of an atom for the values that are tried; `None` if it never holds.
    fn fact(&mut self, atom: &Atom) -> Option<u32> {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        row.extend(atom.args.iter().map(|arg| self.value(arg)));
        let numbered = self.workshop.numbering.relations[atom.relation.index()].as_ref();
        let fact = numbered.and_then(|numbered| numbered.fact(&row));
        self.row = row;
        fact
    }

    /// The fact that a condition asks about; `None` if it makes the condition fail that there is no
    /// such fact.
    fn asked_fact(&mut self, place: usize) -> Option<u32> {
        let rule = self.rule;
        match &rule.body[place] {
            Literal::Holds(atom) => self.fact(atom),
            Literal::Fails(atom) => Some(self.fact(atom).unwrap_or(NEVER)),
            Literal::Distinct(..) | Literal::Plain(_) => None,
        }
    }

    /// Numbers all combinations with one more input.
    fn level(&mut self, place: usize, derives: bool) -> Result<Level, NoTables> {
        let rule = self.rule;
        let Literal::Holds(atom) = &rule.body[place] else {
            return Err(NoTables::NotNumbered);
        };
        let variables = self.body.hypotheses[place].variables.iter().copied();
        let fresh: Vec<usize> = variables
            .filter(|&variable| !self.known[variable])
            .collect();
        let was_known = self.known.clone();
        fresh
            .iter()
            .for_each(|&variable| self.known[variable] = true);
        let (decided, asked) = self.due();
        let mut level = Level {
            decided,
            asked,
            derives: !derives && self.knows_head(),
            ..Level::default()
        };
        let permanent = self.body.hypotheses[place].permanent;
        let known: Vec<usize> = (0..atom.args.len())
            .filter(|&column| is_known(&atom.args[column], &was_known))
            .collect();
        let table = &mut self.workshop.machine.tables[atom.relation.index()];
        let index = (permanent && !known.is_empty()).then(|| table.index_on(&known));
        for reference in 0..self.references {
            level.starts.push(level.facts.len() as u32);
            let start = reference * rule.variables;
            let binding = &self.bindings[start..start + rule.variables];
            self.values.copy_from_slice(binding);
            match permanent {
                true => self.try_rows(atom, &fresh, &known, index, &mut level)?,
                false => self.try_values(atom, &fresh, &mut level)?,
            }
        }
        level.starts.push(level.facts.len() as u32);
        self.references = level.facts.len();
        self.bindings = std::mem::take(&mut level.bindings);
        Ok(level)
    }

    /// Tries all values of some variables.
    fn try_values(
        &mut self,
        atom: &Atom,
        fresh: &[usize],
        level: &mut Level,
    ) -> Result<(), NoTables> {
        let Some((&variable, rest)) = fresh.split_first() else {
            return match self.fact(atom) {
                Some(fact) => self.accept(fact, level),
                None => Ok(()),
            };
        };
        let body = self.body;
        let Some(domain) = &body.domains[variable] else {
            return Err(NoTables::NotNumbered);
        };
        for &value in domain {
            self.values[variable] = value;
            self.try_values(atom, rest, level)?;
        }
        Ok(())
    }

    /// Tries all permanent facts that agree with what is known.
    fn try_rows(
        &mut self,
        atom: &Atom,
        fresh: &[usize],
        known: &[usize],
        index: Option<usize>,
        level: &mut Level,
    ) -> Result<(), NoTables> {
        let relation = atom.relation.index();
        let key: Vec<u32> = known
            .iter()
            .map(|&column| self.value(&atom.args[column]))
            .collect();
        let table = &self.workshop.machine.tables[relation];
        let mut row = match index {
            Some(index) => table.first(index, &key),
            None if table.is_empty() => NO_ROW,
            None => table.len() - 1,
        };
        while row != NO_ROW {
            if self.bind_row(atom, fresh, row) {
                self.accept(NEVER, level)?;
            }
            row = match index {
                Some(index) => self.workshop.machine.tables[relation].next(index, row),
                None => row.checked_sub(1).unwrap_or(NO_ROW),
            };
        }
        Ok(())
    }

    /// Gives new variables the values of a permanent fact; false if it does not agree with itself
    /// or with the rest of the body.
    fn bind_row(&mut self, atom: &Atom, fresh: &[usize], row: u32) -> bool {
        let row = self.workshop.machine.tables[atom.relation.index()].row(row);
        let mut given = vec![None; fresh.len()];
        for (arg, &value) in atom.args.iter().zip(row) {
            let Term::Variable(variable) = arg else {
                continue;
            };
            let Some(place) = fresh.iter().position(|other| other == variable) else {
                continue;
            };
            if given[place].is_some_and(|before| before != value) {
                return false;
            }
            given[place] = Some(value);
            let domain = self.body.domains[*variable].as_ref();
            if domain.is_some_and(|domain| !domain.contains(&value)) {
                return false;
            }
            self.values[*variable] = value;
        }
        true
    }

    /// Numbers the combination that is tried, if nothing permanent forbids it.
    fn accept(&mut self, fact: u32, level: &mut Level) -> Result<(), NoTables> {
        self.workshop.work = self.workshop.work.saturating_sub(1);
        if self.workshop.work == 0 {
            return Err(NoTables::TooLarge);
        }
        if !level.decided.iter().all(|&place| self.decide(place)) {
            return Ok(());
        }
        let before = level.conditions.len();
        for index in 0..level.asked.len() {
            let Some(fact) = self.asked_fact(level.asked[index]) else {
                level.conditions.truncate(before);
                return Ok(());
            };
            level.conditions.push(fact);
        }
        if level.derives {
            let rule = self.rule;
            let Some(result) = self.fact(&rule.head) else {
                level.conditions.truncate(before);
                return Ok(());
            };
            level.results.push(result);
        }
        level.facts.push(fact);
        level.bindings.extend_from_slice(&self.values);
        let bytes = level.bytes() + self.bindings.len() * size_of::<u32>();
        match bytes > self.workshop.room {
            true => Err(NoTables::TooLarge),
            false => Ok(()),
        }
    }

    /// The table of an input whose combinations are numbered.
    fn input(&mut self, place: usize, level: Level, newest: bool) -> Result<Input, NoTables> {
        let hypothesis = &self.body.hypotheses[place];
        let references = level.starts.len() - 1;
        let expected = level.asked.iter();
        let expected: Box<[bool]> = expected
            .map(|&place| self.body.hypotheses[place].positive)
            .collect();
        let relation = self.rule.body[place]
            .atom()
            .map_or(0, |atom| atom.relation.index());
        let reading = match &self.workshop.numbering.relations[relation] {
            _ if hypothesis.permanent => Reading::Permanent {
                starts: level.starts.into(),
            },
            None => return Err(NoTables::NotNumbered),
            Some(numbered) => {
                let size = numbered.coding.size();
                let mean = level.facts.len() as f64 / references as f64;
                let bytes = references * size as usize * size_of::<u32>();
                let all = newest || !self.workshop.candidates || hypothesis.facts <= mean;
                if all && bytes <= self.workshop.room {
                    let first = numbered.first;
                    Reading::Facts {
                        relation,
                        first,
                        size,
                        newest,
                        table: table(&level.starts, &level.facts, first, size),
                    }
                } else if newest || !self.workshop.candidates {
                    return Err(NoTables::TooLarge);
                } else {
                    Reading::Candidates {
                        starts: level.starts.into(),
                        facts: level.facts.into(),
                    }
                }
            }
        };
        let input = Input {
            reading,
            expected,
            conditions: level.conditions.into(),
        };
        self.workshop.room = self.workshop.room.saturating_sub(input.bytes());
        Ok(input)
    }
}

/// Whether the value of an argument is known.
fn is_known(term: &Term, known: &[bool]) -> bool {
    match term {
        Term::Variable(variable) => known[*variable],
        Term::Constant(_) | Term::Compound(..) => true,
    }
}

/// The next reference number for each reference number and fact.
fn table(starts: &[u32], facts: &[u32], first: u32, size: u32) -> Box<[u32]> {
    let size = size as usize;
    let mut table = vec![NONE; (starts.len() - 1) * size];
    for (reference, range) in starts.windows(2).enumerate() {
        for next in range[0]..range[1] {
            let fact = facts[next as usize] - first;
            table[reference * size + fact as usize] = next;
        }
    }
    table.into()
}

/// Lets the last table give what is derived, where nothing is asked in between.
fn make_direct(tabled: &mut Tabled) {
    let is_last = tabled.known_after == tabled.inputs.len();
    let Some(last) = tabled.inputs.last_mut().filter(|_| is_last) else {
        return;
    };
    let Reading::Facts { table, .. } = &mut last.reading else {
        return;
    };
    if !last.expected.is_empty() {
        return;
    }
    for entry in table.iter_mut().filter(|entry| **entry != NONE) {
        *entry = tabled.results[*entry as usize];
    }
    tabled.results = Box::default();
    tabled.direct = true;
}
