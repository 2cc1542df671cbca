//! Play recorded by an independent reasoner.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use paidia_reason::Prover;
use serde::Deserialize;

use crate::replay::{Step, difference};
use crate::{corpus, full, is_wanted, program};

/// Sheets whose traces are followed at every run.
const SAMPLE: [&str; 8] = [
    "ticTacToe",
    "connectFour",
    "breakthroughSmall",
    "eightPuzzle",
    "2pffa",
    "blocker",
    "knightsTour",
    "tictactoe_3d_small_2player",
];

/// A line of a trace.
#[derive(Deserialize)]
struct Line {
    playout: Option<u32>,
    #[serde(default)]
    state: Vec<String>,
    #[serde(default)]
    terminal: bool,
    legal: Option<Vec<Vec<String>>>,
    goals: Option<Vec<i32>>,
    moves: Option<Vec<String>>,
}

/// The playouts of a trace.
fn playouts(path: &Path) -> Vec<Vec<Step>> {
    let lines = BufReader::new(GzDecoder::new(File::open(path).unwrap())).lines();
    let mut playouts: Vec<Vec<Step>> = Vec::new();
    // The first line tells the roles.
    for line in lines.skip(1) {
        let line: Line = serde_json::from_str(&line.unwrap()).unwrap();
        let playout = line.playout.unwrap() as usize;
        playouts.resize(playouts.len().max(playout + 1), Vec::new());
        playouts[playout].push(Step {
            state: line.state,
            terminal: line.terminal,
            legal: line.legal,
            goals: line
                .goals
                .map(|goals| goals.into_iter().map(Some).collect()),
            moves: line.moves,
        });
    }
    playouts
}

/// Follows all playouts of a game; how many steps they have, and the first difference.
fn follow(folder: &Path, name: &str) -> (usize, Option<String>) {
    let rules = std::fs::read_to_string(folder.join(format!("gdl/{name}.kif"))).unwrap();
    let game = match Prover::new(name, &program(name, &rules)) {
        Ok(game) => game,
        Err(problem) => return (0, Some(format!("{name}: {problem}"))),
    };
    let playouts = playouts(&folder.join(format!("traces/{name}.jsonl.gz")));
    let steps = playouts.iter().map(Vec::len).sum();
    let different = playouts.iter().find_map(|steps| difference(&game, steps));
    (steps, different.map(|what| format!("{name}: {what}")))
}

#[test]
fn recorded_play_is_followed_without_a_mismatch() {
    let Some(folder) = corpus() else { return };
    let mut names: Vec<String> = SAMPLE.map(str::to_owned).to_vec();
    if full() {
        let files = std::fs::read_dir(folder.join("gdl")).unwrap();
        let stems = files.map(|file| file.unwrap().path().file_stem().unwrap().to_owned());
        names = stems.map(|stem| stem.into_string().unwrap()).collect();
        names.sort();
    }
    let mut found = Vec::new();
    for name in names.iter().filter(|name| is_wanted(name)) {
        let start = cpu_time::ProcessTime::now();
        let (steps, different) = follow(&folder, name);
        println!(
            "{name}: {steps} steps, {:.2} s",
            start.elapsed().as_secs_f64()
        );
        found.extend(different);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
