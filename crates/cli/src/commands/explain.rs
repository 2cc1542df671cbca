//! `paidia explain`: the page behind a problem's code.

use std::io::Write;

use anyhow::bail;
use clap::Args;
use paidia_arena::rules::Language;
use paidia_gdl::Severity;

use crate::text::nearest;
use crate::{Verdict, terminal};

/// Explains a problem that `paidia check` found
#[derive(Args)]
#[command(after_help = "Examples:
  paidia explain                    all codes
  paidia explain unsafe-variable    what it means and how to mend it")]
pub(crate) struct Explain {
    /// The code in brackets, such as `unsafe-variable`; all codes are listed without one
    code: Option<String>,
}

impl Explain {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let Some(name) = &self.code else {
            return list(out);
        };
        let codes = Language::codes();
        let Some(code) = codes.iter().find(|code| code.name() == name) else {
            let names = codes.iter().map(|code| code.name());
            match nearest(name, names) {
                Some(near) => bail!("no problem has the code `{name}`; did you mean `{near}`?"),
                None => bail!("no problem has the code `{name}`; `paidia explain` lists all codes"),
            }
        };
        writeln!(out, "{}", code.explanation().trim_end())?;
        Ok(Verdict::Yes)
    }
}

fn list(out: &mut dyn Write) -> anyhow::Result<Verdict> {
    for code in Language::codes() {
        let (severity, style) = match code.severity() {
            Severity::Error => ("error", terminal::BAD),
            Severity::Warning => ("warning", terminal::FAINT),
        };
        writeln!(out, "{style}{severity:8}{style:#} {}", code.name())?;
    }
    Ok(Verdict::Yes)
}
