//! A connection that is made anew when it breaks.

use std::error::Error;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use paidia_arena::store::StoreError;
use postgres::error::SqlState;
use postgres::{Client, Config, NoTls};

use super::address::described;

/// How long a server may be away before we give up, and how long to wait before it is tried again.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(500);

/// A transaction whose machine froze blocks others for no longer than this.
const SETTINGS: &str = "SET idle_in_transaction_session_timeout = '30s'";

/// A connection to a server; threads take turns.
pub(super) struct Connection {
    config: Config,
    place: String,
    client: Mutex<Client>,
}

impl Connection {
    pub(super) fn open(config: Config) -> Result<Self, StoreError> {
        let place = described(&config);
        let client = connect(&config).map_err(|error| failed(&place, &error))?;
        Ok(Self {
            config,
            place,
            client: Mutex::new(client),
        })
    }

    /// The server, for messages.
    pub(super) fn place(&self) -> &str {
        &self.place
    }

    /// Does some work, once more if the connection breaks meanwhile. So the work must do no harm
    /// when it is done twice: a server that fell silent may have done it.
    pub(super) fn with<T>(
        &self,
        mut work: impl FnMut(&mut Client) -> Result<T, postgres::Error>,
    ) -> Result<T, StoreError> {
        // What was open when a thread panicked was rolled back.
        let mut client = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        let begun = Instant::now();
        loop {
            let reason = match work(&mut client) {
                Ok(done) => return Ok(done),
                Err(reason) => reason,
            };
            if !is_broken(&client, &reason) || begun.elapsed() > PATIENCE {
                return Err(failed(&self.place, &reason));
            }
            std::thread::sleep(PAUSE);
            if let Ok(new) = connect(&self.config) {
                *client = new;
            }
        }
    }
}

fn connect(config: &Config) -> Result<Client, postgres::Error> {
    let mut client = config.connect(NoTls)?;
    client.batch_execute(SETTINGS)?;
    Ok(client)
}

/// Whether the connection is of no more use: it is closed, or the server says that it will be.
fn is_broken(client: &Client, reason: &postgres::Error) -> bool {
    let ends = [
        SqlState::ADMIN_SHUTDOWN,
        SqlState::CRASH_SHUTDOWN,
        SqlState::CANNOT_CONNECT_NOW,
    ];
    client.is_closed() || reason.code().is_some_and(|code| ends.contains(code))
}

fn failed(place: &str, error: &postgres::Error) -> StoreError {
    // The library tells what happened and why one by one.
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    let causes: String = causes.map(|cause| format!(": {cause}")).collect();
    StoreError::Database {
        place: place.to_owned(),
        reason: format!("{error}{causes}").into(),
    }
}
