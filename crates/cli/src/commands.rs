//! The commands, one file each.

mod analyse;
mod bench;
mod check;
mod completions;
mod crosscheck;
mod evolve;
mod explain;
mod exploit;
mod export;
mod fmt;
mod games;
mod info;
mod learn;
mod lsp;
mod r#match;
mod matches;
mod perft;
mod play;
mod player;
mod players;
mod replay;
mod simulate;
mod solve;
mod sprt;
mod study;
mod tournament;
mod transcript;
mod tune;
mod verify;
mod web;
mod why;
mod worker;

use std::io::Write;

use clap::Subcommand;
use serde::Serialize;

use crate::Verdict;

/// What to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Web(web::Web),
    Games(games::Games),
    Check(check::Check),
    Explain(explain::Explain),
    Why(why::Why),
    Fmt(fmt::Fmt),
    Export(export::Export),
    Info(info::Info),
    Simulate(simulate::Simulate),
    Perft(perft::PerftCommand),
    Solve(solve::Solve),
    Exploit(exploit::Exploit),
    Verify(verify::Verify),
    Replay(replay::Replay),
    Play(play::Play),
    Match(r#match::MatchCommand),
    Matches(matches::Matches),
    Tournament(tournament::TournamentCommand),
    Sprt(sprt::Sprt),
    Analyse(analyse::Analyse),
    Player(player::PlayerCommand),
    Learn(learn::Learn),
    Evolve(evolve::Evolve),
    Players(players::Players),
    Study(study::Study),
    Tune(tune::Tune),
    Bench(bench::Bench),
    Crosscheck(crosscheck::Crosscheck),
    Transcript(transcript::TranscriptCommand),
    Lsp(lsp::Lsp),
    Worker(worker::WorkerCommand),
    Completions(completions::Completions),
}

impl Command {
    /// Runs the command, which writes its report to `out`.
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        match self {
            Command::Web(command) => command.run(out),
            Command::Games(command) => command.run(out),
            Command::Check(command) => command.run(out),
            Command::Explain(command) => command.run(out),
            Command::Why(command) => command.run(out),
            Command::Fmt(command) => command.run(out),
            Command::Export(command) => command.run(out),
            Command::Info(command) => command.run(out),
            Command::Simulate(command) => command.run(out),
            Command::Perft(command) => command.run(out),
            Command::Solve(command) => command.run(out),
            Command::Exploit(command) => command.run(out),
            Command::Verify(command) => command.run(out),
            Command::Replay(command) => command.run(out),
            Command::Play(command) => command.run(out),
            Command::Match(command) => command.run(out),
            Command::Matches(command) => command.run(out),
            Command::Tournament(command) => command.run(out),
            Command::Sprt(command) => command.run(out),
            Command::Analyse(command) => command.run(out),
            Command::Player(command) => command.run(out),
            Command::Learn(command) => command.run(out),
            Command::Evolve(command) => command.run(out),
            Command::Players(command) => command.run(out),
            Command::Study(command) => command.run(out),
            Command::Tune(command) => command.run(out),
            Command::Bench(command) => command.run(out),
            Command::Crosscheck(command) => command.run(out),
            Command::Transcript(command) => command.run(out),
            Command::Lsp(command) => command.run(out),
            Command::Worker(command) => command.run(out),
            Command::Completions(command) => command.run(out),
        }
    }
}

/// What is done if nothing is said.
impl Default for Command {
    fn default() -> Self {
        Command::Web(web::Web::default())
    }
}

pub(crate) use transcript::listing;

/// Writes a report as one JSON object on one line.
pub(crate) fn write_json(out: &mut dyn Write, report: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *out, report)?;
    writeln!(out)?;
    Ok(())
}
