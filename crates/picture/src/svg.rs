//! A state as an SVG picture, for notebooks and files: boards with their pieces, and the facts that
//! are on no board as a line of text.

use std::fmt::Write;

use paidia_library::Shape;

use crate::look::{Figure, Form, Look};
use crate::scene::{Board, Frame, Scene};

/// The side of a square.
const SIDE: f64 = 44.0;

/// Around a board, with room for labels.
const MARGIN: f64 = 24.0;

/// Boards stand side by side as long as they fit in this width.
const PAGE_WIDTH: f64 = 1000.0;

/// The most characters of a fact beside the boards.
const LONGEST_FACTS: usize = 160;

/// Colours of squares that alternate, and of those that do not.
const SQUARES: [&str; 2] = ["#d9c3a0", "#f3e7d0"];

/// The tone of lines and letters.
const INK: &str = "#35302c";

impl Scene {
    /// Draws a state, given as its fluents.
    pub fn svg(&self, fluents: &[String]) -> String {
        let frame = self.frame(fluents);
        let mut page = Page::default();
        for board in &self.boards {
            page.place(board);
            self.draw_board(&mut page, board, &frame);
        }
        page.end_row();
        page.facts(&frame);
        page.finish()
    }

    fn draw_board(&self, page: &mut Page, board: &Board, frame: &Frame) {
        let columns = board.columns.len();
        for row in 0..board.rows.len() {
            for column in 0..columns {
                let (x, y) = page.centre(board, column, row);
                let number = board.first as usize + row * columns + column;
                let content = frame.cells.get(number).and_then(Option::as_deref);
                page.square(board, x, y, (column + row) % 2);
                if let Some(content) = content {
                    self.draw_content(page, x, y, content);
                }
            }
        }
        for (column, label) in board.column_labels.iter().enumerate() {
            let (x, y) = page.centre(board, column, 0);
            page.text(x, y + SIDE * 0.5 + 9.0, 11.0, INK, label);
        }
        for (row, label) in board.row_labels.iter().enumerate() {
            let (x, y) = page.centre(board, 0, row);
            page.text(x - SIDE * 0.5 - 10.0, y, 11.0, INK, label);
        }
    }

    /// Draws what is on a square: one thing, or several that share it.
    fn draw_content(&self, page: &mut Page, x: f64, y: f64, content: &str) {
        if let Some(look) = self.looks.get(content) {
            page.look(x, y, SIDE, look);
            return;
        }
        let words: Vec<&str> = content.split(' ').collect();
        if words.len() > 1 && words.iter().any(|word| self.looks.contains_key(*word)) {
            for (place, word) in words.iter().take(4).enumerate() {
                let x = x + if place % 2 == 0 { -0.22 } else { 0.22 } * SIDE;
                let y = y + if place < 2 { -0.22 } else { 0.22 } * SIDE;
                match self.looks.get(*word) {
                    Some(look) => page.look(x, y, SIDE * 0.5, look),
                    None => page.fitted(x, y, SIDE * 0.5, INK, word),
                }
            }
            return;
        }
        page.fitted(x, y, SIDE, INK, content);
    }
}

/// A picture that grows.
#[derive(Default)]
struct Page {
    body: String,
    width: f64,
    height: f64,
    /// The left and the top of the board that is drawn.
    left: f64,
    top: f64,
    /// Where the next board of the row begins, and how high the row is.
    next: f64,
    row_height: f64,
}

impl Page {
    /// Makes room for a board: beside the one before, or below where that does not fit.
    fn place(&mut self, board: &Board) {
        let lean = match board.shape {
            Shape::Hex => board.rows.len().saturating_sub(1) as f64 * SIDE * 0.5,
            _ => 0.0,
        };
        let width = board.columns.len() as f64 * SIDE + lean + 2.0 * MARGIN;
        let height = board.rows.len() as f64 * SIDE + 2.0 * MARGIN;
        if self.next > 0.0 && self.next + width > PAGE_WIDTH {
            self.end_row();
        }
        (self.left, self.top) = (self.next + MARGIN, self.height + MARGIN);
        self.next += width;
        self.row_height = self.row_height.max(height);
        self.width = self.width.max(self.next);
    }

    fn end_row(&mut self) {
        self.height += self.row_height;
        (self.next, self.row_height) = (0.0, 0.0);
    }

    /// The middle of a square; rows go up.
    fn centre(&self, board: &Board, column: usize, row: usize) -> (f64, f64) {
        let lean = if board.shape == Shape::Hex {
            row as f64 * 0.5
        } else {
            0.0
        };
        let from_top = board.rows.len() - 1 - row;
        (
            self.left + (column as f64 + lean + 0.5) * SIDE,
            self.top + (from_top as f64 + 0.5) * SIDE,
        )
    }

    fn square(&mut self, board: &Board, x: f64, y: f64, parity: usize) {
        let fill = SQUARES[if board.checkered { parity } else { 1 }];
        let half = SIDE * 0.5;
        match board.shape {
            Shape::Points => {}
            Shape::Hex => {
                let (wide, high) = (half, SIDE * 0.6);
                let points = [
                    (0.0, -high),
                    (wide, -high * 0.5),
                    (wide, high * 0.5),
                    (0.0, high),
                    (-wide, high * 0.5),
                    (-wide, -high * 0.5),
                ];
                self.polygon(x, y, &points, fill);
            }
            Shape::Square | Shape::Triangle => {
                let points = [(-half, -half), (half, -half), (half, half), (-half, half)];
                self.polygon(x, y, &points, fill);
            }
        }
    }

    fn polygon(&mut self, x: f64, y: f64, points: &[(f64, f64)], fill: &str) {
        let points: Vec<String> = points
            .iter()
            .map(|(dx, dy)| format!("{:.1},{:.1}", x + dx, y + dy))
            .collect();
        let points = points.join(" ");
        let _ = write!(
            self.body,
            r#"<polygon points="{points}" fill="{}" stroke="{INK}" stroke-width="1"/>"#,
            escaped(fill)
        );
    }

    fn circle(&mut self, x: f64, y: f64, radius: f64, fill: &str, width: f64) {
        let _ = write!(
            self.body,
            r#"<circle cx="{x:.1}" cy="{y:.1}" r="{radius:.1}" fill="{}" stroke="{INK}" stroke-width="{width:.1}"/>"#,
            escaped(fill)
        );
    }

    /// Draws a look in a square of this side.
    fn look(&mut self, x: f64, y: f64, side: f64, look: &Look) {
        let colour = look.colour.as_deref().unwrap_or(INK);
        match &look.form {
            Form::Shape(figure) => self.figure(x, y, side, *figure, colour),
            Form::Glyph(glyph) | Form::Text(glyph) if glyph.chars().count() == 1 => {
                self.glyph(x, y, side, colour, glyph);
            }
            Form::Glyph(text) | Form::Text(text) => self.fitted(x, y, side, colour, text),
        }
        if let Some(badge) = &look.badge {
            self.text(
                x + side * 0.28,
                y + side * 0.3,
                side * 0.26,
                "#b3261e",
                badge,
            );
        }
    }

    fn figure(&mut self, x: f64, y: f64, side: f64, figure: Figure, colour: &str) {
        let unit = side / 100.0;
        let scaled = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
            points
                .iter()
                .map(|(dx, dy)| (dx * unit, dy * unit))
                .collect()
        };
        let outline: &[(f64, f64)] = match figure {
            Figure::Empty => return,
            Figure::Disc => return self.circle(x, y, 38.0 * unit, colour, 1.0),
            Figure::Dot => return self.circle(x, y, 12.0 * unit, colour, 1.0),
            Figure::Ring => {
                let _ = write!(
                    self.body,
                    r#"<circle cx="{x:.1}" cy="{y:.1}" r="{:.1}" fill="none" stroke="{}" stroke-width="{:.1}"/>"#,
                    30.0 * unit,
                    escaped(colour),
                    12.0 * unit
                );
                return;
            }
            Figure::Cross => {
                let (near, far) = (x - 30.0 * unit, x + 30.0 * unit);
                let (high, low) = (y - 30.0 * unit, y + 30.0 * unit);
                let _ = write!(
                    self.body,
                    r#"<path d="M{near:.1} {high:.1}L{far:.1} {low:.1}M{far:.1} {high:.1}L{near:.1} {low:.1}" stroke="{}" stroke-width="{:.1}" stroke-linecap="round"/>"#,
                    escaped(colour),
                    13.0 * unit
                );
                return;
            }
            Figure::Square => &[(-34.0, -34.0), (34.0, -34.0), (34.0, 34.0), (-34.0, 34.0)],
            Figure::Triangle => &[(0.0, -36.0), (36.0, 28.0), (-36.0, 28.0)],
            Figure::Diamond => &[(0.0, -40.0), (32.0, 0.0), (0.0, 40.0), (-32.0, 0.0)],
            Figure::Hexagon => &[
                (0.0, -38.0),
                (33.0, -19.0),
                (33.0, 19.0),
                (0.0, 38.0),
                (-33.0, 19.0),
                (-33.0, -19.0),
            ],
            Figure::Star => &[
                (0.0, -40.0),
                (11.0, -13.0),
                (39.0, -12.0),
                (17.0, 5.0),
                (25.0, 33.0),
                (0.0, 17.0),
                (-25.0, 33.0),
                (-17.0, 5.0),
                (-39.0, -12.0),
                (-11.0, -13.0),
            ],
            Figure::BarH => &[(-50.0, -5.0), (50.0, -5.0), (50.0, 5.0), (-50.0, 5.0)],
            Figure::BarV => &[(-5.0, -50.0), (5.0, -50.0), (5.0, 50.0), (-5.0, 50.0)],
            Figure::Wall => &[(-47.0, -47.0), (47.0, -47.0), (47.0, 47.0), (-47.0, 47.0)],
        };
        self.polygon(x, y, &scaled(outline), colour);
    }

    fn glyph(&mut self, x: f64, y: f64, side: f64, colour: &str, glyph: &str) {
        // The outline keeps light pieces apart from light squares.
        let _ = write!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{:.1}" fill="{}" stroke="{INK}" stroke-width="0.6" text-anchor="middle" dominant-baseline="central">{}</text>"#,
            side * 0.78,
            escaped(colour),
            escaped(glyph)
        );
    }

    /// A text as large as fits into a square.
    fn fitted(&mut self, x: f64, y: f64, side: f64, colour: &str, text: &str) {
        let readable = text.replace('_', " ");
        let letters = readable.chars().count().max(1) as f64;
        let size = (side * 1.5 / letters).clamp(6.0, side * 0.5);
        self.text(x, y, size, colour, &readable);
    }

    fn text(&mut self, x: f64, y: f64, size: f64, colour: &str, text: &str) {
        let _ = write!(
            self.body,
            r#"<text x="{x:.1}" y="{y:.1}" font-size="{size:.1}" fill="{}" text-anchor="middle" dominant-baseline="central">{}</text>"#,
            escaped(colour),
            escaped(text)
        );
    }

    /// The facts that are on no board, a line for each kind.
    fn facts(&mut self, frame: &Frame) {
        for aside in &frame.beside {
            let mut line = aside.label.clone();
            for value in &aside.values {
                line.push(' ');
                line.push_str(value);
            }
            let shown: String = line.chars().take(LONGEST_FACTS).collect();
            let y = self.height + 12.0;
            let _ = write!(
                self.body,
                r#"<text x="{MARGIN:.1}" y="{y:.1}" font-size="13" fill="{INK}" dominant-baseline="central">{}</text>"#,
                escaped(&shown)
            );
            self.height += 20.0;
            self.width = self
                .width
                .max(2.0 * MARGIN + shown.chars().count() as f64 * 7.5);
        }
    }

    fn finish(self) -> String {
        let (width, height) = (self.width.max(2.0 * MARGIN), self.height + MARGIN * 0.5);
        format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" font-family="sans-serif"><rect width="100%" height="100%" fill="#fffdf8"/>{}</svg>"##,
            self.body
        )
    }
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            letter if letter.is_control() => safe.push(' '),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::Scene;
    use paidia_library::Metadata;

    fn drawn(state: &[&str]) -> String {
        let metadata = "title = \"T\"\nplayers = 2\nkind = \"board\"\nidea = \"I\"\nrules = \"R\"\n\
            [[board]]\nfluent = \"cell\"\ncolumn = 1\nrow = 2\ncontent = 3\nshape = \"square\"\n\
            [pieces]\nx = { glyph = \"x\", shape = \"cross\" }\n";
        let metadata = Metadata::parse(metadata).unwrap();
        let state: Vec<String> = state.iter().map(|&fluent| fluent.to_owned()).collect();
        Scene::new(None, Some(&metadata), std::slice::from_ref(&state)).svg(&state)
    }

    #[test]
    fn boards_pieces_and_facts_are_drawn() {
        let picture = drawn(&["(cell 1 1 x)", "(cell 2 1 y)", "(control white)"]);
        assert_eq!(picture.matches("<polygon").count(), 2, "two squares");
        assert_eq!(picture.matches("<path").count(), 1, "a cross");
        assert!(picture.contains(">y</text>"), "{picture}");
        assert!(picture.contains(">control white</text>"), "{picture}");
    }

    #[test]
    fn names_cannot_break_the_picture() {
        let picture = drawn(&["(cell 1 1 <b>)", "(note <i>&\"')"]);
        assert!(
            !picture.contains("<b>") && !picture.contains("<i>"),
            "{picture}"
        );
        assert!(picture.contains("&lt;b&gt;"), "{picture}");
        assert!(picture.contains("&lt;i&gt;&amp;&quot;&#39;"), "{picture}");
    }
}
