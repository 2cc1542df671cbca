//! Advice about moves: where it is listened to, and where it is not.

use std::sync::Arc;

use paidia_game::{MoveId, RoleId, Rules};
use paidia_reason::propnet::Propnet;
use paidia_reason::propnet::engine::State;
use paidia_search::advice::{Advice, AdviceSource, NoAdvice};
use paidia_search::leaves::{LeafPlayouts, LeafSource, LeafValue};
use paidia_search::uct::{Advised, Choice, Leaves, Settings, Uct};
use paidia_search::{Budget, Costs, Report};
use paidia_testkit::bundled;

/// Advice that rates one move highly.
struct Fan(MoveId);

impl Advice<State> for Fan {
    fn values(&mut self, _: &State, _: RoleId, moves: &[MoveId], values: &mut Vec<f64>) {
        values.extend(moves.iter().map(|&id| f64::from(u8::from(id == self.0))));
    }
}

fn fan_of(game: &Propnet, text: &str) -> AdviceSource<State> {
    let id = game.moves().find(text).unwrap();
    Arc::new(move |_| Ok(Box::new(Fan(id))))
}

fn settings(tree: bool, playouts: bool) -> Settings {
    Settings {
        advice: Some(Advised {
            tree,
            playouts,
            after: 0,
            ..Advised::default()
        }),
        choice: Choice::MostVisits,
        ..Settings::cadia()
    }
}

fn search(game: &Propnet, settings: Settings, advice: &AdviceSource<State>, budget: u64) -> Report {
    let mut player = Uct::new(game, RoleId(0), settings, 7);
    player.take_advice(advice).unwrap();
    player.search(&game.initial(), Budget::simulations(budget))
}

fn visits(report: &Report, game: &Propnet, text: &str) -> u64 {
    let id = game.moves().find(text).unwrap();
    let found = report.moves.iter().find(|made| made.id == id);
    found.unwrap().visits
}

#[test]
fn advice_in_the_tree_is_tried_first_and_judged_by_what_comes_of_it() {
    let game = bundled("tic-tac-toe").propnet();
    let advice = fan_of(&game, "(mark 1 2)");
    let few = search(&game, settings(true, false), &advice, 4);
    assert_eq!(visits(&few, &game, "(mark 1 2)"), 4);
    let without = search(&game, settings(false, false), &advice, 4);
    assert!(visits(&without, &game, "(mark 1 2)") <= 1);
    // An edge is no good first move, whatever the advice says.
    let many = search(&game, settings(true, false), &advice, 5_000);
    let best = game.moves().name(many.moves[0].id);
    assert_eq!(&*best, "(mark 2 2)");
    assert!(many.moves.iter().all(|made| made.visits > 0));
}

#[test]
fn advice_is_asked_for_where_moves_were_chosen_often_enough() {
    let game = bundled("tic-tac-toe").propnet();
    let later = |after| {
        let mut settings = settings(true, false);
        settings.advice = settings.advice.map(|advised| Advised { after, ..advised });
        let report = search(&game, settings, &fan_of(&game, "(mark 1 2)"), 9);
        visits(&report, &game, "(mark 1 2)")
    };
    assert_eq!((later(0), later(9)), (9, 1));
    // One of the first three choices may have been that move by chance.
    assert!((6..=7).contains(&later(3)), "{}", later(3));
}

#[test]
fn advice_in_playouts_changes_what_is_found() {
    let game = bundled("tic-tac-toe").propnet();
    // Both players take the centre if it is free: a first move elsewhere leaves it to the opponent.
    let advice = fan_of(&game, "(mark 2 2)");
    let value = |report: &Report, text: &str| {
        let id = game.moves().find(text).unwrap();
        report
            .moves
            .iter()
            .find(|made| made.id == id)
            .unwrap()
            .value
    };
    let plain = search(&game, settings(false, false), &advice, 3_000);
    let advised = search(&game, settings(false, true), &advice, 3_000);
    let [plain, advised] = [&plain, &advised].map(|report| value(report, "(mark 1 2)"));
    assert!(advised < plain - 3.0, "{advised} against {plain}");
}

#[test]
fn without_an_adviser_nothing_changes() {
    let game = bundled("tic-tac-toe").propnet();
    let report = |settings| {
        let mut player = Uct::new(&game, RoleId(0), settings, 7);
        let mut report = player.search(&game.initial(), Budget::simulations(500));
        // What depends on the clock.
        report.time = std::time::Duration::ZERO;
        report.costs = Costs::default();
        report
    };
    let plain = Settings {
        choice: Choice::MostVisits,
        ..Settings::cadia()
    };
    assert_eq!(report(plain), report(settings(true, true)));
    let nobody: AdviceSource<State> = Arc::new(|_| Err(NoAdvice("too complex".into())));
    let mut player = Uct::new(&game, RoleId(0), settings(true, true), 7);
    let refused = player.take_advice(&nobody).unwrap_err();
    assert_eq!(refused.to_string(), "too complex");
}

/// Leaves that are worth nothing to any role, reported at once.
#[derive(Default)]
struct Worthless(Vec<u32>);

impl LeafPlayouts<State> for Worthless {
    fn submit(&mut self, _: &State, tag: u32, _: u32) {
        self.0.push(tag);
    }

    fn run(&mut self, done: &mut dyn FnMut(LeafValue<'_>)) {
        for tag in self.0.drain(..) {
            done(LeafValue {
                tag,
                playouts: 1,
                states: 1,
                shortest: 9,
                means: &[0.0, 0.0],
            });
        }
    }

    fn room(&self) -> u32 {
        1 - self.0.len() as u32
    }

    fn cancel(&mut self) {
        self.0.clear();
    }
}

#[test]
fn advice_in_the_tree_goes_with_playouts_by_others() {
    let game = bundled("tic-tac-toe").propnet();
    let leaves: LeafSource<State> = Arc::new(|_| Box::new(Worthless::default()));
    let settings = Settings {
        leaves: Leaves::Batched { playouts: 1 },
        ..settings(true, false)
    };
    let mut player = Uct::new(&game, RoleId(0), settings, 7);
    player.take_advice(&fan_of(&game, "(mark 1 2)")).unwrap();
    let mut player = player.with_leaves(&leaves);
    let report = player.search(&game.initial(), Budget::simulations(5));
    assert_eq!(visits(&report, &game, "(mark 1 2)"), 5);
}

#[test]
fn advice_is_kept_when_the_tree_is_made_smaller() {
    let game = bundled("connect-four").propnet();
    let advice = fan_of(&game, "(drop 1)");
    let settings = Settings {
        memory: 1 << 20,
        ..settings(true, false)
    };
    let mut player = Uct::new(&game, RoleId(0), settings, 7);
    player.take_advice(&advice).unwrap();
    let report = player.search(&game.initial(), Budget::simulations(6_000));
    assert_eq!(report.simulations, 6_000);
    assert!(player.memory() <= 1 << 20, "{}", player.memory());
}
