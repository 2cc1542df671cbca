//! `paidia matches`: recorded matches, listed, shown, exported and checked.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::record::{Difference, MatchRecord, verify};
use paidia_arena::store::{Database, MatchRow};
use paidia_game::AnyGame;
use serde::Serialize;

use super::write_json;
use crate::engine::EngineChoice;
use crate::recording::{DATABASE, FOLDER};
use crate::rules::GameText;
use crate::{Verdict, terminal, text};

/// Lists recorded matches, shows one move by move, exports them, or checks them with an engine
#[derive(Args)]
#[command(after_help = "Examples:
  paidia match othello --record                         plays a match and writes it down
  paidia matches                                        what was recorded, the latest first
  paidia matches --in tournament-results --csv          the matches of tournaments as a table
  paidia matches paidia.othello.1789000000000           one match, move by move
  paidia matches match.json --verify                    somebody's record, repeated with an engine
  paidia matches --verify                               all recorded matches, repeated

Records are JSON files in the format of ggp-base and ggp.org. The rules with which one is checked are those in the record, or
else the bundled game that it names, or else those of --game. Exit code 1 means that a record is not as the engine sees it.")]
pub(crate) struct Matches {
    /// Matches by the names in the list, or the paths of record files
    #[arg(value_name = "MATCH")]
    matches: Vec<String>,

    /// The folder of the records, with their database
    #[arg(long = "in", value_name = "DIR", default_value = FOLDER)]
    folder: PathBuf,

    /// Play the matches again with an engine and tell what differs
    #[arg(long)]
    verify: bool,

    /// The game of records that do not tell it
    #[arg(long, value_name = "GAME", requires = "verify")]
    game: Option<String>,

    #[command(flatten)]
    engine: EngineChoice,

    /// Print the list as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Print one JSON object: the list, or the records
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct List {
    matches: Vec<MatchRow>,
}

#[derive(Serialize)]
struct Records {
    records: Vec<MatchRecord>,
}

#[derive(Serialize)]
struct Verified {
    checked: usize,
    differing: Vec<Checked>,
}

/// A record that differs from what the engine sees.
#[derive(Serialize)]
struct Checked {
    record: String,
    differences: Vec<Difference>,
}

impl Matches {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if self.verify {
            return self.verify(out);
        }
        if self.matches.is_empty() {
            self.list(out)?;
            return Ok(Verdict::Yes);
        }
        let mut records = Vec::new();
        let mut rows = Vec::new();
        for name in &self.matches {
            let path = self.find(name)?;
            let record = read(&path)?;
            rows.push(MatchRow::new(&record, &path.display().to_string()));
            records.push(record);
        }
        if self.json {
            write_json(out, &Records { records })?;
        } else if self.csv {
            write_csv(out, &rows)?;
        } else {
            for record in &records {
                show(out, record)?;
            }
        }
        Ok(Verdict::Yes)
    }

    fn database(&self) -> anyhow::Result<Database> {
        let path = self.folder.join(DATABASE);
        if !path.is_file() {
            bail!(
                "there is no {}: nothing was recorded there; --in names another folder",
                path.display()
            );
        }
        Ok(Database::open(&path)?)
    }

    fn list(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let matches = self.database()?.matches(None)?;
        if self.json {
            return write_json(out, &List { matches });
        }
        if self.csv {
            return write_csv(out, &matches);
        }
        let (strong, faint) = (terminal::STRONG, terminal::FAINT);
        for row in matches {
            let ending = if row.completed { "" } else { ", not finished" };
            writeln!(
                out,
                "{strong}{}{strong:#}  {}  {}  {faint}{}{ending}{faint:#}",
                row.id,
                row.game,
                seats(&row.players, &row.goals),
                text::count(row.steps as u128, "move"),
            )?;
        }
        Ok(())
    }

    /// The file of a match.
    fn find(&self, name: &str) -> anyhow::Result<PathBuf> {
        let path = Path::new(name);
        if path.is_file() {
            return Ok(path.to_owned());
        }
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            bail!("there is no file `{name}`");
        }
        let row = self.database()?.matches(Some(name))?.into_iter().next();
        let row = row
            .with_context(|| format!("there is no match `{name}` in {}", self.folder.display()))?;
        Ok(self.folder.join(row.file))
    }

    fn verify(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let mut paths = Vec::new();
        for name in &self.matches {
            paths.push(self.find(name)?);
        }
        if self.matches.is_empty() {
            let rows = self.database()?.matches(None)?;
            paths.extend(rows.into_iter().map(|row| self.folder.join(row.file)));
        }
        let mut report = Verified {
            checked: paths.len(),
            differing: Vec::new(),
        };
        let mut games = BTreeMap::new();
        for path in paths {
            let differences = self.check(&path, &mut games)?;
            if !differences.is_empty() {
                report.differing.push(Checked {
                    record: path.display().to_string(),
                    differences,
                });
            }
        }
        let fine = report.differing.is_empty();
        if self.json {
            write_json(out, &report)?;
        } else {
            write_verified(out, &report)?;
        }
        Ok(fine.into())
    }

    /// Plays a record again with the rules that it has or names.
    fn check(
        &self,
        path: &Path,
        games: &mut BTreeMap<String, AnyGame>,
    ) -> anyhow::Result<Vec<Difference>> {
        let record = read(path)?;
        let text = self.rules(&record);
        let text = text.with_context(|| format!("in {}", path.display()))?;
        let game = match games.entry(text.source.text.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(self.engine.load_game(&text)?.0),
        };
        Ok(verify(game, &record))
    }

    fn rules(&self, record: &MatchRecord) -> anyhow::Result<GameText> {
        if let Some(game) = &self.game {
            return GameText::find(game);
        }
        let name = record.game_name.as_deref();
        if let Some(rules) = &record.game_rulesheet {
            return GameText::from_text(name.unwrap_or("game"), rules);
        }
        // Only bundled games: a name in a stranger's record opens no file of ours.
        let bundled = name.filter(|name| paidia_library::find(name).is_ok());
        match bundled {
            Some(name) => GameText::find(name),
            None => bail!("the record has no rules and names no bundled game; give --game"),
        }
    }
}

fn read(path: &Path) -> anyhow::Result<MatchRecord> {
    MatchRecord::read(path).with_context(|| format!("in {}", path.display()))
}

/// Who played, with what they got.
fn seats(players: &[String], goals: &[i32]) -> String {
    let seat = |(place, player): (usize, &String)| match goals.get(place) {
        Some(goal) => format!("{player} {goal}"),
        None => player.clone(),
    };
    let seats: Vec<String> = players.iter().enumerate().map(seat).collect();
    seats.join(", ")
}

fn write_csv(out: &mut dyn Write, rows: &[MatchRow]) -> anyhow::Result<()> {
    writeln!(out, "{}", MatchRow::CSV_HEAD)?;
    for row in rows {
        writeln!(out, "{}", row.csv())?;
    }
    Ok(())
}

/// A match, move by move.
fn show(out: &mut dyn Write, record: &MatchRecord) -> anyhow::Result<()> {
    let row = MatchRow::new(record, "");
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    writeln!(
        out,
        "{strong}{}{strong:#}: {}, {}",
        row.id,
        row.game,
        row.players.join(" v ")
    )?;
    for (step, moves) in record.moves.iter().enumerate() {
        let errors = record.errors.get(step + 1);
        let part = |(place, part): (usize, &String)| {
            let role = row.roles.get(place).map_or("", |role| role);
            let error = errors.and_then(|errors| errors.get(place));
            let error = error.filter(|error| !error.is_empty());
            let error = error.map_or(String::new(), |error| format!(" {faint}[{error}]{faint:#}"));
            format!("{role} {part}{error}").trim_start().to_owned()
        };
        let parts: Vec<String> = moves.iter().enumerate().map(part).collect();
        writeln!(out, "{:>4}. {}", step + 1, parts.join(", "))?;
    }
    let ending = if record.is_completed {
        format!("Over: {}.", seats(&row.players, &row.goals))
    } else {
        "Not finished.".to_owned()
    };
    Ok(writeln!(out, "{ending}")?)
}

fn write_verified(out: &mut dyn Write, report: &Verified) -> anyhow::Result<()> {
    for checked in &report.differing {
        let bad = terminal::BAD;
        writeln!(out, "{bad}{}{bad:#} differs:", checked.record)?;
        for difference in checked.differences.iter().take(5) {
            writeln!(
                out,
                "  after {}: {}",
                text::count(difference.step as u128, "move"),
                difference.what
            )?;
            let recorded = text::wrapped(&difference.recorded, 110, 19);
            writeln!(out, "    only recorded: {recorded}")?;
            let engine = text::wrapped(&difference.engine, 110, 19);
            writeln!(out, "    only engine:   {engine}")?;
        }
    }
    let checked = text::count(report.checked as u128, "record");
    match report.differing.len() {
        0 => writeln!(out, "{checked}, all as the engine sees them")?,
        differing => writeln!(out, "{checked}, of which {differing} differ")?,
    }
    Ok(())
}
