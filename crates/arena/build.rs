//! Writes the table of bundled studies: every file of `studies/`, embedded as text.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root =
        Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../../studies");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files: Vec<PathBuf> = fs::read_dir(&root)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "toml")
        })
        .collect();
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        let file = file.canonicalize()?;
        let Some(name) = file.file_stem().and_then(|name| name.to_str()) else {
            continue;
        };
        writeln!(
            table,
            "BundledStudy {{ name: {name:?}, text: include_str!({file:?}) }},"
        )
        .map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    let target = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&target).join("studies.rs"), table)
}
