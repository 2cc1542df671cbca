//! Fluents that are never true together, by induction.
//!
//! A pair excludes itself if not both hold at the start, and if whatever makes one of them true after a move contradicts
//! whatever makes the other true. A contradiction is a fluent that one needs true and the other false, or two fluents
//! that exclude each other before the move. All pairs that are not both true at the start are taken for granted first; those that do
//! not follow are given up, until all that are left follow from each other.

use super::super::network::{Network, Node, Wire};
use super::rebuild::fan_out;

/// So many fluents are looked at: those that most gates read.
const FLUENTS: usize = 64;

/// What of the chosen fluents a wire needs to be true.
#[derive(Clone, Copy, Default)]
struct Needs {
    /// Fluents that must hold.
    holds: u64,
    /// Fluents that must not.
    fails: u64,
}

impl Needs {
    /// What can never be true needs everything.
    const IMPOSSIBLE: Needs = Needs {
        holds: u64::MAX,
        fails: u64::MAX,
    };

    fn both(self, other: Needs) -> Needs {
        Needs {
            holds: self.holds | other.holds,
            fails: self.fails | other.fails,
        }
    }

    fn either(self, other: Needs) -> Needs {
        Needs {
            holds: self.holds & other.holds,
            fails: self.fails & other.fails,
        }
    }
}

/// Which fluents exclude each other. Sets of fluents are bits of a word.
pub(super) struct Exclusion {
    /// For each chosen fluent, its wire.
    wires: Vec<Wire>,
    /// For each node, what it needs to be true, and to be false.
    needs: Vec<[Needs; 2]>,
    /// For each chosen fluent, those that exclude it.
    excluded: Vec<u64>,
}

impl Exclusion {
    pub(super) fn new(network: &Network) -> Self {
        let chosen = most_read(network);
        let needs = all_needs(network, &chosen);
        let nodes = network.nodes.iter().enumerate();
        let wires = nodes.filter_map(|(number, node)| match node {
            Node::Fluent(fluent) if chosen.binary_search(fluent).is_ok() => Some(Wire::of(number)),
            _ => None,
        });
        let mut this = Self {
            wires: wires.collect(),
            excluded: at_the_start(network, &chosen),
            needs,
        };
        let next: Vec<Needs> = chosen
            .iter()
            .map(|&fluent| this.needs_of(network.next[fluent as usize]))
            .collect();
        while this.give_up(&next) {}
        this
    }

    /// The wires of a set of fluents.
    pub(super) fn wires(&self, fluents: u64) -> Vec<Wire> {
        let wires = self.wires.iter().enumerate();
        let wires = wires.filter(|(bit, _)| fluents >> bit & 1 == 1);
        wires.map(|(_, &wire)| wire).collect()
    }

    /// The chosen fluents that must hold for a wire to be true.
    pub(super) fn needs(&self, wire: Wire) -> u64 {
        self.needs_of(wire).holds
    }

    /// Whether a fluent of one set excludes a fluent of the other.
    pub(super) fn excludes(&self, one: u64, other: u64) -> bool {
        let mut fluents = self.excluded.iter().enumerate();
        fluents.any(|(bit, excluded)| one >> bit & 1 == 1 && excluded & other != 0)
    }

    fn needs_of(&self, wire: Wire) -> Needs {
        self.needs[wire.node()][usize::from(wire.is_inverted())]
    }

    /// Gives up pairs that do not follow from the others; whether there were any.
    fn give_up(&mut self, next: &[Needs]) -> bool {
        let mut given_up = false;
        for one in 0..next.len() {
            for other in 0..one {
                if self.excluded[one] >> other & 1 == 1 && !self.contradict(next[one], next[other])
                {
                    self.excluded[one] &= !(1 << other);
                    self.excluded[other] &= !(1 << one);
                    given_up = true;
                }
            }
        }
        given_up
    }

    fn contradict(&self, one: Needs, other: Needs) -> bool {
        one.holds & other.fails != 0
            || one.fails & other.holds != 0
            || self.excludes(one.holds, other.holds)
    }
}

/// The fluents that most gates read, in the order of their numbers.
fn most_read(network: &Network) -> Vec<u32> {
    let fan_out = fan_out(network);
    let mut read: Vec<(u32, u32)> = Vec::new();
    for (node, count) in network.nodes.iter().zip(fan_out) {
        if let Node::Fluent(number) = node {
            read.push((u32::MAX - count, *number));
        }
    }
    read.sort_unstable();
    let mut chosen: Vec<u32> = read
        .into_iter()
        .take(FLUENTS)
        .map(|(_, number)| number)
        .collect();
    chosen.sort_unstable();
    chosen
}

/// For each of the chosen fluents, the others that do not hold at the start together with it.
fn at_the_start(network: &Network, chosen: &[u32]) -> Vec<u64> {
    let holding = chosen
        .iter()
        .map(|&fluent| network.initial[fluent as usize]);
    let holding = holding
        .enumerate()
        .fold(0u64, |all, (bit, holds)| all | u64::from(holds) << bit);
    let all = u64::MAX.checked_shr(64 - chosen.len() as u32).unwrap_or(0);
    let others = (0..chosen.len()).map(|bit| {
        let holds = holding >> bit & 1 == 1;
        all & !(1 << bit) & if holds { !holding } else { u64::MAX }
    });
    others.collect()
}

fn all_needs(network: &Network, chosen: &[u32]) -> Vec<[Needs; 2]> {
    let mut needs: Vec<[Needs; 2]> = Vec::with_capacity(network.nodes.len());
    for (number, node) in network.nodes.iter().enumerate() {
        needs.push(match node {
            Node::True => [Needs::default(), Needs::IMPOSSIBLE],
            Node::Fluent(fluent) => match chosen.binary_search(fluent) {
                Ok(bit) => [
                    Needs {
                        holds: 1 << bit,
                        fails: 0,
                    },
                    Needs {
                        holds: 0,
                        fails: 1 << bit,
                    },
                ],
                Err(_) => [Needs::default(); 2],
            },
            Node::Does { .. } | Node::Feedback => [Needs::default(); 2],
            Node::And { .. } => {
                let inputs = network.inputs_of(number).iter();
                let of = |wire: Wire| needs[wire.node()][usize::from(wire.is_inverted())];
                inputs.fold(
                    [Needs::default(), Needs::IMPOSSIBLE],
                    |[risen, fallen], &wire| [risen.both(of(wire)), fallen.either(of(!wire))],
                )
            }
        });
    }
    needs
}
