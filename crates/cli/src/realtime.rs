//! Commands on rules in real time, in which players move whenever they like.

mod corpus;
mod figures;
mod live;
mod shown;
mod stage;
mod written;

use anyhow::bail;
use clap::ValueEnum;
use paidia_arena::engine::{EngineSpec, load_in_time};
use paidia_arena::realtime::{USUAL_END, USUAL_REACTION};
use paidia_arena::rules::Ruleset;
use paidia_game::{Reading, Ticks};
use paidia_realtime::clock::Pace;
use paidia_reason::timed::Timed;

pub(crate) use corpus::TimedCorpus;
pub(crate) use figures::{Extent, info, simulate};
pub(crate) use live::{LiveMatch, Seat, play_match};
pub(crate) use shown::show;
pub(crate) use stage::TimedStage;
pub(crate) use written::{repeat, transcript};

/// How rules in real time are read.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct ReadingChoice {
    /// For rules in real time: from which state the end and the goals are read where facts expire;
    /// as the sheet says, or else event-first
    #[arg(long, value_enum, help_heading = "Rules in real time (rtGDL)")]
    reading: Option<ReadingName>,
}

/// The readings by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ReadingName {
    /// The state before the update with what expired, and if that is no end the state after it
    EventFirst,
    /// The state after the update with what expired
    PostUpdate,
}

impl ReadingChoice {
    /// Loads rules in real time.
    pub(crate) fn load(&self, engine: &EngineSpec, rules: &Ruleset) -> anyhow::Result<Timed> {
        let reading = self.reading.map(|name| match name {
            ReadingName::EventFirst => Reading::EventFirst,
            ReadingName::PostUpdate => Reading::PostUpdate,
        });
        Ok(load_in_time(engine, rules, reading)?)
    }

    /// Refuses what only rules in real time have.
    pub(crate) fn refuse(&self) -> anyhow::Result<()> {
        match self.reading {
            Some(_) => bail!("--reading goes with rules in real time, and these are in turns"),
            None => Ok(()),
        }
    }
}

/// How game time goes by.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct ClockChoice {
    /// Play on the real clock, with S seconds a unit of game time; else nothing waits
    #[arg(long, value_name = "S", value_parser = pace, help_heading = "Rules in real time (rtGDL)")]
    pace: Option<f64>,

    /// Stop at this game time; 1000 if nothing is said
    #[arg(long, value_name = "T", value_parser = units, help_heading = "Rules in real time (rtGDL)")]
    until: Option<f64>,

    /// The game time from a decision to the host where nothing waits; 0.01 if nothing is said
    #[arg(long, value_name = "T", value_parser = units, help_heading = "Rules in real time (rtGDL)")]
    reaction: Option<f64>,
}

fn pace(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok();
    seconds
        .filter(|seconds| (0.001..=10_000.0).contains(seconds))
        .ok_or_else(|| "a unit of game time takes from 0.001 to 10000 seconds".to_owned())
}

fn units(text: &str) -> Result<f64, String> {
    let units = text.parse().ok();
    units
        .filter(|units| (0.0..=1e9).contains(units))
        .ok_or_else(|| "game times are numbers from 0 to 1000000000".to_owned())
}

impl ClockChoice {
    /// How game time goes by, if it is on the real clock.
    pub(crate) fn pace(&self) -> Option<Pace> {
        self.pace.map(|seconds| Pace { seconds })
    }

    /// Until what game time a match is played.
    pub(crate) fn until(&self) -> Ticks {
        Ticks::from_units(self.until.unwrap_or(USUAL_END))
    }

    /// How long it takes from a decision to the host on the virtual clock.
    pub(crate) fn reaction(&self) -> Ticks {
        Ticks::from_units(self.reaction.unwrap_or(USUAL_REACTION))
    }

    /// Refuses what only rules in real time have.
    pub(crate) fn refuse(&self) -> anyhow::Result<()> {
        if self.pace.is_some() || self.until.is_some() || self.reaction.is_some() {
            bail!(
                "--pace, --until and --reaction go with rules in real time, and these are in turns"
            );
        }
        Ok(())
    }
}

/// How long a unit of game time takes where people play.
pub(crate) fn usual_pace(rules: &Ruleset) -> Pace {
    let milliseconds = rules.metadata().and_then(|facts| facts.unit_milliseconds);
    Pace {
        seconds: f64::from(milliseconds.unwrap_or(1_000)) / 1_000.0,
    }
}
