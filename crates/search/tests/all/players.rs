//! Players on bundled games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use paidia_game::{Chance, Game, Goal, MoveId, RoleId, Rules, Walker};
use paidia_reason::propnet::Propnet;
use paidia_search::flat::Flat;
use paidia_search::learner::{Candidate, Learner, Lessons, Maker, Prior};
use paidia_search::leaves::{LeafPlayouts, LeafSource, LeafValue};
use paidia_search::uct::{Parallel, Settings, Uct};
use paidia_search::{Budget, Costs, Informed, RandomPlayer, StopReason};
use paidia_testkit::bundled;
use paidia_testkit::counting::Counting;
use paidia_testkit::process::wait_until;

/// Plays a match to its end; the goals.
fn play(game: &Propnet, players: &mut [Box<dyn Informed<Propnet>>], budget: Budget) -> Vec<i32> {
    let (mut walker, mut chance, mut state) = (game.walker(), Chance::from_seed(9), game.initial());
    while !walker.is_terminal() {
        walker.save(&mut state);
        let joint: Vec<MoveId> = players
            .iter_mut()
            .map(|player| player.choose(&state, budget).id)
            .collect();
        paidia_game::play(game, &mut walker, &joint, &mut chance).unwrap();
    }
    let goal = |role: RoleId| match walker.goal(role) {
        Goal::One(value) => value,
        other => panic!("{other:?}"),
    };
    game.facts().role_ids().map(goal).collect()
}

#[test]
fn the_default_player_never_loses_tic_tac_toe_to_a_random_one() {
    let game = bundled("tic-tac-toe").propnet();
    for seed in 0..20 {
        let own = RoleId((seed % 2) as u16);
        let other = RoleId(1 - own.0);
        let mut players: Vec<Box<dyn Informed<Propnet>>> = vec![
            Box::new(RandomPlayer::new(&game, other, seed)),
            Box::new(RandomPlayer::new(&game, other, seed)),
        ];
        players[own.index()] = Box::new(Uct::new(&game, own, Settings::paidia(), seed));
        let goals = play(&game, &mut players, Budget::simulations(500));
        assert!(goals[own.index()] >= 50, "seed {seed}: {goals:?}");
    }
}

#[test]
fn one_seed_is_one_search() {
    let game = bundled("connect-four").propnet();
    let search = || {
        let mut player = Uct::new(&game, RoleId(0), Settings::cadia_history(), 5);
        let mut report = player.search(&game.initial(), Budget::simulations(300));
        report.time = std::time::Duration::ZERO;
        report.costs = Costs::default();
        report
    };
    assert_eq!(search(), search());
}

#[test]
fn a_simulation_adds_at_most_one_node() {
    let game = bundled("connect-four").propnet();
    let mut player = Uct::new(&game, RoleId(0), Settings::cadia(), 1);
    let report = player.search(&game.initial(), Budget::simulations(200));
    assert_eq!(report.simulations, 200);
    assert!(player.nodes() <= 201, "{}", player.nodes());
    assert_eq!(report.stopped, StopReason::Simulations);
}

#[test]
fn the_tree_stays_within_its_memory() {
    let game = bundled("connect-four").propnet();
    let settings = Settings {
        memory: 60_000,
        ..Settings::paidia()
    };
    let mut player = Uct::new(&game, RoleId(0), settings, 1);
    let report = player.search(&game.initial(), Budget::simulations(3_000));
    assert_eq!(report.simulations, 3_000);
    assert!(player.memory() <= 66_000, "{}", player.memory());
}

#[test]
fn proofs_solve_a_decided_position() {
    let game = bundled("tic-tac-toe").propnet();
    let mut player = Uct::new(&game, RoleId(0), Settings::paidia(), 1);
    let report = player.search(&game.initial(), Budget::simulations(60_000));
    assert_eq!(report.stopped, StopReason::Solved);
    assert_eq!(report.proven, Some(vec![50, 50]));
}

#[test]
fn search_beats_flat_monte_carlo() {
    let game = bundled("connect-four").propnet();
    let mut points = 0;
    for seed in 0..20 {
        let own = RoleId((seed % 2) as u16);
        let other = RoleId(1 - own.0);
        let mut players: Vec<Box<dyn Informed<Propnet>>> = vec![
            Box::new(Flat::new(&game, other, 0.99, seed)),
            Box::new(Flat::new(&game, other, 0.99, seed)),
        ];
        players[own.index()] = Box::new(Uct::new(&game, own, Settings::cadia(), seed));
        points += play(&game, &mut players, Budget::states(10_000))[own.index()];
    }
    // The thesis has about 90 %.
    assert!(points >= 1_200, "{points} of 2,000");
}

#[test]
fn simultaneous_moves_and_more_players_work() {
    for name in [
        "tic-tic-toe",
        "chinese-checkers-3",
        "rock-paper-scissors",
        "kuhn-poker",
    ] {
        let game = bundled(name).propnet();
        let roles: Vec<RoleId> = game.facts().role_ids().collect();
        let mut players: Vec<Box<dyn Informed<Propnet>>> = roles
            .into_iter()
            .map(|role| {
                Box::new(Uct::new(&game, role, Settings::paidia(), 3)) as Box<dyn Informed<Propnet>>
            })
            .collect();
        let goals = play(&game, &mut players, Budget::simulations(20));
        assert!(
            goals.iter().all(|goal| (0..=100).contains(goal)),
            "{name}: {goals:?}"
        );
    }
}

#[test]
fn pondering_ends_when_it_is_interrupted_and_is_of_use() {
    let game = Counting::new(bundled("connect-four").propnet());
    let mut player = Uct::new(&game, RoleId(0), Settings::paidia(), 5);
    let enough = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| player.ponder(&game.initial(), &enough));
        wait_until("the player ponders", || game.asked() > 1_000);
        enough.store(true, Ordering::Relaxed);
    });
    let before = player.nodes();
    assert!(before > 1, "{before}");
    let report = player.search(&game.initial(), Budget::simulations(10));
    let visits: u64 = report.moves.iter().map(|made| made.visits).sum();
    assert!(visits > 10, "{visits} visits, of which ten are new");
}

#[test]
fn threads_share_the_work_and_the_tree() {
    let game = bundled("connect-four").propnet();
    for parallel in [Parallel::Tree, Parallel::Root] {
        let settings = Settings {
            threads: Some(3),
            parallel,
            ..Settings::paidia()
        };
        let mut player = Uct::new(&game, RoleId(0), settings, 5);
        let report = player.search(&game.initial(), Budget::simulations(3_000));
        assert_eq!(report.simulations, 3_000, "{parallel:?}");
        let visits: u64 = report.moves.iter().map(|made| made.visits).sum();
        assert_eq!(visits, 3_000, "{parallel:?}");
        assert!(player.nodes() > 1_000, "{parallel:?}: {}", player.nodes());
    }
}

/// Tells of each leaf that it is a draw, and takes its time.
struct Slow {
    pause: Duration,
    tags: Vec<(u32, u32)>,
    told: Arc<AtomicUsize>,
}

impl<State> LeafPlayouts<State> for Slow {
    fn submit(&mut self, _: &State, tag: u32, playouts: u32) {
        self.tags.push((tag, playouts));
    }

    fn run(&mut self, done: &mut dyn FnMut(LeafValue<'_>)) {
        std::thread::sleep(self.pause);
        for (tag, playouts) in self.tags.drain(..) {
            self.told.fetch_add(1, Ordering::Relaxed);
            done(LeafValue {
                tag,
                playouts,
                states: 1,
                shortest: 2,
                means: &[50.0, 50.0],
            });
        }
    }

    fn room(&self) -> u32 {
        4_u32.saturating_sub(self.tags.len() as u32)
    }

    fn cancel(&mut self) {
        self.tags.clear();
    }
}

/// A player with a source of leaf playouts that takes its time, and how many leaves that told of.
fn with_slow_leaves(game: &Propnet, pause: Duration) -> (Uct<Propnet>, Arc<AtomicUsize>) {
    let told = Arc::new(AtomicUsize::new(0));
    let source: LeafSource<<Propnet as Rules>::State> = {
        let told = Arc::clone(&told);
        Arc::new(move |_| {
            Box::new(Slow {
                pause,
                tags: Vec::new(),
                told: Arc::clone(&told),
            })
        })
    };
    let settings = Settings {
        threads: Some(1),
        ..Settings::paidia()
    };
    let player = Uct::new(game, RoleId(0), settings, 1).with_leaves(&source);
    (player, told)
}

#[test]
fn a_budget_of_simulations_is_kept_with_many_leaves_at_once() {
    let game = bundled("connect-four").propnet();
    for simulations in [1, 50, 51] {
        let (mut player, _) = with_slow_leaves(&game, Duration::ZERO);
        let report = player.search(&game.initial(), Budget::simulations(simulations));
        assert_eq!(report.simulations, simulations);
    }
}

#[test]
fn the_start_clock_tells_whether_many_leaves_at_once_are_worth_it() {
    let game = bundled("connect-four").propnet();
    let told_after_start_clock = |pause: Duration| {
        let (mut player, told) = with_slow_leaves(&game, pause);
        player.prepare(&game.initial(), Budget::time(Duration::from_secs(2)));
        let before = told.load(Ordering::Relaxed);
        player.choose(&game.initial(), Budget::simulations(100));
        told.load(Ordering::Relaxed) - before
    };
    assert_eq!(told_after_start_clock(Duration::from_millis(30)), 0);
    assert!(told_after_start_clock(Duration::ZERO) > 0);
}

#[test]
fn a_learner_becomes_whoever_plays_better() {
    let game = bundled("tic-tac-toe").propnet();
    let random = || -> Maker<_> {
        let game = game.clone();
        Box::new(move |role, seed| Box::new(RandomPlayer::new(&game, role, seed)))
    };
    let thinking = || -> Maker<_> {
        let game = game.clone();
        let settings = Settings {
            threads: Some(1),
            ..Settings::cadia()
        };
        Box::new(move |role, seed| Box::new(Uct::new(&game, role, settings, seed)))
    };
    let prepared = |usual, maker, time| {
        let lessons = Arc::<Lessons>::default();
        let prior = Prior {
            expected: 0.4,
            games: 4.0,
        };
        let others = vec![Candidate {
            name: "other".to_owned(),
            is_possible: Box::new(|| true),
            maker,
            prior,
            needed: 0.5,
        }];
        let mut learner = Learner::new(&game, RoleId(0), usual, others, lessons, 1);
        learner.prepare(&game.initial(), Budget::time(time));
        let decision = learner.choose(&game.initial(), Budget::simulations(10));
        assert!(game.walker().legal().of(RoleId(0)).contains(&decision.id));
        learner.chosen()
    };
    let clock = Duration::from_secs(4);
    assert_eq!(prepared(random(), thinking(), clock), Some(0));
    assert_eq!(prepared(thinking(), random(), clock), None);
    // Nothing can be found out in a moment.
    let moment = Duration::from_millis(50);
    assert_eq!(prepared(random(), thinking(), moment), None);
}
