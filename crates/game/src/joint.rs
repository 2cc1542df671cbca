//! All joint moves of a state, one after the other.

use crate::ids::{MoveId, RoleId};
use crate::legal::LegalMoves;

/// Goes through the cartesian product of all roles' legal moves, the last role's changing fastest.
///
/// It keeps a copy of the legal moves, so the walker is free to move in between, and it is refilled
/// without allocating.
#[derive(Clone, Debug, Default)]
pub struct JointMoves {
    legal: LegalMoves,
    places: Vec<usize>,
    joint: Vec<MoveId>,
    started: bool,
}

impl JointMoves {
    /// Nothing to go through.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts over with the joint moves of another state.
    pub fn refill(&mut self, legal: &LegalMoves) {
        self.legal.clone_from(legal);
        self.places.clear();
        self.joint.clear();
        self.started = false;
    }

    /// The next joint move, until all have been given. There are none if a role has no legal move.
    #[allow(clippy::should_implement_trait)] // It lends from itself, which `Iterator` cannot.
    pub fn next(&mut self) -> Option<&[MoveId]> {
        let more = if self.started {
            self.step()
        } else {
            self.start()
        };
        more.then_some(&self.joint[..])
    }

    fn start(&mut self) -> bool {
        self.started = true;
        for (_, moves) in self.legal.iter() {
            let Some(&first) = moves.first() else {
                self.joint.clear();
                return false;
            };
            self.joint.push(first);
            self.places.push(0);
        }
        !self.joint.is_empty()
    }

    /// Counts up like an odometer; false after the last joint move, and from then on.
    fn step(&mut self) -> bool {
        for role in (0..self.joint.len()).rev() {
            let moves = self.legal.of(RoleId(role as u16));
            self.places[role] += 1;
            if let Some(&following) = moves.get(self.places[role]) {
                self.joint[role] = following;
                return true;
            }
            self.places[role] = 0;
            self.joint[role] = moves[0];
        }
        self.joint.clear();
        false
    }
}

#[cfg(test)]
mod tests {
    use super::JointMoves;
    use crate::ids::MoveId;
    use crate::legal::LegalMoves;

    fn legal(roles: &[&[u32]]) -> LegalMoves {
        let mut legal = LegalMoves::new();
        for moves in roles {
            moves.iter().for_each(|&id| legal.push(MoveId(id)));
            legal.end_role();
        }
        legal
    }

    fn all(joints: &mut JointMoves) -> Vec<Vec<u32>> {
        let mut found = Vec::new();
        while let Some(joint) = joints.next() {
            found.push(joint.iter().map(|id| id.0).collect());
        }
        found
    }

    #[test]
    fn the_product_is_complete_and_in_order() {
        let mut joints = JointMoves::new();
        joints.refill(&legal(&[&[1, 2], &[5], &[7, 8]]));
        let expected = [[1, 5, 7], [1, 5, 8], [2, 5, 7], [2, 5, 8]];
        assert_eq!(all(&mut joints), expected);
        assert_eq!(joints.next(), None);
        joints.refill(&legal(&[&[3]]));
        assert_eq!(all(&mut joints), [[3]]);
    }

    #[test]
    fn a_stuck_role_leaves_nothing() {
        let mut joints = JointMoves::new();
        joints.refill(&legal(&[&[1, 2], &[]]));
        assert_eq!(joints.next(), None);
        assert_eq!(joints.next(), None);
    }
}
