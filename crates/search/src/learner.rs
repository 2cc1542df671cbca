//! A player that finds out before a match which of some players plays the game at hand best.
//!
//! What helps in one game harms in another: means of moves, advice, records of later moves. A part
//! of the start clock goes to short games in which candidates play against the usual player, most
//! often the candidate with the highest upper bound. The one that is then expected to do better
//! plays the match; what a candidate does in the mean of many games counts as some games
//! ([`Prior`]). So with little time, or in doubt, it is the usual player, which should be the best
//! on average. Results are kept in [`Lessons`], so that in one program the next match of the same
//! game begins with them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use paidia_game::{Chance, Game, Goal, MoveId, PlayoutRunner, RoleId, Walker};

use crate::budget::{Budget, Stopwatch, TimeSource};
use crate::evaluation::Pupil;
use crate::player::{Decision, Informed};

/// Makes a player for a role, from a seed.
pub type Maker<G> = Box<dyn Fn(RoleId, u64) -> Box<dyn Informed<G>> + Send>;

/// A player that may be better than the usual one.
pub struct Candidate<G: Game> {
    /// Its name, without spaces: what lessons are kept under.
    pub name: String,
    /// Makes it.
    pub maker: Maker<G>,
    /// Whether the game has what it needs, which may take a while to find out.
    pub is_possible: Box<dyn Fn() -> bool + Send>,
    /// Its expected points before it is tried.
    pub prior: Prior,
    /// The part of the points above which it counts as better. Moves of a trial get little time,
    /// which favours players that learn quickly.
    pub needed: f64,
}

/// What is expected of a player before it is tried: the part of the points that it has against the
/// usual one in the mean of many games, and the number of games that this counts for, which is the
/// smaller the more the part differs from game to game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The part of the points, from 0 to 1.
    pub expected: f64,
    /// The games that this counts for.
    pub games: f64,
}

/// The shortest start clock that is shared, and the part of it that goes to trials.
const SHORTEST: Duration = Duration::from_millis(500);
const PART: f64 = 0.8;

/// The part of the start clock that goes to an evaluation, before that.
const EVALUATION: f64 = 0.25;

/// About how many games are played in the trials.
const GAMES: f64 = 24.0;

/// The least thinking of a move that says something about more, and the most that is worth its
/// time.
const LEAST_THINKING: Duration = Duration::from_millis(4);
const MOST_THINKING: Duration = Duration::from_millis(50);

/// Joint moves after which a game of a trial is a draw.
const STEP_LIMIT: u32 = 300;

/// The most time of trials for a game; more is not expected to change the choice.
const ENOUGH: Duration = Duration::from_secs(20);

/// Where lessons are kept while the program does not run: a line of text.
pub trait Keep: Send + Sync {
    /// What is kept.
    fn recall(&self) -> Option<String>;
    /// Keeps this instead.
    fn note(&self, line: &str);
}

/// The results of the trials of a game, shared by all players of it.
#[derive(Default)]
pub struct Lessons {
    learnt: Mutex<Learnt>,
    keep: Option<Box<dyn Keep>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Learnt {
    /// By the names of the candidates.
    scores: BTreeMap<String, Score>,
    spent: Duration,
    /// Whether what is kept was added.
    was_recalled: bool,
}

impl Lessons {
    /// Lessons that are kept while the program does not run.
    pub fn kept(keep: Box<dyn Keep>) -> Self {
        Self {
            learnt: Mutex::default(),
            keep: Some(keep),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Learnt> {
        self.learnt.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The scores of some candidates.
    fn scores<G: Game>(&self, others: &[Candidate<G>]) -> Vec<Score> {
        let learnt = self.lock();
        let score = |other: &Candidate<G>| learnt.scores.get(&other.name).copied();
        others
            .iter()
            .map(|other| score(other).unwrap_or_default())
            .collect()
    }

    /// How long trials took. What is kept is recalled first; until then, play depends on nothing
    /// that is kept.
    fn spent(&self) -> Duration {
        let mut learnt = self.lock();
        if !learnt.was_recalled {
            let kept = self.keep.as_ref().and_then(|keep| keep.recall());
            let kept = kept.and_then(|line| Learnt::of_line(&line));
            if let Some(kept) = kept {
                learnt.add(kept.scores, kept.spent);
            }
            learnt.was_recalled = true;
        }
        learnt.spent
    }

    /// Adds the games of trials.
    fn add<G: Game>(&self, others: &[Candidate<G>], scores: &[Score], spent: Duration) {
        let mut learnt = self.lock();
        let scores = others.iter().zip(scores);
        let scores = scores.filter(|(_, score)| score.games > 0.0);
        learnt.add(
            scores.map(|(other, &score)| (other.name.clone(), score)),
            spent,
        );
        if let Some(keep) = &self.keep {
            keep.note(&learnt.line());
        }
    }
}

impl Learnt {
    fn add(&mut self, scores: impl IntoIterator<Item = (String, Score)>, spent: Duration) {
        for (name, score) in scores {
            let sum = self.scores.entry(name).or_default();
            *sum = sum.plus(score);
        }
        self.spent += spent;
    }

    /// As it is kept: seconds, then for each candidate its name, games and points.
    fn line(&self) -> String {
        let mut line = format!("{:.3}", self.spent.as_secs_f64());
        for (name, score) in &self.scores {
            line += &format!(" {name} {} {}", score.games, score.points);
        }
        line
    }

    /// What a line says; nothing if it is not one of these.
    fn of_line(line: &str) -> Option<Self> {
        let mut words = line.split_ascii_whitespace();
        let number = |word: Option<&str>, most: f64| -> Option<f64> {
            let number = word?.parse().ok();
            number.filter(|number| (0.0..=most).contains(number))
        };
        let spent = Duration::from_secs_f64(number(words.next(), 1e9)?);
        let mut scores = BTreeMap::new();
        while let Some(name) = words.next() {
            let games = number(words.next(), 1e9)?;
            let points = number(words.next(), games)?;
            scores.insert(name.to_owned(), Score { games, points });
        }
        Some(Self {
            scores,
            spent,
            was_recalled: false,
        })
    }
}

/// A player that is one of several, whichever plays the game best.
pub struct Learner<G: Game> {
    game: G,
    role: RoleId,
    usual: Maker<G>,
    others: Vec<Candidate<G>>,
    chance: Chance,
    lessons: Arc<Lessons>,
    /// Has the evaluation learnt that some of the others use.
    pupil: Option<Pupil<G>>,
    /// Which of the others it is, if any.
    chosen: Option<usize>,
    player: Box<dyn Informed<G>>,
}

impl<G: Game> Learner<G> {
    /// A player for a role that is one of these; the usual one, unless the lessons tell otherwise,
    /// which must be of the same players.
    pub fn new(
        game: &G,
        role: RoleId,
        usual: Maker<G>,
        others: Vec<Candidate<G>>,
        lessons: Arc<Lessons>,
        seed: u64,
    ) -> Self {
        let mut chance = Chance::from_seed(seed);
        let chosen = better(&others, &lessons.scores(&others));
        let maker = chosen.map_or(&usual, |place| &others[place].maker);
        Self {
            game: game.clone(),
            player: maker(role, chance.bits()),
            usual,
            others,
            lessons,
            pupil: None,
            chosen,
            chance,
            role,
        }
    }

    /// The same player, which has an evaluation learnt before the trials.
    #[must_use]
    pub fn with_evaluation(self, pupil: Pupil<G>) -> Self {
        Self {
            pupil: Some(pupil),
            ..self
        }
    }

    /// Which of the others it is, or the usual one.
    pub fn chosen(&self) -> Option<usize> {
        self.chosen
    }

    /// Plays trials for so long and becomes the best player; how long that took.
    fn learn(
        &mut self,
        state: &G::State,
        time: Duration,
        clock: TimeSource,
        interrupt: &AtomicBool,
    ) -> Duration {
        let started = Stopwatch::start(clock);
        let time = time.min(ENOUGH.saturating_sub(self.lessons.spent()));
        if time.is_zero() {
            self.become_the_best();
            return started.elapsed();
        }
        let before = self.lessons.scores(&self.others);
        let possible = self.others.iter().map(|other| (other.is_possible)());
        let possible: Vec<bool> = possible.collect();
        let mut trial = Trial {
            walker: self.game.walker(),
            game: &self.game,
            usual: &self.usual,
            others: &self.others,
            possible: &possible,
            state,
            thinking: thinking(&self.game, state, time, &mut self.chance),
            clock,
            started,
            time,
            interrupt,
            chance: self.chance.split(),
        };
        let scores = trial.scores(&before);
        self.lessons.add(&self.others, &scores, started.elapsed());
        self.become_the_best();
        started.elapsed()
    }

    /// Becomes the player that is best by the lessons, if it is another.
    fn become_the_best(&mut self) {
        let chosen = better(&self.others, &self.lessons.scores(&self.others));
        if chosen != self.chosen {
            let maker = chosen.map_or(&self.usual, |place| &self.others[place].maker);
            self.player = maker(self.role, self.chance.bits());
            self.chosen = chosen;
        }
    }
}

/// How long a move of a trial may take, so that some games can be played in a time.
fn thinking<G: Game>(game: &G, state: &G::State, time: Duration, chance: &mut Chance) -> Duration {
    const SAMPLES: u32 = 4;
    let mut runner = PlayoutRunner::new(game, state.clone(), STEP_LIMIT);
    let steps: u32 = (0..SAMPLES).map(|_| runner.run(chance).length).sum();
    let length = f64::from(steps.max(SAMPLES)) / f64::from(SAMPLES);
    let thinking = time.div_f64(GAMES * length);
    thinking.clamp(LEAST_THINKING, MOST_THINKING)
}

/// What came of a player's games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Score {
    games: f64,
    points: f64,
}

impl Score {
    fn add(&mut self, points: f64) {
        self.games += 1.0;
        self.points += points;
    }

    fn plus(self, other: Self) -> Self {
        Self {
            games: self.games + other.games,
            points: self.points + other.points,
        }
    }

    /// The part of the points that is to be expected, with what was believed before any game.
    fn estimate(self, prior: Prior) -> f64 {
        (self.points + prior.games * prior.expected) / (self.games + prior.games)
    }

    /// What it may be at best: two standard deviations more, of the beta distribution that this
    /// comes to.
    fn bound(self, prior: Prior) -> f64 {
        let estimate = self.estimate(prior);
        let games = self.games + prior.games;
        estimate + 2.0 * (estimate * (1.0 - estimate) / (games + 1.0)).sqrt()
    }
}

/// The candidate whose estimate exceeds what it needs by the most, if one does.
fn better<G: Game>(others: &[Candidate<G>], scores: &[Score]) -> Option<usize> {
    let tried = others.iter().zip(scores);
    best(tried.map(|(other, score)| score.estimate(other.prior) - other.needed))
}

/// The place of the highest value above zero.
fn best(values: impl Iterator<Item = f64>) -> Option<usize> {
    let above = values.enumerate().filter(|&(_, value)| value > 0.0);
    let best = above.max_by(|(_, one), (_, other)| one.total_cmp(other));
    best.map(|(place, _)| place)
}

/// Games between players.
struct Trial<'a, G: Game> {
    game: &'a G,
    usual: &'a Maker<G>,
    others: &'a [Candidate<G>],
    possible: &'a [bool],
    state: &'a G::State,
    walker: G::Walker,
    thinking: Duration,
    clock: TimeSource,
    started: Stopwatch,
    time: Duration,
    /// Set by the caller to end the trials.
    interrupt: &'a AtomicBool,
    chance: Chance,
}

impl<G: Game> Trial<'_, G> {
    /// The scores of candidates against the usual player: the one with the highest bound by these
    /// scores and `before` plays next, until the time is up or no bound is high enough.
    fn scores(&mut self, before: &[Score]) -> Vec<Score> {
        let mut scores = vec![Score::default(); self.others.len()];
        let seats: Vec<RoleId> = self.game.facts().players().collect();
        while !self.is_over() {
            let bounds = self.others.iter().enumerate().map(|(place, other)| {
                let before = before.get(place).copied().unwrap_or_default();
                let bound = before.plus(scores[place]).bound(other.prior);
                let is_wanted = self.possible[place] && bound > other.needed;
                if is_wanted { bound } else { 0.0 }
            });
            let Some(one) = best(bounds) else { break };
            for &seat in &seats {
                let Some(points) = self.play(one, seat) else {
                    return scores;
                };
                scores[one].add(points);
            }
        }
        scores
    }

    /// Whether there is no time left.
    fn is_over(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) || self.started.elapsed() >= self.time
    }

    /// The points of one of the others in a seat against the usual one in all others; nothing if
    /// the time was up, or the rules failed.
    fn play(&mut self, one: usize, seat: RoleId) -> Option<f64> {
        let facts = self.game.facts();
        let mut players: Vec<(RoleId, Box<dyn Informed<G>>)> = Vec::new();
        for role in facts.players() {
            let is_seat = role == seat;
            let maker = if is_seat {
                &self.others[one].maker
            } else {
                self.usual
            };
            players.push((role, maker(role, self.chance.bits())));
        }
        self.walker.jump(self.state);
        let mut here = self.state.clone();
        let mut joint = Vec::new();
        let mut steps = 0;
        while !self.walker.is_terminal() {
            if self.is_over() || self.walker.fault().is_some() {
                return None;
            }
            if steps == STEP_LIMIT {
                return Some(0.5);
            }
            // Roles without a player, such as chance, move at random.
            self.walker.draw(&mut self.chance, &mut joint).ok()?;
            self.walker.save(&mut here);
            for (role, player) in &mut players {
                let budget = Budget {
                    clock: self.clock,
                    ..Budget::time(self.thinking)
                };
                let chosen = player.choose(&here, budget).id;
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

impl<G: Game> Informed<G> for Learner<G> {
    fn prepare(&mut self, state: &G::State, budget: Budget) {
        self.prepare_until(state, budget, &AtomicBool::new(false));
    }

    fn prepare_until(&mut self, state: &G::State, mut budget: Budget, interrupt: &AtomicBool) {
        let is_contest = self.game.facts().players().count() > 1;
        if let Some(time) = budget.time
            && time >= SHORTEST
            && is_contest
            && !self.others.is_empty()
        {
            if let Some(pupil) = &self.pupil {
                pupil.prepare(state, &mut budget, EVALUATION, interrupt);
            }
            let time = budget.time.unwrap_or(time);
            let took = self.learn(state, time.mul_f64(PART), budget.clock, interrupt);
            budget.time = Some(time.saturating_sub(took));
        }
        self.player.prepare_until(state, budget, interrupt);
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
    use std::collections::BTreeMap;
    use std::time::Duration;

    use super::{Learnt, Prior, Score, best};

    const EQUAL: f64 = 0.5;

    fn score(games: u32, points: f64) -> Score {
        Score {
            games: f64::from(games),
            points,
        }
    }

    const FIRM: Prior = Prior {
        expected: 0.45,
        games: 10.0,
    };
    const LOOSE: Prior = Prior {
        expected: 0.4,
        games: 1.0,
    };

    #[test]
    fn what_is_firmly_believed_takes_many_games_to_change() {
        assert_eq!(score(0, 0.0).estimate(FIRM), 0.45);
        assert!(score(2, 1.0).estimate(FIRM) < EQUAL);
        assert!(score(4, 4.0).estimate(FIRM) > EQUAL);
        assert!(score(20, 10.0).estimate(FIRM) < EQUAL);
        assert!(score(2, 2.0).estimate(LOOSE) > EQUAL);
    }

    #[test]
    fn lessons_are_kept_as_a_line() {
        let mut scores = BTreeMap::new();
        scores.insert("alphabeta".to_owned(), score(3, 2.5));
        scores.insert("history=no".to_owned(), score(0, 0.0));
        let learnt = Learnt {
            scores,
            spent: Duration::from_millis(1_500),
            was_recalled: false,
        };
        assert_eq!(Learnt::of_line(&learnt.line()), Some(learnt));
        for damaged in [
            "",
            "x",
            "-1",
            "1 a",
            "1 a 2",
            "1 a 2 3",
            "1 a NaN 0",
            "1e99",
        ] {
            assert_eq!(Learnt::of_line(damaged), None, "{damaged}");
        }
    }

    #[test]
    fn who_may_be_anything_is_tried_first_and_soon_given_up() {
        let untried = score(0, 0.0);
        assert!(untried.bound(LOOSE) > untried.bound(FIRM) && untried.bound(FIRM) > EQUAL);
        assert!(score(2, 0.0).bound(LOOSE) < EQUAL);
        assert!(score(2, 0.0).bound(FIRM) > EQUAL);
        assert!(score(2, 1.0).bound(LOOSE) > EQUAL);
    }

    #[test]
    fn the_best_is_taken_if_it_is_better_than_needed() {
        assert_eq!(best([-0.1, 0.0].into_iter()), None);
        assert_eq!(best([-0.1, 0.1, 0.2, 0.1].into_iter()), Some(2));
    }
}
