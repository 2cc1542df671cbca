//! Monte Carlo search over a quantised future.
//!
//! A decision is among *doing something at some time*: each legal move now, and waiting for some
//! steps. Every playout begins with one of these, by the bound of UCB1, and goes on at random: at
//! each step every role makes a move with some probability, and what ends by itself ends when the
//! rules say. When waiting is best, the player looks again after a step, or when something happens.

use std::time::{Duration, Instant};

use paidia_game::{Chance, Goal, MoveId, RoleId, Ticks, TimedGame, TimedWalker};

use super::{Intent, TimedPlayer};
use crate::clock::Pace;
use crate::table::{RandomDraws, Table};
use crate::world::{Position, World};

/// After this number of steps a playout is judged as it stands.
const MOST_STEPS: u32 = 160;

/// The longest thinking about one decision on a real clock.
const LONGEST: Duration = Duration::from_millis(500);

/// A deadline that was passed by more than this was missed.
pub const TOLERANCE: Duration = Duration::from_millis(2);

/// How strongly the bound counts.
const EXPLORATION: f64 = 0.7;

/// What can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSettings {
    /// Playouts for each decision.
    pub playouts: u32,
    /// Updates in all playouts of a decision.
    pub updates: u64,
    /// The steps in which time is looked at.
    pub step: Ticks,
    /// Moves that a role is thought to make in a unit of time.
    pub rate: f64,
}

impl SearchSettings {
    /// What suits a game: steps are a fraction of the shortest lifetime at the start.
    pub fn for_game<G: TimedGame>(game: &G) -> Self {
        let lasting = game.lasting(&game.initial());
        let shortest = lasting.iter().filter_map(|(lifetime, _)| *lifetime).min();
        let step = shortest.map_or(Ticks::PER_UNIT / 4, |ticks| ticks.0 / 8);
        let step = step.clamp(Ticks::PER_UNIT / 20, Ticks::PER_UNIT / 2);
        Self {
            playouts: 400,
            updates: 12_000,
            step: Ticks(step),
            rate: 0.4 * Ticks::PER_UNIT as f64 / step as f64,
        }
    }
}

/// What was thought about a decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Thinking {
    /// Playouts.
    pub playouts: u64,
    /// What the best choice is worth, from 0 to 1.
    pub value: f64,
    /// Decisions with a deadline, of all that were made.
    pub decisions: u64,
    /// Those that came after it.
    pub late: u64,
    /// How long the last decision could take, if it had a deadline.
    pub budget: Option<Duration>,
}

/// The searching player.
pub struct SearchPlayer<G: TimedGame> {
    role: RoleId,
    settings: SearchSettings,
    chance: Chance,
    table: Table<G>,
    /// How fast game time goes by, on a real clock.
    pace: Option<Pace>,
    /// When thinking must end, if it must.
    deadline: Option<Instant>,
    /// When it moved last, so that it does not do so twice at one time.
    moved: Option<Ticks>,
    thinking: Thinking,
}

/// One thing to do.
#[derive(Clone, Copy, Debug)]
struct Arm {
    make: Option<MoveId>,
    visits: u32,
    sum: f64,
}

impl<G: TimedGame> SearchPlayer<G> {
    /// The player of a role.
    pub fn new(game: &G, role: RoleId, settings: SearchSettings, seed: u64) -> Self {
        Self {
            role,
            settings,
            chance: Chance::from_seed(seed),
            table: Table::new(game),
            pace: None,
            deadline: None,
            moved: None,
            thinking: Thinking::default(),
        }
    }

    /// Sets the deadline of a decision on a real clock: half a step, and no more than half of the
    /// time until something happens by itself.
    fn set_deadline(&mut self, world: &mut World<G>, now: Ticks) {
        self.thinking.budget = self.pace.map(|pace| {
            let due = world.next_due(now).map(|due| due.since(now));
            let step = self.settings.step;
            let half = due.map_or(step, |due| due.min(step)).0 / 2;
            pace.duration(Ticks(half)).min(LONGEST)
        });
        let budget = self.thinking.budget;
        self.deadline = budget.map(|budget| Instant::now() + budget);
    }

    /// Notes whether the deadline was held.
    fn note_deadline(&mut self) {
        if let Some(deadline) = self.deadline {
            self.thinking.decisions += 1;
            self.thinking.late += u64::from(Instant::now() > deadline + TOLERANCE);
        }
    }

    /// What was thought about the last decision.
    pub fn thinking(&self) -> &Thinking {
        &self.thinking
    }

    /// Whether thinking must end.
    fn is_late(&self) -> bool {
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
    }

    fn arms(&mut self, world: &mut World<G>, now: Ticks) -> Vec<Arm> {
        let position = world.sample(now, &mut self.chance);
        self.enter(&position);
        let arm = |make: Option<MoveId>| Arm {
            make,
            visits: 0,
            sum: 0.0,
        };
        let legal = self.table.walker().legal().of(self.role).to_vec();
        let mut arms = vec![arm(None)];
        arms.extend(legal.into_iter().map(|id| arm(Some(id))));
        arms
    }

    fn enter(&mut self, position: &Position<G::State>) {
        let Position {
            state,
            since,
            pending,
        } = position;
        self.table.enter(state, *since, *pending);
    }

    /// What the match is worth after a playout that begins with a choice, from 0 to 1; nothing if
    /// the time was up before its end.
    fn playout(
        &mut self,
        position: &Position<G::State>,
        now: Ticks,
        make: Option<MoveId>,
    ) -> Option<f64> {
        self.enter(position);
        let mut draws = RandomDraws(Chance::from_seed(self.chance.bits()));
        let step = self.settings.step;
        let mut time = now.max(position.since);
        if let Some(id) = make {
            self.make(time, vec![(self.role, id)], &mut draws);
        }
        let likely = 1.0 - (-self.settings.rate * step.units()).exp();
        let players: Vec<RoleId> = self.table.facts().players().collect();
        // Plans differ in how busy they are, so each playout has its own.
        let own = likely * 2.0 * self.chance.fraction();
        for _ in 0..MOST_STEPS {
            if self.table.is_over() {
                break;
            }
            if self.is_late() {
                return None;
            }
            // Where nothing can happen for long, nothing is looked at.
            let none_moves = players
                .iter()
                .all(|&role| self.table.walker().legal().of(role).is_empty());
            time = match (none_moves, self.table.next_due()) {
                (true, Some(due)) => due.max(time),
                (true, None) => break,
                (false, _) => time + step,
            };
            self.table.run_before(time + Ticks(1), &mut draws, &mut ());
            let mut moves = Vec::new();
            for &role in &players {
                let likely = if role == self.role { own } else { likely };
                if self.table.is_over() || self.chance.fraction() >= likely {
                    continue;
                }
                let legal = self.table.walker().legal().of(role).to_vec();
                moves.extend(self.chance.pick(&legal).map(|id| (role, id)));
            }
            if !moves.is_empty() && !self.table.is_over() {
                self.make(time + Ticks(1), moves, &mut draws);
            }
        }
        Some(self.value())
    }

    fn make(&mut self, time: Ticks, moves: Vec<(RoleId, MoveId)>, draws: &mut RandomDraws) {
        self.table.make(time, moves, draws);
    }

    /// The goal of the role on a scale from 0 to 1; the middle where there is none.
    fn value(&mut self) -> f64 {
        let range = self.table.facts().goal_range.clone();
        let (low, high) = (f64::from(*range.start()), f64::from(*range.end()));
        match self.table.walker().goal(self.role) {
            Goal::One(value) => ((f64::from(value) - low) / (high - low)).clamp(0.0, 1.0),
            Goal::None | Goal::Several => 0.5,
        }
    }

    fn best(&mut self, world: &mut World<G>, now: Ticks, arms: &mut [Arm]) -> Option<MoveId> {
        let mut total = 0;
        let before = self.table.updates();
        while total < self.settings.playouts
            && self.table.updates() - before < self.settings.updates
        {
            let bound = |arm: &Arm| {
                if arm.visits == 0 {
                    return f64::INFINITY;
                }
                let visits = f64::from(arm.visits);
                arm.sum / visits + EXPLORATION * (f64::from(total).ln() / visits).sqrt()
            };
            let mut choice = 0;
            for number in 1..arms.len() {
                if bound(&arms[number]) > bound(&arms[choice]) {
                    choice = number;
                }
            }
            let position = world.sample(now, &mut self.chance);
            let Some(value) = self.playout(&position, now, arms[choice].make) else {
                break;
            };
            arms[choice].visits += 1;
            arms[choice].sum += value;
            total += 1;
        }
        let mean = |arm: &Arm| arm.sum / f64::from(arm.visits.max(1));
        // Waiting comes first, and is kept where a move is not better.
        let mut best = &arms[0];
        for arm in arms[1..].iter().filter(|arm| arm.visits > 0) {
            if mean(arm) > mean(best) + 1e-9 {
                best = arm;
            }
        }
        self.thinking.playouts = u64::from(total);
        self.thinking.value = mean(best);
        best.make
    }
}

impl<G: TimedGame> TimedPlayer<G> for SearchPlayer<G> {
    fn on_clock(&mut self, pace: Pace) {
        self.pace = Some(pace);
    }

    fn intend(&mut self, world: &mut World<G>, now: Ticks) -> Option<Intent> {
        let later = Intent {
            at: now + self.settings.step,
            make: None,
        };
        if self.moved == Some(now) {
            return Some(later);
        }
        let mut arms = self.arms(world, now);
        if arms.len() == 1 {
            // Nothing can be done until something happens, or perhaps without being told.
            let due = world.next_due(now);
            return Some(Intent {
                at: due.unwrap_or(later.at).max(now + Ticks(1)),
                make: None,
            });
        }
        self.set_deadline(world, now);
        let best = self.best(world, now, &mut arms);
        self.note_deadline();
        match best {
            Some(id) => {
                self.moved = Some(now);
                Some(Intent {
                    at: now,
                    make: Some(id),
                })
            }
            None => Some(later),
        }
    }
}
