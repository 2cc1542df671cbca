//! Domains that look at whole rows of the relations that never change.
//!
//! Taken column by column, what is adjacent to a file can be a rank where one relation has the
//! pairs of both. Here a variable of a rule can be what some row of such a relation has there
//! together with values that the rule's other variables can have: semi-joins, until nothing is
//! narrowed any more. Everything else is as in [`crate::program::domains`].

use std::collections::VecDeque;

use super::Fixed;
use crate::Symbol;
use crate::analysis::{Dependencies, Dynamics};
use crate::program::domains::Domain;
use crate::program::{Atom, Literal, Program, RelationId, Rule, Term};

/// Relations with more rows than this are taken column by column.
const MOST_ROWS: u32 = 4_096;

/// The most rows that are looked at; beyond that domains stay as they were.
const MOST_LOOKS: u64 = 40_000_000;

/// For each relation, the domains of its columns; `None` if there are terms in some column, or if
/// it takes too long.
pub fn narrowed(
    program: &Program,
    dependencies: &Dependencies,
    fixed: &Fixed,
) -> Option<Vec<Vec<Domain>>> {
    let mut domains = program.relations.iter().flat_map(|own| &own.domains);
    if domains.any(|domain| domain.open || !domain.compounds.is_empty()) {
        return None;
    }
    let mut narrowing = Narrowing::new(program, dependencies, fixed);
    narrowing.run()?;
    Some(narrowing.domains())
}

/// A set of symbols, a bit each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Set(Vec<u64>);

impl Set {
    fn has(&self, symbol: u32) -> bool {
        let word = self.0.get(symbol as usize / 64);
        word.is_some_and(|word| word >> (symbol % 64) & 1 == 1)
    }

    /// Adds a symbol; whether it is new.
    fn add(&mut self, symbol: u32) -> bool {
        let word = symbol as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let before = self.0[word];
        self.0[word] |= 1 << (symbol % 64);
        self.0[word] != before
    }

    /// Adds all of another set; whether some are new.
    fn add_all(&mut self, other: &Self) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut is_new = false;
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            is_new |= *other & !*own != 0;
            *own |= other;
        }
        is_new
    }

    /// Leaves what another set has, too; whether something was left out.
    fn keep(&mut self, other: &Self) -> bool {
        let mut is_less = false;
        for (word, own) in self.0.iter_mut().enumerate() {
            let kept = *own & other.0.get(word).copied().unwrap_or(0);
            is_less |= kept != *own;
            *own = kept;
        }
        is_less
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    fn domain(&self) -> Domain {
        let words = self.0.iter().enumerate();
        let symbols = words.flat_map(|(place, &word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| Symbol(place as u32 * 64 + bit))
        });
        Domain {
            constants: symbols.collect(),
            ..Domain::default()
        }
    }
}

struct Narrowing<'a> {
    program: &'a Program,
    fixed: &'a Fixed,
    /// For each relation, the one whose domains it shares: `init` and `next` those of `true`,
    /// `legal` those of `does`.
    shared: Vec<usize>,
    /// For each relation, whether its rows are known and will not be more.
    is_known: Vec<bool>,
    /// For each relation that shares no other's, the values of each column.
    of: Vec<Vec<Set>>,
    looks: u64,
}

impl<'a> Narrowing<'a> {
    fn new(program: &'a Program, dependencies: &Dependencies, fixed: &'a Fixed) -> Self {
        let count = program.relations.len();
        let mut shared: Vec<usize> = (0..count).collect();
        for fluent in &program.fluents {
            shared[fluent.init.index()] = fluent.holds.index();
            shared[fluent.next.index()] = fluent.holds.index();
        }
        for kind in &program.moves {
            shared[kind.legal.index()] = kind.does.index();
        }
        let is_known = (0..count).map(|index| {
            let is_static = dependencies.dynamics[index] == Dynamics::Static;
            let id = RelationId(index as u32);
            is_static && shared[index] == index && !fixed.is_on_demand(dependencies, id)
        });
        let mut narrowing = Self {
            is_known: is_known.collect(),
            of: vec![Vec::new(); count],
            program,
            fixed,
            shared,
            looks: 0,
        };
        for (index, relation) in program.relations.iter().enumerate() {
            let own = narrowing.shared[index];
            narrowing.of[own].resize(relation.arity, Set::default());
            for row in fixed.machine.tables[index].iter() {
                let columns = narrowing.of[own].iter_mut();
                columns.zip(row).for_each(|(set, &value)| {
                    set.add(value);
                });
            }
        }
        narrowing
    }

    fn domains(&self) -> Vec<Vec<Domain>> {
        let of = self.shared.iter().map(|&shared| &self.of[shared]);
        of.map(|columns| columns.iter().map(Set::domain).collect())
            .collect()
    }

    /// Applies rules until nothing is new; `None` if that takes too long.
    fn run(&mut self) -> Option<()> {
        let rules = &self.program.rules;
        let mut readers: Vec<Vec<usize>> = vec![Vec::new(); self.of.len()];
        for (index, rule) in rules.iter().enumerate() {
            for literal in &rule.body {
                if let Literal::Holds(atom) = literal {
                    readers[self.shared[atom.relation.index()]].push(index);
                }
            }
        }
        let derives = |rule: &&Rule| !self.is_known[rule.head.relation.index()];
        let mut waiting: Vec<bool> = rules.iter().map(|rule| derives(&rule)).collect();
        let mut queue: VecDeque<usize> = (0..rules.len()).filter(|&rule| waiting[rule]).collect();
        let is_derived = waiting.clone();
        while let Some(index) = queue.pop_front() {
            waiting[index] = false;
            if self.looks > MOST_LOOKS {
                return None;
            }
            if !self.apply(&rules[index])? {
                continue;
            }
            for &reader in &readers[self.shared[rules[index].head.relation.index()]] {
                if is_derived[reader] && !std::mem::replace(&mut waiting[reader], true) {
                    queue.push_back(reader);
                }
            }
        }
        Some(())
    }

    /// Adds what a rule derives; whether something is new.
    fn apply(&mut self, rule: &Rule) -> Option<bool> {
        let Some(variables) = self.variables(rule) else {
            return Some(false);
        };
        let mut is_new = false;
        let own = &mut self.of[self.shared[rule.head.relation.index()]];
        for (column, term) in own.iter_mut().zip(&rule.head.args) {
            is_new |= match term {
                Term::Constant(symbol) => column.add(symbol.0),
                Term::Variable(variable) => column.add_all(variables[*variable].as_ref()?),
                Term::Compound(..) => return None,
            };
        }
        Some(is_new)
    }

    /// What each variable of a rule can be, if anything is known about it; `None` if the body can
    /// never hold.
    fn variables(&mut self, rule: &Rule) -> Option<Vec<Option<Set>>> {
        let mut variables: Vec<Option<Set>> = vec![None; rule.variables];
        let atoms = rule.body.iter().filter_map(|literal| match literal {
            Literal::Holds(atom) => Some(atom),
            _ => None,
        });
        for atom in atoms.clone() {
            let columns = &self.of[self.shared[atom.relation.index()]];
            for (term, column) in atom.args.iter().zip(columns) {
                if !narrow(term, column, &mut variables) {
                    return None;
                }
            }
        }
        let with_rows: Vec<&Atom> = atoms.filter(|atom| self.has_rows(atom)).collect();
        let mut is_narrower = true;
        while is_narrower {
            is_narrower = false;
            for atom in &with_rows {
                is_narrower |= self.join(atom, &mut variables)?;
            }
        }
        Some(variables)
    }

    /// Whether an atom's rows are looked at one by one: there are few, and they tell more than
    /// their columns do.
    fn has_rows(&self, atom: &Atom) -> bool {
        let relation = atom.relation.index();
        let rows = self.fixed.machine.tables[relation].len();
        self.is_known[relation] && atom.args.len() > 1 && rows <= MOST_ROWS
    }

    /// Narrows variables to what they are in rows that are possible; whether that changed
    /// something, or `None` if no row is.
    fn join(&mut self, atom: &Atom, variables: &mut [Option<Set>]) -> Option<bool> {
        let table = &self.fixed.machine.tables[atom.relation.index()];
        self.looks += u64::from(table.len());
        let mut found = vec![Set::default(); atom.args.len()];
        for row in table.iter() {
            let possible = |(term, &value): (&Term, &u32)| match term {
                Term::Variable(variable) => {
                    let set = &variables[*variable];
                    set.as_ref().is_none_or(|set| set.has(value))
                }
                Term::Constant(symbol) => symbol.0 == value,
                Term::Compound(..) => false,
            };
            if atom.args.iter().zip(row).all(possible) {
                let found = found.iter_mut().zip(row);
                found.for_each(|(set, &value)| {
                    set.add(value);
                });
            }
        }
        let mut is_narrower = false;
        for (term, found) in atom.args.iter().zip(&found) {
            if let Term::Variable(variable) = term
                && let Some(set) = &mut variables[*variable]
            {
                is_narrower |= set.keep(found);
                if set.is_empty() {
                    return None;
                }
            }
        }
        Some(is_narrower)
    }
}

/// Narrows a variable to what stands in a column; false if nothing can stand there.
fn narrow(term: &Term, column: &Set, variables: &mut [Option<Set>]) -> bool {
    match term {
        Term::Constant(symbol) => column.has(symbol.0),
        Term::Variable(variable) => {
            let set = variables[*variable].get_or_insert_with(|| column.clone());
            set.keep(column);
            !set.is_empty()
        }
        Term::Compound(..) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::narrowed;
    use crate::analysis::Dependencies;
    use crate::datalog::{Fixed, Limits};
    use crate::program::Program;
    use crate::program::domains::Domain;
    use crate::{Dialect, Source, syntax};

    const LIMITS: Limits = Limits {
        steps: 1_000_000,
        rows: 100_000,
        terms: 10_000,
        depth: Limits::DEPTH,
    };

    /// The domains of the columns of the relation with that name, before and after.
    fn domains(rules: &str, name: &str) -> (Vec<Vec<String>>, Option<Vec<Vec<String>>>) {
        let sheet = syntax::read(&Source::new("test", rules)).sheet;
        let program = Program::new(&sheet, Dialect::detect(&sheet)).unwrap();
        let dependencies = Dependencies::new(&program);
        let fixed = Fixed::derive(&program, &dependencies, LIMITS).unwrap();
        let mut names = program.relations.iter();
        let named =
            |relation: &crate::program::Relation| program.symbols.name(relation.name) == name;
        let place = names.position(named).unwrap();
        let texts = |domains: &[Domain]| -> Vec<Vec<String>> {
            let text = |domain: &Domain| {
                let symbols = domain.constants.iter();
                let mut texts: Vec<String> = symbols
                    .map(|symbol| program.symbols.name(*symbol).to_owned())
                    .collect();
                texts.sort();
                texts
            };
            domains.iter().map(text).collect()
        };
        let after = narrowed(&program, &dependencies, &fixed);
        (
            texts(&program.relations[place].domains),
            after.map(|domains| texts(&domains[place])),
        )
    }

    #[test]
    fn a_step_leads_from_files_to_files() {
        let rules = "(role r) (init (at a)) (beside a b) (beside b a) (beside 1 2) (beside 2 1)
            (<= (legal r (go ?x)) (near ?x))
            (<= (near ?y) (true (at ?x)) (beside ?x ?y))
            (<= (next (at ?x)) (does r (go ?x)))
            (<= terminal (not (near a))) (goal r 100)";
        let (before, after) = domains(rules, "near");
        assert_eq!(before, [["1", "2", "a", "b"]]);
        assert_eq!(after.unwrap(), [["a", "b"]]);
    }

    #[test]
    fn what_two_relations_have_together_counts() {
        // `z` is only 3 where `x` is 1, and then `y` is not in `q`.
        let rules = "(role r) (legal r go) (p 1 2) (p 2 3) (q 3 4) (q 2 6) (s 6)
            (init (n 1)) (init (n 2)) (<= (next (n ?x)) (true (n ?x)))
            (<= (h ?x ?z) (true (n ?x)) (p ?x ?y) (q ?y ?z) (s ?z))
            (<= terminal (h 1 6)) (goal r 100)";
        let (before, after) = domains(rules, "h");
        assert_eq!(before, [vec!["1", "2"], vec!["6"]]);
        assert_eq!(after.unwrap(), [["1"], ["6"]]);
    }

    #[test]
    fn rules_with_terms_keep_their_domains() {
        let rules = "(role r) (legal r go) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))
            (<= terminal (true (n (s z)))) (goal r 100) (p 1 2) (<= (h ?x) (p ?x ?y))
            (<= (next (m ?x)) (h ?x))";
        assert!(domains(rules, "h").1.is_none());
    }
}
