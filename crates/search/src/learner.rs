//! A player that finds out before a match which of some players plays the game at hand best.
//!
//! What helps in one game harms in another: means of moves, advice, records of later moves. A part of the start clock goes to short games, in
//! which each of the others takes a seat against the first; who does clearly better is the one that plays the match. With little time, or in
//! doubt, that is the first, which should be the one that is best on average. What came of the games is kept in [`Lessons`], so that in one program the
//! next match of the same game begins with it.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use paidia_game::{Chance, Game, Goal, MoveId, PlayoutRunner, RoleId, Walker};

use crate::budget::Budget;
use crate::player::{Decision, Player};

/// Makes a player for a role, from a seed.
pub type Maker<G> = Box<dyn Fn(RoleId, u64) -> Box<dyn Player<G>> + Send>;

/// The shortest start clock that is shared, and the part of it that goes to trials.
const SHORTEST: Duration = Duration::from_secs(2);
const PART: f64 = 0.5;

/// About so many games are to be played in the trials.
const GAMES: f64 = 24.0;

/// The least thinking of a move that says something about more.
const LEAST_THINKING: Duration = Duration::from_millis(1);

/// Joint moves after which a game of a trial is a draw.
const STEP_LIMIT: u32 = 300;

/// Games that must have been played before anything is said about a player, and by how many standard errors it must be better than equal.
const LEAST_GAMES: f64 = 4.0;
const CERTAINTY: f64 = 1.6;

/// After so much time of trials nothing new is to be expected.
const ENOUGH: Duration = Duration::from_secs(20);

/// What came of the trials of a game, for all who play it.
#[derive(Debug, Default)]
pub struct Lessons(Mutex<Learnt>);

#[derive(Clone, Debug, Default)]
struct Learnt {
    scores: Vec<Score>,
    spent: Duration,
}

impl Lessons {
    fn learnt(&self) -> Learnt {
        let learnt = self.0.lock();
        learnt.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Adds the games of a trial.
    fn add(&self, scores: &[Score], spent: Duration) {
        let mut learnt = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let places = learnt.scores.len().max(scores.len());
        learnt.scores.resize(places, Score::default());
        for (sum, score) in learnt.scores.iter_mut().zip(scores) {
            sum.games += score.games;
            sum.points += score.points;
        }
        learnt.spent += spent;
    }
}

/// A player that is one of several, whichever plays the game best.
pub struct Learner<G: Game> {
    game: G,
    role: RoleId,
    makers: Vec<Maker<G>>,
    chance: Chance,
    lessons: Arc<Lessons>,
    chosen: usize,
    player: Box<dyn Player<G>>,
}

impl<G: Game> Learner<G> {
    /// A player for a role that is one of these; the first, unless the lessons tell otherwise, which must be of the same players.
    pub fn new(
        game: &G,
        role: RoleId,
        first: Maker<G>,
        others: Vec<Maker<G>>,
        lessons: Arc<Lessons>,
        seed: u64,
    ) -> Self {
        let mut chance = Chance::from_seed(seed);
        let makers: Vec<Maker<G>> = std::iter::once(first).chain(others).collect();
        let chosen = clearly_best(&lessons.learnt().scores).min(makers.len() - 1);
        Self {
            game: game.clone(),
            player: makers[chosen](role, chance.bits()),
            makers,
            lessons,
            chosen,
            chance,
            role,
        }
    }

    /// Which of the players it is.
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// Plays trials for so long and becomes the best player; how long that took.
    fn learn(&mut self, state: &G::State, time: Duration) -> Duration {
        let started = Instant::now();
        let before = self.lessons.learnt();
        if before.spent >= ENOUGH {
            return Duration::ZERO;
        }
        let mut trial = Trial {
            walker: self.game.walker(),
            game: &self.game,
            makers: &self.makers,
            state,
            thinking: thinking(&self.game, state, time, &mut self.chance),
            deadline: started + time,
            chance: self.chance.split(),
        };
        let scores = trial.scores(&before.scores);
        self.lessons.add(&scores, started.elapsed());
        let chosen = clearly_best(&self.lessons.learnt().scores).min(self.makers.len() - 1);
        if chosen != self.chosen {
            self.player = self.makers[chosen](self.role, self.chance.bits());
            self.chosen = chosen;
        }
        started.elapsed()
    }
}

/// How long a move of a trial may take, so that some games can be played in a time.
fn thinking<G: Game>(game: &G, state: &G::State, time: Duration, chance: &mut Chance) -> Duration {
    const SAMPLES: u32 = 4;
    let mut runner = PlayoutRunner::new(game, state.clone(), STEP_LIMIT);
    let steps: u32 = (0..SAMPLES).map(|_| runner.run(chance).length).sum();
    let length = f64::from(steps.max(SAMPLES)) / f64::from(SAMPLES);
    let thinking = time.div_f64(GAMES * length);
    thinking.max(LEAST_THINKING)
}

/// What came of a player's games.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    games: f64,
    points: f64,
}

impl Score {
    fn add(&mut self, points: f64) {
        self.games += 1.0;
        self.points += points;
    }

    /// By how many standard errors it is better than equal; a game more on each side keeps a few lucky ones from saying much.
    fn lead(self) -> f64 {
        let mean = (self.points + 1.0) / (self.games + 2.0);
        (mean - 0.5) * 2.0 * self.games.sqrt()
    }

    fn is_hopeless(self) -> bool {
        self.games >= LEAST_GAMES && self.lead() < -CERTAINTY
    }
}

/// The highest lead, if one is clear.
fn clearly_best(scores: &[Score]) -> usize {
    let leads = scores.iter().enumerate().skip(1);
    let clear = leads.filter(|(_, score)| score.games >= LEAST_GAMES && score.lead() > CERTAINTY);
    let best = clear.max_by(|(_, one), (_, other)| one.lead().total_cmp(&other.lead()));
    best.map_or(0, |(place, _)| place)
}

/// Games between players.
struct Trial<'a, G: Game> {
    game: &'a G,
    makers: &'a [Maker<G>],
    state: &'a G::State,
    walker: G::Walker,
    thinking: Duration,
    deadline: Instant,
    chance: Chance,
}

impl<G: Game> Trial<'_, G> {
    /// What comes of it when all others play against the first until the time is up, those left out of whom `before` tells enough.
    fn scores(&mut self, before: &[Score]) -> Vec<Score> {
        let mut scores = vec![Score::default(); self.makers.len()];
        let seats: Vec<RoleId> = self.game.facts().players().collect();
        loop {
            let mut left = false;
            for one in 1..scores.len() {
                let mut all = before.get(one).copied().unwrap_or_default();
                all.games += scores[one].games;
                all.points += scores[one].points;
                if all.is_hopeless() {
                    continue;
                }
                left = true;
                for &seat in &seats {
                    let Some(points) = self.play(one, seat) else {
                        return scores;
                    };
                    scores[one].add(points);
                }
            }
            if !left {
                return scores;
            }
        }
    }

    /// The points of one player in a seat against the first in all others; nothing if the time was up, or the rules failed.
    fn play(&mut self, one: usize, seat: RoleId) -> Option<f64> {
        let facts = self.game.facts();
        let mut players: Vec<(RoleId, Box<dyn Player<G>>)> = Vec::new();
        for role in facts.players() {
            let maker = if role == seat { one } else { 0 };
            players.push((role, self.makers[maker](role, self.chance.bits())));
        }
        self.walker.jump(self.state);
        let mut here = self.state.clone();
        let mut joint = Vec::new();
        let mut steps = 0;
        while !self.walker.is_terminal() {
            if Instant::now() >= self.deadline || self.walker.fault().is_some() {
                return None;
            }
            if steps == STEP_LIMIT {
                return Some(0.5);
            }
            // Whoever is not asked, such as chance, moves at random.
            self.walker.draw(&mut self.chance, &mut joint).ok()?;
            self.walker.save(&mut here);
            for (role, player) in &mut players {
                let chosen = player.choose(&here, Budget::time(self.thinking)).id;
                if chosen != MoveId::CHANCE {
                    joint[role.index()] = chosen;
                }
            }
            self.walker.advance(&joint, &mut self.chance);
            steps += 1;
        }
        self.points(seat)
    }

    /// One for each other with a lower goal, half for each with the same, in the mean.
    fn points(&mut self, seat: RoleId) -> Option<f64> {
        let mut goal = |role: RoleId| match self.walker.goal(role) {
            Goal::One(value) => Some(value),
            _ => None,
        };
        let own = goal(seat)?;
        let others = self.game.facts().players().filter(|&role| role != seat);
        let (mut sum, mut count) = (0.0, 0.0);
        for other in others {
            let other = goal(other)?;
            sum += f64::from(u8::from(own > other)) + f64::from(u8::from(own >= other));
            count += 2.0;
        }
        (count > 0.0).then(|| sum / count)
    }
}

impl<G: Game> Player<G> for Learner<G> {
    fn prepare(&mut self, state: &G::State, mut budget: Budget) {
        let is_contest = self.game.facts().players().count() > 1;
        if let Some(time) = budget.time
            && time >= SHORTEST
            && is_contest
            && self.makers.len() > 1
        {
            let took = self.learn(state, time.mul_f64(PART));
            budget.time = Some(time.saturating_sub(took));
        }
        self.player.prepare(state, budget);
    }

    fn choose(&mut self, state: &G::State, budget: Budget) -> Decision {
        self.player.choose(state, budget)
    }

    fn choose_until(
        &mut self,
        state: &G::State,
        budget: Budget,
        interrupt: &AtomicBool,
    ) -> Decision {
        self.player.choose_until(state, budget, interrupt)
    }

    fn ponder(&mut self, state: &G::State, interrupt: &AtomicBool) {
        self.player.ponder(state, interrupt);
    }
}

#[cfg(test)]
mod tests {
    use super::{Score, clearly_best};

    fn score(games: u32, points: f64) -> Score {
        Score {
            games: f64::from(games),
            points,
        }
    }

    #[test]
    fn who_is_clearly_better_is_taken_and_nobody_else() {
        let first = Score::default();
        assert_eq!(clearly_best(&[first]), 0);
        // Two of two may be luck, nine of ten is not, eleven of twenty is nothing.
        assert_eq!(clearly_best(&[first, score(2, 2.0)]), 0);
        assert_eq!(clearly_best(&[first, score(20, 11.0), score(10, 9.0)]), 2);
        assert_eq!(clearly_best(&[first, score(20, 11.0), score(20, 9.0)]), 0);
        assert_eq!(clearly_best(&[first, score(20, 20.0), score(10, 9.0)]), 1);
    }

    #[test]
    fn who_loses_again_and_again_is_given_up() {
        assert!(!score(3, 0.0).is_hopeless());
        assert!(score(8, 0.5).is_hopeless());
        assert!(!score(8, 3.0).is_hopeless());
    }
}
