//! `paidia fmt`: rules in a normal form.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use paidia_arena::rules::RuleText;
use paidia_gdl::syntax::Notation;

use crate::Verdict;

/// Prints rules in a normal form
#[derive(Args)]
#[command(after_help = "Examples:
  paidia fmt my-game.kif                 on standard output
  paidia fmt my-game.kif --to infix      as papers print rules: next(cell(M, N, x)) :- ...
  paidia fmt my-game.kif --write         in place
  paidia fmt my-game.kif --check         exit code 1 if the file is not in the normal form")]
pub(crate) struct Fmt {
    /// A rule file in any language, or `-` for standard input
    file: PathBuf,

    /// The notation of GDL to print; that of the file if not given
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
        let read = RuleText::read(&self.file)?;
        let notation = self.to.map(|notation| match notation {
            NotationName::Kif => Notation::Kif,
            NotationName::Infix => Notation::Infix,
        });
        let text = read.normal_form(notation)?;
        if self.check {
            return Ok((text == read.source.text).into());
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
