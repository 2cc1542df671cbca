//! The facts of a `game.toml`, as the README of the games describes them.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

/// What people and drawing code want to know about a game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    /// The name for people.
    pub title: String,
    /// How many roles there are, not counting `random`.
    pub players: u16,
    /// What sort of game it is.
    pub kind: GameKind,
    /// Where the idea comes from.
    pub idea: String,
    /// How it is played, in a paragraph for people.
    pub rules: String,
    /// In how many joint moves, at the fewest known, a puzzle can be solved for the highest goal.
    pub solvable_in: Option<u32>,
    /// In real time: how long a unit of game time takes where people play, in milliseconds.
    pub unit_milliseconds: Option<u32>,
    /// The sheet of the public collection with the same game.
    pub public: Option<Public>,
    /// How to draw the state; none for a game without a grid.
    #[serde(default, rename = "board")]
    pub boards: Vec<Board>,
    /// How contents of squares look.
    #[serde(default)]
    pub pieces: IndexMap<String, Piece>,
}

/// What sort of game it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameKind {
    /// Pieces on a board, moves in turns.
    Board,
    /// For one player.
    Puzzle,
    /// Moves at the same time.
    Simultaneous,
    /// Trade and money.
    Economy,
    /// Open cards.
    Cards,
    /// Something is hidden or left to chance.
    Hidden,
    /// Players move whenever they like (rtGDL).
    RealTime,
    /// A figure on a grid that acts at every tick.
    Video,
    /// Made by `paidia evolve`.
    Bred,
}

impl GameKind {
    /// The word as it is written in `game.toml`.
    pub fn name(self) -> &'static str {
        match self {
            GameKind::Board => "board",
            GameKind::Puzzle => "puzzle",
            GameKind::Simultaneous => "simultaneous",
            GameKind::Economy => "economy",
            GameKind::Cards => "cards",
            GameKind::Hidden => "hidden",
            GameKind::RealTime => "real-time",
            GameKind::Video => "video",
            GameKind::Bred => "bred",
        }
    }
}

/// The sheet of the public GGP collection with the same game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Public {
    /// The name of the sheet.
    pub name: String,
    /// Why the two do not have the same perft counts, where they do not.
    pub differs: Option<String>,
}

/// A board: one fluent with a column, a row and a content argument. Arguments are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Board {
    /// The name of the fluent.
    pub fluent: String,
    /// The argument that is the column.
    pub column: usize,
    /// The argument that is the row.
    pub row: usize,
    /// The argument that says what is on the square.
    pub content: usize,
    /// The shape of the squares.
    pub shape: Shape,
    /// Only facts with these arguments belong to the board; the keys are arguments, counted from 1.
    #[serde(default)]
    pub when: BTreeMap<String, String>,
    /// How columns are labelled.
    #[serde(default)]
    pub labels: Labels,
    /// Whether squares have alternating colours.
    #[serde(default)]
    pub checkered: bool,
    /// Whether the first row is the topmost; by default it is at the bottom.
    #[serde(default)]
    pub top_down: bool,
    /// The columns from left to right; those of the first state and the rules if not given.
    #[serde(default)]
    pub columns: Vec<String>,
    /// The rows from the first to the last; those of the first state and the rules if not given.
    #[serde(default)]
    pub rows: Vec<String>,
    /// What is drawn around and between the squares.
    #[serde(default)]
    pub dress: Dress,
}

/// What is drawn around and between the squares of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Dress {
    /// The colours of the edges, each that of its owner: left, right, bottom, top.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<[String; 4]>,
    /// How many columns and rows make a block, such as the boxes of sudoku.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks: Option<[usize; 2]>,
}

/// The shape of squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Squares.
    Square,
    /// Hexagons, each row half a field to the right of the one below.
    Hex,
    /// Triangles that point up and down by turns.
    Triangle,
    /// Points, with no lines between them.
    Points,
}

/// How columns are labelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Labels {
    /// As in the rules.
    #[default]
    Numbers,
    /// a, b, c and so on.
    Letters,
}

/// How a content looks.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Piece {
    /// One character, or a short text.
    pub glyph: String,
    /// What is drawn instead of the glyph where more than characters can be drawn.
    pub shape: Option<Figure>,
    /// The name of a CSS colour.
    pub colour: Option<String>,
}

/// Something that is drawn rather than written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Figure {
    /// Nothing.
    Empty,
    /// A filled circle.
    Disc,
    /// A circle that is open inside.
    Ring,
    /// Two crossing lines.
    Cross,
    /// A square that does not fill its field.
    Square,
    /// A triangle that points up.
    Triangle,
    /// A square that stands on a corner.
    Diamond,
    /// A hexagon.
    Hexagon,
    /// A star with five points.
    Star,
    /// A small filled circle.
    Dot,
    /// A line from side to side.
    BarH,
    /// A line from top to bottom.
    BarV,
    /// A field that is filled.
    Wall,
}

/// A `game.toml` that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// It is not TOML, or has other fields.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// A board names an argument that cannot be.
    #[error("the board of `{fluent}` names argument `{argument}`; arguments are counted from 1")]
    Argument {
        /// The fluent of the board.
        fluent: String,
        /// What was written.
        argument: String,
    },
}

impl Metadata {
    /// Reads the text of a `game.toml`.
    ///
    /// # Errors
    /// Tells what is wrong, and in which line.
    pub fn parse(text: &str) -> Result<Self, MetadataError> {
        let metadata: Metadata = toml::from_str(text)?;
        metadata.boards.iter().try_for_each(Board::check)?;
        Ok(metadata)
    }
}

impl Board {
    fn check(&self) -> Result<(), MetadataError> {
        let fail = |argument: &str| {
            Err(MetadataError::Argument {
                fluent: self.fluent.clone(),
                argument: argument.to_owned(),
            })
        };
        for argument in [self.column, self.row, self.content] {
            if argument == 0 {
                return fail("0");
            }
        }
        for argument in self.when.keys() {
            if !argument.parse::<usize>().is_ok_and(|argument| argument > 0) {
                return fail(argument);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Labels, Metadata, Shape};

    const SMALL: &str =
        "title = \"T\"\nplayers = 2\nkind = \"board\"\nidea = \"I\"\nrules = \"R\"\n";

    #[test]
    fn what_is_left_out_has_its_default() {
        let board =
            "[[board]]\nfluent = \"cell\"\ncolumn = 1\nrow = 2\ncontent = 3\nshape = \"hex\"\n";
        let metadata = Metadata::parse(&format!("{SMALL}{board}")).unwrap();
        let board = &metadata.boards[0];
        assert_eq!(
            (board.shape, board.labels, board.checkered),
            (Shape::Hex, Labels::Numbers, false)
        );
        assert_eq!((metadata.public, metadata.pieces.len()), (None, 0));
    }

    #[test]
    fn mistakes_are_named() {
        let error = Metadata::parse(&format!("{SMALL}plyers = 2"))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("plyers") && error.contains("line 6"),
            "{error}"
        );
        let board =
            "[[board]]\nfluent = \"cell\"\ncolumn = 0\nrow = 2\ncontent = 3\nshape = \"hex\"\n";
        let error = Metadata::parse(&format!("{SMALL}{board}"))
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "the board of `cell` names argument `0`; arguments are counted from 1"
        );
    }
}
