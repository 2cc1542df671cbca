//! A game with everything that players may make use of.
//!
//! Search is compiled for a game where its [`Playable`] is made, and nowhere else. This crate makes
//! those of the engines, so that crates which use them hold no search of their own.

use std::sync::Arc;

use paidia_accel::{Batch, BatchOptions, Batches, Decisive, Draws, LANES};
use paidia_game::{AnyGame, Game, Information, RoleId};
use paidia_imperfect::players::Solutions;
use paidia_languages::board::BoardGame;
use paidia_reason::propnet::{GroundGame, Propnet};
use paidia_search::advice::AdviceSource;
use paidia_search::evaluation::{Pupil, Shared};
use paidia_search::learner::Lessons;
use paidia_search::leaves::{self, LeafOptions, LeafPlayouts, LeafSource, Streamed};
use paidia_search::scale::Scale;
use paidia_search::{Informed, Player};

use crate::catalogue;
use crate::spec::{BadPlayer, PlayerSpec};

/// Makes something of a player for a role, from a seed.
type Make<G, T> = fn(&PlayerSpec, &Playable<G>, RoleId, u64) -> Result<Box<T>, BadPlayer>;

/// A game with its sources of batched playouts and of advice about moves, where it has them.
#[derive(Clone)]
pub struct Playable<G: Game> {
    /// The game.
    pub game: G,
    leaves: Option<LeafSource<G::State>>,
    batches: Option<Batches>,
    advice: Option<AdviceSource<G::State>>,
    lessons: Arc<Lessons>,
    evaluation: Arc<Shared>,
    solutions: Solutions,
    ground: Option<Arc<GroundGame>>,
    board: Option<BoardGame>,
    make_search: Make<G, dyn Informed<G>>,
    make_player: Make<G, dyn Player<G>>,
}

impl<G: Game> Playable<G> {
    /// A game whose playouts are made one by one.
    pub fn new(game: G) -> Self {
        Self {
            game,
            leaves: None,
            batches: None,
            advice: None,
            lessons: Arc::default(),
            evaluation: Arc::default(),
            solutions: Solutions::default(),
            ground: None,
            board: None,
            make_search: catalogue::make_search,
            make_player: catalogue::make_player,
        }
    }

    /// Makes the search of a player, which is told states.
    ///
    /// # Errors
    /// If it wants advice that the game is too complex for, or is made for hidden information and
    /// so has no use for states.
    pub fn search(
        &self,
        spec: &PlayerSpec,
        role: RoleId,
        seed: u64,
    ) -> Result<Box<dyn Informed<G>>, BadPlayer> {
        (self.make_search)(spec, self, role, seed)
    }

    /// Makes a player, as [`catalogue::make`] does.
    pub(crate) fn player(
        &self,
        spec: &PlayerSpec,
        role: RoleId,
        seed: u64,
    ) -> Result<Box<dyn Player<G>>, BadPlayer> {
        (self.make_player)(spec, self, role, seed)
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

    /// The same game with what was found out about players of it.
    #[must_use]
    pub fn with_lessons(self, lessons: Lessons) -> Self {
        Self {
            lessons: Arc::new(lessons),
            ..self
        }
    }

    /// The same game, which is this simplified board game, if it is one.
    #[must_use]
    pub fn with_board(self, board: Option<BoardGame>) -> Self {
        Self { board, ..self }
    }

    /// The simplified board game that it is.
    pub fn board(&self) -> Option<&BoardGame> {
        self.board.as_ref()
    }

    /// Who gives advice about moves.
    pub fn advice(&self) -> Option<&AdviceSource<G::State>> {
        self.advice.as_ref()
    }

    /// What was found out about which players are good at it.
    pub fn lessons(&self) -> &Arc<Lessons> {
        &self.lessons
    }

    /// What was solved of it, where it hides things.
    pub fn solutions(&self) -> &Solutions {
        &self.solutions
    }

    /// What has the evaluation of its states learnt.
    pub fn pupil(&self, seed: u64) -> Pupil<G> {
        let shared = Arc::clone(&self.evaluation);
        Pupil::new(&self.game, self.leaves.clone(), shared, seed)
    }

    /// What makes playouts in batches, if the rules have become a network.
    pub fn batches(&self) -> Option<&Batches> {
        self.batches.as_ref()
    }

    /// Whether playouts from many leaves at once look a move ahead if they are asked to.
    pub fn is_decisive(&self, decisive: leaves::Decisive) -> bool {
        let batches = self.batches.as_ref();
        batches.is_some_and(|batches| batches.is_decisive(drawn(decisive)))
    }

    /// The rules of a game that hides things as a network, with the numbers of moves and percepts
    /// that the game has.
    pub fn network(&self) -> Option<&Arc<GroundGame>> {
        self.ground.as_ref()
    }

    /// Who makes playouts from many leaves at once.
    pub fn leaves(&self) -> Option<&LeafSource<G::State>> {
        self.leaves.as_ref()
    }
}

impl Playable<AnyGame> {
    /// A game of any engine, whose playouts are made one by one.
    pub fn any(game: AnyGame) -> Self {
        Self::new(game)
    }
}

impl Playable<Propnet> {
    /// A game whose rules have become a network, with batches of playouts by the same network.
    pub fn ground(game: GroundGame) -> Self {
        let batches = Batches::new(game.clone());
        let hides = game.facts.information == Information::Hidden;
        let ground = hides.then(|| Arc::new(game.clone()));
        let source = batches.clone();
        let leaves = move |options| leaf_playouts(&source, options);
        Self {
            batches: Some(batches),
            ground,
            ..Self::new(Propnet::new(game)).with_leaves(Arc::new(leaves))
        }
    }
}

/// How many playouts should be open: a quarter more than there are lanes, for those that become
/// free in the next few steps.
const OPEN: u32 = LANES as u32 / 4 * 5;

/// The same for batches.
fn drawn(decisive: leaves::Decisive) -> Decisive {
    match decisive {
        leaves::Decisive::No => Decisive::No,
        leaves::Decisive::Own => Decisive::Own,
        leaves::Decisive::Both => Decisive::Both,
    }
}

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
        draws: Draws {
            decisive: drawn(options.decisive),
            is_weighted: options.is_weighted,
        },
        ..BatchOptions::default()
    });
    let facts = &batches.ground().facts;
    let (roles, scale) = (facts.roles.len(), Scale::new(facts));
    let playouts = Streamed::new(engine, OPEN, roles, scale, options.discount);
    Box::new(playouts.with_weigher(Batch::weigh))
}
