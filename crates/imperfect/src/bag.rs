//! Hypergames: whole histories that agree with what a role was told, each with its weight.
//!
//! A hypergame is a complete guess at a match: every joint move since the start, and the state that
//! they lead to (Schofield, Cerexhe and Thielscher, GIGA'13). A bag holds all of them while they
//! fit its size, with exact weights, and beyond that a sample in which every history keeps its
//! weight on average. Where a sample dies out it is drawn again from the start of the match, with
//! backtracking where a guess contradicts what was told.

use std::sync::Arc;
use std::time::Instant;

use paidia_game::{Chance, Game, JointMoves, LegalMoves, MoveId, PerceptId, RoleId, Walker};
use rustc_hash::FxHashSet;

use crate::belief::{Contradiction, with_own};

/// Joint moves of one state that are all looked at; of more, this number is drawn.
const MOST_JOINTS: u128 = 2_000;
/// Joint moves that drawing a bag again may look at, where there is no clock.
const MOST_REDRAWN: u64 = 200_000;

/// What a role was told of one joint move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Told {
    /// Its own move.
    pub made: MoveId,
    /// What it perceived, in the order of engines.
    pub percepts: Box<[PerceptId]>,
}

/// The joint moves of a history, the latest first; beginnings are shared.
#[derive(Clone, Debug)]
pub struct Trail {
    before: Option<Arc<Trail>>,
    joint: Box<[MoveId]>,
}

/// A guess at the match.
#[derive(Clone, Debug)]
pub struct Hypergame<S> {
    trail: Option<Arc<Trail>>,
    /// The state that it leads to.
    pub state: S,
    /// How likely it is, relative to others.
    pub weight: f64,
}

impl<S> Hypergame<S> {
    /// Its joint moves, the first first.
    pub fn joints(&self) -> Vec<&[MoveId]> {
        let mut joints = Vec::new();
        let mut at = self.trail.as_deref();
        while let Some(trail) = at {
            joints.push(&trail.joint[..]);
            at = trail.before.as_deref();
        }
        joints.reverse();
        joints
    }
}

/// The hypergames of one role.
pub struct Bag<G: Game> {
    game: G,
    role: RoleId,
    size: usize,
    walker: G::Walker,
    games: Vec<Hypergame<G::State>>,
    told: Vec<Told>,
    is_sample: bool,
    /// Joint moves that were looked at.
    pub looked_at: u64,
}

impl<G: Game> Bag<G> {
    /// The beginning of a match, for at most `size` hypergames.
    pub fn new(game: &G, role: RoleId, size: usize) -> Self {
        Self {
            game: game.clone(),
            role,
            size: size.max(1),
            walker: game.walker(),
            games: vec![beginning(game)],
            told: Vec::new(),
            is_sample: !game.facts().is_repeatable(),
            looked_at: 0,
        }
    }

    /// The hypergames, of which there is at least one.
    pub fn games(&self) -> &[Hypergame<G::State>] {
        &self.games
    }

    /// What the role was told so far.
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    /// Whether these are not all that agree, or their weights not exact.
    pub fn is_sample(&self) -> bool {
        self.is_sample
    }

    /// Goes to a state that is known.
    pub fn know(&mut self, state: &G::State) {
        self.games.clear();
        self.games.push(Hypergame {
            trail: None,
            state: state.clone(),
            weight: 1.0,
        });
        self.told.clear();
    }

    /// Leaves out hypergames in which the role cannot be asked to choose among these moves.
    pub fn asked(&mut self, legal: &[MoveId]) {
        let (walker, role) = (&mut self.walker, self.role);
        let mut possible = |game: &Hypergame<G::State>| {
            walker.jump(&game.state);
            !walker.is_terminal() && walker.legal().of(role) == legal
        };
        if self.games.iter().any(&mut possible) {
            self.games.retain(possible);
        }
    }

    /// A hypergame drawn by the weights.
    pub fn draw(&self, chance: &mut Chance) -> &Hypergame<G::State> {
        let whole: f64 = self.games.iter().map(|game| game.weight).sum();
        let mut rest = chance.fraction() * whole;
        let found = self.games.iter().find(|game| {
            rest -= game.weight;
            rest < 0.0
        });
        found.unwrap_or(&self.games[self.games.len() - 1])
    }

    /// Takes in what was told of the next joint move. With a clock not all may be looked at.
    ///
    /// # Errors
    /// If no hypergame was found that agrees; then the bag holds what does not.
    pub fn see(
        &mut self,
        told: Told,
        until: Option<Instant>,
        chance: &mut Chance,
    ) -> Result<(), Contradiction> {
        let mut after = Vec::new();
        let mut complete = true;
        for game in &self.games {
            if until.is_some_and(|until| !after.is_empty() && Instant::now() >= until) {
                complete = false;
                break;
            }
            let followers = followers(&mut self.walker, self.role, game, &told, chance);
            self.looked_at += followers.looked_at;
            complete &= followers.complete;
            after.extend(followers.games);
            // However many agree, memory holds a few times what is kept.
            if after.len() > self.most_at_once() {
                thin_out(&mut after, self.size, chance);
                complete = false;
            }
        }
        self.is_sample |= !complete;
        self.told.push(told);
        if after.is_empty() {
            self.is_sample = true;
            after = self.draw_again(until, chance);
        }
        if after.is_empty() {
            return Err(Contradiction);
        }
        self.games = after;
        self.thin_out(chance);
        Ok(())
    }

    /// The most hypergames that are held while those after a joint move are gathered.
    fn most_at_once(&self) -> usize {
        self.size.saturating_mul(4).max(MOST_JOINTS as usize)
    }

    /// Keeps as many hypergames as the bag may hold, with weights near 1 however long the match is.
    fn thin_out(&mut self, chance: &mut Chance) {
        if self.games.len() > self.size {
            self.is_sample = true;
            thin_out(&mut self.games, self.size, chance);
        }
        let whole: f64 = self.games.iter().map(|game| game.weight).sum();
        self.games.iter_mut().for_each(|game| game.weight /= whole);
    }

    /// Draws hypergames from the start of the match.
    fn draw_again(
        &mut self,
        until: Option<Instant>,
        chance: &mut Chance,
    ) -> Vec<Hypergame<G::State>> {
        let mut found = Vec::new();
        let last = self.looked_at + MOST_REDRAWN;
        let is_over = |looked_at: u64| match until {
            Some(until) => Instant::now() >= until,
            None => looked_at >= last,
        };
        while found.len() < self.size && !is_over(self.looked_at) {
            match self.draw_one(chance, &is_over) {
                Some(game) => found.push(game),
                // Everything was tried, or the time is up.
                None => break,
            }
        }
        found
    }

    /// One hypergame, by a walk through what agrees that goes back where nothing does.
    fn draw_one(
        &mut self,
        chance: &mut Chance,
        is_over: &dyn Fn(u64) -> bool,
    ) -> Option<Hypergame<G::State>> {
        // For each joint move the hypergames that were not tried yet.
        let mut open: Vec<Vec<Hypergame<G::State>>> = vec![vec![beginning(&self.game)]];
        while let Some(level) = open.last_mut() {
            if is_over(self.looked_at) {
                return None;
            }
            if level.is_empty() {
                open.pop();
                continue;
            }
            let place = chance.below(level.len() as u32) as usize;
            // Of several that may lead on one is taken, which stands for all of them.
            let many = level.len() as f64;
            let mut game = level.swap_remove(place);
            let Some(told) = self.told.get(open.len() - 1) else {
                game.weight *= many;
                return Some(game);
            };
            game.weight *= many;
            let followers = followers(&mut self.walker, self.role, &game, told, chance);
            self.looked_at += followers.looked_at.max(1);
            open.push(followers.games);
        }
        None
    }
}

/// Keeps at most `size` hypergames, drawn in proportion to their weights, which those that are kept
/// then share.
fn thin_out<S>(games: &mut Vec<Hypergame<S>>, size: usize, chance: &mut Chance) {
    let whole: f64 = games.iter().map(|game| game.weight).sum();
    let step = whole / size as f64;
    let (mut next, mut passed) = (chance.fraction() * step, 0.0);
    games.retain_mut(|game| {
        passed += game.weight;
        let mut times = 0.0;
        while next < passed {
            next += step;
            times += 1.0;
        }
        game.weight = times * step;
        times > 0.0
    });
}

fn beginning<G: Game>(game: &G) -> Hypergame<G::State> {
    Hypergame {
        trail: None,
        state: game.initial(),
        weight: 1.0,
    }
}

/// What a hypergame can go on as.
struct Followers<S> {
    games: Vec<Hypergame<S>>,
    /// Whether they are all.
    complete: bool,
    looked_at: u64,
}

fn followers<W: Walker<State: Clone>>(
    walker: &mut W,
    role: RoleId,
    game: &Hypergame<W::State>,
    told: &Told,
    chance: &mut Chance,
) -> Followers<W::State> {
    let mut found = Followers {
        games: Vec::new(),
        complete: true,
        looked_at: 0,
    };
    walker.jump(&game.state);
    if walker.is_terminal() || !walker.legal().of(role).contains(&told.made) {
        return found;
    }
    let own: LegalMoves = with_own(walker.legal(), role, told.made);
    let count = own.joint_count();
    let mut try_joint = |joint: &[MoveId], share: f64, chance: &mut Chance| {
        found.looked_at += 1;
        walker.jump(&game.state);
        walker.advance(joint, chance);
        if walker.fault().is_none() && *walker.percepts(role) == *told.percepts {
            let mut state = game.state.clone();
            walker.save(&mut state);
            found.games.push(Hypergame {
                trail: Some(Arc::new(Trail {
                    before: game.trail.clone(),
                    joint: joint.into(),
                })),
                state,
                weight: game.weight * share,
            });
        }
    };
    if count <= MOST_JOINTS {
        let mut joints = JointMoves::new();
        joints.refill(&own);
        while let Some(joint) = joints.next() {
            try_joint(joint, 1.0 / count as f64, chance);
        }
    } else {
        let (mut joint, mut seen) = (Vec::new(), FxHashSet::default());
        for _ in 0..MOST_JOINTS {
            if own.draw(chance, &mut joint).is_ok() && seen.insert(joint.clone()) {
                try_joint(&joint, 1.0 / MOST_JOINTS as f64, chance);
            }
        }
        found.complete = false;
    }
    found
}

/// What a role was told along the joint moves of a hypergame.
pub fn told_along<G: Game>(
    walker: &mut G::Walker,
    start: &G::State,
    joints: &[&[MoveId]],
    role: RoleId,
    chance: &mut Chance,
) -> Vec<Told> {
    walker.jump(start);
    let step = |joint: &&[MoveId]| {
        walker.advance(joint, chance);
        Told {
            made: joint[role.index()],
            percepts: walker.percepts(role).into(),
        }
    };
    joints.iter().map(step).collect()
}
