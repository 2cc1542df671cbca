//! What hypergames cost: how many a second of processor time makes, by the length of the match.
//!
//! `cargo bench -p paidia-imperfect --bench beliefs [-- SECONDS GAME...]`. Five matches at random
//! are followed to each length, again and again, with bags of 1,000 hypergames, as those of the
//! players, and beliefs of as many states. `looked at` counts joint moves that were tried, `made`
//! hypergames that agreed and were kept after some step, `kept` those of the bag in the end, and
//! `a sample` how many of the bags said that they are one.

use cpu_time::ProcessTime;
use paidia_game::{Chance, Game, RoleId, Rules, Walker};
use paidia_imperfect::bag::{Bag, Told};
use paidia_imperfect::belief::{Belief, BeliefLimits};
use paidia_reason::propnet::Propnet;
use paidia_testkit::rules::bundled;

const GAMES: [&str; 3] = ["battleships-in-fog", "krieg-tic-tac-toe-5x5", "blackjack"];
/// Hypergames of a bag.
const SIZE: usize = 1_000;
const MATCHES: u64 = 5;
const LENGTHS: [usize; 6] = [4, 8, 12, 16, 20, 24];

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|one| !one.starts_with('-'));
    let seconds = arguments.next().and_then(|one| one.parse().ok());
    let mut games: Vec<String> = arguments.collect();
    if games.is_empty() {
        games = GAMES.map(str::to_owned).to_vec();
    }
    println!(
        "{:24} {:>6} {:>12} {:>10} {:>6} {:>9} {:>8} {:>10}",
        "game", "length", "looked at/s", "made/s", "kept", "a sample", "states", "states/s"
    );
    for game in games {
        measure(&game, seconds.unwrap_or(1.0));
    }
}

/// What the first player is told in a match at random.
fn told(game: &Propnet, role: RoleId, seed: u64) -> Vec<Told> {
    let (mut walker, mut joint) = (game.walker(), Vec::new());
    let (mut chance, mut all) = (Chance::from_seed(seed), Vec::new());
    while !walker.is_terminal() && walker.draw(&mut chance, &mut joint).is_ok() {
        walker.advance(&joint, &mut chance);
        all.push(Told {
            made: joint[role.index()],
            percepts: walker.percepts(role).into(),
        });
    }
    all
}

fn measure(name: &str, seconds: f64) {
    let game = bundled(name).propnet();
    let role = game.facts().players().next().unwrap_or(RoleId(0));
    let matches: Vec<Vec<Told>> = (0..MATCHES).map(|seed| told(&game, role, seed)).collect();
    for length in LENGTHS {
        let long: Vec<&[Told]> = matches
            .iter()
            .filter_map(|told| told.get(..length))
            .collect();
        if long.is_empty() {
            break;
        }
        let bags = of_bags(&game, role, &long, seconds);
        let (states, rate) = of_beliefs(&game, role, &long, seconds);
        println!("{name:24} {length:>6} {bags} {states:>8.0} {rate:>10.0}");
    }
}

/// Follows matches with bags until the time is up; the columns about them.
fn of_bags(game: &Propnet, role: RoleId, matches: &[&[Told]], seconds: f64) -> String {
    let (begun, mut chance) = (ProcessTime::now(), Chance::from_seed(1));
    let (mut looked_at, mut made, mut kept, mut samples, mut bags) = (0, 0, 0, 0, 0);
    while begun.elapsed().as_secs_f64() < seconds {
        for told in matches {
            let mut bag = Bag::new(game, role, SIZE);
            for told in *told {
                if bag.see(told.clone(), None, &mut chance).is_err() {
                    break;
                }
                made += bag.games().len();
            }
            looked_at += bag.looked_at;
            kept += bag.games().len();
            samples += usize::from(bag.is_sample());
            bags += 1;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    format!(
        "{:>12.0} {:>10.0} {:>6} {:>8}%",
        looked_at as f64 / seconds,
        made as f64 / seconds,
        kept / bags,
        100 * samples / bags
    )
}

/// The same with beliefs: how many states are kept in the end, and how many are made a second.
fn of_beliefs(game: &Propnet, role: RoleId, matches: &[&[Told]], seconds: f64) -> (f64, f64) {
    let limits = BeliefLimits {
        states: SIZE,
        ..BeliefLimits::default()
    };
    let begun = ProcessTime::now();
    let (mut made, mut kept, mut beliefs) = (0, 0, 0);
    while begun.elapsed().as_secs_f64() < seconds {
        for told in matches {
            let mut belief = Belief::new(game, role, limits, beliefs);
            for told in *told {
                if belief.see(told.made, &told.percepts).is_err() {
                    break;
                }
                made += belief.states().len();
            }
            kept += belief.states().len();
            beliefs += 1;
        }
    }
    let rate = made as f64 / begun.elapsed().as_secs_f64();
    (kept as f64 / beliefs as f64, rate)
}
