//! Truth about games with hidden information, in a folder with `index.json`, `games`, `data` and
//! `modelcheck`: compared game by game and item by item.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use paidia_arena::rules::{RulesError, Ruleset};
use paidia_game::AnyGame;
use paidia_imperfect::agreement::{Finding, Subject, formulas};
use paidia_imperfect::epistemic::Checker;
use paidia_imperfect::epistemic::check::{Derive, Underived};
use paidia_imperfect::epistemic::probe::Probe;
use paidia_imperfect::{Explorer, Limits};
use serde::Serialize;
use serde_json::Value;

use super::super::write_json;
use crate::engine::EngineChoice;
use crate::{Verdict, terminal, text, workers};

/// The largest file that is read, once unpacked.
const MOST_BYTES: u64 = 1 << 30;

/// What to compare.
pub(super) struct Hidden<'a> {
    pub(super) folder: &'a Path,
    pub(super) engine: &'a EngineChoice,
    pub(super) only: Option<&'a str>,
    pub(super) threads: Option<usize>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    engine: String,
    seconds: f64,
    items: Vec<Item>,
    error: Option<String>,
}

#[derive(Serialize)]
struct Item {
    what: String,
    compared: u64,
    differences: u64,
    first_difference: Option<String>,
    note: Option<String>,
}

#[derive(Serialize)]
struct Report {
    corpus: String,
    games: usize,
    compared: u64,
    differences: u64,
    errors: usize,
    results: Vec<Row>,
}

/// Whether a folder has this form.
pub(super) fn is_one(folder: &Path) -> bool {
    folder.join("index.json").is_file() && folder.join("data").is_dir()
}

impl Hidden<'_> {
    pub(super) fn run(&self, out: &mut dyn Write, json: bool) -> anyhow::Result<Verdict> {
        let names = self.names()?;
        let mut results = workers::map(&names, self.threads, "games", |name| self.check(name));
        let invalid = self.folder.join("invalid");
        if invalid.is_dir() && self.only.is_none() {
            results.push(refusals(&invalid)?);
        }
        let items = || results.iter().flat_map(|row| &row.items);
        let report = Report {
            corpus: self.folder.display().to_string(),
            games: names.len(),
            compared: items().map(|item| item.compared).sum(),
            differences: items().map(|item| item.differences).sum(),
            errors: results.iter().filter(|row| row.error.is_some()).count(),
            results,
        };
        match json {
            true => write_json(out, &report)?,
            false => write_table(out, &report)?,
        }
        Ok((report.differences == 0 && report.errors == 0).into())
    }

    /// The games of the index.
    fn names(&self) -> anyhow::Result<Vec<String>> {
        let path = self.folder.join("index.json");
        let index = read_json(&path)?.with_context(|| format!("there is no {}", path.display()))?;
        let games = index.as_array().into_iter().flatten();
        let names = games.filter_map(|game| game.get("game")?.as_str().map(str::to_owned));
        let plain = |name: &String| !name.contains(['/', '\\']) && !name.starts_with('.');
        let wanted = |name: &String| self.only.is_none_or(|only| name.contains(only));
        let names: Vec<String> = names.filter(plain).filter(wanted).collect();
        if names.is_empty() {
            bail!("{} names no such game", path.display());
        }
        Ok(names)
    }

    fn check(&self, name: &str) -> Row {
        let started = Instant::now();
        let mut row = Row {
            game: name.to_owned(),
            engine: self.engine.engine.to_string(),
            seconds: 0.0,
            items: Vec::new(),
            error: None,
        };
        if let Err(error) = self.check_game(name, &mut row) {
            row.error = Some(format!("{error:#}"));
        }
        row.seconds = started.elapsed().as_secs_f64();
        row
    }

    fn check_game(&self, name: &str, row: &mut Row) -> anyhow::Result<()> {
        let path = self.folder.join("games").join(format!("{name}.kif"));
        let rules = Ruleset::find(path.to_str().context("the path is not UTF-8")?)?;
        let (game, engine) = self.engine.load_game(&rules)?;
        row.engine = engine.engine;
        let mut items = |findings: Vec<Finding>| row.items.extend(findings.into_iter().map(item));
        let data = |kind: &str| read_json(&self.folder.join(format!("data/{name}.{kind}.json")));
        let mut subject = Subject::new(&game, Limits::default())?;
        let numbers = data("numbers")?;
        if let Some(truth) = &numbers {
            items(subject.numbers(truth)?);
        }
        if let Some(truth) = data("plays")? {
            items(subject.plays(&truth)?);
        }
        if let Some(truth) = data("beliefs")? {
            items(subject.beliefs(&truth)?);
        }
        if let Some(truth) = data("infosets")? {
            items(subject.all_sets(&truth)?);
        }
        drop(subject);
        self.check_formulas(name, &rules, &game, numbers.as_ref(), &mut items)
    }

    fn check_formulas(
        &self,
        name: &str,
        rules: &Ruleset,
        game: &AnyGame,
        numbers: Option<&Value>,
        items: &mut dyn FnMut(Vec<Finding>),
    ) -> anyhow::Result<()> {
        let mut checker = Checker::new(Explorer::new(game, Limits::default())?);
        with_derive(rules, game, |derive| {
            if let Some(truth) = numbers.filter(|truth| truth.get("properties").is_some()) {
                items(vec![formulas::properties(&mut checker, derive, truth)?]);
            }
            for kind in ["", ".random"] {
                let path = self.folder.join(format!("modelcheck/{name}{kind}.json"));
                if let Some(truth) = read_json(&path)? {
                    items(vec![formulas::formulas(&mut checker, derive, &truth)?]);
                }
            }
            Ok(())
        })
    }
}

/// Does something with what tells derived relations of a game.
pub(in crate::commands) fn with_derive<T>(
    rules: &Ruleset,
    game: &AnyGame,
    work: impl FnOnce(&mut dyn Derive<<AnyGame as paidia_game::Rules>::State>) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    match rules.gdl() {
        Ok(rules) => work(&mut Probe {
            game,
            sheet: &rules.sheet,
            dialect: rules.dialect,
        }),
        Err(_) => work(&mut Underived),
    }
}

fn item(finding: Finding) -> Item {
    Item {
        what: finding.what,
        compared: finding.compared,
        differences: finding.differences,
        first_difference: finding.first,
        note: finding.note,
    }
}

/// Sheets that must be refused.
fn refusals(folder: &Path) -> anyhow::Result<Row> {
    let started = Instant::now();
    let files =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths: Vec<PathBuf> = files
        .map(|file| Ok(file?.path()))
        .collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "kif"));
    paths.sort();
    let mut item = Item {
        what: "refused".to_owned(),
        compared: 0,
        differences: 0,
        first_difference: None,
        note: None,
    };
    for path in paths {
        let found = Ruleset::find(path.to_str().context("the path is not UTF-8")?);
        item.compared += 1;
        if !matches!(found, Err(RulesError::Invalid(_))) {
            item.differences += 1;
            item.first_difference
                .get_or_insert_with(|| path.display().to_string());
        }
    }
    Ok(Row {
        game: "invalid sheets".to_owned(),
        engine: String::new(),
        seconds: started.elapsed().as_secs_f64(),
        items: vec![item],
        error: None,
    })
}

/// The JSON in a file, plain or with `.gz` behind its name; none if there is no such file.
fn read_json(path: &Path) -> anyhow::Result<Option<Value>> {
    let mut packed = path.as_os_str().to_owned();
    packed.push(".gz");
    let packed = PathBuf::from(packed);
    let mut text = Vec::new();
    let read = |file: &mut dyn Read, text: &mut Vec<u8>| file.take(MOST_BYTES).read_to_end(text);
    let name = if path.is_file() {
        let mut file =
            std::fs::File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        read(&mut file, &mut text).with_context(|| format!("cannot read {}", path.display()))?;
        path
    } else if packed.is_file() {
        let file = std::fs::File::open(&packed)
            .with_context(|| format!("cannot read {}", packed.display()))?;
        let mut file = flate2::read::GzDecoder::new(file);
        read(&mut file, &mut text)
            .with_context(|| format!("cannot unpack {}", packed.display()))?;
        &packed
    } else {
        return Ok(None);
    };
    let value =
        serde_json::from_slice(&text).with_context(|| format!("{} is not JSON", name.display()))?;
    Ok(Some(value))
}

fn write_table(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    for row in &report.results {
        writeln!(
            out,
            "{}{}{:#} {}{} {:.2} s{:#}",
            terminal::STRONG,
            row.game,
            terminal::STRONG,
            terminal::FAINT,
            row.engine,
            row.seconds,
            terminal::FAINT
        )?;
        for item in &row.items {
            let style = if item.differences == 0 {
                terminal::GOOD
            } else {
                terminal::BAD
            };
            let agree = item.compared - item.differences;
            let (agree, compared) = (
                text::grouped(agree.into()),
                text::grouped(item.compared.into()),
            );
            writeln!(
                out,
                "  {:34} {style}{agree:>9} of {compared:>9} agree{style:#}",
                item.what
            )?;
            for more in item.first_difference.iter().chain(&item.note) {
                writeln!(out, "    {more}")?;
            }
        }
        if let Some(error) = &row.error {
            writeln!(out, "  {}{error}{:#}", terminal::BAD, terminal::BAD)?;
        }
    }
    let good = report.differences == 0 && report.errors == 0;
    let style = if good { terminal::GOOD } else { terminal::BAD };
    writeln!(
        out,
        "{}, {}: {style}{}, {} that could not be compared{style:#}",
        text::count(report.games as u128, "game"),
        text::count(report.compared.into(), "comparison"),
        text::count(report.differences.into(), "difference"),
        report.errors,
    )?;
    Ok(())
}
