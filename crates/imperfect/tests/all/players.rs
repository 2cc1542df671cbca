//! Players on games whose values are known: what HyperPlay and HyperPlay-II think of moves, and
//! that bags replay to what was told.

use std::sync::atomic::AtomicBool;

use paidia_game::{Chance, Game, Goal, Information, MoveId, RoleId, Rules, Sight, Walker};
use paidia_imperfect::bag::{Bag, Told, told_along};
use paidia_imperfect::players::{
    Equilibrist, HyperPlay, HyperPlaySettings, HyperPlayTwo, InformationSetSearch, Solutions,
    TreeSettings,
};
use paidia_imperfect::{Explorer, Limits, limits, unfold};
use paidia_reason::propnet::Propnet;
use paidia_search::{Budget, Decision, Player, RandomPlayer};
use paidia_testkit::rules::{bundled, rules};

/// A wire is armed in secret; the agent may ask which, at a price, or wait, and then cuts one.
pub(crate) const BOMB: &str = "
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

/// The bands of the specification: HyperPlay thinks 45 of asking and 50 of waiting, within 0.5;
/// HyperPlay-II 90 and 50, within 2.
#[test]
fn hyperplay_never_asks_and_hyperplay_ii_always_does() {
    let game = rules(BOMB).propnet();
    let (mut asking, mut waiting, mut waiting_two) = (0.0, 0.0, 0.0);
    for seed in 0..100 {
        let mut players = [
            Box::new(HyperPlay::new(&game, RoleId(0), settings(64), seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
        ];
        let (decisions, _) = play(&game, &mut players, seed);
        let choice = &decisions[1][0];
        assert_eq!(&*game.moves().name(choice.id), "wait", "seed {seed}");
        asking += value(&game, choice, "ask") / 100.0;
        waiting += value(&game, choice, "wait") / 100.0;
        let mut players = [
            Box::new(HyperPlayTwo::new(&game, RoleId(0), settings(4), seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
        ];
        let (decisions, goals) = play(&game, &mut players, seed);
        let choice = &decisions[1][0];
        assert_eq!(&*game.moves().name(choice.id), "ask", "seed {seed}");
        assert_eq!(value(&game, choice, "ask"), 90.0);
        waiting_two += value(&game, choice, "wait") / 100.0;
        assert_eq!(goals[0], Goal::One(90), "seed {seed}");
    }
    assert!((asking - 45.0).abs() < 0.5, "{asking}");
    assert!((waiting - 50.0).abs() < 0.5, "{waiting}");
    // The paper's own interval is 0.64 wide; sixteen simulations are few.
    assert!((waiting_two - 50.0).abs() < 2.0, "{waiting_two}");
}

/// The bands of the specification: HyperPlay thinks 60 of telling and 40 of hiding, within 0.5;
/// HyperPlay-II exactly 20 of telling, and 40 of hiding within 2.
#[test]
fn hyperplay_tells_and_hyperplay_ii_hides() {
    let game = rules(SPY).propnet();
    let (matches, mut means) = (40, [0.0; 3]);
    for seed in 0..matches {
        let mut players = [
            Box::new(HyperPlay::new(&game, RoleId(0), settings(40), seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
        ];
        let (decisions, _) = play(&game, &mut players, seed);
        let choice = &decisions[0][0];
        let name = game.moves().name(choice.id).to_string();
        assert!(name.starts_with("(tell"), "seed {seed}: {name}");
        means[0] += value(&game, choice, "(tell red)") / matches as f64;
        means[1] += value(&game, choice, "(hide red)") / matches as f64;
        let mut players = [
            Box::new(HyperPlayTwo::new(&game, RoleId(0), settings(8), seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
        ];
        let (decisions, _) = play(&game, &mut players, seed);
        let choice = &decisions[0][0];
        let name = game.moves().name(choice.id).to_string();
        assert!(name.starts_with("(hide"), "seed {seed}: {name}");
        assert_eq!(value(&game, choice, "(tell red)"), 20.0);
        let hidden = value(&game, choice, "(hide red)") + value(&game, choice, "(hide blue)");
        means[2] += hidden / 2.0 / matches as f64;
    }
    let [telling, hiding, hiding_two] = means;
    assert!((telling - 60.0).abs() < 0.5, "{telling}");
    assert!((hiding - 40.0).abs() < 0.5, "{hiding}");
    assert!((hiding_two - 40.0).abs() < 2.0, "{hiding_two}");
}

/// HyperPlay guesses at once and so is right 1 time in 16: without a limit to its resources, and
/// with many playouts. `PAIDIA_MATCHES` says in how many matches.
#[test]
fn hyperplay_guesses_a_number_without_a_question() {
    let sheet = bundled("number-guessing");
    let game = sheet.propnet();
    // With two questions at most all histories can be listed.
    let few = sheet
        .text
        .replace("(successor 2 3) (successor 3 4) (successor 4 5)", "");
    assert_ne!(few, sheet.text);
    let few = rules(&few).propnet();
    let mut explorer = Explorer::new(&few, Limits::default()).unwrap();
    let unfolding = unfold(&mut explorer, None).unwrap();
    let chosen = &limits::hyperplay(&unfolding, &explorer.table)[0];
    let ready = few.moves().find("ready").unwrap();
    let sets = &unfolding.players[0];
    let first = (0..sets.len() as u32).find(|&set| sets.sequence(set, ready).is_some());
    let ready = sets.sequence(first.unwrap(), ready).unwrap();
    assert!((chosen[ready] - 1.0).abs() < 1e-12);
    let matches = std::env::var("PAIDIA_MATCHES");
    let matches: u64 = matches.map_or(20, |matches| matches.parse().unwrap());
    let mut right = 0;
    for seed in 0..matches {
        let mut players = [
            Box::new(HyperPlay::new(&game, RoleId(0), settings(48), seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
        ];
        let (decisions, goals) = play(&game, &mut players, seed);
        assert_eq!(&*game.moves().name(decisions[1][0].id), "ready", "{seed}");
        right += u64::from(goals[0].value() > Some(0));
    }
    let (expected, deviation) = (matches as f64 / 16.0, (matches as f64 * 15.0).sqrt() / 16.0);
    let apart = (right as f64 - expected).abs();
    assert!(apart <= 3.5 * deviation, "{right} of {matches}");
}

/// HyperPlay-II with index 8 asks until it knows the number, as near to half as any question is,
/// for after one more question it would guess, and then all are equally good. It may need more than
/// the five questions of our sheet; the specification asks for 95 % and five on average.
#[test]
fn hyperplay_ii_asks_until_it_knows_the_number() {
    let (short, long) = ("(successor 4 5)", "(worth 5 50)");
    let sheet = bundled("number-guessing").text;
    let more = (5..9).map(|count| format!("(successor {count} {})", count + 1));
    let worth = (6..=9).map(|count| format!("(worth {count} {})", 100 - 10 * count));
    let sheet = sheet
        .replace(short, &format!("{short} {}", more.collect::<String>()))
        .replace(long, &format!("{long} {}", worth.collect::<String>()));
    let game = rules(&sheet).propnet();
    let matches = std::env::var("PAIDIA_MATCHES");
    let matches: u64 = matches.map_or(3, |matches| matches.parse().unwrap());
    let (mut right, mut questions) = (0, 0);
    for seed in 0..matches {
        let mut players = [
            Box::new(HyperPlayTwo::new(&game, RoleId(0), settings(8), seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
        ];
        let (decisions, goals) = play(&game, &mut players, seed);
        right += u64::from(goals[0].value() > Some(0));
        // The draw, the word that it is ready and the guess are no questions.
        questions += decisions.len() as u64 - 3;
    }
    println!("{right} of {matches} right, {questions} questions");
    assert!(right * 100 >= matches * 95, "{right} of {matches}");
    let most = if matches < 20 { 7 } else { 5 };
    assert!(questions <= matches * most, "{questions} in {matches}");
}

/// HyperPlay as the banker puts all notes into the target and loses them to the thief; HyperPlay-II
/// deceives it.
#[test]
fn hyperplay_ii_keeps_notes_from_the_thief() {
    let game = bundled("banker-and-thief").propnet();
    let (matches, mut kept) = (12, [0, 0]);
    for seed in 0..matches {
        let thief = || Box::new(HyperPlay::new(&game, RoleId(1), settings(16), seed));
        let one = Box::new(HyperPlay::new(&game, RoleId(0), settings(32), seed));
        let two = Box::new(HyperPlayTwo::new(&game, RoleId(0), settings(8), seed));
        let bankers: [Box<dyn Player<Propnet>>; 2] = [one, two];
        for (kept, banker) in kept.iter_mut().zip(bankers) {
            let mut players = [banker, thief(), random(&game, 2, seed)];
            let (_, goals) = play(&game, &mut players, seed);
            *kept += goals[0].value().unwrap();
        }
    }
    let [one, two] = kept.map(|sum| f64::from(sum) / matches as f64);
    // The paper has 0 and 40 notes of 100.
    assert!(one < 10.0 && two >= 30.0, "{one} {two}");
}

/// Who knows where the other ship is and would win next turn as well wins now.
#[test]
fn hyperplay_ii_hits_the_ship_that_it_found() {
    let game = bundled("battleships-in-fog").propnet();
    let find = |text: &str| game.moves().find(text).unwrap();
    let percept = |text: &str| game.percepts().find(text).unwrap();
    let noop = find("noop");
    let told = [
        (noop, vec![percept("(at 1 1)")]),
        (find("scan"), vec![percept("(found 4 2)")]),
        (noop, vec![percept("(shot 2 1)")]),
    ];
    for seed in 0..5 {
        let mut player = HyperPlayTwo::new(&game, RoleId(0), settings(4), seed);
        let mut walker = game.walker();
        player.observe(&Sight::Own {
            made: None,
            percepts: &[],
        });
        for (made, percepts) in &told {
            let made = Some(*made);
            player.observe(&Sight::Own { made, percepts });
        }
        let joints = [
            [noop, noop, find("(place 1 1 4 2)")],
            [find("scan"), noop, noop],
            [noop, find("(fire 2 1)"), noop],
        ];
        for joint in joints {
            walker.advance(&joint, &mut Chance::from_seed(0));
        }
        let legal = walker.legal().of(RoleId(0)).to_vec();
        let decision = player.choose(&legal, Budget::default(), &AtomicBool::new(false));
        assert_eq!(&*game.moves().name(decision.id), "(fire 4 2)", "{seed}");
    }
}

/// HyperPlay-II with index 4 against HyperPlay with as many resources, in turn as first and second:
/// at least 83 of 100, as the specification asks, in as many matches as `PAIDIA_MATCHES` says.
#[test]
fn hyperplay_ii_wins_at_sea() {
    let game = bundled("battleships-in-fog").propnet();
    let matches = std::env::var("PAIDIA_MATCHES");
    let matches: u64 = matches.map_or(2, |matches| matches.parse().unwrap());
    let (mut points, mut steps) = (0, 0);
    for seed in 0..matches {
        let own = (seed % 2) as u16;
        let one: Box<dyn Player<Propnet>> =
            Box::new(HyperPlayTwo::new(&game, RoleId(own), settings(4), seed));
        let other: Box<dyn Player<Propnet>> =
            Box::new(HyperPlay::new(&game, RoleId(1 - own), settings(16), seed));
        let mut players = match own {
            0 => [one, other, random(&game, 2, seed)],
            _ => [other, one, random(&game, 2, seed)],
        };
        let (decisions, goals) = play(&game, &mut players, seed);
        points += goals[usize::from(own)].value().unwrap();
        steps += decisions.len();
    }
    println!("{points} points in {matches} matches of {steps} steps");
    assert!(
        f64::from(points) >= 83.0 * matches as f64,
        "{points} in {matches}"
    );
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
                Solutions::default(),
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

/// Against uniformly random play an equilibrium of Kuhn poker gets its value or more. It is found
/// once for all matches.
#[test]
fn the_equilibrist_gets_at_least_the_value() {
    let game = bundled("kuhn-poker").propnet();
    let (mut sum, matches) = (0, 2_000);
    let solutions = Solutions::default();
    for seed in 0..matches {
        let other = random(&game, 0, 1);
        let solutions = solutions.clone();
        let mut players = [
            Box::new(Equilibrist::new(&game, RoleId(0), other, solutions, seed))
                as Box<dyn Player<Propnet>>,
            random(&game, 1, seed),
            random(&game, 2, seed ^ 77),
        ];
        let (_, goals) = play(&game, &mut players, seed);
        sum += goals[0].value().unwrap();
    }
    let mean = f64::from(sum) / matches as f64;
    assert!(mean > 48.6, "{mean}");
}
