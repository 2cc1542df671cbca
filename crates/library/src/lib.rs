//! The bundled games, embedded in the program: their rules, the facts that people and drawing code
//! want, and recorded playthroughs.
//!
//! The games are the folders of `games/` in the project, whose README tells what is in them.

mod metadata;
mod resized;

pub use metadata::{
    Board, Dress, Figure, GameKind, Labels, Metadata, MetadataError, Piece, Public, Shape,
};
pub use resized::{SIZES, families, family_of, resized, sized};

/// A game of the library.
#[derive(Debug)]
pub struct BundledGame {
    /// The name of its folder, by which it is called.
    pub name: &'static str,
    /// The extension of the rule file, which says in which language the rules are written.
    pub extension: &'static str,
    /// The rules.
    pub rules: &'static str,
    /// The text of `game.toml`.
    pub metadata: &'static str,
    /// A recorded playthrough.
    pub playthrough: Option<&'static str>,
    /// The files of the folder `levels`, by name and text, in the order of their names.
    pub levels: &'static [(&'static str, &'static str)],
}

static GAMES: &[BundledGame] = include!(concat!(env!("OUT_DIR"), "/games.rs"));

static REAL_TIME: &[BundledGame] = include!(concat!(env!("OUT_DIR"), "/real_time.rs"));

/// All games in turns, in the order of their names, in whatever language.
pub fn all() -> &'static [BundledGame] {
    GAMES
}

/// All games in real time, in the order of their names.
pub fn real_time() -> &'static [BundledGame] {
    REAL_TIME
}

/// The games whose rules are sheets of the GDL family, in the order of their names.
pub fn sheets() -> impl Iterator<Item = &'static BundledGame> {
    GAMES.iter().filter(|game| game.is_sheet())
}

/// The game with that name, in turns or in real time.
///
/// # Errors
/// Gives the names that the asker may have meant.
pub fn find(name: &str) -> Result<&'static BundledGame, UnknownGame> {
    let found = [GAMES, REAL_TIME].into_iter().find_map(|games| {
        let place = games.binary_search_by_key(&name, |game| game.name);
        place.ok().map(|place| &games[place])
    });
    found.ok_or_else(|| UnknownGame {
        name: name.to_owned(),
        suggestions: suggestions(name),
    })
}

impl BundledGame {
    /// How many joint moves the recorded playthrough has, in which all play at random.
    pub fn recorded_moves(&self) -> Option<usize> {
        let lines = self.playthrough?.lines();
        Some(lines.filter(|line| line.starts_with("  moves  ")).count())
    }

    /// Whether the rules are a sheet of the GDL family.
    pub fn is_sheet(&self) -> bool {
        self.extension == "kif"
    }

    /// Where the rules are in the project.
    pub fn file(&self) -> String {
        format!("games/{}/rules.{}", self.name, self.extension)
    }

    /// The facts of `game.toml`.
    ///
    /// # Errors
    /// If the text is not as the README of the games says; a test makes sure that it is.
    pub fn facts(&self) -> Result<Metadata, MetadataError> {
        Metadata::parse(self.metadata)
    }
}

/// No game has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no bundled game is called `{name}`{}", did_you_mean(suggestions))]
pub struct UnknownGame {
    /// The name that was asked for.
    pub name: String,
    /// Names that are like it, the likest first; at most three.
    pub suggestions: Vec<&'static str>,
}

/// Names must be as alike as this, from 0 to 1, to be suggested.
const ALIKE: f64 = 0.6;

fn suggestions(name: &str) -> Vec<&'static str> {
    let asked = normal(name);
    let mut found: Vec<(f64, &str)> = GAMES
        .iter()
        .chain(REAL_TIME)
        .map(|game| (likeness(&asked, game.name), game.name))
        .filter(|&(likeness, _)| likeness >= ALIKE)
        .collect();
    // The table is in the order of names, and so are equally good suggestions.
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    found.truncate(3);
    found.into_iter().map(|(_, name)| name).collect()
}

/// `Connect_Four` and `connect four` are `connect-four`.
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', ' '], "-")
}

fn likeness(asked: &str, name: &str) -> f64 {
    let part = !asked.is_empty() && (name.contains(asked) || asked.contains(name));
    let spelling = strsim::normalized_damerau_levenshtein(asked, name);
    if part { spelling.max(ALIKE) } else { spelling }
}

fn did_you_mean(suggestions: &[&str]) -> String {
    match suggestions {
        [] => String::new(),
        [rest @ .., last] => {
            let rest: String = rest.iter().map(|name| format!("`{name}` or ")).collect();
            format!("; did you mean {rest}`{last}`?")
        }
    }
}
