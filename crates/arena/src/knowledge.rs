//! What can be found out about a game whose rules become a network.

use std::time::Instant;

use paidia_gdl::grounding::Budget as Grounding;
use paidia_reason::knowledge::{Budget, Knowledge, Turns};
use paidia_reason::propnet::{GroundGame, LoadNetworkError, Propnet};
use serde::Serialize;

use crate::advice::Regressed;
use crate::rules::GdlRules;

/// What was found out about a game.
#[derive(Clone, Debug, Serialize)]
pub struct KnowledgeReport {
    /// Which roles take turns.
    pub turns: TurnReport,
    /// Which fluents stay as they are.
    pub persistence: PersistenceReport,
    /// For each role, what becomes of its goals.
    pub goals: Vec<GoalReport>,
    /// Parts that moves change and that have nothing to do with each other, the largest first.
    pub factors: Vec<FactorReport>,
    /// Fluents that go on by themselves.
    pub clocks: usize,
    /// Moves that another move does the same as.
    pub duplicate_moves: usize,
    /// Action heuristics by goal regression.
    pub heuristics: HeuristicsReport,
}

/// Which roles take turns.
#[derive(Clone, Debug, Serialize)]
pub struct TurnReport {
    /// The turn order.
    pub order: &'static str,
    /// Whether that is proven or guessed.
    pub certainty: &'static str,
    /// For each role what it does while another chooses, if that is always the same.
    pub idle: Vec<Option<String>>,
}

/// Which fluents stay as they are; proven.
#[derive(Clone, Debug, Serialize)]
pub struct PersistenceReport {
    /// Fluents that stay true once they are.
    pub true_for_good: usize,
    /// Fluents that stay false once they are.
    pub false_for_good: usize,
    /// How many were looked at.
    pub examined: usize,
}

/// What becomes of a role's goals; proven.
#[derive(Clone, Debug, Serialize)]
pub struct GoalReport {
    /// Its possible values.
    pub values: Vec<i32>,
    /// Those that every later state gives, too.
    pub lasting: Vec<i32>,
    /// Those that no later state gives once one does not.
    pub lost_for_good: Vec<i32>,
    /// Whether the goal never falls.
    pub never_falls: bool,
}

/// A part of a game; proven.
#[derive(Clone, Debug, Serialize)]
pub struct FactorReport {
    /// Its fluents.
    pub fluents: usize,
    /// Its moves, of all roles.
    pub moves: usize,
    /// The roles whose goals look at it.
    pub goals: Vec<String>,
    /// Whether the end of the game looks at it.
    pub ends: bool,
}

/// Action heuristics by goal regression.
#[derive(Clone, Debug, Default, Serialize)]
pub struct HeuristicsReport {
    /// Different formulas, counting every part; nothing if there are none.
    pub formulas: Option<usize>,
    /// Parts of all formulas together.
    pub parts: Option<usize>,
    /// How long it took to make them, with grounding.
    pub milliseconds: f64,
    /// Why there are none.
    pub because: Option<String>,
}

impl KnowledgeReport {
    /// What the rules of a game tell.
    ///
    /// # Errors
    /// If they have no network within the budget.
    pub fn new(rules: &GdlRules, budget: Grounding) -> Result<Self, LoadNetworkError> {
        let (ground, _) = rules.built(budget)?.simplified(|_| true);
        let knowledge = Knowledge::new(&ground, Budget::default());
        let engine = Propnet::new(ground.clone());
        let turns = knowledge.turns.clone();
        let turns = turns.unwrap_or_else(|| Turns::observe(&engine, PLAYOUTS, 1));
        Ok(Self {
            turns: TurnReport::new(&ground, &turns),
            persistence: PersistenceReport {
                true_for_good: knowledge.persistence.true_for_good(),
                false_for_good: knowledge.persistence.false_for_good(),
                examined: knowledge.persistence.examined,
            },
            goals: knowledge.goals.iter().map(GoalReport::new).collect(),
            factors: factors(&ground, &knowledge),
            clocks: knowledge.factors.clocks.len(),
            duplicate_moves: {
                let groups = knowledge.twins.groups.iter();
                groups.map(|(_, moves)| moves.len() - 1).sum()
            },
            heuristics: HeuristicsReport::new(rules, budget, &engine),
        })
    }

    /// Lines for people: what it is about, and what is known of it.
    pub fn in_words(&self) -> Vec<(&'static str, String)> {
        let kept = &self.persistence;
        let mut latches = format!(
            "{} stay true, {} stay false",
            kept.true_for_good, kept.false_for_good
        );
        if kept.true_for_good + kept.false_for_good == 0 {
            latches.clear();
        }
        let factors = match &self.factors[..] {
            [] | [_] => String::new(),
            several => format!(
                "{} parts whose moves leave each other alone; goals and the end may look at several",
                several.len()
            ),
        };
        let duplicates = match self.duplicate_moves {
            0 => String::new(),
            count => format!("{count} moves do the same as another"),
        };
        vec![
            ("idle", self.turns.in_words()),
            ("latches", latches),
            ("factors", factors),
            ("duplicates", duplicates),
            ("heuristics", self.heuristics.in_words()),
        ]
    }
}

/// Random playouts that are watched where the rules do not prove which roles take turns.
const PLAYOUTS: u32 = 10;

impl TurnReport {
    fn new(ground: &GroundGame, turns: &Turns) -> Self {
        let idle = |role| turns.idle(role).map(|id| ground.moves.name(id).to_string());
        Self {
            order: turns.order.name(),
            certainty: turns.certainty.name(),
            idle: ground.facts.role_ids().map(idle).collect(),
        }
    }

    fn in_words(&self) -> String {
        let mut idle: Vec<&str> = self.idle.iter().flatten().map(String::as_str).collect();
        idle.dedup();
        match idle.is_empty() {
            true => String::new(),
            false => format!(
                "{} while another role chooses, {}",
                idle.join(", "),
                self.certainty
            ),
        }
    }
}

impl GoalReport {
    fn new(goals: &paidia_reason::knowledge::RoleGoals) -> Self {
        let those = |wanted: fn(&paidia_reason::knowledge::GoalFacts) -> bool| {
            let values = goals.values.iter().filter(|goal| wanted(goal));
            values.map(|goal| goal.value).collect()
        };
        Self {
            values: those(|_| true),
            lasting: those(|goal| goal.lasts),
            lost_for_good: those(|goal| goal.is_lost_for_good),
            never_falls: goals.never_falls(),
        }
    }
}

fn factors(ground: &GroundGame, knowledge: &Knowledge) -> Vec<FactorReport> {
    let factor = |factor: &paidia_reason::knowledge::Factor| FactorReport {
        fluents: factor.fluents.len(),
        moves: factor.moves,
        goals: factor
            .goals
            .iter()
            .map(|&role| ground.facts.role_name(role).to_owned())
            .collect(),
        ends: factor.ends,
    };
    knowledge.factors.parts.iter().map(factor).collect()
}

impl HeuristicsReport {
    fn new(rules: &GdlRules, budget: Grounding, engine: &Propnet) -> Self {
        let start = Instant::now();
        let made = Regressed::new(rules, budget, engine);
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        match made {
            Ok(made) => {
                let size = made.heuristics.size();
                Self {
                    formulas: Some(size.formulas),
                    parts: Some(size.parts),
                    milliseconds,
                    because: None,
                }
            }
            Err(error) => Self {
                milliseconds,
                because: Some(error.to_string()),
                ..Self::default()
            },
        }
    }

    fn in_words(&self) -> String {
        let time = self.milliseconds;
        match (&self.because, self.formulas, self.parts) {
            (None, Some(formulas), Some(parts)) => {
                format!("{formulas} formulas with {parts} parts, made in {time:.0} ms")
            }
            (because, ..) => {
                let because = because.as_deref().unwrap_or("the reason is not known");
                format!("none: {because}")
            }
        }
    }
}
