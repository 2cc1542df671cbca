//! What becomes of the results of playouts: each is told by itself, or all are added up lane by
//! lane and goal by goal.

use paidia_game::{BatchPlayout, Figures, Goal, Lengths, RoleId};

use super::block::Block;
use crate::kernel::Memory;
use crate::program::{GoalSignals, Program};
use crate::word::Word;

/// Where results go.
pub(super) trait Results {
    /// Takes the results of lanes of a block, given the words of all goal signals, role by role.
    fn take(&mut self, program: &Program, block: &Block, lanes: Word, words: &[Word]);
}

/// Hands on what has ended in a block, the goals of which were evaluated in the given memory; how
/// many playouts. `words` is scratch memory.
#[inline(always)]
pub(super) fn report(
    program: &Program,
    memory: &Memory,
    number: usize,
    block: &mut Block,
    words: &mut Vec<Word>,
    results: &mut impl Results,
) -> u64 {
    let lanes = std::mem::take(&mut block.unreported);
    if lanes.is_none() {
        return 0;
    }
    words.clear();
    let signals = program.roles.iter().flat_map(|role| role.goals.signals());
    words.extend(signals.map(|signal| memory.signal(signal, number)));
    results.take(program, block, lanes, words);
    u64::from(lanes.count())
}

/// Tells of every playout by itself.
pub(super) struct OneByOne<'a> {
    done: &'a mut dyn FnMut(BatchPlayout<'_>),
    goals: Vec<Goal>,
}

impl<'a> OneByOne<'a> {
    pub(super) fn new(done: &'a mut dyn FnMut(BatchPlayout<'_>)) -> Self {
        let goals = Vec::new();
        Self { done, goals }
    }
}

impl Results for OneByOne<'_> {
    fn take(&mut self, program: &Program, block: &Block, lanes: Word, words: &[Word]) {
        for lane in lanes.lanes() {
            self.goals.clear();
            let mut words = words;
            for role in &program.roles {
                let (own, others) = words.split_at(role.goals.signals().len());
                words = others;
                let goal = role.goals.read(|place| own[place].get(lane));
                self.goals.push(goal);
            }
            let (tag, playout) = block.result(lane);
            (self.done)(BatchPlayout {
                tag,
                playout,
                goals: &self.goals,
            });
        }
    }
}

/// Adds playouts up.
pub(super) struct Tally<'a> {
    figures: &'a mut Figures,
}

impl<'a> Tally<'a> {
    pub(super) fn new(figures: &'a mut Figures) -> Self {
        Self { figures }
    }
}

impl Results for Tally<'_> {
    #[inline(always)]
    fn take(&mut self, program: &Program, block: &Block, lanes: Word, words: &[Word]) {
        let mut lengths = Lengths::default();
        block
            .lengths
            .count(lanes, |length, playouts| lengths.add(length, playouts));
        let finished = lanes & block.finished;
        for lane in lanes.and_not(finished).lanes() {
            let (_, playout) = block.result(lane);
            self.figures.add_unfinished(playout.ending);
        }
        self.figures.add_lengths(lengths);
        let mut words = words;
        for (role, signals) in (0..).map(RoleId).zip(&program.roles) {
            let (own, others) = words.split_at(signals.goals.signals().len());
            words = others;
            if (finished.count() as usize) < signals.goals.values.len() {
                self.add_by_lane(role, &signals.goals, finished, own);
            } else {
                self.add_by_value(role, &signals.goals, finished, own);
            }
        }
    }
}

impl Tally<'_> {
    /// For few lanes: what each of them has.
    fn add_by_lane(&mut self, role: RoleId, goals: &GoalSignals, lanes: Word, words: &[Word]) {
        for lane in lanes.lanes() {
            if let Goal::One(value) = goals.read(|place| words[place].get(lane)) {
                self.figures.add_goals(role, value, 1);
            }
        }
    }

    /// For few goals: how many lanes have each of them.
    #[inline(always)]
    fn add_by_value(&mut self, role: RoleId, goals: &GoalSignals, lanes: Word, words: &[Word]) {
        let (any, several, bits) = (words[0], words[1], &words[2..]);
        let one = any.and_not(several) & lanes;
        for (place, &value) in goals.values.iter().enumerate() {
            let lanes = bits.iter().enumerate().fold(one, |lanes, (bit, word)| {
                lanes & word.inverted_if(place >> bit & 1 == 0)
            });
            self.figures.add_goals(role, value, lanes.count().into());
        }
    }
}
