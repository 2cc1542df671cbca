//! Which requests are allowed: those of our own pages, and changes only with the token of the
//! printed address.
//!
//! A page from elsewhere may make a browser send requests here. So the `Host` that a request names
//! must be ours, which it is not where a stranger's name was pointed at this machine; an `Origin`,
//! where the browser tells one, must be ours, too; and no reply allows other origins anything.
//! Where other machines can connect, changes need a token that is in the address that was printed.

use std::net::{IpAddr, SocketAddr};

use hyper::header::{HOST, HeaderMap, ORIGIN};
use hyper::{Method, StatusCode};

use super::refusal::Refusal;

/// Where the page keeps the token.
const TOKEN_HEADER: &str = "x-paidia-token";
/// What browsers tell about where a request is from.
const SITE_HEADER: &str = "sec-fetch-site";

/// Decides which requests are allowed.
pub(super) struct Guard {
    address: SocketAddr,
    names: Vec<String>,
    token: Option<String>,
}

impl Guard {
    /// A guard for an arena at this address, which may also be called by these names. Where other
    /// machines can connect, changes need the secret.
    pub(super) fn new(address: SocketAddr, names: &[String], secret: String) -> Self {
        Self {
            address,
            names: names.to_vec(),
            token: (!address.ip().is_loopback()).then_some(secret),
        }
    }

    /// Whether changes need a token.
    pub(super) fn needs_token(&self) -> bool {
        self.token.is_some()
    }

    /// Where we listen.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address to open, with the token in it.
    pub(super) fn link(&self) -> String {
        match &self.token {
            Some(token) => format!("http://{}/#token={token}", self.address),
            None => format!("http://{}/", self.address),
        }
    }

    /// Refuses requests that are not allowed.
    pub(super) fn check(
        &self,
        method: &Method,
        headers: &HeaderMap,
        is_api: bool,
    ) -> Result<(), Refusal> {
        let refused = |why: &str| Err(Refusal::new(StatusCode::FORBIDDEN, why));
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        let host = text(HOST.as_str()).unwrap_or("");
        if !self.is_ours(host) {
            return refused(
                "this is not the address that the arena listens at; open the one that it printed, or name this one with --host-name",
            );
        }
        let is_own = |origin: &str| origin.strip_prefix("http://") == Some(host);
        let is_foreign = text(ORIGIN.as_str()).is_some_and(|origin| !is_own(origin));
        let is_elsewhere = || text(SITE_HEADER).is_some_and(|site| site == "cross-site");
        if is_foreign || is_api && is_elsewhere() {
            return refused("pages of other sites may not ask the arena");
        }
        let changes = is_api && method != Method::GET;
        match &self.token {
            Some(token) if changes && !text(TOKEN_HEADER).is_some_and(|own| same(own, token)) => {
                refused(
                    "changes need the token of the address that the arena printed when it was started",
                )
            }
            _ => Ok(()),
        }
    }

    /// Whether a `Host` is one of our addresses or names. Names of others never are: they may have
    /// been pointed at this machine.
    fn is_ours(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let bare = name
            .strip_prefix('[')
            .and_then(|name| name.strip_suffix(']'));
        let ip: Option<IpAddr> = bare.unwrap_or(name).parse().ok();
        let is_local =
            name.eq_ignore_ascii_case("localhost") || ip.is_some_and(|ip| ip.is_loopback());
        if self.token.is_none() {
            return is_local && port == Some(self.address.port());
        }
        let is_named = self.names.iter().any(|own| own.eq_ignore_ascii_case(name));
        port.is_some() && (is_local || ip.is_some() || is_named)
    }
}

/// Whether two texts are the same, without telling by the time it takes how much of them is.
pub(super) fn same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |sum, (left, right)| sum | (left ^ right)) == 0
}

#[cfg(test)]
mod tests {
    use super::{Guard, same};

    fn guard(address: &str, names: &[&str]) -> Guard {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        Guard::new(address.parse().unwrap(), &names, "0123abcd".to_owned())
    }

    #[test]
    fn on_loopback_only_loopback_names_are_ours() {
        let guard = guard("127.0.0.1:4747", &["games.example"]);
        for host in [
            "127.0.0.1:4747",
            "localhost:4747",
            "LOCALHOST:4747",
            "[::1]:4747",
        ] {
            assert!(guard.is_ours(host), "{host}");
        }
        for host in [
            "",
            "localhost",
            "127.0.0.1:80",
            "evil.example:4747",
            "games.example:4747",
            "192.168.0.1:4747",
            "127.0.0.1:x",
            "[::1]",
        ] {
            assert!(!guard.is_ours(host), "{host}");
        }
        assert!(!guard.needs_token());
    }

    #[test]
    fn elsewhere_addresses_and_given_names_are_ours() {
        let guard = guard("0.0.0.0:4747", &["games.example"]);
        for host in [
            "192.168.0.1:4747",
            "games.example",
            "Games.Example:8080",
            "localhost:4747",
        ] {
            assert!(guard.is_ours(host), "{host}");
        }
        for host in ["", "evil.example:4747", "games.example.evil:4747"] {
            assert!(!guard.is_ours(host), "{host}");
        }
        assert!(guard.link().starts_with("http://0.0.0.0:4747/#token="));
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(same("abc", "abc"));
        assert!(!same("abc", "abd") && !same("abc", "ab") && !same("", "a"));
    }
}
