//! Gates that are needed seldom: evaluated from the first to the last when a question needs one.

use std::ops::Range;

use super::circuit::{Circuit, Tap};
use super::signals::Signals;

/// One step of an evaluation.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A gate gets its value.
    Gate {
        slot: u32,
        /// Its inputs, a range of [`Tape::inputs`].
        inputs: Range<u32>,
    },
    /// A recursive part is brought up to date.
    Cycle(usize),
}

/// Gates in the order in which they are evaluated.
#[derive(Clone, Debug, Default)]
pub(super) struct Tape {
    pub(super) steps: Vec<Step>,
    pub(super) inputs: Vec<Tap>,
}

impl Tape {
    /// Adds a gate.
    pub(super) fn push(&mut self, slot: usize, inputs: impl Iterator<Item = Tap>) {
        let start = self.inputs.len() as u32;
        self.inputs.extend(inputs);
        self.steps.push(Step::Gate {
            slot: slot as u32,
            inputs: start..self.inputs.len() as u32,
        });
    }
}

impl Signals {
    /// Evaluates the tape of a circuit.
    pub(super) fn evaluate_tape(&mut self, circuit: &Circuit) {
        for step in &circuit.tape.steps {
            match step {
                Step::Gate { slot, inputs } => {
                    let inputs = &circuit.tape.inputs[inputs.start as usize..inputs.end as usize];
                    let value = inputs.iter().all(|tap| tap.read(self));
                    let (word, bit) = (*slot as usize / 64, slot % 64);
                    let word = &mut self.words[word].value;
                    *word = *word & !(1 << bit) | u64::from(value) << bit;
                }
                Step::Cycle(number) => {
                    let cycle = &circuit.cycles[*number];
                    self.fixpoints[*number].update(cycle, &mut self.words);
                    for word in &mut self.words[cycle.nodes.clone()] {
                        word.value = word.ready;
                    }
                }
            }
        }
    }
}
