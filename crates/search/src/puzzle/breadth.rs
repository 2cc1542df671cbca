//! Breadth first: every state that was met is kept, and compared with whatever has the same hash.

use std::collections::hash_map::Entry;

use paidia_game::{Game, MoveId, Walker};
use rustc_hash::FxHashMap;

use super::ground::{Ground, Progress};
use crate::budget::{Meter, StopReason};

/// What is taken for the memory of a state beyond its own size if the engine does not know how many
/// fluents there are.
const UNKNOWN_STATE: usize = 1 << 10;

/// States in one piece of memory; pieces never move, so that growing needs no second copy.
const PIECE: usize = 1 << 12;

/// A search that goes through all states in the order of their distance.
pub(super) struct Breadth<State> {
    pieces: Vec<Vec<Met<State>>>,
    /// Numbers of states by hash. States with the same hash are at the hash values that follow it.
    index: FxHashMap<u64, u32>,
    /// The first state whose moves were not all made.
    next: usize,
    memory: usize,
    state_bytes: usize,
    moves: Vec<MoveId>,
}

/// A state that was met.
struct Met<State> {
    state: State,
    /// Where it was reached from, and by which move; the start is reached from itself.
    from: u32,
    by: MoveId,
    terminal: bool,
}

/// Whether a state is new.
enum Found {
    New,
    Known,
    NoRoom,
}

impl<State: Clone + Eq> Breadth<State> {
    pub(super) fn new<G: Game<State = State>>(game: &G, start: &State, memory: usize) -> Self {
        let heap = game
            .facts()
            .fluents
            .map_or(UNKNOWN_STATE, |fluents| fluents / 8 + 32);
        let mut search = Self {
            pieces: Vec::new(),
            index: FxHashMap::default(),
            next: 0,
            memory,
            state_bytes: size_of::<Met<State>>() + heap,
            moves: Vec::new(),
        };
        let mut walker = game.walker();
        walker.jump(start);
        search.index.insert(walker.hash64(), 0);
        search.push(Met {
            state: start.clone(),
            from: 0,
            by: MoveId::CHANCE,
            terminal: walker.is_terminal(),
        });
        search
    }

    pub(super) fn go_on<G: Game<State = State>>(
        &mut self,
        ground: &mut Ground<G>,
        meter: &mut Meter,
    ) -> Progress {
        let mut child = ground.start.clone();
        while self.next < self.len() {
            // A state is begun anew after a stop; its first children are then known already.
            if let Some(progress) = self.expand(ground, meter, &mut child) {
                return progress;
            }
            self.next += 1;
        }
        Progress::Perfect
    }

    /// Makes all moves of the next state; why to stop, if there is a reason.
    fn expand<G: Game<State = State>>(
        &mut self,
        ground: &mut Ground<G>,
        meter: &mut Meter,
        child: &mut State,
    ) -> Option<Progress> {
        if self.met(self.next).terminal {
            return None;
        }
        let mut moves = std::mem::take(&mut self.moves);
        ground.walker.jump(&self.met(self.next).state);
        ground.moves(&mut moves);
        let mut reason = None;
        for (place, &id) in moves.iter().enumerate() {
            reason = ground.over(meter);
            if reason.is_some() {
                break;
            }
            if place > 0 {
                ground.walker.jump(&self.met(self.next).state);
            }
            if !ground.advance(id, meter) {
                reason = Some(Progress::Stopped(StopReason::Fault));
                break;
            }
            reason = self.meet(ground, id, child);
            if reason.is_some() {
                break;
            }
        }
        self.moves = moves;
        reason
    }

    /// Takes note of the state where the walker stands; why to stop, if there is a reason.
    fn meet<G: Game<State = State>>(
        &mut self,
        ground: &mut Ground<G>,
        by: MoveId,
        child: &mut State,
    ) -> Option<Progress> {
        ground.walker.save(child);
        match self.find(ground.walker.hash64(), child) {
            Found::Known => None,
            Found::NoRoom => Some(Progress::Full),
            Found::New => {
                let terminal = ground.walker.is_terminal();
                self.push(Met {
                    state: child.clone(),
                    from: self.next as u32,
                    by,
                    terminal,
                });
                let last = self.len() - 1;
                (terminal && ground.note(|| self.way_to(last))).then_some(Progress::Perfect)
            }
        }
    }

    /// Looks for a state, and reserves the next number for it if it is new.
    fn find(&mut self, hash: u64, state: &State) -> Found {
        let mut place = hash;
        while let Some(&number) = self.index.get(&place) {
            if self.met(number as usize).state == *state {
                return Found::Known;
            }
            place = place.wrapping_add(1);
        }
        if !self.has_room() {
            return Found::NoRoom;
        }
        let number = self.len() as u32;
        if let Entry::Vacant(entry) = self.index.entry(place) {
            entry.insert(number);
        }
        Found::New
    }

    /// Whether one more state keeps within the memory. While the index grows, the old one and one
    /// of twice the size are there.
    fn has_room(&self) -> bool {
        let growing = self.index.len() == self.index.capacity();
        let more = if growing { 2 * self.index_bytes() } else { 0 };
        let piece = if self.len().is_multiple_of(PIECE) {
            PIECE * self.state_bytes
        } else {
            0
        };
        self.memory() + more + piece <= self.memory && self.len() < u32::MAX as usize
    }

    fn index_bytes(&self) -> usize {
        // The standard table is at most seven eighths full and has a byte of its own for each
        // place.
        self.index.capacity() * (size_of::<(u64, u32)>() + 1) * 8 / 7
    }

    /// Bytes taken, by the estimate of what a state takes.
    pub(super) fn memory(&self) -> usize {
        self.pieces.len() * PIECE * self.state_bytes + self.index_bytes()
    }

    fn len(&self) -> usize {
        let last = self.pieces.last().map_or(0, Vec::len);
        self.pieces.len().saturating_sub(1) * PIECE + last
    }

    fn met(&self, number: usize) -> &Met<State> {
        &self.pieces[number / PIECE][number % PIECE]
    }

    fn push(&mut self, met: Met<State>) {
        match self.pieces.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(met),
            _ => {
                let mut piece = Vec::with_capacity(PIECE);
                piece.push(met);
                self.pieces.push(piece);
            }
        }
    }

    fn way_to(&self, number: usize) -> Vec<MoveId> {
        let mut moves = Vec::new();
        let mut place = number;
        while place != 0 {
            let met = self.met(place);
            moves.push(met.by);
            place = met.from as usize;
        }
        moves.reverse();
        moves
    }
}
