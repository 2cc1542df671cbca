//! What is known about a game before it is played; it decides which methods apply.

use std::ops::RangeInclusive;

use crate::ids::RoleId;

/// Which roles choose in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TurnOrder {
    /// There is one role besides `random`.
    SinglePlayer,
    /// At most one role has a choice in any state.
    Alternating,
    /// Several roles may have a choice in the same state.
    Simultaneous,
    /// Not found out.
    Unknown,
}

impl TurnOrder {
    /// The word for people and for JSON.
    pub fn name(self) -> &'static str {
        match self {
            TurnOrder::SinglePlayer => "single-player",
            TurnOrder::Alternating => "alternating",
            TurnOrder::Simultaneous => "simultaneous",
            TurnOrder::Unknown => "unknown",
        }
    }
}

/// What the roles are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Information {
    /// All roles see every move, and so every state.
    Perfect,
    /// A role sees its own moves and its percepts only.
    Hidden,
}

impl Information {
    /// The word for people and for JSON.
    pub fn name(self) -> &'static str {
        match self {
            Information::Perfect => "perfect",
            Information::Hidden => "hidden",
        }
    }
}

/// Where the chance of a game comes in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Randomness {
    /// Nowhere: a joint move leads from a state to one state only.
    None,
    /// A role, mostly called `random`, moves by chance, each of its legal moves being as likely as
    /// the others. Given the moves of all roles, the next state is certain.
    Role(RoleId),
    /// The rules draw while a joint move is made, so that one joint move can lead to several
    /// states. No role stands for chance.
    Inside,
}

impl Randomness {
    /// The word for people and for JSON.
    pub fn name(self) -> &'static str {
        match self {
            Randomness::None => "none",
            Randomness::Role(_) => "role",
            Randomness::Inside => "inside",
        }
    }
}

/// What is known about a game before it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameFacts {
    /// The name of the game, for people.
    pub name: String,
    /// The names of the roles in their order; [`RoleId`]s are places in this list.
    pub roles: Vec<String>,
    /// Where chance comes in.
    pub randomness: Randomness,
    /// Which roles choose in a state.
    pub turn_order: TurnOrder,
    /// What the roles are told.
    pub information: Information,
    /// The lowest and the highest goal.
    pub goal_range: RangeInclusive<i32>,
    /// How many different fluents can hold at some time, if the engine knows.
    pub fluents: Option<usize>,
    /// How many different moves can be legal at some time, if the engine knows.
    pub moves: Option<usize>,
}

impl GameFacts {
    /// All roles.
    pub fn role_ids(&self) -> impl Iterator<Item = RoleId> + use<> {
        (0..self.roles.len() as u16).map(RoleId)
    }

    /// The role whose moves chance draws, if there is one.
    pub fn random(&self) -> Option<RoleId> {
        match self.randomness {
            Randomness::Role(role) => Some(role),
            Randomness::None | Randomness::Inside => None,
        }
    }

    /// Whether chance comes in anywhere, so that moves of the players alone do not settle what
    /// comes.
    pub fn has_chance(&self) -> bool {
        self.randomness != Randomness::None
    }

    /// Whether a joint move, with the moves of `random` given, leads from a state to one state
    /// only.
    pub fn is_repeatable(&self) -> bool {
        self.randomness != Randomness::Inside
    }

    /// The roles that players take: all but `random`.
    pub fn players(&self) -> impl Iterator<Item = RoleId> + use<> {
        let random = self.random();
        self.role_ids().filter(move |&role| Some(role) != random)
    }

    /// The role with that name.
    pub fn role(&self, name: &str) -> Option<RoleId> {
        let index = self.roles.iter().position(|role| role == name)?;
        Some(RoleId(index as u16))
    }

    /// The name of a role; `?` for one that is not of this game.
    pub fn role_name(&self, role: RoleId) -> &str {
        self.roles.get(role.index()).map_or("?", String::as_str)
    }
}
