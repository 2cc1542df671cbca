//! How types of sprites look: a colour, a character for terminals, and a small drawing of our own.
//!
//! A description names a colour for most types; pictures of the original are not used. What a
//! sprite is drawn as follows from its class, so that who knows one game can read the next.

use crate::class::Class;
use crate::description::Description;
use crate::kind::{SpriteType, TypeId};
use crate::text::label;

/// How a type looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// The name in fluents and pictures.
    pub name: String,
    /// The character in terminals.
    pub glyph: char,
    /// A CSS colour.
    pub colour: &'static str,
    /// The drawing: one of [`FIGURES`].
    pub figure: &'static str,
}

/// The drawings that there are.
pub const FIGURES: [&str; 12] = [
    "avatar", "wall", "floor", "door", "gem", "arrow", "ghost", "chaser", "burst", "source", "box",
    "gone",
];

/// Colours of the language with those of CSS.
const COLOURS: [(&str, &str); 24] = [
    ("GREEN", "limegreen"),
    ("BLUE", "dodgerblue"),
    ("RED", "crimson"),
    ("GRAY", "darkgray"),
    ("WHITE", "ivory"),
    ("BROWN", "sienna"),
    ("BLACK", "dimgray"),
    ("ORANGE", "orange"),
    ("YELLOW", "gold"),
    ("PINK", "hotpink"),
    ("GOLD", "goldenrod"),
    ("LIGHTRED", "salmon"),
    ("LIGHTORANGE", "coral"),
    ("LIGHTBLUE", "skyblue"),
    ("LIGHTGREEN", "lightgreen"),
    ("LIGHTYELLOW", "khaki"),
    ("LIGHTGRAY", "lightgray"),
    ("DARKGRAY", "dimgray"),
    ("DARKBLUE", "royalblue"),
    ("PURPLE", "orchid"),
    ("LIGHTPINK", "pink"),
    ("DARKGREEN", "forestgreen"),
    ("DARKRED", "firebrick"),
    ("CYAN", "cyan"),
];

/// How all types of a game look, by their numbers.
pub fn looks(level: &crate::level::Level) -> Vec<Look> {
    let game = &level.game;
    let ids = 0..game.types.len() as TypeId;
    ids.map(|id| {
        let kind = &game.types[usize::from(id)];
        let figure = figure(kind);
        Look {
            name: label(level, id),
            glyph: glyph(game, id, figure),
            colour: colour(kind, figure),
            figure,
        }
    })
    .collect()
}

fn figure(kind: &SpriteType) -> &'static str {
    let Some(class) = kind.class else {
        return "gone";
    };
    match class {
        _ if class.is_avatar() => "avatar",
        Class::Door | Class::Portal => "door",
        Class::Resource | Class::ResourcePack => "gem",
        Class::Missile | Class::ErraticMissile | Class::RandomMissile => "arrow",
        Class::RandomNpc | Class::Fleeing => "ghost",
        Class::Chaser
        | Class::LosChaser
        | Class::PathChaser
        | Class::AlternateChaser
        | Class::PathAltChaser
        | Class::RandomAltChaser
        | Class::RandomPathAltChaser => "chaser",
        Class::Flicker | Class::OrientedFlicker | Class::Spreader => "burst",
        other if other.is_spawner() => "source",
        Class::Passive => "box",
        _ if kind.name.contains("floor") || kind.name.contains("background") => "floor",
        _ => "wall",
    }
}

fn glyph(game: &Description, id: TypeId, figure: &str) -> char {
    match figure {
        "avatar" => '@',
        "floor" => '·',
        "arrow" => '•',
        "burst" => '*',
        "wall" if game.types[usize::from(id)].name == "wall" => '█',
        _ => {
            let own = game.character_of(id);
            let first = game.types[usize::from(id)].name.chars().next();
            own.filter(char::is_ascii_graphic).or(first).unwrap_or('?')
        }
    }
}

fn colour(kind: &SpriteType, figure: &str) -> &'static str {
    let named = kind.colour().and_then(|name| {
        let found = COLOURS.iter().find(|(known, _)| *known == name);
        found.map(|(_, css)| *css)
    });
    named.unwrap_or(match figure {
        "avatar" => "dodgerblue",
        "door" => "sienna",
        "gem" => "gold",
        "arrow" => "orange",
        "ghost" => "orchid",
        "chaser" => "crimson",
        "burst" => "coral",
        "source" => "forestgreen",
        "box" => "goldenrod",
        "floor" => "dimgray",
        _ => "darkgray",
    })
}
