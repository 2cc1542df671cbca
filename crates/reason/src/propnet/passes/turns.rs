//! Roles that take turns.
//!
//! Where every move of a role but one, its *idle* move, is legal only while a fluent holds, and the fluents of two roles exclude each
//! other, then at most one of these roles does anything. "White makes one of these moves, and black makes one of those", with
//! the idle moves among both, is what the rules of most board games say of a square that does not stay as it is. It
//! becomes "one of these and those is made, or both are idle": a gate that changes with the square instead of with
//! the turn.
//!
//! The fluents that say whose turn it is change all the time, and almost everything about legal moves waits for them. They are read by the
//! last gate that needs them, so that all before it can stay as they are.

use super::super::builder::Builder;
use super::super::network::{Network, Wire};
use super::exclusion::Exclusion;
use super::one_of::{Move, Moves};
use super::rebuild::rebuild;

/// Rewrites what is said about the moves of roles that take turns.
pub(super) fn turns(network: &Network) -> Network {
    let turns = Turns::new(network);
    if turns.idle.iter().flatten().count() < 2 {
        return network.clone();
    }
    rebuild(network, |builder, _, inputs| {
        let inputs = turns.joined(builder, inputs);
        let inputs = turns.opened(builder, inputs);
        builder.and(inputs)
    })
}

/// Which roles take turns.
struct Turns {
    moves: Moves,
    /// For each role, its idle move.
    idle: Vec<Option<u32>>,
    /// The fluents that say whose turn it is.
    tokens: Vec<Wire>,
    /// For each pair of roles, whether one of them is always idle.
    alternate: Vec<Vec<bool>>,
}

impl Turns {
    fn new(network: &Network) -> Self {
        let exclusion = Exclusion::new(network);
        let roles = network.legal.iter();
        let tokens: Vec<Option<Tokens>> = roles.map(|legal| tokens(&exclusion, legal)).collect();
        let alternate = |one: &Option<Tokens>, other: &Option<Tokens>| match (one, other) {
            (Some(one), Some(other)) => exclusion.excludes(one.fluents, other.fluents),
            _ => false,
        };
        let row = |one| tokens.iter().map(|other| alternate(one, other)).collect();
        let fluents = tokens.iter().flatten();
        let fluents = fluents.fold(0, |all, tokens| all | tokens.fluents);
        Self {
            moves: Moves::new(network),
            tokens: exclusion.wires(fluents),
            alternate: tokens.iter().map(row).collect(),
            idle: tokens
                .iter()
                .map(|found| found.as_ref().map(|tokens| tokens.idle))
                .collect(),
        }
    }

    /// The inputs of a gate, with what they say about the moves of roles that take turns said in one gate.
    fn joined(&self, builder: &mut Builder, inputs: Vec<Wire>) -> Vec<Wire> {
        let mut joined: Vec<(usize, Wire, Vec<Move>)> = Vec::new();
        let mut others = Vec::with_capacity(inputs.len());
        for wire in inputs {
            match self.one_of_with_idle(builder, wire) {
                Some((role, moves)) if self.takes_turns_with_all(role, &joined) => {
                    joined.push((role, wire, moves));
                }
                _ => others.push(wire),
            }
        }
        if joined.len() < 2 {
            others.extend(joined.into_iter().map(|(_, wire, _)| wire));
            return others;
        }
        let (mut idle, mut none) = (Vec::new(), Vec::new());
        for (wire, index) in joined.iter().flat_map(|(_, _, moves)| moves) {
            let list = match self.is_idle(*wire, *index) {
                true => &mut idle,
                false => &mut none,
            };
            list.push(*wire);
        }
        // The moves come as "not this one"; all idle is "not one that is not".
        let all_idle = builder.and(idle.into_iter().map(|wire| !wire));
        none.push(!all_idle);
        others.push(!builder.and(none));
        others
    }

    /// The inputs of a gate, with whose turn it is taken out of the gates that it reads.
    fn opened(&self, builder: &mut Builder, inputs: Vec<Wire>) -> Vec<Wire> {
        let mut opened = Vec::with_capacity(inputs.len());
        for wire in inputs {
            let parts = match wire.is_inverted() {
                true => &[][..],
                false => builder.inputs_of(wire),
            };
            let is_token = |part: &Wire| self.tokens.contains(part);
            let (tokens, rest): (Vec<Wire>, Vec<Wire>) =
                parts.iter().copied().partition(|part| is_token(part));
            if tokens.is_empty() {
                opened.push(wire);
                continue;
            }
            opened.extend(tokens);
            opened.push(builder.and(rest));
        }
        opened
    }

    /// The role and the moves, if a wire says that a role makes one of some moves, and the idle one is among them. The moves come
    /// inverted.
    fn one_of_with_idle(&self, builder: &Builder, wire: Wire) -> Option<(usize, Vec<Move>)> {
        let parts = builder.inputs_of(wire);
        if !wire.is_inverted() || parts.is_empty() {
            return None;
        }
        let (role, _) = self.moves.owner(parts[0])?;
        let idle = self.idle[role]?;
        let mut moves = Vec::with_capacity(parts.len());
        for &part in parts {
            let (owner, index) = self.moves.owner(part)?;
            if owner != role || !part.is_inverted() {
                return None;
            }
            moves.push((part, index));
        }
        let has_idle = moves.iter().any(|&(_, index)| index == idle);
        has_idle.then_some((role, moves))
    }

    fn takes_turns_with_all(&self, role: usize, others: &[(usize, Wire, Vec<Move>)]) -> bool {
        others
            .iter()
            .all(|&(other, ..)| self.alternate[role][other])
    }

    fn is_idle(&self, wire: Wire, index: u32) -> bool {
        let owner = self.moves.owner(wire);
        owner.is_some_and(|(role, _)| self.idle[role] == Some(index))
    }
}

/// What a role needs to do anything.
struct Tokens {
    /// The move that it can make without.
    idle: u32,
    /// The fluents without which it can make no other.
    fluents: u64,
}

fn tokens(exclusion: &Exclusion, legal: &[(u32, Wire)]) -> Option<Tokens> {
    let needs: Vec<u64> = legal
        .iter()
        .map(|&(_, wire)| exclusion.needs(wire))
        .collect();
    let idle = (0..legal.len()).map(|idle| {
        let others = needs.iter().enumerate().filter(|(index, _)| *index != idle);
        Tokens {
            idle: idle as u32,
            fluents: others.fold(u64::MAX, |all, (_, needs)| all & needs),
        }
    });
    // Only a move that can do without what all others need changes the intersection.
    idle.max_by_key(|tokens| tokens.fluents.count_ones())
        .filter(|tokens| tokens.fluents != 0 && legal.len() > 2)
}

#[cfg(test)]
mod tests {
    use super::super::super::network::read;
    use super::*;

    const MOVES: usize = 4;

    /// Two roles, each with three moves that need its own turn and an idle one; fluents 0 and 1 say whose turn it is. Fluent 2 stays if a
    /// role makes its last move before the idle one.
    fn network(turns: [bool; 2], next: impl Fn(&mut Builder) -> [Wire; 2]) -> Network {
        let mut builder = Builder::new(3, &[MOVES; 2]);
        let mut legal = Vec::new();
        let mut stays = Vec::new();
        for role in 0..2 {
            let turn = builder.fluent(role);
            let wires = [turn, turn, turn, !turn];
            legal.push((0..).zip(wires).collect());
            stays.push(builder.and([0, 1, 3].map(|index| !builder.does(role, index))));
        }
        let stays = builder.or(stays);
        let mark = builder.fluent(2);
        let stays = builder.and([mark, stays]);
        let [first, second] = next(&mut builder);
        Network {
            next: vec![first, second, stays],
            initial: vec![turns[0], turns[1], true],
            legal,
            goals: vec![Vec::new(); 2],
            ..builder.finish()
        }
    }

    fn swapped(builder: &mut Builder) -> [Wire; 2] {
        [builder.fluent(1), builder.fluent(0)]
    }

    /// What follows from a state after moves.
    fn after(network: &Network, state: [bool; 3], made: [usize; 2]) -> Vec<bool> {
        let nodes = network.evaluate(
            |number| state[number as usize],
            |role, index| made[usize::from(role)] == index as usize,
        );
        network
            .next
            .iter()
            .map(|&wire| read(&nodes, wire))
            .collect()
    }

    #[test]
    fn what_legal_moves_do_stays_the_same() {
        let before = network([true, false], swapped);
        let rewritten = turns(&before);
        assert_ne!(before, rewritten);
        for mover in 0..2 {
            for index in 0..MOVES - 1 {
                let mut made = [MOVES - 1; 2];
                made[mover] = index;
                let state = [mover == 0, mover == 1, true];
                let expected = after(&before, state, made);
                assert_eq!(after(&rewritten, state, made), expected, "{made:?}");
            }
        }
    }

    #[test]
    fn roles_that_can_move_together_are_left_alone() {
        let both_start = network([true, true], swapped);
        assert_eq!(turns(&both_start), both_start);
        let both_follow = network([true, false], |builder| {
            let first = builder.fluent(0);
            [first, first]
        });
        assert_eq!(turns(&both_follow), both_follow);
        let anything_follows = network([true, false], |builder| {
            [builder.does(0, 0), builder.does(1, 0)]
        });
        assert_eq!(turns(&anything_follows), anything_follows);
    }
}
