//! Finding rules: bundled games by name and size, sheets of the public collection, files, standard
//! input, and text that is given.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use paidia_gdl::Source;
use paidia_gdl::source::MAX_SOURCE_BYTES;
use paidia_library::{BundledGame, Metadata};

use super::{Language, RulesError, trace, video};
use crate::text::nearest;

/// What a sheet of the public collection is called by: `corpus:checkersSmall`.
pub const CORPUS_PREFIX: &str = "corpus:";

/// The variable that names the folder of the public collection, which has `gdl/NAME.kif`.
pub const CORPUS_VARIABLE: &str = "PAIDIA_CORPUS";

/// The rules of a game as text, with what is known about it.
#[derive(Clone, Debug)]
pub struct RuleText {
    /// The name for reports: the bundled name, or what the file is called.
    pub name: String,
    /// The text, and where it is from.
    pub source: Source,
    /// The facts of `game.toml`, if there are any.
    pub metadata: Option<Metadata>,
    /// The language.
    pub language: Language,
}

impl RuleText {
    /// Rules that are given as text.
    pub fn new(name: &str, text: &str) -> Self {
        let language = Language::of_text(text);
        Self::of_source(name, Source::new(name, text), language)
    }

    fn of_source(name: &str, source: Source, language: Language) -> Self {
        trace::note("read", name);
        Self {
            name: name.to_owned(),
            source,
            metadata: None,
            language,
        }
    }

    /// The same rules with facts for people.
    #[must_use]
    pub fn with_metadata(self, metadata: Option<Metadata>) -> Self {
        Self { metadata, ..self }
    }

    /// Finds a game by its bundled name, its name and size (`hex@11`), its name in the public
    /// collection (`corpus:checkersSmall`), or the path of its rules; `-` is standard input. After
    /// the path of a video game, `@` and a number name the level.
    ///
    /// # Errors
    /// If there is no such game, or its file cannot be read.
    pub fn find(game: &str) -> Result<Self, RulesError> {
        if let Some(sheet) = game.strip_prefix(CORPUS_PREFIX) {
            return Self::in_corpus(sheet);
        }
        let path = Path::new(game);
        if let Some(inside) = rules_inside(path) {
            return Self::read_with_metadata(&inside);
        }
        if let Some((file, level)) = video::file_and_level(game) {
            let text = Self::read(Path::new(file))?;
            if text.language == Language::Video {
                return video::with_level(text, Path::new(file), Some(level));
            }
        }
        // A bare word is a name; anything that looks like a path is one.
        let is_path = game.contains(['/', '\\', '.']);
        let is_bundled = !is_path && paidia_library::find(game).is_ok();
        if game == "-" || is_readable(path) && !is_bundled {
            return Self::read_with_metadata(path);
        }
        if path.is_dir() && !is_bundled {
            return Err(RulesError::Folder(game.to_owned()));
        }
        if !is_path && let Some(found) = video::bundled(game) {
            return found;
        }
        if let Some((family, size)) = game.split_once('@') {
            let rules = paidia_library::resized(family, size);
            let rules = rules.ok_or_else(|| RulesError::NoSize {
                game: game.to_owned(),
            })?;
            return Ok(Self::new(game, &rules));
        }
        match paidia_library::find(game) {
            Ok(bundled) => Self::bundled(bundled),
            Err(_) if game.contains(['/', '\\']) || path.extension().is_some() => {
                Err(RulesError::NoFile(game.to_owned()))
            }
            Err(unknown) => Err(RulesError::Unknown(unknown)),
        }
    }

    /// A sheet of the public collection, which lies where the variable says.
    fn in_corpus(sheet: &str) -> Result<Self, RulesError> {
        let folder = std::env::var_os(CORPUS_VARIABLE).map(PathBuf::from);
        let folder = folder.ok_or_else(|| RulesError::NoCorpus(sheet.to_owned()))?;
        let is_name = |c: char| c.is_alphanumeric() || "_-".contains(c);
        let path = folder.join("gdl").join(format!("{sheet}.kif"));
        if sheet.is_empty() || !sheet.chars().all(is_name) || !path.is_file() {
            let names = sheets(&folder)?;
            let names = names.iter().filter_map(|path| Path::new(path).file_stem());
            let names: Vec<String> = names
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            return Err(RulesError::NotInCorpus {
                sheet: sheet.to_owned(),
                folder: folder.display().to_string(),
                nearest: nearest(sheet, names.iter().map(String::as_str)).map(str::to_owned),
            });
        }
        Self::read(&path)
    }

    /// The rules of a bundled game, with its facts.
    ///
    /// # Errors
    /// If the facts are damaged.
    pub fn bundled(game: &BundledGame) -> Result<Self, RulesError> {
        let metadata = game.facts().map_err(|error| RulesError::Metadata {
            path: format!("games/{}/game.toml", game.name),
            error,
        })?;
        let source = Source::new(game.file(), game.rules);
        let language = Language::of_file(Path::new(&source.name), game.rules);
        let text = Self::of_source(game.name, source, language);
        Ok(text.with_metadata(Some(metadata)))
    }

    /// Reads a rule file; `-` is standard input.
    ///
    /// # Errors
    /// If it cannot be read, or is not text.
    pub fn read(path: &Path) -> Result<Self, RulesError> {
        let source = read_source(path)?;
        let stem = match path.file_stem() {
            Some(stem) if stem != "-" => stem.to_string_lossy(),
            _ => "game".into(),
        };
        // Rules that are called `rules` are called by their folder.
        let folder = path.parent().and_then(Path::file_name);
        let folder = folder.filter(|_| stem == "rules");
        let name = folder.map_or(stem, |folder| folder.to_string_lossy());
        let language = Language::of_file(path, &source.text);
        Ok(Self::of_source(&name, source, language))
    }

    /// Reads a rule file and the facts beside it.
    fn read_with_metadata(path: &Path) -> Result<Self, RulesError> {
        let text = Self::read(path)?;
        if text.language == Language::Video {
            return video::with_level(text, path, None);
        }
        let beside = path.with_file_name("game.toml");
        if path.file_stem().is_none_or(|stem| stem != "rules") || !beside.is_file() {
            return Ok(text);
        }
        let facts = std::fs::read_to_string(&beside).map_err(|error| unreadable(&beside, error))?;
        let metadata = Metadata::parse(&facts).map_err(|error| RulesError::Metadata {
            path: beside.display().to_string(),
            error,
        })?;
        Ok(text.with_metadata(Some(metadata)))
    }
}

/// The rule file of a folder that is a game. Rules in GDL go before others.
pub fn rules_inside(folder: &Path) -> Option<PathBuf> {
    let extensions = Language::ALL.iter().map(|language| language.extension());
    let files = extensions.map(|extension| folder.join(format!("rules.{extension}")));
    files.into_iter().find(|file| file.is_file())
}

/// Whether a path is a file, or a pipe that can be read once.
fn is_readable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|what| !what.is_dir())
}

pub(super) fn read_source(path: &Path) -> Result<Source, RulesError> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    // One byte more than is allowed, so that the checks can say that it is too much.
    let limit = MAX_SOURCE_BYTES as u64 + 1;
    let read = if name == "-" {
        io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.map_err(|error| unreadable(path, error))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source::new(name, text)),
        Err(error) => Err(RulesError::NotText {
            path: name,
            place: error.utf8_error().valid_up_to(),
        }),
    }
}

fn unreadable(path: &Path, error: io::Error) -> RulesError {
    RulesError::Unreadable {
        path: path.display().to_string(),
        error,
    }
}

/// The paths of all `gdl/NAME.kif` in a folder, in order.
///
/// # Errors
/// If the folder cannot be read or has none.
pub fn sheets(folder: &Path) -> Result<Vec<String>, RulesError> {
    let folder = folder.join("gdl");
    let files = std::fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let files = files.map_err(|error| unreadable(&folder, error))?;
    let paths = files.iter().map(std::fs::DirEntry::path);
    let is_sheet = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "kif");
    let sheets = paths.filter(is_sheet);
    let mut sheets: Vec<String> = sheets
        .filter_map(|path| path.to_str().map(str::to_owned))
        .collect();
    if sheets.is_empty() {
        return Err(RulesError::NoSheets(folder.display().to_string()));
    }
    sheets.sort();
    Ok(sheets)
}
