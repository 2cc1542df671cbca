//! How a state of any game looks: boards, what is on their squares, and which squares a move is
//! about.
//!
//! A [`Scene`] is made once a game, from its rules, its metadata if it is bundled, and a few of its
//! states. It then turns the fluents of any state into a [`Frame`], and the text of a move into
//! squares to click. Every front end, the terminal and the web page alike, draws what this crate
//! says.
//!
//! The way through it: `vocabulary` tells which kinds of fluents and moves there are and what can
//! stand in their arguments, `links` which argument of a move is which argument of a fluent,
//! `order` whether values are in an order, as those of columns are. `find` makes plans of boards
//! from that, `declared` from metadata. `grid` numbers the squares of a plan, `moves` reads moves,
//! `look` says how contents look, `scene` holds it all together, and `svg` draws it.
//!
//! Whatever a rule sheet says, a picture stays small: [`LONGEST_SIDE`], [`MOST_CELLS`] and
//! [`MOST_BOARDS`] bound it. What does not fit is shown as facts beside the boards.

mod declared;
mod dress;
mod find;
mod grid;
mod links;
mod look;
mod moves;
mod order;
mod plan;
mod scene;
mod svg;
mod term;
mod vocabulary;

pub use look::{Figure, Form, Look};
pub use scene::{Aside, Board, Frame, Layout, Rules, Scene};

/// No board has more columns or rows than this.
pub const LONGEST_SIDE: usize = 64;

/// All boards of a game together have no more squares than this.
pub const MOST_CELLS: usize = 8192;

/// No game has more boards than this.
pub const MOST_BOARDS: usize = 64;
