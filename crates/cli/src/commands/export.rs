//! `paidia export`: rules in the language of another program.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use paidia_arena::rules::Ruleset;
use paidia_gdl::prolog::{self, StateForm};
use paidia_gdl::syntax::{Notation, print};
use paidia_imperfect::symbolic::mck;
use paidia_realtime::convert;

use super::verify;
use crate::Verdict;
use crate::game_choice::GameChoice;

/// Writes rules in the language of another program
///
/// Rules in GDL have the same states, moves and goals, by the same names, as the rules they were
/// made of. A Prolog program plays by itself: `swipl -q -g "playouts(5, 1)" -t halt FILE` makes
/// random playouts for five seconds of CPU time, `minimax(5)` searches, `count(3)` counts the nodes
/// of three moves, and `trace(1, 20)` shows everything that holds on the way of a random playout.
#[derive(Args)]
#[command(after_help = "Examples:
  paidia export tic-tac-toe --to prolog --out tic-tac-toe.pl
  swipl -q -g \"playouts(5, 1)\" -t halt tic-tac-toe.pl
  paidia export othello --to prolog --state list        the state as a list that is handed along
  paidia export monty-hall --to mck --out monty-hall.mck  for the model checker MCK, as the paper translates
  paidia export monty-hall --to mck --leave-out typed
  paidia export my-game.sbg --to gdl --out my-game.kif  a board game for GGP players
  paidia export tic-tac-toe --to rtgdl                  in real time, with a clock that ends turns; --to gdl goes back")]
pub(crate) struct Export {
    #[command(flatten)]
    game: GameChoice,

    /// The language
    #[arg(long, value_enum)]
    to: Language,

    /// Where the program keeps what holds
    #[arg(long, value_enum, default_value_t = StateName::Asserted)]
    state: StateName,

    /// With --to mck: an optimisation to leave out, or the guard that keeps the state at the end
    #[arg(long, value_name = "WHAT", value_parser = paidia_imperfect::symbolic::Options::NAMES)]
    leave_out: Vec<String>,

    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The languages by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Language {
    /// For SWI-Prolog and YAP
    Prolog,
    /// For GGP programs, from any language that can be translated
    Gdl,
    /// Real time, from GDL: a turn takes a unit of time
    Rtgdl,
    /// For the epistemic model checker MCK: rules as a program of assignments
    Mck,
}

/// The forms of the state by name.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum StateName {
    /// Facts that are asserted for every state: dear to enter, cheap to look up
    Asserted,
    /// A list that is handed along: cheap to enter, dear to look up
    List,
}

impl Export {
    pub(crate) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Verdict> {
        let rules = self.game.find()?;
        let form = match self.state {
            StateName::Asserted => StateForm::Asserted,
            StateName::List => StateForm::List,
        };
        let text = match self.to {
            Language::Prolog => {
                let rules = rules.gdl()?;
                prolog::export(rules.name(), &rules.sheet, rules.dialect, form)?
            }
            Language::Rtgdl => convert::to_real_time(&rules.gdl()?.sheet)?,
            Language::Gdl => match &rules {
                Ruleset::Gdl(timed) if rules.is_real_time() => convert::to_turns(&timed.sheet)?,
                Ruleset::Gdl(rules) => print(&rules.sheet, Notation::Kif),
                Ruleset::Other(rules) => rules.to_gdl().map_err(anyhow::Error::msg)?,
            },
            Language::Mck => {
                let options = verify::options(&self.leave_out);
                let symbolic = verify::translate(&rules, options, verify::usual_nodes())?;
                mck::write(rules.name(), symbolic.system(), symbolic.variables())
            }
        };
        match &self.out {
            Some(path) => std::fs::write(path, text)
                .with_context(|| format!("cannot write {}", path.display()))?,
            None => out.write_all(text.as_bytes())?,
        }
        Ok(Verdict::Yes)
    }
}
