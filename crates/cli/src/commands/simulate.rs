//! `paidia simulate`: random playouts, and what can be learnt from them.

mod show;

use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, ValueEnum};
use paidia_accel::{Decisive, Draws};
use paidia_arena::engine::{EngineReport, Loaded, Purpose};
use paidia_arena::rules::Ruleset;
use paidia_game::{Effort, Extent};
use serde::Serialize;

use super::write_json;
use crate::engine::{EngineChoice, seconds};
use crate::game_choice::GameChoice;
use crate::interrupt::on_interrupt;
use crate::measure::{Measured, measure};
use crate::position::Start;
use crate::realtime::{self, ClockChoice, ReadingChoice};
use crate::{Verdict, memory, terminal, text};

/// Plays at random: how fast, how long, who wins
#[derive(Args)]
#[command(after_help = "Examples:
  paidia simulate tic-tac-toe --show                   watch one random match
  paidia simulate connect-four --playouts 1000         exactly so many playouts
  paidia simulate chess --seconds 10 --seed 7          as many as fit into ten seconds
  paidia simulate othello --engine batch --threads 2   many playouts at a time, on two threads
  paidia simulate breakthrough --decisive both         playouts that win at once, and do not lose at once
  paidia simulate my-game.kif --after '(mark 2 2)'     from another position
  paidia simulate othello --json                       figures for programs

Every playout that was started is finished and counted, so that long ones are not left out. A seed gives the same playouts
with all engines but `batch`, others with that one, and others again with another number of threads.

Ctrl-C ends it with the playouts that are done. Exit code 1 means that the rules are faulty in every playout: a role has no
legal move, or no goal or several at the end.")]
pub(crate) struct Simulate {
    #[command(flatten)]
    game: GameChoice,

    #[command(flatten)]
    engine: EngineChoice,

    /// How many playouts
    #[arg(long, value_name = "N", conflicts_with = "seconds", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,

    /// Start playouts for this long; three seconds if nothing else is said
    #[arg(long, value_name = "S", default_value_t = 3.0, hide_default_value = true, value_parser = seconds)]
    seconds: f64,

    /// How many threads play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Where the random choices come from: the same seed gives the same playouts
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Cut a playout after N joint moves
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    step_limit: u32,

    /// Which moves playouts in batches draw from: those that win at once where there are some
    /// (`own`), and else those after which the opponent cannot (`both`)
    #[arg(long, value_name = "KIND", value_enum, default_value_t = DecisiveMoves::No)]
    decisive: DecisiveMoves,

    /// Draw moves in batches by weights, which are all the same here
    #[arg(long)]
    weighted: bool,

    #[command(flatten)]
    start: Start,

    #[command(flatten)]
    reading: ReadingChoice,

    #[command(flatten)]
    clock: ClockChoice,

    /// Show one random match, move by move
    #[arg(long, conflicts_with_all = ["json", "playouts", "seconds"])]
    show: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Which moves playouts draw from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum DecisiveMoves {
    No,
    Own,
    Both,
}

impl From<DecisiveMoves> for Decisive {
    fn from(moves: DecisiveMoves) -> Self {
        match moves {
            DecisiveMoves::No => Decisive::No,
            DecisiveMoves::Own => Decisive::Own,
            DecisiveMoves::Both => Decisive::Both,
        }
    }
}

#[derive(Serialize)]
struct Report {
    game: String,
    #[serde(flatten)]
    engine: EngineReport,
    seed: u64,
    threads: u16,
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
    /// Whether a GPU played; then CPU seconds are seconds of the clock.
    by_gpu: bool,
    /// Playouts that did not end within the step limit.
    cut: u64,
    /// Playouts that ended where a role had no legal move.
    stuck: u64,
    /// For each role, finished playouts in which it did not have exactly one goal.
    without_goal: Vec<u64>,
    fault: Option<String>,
    /// What else there is to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// The most memory that the program ever had, in bytes.
    peak_memory: Option<u64>,
}

/// From this number of playouts, or seconds, on `auto` plays in batches.
const MANY: u64 = 10_000;
const LONG: f64 = 0.5;

impl Simulate {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let rules = self.game.find()?;
        if rules.is_real_time() {
            return self.run_in_time(out, &rules);
        }
        self.reading.refuse()?;
        self.clock.refuse()?;
        if self.show {
            let (game, _) = self.engine.load_game(&rules)?;
            let start = self.start.state(&game)?;
            return show::show(out, &rules, &game, &start, self.seed, self.step_limit);
        }
        self.start.check(&rules)?;
        let loaded = self.engine.load_for(&rules, self.purpose())?;
        let interrupt = on_interrupt("stopping with the playouts that are done")?;
        let measured = measure(
            &loaded,
            &self.start,
            self.effort(),
            Draws {
                decisive: self.decisive.into(),
                is_weighted: self.weighted,
            },
            &interrupt,
        )?;
        let is_interrupted = interrupt.load(Ordering::Relaxed);
        let report = self.report(rules.name().to_owned(), &loaded, &measured);
        if self.json {
            write_json(out, &report)?;
        } else {
            write_report(out, &report)?;
        }
        Ok(match is_interrupted {
            true => Verdict::Interrupted,
            false => (report.fault.is_none() && !report.nothing_is_sound()).into(),
        })
    }

    /// Plays rules in real time at random, on one thread.
    fn run_in_time(&self, out: &mut dyn Write, rules: &Ruleset) -> anyhow::Result<Verdict> {
        if self.start.is_given() || self.threads > 1 {
            bail!("rules in real time are simulated from the beginning and on one thread");
        }
        let game = self.reading.load(&self.engine.engine, rules)?;
        let until = self.clock.until();
        if self.show {
            return realtime::show(out, rules, &game, until, self.seed);
        }
        let time = realtime::Extent::Seconds(self.seconds);
        let extent = self.playouts.map_or(time, realtime::Extent::Playouts);
        realtime::simulate(out, &game, until, self.seed, &extent, self.json)
    }

    /// A batch pays where there are many playouts.
    fn purpose(&self) -> Purpose {
        let is_long = self
            .playouts
            .map_or(self.seconds >= LONG, |playouts| playouts >= MANY);
        match is_long {
            true => Purpose::Playouts,
            false => Purpose::Search,
        }
    }

    fn effort(&self) -> Effort {
        let time = Extent::Time(Duration::from_secs_f64(self.seconds));
        Effort {
            extent: self.playouts.map_or(time, Extent::Playouts),
            threads: self.threads.into(),
            seed: self.seed,
            step_limit: self.step_limit,
        }
    }

    fn report(&self, game: String, loaded: &Loaded, measured: &Measured) -> Report {
        let (facts, figures) = (loaded.facts(), &measured.figures);
        let roles = || facts.role_ids();
        Report {
            game,
            engine: loaded.report.clone(),
            seed: self.seed,
            threads: self.threads,
            playouts: figures.playouts,
            states: figures.states,
            cpu_s: measured.cpu.as_secs_f64(),
            wall_s: measured.wall.as_secs_f64(),
            playouts_per_cpu_s: measured.rate(figures.playouts),
            states_per_cpu_s: measured.rate(figures.states),
            mean_length: figures.mean_length(),
            shortest: (figures.playouts > 0).then_some(figures.shortest),
            longest: figures.longest,
            roles: facts.roles.clone(),
            mean_goals: roles().map(|role| figures.mean_goal(role)).collect(),
            by_gpu: measured.by_gpu,
            note: measured.note.clone(),
            cut: figures.cut,
            stuck: figures.stuck,
            without_goal: roles().map(|role| figures.without_goal(role)).collect(),
            fault: figures.fault.map(|fault| fault.to_string()),
            peak_memory: memory::peak(),
        }
    }
}

impl Report {
    /// Whether nothing was played, or no playout ended as the rules of a game must let it: every
    /// one that was not cut ended where a role had no move, or where one had no goal or several.
    fn nothing_is_sound(&self) -> bool {
        let ended = self.playouts - self.cut;
        let finished = ended - self.stuck;
        let mut roles = self.roles.iter().zip(&self.without_goal);
        let is_faulty = |(role, &without): (&String, &u64)| role != "random" && without == finished;
        self.playouts == 0 || (ended > 0 && (finished == 0 || roles.any(is_faulty)))
    }
}

fn write_report(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    let Report { game, seed, .. } = report;
    let (engine, threads) = (
        report.engine.title(),
        text::count(report.threads.into(), "thread"),
    );
    writeln!(
        out,
        "{strong}{game}{strong:#} {faint}with {engine}, seed {seed}, {threads}{faint:#}"
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
    let clock = if report.by_gpu { "GPU" } else { "CPU" };
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
                "{:.2} s of {clock}, loading took {:.0} ms",
                report.cpu_s, report.engine.load_ms
            ),
        ),
        (
            "speed",
            format!(
                "{} playouts, {} states a {clock} second",
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
    warnings.extend(report.note.clone());
    warnings
}
