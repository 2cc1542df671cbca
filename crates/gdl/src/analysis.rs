//! What engines need to know about a [`Program`]: dependencies, the order of evaluation, what never
//! changes.

mod contents;
pub mod flatten;

pub use contents::Contents;

use crate::graph;
use crate::keyword::Keyword;
use crate::program::{Atom, Literal, Program, RelationId, RelationKind, Rule, Term};

/// What the facts of a relation can change with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dynamics {
    /// The same facts in every state.
    Static,
    /// They depend on the state (or, in rtGDL, on what expired).
    State,
    /// They depend on the moves being made.
    Move,
}

/// The dependencies between the relations of a program.
#[derive(Clone, Debug)]
pub struct Dependencies {
    /// For each relation, the rules that derive it.
    pub rules_of: Vec<Vec<usize>>,
    /// Groups of relations that depend on each other, each group after those it depends on.
    pub components: Vec<Component>,
    /// For each relation, its groups: one, unless the clauses of a relation stand on different
    /// levels (see [`Component::partial`]).
    pub components_of: Vec<Vec<usize>>,
    /// For each relation, what its facts can change with.
    pub dynamics: Vec<Dynamics>,
}

/// Relations that must be evaluated together.
#[derive(Clone, Debug)]
pub struct Component {
    /// The relations.
    pub relations: Vec<RelationId>,
    /// The rules that derive them.
    pub rules: Vec<usize>,
    /// Whether a relation of the group depends on one of the group.
    pub recursive: bool,
    /// Whether the group has only some of the rules of its relations.
    ///
    /// Authors write `(<= (goal ?r 0) (not (goal ?r 100)))`: no clause depends on its own negation
    /// there, though the relation does. Such relations are taken apart into groups of clauses that
    /// can be evaluated one after the other.
    pub partial: bool,
    /// The number of negations on the way down, at most: facts of stratum *n* can be found once all
    /// below are known.
    pub stratum: usize,
}

impl Dependencies {
    /// Analyses a program.
    pub fn new(program: &Program) -> Self {
        let edges = edges(program);
        let mut this = Self {
            dynamics: vec![Dynamics::Static; program.relations.len()],
            rules_of: rules_by_head(program),
            components: Vec::new(),
            components_of: vec![Vec::new(); program.relations.len()],
        };
        for relations in graph::components(&edges) {
            let inside = |relation: &usize| relations.binary_search(relation).is_ok();
            let recursive = relations
                .iter()
                .any(|&relation| edges[relation].iter().any(inside));
            let rules: Vec<usize> = relations
                .iter()
                .flat_map(|&relation| this.rules_of[relation].clone())
                .collect();
            if recursive
                && rules
                    .iter()
                    .any(|&rule| denies(&program.rules[rule], &relations))
            {
                this.add_clause_groups(program, &relations, &rules);
            } else {
                this.add_component(program, &relations, rules, recursive, false);
            }
        }
        this
    }

    /// Takes relations with negation among themselves apart, clause by clause.
    fn add_clause_groups(&mut self, program: &Program, relations: &[usize], rules: &[usize]) {
        let targets = |&rule: &usize| -> Vec<usize> {
            let atoms: Vec<&Atom> = program.rules[rule]
                .body
                .iter()
                .filter_map(Literal::atom)
                .collect();
            let feeds = |&(_, &other): &(usize, &usize)| {
                atoms
                    .iter()
                    .any(|atom| may_match(atom, &program.rules[other].head))
            };
            rules
                .iter()
                .enumerate()
                .filter(feeds)
                .map(|(place, _)| place)
                .collect()
        };
        let edges: Vec<Vec<usize>> = rules.iter().map(targets).collect();
        for places in graph::components(&edges) {
            let recursive = places
                .iter()
                .any(|&place| edges[place].iter().any(|target| places.contains(target)));
            let group = places.iter().map(|&place| rules[place]).collect();
            self.add_component(program, relations, group, recursive, true);
        }
    }

    fn add_component(
        &mut self,
        program: &Program,
        relations: &[usize],
        rules: Vec<usize>,
        recursive: bool,
        partial: bool,
    ) {
        let mut dynamics = relations
            .iter()
            .map(|&relation| given(program.relations[relation].kind))
            .max();
        let mut stratum = 0;
        for &rule in &rules {
            for literal in &program.rules[rule].body {
                let Some(atom) = literal.atom() else { continue };
                dynamics = dynamics.max(Some(self.dynamics[atom.relation.index()]));
                for &below in &self.components_of[atom.relation.index()] {
                    let below = self.components[below].stratum;
                    stratum =
                        stratum.max(below + usize::from(matches!(literal, Literal::Fails(_))));
                }
            }
        }
        for &relation in relations {
            self.dynamics[relation] =
                self.dynamics[relation].max(dynamics.unwrap_or(Dynamics::Static));
            self.components_of[relation].push(self.components.len());
        }
        let relations = relations
            .iter()
            .map(|&relation| RelationId(relation as u32))
            .collect();
        self.components.push(Component {
            relations,
            rules,
            recursive,
            partial,
            stratum,
        });
    }

    /// The groups that some relations need, in the order of evaluation.
    pub fn cone(
        &self,
        program: &Program,
        roots: impl IntoIterator<Item = RelationId>,
    ) -> Vec<usize> {
        let mut needed = vec![false; self.components.len()];
        let groups = |relation: RelationId| self.components_of[relation.index()].iter().copied();
        let mut open: Vec<usize> = roots.into_iter().flat_map(groups).collect();
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut needed[index], true) {
                continue;
            }
            for &rule in &self.components[index].rules {
                let atoms = program.rules[rule].body.iter().filter_map(Literal::atom);
                open.extend(atoms.flat_map(|atom| groups(atom.relation)));
            }
        }
        (0..needed.len()).filter(|&index| needed[index]).collect()
    }
}

/// What a relation's facts change with by the meaning of its keyword alone.
fn given(kind: RelationKind) -> Dynamics {
    match kind {
        RelationKind::Keyword(Keyword::True | Keyword::Expired) => Dynamics::State,
        RelationKind::Keyword(Keyword::Does) => Dynamics::Move,
        _ => Dynamics::Static,
    }
}

fn rules_by_head(program: &Program) -> Vec<Vec<usize>> {
    let mut rules_of = vec![Vec::new(); program.relations.len()];
    for (index, rule) in program.rules.iter().enumerate() {
        rules_of[rule.head.relation.index()].push(index);
    }
    rules_of
}

fn edges(program: &Program) -> Vec<Vec<usize>> {
    let mut edges = vec![Vec::new(); program.relations.len()];
    for rule in &program.rules {
        let atoms = rule.body.iter().filter_map(Literal::atom);
        edges[rule.head.relation.index()].extend(atoms.map(|atom| atom.relation.index()));
    }
    for targets in &mut edges {
        targets.sort_unstable();
        targets.dedup();
    }
    edges
}

/// Whether a rule has a negated literal of one of these relations.
fn denies(rule: &Rule, relations: &[usize]) -> bool {
    rule.body.iter().any(|literal| match literal {
        Literal::Fails(atom) => relations.binary_search(&atom.relation.index()).is_ok(),
        _ => false,
    })
}

/// Whether a condition could be met by a head, judged by the constants and functions in both.
fn may_match(condition: &Atom, head: &Atom) -> bool {
    condition.relation == head.relation
        && condition
            .args
            .iter()
            .zip(&head.args)
            .all(|(left, right)| may_equal(left, right))
}

fn may_equal(left: &Term, right: &Term) -> bool {
    match (left, right) {
        (Term::Variable(_), _) | (_, Term::Variable(_)) => true,
        (Term::Constant(left), Term::Constant(right)) => left == right,
        (Term::Compound(f, left), Term::Compound(g, right)) => {
            f == g
                && left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| may_equal(left, right))
        }
        _ => false,
    }
}
