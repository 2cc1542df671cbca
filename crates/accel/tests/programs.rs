//! Compiled programs say in every lane what the network says about that lane's state.

mod common;

use std::sync::Arc;

use common::{Shape, random_network};
use paidia_accel::{Backend, LANES, Lanes, Order, compile};
use paidia_game::{Chance, Goal, LegalMoves, MoveId, RoleId};
use paidia_reason::propnet::{Network, Wire, network::read};

const SHAPES: [Shape; 5] = [
    // Few fluents and much to compute from them: goals are worth evaluating apart.
    Shape {
        fluents: 3,
        roles: 2,
        moves: 3,
        gates: 300,
        regions: 3,
    },
    Shape {
        fluents: 5,
        roles: 1,
        moves: 1,
        gates: 10,
        regions: 0,
    },
    Shape {
        fluents: 20,
        roles: 2,
        moves: 4,
        gates: 60,
        regions: 2,
    },
    Shape {
        fluents: 70,
        roles: 3,
        moves: 9,
        gates: 150,
        regions: 5,
    },
    Shape {
        fluents: 12,
        roles: 2,
        moves: 40,
        gates: 400,
        regions: 1,
    },
];

fn holds(state: &[u64], fluent: u32) -> bool {
    state[fluent as usize / 64] >> (fluent % 64) & 1 == 1
}

fn random_state(network: &Network, chance: &mut Chance) -> Vec<u64> {
    let fluents = network.next.len();
    let mut state: Vec<u64> = (0..fluents.div_ceil(64)).map(|_| chance.bits()).collect();
    if let Some(last) = state.last_mut()
        && !fluents.is_multiple_of(64)
    {
        *last &= (1 << (fluents % 64)) - 1;
    }
    state
}

fn goal(values: &[bool], goals: &[(i32, Wire)]) -> Goal {
    let held = goals.iter().filter(|&&(_, wire)| read(values, wire));
    held.fold(Goal::None, |goal, &(value, _)| goal.and(value))
}

/// A state with what the network says about it.
struct Truth {
    state: Vec<u64>,
    is_terminal: bool,
    legal: Vec<Vec<MoveId>>,
    goals: Vec<Goal>,
    /// A legal joint move and the state after it, if every role has a move.
    step: Option<(Vec<MoveId>, Vec<u64>)>,
}

impl Truth {
    fn new(network: &Network, chance: &mut Chance) -> Self {
        let state = random_state(network, chance);
        let values = network.evaluate(|fluent| holds(&state, fluent), |_, _| false);
        let legal = (network.legal.iter()).map(|moves| {
            let moves = moves.iter().filter(|&&(_, wire)| read(&values, wire));
            moves.map(|&(id, _)| MoveId(id)).collect()
        });
        let legal: Vec<Vec<MoveId>> = legal.collect();
        let joint: Option<Vec<MoveId>> = legal.iter().map(|moves| chance.pick(moves)).collect();
        Self {
            is_terminal: read(&values, network.terminal),
            goals: (network.goals.iter())
                .map(|goals| goal(&values, goals))
                .collect(),
            step: joint.map(|joint| {
                let next = next_state(network, &state, &joint);
                (joint, next)
            }),
            legal,
            state,
        }
    }
}

fn next_state(network: &Network, state: &[u64], joint: &[MoveId]) -> Vec<u64> {
    let does = |role: u16, index: u32| {
        let (id, _) = network.legal[usize::from(role)][index as usize];
        joint[usize::from(role)] == MoveId(id)
    };
    let values = network.evaluate(|fluent| holds(state, fluent), does);
    let mut next = vec![0; state.len()];
    for (fluent, &wire) in network.next.iter().enumerate() {
        next[fluent / 64] |= u64::from(read(&values, wire)) << (fluent % 64);
    }
    next
}

/// Compares all lanes with the truth about their states, and the states after that.
fn check(lanes: &mut Lanes, truths: &[Truth]) {
    for (lane, truth) in truths.iter().enumerate() {
        lanes.load(lane, &truth.state);
    }
    lanes.evaluate();
    let mut legal = LegalMoves::new();
    for (lane, truth) in truths.iter().enumerate() {
        assert_eq!(lanes.state(lane), truth.state);
        assert_eq!(lanes.is_terminal(lane), truth.is_terminal);
        lanes.legal(lane, &mut legal);
        for (role, expected) in (0..).map(RoleId).zip(&truth.legal) {
            assert_eq!(legal.of(role), expected, "lane {lane}");
            assert_eq!(lanes.goal(lane, role), truth.goals[role.index()]);
        }
        if let Some((joint, _)) = &truth.step {
            assert_eq!(lanes.choose(lane, joint), Ok(()));
        }
    }
    lanes.advance();
    for (lane, truth) in truths.iter().enumerate() {
        if let Some((joint, next)) = &truth.step {
            assert_eq!(lanes.state(lane), *next, "lane {lane} after {joint:?}");
        }
    }
}

#[test]
fn random_networks_are_evaluated_as_they_say() {
    let (mut compared, mut apart) = (0, 0);
    for (number, &shape) in SHAPES.iter().enumerate() {
        for seed in 0..60 {
            let network = random_network(seed * 100 + number as u64, shape);
            let mut chance = Chance::from_seed(seed);
            let truths = (0..2 * LANES).map(|_| Truth::new(&network, &mut chance));
            let truths: Vec<Truth> = truths.collect();
            compared += truths.iter().filter(|truth| truth.step.is_some()).count();
            let orders = [
                Order::Depth,
                Order::Triples,
                Order::Runs(16),
                Order::Runs(1000),
            ];
            for order in orders {
                let program = Arc::new(compile(&network, order));
                apart += u32::from(program.to_string().contains("goals, apart:"));
                for backend in Backend::ALL {
                    if backend.is_available() {
                        let mut lanes = Lanes::new(Arc::clone(&program), backend);
                        truths.chunks(LANES).for_each(|all| check(&mut lanes, all));
                    }
                }
            }
        }
    }
    // Random networks often leave a role without a move; enough of them do not.
    assert!(compared > 15_000, "{compared} next states were compared");
    assert!(apart > 15, "{apart} programs had expensive goals");
}

#[test]
fn illegal_moves_are_refused() {
    let shape = SHAPES[2];
    let network = (0..)
        .map(|seed| random_network(seed, shape))
        .find(|network| {
            // A role has no legal move in the empty state.
            let values = network.evaluate(|_| false, |_, _| false);
            !(network.legal[0].iter()).any(|&(_, wire)| read(&values, wire))
        });
    let program = compile(&network.unwrap(), Order::Depth);
    let mut lanes = Lanes::new(Arc::new(program), Backend::Portable);
    lanes.evaluate();
    assert_eq!(lanes.choose(3, &[MoveId(10), MoveId(10)]), Err(RoleId(0)));
    assert_eq!(lanes.choose(3, &[]), Err(RoleId(0)));
    assert_eq!(lanes.choose(3, &[MoveId(9999), MoveId(10)]), Err(RoleId(0)));
}
