//! The tables there are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::Site;
use super::refusal::Refusal;
use super::table::{Listed, Order, Table, pace, read_seats, seconds};
use crate::threads::{STACK_BYTES, lock};

/// How long tables may take to write down what was played when the arena closes.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// All tables.
#[derive(Default)]
pub(super) struct Tables {
    all: Mutex<BTreeMap<String, Arc<Table>>>,
}

#[derive(Serialize)]
pub(super) struct Opened {
    id: String,
}

#[derive(Serialize)]
pub(super) struct TableList {
    tables: Vec<Listed>,
}

/// A move of a person.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveOrder {
    ply: usize,
    role: usize,
    #[serde(rename = "move")]
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TakeBack {
    to: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SeatsOrder {
    seats: Vec<Option<String>>,
    seconds: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PaceOrder {
    pace: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Resignation {
    role: usize,
}

/// What is asked of a table, or answered, without more words.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Plain {}

/// What a table is asked to do.
pub(super) enum TableOrder {
    Move(MoveOrder),
    TakeBack(TakeBack),
    Seats(SeatsOrder),
    Pace(PaceOrder),
    Resign(Resignation),
    Pause,
    Resume,
    Step,
    Close,
}

impl Tables {
    /// The table with this name.
    pub(super) fn find(&self, id: &str) -> Result<Arc<Table>, Refusal> {
        let table = lock(&self.all).get(id).cloned();
        table.ok_or_else(|| {
            Refusal::missing(
                "there is no such table; it may have been closed after a time without visitors",
            )
        })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        lock(&self.all).len()
    }

    /// All of them.
    pub(super) fn list(&self) -> TableList {
        let tables: Vec<Arc<Table>> = lock(&self.all).values().cloned().collect();
        TableList {
            tables: tables.iter().map(|table| table.listed()).collect(),
        }
    }

    /// Sets a table and lets the match begin.
    pub(super) fn open(&self, site: &Arc<Site>, order: &Order) -> Result<Opened, Refusal> {
        let most = site.options.limits.tables;
        let full = || Refusal::busy(format!("all {most} tables are taken; close one first"));
        if self.count() >= most {
            return Err(full());
        }
        let random = getrandom::u64().map_err(|error| Refusal::busy(error.to_string()))?;
        let id = format!("{random:016x}");
        let table = Arc::new(Table::new(site, id.clone(), order)?);
        {
            let mut all = lock(&self.all);
            if all.len() >= most {
                return Err(full());
            }
            all.insert(id.clone(), Arc::clone(&table));
        }
        let site = Arc::clone(site);
        let play = move || {
            let leaving = Leaving {
                site: &site,
                table: &table,
            };
            table.run(&site);
            drop(leaving);
        };
        let builder = thread::Builder::new().name("table".to_owned());
        if builder.stack_size(STACK_BYTES).spawn(play).is_err() {
            lock(&self.all).remove(&id);
            return Err(Refusal::busy("there is no thread for another table"));
        }
        Ok(Opened { id })
    }

    /// Does what a table is asked for.
    pub(super) fn order(&self, site: &Site, id: &str, order: TableOrder) -> Result<Plain, Refusal> {
        let (table, limits) = (self.find(id)?, &site.options.limits);
        match order {
            TableOrder::Move(made) => table.make_move(made.ply, made.role, &made.text)?,
            TableOrder::TakeBack(back) => table.take_back(back.to)?,
            TableOrder::Seats(order) => {
                let time = order
                    .seconds
                    .map(|given| seconds(given, limits.search_seconds));
                let seats = read_seats(&table.rules.game, &order.seats, limits)?;
                table.set_seats(seats, time.transpose()?)?;
            }
            TableOrder::Pace(order) => table.set_pace(pace(order.pace)?)?,
            TableOrder::Resign(order) => table.resign(order.role)?,
            TableOrder::Pause => table.set_paused(true)?,
            TableOrder::Resume => table.set_paused(false)?,
            TableOrder::Step => table.step()?,
            TableOrder::Close => table.close(),
        }
        Ok(Plain {})
    }

    /// Closes tables that were forgotten for this time.
    pub(super) fn look_around(&self, after: Duration) {
        let tables: Vec<Arc<Table>> = lock(&self.all).values().cloned().collect();
        for table in tables.iter().filter(|table| table.is_forgotten(after)) {
            table.close();
        }
    }

    /// Closes all tables, and waits until what was played there is written down.
    pub(super) fn close(&self) {
        let tables: Vec<Arc<Table>> = lock(&self.all).values().cloned().collect();
        tables.iter().for_each(|table| table.close());
        let until = Instant::now() + LAST_WORDS;
        while self.count() > 0 && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Takes a table off the list when its thread ends, however it ends.
struct Leaving<'a> {
    site: &'a Site,
    table: &'a Table,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        lock(&self.site.tables.all).remove(&self.table.id);
    }
}
