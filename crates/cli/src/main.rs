//! The program `paidia`: reads its arguments, runs one command, and ends with an exit code that
//! scripts can use.
//!
//! Every command is one file in [`commands`]. They write to the writer they are given, so that
//! colours are stripped in one place and a reader that goes away (`paidia games | head`) ends the
//! program quietly.

mod commands;
mod contenders;
mod draw;
mod engine;
mod game_choice;
mod interrupt;
mod measure;
mod memory;
mod planned_tournament;
mod position;
mod realtime;
mod recording;
mod records;
mod remote;
mod stage;
mod terminal;
mod text;
mod thinking;
mod usage;
mod with_players;
mod workers;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Parser;

use commands::Command;
use paidia_arena::rules::{InvalidRules, RulesError};

/// Plays any game from its rules.
///
/// GAME is the name of a bundled game (see `paidia games`) or the path of a rule file; `hex@11` is
/// Hex on 11x11.
#[derive(Parser)]
#[command(name = "paidia", version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "Examples:
  paidia                                      play, watch and write games in the browser
  paidia games                                what there is to play
  paidia play connect-four                    play against our best player
  paidia match breakthrough                   watch it play against itself
  paidia simulate chess --seconds 5           how fast, how long, who wins
  paidia check my-game.kif                    what is wrong with my rules
  paidia perft connect-four --depth 6         count what can be reached

Exit codes: 0 success, 1 the answer is no (faulty rules, a mismatch), 2 the call was wrong or a file could not be read,
130 ended by Ctrl-C: what was done by then is shown and kept.";

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    /// All is well.
    Yes,
    /// The answer to the question is no: faulty rules, a mismatch, a failed check.
    No,
    /// Something that was named could not be read or worked on; the rest was done.
    Incomplete,
    /// Ctrl-C ended it early; what was done by then is shown.
    Interrupted,
}

impl Verdict {
    fn code(self) -> u8 {
        match self {
            Verdict::Yes => 0,
            Verdict::No => 1,
            Verdict::Incomplete => 2,
            // As shells have it for a program that a signal ended.
            Verdict::Interrupted => 130,
        }
    }
}

impl From<bool> for Verdict {
    fn from(yes: bool) -> Self {
        if yes { Verdict::Yes } else { Verdict::No }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::try_parse().unwrap_or_else(|error| usage::explain(&error));
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    // What the environment says is checked before anything is loaded.
    let result = paidia_accel::Backend::chosen().map_err(anyhow::Error::from);
    let result = result.and_then(|_| arguments.command.unwrap_or_default().run(&mut out));
    let flushed = out.flush();
    match result.and_then(|verdict| flushed.map(|()| verdict).map_err(anyhow::Error::from)) {
        Ok(verdict) => ExitCode::from(verdict.code()),
        Err(error) => report(&error),
    }
}

/// The faulty rules, if these are what went wrong.
fn invalid_rules(error: &anyhow::Error) -> Option<&InvalidRules> {
    match error.downcast_ref::<RulesError>() {
        Some(RulesError::Invalid(invalid)) => Some(invalid),
        _ => error.downcast_ref(),
    }
}

/// Says what went wrong, and gives the exit code for it.
fn report(error: &anyhow::Error) -> ExitCode {
    if let Some(invalid) = invalid_rules(error) {
        let rendered = invalid.rendered(terminal::colour_on_stderr());
        anstream::eprint!("{rendered}");
        return ExitCode::from(1);
    }
    let broken_pipe = error.chain().any(|cause| {
        let cause = cause.downcast_ref::<io::Error>();
        cause.is_some_and(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
    });
    if broken_pipe {
        // The reader of the output closed it, as `head` does.
        return ExitCode::SUCCESS;
    }
    let style = anstyle::AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{style}error{style:#}: {}", text::error_in_words(error));
    ExitCode::from(2)
}
