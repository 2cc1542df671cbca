//! A game with everything that players may make use of.

use std::sync::Arc;

use paidia_accel::{Batch, BatchOptions, Batches, LANES};
use paidia_game::Game;
use paidia_reason::propnet::{GroundGame, Propnet};
use paidia_search::advice::AdviceSource;
use paidia_search::learner::Lessons;
use paidia_search::leaves::{LeafOptions, LeafPlayouts, LeafSource, Streamed};
use paidia_search::scale::Scale;

/// A game with its sources of batched playouts and of advice about moves, where it has them.
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

    /// The same game with a source of playouts from many leaves at once.
    #[must_use]
    pub fn with_leaves(self, source: LeafSource<G::State>) -> Self {
        Self {
            leaves: Some(source),
            ..self
        }
    }

    /// The same game with a source of advice about moves.
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
        let batches = Batches::new(game.clone());
        let leaves = move |options| leaf_playouts(&batches, options);
        Self::new(Propnet::new(game)).with_leaves(Arc::new(leaves))
    }
}

/// How many playouts should be open: a quarter more than there are lanes, for those that become
/// free in the next few steps.
const OPEN: u32 = LANES as u32 / 4 * 5;

/// Playouts from leaves, by batches; the states are any kind that [`Batches`] can read.
pub fn leaf_playouts<S>(batches: &Batches, options: LeafOptions) -> Box<dyn LeafPlayouts<S>>
where
    S: AsRef<[u64]> + ?Sized + 'static,
{
    let engine: Batch<S> = batches.open(BatchOptions {
        seed: options.seed,
        stream: options.stream,
        step_limit: options.step_limit,
        // The fewer playouts are open, the sooner the tree learns from each.
        blocks: 1,
        ..BatchOptions::default()
    });
    let facts = &batches.ground().facts;
    let (roles, scale) = (facts.roles.len(), Scale::new(facts));
    Box::new(Streamed::new(engine, OPEN, roles, scale, options.discount))
}
