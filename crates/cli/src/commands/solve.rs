//! `paidia solve`: the exact value of a game, where its states fit a budget.

mod hidden;

use std::io::Write;

use anyhow::bail;
use clap::Args;
use paidia_game::{AnyGame, MoveId, Rules, Solution, SolveBudget, SolveError, solve_watched};
use serde::Serialize;

use super::write_json;
use crate::engine::EngineChoice;
use crate::game_choice::GameChoice;
use crate::position::Start;
use crate::terminal::Progress;
use crate::{Verdict, terminal, text};

/// Finds the exact value and best play of a small game
#[derive(Args)]
#[command(after_help = "Examples:
  paidia solve tic-tac-toe
  paidia solve eight-puzzle --max-states 500000
  paidia solve kuhn-poker --strategy
  paidia solve tic-tac-toe --after '(mark 1 1) (mark 1 2)'

Games for one player, games of two players in turns, and games of more players in turns (by max^n) can be solved. With
hidden information, chance or choices at the same time, games of two players with opposite goals have their equilibrium
found, by counterfactual regret minimisation, and games for one player their best plan; --gap says how exactly.")]
pub(crate) struct Solve {
    #[command(flatten)]
    game: GameChoice,

    #[command(flatten)]
    engine: EngineChoice,

    #[command(flatten)]
    start: Start,

    /// How many states may be looked at
    #[arg(long, value_name = "N", default_value_t = 2_000_000)]
    max_states: usize,

    /// With hidden information: how far the bounds of the value may be apart, in goals
    #[arg(long, value_name = "GOALS", default_value_t = 1e-6)]
    gap: f64,

    /// With hidden information: the most rounds of regret minimisation
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_rounds: u32,

    /// With hidden information: print the strategy, too
    #[arg(long)]
    strategy: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    engine: String,
    solved: bool,
    because: Option<String>,
    method: Option<&'static str>,
    roles: Vec<String>,
    goals: Vec<i32>,
    mover: Option<String>,
    best_moves: Vec<String>,
    line: Vec<Vec<String>>,
    states: Option<usize>,
}

impl Solve {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let rules = self.game.find()?;
        self.start.check(&rules)?;
        let (game, engine) = self.engine.load_game(&rules)?;
        if hidden::applies(&game) {
            if self.start.is_given() {
                bail!(
                    "what players do not see is solved from the start of the game, without --after and --from"
                );
            }
            return hidden::solve(out, rules.name(), engine.engine, &game, self);
        }
        let start = self.start.state(&game)?;
        let mut progress = Progress::new(Some(self.max_states as u64), "states at most");
        let mut watch = |states: usize| progress.set(states as u64);
        let budget = SolveBudget::states(self.max_states);
        let found = solve_watched(&game, &start, budget, &mut watch);
        drop(progress);
        let report = report(rules.name().to_owned(), engine.engine, &game, &found);
        if self.json {
            write_json(out, &report)?;
        } else {
            write_report(out, &report)?;
        }
        Ok(report.solved.into())
    }
}

fn report(
    name: String,
    engine: String,
    game: &AnyGame,
    found: &Result<Solution, SolveError>,
) -> Report {
    let names = |ids: &[MoveId]| {
        ids.iter()
            .map(|&id| game.moves().name(id).to_string())
            .collect::<Vec<_>>()
    };
    let solution = found.as_ref().ok();
    Report {
        game: name,
        engine,
        solved: found.is_ok(),
        because: found.as_ref().err().map(SolveError::to_string),
        method: solution.map(|solution| solution.method.name()),
        roles: game.facts().roles.clone(),
        goals: solution
            .map(|solution| solution.goals.clone())
            .unwrap_or_default(),
        mover: solution
            .and_then(|solution| solution.mover)
            .map(|role| game.facts().role_name(role).to_owned()),
        best_moves: solution
            .map(|solution| names(&solution.best_moves))
            .unwrap_or_default(),
        line: solution
            .map(|solution| solution.line.iter().map(|joint| names(joint)).collect())
            .unwrap_or_default(),
        states: solution.map(|solution| solution.states),
    }
}

fn write_report(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    let game = &report.game;
    if let Some(because) = &report.because {
        writeln!(out, "{strong}{game}{strong:#} is not solved: {because}")?;
        return Ok(());
    }
    let states = text::count(report.states.unwrap_or(0) as u128, "state");
    let method = report.method.unwrap_or("?");
    writeln!(
        out,
        "{strong}{game}{strong:#} {faint}solved by {method} over {states}{faint:#}"
    )?;
    let goals = report
        .roles
        .iter()
        .zip(&report.goals)
        .map(|(role, goal)| format!("{role} {goal}"));
    writeln!(
        out,
        "  goals        {}",
        goals.collect::<Vec<_>>().join(", ")
    )?;
    if let Some(mover) = &report.mover {
        writeln!(
            out,
            "  best moves   {mover}: {}",
            text::wrapped(&report.best_moves, 100, 15)
        )?;
    }
    let line: Vec<String> = report
        .line
        .iter()
        .map(|joint| format!("({})", joint.join(" ")))
        .collect();
    writeln!(out, "  best play    {}", text::wrapped(&line, 100, 15))?;
    Ok(())
}
