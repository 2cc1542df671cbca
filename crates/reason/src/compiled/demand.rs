//! Deciding what is derived on demand: whether a program is rewritten by [magic
//! sets](paidia_gdl::datalog::demand), and which of its relations are.
//!
//! Asking costs something, too. So relations are candidates only if they cost much in some random
//! steps, or are on the way to one that does, because a rule that asks for that one must have the
//! values; and the rewritten program is taken only if such steps cost less with it.

use paidia_gdl::analysis::Dynamics;
use paidia_gdl::datalog::demand::{Asking, Rewritten, Situation, rewrite};
use paidia_gdl::program::{Literal, Program, RelationId, RelationKind};

use super::Demand;
use super::compile::questions;
use crate::reference::{Planning, Reference};

/// Games in which a step looks at fewer rows are fast enough as they are.
const LEAST_COST: f64 = 600.0;

/// A component is heavy if it takes at least one part in this many of a step.
const PARTS: u64 = 150;

/// A rewritten program must cost less than this times what the original does.
const GAIN: f64 = 0.7;

/// Where calls are saved, which cost more than rows, it may even cost more than the original.
const GAIN_OVER_CALLS: f64 = 2.0;

/// With fewer relations on demand, a program may cost this much more: its code is shorter.
const NO_LOSS: f64 = 1.1;

/// A relation that is not heavy itself, and has no more rows than this as a whole, is left whole.
const FEW_ROWS: f64 = 100.0;

/// A relation of which at least such a part is asked for is better derived as a whole.
const WORTH: f64 = 0.4;

/// How often relations are found out to be better whole.
const ATTEMPTS: usize = 2;

/// The program in which what is asked drives what is derived, with what was found out to plan it;
/// `None` if the program is better as it is.
pub(super) fn rewritten(
    name: &str,
    program: &Program,
    planning: &Planning,
    demand: Demand,
) -> Option<(Program, Planning)> {
    let always = demand == Demand::Always;
    let has_calls = has_calls(planning);
    let is_fast = planning.costs.step < LEAST_COST && !has_calls;
    if demand == Demand::Never || is_fast && !always {
        return None;
    }
    let ids = (0..program.relations.len()).map(|index| RelationId(index as u32));
    let (known, dependencies) = (&planning.known, &planning.dependencies);
    let is_guessed: Vec<bool> = ids.map(|id| known.is_on_demand(dependencies, id)).collect();
    let situation = Situation {
        program,
        dependencies,
        estimates: &known.estimates,
        is_guessed: &is_guessed,
        phases: &phases(program, planning),
        asking: Asking::Derived,
    };
    let mut demanded = candidates(program, planning, always);
    let mut best: Option<(Program, Planning)> = None;
    for _ in 0..ATTEMPTS {
        let Some(rewritten) = rewrite(&situation, demanded) else {
            break;
        };
        let first = program.relations.len();
        let planned = Reference::planned_as_asked(name, &rewritten.program, first);
        let (_, planned) = planned.ok()?;
        let paying = paying(&situation, &rewritten, &planned);
        let is_final = always || paying == rewritten.demanded;
        let before = best.as_ref().map_or(planning, |(_, planned)| planned);
        let needed = match (&best, has_calls) {
            (Some(_), _) => NO_LOSS,
            (None, true) => GAIN_OVER_CALLS,
            (None, false) => GAIN,
        };
        let step = planned.costs.step;
        if step < needed * before.costs.step || always && step.is_finite() {
            best = Some((rewritten.program, planned));
        }
        if is_final {
            break;
        }
        demanded = paying;
    }
    best
}

/// Whether relations that change are called.
fn has_calls(planning: &Planning) -> bool {
    let known = &planning.known;
    let mut groups = known.on_demand.iter().zip(&known.fixed);
    groups.any(|(&on_demand, &fixed)| on_demand && !fixed)
}

/// For each relation, whether it is demanded, and fewer rows are derived so than if it were whole.
/// Of relations that need each other, the one that asks is found to be better whole first: what it
/// asks may be more than it will be then.
fn paying(situation: &Situation<'_>, rewritten: &Rewritten, planned: &Planning) -> Vec<bool> {
    let mut rows = vec![0.0; situation.program.relations.len()];
    for (of, copy) in &rewritten.copies {
        rows[of.index()] += planned.known.estimates.rows[copy.index()];
    }
    let pays = |index: usize| {
        let whole = situation.estimates.rows[index];
        rewritten.demanded[index] && (situation.is_guessed[index] || rows[index] < WORTH * whole)
    };
    let mut paying: Vec<bool> = (0..rows.len()).map(pays).collect();
    let lost = |index: &usize| rewritten.demanded[*index] && !pays(*index);
    let lost: Vec<usize> = (0..rows.len()).filter(lost).collect();
    for &one in &lost {
        let root = RelationId(one as u32);
        let below = situation.dependencies.cone(situation.program, [root]);
        for &other in lost.iter().filter(|&&other| other != one) {
            let groups = &situation.dependencies.components_of[other];
            let asks = groups.iter().any(|group| below.contains(group));
            paying[other] |= asks
                && !situation.dependencies.components_of[one]
                    .iter()
                    .any(|group| groups.contains(group));
        }
    }
    paying
}

/// For each relation, the questions that need it, a bit each.
fn phases(program: &Program, planning: &Planning) -> Vec<u8> {
    let mut phases = vec![0; program.relations.len()];
    for (cone, bit) in planning.cones(program).iter().zip(questions::ALL) {
        let groups = cone
            .iter()
            .map(|&group| &planning.dependencies.components[group]);
        for relation in groups.flat_map(|group| &group.relations) {
            phases[relation.index()] |= bit;
        }
    }
    phases
}

/// For each relation, whether it is worth to derive it on demand; if `always`, whether it is
/// possible.
fn candidates(program: &Program, planning: &Planning, always: bool) -> Vec<bool> {
    let dependencies = &planning.dependencies;
    let heavy = heavy(planning);
    let reaches = reaching(program, planning, &heavy);
    let is_candidate = |index: usize| {
        let relation = &program.relations[index];
        let groups = &dependencies.components_of[index];
        let is_partial = |&group: &usize| dependencies.components[group].partial;
        let is_heavy = groups.iter().any(|&group| heavy[group]);
        let is_small = planning.known.estimates.rows[index] <= FEW_ROWS;
        let reaches = groups.iter().any(|&group| reaches[group]) && !is_small;
        matches!(relation.kind, RelationKind::Plain | RelationKind::Helper)
            && dependencies.dynamics[index] != Dynamics::Static
            && !groups.iter().any(is_partial)
            && (is_heavy || reaches || always)
    };
    (0..program.relations.len()).map(is_candidate).collect()
}

/// For each component, whether it costs much of a step, or is called.
fn heavy(planning: &Planning) -> Vec<bool> {
    let (known, costs) = (&planning.known, &planning.costs.components);
    let total: u64 = costs.iter().sum();
    let is_heavy = |index: usize| {
        let cost = costs.get(index).copied().unwrap_or(0);
        cost * PARTS > total || known.on_demand[index]
    };
    let groups = 0..planning.dependencies.components.len();
    groups
        .map(|index| !known.fixed[index] && is_heavy(index))
        .collect()
}

/// For each component, whether it needs one that is heavy.
fn reaching(program: &Program, planning: &Planning, heavy: &[bool]) -> Vec<bool> {
    let dependencies = &planning.dependencies;
    let mut reaching = vec![false; dependencies.components.len()];
    for (index, group) in dependencies.components.iter().enumerate() {
        let rules = group.rules.iter();
        let bodies = rules.flat_map(|&rule| &program.rules[rule].body);
        let mut needed = bodies.filter_map(Literal::atom).map(|atom| atom.relation);
        let below = |relation: RelationId| {
            let mut groups = dependencies.components_of[relation.index()].iter();
            groups.any(|&group| reaching[group] || heavy[group])
        };
        reaching[index] = needed.any(below);
    }
    reaching
}
