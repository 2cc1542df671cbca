//! The same game in GDL, with states, moves and goals of the same texts.
//!
//! The automaton of each man becomes relations: `(way_wr_1 ?c ?d ?x ?y)` holds where a white R that
//! stands on column `?c` and row `?d` can be in state 1 of its rule on `?x`, `?y`. Columns and rows
//! are joined by tables of sums, so that everything can be made ground at once.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use paidia_gdl::Source;

use super::automaton::{Automaton, Letter};
use super::expression::On;
use super::position::Colour;
use super::rules::{BoardRules, Goal};
use super::text;

/// Games with more half-moves than this are not translated: each would be a fact.
pub const MAX_TRANSLATED_TURNS: u32 = 5_000;

/// Why rules are not translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotTranslated {
    /// A rule has no automaton that is small enough.
    #[error(transparent)]
    Automaton(#[from] super::automaton::TooComplex),
    /// The turn limit is too high.
    #[error("the turn limit is above {MAX_TRANSLATED_TURNS}, and each turn would be a fact in GDL")]
    Turns,
}

/// The rules in GDL.
///
/// # Errors
/// If they are too large.
pub fn translate(rules: &BoardRules) -> Result<String, NotTranslated> {
    if rules.turns > MAX_TRANSLATED_TURNS {
        return Err(NotTranslated::Turns);
    }
    let automata = rules.automata().map_err(|(_, error)| error)?;
    let translation = Translation { rules, automata };
    Ok(translation.to_string())
}

struct Translation<'a> {
    rules: &'a BoardRules,
    /// In the order of the pieces.
    automata: Vec<Automaton>,
}

/// The relation that holds between a number and the number with something added.
fn sum(axis: char, shift: i16) -> String {
    let sign = if shift < 0 { "minus" } else { "plus" };
    format!("{axis}_{sign}_{}", shift.unsigned_abs())
}

/// What comes after a step of a colour.
fn ahead(letter: Letter, colour: Colour) -> i16 {
    match colour {
        Colour::White => letter.dy,
        Colour::Black => -letter.dy,
    }
}

const COLOURS: [Colour; 2] = [Colour::White, Colour::Black];

/// The relation that holds the rules themselves, so that they are recognised.
const HEADER: &str = "simplified_board_game";

/// The bytes of the rules that a fact of the header holds.
const CHUNK: usize = 36;

/// The rules as facts: pieces of their text, byte by byte in hexadecimal, numbered.
fn header(rules: &BoardRules) -> String {
    let text = super::print(rules);
    let chunks = text.as_bytes().chunks(CHUNK).enumerate();
    let facts = chunks.map(|(number, bytes)| {
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("({HEADER} {number} x{digits})\n")
    });
    facts.collect()
}

/// The board game of which a sheet is the translation: one with a header whose rules translate to
/// this sheet, whatever its layout and comments.
pub fn recognised(sheet: &str) -> Option<BoardRules> {
    let sheet = sheet.to_ascii_lowercase();
    if !sheet.contains(HEADER) {
        return None;
    }
    let words: Vec<&str> = words(&sheet).collect();
    let mut bytes = Vec::new();
    for part in words.windows(4) {
        let &["(", HEADER, _, digits] = part else {
            continue;
        };
        let digits = digits.strip_prefix('x')?.as_bytes();
        for pair in digits.chunks(2) {
            let pair = std::str::from_utf8(pair).ok()?;
            bytes.push(u8::from_str_radix(pair, 16).ok()?);
        }
    }
    let text = String::from_utf8(bytes).ok()?;
    let reading = super::read(&Source::new("header", text));
    if reading.has_errors() {
        return None;
    }
    let ours = translate(&reading.rules).ok()?.to_ascii_lowercase();
    words
        .into_iter()
        .eq(self::words(&ours))
        .then_some(reading.rules)
}

/// Brackets and names of a sheet, without comments.
fn words(sheet: &str) -> impl Iterator<Item = &str> {
    let lines = sheet
        .lines()
        .map(|line| line.split(';').next().unwrap_or_default());
    lines.flat_map(|line| {
        let parts = line.split_inclusive(['(', ')', ' ', '\t', '\r']);
        parts.flat_map(|part| {
            let cut = part.len() - usize::from(part.ends_with(['(', ')', ' ', '\t', '\r']));
            let (name, end) = part.split_at(cut);
            [name, end.trim()]
                .into_iter()
                .filter(|word| !word.is_empty())
        })
    })
}

impl fmt::Display for Translation<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "; {}", self.rules.name)?;
        writeln!(out, "; Simplified Boardgames, translated by Paidia.\n")?;
        out.write_str(&header(self.rules))?;
        out.write_str("\n(role white)\n(role black)\n\n")?;
        self.start(out)?;
        self.tables(out)?;
        out.write_str(CONTENTS)?;
        for (piece, automaton) in self.rules.pieces.iter().zip(&self.automata) {
            for colour in COLOURS {
                self.ways(out, piece.letter, automaton, colour)?;
            }
        }
        out.write_str(CHANGE)?;
        self.counts(out)?;
        self.goals(out)?;
        self.ends(out)
    }
}

impl Translation<'_> {
    /// The letters of men that are on the board at the start, in byte order.
    fn men(&self) -> BTreeSet<u8> {
        let standing = self
            .rules
            .start
            .iter()
            .filter(|standing| !standing.is_empty());
        standing
            .map(|standing| standing.character() as u8)
            .collect()
    }

    /// Whether men of a letter are on the board at the start; no others come later.
    fn is_there(&self, letter: u8) -> bool {
        self.number(letter) > 0
    }

    fn number(&self, letter: u8) -> usize {
        let start = self.rules.start.iter();
        start
            .filter(|standing| standing.character() as u8 == letter)
            .count()
    }

    /// The letters whose number matters, in byte order of their names.
    fn counted(&self) -> BTreeSet<u8> {
        let goals = self.rules.goals.iter();
        let letters = goals
            .filter(|goal| matches!(goal, Goal::Fall { .. }))
            .map(Goal::letter);
        let kinds = self.rules.kinds();
        // A letter of no kind is not a man of the game.
        letters
            .filter(|letter| kinds.contains(&letter.to_ascii_uppercase()))
            .collect()
    }

    fn start(&self, out: &mut dyn Write) -> fmt::Result {
        for x in 0..self.rules.width {
            for y in 0..self.rules.height {
                let standing = self.rules.at(x, y);
                if !standing.is_empty() {
                    let man = text::man(standing.character() as u8);
                    writeln!(out, "(init (cell {} {} {man}))", text::column(x), y + 1)?;
                }
            }
        }
        out.write_str("(init (control white))\n(init (step 0))\n")?;
        for letter in self.counted() {
            writeln!(
                out,
                "(init (men {} {}))",
                text::man(letter),
                self.number(letter)
            )?;
        }
        out.write_str("\n")
    }

    /// Squares, sums, and the order of the turns.
    fn tables(&self, out: &mut dyn Write) -> fmt::Result {
        for x in 0..self.rules.width {
            writeln!(out, "(column {})", text::column(x))?;
        }
        for y in 1..=self.rules.height {
            writeln!(out, "(row {y})")?;
        }
        for letter in self.men() {
            let man = text::man(letter);
            let owner = if letter.is_ascii_uppercase() {
                "white"
            } else {
                "black"
            };
            writeln!(out, "(owns {owner} {man})")?;
        }
        let mut shifts = [BTreeSet::new(), BTreeSet::new()];
        for (_, letter, _) in self.automata.iter().flat_map(Automaton::table) {
            shifts[0].insert(letter.dx);
            shifts[1].extend([letter.dy, -letter.dy]);
        }
        for &shift in shifts[0].iter().filter(|&&shift| shift != 0) {
            for x in 0..i16::from(self.rules.width) {
                if (0..i16::from(self.rules.width)).contains(&(x + shift)) {
                    let [from, to] = [x, x + shift].map(|x| text::column(x as u8));
                    writeln!(out, "({} {from} {to})", sum('x', shift))?;
                }
            }
        }
        for &shift in shifts[1].iter().filter(|&&shift| shift != 0) {
            for y in 1..=i16::from(self.rules.height) {
                if (1..=i16::from(self.rules.height)).contains(&(y + shift)) {
                    writeln!(out, "({} {y} {})", sum('y', shift), y + shift)?;
                }
            }
        }
        for turn in 0..self.rules.turns {
            writeln!(out, "(next_step {turn} {})", turn + 1)?;
        }
        out.write_str("(other white black)\n(other black white)\n\n")
    }

    /// The moves of a man of a colour.
    fn ways(
        &self,
        out: &mut dyn Write,
        letter: u8,
        automaton: &Automaton,
        colour: Colour,
    ) -> fmt::Result {
        let own = if colour == Colour::White {
            letter
        } else {
            letter.to_ascii_lowercase()
        };
        if !self.is_there(own) {
            return Ok(());
        }
        let (man, role) = (text::man(own), colour.name());
        writeln!(
            out,
            "(<= (way_{man}_0 ?x ?y ?x ?y) (true (cell ?x ?y {man})))"
        )?;
        for (from, letter, to) in automaton.table() {
            let ahead = ahead(letter, colour);
            let (mut u, mut v) = ("?x", "?y");
            let mut body = format!("(way_{man}_{from} ?c ?d ?x ?y)");
            if letter.dx != 0 {
                u = "?u";
                write!(body, " ({} ?x ?u)", sum('x', letter.dx))?;
            }
            if ahead != 0 {
                v = "?v";
                write!(body, " ({} ?y ?v)", sum('y', ahead))?;
            }
            let there = match letter.on {
                On::Empty => format!("(empty {u} {v})"),
                On::Opponent => format!("(holds {} {u} {v})", colour.other().name()),
                On::Own => format!("(holds {role} {u} {v})"),
            };
            writeln!(out, "(<= (way_{man}_{to} ?c ?d {u} {v}) {body} {there})")?;
        }
        for state in 0..automaton.states() as u32 {
            if automaton.is_accepting(state) {
                writeln!(
                    out,
                    "(<= (can {role} ?c ?d ?x ?y) (true (control {role})) (way_{man}_{state} ?c ?d ?x ?y))"
                )?;
            }
        }
        out.write_str("\n")
    }

    /// The numbers of men that goals are about.
    fn counts(&self, out: &mut dyn Write) -> fmt::Result {
        for letter in self.counted() {
            let man = text::man(letter);
            if !self.is_there(letter) {
                writeln!(out, "(<= (next (men {man} 0)) (true (men {man} 0)))")?;
                continue;
            }
            let number = self.number(letter);
            for count in 1..=number {
                writeln!(out, "(one_less_{man} {count} {})", count - 1)?;
            }
            writeln!(
                out,
                "(<= (next (men {man} ?n)) (true (men {man} ?n)) (not (taken {man})))\n\
                 (<= (next (men {man} ?m)) (true (men {man} ?n)) (taken {man}) (one_less_{man} ?n ?m))\n"
            )?;
        }
        Ok(())
    }

    fn goals(&self, out: &mut dyn Write) -> fmt::Result {
        let (mut reach, mut fall) = (BTreeSet::new(), BTreeSet::new());
        for goal in self
            .rules
            .goals
            .iter()
            .filter(|goal| self.is_there(goal.letter()))
        {
            let man = text::man(goal.letter());
            match goal {
                Goal::Reach { squares, .. } => {
                    for (x, y) in squares {
                        reach.insert(format!("(wins_on {man} {} {})", text::column(*x), y + 1));
                    }
                }
                Goal::Fall { letter, count } => {
                    if (*count as usize) < self.number(*letter) {
                        fall.insert((man, *count + 1));
                    }
                }
            }
        }
        reach.iter().try_for_each(|fact| writeln!(out, "{fact}"))?;
        if !reach.is_empty() {
            out.write_str(
                "(<= (arrives ?r) (moves ?r ?c ?d ?x ?y) (true (cell ?c ?d ?p)) (wins_on ?p ?x ?y))\n\
                 (<= (next (won ?r)) (arrives ?r))\n\
                 (<= someone_arrives (arrives ?r))\n",
            )?;
        }
        let unless = if reach.is_empty() {
            ""
        } else {
            " (not someone_arrives)"
        };
        for (man, before) in fall {
            let winner = if man.starts_with('w') {
                "black"
            } else {
                "white"
            };
            writeln!(
                out,
                "(<= (next (won {winner})) (taken {man}) (true (men {man} {before})){unless})"
            )?;
        }
        out.write_str("\n")
    }

    fn ends(&self, out: &mut dyn Write) -> fmt::Result {
        out.write_str(ENDS)?;
        writeln!(out, "(<= terminal (true (step {})))", self.rules.turns)
    }
}

/// What is on a square.
const CONTENTS: &str = "\
(<= (holds ?r ?x ?y) (true (cell ?x ?y ?p)) (owns ?r ?p))
(<= (filled ?x ?y) (true (cell ?x ?y ?p)))
(<= (empty ?x ?y) (column ?x) (row ?y) (not (filled ?x ?y)))

";

/// Moves, and what becomes of the board.
const CHANGE: &str = "\
(<= (legal ?r (move ?c ?d ?x ?y)) (can ?r ?c ?d ?x ?y))
(<= (legal ?r noop) (other ?r ?s) (true (control ?s)))

(<= (moves ?r ?c ?d ?x ?y) (does ?r (move ?c ?d ?x ?y)))
(<= (left ?c ?d) (moves ?r ?c ?d ?x ?y))
(<= (entered ?x ?y) (moves ?r ?c ?d ?x ?y))
(<= (taken ?p) (entered ?x ?y) (not (left ?x ?y)) (true (cell ?x ?y ?p)))
(<= (next (cell ?x ?y ?p)) (moves ?r ?c ?d ?x ?y) (true (cell ?c ?d ?p)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (left ?x ?y)) (not (entered ?x ?y)))
(<= (next (control ?r)) (true (control ?s)) (other ?r ?s))
(<= (next (step ?n)) (true (step ?m)) (next_step ?m ?n))

";

/// The end of the game and its results.
const ENDS: &str = "\
(<= (winner ?r) (true (won ?r)))
(<= (winner ?r) (true (control ?s)) (other ?r ?s) (not someone_won) (not someone_can_move))
(<= someone_won (true (won ?r)))
(<= someone_can_move (can ?r ?c ?d ?x ?y))
(<= someone_wins (winner ?r))
(<= (goal ?r 100) (winner ?r))
(<= (goal ?r 0) (winner ?s) (other ?r ?s))
(<= (goal ?r 50) (role ?r) (not someone_wins))
(<= terminal (winner ?r))
";
