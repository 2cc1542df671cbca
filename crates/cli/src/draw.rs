//! States as pictures made of characters.
//!
//! Boards come from the metadata of the game or are found in its rules. With colours, pieces are
//! drawn by their glyphs; without, pieces that only differ in colour are drawn by short names.

mod colour;

use anstyle::Style;
use paidia_arena::rules::Ruleset;
use paidia_game::{Game, Legible, glimpse};
use paidia_library::{Metadata, Piece, Shape};
use paidia_picture::{Board, Layout, Rules as Drawn, Scene};
use unicode_width::UnicodeWidthStr;

use crate::terminal::FAINT;

/// Draws the states of one match.
pub(crate) struct Artist {
    scene: Scene,
    looks: Vec<(String, Look)>,
    coloured: bool,
}

/// How a content of a square is drawn.
#[derive(Clone, Debug, PartialEq)]
struct Look {
    text: String,
    style: Style,
}

/// A state as lines of text.
pub(crate) struct Drawing<'a> {
    /// The boards, all together; empty if there are none.
    pub(crate) lines: Vec<String>,
    /// The facts that are on no board.
    pub(crate) rest: Vec<&'a str>,
}

/// Boards stand side by side as long as they fit in this many columns.
const PAGE_WIDTH: usize = 100;

/// Names of contents are cut after this many characters.
const LONGEST_NAME: usize = 6;

/// States that are looked at to find boards where none are declared: enough to see what counts.
const LOOKED_AT: usize = 8;

/// How a game is drawn.
pub(crate) fn scene<G: Game + Legible>(rules: &Ruleset, game: &G) -> Scene {
    let metadata = rules.metadata();
    let is_declared = metadata.is_some_and(|metadata| !metadata.boards.is_empty());
    let states = glimpse(game, if is_declared { 1 } else { LOOKED_AT });
    Scene::new(drawn(rules), metadata, &states)
}

fn drawn(rules: &Ruleset) -> Option<Drawn<'_>> {
    rules.gdl().ok().map(|rules| Drawn {
        sheet: &rules.sheet,
        program: &rules.program,
    })
}

impl Artist {
    /// An artist for matches of a game.
    pub(crate) fn new<G: Game + Legible>(rules: &Ruleset, game: &G, coloured: bool) -> Self {
        Self::of_scene(scene(rules, game), rules.metadata(), coloured)
    }

    /// An artist for matches in real time that start with these fluents.
    pub(crate) fn in_time(rules: &Ruleset, initial: Vec<String>, coloured: bool) -> Self {
        let scene = Scene::new(drawn(rules), rules.metadata(), &[initial]);
        Self::of_scene(scene, rules.metadata(), coloured)
    }

    fn of_scene(scene: Scene, metadata: Option<&Metadata>, coloured: bool) -> Self {
        let pieces = metadata
            .map(|metadata| metadata.pieces.iter().collect::<Vec<_>>())
            .unwrap_or_default();
        let looks = pieces.iter().map(|(content, piece)| {
            let shared = pieces
                .iter()
                .filter(|(_, other)| other.glyph == piece.glyph)
                .count()
                > 1;
            let text = if shared && !coloured {
                short_name(content, &pieces.iter().map(|(other, _)| other.as_str()))
            } else {
                piece.glyph.clone()
            };
            (
                (*content).clone(),
                Look {
                    text,
                    style: style(piece, coloured),
                },
            )
        });
        Self {
            looks: looks.collect(),
            scene,
            coloured,
        }
    }

    /// A move as players write it, where its arguments are squares of a board.
    pub(crate) fn named(&self, made: &str) -> Option<String> {
        self.scene.named(made)
    }

    /// Draws a state.
    pub(crate) fn draw<'a>(&self, fluents: &'a [String]) -> Drawing<'a> {
        let Layout { cells, rest } = self.scene.lay_out(fluents);
        let boards = self.scene.boards.iter();
        let drawn: Vec<Vec<Cells>> = boards.map(|board| self.board(board, &cells)).collect();
        Drawing {
            lines: side_by_side(&drawn),
            rest,
        }
    }

    fn look(&self, content: Option<&str>) -> Look {
        let plain = |text: &str| Look {
            text: text.to_owned(),
            style: Style::new(),
        };
        let Some(content) = content else {
            return plain(" ");
        };
        if let Some((_, look)) = self.looks.iter().find(|(name, _)| name == content) {
            return look.clone();
        }
        if self
            .scene
            .looks
            .get(content)
            .is_some_and(paidia_picture::Look::is_empty)
        {
            let style = if self.coloured { FAINT } else { Style::new() };
            return Look {
                text: "·".to_owned(),
                style,
            };
        }
        // Two things on one square are told both.
        let words = content.split(' ');
        let words: Vec<String> = words
            .map(|word| word.chars().take(LONGEST_NAME).collect())
            .collect();
        plain(&words.join(" "))
    }

    /// The rows from the top down, and the names of the columns below them.
    fn board(&self, board: &Board, cells: &[Option<String>]) -> Vec<Cells> {
        let width = board.columns.len();
        let cells = &cells[board.first as usize..][..width * board.rows.len()];
        let looks: Vec<Look> = cells
            .iter()
            .map(|content| self.look(content.as_deref()))
            .collect();
        let labels = &board.column_labels;
        let known = self.looks.iter().map(|(_, look)| look.text.width());
        let width = looks.iter().map(|look| look.text.width()).chain(known);
        let width = width
            .chain(labels.iter().map(|label| label.width()))
            .max()
            .unwrap_or(1);
        let margin = board.rows.iter().map(|row| row.width()).max().unwrap_or(0);
        let faint = if self.coloured { FAINT } else { Style::new() };

        let mut lines = Vec::new();
        for row in (0..board.rows.len()).rev() {
            let mut line = Cells::default();
            line.add(&pad_left(&board.rows[row], margin), faint);
            line.space(indent(board, row, width));
            for look in &looks[row * board.columns.len()..][..board.columns.len()] {
                line.space(1);
                line.add(&look.text, look.style);
                line.space(width - look.text.width());
            }
            lines.push(line);
        }
        let mut below = Cells::default();
        below.space(margin);
        for label in labels {
            below.space(1);
            below.add(label, faint);
            below.space(width - label.width());
        }
        lines.push(below);
        lines
    }
}

/// How far a row is moved to the right: half a field for each row below it, on hexagons.
fn indent(board: &Board, row: usize, width: usize) -> usize {
    if board.shape == Shape::Hex {
        row * (width + 1) / 2
    } else {
        0
    }
}

fn pad_left(text: &str, width: usize) -> String {
    format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
}

fn style(piece: &Piece, coloured: bool) -> Style {
    let colour = piece.colour.as_deref().filter(|_| coloured);
    colour.and_then(colour::style).unwrap_or_default()
}

/// A name as short as it can be told from all others: the initials of its words, or its beginning.
fn short_name<'a>(name: &str, names: &(impl Iterator<Item = &'a str> + Clone)) -> String {
    let short = initials(name);
    if names
        .clone()
        .filter(|other| initials(other) == short)
        .count()
        == 1
    {
        return short;
    }
    let own = |beginning: &str| {
        names
            .clone()
            .filter(|other| other.starts_with(beginning))
            .count()
            <= 1
    };
    let ends = name
        .char_indices()
        .map(|(place, character)| place + character.len_utf8());
    let mut beginnings = ends.map(|end| &name[..end]);
    beginnings
        .find(|beginning| own(beginning))
        .unwrap_or(name)
        .to_owned()
}

/// The first letters of the words of a name.
fn initials(name: &str) -> String {
    name.split('_')
        .filter_map(|word| word.chars().next())
        .collect()
}

/// A line of text whose width on the screen is known.
#[derive(Clone, Debug, Default)]
struct Cells {
    text: String,
    width: usize,
}

impl Cells {
    fn add(&mut self, text: &str, style: Style) {
        self.text.push_str(&format!("{style}{text}{style:#}"));
        self.width += text.width();
    }

    fn space(&mut self, count: usize) {
        self.text.push_str(&" ".repeat(count));
        self.width += count;
    }
}

/// Puts boards beside each other while they fit, and below each other where they do not.
fn side_by_side(boards: &[Vec<Cells>]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut row: Vec<Cells> = Vec::new();
    for board in boards {
        let taken = row.iter().map(|line| line.width).max().unwrap_or(0);
        let width = board.iter().map(|line| line.width).max().unwrap_or(0);
        if !row.is_empty() && taken + 3 + width > PAGE_WIDTH {
            lines.extend(std::mem::take(&mut row).into_iter().map(|line| line.text));
            lines.push(String::new());
        }
        let left = row
            .iter()
            .map(|line| line.width)
            .max()
            .map_or(0, |width| width + 3);
        row.resize(row.len().max(board.len()), Cells::default());
        for (line, added) in row.iter_mut().zip(board) {
            line.space(left - line.width);
            line.text.push_str(&added.text);
            line.width += added.width;
        }
    }
    lines.extend(row.into_iter().map(|line| line.text));
    lines
        .iter()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Artist, Metadata, Scene};

    fn drawn(boards: &str, state: &str) -> (String, Vec<String>) {
        let head = "title = \"T\"\nplayers = 2\nkind = \"board\"\nidea = \"I\"\nrules = \"R\"\n";
        let metadata = Metadata::parse(&format!("{head}{boards}")).unwrap();
        let fluents = paidia_game::split(state).unwrap();
        let scene = Scene::new(None, Some(&metadata), std::slice::from_ref(&fluents));
        let artist = Artist::of_scene(scene, Some(&metadata), false);
        let drawing = artist.draw(&fluents);
        (
            drawing.lines.join("\n"),
            drawing.rest.iter().map(|&fact| fact.to_owned()).collect(),
        )
    }

    const CELL: &str = "[[board]]\nfluent = \"cell\"\ncolumn = 1\nrow = 2\ncontent = 3\n";

    #[test]
    fn rows_go_up_and_pieces_of_one_shape_are_told_apart_by_name() {
        let pieces = "[pieces]\nwhite = { glyph = \"●\" }\nblack = { glyph = \"●\" }\nking = { glyph = \"♔\" }\n";
        let boards = format!("{CELL}shape = \"square\"\nlabels = \"letters\"\n{pieces}");
        let state =
            "(cell 1 1 white) (cell 2 1 king) (cell 1 2 empty) (cell 2 2 black) (control white)";
        let (lines, rest) = drawn(&boards, state);
        assert_eq!(lines, "2 · b\n1 w ♔\n  a b");
        assert_eq!(rest, ["(control white)"]);
    }

    #[test]
    fn short_names_are_initials_where_they_differ() {
        let names = ["white_man", "white_king", "black_man", "stone", "star"];
        let short = names.map(|name| super::short_name(name, &names.iter().copied()));
        assert_eq!(short, ["wm", "wk", "bm", "sto", "sta"]);
    }

    #[test]
    fn hexagons_lean_to_the_right() {
        let boards = format!("{CELL}shape = \"hex\"\n");
        let state =
            "(cell 1 1 empty) (cell 2 1 empty) (cell 1 2 x) (cell 2 2 empty) (cell 1 3 empty)";
        assert_eq!(drawn(&boards, state).0, "3   ·\n2  x ·\n1 · ·\n  1 2");
    }

    #[test]
    fn boards_stand_side_by_side() {
        let boards = format!(
            "{CELL}shape = \"square\"\nwhen = {{ 4 = \"left\" }}\n{CELL}shape = \"square\"\nwhen = {{ 4 = \"right\" }}\n"
        );
        let state = "(cell 1 1 x left) (cell 2 1 y left) (cell 1 1 z right)";
        // Boards of one family have the same columns.
        assert_eq!(drawn(&boards, state).0, "1 x y   1 z\n  1 2     1 2");
    }
}
