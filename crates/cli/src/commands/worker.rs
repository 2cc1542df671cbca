//! `paidia worker`: playouts for searches on other machines.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use paidia_server::workers::{Token, Worker};

use crate::Verdict;

/// Makes playouts for searches on other machines, until it is stopped; that does a search no harm
#[derive(Args)]
#[command(after_help = "Examples:
  openssl rand -hex 32 > token                                               a secret, to be copied to all machines
  paidia worker --token-file token                                           for this machine, or through an SSH tunnel
  paidia worker --token-file token --listen 10.0.0.7:9148                    for a private network
  paidia analyse othello --workers 10.0.0.7:9148 --worker-token-file token   a search that uses it

Who does not know the secret is sent away, but nothing is encrypted: use a private network or SSH.")]
pub(crate) struct WorkerCommand {
    /// The file with the secret that masters must know
    #[arg(long, value_name = "FILE")]
    token_file: PathBuf,

    /// Where to listen
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9148")]
    listen: String,

    /// Threads for each search; as many as there are processors if nothing is said
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl WorkerCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let file = &self.token_file;
        let token = Token::read(file).with_context(|| format!("in {}", file.display()))?;
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.map_or(processors, usize::from);
        let worker = Worker::bind(&self.listen, token, threads)
            .with_context(|| format!("cannot listen at {}", self.listen))?;
        let address = worker.address()?;
        if !address.ip().is_loopback() {
            eprintln!("note: other machines can connect, and nothing that is sent is encrypted");
        }
        writeln!(out, "listening at {address}")?;
        out.flush()?;
        worker.serve(|what| {
            // Nobody may be looking.
            let _ = writeln!(std::io::stderr(), "{what}");
        })
    }
}
