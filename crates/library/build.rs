//! Writes the tables of bundled games, in turns and in real time: every folder of `games/` that has
//! rules and facts, embedded as text. The rules are the one file called `rules`; its extension says
//! in which language they are written. Files in the folder `levels` are embedded as they are.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root =
        Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../../games");
    println!("cargo::rerun-if-changed={}", root.display());
    let folders = listed(&root)?;
    let folders: Vec<PathBuf> = folders.into_iter().filter(|path| path.is_dir()).collect();
    let target = env::var("OUT_DIR").map_err(io::Error::other)?;
    for (file, real_time) in [("games.rs", false), ("real_time.rs", true)] {
        let mut table = String::from("&[\n");
        for folder in folders
            .iter()
            .filter(|folder| is_real_time(folder) == real_time)
        {
            add_folder(&mut table, folder)?;
        }
        table.push_str("]\n");
        fs::write(Path::new(&target).join(file), table)?;
    }
    Ok(())
}

/// Whether a game says that it is in real time: what goes through games in turns passes over it.
fn is_real_time(folder: &Path) -> bool {
    let metadata = fs::read_to_string(folder.join("game.toml")).unwrap_or_default();
    metadata
        .lines()
        .any(|line| line.trim() == "kind = \"real-time\"")
}

/// What is in a folder, in the order of the names.
fn listed(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.sort();
    Ok(paths)
}

fn add_folder(table: &mut String, folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let folder = folder.canonicalize()?;
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
        return Ok(());
    };
    let metadata = folder.join("game.toml");
    let files = listed(&folder)?;
    let is_rules = |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem == "rules");
    let rules: Vec<&PathBuf> = files.iter().filter(is_rules).collect();
    let ([rules], true) = (&rules[..], metadata.is_file()) else {
        println!(
            "cargo::warning=games/{name} is left out: it needs game.toml and one file called \
             rules.kif, rules.sbg or alike"
        );
        return Ok(());
    };
    let extension = rules.extension().unwrap_or_default().to_string_lossy();
    let playthrough = folder.join("playthrough.txt");
    let playthrough = if playthrough.is_file() {
        format!("Some(include_str!({playthrough:?}))")
    } else {
        "None".to_owned()
    };
    let mut levels = String::new();
    let level_files = match folder.join("levels") {
        levels if levels.is_dir() => listed(&levels)?,
        _ => Vec::new(),
    };
    for path in level_files {
        let level = path.file_name().unwrap_or_default().to_string_lossy();
        let entry = write!(levels, "({level:?}, include_str!({path:?})), ");
        entry.map_err(io::Error::other)?;
    }
    let entry = writeln!(
        table,
        "BundledGame {{ name: {name:?}, extension: {extension:?}, rules: include_str!({rules:?}), \
         metadata: include_str!({metadata:?}), playthrough: {playthrough}, levels: &[{levels}] }},"
    );
    entry.map_err(io::Error::other)
}
