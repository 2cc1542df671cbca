//! Which kinds of fluents and moves a game has, and what can stand in their arguments.
//!
//! The rules say it, if there are any; states add what was seen in them.

use std::collections::{BTreeMap, BTreeSet};

use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Program, RelationId, RelationKind, Rule, Term};

use crate::order::Successions;
use crate::term::take_apart;

/// The name of a fluent or move and the number of its arguments.
pub(crate) type Key = (String, usize);

/// A kind of fluent or move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Occurrences {
    /// What can stand at each argument.
    pub(crate) values: Vec<Values>,
    /// The arguments of its facts in each state; nothing for moves.
    pub(crate) facts: Vec<Vec<Vec<String>>>,
}

/// States in a row that must count for a number to be a counter.
const LEAST_COUNTED: usize = 4;

impl Occurrences {
    /// Adds what stands at each argument of a text.
    fn read(&mut self, arguments: &[&str]) {
        self.values.resize(arguments.len(), Values::default());
        for (values, argument) in self.values.iter_mut().zip(arguments) {
            if argument.starts_with('(') {
                values.open = true;
            } else if !values.constants.contains(*argument) {
                values.constants.insert((*argument).to_owned());
            }
        }
    }
}

/// What can stand at an argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Values {
    /// Plain constants.
    pub(crate) constants: BTreeSet<String>,
    /// Whether other things can stand there, too.
    pub(crate) open: bool,
}

/// What is known about a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Vocabulary {
    /// Kinds of fluents that have arguments.
    pub(crate) fluents: BTreeMap<Key, Occurrences>,
    /// Kinds of moves that have arguments.
    pub(crate) moves: BTreeMap<Key, Occurrences>,
    /// The players.
    pub(crate) roles: BTreeSet<String>,
    /// What relations string together.
    pub(crate) successions: Successions,
    /// What relations of one argument list, as all columns.
    pub(crate) lists: Vec<BTreeSet<String>>,
}

impl Vocabulary {
    /// Reads rules and states.
    pub(crate) fn new(program: Option<&Program>, states: &[Vec<String>]) -> Self {
        let mut this = Self::default();
        if let Some(program) = program {
            this.read_rules(program);
        }
        for (index, state) in states.iter().enumerate() {
            for fluent in state {
                this.read_fact(index, states.len(), fluent);
            }
        }
        for kind in this.fluents.values_mut() {
            kind.facts.resize(states.len(), Vec::new());
        }
        this
    }

    fn read_rules(&mut self, program: &Program) {
        // The lifetime of a fluent, and the role that makes a move, are no arguments of theirs.
        let lifetime = usize::from(program.dialect.is_timed());
        for fluent in &program.fluents {
            if let Some(functor) = fluent.functor {
                let kind = kind(program, fluent.holds, lifetime);
                let name = program.symbols.name(functor).to_owned();
                self.fluents.insert((name, kind.values.len()), kind);
            }
        }
        for kind_of_move in &program.moves {
            if let Some(functor) = kind_of_move.functor {
                let kind = kind(program, kind_of_move.legal, 1);
                let name = program.symbols.name(functor).to_owned();
                self.moves.insert((name, kind.values.len()), kind);
            }
        }
        self.successions = successions(program);
        self.lists = lists(program);
        if let Some(roles) = program.keyword(Keyword::Role) {
            let domain = program.relation(roles).domains.first();
            let names = domain.iter().flat_map(|domain| &domain.constants);
            self.roles = names
                .map(|&role| program.symbols.name(role).to_owned())
                .collect();
        }
    }

    /// Adds kinds of moves by their texts, for games without rules in GDL.
    pub(crate) fn read_moves<'a>(&mut self, moves: impl IntoIterator<Item = &'a str>) {
        for text in moves {
            let (name, arguments) = take_apart(text);
            if arguments.is_empty() {
                continue;
            }
            let key = (name.to_owned(), arguments.len());
            self.moves.entry(key).or_default().read(&arguments);
        }
    }

    fn read_fact(&mut self, state: usize, states: usize, fluent: &str) {
        let (name, arguments) = take_apart(fluent);
        if arguments.is_empty() {
            return;
        }
        let key = (name.to_owned(), arguments.len());
        let kind = self.fluents.entry(key).or_default();
        kind.facts.resize(states, Vec::new());
        kind.read(&arguments);
        kind.facts[state].push(arguments.into_iter().map(str::to_owned).collect());
    }
}

fn kind(program: &Program, relation: RelationId, skipped: usize) -> Occurrences {
    let domains = program.relation(relation).domains.iter().skip(skipped);
    let values = domains.map(|domain| Values {
        open: domain.open || !domain.compounds.is_empty(),
        constants: domain
            .constants
            .iter()
            .map(|&symbol| program.symbols.name(symbol).to_owned())
            .collect(),
    });
    Occurrences {
        values: values.collect(),
        facts: Vec::new(),
    }
}

/// The facts of all relations between two names.
fn successions(program: &Program) -> Successions {
    let mut pairs: BTreeMap<RelationId, Vec<(String, String)>> = BTreeMap::new();
    let name = |symbol| program.symbols.name(symbol).to_owned();
    for (relation, arguments) in facts(program) {
        if let [Term::Constant(from), Term::Constant(to)] = *arguments {
            let pair = (name(from), name(to));
            pairs.entry(relation).or_default().push(pair);
        }
    }
    pairs.into_values().collect()
}

/// The facts of all relations with one argument.
fn lists(program: &Program) -> Vec<BTreeSet<String>> {
    let mut lists: BTreeMap<RelationId, BTreeSet<String>> = BTreeMap::new();
    for (relation, arguments) in facts(program) {
        if let [Term::Constant(name)] = *arguments {
            let name = program.symbols.name(name).to_owned();
            lists.entry(relation).or_default().insert(name);
        }
    }
    lists.into_values().collect()
}

/// What the rules state of relations of their author's.
fn facts(program: &Program) -> impl Iterator<Item = (RelationId, &[Term])> {
    let is_fact = |rule: &&Rule| {
        let kind = program.relation(rule.head.relation).kind;
        kind == RelationKind::Plain && rule.body.is_empty()
    };
    let facts = program.rules.iter().filter(is_fact);
    facts.map(|rule| (rule.head.relation, rule.head.args.as_slice()))
}

impl Occurrences {
    /// The most facts of this kind that hold at once.
    pub(crate) fn most_facts(&self) -> usize {
        self.facts.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Whether one number goes up by one from state to state: it counts, and is about no square.
    pub(crate) fn counts(&self) -> bool {
        let number = |facts: &Vec<Vec<String>>| match &facts[..] {
            [fact] if fact.len() == 1 => fact[0].parse::<u64>().ok(),
            _ => None,
        };
        let numbers: Option<Vec<u64>> = self.facts.iter().map(number).collect();
        let goes_up = |pair: &[u64]| pair[0].checked_add(1) == Some(pair[1]);
        numbers.is_some_and(|numbers| {
            numbers.len() >= LEAST_COUNTED && numbers.windows(2).all(goes_up)
        })
    }

    /// Whether, in all states, facts that agree on the arguments `by` agree on all others.
    pub(crate) fn determined(&self, by: &[usize]) -> bool {
        self.facts.iter().all(|facts| {
            let named: BTreeSet<Vec<&str>> = facts.iter().map(|fact| select(fact, by)).collect();
            named.len() == facts.len()
        })
    }

    /// All values at an argument that were seen in states.
    pub(crate) fn seen_values(&self, argument: usize) -> BTreeSet<String> {
        let facts = self.facts.iter().flatten();
        facts.map(|fact| fact[argument].clone()).collect()
    }

    /// The facts of the first state.
    pub(crate) fn first_facts(&self) -> &[Vec<String>] {
        self.facts.first().map_or(&[], Vec::as_slice)
    }

    /// The different values at some arguments in the facts of one state.
    pub(crate) fn seen(&self, state: usize, arguments: &[usize]) -> BTreeSet<Vec<&str>> {
        let facts = self.facts.get(state).map_or(&[][..], Vec::as_slice);
        facts.iter().map(|fact| select(fact, arguments)).collect()
    }
}

fn select<'a>(fact: &'a [String], arguments: &[usize]) -> Vec<&'a str> {
    arguments.iter().map(|&index| &*fact[index]).collect()
}
