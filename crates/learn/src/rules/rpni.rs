//! RPNI, with a check in the place of negative words. (J. Oncina and P. García, Inferring regular
//! languages in polynomial update time, 1992.)

use paidia_languages::board::Automaton;

use super::check::Judges;
use super::quotient::{Quotient, Tree};

/// Makes states one with earlier ones. Red states are settled, blue ones follow them; both are
/// looked at in the order of their words, shorter ones first.
pub(super) fn learn(judge: &dyn Judges) -> Option<Automaton> {
    let mut quotient = Quotient::new(Tree::new(judge.words()));
    if !judge.allows(&quotient.automaton()) {
        return None;
    }
    let mut red = vec![0];
    loop {
        let blue = red.iter().flat_map(|&state| quotient.edges(state));
        let blue = blue.map(|(_, to)| to).filter(|to| !red.contains(to));
        // States are numbered in the order of their words, and the first stands for the others.
        let Some(next) = blue.min() else {
            return Some(quotient.automaton().minimal());
        };
        let merged = red.iter().find_map(|&settled| {
            let merged = quotient.merged(settled, next);
            judge.allows(&merged.automaton()).then_some(merged)
        });
        match merged {
            Some(merged) => {
                quotient = merged;
                red.iter_mut()
                    .for_each(|state| *state = quotient.find(*state));
                red.sort_unstable();
                red.dedup();
            }
            None => {
                red.push(next);
                red.sort_unstable();
            }
        }
    }
}
