//! Which argument of a move is which argument of a fluent.
//!
//! A variable that stands in both, in one rule, links the two:
//! `(<= (next (cell ?x ?y x)) (does x (mark ?x ?y)))` says that a mark has a column and a row.
//! Relations that are derived from fluents or moves hand such links on; those that never change do
//! not, because `(successor ?x ?y)` would make columns of rows. Each rule is a vote.

use std::collections::{BTreeMap, BTreeSet};

use paidia_gdl::keyword::Keyword;
use paidia_gdl::program::{Atom, Literal, Program, RelationKind, Rule, Term};

use crate::vocabulary::Key;

/// An argument of a fluent.
pub(crate) type Place = (Key, usize);

/// For each argument of each kind of move, votes for what it is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Links {
    votes: BTreeMap<Place, BTreeMap<Place, u32>>,
}

/// An argument of a fluent or of a move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Label {
    Fluent(Place),
    Move(Place),
}

/// Labels of the arguments of derived relations.
type Derived = Vec<Vec<BTreeSet<Label>>>;

/// The most relations through which labels are propagated.
const ROUNDS: usize = 4;

/// The most labels of an argument of a derived relation; with more it has none.
const MOST_LABELS: usize = 24;

/// A variable that stands in a fluent and in a move is worth more than one that is linked through
/// other relations.
const DIRECT: u32 = 4;

impl Links {
    /// Counts the votes of all rules.
    pub(crate) fn new(program: &Program) -> Self {
        let mut derived: Derived = program
            .relations
            .iter()
            .map(|relation| vec![BTreeSet::new(); relation.arity])
            .collect();
        for _ in 0..ROUNDS {
            let mut changed = false;
            for rule in &program.rules {
                changed |= hand_on(program, rule, &mut derived);
            }
            if !changed {
                break;
            }
        }
        let mut links = Self::default();
        for rule in &program.rules {
            links.count(program, rule, &derived);
        }
        links
    }

    fn count(&mut self, program: &Program, rule: &Rule, derived: &Derived) {
        let labels = labels(program, rule, true, derived);
        for of_variable in labels {
            for (label, weight) in &of_variable {
                let Label::Move(place) = label else { continue };
                let votes = self.votes.entry(place.clone()).or_default();
                for (other, other_weight) in &of_variable {
                    if let Label::Fluent(fluent) = other {
                        *votes.entry(fluent.clone()).or_default() += weight * other_weight;
                    }
                }
            }
        }
    }

    /// What an argument of a move is, the likeliest first, with votes.
    pub(crate) fn of(&self, argument: &Place) -> Vec<(&Place, u32)> {
        let votes = self.votes.get(argument).into_iter().flatten();
        let mut places: Vec<(&Place, u32)> = votes.map(|(place, &votes)| (place, votes)).collect();
        places.sort_by_key(|&(_, votes)| std::cmp::Reverse(votes));
        places
    }

    /// The arguments of moves that are most likely this argument of a fluent.
    pub(crate) fn arguments(&self, fluent: &Place) -> impl Iterator<Item = &Place> {
        let likeliest = move |argument: &&Place| {
            let places = self.of(argument);
            places.first().is_some_and(|(place, _)| *place == fluent)
        };
        self.votes.keys().filter(likeliest)
    }

    /// The moves that some argument of a fluent is an argument of.
    pub(crate) fn moves(&self, fluent: &Place) -> BTreeSet<&Key> {
        let linked = self
            .votes
            .iter()
            .filter(|(_, votes)| votes.contains_key(fluent));
        linked.map(|((key, _), _)| key).collect()
    }
}

/// Adds to the labels of the arguments of a rule's head those of the variables there; whether there
/// were new ones.
fn hand_on(program: &Program, rule: &Rule, derived: &mut Derived) -> bool {
    let relation = program.relation(rule.head.relation);
    if matches!(relation.kind, RelationKind::Keyword(_)) || rule.body.is_empty() {
        return false;
    }
    let labels = labels(program, rule, false, derived);
    let mut changed = false;
    for (index, term) in rule.head.args.iter().enumerate() {
        let Term::Variable(variable) = *term else {
            continue;
        };
        let target = &mut derived[rule.head.relation.index()][index];
        if target.len() + labels[variable].len() <= MOST_LABELS {
            let before = target.len();
            target.extend(labels[variable].keys().cloned());
            changed |= target.len() > before;
        }
    }
    changed
}

/// The labels of each variable of a rule, with weights.
fn labels(
    program: &Program,
    rule: &Rule,
    with_head: bool,
    derived: &Derived,
) -> Vec<BTreeMap<Label, u32>> {
    let mut labels = vec![BTreeMap::new(); rule.variables];
    let body = rule.body.iter().filter_map(Literal::atom);
    let head = with_head.then_some(&rule.head);
    for atom in body.chain(head) {
        for (index, term) in atom.args.iter().enumerate() {
            let Term::Variable(variable) = *term else {
                continue;
            };
            if let Some(label) = direct(program, atom, index) {
                *labels[variable].entry(label).or_default() += DIRECT;
            } else {
                for label in &derived[atom.relation.index()][index] {
                    *labels[variable].entry(label.clone()).or_default() += 1;
                }
            }
        }
    }
    labels
}

/// What an argument is by itself, if its relation is about fluents or moves.
fn direct(program: &Program, atom: &Atom, index: usize) -> Option<Label> {
    let relation = program.relation(atom.relation);
    let RelationKind::Keyword(keyword) = relation.kind else {
        return None;
    };
    let name = program.symbols.name(relation.functor?).to_owned();
    let place = |skipped: usize| {
        Some((
            (name, relation.arity.checked_sub(skipped)?),
            index.checked_sub(skipped)?,
        ))
    };
    let lifetime = usize::from(program.dialect.is_timed());
    match keyword {
        Keyword::Legal | Keyword::Does => place(1).map(Label::Move),
        Keyword::Init | Keyword::True | Keyword::Next => place(lifetime).map(Label::Fluent),
        _ => None,
    }
}
