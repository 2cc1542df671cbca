//! How `paidia verify` decides formulas: by lists of states, by decision diagrams, or by both.

use anyhow::bail;
use clap::{Args, ValueEnum};
use paidia_arena::rules::Ruleset;
use paidia_game::{AnyGame, Game, Legible, RoleId, Rules, Walker, find_move};
use paidia_gdl::program::Program;
use paidia_imperfect::epistemic::{Formula, Run, RunStep};
use paidia_imperfect::symbolic::{Options, Statistics, Symbolic, Verdict};
use serde::Serialize;
use serde_json::json;

/// The most nodes of a decision diagram, if nothing else is said.
const NODES: usize = 8_000_000;

/// What decides a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Backend {
    /// States, and what players hold possible, one by one
    Explicit,
    /// Sets of states as decision diagrams over the rules as a program of assignments
    Symbolic,
    /// Both, which must agree
    Both,
}

/// How formulas are decided.
#[derive(Args)]
pub(super) struct BackendChoice {
    /// What decides the formulas
    #[arg(long, value_enum, default_value_t = Backend::Explicit)]
    pub(super) backend: Backend,

    /// With --backend symbolic: an optimisation to leave out, or the guard that keeps the state
    /// when the game is over
    #[arg(long, value_name = "WHAT", value_parser = Options::NAMES)]
    pub(super) leave_out: Vec<String>,

    /// With --backend symbolic: nodes that decision diagrams may have
    #[arg(long, value_name = "N", default_value_t = NODES)]
    max_nodes: usize,
}

impl BackendChoice {
    /// The options of the translation.
    pub(super) fn options(&self) -> Options {
        options(&self.leave_out)
    }

    /// The symbolic checker, if one is asked for.
    pub(super) fn symbolic(&self, rules: &Ruleset) -> anyhow::Result<Option<Symbolic>> {
        if self.backend == Backend::Explicit {
            if !self.leave_out.is_empty() {
                bail!("--leave-out goes with --backend symbolic or both");
            }
            return Ok(None);
        }
        Ok(Some(translate(rules, self.options(), self.max_nodes)?))
    }
}

/// The options without some.
pub(in crate::commands) fn options(without: &[String]) -> Options {
    let mut options = Options::default();
    for name in without {
        options.leave_out(name);
    }
    options
}

/// The translated rules.
pub(in crate::commands) fn translate(
    rules: &Ruleset,
    options: Options,
    nodes: usize,
) -> anyhow::Result<Symbolic> {
    let rules = rules.gdl()?;
    let program = Program::new(&rules.sheet, rules.dialect)?;
    Ok(Symbolic::new(&program, options, nodes)?)
}

/// The most nodes of a decision diagram where the command has no option for it.
pub(in crate::commands) fn usual_nodes() -> usize {
    NODES
}

/// The size of the translated rules.
#[derive(Serialize)]
pub(super) struct SystemReport {
    booleans: usize,
    enumerated: usize,
    bits: u32,
    definitions: usize,
    without: Vec<String>,
}

impl SystemReport {
    pub(super) fn new(statistics: Statistics, without: &[String]) -> Self {
        Self {
            booleans: statistics.booleans,
            enumerated: statistics.enumerated,
            bits: statistics.bits,
            definitions: statistics.definitions,
            without: without.to_vec(),
        }
    }

    pub(super) fn in_words(&self) -> String {
        let Self {
            booleans,
            enumerated,
            bits,
            definitions,
            ..
        } = self;
        let without = match self.without.is_empty() {
            true => String::new(),
            false => format!(", without {}", self.without.join(" and ")),
        };
        format!(
            "translated: {booleans} variables that are true or false, {enumerated} with more values, {bits} bits, {definitions} definitions{without}"
        )
    }
}

/// Decides a formula by decision diagrams.
pub(super) fn decide(symbolic: &mut Symbolic, formula: &Formula) -> Result<Verdict, String> {
    symbolic.check(formula).map_err(|error| error.to_string())
}

/// A run of joint moves with what the roles perceive, as far as the engine makes them.
pub(super) fn run_along(game: &AnyGame, moves: &[Vec<String>]) -> Run {
    let mut run = Run::default();
    let mut walker = game.walker();
    walker.jump(&game.initial());
    let mut chance = paidia_game::Chance::from_seed(0);
    let roles: Vec<RoleId> = game.facts().role_ids().collect();
    for joint in moves {
        let legal = walker.legal().clone();
        let ids = roles
            .iter()
            .zip(joint)
            .map(|(&role, name)| find_move(game.moves(), legal.of(role), name))
            .collect::<Option<Vec<_>>>();
        let Some(ids) = ids.filter(|_| !walker.is_terminal()) else {
            break;
        };
        walker.advance(&ids, &mut chance);
        let seen = |&role: &RoleId| {
            let percepts = walker.percepts(role).iter();
            percepts
                .map(|&id| game.percepts().name(id).to_string())
                .collect()
        };
        run.steps.push(RunStep {
            moves: joint.clone(),
            percepts: roles.iter().map(seen).collect(),
        });
    }
    run
}

/// A run as a trace that `paidia replay` repeats.
pub(super) fn trace(name: &str, game: &AnyGame, run: &Run) -> String {
    let facts = game.facts();
    let mut lines = vec![json!({"game": name, "roles": facts.roles}).to_string()];
    let mut walker = game.walker();
    let mut state = game.initial();
    let mut chance = paidia_game::Chance::from_seed(0);
    let roles: Vec<RoleId> = facts.role_ids().collect();
    for number in 0..=run.steps.len() {
        walker.jump(&state);
        let fluents = game.fluents(&state);
        if walker.is_terminal() {
            let goals: Vec<Option<i32>> = roles
                .iter()
                .map(|&role| walker.goal(role).value())
                .collect();
            let line = json!({
                "playout": 0, "step": number, "state": fluents, "terminal": true, "goals": goals,
            });
            lines.push(line.to_string());
            break;
        }
        let legal = walker.legal().clone();
        let names = |role: &RoleId| -> Vec<String> {
            let own = legal.of(*role).iter();
            own.map(|&id| game.moves().name(id).to_string()).collect()
        };
        let legal_names: Vec<Vec<String>> = roles.iter().map(names).collect();
        let Some(step) = run.steps.get(number) else {
            let line = json!({
                "playout": 0, "step": number, "state": fluents, "legal": legal_names, "cut": true,
            });
            lines.push(line.to_string());
            break;
        };
        let line = json!({
            "playout": 0, "step": number, "state": fluents, "legal": legal_names,
            "moves": step.moves,
        });
        lines.push(line.to_string());
        let ids = roles
            .iter()
            .zip(&step.moves)
            .map(|(&role, name)| find_move(game.moves(), legal.of(role), name))
            .collect::<Option<Vec<_>>>();
        let Some(ids) = ids else { break };
        walker.advance(&ids, &mut chance);
        walker.save(&mut state);
    }
    lines.push(String::new());
    lines.join("\n")
}
