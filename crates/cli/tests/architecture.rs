//! The project is as its own documents say.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

type Graph = BTreeMap<String, BTreeSet<String>>;

/// The first line of the table of crates.
const TABLE_HEADING: &str = "| crate | what it holds | may depend on |";

/// Which crate may depend on which, by the table of the architecture page.
fn documented() -> Graph {
    let page = fs::read_to_string(root().join("docs/ARCHITECTURE.md")).unwrap();
    let table = page.lines().skip_while(|line| *line != TABLE_HEADING);
    let table = table.take_while(|line| line.starts_with('|'));
    let rows = table.filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert_eq!(cells.len(), 3, "{row}");
        let allowed = cells[2]
            .split(',')
            .map(str::trim)
            .filter(|name| !name.is_empty());
        (
            cells[0].trim_matches('`').to_owned(),
            allowed.map(str::to_owned).collect(),
        )
    })
    .collect()
}

/// Which crate does depend on which, by the manifests. Tests may use more than the table says.
fn real() -> Graph {
    let folders = fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path());
    folders
        .filter(|folder| folder.join("Cargo.toml").is_file())
        .map(|folder| {
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            let manifest: toml::Table = fs::read_to_string(folder.join("Cargo.toml"))
                .unwrap()
                .parse()
                .unwrap();
            assert_eq!(
                manifest["package"]["name"].as_str(),
                Some(&*format!("paidia-{name}"))
            );
            let tables = ["dependencies", "build-dependencies"]
                .iter()
                .filter_map(|table| manifest.get(*table));
            let packages = tables.flat_map(|table| table.as_table().unwrap().keys());
            let ours = packages.filter_map(|package| package.strip_prefix("paidia-"));
            (name, ours.map(str::to_owned).collect())
        })
        .collect()
}

#[test]
fn the_table_names_every_crate_and_no_other() {
    let (documented, real) = (documented(), real());
    assert_eq!(
        documented.keys().collect::<Vec<_>>(),
        real.keys().collect::<Vec<_>>()
    );
    assert!(documented.len() >= 5);
}

#[test]
fn crates_depend_only_on_what_the_table_allows() {
    let documented = documented();
    for (name, dependencies) in real() {
        let allowed = &documented[&name];
        let forbidden: Vec<_> = dependencies.difference(allowed).collect();
        assert!(
            forbidden.is_empty(),
            "{name} must not depend on {forbidden:?}"
        );
    }
}

#[test]
fn the_table_promises_nothing_that_is_not_there() {
    let real = real();
    for (name, allowed) in documented() {
        let missing: Vec<_> = allowed
            .iter()
            .filter(|other| !real.contains_key(*other))
            .collect();
        assert!(
            missing.is_empty(),
            "{name} may depend on {missing:?}, which do not exist"
        );
    }
}

/// All Rust files of the project.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn every_module_opens_with_its_purpose() {
    let mut files = Vec::new();
    sources(&root().join("crates"), &mut files);
    assert!(files.len() > 50);
    let silent: Vec<_> = files
        .iter()
        .filter(|path| !fs::read_to_string(path).unwrap().starts_with("//! "))
        .collect();
    assert!(silent.is_empty(), "{silent:#?}");
}

#[test]
fn the_page_of_commands_names_every_command() {
    let page = fs::read_to_string(root().join("docs/commands.md")).unwrap();
    let commands = fs::read_dir(root().join("crates/cli/src/commands")).unwrap();
    for command in commands
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
    {
        let name = command.file_stem().unwrap().to_string_lossy();
        assert!(
            page.contains(&format!("`paidia {name}")),
            "docs/commands.md says nothing about `paidia {name}`"
        );
    }
}
