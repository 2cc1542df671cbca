//! What a player makes of the messages about a match that hides nothing: the match itself.
//!
//! Messages tell every update with moves and its time; updates without moves follow from the
//! lifetimes. A message that comes late, or after a later one, is put where it belongs: the match
//! is gone back to the moment before it and played again from there.

use paidia_game::{Chance, RoleId, Ticks, TimedGame};

use crate::table::{Arrival, RandomDraws, Table};

/// The most messages that are kept.
const MOST_MESSAGES: usize = 1_000_000;

/// Moves that a message told.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    time: Ticks,
    moves: Vec<(RoleId, String)>,
}

/// A match as a player knows it.
pub struct Mirror<G: TimedGame> {
    /// The match, played on from the last message to the last moment that was asked for.
    table: Table<G>,
    log: Vec<Told>,
    /// The state and its time after each message, the first before all.
    known: Vec<(Ticks, G::State)>,
    /// What a match without chance never draws.
    draws: RandomDraws,
    /// How often the match was gone back.
    returns: u64,
}

impl<G: TimedGame> Mirror<G> {
    /// A match at its beginning.
    pub fn new(game: &G) -> Self {
        Self {
            table: Table::at(game, &game.initial(), Ticks::ZERO, None),
            log: Vec::new(),
            known: vec![(Ticks::ZERO, game.initial())],
            draws: RandomDraws(Chance::from_seed(0)),
            returns: 0,
        }
    }

    /// The match at a moment; what is due at that moment has happened.
    pub fn at(&mut self, now: Ticks) -> &mut Table<G> {
        if now < self.table.now() {
            self.go_back(self.log.len());
        }
        self.table
            .run_before(now + Ticks(1), &mut self.draws, &mut ());
        &mut self.table
    }

    /// The match, as far as it was played.
    pub fn table(&mut self) -> &mut Table<G> {
        &mut self.table
    }

    /// Learns of moves that were made at a time. A message that came twice counts once.
    pub fn told(&mut self, time: Ticks, moves: Vec<(RoleId, String)>) {
        let told = Told { time, moves };
        let place = self.log.partition_point(|other| other.time <= time);
        let start = self.log.partition_point(|other| other.time < time);
        if self.log[start..place].contains(&told) || self.log.len() >= MOST_MESSAGES {
            return;
        }
        if place < self.log.len() || time <= self.table.now() {
            self.go_back(place);
        }
        self.known.truncate(place + 1);
        self.log.insert(place, told);
        for number in place..self.log.len() {
            self.play(number);
        }
    }

    /// How often the match had to be gone back.
    pub fn returns(&self) -> u64 {
        self.returns
    }

    /// Stands after a number of messages.
    fn go_back(&mut self, messages: usize) {
        self.returns += 1;
        let (time, state) = &self.known[messages];
        self.table.enter(state, *time, None);
    }

    /// Plays what a message told.
    fn play(&mut self, number: usize) {
        let Told { time, moves } = &self.log[number];
        let arrivals = moves.iter().map(|(role, text)| Arrival {
            role: *role,
            text: text.clone(),
        });
        let arrivals: Vec<Arrival> = arrivals.collect();
        self.table.run_before(*time, &mut self.draws, &mut ());
        self.table
            .instant(*time, arrivals, &mut self.draws, &mut ());
        let mut state = self.table.game().initial();
        paidia_game::TimedWalker::save(self.table.walker(), &mut state);
        self.known.push((self.table.now(), state));
    }
}
