//! `paidia fmt`: rules in a normal form.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use paidia_arena::rules::{InvalidRules, RuleText};
use paidia_gdl::Problem;
use paidia_gdl::syntax::{self, Notation};

use crate::Verdict;

/// Prints rules in a normal form
#[derive(Args)]
#[command(after_help = "Examples:
  paidia fmt my-game.kif                 on standard output
  paidia fmt my-game.kif --to infix      as papers print rules: next(cell(M, N, x)) :- ...
  paidia fmt my-game.kif --write         in place
  paidia fmt my-game.kif --check         exit code 1 if the file is not in the normal form")]
pub(crate) struct Fmt {
    /// A rule file, in prefix or infix notation, or `-` for standard input
    file: PathBuf,

    /// The notation to print; that of the file if not given
    #[arg(long, value_enum)]
    to: Option<NotationName>,

    /// Change the file instead of printing
    #[arg(long, conflicts_with = "check")]
    write: bool,

    /// Only tell, by the exit code, whether the file is in the normal form
    #[arg(long)]
    check: bool,
}

/// The notations by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum NotationName {
    /// As GGP programs exchange rules: (<= (next ?f) (true ?f))
    Kif,
    /// As papers print rules: next(F) :- true(F).
    Infix,
}

impl Fmt {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let source = RuleText::read(&self.file)?.source;
        let reading = syntax::read(&source);
        if reading.problems.iter().any(Problem::is_error) {
            let invalid = InvalidRules {
                source,
                problems: reading.problems,
                too_large: None,
            };
            return Err(invalid.into());
        }
        let notation = match self.to {
            Some(NotationName::Kif) => Notation::Kif,
            Some(NotationName::Infix) => Notation::Infix,
            None => syntax::guess_notation(&source.text),
        };
        let text = syntax::print(&reading.sheet, notation);
        if self.check {
            return Ok((text == source.text).into());
        }
        if self.write && self.file != Path::new("-") {
            let written = std::fs::write(&self.file, &text);
            written.with_context(|| format!("cannot write {}", self.file.display()))?;
        } else {
            out.write_all(text.as_bytes())?;
        }
        Ok(Verdict::Yes)
    }
}
