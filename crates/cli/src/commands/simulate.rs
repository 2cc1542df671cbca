//! `paidia simulate`: random playouts, and what can be learnt from them.

mod show;

use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use cpu_time::ProcessTime;
use paidia_game::{AnyGame, AnyState, Chance, Figures, Game, PlayoutRunner, RoleId};
use serde::Serialize;

use super::write_json;
use crate::engine::{EngineChoice, Loaded};
use crate::position::Start;
use crate::rules::GameText;
use crate::terminal::Progress;
use crate::{Verdict, terminal, text};

/// Plays at random: how fast, how long, who wins
#[derive(Args)]
#[command(after_help = "Examples:
  paidia simulate tic-tac-toe --show                   watch one random match
  paidia simulate connect-four --playouts 1000         exactly so many playouts
  paidia simulate chess --seconds 10 --seed 7          as many as fit into ten seconds
  paidia simulate my-game.kif --after '(mark 2 2)'     from another position
  paidia simulate othello --json                       figures for programs

Every playout that was started is finished and counted, so that long ones are not left out.")]
pub(crate) struct Simulate {
    /// A bundled game or a rule file
    game: String,

    #[command(flatten)]
    engine: EngineChoice,

    /// How many playouts
    #[arg(long, value_name = "N", conflicts_with = "seconds")]
    playouts: Option<u64>,

    /// Start playouts for this long; three seconds if nothing else is said
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,

    /// Where the random choices come from: the same seed gives the same playouts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Cut a playout after so many joint moves
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    step_limit: u32,

    #[command(flatten)]
    start: Start,

    /// Show one random match, move by move
    #[arg(long, conflicts_with_all = ["json", "playouts", "seconds"])]
    show: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How long to play if nothing is said.
const DEFAULT_SECONDS: f64 = 3.0;

#[derive(Serialize)]
struct Report {
    game: String,
    engine: &'static str,
    seed: u64,
    load_ms: f64,
    playouts: u64,
    states: u64,
    cpu_s: f64,
    wall_s: f64,
    playouts_per_cpu_s: Option<f64>,
    states_per_cpu_s: Option<f64>,
    mean_length: Option<f64>,
    shortest: Option<u32>,
    longest: u32,
    roles: Vec<String>,
    mean_goals: Vec<Option<f64>>,
    /// Playouts that did not end within the step limit.
    cut: u64,
    /// Playouts that ended where a role had no legal move.
    stuck: u64,
    /// For each role, finished playouts in which it did not have exactly one goal.
    without_goal: Vec<u64>,
    fault: Option<String>,
}

impl Simulate {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if self
            .seconds
            .is_some_and(|seconds| !(0.0..=1e6).contains(&seconds))
        {
            bail!("--seconds takes a number from 0 to 1000000");
        }
        let text = GameText::find(&self.game)?;
        let loaded = self.engine.engine.load(&text)?;
        let start = self.start.state(&loaded.game)?;
        if self.show {
            return show::show(out, &text, &loaded.game, &start, self.seed, self.step_limit);
        }
        let report = self.measure(&text.name, &loaded, start);
        if self.json {
            write_json(out, &report)?;
        } else {
            write_report(out, &report)?;
        }
        Ok(report.fault.is_none().into())
    }

    fn measure(&self, name: &str, loaded: &Loaded, start: AnyState) -> Report {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        let figures = self.play(&loaded.game, start);
        let cpu_s = cpu.elapsed().as_secs_f64();
        let rate = |count: u64| (cpu_s > 0.0).then(|| count as f64 / cpu_s);
        let facts = loaded.game.facts();
        let by_role = |value: &dyn Fn(RoleId) -> Option<f64>| facts.role_ids().map(value).collect();
        Report {
            game: name.to_owned(),
            engine: self.engine.engine.name(),
            seed: self.seed,
            load_ms: loaded.load_time.as_secs_f64() * 1000.0,
            playouts: figures.playouts,
            states: figures.states,
            cpu_s,
            wall_s: wall.elapsed().as_secs_f64(),
            playouts_per_cpu_s: rate(figures.playouts),
            states_per_cpu_s: rate(figures.states),
            mean_length: figures.mean_length(),
            shortest: (figures.playouts > 0).then_some(figures.shortest),
            longest: figures.longest,
            roles: facts.roles.clone(),
            mean_goals: by_role(&|role| figures.mean_goal(role)),
            cut: figures.cut,
            stuck: figures.stuck,
            without_goal: facts
                .role_ids()
                .map(|role| figures.without_goal(role))
                .collect(),
            fault: figures.fault.map(|fault| fault.to_string()),
        }
    }

    /// Plays until there are enough playouts, the time is up, or the engine ran into a limit.
    fn play(&self, game: &AnyGame, start: AnyState) -> Figures {
        let mut runner = PlayoutRunner::new(game, start, self.step_limit);
        let mut chance = Chance::from_seed(self.seed);
        let mut progress = Progress::new(self.playouts, "playouts");
        let time = Duration::from_secs_f64(self.seconds.unwrap_or(DEFAULT_SECONDS));
        let started = Instant::now();
        loop {
            let figures = runner.figures();
            let enough = match self.playouts {
                Some(playouts) => figures.playouts >= playouts,
                None => figures.playouts > 0 && started.elapsed() >= time,
            };
            if enough || figures.fault.is_some() {
                return figures.clone();
            }
            progress.set(figures.playouts);
            runner.run(&mut chance);
        }
    }
}

fn write_report(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    let Report {
        game, engine, seed, ..
    } = report;
    writeln!(
        out,
        "{strong}{game}{strong:#} {faint}with the {engine} engine, seed {seed}{faint:#}"
    )?;
    let rate = |rate: Option<f64>| rate.map_or("?".to_owned(), text::rounded);
    let goals = report.roles.iter().zip(&report.mean_goals);
    let goals: Vec<String> = goals
        .map(|(role, goal)| {
            format!(
                "{role} {}",
                goal.map_or("-".to_owned(), |goal| format!("{goal:.1}"))
            )
        })
        .collect();
    let length = report
        .mean_length
        .map_or("-".to_owned(), |length| format!("{length:.1}"));
    let range = report.shortest.map_or(String::new(), |shortest| {
        format!(" ({shortest} to {})", report.longest)
    });
    let rows = [
        ("playouts", text::grouped(report.playouts.into())),
        (
            "states",
            format!("{} joint moves made", text::grouped(report.states.into())),
        ),
        ("mean length", format!("{length}{range}")),
        ("mean goals", goals.join(", ")),
        (
            "time",
            format!(
                "{:.2} s of CPU, loading took {:.0} ms",
                report.cpu_s, report.load_ms
            ),
        ),
        (
            "speed",
            format!(
                "{} playouts, {} states a CPU second",
                rate(report.playouts_per_cpu_s),
                rate(report.states_per_cpu_s)
            ),
        ),
    ];
    for (what, value) in rows {
        writeln!(out, "  {what:12} {value}")?;
    }
    warnings(report).iter().try_for_each(|warning| {
        let bad = terminal::BAD;
        writeln!(out, "  {bad}warning{bad:#}      {warning}")
    })?;
    Ok(())
}

fn warnings(report: &Report) -> Vec<String> {
    let mut warnings = Vec::new();
    if report.cut > 0 {
        let cut = text::count(report.cut.into(), "playout");
        warnings.push(format!(
            "{cut} did not end within the step limit (--step-limit)"
        ));
    }
    if report.stuck > 0 {
        let stuck = text::count(report.stuck.into(), "playout");
        warnings.push(format!(
            "{stuck} ended where a role had no legal move: the rules are faulty"
        ));
    }
    for (role, &missing) in report.roles.iter().zip(&report.without_goal) {
        // Rules need not say what chance wins.
        if missing > 0 && role != "random" {
            let missing = text::count(missing.into(), "playout");
            warnings.push(format!(
                "{role} did not have exactly one goal at the end of {missing}: the rules are faulty"
            ));
        }
    }
    warnings.extend(report.fault.clone());
    warnings
}
