//! Writes the tables of bundled games, in turns and in real time: every folder of `games/` that has
//! rules and facts, embedded as text.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root =
        Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("../../games");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut folders: Vec<PathBuf> = fs::read_dir(&root)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
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

fn add_folder(table: &mut String, folder: &Path) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let folder = folder.canonicalize()?;
    let (rules, metadata) = (folder.join("rules.kif"), folder.join("game.toml"));
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
        return Ok(());
    };
    if !rules.is_file() || !metadata.is_file() {
        println!("cargo::warning=games/{name} is left out: it needs rules.kif and game.toml");
        return Ok(());
    }
    let playthrough = folder.join("playthrough.txt");
    let playthrough = if playthrough.is_file() {
        format!("Some(include_str!({playthrough:?}))")
    } else {
        "None".to_owned()
    };
    let entry = writeln!(
        table,
        "BundledGame {{ name: {name:?}, rules: include_str!({rules:?}), metadata: include_str!({metadata:?}), \
         playthrough: {playthrough} }},"
    );
    entry.map_err(io::Error::other)
}
