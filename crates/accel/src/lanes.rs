//! A block of lanes to look into: states put into lanes, and what the program says about them read
//! back.
//!
//! This is how the batch engine is compared with others: a recorded step is checked in one lane
//! while the other lanes are in other states. It runs the very program that playouts run; a given
//! move is made by giving its chooser the move's rank.

use std::sync::Arc;

use paidia_game::{Goal, LegalMoves, MoveId, RoleId};

use crate::kernel::{Backend, Device, Memory, Phase};
use crate::program::{ChooserSignals, Program, Signal};
use crate::word::Word;

/// One block of [`crate::LANES`] lanes, each in a state of its own.
///
/// [`load`](Self::load) states, [`evaluate`](Self::evaluate), then ask; to go on,
/// [`choose`](Self::choose) moves and [`advance`](Self::advance). Lanes beyond the last are
/// ignored, and say nothing of themselves.
#[derive(Clone, Debug)]
pub struct Lanes {
    device: Arc<Device>,
    memory: Memory,
    /// Where goals are evaluated, if not where everything is.
    apart: Option<Memory>,
}

impl Lanes {
    /// Lanes for a program; no fluent holds in any.
    pub fn new(program: Arc<Program>, backend: Backend) -> Self {
        Self::of(Arc::new(Device::new(program, backend, 1)))
    }

    /// Lanes for a machine that runs one block at a time.
    pub(crate) fn of(device: Arc<Device>) -> Self {
        let program = device.program();
        let memory = || Memory::new(program, 1, device.backend());
        Self {
            memory: memory(),
            apart: (program.goals_are_apart).then(memory),
            device,
        }
    }

    /// Puts a lane into a state: bit n % 64 of word n / 64 is fluent n; words that are missing are
    /// zero.
    pub fn load(&mut self, lane: usize, state: &[u64]) {
        self.memory.load(0, state, Word::of(lane));
    }

    /// The state that a lane is in.
    pub fn state(&self, lane: usize) -> Vec<u64> {
        let fluents = self.program().fluents;
        let mut state = vec![0; fluents.div_ceil(64) as usize];
        for fluent in 0..fluents {
            let holds = self.memory.word(fluent, 0).get(lane);
            state[fluent as usize / 64] |= u64::from(holds) << (fluent % 64);
        }
        state
    }

    /// Finds out everything about the states in all lanes, which can be asked for until the next
    /// [`advance`](Self::advance). In every lane each role is set to make its first legal move.
    pub fn evaluate(&mut self) {
        self.device.run(Phase::Evaluate, &mut self.memory);
        match &mut self.apart {
            Some(apart) => {
                apart.copy_state(&self.memory, 0, Word::ALL);
                self.device.run(Phase::Goals, apart);
            }
            None => self.device.run(Phase::Goals, &mut self.memory),
        }
        let program = Arc::clone(self.program());
        for chooser in &program.choosers {
            for slot in (chooser.rank..).take(chooser.bits as usize) {
                *self.memory.word_mut(slot, 0) = Word::NONE;
            }
        }
    }

    /// Whether the game is over in a lane.
    pub fn is_terminal(&self, lane: usize) -> bool {
        self.memory.signal(self.program().terminal, 0).get(lane)
    }

    /// The legal moves of all roles in a lane.
    pub fn legal(&self, lane: usize, into: &mut LegalMoves) {
        into.clear();
        for role in &self.program().roles {
            for &(id, signal) in &role.legal {
                if self.memory.signal(signal, 0).get(lane) {
                    into.push(id);
                }
            }
            into.end_role();
        }
    }

    /// What the rules say about a role's result in a lane.
    pub fn goal(&self, lane: usize, role: RoleId) -> Goal {
        let Some(role) = self.program().roles.get(role.index()) else {
            return Goal::None;
        };
        let memory = self.apart.as_ref().unwrap_or(&self.memory);
        let signals: Vec<Signal> = role.goals.signals().collect();
        role.goals
            .read(|number| memory.signal(signals[number], 0).get(lane))
    }

    /// Has a lane make a joint move at the next [`advance`](Self::advance).
    ///
    /// # Errors
    /// The first role whose move is missing or not legal in the lane.
    pub fn choose(&mut self, lane: usize, joint: &[MoveId]) -> Result<(), RoleId> {
        let program = Arc::clone(self.program());
        let mut places = Vec::with_capacity(program.roles.len());
        for (number, role) in (0..).zip(&program.roles) {
            let id = joint.get(usize::from(number)).ok_or(RoleId(number))?;
            let place = role.legal.binary_search_by_key(id, |&(id, _)| id);
            let place = place.map_err(|_| RoleId(number))? as u32;
            if !self.is_legal(lane, (number, place)) {
                return Err(RoleId(number));
            }
            places.push(place);
        }
        for chooser in &program.choosers {
            let rank = self.rank(lane, chooser, &places);
            for (bit, slot) in (chooser.rank..).take(chooser.bits as usize).enumerate() {
                self.memory
                    .word_mut(slot, 0)
                    .set(lane, rank >> bit & 1 == 1);
            }
        }
        Ok(())
    }

    /// Goes on to the next states.
    pub fn advance(&mut self) {
        self.device.run(Phase::Advance, &mut self.memory);
    }

    /// The rank of the leaf that holds the move of one of the roles, 0 if none does.
    fn rank(&self, lane: usize, chooser: &ChooserSignals, places: &[u32]) -> u32 {
        let mut rank = 0;
        for leaf in &chooser.leaves {
            let mut legal = leaf.iter().filter(|&&choice| self.is_legal(lane, choice));
            if let Some(&(role, place)) = legal.next() {
                if places[usize::from(role)] == place {
                    return rank;
                }
                rank += 1;
            }
        }
        0
    }

    fn is_legal(&self, lane: usize, (role, place): (u16, u32)) -> bool {
        let (_, signal) = self.program().roles[usize::from(role)].legal[place as usize];
        self.memory.signal(signal, 0).get(lane)
    }

    fn program(&self) -> &Arc<Program> {
        self.device.program()
    }
}
