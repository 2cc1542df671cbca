//! What there is to say about rules in real time: facts, and how random play goes.

use std::io::Write;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use paidia_arena::rules::Ruleset;
use paidia_game::{Chance, Goal, Reading, Rules, Ticks, TimedGame, TimedWalker};
use paidia_realtime::playout::{Pastime, Playouts};
use paidia_reason::timed::Timed;
use serde::Serialize;

use super::stage::TimedStage;
use crate::commands::write_json;
use crate::{Verdict, terminal, text};

/// How much random play there is.
pub(crate) enum Extent {
    Playouts(u64),
    Seconds(f64),
}

/// What random play gave.
#[derive(Serialize)]
pub(crate) struct Figures {
    game: String,
    real_time: bool,
    reading: &'static str,
    engine: &'static str,
    seed: u64,
    playouts: u64,
    updates: u64,
    cpu_s: f64,
    updates_per_cpu_s: Option<f64>,
    mean_updates: Option<f64>,
    /// In units of game time.
    mean_time: Option<f64>,
    roles: Vec<String>,
    mean_goals: Vec<Option<f64>>,
    /// Playouts that the rules did not end in time.
    cut: u64,
    /// For each role, playouts that ended without exactly one goal.
    without_goal: Vec<u64>,
    fault: Option<String>,
}

/// Plays at random.
pub(crate) fn figures(game: &Timed, until: Ticks, seed: u64, extent: &Extent) -> Figures {
    let pastime = Pastime {
        until,
        ..Pastime::default()
    };
    let mut playouts = Playouts::new(game, pastime);
    let mut chance = Chance::from_seed(seed);
    let roles = game.facts().roles.clone();
    let (mut sums, mut counts) = (vec![0.0; roles.len()], vec![0_u64; roles.len()]);
    let (mut played, mut updates, mut time, mut cut) = (0, 0, 0.0, 0);
    let mut fault = None;
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    loop {
        let is_enough = match extent {
            Extent::Playouts(count) => played >= *count,
            Extent::Seconds(seconds) => wall.elapsed() >= Duration::from_secs_f64(*seconds),
        };
        if is_enough || fault.is_some() {
            break;
        }
        let playout = playouts.play(&mut chance);
        played += 1;
        updates += playout.updates;
        time += playout.time.units();
        cut += u64::from(!playout.is_over);
        for (role, goal) in playout.goals.iter().enumerate() {
            if let Goal::One(value) = goal {
                sums[role] += f64::from(*value);
                counts[role] += 1;
            }
        }
        fault = playouts.fault().map(|fault| fault.to_string());
    }
    let cpu_s = cpu.elapsed().as_secs_f64();
    let ended = played - cut;
    let mean = |sum: f64, count: u64| (count > 0).then(|| sum / count as f64);
    Figures {
        game: game.facts().name.clone(),
        real_time: true,
        reading: game.reading().name(),
        engine: game.core(),
        seed,
        playouts: played,
        updates,
        cpu_s,
        updates_per_cpu_s: (cpu_s > 0.0).then(|| updates as f64 / cpu_s),
        mean_updates: mean(updates as f64, played),
        mean_time: mean(time, played),
        mean_goals: sums
            .iter()
            .zip(&counts)
            .map(|(&sum, &n)| mean(sum, n))
            .collect(),
        without_goal: counts.iter().map(|&count| ended - count).collect(),
        roles,
        cut,
        fault,
    }
}

/// `paidia simulate` on rules in real time.
pub(crate) fn simulate(
    out: &mut dyn Write,
    game: &Timed,
    until: Ticks,
    seed: u64,
    extent: &Extent,
    json: bool,
) -> anyhow::Result<Verdict> {
    let figures = figures(game, until, seed, extent);
    let random = game.facts().random();
    let mut roles = game.facts().role_ids().zip(&figures.without_goal);
    let is_faulty = roles.any(|(role, &without)| Some(role) != random && without > 0);
    if json {
        write_json(out, &figures)?;
    } else {
        figures.write(out)?;
    }
    Ok((figures.fault.is_none() && figures.playouts > 0 && !is_faulty).into())
}

impl Figures {
    fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (strong, faint) = (terminal::STRONG, terminal::FAINT);
        writeln!(
            out,
            "{strong}{}{strong:#} {faint}in real time, {} engine, seed {}{faint:#}",
            self.game, self.engine, self.seed
        )?;
        let number = |value: Option<f64>| value.map_or("-".to_owned(), text::rounded);
        let goals = self.roles.iter().zip(&self.mean_goals);
        let goals = goals.map(|(role, &goal)| format!("{role} {}", number(goal)));
        let rows = [
            ("playouts", text::grouped(self.playouts.into())),
            ("updates", text::grouped(self.updates.into())),
            (
                "mean length",
                format!(
                    "{} units of time, {} updates",
                    number(self.mean_time),
                    number(self.mean_updates)
                ),
            ),
            ("mean goals", goals.collect::<Vec<_>>().join(", ")),
            ("time", format!("{:.2} s of CPU", self.cpu_s)),
            (
                "speed",
                format!("{} updates a CPU second", number(self.updates_per_cpu_s)),
            ),
        ];
        for (what, value) in rows {
            writeln!(out, "  {what:12} {value}")?;
        }
        let bad = terminal::BAD;
        if self.cut > 0 {
            let cut = text::count(self.cut.into(), "playout");
            writeln!(
                out,
                "  {bad}warning{bad:#}      {cut} did not end in time (--until)"
            )?;
        }
        for (role, &without) in self.roles.iter().zip(&self.without_goal) {
            if without > 0 && role != "random" {
                let without = text::count(without.into(), "playout");
                writeln!(
                    out,
                    "  {bad}warning{bad:#}      {role} did not have exactly one goal at the end of {without}"
                )?;
            }
        }
        match &self.fault {
            Some(fault) => Ok(writeln!(out, "  {bad}fault{bad:#}        {fault}")?),
            None => Ok(()),
        }
    }
}

/// What is known about a game in real time.
#[derive(Serialize)]
struct Facts {
    game: String,
    title: String,
    real_time: bool,
    dialect: &'static str,
    hidden: bool,
    roles: Vec<String>,
    reading: &'static str,
    engine: &'static str,
    state: Vec<(String, String)>,
    legal: Vec<Vec<String>>,
    terminal: bool,
    random_play: Figures,
}

/// `paidia info` on rules in real time.
pub(crate) fn info(
    out: &mut dyn Write,
    rules: &Ruleset,
    game: &Timed,
    playouts: u64,
    json: bool,
) -> anyhow::Result<Verdict> {
    let mut walker = game.walker();
    let names = |ids: &[paidia_game::MoveId]| {
        let names = ids.iter().map(|&id| game.moves().name(id).to_string());
        names.collect::<Vec<String>>()
    };
    let roles = game.facts().role_ids();
    let legal = roles.map(|role| names(walker.legal().of(role)));
    let legal: Vec<Vec<String>> = legal.collect();
    let facts = Facts {
        game: rules.name().to_owned(),
        title: rules.title().to_owned(),
        real_time: true,
        dialect: rules.language(),
        hidden: game.is_hidden(),
        roles: game.facts().roles.clone(),
        reading: game.reading().name(),
        engine: game.core(),
        state: paidia_realtime::record::written(&game.lasting(&game.initial())),
        legal,
        terminal: walker.is_terminal(),
        random_play: figures(
            game,
            Ticks::from_units(paidia_arena::realtime::USUAL_END),
            1,
            &Extent::Playouts(playouts),
        ),
    };
    if json {
        write_json(out, &facts)?;
        return Ok(Verdict::Yes);
    }
    facts.write(out)?;
    let stage = TimedStage::new(rules, game, terminal::colour_on_stdout());
    writeln!(out, "\nAt the start")?;
    stage.write_state(out, &game.initial())?;
    for (role, legal) in facts.roles.iter().zip(&facts.legal) {
        writeln!(out, "  {role}: {}", text::wrapped(legal, 100, 4))?;
    }
    Ok(Verdict::Yes)
}

impl Facts {
    fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (strong, faint) = (terminal::STRONG, terminal::FAINT);
        writeln!(
            out,
            "{strong}{}{strong:#} {faint}{}{faint:#}",
            self.title, self.game
        )?;
        let hidden = match self.hidden {
            true => "rtGDL-II: players are told percepts, not moves",
            false => "rtGDL: players are told all moves",
        };
        let reading = match self.reading == Reading::EventFirst.name() {
            true => "event-first: from the state before an update with what expired, else after it",
            false => "post-update: from the state after an update with what expired",
        };
        let number = |value: Option<f64>| value.map_or("-".to_owned(), text::rounded);
        let play = &self.random_play;
        let goals = play.roles.iter().zip(&play.mean_goals);
        let goals = goals.map(|(role, &goal)| format!("{role} {}", number(goal)));
        let goals = goals.collect::<Vec<_>>().join(", ");
        let rows = [
            ("time", "real: players move whenever they like".to_owned()),
            ("information", hidden.to_owned()),
            ("roles", self.roles.join(", ")),
            ("ends", reading.to_owned()),
            ("engine", self.engine.to_owned()),
            (
                "random play",
                format!(
                    "{} units of time, {} updates; {goals}",
                    number(play.mean_time),
                    number(play.mean_updates)
                ),
            ),
            (
                "speed",
                format!("{} updates a CPU second", number(play.updates_per_cpu_s)),
            ),
        ];
        for (what, value) in rows {
            writeln!(out, "  {what:12} {value}")?;
        }
        Ok(())
    }
}
