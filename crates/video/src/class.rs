//! The classes of sprites: their names, and what their sprites are like by default.

/// A built-in behaviour of sprites. (K, N and A statements)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are those of the language")]
pub enum Class {
    Immovable,
    Door,
    Conveyor,
    Passive,
    Resource,
    ResourcePack,
    Flicker,
    OrientedFlicker,
    Spreader,
    Missile,
    ErraticMissile,
    RandomMissile,
    SpriteProducer,
    Portal,
    SpawnPoint,
    Bomber,
    RandomBomber,
    BomberRandomMissile,
    SpawnPointMultiSprite,
    RandomNpc,
    Chaser,
    Fleeing,
    LosChaser,
    PathChaser,
    AlternateChaser,
    PathAltChaser,
    RandomAltChaser,
    RandomPathAltChaser,
    MovingAvatar,
    HorizontalAvatar,
    VerticalAvatar,
    NullAvatar,
    FlakAvatar,
    OrientedAvatar,
    ShootAvatar,
    ShootOnlyAvatar,
    MissileAvatar,
    OngoingAvatar,
    OngoingTurningAvatar,
    OngoingShootAvatar,
}

/// The names of classes in descriptions.
const NAMES: [(&str, Class); 40] = [
    ("Immovable", Class::Immovable),
    ("Door", Class::Door),
    ("Conveyor", Class::Conveyor),
    ("Passive", Class::Passive),
    ("Resource", Class::Resource),
    ("ResourcePack", Class::ResourcePack),
    ("Flicker", Class::Flicker),
    ("OrientedFlicker", Class::OrientedFlicker),
    ("Spreader", Class::Spreader),
    ("Missile", Class::Missile),
    ("ErraticMissile", Class::ErraticMissile),
    ("RandomMissile", Class::RandomMissile),
    ("SpriteProducer", Class::SpriteProducer),
    ("Portal", Class::Portal),
    ("SpawnPoint", Class::SpawnPoint),
    ("Bomber", Class::Bomber),
    ("RandomBomber", Class::RandomBomber),
    ("BomberRandomMissile", Class::BomberRandomMissile),
    ("SpawnPointMultiSprite", Class::SpawnPointMultiSprite),
    ("RandomNPC", Class::RandomNpc),
    ("Chaser", Class::Chaser),
    ("Fleeing", Class::Fleeing),
    ("LOSChaser", Class::LosChaser),
    ("PathChaser", Class::PathChaser),
    ("AlternateChaser", Class::AlternateChaser),
    ("PathAltChaser", Class::PathAltChaser),
    ("RandomAltChaser", Class::RandomAltChaser),
    ("RandomPathAltChaser", Class::RandomPathAltChaser),
    ("MovingAvatar", Class::MovingAvatar),
    ("HorizontalAvatar", Class::HorizontalAvatar),
    ("VerticalAvatar", Class::VerticalAvatar),
    ("NullAvatar", Class::NullAvatar),
    ("FlakAvatar", Class::FlakAvatar),
    ("OrientedAvatar", Class::OrientedAvatar),
    ("ShootAvatar", Class::ShootAvatar),
    ("ShootOnlyAvatar", Class::ShootOnlyAvatar),
    ("MissileAvatar", Class::MissileAvatar),
    ("OngoingAvatar", Class::OngoingAvatar),
    ("OngoingTurningAvatar", Class::OngoingTurningAvatar),
    ("OngoingShootAvatar", Class::OngoingShootAvatar),
];

/// Classes of games with continuous physics, which are refused by name.
pub(crate) const CONTINUOUS: [&str; 11] = [
    "RandomInertial",
    "Walker",
    "WalkerJumper",
    "PlatformerAvatar",
    "WizardAvatar",
    "BirdAvatar",
    "AimedAvatar",
    "AimedFlakAvatar",
    "CarAvatar",
    "LanderAvatar",
    "SpaceshipAvatar",
];

/// An action of the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Action {
    /// Nothing.
    Nil,
    /// One step up.
    Up,
    /// One step to the left.
    Left,
    /// One step down.
    Down,
    /// One step to the right.
    Right,
    /// Whatever the avatar does beside moving, such as shooting.
    Use,
}

impl Action {
    /// All actions.
    pub const ALL: [Action; 6] = [
        Action::Nil,
        Action::Up,
        Action::Left,
        Action::Down,
        Action::Right,
        Action::Use,
    ];

    /// The name in records and for people.
    pub fn name(self) -> &'static str {
        ["NIL", "UP", "LEFT", "DOWN", "RIGHT", "USE"][self as usize]
    }

    /// The action of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.name() == name)
    }

    /// The orientation that it moves in: its code.
    pub(crate) fn direction(self) -> u16 {
        match self {
            Action::Nil | Action::Use => 0,
            other => other as u16,
        }
    }
}

impl Class {
    /// The class of that name.
    pub fn by_name(name: &str) -> Option<Self> {
        NAMES
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, class)| *class)
    }

    /// The name in descriptions.
    pub fn name(self) -> &'static str {
        NAMES
            .iter()
            .find(|(_, class)| *class == self)
            .map_or("?", |(name, _)| name)
    }

    /// All names, for suggestions.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Whether its sprites can be the player's.
    pub fn is_avatar(self) -> bool {
        self as u8 >= Class::MovingAvatar as u8
    }

    /// Whether its sprites spawn others by K-20.
    pub(crate) fn is_spawner(self) -> bool {
        matches!(
            self,
            Class::SpawnPoint
                | Class::Bomber
                | Class::RandomBomber
                | Class::BomberRandomMissile
                | Class::SpawnPointMultiSprite
        )
    }

    /// Whether its sprites look for ways.
    pub(crate) fn follows_paths(self) -> bool {
        matches!(
            self,
            Class::PathChaser | Class::PathAltChaser | Class::RandomPathAltChaser
        )
    }

    /// The actions of an avatar of this class, in the order in which players are told.
    pub fn actions(self) -> &'static [Action] {
        let all = self.actions_with_nil();
        &all[..all.len().saturating_sub(1)]
    }

    /// The same with doing nothing at the end, as players are told who ask for it: an avatar that
    /// can do nothing else has it twice.
    pub fn actions_with_nil(self) -> &'static [Action] {
        use Action::{Down, Left, Nil, Right, Up, Use};
        match self {
            Class::HorizontalAvatar => &[Left, Right, Nil],
            Class::VerticalAvatar => &[Up, Down, Nil],
            Class::NullAvatar => &[Nil, Nil],
            Class::FlakAvatar => &[Use, Left, Right, Nil],
            Class::ShootAvatar | Class::OngoingShootAvatar => &[Use, Left, Right, Down, Up, Nil],
            Class::ShootOnlyAvatar => &[Left, Up, Right, Down, Use, Nil],
            other if other.is_avatar() => &[Left, Right, Down, Up, Nil],
            _ => &[],
        }
    }
}
