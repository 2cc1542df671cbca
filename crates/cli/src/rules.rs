//! The argument GAME: a bundled game or a rule file, read and checked.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};
use paidia_gdl::check::check_source;
use paidia_gdl::program::Program;
use paidia_gdl::render::render;
use paidia_gdl::source::MAX_SOURCE_BYTES;
use paidia_gdl::syntax::Sheet;
use paidia_gdl::{Dialect, Problem, Source};
use paidia_library::Metadata;

use crate::terminal;

/// A game as it was asked for: its rules as text, and what is known about it.
pub(crate) struct GameText {
    /// The name for reports: the bundled name, or what the path is called.
    pub(crate) name: String,
    /// The rules.
    pub(crate) source: Source,
    /// The facts of `game.toml`, if there are any.
    pub(crate) metadata: Option<Metadata>,
}

/// Rules that cannot be played; shows as the list of what is wrong.
#[derive(Debug, thiserror::Error)]
pub(crate) struct InvalidRules {
    rendered: String,
}

impl InvalidRules {
    /// Invalid because of the problems that this text shows.
    pub(crate) fn new(rendered: String) -> Self {
        Self { rendered }
    }
}

impl fmt::Display for InvalidRules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.rendered)
    }
}

/// Rules that passed the checks.
pub(crate) struct CheckedRules {
    /// The dialect they are written in.
    pub(crate) dialect: Dialect,
    /// The clauses.
    pub(crate) sheet: Sheet,
    /// The form that engines work on.
    pub(crate) program: Program,
}

impl GameText {
    /// Finds a game by its bundled name or by the path of its rules.
    pub(crate) fn find(game: &str) -> anyhow::Result<Self> {
        let path = Path::new(game);
        if path.is_dir() && path.join("rules.kif").is_file() {
            return Self::from_path(&path.join("rules.kif"));
        }
        // A bare word is a name; anything that looks like a path is one.
        if path.is_file()
            && (game.contains(['/', '\\', '.']) || paidia_library::find(game).is_err())
        {
            return Self::from_path(path);
        }
        if let Some((family, size)) = game.split_once('@') {
            return Self::resized(game, family, size);
        }
        match paidia_library::find(game) {
            Ok(bundled) => Ok(Self {
                name: bundled.name.to_owned(),
                source: Source::new(format!("games/{game}/rules.kif"), bundled.rules),
                metadata: Some(bundled.facts()?),
            }),
            Err(_) if game.contains(['/', '\\']) || path.extension().is_some() => {
                bail!("there is no file `{game}`")
            }
            Err(unknown) => {
                bail!(
                    "{unknown}
`paidia games` lists the bundled games; a path works too"
                )
            }
        }
    }

    /// A bundled game on a board of another size, such as `hex@11`.
    fn resized(game: &str, family: &str, size: &str) -> anyhow::Result<Self> {
        let size = size.parse().ok();
        let Some(rules) = size.and_then(|size| paidia_library::resized(family, size)) else {
            let families: Vec<&str> = paidia_library::families().collect();
            let sizes = paidia_library::SIZES;
            bail!(
                "there is no `{game}`: the games {} come in the sizes {} to {}, such as `hex@11`",
                families.join(", "),
                sizes.start(),
                sizes.end()
            );
        };
        Ok(Self {
            name: game.to_owned(),
            source: Source::new(game, rules),
            metadata: None,
        })
    }

    /// Rules that came with something else, such as a record.
    pub(crate) fn from_text(name: &str, rules: &str) -> anyhow::Result<Self> {
        if rules.len() > MAX_SOURCE_BYTES {
            bail!("the rules of `{name}` are longer than {MAX_SOURCE_BYTES} bytes");
        }
        Ok(Self {
            name: name.to_owned(),
            source: Source::new(name, rules),
            metadata: None,
        })
    }

    fn from_path(path: &Path) -> anyhow::Result<Self> {
        let source = read_source(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let stem = path
            .file_stem()
            .map_or_else(|| "game".into(), |stem| stem.to_string_lossy());
        let called_by_folder = stem == "rules";
        let folder_name = folder.file_name().filter(|_| called_by_folder);
        let name = folder_name.map_or(stem, |name| name.to_string_lossy());
        let metadata = folder.join("game.toml");
        let metadata = if called_by_folder && metadata.is_file() {
            let text = std::fs::read_to_string(&metadata);
            let text = text.with_context(|| format!("cannot read {}", metadata.display()))?;
            Some(Metadata::parse(&text).with_context(|| format!("in {}", metadata.display()))?)
        } else {
            None
        };
        Ok(Self {
            name: name.into_owned(),
            source,
            metadata,
        })
    }

    /// Checks the rules and makes them ready for engines.
    pub(crate) fn check(&self) -> anyhow::Result<CheckedRules> {
        let (reading, report) = check_source(&self.source, None);
        let errors: Vec<Problem> = report
            .problems
            .into_iter()
            .filter(Problem::is_error)
            .collect();
        if !errors.is_empty() {
            let rendered = render(&self.source, &errors, terminal::colour_on_stderr());
            return Err(InvalidRules::new(rendered).into());
        }
        let program = Program::new(&reading.sheet, report.dialect).map_err(|error| {
            InvalidRules::new(format!("error: {}: {error}\n", self.source.name))
        })?;
        Ok(CheckedRules {
            dialect: report.dialect,
            sheet: reading.sheet,
            program,
        })
    }
}

/// The paths of all `gdl/NAME.kif` in a folder, in order.
///
/// # Errors
/// If the folder cannot be read or has none.
pub(crate) fn sheets(folder: &Path) -> anyhow::Result<Vec<String>> {
    let folder = folder.join("gdl");
    let files =
        std::fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut sheets = Vec::new();
    for file in files {
        let path = file?.path();
        if path.extension().is_some_and(|extension| extension == "kif") {
            sheets.extend(path.to_str().map(str::to_owned));
        }
    }
    if sheets.is_empty() {
        bail!("there are no rule files in {}", folder.display());
    }
    sheets.sort();
    Ok(sheets)
}

/// Reads a rule file; `-` is standard input.
pub(crate) fn read_source(path: &Path) -> anyhow::Result<Source> {
    let name = path.display().to_string();
    let mut bytes = Vec::new();
    // One byte more than is allowed, so that the reader of rules can say that it is too much.
    let limit = MAX_SOURCE_BYTES as u64 + 1;
    let read = if name == "-" {
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes)
    } else {
        File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes))
    };
    read.with_context(|| format!("cannot read {name}"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let place = error.utf8_error().valid_up_to();
        anyhow::anyhow!("{name} is not UTF-8 text: byte {place} does not fit; save it as UTF-8")
    })?;
    Ok(Source::new(name, text))
}
