//! Writes the table of the page's files: everything below `page/`, embedded as bytes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?).join("page");
    let mut files = Vec::new();
    collect(&root, &mut files)?;
    let mut named = Vec::new();
    for file in files {
        let path = file.strip_prefix(&root).map_err(io::Error::other)?;
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        named.push((parts.join("/"), file));
    }
    // By their names as texts, which is another order than that of paths.
    named.sort();
    let mut table = String::from("&[\n");
    for (path, file) in named {
        let tag = fingerprint(&fs::read(&file)?);
        let entry = writeln!(
            table,
            "File {{ path: {path:?}, tag: \"\\\"{tag:016x}\\\"\", bytes: include_bytes!({file:?}) }},"
        );
        entry.map_err(io::Error::other)?;
    }
    table.push_str("]\n");
    let target = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&target).join("page.rs"), table)
}

/// All files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", folder.display());
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    Ok(())
}

/// Tells versions of a file apart (FNV-1a).
fn fingerprint(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}
