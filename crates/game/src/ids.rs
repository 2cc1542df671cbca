//! Small typed numbers for roles, moves and percepts, and the values of goals.

/// A role, by its place in [`crate::GameFacts::roles`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RoleId(pub u16);

impl RoleId {
    /// The place of the role in lists by role.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A move's text in a [`crate::MoveTable`]; the same move has the same id for every role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MoveId(pub u32);

impl MoveId {
    /// In a joint move: chance draws uniformly from the legal moves of this role, which must be
    /// `random`.
    pub const CHANCE: MoveId = MoveId(u32::MAX);
}

/// A percept's text in a [`crate::PerceptTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PerceptId(pub u32);

/// What the rules say about a role's result in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Exactly this value.
    One(i32),
    /// Nothing: common before the end, a fault of the rules at the end.
    None,
    /// Different values at once, which is a fault of the rules.
    Several,
}

impl Goal {
    /// The value, if there is exactly one.
    pub fn value(self) -> Option<i32> {
        match self {
            Goal::One(value) => Some(value),
            Goal::None | Goal::Several => None,
        }
    }

    /// What there is when the rules give this value as well.
    #[must_use]
    pub fn and(self, value: i32) -> Self {
        match self {
            Goal::None => Goal::One(value),
            Goal::One(other) if other == value => self,
            Goal::One(_) | Goal::Several => Goal::Several,
        }
    }
}
