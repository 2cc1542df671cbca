//! How near to their times things happen on the real clock: matches between two players that are
//! reached over HTTP on this machine.
//!
//! Both players are scripts, so that it is known when each move is meant. The error of a move is
//! the difference between that and the time at which the host received it, the error of an expiry
//! how long after its time the host dealt with it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use paidia_arena::Guest;
use paidia_arena::engine::{EngineSpec, load_in_time};
use paidia_arena::realtime::{TimedMatch, play};
use paidia_arena::rules::Ruleset;
use paidia_game::Ticks;
use paidia_realtime::clock::Pace;
use paidia_realtime::{TimedRecord, TimedRecorder};
use paidia_server::ggp::host::elsewhere_in_time;
use paidia_server::ggp::player::{Options, PlayerServer};

/// Two players who tap, a heart that beats, and an end.
const RULES: &str = "(role red) (role blue) (init 0.1 beat) (init 2.0 match)
    (<= (legal ?r (tap ?n)) (role ?r) (number ?n))
    (number 1) (number 2) (number 3) (number 4) (number 5) (number 6)
    (<= (next 0.1 beat) (expired beat)) (<= (next ?t beat) (true ?t beat))
    (<= (next ?t match) (true ?t match))
    (<= terminal (expired match)) (<= (goal ?r 100) (role ?r))";

/// Seconds that a unit of game time takes.
const PACE: f64 = 0.5;

fn main() {
    let wanted = std::env::args().nth(1).and_then(|count| count.parse().ok());
    let matches: u32 = wanted.unwrap_or(200);
    let rules = Ruleset::from_text("punctuality", RULES).expect("the rules are sound");
    let game = load_in_time(&EngineSpec::default(), &rules, None).expect("the rules can be played");
    let times = [
        [0.21, 0.53, 0.84, 1.16, 1.47, 1.78],
        [0.34, 0.67, 0.98, 1.29, 1.63, 1.91],
    ];
    let stop = Arc::new(AtomicBool::new(false));
    let mut addresses = Vec::new();
    for times in times {
        let moves = times.iter().enumerate();
        let moves = moves.map(|(number, time)| format!("{time} (tap {})", number + 1));
        let options = Options {
            in_time: format!("script({})", moves.collect::<Vec<_>>().join("; ")),
            ..Options::new("random".parse().expect("there is such a player"))
        };
        let server = PlayerServer::bind("127.0.0.1:0", options).expect("a port is free");
        addresses.push(server.address().expect("it has an address"));
        let stop = Arc::clone(&stop);
        thread::spawn(move || server.serve(&stop));
    }
    let elsewhere = elsewhere_in_time(&rules, &game).expect("the rules are in GDL");
    let (mut moves, mut expiries, mut missing) = (Vec::new(), Vec::new(), 0);
    for number in 0..matches {
        let guests = addresses.iter();
        let guests = guests.map(|address| (Guest::Elsewhere(format!("http://{address}")), None));
        let guests: Vec<_> = guests.collect();
        let settings = TimedMatch {
            id: &format!("punctual-{number}"),
            pace: Some(Pace { seconds: PACE }),
            until: Ticks::from_units(10.0),
            reaction: Ticks::ZERO,
            seed: u64::from(number),
            stop: &stop,
            elsewhere: Some(&elsewhere),
        };
        let mut recorder = TimedRecorder::new(&game, TimedRecord::default());
        let played = play(&game, &guests, &settings, &mut recorder);
        let (outcome, punctuality) = played.expect("the players are there");
        expiries.extend(punctuality.into_iter().flat_map(|own| own.late));
        let record = recorder.finish(&outcome);
        for (role, times) in ["red", "blue"].iter().zip(times) {
            for (tap, meant) in times.iter().enumerate() {
                let text = format!("(tap {})", tap + 1);
                let made = record.events.iter();
                let made = made.filter(|event| event.role == *role && event.text == text);
                match made
                    .filter_map(|event| event.time.parse::<f64>().ok())
                    .next()
                {
                    Some(time) => moves.push((time - meant).abs() * PACE),
                    None => missing += 1,
                }
            }
        }
    }
    stop.store(true, Ordering::Relaxed);
    println!("{matches} matches, {missing} moves missing");
    tell("moves", moves);
    tell("expiries", expiries);
}

fn tell(what: &str, mut errors: Vec<f64>) {
    errors.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let place = ((errors.len() as f64 * part) as usize).min(errors.len().saturating_sub(1));
        errors.get(place).copied().unwrap_or(f64::NAN) * 1e3
    };
    println!(
        "{what}: {} in all; error in ms: median {:.2}, 99 % {:.2}, 99.9 % {:.2}, most {:.2}",
        errors.len(),
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0)
    );
}
