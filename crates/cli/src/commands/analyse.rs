//! `paidia analyse`: what a player thinks of a position.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use clap::Args;
use cpu_time::ProcessTime;
use paidia_arena::PlayerSpec;
use paidia_arena::engine::EngineReport;
use paidia_game::{Game, Legible, MoveId, RoleId, Walker};
use paidia_search::{Decision, MoveReport};
use serde::Serialize;

use super::write_json;
use crate::engine::EngineChoice;
use crate::game_choice::GameChoice;
use crate::interrupt::on_interrupt;
use crate::position::Start;
use crate::remote::{HelperReport, RemoteOptions};
use crate::stage::Stage;
use crate::thinking::Thinking;
use crate::with_players::{LoadedGame, WithPlayers, run_with_players};
use crate::{Verdict, memory, terminal, text};

/// Lets a player think about a position, and shows what it found: moves with their values, the line
/// it expects, its speed
#[derive(Args)]
#[command(after_help = "Examples:
  paidia analyse connect-four --seconds 5
  paidia analyse connect-four --after '(drop 4) noop'     a position after some moves, as everywhere
  paidia analyse othello --player uct --simulations 1000 --json")]
pub(crate) struct Analyse {
    #[command(flatten)]
    game: GameChoice,

    /// The player that thinks, written `name(key=value, ...)`
    #[arg(long, value_name = "PLAYER", default_value = "paidia")]
    player: String,

    /// The role to think for; the first with a choice if nothing is said
    #[arg(long = "as", value_name = "ROLE")]
    role: Option<String>,

    #[command(flatten)]
    thinking: Thinking,

    #[command(flatten)]
    engine: EngineChoice,

    #[command(flatten)]
    remote: RemoteOptions,

    #[command(flatten)]
    start: Start,

    /// Where the random choices come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    game: String,
    #[serde(flatten)]
    engine: EngineReport,
    seed: u64,
    role: String,
    player: String,
    /// The best first.
    moves: Vec<MoveLine>,
    /// The joint moves that are expected.
    line: Vec<Vec<String>>,
    /// For each role its certain result, if the position is solved.
    proven: Option<Vec<i32>>,
    stopped: &'static str,
    simulations: u64,
    playouts: u64,
    states: u64,
    nodes: usize,
    wall_s: f64,
    cpu_s: f64,
    simulations_per_cpu_s: f64,
    /// Of those that were made here.
    playouts_per_cpu_s: f64,
    /// What part of the time was spent on what, by samples.
    shares: BTreeMap<&'static str, f64>,
    peak_memory: Option<u64>,
    /// What workers elsewhere did.
    workers: Vec<HelperReport>,
}

#[derive(Serialize)]
struct MoveLine {
    name: String,
    value: f64,
    visits: u64,
    proven: Option<i32>,
}

/// What it took, here and elsewhere.
struct Effort {
    /// CPU seconds of this process.
    cpu: f64,
    workers: Vec<HelperReport>,
}

impl WithPlayers for Analyse {
    fn run_on<G: Game + Legible>(
        &self,
        out: &mut dyn Write,
        loaded: &LoadedGame<'_, G>,
    ) -> anyhow::Result<Verdict> {
        let game = &loaded.playable.game;
        let state = self.start.state(game)?;
        let role = self.role(game, &state)?;
        let spec: PlayerSpec = self.player.parse().context("in --player")?;
        let mut player = loaded
            .playable
            .search(&spec, role, self.seed)
            .context("in --player")?;
        let cpu = ProcessTime::now();
        let interrupt = on_interrupt("the search ends, and the report follows")?;
        let decision = player.choose_until(&state, self.thinking.budget(), &interrupt);
        let effort = Effort {
            cpu: cpu.elapsed().as_secs_f64(),
            workers: loaded.helpers.report(),
        };
        let report = self.report(loaded, role, &decision, effort);
        if self.json {
            write_json(out, &report)?;
        } else {
            let stage = Stage::new(loaded.rules, game);
            stage.write_title(out, loaded.rules)?;
            stage.write_state(out, &state)?;
            write_report(out, &report)?;
            loaded.helpers.write(out)?;
        }
        Ok(match interrupt.load(Ordering::Relaxed) {
            true => Verdict::Interrupted,
            false => Verdict::Yes,
        })
    }
}

impl Analyse {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        self.player.parse::<PlayerSpec>().context("in --player")?;
        let rules = self.game.find()?;
        self.start.check(&rules)?;
        run_with_players(self, out, &rules, &self.engine, &self.remote)
    }

    /// The role to think for.
    fn role<G: Game + Legible>(&self, game: &G, state: &G::State) -> anyhow::Result<RoleId> {
        let mut walker = game.walker();
        walker.jump(state);
        if walker.is_terminal() {
            bail!("the game is over in this position; there is nothing to think about");
        }
        let facts = game.facts();
        match &self.role {
            Some(name) => facts
                .role(name)
                .with_context(|| format!("there is no role `{name}`: {}", facts.roles.join(", "))),
            None => {
                let legal = walker.legal();
                let chooses = |role: &RoleId| legal.of(*role).len() > 1;
                let first = facts.players().find(chooses).or(facts.players().next());
                first.context("no role plays this game")
            }
        }
    }

    fn report<G: Game + Legible>(
        &self,
        loaded: &LoadedGame<'_, G>,
        role: RoleId,
        decision: &Decision,
        Effort { cpu, workers }: Effort,
    ) -> Report {
        let game = &loaded.playable.game;
        let name = |id: MoveId| game.moves().name(id).to_string();
        let found = &decision.report;
        let line = |made: &MoveReport| MoveLine {
            name: name(made.id),
            value: made.value,
            visits: made.visits,
            proven: made.proven,
        };
        let elsewhere: u64 = workers.iter().map(|worker| worker.playouts).sum();
        let rate = |count: u64| if cpu > 0.0 { count as f64 / cpu } else { 0.0 };
        Report {
            game: loaded.rules.name().to_owned(),
            engine: loaded.engine.clone(),
            seed: self.seed,
            role: game.facts().role_name(role).to_owned(),
            player: self.player.clone(),
            moves: found.moves.iter().map(line).collect(),
            line: found
                .line
                .iter()
                .map(|joint| joint.iter().map(|&id| name(id)).collect())
                .collect(),
            proven: found.proven.clone(),
            stopped: found.stopped.name(),
            simulations: found.simulations,
            playouts: found.playouts,
            states: found.states,
            nodes: found.nodes,
            wall_s: found.time.as_secs_f64(),
            cpu_s: cpu,
            simulations_per_cpu_s: rate(found.simulations),
            playouts_per_cpu_s: rate(found.playouts.saturating_sub(elsewhere)),
            shares: found
                .costs
                .shares()
                .map(|(part, share)| (part.name(), share))
                .collect(),
            peak_memory: memory::peak(),
            workers,
        }
    }
}

/// Moves that are listed for people.
const LISTED: usize = 12;

fn write_report(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    writeln!(out, "{} thinks for {}:", report.player, report.role)?;
    let widest = report.moves.iter().take(LISTED).map(|made| made.name.len());
    let width = widest.max().unwrap_or(0);
    for (place, made) in report.moves.iter().take(LISTED).enumerate() {
        let value = match made.proven {
            Some(goal) => format!("certain {goal}"),
            None if made.visits == 0 => "not tried".to_owned(),
            None => format!("{:.1}", made.value),
        };
        let style = if place == 0 {
            strong
        } else {
            anstyle::Style::new()
        };
        let visits = text::grouped(made.visits.into());
        writeln!(
            out,
            "  {style}{:width$}  {value:>11}{style:#}  {faint}{visits:>12} visits{faint:#}",
            made.name
        )?;
    }
    if report.moves.len() > LISTED {
        let more = report.moves.len() - LISTED;
        writeln!(
            out,
            "  {faint}and {}{faint:#}",
            text::count(more as u128, "other move")
        )?;
    }
    let line: Vec<String> = report
        .line
        .iter()
        .take(12)
        .map(|joint| telling(joint))
        .collect();
    if !line.is_empty() {
        writeln!(out, "It expects: {}", line.join(", "))?;
    }
    writeln!(
        out,
        "{} simulations with {} playouts in {:.2} s, {} playouts a CPU second; {} states in the tree; stopped: {}.",
        text::grouped(report.simulations.into()),
        text::grouped(report.playouts.into()),
        report.wall_s,
        text::grouped(report.playouts_per_cpu_s as u128),
        text::grouped(report.nodes as u128),
        report.stopped
    )?;
    if !report.shares.is_empty() {
        let shares = report.shares.iter().map(|(part, share)| (*part, *share));
        writeln!(out, "Time by samples: {}.", text::shares(shares))?;
    }
    Ok(())
}

/// The part of a joint move that says something.
fn telling(joint: &[String]) -> String {
    let parts: Vec<&str> = joint
        .iter()
        .map(String::as_str)
        .filter(|&name| name != "noop")
        .collect();
    match &parts[..] {
        [] => "noop".to_owned(),
        parts => parts.join(" with "),
    }
}
