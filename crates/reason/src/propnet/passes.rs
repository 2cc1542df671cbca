//! Making networks smaller. Every pass keeps the meaning of all outputs; each can be left out and
//! looked at by itself.

mod factor;
mod needs;
mod one_of;
mod rebuild;
mod share;
mod turns;

use super::network::Network;
pub(crate) use needs::Needs;
pub(crate) use turns::tokens;

/// A rewriting of networks.
pub struct Pass {
    /// The name by which people refer to it.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub what: &'static str,
    /// Rewrites a network.
    pub run: fn(&Network) -> Network,
}

/// All passes in the order in which they run.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "flatten",
        what: "merges gates into the only gate that uses them",
        run: rebuild::flatten,
    },
    Pass {
        name: "factor",
        what: "takes common inputs out of alternatives",
        run: factor::factor,
    },
    Pass {
        name: "flatten-again",
        what: "merges what factoring left apart",
        run: rebuild::flatten,
    },
    Pass {
        name: "one-of",
        what: "uses that every role makes exactly one move",
        run: one_of::one_of,
    },
    Pass {
        name: "factor-again",
        what: "takes out what the moves have in common now",
        run: factor::factor,
    },
    Pass {
        name: "flatten-last",
        what: "merges what is left apart",
        run: rebuild::flatten,
    },
    Pass {
        name: "drop-dead",
        what: "drops gates that are never read",
        run: rebuild::drop_dead,
    },
];

/// Rewrites a network for an engine that passes on changes, so that less changes in a move. This
/// takes some more operations, which is why it is no pass for all engines.
pub(super) fn with_fewer_changes(network: &Network) -> Network {
    let network = share::share(&turns::turns(network));
    rebuild::drop_dead(&rebuild::flatten(&network))
}

#[cfg(test)]
mod tests {
    use super::super::builder::Builder;
    use super::super::network::{Network, Wire, read};
    use super::PASSES;
    use paidia_game::Chance;

    const FLUENTS: usize = 6;
    const MOVES: [usize; 2] = [5, 3];

    fn below(chance: &mut Chance, bound: usize) -> usize {
        chance.below(bound as u32) as usize
    }

    /// A random network, now and then with wide gates over one role's moves, and with a recursive
    /// part.
    fn random_network(seed: u64) -> Network {
        let mut chance = Chance::from_seed(seed);
        let mut builder = Builder::new(FLUENTS, &MOVES);
        let mut wires: Vec<Wire> = (0..FLUENTS).map(|number| builder.fluent(number)).collect();
        for (role, &count) in MOVES.iter().enumerate() {
            wires.extend((0..count).map(|index| builder.does(role, index)));
            let kept: Vec<usize> = (0..count).filter(|_| below(&mut chance, 4) > 0).collect();
            let most = kept
                .into_iter()
                .map(|index| builder.does(role, index))
                .collect::<Vec<_>>();
            wires.push(builder.or(most));
        }
        grow(&mut builder, &mut wires, &mut chance, 12);
        if seed.is_multiple_of(3) {
            recursive_part(&mut builder, &mut wires, &mut chance);
            grow(&mut builder, &mut wires, &mut chance, 6);
        }
        let mut pick = || wires[below(&mut chance, wires.len())];
        let next = (0..FLUENTS).map(|_| pick()).collect();
        let legal = MOVES
            .iter()
            .map(|&count| (0..count as u32).map(|id| (id, Wire::TRUE)).collect())
            .collect();
        let (terminal, goals) = (
            pick(),
            vec![vec![(0, pick()), (100, pick())], vec![(50, pick())]],
        );
        Network {
            next,
            legal,
            terminal,
            goals,
            initial: vec![false; FLUENTS],
            ..builder.finish()
        }
    }

    fn grow(builder: &mut Builder, wires: &mut Vec<Wire>, chance: &mut Chance, gates: usize) {
        for _ in 0..gates {
            let inputs: Vec<Wire> = (0..2 + below(chance, 4))
                .map(|_| wires[below(chance, wires.len())].inverted_if(below(chance, 2) == 1))
                .collect();
            let wire = builder.and(inputs);
            wires.push(wire.inverted_if(below(chance, 2) == 1));
        }
    }

    /// Two atoms that support each other, without negation between them.
    fn recursive_part(builder: &mut Builder, wires: &mut Vec<Wire>, chance: &mut Chance) {
        let given: Vec<Wire> = (0..4).map(|_| wires[below(chance, wires.len())]).collect();
        let feedback = builder.open_region(2);
        let first = builder.and([feedback[1], given[0]]);
        let first = builder.or([first, given[1]]);
        let second = builder.and([feedback[0], given[2]]);
        let second = builder.or([second, given[3]]);
        builder.close_region(vec![first, second]);
        wires.extend(feedback);
    }

    /// The values of all outputs in every state for every joint move.
    fn meaning(network: &Network) -> Vec<bool> {
        let mut values = Vec::new();
        for state in 0..1u32 << FLUENTS {
            for joint in 0..MOVES[0] * MOVES[1] {
                let made = [joint % MOVES[0], joint / MOVES[0]];
                let nodes = network.evaluate(
                    |number| state >> number & 1 == 1,
                    |role, index| made[usize::from(role)] == index as usize,
                );
                values.extend(network.outputs().map(|wire| read(&nodes, wire)));
            }
        }
        values
    }

    #[test]
    fn every_pass_keeps_the_meaning() {
        for seed in 0..300 {
            let network = random_network(seed);
            let expected = meaning(&network);
            for pass in PASSES {
                let rewritten = (pass.run)(&network);
                assert_eq!(
                    meaning(&rewritten),
                    expected,
                    "pass {} on network {seed}",
                    pass.name
                );
            }
            let shared = super::share::share_among(&network, 2);
            assert_eq!(meaning(&shared), expected, "share on network {seed}");
            let quieter = super::with_fewer_changes(&network);
            assert_eq!(meaning(&quieter), expected, "fewer changes on {seed}");
            let all = PASSES
                .iter()
                .fold(network, |network, pass| (pass.run)(&network));
            assert_eq!(meaning(&all), expected, "all passes on network {seed}");
        }
    }

    #[test]
    fn most_of_the_moves_become_none_of_the_others() {
        let mut builder = Builder::new(0, &[100]);
        let most: Vec<Wire> = (2..100).map(|index| builder.does(0, index)).collect();
        let wire = builder.or(most);
        let legal = vec![(0..100).map(|id| (id, Wire::TRUE)).collect()];
        let network = Network {
            terminal: wire,
            legal,
            ..builder.finish()
        };
        assert_eq!(network.operations(), 97);
        let rewritten = super::one_of::one_of(&network);
        assert_eq!(super::rebuild::drop_dead(&rewritten).operations(), 1);
    }

    #[test]
    fn what_alternatives_share_is_taken_out() {
        let mut builder = Builder::new(5, &[]);
        let fluents: Vec<Wire> = (0..5).map(|number| builder.fluent(number)).collect();
        let products: Vec<Wire> = (1..5)
            .map(|other| builder.and([fluents[0], fluents[other]]))
            .collect();
        let wire = builder.or(products);
        let network = Network {
            terminal: wire,
            next: vec![Wire::FALSE; 5],
            ..builder.finish()
        };
        assert_eq!(network.operations(), 7);
        assert_eq!(super::factor::factor(&network).operations(), 4);
    }

    #[test]
    fn what_alternatives_share_is_taken_out_of_those_that_are_read_twice() {
        let mut builder = Builder::new(21, &[]);
        let turn = builder.fluent(0);
        let pair = |number: usize| [2 * number + 1, 2 * number + 2];
        let moves: Vec<Wire> = (0..10)
            .map(|number| {
                let [one, other] = pair(number).map(|fluent| builder.fluent(fluent));
                builder.and([turn, one, other])
            })
            .collect();
        let any = builder.or(moves.iter().copied());
        let network = Network {
            terminal: any,
            next: vec![Wire::FALSE; 21],
            legal: vec![(0..).zip(moves).collect()],
            ..builder.finish()
        };
        let shared = super::share::share(&network);
        assert_eq!(shared.operations(), network.operations() + 1);
        let inputs = shared.inputs_of(shared.terminal.node());
        assert_eq!(inputs.len(), 2);
        assert!(inputs.contains(&Wire::of(1)), "the turn opens the sum");
    }
}
