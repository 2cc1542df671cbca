//! Plays an equilibrium of a small game for two players with opposite goals, or the best plan of a
//! game for one; where the game is neither, or too large, another player plays.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use paidia_game::{Chance, Game, Information, MoveId, PerceptId, RoleId, Sight};
use paidia_search::{Budget, Decision, Player, StopReason};
use rustc_hash::FxHashMap;

use crate::bag::Told;
use crate::equilibrium::{self, Effort};
use crate::explore::{Explorer, Limits};
use crate::unfold::{InformationSets, unfold};
use crate::values::{self, Play};

/// The largest games that are solved: what can be unfolded in a second or two.
const LIMITS: Limits = Limits {
    states: 200_000,
    joint_moves: 1_000_000,
    points: 1_000_000,
    steps: 4_000_000,
    until: None,
};
/// How close the bounds of the value shall come, in goals.
const ENOUGH: f64 = 1e-3;

/// Rounds of regret minimisation without a clock.
const ROUNDS: u32 = 2_000;
/// The time for an equilibrium where the clock before the match gives none.
const MOST_TIME: Duration = Duration::from_secs(2);

/// What was solved of one game, for all of its players and matches.
#[derive(Clone, Default)]
pub struct Solutions(Arc<Mutex<Solved>>);

/// For each role whose strategy is known that strategy.
type Solved = Vec<(RoleId, Arc<Strategy>)>;

impl Solutions {
    fn find(&self, role: RoleId) -> Option<Arc<Strategy>> {
        let all = self.0.lock().ok()?;
        let own = all.iter().find(|(own, _)| *own == role);
        own.map(|(_, strategy)| Arc::clone(strategy))
    }

    fn add(&self, role: RoleId, strategy: &Arc<Strategy>) {
        if let Ok(mut all) = self.0.lock()
            && all.iter().all(|(own, _)| *own != role)
        {
            all.push((role, Arc::clone(strategy)));
        }
    }
}

/// The player.
pub struct Equilibrist<G: Game> {
    game: G,
    role: RoleId,
    chance: Chance,
    solved: Answer,
    solutions: Solutions,
    told: Vec<Told>,
    /// Plays where there is no equilibrium.
    other: Box<dyn Player<G>>,
}

/// What is known of the equilibrium.
enum Answer {
    NotYet,
    Strategy(Arc<Strategy>),
    /// There is none.
    Not,
}

/// A strategy with the information sets that it is for.
struct Strategy {
    sets: InformationSets,
    percept_sets: Arc<[Box<[PerceptId]>]>,
    chances: Vec<f64>,
    /// For each set, own move and percepts the set that follows.
    after: FxHashMap<(u32, MoveId, u32), u32>,
}

impl<G: Game> Equilibrist<G> {
    /// A player for a role; `other` plays where the game has no equilibrium that can be found.
    /// What is found stays in the solutions of the game.
    pub fn new(
        game: &G,
        role: RoleId,
        other: Box<dyn Player<G>>,
        solutions: Solutions,
        seed: u64,
    ) -> Self {
        Self {
            game: game.clone(),
            role,
            chance: Chance::from_seed(seed),
            solved: Answer::NotYet,
            solutions,
            told: Vec::new(),
            other,
        }
    }

    fn solve(&mut self, budget: Budget, interrupt: &AtomicBool) {
        if !matches!(self.solved, Answer::NotYet) {
            return;
        }
        let hidden = self.game.facts().information == Information::Hidden;
        let found = match self.solutions.find(self.role) {
            found @ Some(_) => found,
            None if hidden => self.strategy(budget, interrupt),
            None => None,
        };
        self.solved = found.map_or(Answer::Not, Answer::Strategy);
    }

    fn strategy(&self, budget: Budget, interrupt: &AtomicBool) -> Option<Arc<Strategy>> {
        let until = budget.time.map(|time| Instant::now() + time.min(MOST_TIME));
        if self.game.facts().players().count() > 2 {
            return None;
        }
        let limits = Limits {
            // The other half is for finding the equilibrium.
            until: budget
                .time
                .map(|time| Instant::now() + time.min(MOST_TIME) / 2),
            ..LIMITS
        };
        let mut explorer = Explorer::new(&self.game, limits).ok()?;
        let unfolding = unfold(&mut explorer, None).ok()?;
        let table = &explorer.table;
        let player = table.players.iter().position(|&role| role == self.role)?;
        let (chances, is_final) = if table.players.len() == 1 {
            values::check(&unfolding, table).ok()?;
            let reach = values::reach(&unfolding, table, &[Play::Uniform], Some(0));
            let best = values::best_response(&unfolding, table, 0, &reach).ok()?;
            (vec![best.strategy()], true)
        } else {
            let effort = Effort {
                rounds: if until.is_some() { u32::MAX } else { ROUNDS },
                enough: ENOUGH,
            };
            let mut watch = |_: u32, _: f64| {
                !interrupt.load(Ordering::Relaxed)
                    && until.is_none_or(|until| Instant::now() < until)
            };
            let found = equilibrium::solve(&unfolding, table, effort, &mut watch).ok()?;
            let is_final = until.is_none() || found.upper - found.lower <= ENOUGH;
            (found.strategies.to_vec(), is_final)
        };
        let percept_sets: Arc<[_]> = table.percept_sets.clone().into();
        let strategies = unfolding.players.into_iter().zip(chances);
        let strategies: Vec<Arc<Strategy>> = strategies
            .map(|(sets, chances)| {
                Arc::new(Strategy::new(sets, Arc::clone(&percept_sets), chances))
            })
            .collect();
        if is_final {
            for (&role, strategy) in table.players.iter().zip(&strategies) {
                self.solutions.add(role, strategy);
            }
        }
        Some(Arc::clone(&strategies[player]))
    }
}

impl Strategy {
    fn new(
        sets: InformationSets,
        percept_sets: Arc<[Box<[PerceptId]>]>,
        chances: Vec<f64>,
    ) -> Self {
        let all = 1..sets.len();
        let after = all.map(|set| {
            let key = (sets.parent[set], sets.made[set], sets.percepts[set]);
            (key, set as u32)
        });
        Self {
            after: after.collect(),
            sets,
            percept_sets,
            chances,
        }
    }

    /// A move drawn by the strategy after what was told.
    fn draw(&self, told: &[Told], legal: &[MoveId], chance: &mut Chance) -> Option<MoveId> {
        let set = told.iter().try_fold(0, |set, told| {
            let percepts = self
                .percept_sets
                .iter()
                .position(|set| *set == told.percepts)?;
            let key = (set, told.made, percepts as u32);
            self.after.get(&key).copied()
        })?;
        let mut rest = chance.fraction();
        let mut last = None;
        for sequence in self.sets.known_sequences(set) {
            let id = self.sets.moves[sequence];
            if !legal.contains(&id) || self.chances[sequence] <= 0.0 {
                continue;
            }
            last = Some(id);
            rest -= self.chances[sequence];
            if rest < 0.0 {
                break;
            }
        }
        last
    }
}

impl<G: Game> Player<G> for Equilibrist<G> {
    fn observe(&mut self, sight: &Sight<'_, G::State>) {
        if let Sight::Own {
            made: Some(made),
            percepts,
        } = *sight
        {
            self.told.push(Told {
                made,
                percepts: percepts.into(),
            });
        }
        self.other.observe(sight);
    }

    fn prepare(&mut self, budget: Budget) {
        self.solve(budget, &AtomicBool::new(false));
        if matches!(self.solved, Answer::Not) {
            self.other.prepare(budget);
        }
    }

    fn choose(&mut self, legal: &[MoveId], budget: Budget, interrupt: &AtomicBool) -> Decision {
        if let [only] = *legal {
            return Decision::without_search(only, StopReason::OnlyMove);
        }
        let began = Instant::now();
        let half = Budget {
            time: budget.time.map(|time| time / 2),
            ..budget
        };
        self.solve(half, interrupt);
        let drawn = match &self.solved {
            Answer::Strategy(strategy) => strategy.draw(&self.told, legal, &mut self.chance),
            Answer::NotYet | Answer::Not => None,
        };
        match drawn {
            Some(id) => Decision::without_search(id, StopReason::Solved),
            None => {
                let time = budget.time.map(|time| time.saturating_sub(began.elapsed()));
                self.other
                    .choose(legal, Budget { time, ..budget }, interrupt)
            }
        }
    }
}
