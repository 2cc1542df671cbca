//! The bundled games in real time: each is played to its end, is the same on all engines, and is
//! played better by search than at random.

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, mpsc};
use std::time::Instant;

use cpu_time::ThreadTime;
use paidia_game::{Chance, RoleId, Rules, Ticks};
use paidia_library::{BundledGame, real_time};
use paidia_realtime::agent::Agent;
use paidia_realtime::clock::Pace;
use paidia_realtime::live::{self, Line, LiveSettings, LocalPlayer};
use paidia_realtime::players::{
    Intent, SearchPlayer, SearchSettings, TOLERANCE, TimedPlayer, make,
};
use paidia_realtime::playout::{Pastime, Playouts};
use paidia_realtime::record::{TimedRecord, TimedRecorder, follow};
use paidia_realtime::world::World;
use paidia_realtime::{Outcome, contest};
use paidia_reason::timed::Timed;
use paidia_testkit::settings::number;

use crate::stage::engines;

/// A bundled game as it is played: as machine code where that is made.
fn load(game: &BundledGame) -> Timed {
    let [_, _, native] = engines(game.rules);
    native
}

/// A player for each role: `own` for one, `others` for the others; `own` for all without a role.
fn players(
    game: &Timed,
    own: Option<usize>,
    names: (&str, &str),
    seed: u64,
) -> Vec<Box<dyn TimedPlayer<Timed>>> {
    let roles = game.facts().players().enumerate();
    let player = roles.map(|(place, role)| {
        let name = match own {
            Some(own) if own != place => names.1,
            _ => names.0,
        };
        make(name, game, role, seed * 7 + place as u64).unwrap()
    });
    player.collect()
}

fn play(game: &Timed, players: &mut [Box<dyn TimedPlayer<Timed>>], seed: u64) -> Outcome {
    let until = Ticks::from_units(1_000.0);
    let outcome = contest::play(game, players, until, Ticks(10_000), seed, &mut ());
    assert_eq!(outcome.fault, None);
    outcome
}

#[test]
fn random_play_ends_with_a_goal_for_each_role() {
    for bundled in real_time() {
        let game = load(bundled);
        let mut playouts = Playouts::new(&game, Pastime::default());
        let mut chance = Chance::from_seed(3);
        let (count, began) = (number("PAIDIA_TIMED_PLAYOUTS", 4), Instant::now());
        let (mut updates, mut sums) = (0, vec![0.0; game.facts().roles.len()]);
        for _ in 0..count {
            let playout = playouts.play(&mut chance);
            assert_eq!(playouts.fault(), None, "{}", bundled.name);
            assert!(playout.is_over, "{} does not end", bundled.name);
            updates += playout.updates;
            for (sum, goal) in sums.iter_mut().zip(&playout.goals) {
                let value = goal.value().unwrap_or_else(|| panic!("{}", bundled.name));
                *sum += f64::from(value) / count as f64;
            }
        }
        let rate = updates as f64 / began.elapsed().as_secs_f64();
        let name = bundled.name;
        println!("{name}: {updates} updates, {rate:.0} a second, mean goals {sums:.1?}");
    }
}

/// All engines tell the same of a match, and its record can be played again.
#[test]
fn engines_agree_on_recorded_matches() {
    for bundled in real_time() {
        let game = load(bundled);
        let mut recorder = TimedRecorder::new(&game, TimedRecord::default());
        let mut players = players(&game, None, ("random(rate=1)", ""), 5);
        let until = Ticks::from_units(25.0);
        let outcome = contest::play(&game, &mut players, until, Ticks(0), 5, &mut recorder);
        let record = recorder.finish(&outcome);
        for other in engines(bundled.rules) {
            let followed = follow(&other, &record);
            let updates = followed.unwrap_or_else(|why| panic!("{}: {why}", bundled.name));
            assert!(updates > 0, "{}", bundled.name);
        }
    }
}

/// `PAIDIA_TIMED_MATCHES=100 cargo test --release -p paidia-realtime --test all bundled::search`
/// plays more; `PAIDIA_TIMED_GAME` takes one game.
#[test]
fn search_beats_random_play() {
    let matches = number("PAIDIA_TIMED_MATCHES", 2);
    let only = std::env::var("PAIDIA_TIMED_GAME").ok();
    let search = std::env::var("PAIDIA_TIMED_PLAYER").unwrap_or("search".to_owned());
    let mut all = Vec::new();
    for bundled in real_time() {
        let is_heavy = bundled.name == "chess-clock" && matches < 10;
        if only.as_ref().is_some_and(|only| only != bundled.name) || only.is_none() && is_heavy {
            continue;
        }
        let game = load(bundled);
        let seats = game.facts().players().count();
        // Where players win or lose together, both search.
        let together = bundled.name == "juggling";
        let (mut sum, began) = (0.0, Instant::now());
        for number in 0..matches {
            let place = number as usize % seats;
            let own = (!together).then_some(place);
            let mut players = players(&game, own, (&search, "random"), number + 1);
            let outcome = play(&game, &mut players, number + 1);
            let role = game.facts().players().nth(place).unwrap();
            let goal = outcome.goals[role.index()]
                .value()
                .filter(|_| outcome.is_over);
            sum += f64::from(goal.unwrap_or(0));
        }
        let (mean, time) = (sum / matches as f64, began.elapsed().as_secs_f64());
        println!(
            "{}: {mean:.1} of 100 in {matches} matches, {time:.1} s",
            bundled.name
        );
        all.push(mean);
    }
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    println!("{mean:.1} of 100 in all games");
    assert!(mean >= 80.0, "search has {mean:.1} of 100");
    if matches >= 50 {
        assert!(all.iter().all(|&mean| mean >= 80.0), "{all:?}");
    }
}

/// Decisions with a deadline, those that came after it, and those that took more processor time
/// than there was: the former depend on what else the machine does.
type Counts = (u64, u64, u64);

/// A search whose counts of deadlines can be read from outside.
struct Watched {
    search: SearchPlayer<Timed>,
    counts: Arc<Mutex<Counts>>,
}

impl TimedPlayer<Timed> for Watched {
    fn intend(&mut self, world: &mut World<Timed>, now: Ticks) -> Option<Intent> {
        let before = self.search.thinking().decisions;
        let began = ThreadTime::now();
        let intent = self.search.intend(world, now);
        let took = began.elapsed();
        let thinking = self.search.thinking();
        let is_new = thinking.decisions > before;
        let most = thinking.budget.filter(|_| is_new);
        let mut counts = self.counts.lock().unwrap();
        (counts.0, counts.1) = (thinking.decisions, thinking.late);
        counts.2 += u64::from(most.is_some_and(|most| took > most + TOLERANCE));
        intent
    }

    fn on_clock(&mut self, pace: Pace) {
        self.search.on_clock(pace);
    }
}

/// On the real clock search decides before its deadlines. How often it does depends on what else
/// the machine does, so that the test tells it and asks for no more than that there are decisions;
/// `PAIDIA_TIMED_LIVE=20` plays that many matches of each of three games.
#[test]
fn search_has_deadlines_on_the_real_clock() {
    let matches = number("PAIDIA_TIMED_LIVE", 1);
    let names = match matches {
        1 => vec!["real-time-tron"],
        _ => vec!["real-time-tron", "gold-rush", "ships"],
    };
    let (mut decisions, mut late, mut slow) = (0, 0, 0);
    for bundled in real_time().iter().filter(|game| names.contains(&game.name)) {
        let game = load(bundled);
        let pace = Pace { seconds: 0.5 };
        for seed in 0..matches {
            let (host, moves) = mpsc::channel();
            let mut lines: Vec<(RoleId, Box<dyn Line>)> = Vec::new();
            let mut all = Vec::new();
            for role in game.facts().players() {
                let counts = Arc::new(Mutex::new((0, 0, 0)));
                all.push(Arc::clone(&counts));
                let settings = SearchSettings::for_game(&game);
                let search = SearchPlayer::new(&game, role, settings, seed);
                let player = Box::new(Watched { search, counts });
                let agent = Agent::new(&game, "live", role, pace, player);
                let line = LocalPlayer::start(agent, role, host.clone());
                lines.push((role, Box::new(line)));
            }
            drop(host);
            let settings = LiveSettings {
                name: "live",
                pace,
                until: Ticks::from_units(6.0),
                seed,
                stop: &AtomicBool::new(false),
            };
            live::play(&game, &settings, lines, &moves, &mut ());
            for counts in all {
                let (own, own_late, own_slow) = *counts.lock().unwrap();
                decisions += own;
                late += own_late;
                slow += own_slow;
            }
        }
    }
    println!(
        "of {decisions} decisions {late} came after their deadlines, and {slow} took more \
         processor time than they had"
    );
    assert!(decisions > 0);
}
