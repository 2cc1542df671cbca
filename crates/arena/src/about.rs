//! What is known about a game: `paidia info` and the web page show the same, by the same names.

use paidia_game::{GameFacts, TurnOrder};
use paidia_gdl::analysis::Contents;
use serde::Serialize;

use crate::engine::EngineReport;
use crate::rules::Ruleset;

/// What is known about a game.
#[derive(Clone, Debug, Serialize)]
pub struct About {
    /// The language of the rules.
    pub dialect: &'static str,
    /// The engine that plays by the rules.
    #[serde(flatten)]
    pub engine: EngineReport,
    /// The roles in their order.
    pub roles: Vec<String>,
    /// The role of chance, if there is one.
    pub random: Option<String>,
    /// The order in which roles move.
    pub turn_order: &'static str,
    /// What roles are told.
    pub information: &'static str,
    /// Clauses of the sheet.
    pub clauses: usize,
    /// Rules with a body.
    pub rules: usize,
    /// Relations that the rules define for themselves.
    pub relations: usize,
    /// How many negations deep the rules are, counting the ground floor.
    pub strata: usize,
    /// Kinds of fluents with their number of arguments.
    pub fluents: Vec<String>,
    /// Kinds of moves with their number of arguments.
    pub moves: Vec<String>,
    /// Kinds of percepts with their number of arguments.
    pub percepts: Vec<String>,
    /// How many fluents there are in all, where the engine knows.
    pub fluent_count: Option<usize>,
    /// How many moves there are in all, where the engine knows.
    pub move_count: Option<usize>,
}

impl About {
    /// What is known about a game by its rules and its engine.
    pub fn new(
        rules: &Ruleset,
        facts: &GameFacts,
        turn_order: TurnOrder,
        engine: EngineReport,
    ) -> Self {
        let (dialect, clauses, contents) = match rules {
            Ruleset::Gdl(gdl) => (
                rules.language(),
                gdl.sheet.clauses.len(),
                Contents::new(&gdl.program),
            ),
            Ruleset::Other(other) => (rules.language(), 0, other.contents()),
        };
        Self {
            dialect,
            engine,
            roles: facts.roles.clone(),
            random: facts.random().map(|role| facts.role_name(role).to_owned()),
            turn_order: turn_order.name(),
            information: facts.information.name(),
            clauses,
            rules: contents.rules,
            relations: contents.relations,
            strata: contents.strata,
            fluents: contents.fluents,
            moves: contents.moves,
            percepts: contents.percepts,
            fluent_count: facts.fluents,
            move_count: facts.moves,
        }
    }
}
