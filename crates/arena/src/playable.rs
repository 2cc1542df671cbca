//! A game with everything that players may make use of.

use std::sync::{Arc, OnceLock};

use paidia_accel::{Batch, BatchOptions, LANES, Program, PropnetBatch};
use paidia_game::{BatchPlayouts, Game};
use paidia_reason::propnet::engine::State;
use paidia_reason::propnet::{GroundGame, Network, Propnet};
use paidia_search::advice::AdviceSource;
use paidia_search::learner::Lessons;
use paidia_search::leaves::{LeafOptions, LeafPlayouts, LeafSource, Streamed};
use paidia_search::scale::Scale;

/// A game, who makes many playouts of it at once, if somebody can, and who gives advice about moves, if somebody does.
#[derive(Clone)]
pub struct Playable<G: Game> {
    /// The game.
    pub game: G,
    leaves: Option<LeafSource<G::State>>,
    advice: Option<AdviceSource<G::State>>,
    lessons: Arc<Lessons>,
}

impl<G: Game> Playable<G> {
    /// A game whose playouts are made one by one.
    pub fn new(game: G) -> Self {
        Self {
            game,
            leaves: None,
            advice: None,
            lessons: Arc::default(),
        }
    }

    /// The same game with somebody who makes playouts from many leaves at once.
    #[must_use]
    pub fn with_leaves(self, source: LeafSource<G::State>) -> Self {
        Self {
            leaves: Some(source),
            ..self
        }
    }

    /// The same game with somebody who gives advice about moves.
    #[must_use]
    pub fn with_advice(self, source: AdviceSource<G::State>) -> Self {
        Self {
            advice: Some(source),
            ..self
        }
    }

    /// Who gives advice about moves.
    pub fn advice(&self) -> Option<&AdviceSource<G::State>> {
        self.advice.as_ref()
    }

    /// What was found out about which players are good at it.
    pub fn lessons(&self) -> &Arc<Lessons> {
        &self.lessons
    }

    /// Who makes playouts from many leaves at once.
    pub fn leaves(&self) -> Option<&LeafSource<G::State>> {
        self.leaves.as_ref()
    }
}

impl Playable<Propnet> {
    /// A game whose rules have become a network, with batches of playouts by the same network.
    pub fn ground(game: GroundGame) -> Self {
        let batches = Batches::new(&game);
        Self::new(Propnet::new(game)).with_leaves(Arc::new(move |options| batches.open(options)))
    }
}

/// How many playouts should be open: a quarter more than there are lanes, for those that become free in the next few steps.
const OPEN: u32 = LANES as u32 / 4 * 5;

/// Batches of playouts of a network, which is compiled when somebody needs it.
pub struct Batches {
    network: Network,
    roles: usize,
    scale: Scale,
    program: OnceLock<Arc<Program>>,
}

impl Batches {
    /// Batches of playouts of a game.
    pub fn new(game: &GroundGame) -> Self {
        Self {
            network: game.network.clone(),
            roles: game.facts.roles.len(),
            scale: Scale::new(&game.facts),
            program: OnceLock::new(),
        }
    }

    /// Playouts from leaves that are states of [`Propnet`].
    pub fn open(&self, options: LeafOptions) -> Box<dyn LeafPlayouts<State>> {
        self.streamed(PropnetBatch::from(self.batch(options)), options)
    }

    /// Playouts from leaves that are bit sets: fluent number n is bit `n % 64` of word `n / 64`, and missing words are zero.
    pub fn open_bits(&self, options: LeafOptions) -> Box<dyn LeafPlayouts<[u64]>> {
        self.streamed(self.batch(options), options)
    }

    fn streamed<B>(&self, engine: B, options: LeafOptions) -> Box<Streamed<B>>
    where
        B: BatchPlayouts,
    {
        Box::new(Streamed::new(
            engine,
            OPEN,
            self.roles,
            self.scale,
            options.discount,
        ))
    }

    fn batch(&self, options: LeafOptions) -> Batch {
        let batch_options = BatchOptions {
            seed: options.seed,
            stream: options.stream,
            step_limit: options.step_limit,
            // The fewer playouts are open, the sooner the tree learns from each.
            blocks: 1,
            ..BatchOptions::default()
        };
        match self.program.get() {
            Some(program) => Batch::with_program(Arc::clone(program), batch_options),
            None => {
                let batch = Batch::new(&self.network, batch_options);
                let _ = self.program.set(Arc::clone(batch.program()));
                batch
            }
        }
    }
}
