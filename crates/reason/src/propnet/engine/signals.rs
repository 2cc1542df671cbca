//! The values of all nodes, kept up to date by passing on what changes.
//!
//! Every gate has a bit in a [`Word`]. A gate never feeds another of its own word, and feeds only
//! later ones, so that one sweep over the words visits each gate that changed once, after all its
//! inputs. There are three ways for a gate to hear of an input: by counting
//! ([`Edge`](super::circuit::Edge)), by a guard that opens and shuts many gates of a word at once
//! ([`Bank`](super::circuit::Bank)), and by looking at a whole word of inputs
//! ([`Joint`](super::circuit::Joint)).

use std::ops::Range;

use super::circuit::{Circuit, Stage};
use super::recursion::Fixpoint;

/// How many guards a gate may have.
pub(super) const GUARDS: usize = 2;

/// The state of 64 gates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Word {
    /// Gates whose counted inputs are all true.
    pub(super) ready: u64,
    /// Gates whose guards are true; without a guard a gate is always open.
    pub(super) open: [u64; GUARDS],
    /// The values of the gates when they were last swept.
    pub(super) value: u64,
}

impl Word {
    /// The values of the gates as far as counted inputs and guards go.
    #[inline]
    fn unjoined(&self) -> u64 {
        self.ready & self.open[0] & self.open[1]
    }
}

/// The state of a circuit.
#[derive(Clone, Debug, Default)]
pub(super) struct Signals {
    pub(super) words: Vec<Word>,
    /// For each gate, one less than the number of its counted inputs that are false: the sign tells
    /// whether it is ready.
    pub(super) counts: Vec<i32>,
    pub(super) fixpoints: Vec<Fixpoint>,
}

impl Signals {
    /// Brings some of the gates up to date.
    pub(super) fn run(&mut self, circuit: &Circuit, stages: &[Stage]) {
        for stage in stages {
            match stage {
                Stage::Words(words) => self.sweep(circuit, words.clone()),
                Stage::PlainWords(words) => self.sweep_plain(circuit, words.clone()),
                Stage::Cycle(number) => {
                    self.fixpoints[*number].update(&circuit.cycles[*number], &mut self.words);
                }
            }
        }
    }

    fn sweep(&mut self, circuit: &Circuit, words: Range<usize>) {
        for place in words {
            let mut value = self.words[place].unjoined();
            let joints = circuit.plans[place].joints;
            for joint in &circuit.joints[joints.range()] {
                value &= self.words[joint.word as usize].value ^ joint.inverted | joint.others;
            }
            self.set(circuit, place, value);
        }
    }

    /// Sweeps words without joints, most of which have not changed.
    fn sweep_plain(&mut self, circuit: &Circuit, mut words: Range<usize>) {
        let changed = |word: &Word| word.unjoined() != word.value;
        while let Some(quiet) = self.words[words.clone()].iter().position(changed) {
            let place = words.start + quiet;
            self.set(circuit, place, self.words[place].unjoined());
            words.start = place + 1;
        }
    }

    /// Gives a word its new value, and tells those that are fed one by one.
    #[inline(always)]
    fn set(&mut self, circuit: &Circuit, place: usize, value: u64) {
        let before = std::mem::replace(&mut self.words[place].value, value);
        let mut told = (value ^ before) & circuit.plans[place].fanned;
        while told != 0 {
            let bit = told.trailing_zeros() as usize;
            told &= told - 1;
            self.flip(circuit, place * 64 + bit, value >> bit & 1 == 1);
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
        for edge in &circuit.edges[fan.edges.range()] {
            let slot = edge.slot as usize;
            let before = counts[slot];
            let after = before + ((edge.step ^ fallen) - fallen);
            counts[slot] = after;
            // No branch: whether a gate becomes ready cannot be predicted.
            let crossed = (before ^ after) as u32 >> 31;
            words[slot / 64].ready ^= u64::from(crossed) << (slot % 64);
        }
        for bank in &circuit.banks[fan.banks.range()] {
            words[bank.word as usize].open[bank.guard as usize] ^= bank.gates;
        }
    }
}
