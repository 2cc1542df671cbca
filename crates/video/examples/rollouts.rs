//! Makes a number of random rollouts of 40 steps and times nothing, for a profiler that counts
//! instructions; with the number 0 it measures rates (`paidia bench --corpus` does so for all games).
//!
//! ```text
//! cargo build --release -p paidia-video --example rollouts
//! valgrind --tool=callgrind target/release/examples/rollouts GAME.txt LEVEL.txt 2000
//! ```

use std::sync::Arc;
use std::time::Duration;

use paidia_gdl::Source;
use paidia_video::speed::{Rates, Runner};
use paidia_video::{Level, read};

fn main() {
    let given: Vec<String> = std::env::args().skip(1).collect();
    let [game, level, count] = given.as_slice() else {
        panic!("give a description, a level, and a number of rollouts");
    };
    let source = |path: &str| Source::new(path, std::fs::read_to_string(path).expect("a file"));
    let game = Arc::new(read(&source(game)).game);
    let level = Level::read(&game, &source(level)).level;
    let level = level.expect("a level that can be played");
    let count: u64 = count.parse().expect("a number of rollouts");
    if count == 0 {
        println!("{:?}", Rates::measure(&level, Duration::from_millis(500)));
        return;
    }
    let mut runner = Runner::new(&level);
    let ticks: usize = (0..count).map(|seed| runner.rollout(40, seed)).sum();
    println!("{ticks} ticks");
}
