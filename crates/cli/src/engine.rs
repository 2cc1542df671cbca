//! The options with which an engine is asked for, and from there to a game: `paidia_arena::engine`
//! does the work.

use std::ffi::OsStr;
use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use paidia_arena::contest::ContestGame;
use paidia_arena::engine::{
    self, BadEngine, ENGINES, Engine, EngineError, EngineReport, EngineSettings, EngineSpec,
    Loaded, Purpose,
};
use paidia_arena::options::{Described, Entry};
use paidia_arena::rules::Ruleset;
use paidia_game::AnyGame;
use paidia_gdl::grounding::Budget;
use paidia_reason::propnet::{LoadNetworkError, PASSES};

use crate::text::nearest;

/// The options that every command with an engine has.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct EngineChoice {
    /// The engine that works out what the rules say, written `name` or `name(option=value, ...)`
    #[arg(
        long,
        default_value = "auto",
        value_name = "ENGINE",
        value_parser = EngineParser,
        long_help = engine_help()
    )]
    pub(crate) engine: EngineSpec,

    #[command(flatten)]
    pub(crate) network: NetworkOptions,
}

/// How networks are made.
#[derive(Clone, Debug, clap::Args)]
pub(crate) struct NetworkOptions {
    /// Make the network without this pass; may be repeated. `paidia info GAME --passes` lists them
    #[arg(long, value_name = "PASS", value_parser = pass_name)]
    pub(crate) without: Vec<String>,

    /// How many seconds it may take to make the rules a network
    #[arg(long, value_name = "S", default_value_t = Budget::default().time.as_secs_f64(), value_parser = seconds)]
    pub(crate) grounding_seconds: f64,
}

/// Reads a time in seconds that is neither negative nor absurd.
pub(crate) fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok();
    seconds
        .filter(|seconds| (0.0..=1e6).contains(seconds))
        .ok_or_else(|| "seconds are a number from 0 to 1000000".to_owned())
}

fn pass_name(written: &str) -> Result<String, String> {
    let names = || PASSES.iter().map(|pass| pass.name);
    if names().any(|name| name == written) {
        return Ok(written.to_owned());
    }
    let nearest = nearest(written, names());
    let hint = nearest.map_or(String::new(), |name| format!(", perhaps `{name}`?"));
    let names: Vec<&str> = names().collect();
    Err(format!("the passes are {}{hint}", names.join(", ")))
}

/// Reads an engine, and lists engines in the help.
#[derive(Clone)]
pub(crate) struct EngineParser;

impl TypedValueParser for EngineParser {
    type Value = EngineSpec;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<EngineSpec, clap::Error> {
        let read = |text: &str| text.parse::<EngineSpec>();
        read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(engines_to_name()))
    }
}

/// Engines with commas between them.
#[derive(Clone, Debug)]
pub(crate) struct EngineList(pub(crate) Vec<EngineSpec>);

/// Reads engines with commas between them.
#[derive(Clone)]
pub(crate) struct EngineListParser;

impl TypedValueParser for EngineListParser {
    type Value = EngineList;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<EngineList, clap::Error> {
        let read = |text: &str| {
            let engines = split_outside(text).into_iter().map(str::parse);
            engines.collect::<Result<_, BadEngine>>().map(EngineList)
        };
        read.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(engines_to_name()))
    }
}

/// The parts of a text between commas that are not in parentheses.
fn split_outside(text: &str) -> Vec<&str> {
    let mut depth = 0_i32;
    let is_end = |c: char| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        c == ',' && depth == 0
    };
    text.split(is_end).collect()
}

/// The engines with a line each.
fn engines_to_name() -> impl Iterator<Item = PossibleValue> {
    let value = |entry: &Entry<EngineSettings>| PossibleValue::new(entry.name).help(entry.what);
    ENGINES.iter().map(value)
}

/// The help for engines, with what can be set about each.
pub(crate) fn engine_help() -> String {
    let line = |option: Described| {
        let Described {
            name,
            what,
            wanted,
            default,
            ..
        } = option;
        format!("\n    {name}: {what} ({wanted}; default {default})")
    };
    let options = |entry: &Entry<EngineSettings>| {
        let lines: Vec<String> = entry.described().into_iter().map(line).collect();
        format!("\n  {}{}", entry.name, lines.concat())
    };
    // The passes of networks have a list of their own.
    let is_pass = |name: &str| PASSES.iter().any(|pass| pass.name == name);
    let own = |entry: &&Entry<EngineSettings>| entry.settings().any(|own| !is_pass(own.name));
    let engines: Vec<String> = ENGINES.iter().filter(own).map(options).collect();
    format!(
        "The engine that works out what the rules say, written `name` or `name(option=value, ...)`\n\n\
         Options, beside passes of networks (`--without`, or `propnet(factor=off)`):{}",
        engines.concat()
    )
}

/// Why there is no network, if that is why loading failed.
pub(crate) fn no_network(error: &anyhow::Error) -> Option<&LoadNetworkError> {
    error.chain().find_map(|cause| cause.downcast_ref())
}

/// Where contests of a game are played, by its bundled name or by the path of its rules.
pub(crate) fn table(engine: &EngineChoice, game: &str) -> anyhow::Result<Box<dyn ContestGame>> {
    Ok(engine.contest_table(&Ruleset::find(game)?)?.0)
}

impl EngineChoice {
    /// Where contests of a game are played, and the engine that was taken.
    pub(crate) fn contest_table(
        &self,
        rules: &Ruleset,
    ) -> anyhow::Result<(Box<dyn ContestGame>, String)> {
        if rules.is_real_time() {
            let game = engine::load_in_time(&self.engine, rules, None)?;
            let table = paidia_server::timed_contest_table(rules, game)?;
            return Ok((table, self.engine.to_string()));
        }
        let loaded = self.load_walking(rules)?;
        let table = paidia_server::contest_table(rules, &loaded, true)?;
        Ok((table, loaded.report.engine))
    }

    /// The same choice with another engine.
    pub(crate) fn with(&self, engine: Engine) -> Self {
        Self {
            engine: self.engine.with_engine(engine),
            ..self.clone()
        }
    }

    /// Loads rules.
    ///
    /// # Errors
    /// If the engine cannot run the rules; [`no_network`] tells where that is the reason.
    pub(crate) fn load(&self, rules: &Ruleset) -> Result<Loaded, EngineError> {
        self.load_for(rules, Purpose::Search)
    }

    /// Loads rules for a purpose.
    ///
    /// # Errors
    /// As [`Self::load`].
    pub(crate) fn load_for(
        &self,
        rules: &Ruleset,
        purpose: Purpose,
    ) -> Result<Loaded, EngineError> {
        let spec = self.network.applied_to(&self.engine);
        engine::load_for(&spec, rules, self.network.budget(), purpose)
    }

    /// Loads for a command that goes from state to state.
    ///
    /// # Errors
    /// As [`Self::load`], and if the engine only knows whole playouts.
    pub(crate) fn load_game(&self, rules: &Ruleset) -> anyhow::Result<(AnyGame, EngineReport)> {
        let loaded = self.load_walking_for(rules, Purpose::Walking)?;
        Ok((loaded.game()?, loaded.report))
    }

    /// Loads as [`Self::load`] does, unless the engine only knows whole playouts.
    ///
    /// # Errors
    /// As [`Self::load_game`].
    pub(crate) fn load_walking(&self, rules: &Ruleset) -> anyhow::Result<Loaded> {
        self.load_walking_for(rules, Purpose::Search)
    }

    fn load_walking_for(&self, rules: &Ruleset, purpose: Purpose) -> anyhow::Result<Loaded> {
        if matches!(self.engine.engine(), Engine::Batch | Engine::Gpu) {
            return Err(EngineError::WholePlayouts.into());
        }
        Ok(self.load_for(rules, purpose)?)
    }

    /// Loads as [`Self::load_game`] does, says whether machine code plays, and measures the chosen
    /// engine beside others if `auto` has not done so.
    ///
    /// # Errors
    /// As [`Self::load_game`].
    pub(crate) fn load_game_measured(
        &self,
        rules: &Ruleset,
    ) -> anyhow::Result<(AnyGame, EngineReport)> {
        let mut loaded = self.load_walking(rules)?;
        if self.engine.engine() == Engine::Auto {
            engine::measure(&mut loaded, rules);
        }
        loaded.report.native = loaded.machine.native_in_words();
        Ok((loaded.game()?, loaded.report))
    }
}

impl NetworkOptions {
    fn budget(&self) -> Budget {
        Budget {
            time: Duration::from_secs_f64(self.grounding_seconds),
            ..Budget::default()
        }
    }

    /// The engine without the passes that are left out, if it has them.
    pub(crate) fn applied_to(&self, engine: &EngineSpec) -> EngineSpec {
        let without = self.without.iter();
        without.fold(engine.clone(), |engine, pass| {
            engine.clone().with(pass, "off").unwrap_or(engine)
        })
    }
}
