//! The web page in a real browser: runs the tests of `crates/server/browser`, which need Node and Chromium, against the program that
//! was just built. Where something is missing it says so and skips, unless `PAIDIA_BROWSER_TESTS=required`.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long all of them may take on a machine that is busy; they take about a minute.
const PATIENCE: Duration = Duration::from_secs(900);

/// Whether a program with one of these names is in the path.
fn is_there(names: &[&str]) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| names.iter().any(|name| folder.join(name).is_file()))
}

/// What is missing to run the tests, and what to do about it.
fn missing(folder: &Path) -> Option<&'static str> {
    let has_browser = std::env::var_os("PAIDIA_BROWSER").is_some()
        || is_there(&["chromium", "chromium-browser", "google-chrome"]);
    if !is_there(&["node"]) {
        Some("there is no Node; `apt-get install nodejs npm`")
    } else if !has_browser {
        Some("there is no Chromium; `apt-get install chromium`")
    } else if !folder.join("node_modules").is_dir() {
        Some("its tools are not installed; `npm ci` in crates/server/browser")
    } else {
        None
    }
}

#[test]
fn the_page_works_in_a_browser() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../server/browser");
    if let Some(reason) = missing(&folder) {
        let required = std::env::var("PAIDIA_BROWSER_TESTS").is_ok_and(|value| value == "required");
        assert!(!required, "the page cannot be tested: {reason}");
        eprintln!("SKIPPED: the page cannot be tested: {reason}");
        return;
    }
    let mut tests = Command::new("node")
        .arg("tests/all.mjs")
        .current_dir(&folder)
        .env("PAIDIA", env!("CARGO_BIN_EXE_paidia"))
        .env_remove("PAIDIA_PAGE")
        .stdin(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = tests.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            let _ = tests.kill();
        }
        std::thread::sleep(Duration::from_millis(100));
    };
    assert!(status.success(), "tests of the page failed, see above");
}
