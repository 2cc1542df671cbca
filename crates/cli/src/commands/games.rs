//! `paidia games`: what there is to play.

use std::io::Write;

use clap::Args;
use paidia_library::{GameKind, Metadata};
use serde::Serialize;

use super::write_json;
use crate::{Verdict, terminal};

/// Lists the bundled games
#[derive(Args)]
#[command(after_help = "Examples:
  paidia games             all of them
  paidia games puzzle      those with `puzzle` in their name, title or kind")]
pub(crate) struct Games {
    /// Only games with this in their name, title or kind
    filter: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    games: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    title: String,
    players: u16,
    kind: &'static str,
    idea: String,
}

impl Games {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let mut rows = Vec::new();
        let games = paidia_library::all().iter();
        for game in games.chain(paidia_library::real_time()) {
            let Metadata {
                title,
                players,
                kind,
                idea,
                ..
            } = game.facts()?;
            rows.push(Row {
                name: game.name,
                title,
                players,
                kind: kind.name(),
                idea,
            });
        }
        for game in paidia_video::GAMES {
            let (title, rules) = game.title_and_rules();
            rows.push(Row {
                name: game.name,
                title,
                players: 1,
                kind: GameKind::Video.name(),
                idea: rules,
            });
        }
        if let Some(filter) = &self.filter {
            let filter = filter.to_lowercase();
            rows.retain(|row| {
                let title = row.title.to_lowercase();
                [row.name, &title, row.kind]
                    .iter()
                    .any(|text| text.contains(&filter))
            });
        }
        let found = !rows.is_empty();
        if self.json {
            write_json(out, &Report { games: rows })?;
        } else {
            write_table(out, &rows)?;
        }
        Ok(found.into())
    }
}

fn write_table(out: &mut dyn Write, rows: &[Row]) -> anyhow::Result<()> {
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let (strong, faint) = (terminal::STRONG, terminal::FAINT);
    for row in rows {
        let Row {
            name,
            title,
            players,
            kind,
            ..
        } = row;
        let players = if *players == 1 {
            "1 player".to_owned()
        } else {
            format!("{players} players")
        };
        writeln!(
            out,
            "{strong}{name:width$}{strong:#}  {players:9}  {faint}{kind:12}{faint:#}  {title}"
        )?;
    }
    Ok(())
}
