//! Asking a player over HTTP: one request, one reply, within a time and a length.

use std::fmt;
use std::io::ErrorKind;
use std::str::FromStr;
use std::time::Duration;

use paidia_arena::Failure;
use ureq::http::Uri;
use ureq::{Agent, Error};

/// The longest reply that is read, in bytes.
pub const MAX_REPLY_BYTES: u64 = 64 << 10;

/// How much of what a player said is shown and recorded, in characters.
const SHOWN: usize = 80;

/// Where a player can be reached: `http://ADDRESS:PORT`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    uri: Uri,
}

/// Why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no player's address; write it like http://127.0.0.1:9147")]
pub struct BadAddress(String);

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Self, BadAddress> {
        let bad = || BadAddress(printable(text));
        let uri: Uri = text.trim().parse().map_err(|_| bad())?;
        let is_plain = uri.scheme_str() == Some("http");
        let has_host = uri.host().is_some_and(|host| !host.is_empty());
        if is_plain && has_host {
            Ok(Self { uri })
        } else {
            Err(bad())
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = self.uri.to_string();
        formatter.write_str(text.trim_end_matches('/'))
    }
}

/// A way to ask one player. Every question has a connection of its own, as ggp-base's players
/// expect it.
#[derive(Clone, Debug)]
pub(super) struct Line {
    agent: Agent,
    address: Address,
}

impl Line {
    pub(super) fn new(address: &Address) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // A redirect could lead anywhere; it is an error like any other.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .max_idle_connections(0)
            .accept("text/delim")
            .build();
        Self {
            agent: config.into(),
            address: address.clone(),
        }
    }

    /// Sends a text and reads what comes back, within a time for everything.
    ///
    /// # Errors
    /// If the player is late, cannot be reached, answers with something else than success, or says
    /// too much.
    pub(super) fn ask(&self, text: &str, limit: Duration) -> Result<String, Failure> {
        let authority = self.address.uri.authority();
        let receiver = authority.map_or("player", |authority| authority.as_str());
        let request = self
            .agent
            .post(&self.address.uri)
            .header("Sender", "GAMESERVER")
            .header("Receiver", receiver)
            .header("Content-Type", "text/acl")
            .header("Connection", "close")
            .config()
            .timeout_global(Some(limit))
            .build();
        let mut response = request.send(text).map_err(failure)?;
        if !response.status().is_success() {
            let status = response.status();
            return Err(Failure::Connection(format!("HTTP status {status}")));
        }
        let body = response.body_mut().with_config().limit(MAX_REPLY_BYTES);
        let bytes = body.read_to_vec().map_err(failure)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}

fn failure(error: Error) -> Failure {
    let late = |kind: ErrorKind| matches!(kind, ErrorKind::TimedOut | ErrorKind::WouldBlock);
    match error {
        Error::Timeout(_) => Failure::Late,
        Error::Io(error) if late(error.kind()) => Failure::Late,
        Error::BodyExceedsLimit(limit) => Failure::Unreadable(format!("more than {limit} bytes")),
        other => Failure::Connection(printable(&other.to_string())),
    }
}

/// The beginning of an untrusted text, without characters that could upset a terminal or a record.
pub(super) fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let text = text.trim();
    let mut shown: String = text.chars().take(SHOWN).map(plain).collect();
    if text.chars().nth(SHOWN).is_some() {
        shown.push_str("...");
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::{Address, printable};

    #[test]
    fn addresses_are_plain_http() {
        for (text, shown) in [
            ("http://127.0.0.1:9147", "http://127.0.0.1:9147"),
            (" http://[::1]:9147/ ", "http://[::1]:9147"),
            ("http://player.example/ggp", "http://player.example/ggp"),
        ] {
            let address: Address = text.parse().unwrap();
            assert_eq!(address.to_string(), shown);
        }
        for text in [
            "https://a:1",
            "127.0.0.1:9147",
            "http://",
            "paidia",
            "http:// a",
            "",
        ] {
            let refused = text.parse::<Address>().unwrap_err().to_string();
            assert!(refused.contains("http://127.0.0.1:9147"), "{refused}");
        }
    }

    #[test]
    fn what_players_say_does_not_upset_terminals() {
        assert_eq!(printable(" a\u{1b}[2Jb\n"), "a [2Jb");
        assert_eq!(printable(&"x".repeat(1000)).len(), 83);
    }
}
