//! `paidia players`: the players of the catalogue and their options.

use std::io::Write;

use clap::Args;
use paidia_arena::options::{Described, Entry};
use paidia_arena::{PLAYERS, PlayerSettings, PlayerSpec};
use paidia_realtime::players as realtime;
use serde::Serialize;

use super::write_json;
use crate::{Verdict, terminal};

/// Lists the players and what can be set about them
#[derive(Args)]
#[command(
    after_help = "A player is written `name(option=value, ...)`, for example `uct(exploration=30, choice=visits)`."
)]
pub(crate) struct Players {
    /// One player, with all its options; those that many players have are listed once otherwise
    name: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    players: Vec<PlayerReport>,
    /// Those of rules in real time.
    real_time: Vec<TimedPlayer>,
}

/// A player of rules in real time.
#[derive(Clone, Copy, Serialize)]
struct TimedPlayer {
    /// How it is written.
    form: &'static str,
    what: &'static str,
}

impl TimedPlayer {
    fn write(self, out: &mut dyn Write) -> anyhow::Result<()> {
        let strong = terminal::STRONG;
        Ok(writeln!(
            out,
            "{strong}{}{strong:#}\n    {}",
            self.form, self.what
        )?)
    }
}

#[derive(Serialize)]
struct PlayerReport {
    name: &'static str,
    what: &'static str,
    keys: Vec<Described>,
}

impl PlayerReport {
    fn new(entry: &Entry<PlayerSettings>) -> Self {
        Self {
            name: entry.name,
            what: entry.what,
            keys: entry.described(),
        }
    }
}

impl Players {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let timed = realtime::PLAYERS.map(|(form, what)| TimedPlayer { form, what });
        let (players, real_time) = match &self.name {
            None => (
                PLAYERS.iter().map(PlayerReport::new).collect(),
                timed.to_vec(),
            ),
            Some(name) => match (name.parse::<PlayerSpec>(), named(&timed, name)) {
                (Err(_), Some(player)) => (Vec::new(), vec![player]),
                (spec, _) => (vec![PlayerReport::new(spec?.entry())], Vec::new()),
            },
        };
        if self.json {
            write_json(out, &Report { players, real_time })?;
            return Ok(Verdict::Yes);
        }
        for (place, player) in players.iter().enumerate() {
            let mut before = players[..place].iter();
            let strong = terminal::STRONG;
            writeln!(out, "{strong}{:<12}{strong:#} {}", player.name, player.what)?;
            match before.find(|other| is_like(player, other)) {
                Some(other) => write_differences(out, player, other)?,
                None => write_options(out, player)?,
            }
        }
        if self.name.is_none() {
            writeln!(
                out,
                "\nPlayers of rules in real time; `paidia` is `search` there:"
            )?;
        }
        real_time.iter().try_for_each(|player| player.write(out))?;
        Ok(Verdict::Yes)
    }
}

/// The player of rules in real time with that name.
fn named(timed: &[TimedPlayer], name: &str) -> Option<TimedPlayer> {
    let mut timed = timed.iter();
    let found = timed.find(|player| player.form.split('(').next() == Some(name));
    found.copied()
}

/// Whether another player has all the options of a player, and there are some.
fn is_like(player: &PlayerReport, other: &PlayerReport) -> bool {
    let has = |option: &Described| {
        let mut options = other.keys.iter();
        options.any(|own| (own.name, own.what) == (option.name, option.what))
    };
    player.keys.len() > 1 && player.keys.iter().all(has)
}

fn write_options(out: &mut dyn Write, player: &PlayerReport) -> anyhow::Result<()> {
    let faint = terminal::FAINT;
    for option in &player.keys {
        let Described {
            name, what, wanted, ..
        } = option;
        let default = match option.default.as_str() {
            "" => String::new(),
            default => format!("; default {default}"),
        };
        writeln!(
            out,
            "    {name:<15} {what} {faint}({wanted}{default}){faint:#}"
        )?;
    }
    Ok(())
}

/// Tells where a player's defaults are not those of another with the same options.
fn write_differences(
    out: &mut dyn Write,
    player: &PlayerReport,
    other: &PlayerReport,
) -> anyhow::Result<()> {
    let differs = |option: &&Described| {
        let mut options = other.keys.iter();
        !options.any(|own| (own.name, &own.default) == (option.name, &option.default))
    };
    let written = |option: &Described| match option.default.as_str() {
        "" => format!("no {}", option.name),
        default => format!("{}={default}", option.name),
    };
    let differing = player.keys.iter().filter(differs).map(written);
    let differing: Vec<String> = differing.collect();
    writeln!(
        out,
        "    options of `{}`; defaults: {}",
        other.name,
        differing.join(", ")
    )?;
    Ok(())
}
