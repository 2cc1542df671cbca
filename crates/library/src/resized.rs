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
    /// Numbers in rules that mean the far edge: the text with the bundled number, the text around
    /// another, and whether it is the last row, not the last column.
    edges: &'static [(&'static str, [&'static str; 2], bool)],
    /// Whether a board must have as many rows as columns.
    is_square: bool,
    /// How many more columns than rows a board has of which one number is told.
    wider: u32,
    /// Writes the facts of another board.
    facts: fn(&mut String, Size),
}

/// How large a board is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size {
    columns: u32,
    rows: u32,
}

impl Family {
    /// A size as it is written: `11`, or columns and rows as in `6x8`.
    fn size(&self, text: &str) -> Option<Size> {
        let size = match text.split_once('x') {
            Some((columns, rows)) => Size {
                columns: columns.parse().ok()?,
                rows: rows.parse().ok()?,
            },
            None => {
                let rows: u32 = text.parse().ok()?;
                Size {
                    columns: rows.checked_add(self.wider)?,
                    rows,
                }
            }
        };
        let own = [size.columns.saturating_sub(self.wider), size.rows];
        let wide = Size {
            columns: own[0],
            rows: own[1],
        };
        let fits = own.iter().all(|side| SIZES.contains(side));
        let is_allowed = !self.is_square || wide.columns == wide.rows;
        (fits && is_allowed).then_some(size)
    }
}

/// Sizes that make a board.
pub const SIZES: RangeInclusive<u32> = 4..=100;

/// Of several entries with one name the first counts that has a size.
const FAMILIES: [Family; 5] = [
    Family {
        name: "amazons",
        bundled: "amazons",
        board: &["(init (cell", "(start", "(index", "(successor"],
        edges: &[],
        is_square: true,
        wider: 0,
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
        is_square: true,
        wider: 0,
        facts: breakthrough,
    },
    Family {
        name: "breakthrough",
        // On a square nothing says which columns there are beside the rows.
        bundled: "breakthrough-6x8",
        board: &[
            "(home_row",
            "(middle_row",
            "(far_row",
            "(column",
            "(successor",
        ],
        edges: &[],
        is_square: false,
        wider: 0,
        facts: oblong_breakthrough,
    },
    Family {
        name: "connect-four",
        bundled: "connect-four",
        board: &["(column", "(row", "(successor"],
        edges: &[(
            "(cell ?column 6 empty)",
            ["(cell ?column ", " empty)"],
            true,
        )],
        is_square: false,
        wider: 1,
        facts: connect_four,
    },
    Family {
        name: "hex",
        bundled: "hex-9x9",
        board: &["(column", "(row", "(successor"],
        edges: &[
            (
                "(linked red ?column 9)",
                ["(linked red ?column ", ")"],
                true,
            ),
            ("(linked blue 9 ?row)", ["(linked blue ", " ?row)"], false),
        ],
        is_square: false,
        wider: 0,
        facts: hex,
    },
];

/// The names of the games that come in any of the [`SIZES`].
pub fn families() -> impl Iterator<Item = &'static str> {
    let later = |place: usize| FAMILIES[..place].iter().map(|family| family.name);
    let all = FAMILIES.iter().enumerate();
    all.filter(move |(place, family)| !later(*place).any(|name| name == family.name))
        .map(|(_, family)| family.name)
}

/// The entry of a family for a size as it is written, and that size.
fn entry(family: &str, size: &str) -> Option<(&'static Family, Size)> {
    let mut known = FAMILIES.iter().filter(|known| known.name == family);
    known.find_map(|known| Some((known, known.size(size)?)))
}

/// The family that a bundled game is of, if it comes in other sizes: that of `hex-7x7` is `hex`.
pub fn family_of(bundled: &str) -> Option<&'static str> {
    let is_of = |family: &&str| {
        let rest = bundled.strip_prefix(*family);
        rest.is_some_and(|rest| {
            let size = rest.strip_prefix('-').unwrap_or(rest);
            let is_size = |c: char| c.is_ascii_digit() || c == 'x';
            rest.is_empty() || rest.starts_with('-') && size.chars().all(is_size)
        })
    };
    families().find(is_of)
}

/// The bundled game whose rules a family has, and the most columns and rows of a size, if it comes
/// in this one.
pub fn sized(family: &str, size: &str) -> Option<(&'static str, u32)> {
    let (family, size) = entry(family, size)?;
    Some((family.bundled, size.columns.max(size.rows)))
}

/// The rules of a game on a board of another size: `11` rows and as many columns (Connect Four has
/// one more), or `6x8`, six columns and eight rows, where the rules allow that.
///
/// `None` if the game does not come in this size.
pub fn resized(family: &str, size: &str) -> Option<String> {
    let (family, board) = entry(family, size)?;
    let bundled = crate::find(family.bundled).ok()?;
    let is_board = |line: &&str| family.board.iter().any(|start| line.starts_with(start));
    let rules = bundled.rules.lines();
    let rules = rules.filter(|line| !line.trim_start().starts_with(';') && !is_board(line));
    let mut rules = rules.collect::<Vec<_>>().join("\n");
    for (edge, [before, after], is_row) in family.edges {
        let last = if *is_row { board.rows } else { board.columns };
        rules = rules.replace(edge, &format!("{before}{last}{after}"));
    }
    let mut sheet = format!(";;; {} of size {size}\n{}\n", family.name, rules.trim());
    (family.facts)(&mut sheet, board);
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
fn amazons(sheet: &mut String, board: Size) {
    let size = board.rows;
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

fn breakthrough(sheet: &mut String, board: Size) {
    numbers(sheet, "index", 1..=board.columns);
    breakthrough_rows(sheet, board);
}

fn oblong_breakthrough(sheet: &mut String, board: Size) {
    numbers(sheet, "column", 1..=board.columns);
    breakthrough_rows(sheet, board);
}

fn breakthrough_rows(sheet: &mut String, Size { columns, rows }: Size) {
    numbers(sheet, "home_row white", 1..=2);
    numbers(sheet, "home_row black", rows - 1..=rows);
    numbers(sheet, "middle_row", 3..=rows - 2);
    numbers(sheet, "far_row white", rows..=rows);
    numbers(sheet, "far_row black", 1..=1);
    successors(sheet, columns.max(rows));
}

fn connect_four(sheet: &mut String, Size { columns, rows }: Size) {
    numbers(sheet, "column", 1..=columns);
    numbers(sheet, "row", 1..=rows);
    successors(sheet, columns.max(rows));
}

fn hex(sheet: &mut String, Size { columns, rows }: Size) {
    numbers(sheet, "column", 1..=columns);
    numbers(sheet, "row", 1..=rows);
    successors(sheet, columns.max(rows));
}

#[cfg(test)]
mod tests {
    use super::{families, family_of, resized};

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
            ("amazons", "6", "amazons-6x6"),
            ("amazons", "10x10", "amazons"),
            ("breakthrough", "5", "breakthrough-5x5"),
            ("breakthrough", "6", "breakthrough-6x6"),
            ("breakthrough", "6x8", "breakthrough-6x8"),
            ("breakthrough", "8", "breakthrough"),
            ("connect-four", "6", "connect-four"),
            ("connect-four", "7x6", "connect-four"),
            ("hex", "7", "hex-7x7"),
            ("hex", "9", "hex-9x9"),
        ];
        for (family, size, bundled) in sizes {
            let ours = clauses(&resized(family, size).unwrap());
            let theirs = clauses(crate::find(bundled).unwrap().rules);
            assert_eq!(ours, theirs, "{bundled}");
        }
    }

    #[test]
    fn sizes_and_games_that_there_are_not() {
        for (family, size) in [
            ("hex", "3"),
            ("hex", "101"),
            ("hex", "9x"),
            ("hex", "4294967295"),
            ("amazons", "6x8"),
            ("chess", "8"),
        ] {
            assert_eq!(resized(family, size), None, "{family}@{size}");
        }
        assert!(families().all(|family| resized(family, "4").is_some()));
        let pairs = [
            "hex-7x7",
            "connect-four",
            "connect-five",
            "breakthrough-suicide",
        ]
        .map(family_of);
        assert_eq!(pairs, [Some("hex"), Some("connect-four"), None, None]);
    }
}
