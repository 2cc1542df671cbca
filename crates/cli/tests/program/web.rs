//! The web arena as a process of its own.

use paidia_testkit::http::request;
use paidia_testkit::process::socket_address;

use super::listening;

#[test]
fn it_opens_answers_and_closes_when_it_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().display().to_string();
    let call = ["web", "--listen", "127.0.0.1:0", "--records", &records];
    let (mut process, link) = listening(&call);
    let address = socket_address(&link);
    let host = format!("Host: {address}");
    let head = ["GET /api/games/chess HTTP/1.1", &host, "Connection: close"];
    let answer = request(address, &head, "");
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.text().contains("\"Chess\""), "{answer:?}");
    process.terminate();
    let status = process.wait();
    assert!(status.success(), "{status}");
}
