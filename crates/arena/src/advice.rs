//! Advice about moves for searches: action heuristics by goal regression, made when the first
//! player asks for them.

use std::sync::{Arc, OnceLock};

use paidia_game::{MoveId, RoleId};
use paidia_gdl::grounding::Budget as Grounding;
use paidia_reason::knowledge::{Budget as Thinking, Persistence, Turns};
use paidia_reason::propnet::engine::State;
use paidia_reason::propnet::{LoadNetworkError, Propnet};
use paidia_reason::regression::{Budget, Evaluator, FluentWeights, Heuristics, TooComplex};
use paidia_search::advice::{Advice, AdviceOptions, AdviceSource, NoAdvice};

use crate::rules::GdlRules;

/// Random playouts that are watched where the rules do not prove which roles take turns.
const PLAYOUTS: u32 = 10;

/// Action heuristics, with what they were made by.
#[derive(Clone, Debug)]
pub struct Regressed {
    /// The heuristics.
    pub heuristics: Heuristics,
    /// Fluents that stay as they are.
    pub persistence: Persistence,
    /// Which roles take turns.
    pub turns: Turns,
}

/// Why a game has no action heuristics.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotRegressed {
    /// Its rules do not become a network.
    #[error(transparent)]
    NoNetwork(#[from] LoadNetworkError),
    /// Its goals are too complex.
    #[error(transparent)]
    TooComplex(#[from] TooComplex),
}

impl Regressed {
    /// The heuristics of a game by its rules as they are written: what makes networks smaller
    /// changes what formulas look like, and so what they are worth. The game is watched where the
    /// rules do not prove which roles take turns.
    ///
    /// # Errors
    /// If the rules have no network within the budget, or the goals are too complex.
    pub fn new(rules: &GdlRules, budget: Grounding, game: &Propnet) -> Result<Self, NotRegressed> {
        let built = rules.built(budget)?;
        let ground = built.game();
        let turns = Turns::prove(&ground.network);
        let turns = turns.unwrap_or_else(|| Turns::observe(game, PLAYOUTS, 1));
        Ok(Self {
            heuristics: Heuristics::new(ground, &turns, Budget::default())?,
            persistence: Persistence::new(&ground.network, Thinking::default()),
            turns,
        })
    }

    fn adviser(&self, options: AdviceOptions) -> Adviser {
        let weights = FluentWeights {
            persistence: options.persistence.then_some(&self.persistence),
            ..FluentWeights::USUAL
        };
        Adviser(self.heuristics.evaluator(&weights))
    }
}

/// Makes advisers for a game by its rules, without any work before the first request.
pub fn source(rules: &Arc<GdlRules>, budget: Grounding, game: &Propnet) -> AdviceSource<State> {
    let (rules, game) = (Arc::clone(rules), game.clone());
    let made: OnceLock<Result<Regressed, NoAdvice>> = OnceLock::new();
    Arc::new(move |options| {
        let made = made.get_or_init(|| {
            let made = Regressed::new(&rules, budget, &game);
            made.map_err(|error| NoAdvice(error.to_string()))
        });
        let regressed = made.as_ref().map_err(NoAdvice::clone)?;
        Ok(Box::new(regressed.adviser(options)))
    })
}

/// One thread's adviser.
struct Adviser(Evaluator);

impl Advice<State> for Adviser {
    fn values(&mut self, state: &State, role: RoleId, moves: &[MoveId], values: &mut Vec<f64>) {
        self.0.evaluate(state.words(), role, moves, values);
    }
}
