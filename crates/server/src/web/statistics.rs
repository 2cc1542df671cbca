//! Random playouts of a game, so that its designer sees at once what it is like: how long, how many
//! choices, who wins.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use paidia_arena::Playable;
use paidia_arena::engine::OnGame;
use paidia_game::{Chance, Game, Legible, MoveId, RoleId, Walker};
use serde::{Deserialize, Serialize};

use super::Site;
use super::refusal::Refusal;

/// Joint moves after which a playout is cut.
const STEP_LIMIT: usize = 2_000;
/// Joint moves for which the number of choices is told.
const TOLD_PLIES: usize = 300;
/// Bars of a histogram, at most.
const BARS: u32 = 24;
/// How long the last playout may take beyond its time.
const GRACE: Duration = Duration::from_secs(5);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wish {
    #[serde(default = "two")]
    seconds: f64,
    #[serde(default)]
    seed: u64,
}

fn two() -> f64 {
    2.0
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Statistics {
    playouts: u64,
    seconds: f64,
    states: u64,
    /// Playouts that were too long.
    cut: u64,
    /// Playouts that ended where a role had no legal move.
    stuck: u64,
    /// The limit that the engine ran into, if it did.
    fault: Option<String>,
    engine: String,
    length: Lengths,
    branching: Branching,
    goals: Vec<Goals>,
    balance: Balance,
}

#[derive(Serialize)]
struct Lengths {
    mean: f64,
    least: u32,
    most: u32,
    histogram: Vec<Bar>,
}

#[derive(Serialize)]
struct Bar {
    from: u32,
    to: u32,
    count: u64,
}

/// Joint moves that could be made.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Branching {
    mean: f64,
    by_ply: Vec<f64>,
}

#[derive(Serialize)]
struct Goals {
    role: String,
    mean: Option<f64>,
    histogram: Vec<GoalBar>,
}

#[derive(Serialize)]
struct GoalBar {
    goal: i32,
    count: u64,
}

/// How often each role alone had the highest goal, and how often none had; parts of the finished
/// playouts.
#[derive(Serialize)]
struct Balance {
    wins: Vec<f64>,
    draws: f64,
}

/// Plays at random for a while.
pub(super) fn statistics(
    site: &Site,
    id: &str,
    wish: &Wish,
    interrupt: &AtomicBool,
) -> Result<Statistics, Refusal> {
    let most = site.options.limits.statistics_seconds;
    if !(0.01..=most).contains(&wish.seconds) {
        return Err(Refusal::unusable(format!(
            "playouts may take 0.01 to {most} seconds"
        )));
    }
    let time = Duration::from_secs_f64(wish.seconds);
    let entry = site.games.find(id)?;
    let rules = entry.rules()?;
    let gone = || Refusal::busy("the client no longer waits for the answer");
    let _place = site.desk.sit(interrupt).ok_or_else(gone)?;
    let loaded = entry.engine(&rules);
    let play = Play {
        engine: &loaded.report.engine,
        time,
        seed: wish.seed,
        interrupt,
    };
    let played = loaded.run(play);
    played.map_err(|error| Refusal::unusable(error.to_string()))
}

/// What is counted.
#[derive(Default)]
struct Counts {
    playouts: u64,
    cut: u64,
    stuck: u64,
    states: u64,
    lengths: BTreeMap<u32, u64>,
    /// For each ply the choices there were, and how often it was reached.
    choices: Vec<(f64, u64)>,
    all_choices: f64,
    goals: Vec<BTreeMap<i32, u64>>,
    wins: Vec<u64>,
    draws: u64,
}

/// Random play for a while.
struct Play<'a> {
    engine: &'a str,
    time: Duration,
    seed: u64,
    interrupt: &'a AtomicBool,
}

impl OnGame for Play<'_> {
    type Output = Statistics;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> Statistics {
        let game = &playable.game;
        let (begun, mut chance) = (Instant::now(), Chance::from_seed(self.seed));
        let roles = game.facts().roles.len();
        let mut counts = Counts {
            goals: vec![BTreeMap::new(); roles],
            wins: vec![0; roles],
            ..Counts::default()
        };
        let (mut walker, start) = (game.walker(), game.initial());
        while begun.elapsed() < self.time && !self.interrupt.load(Ordering::Relaxed) {
            walker.jump(&start);
            counts.playout::<G>(&mut walker, &mut chance, begun + self.time + GRACE);
            if walker.fault().is_some() {
                break;
            }
            counts.settle(game, &mut walker);
        }
        let fault = walker.fault().map(ToString::to_string);
        counts.view(game, self.engine, begun.elapsed(), fault)
    }
}

impl Counts {
    fn playout<G: Game>(&mut self, walker: &mut G::Walker, chance: &mut Chance, until: Instant) {
        let mut joint: Vec<MoveId> = Vec::new();
        let mut length = 0;
        while !walker.is_terminal() {
            if length >= STEP_LIMIT || (length % 16 == 15 && Instant::now() >= until) {
                self.cut += 1;
                break;
            }
            let legal = walker.legal();
            let choices = legal.joint_count() as f64;
            if legal.draw(chance, &mut joint).is_err() {
                self.stuck += 1;
                break;
            }
            self.note(length, choices);
            walker.advance(&joint, chance);
            length += 1;
        }
        self.playouts += 1;
        self.states += length as u64;
        *self.lengths.entry(length as u32).or_default() += 1;
    }

    fn note(&mut self, ply: usize, choices: f64) {
        self.all_choices += choices;
        if ply >= TOLD_PLIES {
            return;
        }
        if self.choices.len() <= ply {
            self.choices.push((0.0, 0));
        }
        self.choices[ply].0 += choices;
        self.choices[ply].1 += 1;
    }

    /// Counts the winner, if the playout came to its end.
    fn settle<G: Game>(&mut self, game: &G, walker: &mut G::Walker) {
        if !walker.is_terminal() {
            return;
        }
        let players = game.facts().players();
        let goals: Vec<(RoleId, i32)> = players
            .filter_map(|role| Some((role, walker.goal(role).value()?)))
            .collect();
        for &(role, goal) in &goals {
            *self.goals[role.index()].entry(goal).or_default() += 1;
        }
        let best = goals.iter().map(|&(_, goal)| goal).max();
        let mut winners = goals.iter().filter(|(_, goal)| Some(*goal) == best);
        match (winners.next(), winners.next()) {
            (Some((winner, _)), None) => self.wins[winner.index()] += 1,
            _ => self.draws += 1,
        }
    }

    fn view<G: Game>(
        &self,
        game: &G,
        engine: &str,
        time: Duration,
        fault: Option<String>,
    ) -> Statistics {
        let finished = (self.wins.iter().sum::<u64>() + self.draws).max(1) as f64;
        let players = || game.facts().players();
        let goals = |role: RoleId| {
            let counts = &self.goals[role.index()];
            let count: u64 = counts.values().sum();
            let sum: f64 = counts
                .iter()
                .map(|(&goal, &count)| f64::from(goal) * count as f64)
                .sum();
            let bars = counts.iter().map(|(&goal, &count)| GoalBar { goal, count });
            Goals {
                role: game.facts().role_name(role).to_owned(),
                mean: (count > 0).then(|| sum / count as f64),
                histogram: bars.collect(),
            }
        };
        let by_ply = self
            .choices
            .iter()
            .map(|&(sum, count)| sum / count.max(1) as f64);
        Statistics {
            playouts: self.playouts,
            seconds: time.as_secs_f64(),
            states: self.states,
            cut: self.cut,
            stuck: self.stuck,
            fault,
            engine: engine.to_owned(),
            length: self.lengths(),
            branching: Branching {
                mean: self.all_choices / self.states.max(1) as f64,
                by_ply: by_ply.collect(),
            },
            goals: players().map(goals).collect(),
            balance: Balance {
                wins: players()
                    .map(|role| self.wins[role.index()] as f64 / finished)
                    .collect(),
                draws: self.draws as f64 / finished,
            },
        }
    }

    fn lengths(&self) -> Lengths {
        let least = self.lengths.keys().next().copied().unwrap_or(0);
        let most = self.lengths.keys().last().copied().unwrap_or(0);
        let width = (most - least) / BARS + 1;
        let mut histogram: Vec<Bar> = Vec::new();
        for (&length, &count) in &self.lengths {
            let from = least + (length - least) / width * width;
            match histogram.last_mut().filter(|bar| bar.from == from) {
                Some(bar) => bar.count += count,
                None => histogram.push(Bar {
                    from,
                    to: from + width - 1,
                    count,
                }),
            }
        }
        Lengths {
            mean: self.states as f64 / self.playouts.max(1) as f64,
            least,
            most,
            histogram,
        }
    }
}
