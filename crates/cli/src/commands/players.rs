//! `paidia players`: who there is to play against.

use std::io::Write;

use clap::Args;
use paidia_arena::CATALOGUE;
use serde::Serialize;

use super::write_json;
use crate::{Verdict, terminal};

/// Lists the players and what can be set about them
#[derive(Args)]
#[command(
    after_help = "A player is written `name(key=value, ...)`, for example `uct(exploration=30, choice=visits)`."
)]
pub(crate) struct Players {
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    players: Vec<PlayerReport>,
}

#[derive(Serialize)]
struct PlayerReport {
    name: &'static str,
    what: &'static str,
    keys: Vec<KeyReport>,
}

#[derive(Serialize)]
struct KeyReport {
    name: &'static str,
    what: &'static str,
    wanted: &'static str,
}

impl Players {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let key = |key: &paidia_arena::Key| KeyReport {
            name: key.name,
            what: key.what,
            wanted: key.wanted,
        };
        let player = |kind: &paidia_arena::Kind| PlayerReport {
            name: kind.name,
            what: kind.what,
            keys: kind.keys.iter().map(key).collect(),
        };
        let players: Vec<PlayerReport> = CATALOGUE.iter().map(player).collect();
        if self.json {
            write_json(out, &Report { players })?;
            return Ok(Verdict::Yes);
        }
        let (strong, faint) = (terminal::STRONG, terminal::FAINT);
        for player in players {
            writeln!(out, "{strong}{:<12}{strong:#} {}", player.name, player.what)?;
            for key in player.keys {
                writeln!(
                    out,
                    "    {:<12} {} {faint}({}){faint:#}",
                    key.name, key.what, key.wanted
                )?;
            }
        }
        Ok(Verdict::Yes)
    }
}
