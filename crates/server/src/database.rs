//! Tournaments that several machines play: the work list and the records in PostgreSQL.
//!
//! A [`SharedDatabase`] is a connection. The process that has the tournament's file begins it: it
//! writes the list of matches together with a [`Definition`], which is everything that other
//! machines need to play them. A worker asks which tournaments have free matches and joins one.
//! Both get a [`SharedList`], from which each match is claimed by one process (`FOR UPDATE SKIP
//! LOCKED`) under a lease that is renewed while the match is played; once the lease has expired,
//! others can claim the match. The first result of a match counts; later ones change nothing. All
//! times are the server's, so that no two clocks need to agree.
//!
//! What is sent is not encrypted: use a private network or SSH.

mod address;
mod connection;
mod definition;
mod list;
mod schema;

pub use definition::{Definition, GameDefinition};
pub use list::SharedList;

use std::collections::BTreeMap;
use std::time::Duration;

use paidia_arena::contest::Outcome;
use paidia_arena::record::MatchRecord;
use paidia_arena::store::{Archive, MatchRow, StoreError, from_text, outcomes_in_order, to_text};
use postgres::{Client, Transaction};

use connection::Connection;

/// A database on a server.
pub struct SharedDatabase {
    connection: Connection,
}

/// A tournament that has matches to be played.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OpenTournament {
    /// Its name.
    pub name: String,
    /// Which of its contents: it is begun anew when its file changes.
    pub revision: i64,
    /// Whether a match is free; else all that are left are being played.
    pub free: bool,
}

impl SharedDatabase {
    /// Connects to a server, such as `postgres://user:password@host/database`, and makes the tables
    /// if there are none. Where the address has no password, the variable `PGPASSWORD` is used.
    ///
    /// # Errors
    /// If the address makes no sense, the server cannot be reached or refuses, or the tables are of
    /// another version. No message has the password.
    pub fn open(address: &str) -> Result<Self, StoreError> {
        let connection = Connection::open(address::read(address)?)?;
        let version = connection.with(schema::prepare)?;
        if version != schema::VERSION {
            let known = schema::VERSION;
            return Err(StoreError::Foreign {
                place: connection.place().to_owned(),
                what: format!("version {version}"),
                reason: format!("this program knows version {known}"),
            });
        }
        Ok(Self { connection })
    }

    /// Begins a tournament, or goes on with it. Its list becomes `setups` (fingerprints, in the
    /// order of play): new ones are added, what is finished stays finished, what is being played
    /// stays so, and others are put aside, to be found if they come back.
    ///
    /// # Errors
    /// If the server fails.
    pub fn begin(
        &self,
        definition: &Definition,
        setups: &[String],
    ) -> Result<SharedList<'_>, StoreError> {
        let text = to_text(self.place(), "a tournament", definition)?;
        let revision = self.connection.with(|client| {
            let mut transaction = client.transaction()?;
            let revision = define(&mut transaction, &definition.name, &text)?;
            enlist(&mut transaction, &definition.name, setups)?;
            transaction.commit()?;
            Ok(revision)
        })?;
        Ok(self.list(definition, revision))
    }

    /// The tournaments that are not finished, the oldest first.
    ///
    /// # Errors
    /// If the server fails.
    pub fn open_tournaments(&self) -> Result<Vec<OpenTournament>, StoreError> {
        self.connection.with(|client| {
            let rows = client.query(
                "SELECT name, revision, bool_or(lease IS NULL OR lease < now()) AS free
                 FROM paidia.tournament JOIN paidia.task ON tournament = name
                 WHERE place IS NOT NULL AND outcome IS NULL
                 GROUP BY name ORDER BY begun, name",
                &[],
            )?;
            let open = rows.iter().map(|row| {
                Ok(OpenTournament {
                    name: row.try_get(0)?,
                    revision: row.try_get(1)?,
                    free: row.try_get(2)?,
                })
            });
            open.collect()
        })
    }

    /// Everything about a tournament, and its list; `None` if there is none of this name.
    ///
    /// # Errors
    /// If the server fails, or another program wrote the tournament.
    pub fn join(&self, name: &str) -> Result<Option<(Definition, SharedList<'_>)>, StoreError> {
        let found = self.connection.with(|client| {
            let row = client.query_opt(
                "SELECT definition, revision FROM paidia.tournament WHERE name = $1",
                &[&name],
            )?;
            row.map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
                .transpose()
        })?;
        let Some((text, revision)): Option<(String, i64)> = found else {
            return Ok(None);
        };
        let definition: Definition = from_text(self.place(), "a tournament", &text)?;
        let list = self.list(&definition, revision);
        Ok(Some((definition, list)))
    }

    fn list(&self, definition: &Definition, revision: i64) -> SharedList<'_> {
        let lease = Duration::from_secs(definition.lease.into());
        SharedList::new(&self.connection, &definition.name, revision, lease)
    }

    fn place(&self) -> &str {
        self.connection.place()
    }
}

impl Archive for SharedDatabase {
    fn matches(&self, id: Option<&str>) -> Result<Vec<MatchRow>, StoreError> {
        let texts: Vec<String> = self.connection.with(|client| {
            let rows = client.query(
                "SELECT row FROM paidia.match WHERE $1::text IS NULL OR id = $1 ORDER BY started DESC, id",
                &[&id],
            )?;
            rows.iter().map(|row| row.try_get(0)).collect()
        })?;
        let rows = texts
            .iter()
            .map(|text| from_text(self.place(), "a match", text));
        rows.collect()
    }

    fn record(&self, row: &MatchRow) -> Result<MatchRecord, StoreError> {
        let text: String = self.connection.with(|client: &mut Client| {
            let statement = "SELECT record FROM paidia.match WHERE id = $1";
            client.query_one(statement, &[&row.id])?.try_get(0)
        })?;
        MatchRecord::parse(text.as_bytes()).map_err(|reason| StoreError::Record {
            id: row.id.clone(),
            reason,
        })
    }

    fn outcomes(&self, tournament: &str, setups: &[String]) -> Result<Vec<Outcome>, StoreError> {
        let texts: BTreeMap<String, String> = self.connection.with(|client| {
            let rows = client.query(
                "SELECT setup, outcome FROM paidia.task WHERE tournament = $1 AND outcome IS NOT NULL",
                &[&tournament],
            )?;
            let pairs = rows.iter();
            pairs
                .map(|row| Ok((row.try_get(0)?, row.try_get(1)?)))
                .collect()
        })?;
        outcomes_in_order(self.place(), &texts, setups)
    }
}

/// Writes the content of a tournament and returns its revision. Until the transaction ends, no
/// other process can begin it.
fn define(
    transaction: &mut Transaction<'_>,
    name: &str,
    definition: &str,
) -> Result<i64, postgres::Error> {
    let row = transaction.query_one(
        "INSERT INTO paidia.tournament AS known (name, definition) VALUES ($1, $2)
         ON CONFLICT (name) DO UPDATE SET
             revision = known.revision + (known.definition <> excluded.definition)::int,
             definition = excluded.definition
         RETURNING revision",
        &[&name, &definition],
    )?;
    row.try_get(0)
}

/// Makes the list of a tournament these matches.
fn enlist(
    transaction: &mut Transaction<'_>,
    tournament: &str,
    setups: &[String],
) -> Result<(), postgres::Error> {
    transaction.execute(
        "UPDATE paidia.task SET place = NULL WHERE tournament = $1",
        &[&tournament],
    )?;
    transaction.execute(
        "INSERT INTO paidia.task (tournament, setup, place)
         SELECT $1, setup, place FROM unnest($2::text[]) WITH ORDINALITY AS list (setup, place)
         ON CONFLICT (tournament, setup) DO UPDATE SET place = excluded.place",
        &[&tournament, &setups],
    )?;
    Ok(())
}
