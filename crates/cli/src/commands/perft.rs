//! `paidia perft`: what can be reached, counted by depth.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use clap::Args;
use paidia_arena::table::aligned;
use paidia_game::{Perft, PerftStop, perft_watched};
use serde::Serialize;

use super::write_json;
use crate::engine::EngineChoice;
use crate::game_choice::GameChoice;
use crate::interrupt::on_interrupt;
use crate::position::Start;
use crate::terminal::Progress;
use crate::{Verdict, terminal, text};

/// Counts leaves, states and terminals by depth
#[derive(Args)]
#[command(
    name = "perft",
    after_help = "Examples:
  paidia perft tic-tac-toe --depth 9
  paidia perft chess --depth 3 --json
  paidia perft othello --depth 4 --after '(place 4 3)'

A leaf at depth d is a sequence of d joint moves; finished states have no successors. States are the different
states in which these sequences end, terminals the sequences that end the game there. The count ends where every
line has ended, however deep it was to go."
)]
pub(crate) struct PerftCommand {
    #[command(flatten)]
    game: GameChoice,

    /// How many joint moves deep to count
    #[arg(long, short, value_name = "N")]
    depth: u32,

    #[command(flatten)]
    engine: EngineChoice,

    #[command(flatten)]
    start: Start,

    /// Stop when there are more different states than this, to stay within memory
    #[arg(long, value_name = "N", default_value_t = 5_000_000)]
    max_states: usize,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    engine: String,
    depths: Vec<DepthReport>,
    /// Different states over all depths together.
    total_states: usize,
    /// Why there are fewer depths than were asked for.
    stopped: Option<String>,
    /// Whether no line is longer than the last depth.
    all_ended: bool,
}

#[derive(Serialize)]
struct DepthReport {
    depth: usize,
    leaves: u128,
    states: usize,
    terminals: u128,
    stuck: u128,
}

impl PerftCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let rules = self.game.find()?;
        self.start.check(&rules)?;
        let (game, engine) = self.engine.load_game(&rules)?;
        let start = self.start.state(&game)?;
        let interrupt = on_interrupt("stopping with the depths that are counted")?;
        let mut progress = Progress::new(None, "states");
        let mut watch = |states: usize| {
            progress.set(states as u64);
            match interrupt.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let found = perft_watched(&game, &start, self.depth, self.max_states, &mut watch);
        drop(progress);
        let report = report(rules.name().to_owned(), engine.engine, &found);
        if self.json {
            write_json(out, &report)?;
        } else {
            write_table(out, &report)?;
        }
        Ok(found.stopped.is_none().into())
    }
}

fn report(game: String, engine: String, found: &Perft) -> Report {
    let depths = found
        .depths
        .iter()
        .enumerate()
        .map(|(depth, counts)| DepthReport {
            depth,
            leaves: counts.leaves,
            states: counts.states,
            terminals: counts.terminals,
            stuck: counts.stuck,
        });
    Report {
        game,
        engine,
        depths: depths.collect(),
        total_states: found.states,
        stopped: found.stopped.map(|stopped| match stopped {
            PerftStop::StateLimit { .. } => format!("{stopped} (--max-states)"),
            stopped => stopped.to_string(),
        }),
        all_ended: found.all_ended,
    }
}

fn write_table(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    writeln!(
        out,
        "{strong}{}{strong:#} {faint}with the {} engine{faint:#}",
        report.game, report.engine
    )?;
    let stuck = report.depths.iter().any(|row| row.stuck > 0);
    let columns = if stuck { 5 } else { 4 };
    let head = ["depth", "leaves", "states", "terminals", "stuck"].map(str::to_owned);
    let mut rows = vec![head[..columns].to_vec()];
    rows.extend(report.depths.iter().map(|row| {
        let (depth, states) = (row.depth as u128, row.states as u128);
        let cells = [depth, row.leaves, states, row.terminals, row.stuck].map(text::grouped);
        cells[..columns].to_vec()
    }));
    for line in aligned(&rows, 0) {
        writeln!(out, "  {line}")?;
    }
    writeln!(
        out,
        "  {} in all",
        text::count(report.total_states as u128, "different state")
    )?;
    if let Some(stopped) = &report.stopped {
        let bad = terminal::BAD;
        writeln!(out, "  {bad}stopped{bad:#}: {stopped}")?;
    }
    if report.all_ended {
        writeln!(out, "  no line is longer")?;
    }
    Ok(())
}
