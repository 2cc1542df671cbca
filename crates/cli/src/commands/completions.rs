//! `paidia completions`: what shells need to complete our arguments.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::Verdict;

/// Prints completions for a shell
#[derive(Args)]
#[command(after_help = "Example:
  paidia completions bash > ~/.local/share/bash-completion/completions/paidia")]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        // The generator panics if it cannot write, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(
            self.shell,
            &mut crate::Arguments::command(),
            "paidia",
            &mut script,
        );
        out.write_all(&script)?;
        Ok(Verdict::Yes)
    }
}
