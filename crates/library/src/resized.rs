//! Some bundled games on boards of any size, to see how cost grows with the board.
//!
//! A sheet is the bundled one without the facts that make its board, and with those of another.

use std::fmt::Write;
use std::ops::RangeInclusive;

/// A game whose board can have any size.
struct Family {
    /// The name before the `@`.
    name: &'static str,
    /// The bundled game that the rules are of.
    bundled: &'static str,
    /// Lines that start like this make the board of the bundled game.
    board: &'static [&'static str],
    /// Numbers in rules that mean the far edge: the text with the bundled number, and the text
    /// around another.
    edges: &'static [(&'static str, [&'static str; 2])],
    /// Writes the facts of another board.
    facts: fn(&mut String, u32),
}

/// Sizes that make a board.
pub const SIZES: RangeInclusive<u32> = 4..=100;

const FAMILIES: [Family; 4] = [
    Family {
        name: "amazons",
        bundled: "amazons",
        board: &["(init (cell", "(start", "(index", "(successor"],
        edges: &[],
        facts: amazons,
    },
    Family {
        name: "breakthrough",
        bundled: "breakthrough",
        board: &[
            "(home_row",
            "(middle_row",
            "(far_row",
            "(index",
            "(successor",
        ],
        edges: &[],
        facts: breakthrough,
    },
    Family {
        name: "connect-four",
        bundled: "connect-four",
        board: &["(column", "(row", "(successor"],
        edges: &[("(cell ?column 6 empty)", ["(cell ?column ", " empty)"])],
        facts: connect_four,
    },
    Family {
        name: "hex",
        bundled: "hex-9x9",
        board: &["(column", "(row", "(successor"],
        edges: &[
            ("(linked red ?column 9)", ["(linked red ?column ", ")"]),
            ("(linked blue 9 ?row)", ["(linked blue ", " ?row)"]),
        ],
        facts: hex,
    },
];

/// The names of the games that come in any of the [`SIZES`].
pub fn families() -> impl Iterator<Item = &'static str> {
    FAMILIES.iter().map(|family| family.name)
}

/// The rules of a game on a board of another size: `size` rows, and as many columns; Connect Four
/// has one more.
///
/// `None` if the game does not come in this size.
pub fn resized(family: &str, size: u32) -> Option<String> {
    let family = FAMILIES.iter().find(|known| known.name == family)?;
    let bundled = crate::find(family.bundled).ok()?;
    if !SIZES.contains(&size) {
        return None;
    }
    let is_board = |line: &&str| family.board.iter().any(|start| line.starts_with(start));
    let rules = bundled.rules.lines();
    let rules = rules.filter(|line| !line.trim_start().starts_with(';') && !is_board(line));
    let mut rules = rules.collect::<Vec<_>>().join("\n");
    for (edge, [before, after]) in family.edges {
        rules = rules.replace(edge, &format!("{before}{size}{after}"));
    }
    let mut sheet = format!(";;; {} of size {size}\n{}\n", family.name, rules.trim());
    (family.facts)(&mut sheet, size);
    Some(sheet)
}

/// One fact a number.
fn numbers(sheet: &mut String, name: &str, range: RangeInclusive<u32>) {
    for number in range {
        add(sheet, format_args!("({name} {number})"));
    }
}

fn successors(sheet: &mut String, last: u32) {
    for number in 1..last {
        add(sheet, format_args!("(successor {number} {})", number + 1));
    }
}

fn add(sheet: &mut String, fact: std::fmt::Arguments<'_>) {
    // Writing to a string does not fail.
    let _ = writeln!(sheet, "{fact}");
}

/// Amazons stand as on the boards of 6x6 and 10x10, which are the ones that people play.
fn amazons(sheet: &mut String, size: u32) {
    let near = size / 2 - 1;
    let far = size + 1 - near;
    let squares = |edge: u32, inner: u32| [(1, inner), (near, edge), (far, edge), (size, inner)];
    let white = squares(1, near).map(|square| (square, "white"));
    let black = squares(size, far).map(|square| (square, "black"));
    for ((column, row), player) in white.into_iter().chain(black) {
        add(sheet, format_args!("(init (cell {column} {row} {player}))"));
        add(sheet, format_args!("(start {column} {row})"));
    }
    numbers(sheet, "index", 1..=size);
    successors(sheet, size);
}

fn breakthrough(sheet: &mut String, size: u32) {
    numbers(sheet, "home_row white", 1..=2);
    numbers(sheet, "home_row black", size - 1..=size);
    numbers(sheet, "middle_row", 3..=size - 2);
    numbers(sheet, "far_row white", size..=size);
    numbers(sheet, "far_row black", 1..=1);
    numbers(sheet, "index", 1..=size);
    successors(sheet, size);
}

fn connect_four(sheet: &mut String, size: u32) {
    numbers(sheet, "column", 1..=size + 1);
    numbers(sheet, "row", 1..=size);
    successors(sheet, size + 1);
}

fn hex(sheet: &mut String, size: u32) {
    numbers(sheet, "column", 1..=size);
    numbers(sheet, "row", 1..=size);
    successors(sheet, size);
}

#[cfg(test)]
mod tests {
    use super::{families, resized};

    /// The clauses of a sheet in order, without comments and layout.
    fn clauses(sheet: &str) -> Vec<String> {
        let code = sheet.lines().map(|line| line.split(';').next().unwrap());
        let mut clauses = paidia_game::split(&code.collect::<Vec<_>>().join(" ")).unwrap();
        clauses.sort_unstable();
        clauses
    }

    #[test]
    fn at_its_own_size_a_game_is_as_it_was() {
        let sizes = [
            ("amazons", 6, "amazons-6x6"),
            ("amazons", 10, "amazons"),
            ("breakthrough", 5, "breakthrough-5x5"),
            ("breakthrough", 6, "breakthrough-6x6"),
            ("breakthrough", 8, "breakthrough"),
            ("connect-four", 6, "connect-four"),
            ("hex", 7, "hex-7x7"),
            ("hex", 9, "hex-9x9"),
        ];
        for (family, size, bundled) in sizes {
            let ours = clauses(&resized(family, size).unwrap());
            let theirs = clauses(crate::find(bundled).unwrap().rules);
            assert_eq!(ours, theirs, "{bundled}");
        }
    }

    #[test]
    fn sizes_and_games_that_there_are_not() {
        assert_eq!(resized("hex", 3), None);
        assert_eq!(resized("hex", 101), None);
        assert_eq!(resized("chess", 8), None);
        assert!(families().all(|family| resized(family, 4).is_some()));
    }
}
