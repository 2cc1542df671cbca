//! Drawing calls: a command, options that its help lists, and values that fit or do not.

use std::fmt;
use std::path::Path;

use paidia_game::Chance;

use super::files;
use super::samples::Samples;
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
pub(super) struct Commands {
    known: Vec<Known>,
    samples: Samples,
}

struct Known {
    name: String,
    /// The names of what is given by place.
    places: Vec<String>,
    /// Options that a call must have; of each group one.
    required: Vec<Vec<String>>,
    options: Vec<Choice>,
}

/// An option.
struct Choice {
    /// With the two dashes.
    name: String,
    /// The name of its value, if it has one.
    value: Option<String>,
    /// Whether the value is joined by `=`.
    is_joined: bool,
    /// The values that the help lists.
    listed: Vec<String>,
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
        Self {
            known: names.map(Known::read).collect(),
            samples: Samples::new(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.known.len()
    }

    /// Draws a call, with its files in a folder.
    pub(super) fn draw(&self, chance: &mut Chance, folder: &Path) -> Call {
        self.samples.copy(chance, folder);
        let known = &self.known[chance.below(self.known.len() as u32) as usize];
        // What serves others only waits; most of what it does is tested elsewhere.
        if SERVERS.contains(&known.name.as_str()) && chance.below(3) > 0 {
            return self.draw(chance, folder);
        }
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
                arguments.push(self.by_place(&known.name, place, chance, folder));
            }
        }
        for group in &known.required {
            let name = &group[chance.below(group.len() as u32) as usize];
            let option = known.options.iter().find(|own| own.name == *name);
            if let Some(option) = option
                && chance.below(12) > 0
            {
                self.add(option, &mut arguments, chance, folder);
            }
        }
        // Most calls have few options: with many, one is nearly always wrong.
        for _ in 0..[0, 0, 1, 1, 2, 4][chance.below(6) as usize] {
            if known.options.is_empty() {
                break;
            }
            let option = &known.options[chance.below(known.options.len() as u32) as usize];
            self.add(option, &mut arguments, chance, folder);
        }
        keep_small(known, &mut arguments, chance);
        let wants_json = arguments.iter().any(|own| own == "--json");
        let input = match chance.below(3) {
            0 => Vec::new(),
            1 => files::sheet(chance).0,
            _ => b"1\nhelp\n(mark 1 1)\nundo\nquit\n".to_vec(),
        };
        Call {
            arguments,
            input,
            wants_json,
        }
    }

    /// Adds an option to a call.
    fn add(
        &self,
        option: &Choice,
        arguments: &mut Vec<String>,
        chance: &mut Chance,
        folder: &Path,
    ) {
        let Some(value) = &option.value else {
            return arguments.push(option.name.clone());
        };
        let value = match option.listed.len() {
            count if count > 0 && chance.below(8) > 0 => {
                option.listed[chance.below(count as u32) as usize].clone()
            }
            _ => self.of_kind(&option.name, value, chance, folder),
        };
        if option.is_joined {
            arguments.push(format!("{}={value}", option.name));
        } else {
            arguments.extend([option.name.clone(), value]);
        }
    }

    /// A value for a place of a command.
    fn by_place(&self, command: &str, place: &str, chance: &mut Chance, folder: &Path) -> String {
        let name = place.trim_matches(|c| "[]<>.".contains(c));
        let record =
            |of: &[&str], chance: &mut Chance| files::record(of, &self.samples, chance, folder);
        match (command, name) {
            ("study", _) => files::study(chance, folder),
            ("tournament", _) => files::tournament(chance, folder),
            ("completions", _) => pick(chance, &["bash", "zsh", "fish", "cobol"]).to_owned(),
            ("explain", _) => {
                pick(chance, &["unstratified", "unsafe-variable", "x", ""]).to_owned()
            }
            ("why", "WHAT") => pick(chance, QUESTIONS).to_owned(),
            ("verify", "FORMULAS") => pick(chance, FORMULAS).to_owned(),
            ("sprt" | "players", _) => pick(chance, PLAYERS).to_owned(),
            ("games", _) => pick(chance, &["chess", "hidden", "2", "", "🎲"]).to_owned(),
            ("learn", _) => record(&["plays"], chance),
            ("replay", _) => record(&["t.jsonl", "match-records", "tournament-results"], chance),
            ("matches", _) => record(&[".json", ".sqlite"], chance),
            _ => files::game(chance, folder),
        }
    }

    /// A value for an option.
    fn of_kind(&self, option: &str, value: &str, chance: &mut Chance, folder: &Path) -> String {
        if chance.below(12) == 0 {
            return pick(chance, ODD).to_owned();
        }
        match (option, value) {
            ("--player" | "--against" | "--in-time", _) | (_, "PLAYER" | "SPEC") => {
                pick(chance, PLAYERS).to_owned()
            }
            ("--engine", _) => pick(chance, ENGINES).to_owned(),
            ("--after" | "--from", _) => pick(chance, MOVES).to_owned(),
            ("--try", _) => pick(chance, TRIES).to_owned(),
            ("--level", _) => pick(chance, LEVELS).to_owned(),
            ("--board", _) => pick(chance, BOARDS).to_owned(),
            ("--players", _) => pick(chance, &["C,CG", "WGM", "C", "", "X,Y"]).to_owned(),
            ("--as", _) => pick(chance, &["x", "o", "white", "a", "r0", ""]).to_owned(),
            ("--in", _) => pick(chance, FOLDERS).to_owned(),
            ("--database", _) => pick(chance, DATABASES).to_owned(),
            ("--verify", _) => files::record(&["t.jsonl"], &self.samples, chance, folder),
            (
                "--record" | "--out" | "--to" | "--token-file" | "--list" | "--trace" | "--records",
                _,
            ) => match chance.below(3) {
                0 => pick(chance, FOLDERS).to_owned(),
                _ => files::target(chance, folder),
            },
            ("--workers", _) => "127.0.0.1:9".to_owned(),
            ("--port" | "--listen" | "--address", _) => {
                pick(chance, &["0", "65536", "x", "127.0.0.1:0"]).to_owned()
            }
            ("--scale", _) => pick(chance, &["quick", "report", "paper", "none"]).to_owned(),
            (_, "GAME" | "GAMES") => files::game(chance, folder),
            (_, "FILE" | "DIR" | "FOLDER" | "PATH") => files::target(chance, folder),
            (_, "SECONDS" | "S") => pick(chance, SECONDS).to_owned(),
            _ => pick(chance, NUMBERS).to_owned(),
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
        let (required, rest) = required(usage);
        let words = rest.split_whitespace();
        let is_place = |word: &&str| {
            let bare = word.trim_start_matches('[');
            bare.starts_with(|c: char| c == '<' || c.is_ascii_uppercase()) && *word != "[OPTIONS]"
        };
        let places = words.filter(is_place).filter(|word| *word != "Usage:");
        Self {
            places: places.map(str::to_owned).collect(),
            required,
            options: options(&help),
            name,
        }
    }
}

/// The options that a line of usage requires, and the line without them: `--to <TO>`, or
/// `<--token-file <FILE>|--database <URL>>` of which one is needed.
fn required(usage: &str) -> (Vec<Vec<String>>, String) {
    let (mut required, mut rest) = (Vec::new(), String::new());
    let mut words = usage.split_whitespace();
    while let Some(word) = words.next() {
        let bare = word.trim_start_matches('<');
        if !bare.starts_with("--") {
            rest.push_str(word);
            rest.push(' ');
            continue;
        }
        let mut group = vec![bare.to_owned()];
        // The value of the last of the group ends it.
        while let Some((_, next)) = words.next().and_then(|value| value.split_once('|')) {
            group.push(next.to_owned());
        }
        required.push(group);
    }
    (required, rest)
}

/// The options of a help text, with the values that it lists.
fn options(help: &str) -> Vec<Choice> {
    let mut options: Vec<Choice> = Vec::new();
    let lines = help.lines().take_while(|line| *line != "Examples:");
    for line in lines.map(str::trim_start) {
        if let Some(value) = line.strip_prefix("- ") {
            let name = value.split(':').next().unwrap_or_default();
            if let Some(last) = options.last_mut() {
                last.listed.push(name.to_owned());
            }
        } else if line.starts_with('-') {
            options.extend(option(line));
        }
        if let Some((_, values)) = line.split_once("[possible values: ")
            && let Some(last) = options.last_mut()
        {
            let values = values.trim_end_matches(']').split(", ");
            last.listed.extend(values.map(str::to_owned));
        }
    }
    options
}

/// `-n, --name <VALUE>  what it does` as an option.
fn option(line: &str) -> Option<Choice> {
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
    (name.len() > 2 && name != "--help").then(|| Choice {
        name: name.to_owned(),
        value,
        is_joined: joined.is_some(),
        listed: Vec::new(),
    })
}

/// Adds what lets a call end soon, as a rule.
fn keep_small(known: &Known, arguments: &mut Vec<String>, chance: &mut Chance) {
    for (option, value) in [
        ("--generations", "1"),
        ("--pairs", "1"),
        ("--simulations", "20"),
        ("--playouts", "50"),
        ("--depth", "2"),
        ("--games", "2"),
        ("--seconds", "0.05"),
    ] {
        let has = known.options.iter().any(|own| own.name == option);
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

/// Commands that wait for others.
pub(super) const SERVERS: &[&str] = &["web", "player", "worker"];

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
    "1",
    "2",
    "2",
    "3",
    "3",
    "5",
    "7",
    "10",
    "64",
    "1000",
    "-5",
    "0.5",
    "4294967296",
    "99999999999",
    "1e9",
    "x",
];
const SECONDS: &[&str] = &[
    "0", "0.001", "0.01", "0.05", "0.1", "0.2", "1", "-1", "1e300", "nan", "x",
];
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
    "alpha-beta",
    "alpha-beta(depth=3)",
    "board",
    "search",
    "search(rate=0)",
    "random(rate=4)",
    "legal",
    "mcts",
    "iw",
    "kb-fast-evo",
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
const QUESTIONS: &[&str] = &[
    "over",
    "win",
    "change",
    "rules",
    "(mark 1 1)",
    "(cell 1 1 x)",
    "noop",
    "((",
    "",
];
const FORMULAS: &[&str] = &[
    "(A (F terminal))",
    "(A (G (-> terminal (K alice terminal))))",
    "(E (U (not terminal) terminal))",
    "(CK (x o) (true s))",
    "(K nobody terminal)",
    "(M x (X (legal x noop)))",
    "terminal",
    "(not",
    "(A (A (A (A (E (F (G (X terminal))))))))",
    "(true ?x)",
    "",
];
const LEVELS: &[&str] = &["0", "4", "99", "-1", "nowhere.txt", "plays.txt", "x"];
const BOARDS: &[&str] = &["5x5", "7x7", "0x9", "99x99", "4", "x", "5x4"];
const FOLDERS: &[&str] = &[
    "match-records",
    "tournament-results",
    "study-results",
    "sprt-results",
    "bred",
    ".",
];
const DATABASES: &[&str] = &[
    "postgres://nobody@127.0.0.1:9/none",
    "postgres://",
    "http://127.0.0.1:9",
    "none",
];
