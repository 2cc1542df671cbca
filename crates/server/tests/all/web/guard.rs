//! Which requests are allowed, and what replies say about it.

use serde_json::json;

use paidia_testkit::http::exchange;

use crate::web::client::Arena;

fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Vec<u8> {
    let mut request = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        request += &format!("{name}: {value}\r\n");
    }
    format!("{request}\r\n{body}").into_bytes()
}

#[test]
fn strangers_names_and_pages_of_others_are_refused() {
    let arena = Arena::new();
    let port = arena.address.port();
    let own = format!("127.0.0.1:{port}");
    let local = format!("localhost:{port}");
    let origin = format!("http://{local}");
    let ask = |headers: &[(&str, &str)]| {
        exchange(arena.address, &request("GET", "/api/games", headers, "")).status
    };
    assert_eq!(ask(&[("Host", &own)]), 200);
    assert_eq!(ask(&[("Host", &local), ("Origin", &origin)]), 200);
    assert_eq!(
        ask(&[("Host", &local), ("Sec-Fetch-Site", "same-origin")]),
        200
    );
    assert_eq!(ask(&[("Host", "evil.example")]), 403);
    assert_eq!(ask(&[("Host", &format!("evil.example:{port}"))]), 403);
    assert_eq!(ask(&[]), 403);
    assert_eq!(
        ask(&[("Host", &own), ("Origin", "http://evil.example")]),
        403
    );
    assert_eq!(ask(&[("Host", &own), ("Origin", "null")]), 403);
    assert_eq!(
        ask(&[("Host", &own), ("Sec-Fetch-Site", "cross-site")]),
        403
    );
    let page = exchange(
        arena.address,
        &request("GET", "/", &[("Host", "evil.example")], ""),
    );
    assert_eq!(page.status, 403);
}

#[test]
fn every_reply_keeps_the_page_to_itself() {
    let arena = Arena::new();
    let own = format!("127.0.0.1:{}", arena.address.port());
    for path in [
        "/",
        "/games/chess",
        "/index.html",
        "/api/games",
        "/api/nothing",
        "/nothing.js",
    ] {
        let reply = exchange(arena.address, &request("GET", path, &[("Host", &own)], ""));
        let head = reply.head.to_lowercase();
        for wanted in [
            "content-security-policy: default-src 'none'",
            "frame-ancestors 'none'",
            "x-content-type-options: nosniff",
        ] {
            assert!(head.contains(wanted), "{path}: {head}");
        }
        assert!(!head.contains("access-control-allow"), "{head}");
        let cached = if path.starts_with("/api/") || path == "/nothing.js" {
            "no-store"
        } else {
            "no-cache"
        };
        assert!(
            head.contains(&format!("cache-control: {cached}")),
            "{path}: {head}"
        );
    }
}

#[test]
fn the_page_is_sent_once_and_known_then() {
    let arena = Arena::new();
    let own = format!("127.0.0.1:{}", arena.address.port());
    let first = exchange(
        arena.address,
        &request("GET", "/tables/abc", &[("Host", &own)], ""),
    );
    assert_eq!(first.status, 200);
    assert!(first.body.starts_with(b"<!doctype html>"));
    let tag = first
        .head
        .lines()
        .find_map(|line| line.strip_prefix("etag: "))
        .unwrap();
    let again = exchange(
        arena.address,
        &request("GET", "/", &[("Host", &own), ("If-None-Match", tag)], ""),
    );
    assert_eq!((again.status, again.body.len()), (304, 0));
    for path in [
        "/../secret.json",
        "/js/../../secret.json",
        "/%2e%2e/secret.json",
        "/etc/passwd.txt",
    ] {
        let reply = exchange(arena.address, &request("GET", path, &[("Host", &own)], ""));
        assert_eq!(reply.status, 404, "{path}");
    }
    assert_eq!(
        exchange(arena.address, &request("POST", "/", &[("Host", &own)], "")).status,
        405
    );
}

#[test]
fn the_page_may_be_taken_from_a_folder_but_not_from_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("page")).unwrap();
    std::fs::write(folder.path().join("page/index.html"), "mine").unwrap();
    std::fs::write(folder.path().join("secret.txt"), "secret").unwrap();
    let arena = Arena::with("127.0.0.1:0", |options| {
        options.page = Some(folder.path().join("page"));
    });
    let own = format!("127.0.0.1:{}", arena.address.port());
    let ask = |path: &str| exchange(arena.address, &request("GET", path, &[("Host", &own)], ""));
    assert_eq!(ask("/games/chess").body, b"mine");
    for path in [
        "/../secret.txt",
        "/./../secret.txt",
        "//secret.txt",
        "/%2e%2e/secret.txt",
    ] {
        assert_eq!(ask(path).status, 404, "{path}");
    }
}

#[test]
fn changes_need_a_token_where_others_can_connect() {
    let arena = Arena::with("0.0.0.0:0", |options| {
        options.host_names = vec!["games.example".to_owned()];
    });
    let token = arena.link.split("#token=").nth(1).unwrap();
    assert_eq!(token.len(), 32);
    let body = json!({"text": "(role x)"}).to_string();
    let post = |host: &str, token: &str| {
        let headers = [
            ("Host", host),
            ("Content-Type", "application/json"),
            ("x-paidia-token", token),
        ];
        exchange(
            arena.address,
            &request("POST", "/api/check", &headers, &body),
        )
        .status
    };
    let own = format!("127.0.0.1:{}", arena.address.port());
    assert_eq!(post(&own, token), 200);
    assert_eq!(post("games.example", token), 200);
    assert_eq!(post("192.168.7.7:4747", token), 200);
    assert_eq!(post("evil.example", token), 403);
    assert_eq!(post(&own, ""), 403);
    assert_eq!(post(&own, &token[1..]), 403);
    let read = exchange(
        arena.address,
        &request("GET", "/api/games", &[("Host", &own)], ""),
    );
    assert_eq!(read.status, 200, "who may not change anything may look");
}
