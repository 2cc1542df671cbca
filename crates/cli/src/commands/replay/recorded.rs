//! Finding records of matches.

use std::fs::FileType;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use paidia_arena::rules::rules_inside;

/// Whether this names records: a JSON file, or a folder that is no game.
pub(super) fn are_records(name: &str) -> bool {
    let path = Path::new(name);
    is_json(path) || (path.is_dir() && rules_inside(path).is_none())
}

/// The record files that were named, those of folders and their folders included, in order.
pub(super) fn files(names: &[String]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for name in names {
        let path = Path::new(name);
        if !path.is_dir() {
            files.push(path.to_owned());
            continue;
        }
        let before = files.len();
        search(path, &mut files)?;
        if files.len() == before {
            bail!("there are no records in {name}: no file ends in .json");
        }
        files[before..].sort();
    }
    Ok(files)
}

/// Adds the records in a folder. Links are not followed, so that a folder is never in itself.
fn search(folder: &Path, files: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let unreadable = || format!("cannot read {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(unreadable)? {
        let entry = entry.with_context(unreadable)?;
        let (path, kind) = (entry.path(), entry.file_type());
        if kind.as_ref().is_ok_and(FileType::is_dir) {
            search(&path, files)?;
        } else if is_json(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_json(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension == "json")
}
