//! Games as networks of gates.
//!
//! [`network`] is what such a network is; [`ground_game`] makes one from a program: ground rules,
//! the gates of those rules, then [`passes`] that make the network smaller without changing its
//! meaning. [`Propnet`] plays it.

mod build;
mod builder;
pub mod engine;
pub mod network;
pub mod passes;

use cpu_time::ThreadTime;
use paidia_game::{GameFacts, MoveTable, PerceptTable};
use paidia_gdl::check::MOST_ROLES;
use paidia_gdl::grounding::{self, Budget, OverBudget};
use paidia_gdl::program::Program;

pub use engine::Propnet;
pub use network::{Network, Node, Region, Wire};
pub use passes::{PASSES, Pass};

/// A game whose rules have become a network, with the names of everything in it.
#[derive(Clone, Debug)]
pub struct GroundGame {
    /// What is known about the game.
    pub facts: GameFacts,
    /// All moves, numbered in the byte order of their texts.
    pub moves: MoveTable,
    /// All percepts, likewise.
    pub percepts: PerceptTable,
    /// The texts of all fluents in byte order; fluent numbers are places in this list.
    pub fluents: Vec<String>,
    /// The rules.
    pub network: Network,
}

/// Why a program has no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadNetworkError {
    /// The engine plays in turns; real-time rules need a real-time engine.
    #[error("real-time rules (rtGDL) cannot be played in turns")]
    RealTime,
    /// There are no roles.
    #[error("the rules have no role")]
    NoRoles,
    /// More than [`MOST_ROLES`].
    #[error("the rules have {0} roles; there may be {MOST_ROLES}")]
    TooManyRoles(usize),
    /// A relation depends on its own negation.
    #[error("something depends on its own negation")]
    NegativeCycle,
    /// More moves or percepts than there are numbers for.
    #[error("there are too many different moves or percepts")]
    TooManyNames,
    /// Grounding takes more than it may.
    #[error(transparent)]
    OverBudget(#[from] OverBudget),
}

/// What making a network cost, and what each pass made of it.
#[derive(Clone, Debug, Default)]
pub struct Making {
    /// Atoms of the ground program.
    pub atoms: usize,
    /// Rules of the ground program.
    pub rules: usize,
    /// For each stage its name, and the gates and operations after it.
    pub stages: Vec<(&'static str, usize, usize)>,
}

/// The network of a program, with all passes applied.
///
/// # Errors
/// If the program cannot be grounded within the budget, or makes no sense as a game in turns.
pub fn ground_game(
    name: &str,
    program: &Program,
    budget: Budget,
) -> Result<GroundGame, LoadNetworkError> {
    let (game, _) = ground_game_with(name, program, budget, |_| true)?;
    Ok(game)
}

/// The network of a program with those passes that `wanted` chooses by name, and what each did.
///
/// # Errors
/// If the program cannot be grounded within the budget, or makes no sense as a game in turns.
pub fn ground_game_with(
    name: &str,
    program: &Program,
    budget: Budget,
    wanted: impl Fn(&str) -> bool,
) -> Result<(GroundGame, Making), LoadNetworkError> {
    Ok(BuiltGame::new(name, program, budget)?.simplified(wanted))
}

/// A network as it follows from the ground rules, before any pass: what all networks of a program
/// are made from, so that a program is grounded once.
#[derive(Clone, Debug)]
pub struct BuiltGame {
    game: GroundGame,
    atoms: usize,
    rules: usize,
}

impl BuiltGame {
    /// Grounds a program and builds the gates of its rules.
    ///
    /// # Errors
    /// If the program cannot be grounded within the budget, or makes no sense as a game in turns.
    pub fn new(name: &str, program: &Program, budget: Budget) -> Result<Self, LoadNetworkError> {
        if program.dialect.is_timed() {
            return Err(LoadNetworkError::RealTime);
        }
        let start = ThreadTime::now();
        let ground = grounding::ground(program, budget)?;
        let game = build::build(name, &ground)?;
        if start.elapsed() > budget.time {
            return Err(LoadNetworkError::OverBudget(OverBudget {
                what: "time",
                atoms: ground.atoms as u64,
                rules: ground.heads.len() as u64,
                milliseconds: start.elapsed().as_millis() as u64,
            }));
        }
        Ok(Self {
            game,
            atoms: ground.atoms,
            rules: ground.heads.len(),
        })
    }

    /// The game as the rules are written, without any pass.
    pub fn game(&self) -> &GroundGame {
        &self.game
    }

    /// The game after those passes that `wanted` chooses by name, and what each did.
    pub fn simplified(&self, wanted: impl Fn(&str) -> bool) -> (GroundGame, Making) {
        let mut making = Making {
            atoms: self.atoms,
            rules: self.rules,
            stages: Vec::new(),
        };
        let mut note = |stage, network: &Network| {
            making
                .stages
                .push((stage, network.gates(), network.operations()));
        };
        let built = &self.game;
        note("build", &built.network);
        let mut made: Option<Network> = None;
        for pass in PASSES.iter().filter(|pass| wanted(pass.name)) {
            let network = (pass.run)(made.as_ref().unwrap_or(&built.network));
            note(pass.name, &network);
            made = Some(network);
        }
        let game = GroundGame {
            facts: built.facts.clone(),
            moves: built.moves.clone(),
            percepts: built.percepts.clone(),
            fluents: built.fluents.clone(),
            network: made.unwrap_or_else(|| built.network.clone()),
        };
        (game, making)
    }
}
