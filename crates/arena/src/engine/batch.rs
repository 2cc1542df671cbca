//! A game for the batch engine: a network, compiled for many lanes.

use std::sync::Arc;

use paidia_accel::{Batch, BatchOptions, LANES, Lanes, Program};
use paidia_game::{Effort, Figures, UnknownFluent, simulate_batch};
use paidia_reason::propnet::{GroundGame, Propnet};

/// A network, and the program that runs it for many playouts at a time.
pub struct BatchGame {
    /// The network, with the names of everything in it.
    pub ground: GroundGame,
    program: Arc<Program>,
}

impl BatchGame {
    /// Compiles the network of a game.
    pub(super) fn new(ground: GroundGame) -> Self {
        let batch = Batch::new(&ground.network, BatchOptions::default());
        let program = Arc::clone(batch.program());
        Self { ground, program }
    }

    /// The same game, one state at a time.
    pub fn propnet(&self) -> Propnet {
        Propnet::new(self.ground.clone())
    }

    /// The state in which the game starts, as bits.
    pub fn initial(&self) -> Vec<u64> {
        let initial = self.ground.network.initial.iter().enumerate();
        self.bits(initial.filter(|(_, holds)| **holds).map(|(place, _)| place))
    }

    /// The state in which exactly these fluents hold, as bits.
    ///
    /// # Errors
    /// Names the first text that is no fluent of this game.
    pub fn state(&self, fluents: &[String]) -> Result<Vec<u64>, UnknownFluent> {
        let place = |text: &String| {
            let place = self.ground.fluents.binary_search(text);
            place.map_err(|_| UnknownFluent {
                text: text.clone(),
                because: "no play of these rules makes it true".to_owned(),
            })
        };
        let places: Vec<usize> = fluents.iter().map(place).collect::<Result<_, _>>()?;
        Ok(self.bits(places.into_iter()))
    }

    fn bits(&self, places: impl Iterator<Item = usize>) -> Vec<u64> {
        let mut words = vec![0; self.ground.fluents.len().div_ceil(64)];
        places.for_each(|place| words[place / 64] |= 1 << (place % 64));
        words
    }

    /// The fluents that hold in a state.
    pub fn fluents(&self, state: &[u64]) -> Vec<String> {
        let holds = |place: &usize| {
            state
                .get(place / 64)
                .is_some_and(|word| word >> (place % 64) & 1 == 1)
        };
        let places = (0..self.ground.fluents.len()).filter(holds);
        places
            .map(|place| self.ground.fluents[place].clone())
            .collect()
    }

    /// Lanes to put states into.
    pub fn lanes(&self) -> Lanes {
        Lanes::new(Arc::clone(&self.program), BatchOptions::default().backend)
    }

    /// Plays from a state and adds up what came out.
    pub fn simulate(&self, start: &[u64], effort: Effort, watch: &mut dyn FnMut(u64)) -> Figures {
        let engine = |stream: usize| {
            let options = BatchOptions {
                seed: effort.seed,
                stream: stream as u64,
                step_limit: effort.step_limit,
                ..BatchOptions::default()
            };
            Batch::with_program(Arc::clone(&self.program), options)
        };
        let engines = (0..effort.threads.max(1)).map(engine).collect();
        let lanes = BatchOptions::default().blocks * LANES;
        let roles = self.ground.facts.roles.len();
        simulate_batch(engines, lanes as u32, roles, start, effort.extent, watch)
    }
}
