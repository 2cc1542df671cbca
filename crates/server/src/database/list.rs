//! The work list of a tournament, shared by machines.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use paidia_arena::contest::Outcome;
use paidia_arena::record::MatchRecord;
use paidia_arena::store::{MatchRow, StoreError, WorkList, to_text};

use super::connection::Connection;

/// The matches of a tournament that this process plays together with others.
pub struct SharedList<'a> {
    connection: &'a Connection,
    tournament: String,
    /// Which content of the tournament this process knows.
    revision: i64,
    lease: Duration,
    /// The name of this process, under which it claims matches.
    worker: String,
}

impl<'a> SharedList<'a> {
    pub(super) fn new(
        connection: &'a Connection,
        tournament: &str,
        revision: i64,
        lease: Duration,
    ) -> Self {
        Self {
            connection,
            tournament: tournament.to_owned(),
            revision,
            lease,
            worker: worker(),
        }
    }

    /// Which content of the tournament this list is of.
    pub fn revision(&self) -> i64 {
        self.revision
    }

    fn place(&self) -> &str {
        self.connection.place()
    }
}

impl WorkList for SharedList<'_> {
    fn claim(&self) -> Result<Option<String>, StoreError> {
        // Rows that others are claiming at this moment are locked, and skipped. A claim whose
        // answer got lost expires, since it is not renewed.
        self.connection.with(|client| {
            let row = client.query_opt(
                "UPDATE paidia.task SET worker = $3, lease = now() + make_interval(secs => $4)
                 WHERE tournament = $1 AND setup = (
                     SELECT setup FROM paidia.task
                     WHERE tournament = $1 AND place IS NOT NULL AND outcome IS NULL
                         AND (lease IS NULL OR lease < now())
                         AND EXISTS (SELECT FROM paidia.tournament WHERE name = $1 AND revision = $2)
                     ORDER BY place LIMIT 1 FOR UPDATE OF task SKIP LOCKED)
                 RETURNING setup",
                &[
                    &self.tournament,
                    &self.revision,
                    &self.worker,
                    &self.lease.as_secs_f64(),
                ],
            )?;
            row.map(|row| row.try_get(0)).transpose()
        })
    }

    fn renewal(&self) -> Option<Duration> {
        // Two renewals may come late before the lease runs out.
        Some(self.lease / 3)
    }

    fn renew(&self, setups: &[String]) -> Result<(), StoreError> {
        // Only claims that no other process has taken meanwhile.
        self.connection.with(|client| {
            client.execute(
                "UPDATE paidia.task SET lease = now() + make_interval(secs => $4)
                 WHERE tournament = $1 AND setup = ANY ($2) AND worker = $3 AND outcome IS NULL",
                &[
                    &self.tournament,
                    &setups,
                    &self.worker,
                    &self.lease.as_secs_f64(),
                ],
            )?;
            Ok(())
        })
    }

    fn finish(&self, outcome: &Outcome, record: Option<&MatchRecord>) -> Result<(), StoreError> {
        let text = to_text(self.place(), "an outcome", outcome)?;
        let record = record.map(|record| self.texts(record)).transpose()?;
        self.connection.with(|client| {
            let mut transaction = client.transaction()?;
            let finished = transaction.execute(
                "UPDATE paidia.task SET outcome = $3, lease = NULL
                 WHERE tournament = $1 AND setup = $2 AND outcome IS NULL",
                &[&self.tournament, &outcome.setup, &text],
            )?;
            if let (1, Some((row, row_text, record))) = (finished, &record) {
                transaction.execute(
                    "INSERT INTO paidia.match (id, tournament, started, row, record) VALUES ($1, $2, $3, $4, $5)
                     ON CONFLICT (id) DO UPDATE SET
                         started = excluded.started, row = excluded.row, record = excluded.record",
                    &[&row.id, &self.tournament, &row.started, row_text, record],
                )?;
            }
            transaction.commit()
        })
    }

    fn left(&self) -> Result<usize, StoreError> {
        let left: Option<i64> = self.connection.with(|client| {
            let row = client.query_opt(
                "SELECT (SELECT count(*) FROM paidia.task
                         WHERE tournament = name AND place IS NOT NULL AND outcome IS NULL)
                 FROM paidia.tournament WHERE name = $1 AND revision = $2",
                &[&self.tournament, &self.revision],
            )?;
            row.map(|row| row.try_get(0)).transpose()
        })?;
        let left = left.ok_or_else(|| StoreError::Changed(self.tournament.clone()))?;
        Ok(left as usize)
    }
}

impl SharedList<'_> {
    /// The row of a record, the text of the row, and that of the record.
    fn texts(&self, record: &MatchRecord) -> Result<(MatchRow, String, String), StoreError> {
        let row = MatchRow::new(record, "");
        let row_text = to_text(self.place(), "a match", &row)?;
        let record = to_text(self.place(), "a record", record)?;
        Ok((row, row_text, record))
    }
}

/// A name that no other process has: host name and process number for people who read the table,
/// and the time, since two machines can have both in common.
fn worker() -> String {
    let machine = std::fs::read_to_string("/etc/hostname").unwrap_or_default();
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let time = since.map_or(0, |since| since.as_nanos());
    format!("{} {} {time:x}", machine.trim(), std::process::id())
}
