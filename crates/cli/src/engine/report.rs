//! What there is to say about a choice of engine.

use paidia_reason::propnet::{GroundGame, LoadNetworkError, Making};
use serde::Serialize;

use super::Engine;
use crate::text;

/// Which engine was taken, why, and what it cost to load.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EngineReport {
    /// The engine that plays.
    pub(crate) engine: &'static str,
    /// Why, if `auto` chose it.
    #[serde(rename = "engine_because")]
    pub(crate) because: Option<String>,
    /// How long reading, checking and loading took.
    pub(crate) load_ms: f64,
    /// How much CPU time of that.
    pub(crate) load_cpu_ms: f64,
    /// How fast the engine plays, and after it others that could have been taken, if that was measured.
    pub(crate) rates: Vec<Rate>,
    /// The size of the network, if there is one.
    pub(crate) network: Option<NetworkReport>,
    /// How far grounding came, if it was over its budget.
    pub(crate) over_budget: Option<OverBudgetReport>,
}

/// How fast an engine plays at random.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Rate {
    pub(crate) engine: &'static str,
    /// Joint moves in a second of CPU time.
    pub(crate) states_per_cpu_s: f64,
}

/// The size of a network.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NetworkReport {
    /// Atoms of the ground program.
    pub(crate) atoms: usize,
    /// Rules of the ground program.
    pub(crate) rules: usize,
    /// Gates, after all passes.
    pub(crate) gates: usize,
    /// What the gates are worth in gates with two inputs.
    pub(crate) operations: usize,
    /// What each pass made of it.
    pub(crate) stages: Vec<Stage>,
}

/// A network after a pass.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Stage {
    pub(crate) name: &'static str,
    pub(crate) gates: usize,
    pub(crate) operations: usize,
}

/// How far grounding came.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OverBudgetReport {
    what: &'static str,
    atoms: u64,
    rules: u64,
    milliseconds: u64,
}

impl EngineReport {
    pub(super) fn new(engine: Engine) -> Self {
        Self {
            engine: engine.name(),
            because: None,
            load_ms: 0.0,
            load_cpu_ms: 0.0,
            rates: Vec::new(),
            network: None,
            over_budget: None,
        }
    }

    pub(super) fn of_network(engine: Engine, game: &GroundGame, making: &Making) -> Self {
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
    pub(super) fn of_fallback(engine: Engine, error: &LoadNetworkError) -> Self {
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

    /// The measured rates in words, if there are any.
    pub(crate) fn rates_in_words(&self) -> String {
        let rates = self.rates.iter();
        let rates = rates.map(|rate| {
            let states = text::grouped(rate.states_per_cpu_s as u128);
            format!("{} {states}", rate.engine)
        });
        let rates: Vec<String> = rates.collect();
        match rates.is_empty() {
            true => String::new(),
            false => format!("{} joint moves per CPU second", rates.join(", ")),
        }
    }

    /// The engine in words: `the propnet engine`, with the reason if `auto` had to do without a network.
    pub(crate) fn title(&self) -> String {
        let engine = self.engine;
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
    pub(crate) fn describe(&self) -> String {
        let [gates, operations, atoms, rules] =
            [self.gates, self.operations, self.atoms, self.rules]
                .map(|number| text::grouped(number as u128));
        format!(
            "{gates} gates ({operations} operations) from {rules} ground rules over {atoms} atoms"
        )
    }
}
