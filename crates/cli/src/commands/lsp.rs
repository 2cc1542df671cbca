//! `paidia lsp`: a language server, which editors start.

use std::io::Write;

use clap::Args;

use crate::Verdict;

/// Serves an editor: diagnostics, hover, definitions, renaming, completion, formatting
#[derive(Args)]
#[command(
    after_help = "Editors start this command and speak with it on standard input and output;
docs/editors.md has the lines that VS Code, Neovim and Helix need."
)]
pub(crate) struct Lsp {
    /// Taken for the sake of editors that say it; there is no other way to talk
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Lsp {
    pub(crate) fn run(&self, _: &mut dyn Write) -> anyhow::Result<Verdict> {
        paidia_lsp::serve_stdio().map_err(|error| anyhow::anyhow!("{error}"))?;
        Ok(Verdict::Yes)
    }
}
