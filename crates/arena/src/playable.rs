//! A game with everything that players may make use of.

use std::sync::{Arc, OnceLock};

use paidia_accel::{Batch, BatchOptions, LANES, Program, PropnetBatch};
use paidia_game::Game;
use paidia_reason::propnet::{GroundGame, Network, Propnet};
use paidia_search::leaves::{LeafOptions, LeafPlayouts, LeafSource, Streamed};

/// A game, and who makes many playouts of it at once, if somebody can.
#[derive(Clone)]
pub struct Playable<G: Game> {
    /// The game.
    pub game: G,
    leaves: Option<LeafSource<G::State>>,
}

impl<G: Game> Playable<G> {
    /// A game whose playouts are made one by one.
    pub fn new(game: G) -> Self {
        Self { game, leaves: None }
    }

    /// The same game with somebody who makes playouts from many leaves at once.
    #[must_use]
    pub fn with_leaves(self, source: LeafSource<G::State>) -> Self {
        Self {
            leaves: Some(source),
            ..self
        }
    }

    /// Who makes playouts from many leaves at once.
    pub fn leaves(&self) -> Option<&LeafSource<G::State>> {
        self.leaves.as_ref()
    }
}

impl Playable<Propnet> {
    /// A game whose rules have become a network, with batches of playouts by the same network.
    pub fn ground(game: GroundGame) -> Self {
        let batches = Batches {
            network: game.network.clone(),
            roles: game.facts.roles.len(),
            middle: f64::from(
                game.facts
                    .goal_range
                    .start()
                    .midpoint(*game.facts.goal_range.end()),
            ),
            program: OnceLock::new(),
        };
        Self::new(Propnet::new(game)).with_leaves(Arc::new(move |options| batches.open(options)))
    }
}

/// The network for batches, compiled when somebody needs it.
struct Batches {
    network: Network,
    roles: usize,
    middle: f64,
    program: OnceLock<Arc<Program>>,
}

impl Batches {
    fn open(&self, options: LeafOptions) -> Box<dyn LeafPlayouts<<Propnet as Game>::State>> {
        let batch_options = BatchOptions {
            seed: options.seed,
            stream: options.stream,
            step_limit: options.step_limit,
            // The fewer playouts are open, the sooner the tree learns from each.
            blocks: 1,
            ..BatchOptions::default()
        };
        let batch = match self.program.get() {
            Some(program) => Batch::with_program(Arc::clone(program), batch_options),
            None => {
                let batch = Batch::new(&self.network, batch_options);
                let _ = self.program.set(Arc::clone(batch.program()));
                batch
            }
        };
        Box::new(Streamed::new(
            PropnetBatch::from(batch),
            LANES as u32,
            self.roles,
            self.middle,
            options.discount,
        ))
    }
}
