//! Players on games whose values are known: what HyperPlay and HyperPlay-II think of moves, and
//! that bags replay to what was told.

use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, Goal, Information, MoveId, RoleId, Rules, Sight, Walker, playout};
use paidia_imperfect::bag::{Bag, Told, told_along};
use paidia_imperfect::players::{
    Equilibrist, HyperPlay, HyperPlaySettings, HyperPlayTwo, InformationSetSearch, TreeSettings,
};
use paidia_reason::propnet::Propnet;
use paidia_search::{Budget, Decision, Player, RandomPlayer};
use paidia_testkit::rules::{bundled, rules};

/// A wire is armed in secret; the agent may ask which, at a price, or wait, and then cuts one.
const BOMB: &str = "
(role agent) (role random) (colour red) (colour blue)
(init (round 1))
(<= (legal random (arm ?c)) (true (round 1)) (colour ?c))
(<= (legal random noop) (not (true (round 1))))
(<= (legal agent noop) (true (round 1)))
(<= (legal agent ask) (true (round 2)))
(<= (legal agent wait) (true (round 2)))
(<= (legal agent (cut ?c)) (true (round 3)) (colour ?c))
(<= (sees agent ?c) (does agent ask) (true (armed ?c)))
(<= (next (armed ?c)) (does random (arm ?c)))
(<= (next (armed ?c)) (true (armed ?c)))
(<= (next (round 2)) (true (round 1)))
(<= (next (round 3)) (true (round 2)))
(<= (next (round 4)) (true (round 3)))
(<= (next asked) (does agent ask))
(<= (next asked) (true asked))
(<= (next exploded) (does agent (cut ?c)) (true (armed ?c)))
(<= terminal (true (round 4)))
(<= (goal agent 0) (true exploded))
(<= (goal agent 100) (not (true exploded)) (not (true asked)))
(<= (goal agent 90) (not (true exploded)) (true asked))";

/// One agent arms a wire and tells which, or hides it at a price; the other cuts one and wins if
/// nothing explodes.
const SPY: &str = "
(role armer) (role cutter) (colour red) (colour blue)
(init (round 1))
(<= (legal armer (tell ?c)) (true (round 1)) (colour ?c))
(<= (legal armer (hide ?c)) (true (round 1)) (colour ?c))
(<= (legal armer noop) (not (true (round 1))))
(<= (legal cutter noop) (true (round 1)))
(<= (legal cutter (cut ?c)) (true (round 2)) (colour ?c))
(<= (sees cutter ?c) (does armer (tell ?c)))
(<= (next (armed ?c)) (does armer (tell ?c)))
(<= (next (armed ?c)) (does armer (hide ?c)))
(<= (next (armed ?c)) (true (armed ?c)))
(<= (next hidden) (does armer (hide ?c)))
(<= (next hidden) (true hidden))
(<= (next (round 2)) (true (round 1)))
(<= (next (round 3)) (true (round 2)))
(<= (next exploded) (does cutter (cut ?c)) (true (armed ?c)))
(<= terminal (true (round 3)))
(<= (goal armer 100) (true exploded) (not (true hidden)))
(<= (goal armer 80) (true exploded) (true hidden))
(<= (goal armer 20) (not (true exploded)) (not (true hidden)))
(<= (goal armer 0) (not (true exploded)) (true hidden))
(<= (goal cutter 0) (true exploded))
(<= (goal cutter 100) (not (true exploded)))";

fn settings(index: u32) -> HyperPlaySettings {
    HyperPlaySettings {
        hypergames: 100,
        index,
    }
}

/// Plays a match; what each role decided at each step, and the last state's goals.
fn play(
    game: &Propnet,
    players: &mut [Box<dyn Player<Propnet>>],
    seed: u64,
) -> (Vec<Vec<Decision>>, Vec<Goal>) {
    let (mut walker, mut chance) = (game.walker(), Chance::from_seed(seed));
    let (mut state, mut decisions) = (game.initial(), Vec::new());
    let roles: Vec<RoleId> = game.facts().role_ids().collect();
    assert_eq!(game.facts().information, Information::Hidden);
    let mut last: Option<Vec<MoveId>> = None;
    loop {
        for (&role, player) in roles.iter().zip(players.iter_mut()) {
            let percepts = walker.percepts(role).to_vec();
            player.observe(&Sight::new(
                game.facts(),
                role,
                &state,
                last.as_deref(),
                &percepts,
            ));
        }
        if walker.is_terminal() {
            return (
                decisions,
                roles.iter().map(|&role| walker.goal(role)).collect(),
            );
        }
        let legal = walker.legal().clone();
        let choose = |(&role, player): (&RoleId, &mut Box<dyn Player<Propnet>>)| {
            player.choose(legal.of(role), Budget::default(), &AtomicBool::new(false))
        };
        let now: Vec<Decision> = roles.iter().zip(players.iter_mut()).map(choose).collect();
        let joint: Vec<MoveId> = now.iter().map(|decision| decision.id).collect();
        decisions.push(now);
        walker.advance(&joint, &mut chance);
        walker.save(&mut state);
        last = Some(joint);
    }
}

fn random(game: &Propnet, role: u16, seed: u64) -> Box<dyn Player<Propnet>> {
    Box::new(RandomPlayer::new(game, RoleId(role), seed))
}

fn value(game: &Propnet, decision: &Decision, name: &str) -> f64 {
    let id = game.moves().find(name).unwrap();
    decision
        .report
        .moves
        .iter()
        .find(|report| report.id == id)
        .unwrap()
        .value
}

#[test]
fn hyperplay_never_asks_and_hyperplay_ii_always_does() {
    let game = rules(BOMB).propnet();
    for seed in 0..100 {
        let mut players = [
            Box::new(HyperPlay::new(&game, RoleId(0), settings(64), seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
        ];
        let (decisions, _) = play(&game, &mut players, seed);
        assert_eq!(
            &*game.moves().name(decisions[1][0].id),
            "wait",
            "seed {seed}"
        );
        let mut players = [
            Box::new(HyperPlayTwo::new(&game, RoleId(0), settings(4), seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
        ];
        let (decisions, goals) = play(&game, &mut players, seed);
        assert_eq!(
            &*game.moves().name(decisions[1][0].id),
            "ask",
            "seed {seed}"
        );
        assert_eq!(value(&game, &decisions[1][0], "ask"), 90.0);
        assert_eq!(goals[0], Goal::One(90), "seed {seed}");
    }
}

#[test]
fn hyperplay_thinks_of_the_bomb_what_the_paper_says() {
    let game = rules(BOMB).propnet();
    let mut players = [
        Box::new(HyperPlay::new(&game, RoleId(0), settings(150), 1)) as Box<dyn Player<Propnet>>,
        random(&game, 1, 1),
    ];
    let (decisions, _) = play(&game, &mut players, 1);
    let (ask, wait) = (
        value(&game, &decisions[1][0], "ask"),
        value(&game, &decisions[1][0], "wait"),
    );
    assert!(
        (ask - 45.0).abs() < 1.5 && (wait - 50.0).abs() < 1.5,
        "{ask} {wait}"
    );
}

#[test]
fn hyperplay_tells_and_hyperplay_ii_hides() {
    let game = rules(SPY).propnet();
    let mut hidden = (0.0, 0);
    for seed in 0..40 {
        let mut players = [
            Box::new(HyperPlay::new(&game, RoleId(0), settings(40), seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
        ];
        let (decisions, _) = play(&game, &mut players, seed);
        assert!(
            game.moves().name(decisions[0][0].id).starts_with("(tell"),
            "seed {seed}"
        );
        let mut players = [
            Box::new(HyperPlayTwo::new(&game, RoleId(0), settings(8), seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
        ];
        let (decisions, _) = play(&game, &mut players, seed);
        assert!(
            game.moves().name(decisions[0][0].id).starts_with("(hide"),
            "seed {seed}"
        );
        assert_eq!(value(&game, &decisions[0][0], "(tell red)"), 20.0);
        hidden.0 += value(&game, &decisions[0][0], "(hide red)");
        hidden.1 += 1;
    }
    let mean = hidden.0 / f64::from(hidden.1);
    assert!((mean - 40.0).abs() < 4.0, "{mean}");
}

#[test]
fn hypergames_replay_to_what_was_told() {
    for name in ["kuhn-poker", "monty-hall", "battle", "stale-dated-checks"] {
        let game = bundled(name).propnet();
        if game.facts().information == Information::Perfect {
            continue;
        }
        for (seed, size) in [(1, 3), (2, 20), (3, 1000)] {
            check_bags(name, &game, seed, size);
        }
    }
}

fn check_bags(name: &str, game: &Propnet, seed: u64, size: usize) {
    let mut chance = Chance::from_seed(seed);
    let (mut walker, mut replay) = (game.walker(), game.walker());
    let players: Vec<RoleId> = game.facts().players().collect();
    let mut bags: Vec<Bag<Propnet>> = players
        .iter()
        .map(|&role| Bag::new(game, role, size))
        .collect();
    let mut joint = Vec::new();
    while !walker.is_terminal() && bags[0].told().len() < 30 {
        walker.draw(&mut chance, &mut joint).unwrap();
        walker.advance(&joint, &mut chance);
        for (bag, &role) in bags.iter_mut().zip(&players) {
            let told = Told {
                made: joint[role.index()],
                percepts: walker.percepts(role).into(),
            };
            bag.see(told, None, &mut chance)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(bag.games().len() <= size);
            for hypergame in bag.games() {
                let seen = told_along::<Propnet>(
                    &mut replay,
                    &game.initial(),
                    &hypergame.joints(),
                    role,
                    &mut chance,
                );
                assert_eq!(seen, bag.told(), "{name}");
                let mut state = game.initial();
                replay.save(&mut state);
                assert!(state == hypergame.state, "{name}");
                assert!(hypergame.weight > 0.0 && hypergame.weight.is_finite());
            }
        }
    }
}

/// Where nothing is hidden, the others reply to the state itself, however long the match is.
#[test]
fn hyperplay_ii_sees_a_threat_where_nothing_is_hidden() {
    let game = bundled("tic-tac-toe").propnet();
    let find = |text: &str| game.moves().find(text).unwrap();
    let noop = find("noop");
    let mut walker = game.walker();
    let mut chance = Chance::from_seed(1);
    for (own, other) in [("(mark 3 3)", "(mark 1 1)"), ("(mark 3 2)", "(mark 1 2)")] {
        walker.advance(&[find(own), noop], &mut chance);
        walker.advance(&[noop, find(other)], &mut chance);
    }
    let mut state = game.initial();
    walker.save(&mut state);
    let legal = walker.legal().of(RoleId(0)).to_vec();
    // The other role has two in a row and takes the third, unless the match is over or it cannot.
    let (wins, blocks) = (find("(mark 3 1)"), find("(mark 1 3)"));
    for seed in 0..20 {
        let mut player = HyperPlayTwo::new(&game, RoleId(0), settings(4), seed);
        player.observe(&Sight::new(game.facts(), RoleId(0), &state, None, &[]));
        let decision = player.choose(&legal, Budget::default(), &AtomicBool::new(false));
        // To block may win as surely, two moves later.
        let chosen = [wins, blocks].contains(&decision.id);
        assert!(chosen, "seed {seed}: {:?}", decision.report.moves);
        for report in &decision.report.moves {
            let is_sure = report.id != wins && report.id != decision.id;
            assert!(is_sure || report.value == 100.0, "seed {seed}: {report:?}");
            let loses = report.id != wins && report.id != blocks;
            assert!(!loses || report.value == 0.0, "seed {seed}: {report:?}");
        }
    }
}

#[test]
fn every_player_plays_whole_matches() {
    let game = bundled("kuhn-poker").propnet();
    let make = |kind: usize, role: u16, seed: u64| -> Box<dyn Player<Propnet>> {
        let (role, game) = (RoleId(role), &game);
        let trees = TreeSettings::default();
        match kind {
            0 => Box::new(HyperPlay::new(game, role, settings(4), seed)),
            1 => Box::new(HyperPlayTwo::new(game, role, settings(2), seed)),
            2 => Box::new(InformationSetSearch::new(game, role, trees, seed)),
            3 => {
                let observer = paidia_imperfect::players::Observer::Single;
                let trees = TreeSettings {
                    observer,
                    mixed: true,
                    ..trees
                };
                Box::new(InformationSetSearch::new(game, role, trees, seed))
            }
            _ => Box::new(Equilibrist::new(
                game,
                role,
                random(game, role.0, seed),
                seed,
            )),
        }
    };
    for kind in 0..5 {
        for seed in 0..3 {
            let mut players = [
                make(kind, 0, seed),
                make((kind + 1) % 5, 1, seed),
                random(&game, 2, seed),
            ];
            let (_, goals) = play(&game, &mut players, seed);
            assert_eq!(goals[0].value().unwrap() + goals[1].value().unwrap(), 100);
        }
    }
}

/// Against uniformly random play an equilibrium of Kuhn poker gets its value or more.
#[test]
fn the_equilibrist_gets_at_least_the_value() {
    let game = bundled("kuhn-poker").propnet();
    let (mut sum, matches) = (0, 2_000);
    let mut walker = game.walker();
    let mut chance = Chance::from_seed(5);
    let mut joint = Vec::new();
    playout(&mut walker, &mut joint, 100, &mut chance);
    let mut equilibrist = Equilibrist::new(&game, RoleId(0), random(&game, 0, 1), 1);
    equilibrist.prepare(Budget::default());
    for seed in 0..matches {
        let mut players = [
            if seed == 0 {
                Box::new(Equilibrist::new(&game, RoleId(0), random(&game, 0, 1), 1))
                    as Box<dyn Player<Propnet>>
            } else {
                Box::new(equilibrist.again(random(&game, 0, 1), seed))
            },
            random(&game, 1, seed),
            random(&game, 2, seed ^ 77),
        ];
        let (_, goals) = play(&game, &mut players, seed);
        sum += goals[0].value().unwrap();
    }
    let mean = f64::from(sum) / matches as f64;
    assert!(mean > 48.6, "{mean}");
}
