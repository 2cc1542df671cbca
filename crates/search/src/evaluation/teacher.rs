//! Learning an evaluation: states of random games, playouts from them, a fit.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use paidia_game::{Chance, Ending, Features, Game, Goal, MoveId, RoleId, Walker, playout};

use super::fit::{Data, Fit, fit};
use super::groups::Groups;
use super::told::{Contents, Told};
use super::{Evaluation, MOST, NotForTwo, Quality, UNIT, players_of};
use crate::budget::{Stopwatch, TimeSource};
use crate::leaves::{Decisive, LeafOptions, LeafPlayouts, LeafSource, LeafValue};
use crate::scale::Scale;

/// How much is learnt from; whichever limit comes first ends it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lesson {
    /// How long it may take; the fit takes about as long again as a tenth of this.
    pub time: Option<Duration>,
    /// What measures that.
    pub clock: TimeSource,
    /// The most states.
    pub states: usize,
}

impl Lesson {
    /// What is learnt from where no clock says how much.
    pub const WITHOUT_CLOCK: Self = Self {
        time: None,
        clock: TimeSource::Wall,
        states: 4_000,
    };

    /// As much as is of use in a time.
    pub fn within(time: Duration, clock: TimeSource) -> Self {
        Self {
            time: Some(time),
            clock,
            states: 60_000,
        }
    }
}

/// Playouts from each state. Many states with a few playouts each tell more than few with many.
const PLAYOUTS: u32 = 16;

/// What a fluent counts, and a group by the number of words that its fluents have in common: the
/// more there are of them, the more slowly each is learnt, so that with few samples a fluent is
/// worth what its relatives are.
const FLUENT: f32 = 0.15;
const GROUP: [f32; 2] = [1.0, 0.3];

/// States that are taken of a random game.
const OF_A_GAME: usize = 4;

/// Joint moves after which a random game and a playout are cut.
const STEP_LIMIT: u32 = 400;

/// Games whose moves are watched for what is a piece.
const WATCHED: usize = 64;

/// The part of the time that goes to samples; the rest is for the fit.
const SAMPLING: f64 = 0.8;

/// The least samples that weights are fitted to.
const FEWEST: usize = 64;

/// Learns evaluations of a game.
pub struct Teacher<'a, G: Game> {
    game: &'a G,
    features: &'a dyn Features<G::State>,
    players: (RoleId, RoleId),
    leaves: Option<&'a LeafSource<G::State>>,
    seed: u64,
}

impl<'a, G: Game> Teacher<'a, G> {
    /// A teacher that has playouts made by a source, or makes them one by one.
    ///
    /// # Errors
    /// If it is no game that evaluations are for.
    pub fn new(
        game: &'a G,
        leaves: Option<&'a LeafSource<G::State>>,
        seed: u64,
    ) -> Result<Self, NotForTwo> {
        let players = players_of(game)?;
        Ok(Self {
            features: game.features().ok_or(NotForTwo::Fluents)?,
            game,
            players,
            leaves,
            seed,
        })
    }

    /// Learns an evaluation from games that begin in a state; an interrupted one from what there is
    /// by then.
    pub fn learn(&self, from: &G::State, lesson: Lesson, interrupt: &AtomicBool) -> Evaluation {
        let began = Stopwatch::start(lesson.clock);
        let mut chance = Chance::from_seed(self.seed);
        let groups = Groups::new(self.features.names());
        let mut sampler = Sampler::new(self, from, &groups, chance.split());
        sampler.sample(lesson, began, interrupt);
        let Sampler {
            data,
            playouts,
            contents,
            ..
        } = sampler;
        let fluents = self.features.names().len();
        let fitted = match data.len() >= FEWEST {
            true => fit(&data, fluents + groups.all.len(), &mut chance),
            false => Fit {
                weights: vec![0.0; fluents + groups.all.len()],
                bias: 0.0,
                correlation: 0.0,
            },
        };
        let weights = folded(&fitted, &groups);
        let pieces = contents.pieces();
        Evaluation {
            told: Told::new(&weights, &contents),
            weights: weights.iter().map(|&weight| as_score(weight)).collect(),
            bias: as_score(fitted.bias),
            pieces,
            quality: Quality {
                states: data.len(),
                playouts,
                time: began.elapsed(),
                correlation: fitted.correlation,
            },
        }
    }
}

fn as_score(weight: f32) -> i32 {
    let most = f64::from(MOST);
    (f64::from(weight) * UNIT).clamp(-most, most) as i32
}

/// What one of a group counts.
fn part(groups: &Groups, group: u32) -> f32 {
    let common = groups.all[group as usize].common.len();
    GROUP[common.clamp(1, GROUP.len()) - 1]
}

/// The weight of each fluent with those of its groups.
fn folded(fitted: &Fit, groups: &Groups) -> Vec<f32> {
    let (own, of_groups) = fitted.weights.split_at(groups.of_fluent.len());
    let own = own.iter().zip(&groups.of_fluent);
    let folded = |(weight, own): (&f32, &Vec<u32>)| {
        let own = own.iter();
        let own = own.map(|&group| part(groups, group) * of_groups[group as usize]);
        FLUENT * weight + own.sum::<f32>()
    };
    own.map(folded).collect()
}

/// Collects samples.
struct Sampler<'a, G: Game> {
    teacher: &'a Teacher<'a, G>,
    start: &'a G::State,
    groups: &'a Groups,
    leaves: Box<dyn LeafPlayouts<G::State> + 'a>,
    walker: G::Walker,
    chance: Chance,
    joint: Vec<MoveId>,
    /// The states of the random game of which some are being taken.
    states: Vec<G::State>,
    words: Vec<u64>,
    /// How often each group's fluents hold in a state.
    held: Vec<f32>,
    /// What waits for its playouts: the counts of a state, by tag.
    waiting: Vec<Vec<(u32, f32)>>,
    free: Vec<u32>,
    data: Data,
    playouts: u64,
    contents: Contents,
    games: usize,
}

impl<'a, G: Game> Sampler<'a, G> {
    fn new(
        teacher: &'a Teacher<'a, G>,
        start: &'a G::State,
        groups: &'a Groups,
        mut chance: Chance,
    ) -> Self {
        let options = LeafOptions {
            seed: chance.bits(),
            stream: 0,
            discount: 1.0,
            step_limit: STEP_LIMIT,
            // What is lost by a blunder of the next move says little about a state.
            decisive: Decisive::Both,
            is_weighted: false,
        };
        let game = teacher.game;
        let leaves: Box<dyn LeafPlayouts<G::State> + 'a> = match teacher.leaves {
            Some(source) => source(options),
            None => Box::new(OneByOne::new(game, chance.split())),
        };
        Self {
            teacher,
            start,
            groups,
            leaves,
            walker: game.walker(),
            chance,
            joint: Vec::new(),
            states: Vec::new(),
            words: vec![0; teacher.features.width()],
            held: vec![0.0; groups.all.len()],
            waiting: Vec::new(),
            free: Vec::new(),
            data: Data::default(),
            playouts: 0,
            contents: Contents::new(teacher.features.names()),
            games: 0,
        }
    }

    fn sample(&mut self, lesson: Lesson, began: Stopwatch, interrupt: &AtomicBool) {
        let time = lesson.time.map(|time| time.mul_f64(SAMPLING));
        let is_over = || {
            interrupt.load(Ordering::Relaxed) || time.is_some_and(|time| began.elapsed() >= time)
        };
        let mut open = 0;
        // What was submitted is waited for: to drop what takes long would favour short games.
        while self.data.len() + open < lesson.states && !is_over() {
            while self.leaves.room() > 0 && self.data.len() + open < lesson.states {
                let Some(taken) = self.submit_game() else {
                    return;
                };
                open += taken;
                if is_over() {
                    break;
                }
            }
            open -= self.collect();
        }
        while open > 0 {
            let collected = self.collect();
            if self.leaves.fault().is_some() {
                return;
            }
            open -= collected;
        }
    }

    /// Plays a random game and has playouts made from some of its states; how many. Nothing if
    /// the rules fail, or no game has a state.
    fn submit_game(&mut self) -> Option<usize> {
        self.play()?;
        self.games += 1;
        let mut taken = 0;
        for _ in 0..OF_A_GAME.min(self.states.len()) {
            let place = self.chance.below(self.states.len() as u32) as usize;
            let counts = self.counts(place);
            let tag = self.free.pop().unwrap_or_else(|| {
                self.waiting.push(Vec::new());
                (self.waiting.len() - 1) as u32
            });
            self.waiting[tag as usize] = counts;
            self.leaves.submit(&self.states[place], tag, PLAYOUTS);
            taken += 1;
        }
        (taken > 0).then_some(taken)
    }

    /// Plays a random game and keeps its states, without the last.
    fn play(&mut self) -> Option<()> {
        self.walker.jump(self.start);
        let mut length = 0;
        let is_watched = self.games < WATCHED;
        self.contents.begin();
        while !self.walker.is_terminal() && length < STEP_LIMIT as usize {
            if self.walker.fault().is_some() {
                return None;
            }
            if self.states.len() == length {
                self.states.push(self.start.clone());
            }
            self.walker.save(&mut self.states[length]);
            if is_watched {
                let state = &self.states[length];
                self.teacher.features.write(state, &mut self.words);
                self.contents.watch(&self.words);
            }
            length += 1;
            self.walker.draw(&mut self.chance, &mut self.joint).ok()?;
            self.walker.advance(&self.joint, &mut self.chance);
        }
        self.states.truncate(length);
        Some(())
    }

    /// What is counted of a state of the game.
    fn counts(&mut self, place: usize) -> Vec<(u32, f32)> {
        let features = self.teacher.features;
        features.write(&self.states[place], &mut self.words);
        let fluents = self.groups.of_fluent.len() as u32;
        let mut counts = Vec::new();
        let mut touched = Vec::new();
        for (first, word) in (0..).step_by(64).zip(&self.words) {
            let mut left = *word;
            while left != 0 {
                let fluent = first + left.trailing_zeros();
                left &= left - 1;
                counts.push((fluent, FLUENT));
                for &group in &self.groups.of_fluent[fluent as usize] {
                    let held = &mut self.held[group as usize];
                    if *held == 0.0 {
                        touched.push(group);
                    }
                    *held += 1.0;
                }
            }
        }
        for group in touched {
            let held = std::mem::take(&mut self.held[group as usize]);
            counts.push((fluents + group, held * part(self.groups, group)));
        }
        counts
    }

    /// Works on playouts and takes the samples that are finished; how many.
    fn collect(&mut self) -> usize {
        let (first, second) = self.teacher.players;
        let (data, waiting, free) = (&mut self.data, &mut self.waiting, &mut self.free);
        let (playouts, mut taken) = (&mut self.playouts, 0);
        self.leaves.run(&mut |value| {
            let counts = std::mem::take(&mut waiting[value.tag as usize]);
            let lead = value.means[first.index()] - value.means[second.index()];
            let points = (lead + Scale::HIGHEST) / (2.0 * Scale::HIGHEST);
            data.add(counts.into_iter(), points.clamp(0.0, 1.0) as f32);
            free.push(value.tag);
            *playouts += u64::from(value.playouts);
            taken += 1;
        });
        taken
    }
}

/// Playouts by a walker, where no engine makes many at once.
struct OneByOne<G: Game> {
    walker: G::Walker,
    roles: Vec<RoleId>,
    scale: Scale,
    chance: Chance,
    joint: Vec<MoveId>,
    done: Vec<Done>,
}

/// What came out of a state.
struct Done {
    tag: u32,
    playouts: u32,
    states: u64,
    shortest: u32,
    means: Vec<f64>,
}

impl<G: Game> OneByOne<G> {
    fn new(game: &G, chance: Chance) -> Self {
        let roles: Vec<RoleId> = game.facts().role_ids().collect();
        Self {
            walker: game.walker(),
            roles,
            scale: Scale::new(game.facts()),
            chance,
            joint: Vec::new(),
            done: Vec::new(),
        }
    }
}

impl<G: Game> LeafPlayouts<G::State> for OneByOne<G> {
    fn submit(&mut self, from: &G::State, tag: u32, playouts: u32) {
        let mut means = vec![0.0; self.roles.len()];
        let (mut states, mut shortest) = (0, u32::MAX);
        for _ in 0..playouts {
            self.walker.jump(from);
            let walker = &mut self.walker;
            let ended = playout(walker, &mut self.joint, STEP_LIMIT, &mut self.chance);
            states += u64::from(ended.length);
            shortest = shortest.min(ended.length);
            for (mean, &role) in means.iter_mut().zip(&self.roles) {
                let value = match self.walker.goal(role) {
                    Goal::One(value) if ended.ending == Ending::Finished => {
                        self.scale.return_of(value)
                    }
                    _ => Scale::MIDDLE,
                };
                *mean += value / f64::from(playouts);
            }
        }
        self.done.push(Done {
            tag,
            playouts,
            states,
            shortest,
            means,
        });
    }

    fn run(&mut self, done: &mut dyn FnMut(LeafValue<'_>)) {
        for found in self.done.drain(..) {
            done(LeafValue {
                tag: found.tag,
                playouts: found.playouts,
                states: found.states,
                shortest: found.shortest,
                means: &found.means,
            });
        }
    }

    fn room(&self) -> u32 {
        u32::from(self.done.is_empty())
    }

    fn cancel(&mut self) {
        self.done.clear();
    }
}
