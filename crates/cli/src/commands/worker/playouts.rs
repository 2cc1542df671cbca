//! Playouts for searches on other machines.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use paidia_server::workers::{Token, Worker};

use super::say;
use crate::Verdict;

/// Makes playouts for masters that know the secret, for ever.
pub(super) fn serve(
    token_file: &Path,
    listen: &str,
    threads: Option<usize>,
    out: &mut dyn Write,
) -> anyhow::Result<Verdict> {
    let token = Token::read(token_file).with_context(|| format!("in {}", token_file.display()))?;
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let worker = Worker::bind(listen, token, threads.unwrap_or(processors))
        .with_context(|| format!("cannot listen at {listen}"))?;
    let address = worker.address()?;
    if !address.ip().is_loopback() {
        eprintln!("note: other machines can connect, and nothing that is sent is encrypted");
    }
    writeln!(out, "listening at {address}")?;
    out.flush()?;
    worker.serve(say)
}
