//! Recorded play in real time that another program computed: a folder with `games` and `data`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use paidia_arena::engine::{EngineSpec, load_in_time};
use paidia_arena::rules::Ruleset;
use paidia_game::Reading;
use paidia_realtime::scripted::{Compared, Recorded, compare};
use serde::Serialize;

use crate::commands::write_json;
use crate::{Verdict, terminal, text};

/// A folder of recorded play.
pub(crate) struct TimedCorpus<'a> {
    folder: &'a Path,
    only: Option<&'a str>,
}

#[derive(Serialize)]
struct Row {
    game: String,
    scripts: usize,
    entries: usize,
    messages: usize,
    readings: usize,
    differences: usize,
    first_difference: Option<String>,
    error: Option<String>,
}

impl<'a> TimedCorpus<'a> {
    /// The corpus in a folder, if there is one: `games/NAME.kif`, `data/NAME.json`, no index.
    pub(crate) fn find(folder: &'a Path, only: Option<&'a str>) -> Option<Self> {
        let has = |part: &str| folder.join(part).is_dir();
        let is_one = has("games") && has("data") && !folder.join("index.json").is_file();
        is_one.then_some(Self { folder, only })
    }

    /// Compares everything.
    pub(crate) fn run(
        &self,
        out: &mut dyn Write,
        engine: &EngineSpec,
        json: bool,
    ) -> anyhow::Result<Verdict> {
        let mut rows = Vec::new();
        for path in self.files()? {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let row = match self.compare(&path, engine) {
                Ok(compared) => Row::new(&name, &compared),
                Err(error) => Row {
                    error: Some(text::error_in_words(&error)),
                    ..Row::new(&name, &Compared::default())
                },
            };
            if !json {
                row.write(out)?;
            }
            rows.push(row);
        }
        if json {
            write_json(out, &rows)?;
        }
        Ok(match rows.iter().any(|row| row.error.is_some()) {
            true => Verdict::Incomplete,
            false => {
                let agree = rows.iter().all(|row| row.differences == 0);
                (agree && rows.iter().any(|row| row.entries > 0)).into()
            }
        })
    }

    fn files(&self) -> anyhow::Result<Vec<PathBuf>> {
        let folder = self.folder.join("data");
        let unreadable = || format!("cannot read {}", folder.display());
        let mut files = Vec::new();
        for entry in std::fs::read_dir(&folder).with_context(unreadable)? {
            let path = entry.with_context(unreadable)?.path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let is_data = path
                .extension()
                .is_some_and(|extension| extension == "json");
            if is_data && self.only.is_none_or(|only| name.contains(only)) {
                files.push(path);
            }
        }
        files.sort();
        Ok(files)
    }

    fn compare(&self, path: &Path, engine: &EngineSpec) -> anyhow::Result<Compared> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        let recorded: Recorded =
            serde_json::from_str(&text).with_context(|| format!("in {}", path.display()))?;
        let sheet = path.with_extension("kif");
        let sheet = self
            .folder
            .join("games")
            .join(sheet.file_name().unwrap_or_default());
        let rules = Ruleset::find(&sheet.display().to_string())?;
        let post = load_in_time(engine, &rules, Some(Reading::PostUpdate))?;
        let first = load_in_time(engine, &rules, Some(Reading::EventFirst))?;
        compare(&post, &first, &recorded).map_err(anyhow::Error::msg)
    }
}

impl Row {
    fn new(name: &str, compared: &Compared) -> Self {
        let first = compared.differences.first().map(|difference| {
            format!(
                "script {}, {}: {} instead of {}",
                difference.script, difference.place, difference.table, difference.recorded
            )
        });
        Self {
            game: name.to_owned(),
            scripts: compared.scripts,
            entries: compared.entries,
            messages: compared.messages,
            readings: compared.readings,
            differences: compared.differences.len(),
            first_difference: first,
            error: None,
        }
    }

    fn write(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        let (good, bad) = (terminal::GOOD, terminal::BAD);
        if let Some(error) = &self.error {
            return Ok(writeln!(
                out,
                "{} {bad}cannot be compared{bad:#}: {error}",
                self.game
            )?);
        }
        let what = format!(
            "{} scripts, {} entries, {} messages, {} other readings",
            self.scripts, self.entries, self.messages, self.readings
        );
        match &self.first_difference {
            None => writeln!(out, "{} {what}: {good}all as recorded{good:#}", self.game)?,
            Some(first) => {
                let count = self.differences;
                writeln!(
                    out,
                    "{} {what}: {bad}{count} differ{bad:#}\n  {first}",
                    self.game
                )?;
            }
        }
        Ok(())
    }
}
