//! Tables 3.5.1 to 3.5.3 of the thesis: how often each learner with each check finds an automaton
//! of the right size, how often one with errors, and how long it takes.
//!
//! ```console
//! $ cargo run --release -p paidia-learn --example learning_tables -- ../shared/boards 20 all
//! $ cargo run --release -p paidia-learn --example learning_tables -- ../shared/boards 20 single
//! ```
//!
//! The folder has the games as `games/NAME.sbg` and what is right as `languages/NAME.json`; the
//! number is that of data sets for each game, drawn by random play with seeds from 1. A fourth
//! argument is the distance K, which is 2 if not given.

use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;
use paidia_gdl::Source;
use paidia_languages::board::{self, BoardGame, Letter, On};
use paidia_learn::rules::{
    Check, Fraction, Method, Observations, Settings, accepted_words, learn, random_plays,
};
use rayon::prelude::*;
use serde_json::Value;

/// The games of the thesis that are known; two of its three bred ones are not.
const GAMES: [&str; 7] = [
    "chess",
    "los_alamos",
    "tamerlane",
    "checkers_breakthrough",
    "genp4",
    "ibis",
    "tricky",
];

/// A piece: its letter, the words that are right, and the size of the smallest automaton.
type Piece = (u8, BTreeSet<Vec<Letter>>, usize);

/// What a learner with a check achieved.
#[derive(Clone, Copy, Default)]
struct Sum {
    runs: u32,
    right_size: u32,
    wrong: u32,
    time: Duration,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, sets, kind, rest @ ..] = &arguments[..] else {
        return Err("usage: learning_tables FOLDER SETS all|single [K]".into());
    };
    let is_complete = kind == "all";
    let plays = if is_complete { 50 } else { 1000 };
    let sets: u64 = sets.parse()?;
    let distance = rest.first().map_or(Ok(2), |text| text.parse())?;
    let settings = settings(is_complete, distance);
    let mut sums = vec![Sum::default(); settings.len()];
    for name in GAMES {
        let (game, pieces) = read(Path::new(folder), name)?;
        let seen: Vec<Observations> = (1..=sets)
            .into_par_iter()
            .map(|seed| random_plays(&game, plays, is_complete, seed))
            .collect::<Result<_, _>>()?;
        let jobs: Vec<(usize, usize, usize)> = (0..seen.len())
            .flat_map(|set| (0..pieces.len()).map(move |piece| (set, piece)))
            .flat_map(|(set, piece)| (0..settings.len()).map(move |n| (set, piece, n)))
            .collect();
        let done: Vec<(usize, Sum)> = jobs
            .par_iter()
            .map(|&(set, piece, n)| (n, run(&seen[set], &pieces[piece], settings[n])))
            .collect();
        for (n, one) in done {
            let sum = &mut sums[n];
            sum.runs += one.runs;
            sum.right_size += one.right_size;
            sum.wrong += one.wrong;
            sum.time += one.time;
        }
        eprintln!("{name}: {} pieces", pieces.len());
    }
    println!("| check | learner | runs | right size % | errors % | seconds a data set |");
    println!("|---|---|---|---|---|---|");
    for (settings, sum) in settings.iter().zip(sums) {
        let part = |count: u32| 100.0 * f64::from(count) / f64::from(sum.runs.max(1));
        println!(
            "| {} | {} | {} | {:.1} | {:.1} | {:.3} |",
            name_of(settings.check),
            settings.method.name(),
            sum.runs,
            part(sum.right_size),
            part(sum.wrong),
            sum.time.as_secs_f64() / sets as f64
        );
    }
    Ok(())
}

fn settings(is_complete: bool, distance: usize) -> Vec<Settings> {
    let tenths = if is_complete { 5..10 } else { 6..10 };
    let tenths = tenths.map(|of| Check::Fractional(Fraction { of, among: 10 }));
    let checks = [Check::Bjornsson]
        .into_iter()
        .chain(tenths)
        .chain([Check::Fast]);
    let all = checks.flat_map(|check| {
        Method::ALL.map(|method| Settings {
            method,
            check,
            distance,
            ..Settings::default()
        })
    });
    all.collect()
}

fn name_of(check: Check) -> String {
    match check {
        Check::Bjornsson => "Björnsson".to_owned(),
        Check::Fast => "Fast".to_owned(),
        Check::Fractional(Fraction { of, among }) => format!("Frac {of}/{among}"),
    }
}

/// One run. A piece that never moved is not counted, as there is nothing to learn.
fn run(seen: &Observations, piece: &Piece, settings: Settings) -> Sum {
    let (letter, right, size) = piece;
    let began = ThreadTime::now();
    let learned = learn(seen, *letter, settings);
    let time = began.elapsed();
    let Some(learned) = learned else {
        return Sum::default();
    };
    let words = accepted_words(&learned, seen.width, seen.height, 500_000);
    let is_wrong = words.len() >= 500_000 || words.iter().any(|word| !right.contains(word));
    Sum {
        runs: 1,
        right_size: u32::from(learned.states() == *size),
        wrong: u32::from(is_wrong),
        time,
    }
}

fn read(folder: &Path, name: &str) -> Result<(BoardGame, Vec<Piece>), Box<dyn Error>> {
    let text = fs::read_to_string(folder.join(format!("games/{name}.sbg")))?;
    let reading = board::read(&Source::new(name, text));
    if reading.has_errors() {
        return Err(format!("{name} has errors").into());
    }
    let known = fs::read_to_string(folder.join(format!("languages/{name}.json")))?;
    let known: Value = serde_json::from_str(&known)?;
    let pieces = known["pieces"].as_object().ok_or("no pieces")?.iter();
    let pieces = pieces.map(|(letter, piece)| {
        let words = piece["word_list"].as_array().into_iter().flatten();
        let words = words.filter_map(Value::as_str).map(word).collect();
        let size = piece["smallest_modulo_s0"]["states"].as_u64().unwrap_or(0);
        (letter.as_bytes()[0], words, size as usize)
    });
    let pieces = pieces.collect();
    Ok((BoardGame::new(name, reading.rules)?, pieces))
}

fn word(text: &str) -> Vec<Letter> {
    let letter = |step: &str| {
        let mut parts = step.trim_matches(['(', ')']).split(',');
        let mut number = || parts.next()?.parse().ok();
        let (dx, dy) = (number()?, number()?);
        let on = On::of_letter(*parts.next()?.as_bytes().first()?)?;
        Some(Letter { dx, dy, on })
    };
    text.split_inclusive(')').filter_map(letter).collect()
}
