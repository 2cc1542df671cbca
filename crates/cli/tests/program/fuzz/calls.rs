//! Drawing calls: a command, options that its help lists, and values that fit or do not.

use std::fmt;
use std::path::Path;

use paidia_game::Chance;

use super::files;
use crate::{PAIDIA, paidia};

/// A call.
pub(super) struct Call {
    /// Arguments, in the order of the command line.
    pub(super) arguments: Vec<String>,
    /// Standard input.
    pub(super) input: Vec<u8>,
    /// Whether `--json` is among the arguments.
    pub(super) wants_json: bool,
}

impl Call {
    /// Whether an argument is there twice.
    pub(super) fn repeats(&self) -> bool {
        let arguments = self.arguments.iter().enumerate();
        arguments.fold(false, |found, (place, own)| {
            found || self.arguments[..place].contains(own)
        })
    }
}

impl fmt::Display for Call {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<String> = self
            .arguments
            .iter()
            .map(|own| format!("{own:?}"))
            .collect();
        write!(formatter, "paidia {}", arguments.join(" "))
    }
}

/// The commands with their options, as their help tells.
pub(super) struct Commands(Vec<Known>);

struct Known {
    name: String,
    /// The names of what is given by place.
    places: Vec<String>,
    /// Options, each with the name of its value if it has one.
    options: Vec<(String, Option<String>)>,
}

impl Commands {
    /// Reads the help of the program and of each command.
    pub(super) fn read() -> Self {
        assert!(Path::new(PAIDIA).is_file());
        let help = paidia(&["--help"]).expect(0).out;
        let listed = help
            .lines()
            .skip_while(|line| !line.starts_with("Commands:"));
        let lines = listed.skip(1).map_while(|line| line.strip_prefix("  "));
        // A long description goes on in a line that begins with more blanks.
        let names = lines.filter(|line| !line.starts_with(' '));
        let names = names.filter_map(|line| line.split_whitespace().next());
        let names = names.filter(|name| *name != "help").map(str::to_owned);
        Self(names.map(Known::read).collect())
    }

    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Draws a call, with its files in a folder.
    pub(super) fn draw(&self, chance: &mut Chance, folder: &Path) -> Call {
        let known = &self.0[chance.below(self.0.len() as u32) as usize];
        let mut arguments = vec![known.name.clone()];
        for place in &known.places {
            let optional = place.starts_with('[');
            if optional && chance.below(4) == 0 {
                continue;
            }
            let count = if place.ends_with("...") {
                1 + chance.below(3)
            } else {
                1
            };
            for _ in 0..count {
                arguments.push(by_place(&known.name, place, chance, folder));
            }
        }
        // Most calls have few options: with many, one is nearly always wrong.
        for _ in 0..[0, 0, 1, 1, 2, 4][chance.below(6) as usize] {
            if known.options.is_empty() {
                break;
            }
            let (option, value) = &known.options[chance.below(known.options.len() as u32) as usize];
            arguments.push(option.clone());
            if let Some(value) = value {
                arguments.push(of_kind(option, value, chance, folder));
            }
        }
        keep_small(known, &mut arguments, chance);
        let wants_json = arguments.iter().any(|own| own == "--json");
        let input = match chance.below(3) {
            0 => Vec::new(),
            1 => files::sheet(chance),
            _ => b"1\nhelp\n(mark 1 1)\nundo\nquit\n".to_vec(),
        };
        Call {
            arguments,
            input,
            wants_json,
        }
    }
}

impl Known {
    fn read(name: String) -> Self {
        let help = paidia(&[&name, "--help"]).expect(0).out;
        let usage = help
            .lines()
            .find(|line| line.contains("Usage:"))
            .unwrap_or_default();
        let words = usage.split_whitespace();
        let is_place = |word: &&str| {
            let bare = word.trim_start_matches('[');
            bare.starts_with(|c: char| c == '<' || c.is_ascii_uppercase()) && *word != "[OPTIONS]"
        };
        let places = words.filter(is_place).filter(|word| *word != "Usage:");
        let lines = help.lines().map(str::trim_start);
        let options = lines
            .filter(|line| line.starts_with('-'))
            .filter_map(option);
        Self {
            places: places.map(str::to_owned).collect(),
            options: options.collect(),
            name,
        }
    }
}

/// `-n, --name <VALUE>  what it does` as the option and the name of its value.
fn option(line: &str) -> Option<(String, Option<String>)> {
    let mut words = line
        .split_whitespace()
        .skip_while(|word| !word.starts_with("--"));
    let name = words.next()?;
    let (name, joined) = match name.split_once('[') {
        Some((name, value)) => (name, Some(value)),
        None => (name, None),
    };
    let value = joined.or(words.next()).filter(|word| word.contains('<'));
    let value = value.map(|word| word.trim_matches(|c| "[]<>=.".contains(c)).to_owned());
    (name.len() > 2 && name != "--help").then(|| (name.to_owned(), value))
}

/// A value for a place of a command.
fn by_place(command: &str, place: &str, chance: &mut Chance, folder: &Path) -> String {
    let name = place.trim_matches(|c| "[]<>.".contains(c));
    match (command, name) {
        ("study", _) => files::study(chance, folder),
        ("tournament", _) => files::tournament(chance, folder),
        ("completions", _) => pick(chance, &["bash", "zsh", "fish", "cobol"]).to_owned(),
        ("explain", _) => pick(chance, &["unstratified", "unsafe-variable", "x", ""]).to_owned(),
        ("learn", _) | (_, "RECORD" | "TRACE" | "TRACES" | "FILE") => files::record(chance, folder),
        _ => files::game(chance, folder),
    }
}

/// A value for an option.
fn of_kind(option: &str, value: &str, chance: &mut Chance, folder: &Path) -> String {
    if chance.below(12) == 0 {
        return pick(chance, ODD).to_owned();
    }
    match (option, value) {
        ("--player" | "--against", _) | (_, "PLAYER" | "SPEC") => pick(chance, PLAYERS).to_owned(),
        ("--engine", _) => pick(chance, ENGINES).to_owned(),
        ("--after" | "--from", _) => pick(chance, MOVES).to_owned(),
        ("--try", _) => pick(chance, TRIES).to_owned(),
        ("--record" | "--out" | "--to" | "--database" | "--token-file" | "--list", _) => {
            files::target(chance, folder)
        }
        ("--workers", _) => "127.0.0.1:9".to_owned(),
        ("--port" | "--listen" | "--address", _) => pick(chance, &["0", "65536", "x"]).to_owned(),
        ("--scale", _) => pick(chance, &["quick", "report", "paper", "none"]).to_owned(),
        (_, "GAME") => files::game(chance, folder),
        (_, "FILE" | "DIR" | "FOLDER" | "PATH") => files::target(chance, folder),
        (_, "SECONDS") => pick(chance, SECONDS).to_owned(),
        _ => pick(chance, NUMBERS).to_owned(),
    }
}

/// Adds what lets a call end soon, as a rule.
fn keep_small(known: &Known, arguments: &mut Vec<String>, chance: &mut Chance) {
    for (option, value) in [
        ("--simulations", "20"),
        ("--playouts", "50"),
        ("--depth", "2"),
        ("--games", "2"),
        ("--seconds", "0.05"),
    ] {
        let has = known.options.iter().any(|(name, _)| name == option);
        let is_set = arguments.iter().any(|own| own == option);
        // Two limits exclude each other in some commands; one is enough.
        if has && !is_set && chance.below(10) > 0 {
            arguments.push(option.to_owned());
            arguments.push(value.to_owned());
            return;
        }
    }
}

fn pick<'a>(chance: &mut Chance, from: &[&'a str]) -> &'a str {
    from[chance.below(from.len() as u32) as usize]
}

const ODD: &[&str] = &[
    "",
    " ",
    "-",
    "--",
    "\u{7f}x",
    "(",
    "((((((",
    "a=b",
    "🎲",
    "nan",
    "inf",
    "-1",
    "1e400",
    "18446744073709551616",
    "no/such/place",
    "%s%n",
    "{}",
    "'",
    "\"",
];
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "3",
    "7",
    "64",
    "1000",
    "-5",
    "0.5",
    "4294967296",
    "99999999999",
    "1e9",
    "x",
];
const SECONDS: &[&str] = &["0", "0.001", "0.05", "0.2", "1", "-1", "1e300", "nan", "x"];
const PLAYERS: &[&str] = &[
    "paidia",
    "uct",
    "uct-history",
    "ida",
    "mc-memory",
    "mc-flat",
    "nested",
    "random",
    "hyperplay",
    "hyperplay-ii",
    "ismcts",
    "equilibrium",
    "paidia(threads=1)",
    "uct(playouts=nst, decay=0.6)",
    "uct(rave=always)",
    "uct(leaves=4)",
    "uct(advice=both)",
    "uct(exploration=-1)",
    "uct(",
    "nobody",
    "uct(memory=1)",
    "nested(level=2)",
    "http://127.0.0.1:9",
    "uct(playouts=mast, among=all)",
];
const ENGINES: &[&str] = &[
    "auto",
    "reference",
    "prover",
    "forward",
    "compiled",
    "incremental",
    "propnet",
    "batch",
    "compiled(cut=off)",
    "propnet(factor=off)",
    "prover(state=list)",
    "none",
    "compiled(",
    "auto,",
];
const MOVES: &[&str] = &[
    "(mark 1 1)",
    "(mark 1 1) (mark 2 2)",
    "noop",
    "(((",
    "(cell 1 1 x)",
    "(go 0)",
    "",
    "stop",
];
const TRIES: &[&str] = &[
    "exploration=1,40",
    "exploration=",
    "exploration",
    "none=1",
    "temperature=1,2",
    "memory=1,2,3",
];
