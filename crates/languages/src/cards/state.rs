//! Positions of card games as values.

use super::card::{CARDS, Card, CardSet};
use super::limits::{MAX_PLAYERS, MAX_TABLES};

/// What a player still takes part in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) enum Status {
    /// The stage.
    #[default]
    In,
    /// The game, but not this stage any more.
    Done,
    /// Nothing.
    Out,
}

/// The parts of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Phase {
    /// The dealer acts.
    #[default]
    Computer,
    /// Players do what they must.
    Mandatory,
    /// Players do what they may.
    Optional,
}

impl Phase {
    pub(super) const ALL: [Phase; 3] = [Phase::Computer, Phase::Mandatory, Phase::Optional];

    /// The word in fluents.
    pub(super) fn word(self) -> &'static str {
        match self {
            Phase::Computer => "computer",
            Phase::Mandatory => "mandatory",
            Phase::Optional => "optional",
        }
    }
}

/// Where cards go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Target {
    Hand(u8),
    Table(u8),
}

/// Cards that are being drawn from the deck, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Dealing {
    pub(super) to: Target,
    pub(super) left: u8,
    /// Whether all players see them.
    pub(super) up: bool,
}

/// A position as a value. The deck has no order: a card is drawn when it is needed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct CardState {
    pub(super) deck: CardSet,
    pub(super) hands: [CardSet; MAX_PLAYERS as usize],
    pub(super) tables: [CardSet; MAX_TABLES as usize],
    /// For a card on a table, which it is from below, from 1.
    pub(super) heights: [u8; CARDS],
    pub(super) private: [u16; MAX_PLAYERS as usize],
    pub(super) bets: [u16; MAX_PLAYERS as usize],
    pub(super) status: [Status; MAX_PLAYERS as usize],
    /// The rules of the stage that each player has used up, a bit each.
    pub(super) used: [u64; MAX_PLAYERS as usize],
    /// The stage; the number of stages after the last.
    pub(super) stage: u8,
    pub(super) phase: Phase,
    /// How many rules of the stage the dealer has done.
    pub(super) dealt: u8,
    /// Whose turn it is, while it is a player's.
    pub(super) current: u8,
    pub(super) dealing: Option<Dealing>,
    pub(super) winner: Option<u8>,
    /// Actions of players so far.
    pub(super) actions: u16,
}

impl CardState {
    pub(super) fn new(deck: CardSet) -> Self {
        Self {
            deck,
            hands: Default::default(),
            tables: Default::default(),
            heights: [0; CARDS],
            private: Default::default(),
            bets: Default::default(),
            status: Default::default(),
            used: Default::default(),
            stage: 0,
            phase: Phase::Computer,
            dealt: 0,
            current: 0,
            dealing: None,
            winner: None,
            actions: 0,
        }
    }

    /// The card on top of a table.
    #[inline]
    pub(super) fn top(&self, table: u8) -> Option<Card> {
        let pile = self.tables[table as usize];
        let height = pile.len() as u8;
        pile.iter()
            .find(|card| self.heights[card.0 as usize] == height)
    }

    /// Lays a card down that is nowhere else.
    #[inline]
    pub(super) fn put(&mut self, card: Card, to: Target) {
        match to {
            Target::Hand(player) => self.hands[player as usize].insert(card),
            Target::Table(table) => {
                let pile = &mut self.tables[table as usize];
                pile.insert(card);
                self.heights[card.0 as usize] = pile.len() as u8;
            }
        }
    }

    /// Takes the top card of a table away.
    #[inline]
    pub(super) fn take_top(&mut self, table: u8) -> Option<Card> {
        let card = self.top(table)?;
        self.tables[table as usize].remove(card);
        self.heights[card.0 as usize] = 0;
        Some(card)
    }
}
