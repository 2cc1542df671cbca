//! The public collection of rule sheets, with play that an independent reasoner recorded.

use std::path::{Path, PathBuf};

use crate::RuleSheet;
use crate::need::need;
use crate::replay::{Playout, read_trace};

/// The public collection.
pub struct Corpus {
    folder: PathBuf,
}

/// The public collection in `PAIDIA_CORPUS`, or else in `../shared/games` beside the workspace.
#[track_caller]
pub fn corpus() -> Option<Corpus> {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games");
    let given = std::env::var_os("PAIDIA_CORPUS").map(PathBuf::from);
    let folder = given.unwrap_or_else(usual);
    let found = match folder.join("gdl").is_dir() {
        true => Ok(Corpus { folder }),
        false => Err(format!(
            "there is no public collection in {}",
            folder.display()
        )),
    };
    need("corpus", found)
}

impl Corpus {
    /// Where the collection is.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where a sheet is.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("gdl/{name}.kif"))
    }

    /// Where the recorded play of a sheet is.
    #[must_use]
    pub fn trace_path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("traces/{name}.jsonl.gz"))
    }

    /// The names of all sheets, in order.
    ///
    /// # Panics
    /// If the folder has gone.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let files = std::fs::read_dir(self.folder.join("gdl")).unwrap();
        let paths = files.map(|file| file.unwrap().path());
        let sheets = paths.filter(|path| path.extension().is_some_and(|ending| ending == "kif"));
        let stem = |path: PathBuf| path.file_stem().unwrap().to_string_lossy().into_owned();
        let mut names: Vec<String> = sheets.map(stem).collect();
        names.sort();
        names
    }

    /// A sheet of the collection.
    ///
    /// # Panics
    /// If there is no sheet with this name.
    #[must_use]
    #[track_caller]
    pub fn rules(&self, name: &str) -> RuleSheet {
        let path = self.path(name);
        let bytes = std::fs::read(&path)
            .unwrap_or_else(|error| panic!("{} cannot be read: {error}", path.display()));
        RuleSheet::new(name, &String::from_utf8_lossy(&bytes))
    }

    /// All sheets, in order.
    #[must_use]
    pub fn all(&self) -> Vec<RuleSheet> {
        self.names().iter().map(|name| self.rules(name)).collect()
    }

    /// The recorded play of a sheet.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn playouts(&self, name: &str) -> Vec<Playout> {
        read_trace(&self.trace_path(name))
    }
}
