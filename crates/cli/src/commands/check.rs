//! `paidia check`: what is wrong with rule files.

use std::io::Write;
use std::path::Path;

use clap::{Args, ValueEnum};
use paidia_arena::rules::{RuleText, RulesError};
use paidia_gdl::render::render;
use paidia_gdl::{Dialect, Problem, Severity, Source};
use serde::Serialize;

use super::write_json;
use crate::{Verdict, terminal, text};

/// Diagnoses rule files
#[derive(Args)]
#[command(after_help = "Examples:
  paidia check my-game.kif              errors and warnings, with the lines they are about
  paidia check games/*/rules.kif        many files; the exit code is 1 if one of them has errors
  paidia check --strict my-game.kif     warnings count, too
  cat my-game.kif | paidia check -      from standard input")]
pub(crate) struct Check {
    /// Rule files, names of bundled games, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,

    /// Check as this dialect instead of the one that the rules look like
    #[arg(long, value_enum)]
    dialect: Option<DialectName>,

    /// Let warnings count as errors
    #[arg(long)]
    strict: bool,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The dialects by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum DialectName {
    /// The language of the GGP competitions
    Gdl,
    /// With hidden information and chance
    GdlIi,
    /// In real time
    Rtgdl,
}

impl DialectName {
    fn dialect(self) -> Dialect {
        match self {
            DialectName::Gdl => Dialect::Gdl,
            DialectName::GdlIi => Dialect::GdlII,
            DialectName::Rtgdl => Dialect::RtGdl,
        }
    }
}

#[derive(Serialize)]
struct Report {
    valid: bool,
    errors: usize,
    warnings: usize,
    files: Vec<FileReport>,
}

#[derive(Serialize)]
struct FileReport {
    file: String,
    dialect: &'static str,
    valid: bool,
    errors: usize,
    warnings: usize,
    problems: Vec<ProblemReport>,
    /// Why the file could not be read, if it could not.
    #[serde(skip_serializing_if = "Option::is_none")]
    unread: Option<String>,
}

#[derive(Serialize)]
struct ProblemReport {
    code: &'static str,
    severity: &'static str,
    line: usize,
    column: usize,
    message: String,
    help: String,
}

impl Check {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let mut report = Report {
            valid: true,
            errors: 0,
            warnings: 0,
            files: Vec::new(),
        };
        let mut is_incomplete = false;
        for file in &self.files {
            let file = match find(file) {
                Ok(text) => self.check(out, &text)?,
                // The others are checked all the same.
                Err(error) => {
                    is_incomplete = true;
                    unread(file, &error, self.json)
                }
            };
            report.errors += file.errors;
            report.warnings += file.warnings;
            report.valid &= file.valid;
            report.files.push(file);
        }
        if self.json {
            write_json(out, &report)?;
        } else {
            write_summary(out, &report)?;
        }
        Ok(match is_incomplete {
            true => Verdict::Incomplete,
            false => report.valid.into(),
        })
    }

    /// Checks one file and, unless JSON is asked for, shows what is wrong with it.
    fn check(&self, out: &mut dyn Write, text: &RuleText) -> anyhow::Result<FileReport> {
        let source = &text.source;
        let found = text.diagnose(self.dialect.map(DialectName::dialect))?;
        if !self.json && !found.problems.is_empty() {
            writeln!(
                out,
                "{}",
                render(source, &found.problems, terminal::colour_on_stdout())
            )?;
        }
        let errors = found
            .problems
            .iter()
            .filter(|problem| problem.is_error())
            .count();
        let warnings = found.problems.len() - errors;
        Ok(FileReport {
            file: source.name.clone(),
            dialect: found.language,
            valid: errors == 0 && (!self.strict || warnings == 0),
            errors,
            warnings,
            problems: found
                .problems
                .iter()
                .map(|problem| problem_report(source, problem))
                .collect(),
            unread: None,
        })
    }
}

/// The report on a file that could not be read, which is said at once unless JSON is asked for.
fn unread(file: &str, error: &RulesError, json: bool) -> FileReport {
    let error = error.to_string();
    if !json {
        let bad = terminal::BAD;
        anstream::eprintln!("{bad}error{bad:#}: {error}");
    }
    FileReport {
        file: file.to_owned(),
        dialect: "",
        valid: false,
        errors: 0,
        warnings: 0,
        problems: Vec::new(),
        unread: Some(error),
    }
}

/// The text of a file, or of a bundled game if there is no such file.
fn find(file: &str) -> Result<RuleText, RulesError> {
    let path = Path::new(file);
    // A file comes first, whatever bundled game is called the same.
    match file == "-" || path.is_file() {
        true => RuleText::read(path),
        false => RuleText::find(file),
    }
}

fn problem_report(source: &Source, problem: &Problem) -> ProblemReport {
    let (line, column) = source.line_column(problem.span.start);
    ProblemReport {
        code: problem.code.name(),
        severity: match problem.code.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        line,
        column,
        message: problem.message.clone(),
        help: problem.help.clone(),
    }
}

fn write_summary(out: &mut dyn Write, report: &Report) -> anyhow::Result<()> {
    let counts = format!(
        "{}, {}",
        text::count(report.errors as u128, "error"),
        text::count(report.warnings as u128, "warning")
    );
    let style = if report.valid {
        terminal::GOOD
    } else {
        terminal::BAD
    };
    match &report.files[..] {
        [file] => writeln!(
            out,
            "{}: {} rules, {style}{counts}{style:#}",
            file.file, file.dialect
        )?,
        files => {
            for file in files.iter().filter(|file| file.unread.is_none()) {
                let errors = text::count(file.errors as u128, "error");
                let warnings = text::count(file.warnings as u128, "warning");
                writeln!(
                    out,
                    "{}: {} rules, {errors}, {warnings}",
                    file.file, file.dialect
                )?;
            }
            writeln!(
                out,
                "{}: {style}{counts}{style:#}",
                text::count(files.len() as u128, "file")
            )?;
        }
    }
    if report.errors + report.warnings > 0 {
        let faint = terminal::FAINT;
        writeln!(
            out,
            "{faint}`paidia explain CODE` tells more about a code in brackets.{faint:#}"
        )?;
    }
    Ok(())
}
