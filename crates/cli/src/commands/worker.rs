//! `paidia worker`: the processors of this machine, for searches and tournaments elsewhere.

mod playouts;
mod tournaments;

use std::fmt;
use std::io::Write;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use crate::Verdict;

/// Lends this machine to searches or tournaments elsewhere, until it is stopped; that does them no
/// harm
#[derive(Args)]
#[command(group(ArgGroup::new("use").required(true).args(["token_file", "database"])))]
#[command(after_help = "Examples, playouts for searches:
  openssl rand -hex 32 > token                                               a secret, to be copied to all machines
  paidia worker --token-file token                                           for this machine, or through an SSH tunnel
  paidia worker --token-file token --listen 10.0.0.7:9148                    for a private network
  paidia analyse othello --workers 10.0.0.7:9148 --worker-token-file token   a search that uses it

Examples, matches of tournaments:
  paidia worker --database postgres://me@db.local/games                      plays what `paidia tournament --database` begins there
  paidia worker --database postgres://me@db.local/games --until-done         the same, and ends when nothing is left

Who does not know the secret is sent away, but nothing is encrypted: use a private network or SSH. The password of the database may
be in the variable PGPASSWORD. Everything else that a tournament needs, rules and players, is in the database.")]
pub(crate) struct WorkerCommand {
    /// Make playouts for searches: the file with the secret that masters must know
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// Where to listen for searches
    #[arg(
        long,
        value_name = "ADDR:PORT",
        default_value = "127.0.0.1:9148",
        conflicts_with = "database"
    )]
    listen: String,

    /// Play matches of tournaments: the PostgreSQL database that has them, such as
    /// `postgres://user:password@host/database`
    #[arg(long, value_name = "URL")]
    database: Option<String>,

    /// With --database: end when there is nothing left to play
    #[arg(long, requires = "database")]
    until_done: bool,

    /// Threads for each search, or matches at a time; as many as there are processors if nothing is
    /// said, but one match if players think by the clock
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

impl WorkerCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let threads = self.threads.map(usize::from);
        match (&self.token_file, &self.database) {
            (_, Some(address)) => {
                let mut helper = tournaments::Helper::connect(address, threads)?;
                helper.help(self.until_done)?;
                Ok(Verdict::Yes)
            }
            (Some(token), None) => playouts::serve(token, &self.listen, threads, out),
            (None, None) => anyhow::bail!("give --token-file or --database"),
        }
    }
}

/// Writes a line to standard error, which may be closed.
fn say(what: fmt::Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "{what}");
}
