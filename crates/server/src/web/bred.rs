//! Board games of a folder, as `paidia evolve` writes them, to be shown beside the bundled ones.

use std::path::{Path, PathBuf};
use std::{fs, io};

use paidia_gdl::Source;
use paidia_languages::board;
use paidia_library::{GameKind, Metadata};

/// The most games of a folder that are shown: the first in the order of names, backwards, by which
/// the best come first.
const MOST: usize = 200;

/// A game of the folder.
pub(super) struct BredGame {
    /// `bred-` and the name of its file.
    pub(super) id: String,
    pub(super) metadata: Metadata,
    pub(super) text: String,
}

/// The games in a folder or in its folder `games`. Files with errors are left out, and told of.
///
/// # Errors
/// If the folder cannot be read.
pub(super) fn games(folder: &Path) -> io::Result<Vec<BredGame>> {
    let inside = folder.join("games");
    let folder = if inside.is_dir() { &inside } else { folder };
    let entries = fs::read_dir(folder).map_err(|error| {
        let message = format!("cannot read {}: {error}", folder.display());
        io::Error::new(error.kind(), message)
    })?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "sbg"))
        .collect();
    paths.sort();
    let games = paths.iter().rev().filter_map(|path| match game(path) {
        Ok(game) => Some(game),
        Err(error) => {
            eprintln!("note: {} is not shown: {error}", path.display());
            None
        }
    });
    Ok(games.take(MOST).collect())
}

fn game(path: &Path) -> Result<BredGame, String> {
    let length = fs::metadata(path).map_or(0, |data| data.len());
    if length > board::MAX_TEXT_BYTES as u64 {
        return Err("the file is too long".to_owned());
    }
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let reading = board::read(&Source::new(path.display().to_string(), &*text));
    if let Some(problem) = reading.problems.iter().find(|problem| problem.is_error()) {
        return Err(problem.message.clone());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    // What was found out about the game is told in comments.
    let remarks = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("//"));
    let remarks: Vec<&str> = remarks
        .map(str::trim)
        .filter(|remark| remark.ends_with('.'))
        .collect();
    Ok(BredGame {
        id: format!("bred-{}", stem.chars().filter(is_plain).collect::<String>()),
        metadata: Metadata {
            title: reading.rules.name.clone(),
            players: 2,
            kind: GameKind::Bred,
            idea: "Bred by programs that play.".to_owned(),
            rules: format!("{} {}", remarks.join(" "), board::in_words(&reading.rules)),
            solvable_in: None,
            unit_milliseconds: None,
            public: None,
            boards: Vec::new(),
            pieces: Default::default(),
        },
        text,
    })
}
