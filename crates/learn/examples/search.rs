//! How fast the alpha-beta player searches, on one thread.
//!
//! ```console
//! $ cargo run --release -p paidia-learn --example search -- 5 my-game.sbg other-game.sbg
//! ```
//!
//! The first number is the seconds for each game; nodes are counted for each second of the thread's
//! own time.

use std::env;
use std::fs;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use paidia_game::Rules;
use paidia_gdl::Source;
use paidia_gdl::render::render;
use paidia_languages::board::{self, BoardGame};
use paidia_learn::player::{Evaluation, Extras, Limits, Search, Style, Table, Weights};

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let seconds = arguments.next().and_then(|text| text.parse::<f64>().ok());
    let Some(seconds) = seconds.filter(|seconds| (0.0..3600.0).contains(seconds)) else {
        eprintln!("usage: search SECONDS FILE.sbg ...");
        return ExitCode::from(2);
    };
    println!(
        "{:24} {:8} {:>6} {:>12} {:>12}",
        "game", "style", "depth", "nodes", "nodes/s"
    );
    for path in arguments {
        if let Err(error) = measure(&path, Duration::from_secs_f64(seconds)) {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn measure(path: &str, time: Duration) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let source = Source::new(path, text);
    let reading = board::read(&source);
    if reading.has_errors() {
        return Err(render(&source, &reading.problems, false));
    }
    let name = reading.rules.name.clone();
    let game = BoardGame::new(&name, reading.rules).map_err(|error| error.to_string())?;
    let weights = Weights::of_rules(game.tables()).map_err(|error| error.to_string())?;
    for modern in [false, true] {
        let evaluation = Arc::new(Evaluation::new(game.tables(), &weights, Extras::default()));
        let table = Some(Arc::new(Table::new(64 << 20)));
        let style = Style {
            quiescence: true,
            modern,
        };
        let mut search = Search::new(game.tables(), evaluation, style, table);
        let (started, spent) = (Instant::now(), ThreadTime::now());
        let limits = Limits {
            until: Some(started + time),
            ..Limits::default()
        };
        let found = search.run(&game.initial(), &limits, |_| ());
        let rate = found.nodes as f64 / spent.elapsed().as_secs_f64();
        let style = if modern { "modern" } else { "classic" };
        let (depth, nodes) = (found.depth, found.nodes);
        println!("{name:24} {style:8} {depth:>6} {nodes:>12} {rate:>12.0}");
    }
    Ok(())
}
