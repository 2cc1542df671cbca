//! The tables on the server.

use postgres::Client;

/// What this program writes; a database of another version is refused.
pub(super) const VERSION: i32 = 1;

/// Any number will do, as long as all programs that make the tables lock the same one.
const LOCK: i64 = 0x0070_6169_6469_6131;

/// A schema of our own, so that the database may have other tables. Texts of JSON are texts and no
/// `jsonb`, which would not give them back as they were and cannot hold all that a text of JSON
/// can.
const SCHEMA: &str = "
CREATE SCHEMA IF NOT EXISTS paidia;
CREATE TABLE paidia.version (number INTEGER NOT NULL);
CREATE TABLE paidia.tournament (
    name TEXT PRIMARY KEY,
    definition TEXT NOT NULL,
    revision BIGINT NOT NULL DEFAULT 1,
    begun TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE TABLE paidia.task (
    tournament TEXT NOT NULL REFERENCES paidia.tournament,
    setup TEXT NOT NULL,
    place BIGINT,
    worker TEXT,
    lease TIMESTAMPTZ,
    outcome TEXT,
    PRIMARY KEY (tournament, setup)
);
CREATE INDEX task_open ON paidia.task (tournament, place) WHERE outcome IS NULL;
CREATE TABLE paidia.match (
    id TEXT PRIMARY KEY,
    tournament TEXT NOT NULL,
    started BIGINT NOT NULL,
    row TEXT NOT NULL,
    record TEXT NOT NULL
);
CREATE INDEX match_started ON paidia.match (started);
";

/// Makes the tables if there are none; the version of those there are.
pub(super) fn prepare(client: &mut Client) -> Result<i32, postgres::Error> {
    let mut transaction = client.transaction()?;
    // Two programs may come to an empty database at the same time.
    transaction.execute("SELECT pg_advisory_xact_lock($1)", &[&LOCK])?;
    let there = transaction.query_one("SELECT to_regclass('paidia.version') IS NOT NULL", &[])?;
    if !there.try_get(0)? {
        transaction.batch_execute(SCHEMA)?;
        let version = "INSERT INTO paidia.version (number) VALUES ($1)";
        transaction.execute(version, &[&VERSION])?;
    }
    let version = transaction.query_one("SELECT max(number) FROM paidia.version", &[])?;
    let version = version.try_get::<_, Option<i32>>(0)?.unwrap_or(0);
    transaction.commit()?;
    Ok(version)
}
