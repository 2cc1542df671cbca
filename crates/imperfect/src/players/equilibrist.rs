//! Plays an equilibrium of a small game for two players with opposite goals, or the best plan of a
//! game for one; where the game is neither, or too large, another player plays.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use paidia_game::{Chance, Game, Information, MoveId, RoleId, Sight};
use paidia_search::{Budget, Decision, Player, StopReason};

use crate::bag::Told;
use crate::equilibrium::{self, Effort};
use crate::explore::{Explorer, Limits};
use crate::unfold::{InformationSets, unfold};
use crate::values::{self, Play};

/// The largest games that are solved: what can be unfolded in a part of a second.
const LIMITS: Limits = Limits {
    states: 50_000,
    joint_moves: 200_000,
    points: 100_000,
    steps: 400_000,
};
/// Points that are surely unfolded in a millisecond.
const POINTS_A_MILLISECOND: usize = 100;

/// The limits that a clock allows.
fn limits(budget: Budget) -> Limits {
    let Some(time) = budget.time else {
        return LIMITS;
    };
    let points = (time.as_millis() as usize).saturating_mul(POINTS_A_MILLISECOND);
    Limits {
        states: LIMITS.states.min(points),
        joint_moves: LIMITS.joint_moves.min(points * 4),
        points: LIMITS.points.min(points),
        steps: LIMITS.steps.min(points * 4),
    }
}

/// Rounds of regret minimisation without a clock.
const ROUNDS: u32 = 2_000;
/// The time for an equilibrium where the clock before the match gives none.
const MOST_TIME: Duration = Duration::from_secs(2);

/// The player.
pub struct Equilibrist<G: Game> {
    game: G,
    role: RoleId,
    chance: Chance,
    solved: Solved,
    told: Vec<Told>,
    /// Plays where there is no equilibrium.
    other: Box<dyn Player<G>>,
}

/// What is known of the equilibrium.
#[derive(Clone)]
enum Solved {
    NotYet,
    Strategy(Arc<Strategy>),
    /// There is none.
    Not,
}

/// A strategy with the information sets that it is for.
struct Strategy {
    sets: InformationSets,
    percept_sets: Vec<Box<[paidia_game::PerceptId]>>,
    chances: Vec<f64>,
}

impl<G: Game> Equilibrist<G> {
    /// A player for a role; `other` plays where the game has no equilibrium that can be found.
    pub fn new(game: &G, role: RoleId, other: Box<dyn Player<G>>, seed: u64) -> Self {
        Self {
            game: game.clone(),
            role,
            chance: Chance::from_seed(seed),
            solved: Solved::NotYet,
            told: Vec::new(),
            other,
        }
    }

    /// The same player at the start of another match, with what it found.
    #[must_use]
    pub fn again(&self, other: Box<dyn Player<G>>, seed: u64) -> Self {
        Self {
            solved: self.solved.clone(),
            ..Self::new(&self.game, self.role, other, seed)
        }
    }

    fn solve(&mut self, budget: Budget, interrupt: &AtomicBool) {
        if matches!(self.solved, Solved::NotYet) {
            let found = match self.game.facts().information {
                Information::Hidden => self.strategy(budget, interrupt),
                Information::Perfect => None,
            };
            self.solved =
                found.map_or(Solved::Not, |strategy| Solved::Strategy(Arc::new(strategy)));
        }
    }

    fn strategy(&self, budget: Budget, interrupt: &AtomicBool) -> Option<Strategy> {
        let until = budget.time.map(|time| Instant::now() + time.min(MOST_TIME));
        if self.game.facts().players().count() > 2 {
            return None;
        }
        let mut explorer = Explorer::new(&self.game, limits(budget)).ok()?;
        let mut unfolding = unfold(&mut explorer, None).ok()?;
        let table = &explorer.table;
        let player = table.players.iter().position(|&role| role == self.role)?;
        let chances = if table.players.len() == 1 {
            values::check(&unfolding, table).ok()?;
            let reach = values::reach(&unfolding, table, &[Play::Uniform], Some(0));
            values::best_response(&unfolding, table, 0, &reach)
                .ok()?
                .strategy()
        } else {
            let effort = Effort {
                rounds: if until.is_some() { u32::MAX } else { ROUNDS },
                enough: 1e-3,
            };
            let mut watch = |_: u32, _: f64| {
                !interrupt.load(Ordering::Relaxed)
                    && until.is_none_or(|until| Instant::now() < until)
            };
            let mut found = equilibrium::solve(&unfolding, table, effort, &mut watch).ok()?;
            std::mem::take(&mut found.strategies[player])
        };
        Some(Strategy {
            sets: unfolding.players.swap_remove(player),
            percept_sets: explorer.table.percept_sets,
            chances,
        })
    }
}

impl Strategy {
    /// A move drawn by the strategy after what was told.
    fn draw(&self, told: &[Told], legal: &[MoveId], chance: &mut Chance) -> Option<MoveId> {
        let set = told.iter().try_fold(0, |set, told| {
            let percepts = self
                .percept_sets
                .iter()
                .position(|set| *set == told.percepts)?;
            self.sets.find(set, told.made, percepts as u32)
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
        if matches!(self.solved, Solved::Not) {
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
            Solved::Strategy(strategy) => strategy.draw(&self.told, legal, &mut self.chance),
            Solved::NotYet | Solved::Not => None,
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
