//! Playouts: every move equally likely, none lost, the same for a seed on every machine, and the
//! same as one state at a time.

mod common;

use std::collections::BTreeMap;
use std::sync::Arc;

use common::{Maker, Shape, random_network};
use paidia_accel::{Backend, Batch, BatchOptions, LANES, Order, Program, compile};
use paidia_game::{BatchPlayout, BatchPlayouts, Ending, Goal, Playout, RoleId};
use paidia_reason::propnet::{Network, Node, Wire};

fn backends() -> impl Iterator<Item = Backend> {
    Backend::ALL
        .into_iter()
        .filter(|backend| backend.is_available())
}

/// A game of one move: all `legal` of the moves can be made at the start, and fluent n + 1 holds
/// after move n. Goals give the move away, so what was chosen can be counted.
fn one_choice(moves: u32, legal: impl Fn(u32) -> bool) -> Network {
    let mut maker = Maker::new(0);
    let over = maker.add(Node::Fluent(0));
    let fluents: Vec<Wire> = (0..moves).map(|n| maker.add(Node::Fluent(n + 1))).collect();
    let does = (0..moves).map(|index| maker.add(Node::Does { role: 0, index }));
    let does: Vec<Wire> = does.collect();
    let network = &mut maker.network;
    let wire = |n: &u32| if legal(*n) { Wire::TRUE } else { Wire::FALSE };
    network.legal = vec![(0..moves).map(|n| (n, wire(&n))).collect()];
    network.goals = vec![(0..).zip(fluents).collect()];
    network.next = std::iter::once(Wire::TRUE).chain(does).collect();
    network.initial = vec![false; moves as usize + 1];
    network.terminal = over;
    maker.network
}

/// How often each goal of the first role came out.
fn count_goals(network: &Network, playouts: u32, options: BatchOptions) -> BTreeMap<i32, u32> {
    let mut counts = BTreeMap::new();
    let mut batch = Batch::new(network, options);
    batch.submit(&[], 0, playouts);
    batch.run(u32::MAX, &mut |playout| {
        assert_eq!(
            playout.playout,
            Playout {
                length: 1,
                ending: Ending::Finished
            }
        );
        let value = playout.goals[0].value().expect("one move was made");
        *counts.entry(value).or_insert(0) += 1;
    });
    assert_eq!(batch.open(), 0);
    counts
}

/// Asserts that the counts are those of equally likely outcomes: chi-square, normalised after
/// Wilson and Hilferty, is below four standard deviations, which a fixed seed fails by chance once
/// in 31,000.
#[track_caller]
fn assert_uniform(counts: impl Iterator<Item = u32>, outcomes: u32) {
    let counts: Vec<f64> = counts.map(f64::from).collect();
    let expected = counts.iter().sum::<f64>() / f64::from(outcomes);
    let missing = f64::from(outcomes) - counts.len() as f64;
    let squares = counts
        .iter()
        .map(|count| (count - expected).powi(2) / expected);
    let chi_square = squares.sum::<f64>() + missing * expected;
    let freedom = f64::from(outcomes - 1);
    let spread = 2.0 / (9.0 * freedom);
    let deviation = ((chi_square / freedom).cbrt() - (1.0 - spread)) / spread.sqrt();
    assert!(
        deviation < 4.0,
        "{outcomes} outcomes: {deviation} standard deviations"
    );
}

#[test]
fn every_legal_move_is_equally_likely() {
    for legal in [2, 3, 5, 16, 17, 255, 1000, 4000] {
        // Illegal moves in between, in a pattern without a period that divides powers of two.
        let moves = legal + legal / 2;
        let is_legal = |n: u32| n % 3 != 1;
        let network = one_choice(moves, is_legal);
        let legal = (0..moves).filter(|&n| is_legal(n)).count() as u32;
        let counts = count_goals(&network, legal * 40 + 20_000, BatchOptions::default());
        assert!(counts.keys().all(|&n| is_legal(n as u32)), "{counts:?}");
        assert_uniform(counts.into_values(), legal);
    }
}

#[test]
fn a_single_legal_move_is_always_made() {
    for moves in [1, 2, 7, 300] {
        let network = one_choice(moves, |n| n == moves / 2);
        let counts = count_goals(&network, 1000, BatchOptions::default());
        assert_eq!(counts, [((moves / 2) as i32, 1000)].into());
    }
}

/// A walk on the numbers below `size`, written in unary fluents: from a number one goes to any
/// other, and 0 is the end. The goal is the number of the last fluent, always 0; lengths are
/// geometric.
fn random_walk(size: u32) -> Network {
    let mut maker = Maker::new(0);
    let at: Vec<Wire> = (0..size).map(|n| maker.add(Node::Fluent(n))).collect();
    let does = (0..size).map(|index| maker.add(Node::Does { role: 0, index }));
    let does: Vec<Wire> = does.collect();
    let network = &mut maker.network;
    network.legal = vec![(0..).zip(at.iter().map(|&wire| !wire)).collect()];
    network.goals = vec![vec![(7, at[0]), (8, !at[0])]];
    network.next = does;
    network.terminal = at[0];
    network.initial = vec![false; size as usize];
    maker.network
}

type Record = (u32, Playout, Vec<Goal>);

fn record(batch: &mut Batch, steps: u32, records: &mut Vec<Record>) {
    batch.run(steps, &mut |BatchPlayout {
                               tag,
                               playout,
                               goals,
                           }| {
        records.push((tag, playout, goals.to_vec()));
    });
}

#[test]
fn nothing_submitted_is_lost_or_played_twice() {
    let network = random_walk(6);
    let options = BatchOptions {
        seed: 5,
        blocks: 3,
        ..BatchOptions::default()
    };
    let mut batch = Batch::new(&network, options);
    let mut records = Vec::new();
    let mut expected = BTreeMap::new();
    for tag in 0..500 {
        // Few and many playouts, from different states, while others are open.
        let playouts = (tag * 37) % 61;
        let from = [1u64 << (tag % 6)];
        batch.submit(&from, tag, playouts);
        expected.insert(tag, playouts);
        if tag % 5 == 0 {
            record(&mut batch, tag % 9, &mut records);
        }
    }
    let submitted: u64 = expected.values().map(|&playouts| u64::from(playouts)).sum();
    assert_eq!(batch.open() + records.len() as u64, submitted);
    record(&mut batch, u32::MAX, &mut records);
    assert_eq!(batch.open(), 0);
    let mut found: BTreeMap<u32, u32> = expected.keys().map(|&tag| (tag, 0)).collect();
    for (tag, playout, goals) in &records {
        *found.entry(*tag).or_default() += 1;
        assert_eq!(playout.ending, Ending::Finished);
        assert_eq!(
            playout.length == 0,
            tag % 6 == 0,
            "from the end, and only from there"
        );
        assert_eq!(goals[..], [Goal::One(7)]);
    }
    assert_eq!(found, expected);
}

#[test]
fn lengths_are_those_of_the_game_and_not_of_the_fastest_lanes() {
    // From a number above 0 the next is 0 with chance 1/5: lengths are geometric with mean 5 and
    // variance 20.
    let network = random_walk(6);
    let mut batch = Batch::new(
        &network,
        BatchOptions {
            seed: 1,
            ..BatchOptions::default()
        },
    );
    let playouts = 100_000;
    batch.submit(&[1 << 3], 0, playouts);
    let mut records = Vec::new();
    while batch.open() > 0 {
        record(&mut batch, 3, &mut records);
    }
    let sum: u64 = records
        .iter()
        .map(|(_, playout, _)| u64::from(playout.length))
        .sum();
    let mean = sum as f64 / f64::from(playouts);
    // Four standard deviations of the mean: wrong once in 15,800 seeds.
    assert!(
        (mean - 5.0).abs() < 4.0 * (20.0 / f64::from(playouts)).sqrt(),
        "{mean}"
    );
}

#[test]
fn long_playouts_are_cut_at_the_limit() {
    let network = random_walk(6);
    let options = BatchOptions {
        step_limit: 4,
        seed: 2,
        ..BatchOptions::default()
    };
    let mut batch = Batch::new(&network, options);
    batch.submit(&[1 << 1], 9, 20_000);
    let mut records = Vec::new();
    record(&mut batch, u32::MAX, &mut records);
    assert_eq!(records.len(), 20_000);
    let mut cut = 0u32;
    for (_, playout, goals) in &records {
        let is_cut = playout.ending == Ending::Cut;
        cut += u32::from(is_cut);
        assert!(if is_cut {
            playout.length == 4
        } else {
            playout.length <= 4
        });
        // Goals are those of the last state, cut or not.
        assert_eq!(goals[..], [Goal::One(if is_cut { 8 } else { 7 })]);
    }
    // Open after four moves: (4/5)^4 = 0.4096, four standard deviations are 0.014.
    let share = f64::from(cut) / 20_000.0;
    assert!((share - 0.4096).abs() < 0.014, "{share}");
}

#[test]
fn a_role_without_moves_ends_the_playout() {
    let mut maker = Maker::new(0);
    let start = maker.add(Node::Fluent(0));
    let step = maker.add(Node::Does { role: 0, index: 0 });
    let network = &mut maker.network;
    network.legal = vec![
        vec![(0, Wire::TRUE), (1, Wire::TRUE)],
        vec![(0, start), (1, Wire::FALSE)],
    ];
    network.goals = vec![vec![(1, start), (2, !start)], vec![]];
    network.next = vec![!step];
    network.initial = vec![true];
    network.terminal = Wire::FALSE;
    let mut batch = Batch::new(&maker.network, BatchOptions::default());
    batch.submit(&[1], 0, 1000);
    let mut records = Vec::new();
    record(&mut batch, u32::MAX, &mut records);
    assert_eq!(records.len(), 1000);
    for (_, playout, goals) in records {
        assert_eq!(playout.ending, Ending::Stuck(RoleId(1)));
        assert!(playout.length >= 1);
        assert_eq!(goals, [Goal::One(2), Goal::None]);
    }
}

fn playouts_of(program: &Arc<Program>, options: BatchOptions) -> Vec<Record> {
    let mut batch = Batch::with_program(Arc::clone(program), options);
    for tag in 0..20 {
        batch.submit(&[u64::from(tag) * 0x9e37_79b9, 5], tag, 150);
    }
    let mut records = Vec::new();
    record(&mut batch, u32::MAX, &mut records);
    records
}

/// What a shape's playouts are on every machine; how many moves they make.
fn assert_same_everywhere(seed: u64, shape: Shape) -> u64 {
    let network = random_network(seed, shape);
    let orders = [Order::Depth, Order::Triples, Order::Runs(64)];
    let programs = orders.map(|order| Arc::new(compile(&network, order)));
    let mut moves = 0;
    for blocks in [1, 2, 6] {
        let options = |backend| BatchOptions {
            seed,
            blocks,
            backend,
            step_limit: 50,
            stream: 3,
            ..BatchOptions::default()
        };
        let expected = playouts_of(&programs[0], options(Backend::Portable));
        assert_eq!(expected.len(), 20 * 150);
        let lengths = expected.iter().map(|(_, playout, _)| playout.length);
        moves += lengths.map(u64::from).sum::<u64>();
        for (program, backend) in programs
            .iter()
            .flat_map(|program| backends().map(move |backend| (program, backend)))
        {
            assert_eq!(playouts_of(program, options(backend)), expected);
        }
    }
    moves
}

#[test]
fn a_seed_gives_the_same_playouts_on_every_machine() {
    let shape = Shape {
        fluents: 40,
        roles: 2,
        moves: 12,
        gates: 150,
        regions: 2,
    };
    let moves: u64 = (0..12)
        .map(|seed| assert_same_everywhere(seed, shape))
        .sum();
    assert!(moves > 10_000, "only {moves} moves were made");
}

#[test]
fn goals_that_are_evaluated_apart_are_the_same_everywhere_too() {
    let shape = Shape {
        fluents: 3,
        roles: 2,
        moves: 3,
        gates: 300,
        regions: 3,
    };
    let is_apart = |seed: &u64| {
        let program = compile(&random_network(*seed, shape), Order::Depth);
        program.to_string().contains("goals, apart:")
    };
    let seeds = (0..).filter(is_apart).take(8);
    let moves: u64 = seeds.map(|seed| assert_same_everywhere(seed, shape)).sum();
    assert!(moves > 10_000, "only {moves} moves were made");
}

#[test]
fn goals_that_are_evaluated_apart_are_those_of_the_last_state() {
    // The walk ends in 0 or 1 by its own choice. The goal is 3 at 0 and 4 at 1, said in a way that
    // takes many gates.
    let mut maker = Maker::new(0);
    let at: Vec<Wire> = (0..5).map(|n| maker.add(Node::Fluent(n))).collect();
    let does: Vec<Wire> = (0..5)
        .map(|index| maker.add(Node::Does { role: 0, index }))
        .collect();
    let (mut zero, mut one) = (at[0], at[1]);
    for &other in &at[2..] {
        // Both stay what they are, since nothing else holds at the end.
        for _ in 0..10 {
            zero = !maker.and(&[!zero, !other]);
            zero = maker.and(&[zero, !one]);
            one = maker.and(&[one, !other]);
            zero = maker.and(&[zero, !other]);
        }
    }
    let network = &mut maker.network;
    network.legal = vec![(0..5).map(|n| (n, Wire::TRUE)).collect()];
    network.goals = vec![vec![(3, zero), (4, one)]];
    network.next = does;
    network.initial = vec![false; 5];
    let terminal = maker.and(&[!at[0], !at[1]]);
    maker.network.terminal = !terminal;
    let program = Arc::new(compile(&maker.network, Order::Depth));
    assert!(program.to_string().contains("goals, apart:"), "{program}");
    for backend in backends() {
        let options = BatchOptions {
            backend,
            blocks: 2,
            ..BatchOptions::default()
        };
        let mut batch = Batch::with_program(Arc::clone(&program), options);
        batch.submit(&[1 << 4], 0, 20_000);
        batch.submit(&[1 << 0], 1, 50);
        batch.submit(&[1 << 1], 2, 50);
        let mut counts = BTreeMap::new();
        batch.run(u32::MAX, &mut |playout| {
            *counts
                .entry((playout.tag, playout.goals[0].value()))
                .or_insert(0) += 1;
        });
        assert_eq!(counts.remove(&(1, Some(3))), Some(50));
        assert_eq!(counts.remove(&(2, Some(4))), Some(50));
        assert_eq!(counts.values().sum::<u32>(), 20_000);
        assert_uniform(counts.into_values(), 2);
    }
}

#[test]
fn seeds_and_streams_differ() {
    let network = random_walk(40);
    let program = Arc::new(compile(&network, Order::Depth));
    let play = |seed, stream| {
        playouts_of(
            &program,
            BatchOptions {
                seed,
                stream,
                ..BatchOptions::default()
            },
        )
    };
    assert_ne!(play(1, 0), play(2, 0));
    assert_ne!(play(1, 0), play(1, 1));
    assert_eq!(play(1, 1), play(1, 1));
}

#[test]
fn lanes_do_not_influence_each_other() {
    // With all lanes of a block in one game and with one lane in it, each goal is as likely.
    let network = one_choice(3, |_| true);
    let mut counts = [0u32; 3];
    for stream in 0..600 {
        let options = BatchOptions {
            stream,
            blocks: 1,
            ..BatchOptions::default()
        };
        let mut batch = Batch::new(&network, options);
        batch.submit(&[], 0, 5);
        batch.run(u32::MAX, &mut |playout| {
            counts[playout.goals[0].value().unwrap() as usize] += 1;
        });
    }
    assert_uniform(counts.into_iter(), 3);
    const { assert!(LANES == 256) }
}
