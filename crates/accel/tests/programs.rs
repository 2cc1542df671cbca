//! Compiled programs say in every lane what the network says about that lane's state.

mod common;

use std::sync::Arc;

use common::{Shape, random_network};
use paidia_accel::{Backend, LANES, Lanes, Order, compile};
use paidia_game::{Chance, Goal, LegalMoves, MoveId, RoleId};
use paidia_reason::propnet::{Network, Wire, network::read};

const SHAPES: [Shape; 4] = [
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

/// Compares a lane with the network, and draws a legal joint move if there is one.
fn check_lane(
    network: &Network,
    lanes: &Lanes,
    lane: usize,
    state: &[u64],
    chance: &mut Chance,
) -> Option<Vec<MoveId>> {
    let values = network.evaluate(|fluent| holds(state, fluent), |_, _| false);
    assert_eq!(lanes.is_terminal(lane), read(&values, network.terminal));
    let mut legal = LegalMoves::new();
    lanes.legal(lane, &mut legal);
    for (role, moves) in (0..).map(RoleId).zip(&network.legal) {
        let expected = moves.iter().filter(|&&(_, wire)| read(&values, wire));
        let expected: Vec<MoveId> = expected.map(|&(id, _)| MoveId(id)).collect();
        assert_eq!(legal.of(role), expected, "lane {lane}");
        let expected = goal(&values, &network.goals[role.index()]);
        assert_eq!(lanes.goal(lane, role), expected, "lane {lane}");
    }
    let mut joint = Vec::new();
    legal.draw(chance, &mut joint).is_ok().then_some(joint)
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

fn check_network(network: &Network, order: Order, backend: Backend, seed: u64) -> usize {
    let mut chance = Chance::from_seed(seed);
    let mut lanes = Lanes::new(Arc::new(compile(network, order)), backend);
    let mut compared = 0;
    for _ in 0..3 {
        let states: Vec<Vec<u64>> = (0..LANES)
            .map(|_| random_state(network, &mut chance))
            .collect();
        for (lane, state) in states.iter().enumerate() {
            lanes.load(lane, state);
            assert_eq!(lanes.state(lane), *state);
        }
        lanes.evaluate();
        let joints: Vec<Option<Vec<MoveId>>> = (states.iter().enumerate())
            .map(|(lane, state)| check_lane(network, &lanes, lane, state, &mut chance))
            .collect();
        for (lane, joint) in joints.iter().enumerate() {
            if let Some(joint) = joint {
                assert_eq!(lanes.choose(lane, joint), Ok(()));
            }
        }
        lanes.advance();
        for (lane, joint) in joints.iter().enumerate() {
            if let Some(joint) = joint {
                let expected = next_state(network, &states[lane], joint);
                assert_eq!(lanes.state(lane), expected, "lane {lane} after {joint:?}");
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn random_networks_are_evaluated_as_they_say() {
    let mut compared = 0;
    for (number, &shape) in SHAPES.iter().enumerate() {
        for seed in 0..40 {
            let network = random_network(seed * 100 + number as u64, shape);
            for order in [Order::Depth, Order::Runs(16), Order::Runs(1000)] {
                for backend in Backend::ALL {
                    if backend.is_available() {
                        compared += check_network(&network, order, backend, seed);
                    }
                }
            }
        }
    }
    // Random networks often leave a role without a move; enough of them do not.
    assert!(compared > 50_000, "{compared} next states were compared");
}

#[test]
fn illegal_moves_are_refused() {
    let shape = SHAPES[1];
    let network = (0..)
        .map(|seed| random_network(seed, shape))
        .find(|network| {
            // Somebody has no legal move in the empty state.
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
