//! Recorded runs of video games by the original framework.

use std::path::{Path, PathBuf};

use crate::need::need;

/// The folder in `PAIDIA_VGDL`, or else `../shared/vgdl` beside the workspace.
#[must_use]
#[track_caller]
pub fn recordings() -> Option<PathBuf> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/vgdl");
    let given = std::env::var_os("PAIDIA_VGDL").map(PathBuf::from);
    let folder = given.unwrap_or_else(usual);
    let found = match folder.join("traces").is_dir() {
        true => Ok(folder),
        false => Err(format!("there are no recordings in {}", folder.display())),
    };
    need("vgdl", found)
}
