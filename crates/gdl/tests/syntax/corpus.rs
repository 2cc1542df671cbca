//! The readers and printers on the public collection of rule sheets, where it is present.

use paidia_gdl::source::Source;
use paidia_gdl::syntax::{Notation, infix, kif, print, same_rules};
use std::path::{Path, PathBuf};

/// The rule sheets of the collection; none, with a note, where there is no collection.
fn sheets() -> Vec<PathBuf> {
    let folder = std::env::var_os("PAIDIA_CORPUS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/games"),
        PathBuf::from,
    );
    let Ok(entries) = std::fs::read_dir(folder.join("gdl")) else {
        eprintln!("skipped: no collection in {}", folder.display());
        return Vec::new();
    };
    let paths = entries.filter_map(|entry| entry.ok().map(|entry| entry.path()));
    let mut sheets: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "kif"))
        .collect();
    sheets.sort();
    sheets
}

fn source(path: &Path) -> Source {
    let bytes = std::fs::read(path).expect("the sheet can be read");
    Source::new(path.display().to_string(), String::from_utf8_lossy(&bytes))
}

#[test]
fn every_sheet_is_read_without_a_problem() {
    for path in sheets() {
        let reading = kif::read(&source(&path));
        assert_eq!(reading.problems, [], "{}", path.display());
        assert!(!reading.sheet.clauses.is_empty(), "{}", path.display());
    }
}

#[test]
fn every_sheet_survives_both_notations() {
    for path in sheets() {
        let name = path.display();
        let sheet = kif::read(&source(&path)).sheet;
        let printed = print(&sheet, Notation::Infix);
        let reading = infix::read(&Source::new("printed", printed.as_str()));
        assert_eq!(reading.problems, [], "{name} as infix");
        assert!(same_rules(&sheet, &reading.sheet), "{name} as infix");
        assert_eq!(
            print(&reading.sheet, Notation::Infix),
            printed,
            "{name} as infix twice"
        );

        let printed = print(&reading.sheet, Notation::Kif);
        let reading = kif::read(&Source::new("printed", printed.as_str()));
        assert_eq!(reading.problems, [], "{name} as KIF again");
        assert!(same_rules(&sheet, &reading.sheet), "{name} as KIF again");
        assert_eq!(print(&sheet, Notation::Kif), printed, "{name} as KIF twice");
    }
}
