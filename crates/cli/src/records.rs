//! Records of matches, checked with an engine.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, bail};
use paidia_arena::engine::load_in_time;
use paidia_arena::realtime::verify_in_time;
use paidia_arena::record::{Difference, MatchRecord, verify};
use paidia_arena::rules::Ruleset;
use paidia_game::{AnyGame, Reading};
use paidia_realtime::TimedRecord;
use serde::Serialize;

use crate::commands::write_json;
use crate::engine::EngineChoice;
use crate::{Verdict, terminal, text};

/// How many differences of a record are shown.
const SHOWN: usize = 5;

/// Reads a record from a file.
pub(crate) fn read(path: &Path) -> anyhow::Result<MatchRecord> {
    MatchRecord::read(path).with_context(|| format!("in {}", path.display()))
}

/// What checking some records gave.
#[derive(Default, Serialize)]
struct Checks {
    checked: usize,
    /// Joint moves of all of them.
    steps: usize,
    replaced: Vec<Replaced>,
    differing: Vec<Differing>,
    /// Records that could not be checked.
    unread: Vec<Unread>,
}

/// A record that could not be read or played.
#[derive(Serialize)]
struct Unread {
    record: String,
    error: String,
}

/// A move that the host made for a player, or something else that went wrong with it.
#[derive(Serialize)]
struct Replaced {
    record: String,
    /// The number of the joint move; 0 is the start.
    step: usize,
    role: String,
    player: Option<String>,
    /// As records have it: `TO`, late; `CE`, not reached; `IL` and the illegal move.
    error: String,
    /// The move that was made.
    made: Option<String>,
}

/// A record that differs from what the engine sees.
#[derive(Serialize)]
struct Differing {
    record: String,
    differences: Vec<Difference>,
}

/// Checks records with the rules that they have or name, and keeps the games that it loaded.
pub(crate) struct Checker<'a> {
    engine: &'a EngineChoice,
    /// The game of records that do not tell it.
    game: Option<&'a str>,
    games: BTreeMap<String, AnyGame>,
    checks: Checks,
}

impl<'a> Checker<'a> {
    pub(crate) fn new(engine: &'a EngineChoice, game: Option<&'a str>) -> Self {
        Self {
            engine,
            game,
            games: BTreeMap::new(),
            checks: Checks::default(),
        }
    }

    /// Plays a record again.
    pub(crate) fn check(&mut self, name: &str, record: &MatchRecord) -> anyhow::Result<()> {
        let rules = self.rules(record).with_context(|| format!("in {name}"))?;
        if let Some(timed) = &record.real_time {
            return self.check_in_time(name, &rules, timed);
        }
        let game = match self.games.entry(rules.source().text.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.engine.load_game(&rules)?.0),
        };
        let differences = verify(game, record);
        self.checks.checked += 1;
        self.checks.steps += record.moves.len();
        self.checks.replaced.extend(replaced(name, record));
        if !differences.is_empty() {
            self.checks.differing.push(Differing {
                record: name.to_owned(),
                differences,
            });
        }
        Ok(())
    }

    /// Plays a record of a match in real time again.
    fn check_in_time(
        &mut self,
        name: &str,
        rules: &Ruleset,
        timed: &TimedRecord,
    ) -> anyhow::Result<()> {
        let reading = Reading::by_name(&timed.reading);
        let game = load_in_time(&self.engine.engine, rules, reading)?;
        let followed = verify_in_time(&game, timed);
        self.checks.checked += 1;
        self.checks.steps += timed.updates.len().saturating_sub(1);
        if let Err(why) = followed {
            self.checks.differing.push(Differing {
                record: name.to_owned(),
                differences: vec![Difference {
                    step: 0,
                    what: why,
                    recorded: Vec::new(),
                    engine: Vec::new(),
                }],
            });
        }
        Ok(())
    }

    /// Notes that a record could not be checked; the others are.
    pub(crate) fn note_unread(&mut self, name: &str, error: &anyhow::Error) {
        self.checks.unread.push(Unread {
            record: name.to_owned(),
            error: text::error_in_words(error),
        });
    }

    /// Tells what came of all of them, and whether they are as the engine sees them.
    pub(crate) fn report(&self, out: &mut dyn Write, json: bool) -> anyhow::Result<Verdict> {
        self.checks.report(out, json)
    }

    fn rules(&self, record: &MatchRecord) -> anyhow::Result<Ruleset> {
        if let Some(game) = self.game {
            return Ok(Ruleset::find(game)?);
        }
        let name = record.game_name.as_deref();
        if let Some(rules) = &record.game_rulesheet {
            return Ok(Ruleset::from_text(name.unwrap_or("game"), rules)?);
        }
        // Only bundled games: a name in a stranger's record opens no file of ours.
        let bundled = name.filter(|name| paidia_library::find(name).is_ok());
        match bundled {
            Some(name) => Ok(Ruleset::find(name)?),
            None => bail!("the record has no rules and names no bundled game; give --game"),
        }
    }
}

/// What went wrong by the record's own account.
fn replaced(name: &str, record: &MatchRecord) -> Vec<Replaced> {
    let mut found = Vec::new();
    for (step, errors) in record.errors.iter().enumerate() {
        let made = step.checked_sub(1).and_then(|step| record.moves.get(step));
        let those = errors.iter().enumerate();
        for (place, error) in those.filter(|(_, error)| !error.is_empty()) {
            let roles = record.game_role_names.as_ref();
            let role = roles.and_then(|roles| roles.get(place)).cloned();
            let player = record.player_names_from_host.get(place);
            found.push(Replaced {
                record: name.to_owned(),
                step,
                role: role.unwrap_or_else(|| format!("role {}", place + 1)),
                player: player.cloned().flatten(),
                error: error.clone(),
                made: made.and_then(|made| made.get(place)).cloned(),
            });
        }
    }
    found
}

impl Checks {
    /// Tells what was found, and whether all records are as the engine sees them.
    fn report(&self, out: &mut dyn Write, json: bool) -> anyhow::Result<Verdict> {
        if json {
            write_json(out, self)?;
        } else {
            self.write(out)?;
        }
        Ok(match self.unread.is_empty() {
            // Records without any move show nothing.
            true => (self.differing.is_empty() && self.steps > 0).into(),
            false => Verdict::Incomplete,
        })
    }

    fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        for replaced in &self.replaced {
            replaced.write(out)?;
        }
        for differing in &self.differing {
            differing.write(out)?;
        }
        for Unread { record, error } in &self.unread {
            let bad = terminal::BAD;
            // Errors name the file where they are about it alone.
            let place = match error.contains(record.as_str()) {
                true => String::new(),
                false => format!("{record}: "),
            };
            writeln!(out, "{bad}not checked{bad:#}: {place}{error}")?;
        }
        let checked = text::count(self.checked as u128, "record");
        let steps = text::count(self.steps as u128, "joint move");
        let (good, bad) = (terminal::GOOD, terminal::BAD);
        match self.differing.len() {
            0 if self.checked == 0 => writeln!(out, "{bad}no record was checked{bad:#}")?,
            0 => writeln!(
                out,
                "{checked} of {steps}, {good}all as the engine sees them{good:#}"
            )?,
            differing => writeln!(
                out,
                "{checked} of {steps}, {bad}of which {differing} differ{bad:#}"
            )?,
        }
        Ok(())
    }
}

impl Replaced {
    fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let faint = terminal::FAINT;
        let when = match self.step {
            0 => "at the start".to_owned(),
            step => format!("move {step}"),
        };
        let player = self.player.as_deref();
        let player = player.map_or(String::new(), |player| format!(" ({player})"));
        let made = self.made.as_deref();
        let made = made.map_or(String::new(), |made| format!(", {made} was made instead"));
        Ok(writeln!(
            out,
            "{faint}{}{faint:#} {when}, {}{player}: {}{made}",
            self.record, self.role, self.error
        )?)
    }
}

impl Differing {
    fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let bad = terminal::BAD;
        writeln!(out, "{bad}{}{bad:#} differs:", self.record)?;
        for difference in self.differences.iter().take(SHOWN) {
            let after = text::count(difference.step as u128, "move");
            writeln!(out, "  after {after}: {}", difference.what)?;
            let recorded = text::wrapped(&difference.recorded, 110, 19);
            writeln!(out, "    only recorded: {recorded}")?;
            let engine = text::wrapped(&difference.engine, 110, 19);
            writeln!(out, "    only engine:   {engine}")?;
        }
        match self.differences.len().saturating_sub(SHOWN) {
            0 => Ok(()),
            more => Ok(writeln!(out, "  and {more} more")?),
        }
    }
}
