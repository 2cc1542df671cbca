//! What benches share: arguments, rules, and playouts with the clock running.

use std::time::Duration;

use cpu_time::ProcessTime;
use paidia_game::{Chance, Figures, Game, PlayoutRunner};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;

/// How long to measure, and which games: those of the command line, or else the usual ones.
pub(crate) fn arguments(usual: &[&str]) -> (Duration, Vec<String>) {
    let arguments = std::env::args().skip(1);
    let mut arguments = arguments.filter(|argument| !argument.starts_with('-'));
    let seconds = arguments.next().and_then(|number| number.parse().ok());
    let mut games: Vec<String> = arguments.collect();
    if games.is_empty() {
        games = usual.iter().map(|&name| name.to_owned()).collect();
    }
    (Duration::from_secs_f64(seconds.unwrap_or(2.0)), games)
}

/// Random playouts from the start for the given processor time; the result, and the time in
/// seconds.
#[allow(dead_code, reason = "some benches count states, not playouts")]
pub(crate) fn playouts<G: Game>(game: &G, time: Duration) -> (Figures, f64) {
    let mut runner = PlayoutRunner::new(game, game.initial(), 1_000);
    let mut chance = Chance::from_seed(1);
    let start = ProcessTime::now();
    while start.elapsed() < time {
        (0..8).for_each(|_| {
            runner.run(&mut chance);
        });
    }
    (runner.figures().clone(), start.elapsed().as_secs_f64())
}

/// The program of a bundled game, or of the sheet at a path.
pub(crate) fn program(name: &str) -> Result<Program, String> {
    let text = match paidia_library::find(name) {
        Ok(bundled) => bundled.rules.to_owned(),
        Err(_) => std::fs::read_to_string(name).map_err(|problem| problem.to_string())?,
    };
    let (reading, report) = check_source(&Source::new(name, text), None);
    if report.has_errors() {
        return Err("the rules have errors".to_owned());
    }
    Program::new(&reading.sheet, report.dialect).map_err(|problem| problem.to_string())
}
