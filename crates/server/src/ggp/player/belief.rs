//! What a player may believe: the states that agree with everything it was told.
//!
//! With all moves told there is one such state. In GDL-II a player is told its own move and what it sees; then the states that agree with
//! that are kept, at most [`MOST_STATES`] of them, drawn fairly from what they can be followed by. Where all of them turn out to be wrong,
//! the match is drawn again from its beginning until some agree with all that was told.

use std::collections::HashSet;
use std::time::Instant;

use paidia_game::{Chance, Game, JointMoves, LegalMoves, MoveId, RoleId, Walker};

use crate::ggp::message::News;
use crate::ggp::text::find_move;

/// The most states that are kept.
const MOST_STATES: usize = 200;
/// Joint moves of one state that are all looked at; of more than that, so many are drawn.
const MOST_JOINTS: u128 = 500;

/// What became of it when somebody was told something.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Lost {
    /// The moves cannot be made where we believe to be; nothing was changed.
    #[error("these moves are not legal here")]
    Illegal,
    /// No state was found that agrees with what was told; one that does not is taken.
    #[error("no state was found that agrees with what was seen")]
    Contradiction,
    /// Messages are missing, or came twice.
    #[error("this is turn {told}, and turn {expected} was expected")]
    Turn {
        /// The turn of the message.
        told: u64,
        /// The turn that would have fitted.
        expected: u64,
    },
    /// Real-time messages.
    #[error("rtGDL is not spoken here")]
    RealTime,
}

/// The states that agree with everything a role was told.
pub(super) struct Belief<G: Game> {
    game: G,
    role: RoleId,
    walker: G::Walker,
    chance: Chance,
    /// Never empty.
    states: Vec<G::State>,
    /// For each turn of GDL-II the own move and the percepts.
    told: Vec<(String, Vec<String>)>,
}

impl<G: Game> Belief<G> {
    /// The beginning of a match.
    pub(super) fn new(game: &G, role: RoleId, seed: u64) -> Self {
        Self {
            walker: game.walker(),
            states: vec![game.initial()],
            told: Vec::new(),
            chance: Chance::from_seed(seed),
            game: game.clone(),
            role,
        }
    }

    /// The states, of which there is at least one.
    pub(super) fn states(&self) -> &[G::State] {
        &self.states
    }

    /// Some of the states, each with the same chance.
    pub(super) fn sample(&mut self, count: usize) -> Vec<G::State> {
        let mut states = self.states.clone();
        while states.len() > count {
            let place = self.chance.below(states.len() as u32);
            states.swap_remove(place as usize);
        }
        states
    }

    /// Takes in what was told; looks for states that agree with it until the time is over.
    ///
    /// # Errors
    /// If it does not fit to what was believed.
    pub(super) fn follow(&mut self, news: &News, until: Instant) -> Result<(), Lost> {
        match news {
            News::Nothing => Ok(()),
            News::Moves(moves) => self.make(moves),
            News::Percepts {
                turn,
                own,
                percepts,
            } => {
                let made = self.told.len() as u64;
                match own {
                    _ if *turn > made + 1 || *turn < made => Err(Lost::Turn {
                        told: *turn,
                        expected: made + 1,
                    }),
                    Some(own) if *turn == made + 1 => {
                        self.told.push((own.clone(), percepts.clone()));
                        self.see(until)
                    }
                    _ => Ok(()),
                }
            }
            News::Timed { .. } => Err(Lost::RealTime),
        }
    }

    /// Makes a joint move that was told as a whole.
    fn make(&mut self, moves: &[String]) -> Result<(), Lost> {
        let mut after = Vec::new();
        for state in &self.states {
            self.walker.jump(state);
            let Some(joint) = read_joint(&self.game, self.walker.legal(), moves) else {
                continue;
            };
            self.walker.advance(&joint, &mut self.chance);
            let mut next = state.clone();
            self.walker.save(&mut next);
            after.push(next);
        }
        if after.is_empty() {
            return Err(Lost::Illegal);
        }
        self.states = after;
        Ok(())
    }

    /// Follows the last turn that was told.
    fn see(&mut self, until: Instant) -> Result<(), Lost> {
        let turn = self.told.len() - 1;
        let before = std::mem::take(&mut self.states);
        let mut after = self.successors(&before, turn, true, until);
        if after.is_empty() {
            after = self.start_over(until);
        }
        let is_lost = after.is_empty();
        if is_lost {
            after = self.successors(&before, turn, false, until);
        }
        self.states = if after.is_empty() { before } else { after };
        if is_lost {
            Err(Lost::Contradiction)
        } else {
            Ok(())
        }
    }

    /// States that some states can be followed by in a turn, if the own move was made; those that agree with the percepts, or all. When the
    /// time is over there is at least one of the latter, if there can be.
    fn successors(
        &mut self,
        states: &[G::State],
        turn: usize,
        must_agree: bool,
        until: Instant,
    ) -> Vec<G::State> {
        let mut found = Reservoir::new();
        for state in states {
            for joint in self.joints(state, turn) {
                if Instant::now() >= until && (must_agree || !found.states.is_empty()) {
                    return found.states;
                }
                self.walker.jump(state);
                self.walker.advance(&joint, &mut self.chance);
                if self.walker.fault().is_none() && (!must_agree || self.agrees(turn)) {
                    let (hash, walker) = (self.walker.hash64(), &self.walker);
                    found.offer(hash, &mut self.chance, || {
                        let mut next = state.clone();
                        walker.save(&mut next);
                        next
                    });
                }
            }
        }
        found.states
    }

    /// The joint moves of a state in which the own move of a turn is made: all, or many.
    fn joints(&mut self, state: &G::State, turn: usize) -> Vec<Vec<MoveId>> {
        self.walker.jump(state);
        if self.walker.is_terminal() {
            return Vec::new();
        }
        let legal = self.walker.legal();
        let own = find_move(self.game.moves(), legal.of(self.role), &self.told[turn].0);
        let Some(legal) = own.map(|own| with_own(legal, self.role, own)) else {
            return Vec::new();
        };
        let mut joints = Vec::new();
        if legal.joint_count() <= MOST_JOINTS {
            let mut all = JointMoves::new();
            all.refill(&legal);
            while let Some(joint) = all.next() {
                joints.push(joint.to_vec());
            }
        } else {
            let mut joint = Vec::new();
            for _ in 0..MOST_JOINTS {
                if legal.draw(&mut self.chance, &mut joint).is_ok() {
                    joints.push(joint.clone());
                }
            }
        }
        joints
    }

    /// Whether the walker sees what was seen in a turn.
    fn agrees(&self, turn: usize) -> bool {
        let seen = &self.told[turn].1;
        let names = self.game.percepts();
        let ids = self.walker.percepts(self.role);
        let is_seen = |name: &str| seen.iter().any(|seen| seen.eq_ignore_ascii_case(name));
        let distinct: HashSet<String> = seen.iter().map(|seen| seen.to_ascii_lowercase()).collect();
        distinct.len() == ids.len() && ids.iter().all(|&id| is_seen(&names.name(id)))
    }

    /// Draws the match again from its beginning, as often as there is time.
    fn start_over(&mut self, until: Instant) -> Vec<G::State> {
        let mut found = Reservoir::new();
        while Instant::now() < until && found.states.len() < MOST_STATES {
            let mut states = vec![self.game.initial()];
            for turn in 0..self.told.len() {
                // A few at a time: who follows many of one beginning has no time for others.
                states.truncate(8);
                states = self.successors(&states, turn, true, until);
            }
            for state in states {
                self.walker.jump(&state);
                found.offer(self.walker.hash64(), &mut self.chance, || state);
            }
        }
        found.states
    }
}

/// The joint move that texts stand for, if it is legal.
fn read_joint<G: Game>(game: &G, legal: &LegalMoves, moves: &[String]) -> Option<Vec<MoveId>> {
    if legal.roles() != moves.len() {
        return None;
    }
    let read =
        |((_, legal), text): ((RoleId, &[MoveId]), &String)| find_move(game.moves(), legal, text);
    legal.iter().zip(moves).map(read).collect()
}

/// The legal moves of all roles but one, which has one move.
fn with_own(legal: &LegalMoves, role: RoleId, own: MoveId) -> LegalMoves {
    let mut less = LegalMoves::new();
    for (other, moves) in legal.iter() {
        let moves = if other == role { &[own][..] } else { moves };
        moves.iter().for_each(|&id| less.push(id));
        less.end_role();
    }
    less
}

/// A fair choice of different states out of however many are offered.
struct Reservoir<State> {
    states: Vec<State>,
    seen: HashSet<u64>,
}

impl<State> Reservoir<State> {
    fn new() -> Self {
        Self {
            states: Vec::new(),
            seen: HashSet::new(),
        }
    }

    /// Offers a state with this hash.
    fn offer(&mut self, hash: u64, chance: &mut Chance, state: impl FnOnce() -> State) {
        if !self.seen.insert(hash) {
            return;
        }
        if self.states.len() < MOST_STATES {
            self.states.push(state());
            return;
        }
        let place = chance.below(self.seen.len() as u32) as usize;
        if let Some(kept) = self.states.get_mut(place) {
            *kept = state();
        }
    }
}
