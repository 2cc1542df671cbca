//! How every lane gets its moves: which choices there are to make, and the logic that makes them.
//!
//! A *chooser* is one uniformly random choice among *leaves* in every lane. Its logic is gates like
//! any other ([`tree`]), so that it is compiled with the rules; only the random rank comes from
//! outside ([`draw`]).

pub(crate) mod draw;
pub(crate) mod groups;
pub(crate) mod tree;

use paidia_reason::propnet::Wire;

/// A move of a role: the role's number and the move's place among the role's moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RoleMove {
    pub(crate) role: u16,
    pub(crate) index: u32,
}

/// Moves of which at most one is legal in any state: the chooser takes the leaf, and with it the
/// legal one.
pub(crate) type Leaf = Vec<RoleMove>;

/// Which choices there are to make.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// Moves that are made whenever they are legal.
    pub(crate) given: Vec<RoleMove>,
    /// The leaves of each chooser, two or more.
    pub(crate) choosers: Vec<Vec<Leaf>>,
}

impl Plan {
    /// A choice for each role among all of its moves.
    pub(crate) fn separate(legal: &[Vec<Wire>]) -> Self {
        let mut plan = Self::default();
        for (role, legal) in legal.iter().enumerate() {
            let moves = (0..legal.len() as u32).map(|index| RoleMove {
                role: role as u16,
                index,
            });
            match legal.len() {
                0 => {}
                1 => plan.given.extend(moves),
                _ => plan
                    .choosers
                    .push(moves.map(|choice| vec![choice]).collect()),
            }
        }
        plan
    }
}
