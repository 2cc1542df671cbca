//! The legal moves of all roles in one flat buffer that is refilled without allocating.

use crate::chance::Chance;
use crate::ids::{MoveId, RoleId};
use crate::names::MoveTable;

/// The legal moves of every role in one state.
///
/// The moves of a role are in the byte order of their texts, each once, so that every engine gives
/// the same list. To fill it: [`clear`](Self::clear), then for each role in order
/// [`push`](Self::push) its moves and close it with [`end_role`](Self::end_role) or
/// [`end_role_sorted`](Self::end_role_sorted).
#[derive(Debug, Default, PartialEq, Eq)]
pub struct LegalMoves {
    moves: Vec<MoveId>,
    /// For each role, where its moves end; they start where those of the role before it end.
    ends: Vec<u32>,
}

impl Clone for LegalMoves {
    fn clone(&self) -> Self {
        Self {
            moves: self.moves.clone(),
            ends: self.ends.clone(),
        }
    }

    /// Reuses the memory, which the derived one would not.
    fn clone_from(&mut self, other: &Self) {
        self.moves.clone_from(&other.moves);
        self.ends.clone_from(&other.ends);
    }
}

impl LegalMoves {
    /// No roles and no moves.
    pub fn new() -> Self {
        Self::default()
    }

    /// Forgets everything but keeps the memory.
    pub fn clear(&mut self) {
        self.moves.clear();
        self.ends.clear();
    }

    /// Adds a move for the role that is being filled.
    pub fn push(&mut self, id: MoveId) {
        self.moves.push(id);
    }

    /// Closes the role being filled, whose moves were pushed in the order of their texts and once
    /// each.
    pub fn end_role(&mut self) {
        self.ends.push(self.moves.len() as u32);
    }

    /// Closes the role being filled, whose moves were pushed in any order, perhaps repeatedly.
    pub fn end_role_sorted(&mut self, table: &MoveTable) {
        let start = self.ends.last().map_or(0, |&end| end as usize);
        table.sort(&mut self.moves[start..]);
        let mut kept = start;
        for index in start..self.moves.len() {
            if kept == start || self.moves[kept - 1] != self.moves[index] {
                self.moves[kept] = self.moves[index];
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.end_role();
    }

    /// The moves of a role; none for a role that was not filled.
    #[inline]
    pub fn of(&self, role: RoleId) -> &[MoveId] {
        let Some(&end) = self.ends.get(role.index()) else {
            return &[];
        };
        let start = match role.index() {
            0 => 0,
            index => self.ends[index - 1] as usize,
        };
        &self.moves[start..end as usize]
    }

    /// How many roles are filled.
    pub fn roles(&self) -> usize {
        self.ends.len()
    }

    /// How many moves all roles have together.
    pub fn count(&self) -> usize {
        self.moves.len()
    }

    /// Every role with its moves.
    pub fn iter(&self) -> impl Iterator<Item = (RoleId, &[MoveId])> {
        (0..self.ends.len() as u16).map(|role| (RoleId(role), self.of(RoleId(role))))
    }

    /// The first role without any legal move: a fault of the rules in a state that is not terminal.
    pub fn stuck_role(&self) -> Option<RoleId> {
        self.iter()
            .find(|(_, moves)| moves.is_empty())
            .map(|(role, _)| role)
    }

    /// How many joint moves there are: the product over the roles.
    pub fn joint_count(&self) -> u128 {
        self.iter().fold(1, |count: u128, (_, moves)| {
            count.saturating_mul(moves.len() as u128)
        })
    }

    /// Fills `joint` with a uniformly random legal move for each role.
    ///
    /// # Errors
    /// The first role that has no legal move.
    #[inline]
    pub fn draw(&self, chance: &mut Chance, joint: &mut Vec<MoveId>) -> Result<(), RoleId> {
        joint.clear();
        let mut start = 0;
        for &end in &self.ends {
            let moves = &self.moves[start..end as usize];
            start = end as usize;
            joint.push(chance.pick(moves).ok_or(RoleId(joint.len() as u16))?);
        }
        Ok(())
    }

    /// Copies `joint` to `resolved` with every [`MoveId::CHANCE`] replaced by a uniformly drawn
    /// legal move.
    ///
    /// For engines, at the start of [`crate::Walker::advance`].
    pub fn resolve(&self, joint: &[MoveId], chance: &mut Chance, resolved: &mut Vec<MoveId>) {
        resolved.clear();
        for (index, &id) in joint.iter().enumerate() {
            if id == MoveId::CHANCE {
                let drawn = chance.pick(self.of(RoleId(index as u16)));
                resolved.push(drawn.unwrap_or(MoveId::CHANCE));
            } else {
                resolved.push(id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LegalMoves;
    use crate::chance::Chance;
    use crate::ids::{MoveId, RoleId};
    use crate::names::MoveTable;

    #[test]
    fn each_role_has_its_own_moves() {
        let mut legal = LegalMoves::new();
        legal.push(MoveId(4));
        legal.push(MoveId(5));
        legal.end_role();
        legal.end_role();
        legal.push(MoveId(6));
        legal.end_role();
        assert_eq!(legal.of(RoleId(0)), [MoveId(4), MoveId(5)]);
        assert_eq!(legal.of(RoleId(1)), []);
        assert_eq!(legal.of(RoleId(2)), [MoveId(6)]);
        assert_eq!(legal.of(RoleId(3)), []);
        assert_eq!(legal.stuck_role(), Some(RoleId(1)));
        assert_eq!(legal.joint_count(), 0);
    }

    #[test]
    fn sorted_filling_orders_by_text_and_drops_repeats() {
        let table = MoveTable::from_names(["b", "a", "c"]).unwrap();
        let mut legal = LegalMoves::new();
        for role in [[2, 0, 2, 1], [1, 1, 0, 0]] {
            role.iter().for_each(|&id| legal.push(MoveId(id)));
            legal.end_role_sorted(&table);
        }
        assert_eq!(legal.of(RoleId(0)), [MoveId(1), MoveId(0), MoveId(2)]);
        assert_eq!(legal.of(RoleId(1)), [MoveId(1), MoveId(0)]);
        assert_eq!(legal.joint_count(), 6);
    }

    #[test]
    fn chance_is_resolved_and_other_moves_are_kept() {
        let mut legal = LegalMoves::new();
        legal.push(MoveId(1));
        legal.end_role();
        legal.push(MoveId(2));
        legal.push(MoveId(3));
        legal.end_role();
        let (mut chance, mut resolved) = (Chance::from_seed(1), Vec::new());
        let mut seen = [false; 2];
        for _ in 0..50 {
            legal.resolve(&[MoveId(1), MoveId::CHANCE], &mut chance, &mut resolved);
            assert_eq!(resolved[0], MoveId(1));
            seen[resolved[1].0 as usize - 2] = true;
        }
        assert_eq!(seen, [true, true]);
    }
}
