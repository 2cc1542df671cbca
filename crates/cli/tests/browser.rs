//! The web page in a real browser: runs the tests of `crates/server/browser`, which need Node and
//! Chromium, against the program that was just built.

use std::path::Path;
use std::process::{Command, Stdio};

use paidia_testkit::need::{chromium, need, program};
use paidia_testkit::process::Process;

/// Whether everything is there that the tests need.
fn tools(folder: &Path) -> Result<(), String> {
    program(&["node"])?;
    chromium()?;
    match folder.join("node_modules").is_dir() {
        true => Ok(()),
        false => Err("the tools of the page are not installed".to_owned()),
    }
}

/// Runs a part of the tests: two programs and two browsers at a time take half as long as one.
fn run(part: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/browser");
    if need("page", tools(&folder)).is_none() {
        return;
    }
    let tests = Command::new("node")
        .args(["tests/all.mjs", part])
        .current_dir(&folder)
        .env("PAIDIA", env!("CARGO_BIN_EXE_paidia"))
        .env_remove("PAIDIA_PAGE")
        .stdin(Stdio::null())
        .spawn();
    let status = Process(tests.unwrap()).wait();
    assert!(status.success(), "tests of the page failed, see above");
}

#[test]
fn the_page_works_in_a_browser() {
    run("1/2");
}

#[test]
fn the_rest_of_the_page_works_in_a_browser() {
    run("2/2");
}
