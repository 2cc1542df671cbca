//! From an automaton to an expression, so that what was learned can be written down.

use paidia_languages::board::{Automaton, Expression, Power};

/// Expressions with more alternatives than this are not written.
const MAX_ALTERNATIVES: usize = 2_000;

/// Alternatives, each of which is a sequence; one without parts is the empty word.
type Choice = Vec<Vec<Expression>>;

/// An expression for the language of an automaton, by removing one state after the other. `None` if
/// it would be too long, or the automaton accepts nothing but the empty word.
pub fn expression(automaton: &Automaton) -> Option<Expression> {
    let states = automaton.states();
    // A state before the start and one behind all ends.
    let (before, behind) = (states, states + 1);
    let mut ways: Vec<Vec<Choice>> = vec![vec![Vec::new(); states + 2]; states + 2];
    for (from, letter, to) in automaton.table() {
        ways[from as usize][to as usize].push(vec![Expression::Step(letter)]);
    }
    ways[before][0].push(Vec::new());
    for state in (0..states).filter(|&state| automaton.is_accepting(state as u32)) {
        ways[state][behind].push(Vec::new());
    }
    let mut left: Vec<usize> = (0..states).collect();
    while !left.is_empty() {
        let place = cheapest(&ways, &left);
        remove(&mut ways, left.swap_remove(place))?;
    }
    let words = ways[before][behind].iter().filter(|word| !word.is_empty());
    let words: Vec<Expression> = words.cloned().map(Expression::sequence).collect();
    (!words.is_empty()).then(|| Expression::choice(words))
}

/// Which of the states that are left has the fewest ways through it.
fn cheapest(ways: &[Vec<Choice>], left: &[usize]) -> usize {
    let through = |state: usize| {
        let into: usize = ways.iter().map(|from| from[state].len()).sum();
        let out: usize = ways[state].iter().map(Vec::len).sum();
        into * out
    };
    let least = left
        .iter()
        .enumerate()
        .min_by_key(|(_, state)| (through(**state), **state));
    least.map_or(0, |(place, _)| place)
}

/// Removes a state: what led through it leads past it.
fn remove(ways: &mut [Vec<Choice>], state: usize) -> Option<()> {
    let around: Vec<Expression> = ways[state][state]
        .drain(..)
        .filter(|word| !word.is_empty())
        .map(Expression::sequence)
        .collect();
    let around = (!around.is_empty())
        .then(|| Expression::Repeat(Box::new(Expression::choice(around)), Power::Star));
    let count = ways.len();
    for from in 0..count {
        let into = std::mem::take(&mut ways[from][state]);
        for to in (0..count).filter(|_| !into.is_empty()) {
            let out = ways[state][to].clone();
            for first in &into {
                for last in &out {
                    let middle = around.iter().cloned();
                    let word = first
                        .iter()
                        .cloned()
                        .chain(middle)
                        .chain(last.iter().cloned());
                    ways[from][to].push(word.collect());
                }
            }
            if ways[from][to].len() > MAX_ALTERNATIVES {
                return None;
            }
        }
    }
    ways[state].iter_mut().for_each(Vec::clear);
    Some(())
}
