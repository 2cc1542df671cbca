//! Addresses of database servers, read so that no message tells a password.

use std::time::Duration;

use paidia_arena::store::StoreError;
use postgres::Config;
use postgres::config::Host;

/// How long a connection may take to be made, and how long nothing may be heard of a server that
/// was asked.
const PATIENCE: Duration = Duration::from_secs(20);

/// Reads an address, in either of PostgreSQL's two forms.
pub(super) fn read(address: &str) -> Result<Config, StoreError> {
    // Only what is wrong, not why: that would quote parts of the address.
    let mut config: Config = address
        .parse()
        .map_err(|reason: postgres::Error| bad(&reason.to_string()))?;
    if described(&config).contains('@') {
        return Err(bad("an `@` in a name or a password must be written as %40"));
    }
    if config.get_hosts().is_empty() {
        return Err(bad("it names no host"));
    }
    if let (None, Ok(password)) = (config.get_password(), std::env::var("PGPASSWORD")) {
        config.password(password);
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(PATIENCE);
    }
    config.tcp_user_timeout(PATIENCE);
    config.keepalives_idle(PATIENCE);
    config.application_name("paidia");
    Ok(config)
}

fn bad(reason: &str) -> StoreError {
    StoreError::Database {
        place: "the address of the database".to_owned(),
        reason: format!("{reason}; write it as postgres://user:password@host:port/database").into(),
    }
}

/// The server and the database, without user and password.
pub(super) fn described(config: &Config) -> String {
    let host = |host: &Host| match host {
        Host::Tcp(name) => name.clone(),
        Host::Unix(path) => path.display().to_string(),
    };
    let hosts: Vec<String> = config.get_hosts().iter().map(host).collect();
    let ports: Vec<String> = config.get_ports().iter().map(u16::to_string).collect();
    let mut text = format!("the database at {}", hosts.join(","));
    if !ports.is_empty() {
        text += &format!(":{}", ports.join(","));
    }
    if let Some(name) = config.get_dbname() {
        text += &format!("/{name}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{described, read};

    #[test]
    fn a_server_is_described_without_secrets() {
        let config = read("postgres://me:secret@example.org:5433/games").unwrap();
        assert_eq!(described(&config), "the database at example.org:5433/games");
        let config = read("host=/run/postgresql user=me password=secret").unwrap();
        assert_eq!(described(&config), "the database at /run/postgresql");
    }

    #[test]
    fn what_is_no_address_is_refused_and_not_repeated() {
        for address in [
            "",
            "secret",
            "postgres://",
            "postgres://me:secret@",
            "postgres://me:se@cret@host/db",
            "postgres://me:secret@host:no/db",
            "postgres://me:secret@host/db?secret=1&x",
            "mysql://me:secret@host/db",
            "host=h password='secret",
        ] {
            let message = read(address).unwrap_err().to_string();
            assert!(
                message.contains("postgres://user:password@host"),
                "{message}"
            );
            assert!(!message.contains("cret"), "{message}");
        }
    }
}
