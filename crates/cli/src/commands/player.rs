//! `paidia player`: a player that hosts of General Game Playing reach over HTTP.

use std::io::Write;
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::Args;
use paidia_arena::PlayerSpec;
use paidia_arena::catalogue::THREADS;
use paidia_arena::engine::{Engine, EngineError, EngineSpec};
use paidia_server::ggp::player::{Options, PlayerServer};

use crate::Verdict;
use crate::engine::EngineParser;
use crate::interrupt::on_interrupt;

/// Plays for hosts that speak the GGP protocol, until it is stopped
#[derive(Args)]
#[command(after_help = "Examples:
  paidia player                                          waits at 127.0.0.1:9147
  paidia player --player 'paidia(threads=4)' --name Zeno
  paidia player --listen 0.0.0.0:9147 --matches 2        for other machines, two matches at a time

`paidia players` lists the players; docs/protocol.md tells what is spoken, and how to connect hosts. Nothing keeps strangers from starting
matches: let other machines in only where you know them.")]
pub(crate) struct PlayerCommand {
    /// Where to listen
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9147")]
    listen: String,

    /// The player, written `name(key=value, ...)`
    #[arg(long, value_name = "PLAYER", default_value = "paidia")]
    player: String,

    /// The player of matches in real time, such as `search(playouts=200)`
    #[arg(long, value_name = "PLAYER", default_value = "search")]
    in_time: String,

    /// The name that hosts are told
    #[arg(long, default_value = "Paidia")]
    name: String,

    /// How many matches are played at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    matches: u16,

    /// What works out what the rules say, written `name` or `name(key=value, ...)`; until it is
    /// made, or if it cannot be, the reference engine
    #[arg(long, default_value = "auto", value_name = "ENGINE", value_parser = EngineParser)]
    engine: EngineSpec,

    /// How many threads search; the same as `threads=N` of the player
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,

    /// Do not think while others choose
    #[arg(long)]
    no_ponder: bool,

    /// Where the random choices come from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Say nothing about matches
    #[arg(long, short)]
    quiet: bool,
}

impl PlayerCommand {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        if matches!(self.engine.engine(), Engine::Batch | Engine::Gpu) {
            return Err(EngineError::WholePlayouts.into());
        }
        if !paidia_realtime::players::is_player(&self.in_time) {
            bail!(
                "in --in-time: `{}` plays no rules in real time",
                self.in_time
            );
        }
        let mut options = Options {
            in_time: self.in_time.clone(),
            name: self.name.clone(),
            matches: usize::from(self.matches),
            engine: self.engine.clone(),
            ponder: !self.no_ponder,
            seed: self.seed,
            ..Options::new(self.spec().context("in --player")?)
        };
        if !self.quiet {
            options.log = Arc::new(|line| {
                // Standard error may be closed.
                let _ = writeln!(std::io::stderr(), "{line}");
            });
        }
        let server = PlayerServer::bind(&self.listen, options)
            .with_context(|| format!("cannot listen at {}", self.listen))?;
        let address = server.address()?;
        if !address.ip().is_loopback() {
            eprintln!("note: other machines can connect and start matches");
        }
        let stop = on_interrupt("the player leaves its matches")?;
        writeln!(out, "listening at {address}")?;
        out.flush()?;
        server.serve(&stop)?;
        Ok(Verdict::Yes)
    }

    /// The player, if there is such a one.
    fn spec(&self) -> anyhow::Result<PlayerSpec> {
        let spec: PlayerSpec = self.player.parse()?;
        Ok(match self.threads {
            Some(threads) => spec.with(THREADS.name, &threads.to_string())?,
            None => spec,
        })
    }
}
