//! Grounding what is asked for alone, where whole relations would be too large.
//!
//! The rules are rewritten by [magic sets](crate::datalog::demand), with a relation of what is
//! *asked* beside every relation that is derived on demand. All that can ever be asked is found in
//! the same run as all that can ever be true, and then only filters: a rule has an instance where
//! its head can be asked for, and what is asked takes no gate. Only tail recursions are different:
//! what they ask is a part of their answers, so that it becomes atoms.

use super::reach::Reach;
use crate::analysis::{Dependencies, Dynamics};
use crate::datalog::demand::{Asking, Situation, rewrite};
use crate::datalog::{Estimates, fixed};
use crate::keyword::Keyword;
use crate::program::{Literal, Program, RelationId, RelationKind};

/// A relation is large if it has at least one part in this many of the atoms.
const PARTS: u64 = 50;

/// A relation with no more rows than this that only leads to large ones is found as a whole.
const FEW_ROWS: u64 = 100;

/// A program in which some relations are derived as far as they are asked for.
pub(super) struct AskingProgram {
    pub(super) program: Program,
    /// For each relation, whether its rows tell what is asked, and nothing else.
    pub(super) is_asked: Vec<bool>,
}

impl AskingProgram {
    /// A program that asks nothing.
    pub(super) fn whole(program: Program) -> Self {
        let is_asked = vec![false; program.relations.len()];
        Self { program, is_asked }
    }

    /// The program that derives the relations on demand that were large when `reach` ran out of
    /// room, and those on the way to them; nothing if there are none.
    pub(super) fn new(
        program: &Program,
        dependencies: &Dependencies,
        estimates: &Estimates,
        reach: &Reach,
    ) -> Option<Self> {
        let demanded = candidates(program, dependencies, reach);
        let situation = Situation {
            program,
            dependencies,
            estimates: &guessed(program, dependencies, estimates),
            is_guessed: &demanded.clone(),
            phases: &phases(program, dependencies),
            asking: Asking::Assumed,
        };
        let rewritten = rewrite(&situation, demanded)?;
        let mut is_asked = vec![false; rewritten.program.relations.len()];
        let asked = rewritten.asked.iter();
        asked.for_each(|relation| is_asked[relation.index()] = true);
        Some(Self {
            program: rewritten.program,
            is_asked,
        })
    }

    /// The rules without what is asked. They mean the same, and tell what changes, and what depends
    /// on what.
    pub(super) fn without_questions(&self) -> Program {
        let asks = |relation: RelationId| self.is_asked[relation.index()];
        let mut program = self.program.clone();
        program.rules.retain(|rule| !asks(rule.head.relation));
        for rule in &mut program.rules {
            let is_kept =
                |literal: &Literal| literal.atom().is_none_or(|atom| !asks(atom.relation));
            rule.body.retain(is_kept);
        }
        program
    }
}

/// For each relation, whether it is to be derived as far as it is asked for.
fn candidates(program: &Program, dependencies: &Dependencies, reach: &Reach) -> Vec<bool> {
    let total = reach.atoms();
    let rows = |index: usize| reach.rows(RelationId(index as u32));
    let groups = &dependencies.components;
    let mut leads = vec![false; groups.len()];
    // Groups come after those they depend on.
    for (index, group) in groups.iter().enumerate() {
        let is_large = |relation: &RelationId| rows(relation.index()) * PARTS > total;
        let bodies = group
            .rules
            .iter()
            .flat_map(|&rule| &program.rules[rule].body);
        let mut needed = bodies.filter_map(Literal::atom);
        leads[index] = group.relations.iter().any(is_large)
            || needed.any(|atom| {
                let groups = &dependencies.components_of[atom.relation.index()];
                groups.iter().any(|&group| leads[group])
            });
    }
    let is_candidate = |index: usize| {
        let own = &dependencies.components_of[index];
        matches!(
            program.relations[index].kind,
            RelationKind::Plain | RelationKind::Helper
        ) && dependencies.dynamics[index] != Dynamics::Static
            && !own.iter().any(|&group| groups[group].partial)
            && own.iter().any(|&group| leads[group])
            && rows(index) > FEW_ROWS
    };
    (0..program.relations.len()).map(is_candidate).collect()
}

/// For each relation, the questions that need it, a bit each.
fn phases(program: &Program, dependencies: &Dependencies) -> Vec<u8> {
    let mut phases = vec![0; program.relations.len()];
    for root in super::outputs(program) {
        let bit = match program.relation(root).kind {
            RelationKind::Keyword(Keyword::Terminal) => 1,
            RelationKind::Keyword(Keyword::Goal) => 2,
            RelationKind::Keyword(Keyword::Legal) => 4,
            _ => 8,
        };
        for group in dependencies.cone(program, [root]) {
            for relation in &dependencies.components[group].relations {
                phases[relation.index()] |= bit;
            }
        }
    }
    phases
}

/// Sizes for the order in which rules ask: measured where nothing changes, else from domains,
/// because all that can ever hold counts, not what holds at a time.
fn guessed(program: &Program, dependencies: &Dependencies, fixed: &Estimates) -> Estimates {
    let mut estimates = fixed::guess(program);
    for (index, dynamics) in dependencies.dynamics.iter().enumerate() {
        if *dynamics == Dynamics::Static {
            estimates.rows[index] = fixed.rows[index];
            estimates.values[index].clone_from(&fixed.values[index]);
        }
    }
    estimates
}
