//! Reference data for simplified board games, made by an interpreter of another hand.

use std::path::{Path, PathBuf};

use crate::need::need;

/// The folder in `PAIDIA_BOARDS`, or else `../shared/boards` beside the workspace.
#[must_use]
#[track_caller]
pub fn boards() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/boards");
    let given = std::env::var_os("PAIDIA_BOARDS").map(PathBuf::from);
    let folder = given.unwrap_or_else(usual);
    let found = match folder.join("games").is_dir() {
        true => Ok(folder),
        false => Err(format!(
            "there is no reference data in {}",
            folder.display()
        )),
    };
    need("boards", found)
}
