//! Playouts that see a move ahead: which moves end the game with the best result for their mover,
//! and which let the next one do that, as gates.
//!
//! For each move of a role the network is translated once more with that move made: what legality
//! of the move implies is constant, other roles make the only move they have, and gates that come
//! out the same are shared. Over the fluents of the next state, which are wires then, stand the end
//! and the goals. So a word says in which lanes a move wins at once. A lane that has such a move
//! draws among those only ([`Decisive::Own`]). The words of the opponent's winning moves, with the
//! fluents of the next state in the place of those of this one, say after which moves the opponent
//! has one; a lane draws among these only if it has no others ([`Decisive::Both`]).
//!
//! Whose turn it is often follows from one fluent, and excludes others. That is taken from random
//! play: fluents that were often seen, and never together, exclude each other. Where that is wrong,
//! playouts are steered differently, but their moves are legal all the same.
//! `docs/methods/decisive.md` has figures.

use paidia_game::{Chance, Game, Walker};
use paidia_reason::propnet::{Network, Node, Propnet, Wire};

use crate::circuit::{Circuit, Gate, Input};

/// Which moves playouts draw from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Decisive {
    /// All that are legal.
    #[default]
    No,
    /// Those that win at once, where there are some.
    Own,
    /// The same, and else those after which the opponent has none of these, where there are some.
    Both,
}

/// Networks with more operations are not looked at.
pub(crate) const MOST_OPERATIONS: usize = 20_000;

/// How many times as many operations a step may take.
pub(crate) const MOST_COST: usize = 8;

/// Nodes that may be translated in all.
const MOST_WORK: usize = 12_000_000;

/// How many gates there may be, for each that there is without foresight.
const MOST_GROWTH: usize = 10;

/// Games with more fluents are not watched.
const MOST_FLUENTS: usize = 4_096;

/// States that are watched, and how often fluents must have been seen to exclude each other.
const STATES: usize = 1_500;
const OFTEN: u32 = 40;

/// The longest game that is watched.
const LONGEST: usize = 300;

/// Which fluents were seen together.
pub(crate) struct Seen {
    width: usize,
    counts: Vec<u32>,
    /// For each fluent a row of bits: those that held with it.
    together: Vec<u64>,
}

impl Seen {
    /// Watches random games; nothing if there are too many fluents.
    pub(crate) fn watch(game: &Propnet) -> Option<Self> {
        let fluents = game.fluent_names().len();
        if fluents > MOST_FLUENTS {
            return None;
        }
        let width = fluents.div_ceil(64);
        let mut seen = Self {
            width,
            counts: vec![0; fluents],
            together: vec![0; fluents * width],
        };
        let start = paidia_game::Rules::initial(game);
        let (mut walker, mut state) = (game.walker(), start.clone());
        let (mut chance, mut joint) = (Chance::from_seed(1), Vec::new());
        let mut states = 0;
        while states < STATES {
            walker.jump(&start);
            let before = states;
            for _ in 0..LONGEST {
                if walker.is_terminal() || walker.draw(&mut chance, &mut joint).is_err() {
                    break;
                }
                walker.save(&mut state);
                seen.add(state.words());
                states += 1;
                walker.advance(&joint, &mut chance);
            }
            if states == before {
                break;
            }
        }
        Some(seen)
    }

    fn add(&mut self, state: &[u64]) {
        let state = &state[..self.width];
        for (fluent, count) in self.counts.iter_mut().enumerate() {
            if state[fluent / 64] >> (fluent % 64) & 1 == 1 {
                *count += 1;
                let row = &mut self.together[fluent * self.width..(fluent + 1) * self.width];
                row.iter_mut()
                    .zip(state)
                    .for_each(|(row, word)| *row |= word);
            }
        }
    }

    /// The fluents that were never seen with this one, though both were often.
    fn excluded(&self, fluent: usize) -> impl Iterator<Item = usize> {
        let row = &self.together[fluent * self.width..(fluent + 1) * self.width];
        let is_frequent = self.counts[fluent] >= OFTEN;
        let counts = self.counts.iter().enumerate();
        counts.filter_map(move |(other, &count)| {
            let apart = row[other / 64] >> (other % 64) & 1 == 0;
            (is_frequent && count >= OFTEN && apart).then_some(other)
        })
    }
}

/// What is known of a network before any move of a role is looked at.
struct Cones {
    /// Nodes in order, without those that depend on moves, and those that do.
    still: Vec<usize>,
    moving: Vec<usize>,
    /// The nodes of the end and of the goals.
    later: Vec<usize>,
    /// The fluents of the next state that are asked for.
    fluents: Vec<usize>,
}

/// Foresight is too much for this game: there are too many gates, or recursion.
struct TooMuch;

/// Translates a network with moves made.
struct Foresight<'a> {
    network: &'a Network,
    circuit: &'a mut Circuit,
    depends: &'a [bool],
    seen: &'a Seen,
    /// Scratch: the wires of nodes now, and of nodes after the move.
    now: Vec<Wire>,
    then: Vec<Wire>,
    /// The fluents of the next state.
    next: Vec<Wire>,
    /// What is known of fluents where the move is legal.
    known: Vec<Option<bool>>,
    work: usize,
    most_gates: usize,
}

/// What a move leads to.
#[derive(Clone, Copy)]
struct Ahead {
    /// It ends the game with the best result for its mover.
    wins: Wire,
    /// It ends the game with the worst.
    loses: Wire,
    /// It ends the game.
    ends: Wire,
    /// Only one role moves where it is legal.
    is_clear: bool,
}

/// For each role and each of its moves, where it may be drawn; nothing if that is too much, or no
/// move ends the game well. `depends` says which nodes depend on moves.
pub(crate) fn words(
    network: &Network,
    circuit: &mut Circuit,
    depends: &[bool],
    legal: &[Vec<Wire>],
    seen: &Seen,
    kind: Decisive,
) -> Option<Vec<Vec<Wire>>> {
    let mut foresight = Foresight {
        now: vec![Wire::FALSE; network.nodes.len()],
        then: vec![Wire::FALSE; network.nodes.len()],
        next: vec![Wire::FALSE; network.next.len()],
        known: vec![None; network.next.len()],
        work: 0,
        most_gates: (circuit.gates().len() + 40 * legal.iter().map(Vec::len).sum::<usize>())
            * MOST_GROWTH,
        network,
        circuit,
        depends,
        seen,
    };
    foresight.words(legal, kind).ok().flatten()
}

impl Foresight<'_> {
    fn words(
        &mut self,
        legal: &[Vec<Wire>],
        kind: Decisive,
    ) -> Result<Option<Vec<Vec<Wire>>>, TooMuch> {
        let roles = 0..legal.len();
        let mut ahead = Vec::new();
        for role in roles.clone() {
            let cones = self.cones(role, &[])?;
            let mut of_role = Vec::new();
            for (place, &legal) in legal[role].iter().enumerate() {
                of_role.push(self.ahead(role, place, legal, &cones)?);
            }
            ahead.push(of_role);
        }
        if ahead
            .iter()
            .flatten()
            .all(|ahead| ahead.wins == Wire::FALSE)
        {
            return Ok(None);
        }
        let can_win: Vec<Wire> = ahead
            .iter()
            .map(|moves| {
                let wins: Vec<Wire> = moves.iter().map(|ahead| ahead.wins).collect();
                any(self.circuit, &wins)
            })
            .collect();
        let mut words = Vec::new();
        for role in roles {
            let bad = match kind {
                Decisive::Both => self.bad(role, &ahead[role], &can_win)?,
                Decisive::No | Decisive::Own => vec![Wire::FALSE; legal[role].len()],
            };
            words.push(self.drawn(&legal[role], &ahead[role], &bad, can_win[role]));
        }
        Ok(Some(words))
    }

    /// Where each move of a role may be drawn: where it wins; where none wins and it is not bad, or
    /// all are.
    fn drawn(&mut self, legal: &[Wire], ahead: &[Ahead], bad: &[Wire], can_win: Wire) -> Vec<Wire> {
        let safe: Vec<Wire> = legal
            .iter()
            .zip(bad)
            .map(|(&legal, &bad)| self.circuit.and_not(legal, bad))
            .collect();
        let has_safe = any(self.circuit, &safe);
        let mut words = Vec::with_capacity(legal.len());
        for ((&legal, ahead), &bad) in legal.iter().zip(ahead).zip(bad) {
            let avoided = self.circuit.and(has_safe, bad);
            let quiet = self.circuit.and_not(legal, avoided);
            let quiet = self.circuit.and_not(quiet, can_win);
            words.push(self.circuit.or(ahead.wins, quiet));
        }
        words
    }

    /// For each move of a role, whether it loses at once, or another role can win after it.
    fn bad(
        &mut self,
        role: usize,
        ahead: &[Ahead],
        can_win: &[Wire],
    ) -> Result<Vec<Wire>, TooMuch> {
        let others: Vec<Wire> = (0..can_win.len())
            .filter(|&other| other != role)
            .map(|other| can_win[other])
            .collect();
        let threat = any(self.circuit, &others);
        let cone = cone_of(self.circuit, threat);
        let mut fluents = Vec::new();
        for &node in &cone {
            match self.circuit.gates()[node] {
                Gate::Input(Input::Fluent(fluent)) => fluents.push(fluent as usize),
                Gate::Input(_) | Gate::Feedback => return Err(TooMuch),
                Gate::Constant | Gate::And(..) | Gate::Xor(..) => {}
            }
        }
        let cones = self.cones(role, &fluents)?;
        let mut bad = Vec::new();
        for (place, ahead) in ahead.iter().enumerate() {
            if !ahead.is_clear {
                bad.push(Wire::FALSE);
                continue;
            }
            self.make(role, place, &cones)?;
            let answered = self.composed(&cone, threat)?;
            let answered = self.circuit.and_not(answered, ahead.ends);
            bad.push(self.circuit.or(ahead.loses, answered));
        }
        Ok(bad)
    }

    /// A wire of the circuit with the fluents of the next state in the place of those of this one,
    /// after a move was made.
    fn composed(&mut self, cone: &[usize], wire: Wire) -> Result<Wire, TooMuch> {
        self.spend(cone.len())?;
        let mut found: rustc_hash::FxHashMap<usize, Wire> = rustc_hash::FxHashMap::default();
        for &node in cone {
            let of = |wire: Wire| {
                let known = found.get(&wire.node()).copied().unwrap_or(Wire::FALSE);
                known.inverted_if(wire.is_inverted())
            };
            let new = match self.circuit.gates()[node] {
                Gate::Constant => Wire::TRUE,
                Gate::Input(Input::Fluent(fluent)) => self.next[fluent as usize],
                Gate::And(left, right) => {
                    let (left, right) = (of(left), of(right));
                    self.circuit.and(left, right)
                }
                Gate::Xor(left, right) => {
                    let (left, right) = (of(left), of(right));
                    self.circuit.xor(left, right)
                }
                Gate::Input(_) | Gate::Feedback => return Err(TooMuch),
            };
            found.insert(node, new);
        }
        let known = found.get(&wire.node()).copied().unwrap_or(Wire::FALSE);
        Ok(known.inverted_if(wire.is_inverted()))
    }

    fn spend(&mut self, work: usize) -> Result<(), TooMuch> {
        self.work += work;
        match self.work <= MOST_WORK && self.circuit.gates().len() <= self.most_gates {
            true => Ok(()),
            false => Err(TooMuch),
        }
    }

    /// The nodes that are needed to see what moves of a role lead to, with those of some fluents.
    fn cones(&self, role: usize, fluents: &[usize]) -> Result<Cones, TooMuch> {
        let network = self.network;
        let goals = network.goals.get(role).into_iter().flatten();
        let ends = goals.map(|&(_, wire)| wire).chain([network.terminal]);
        let later = self.needed(ends)?;
        let mut asked: Vec<usize> = later
            .iter()
            .filter_map(|&node| match network.nodes[node] {
                Node::Fluent(fluent) => Some(fluent as usize),
                _ => None,
            })
            .chain(fluents.iter().copied())
            .collect();
        asked.sort_unstable();
        asked.dedup();
        let next = asked.iter().map(|&fluent| network.next[fluent]);
        let others = network.legal.iter().enumerate();
        let others = others
            .filter(|&(other, _)| other != role)
            .flat_map(|(_, moves)| moves.iter().map(|&(_, wire)| wire));
        let all = self.needed(next.chain(others))?;
        let (moving, still) = all.into_iter().partition(|&node| self.depends[node]);
        Ok(Cones {
            still,
            moving,
            later,
            fluents: asked,
        })
    }

    /// The nodes that wires depend on, in order.
    fn needed(&self, wires: impl Iterator<Item = Wire>) -> Result<Vec<usize>, TooMuch> {
        let mut is_needed = vec![false; self.network.nodes.len()];
        let mut last = 0;
        for wire in wires {
            is_needed[wire.node()] = true;
            last = last.max(wire.node());
        }
        let mut nodes = Vec::new();
        for node in (0..=last).rev() {
            if !is_needed[node] {
                continue;
            }
            if self.network.nodes[node] == Node::Feedback {
                return Err(TooMuch);
            }
            nodes.push(node);
            for input in self.network.inputs_of(node) {
                is_needed[input.node()] = true;
            }
        }
        nodes.reverse();
        Ok(nodes)
    }

    /// What a move leads to.
    fn ahead(
        &mut self,
        role: usize,
        place: usize,
        legal: Wire,
        cones: &Cones,
    ) -> Result<Ahead, TooMuch> {
        let nothing = Ahead {
            wins: Wire::FALSE,
            loses: Wire::FALSE,
            ends: Wire::FALSE,
            is_clear: false,
        };
        let goals = self.network.goals.get(role).map_or(&[][..], Vec::as_slice);
        let values = || goals.iter().map(|&(value, _)| value);
        let (Some(best), Some(worst)) = (values().max(), values().min()) else {
            return Ok(nothing);
        };
        if best == worst || self.network.legal[role].len() < 2 {
            return Ok(nothing);
        }
        let is_clear = self.make(role, place, cones)?;
        if !is_clear {
            return Ok(nothing);
        }
        self.spend(cones.later.len())?;
        for &node in &cones.later {
            self.then[node] = match self.network.nodes[node] {
                Node::True => Wire::TRUE,
                Node::Fluent(fluent) => self.next[fluent as usize],
                Node::And { .. } => {
                    let inputs = self.network.inputs_of(node).iter();
                    let inputs: Vec<Wire> = inputs.map(|&wire| read(&self.then, wire)).collect();
                    all(self.circuit, &inputs)
                }
                Node::Does { .. } | Node::Feedback => return Err(TooMuch),
            };
        }
        let ends = read(&self.then, self.network.terminal);
        let mut result = |wanted: i32| {
            let wires = goals.iter().filter(|&&(value, _)| value == wanted);
            let wires: Vec<Wire> = wires.map(|&(_, wire)| read(&self.then, wire)).collect();
            let got = any(self.circuit, &wires);
            let got = self.circuit.and(got, ends);
            self.circuit.and(got, legal)
        };
        let (wins, loses) = (result(best), result(worst));
        Ok(Ahead {
            wins,
            loses,
            ends,
            is_clear,
        })
    }

    /// Works out the next state after a move; whether no other role has a choice where it is legal.
    fn make(&mut self, role: usize, place: usize, cones: &Cones) -> Result<bool, TooMuch> {
        self.spend(cones.still.len() + cones.moving.len())?;
        self.know(self.network.legal[role][place].1);
        for &node in &cones.still {
            self.now[node] = match self.network.nodes[node] {
                Node::True => Wire::TRUE,
                Node::Fluent(fluent) => match self.known[fluent as usize] {
                    Some(true) => Wire::TRUE,
                    Some(false) => Wire::FALSE,
                    None => self.circuit.input(Input::Fluent(fluent)),
                },
                Node::And { .. } => self.gate(node),
                Node::Does { .. } | Node::Feedback => return Err(TooMuch),
            };
        }
        let mut is_clear = true;
        for (other, moves) in self.network.legal.iter().enumerate() {
            let legal = moves.iter().map(|&(_, wire)| read(&self.now, wire));
            let possible = legal.filter(|&wire| wire != Wire::FALSE).count();
            is_clear &= other == role || possible <= 1;
        }
        if !is_clear {
            return Ok(false);
        }
        for &node in &cones.moving {
            self.now[node] = match self.network.nodes[node] {
                Node::Does { role: own, index } if usize::from(own) == role => {
                    Wire::FALSE.inverted_if(index as usize == place)
                }
                Node::Does { role, index } => {
                    let (_, legal) = self.network.legal[usize::from(role)][index as usize];
                    read(&self.now, legal)
                }
                Node::And { .. } => self.gate(node),
                Node::True | Node::Fluent(_) | Node::Feedback => return Err(TooMuch),
            };
        }
        for &fluent in &cones.fluents {
            self.next[fluent] = read(&self.now, self.network.next[fluent]);
        }
        Ok(true)
    }

    fn gate(&mut self, node: usize) -> Wire {
        let inputs = self.network.inputs_of(node).iter();
        let inputs: Vec<Wire> = inputs.map(|&wire| read(&self.now, wire)).collect();
        all(self.circuit, &inputs)
    }

    /// Notes which fluents hold or do not where a wire is true.
    fn know(&mut self, wire: Wire) {
        self.known.fill(None);
        let mut open = vec![wire];
        while let Some(wire) = open.pop() {
            match self.network.nodes[wire.node()] {
                Node::Fluent(fluent) => {
                    self.known[fluent as usize] = Some(!wire.is_inverted());
                    if !wire.is_inverted() {
                        for other in self.seen.excluded(fluent as usize) {
                            self.known[other] = Some(false);
                        }
                    }
                }
                Node::And { .. } if !wire.is_inverted() => {
                    open.extend(self.network.inputs_of(wire.node()));
                }
                _ => {}
            }
        }
    }
}

fn read(wires: &[Wire], wire: Wire) -> Wire {
    wires[wire.node()].inverted_if(wire.is_inverted())
}

/// All of the wires, as a balanced tree: where one of many differs, most of the tree is shared.
fn all(circuit: &mut Circuit, wires: &[Wire]) -> Wire {
    match wires {
        [] => Wire::TRUE,
        [one] => *one,
        _ => {
            let (left, right) = wires.split_at(wires.len() / 2);
            let (left, right) = (all(circuit, left), all(circuit, right));
            circuit.and(left, right)
        }
    }
}

fn any(circuit: &mut Circuit, wires: &[Wire]) -> Wire {
    let none: Vec<Wire> = wires.iter().map(|&wire| !wire).collect();
    !all(circuit, &none)
}

/// The nodes of a circuit that a wire depends on, in order.
fn cone_of(circuit: &Circuit, wire: Wire) -> Vec<usize> {
    let mut is_needed = vec![false; wire.node() + 1];
    is_needed[wire.node()] = true;
    let mut nodes = Vec::new();
    for node in (0..=wire.node()).rev() {
        if is_needed[node] {
            nodes.push(node);
            for input in circuit.inputs_of(node) {
                is_needed[input.node()] = true;
            }
        }
    }
    nodes.reverse();
    nodes
}
