//! HTTP in all its forms.

use std::io::{Read, Write};

use paidia_testkit::http::{connect, exchange, ggp};

use crate::player::client::Player;

const INFO: &str = "((name Paidia) (status available) (species alien))";

#[test]
fn a_host_of_1996_is_answered_in_its_own_words() {
    let player = Player::new("random");
    let response = ggp(player.address, "( INFO )");
    assert_eq!((response.status, &*response.text()), (200, INFO));
    assert!(
        response.head.starts_with("HTTP/1.0 200"),
        "{}",
        response.head
    );
    for header in [
        "Content-Type: text/acl",
        "Access-Control-Allow-Origin: *",
        "Content-Length: 50",
    ] {
        assert!(response.head.contains(header), "{}", response.head);
    }
}

#[test]
fn messages_come_in_paths_as_well() {
    let player = Player::with("random", |options| options.name = "Its Name".to_owned());
    for path in ["%28+INFO+%29", "(INFO)", "%28INFO%29", "/%28info%29"] {
        // One host sends an empty line too many.
        let request = format!("GET /{path} HTTP/1.0\r\nHost: me\r\n\r\n\r\n");
        let response = exchange(player.address, request.as_bytes());
        assert_eq!(response.status, 200, "{path}");
        assert!(response.text().contains("(name Its_Name)"), "{path}");
    }
    let empty = exchange(player.address, b"GET / HTTP/1.1\r\nHost: me\r\n\r\n");
    assert!(empty.text().contains("General Game Playing"));
}

#[test]
fn browsers_may_ask() {
    let player = Player::new("random");
    let request = "OPTIONS / HTTP/1.1\r\nHost: me\r\nOrigin: http://host.example\r\n\
                   Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\r\n";
    let response = exchange(player.address, request.as_bytes());
    assert_eq!((response.status, &*response.text()), (200, ""));
    for header in [
        "Access-Control-Allow-Origin: *",
        "Access-Control-Allow-Methods: POST, GET, OPTIONS",
        "Access-Control-Allow-Headers: Content-Type",
    ] {
        assert!(response.head.contains(header), "{}", response.head);
    }
    let chunked = "POST / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n(IN \r\n3\r\nFO)\r\n0\r\n\r\n";
    // A word that is cut by a blank is two words, wherever the pieces of a body are cut.
    let response = exchange(player.address, chunked.as_bytes());
    assert_eq!(response.status, 400, "{}", response.text());
    let chunked = chunked.replace("4\r\n(IN \r\n", "3\r\n(IN\r\n");
    let response = exchange(player.address, chunked.as_bytes());
    assert_eq!((response.status, &*response.text()), (200, INFO));
}

#[test]
fn what_is_no_message_is_refused_in_words() {
    let player = Player::new("random");
    let response = ggp(player.address, "(HELLO)");
    assert_eq!(response.status, 400);
    assert!(response.text().contains("no message `HELLO`"));
    let response = exchange(player.address, b"DELETE / HTTP/1.1\r\nHost: me\r\n\r\n");
    assert_eq!(response.status, 405);
    let long = "POST / HTTP/1.1\r\nHost: me\r\nContent-Length: 100000000\r\n\r\n(START";
    assert_eq!(exchange(player.address, long.as_bytes()).status, 413);
    // Three megabytes of comment are no reason to refuse.
    let message = format!(";{}\n(INFO)", "x".repeat(3 << 20));
    assert_eq!(player.say(message), INFO);
}

#[test]
fn a_host_that_closes_its_side_first_is_answered() {
    let player = Player::new("random");
    let mut stream = connect(player.address);
    stream
        .write_all(b"POST / HTTP/1.0\r\nContent-Length: 6\r\n\r\n(INFO)")
        .unwrap();
    stream.shutdown(std::net::Shutdown::Write).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(response.ends_with(INFO), "{response}");
}
