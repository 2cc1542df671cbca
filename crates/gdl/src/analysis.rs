//! What engines want to know about a [`Program`]: who depends on whom, in which order to evaluate, what never changes.

pub mod flatten;

use crate::graph;
use crate::keyword::Keyword;
use crate::program::{Literal, Program, RelationId, RelationKind};

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
    /// For each relation, its group.
    pub component_of: Vec<usize>,
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
    /// The number of negations on the way down, at most: facts of stratum *n* can be found once all below are known.
    pub stratum: usize,
}

impl Dependencies {
    /// Analyses a program.
    pub fn new(program: &Program) -> Self {
        let rules_of = rules_by_head(program);
        let edges = edges(program);
        let found = graph::components(&edges);
        let mut component_of = vec![0; program.relations.len()];
        for (index, relations) in found.iter().enumerate() {
            relations
                .iter()
                .for_each(|&relation| component_of[relation] = index);
        }
        let mut this = Self {
            dynamics: vec![Dynamics::Static; program.relations.len()],
            rules_of,
            components: Vec::with_capacity(found.len()),
            component_of,
        };
        for (index, relations) in found.iter().enumerate() {
            let recursive = relations.iter().any(|&relation| {
                edges[relation]
                    .iter()
                    .any(|&target| this.component_of[target] == index)
            });
            this.add_component(program, relations, recursive);
        }
        this
    }

    fn add_component(&mut self, program: &Program, relations: &[usize], recursive: bool) {
        let rules: Vec<usize> = relations
            .iter()
            .flat_map(|&relation| self.rules_of[relation].clone())
            .collect();
        let mut dynamics = relations
            .iter()
            .map(|&relation| given(program.relations[relation].kind))
            .max();
        let mut stratum = 0;
        for &rule in &rules {
            for literal in &program.rules[rule].body {
                let Some(atom) = literal.atom() else { continue };
                dynamics = dynamics.max(Some(self.dynamics[atom.relation.index()]));
                let Some(below) = self
                    .components
                    .get(self.component_of[atom.relation.index()])
                else {
                    continue;
                };
                stratum =
                    stratum.max(below.stratum + usize::from(matches!(literal, Literal::Fails(_))));
            }
        }
        for &relation in relations {
            self.dynamics[relation] = dynamics.unwrap_or(Dynamics::Static);
        }
        let relations = relations
            .iter()
            .map(|&relation| RelationId(relation as u32))
            .collect();
        self.components.push(Component {
            relations,
            rules,
            recursive,
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
        let mut open: Vec<usize> = roots
            .into_iter()
            .map(|root| self.component_of[root.index()])
            .collect();
        while let Some(index) = open.pop() {
            if std::mem::replace(&mut needed[index], true) {
                continue;
            }
            for &rule in &self.components[index].rules {
                let atoms = program.rules[rule].body.iter().filter_map(Literal::atom);
                open.extend(atoms.map(|atom| self.component_of[atom.relation.index()]));
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
