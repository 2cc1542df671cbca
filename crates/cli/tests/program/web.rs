//! The web arena as a process of its own.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use super::listening;

#[test]
fn it_opens_answers_and_closes_when_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().display().to_string();
    let call = ["web", "--listen", "127.0.0.1:0", "--records", &records];
    let (mut process, link) = listening(&call);
    let address = link.strip_prefix("http://").unwrap().trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "GET /api/games/chess HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("\"Chess\""),
        "{answer}"
    );
    let id = process.id().to_string();
    assert!(Command::new("kill").arg(&id).status().unwrap().success());
    let begun = Instant::now();
    let status = loop {
        if let Some(status) = process.try_wait().unwrap() {
            break status;
        }
        if begun.elapsed() > Duration::from_secs(60) {
            process.kill().unwrap();
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(status.success(), "{status}");
}
