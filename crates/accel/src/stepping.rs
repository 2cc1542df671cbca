//! Games in lanes that go on by given moves, and begin again when they have ended: what learning
//! programs call a vector environment.
//!
//! It is the program of random playouts without the part that draws: the ranks of the choosers come
//! from the moves. For each chooser that takes one pass over its leaves, whatever the number of
//! lanes: a counter in every lane counts the legal leaves so far, and when the leaf of a lane's
//! move comes, what its counter says is the rank.

mod rows;

use std::sync::Arc;

use paidia_game::{Ending, Goal, LegalMoves, MoveId, Playout, RoleId};

use crate::kernel::{Device, Memory, Phase};
use crate::program::{ChooserSignals, Program};
use crate::word::{LANES, Word};

/// The most lanes of one [`Stepping`]; one that is asked for more has this many.
pub const MOST_LANES: usize = 1 << 18;

/// The most bits of a rank: there are fewer than 2^32 moves.
const MOST_BITS: usize = 32;

/// Stands for the place of the only legal move of a role, which no chooser need be told.
const ONLY: u32 = u32::MAX;

/// Games side by side, which go on by given moves.
///
/// Every lane starts in the same state. [`step`](Self::step) makes a joint move in all lanes; a
/// game that is over then, or was cut, tells its end by [`ended`](Self::ended) until the next step,
/// and its lane is in the start state again.
#[derive(Clone, Debug)]
pub struct Stepping {
    device: Arc<Device>,
    units: Vec<Unit>,
    width: usize,
    lanes: usize,
    start: Arc<[u64]>,
    step_limit: u32,
    /// For each role and each of its moves, the chooser and the leaf that take it.
    leaves: Vec<Vec<Option<(u32, u32)>>>,
    /// For each lane, how many moves its game has had.
    lengths: Vec<u32>,
    /// For each lane, how the game ended that the last step ended.
    ended: Vec<Option<Playout>>,
    /// For each lane and role, the goal of that game.
    goals: Vec<Goal>,
    /// For each lane and role, the place of its move: scratch memory, as is what follows.
    places: Vec<u32>,
    /// For each lane, whether a role chooses in it.
    chooses: Vec<bool>,
    /// The leaves that are taken in the lanes of a block.
    taken: Vec<(u32, usize)>,
}

/// Blocks that are run at once.
#[derive(Clone, Debug)]
struct Unit {
    memory: Memory,
    /// Where goals are evaluated, if not where everything is.
    apart: Option<Memory>,
}

/// How the game of a lane ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended<'a> {
    /// Its length, and why it ended.
    pub playout: Playout,
    /// The goals of all roles in its last state, in the order of the roles.
    pub goals: &'a [Goal],
}

/// A move that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the move of role {} in lane {lane} is missing or not legal; no move was made", .role.0)]
pub struct IllegalMove {
    /// The lane.
    pub lane: usize,
    /// The role.
    pub role: RoleId,
}

/// Games cannot start in this state: it is over, or a role has no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no game can start in a state that is over, or in which a role has no legal move")]
pub struct NoStart;

impl Stepping {
    pub(crate) fn of(
        device: Arc<Device>,
        width: usize,
        lanes: usize,
        start: &[u64],
        step_limit: u32,
    ) -> Result<Self, NoStart> {
        let program = device.program();
        let lanes = lanes.clamp(1, MOST_LANES);
        let mut memory = Memory::new(program, width, device.backend());
        for block in 0..width {
            memory.load(block, start, Word::ALL);
            *memory.word_mut(program.open, block) = Word::ALL;
        }
        device.run(Phase::Evaluate, &mut memory);
        if !memory.signal(program.moving, 0).get(0) {
            return Err(NoStart);
        }
        let apart = program.goals_are_apart.then(|| memory.clone());
        let units = vec![Unit { memory, apart }; lanes.div_ceil(width * LANES)];
        let roles = program.roles.len();
        Ok(Self {
            leaves: leaves(program),
            units,
            width,
            lanes,
            start: start.into(),
            step_limit: step_limit.max(1),
            lengths: vec![0; lanes],
            ended: vec![None; lanes],
            goals: vec![Goal::None; lanes * roles],
            places: vec![0; lanes * roles],
            chooses: vec![false; lanes],
            taken: Vec::with_capacity(LANES),
            device,
        })
    }

    /// How many lanes there are.
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// How many moves the game of a lane has had.
    pub fn length(&self, lane: usize) -> u32 {
        self.lengths.get(lane).copied().unwrap_or(0)
    }

    /// How the game of a lane ended, if the last step ended it.
    pub fn ended(&self, lane: usize) -> Option<Ended<'_>> {
        let playout = self.ended.get(lane).copied().flatten()?;
        let roles = self.device.program().roles.len();
        let goals = &self.goals[lane * roles..][..roles];
        Some(Ended { playout, goals })
    }

    /// The legal moves of all roles in a lane; none in lanes that there are not.
    pub fn legal(&self, lane: usize, into: &mut LegalMoves) {
        into.clear();
        for role in &self.device.program().roles {
            for &(id, signal) in &role.legal {
                let is_legal = self.place(lane).is_some_and(|(unit, block, bit)| {
                    self.units[unit].memory.signal(signal, block).get(bit)
                });
                if is_legal {
                    into.push(id);
                }
            }
            into.end_role();
        }
    }

    /// Writes the state of a lane: fluent number n is bit `n % 64` of word `n / 64`. What there is
    /// no room for is left out, and words that no fluent belongs to become zero.
    pub fn state(&self, lane: usize, into: &mut [u64]) {
        into.fill(0);
        let Some((unit, block, bit)) = self.place(lane) else {
            return;
        };
        for fluent in 0..self.device.program().fluents {
            let holds = self.units[unit].memory.word(fluent, block).get(bit);
            if let Some(word) = into.get_mut(fluent as usize / 64) {
                *word |= u64::from(holds) << (fluent % 64);
            }
        }
    }

    /// Makes a joint move in every lane: `moves` has the moves of all roles in the first lane, in
    /// the order of the roles, then those in the next lane, and so on. [`MoveId::CHANCE`] stands
    /// for the only legal move of a role that has no choice.
    ///
    /// # Errors
    /// A lane and role whose move is missing or not legal; nothing has changed then.
    pub fn step(&mut self, moves: &[MoveId]) -> Result<(), IllegalMove> {
        let mut chooses = std::mem::take(&mut self.chooses);
        let found = self.find_places(moves, &mut chooses);
        self.chooses = chooses;
        found?;
        let program = Arc::clone(self.device.program());
        for number in 0..program.choosers.len() {
            for block in 0..self.lanes.div_ceil(LANES) {
                self.set_ranks(&program.choosers[number], number as u32, block);
            }
        }
        for length in &mut self.lengths {
            *length += 1;
        }
        self.ended.fill(None);
        for unit in 0..self.units.len() {
            let memory = &mut self.units[unit].memory;
            self.device.run(Phase::Advance, memory);
            self.device.run(Phase::Evaluate, memory);
            self.restart(unit);
        }
        Ok(())
    }

    /// Where a lane is: the unit, the block in it, the lane in that.
    fn place(&self, lane: usize) -> Option<(usize, usize, usize)> {
        let block = lane / LANES;
        let place = (block / self.width, block % self.width, lane % LANES);
        (lane < self.lanes).then_some(place)
    }

    /// Finds the places of all moves among those of their roles, and whether they are legal.
    fn find_places(&mut self, moves: &[MoveId], chooses: &mut [bool]) -> Result<(), IllegalMove> {
        let program = Arc::clone(self.device.program());
        let roles = program.roles.len();
        for (number, role) in program.roles.iter().enumerate() {
            let id = RoleId(number as u16);
            self.choosing(id, chooses);
            for (lane, &chooses) in chooses.iter().enumerate() {
                let illegal = IllegalMove { lane, role: id };
                let id = *moves.get(lane * roles + number).ok_or(illegal)?;
                if id == MoveId::CHANCE && !chooses {
                    self.places[lane * roles + number] = ONLY;
                    continue;
                }
                let place = role.legal.binary_search_by_key(&id, |&(id, _)| id);
                let place = place.map_err(|_| illegal)?;
                let (unit, block, bit) = self.place(lane).ok_or(illegal)?;
                let (_, signal) = role.legal[place];
                if !self.units[unit].memory.signal(signal, block).get(bit) {
                    return Err(illegal);
                }
                self.places[lane * roles + number] = place as u32;
            }
        }
        Ok(())
    }

    /// Sets the ranks of a chooser in the lanes of a block to those of the given moves.
    fn set_ranks(&mut self, chooser: &ChooserSignals, number: u32, block: usize) {
        let program = Arc::clone(self.device.program());
        let roles = program.roles.len();
        let lanes = block * LANES..self.lanes.min((block + 1) * LANES);
        self.taken.clear();
        for lane in lanes {
            let places = &self.places[lane * roles..][..roles];
            let leaves = self.leaves.iter().zip(places);
            let mut leaves = leaves.filter_map(|(leaves, &place)| *leaves.get(place as usize)?);
            if let Some((_, leaf)) = leaves.find(|&(chooser, _)| chooser == number) {
                self.taken.push((leaf, lane % LANES));
            }
        }
        self.taken.sort_unstable();
        let memory = &mut self.units[block / self.width].memory;
        let block = block % self.width;
        let ranks = ranks(&program, memory, block, chooser, &self.taken);
        for (slot, &rank) in (chooser.rank..).zip(&ranks[..chooser.bits as usize]) {
            *memory.word_mut(slot, block) = rank;
        }
    }

    /// Sees to the games of a unit that have ended, and puts their lanes into the start state.
    fn restart(&mut self, unit: usize) {
        let program = Arc::clone(self.device.program());
        let mut has_ended = false;
        for block in 0..self.width {
            let first = (unit * self.width + block) * LANES;
            let memory = &self.units[unit].memory;
            let mut lanes = !memory.signal(program.moving, block);
            for lane in first..self.lanes.min(first + LANES) {
                if self.lengths[lane] >= self.step_limit {
                    lanes.set(lane - first, true);
                }
            }
            if lanes.is_none() {
                continue;
            }
            let Unit { memory, apart } = &mut self.units[unit];
            match apart {
                Some(apart) => {
                    apart.copy_state(memory, block, lanes);
                    self.device.run(Phase::Goals, apart);
                }
                None if !has_ended => self.device.run(Phase::Goals, memory),
                None => {}
            }
            has_ended = true;
            self.note(&program, unit, block, lanes);
            self.units[unit].memory.load(block, &self.start, lanes);
        }
        if has_ended {
            self.device
                .run(Phase::Evaluate, &mut self.units[unit].memory);
        }
    }

    /// Notes how the games of some lanes ended.
    fn note(&mut self, program: &Program, unit: usize, block: usize, lanes: Word) {
        let Unit { memory, apart } = &self.units[unit];
        let goals = apart.as_ref().unwrap_or(memory);
        let first = (unit * self.width + block) * LANES;
        let roles = program.roles.len();
        for bit in lanes.lanes() {
            let lane = first + bit;
            if lane >= self.lanes {
                break;
            }
            let stuck = (program.roles.iter())
                .position(|role| !memory.signal(role.can_move, block).get(bit));
            let ending = match stuck {
                _ if memory.signal(program.terminal, block).get(bit) => Ending::Finished,
                _ if self.lengths[lane] >= self.step_limit => Ending::Cut,
                Some(role) => Ending::Stuck(RoleId(role as u16)),
                None => Ending::Cut,
            };
            for (number, role) in program.roles.iter().enumerate() {
                let signal = |place: usize| {
                    let signal = role.goals.signals().nth(place);
                    signal.is_some_and(|signal| goals.signal(signal, block).get(bit))
                };
                self.goals[lane * roles + number] = role.goals.read(signal);
            }
            self.ended[lane] = Some(Playout {
                length: std::mem::take(&mut self.lengths[lane]),
                ending,
            });
        }
    }
}

/// For each role and each of its moves, the chooser and the leaf that take it.
fn leaves(program: &Program) -> Vec<Vec<Option<(u32, u32)>>> {
    let none = |moves: usize| vec![None; moves];
    let roles = program.roles.iter();
    let mut found: Vec<_> = roles.map(|role| none(role.legal.len())).collect();
    for (number, chooser) in (0..).zip(&program.choosers) {
        for (leaf, choices) in (0..).zip(&chooser.leaves) {
            for &(role, place) in choices {
                found[usize::from(role)][place as usize] = Some((number, leaf));
            }
        }
    }
    found
}

/// The ranks of leaves in lanes, which are given by leaf, as words for their bits from the lowest.
fn ranks(
    program: &Program,
    memory: &Memory,
    block: usize,
    chooser: &ChooserSignals,
    wanted: &[(u32, usize)],
) -> [Word; MOST_BITS] {
    let bits = chooser.bits as usize;
    let (mut count, mut ranks) = ([Word::NONE; MOST_BITS], [Word::NONE; MOST_BITS]);
    let mut wanted = wanted.iter().peekable();
    for (number, leaf) in (0..).zip(&chooser.leaves) {
        while let Some(&(_, lane)) = wanted.next_if(|&&(wanted, _)| wanted == number) {
            for (rank, count) in ranks[..bits].iter_mut().zip(&count) {
                rank.set(lane, count.get(lane));
            }
        }
        if wanted.peek().is_none() {
            break;
        }
        let mut carry = leaf.iter().fold(Word::NONE, |any, &(role, place)| {
            let (_, signal) = program.roles[usize::from(role)].legal[place as usize];
            any | memory.signal(signal, block)
        });
        for digit in &mut count[..bits] {
            let sum = *digit ^ carry;
            carry = *digit & carry;
            *digit = sum;
        }
    }
    ranks
}
