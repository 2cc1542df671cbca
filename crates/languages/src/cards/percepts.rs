//! What players are told after a step: what they can see then, and what was done.
//!
//! A player sees the own hand and tokens, the tables, all bets, how many cards each player holds,
//! the stage, whose turn it is, and who is done or out. The last action is told to all, and what
//! cards it moved to those who saw them.

use paidia_game::{MoveTable, PerceptId, PerceptTable};
use rustc_hash::FxHashMap;

use super::card::{CARDS, Card};
use super::fluents::player_name;
use super::position::{Position, Rulebook, Waiting};
use super::state::{Phase, Status};

/// What a player can be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Percept {
    Hand(Card),
    Tokens(u16),
    Held(u8, u8),
    Bet(u8, u16),
    Table(u8, Card),
    Top(u8, Card),
    Stage(u8, Phase),
    Current(u8),
    Status(u8, Status),
    /// That a player made a move; the place of what is told of it.
    Did(u8, u32),
    /// That a player drew a card openly.
    Drew(u8, Card),
    Won(u8),
}

/// What happened in the last step, for those who saw it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A player made a move, and whether all see its card.
    Did { player: u8, chosen: u32, open: bool },
    /// A card came to a player openly.
    Drew(u8, Card),
}

/// All percepts of a game; ids are in the byte order of the texts.
#[derive(Debug)]
pub(super) struct Percepts {
    pub(super) table: PerceptTable,
    ids: FxHashMap<Percept, PerceptId>,
    /// For each move, its text without the card that only its player sees.
    covered: Vec<u32>,
}

impl Percepts {
    pub(super) fn new(book: &Rulebook, moves: &MoveTable, tokens: u32) -> Self {
        let texts: Vec<String> = moves.to_vec().iter().map(ToString::to_string).collect();
        let mut told = texts.clone();
        let mut covered = Vec::new();
        for text in &texts {
            let short = without_card(text);
            let place = told.iter().position(|known| *known == short);
            covered.push(place.unwrap_or(told.len()) as u32);
            if place.is_none() {
                told.push(short);
            }
        }
        let mut all: Vec<(String, Percept)> = everything(book, tokens, told.len())
            .map(|percept| (text(percept, &told), percept))
            .collect();
        all.sort_unstable_by(|left, right| left.0.cmp(&right.0));
        let table = PerceptTable::from_names(all.iter().map(|(text, _)| text.as_str()));
        let ids = (0..)
            .map(PerceptId)
            .zip(&all)
            .map(|(id, (_, percept))| (*percept, id));
        Self {
            ids: ids.collect(),
            // There are far fewer percepts than ids.
            table: table.unwrap_or_else(|_| PerceptTable::with_limit(0)),
            covered,
        }
    }

    /// What a player is told in a position, sorted.
    pub(super) fn of(
        &self,
        position: &Position,
        event: Option<Event>,
        player: u8,
    ) -> Vec<PerceptId> {
        let mut told = Vec::new();
        let mut tell = |percept: Percept| told.extend(self.ids.get(&percept).copied());
        let state = &position.state;
        state.hands[player as usize]
            .iter()
            .for_each(|card| tell(Percept::Hand(card)));
        tell(Percept::Tokens(state.private[player as usize]));
        for other in 0..position.book.players() {
            let seat = other as usize;
            tell(Percept::Held(other, state.hands[seat].len() as u8));
            tell(Percept::Bet(other, state.bets[seat]));
            tell(Percept::Status(other, state.status[seat]));
        }
        for table in 0..position.book.rules.tables {
            let pile = state.tables[table as usize];
            pile.iter()
                .for_each(|card| tell(Percept::Table(table, card)));
            if let Some(top) = state.top(table) {
                tell(Percept::Top(table, top));
            }
        }
        tell(Percept::Stage(state.stage, state.phase));
        if let Waiting::Player(current) = position.waiting {
            tell(Percept::Current(current));
        }
        if let Some(winner) = state.winner {
            tell(Percept::Won(winner));
        }
        match event {
            Some(Event::Did {
                player: actor,
                chosen,
                open,
            }) => {
                let is_told = open || actor == player;
                let covered = self.covered.get(chosen as usize).copied();
                let chosen = if is_told { Some(chosen) } else { covered };
                if let Some(chosen) = chosen {
                    tell(Percept::Did(actor, chosen));
                }
            }
            Some(Event::Drew(actor, card)) => tell(Percept::Drew(actor, card)),
            None => {}
        }
        told.sort_unstable();
        told
    }
}

/// A move without the card in it: `(give 7OfHearts)` is told to others as `give`.
fn without_card(text: &str) -> String {
    let inside = text.trim_start_matches('(').trim_end_matches(')');
    let words = inside
        .split(' ')
        .filter(|word| Card::of_text(word).is_none());
    let words: Vec<&str> = words.collect();
    match words.as_slice() {
        [only] => (*only).to_owned(),
        words => format!("({})", words.join(" ")),
    }
}

/// Everything that can be told in a game.
fn everything(book: &Rulebook, tokens: u32, told: usize) -> impl Iterator<Item = Percept> {
    let (players, tables) = (0..book.players(), 0..book.rules.tables);
    let cards = || (0..CARDS as u8).map(Card);
    let stages = 0..=book.rules.stages.len() as u8;
    let amounts = || 0..=tokens.min(u32::from(u16::MAX)) as u16;
    let mut all: Vec<Percept> = cards().map(Percept::Hand).collect();
    all.extend(amounts().map(Percept::Tokens));
    for player in players {
        all.extend((0..=CARDS as u8).map(|count| Percept::Held(player, count)));
        all.extend(amounts().map(|amount| Percept::Bet(player, amount)));
        all.extend([Status::Done, Status::Out].map(|status| Percept::Status(player, status)));
        all.extend((0..told as u32).map(|chosen| Percept::Did(player, chosen)));
        all.extend(cards().map(|card| Percept::Drew(player, card)));
        all.extend([Percept::Current(player), Percept::Won(player)]);
    }
    for table in tables {
        all.extend(
            cards().flat_map(|card| [Percept::Table(table, card), Percept::Top(table, card)]),
        );
    }
    for stage in stages {
        all.extend(Phase::ALL.map(|phase| Percept::Stage(stage, phase)));
    }
    all.into_iter()
}

fn text(percept: Percept, told: &[String]) -> String {
    let name = player_name;
    match percept {
        Percept::Hand(card) => format!("(hand {})", card.text()),
        Percept::Tokens(amount) => format!("(tokens {amount})"),
        Percept::Held(player, count) => format!("(cards {} {count})", name(player)),
        Percept::Bet(player, amount) => format!("(bet {} {amount})", name(player)),
        Percept::Table(table, card) => format!("(table T{table} {})", card.text()),
        Percept::Top(table, card) => format!("(top T{table} {})", card.text()),
        Percept::Stage(stage, phase) => format!("(stage {stage} {})", phase.word()),
        Percept::Current(player) => format!("(current {})", name(player)),
        Percept::Status(player, Status::Done) => format!("(status {} done)", name(player)),
        Percept::Status(player, _) => format!("(status {} out)", name(player)),
        Percept::Did(player, chosen) => format!("(did {} {})", name(player), told[chosen as usize]),
        Percept::Drew(player, card) => format!("(drew {} {})", name(player), card.text()),
        Percept::Won(player) => format!("(won {})", name(player)),
    }
}
