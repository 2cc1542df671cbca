//! `paidia matches`: recorded matches, listed, shown, exported and checked.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::record::MatchRecord;
use paidia_arena::store::{Archive, DATABASE, Database, FOLDER, MatchRow};
use paidia_server::database::SharedDatabase;
use serde::Serialize;

use super::write_json;
use crate::engine::EngineChoice;
use crate::records::{self, Checker};
use crate::{Verdict, terminal, text};

/// Lists recorded matches, shows one move by move, exports them, or checks them with an engine
#[derive(Args)]
#[command(after_help = "Examples:
  paidia match othello --record                         plays a match and writes it down
  paidia matches                                        what was recorded, the latest first
  paidia matches --in tournament-results --csv          the matches of tournaments as a table
  paidia matches paidia.othello.1789000000000           one match, move by move
  paidia matches --verify                               all recorded matches, repeated with an engine
  paidia matches --database postgres://me@db.local/games
                                                        those of a tournament that several machines play

Records are JSON files in the format of ggp-base and ggp.org; `paidia replay FILE.json` checks files, --verify what is listed here. The
rules with which a record is checked are those in it, or else the bundled game that it names, or else those of --game. Exit code 1
means that a record is not as the engine sees it.")]
pub(crate) struct Matches {
    /// Matches by the names in the list, or the paths of record files
    #[arg(value_name = "MATCH")]
    matches: Vec<String>,

    /// The folder of the records, with their database
    #[arg(long = "in", value_name = "DIR", default_value = FOLDER)]
    folder: PathBuf,

    /// The PostgreSQL database of the records, such as `postgres://user:password@host/database`
    #[arg(long, value_name = "URL", conflicts_with = "folder")]
    database: Option<String>,

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

impl Matches {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if self.verify {
            return self.verify(out);
        }
        if self.matches.is_empty() {
            self.list(out)?;
            return Ok(Verdict::Yes);
        }
        let found = self.matches.iter().map(|name| self.find(name));
        let found = found.collect::<anyhow::Result<Vec<_>>>()?;
        let (rows, records): (Vec<MatchRow>, Vec<MatchRecord>) = found.into_iter().unzip();
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

    /// Where the matches are.
    fn archive(&self) -> anyhow::Result<Box<dyn Archive>> {
        if let Some(address) = &self.database {
            return Ok(Box::new(SharedDatabase::open(address)?));
        }
        let path = self.folder.join(DATABASE);
        if !path.is_file() {
            bail!(
                "there is no {}: nothing was recorded there; --in names another folder",
                path.display()
            );
        }
        Ok(Box::new(Database::open(&path)?))
    }

    fn list(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let matches = self.archive()?.matches(None)?;
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

    /// The record of a match, and its row.
    fn find(&self, name: &str) -> anyhow::Result<(MatchRow, MatchRecord)> {
        let path = Path::new(name);
        if path.is_file() {
            let record = records::read(path)?;
            return Ok((MatchRow::new(&record, name), record));
        }
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            bail!("there is no file `{name}`");
        }
        let archive = self.archive()?;
        let row = archive.matches(Some(name))?.into_iter().next();
        let row = row.with_context(|| {
            format!("there is no match `{name}`; `paidia matches` lists those there are")
        })?;
        let record = archive.record(&row)?;
        Ok((row, record))
    }

    fn verify(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let mut checker = Checker::new(&self.engine, self.game.as_deref());
        for name in &self.matches {
            checker.check(name, &self.find(name)?.1)?;
        }
        if self.matches.is_empty() {
            let archive = self.archive()?;
            for row in archive.matches(None)? {
                checker.check(&row.id, &archive.record(&row)?)?;
            }
        }
        checker.report(out, self.json)
    }
}

/// The players with their goals.
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
