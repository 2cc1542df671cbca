//! Uniformly random play from a state to the end of the game, and figures over many such playouts.

use crate::chance::Chance;
use crate::contract::{Fault, Game, Walker};
use crate::ids::{Goal, MoveId, RoleId};
use crate::sample::Sample;

/// How a playout ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// In a terminal state.
    Finished,
    /// After as many steps as were allowed.
    Cut,
    /// In a state that is not terminal though this role has no legal move: a fault of the rules.
    Stuck(RoleId),
    /// The engine ran into a limit.
    Faulted(Fault),
}

/// What came out of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Playout {
    /// How many joint moves were made.
    pub length: u32,
    /// Why it ended.
    pub ending: Ending,
}

/// Plays uniformly random joint moves from where the walker stands, at most `step_limit` of them.
///
/// `joint` is scratch memory. The walker is left in the last state, where its goals can be asked
/// for.
pub fn playout<W: Walker>(
    walker: &mut W,
    joint: &mut Vec<MoveId>,
    step_limit: u32,
    chance: &mut Chance,
) -> Playout {
    let mut length = 0;
    let ending = loop {
        if walker.is_terminal() {
            break walker
                .fault()
                .map_or(Ending::Finished, |fault| Ending::Faulted(*fault));
        }
        if length == step_limit {
            break Ending::Cut;
        }
        if let Err(role) = walker.draw(chance, joint) {
            break walker
                .fault()
                .map_or(Ending::Stuck(role), |fault| Ending::Faulted(*fault));
        }
        walker.advance(joint, chance);
        length += 1;
    };
    Playout { length, ending }
}

/// Runs playouts of one game from one state and adds them up.
#[derive(Clone, Debug)]
pub struct PlayoutRunner<G: Game> {
    start: G::State,
    walker: G::Walker,
    joint: Vec<MoveId>,
    step_limit: u32,
    figures: Figures,
}

impl<G: Game> PlayoutRunner<G> {
    /// A runner that starts each playout in `start` and cuts it after `step_limit` joint moves.
    pub fn new(game: &G, start: G::State, step_limit: u32) -> Self {
        let roles = game.facts().roles.len();
        Self {
            start,
            walker: game.walker(),
            joint: Vec::with_capacity(roles),
            step_limit,
            figures: Figures::new(roles),
        }
    }

    /// Runs one playout and counts it.
    pub fn run(&mut self, chance: &mut Chance) -> Playout {
        self.walker.jump(&self.start);
        let playout = playout(&mut self.walker, &mut self.joint, self.step_limit, chance);
        self.figures.add(playout, |role| self.walker.goal(role));
        playout
    }

    /// The figures over all playouts so far.
    pub fn figures(&self) -> &Figures {
        &self.figures
    }
}

/// The lengths of some playouts.
#[derive(Clone, Copy, Debug)]
pub struct Lengths {
    count: u64,
    sum: u64,
    squares: u128,
    shortest: u32,
    longest: u32,
}

impl Default for Lengths {
    fn default() -> Self {
        Self {
            count: 0,
            sum: 0,
            squares: 0,
            shortest: u32::MAX,
            longest: 0,
        }
    }
}

impl Lengths {
    /// Of that many playouts, their lengths' sum and sum of squares, the shortest and the longest.
    pub fn of_sums(count: u64, sum: u64, squares: u128, shortest: u32, longest: u32) -> Self {
        Self {
            count,
            sum,
            squares,
            shortest,
            longest,
        }
    }

    /// Adds playouts of the same length, one or more.
    #[inline]
    pub fn add(&mut self, length: u32, playouts: u32) {
        let (number, playouts) = (u64::from(length), u64::from(playouts));
        self.count += playouts;
        self.sum += number * playouts;
        self.squares += u128::from(number * number) * u128::from(playouts);
        self.shortest = self.shortest.min(length);
        self.longest = self.longest.max(length);
    }

    fn sample(self) -> Sample {
        Sample::of_sums(self.count, self.sum.into(), self.squares)
    }
}

/// Counts and means over playouts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Playouts of any ending.
    pub playouts: u64,
    /// Playouts that were cut at the step limit.
    pub cut: u64,
    /// Playouts that ended where a role had no legal move.
    pub stuck: u64,
    /// Joint moves made in all playouts.
    pub states: u64,
    /// The shortest playout; `u32::MAX` before the first.
    pub shortest: u32,
    /// The longest playout.
    pub longest: u32,
    /// The limit that an engine ran into, the first time.
    pub fault: Option<Fault>,
    /// Playouts that ended with a fault.
    pub faulted: u64,
    lengths: Sample,
    /// For each role, its goals in the finished playouts.
    goals: Vec<Sample>,
}

impl Figures {
    /// No playouts of a game with that many roles.
    pub fn new(roles: usize) -> Self {
        Self {
            shortest: u32::MAX,
            goals: vec![Sample::default(); roles],
            ..Self::default()
        }
    }

    /// Counts a playout with the goals of its last state, which are asked for if it was finished.
    pub fn add(&mut self, playout: Playout, mut goal: impl FnMut(RoleId) -> Goal) {
        self.playouts += 1;
        self.states += u64::from(playout.length);
        self.lengths.add(playout.length.into());
        self.shortest = self.shortest.min(playout.length);
        self.longest = self.longest.max(playout.length);
        match playout.ending {
            Ending::Finished => {
                for (role, goals) in (0..).map(RoleId).zip(&mut self.goals) {
                    if let Goal::One(value) = goal(role) {
                        goals.add(value.into());
                    }
                }
            }
            ending => self.add_unfinished(ending),
        }
    }

    /// Counts playouts by their lengths alone. Their endings and goals are to be added too, unless
    /// they are [`Ending::Finished`] without a goal.
    pub fn add_lengths(&mut self, lengths: Lengths) {
        self.playouts += lengths.count;
        self.states += lengths.sum;
        self.shortest = self.shortest.min(lengths.shortest);
        self.longest = self.longest.max(lengths.longest);
        self.lengths.merge(lengths.sample());
    }

    /// Notes how a playout ended whose length was counted, if it was not finished.
    pub fn add_unfinished(&mut self, ending: Ending) {
        match ending {
            Ending::Finished => {}
            Ending::Cut => self.cut += 1,
            Ending::Stuck(_) => self.stuck += 1,
            Ending::Faulted(fault) => {
                self.faulted += 1;
                self.fault.get_or_insert(fault);
            }
        }
    }

    /// Notes the same of that many playouts, whose ending is no fault.
    pub fn add_unfinished_times(&mut self, ending: Ending, playouts: u64) {
        match ending {
            Ending::Cut => self.cut += playouts,
            Ending::Stuck(_) => self.stuck += playouts,
            Ending::Finished | Ending::Faulted(_) => {}
        }
    }

    /// Notes that a role had a goal in `playouts` of the finished playouts.
    pub fn add_goals(&mut self, role: RoleId, value: i32, playouts: u64) {
        if let Some(goals) = self.goals.get_mut(role.index()) {
            goals.add_times(value.into(), playouts);
        }
    }

    /// Adds the figures of other playouts of the same game.
    pub fn merge(&mut self, other: &Figures) {
        self.playouts += other.playouts;
        self.cut += other.cut;
        self.stuck += other.stuck;
        self.states += other.states;
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        self.faulted += other.faulted;
        self.fault = self.fault.or(other.fault);
        self.lengths.merge(other.lengths);
        for (goals, added) in self.goals.iter_mut().zip(&other.goals) {
            goals.merge(*added);
        }
    }

    /// Playouts that reached a terminal state.
    pub fn finished(&self) -> u64 {
        self.playouts - self.cut - self.stuck - self.faulted
    }

    /// The lengths of all playouts.
    pub fn lengths(&self) -> Sample {
        self.lengths
    }

    /// The goals of a role over the finished playouts in which it had exactly one.
    pub fn goals(&self, role: RoleId) -> Sample {
        self.goals.get(role.index()).copied().unwrap_or_default()
    }

    /// Joint moves a playout.
    pub fn mean_length(&self) -> Option<f64> {
        self.lengths.mean()
    }

    /// The mean of [`Self::goals`]; `None` without such playouts.
    pub fn mean_goal(&self, role: RoleId) -> Option<f64> {
        self.goals(role).mean()
    }

    /// Finished playouts in which a role had no goal, or several: faults of the rules.
    pub fn without_goal(&self, role: RoleId) -> u64 {
        self.finished() - self.goals(role).count()
    }
}
