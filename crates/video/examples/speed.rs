//! Copies, advances and rollouts per second of CPU time, beside what was measured of GVGAI.
//!
//! ```text
//! cargo run --release -p paidia-video --example speed -- ../shared/vgdl [GAME [ROLLOUTS]]
//! ```
//!
//! With a number of rollouts, exactly these are made and nothing is timed, for a profiler that
//! counts instructions.
//!
//! The folder holds `games/` and `gvgai-speed.json`, whose rows name the games.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ThreadTime;
use paidia_gdl::Source;
use paidia_video::{Action, Level, Random, Scratch, State, read};
use serde_json::Value;

/// CPU time for each measurement.
const SPAN: Duration = Duration::from_millis(400);
/// Steps of a rollout for the figure of copies and advances together.
const ROLLOUT: usize = 10;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments
        .next()
        .unwrap_or_else(|| "../shared/vgdl".to_owned());
    let only = arguments.next();
    let counted = arguments
        .next()
        .map(|count| count.parse().expect("a number of rollouts"));
    let folder = Path::new(&folder);
    let text = std::fs::read_to_string(folder.join("gvgai-speed.json")).expect(
        "the folder has gvgai-speed.json: give the folder with the recordings as the argument",
    );
    let recorded: Value = serde_json::from_str(&text).expect("JSON");
    println!(
        "{:16} {:>12} {:>7} {:>12} {:>7} {:>12} {:>7}",
        "game", "copies", "times", "advances", "times", "rollouts", "times"
    );
    let mut logs = [0.0; 3];
    let mut least = f64::INFINITY;
    let mut games = 0.0;
    for row in recorded["rows"].as_array().expect("rows") {
        let name = row["game"].as_str().expect("a name");
        if only.as_deref().is_some_and(|only| only != name) {
            continue;
        }
        let level = load(folder, name);
        if let Some(count) = counted {
            let mut runner = Runner::new(&level);
            let ticks: usize = (0..count).map(|seed| runner.rollout(40, seed)).sum();
            println!("{name}: {ticks} ticks");
            continue;
        }
        let own = measure(&level);
        let copies = row["copies_per_cpu_s"].as_f64().expect("a number");
        let advances = row["advances_per_cpu_s"].as_f64().expect("a number");
        let rollouts = 1.0 / (1.0 / copies + ROLLOUT as f64 / advances);
        let times = [own[0] / copies, own[1] / advances, own[2] / rollouts];
        println!(
            "{name:16} {:>12.0} {:>7.1} {:>12.0} {:>7.1} {:>12.0} {:>7.1}",
            own[0], times[0], own[1], times[1], own[2], times[2]
        );
        for (log, times) in logs.iter_mut().zip(times) {
            *log += times.ln();
        }
        least = least.min(times[1]);
        games += 1.0;
    }
    let mean = logs.map(|log| (log / games).exp());
    println!(
        "geometric means: copies {:.1} times, advances {:.1} times (least {least:.1}), \
         copy and {ROLLOUT} steps {:.1} times",
        mean[0], mean[1], mean[2]
    );
}

fn load(folder: &Path, name: &str) -> Level {
    let text = |file: String| {
        let path = folder.join("games").join(name).join(&file);
        Source::new(
            file,
            std::fs::read_to_string(path).expect("a game of the collection"),
        )
    };
    let game = Arc::new(read(&text(format!("{name}.txt"))).game);
    let level = Level::read(&game, &text(format!("{name}_lvl0.txt"))).level;
    level.expect("the level can be played")
}

/// Random rollouts from the start of a level.
struct Runner<'a> {
    level: &'a Level,
    start: State,
    state: State,
    scratch: Scratch,
    chance: Random,
}

impl<'a> Runner<'a> {
    fn new(level: &'a Level) -> Self {
        let start = level.start(1);
        Self {
            level,
            state: start.clone(),
            start,
            scratch: Scratch::forward(),
            chance: Random::from_seed(7),
        }
    }

    fn copy(&mut self) {
        self.state.copy(std::hint::black_box(&self.start));
        std::hint::black_box(&mut self.state);
    }

    fn rollout(&mut self, steps: usize, seed: u64) -> usize {
        self.copy();
        self.state.set_random(Random::from_seed(seed as i64));
        for step in 0..steps {
            let actions = self.level.actions(&self.state);
            let drawn = self.chance.below(actions.len() as i32 + 1) as usize;
            let action = actions.get(drawn).copied().unwrap_or(Action::Nil);
            self.level
                .advance(&mut self.state, action, &mut self.scratch);
            if self.state.is_over() {
                return step + 1;
            }
        }
        steps
    }
}

/// Copies, advances in rollouts of 40 steps, and rollouts with a copy, each per CPU second.
fn measure(level: &Level) -> [f64; 3] {
    let mut runner = Runner::new(level);
    for seed in 0..200 {
        runner.rollout(40, seed);
    }
    let copies = per_second(|_| {
        runner.copy();
        1
    });
    let with_copies = per_second(|seed| runner.rollout(40, seed));
    let rollouts = per_second(|seed| {
        runner.rollout(ROLLOUT, seed);
        1
    });
    // Time of the copies is taken out, as it was for the recorded figures.
    let mean = (0..50).map(|seed| runner.rollout(40, seed)).sum::<usize>() as f64 / 50.0;
    let advances = 1.0 / (1.0 / with_copies - 1.0 / (copies * mean));
    [copies, advances, rollouts]
}

/// How much is done per second of CPU time; the work tells how much it did.
fn per_second(mut work: impl FnMut(u64) -> usize) -> f64 {
    let begin = ThreadTime::now();
    let mut done = 0;
    let mut round = 0;
    loop {
        for _ in 0..64 {
            done += work(round);
            round += 1;
        }
        let spent = begin.elapsed();
        if spent >= SPAN {
            return done as f64 / spent.as_secs_f64();
        }
    }
}
