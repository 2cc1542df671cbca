//! The tables there are.
//!
//! A limited number of them is open. Others are put away: they are on disk, as they are after a
//! restart, and go on as soon as they are asked for.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::Site;
use super::keep::{Keep, Left, Line};
use super::person::Person;
use super::refusal::Refusal;
use super::table::{Listed, Order, Table, milliseconds, pace, read_seats, seconds};
use crate::threads::{STACK_BYTES, lock};

/// How long tables may take to write down what was played when the arena closes.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// All tables.
pub(super) struct Tables {
    /// Those at which something can happen.
    all: Mutex<BTreeMap<String, Arc<Table>>>,
    /// Those that are on disk alone.
    away: Mutex<BTreeMap<String, Listed>>,
    /// Held while a table is opened or put away.
    moving: Mutex<()>,
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
    pub(super) ply: usize,
    pub(super) role: usize,
    #[serde(rename = "move")]
    pub(super) text: String,
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

/// What is asked for a role.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfRole {
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
    Resign(OfRole),
    Sit(OfRole),
    Pause,
    Resume,
    Step,
    MoveNow,
    Close,
}

impl Tables {
    /// No tables yet but those that left journals behind.
    pub(super) fn new(keep: &Keep) -> Self {
        let left = keep.tables().into_iter();
        let away = left.filter_map(|id| Some((id.clone(), sleeping(&id, &keep.left(&id).ok()?))));
        Self {
            all: Mutex::default(),
            away: Mutex::new(away.collect()),
            moving: Mutex::default(),
        }
    }

    /// The table with this name; one that was put away goes on.
    pub(super) fn find(&self, site: &Arc<Site>, id: &str) -> Result<Arc<Table>, Refusal> {
        if let Some(table) = self.open_table(id) {
            return Ok(table);
        }
        let _moving = lock(&self.moving);
        if let Some(table) = self.open_table(id) {
            return Ok(table);
        }
        if !lock(&self.away).contains_key(id) {
            return Err(Refusal::missing("there is no such table; it was closed"));
        }
        self.make_room(site)?;
        let left = site.keep.left(id);
        let left = left.map_err(|error| {
            Refusal::unusable(format!("the match at this table cannot be read: {error}"))
        })?;
        let table = Arc::new(Table::restore(site, id.to_owned(), &left)?);
        self.begin(site, &table)?;
        lock(&self.away).remove(id);
        Ok(table)
    }

    fn open_table(&self, id: &str) -> Option<Arc<Table>> {
        lock(&self.all).get(id).cloned()
    }

    /// How many there are at which something can happen.
    pub(super) fn count(&self) -> usize {
        lock(&self.all).len()
    }

    /// All of them, also those that were put away; the latest first.
    pub(super) fn list(&self) -> TableList {
        let open: Vec<Arc<Table>> = lock(&self.all).values().cloned().collect();
        let mut tables: Vec<Listed> = open.iter().map(|table| table.listed()).collect();
        let away = lock(&self.away);
        let others = away.values().filter(|listed| {
            // One that is just being opened is in both.
            !open.iter().any(|table| table.id == listed.id)
        });
        tables.extend(others.cloned());
        tables.sort_by_key(|table| std::cmp::Reverse(table.touched));
        TableList { tables }
    }

    /// Sets a table and lets the match begin. The one person who plays a game that hides things is
    /// the one who asks.
    pub(super) fn open(
        &self,
        site: &Arc<Site>,
        order: &Order,
        person: Option<&Person>,
    ) -> Result<Opened, Refusal> {
        let _moving = lock(&self.moving);
        self.make_room(site)?;
        let random = getrandom::u64().map_err(|error| Refusal::busy(error.to_string()))?;
        let id = format!("{random:016x}");
        let table = Arc::new(Table::new(site, id.clone(), order)?);
        table.sit_alone(person)?;
        self.begin(site, &table)?;
        Ok(Opened { id })
    }

    /// Lets a table play in a thread of its own.
    fn begin(&self, site: &Arc<Site>, table: &Arc<Table>) -> Result<(), Refusal> {
        let id = table.id.clone();
        lock(&self.all).insert(id.clone(), Arc::clone(table));
        let (site, table) = (Arc::clone(site), Arc::clone(table));
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
        Ok(())
    }

    /// Puts tables away until there is room for another: those that ended first, then those where
    /// nothing was done for the longest time. Tables that have visitors stay.
    fn make_room(&self, site: &Site) -> Result<(), Refusal> {
        let most = site.options.limits.tables;
        loop {
            let tables: Vec<Arc<Table>> = lock(&self.all).values().cloned().collect();
            if tables.len() < most {
                return Ok(());
            }
            let idle = tables.iter();
            let idle = idle.filter_map(|table| Some((table.can_be_put_away()?, table)));
            let Some((_, longest)) = idle.min_by_key(|(since, _)| *since) else {
                return Err(Refusal::busy(format!(
                    "all {most} tables have visitors; close one of them first"
                )));
            };
            self.put_away(longest);
        }
    }

    /// Lets a table go on when it is asked for again; until then it is on disk alone.
    fn put_away(&self, table: &Arc<Table>) {
        lock(&self.away).insert(table.id.clone(), table.listed());
        table.put_away();
        self.take_off(table);
    }

    fn take_off(&self, table: &Arc<Table>) {
        let mut all = lock(&self.all);
        if all
            .get(&table.id)
            .is_some_and(|own| Arc::ptr_eq(own, table))
        {
            all.remove(&table.id);
        }
    }

    /// Does what a table is asked for.
    pub(super) fn order(
        &self,
        site: &Arc<Site>,
        id: &str,
        person: Option<&Person>,
        order: TableOrder,
    ) -> Result<Plain, Refusal> {
        let (table, limits) = (self.find(site, id)?, &site.options.limits);
        match order {
            TableOrder::Move(made) => table.make_move(&made, person)?,
            TableOrder::TakeBack(back) => table.take_back(back.to)?,
            TableOrder::Seats(order) => {
                let time = order
                    .seconds
                    .map(|given| seconds(given, limits.search_seconds));
                let seats = read_seats(&table.rules.game, &order.seats, limits)?;
                table.set_seats(seats, time.transpose()?, person)?;
            }
            TableOrder::Pace(order) => table.set_pace(pace(order.pace)?)?,
            TableOrder::Resign(order) => table.resign(order.role, person)?,
            TableOrder::Sit(order) => table.sit(order.role, person)?,
            TableOrder::Pause => table.set_paused(true)?,
            TableOrder::Resume => table.set_paused(false)?,
            TableOrder::Step => table.step()?,
            TableOrder::MoveNow => table.move_now()?,
            TableOrder::Close => table.close(),
        }
        Ok(Plain {})
    }

    /// Puts tables away that were forgotten for this time, and breaks the oldest matches off where
    /// there are too many.
    pub(super) fn look_around(&self, site: &Arc<Site>, after: Duration) {
        let tables: Vec<Arc<Table>> = lock(&self.all).values().cloned().collect();
        for table in tables.iter().filter(|table| table.is_forgotten(after)) {
            let _moving = lock(&self.moving);
            match table.can_be_put_away() {
                Some(_) => self.put_away(table),
                // What is not on disk would be lost.
                None => table.close(),
            }
        }
        for id in self.too_many(site.options.limits.unfinished) {
            // One that cannot be read stays on disk; it is not offered any more.
            if let Ok(table) = self.find(site, &id) {
                table.close();
            }
            lock(&self.away).remove(&id);
        }
    }

    /// The tables put away that are more than this: those that ended first, then the oldest.
    fn too_many(&self, most: usize) -> Vec<String> {
        let away = lock(&self.away);
        let mut all: Vec<&Listed> = away.values().collect();
        all.sort_by_key(|listed| (listed.ended.is_none(), listed.touched));
        let over = all.len().saturating_sub(most);
        all[..over].iter().map(|listed| listed.id.clone()).collect()
    }

    /// Puts all tables away, and waits until matches that ended are written down.
    pub(super) fn close(&self) {
        let until = Instant::now() + LAST_WORDS;
        let is_being_written = |table: &Arc<Table>| !table.is_written();
        while lock(&self.all).values().any(is_being_written) && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
        let tables: Vec<Arc<Table>> = lock(&self.all).values().cloned().collect();
        for table in &tables {
            match table.is_kept() {
                true => table.put_away(),
                false => table.close(),
            }
        }
        while self.count() > 0 && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
    }
}

/// A table that was put away, as the list tells of it.
fn sleeping(id: &str, left: &Left) -> Listed {
    let order = &left.opening.order;
    let mut listed = Listed {
        id: id.to_owned(),
        game: order.game.clone(),
        title: left.opening.title.clone(),
        seats: order.seats.clone(),
        ply: order.from.len(),
        ended: None,
        paused: order.paused,
        viewers: 0,
        touched: milliseconds(left.touched),
    };
    for line in &left.lines {
        match line {
            Line::Open(_) | Line::Recorded(_) | Line::Sat { .. } => {}
            Line::Made(made) => {
                listed.ply += 1;
                listed.ended.clone_from(&made.ended);
            }
            Line::Back(to) => (listed.ply, listed.ended) = (*to, None),
            Line::Seats { seats, .. } => listed.seats.clone_from(seats),
            Line::Pace { paused, .. } => listed.paused = *paused,
            Line::Ended(why) => listed.ended = Some(why.clone()),
        }
    }
    listed
}

/// Takes a table off the list when its thread ends, however it ends.
struct Leaving<'a> {
    site: &'a Site,
    table: &'a Arc<Table>,
}

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.site.tables.take_off(self.table);
    }
}
