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
//! play ([`seen`]): fluents that were often seen, and never together, exclude each other, and a
//! role that never had a choice while a fluent held has none. Where that is wrong, playouts are
//! steered differently, but their moves are legal all the same. `docs/methods/decisive.md` has
//! figures.

mod foresight;
mod seen;

use paidia_reason::propnet::{Network, Wire};

use crate::circuit::Circuit;
pub(crate) use foresight::all;
use foresight::{Ahead, Composition, Foresight, Next};
pub(crate) use seen::{MOST_FLUENTS, Seen};

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
pub(crate) const MOST_COST: usize = 12;

/// Why playouts of a game do not look a move ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Things are hidden: a playout from a guessed state would know too much.
    #[error("things are hidden")]
    Hidden,
    /// Chance comes in.
    #[error("chance comes in")]
    Chance,
    /// There is only one player.
    #[error("there is only one player")]
    Alone,
    /// The network is too large, by its operations.
    #[error("a step takes {0} operations already, more than {MOST_OPERATIONS}")]
    Large(usize),
    /// There are too many fluents.
    #[error("there are more than {MOST_FLUENTS} fluents")]
    Fluents,
    /// There is recursion in what must be seen ahead.
    #[error("there is recursion in the next state, the end or the goals")]
    Recursion,
    /// No move is known to end the game well or badly for its mover.
    #[error("no move of a role that moves alone ends the game with its best result or its worst")]
    Wins,
    /// There would be too many gates, or finding them would take too long.
    #[error("there would be too many gates")]
    Gates,
    /// A step would take too many times as many operations.
    #[error("a step would take {0} times as many operations, more than {MOST_COST}")]
    Cost(usize),
}

/// For each role and each of its moves, where it may be drawn.
///
/// # Errors
/// Why that cannot be said.
pub(crate) fn words(
    network: &Network,
    circuit: &mut Circuit,
    legal: &[Vec<Wire>],
    seen: &Seen,
    kind: Decisive,
) -> Result<Vec<Vec<Wire>>, Refusal> {
    let moves = legal.iter().map(Vec::len).sum();
    let mut foresight = Foresight::new(network, circuit, seen, moves);
    let mut ahead = Vec::new();
    for (role, legal) in legal.iter().enumerate() {
        let ends = foresight.ends(role)?;
        let of_role = legal.iter().enumerate();
        let of_role = of_role.map(|(place, &legal)| foresight.ahead(role, place, legal, &ends));
        ahead.push(of_role.collect::<Result<Vec<Ahead>, Refusal>>()?);
    }
    let mut all_moves = ahead.iter().flatten();
    let tells = |ahead: &Ahead| {
        let loses = kind == Decisive::Both && ahead.loses != Wire::FALSE;
        ahead.wins != Wire::FALSE || loses
    };
    if !all_moves.any(tells) {
        return Err(Refusal::Wins);
    }
    let mut can_win = Vec::new();
    for moves in &ahead {
        let wins: Vec<Wire> = moves.iter().map(|ahead| ahead.wins).collect();
        can_win.push(any(foresight.circuit, &wins));
    }
    let mut words = Vec::new();
    for (role, legal) in legal.iter().enumerate() {
        let bad = match kind {
            Decisive::Both => bad(&mut foresight, role, &ahead[role], &can_win)?,
            Decisive::No | Decisive::Own => vec![Wire::FALSE; legal.len()],
        };
        let circuit = &mut *foresight.circuit;
        words.push(drawn(circuit, legal, &ahead[role], &bad, can_win[role]));
    }
    Ok(words)
}

/// Where each move of a role may be drawn: where it wins; where none wins and it is not bad, or all
/// are.
fn drawn(
    circuit: &mut Circuit,
    legal: &[Wire],
    ahead: &[Ahead],
    bad: &[Wire],
    can_win: Wire,
) -> Vec<Wire> {
    let moves = || legal.iter().zip(bad);
    let safe = moves().map(|(&legal, &bad)| circuit.and_not(legal, bad));
    let safe: Vec<Wire> = safe.collect();
    let has_safe = any(circuit, &safe);
    let mut words = Vec::with_capacity(legal.len());
    for ((&legal, &bad), ahead) in moves().zip(ahead) {
        let avoided = circuit.and(has_safe, bad);
        let quiet = circuit.and_not(legal, avoided);
        let quiet = circuit.and_not(quiet, can_win);
        words.push(circuit.or(ahead.wins, quiet));
    }
    words
}

/// For each move of a role, whether it loses at once, or another role can win after it.
fn bad(
    foresight: &mut Foresight<'_>,
    role: usize,
    ahead: &[Ahead],
    can_win: &[Wire],
) -> Result<Vec<Wire>, Refusal> {
    let others = (0..can_win.len()).filter(|&other| other != role);
    let others: Vec<Wire> = others.map(|other| can_win[other]).collect();
    let threat = any(foresight.circuit, &others);
    let mut threat = Threat::new(foresight.circuit, threat);
    // As if the role had passed: what its moves change in the same way, such as whose turn it is.
    let passed = Next::common(ahead.iter().filter_map(|ahead| ahead.next.as_ref()));
    let after_pass = threat.after(foresight, &passed)?;
    let mut threat_after_pass = Threat::new(foresight.circuit, after_pass);
    let mut bad = Vec::new();
    for ahead in ahead {
        let Some(next) = &ahead.next else {
            bad.push(Wire::FALSE);
            continue;
        };
        let answered = match next.agrees(&passed) {
            true => threat_after_pass.after(foresight, next)?,
            false => threat.after(foresight, next)?,
        };
        let answered = foresight.circuit.and_not(answered, ahead.ends);
        bad.push(foresight.circuit.or(ahead.loses, answered));
    }
    Ok(bad)
}

/// Where other roles can win at once.
struct Threat {
    wire: Wire,
    cone: Vec<usize>,
    scratch: Composition,
}

impl Threat {
    fn new(circuit: &Circuit, wire: Wire) -> Self {
        Self {
            wire,
            cone: cone_of(circuit, wire),
            scratch: Composition::new(wire),
        }
    }

    /// The same after a move.
    fn after(&mut self, foresight: &mut Foresight<'_>, next: &Next) -> Result<Wire, Refusal> {
        foresight.composed(&self.cone, &mut self.scratch, self.wire, next)
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
