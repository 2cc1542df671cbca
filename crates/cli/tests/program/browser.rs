//! The report of a tournament in a browser without a network: its tables and plots are there, and
//! can be seen.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use paidia_testkit::need::{chromium, need};
use paidia_testkit::process::{Process, file};

use super::paidia;
use super::tournaments::TOURNAMENT;

/// What the browser is asked: how large tables and plots are, what is in them, what was fetched,
/// how wide the page is.
const QUESTIONS: &str = "<script>addEventListener('load', () => {
  const all = (within, what) => [...within.querySelectorAll(what)];
  const size = element => { const box = element.getBoundingClientRect(); return [box.width, box.height]; };
  const answers = {
    tables: all(document, 'table').map(table => ({ size: size(table), rows: table.tBodies[0].rows.length })),
    plots: all(document, 'svg').map(plot => ({
      size: size(plot), marks: all(plot, 'circle').map(size), lines: all(plot, '.interval').map(size),
      texts: all(plot, 'text').map(text => text.textContent) })),
    fetched: performance.getEntriesByType('resource').length,
    excess: document.documentElement.scrollWidth - document.documentElement.clientWidth,
    background: getComputedStyle(document.body).backgroundColor,
  };
  const place = document.createElement('pre');
  place.id = 'answers';
  place.textContent = JSON.stringify(answers);
  document.body.append(place);
});</script>";

/// Opens a page in a window of this size, and gives what the browser prints.
fn open(browser: &Path, page: &Path, window: &str, more: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("output");
    let process = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu"])
        .args(["--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync"])
        .args(["--disable-dev-shm-usage", "--hide-scrollbars"])
        .arg("--host-resolver-rules=MAP * ~NOTFOUND")
        .arg(format!("--window-size={window}"))
        .arg(format!("--user-data-dir={}", folder.path().display()))
        .args(more)
        .arg(format!("file://{}", page.display()))
        .stdin(Stdio::null())
        .stdout(File::create(&output).unwrap())
        .stderr(Stdio::null())
        .spawn();
    let mut process = Process(process.unwrap());
    assert!(process.wait().success(), "the browser failed");
    std::fs::read_to_string(output).unwrap()
}

/// The answers to the questions, asked in a window of this size.
fn ask(browser: &Path, page: &Path, window: &str, more: &[&str]) -> Value {
    let text = std::fs::read_to_string(page).unwrap();
    let asking = page.with_extension("asking.html");
    let text = text.replace("</body>", &format!("{QUESTIONS}</body>"));
    std::fs::write(&asking, text).unwrap();
    let page = open(browser, &asking, window, &[more, &["--dump-dom"]].concat());
    let (_, answers) = page.split_once("<pre id=\"answers\">").unwrap();
    let (answers, _) = answers.split_once("</pre>").unwrap();
    serde_json::from_str(answers).unwrap()
}

/// Width and height of a picture, and how many different bytes its rows have: one where nothing is
/// to be seen.
fn png(path: &Path) -> (u32, u32, usize) {
    let bytes = std::fs::read(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    let mut packed = Vec::new();
    let mut at = 8;
    while at < bytes.len() {
        let length = number(at) as usize;
        if &bytes[at + 4..at + 8] == b"IDAT" {
            packed.extend(&bytes[at + 8..at + 8 + length]);
        }
        at += length + 12;
    }
    let mut pixels = Vec::new();
    let mut unpacked = flate2::read::ZlibDecoder::new(&packed[..]);
    unpacked.read_to_end(&mut pixels).unwrap();
    let different: std::collections::BTreeSet<u8> = pixels.into_iter().collect();
    (number(16), number(20), different.len())
}

/// Whether everything in a list has some width.
fn all_have_width(sizes: &Value) -> bool {
    let sizes = sizes.as_array().unwrap();
    sizes.iter().all(|size| size[0].as_f64().unwrap() > 0.0)
}

fn check(answers: &Value) {
    let tables = answers["tables"].as_array().unwrap();
    let rows: Vec<u64> = tables
        .iter()
        .map(|table| table["rows"].as_u64().unwrap())
        .collect();
    // Who beat whom, players, pairings, players on games.
    assert_eq!(rows, [3, 3, 3, 6], "{answers}");
    let plots = answers["plots"].as_array().unwrap();
    let marks: Vec<usize> = plots
        .iter()
        .map(|plot| plot["marks"].as_array().unwrap().len())
        .collect();
    assert_eq!(marks, [3, 6], "{answers}");
    for plot in plots {
        assert!(plot["size"][0].as_f64().unwrap() > 150.0, "{plot}");
        assert!(plot["size"][1].as_f64().unwrap() > 100.0, "{plot}");
        assert!(all_have_width(&plot["marks"]) && all_have_width(&plot["lines"]));
        // Five numbers and the name of the axis.
        assert_eq!(plot["texts"].as_array().unwrap().len(), 6, "{plot}");
    }
    assert_eq!(answers["fetched"], 0);
    assert_eq!(answers["excess"], 0, "the page is wider than its window");
}

#[test]
fn the_report_opens_in_a_browser_without_a_network() {
    let Some(browser) = need("browser", chromium()) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let text = TOURNAMENT.replace("simulations = 150", "simulations = 20");
    let tournament = file(&folder, "three.toml", &text);
    let out = folder.path().join("out");
    paidia(&["tournament", &tournament, "--out", out.to_str().unwrap()]).expect(0);
    let page = out.join("three.html");

    let picture = folder.path().join("page.png");
    let screenshot = format!("--screenshot={}", picture.display());
    open(&browser, &page, "1000,1400", &[&screenshot]);
    let (width, height, different) = png(&picture);
    assert_eq!((width, height), (1000, 1400));
    assert!(different > 50, "there is little to be seen");

    let desk = ask(&browser, &page, "1000,1400", &[]);
    check(&desk);
    check(&ask(&browser, &page, "400,800", &[]));
    let dark = ["--blink-settings=preferredColorScheme=0"];
    let dark = ask(&browser, &page, "1000,1400", &dark);
    assert_ne!(dark["background"], desk["background"]);
}
