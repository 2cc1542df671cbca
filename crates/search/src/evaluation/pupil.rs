//! Who has an evaluation learnt when it is needed.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use paidia_game::Game;

use super::{Evaluation, Lesson, Shared, Teacher};
use crate::budget::Budget;
use crate::leaves::LeafSource;

/// The part of a first move's time in which an evaluation is learnt where there was no start clock,
/// and the longest.
const LATE: f64 = 0.3;
const LATE_MOST: Duration = Duration::from_secs(2);

/// The longest that an evaluation is learnt; more playouts hardly change it.
const LONGEST: Duration = Duration::from_secs(8);

/// A player's way to the evaluation of a game.
#[derive(Clone)]
pub struct Pupil<G: Game> {
    game: G,
    leaves: Option<LeafSource<G::State>>,
    shared: Arc<Shared>,
    seed: u64,
}

impl<G: Game> Pupil<G> {
    /// One that learns from playouts by the source, if there is one, and shares what is learnt.
    pub fn new(
        game: &G,
        leaves: Option<LeafSource<G::State>>,
        shared: Arc<Shared>,
        seed: u64,
    ) -> Self {
        Self {
            game: game.clone(),
            leaves,
            shared,
            seed,
        }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The evaluation, if it is learnt.
    pub fn known(&self) -> Option<Arc<Evaluation>> {
        self.shared.get()
    }

    /// The evaluation, learnt in a part of a start clock if it is not known; nothing if the game
    /// has none.
    pub fn prepare(
        &self,
        from: &G::State,
        budget: &mut Budget,
        part: f64,
        interrupt: &AtomicBool,
    ) -> Option<Arc<Evaluation>> {
        self.ready(from, budget, part, LONGEST, interrupt)
    }

    /// The evaluation, learnt in a part of a move's time if it is not known; nothing if the game
    /// has none.
    pub fn late(&self, from: &G::State, budget: &mut Budget) -> Option<Arc<Evaluation>> {
        self.ready(from, budget, LATE, LATE_MOST, &AtomicBool::new(false))
    }

    fn ready(
        &self,
        from: &G::State,
        budget: &mut Budget,
        part: f64,
        most: Duration,
        interrupt: &AtomicBool,
    ) -> Option<Arc<Evaluation>> {
        if let Some(known) = self.shared.get() {
            return Some(known);
        }
        let teacher = Teacher::new(&self.game, self.leaves.as_ref(), self.seed).ok()?;
        let lesson = match &mut budget.time {
            Some(time) => {
                let part = time.mul_f64(part).min(most);
                *time = time.saturating_sub(part);
                Lesson::within(part, budget.clock)
            }
            None => Lesson::WITHOUT_CLOCK,
        };
        Some(self.shared.keep(teacher.learn(from, lesson, interrupt)))
    }
}
