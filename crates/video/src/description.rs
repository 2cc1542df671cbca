//! A game as its description tells it: types, cells of levels, interactions, terminations.

mod parts;
mod reader;
mod rules;
mod spelling;
mod sprites;

use std::sync::Arc;

use paidia_gdl::{Source, Span};
use rustc_hash::FxHashMap;

use crate::effect::Effect;
use crate::kind::{SpriteType, TypeId};
use crate::level::Level;
use crate::problems::{Finding, NO_AVATAR, TOO_LARGE};
use crate::tree;
use reader::Reader;

pub use parts::{LEVEL_LINE, Parts, join, parts, with_one_level};

/// The most types that a game may name. The largest game known has 33.
pub(crate) const MAX_TYPES: usize = 1_000;
/// The most pairs of types, effects and terminations together.
pub(crate) const MAX_EFFECTS: usize = 20_000;

/// The type `wall`, which always exists.
pub(crate) const WALL: TypeId = 0;
/// The type `avatar`, which always exists.
pub(crate) const AVATAR: TypeId = 1;

/// A game without its level.
#[derive(Clone, Debug)]
pub struct Description {
    /// The name for people.
    pub name: String,
    /// Types by their numbers.
    pub types: Vec<SpriteType>,
    /// The order in which types are drawn; updates go through it backwards.
    pub order: Vec<TypeId>,
    pub(crate) block: Option<i32>,
    /// Whether what is plainly a mistake of the original is played as it plays it.
    pub(crate) faithful: bool,
    pub(crate) obstacles: Vec<TypeId>,
    pub(crate) counters: usize,
    pub(crate) cells: FxHashMap<char, Vec<TypeId>>,
    pub(crate) effects: Vec<Effect>,
    pub(crate) pairs: Vec<Pair>,
    /// Types whose sprites are looked at when they leave the screen; repeated where lines are.
    pub(crate) edge_types: Vec<TypeId>,
    /// The effects of leaving the screen by type.
    pub(crate) edge_effects: Vec<Vec<u16>>,
    pub(crate) timers: Vec<(TypeId, u16)>,
    pub(crate) terminations: Vec<Termination>,
}

/// Two types whose sprites do something when they meet.
#[derive(Clone, Debug)]
pub(crate) struct Pair {
    pub(crate) first: TypeId,
    pub(crate) second: TypeId,
    pub(crate) effects: Vec<u16>,
}

/// A condition that ends the game.
#[derive(Clone, Debug)]
pub(crate) struct Termination {
    pub(crate) condition: Condition,
    pub(crate) types: Vec<TypeId>,
    pub(crate) limit: i32,
    pub(crate) win: bool,
    pub(crate) at_least: bool,
    pub(crate) sub_types: i32,
    pub(crate) by_score: bool,
}

/// What a termination asks. (section 17)
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    Few,
    Many,
    Sum,
    SubTypes,
    Timeout,
    Never,
}

/// What was read of a description, and what is wrong with it.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The game, as far as it was understood.
    pub game: Description,
    /// Problems in the order of the text.
    pub problems: Vec<Finding>,
}

impl Reading {
    /// Whether the game can be played.
    pub fn is_playable(&self) -> bool {
        !self.problems.iter().any(Finding::is_error)
    }
}

/// Reads a description. Reading never fails: it says what it understood and what is wrong.
pub fn read(source: &Source) -> Reading {
    let mut reader = Reader::default();
    if source.text.len() > paidia_gdl::source::MAX_SOURCE_BYTES {
        let message = "the description is too long";
        reader
            .found
            .push(Finding::new(&TOO_LARGE, Span::new(0, 0), message));
    } else {
        reader.lines = tree::read(&source.text, &mut reader.found);
        reader.read();
    }
    let mut problems = reader.found;
    problems.sort_by_key(|finding| finding.span);
    let edge_effects = reader.edges.effects;
    let game = Description {
        name: source.name.clone(),
        types: reader.types,
        order: reader.order,
        block: reader.block,
        faithful: !reader.mended,
        obstacles: reader.obstacles,
        counters: reader.counters,
        cells: reader.cells,
        effects: reader.effects,
        pairs: reader.pairs,
        edge_types: reader.edges.types,
        edge_effects,
        timers: reader.timers,
        terminations: reader.terminations,
    };
    Reading { game, problems }
}

/// Reads a text that has levels after the description, and the first of them. The level is there
/// if it and the game can be played.
pub fn read_with_level(source: &Source) -> (Reading, Option<Level>) {
    let text = &source.text;
    let parts = parts(text);
    let (end, rows) = (parts.description, parts.levels.first().cloned());
    let cut = rows.clone();
    let std::ops::Range {
        start: begin,
        end: last,
    } = rows.unwrap_or(end..end);
    let mut reading = read(&Source::new(source.name.clone(), &text[..end]));
    let mut level = None;
    if cut.is_none() {
        let message = "there is no level to play";
        let help = "add a line `Level` and the rows of the level below it, or name the level's \
                    number: `GAME.txt@0` takes GAME_lvl0.txt beside it";
        let place = Span::new(text.len(), text.len());
        reading
            .problems
            .push(Finding::new(&NO_AVATAR, place, message).help(help));
    } else if reading.is_playable() {
        let game = Arc::new(reading.game.clone());
        let own = Level::read(&game, &Source::new(source.name.clone(), &text[begin..last]));
        reading
            .problems
            .extend(own.problems.into_iter().map(|mut finding| {
                let (start, end) = (finding.span.start as usize, finding.span.end as usize);
                finding.span = Span::new(start + begin, end + begin);
                finding
            }));
        level = own.level;
    }
    (reading, level)
}

impl Description {
    /// The character by which levels put a type into a cell, if it stands alone there or last.
    pub fn character_of(&self, kind: TypeId) -> Option<char> {
        let mut own: Vec<char> = self
            .cells
            .iter()
            .filter(|(_, types)| types.last() == Some(&kind))
            .map(|(&key, _)| key)
            .collect();
        own.sort_unstable();
        own.first().copied()
    }

    /// Characters of levels with the types that they put into a cell, in their order.
    pub fn characters(&self) -> Vec<(char, Vec<TypeId>)> {
        let all = self.cells.iter().map(|(&key, types)| (key, types.clone()));
        let mut all: Vec<_> = all.collect();
        all.sort();
        all
    }

    /// How many pairs of types do something when they meet, and how many effects there are.
    pub fn interactions(&self) -> (usize, usize) {
        (self.pairs.len(), self.effects.len())
    }
}
