//! From the network of a game to a circuit with everything a step of random play needs.
//!
//! What depends on the state alone comes first: the end, the legal moves, which lanes go on, the
//! goals. Over the legal words stand the choosers, which take random ranks as inputs and give, for
//! every move of every role, the lanes in which it is made. With these in the place of the moves
//! follows what depends on moves: the next state.

use std::convert::Infallible;
use std::ops::Range;

use paidia_reason::propnet::{Network, Node, Region, Wire};

use crate::choose::groups::Groups;
use crate::choose::tree::{Tree, last};
use crate::choose::{Leaf, Plan, RoleMove};
use crate::circuit::{Circuit, Input};
use crate::decisive::{self, Decisive, Refusal, Seen};

/// A game as a circuit, and the wires that are read from outside.
#[derive(Clone, Debug)]
pub(crate) struct Logic {
    pub(crate) circuit: Circuit,
    /// Whether the game is over.
    pub(crate) terminal: Wire,
    /// For each role, which of its moves are legal.
    pub(crate) legal: Vec<Vec<Wire>>,
    /// For each role, whether it has a legal move.
    pub(crate) can_move: Vec<Wire>,
    /// Whether a lane goes on: it may, the game is not over, and every role has a move.
    pub(crate) moving: Wire,
    /// All choices that are to be made.
    pub(crate) choosers: Vec<Chooser>,
    /// Whether moves have weights.
    pub(crate) is_weighted: bool,
    /// For each role, what it gets.
    pub(crate) goals: Vec<GoalWires>,
    /// For each fluent, whether it holds after the moves.
    pub(crate) next: Vec<Wire>,
    /// Whether lanes keep their state unless they are told to go.
    pub(crate) is_held: bool,
    /// What is to be computed in this order, as far as it is needed, before ranks are drawn, and
    /// after.
    pub(crate) orders: [Vec<Wire>; 2],
}

/// How a network is translated.
#[derive(Clone, Copy, Debug, Default)]
struct Way {
    /// Whether moves have weights.
    is_weighted: bool,
    /// Whether conjunctions that do not depend on moves are balanced trees, to be shared with what
    /// is seen ahead.
    is_balanced: bool,
    /// Whether lanes keep their state unless they are told to go.
    is_held: bool,
}

/// How many bits the weight of a move has, where moves have weights.
pub(crate) const WEIGHT_BITS: u32 = 3;

/// What a role gets: the place of the result in a list, as a binary number.
#[derive(Clone, Debug, Default)]
pub(crate) struct GoalWires {
    /// All possible results.
    pub(crate) values: Vec<i32>,
    /// The place of the result, as bits from the lowest.
    pub(crate) place: Vec<Wire>,
    /// Whether there is any result.
    pub(crate) any: Wire,
    /// Whether there is more than one.
    pub(crate) several: Wire,
}

impl GoalWires {
    /// All wires.
    pub(crate) fn wires(&self) -> impl Iterator<Item = Wire> {
        let place = self.place.iter().copied();
        place.chain([self.any, self.several])
    }

    fn new(circuit: &mut Circuit, goals: &[(i32, Wire)]) -> Self {
        let mut values: Vec<i32> = goals.iter().map(|&(value, _)| value).collect();
        values.sort_unstable();
        values.dedup();
        let bits = usize::BITS - values.len().saturating_sub(1).leading_zeros();
        let mut found = Self {
            place: vec![Wire::FALSE; bits as usize],
            ..Self::default()
        };
        for (place, value) in values.iter().enumerate() {
            let same = goals.iter().filter(|(other, _)| other == value);
            let wire = circuit.any(same.map(|&(_, wire)| wire));
            let again = circuit.and(found.any, wire);
            found.several = circuit.or(found.several, again);
            found.any = circuit.or(found.any, wire);
            for (bit, number) in found.place.iter_mut().enumerate() {
                if place >> bit & 1 == 1 {
                    *number = circuit.or(*number, wire);
                }
            }
        }
        found.values = values;
        found
    }
}

/// One uniformly random choice in every lane.
#[derive(Clone, Debug)]
pub(crate) struct Chooser {
    /// What is chosen from.
    pub(crate) leaves: Vec<Leaf>,
    /// The highest rank that may be drawn, as bits from the lowest.
    pub(crate) last: Vec<Wire>,
    /// For each bit of the rank, whether any rank that may be drawn has this bit or a higher one.
    pub(crate) mask: Vec<Wire>,
}

impl Logic {
    /// Translates a network for uniformly random play.
    pub(crate) fn new(network: &Network) -> Self {
        let plain = |_: &mut Circuit, legal: &[Vec<Wire>]| Ok::<_, Infallible>(legal.to_vec());
        let Ok(logic) = Self::drawing(network, Way::default(), plain);
        logic
    }

    /// The same where a lane keeps its state unless it is told to go.
    pub(crate) fn held(network: &Network) -> Self {
        let plain = |_: &mut Circuit, legal: &[Vec<Wire>]| Ok::<_, Infallible>(legal.to_vec());
        let way = Way {
            is_held: true,
            ..Way::default()
        };
        let Ok(mut logic) = Self::drawing(network, way, plain);
        let circuit = &mut logic.circuit;
        for (fluent, next) in (0..).zip(&mut logic.next) {
            let now = circuit.input(Input::Fluent(fluent));
            if *next != now {
                let go = circuit.input(Input::Go);
                let (new, kept) = (circuit.and(*next, go), circuit.and_not(now, go));
                *next = circuit.or(new, kept);
            }
        }
        logic
    }

    /// The legal moves of a role as they are read from outside: where lanes are held, moves are
    /// drawn and nothing else.
    pub(crate) fn legal_outside(&self, role: usize) -> &[Wire] {
        match self.is_held {
            true => &[],
            false => &self.legal[role],
        }
    }

    /// Translates a network for play in which moves have weights.
    pub(crate) fn weighted(network: &Network) -> Self {
        let way = Way {
            is_weighted: true,
            ..Way::default()
        };
        let plain = |_: &mut Circuit, legal: &[Vec<Wire>]| Ok::<_, Infallible>(legal.to_vec());
        let Ok(logic) = Self::drawing(network, way, plain);
        logic
    }

    /// Translates a network for play that looks a move ahead, in which moves may have weights.
    ///
    /// # Errors
    /// If that is too much for it.
    pub(crate) fn decisive(
        network: &Network,
        seen: &Seen,
        kind: Decisive,
        is_weighted: bool,
    ) -> Result<Self, Refusal> {
        let way = Way {
            is_weighted,
            is_balanced: true,
            ..Way::default()
        };
        Self::drawing(network, way, |circuit, legal| {
            decisive::words(network, circuit, legal, seen, kind)
        })
    }

    /// Translates a network for play in which moves are drawn where `drawn` says, given what is
    /// legal.
    fn drawing<E>(
        network: &Network,
        way: Way,
        drawn: impl FnOnce(&mut Circuit, &[Vec<Wire>]) -> Result<Vec<Vec<Wire>>, E>,
    ) -> Result<Self, E> {
        let mut translation = Translation::new(network, way);
        translation.nodes(false);
        let terminal = translation.wire(network.terminal);
        let legal: Vec<Vec<Wire>> = (network.legal.iter())
            .map(|moves| moves.iter().map(|&(_, wire)| translation.wire(wire)))
            .map(Iterator::collect)
            .collect();
        let plan = Plan::separate(&legal);
        let words = drawn(&mut translation.circuit, &legal)?;
        let (choosers, can_move) = translation.choose(plan, &legal, &words);
        let moving = translation.moving(terminal, &can_move);
        let goals = (0..legal.len())
            .map(|role| translation.goals(network.goals.get(role).map_or(&[], Vec::as_slice)))
            .collect();
        translation.nodes(true);
        let next = (network.next.iter()).map(|&wire| translation.wire(wire));
        Ok(Self {
            terminal,
            legal,
            can_move,
            moving,
            choosers,
            is_weighted: way.is_weighted,
            goals,
            next: next.collect(),
            is_held: way.is_held,
            orders: translation.orders,
            circuit: translation.circuit,
        })
    }
}

/// How a choice is made among leaves.
enum Choice {
    Tree(Tree),
    Groups(Groups),
}

/// A network on its way into a circuit.
struct Translation<'a> {
    network: &'a Network,
    orders: [Vec<Wire>; 2],
    circuit: Circuit,
    /// For each node of the network, whether it depends on moves.
    depends: Vec<bool>,
    /// The translation of each node; constant false as long as there is none.
    wires: Vec<Wire>,
    /// For each role, where each of its moves is made.
    does: Vec<Vec<Wire>>,
    way: Way,
}

impl<'a> Translation<'a> {
    fn new(network: &'a Network, way: Way) -> Self {
        Self {
            network,
            way,
            orders: Default::default(),
            circuit: Circuit::new(),
            depends: depends_on_moves(network),
            wires: vec![Wire::FALSE; network.nodes.len()],
            does: (network.legal.iter())
                .map(|moves| vec![Wire::FALSE; moves.len()])
                .collect(),
        }
    }

    fn wire(&self, wire: Wire) -> Wire {
        self.wires[wire.node()].inverted_if(wire.is_inverted())
    }

    /// Translates the nodes that depend on moves, or those that do not.
    fn nodes(&mut self, depends: bool) {
        let network = self.network;
        let mut regions = network.regions.iter().peekable();
        let mut node = 0;
        while node < network.nodes.len() {
            let region = regions.next_if(|region| region.nodes.start == node);
            let end = region.map_or(node + 1, |region| region.nodes.end.max(node + 1));
            match region {
                Some(region) if self.depends[node] == depends => self.region(region),
                // Gates that only stand among those of a region, and may be of use to others.
                _ => self.gates(node..end, depends),
            }
            node = end;
        }
    }

    /// Translates those of the nodes that depend on moves, or those that do not.
    fn gates(&mut self, nodes: Range<usize>, depends: bool) {
        for node in nodes {
            if self.depends[node] == depends {
                self.wires[node] = self.node(node);
            }
        }
    }

    fn node(&mut self, node: usize) -> Wire {
        match self.network.nodes[node] {
            Node::True => Wire::TRUE,
            Node::Fluent(number) => self.circuit.input(Input::Fluent(number)),
            Node::Does { role, index } => self.does[usize::from(role)][index as usize],
            Node::And { .. } => {
                let inputs = self.network.inputs_of(node).iter();
                let inputs: Vec<Wire> = inputs.map(|&wire| self.wire(wire)).collect();
                match self.way.is_balanced && !self.depends[node] {
                    true => decisive::all(&mut self.circuit, &inputs),
                    false => self.circuit.all(inputs),
                }
            }
            Node::Feedback => Wire::FALSE,
        }
    }

    fn region(&mut self, region: &Region) {
        let feedback = self.circuit.begin_loop(region.definitions.len());
        let gates = region.nodes.start + feedback.len();
        self.wires[region.nodes.start..gates].copy_from_slice(&feedback);
        self.gates(gates..region.nodes.end, self.depends[region.nodes.start]);
        let definitions = region.definitions.iter().map(|&wire| self.wire(wire));
        let definitions: Vec<Wire> = definitions.collect();
        self.circuit.end_loop(&feedback, definitions.into_iter());
    }

    fn moving(&mut self, terminal: Wire, can_move: &[Wire]) -> Wire {
        let open = self.circuit.input(Input::Open);
        let able = [open, !terminal]
            .into_iter()
            .chain(can_move.iter().copied());
        self.circuit.all(able)
    }

    fn goals(&mut self, goals: &[(i32, Wire)]) -> GoalWires {
        let goals = goals.iter().map(|&(value, wire)| (value, self.wire(wire)));
        let goals: Vec<(i32, Wire)> = goals.collect();
        GoalWires::new(&mut self.circuit, &goals)
    }

    /// Builds the choosers, which draw where `words` say, and with them the moves that are made;
    /// also, for each role, whether it can move.
    fn choose(
        &mut self,
        plan: Plan,
        legal: &[Vec<Wire>],
        words: &[Vec<Wire>],
    ) -> (Vec<Chooser>, Vec<Wire>) {
        let mut can_move = vec![Wire::FALSE; legal.len()];
        for choice in plan.given {
            let does = match legal[usize::from(choice.role)].len() {
                // The only move there is: without it the playout ends before the move is asked for.
                1 => Wire::TRUE,
                _ => legal_wire(legal, choice),
            };
            self.set_does(choice, does);
            let can_move = &mut can_move[usize::from(choice.role)];
            *can_move = self.circuit.or(*can_move, legal_wire(legal, choice));
        }
        let choosers = plan.choosers.into_iter().enumerate();
        let choosers = choosers
            .map(|(number, leaves)| self.chooser(number as u16, leaves, words, &mut can_move))
            .collect();
        (choosers, can_move)
    }

    fn chooser(
        &mut self,
        number: u16,
        leaves: Vec<Leaf>,
        legal: &[Vec<Wire>],
        can_move: &mut [Wire],
    ) -> Chooser {
        let words: Vec<Wire> = (leaves.iter())
            .map(|leaf| leaf.iter().map(|&choice| legal_wire(legal, choice)))
            .map(|words| self.circuit.any(words))
            .collect();
        let counts =
            (0..)
                .zip(words.iter().copied())
                .map(|(leaf, word)| match self.way.is_weighted {
                    true => self.weighted(number, leaf, word),
                    false => vec![word],
                });
        let counts = counts.collect();
        let choice = match self.way.is_held {
            true => Choice::Groups(Groups::new(&mut self.circuit, &words)),
            false => Choice::Tree(Tree::new(&mut self.circuit, counts)),
        };
        let (total, bits) = match &choice {
            Choice::Groups(groups) => (groups.total(), groups.rank_bits()),
            Choice::Tree(tree) => (tree.total(), tree.rank_bits()),
        };
        let role = leaves[0][0].role;
        let any = self.circuit.any(total.iter().copied());
        can_move[usize::from(role)] = self.circuit.or(can_move[usize::from(role)], any);
        let last = last(&mut self.circuit, total, bits);
        let mask = (0..last.len())
            .map(|bit| self.circuit.any(last[bit..].iter().rev().copied()))
            .collect();
        let rank: Vec<Wire> = (0..bits)
            .map(|bit| self.circuit.input(Input::Rank(number, bit as u8)))
            .collect();
        let marks = match choice {
            Choice::Tree(tree) => tree.descend(&mut self.circuit, &rank),
            Choice::Groups(groups) => {
                let (marks, order) = groups.descend(&mut self.circuit, &rank);
                let [before, after] = &mut self.orders;
                before.extend(groups.order);
                after.extend(order);
                marks
            }
        };
        for (leaf, mark) in leaves.iter().zip(marks) {
            for &choice in leaf {
                let does = match leaf.len() {
                    1 => mark,
                    _ => self.circuit.and(mark, legal_wire(legal, choice)),
                };
                self.set_does(choice, does);
            }
        }
        Chooser { leaves, last, mask }
    }

    /// What a leaf counts, by its weight, where a word is true.
    fn weighted(&mut self, chooser: u16, leaf: u32, word: Wire) -> Vec<Wire> {
        let bits = 0..WEIGHT_BITS as u8;
        bits.map(|bit| {
            let weight = self.circuit.input(Input::Weight(chooser, leaf, bit));
            self.circuit.and(word, weight)
        })
        .collect()
    }

    fn set_does(&mut self, choice: RoleMove, wire: Wire) {
        self.does[usize::from(choice.role)][choice.index as usize] = wire;
    }
}

fn legal_wire(legal: &[Vec<Wire>], choice: RoleMove) -> Wire {
    legal[usize::from(choice.role)][choice.index as usize]
}

/// For each node of a network, whether it depends on moves. What depends on the feedback of a
/// region depends on all that the region does.
fn depends_on_moves(network: &Network) -> Vec<bool> {
    let mut depends = vec![false; network.nodes.len()];
    let mut regions = network.regions.iter().peekable();
    for node in 0..network.nodes.len() {
        if let Some(region) = regions.next_if(|region| region.nodes.start == node) {
            let feedback = node..node + region.definitions.len();
            let inputs = region
                .nodes
                .clone()
                .flat_map(|node| network.inputs_of(node));
            let mut inputs = inputs.chain(&region.definitions);
            let depends_now = inputs.any(|wire| depends[wire.node()]);
            depends[feedback].fill(depends_now);
        }
        if !depends[node] {
            depends[node] = matches!(network.nodes[node], Node::Does { .. })
                || (network.inputs_of(node).iter()).any(|wire| depends[wire.node()]);
        }
    }
    depends
}
