//! Making gates change with what they are about instead of with the turn.
//!
//! Where every move of a role but one, its *idle* move, needs a fluent, that fluent says whose turn
//! it is. It changes all the time, and so does everything that reads it. So it is read by the last
//! gate that needs it, and all before that can stay as they are.
//!
//! "White makes one of these moves, and black makes one of those", with the idle moves among both,
//! is what the rules of most board games say of a square that does not stay as it is. Both halves
//! change with the turn. As long as the two roles do not have their turns together, one of them is
//! idle, and "one of all these is made, or both are idle" says the same but changes only with the
//! square. That holds for legal moves, and takes more operations but fewer changes.

use super::super::builder::Builder;
use super::super::network::{Network, Wire};
use super::needs::Needs;
use super::one_of::Moves;
use super::rebuild::rebuild;

/// Squares that fewer moves touch are left alone: a small gate that changes with the turn costs
/// less than several that do not.
const TOUCHING: usize = 24;

/// Rewrites what is said about turns and about the moves of roles that take them.
pub(super) fn turns(network: &Network) -> Network {
    turns_with(network, TOUCHING)
}

/// The same, where at least `touching` moves touch a square.
fn turns_with(network: &Network, touching: usize) -> Network {
    let turns = Turns::new(network, touching);
    if turns.tokens.iter().all(Vec::is_empty) {
        return network.clone();
    }
    rebuild(network, |builder, _, inputs| {
        let inputs = turns.parted(builder, inputs);
        let inputs = turns.opened(builder, inputs);
        builder.and(inputs)
    })
}

/// Which roles take turns.
struct Turns {
    /// The fewest moves that must touch a square.
    touching: usize,
    moves: Moves,
    /// For each role, its idle move.
    idle: Vec<Option<u32>>,
    /// For each role, the fluents that say that it is its turn.
    tokens: Vec<Vec<Wire>>,
}

impl Turns {
    fn new(network: &Network, touching: usize) -> Self {
        let needs = Needs::new(network);
        let roles = network.legal.iter();
        let tokens: Vec<Option<Tokens>> = roles.map(|legal| tokens(&needs, legal)).collect();
        let wires = |tokens: &Option<Tokens>| {
            let fluents = tokens.as_ref().map_or(0, |tokens| tokens.fluents);
            needs.wires(fluents)
        };
        Self {
            touching,
            moves: Moves::new(network),
            tokens: tokens.iter().map(wires).collect(),
            idle: tokens
                .iter()
                .map(|found| found.as_ref().map(|tokens| tokens.idle))
                .collect(),
        }
    }

    /// The inputs of a gate, with what they say about the moves of two roles said in another way.
    fn parted(&self, builder: &mut Builder, inputs: Vec<Wire>) -> Vec<Wire> {
        let mut halves: Vec<(Wire, Half)> = Vec::new();
        let mut others = Vec::with_capacity(inputs.len());
        for wire in inputs {
            match self.half(builder, wire) {
                Some(half) => halves.push((wire, half)),
                None => others.push(wire),
            }
        }
        match &halves[..] {
            [(_, one), (_, other)]
                if one.role != other.role
                    && one.none_of.len() + other.none_of.len() >= self.touching =>
            {
                others.extend(self.joined(builder, one, other));
            }
            _ => others.extend(halves.into_iter().map(|(wire, _)| wire)),
        }
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
            let is_token = |part: &Wire| self.tokens.iter().flatten().any(|token| token == part);
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

    /// The conditions that say what two halves say. Of two roles that do not have their turns
    /// together, one is idle, and it is enough that one of all these moves is made, or both are
    /// idle. The case that both have their turns is looked at apart; in most games it never comes
    /// up.
    fn joined(&self, builder: &mut Builder, one: &Half, other: &Half) -> [Wire; 3] {
        let tokens = self.tokens[one.role].iter().chain(&self.tokens[other.role]);
        let together = builder.and(tokens.copied());
        let both_idle = builder.and([one.idle, other.idle]);
        let none = one.none_of.iter().chain(&other.none_of).copied();
        let none = builder.and(none.chain([!both_idle]));
        let mut apart = |half: &Half| {
            let none = half.none_of.iter().copied();
            builder.and(none.chain([!half.idle, together]))
        };
        [!none, !apart(one), !apart(other)]
    }

    /// What a wire says if it says that a role makes one of some moves, and the idle one is among
    /// them.
    fn half(&self, builder: &Builder, wire: Wire) -> Option<Half> {
        let parts = builder.inputs_of(wire);
        if !wire.is_inverted() || parts.is_empty() {
            return None;
        }
        let (role, _) = self.moves.owner(parts[0])?;
        let (mut idle, mut none_of) = (None, Vec::with_capacity(parts.len()));
        for &part in parts {
            let (owner, index) = self.moves.owner(part)?;
            if owner != role || !part.is_inverted() {
                return None;
            }
            match self.idle[role] == Some(index) {
                true => idle = Some(!part),
                false => none_of.push(part),
            }
        }
        idle.map(|idle| Half {
            role,
            idle,
            none_of,
        })
    }
}

/// A role makes its idle move or one of some others.
struct Half {
    role: usize,
    idle: Wire,
    /// The others, inverted.
    none_of: Vec<Wire>,
}

/// What a role needs to do anything.
pub(crate) struct Tokens {
    /// The move that it can make without.
    pub(crate) idle: u32,
    /// The fluents without which it can make no other.
    pub(crate) fluents: u64,
}

/// What a role with these moves needs to do anything but stay idle, if that is always something.
pub(crate) fn tokens(needs: &Needs, legal: &[(u32, Wire)]) -> Option<Tokens> {
    let needs: Vec<u64> = legal.iter().map(|&(_, wire)| needs.of(wire)).collect();
    // What all moves from each on need; with what all before it need, that is what all others do.
    let mut from = vec![u64::MAX; needs.len() + 1];
    for (index, &own) in needs.iter().enumerate().rev() {
        from[index] = from[index + 1] & own;
    }
    let mut before = u64::MAX;
    let idle = needs.iter().enumerate().map(|(idle, own)| {
        let fluents = before & from[idle + 1];
        before &= own;
        Tokens {
            idle: idle as u32,
            fluents,
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

    /// Two roles, each with three moves that need its own turn and an idle one; fluents 0 and 1 say
    /// whose turn it is. Fluent 2 stays if a role makes its last move before the idle one.
    fn network() -> Network {
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
        let [first, second] = [builder.fluent(1), builder.fluent(0)];
        Network {
            next: vec![first, second, stays],
            initial: vec![true, false, true],
            legal,
            goals: vec![Vec::new(); 2],
            ..builder.finish()
        }
    }

    #[test]
    fn what_all_but_one_move_need_is_found_among_very_many_moves() {
        let builder = Builder::new(2, &[200_000]);
        let turn = builder.fluent(0);
        let other = builder.fluent(1);
        let legal: Vec<(u32, Wire)> = (0..200_000)
            .map(|number| (number, if number == 7 { other } else { turn }))
            .collect();
        let network = Network {
            next: vec![turn, other],
            initial: vec![true, false],
            legal: vec![legal],
            goals: vec![Vec::new()],
            ..builder.finish()
        };
        let needs = Needs::new(&network);
        let found = tokens(&needs, &network.legal[0]).expect("a token");
        assert_eq!(found.idle, 7);
        assert_eq!(needs.wires(found.fluents), [turn]);
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
    fn the_meaning_stays_the_same_and_a_square_changes_with_its_own_moves() {
        let before = network();
        let rewritten = turns_with(&before, 0);
        assert_ne!(before, rewritten);
        for bits in 0..8 {
            let state = [0, 1, 2].map(|bit| bits >> bit & 1 == 1);
            for joint in 0..MOVES * MOVES {
                let made = [joint % MOVES, joint / MOVES];
                let is_legal = |role: usize| state[role] != (made[role] == MOVES - 1);
                if !is_legal(0) || !is_legal(1) {
                    continue;
                }
                let expected = after(&before, state, made);
                assert_eq!(after(&rewritten, state, made), expected, "{made:?}");
            }
        }
    }
}
