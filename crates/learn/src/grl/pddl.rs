//! What was learned as a planning domain in PDDL.

use std::fmt::Write as _;

use super::locm::{Domain, Machine, Transition};

/// A domain of this name. A predicate is a state of a machine of a sort; its arguments are the
/// object, but for the sort of traces, and what the state remembers.
pub fn write(name: &str, domain: &Domain) -> String {
    let mut text = format!("(define (domain {name})\n  (:requirements :strips)\n  (:predicates");
    for (place, machine, predicate) in states(domain) {
        let object = usize::from(place > 0);
        let count = object + machine.0.parameters[machine.1].len();
        let arguments: String = (1..=count).map(|number| format!(" ?p{number}")).collect();
        let _ = write!(text, "\n    ({predicate}{arguments})");
    }
    text.push(')');
    for (action, &count) in &domain.actions {
        let (before, after, unnamed) = conditions(domain, action);
        let arguments = (1..=count).map(|number| format!("?p{number}"));
        let arguments = arguments.chain((1..=unnamed).map(|number| format!("?q{number}")));
        let arguments: Vec<String> = arguments.collect();
        let _ = write!(
            text,
            "\n  (:action {action}\n    :parameters ({})",
            arguments.join(" ")
        );
        let gone = before.iter().filter(|fact| !after.contains(fact));
        let gone = gone.map(|fact| format!("(not {fact})"));
        let effects: Vec<String> = after
            .iter()
            .filter(|fact| !before.contains(fact))
            .cloned()
            .chain(gone)
            .collect();
        let _ = write!(text, "\n    :precondition (and {})", before.join(" "));
        let _ = write!(text, "\n    :effect (and {}))", effects.join(" "));
    }
    text.push_str(")\n");
    text
}

/// All states: the sort, the machine with the state, and the name of the predicate.
fn states(domain: &Domain) -> Vec<(usize, (&Machine, usize), String)> {
    let mut states = Vec::new();
    for (sort, known) in domain.sorts.iter().enumerate() {
        for (number, machine) in known.machines.iter().enumerate() {
            for state in 0..machine.states {
                states.push((sort, (machine, state), predicate(sort, number, state)));
            }
        }
    }
    states
}

fn predicate(sort: usize, machine: usize, state: usize) -> String {
    match sort {
        0 => format!("control{machine}_{state}"),
        _ => format!("sort{sort}_{machine}_{state}"),
    }
}

/// What holds before an action and after it, as facts about its arguments, and how many objects
/// are in them that the action does not name.
fn conditions(domain: &Domain, action: &str) -> (Vec<String>, Vec<String>, usize) {
    let (mut before, mut after, mut unnamed) = (Vec::new(), Vec::new(), 0);
    for (sort, known) in domain.sorts.iter().enumerate() {
        for (number, machine) in known.machines.iter().enumerate() {
            let own = machine
                .transitions
                .iter()
                .filter(|(name, _)| name.0 == action);
            for (transition, &(start, end)) in own {
                let mut fact = |state: usize, is_into: bool| {
                    let object = (transition.1 > 0).then(|| format!(" ?p{}", transition.1));
                    let rest = remembered(machine, state, (transition, is_into), &mut unnamed);
                    let name = predicate(sort, number, state);
                    format!("({name}{}{rest})", object.unwrap_or_default())
                };
                before.push(fact(start, false));
                after.push(fact(end, true));
            }
        }
    }
    (before, after, unnamed)
}

/// What a state remembers, as arguments of an action into it or out of it, which may leave some
/// unnamed.
fn remembered(
    machine: &Machine,
    state: usize,
    (of, is_into): (&Transition, bool),
    unnamed: &mut usize,
) -> String {
    let parameters = machine.parameters[state].iter();
    parameters
        .map(|group| match group.get(&(of.clone(), is_into)) {
            Some(place) => format!(" ?p{place}"),
            None => {
                *unnamed += 1;
                format!(" ?q{unnamed}")
            }
        })
        .collect()
}
