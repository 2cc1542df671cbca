//! Card games in the words of [`paidia_game`].

use std::cell::OnceCell;
use std::sync::Arc;

use paidia_game::{
    Chance, Damaged, Fault, Game, GameFacts, Goal, Information, LegalMoves, Legible, MoveId,
    MoveTable, PerceptId, PerceptTable, Randomness, RoleId, Rules, TurnOrder, UnknownFluent,
    Walker, snapshot,
};

use super::fluents;
use super::limits::MAX_PLAYERS;
use super::moves::{Moves, all_tokens};
use super::percepts::{Event, Percepts};
use super::position::{Choice, Detail, Position, Rulebook, Waiting};
use super::rules::{Action, CardRules, Condition};
use super::state::{CardState, Target};

/// The role of chance, which draws the cards.
pub(super) const CHANCE: RoleId = RoleId(0);

/// A card game that can be played.
#[derive(Clone, Debug)]
pub struct CardGame {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    book: Arc<Rulebook>,
    facts: GameFacts,
    moves: Moves,
    percepts: Percepts,
}

impl CardGame {
    /// The game of rules that passed the checks, by this name.
    pub fn new(name: &str, rules: CardRules) -> Self {
        let tokens = all_tokens(&rules);
        let book = Rulebook::new(rules);
        let moves = Moves::new(&book);
        let percepts = Percepts::new(&book, &moves.table, tokens);
        let players = (0..book.players()).map(fluents::player_name);
        let facts = GameFacts {
            name: name.to_owned(),
            roles: std::iter::once("random".to_owned())
                .chain(players)
                .collect(),
            randomness: Randomness::Role(CHANCE),
            turn_order: match book.players() {
                1 => TurnOrder::SinglePlayer,
                _ => TurnOrder::Alternating,
            },
            information: Information::Hidden,
            goal_range: goals(&book.rules, tokens),
            fluents: None,
            moves: Some(moves.table.len()),
        };
        let inner = Inner {
            book: Arc::new(book),
            facts,
            moves,
            percepts,
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    /// The rules.
    pub fn rules(&self) -> &CardRules {
        &self.inner.book.rules
    }
}

/// The lowest and the highest score.
fn goals(rules: &CardRules, tokens: u32) -> std::ops::RangeInclusive<i32> {
    let points = rules.points;
    let bounds = [
        (points.token, tokens as i32),
        (points.card, rules.deck.len() as i32),
        (points.still_in, 1),
    ];
    let low: i32 = bounds.iter().map(|(each, most)| (each * most).min(0)).sum();
    let high: i32 = bounds.iter().map(|(each, most)| (each * most).max(0)).sum();
    let wins = rules
        .stages
        .iter()
        .flatten()
        .any(|rule| rule.action == Action::Win);
    low..=if wins { high.max(100) } else { high }
}

impl Rules for CardGame {
    type State = CardState;

    fn facts(&self) -> &GameFacts {
        &self.inner.facts
    }

    fn moves(&self) -> &MoveTable {
        &self.inner.moves.table
    }

    fn percepts(&self) -> &PerceptTable {
        &self.inner.percepts.table
    }

    fn initial(&self) -> CardState {
        Position::new(Arc::clone(&self.inner.book)).state
    }

    fn snapshot(&self, state: &CardState, into: &mut Vec<u8>) {
        snapshot::write(self, state, into);
    }

    fn restore(&self, bytes: &[u8]) -> Result<CardState, Damaged> {
        snapshot::read(self, bytes)
    }
}

impl Legible for CardGame {
    fn fluents(&self, state: &CardState) -> Vec<String> {
        fluents::fluents(&self.inner.book, state)
    }

    fn state(&self, texts: &[&str]) -> Result<CardState, UnknownFluent> {
        let read = fluents::state(&self.inner.book, texts);
        read.map_err(|(text, because)| UnknownFluent { text, because })
    }
}

impl Game for CardGame {
    type Walker = CardWalker;

    fn walker(&self) -> CardWalker {
        CardWalker {
            position: Position::new(Arc::clone(&self.inner.book)),
            game: self.clone(),
            found: Vec::new(),
            legal: LegalMoves::new(),
            is_listed: false,
            event: None,
            told: Default::default(),
            has_advanced: false,
        }
    }
}

/// One thread's place in a card game.
#[derive(Clone, Debug)]
pub struct CardWalker {
    game: CardGame,
    position: Position,
    /// The moves of the player whose turn it is, with what they choose.
    found: Vec<(MoveId, Choice)>,
    legal: LegalMoves,
    is_listed: bool,
    event: Option<Event>,
    /// What each player is told, once it was asked for.
    told: [OnceCell<Vec<PerceptId>>; MAX_PLAYERS as usize],
    has_advanced: bool,
}

impl CardWalker {
    fn moved(&mut self, event: Option<Event>, has_advanced: bool) {
        self.is_listed = false;
        self.event = event;
        self.has_advanced = has_advanced;
        self.told.iter_mut().for_each(|told| drop(told.take()));
    }

    /// Lists the legal moves, unless that was done.
    fn list(&mut self) {
        if self.is_listed {
            return;
        }
        self.is_listed = true;
        self.legal.clear();
        self.found.clear();
        let moves = &self.game.inner.moves;
        match self.position.waiting {
            Waiting::Chance => {
                let deck = self.position.state.deck;
                // Ids are in the order of texts, which is not that of cards.
                let first = self.found.len();
                for card in deck.iter() {
                    self.found.push((moves.draw(card), NO_CHOICE));
                }
                self.found[first..].sort_unstable_by_key(|(id, _)| *id);
                self.found.iter().for_each(|(id, _)| self.legal.push(*id));
            }
            _ => self.legal.push(moves.noop),
        }
        self.legal.end_role();
        for player in 0..self.position.book.players() {
            if self.position.waiting == Waiting::Player(player) {
                let stage = self.position.state.stage;
                let choices = self.position.choices().iter();
                self.found
                    .extend(choices.map(|&choice| (moves.of(stage, choice), choice)));
                self.found.sort_by_key(|(id, _)| *id);
                // Two rules may allow the same move; the first of them is it.
                self.found.dedup_by_key(|(id, _)| *id);
                self.found.iter().for_each(|(id, _)| self.legal.push(*id));
            } else {
                self.legal.push(moves.noop);
            }
            self.legal.end_role();
        }
    }

    fn draw_card(&mut self, id: MoveId, chance: &mut Chance) {
        let deck = self.position.state.deck;
        let drawn = match id {
            // Any card is as likely as another, whatever their order.
            MoveId::CHANCE => deck.nth(chance.below(deck.len().max(1))),
            id => self.game.inner.moves.drawn(id),
        };
        let Some((card, dealing)) = drawn.zip(self.position.state.dealing) else {
            return;
        };
        let event = match dealing.to {
            Target::Hand(player) if dealing.up => Some(Event::Drew(player, card)),
            _ => None,
        };
        self.position.drawn(card);
        self.moved(event, true);
    }

    fn act(&mut self, player: u8, id: MoveId) {
        self.list();
        let chosen = self.found.iter().find(|(known, _)| *known == id);
        let Some(&(_, choice)) = chosen else {
            return;
        };
        let stage = &self.position.book.rules.stages[self.position.state.stage as usize];
        let rule = &stage[choice.rule as usize];
        let open = match rule.action {
            Action::Put(_, up) => up || matches!(rule.condition, Condition::Show(..)),
            _ => true,
        };
        let event = Event::Did {
            player,
            chosen: id.0,
            open,
        };
        self.position.act(choice);
        self.moved(Some(event), true);
    }
}

/// What stands beside a move of chance, which chooses in no rule.
const NO_CHOICE: Choice = Choice {
    rule: 0,
    detail: Detail::None,
};

impl Walker for CardWalker {
    type State = CardState;

    fn jump(&mut self, state: &CardState) {
        self.position.set(state);
        self.moved(None, false);
    }

    fn save(&self, into: &mut CardState) {
        into.clone_from(&self.position.state);
    }

    fn hash64(&self) -> u64 {
        use std::hash::{Hash, Hasher};
        let mut hasher = rustc_hash::FxHasher::default();
        self.position.state.hash(&mut hasher);
        hasher.finish()
    }

    fn is_terminal(&mut self) -> bool {
        self.position.waiting == Waiting::Over
    }

    fn legal(&mut self) -> &LegalMoves {
        self.list();
        &self.legal
    }

    fn goal(&mut self, role: RoleId) -> Goal {
        match role.index().checked_sub(1) {
            Some(player) if player < self.position.book.players() as usize => {
                Goal::One(self.position.score(player as u8))
            }
            // Chance has no wishes.
            None => Goal::One(*self.game.inner.facts.goal_range.start()),
            Some(_) => Goal::None,
        }
    }

    fn advance(&mut self, joint: &[MoveId], chance: &mut Chance) {
        match self.position.waiting {
            Waiting::Over => self.moved(None, true),
            Waiting::Chance => {
                let id = joint.first().copied();
                self.draw_card(id.unwrap_or(MoveId::CHANCE), chance);
            }
            Waiting::Player(player) => {
                if let Some(&id) = joint.get(player as usize + 1) {
                    self.act(player, id);
                }
            }
        }
    }

    fn percepts(&self, role: RoleId) -> &[PerceptId] {
        let players = self.position.book.players() as usize;
        let player = role
            .index()
            .checked_sub(1)
            .filter(|&player| player < players);
        match player {
            Some(player) if self.has_advanced => self.told[player].get_or_init(|| {
                let percepts = &self.game.inner.percepts;
                percepts.of(&self.position, self.event, player as u8)
            }),
            _ => &[],
        }
    }

    fn fault(&self) -> Option<&Fault> {
        None
    }
}
