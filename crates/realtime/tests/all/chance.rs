//! Chance and percepts: rtGDL-II as the papers define it, on every engine.

use std::collections::BTreeMap;

use paidia_game::{Chance, MoveId, MoveTable, RoleId, Rules, Ticks, TimedWalker};
use paidia_realtime::table::longest_delay;
use paidia_realtime::{Draws, Entry, RandomDraws, Table};
use paidia_reason::timed::{Core, Timed};

use crate::stage::{Stage, engines, load};

/// The example of the paper: four things that chance may do, one of which takes its time.
const SHOTS: &str = "(role runner) (role random) (init infinity ready) (init 20.0 patrol)
    (<= (legal random ?m) (true infinity ready) (action ?m) (not covered))
    (action wait) (action (move right)) (action (shot 0 pistol)) (action (shot 2 blaster))
    (<= covered (true ?t hidden)) (<= (legal runner hide) (role runner))
    (<= (next 30.0 hidden) (does runner hide)) (<= (next ?t hidden) (true ?t hidden))
    (<= (next 1.0 rests) (does random ?m)) (<= (next ?t rests) (true ?t rests))
    (<= (next infinity ready) (expired rests))
    (<= (next infinity ready) (true infinity ready) (not acted)) (<= acted (does random ?m))
    (<= (next ?t patrol) (true ?t patrol))
    (<= (sees runner (bang ?w)) (does random (shot ?t ?w))) (<= (sees runner dark) covered)
    (<= terminal (expired patrol)) (goal runner 0)";

/// Draws what it is told, and lets it happen after a given time.
struct Fixed(&'static str, Ticks);

impl Draws for Fixed {
    fn pick(&mut self, options: &[MoveId], moves: &MoveTable) -> MoveId {
        let wanted = moves.find(self.0);
        wanted
            .filter(|id| options.contains(id))
            .unwrap_or(options[0])
    }

    fn delay(&mut self, _: Ticks) -> Ticks {
        self.1
    }
}

#[test]
fn a_first_argument_that_is_a_time_delays_a_move_of_chance() {
    for (text, delay) in [
        ("wait", None),
        ("(move right)", None),
        ("(shot 0 pistol)", None),
        ("(shot 2 blaster)", Some(Ticks::from_units(2.0))),
        ("(shot 0.5 1)", Some(Ticks::from_units(0.5))),
    ] {
        assert_eq!(longest_delay(text), delay, "{text}");
    }
    for game in engines(SHOTS) {
        let late = Box::new(Fixed("(shot 2 blaster)", Ticks::from_units(1.25)));
        let mut stage = Stage::with_draws(&game, late);
        stage.until("1.5");
        assert_eq!(stage.lines(), ["1.25: random (shot 2 blaster)"]);
        let at_once = Box::new(Fixed("(shot 0 pistol)", Ticks::ZERO));
        let mut stage = Stage::with_draws(&game, at_once);
        stage.until("0.5");
        assert_eq!(stage.lines(), ["0: random (shot 0 pistol)"]);
    }
}

#[test]
fn a_delayed_move_that_is_not_legal_any_more_is_wasted_and_no_update() {
    for game in engines(SHOTS) {
        let late = Box::new(Fixed("(shot 2 blaster)", Ticks::from_units(1.25)));
        let mut stage = Stage::with_draws(&game, late);
        stage.at("1", &["runner hide"]).until("2");
        let lines = ["1: runner hide", "1.25: (shot 2 blaster) is wasted"];
        assert_eq!(stage.lines(), lines);
        assert_eq!(stage.table.updates(), 1);
    }
}

#[test]
fn percepts_are_told_if_they_differ_from_those_without_the_update_alone() {
    for game in engines(SHOTS) {
        let late = Box::new(Fixed("(shot 2 blaster)", Ticks::from_units(1.25)));
        let mut stage = Stage::with_draws(&game, late);
        // Nothing of `rests` and `ready` is seen; darkness is, once.
        stage
            .until("3.25")
            .at("3.5", &["runner hide"])
            .at("4", &["runner hide"]);
        let lines = [
            "1.25: random (shot 2 blaster)",
            "2.25: rests ends",
            "3.5: runner hide, random (shot 2 blaster)",
        ];
        assert_eq!(stage.lines()[..3], lines);
        let told: Vec<&str> = stage.messages().iter().map(String::as_str).collect();
        assert_eq!(told[0], "runner: (PLAY m1 nil 0.0)");
        assert_eq!(told[1], "runner: (PLAY m1 ((bang blaster)) 1.25)");
        let dark = told.iter().filter(|text| text.contains("dark")).count();
        assert_eq!(dark, 1, "{told:?}");
    }
}

/// What chance draws first in many matches, and after what time.
fn first_draws(game: &Timed, count: u64) -> (BTreeMap<String, u64>, Vec<f64>) {
    let (mut counts, mut delays) = (BTreeMap::new(), Vec::new());
    let (mut table, mut draws) = (Table::new(game), RandomDraws(Chance::from_seed(27)));
    for _ in 0..count {
        let mut entries: Vec<Entry> = Vec::new();
        table.enter(&game.initial(), Ticks::ZERO, None);
        table.start(&mut draws, &mut entries);
        let draw = entries.iter().find_map(|entry| match entry {
            Entry::Draw { drawn, delay, .. } => Some((*drawn, *delay)),
            _ => None,
        });
        let (drawn, delay) = draw.unwrap();
        let name = game.moves().name(drawn).to_string();
        *counts.entry(name).or_insert(0) += 1;
        delays.extend(delay.map(Ticks::units));
    }
    (counts, delays)
}

#[test]
fn chance_draws_evenly_and_its_delays_are_even() {
    let game = load(SHOTS, Core::Compiled, None);
    let (counts, mut delays) = first_draws(&game, 20_000);
    assert_eq!(counts.len(), 4);
    for (name, &count) in &counts {
        assert!((4_800..=5_200).contains(&count), "{name}: {count} of 20000");
    }
    let mean = delays.iter().sum::<f64>() / delays.len() as f64;
    assert!((0.97..=1.03).contains(&mean), "{mean}");
    // Kolmogorov and Smirnov: the largest distance from the even distribution on (0, 2], which is
    // beyond 1.95 over the root of the number once in a thousand.
    delays.sort_by(f64::total_cmp);
    let count = delays.len() as f64;
    let distances = delays.iter().enumerate().map(|(place, delay)| {
        let (below, own) = (place as f64 / count, delay / 2.0);
        (own - below).abs().max((below + 1.0 / count - own).abs())
    });
    let largest = distances.fold(0.0, f64::max);
    assert!(largest < 1.95 / count.sqrt(), "{largest} of {count} delays");
    assert!(delays[0] > 0.0 && delays[delays.len() - 1] <= 2.0);
}

#[test]
fn chance_draws_no_other_move_while_one_is_due() {
    for game in engines(SHOTS) {
        let late = Box::new(Fixed("(shot 2 blaster)", Ticks::from_units(1.5)));
        let mut stage = Stage::with_draws(&game, late);
        stage.until("1.25");
        let due = stage.table.pending().map(|(time, _)| time);
        assert_eq!(due, Some(Ticks::from_units(1.5)));
        let random = RoleId(1);
        assert_eq!(stage.table.walker().legal().of(random).len(), 4);
        assert_eq!(stage.table.updates(), 0);
    }
}
