//! Levels within levels: judging moves by playouts in which all roles judge moves by playouts.

use paidia_game::{Chance, Ending, Game, Goal, LegalMoves, MoveId, RoleId, Walker, playout};

use super::Nesting;
use super::worth::{End, NO_BOUND, Worth};
use crate::budget::{Meter, StopReason};

/// Joint moves after which a playout is cut; it then counts for nothing.
const PLAYOUT_LIMIT: u32 = 10_000;

/// Stands in a joint move for a role that has yet to choose.
const OPEN: MoveId = MoveId::CHANCE;

/// How a playout ended; lengths count from the choice on.
#[derive(Clone, Copy, Debug)]
enum Finish {
    /// The game is over.
    Over { length: u32 },
    /// It reached the bound, or would have with the next move.
    GivenUp,
    /// Far too long, or a role had no legal move: it says nothing.
    Lost { length: u32 },
}

/// A move that may be made, and how good it is, once that is known.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    id: MoveId,
    worth: Option<Worth>,
}

/// The memory of a nested search, which is kept from one to the next.
pub(crate) struct Nest<S> {
    nesting: Nesting,
    random: Option<RoleId>,
    /// Goals are worth their distance from the middle in halves of the range.
    middle: f64,
    half: f64,
    /// What a random playout counts in simulations: one, or nothing in a search that counts its
    /// own.
    simulations: u64,
    /// For each level what it needs to choose; the lowest, 0, does not choose.
    frames: Vec<Frame<S>>,
}

/// What a level remembers. Since all levels play from one walker, one after the other, each needs
/// one frame.
struct Frame<S> {
    /// The state in which it chooses.
    here: S,
    /// The moves of all roles there.
    legal: LegalMoves,
    candidates: Vec<Candidate>,
    /// The joint move that is about to be made in its playouts.
    joint: Vec<MoveId>,
}

impl<S: Clone> Nest<S> {
    pub(crate) fn new<G: Game<State = S>>(game: &G, nesting: Nesting, simulations: u64) -> Self {
        let facts = game.facts();
        let range = &facts.goal_range;
        let (lowest, highest) = (f64::from(*range.start()), f64::from(*range.end()));
        let frame = |_| Frame {
            here: game.initial(),
            legal: LegalMoves::new(),
            candidates: Vec::new(),
            joint: Vec::with_capacity(facts.roles.len()),
        };
        Self {
            random: facts.random(),
            middle: (lowest + highest) / 2.0,
            half: (highest - lowest) / 2.0,
            frames: (0..=nesting.level).map(frame).collect(),
            simulations,
            nesting,
        }
    }
}

impl<S> Nest<S> {
    pub(crate) fn nesting(&self) -> &Nesting {
        &self.nesting
    }

    /// The moves of the last search in the order in which they were tried, with what was found out
    /// about them.
    pub(crate) fn judged(&self) -> impl Iterator<Item = (MoveId, Option<Worth>)> {
        let top = self.frames.last().into_iter();
        let candidates = top.flat_map(|frame| &frame.candidates);
        candidates.map(|candidate| (candidate.id, candidate.worth))
    }

    /// The mean goal that a worth stands for.
    pub(crate) fn goal_of(&self, worth: Option<Worth>) -> f64 {
        let value = worth.map_or(0.0, |worth| worth.mean(self.nesting.samples));
        self.middle + self.half * value
    }

    fn value_of(&self, goal: Goal) -> f64 {
        match goal {
            Goal::One(goal) if self.half > 0.0 => {
                ((f64::from(goal) - self.middle) / self.half).clamp(-1.0, 1.0)
            }
            _ => 0.0,
        }
    }
}

/// A nested search at work.
pub(crate) struct Run<'a, 'b, W: Walker> {
    pub(crate) nest: &'a mut Nest<W::State>,
    pub(crate) walker: &'a mut W,
    pub(crate) meter: &'a mut Meter<'b>,
}

/// A move of a role, by its place among the candidates.
type Trial = (RoleId, usize);

impl<W: Walker> Run<'_, '_, W> {
    /// Judges a role's moves where the walker stands, by the highest level.
    ///
    /// # Errors
    /// Why it stopped before all was done; what was judged by then is there.
    pub(crate) fn judge(&mut self, role: RoleId, seed: u64) -> Result<(), StopReason> {
        let level = usize::from(self.nest.nesting.level);
        self.choose(level, role, seed, NO_BOUND).map(|_| ())
    }

    /// Plays from where the walker stands to the end, all roles by the highest level, and adds the
    /// moves to `made` if there is one; how many joint moves that took, and whether the game is
    /// over.
    ///
    /// When the budget is spent, the rest is played at random, so that something comes of the
    /// playout.
    pub(crate) fn play_out(
        &mut self,
        seed: u64,
        limit: u32,
        mut made: Option<&mut Vec<MoveId>>,
    ) -> (u32, bool) {
        let level = usize::from(self.nest.nesting.level);
        let mut chance = Chance::from_seed(seed);
        let mut length = 0;
        while !self.walker.is_terminal() {
            let is_made = length < limit
                && match self.make_step(level, derive(seed, length), NO_BOUND, &mut chance) {
                    Ok(is_made) => is_made,
                    Err(StopReason::Fault) => false,
                    Err(_) => self.make_random_step(level, &mut chance),
                };
            if !is_made {
                return (length, false);
            }
            if let Some(made) = &mut made {
                made.extend_from_slice(&self.nest.frames[level].joint);
            }
            length += 1;
        }
        (length, true)
    }

    /// The move of a role where the walker stands, which then stands there again. Playouts that
    /// would get as long as the bound are given up.
    fn choose(
        &mut self,
        level: usize,
        role: RoleId,
        seed: u64,
        bound: u32,
    ) -> Result<MoveId, StopReason> {
        self.list_moves(level, role, seed);
        let nesting = self.nest.nesting;
        let cuts = nesting.cut.contains(level as u8);
        let mut best: Option<(MoveId, Worth)> = None;
        for rank in 0..self.nest.frames[level].candidates.len() {
            let known = best.map(|(_, worth)| worth);
            let seed = derive(seed, 1 + rank as u32);
            let worth = self.evaluate(level, (role, rank), seed, known, bound)?;
            let candidate = &mut self.nest.frames[level].candidates[rank];
            candidate.worth = Some(worth);
            if known.is_none_or(|known| worth > known) {
                best = Some((candidate.id, worth));
            }
            if cuts && worth.is_won(nesting.samples) {
                break;
            }
        }
        self.walker.jump(&self.nest.frames[level].here);
        Ok(best.map_or(MoveId::CHANCE, |(id, _)| id))
    }

    /// Notes the state where the walker stands, and a role's moves there in the order in which they
    /// are tried.
    fn list_moves(&mut self, level: usize, role: RoleId, seed: u64) {
        let frame = &mut self.nest.frames[level];
        self.walker.save(&mut frame.here);
        frame.legal.clone_from(self.walker.legal());
        frame.candidates.clear();
        let moves = frame.legal.of(role).iter();
        let unknown = |&id| Candidate { id, worth: None };
        frame.candidates.extend(moves.map(unknown));
        if self.nest.nesting.shuffle {
            Chance::from_seed(derive(seed, 0)).shuffle(&mut frame.candidates);
        }
    }

    /// How good a role's move is, by playouts of the level below.
    fn evaluate(
        &mut self,
        level: usize,
        trial: Trial,
        seed: u64,
        best: Option<Worth>,
        bound: u32,
    ) -> Result<Worth, StopReason> {
        let nesting = self.nest.nesting;
        let discounts = nesting.discount.contains(level as u8);
        let prunes = nesting.prune.contains(level as u8);
        let mut worth = Worth::default();
        for sample in 0..nesting.samples {
            let rival = best.filter(|_| prunes);
            let useless = rival.map_or(NO_BOUND, |best| {
                worth.useless_from(sample, best, nesting.samples)
            });
            let end = self.try_move(level, trial, derive(seed, sample), bound.min(useless))?;
            worth.add(end, discounts);
        }
        Ok(worth)
    }

    /// Makes a role's move in the state in which its level chooses, and plays on by the level
    /// below.
    fn try_move(
        &mut self,
        level: usize,
        (role, rank): Trial,
        seed: u64,
        bound: u32,
    ) -> Result<End, StopReason> {
        let mut finish = Finish::GivenUp;
        // With a bound of one nothing can come of it but what is known to be no better.
        if bound > 1 {
            let mut chance = Chance::from_seed(seed);
            finish = Finish::Lost { length: 1 };
            if self.make_first_step(level, (role, rank), seed, bound, &mut chance)? {
                finish = self.play_on(level - 1, seed, bound, &mut chance)?;
            }
        }
        Ok(match finish {
            Finish::Over { length } => End {
                value: self.nest.value_of(self.walker.goal(role)),
                length,
            },
            Finish::Lost { length } => End { value: 0.0, length },
            Finish::GivenUp => End {
                value: -1.0,
                length: bound.max(1),
            },
        })
    }

    /// The first step of a playout: a role makes its move, all others move by the level below;
    /// false if a role cannot move.
    fn make_first_step(
        &mut self,
        level: usize,
        (role, rank): Trial,
        seed: u64,
        bound: u32,
        chance: &mut Chance,
    ) -> Result<bool, StopReason> {
        let random = self.nest.random;
        let (lower, upper) = self.nest.frames.split_at_mut(level);
        let (frame, joint) = (&upper[0], &mut lower[level - 1].joint);
        self.walker.jump(&frame.here);
        if !fill(joint, &frame.legal, level - 1, random, chance) {
            return Ok(false);
        }
        joint[role.index()] = frame.candidates[rank].id;
        self.finish_step(level - 1, derive(seed, 0), bound, chance)
    }

    /// All roles move by a level; false if one cannot move.
    fn make_step(
        &mut self,
        level: usize,
        seed: u64,
        bound: u32,
        chance: &mut Chance,
    ) -> Result<bool, StopReason> {
        let random = self.nest.random;
        let joint = &mut self.nest.frames[level].joint;
        if !fill(joint, self.walker.legal(), level, random, chance) {
            return Ok(false);
        }
        self.finish_step(level, seed, bound, chance)
    }

    /// Lets the remaining roles choose, and makes the joint move.
    fn finish_step(
        &mut self,
        level: usize,
        seed: u64,
        bound: u32,
        chance: &mut Chance,
    ) -> Result<bool, StopReason> {
        let handed = match self.nest.nesting.cascade {
            true => bound,
            false => NO_BOUND,
        };
        for role in 0..self.nest.frames[level].joint.len() as u16 {
            if self.nest.frames[level].joint[usize::from(role)] == OPEN {
                let seed = derive(seed, u32::from(role));
                let id = self.choose(level, RoleId(role), seed, handed)?;
                self.nest.frames[level].joint[usize::from(role)] = id;
            }
        }
        self.walker.advance(&self.nest.frames[level].joint, chance);
        self.meter.states += 1;
        Ok(true)
    }

    /// All roles move at random, in the state in which a level was about to choose; false if one
    /// cannot move.
    fn make_random_step(&mut self, level: usize, chance: &mut Chance) -> bool {
        let Frame { here, joint, .. } = &mut self.nest.frames[level];
        self.walker.jump(here);
        let is_drawn = self.walker.draw(chance, joint).is_ok();
        if is_drawn {
            self.walker.advance(joint, chance);
            self.meter.states += 1;
        }
        is_drawn
    }

    /// Plays on by a level, one step after the choice.
    fn play_on(
        &mut self,
        level: usize,
        seed: u64,
        bound: u32,
        chance: &mut Chance,
    ) -> Result<Finish, StopReason> {
        if level == 0 {
            return self.play_on_at_random(bound, chance);
        }
        let mut length = 1;
        while !self.walker.is_terminal() {
            if length + 1 >= bound {
                return Ok(Finish::GivenUp);
            }
            let left = match bound {
                NO_BOUND => NO_BOUND,
                _ => bound - length,
            };
            let is_made = length < PLAYOUT_LIMIT
                && self.make_step(level, derive(seed, length), left, chance)?;
            if !is_made {
                return Ok(Finish::Lost { length });
            }
            length += 1;
        }
        match self.walker.fault() {
            Some(_) => Err(StopReason::Fault),
            None => Ok(Finish::Over { length }),
        }
    }

    fn play_on_at_random(&mut self, bound: u32, chance: &mut Chance) -> Result<Finish, StopReason> {
        if let Some(reason) = self.meter.reached() {
            return Err(reason);
        }
        let most = PLAYOUT_LIMIT.min(bound - 1) - 1;
        let joint = &mut self.nest.frames[0].joint;
        let result = playout(self.walker, joint, most, chance);
        self.meter.states += u64::from(result.length);
        self.meter.playouts += 1;
        self.meter.simulations += self.nest.simulations;
        let length = result.length + 1;
        match result.ending {
            Ending::Finished => Ok(Finish::Over { length }),
            Ending::Cut if length < PLAYOUT_LIMIT => Ok(Finish::GivenUp),
            Ending::Cut | Ending::Stuck(_) => Ok(Finish::Lost { length }),
            Ending::Faulted(_) => Err(StopReason::Fault),
        }
    }
}

/// Fills a joint move as far as no level has to choose: only moves, chance, and, at level 0,
/// everything. False if a role has no move.
fn fill(
    joint: &mut Vec<MoveId>,
    legal: &LegalMoves,
    level: usize,
    random: Option<RoleId>,
    chance: &mut Chance,
) -> bool {
    joint.clear();
    for (role, moves) in legal.iter() {
        let is_chosen = level > 0 && moves.len() > 1 && random != Some(role);
        let id = match is_chosen {
            true => Some(OPEN),
            false => chance.pick(moves),
        };
        let Some(id) = id else { return false };
        joint.push(id);
    }
    true
}

/// The seed of a part of what another seed is for: equal parts of the same have equal seeds,
/// whatever happens elsewhere.
fn derive(seed: u64, part: u32) -> u64 {
    // The finaliser of splitmix64.
    let golden = 0x9e37_79b9_7f4a_7c15_u64;
    let mut mixed = seed.wrapping_add(golden.wrapping_mul(u64::from(part) + 1));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
