//! Tables of texts, written for a terminal, as Markdown, as HTML or as comma-separated values.

use crate::statistics::Estimate;

/// A table of texts, with heads that are known beforehand or not.
pub(crate) struct TextTable<H = &'static str> {
    /// What stands above it.
    pub(crate) title: String,
    /// What stands above each column.
    pub(crate) head: Vec<H>,
    /// The rows.
    pub(crate) rows: Vec<Vec<String>>,
}

impl<H: AsRef<str>> TextTable<H> {
    /// What stands above the columns, as texts.
    fn heads(&self) -> Vec<&str> {
        self.head.iter().map(AsRef::as_ref).collect()
    }

    /// For a terminal: columns as wide as what is in them.
    pub(crate) fn text(&self) -> String {
        let heads = self.heads().into_iter().map(str::to_owned).collect();
        let rows = [vec![heads], self.rows.clone()].concat();
        let lines = aligned(&rows, rows[0].len()).into_iter();
        let lines: String = lines.map(|line| format!("  {line}\n")).collect();
        format!("\n{}\n{lines}", self.title)
    }

    /// As a section of a Markdown page.
    pub(crate) fn markdown(&self) -> String {
        let heads = self.heads();
        let mut text = format!("\n## {}\n\n| {} |\n", self.title, heads.join(" | "));
        text += &format!("|{}\n", "---|".repeat(heads.len()));
        for row in &self.rows {
            let row: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            text += &format!("| {} |\n", row.join(" | "));
        }
        text
    }

    /// As a table of an HTML page, which the page may scroll; columns of numbers are flush right.
    pub(crate) fn html(&self) -> String {
        let is_numeric = |column: usize| self.rows.iter().all(|row| is_number(&row[column]));
        let numeric: Vec<bool> = (0..self.head.len()).map(is_numeric).collect();
        let row = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
            let cells = cells.zip(&numeric).map(|(cell, &numeric)| {
                let class = if numeric { " class=\"number\"" } else { "" };
                format!("<{tag}{class}>{}</{tag}>", escaped(cell))
            });
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let head = row("th", &mut self.heads().into_iter());
        let rows = self.rows.iter();
        let rows: String = rows
            .map(|cells| row("td", &mut cells.iter().map(String::as_str)))
            .collect();
        format!(
            "<div class=\"wide\"><table>\n<thead>\n{head}</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
        )
    }
}

/// Rows as lines with columns as wide as what is in them: the first `left` flush left, the others
/// flush right. A row may have fewer cells than others.
pub fn aligned(rows: &[Vec<String>], left: usize) -> Vec<String> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column < left {
            true => format!("{cell:width$}"),
            false => format!("{cell:>width$}"),
        });
        let cells: Vec<String> = cells.collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Whether a cell is a number, with an interval or other numbers after it, or stands for one that
/// is missing.
fn is_number(cell: &str) -> bool {
    let bare = cell.trim_start_matches(['+', '-', '<', ' ']);
    let begins = bare.starts_with(|first: char| first.is_ascii_digit());
    let has_words = bare.replace(" to ", " ").contains(char::is_alphabetic);
    cell == "–" || (begins && !has_words)
}

/// An estimate as `56.5 (52.1 to 60.8)`.
pub(crate) fn with_interval(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(
        || "–".to_owned(),
        |estimate| {
            format!(
                "{:.1} ({:.1} to {:.1})",
                estimate.value, estimate.low, estimate.high
            )
        },
    )
}

/// A text that may hold commas and quotes (RFC 4180).
pub(crate) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// A text for XML and HTML, within quotes, too.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{TextTable, aligned, escaped, is_number, quoted};

    #[test]
    fn columns_are_as_wide_as_what_is_in_them() {
        let row = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect();
        let rows = [row(&["game", "n"]), row(&["é", "100"]), row(&["only"])];
        assert_eq!(aligned(&rows, 1), ["game    n", "é     100", "only"]);
    }

    #[test]
    fn what_needs_quotes_gets_them() {
        assert_eq!(quoted("uct v mc-flat"), "uct v mc-flat");
        assert_eq!(quoted("a, \"b\""), "\"a, \"\"b\"\"\"");
    }

    #[test]
    fn columns_of_numbers_are_flush_right() {
        for number in [
            "1/0/2",
            "56.5 (52.1 to 60.8)",
            "+120 (-60 to +180)",
            "< 0.0001",
            "–",
        ] {
            assert!(is_number(number), "{number}");
        }
        for text in ["100 simulations", "uct", "1 to many", "-"] {
            assert!(!is_number(text), "{text}");
        }
    }

    #[test]
    fn texts_are_safe_in_pages() {
        assert_eq!(escaped("a < b & \"c\""), "a &lt; b &amp; &quot;c&quot;");
        let table = TextTable {
            title: "A & B".to_owned(),
            head: vec!["x"],
            rows: vec![vec!["<script>|".to_owned()]],
        };
        assert!(table.html().contains("<td>&lt;script&gt;|</td>"));
        assert!(table.markdown().contains("| <script>\\| |"));
    }
}
