//! The values of all nodes, kept up to date by passing on what changes.
//!
//! Every gate has a bit in a [`Word`] and counts its false inputs. A gate never feeds another of its own word, and feeds only
//! later ones, so that one sweep over the words visits each gate that changed once, after all its inputs.

use super::circuit::{Circuit, Stage};
use super::recursion::Fixpoint;

/// The state of 64 gates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    /// Gates whose counted inputs are all true.
    pub(super) ready: u64,
    /// Gates whose guard is true; gates without a guard are always open.
    pub(super) open: u64,
    /// The values that the gates' consumers know: `ready & open` once swept.
    pub(super) value: u64,
}

impl Word {
    /// The values of the gates, whether their consumers know them or not.
    #[inline]
    pub(super) fn current(self) -> u64 {
        self.ready & self.open
    }
}

/// The state of a circuit.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals {
    pub(super) words: Vec<Word>,
    /// For each gate, one less than the number of its counted inputs that are false: the sign tells whether it is ready.
    pub(super) counts: Vec<i32>,
    pub(super) fixpoints: Vec<Fixpoint>,
}

impl Signals {
    /// Brings some of the gates up to date.
    pub(super) fn run(&mut self, circuit: &Circuit, stages: &[Stage]) {
        for stage in stages {
            match stage {
                Stage::Words(words) => self.sweep(circuit, words.clone()),
                Stage::Cycle(number) => {
                    self.fixpoints[*number].update(&circuit.cycles[*number], &mut self.words);
                }
            }
        }
    }

    fn sweep(&mut self, circuit: &Circuit, words: std::ops::Range<usize>) {
        for place in words {
            let word = &mut self.words[place];
            let value = word.current();
            let mut toggled = value ^ word.value;
            word.value = value;
            while toggled != 0 {
                let bit = toggled.trailing_zeros() as usize;
                toggled &= toggled - 1;
                self.flip(circuit, place * 64 + bit, value >> bit & 1 == 1);
            }
        }
    }

    /// Tells those that a source feeds that its value has changed to `risen`.
    // Inlined by force: what it works on stays in registers from one source to the next.
    #[inline(always)]
    pub(super) fn flip(&mut self, circuit: &Circuit, source: usize, risen: bool) {
        let fan = circuit.fans[source];
        let counts = &mut self.counts[..];
        let words = &mut self.words[..];
        // All ones if the value fell: then the steps are taken backwards.
        let fallen = i32::from(risen) - 1;
        for edge in &circuit.edges[fan.edges.start as usize..fan.edges.end as usize] {
            let slot = edge.slot as usize;
            let before = counts[slot];
            let after = before + ((edge.step ^ fallen) - fallen);
            counts[slot] = after;
            // No branch: whether a gate becomes ready cannot be predicted.
            let crossed = (before ^ after) as u32 >> 31;
            words[slot / 64].ready ^= u64::from(crossed) << (slot % 64);
        }
        for bank in &circuit.banks[fan.banks.start as usize..fan.banks.end as usize] {
            words[bank.word].open ^= bank.gates;
        }
    }
}
