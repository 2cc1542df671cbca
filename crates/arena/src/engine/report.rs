//! What there is to say about a choice of engine.

use paidia_reason::propnet::{GroundGame, LoadNetworkError, Making};
use serde::{Deserialize, Serialize};

use super::EngineSpec;
use crate::text::grouped;

/// Which engine was taken, why, and what it cost to load.
#[derive(Clone, Debug, Serialize)]
pub struct EngineReport {
    /// The engine that plays, as it would be asked for.
    pub engine: String,
    /// Why, if `auto` chose it.
    #[serde(rename = "engine_because")]
    pub because: Option<String>,
    /// How long loading took.
    pub load_ms: f64,
    /// How much CPU time of that.
    pub load_cpu_ms: f64,
    /// How fast the engine plays, and after it others that could have been taken, if that was
    /// measured.
    pub rates: Vec<Rate>,
    /// Whether machine code plays, and if not, why; nothing if the engine makes none, or makes it
    /// later.
    #[serde(rename = "engine_native")]
    pub native: Option<String>,
    /// What serves which use, if that was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uses: Option<Uses>,
    /// The size of the network, if there is one.
    pub network: Option<NetworkReport>,
    /// How far grounding came, if it was over its budget.
    pub over_budget: Option<OverBudgetReport>,
}

/// How fast an engine plays at random.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rate {
    /// The engine.
    pub engine: String,
    /// Joint moves in a second of CPU time.
    pub states_per_cpu_s: f64,
}

/// The engines that `auto` takes for different purposes, with how fast they are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Uses {
    /// For very many random playouts.
    pub playouts: Rate,
    /// For going from state to state.
    pub walking: Rate,
    /// For players, who do both.
    pub search: Rate,
}

/// The engine of a match in short, as records have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EngineNote {
    /// The engine that played.
    pub name: String,
    /// Why, if `auto` chose it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// How fast it plays, and after it others that could have been taken, if that was measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<Rate>,
}

/// The size of a network.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkReport {
    /// Atoms of the ground program.
    pub atoms: usize,
    /// Rules of the ground program.
    pub rules: usize,
    /// Gates, after all passes.
    pub gates: usize,
    /// What the gates are worth in gates with two inputs.
    pub operations: usize,
    /// What each pass made of it.
    pub stages: Vec<Stage>,
}

/// A network after a pass.
#[derive(Clone, Debug, Serialize)]
pub struct Stage {
    /// The pass.
    pub name: &'static str,
    /// Gates after it.
    pub gates: usize,
    /// What they are worth in gates with two inputs.
    pub operations: usize,
}

/// How far grounding came.
#[derive(Clone, Debug, Serialize)]
pub struct OverBudgetReport {
    /// What ran out.
    pub what: &'static str,
    /// Atoms found by then.
    pub atoms: u64,
    /// Rule instances made by then.
    pub rules: u64,
    /// Milliseconds of CPU time spent.
    pub milliseconds: u64,
}

impl EngineReport {
    pub(super) fn new(engine: &EngineSpec) -> Self {
        Self {
            engine: engine.to_string(),
            because: None,
            load_ms: 0.0,
            load_cpu_ms: 0.0,
            rates: Vec::new(),
            native: None,
            uses: None,
            network: None,
            over_budget: None,
        }
    }

    pub(super) fn of_network(engine: &EngineSpec, game: &GroundGame, making: &Making) -> Self {
        let stages = making.stages.iter();
        let stages = stages.map(|&(name, gates, operations)| Stage {
            name,
            gates,
            operations,
        });
        Self {
            network: Some(NetworkReport {
                atoms: making.atoms,
                rules: making.rules,
                gates: game.network.gates(),
                operations: game.network.operations(),
                stages: stages.collect(),
            }),
            ..Self::new(engine)
        }
    }

    /// For an engine that is taken because there is no network.
    pub(super) fn of_fallback(engine: &EngineSpec, error: &LoadNetworkError) -> Self {
        let over_budget = match error {
            LoadNetworkError::OverBudget(over) => Some(OverBudgetReport {
                what: over.what,
                atoms: over.atoms,
                rules: over.rules,
                milliseconds: over.milliseconds,
            }),
            _ => None,
        };
        Self {
            over_budget,
            ..Self::new(engine).because(&error.to_string())
        }
    }

    pub(super) fn because(self, reason: &str) -> Self {
        Self {
            because: Some(reason.to_owned()),
            ..self
        }
    }

    /// The report in short, for records of matches.
    pub fn note(&self) -> EngineNote {
        EngineNote {
            name: self.engine.clone(),
            because: self.because.clone(),
            rates: self.rates.clone(),
        }
    }

    /// The measured rates in words, if there are any.
    pub fn rates_in_words(&self) -> String {
        let rates = self.rates.iter().map(|rate| {
            let states = grouped(rate.states_per_cpu_s as u128);
            format!("{} {states}", rate.engine)
        });
        let rates: Vec<String> = rates.collect();
        match rates.is_empty() {
            true => String::new(),
            false => format!("{} joint moves per CPU second", rates.join(", ")),
        }
    }

    /// What serves which use in words, if that was measured.
    pub fn uses_in_words(&self) -> String {
        let Some(uses) = &self.uses else {
            return String::new();
        };
        let Uses {
            playouts,
            walking,
            search,
        } = uses;
        let speed = |rate: &Rate| grouped(rate.states_per_cpu_s as u128);
        format!(
            "{} for random playouts ({} joint moves per CPU second), {} for walking from state to \
             state ({}), {} for players ({})",
            playouts.engine,
            speed(playouts),
            walking.engine,
            speed(walking),
            search.engine,
            speed(search)
        )
    }

    /// The engine in words: `the propnet engine`, with the reason if `auto` had to do without a
    /// network.
    pub fn title(&self) -> String {
        let engine = &self.engine;
        match &self.because {
            Some(because) if self.network.is_none() => {
                format!("the {engine} engine (auto: {because})")
            }
            _ => format!("the {engine} engine"),
        }
    }
}

impl NetworkReport {
    /// The size in words.
    pub fn describe(&self) -> String {
        let [gates, operations, atoms, rules] =
            [self.gates, self.operations, self.atoms, self.rules]
                .map(|number| grouped(number as u128));
        format!(
            "{gates} gates ({operations} operations) from {rules} ground rules over {atoms} atoms"
        )
    }
}
