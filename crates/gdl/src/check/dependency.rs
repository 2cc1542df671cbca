//! The keywords that must not depend on each other.
//!
//! The initial state is known before anything holds, and what is legal, won or over is known before
//! a move is made; otherwise a state would depend on its own future.

use super::findings::Findings;
use super::names::{places, quote};
use super::outline::{Outline, RelationId, Use};
use crate::keyword::Keyword;
use crate::problem::{Code, Problem};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use std::collections::VecDeque;

/// The longest chain of relations that a message spells out.
const LONGEST_CHAIN: usize = 6;

/// What only exists once play has begun.
const OF_PLAY: &[Keyword] = &[
    Keyword::True,
    Keyword::Does,
    Keyword::Legal,
    Keyword::Terminal,
    Keyword::Goal,
    Keyword::Expired,
];
/// What is asked in a state.
const OF_STATES: &[Keyword] = &[Keyword::Legal, Keyword::Goal, Keyword::Terminal];

const RESTRICTIONS: &[Restriction] = &[
    Restriction {
        subjects: &[Keyword::Init],
        targets: OF_PLAY,
        code: Code::KeywordDependency,
        reason: "the initial state is made before anything holds or happens",
    },
    Restriction {
        subjects: OF_STATES,
        targets: &[Keyword::Does],
        code: Code::KeywordDependency,
        reason: "it is asked before any move is made",
    },
    Restriction {
        subjects: &[Keyword::Base, Keyword::Input],
        targets: OF_PLAY,
        code: Code::DeclarationMismatch,
        reason: "it declares what can be at any time, before play begins",
    },
];

/// Which keywords must not depend on which.
struct Restriction {
    subjects: &'static [Keyword],
    targets: &'static [Keyword],
    code: Code,
    reason: &'static str,
}

pub(super) fn check(outline: &Outline, findings: &mut Findings) {
    RESTRICTIONS
        .iter()
        .for_each(|restriction| restriction.check(outline, findings));
}

impl Restriction {
    fn check(&self, outline: &Outline, findings: &mut Findings) {
        let steps = Steps::new(outline, self.targets);
        let is_subject = |relation| {
            let keyword = outline.keyword(relation);
            keyword.is_some_and(|keyword| self.subjects.contains(&keyword))
        };
        // A helper is reported once, however many rules ask for it; a subject in a body has its own
        // report.
        let mut helpers: IndexMap<RelationId, (&Use, usize), FxBuildHasher> = IndexMap::default();
        for used in outline
            .uses
            .iter()
            .filter(|used| !outline.is_misplaced(used))
        {
            if !is_subject(used.head) || is_subject(used.relation) || !steps.leads_on(used.relation)
            {
                continue;
            }
            if steps.is_target[used.relation] {
                findings.add(steps.problem(used, self));
            } else {
                helpers.entry(used.relation).or_insert((used, 0)).1 += 1;
            }
        }
        for (helper, (first, count)) in helpers {
            let label = format!("needs {}{}", quote(outline.name(helper)), places(count));
            findings.add(steps.problem(first, self).label(label));
        }
    }
}

/// For every relation that depends on a target, the condition that leads one step nearer to it.
struct Steps<'o, 'a> {
    outline: &'o Outline<'a>,
    is_target: Vec<bool>,
    nearer: Vec<Option<usize>>,
}

impl<'o, 'a> Steps<'o, 'a> {
    fn new(outline: &'o Outline<'a>, targets: &[Keyword]) -> Self {
        let count = outline.relations.len();
        let mut steps = Self {
            outline,
            is_target: vec![false; count],
            nearer: vec![None; count],
        };
        let mut queue: VecDeque<RelationId> = targets
            .iter()
            .filter_map(|&keyword| outline.find(keyword))
            .collect();
        queue
            .iter()
            .for_each(|&target| steps.is_target[target] = true);
        while let Some(relation) = queue.pop_front() {
            for &index in &outline.relations[relation].uses {
                let used = &outline.uses[index];
                if !outline.is_misplaced(used) && !steps.leads_on(used.head) {
                    steps.nearer[used.head] = Some(index);
                    queue.push_back(used.head);
                }
            }
        }
        steps
    }

    fn leads_on(&self, relation: RelationId) -> bool {
        self.is_target[relation] || self.nearer[relation].is_some()
    }

    fn problem(&self, used: &Use, restriction: &Restriction) -> Problem {
        let mut target = used.relation;
        let mut chain = Vec::new();
        while let Some(index) = self.nearer[target].filter(|_| !self.is_target[target]) {
            let next = &self.outline.uses[index];
            chain.push(next);
            target = next.relation;
            if chain.len() > LONGEST_CHAIN {
                break;
            }
        }
        let name = |relation| quote(self.outline.name(relation));
        let last = match self.is_target[target] {
            true => name(target),
            false => "what comes later".to_owned(),
        };
        let message = format!("{} must not depend on {last}", name(used.head));
        let mut problem =
            Problem::new(restriction.code, used.atom.span, message).help(restriction.reason);
        for step in chain.iter().take(LONGEST_CHAIN) {
            let what = format!("{} needs {} here", name(step.head), name(step.relation));
            problem = problem.related(step.atom.span, what);
        }
        problem
    }
}
