//! Soundness in matches at random of every bundled game that hides something: filters conclude
//! nothing that is false, and hypergames replay to exactly what was told.
//!
//! The tests follow a few joint moves of each game. `PAIDIA_MATCHES=1000` follows that many whole
//! matches of each, `PAIDIA_GAME` one game alone.

use paidia_game::{Chance, Game, Information, RoleId, Rules, Walker};
use paidia_gdl::Source;
use paidia_gdl::check::check_source;
use paidia_imperfect::bag::{Bag, Told, told_along};
use paidia_imperfect::filter::try_out;
use paidia_reason::propnet::{GroundGame, Propnet};
use paidia_testkit::rules::RuleSheet;

/// How much is followed of each game.
struct Extent {
    matches: u32,
    steps: u32,
    /// Hypergames of each bag.
    bag: usize,
}

impl Extent {
    fn new() -> Self {
        match std::env::var("PAIDIA_MATCHES") {
            Ok(matches) => Self {
                matches: matches.parse().unwrap(),
                steps: 1_000,
                bag: 8,
            },
            Err(_) => Self {
                matches: 1,
                steps: 8,
                bag: 8,
            },
        }
    }
}

/// Does something with each game that hides things; how many there are.
fn for_each_game(mut follow: impl FnMut(&str, &GroundGame)) -> usize {
    let only = std::env::var("PAIDIA_GAME").ok();
    let mut count = 0;
    for sheet in RuleSheet::all_bundled() {
        let is_asked = only.as_ref().is_none_or(|only| *only == sheet.name);
        if !sheet.text.contains("(sees ") || !is_asked {
            continue;
        }
        let source = Source::new(&*sheet.name, &*sheet.text);
        if check_source(&source, None).1.dialect.is_timed() {
            continue;
        }
        let game = sheet.ground();
        if game.facts.information == Information::Hidden {
            follow(&sheet.name, &game);
            count += 1;
        }
    }
    assert!(count >= 20 || only.is_some() && count == 1, "{count} games");
    count
}

#[test]
fn filters_conclude_nothing_that_is_false() {
    let extent = Extent::new();
    let mut rounds = 0;
    for_each_game(|name, game| {
        for role in game.facts.players() {
            let verdict = try_out(game, role, extent.matches, extent.steps, false, 7);
            assert_eq!(verdict.unsound, 0, "{name}, role {}", role.0);
            rounds += verdict.rounds;
        }
    });
    assert!(rounds >= 100, "{rounds}");
}

#[test]
fn every_hypergame_replays_to_what_was_told() {
    let extent = Extent::new();
    let mut compared = 0;
    for_each_game(|name, game| {
        let game = Propnet::new(game.clone());
        for seed in 0..extent.matches {
            compared += follow_bags(name, &game, &extent, u64::from(seed));
        }
    });
    assert!(compared >= 500, "{compared}");
}

/// Follows a match with a bag of each player; how many hypergames were replayed.
fn follow_bags(name: &str, game: &Propnet, extent: &Extent, seed: u64) -> usize {
    let mut chance = Chance::from_seed(seed);
    let (mut walker, mut replay) = (game.walker(), game.walker());
    let players: Vec<RoleId> = game.facts().players().collect();
    let new = |&role: &RoleId| Bag::new(game, role, extent.bag);
    let mut bags: Vec<Bag<Propnet>> = players.iter().map(new).collect();
    let (mut joint, mut compared) = (Vec::new(), 0);
    for _ in 0..extent.steps {
        if walker.is_terminal() || walker.draw(&mut chance, &mut joint).is_err() {
            break;
        }
        walker.advance(&joint, &mut chance);
        for (bag, &role) in bags.iter_mut().zip(&players) {
            let percepts = walker.percepts(role).into();
            let made = joint[role.index()];
            let seen = bag.see(Told { made, percepts }, None, &mut chance);
            if seen.is_err() {
                // A sample may miss the truth, all that agrees cannot.
                assert!(bag.is_sample(), "{name}: what happened was lost");
                continue;
            }
            assert!(bag.games().len() <= extent.bag, "{name}");
            for hypergame in bag.games() {
                let (start, joints) = (game.initial(), hypergame.joints());
                let told = told_along::<Propnet>(&mut replay, &start, &joints, role, &mut chance);
                assert_eq!(told, bag.told(), "{name}");
                let mut state = start;
                replay.save(&mut state);
                assert!(state == hypergame.state, "{name}");
                assert!(hypergame.weight > 0.0 && hypergame.weight.is_finite());
                compared += 1;
            }
        }
    }
    compared
}
