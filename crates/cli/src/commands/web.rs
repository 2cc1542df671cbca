//! `paidia web`: the arena in the browser.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use paidia_arena::store::FOLDER;
use paidia_server::web::{Options, WebServer};

use crate::Verdict;
use crate::interrupt::on_interrupt;

/// Where the arena is if nothing else is said.
const ADDRESS: &str = "127.0.0.1:4747";

/// Opens the arena in the browser: play, watch, analyse and write games
#[derive(Args)]
#[command(after_help = "Examples:
  paidia                                     the same as `paidia web`
  paidia web --listen 127.0.0.1:8080         at another port
  paidia web --bred bred                     with the games that `paidia evolve` bred
  paidia web --listen 0.0.0.0:4747           for other machines, too: they need the whole address that is printed

Nothing is sent anywhere else. docs/web.md tells what the page asks, and what is limited.")]
pub(crate) struct Web {
    /// Where to listen
    #[arg(long, value_name = "ADDR:PORT", default_value = ADDRESS)]
    listen: String,

    /// A name by which other machines call this one; may be repeated
    #[arg(long, value_name = "NAME")]
    host_name: Vec<String>,

    /// The folder in which matches are written down; see `paidia matches`
    #[arg(long, value_name = "DIR", default_value = FOLDER)]
    records: PathBuf,

    /// Show the board games in this folder, too, as `paidia evolve` makes it
    #[arg(long, value_name = "DIR")]
    bred: Option<PathBuf>,

    /// Take the page from this folder, to work on it
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

impl Default for Web {
    fn default() -> Self {
        Self {
            listen: ADDRESS.to_owned(),
            host_name: Vec::new(),
            records: FOLDER.into(),
            bred: None,
            page: None,
        }
    }
}

impl Web {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let options = Options {
            page: self.page.clone(),
            host_names: self.host_name.clone(),
            records: self.records.clone(),
            bred: self.bred.clone(),
            ..Options::default()
        };
        let server = WebServer::bind(&self.listen, options).with_context(|| {
            format!(
                "cannot listen at {}; --listen names another address",
                self.listen
            )
        })?;
        if !server.address()?.ip().is_loopback() {
            eprintln!(
                "note: other machines can connect; who has the whole address may play and compute here"
            );
        }
        let stop = on_interrupt("the arena closes")?;
        writeln!(out, "Games are waiting at {}", server.link())?;
        writeln!(
            out,
            "Ctrl-C closes the arena; `paidia help` tells what else there is."
        )?;
        out.flush()?;
        server.serve(&stop)?;
        Ok(Verdict::Yes)
    }
}
