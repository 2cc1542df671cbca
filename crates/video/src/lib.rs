//! Video games in VGDL: the language, the engine and the controllers.
//!
//! A description is read by [`read`] into a [`Description`], with problems as data. With the text
//! of a level it becomes a [`Level`], which never changes; a [`State`] is a few flat arrays, and
//! [`Level::advance`] plays one tick. Rules, order of updates and random draws are those of GVGAI.

mod apply;
mod avatar;
mod bundle;
mod class;
mod description;
mod effect;
mod events;
mod game;
mod kind;
mod level;
mod look;
mod paths;
pub mod players;
pub mod problems;
mod random;
pub mod recorded;
pub mod speed;
mod state;
mod text;
mod tick;
mod tree;
mod turns;
mod values;
mod view;

pub use bundle::{Bundled, GAMES};
pub use class::{Action, Class};
pub use description::{
    Description, LEVEL_LINE, Parts, Reading, join, parts, read, read_with_level, with_one_level,
};
pub use game::{SCORE_LIMIT, VideoGame, VideoWalker, WIN_VALUE};
pub use kind::{SpriteType, TypeId};
pub use level::{Level, LevelReading, MAX_CELLS};
pub use look::{FIGURES, Look, looks};
pub use problems::{Finding, Kind as ProblemKind};
pub use random::Random;
pub use state::{Fault, State};
pub use tick::{Event, Scratch};
pub use view::{Category, Seen, SpriteView, actions_with_nil};

/// The names of sprite classes, for editors.
pub fn class_names() -> Vec<&'static str> {
    Class::names().collect()
}

/// The names of effects, for editors.
pub fn effect_names() -> Vec<&'static str> {
    effect::Operation::names().collect()
}
