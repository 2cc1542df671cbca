//! How card games are played: what may be done, what that changes, and what comes next.
//!
//! A stage goes through its phases: the dealer acts, then players do what they must, then what they
//! may. The turn goes round after each action. Players are passed over who are out, done, or can do
//! nothing; a phase ends when no player can act. The deck has no order: whenever a card is drawn, the
//! game waits for chance to say which.

use std::sync::Arc;

use super::card::{Card, CardSet};
use super::limits::MAX_ACTIONS;
use super::rules::{
    Action, Against, CardRules, Compare, Condition, Likeness, Modifier, Place, Purse, Rule, Whose,
};
use super::state::{CardState, Dealing, Phase, Status, Target};
use super::value::{Sums, Values, has, some};

/// Rules ready for play.
#[derive(Debug)]
pub(super) struct Rulebook {
    pub(super) rules: CardRules,
    values: Values,
}

impl Rulebook {
    pub(super) fn new(rules: CardRules) -> Self {
        let values = Values::new(&rules);
        Self { rules, values }
    }

    pub(super) fn players(&self) -> u8 {
        self.rules.players
    }
}

/// What a player does: a rule of the stage, with what was chosen in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    /// The place of the rule in its stage.
    pub(super) rule: u8,
    pub(super) detail: Detail,
}

/// What is chosen within a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    None,
    /// A card that is shown or put.
    Card(Card),
    /// An amount that is bet.
    Tokens(u16),
}

/// Whom a position waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Waiting {
    /// Chance draws a card of the deck.
    Chance,
    Player(u8),
    /// No one: the game is over.
    Over,
}

/// A position with what is needed to play on.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) book: Arc<Rulebook>,
    pub(super) state: CardState,
    pub(super) waiting: Waiting,
    choices: Vec<Choice>,
    left: Sums,
    right: Sums,
}

impl Position {
    pub(super) fn new(book: Arc<Rulebook>) -> Self {
        let state = CardState::new(book.rules.deck);
        let mut position = Self {
            book,
            state,
            waiting: Waiting::Over,
            choices: Vec::new(),
            left: Sums::new(),
            right: Sums::new(),
        };
        position.settle();
        position
    }

    /// Goes to a state; what it waits for follows from it.
    pub(super) fn set(&mut self, state: &CardState) {
        self.state.clone_from(state);
        self.settle();
    }

    /// What the player whose turn it is may do.
    pub(super) fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// Chance has drawn a card.
    pub(super) fn drawn(&mut self, card: Card) {
        let Some(mut dealing) = self.state.dealing else {
            return;
        };
        if !self.state.deck.contains(card) {
            return;
        }
        self.state.deck.remove(card);
        self.state.put(card, dealing.to);
        dealing.left -= 1;
        self.state.dealing = (dealing.left > 0).then_some(dealing);
        self.settle();
    }

    /// The player whose turn it is does something.
    pub(super) fn act(&mut self, choice: Choice) {
        let book = Arc::clone(&self.book);
        let stage = book.rules.stages.get(self.state.stage as usize);
        let Some(rule) = stage.and_then(|stage| stage.get(choice.rule as usize)) else {
            return;
        };
        let player = self.state.current;
        let seat = player as usize;
        if let (Condition::Show(_, table), Detail::Card(card)) = (&rule.condition, choice.detail) {
            self.state.hands[seat].remove(card);
            self.state.put(card, Target::Table(*table));
        }
        if rule.condition == Condition::Draw {
            self.deal(Target::Hand(player), 1, false);
        }
        self.perform(rule, player, choice.detail);
        if rule.modifier != Modifier::Optional {
            self.state.used[seat] |= 1 << choice.rule;
        }
        self.state.actions += 1;
        self.state.current = (player + 1) % self.book.players();
        self.settle();
    }

    fn perform(&mut self, rule: &Rule, player: u8, detail: Detail) {
        let seat = player as usize;
        match (&rule.action, detail) {
            (Action::Take(Place::Deck, amount, up), _) => {
                self.deal(Target::Hand(player), *amount, *up);
            }
            (Action::Take(Place::Table(table), amount, _), _) => {
                for _ in 0..*amount {
                    if let Some(card) = self.state.take_top(*table) {
                        self.state.hands[seat].insert(card);
                    }
                }
            }
            (Action::Put(to, _), Detail::Card(card)) => {
                let to = match to {
                    Place::Table(table) => Target::Table(*table),
                    _ => Target::Hand((player + 1) % self.book.players()),
                };
                self.state.hands[seat].remove(card);
                self.state.put(card, to);
            }
            (Action::Bet(..), Detail::Tokens(tokens)) => {
                let tokens = tokens.min(self.state.private[seat]);
                self.state.private[seat] -= tokens;
                self.state.bets[seat] += tokens;
            }
            (Action::Gain(purse), _) => self.gain(*purse, player),
            (Action::Done, _) => self.state.status[seat] = Status::Done,
            (Action::Out, _) => self.state.status[seat] = Status::Out,
            (Action::Win, _) => self.state.winner = Some(player),
            _ => {}
        }
    }

    /// All tokens of a purse become a player's own.
    fn gain(&mut self, purse: Purse, player: u8) {
        let mut total = 0;
        for other in 0..self.book.players() {
            let slot = match purse {
                Purse::Private(whose) if self.is(whose, other) => {
                    &mut self.state.private[other as usize]
                }
                Purse::Bet(whose) if self.is(whose, other) => &mut self.state.bets[other as usize],
                _ => continue,
            };
            total += std::mem::take(slot);
        }
        self.state.private[player as usize] += total;
    }

    /// Whether that is this player.
    #[inline]
    fn is(&self, whose: Whose, player: u8) -> bool {
        match whose {
            Whose::Current => player == self.state.current,
            Whose::All => true,
            Whose::Player(one) => player == one,
        }
    }

    /// Lets chance draw cards of the deck, as many as there are.
    fn deal(&mut self, to: Target, amount: u8, up: bool) {
        // What a condition has drawn comes first, to the same hand.
        let already = self.state.dealing.map_or(0, |dealing| dealing.left);
        let left = (amount + already).min(self.state.deck.len() as u8);
        self.state.dealing = (left > 0).then_some(Dealing { to, left, up });
    }

    /// Plays on to where chance or a player decides, or to the end.
    fn settle(&mut self) {
        self.choices.clear();
        self.waiting = loop {
            if self.is_over() {
                break Waiting::Over;
            }
            if self.state.dealing.is_some() {
                break Waiting::Chance;
            }
            match self.state.phase {
                Phase::Computer => self.dealer(),
                Phase::Mandatory | Phase::Optional => {
                    if let Some(player) = self.next_player() {
                        self.state.current = player;
                        break Waiting::Player(player);
                    }
                    self.end_phase();
                }
            }
        };
    }

    fn is_over(&self) -> bool {
        let players = self.book.players() as usize;
        let are_out = self.state.status[..players]
            .iter()
            .all(|&status| status == Status::Out);
        let is_last = self.state.stage as usize >= self.book.rules.stages.len();
        // What was drawn last comes to its hand before the end.
        let is_dealing = self.state.dealing.is_some();
        self.state.winner.is_some()
            || (are_out || is_last || self.state.actions >= MAX_ACTIONS) && !is_dealing
    }

    /// The dealer does the next thing, or leaves the stage to the players.
    fn dealer(&mut self) {
        let book = Arc::clone(&self.book);
        let stage = &book.rules.stages[self.state.stage as usize];
        let place = self.state.dealt as usize;
        let Some(rule) = stage.get(place) else {
            self.state.phase = Phase::Mandatory;
            self.state.current = 0;
            return;
        };
        self.state.dealt += 1;
        if rule.modifier != Modifier::Computer {
            return;
        }
        match rule.action {
            Action::Give(player, amount) => {
                let purse = &mut self.state.private[player as usize];
                *purse = purse.saturating_add(amount);
            }
            Action::Deal(Place::Hand(Whose::Player(player)), amount) => {
                self.deal(Target::Hand(player), amount, false);
            }
            Action::Deal(Place::Table(table), amount) => {
                self.deal(Target::Table(table), amount, true);
            }
            _ => {}
        }
    }

    fn end_phase(&mut self) {
        self.state.current = 0;
        if self.state.phase == Phase::Mandatory {
            self.state.phase = Phase::Optional;
            return;
        }
        self.state.phase = Phase::Computer;
        self.state.stage += 1;
        self.state.dealt = 0;
        self.state.used = Default::default();
        for status in &mut self.state.status {
            if *status == Status::Done {
                *status = Status::In;
            }
        }
    }

    /// The next player who can do something, with what that is in `choices`.
    fn next_player(&mut self) -> Option<u8> {
        let (first, players) = (self.state.current, self.book.players());
        for step in 0..players {
            let player = (first + step) % players;
            if self.state.status[player as usize] == Status::In {
                self.state.current = player;
                self.find_choices(player);
                if !self.choices.is_empty() {
                    return Some(player);
                }
            }
        }
        self.state.current = first;
        None
    }

    fn find_choices(&mut self, player: u8) {
        let book = Arc::clone(&self.book);
        let stage = &book.rules.stages[self.state.stage as usize];
        for (place, rule) in (0u8..).zip(stage) {
            let phase = match rule.modifier {
                Modifier::Computer => Phase::Computer,
                Modifier::Mandatory => Phase::Mandatory,
                Modifier::Once | Modifier::Optional => Phase::Optional,
            };
            let is_used = self.state.used[player as usize] >> place & 1 == 1;
            if phase == self.state.phase && !is_used && self.holds(&rule.condition, player) {
                self.expand(place, rule, player);
            }
        }
    }

    /// Adds what can be chosen in a rule whose condition holds.
    fn expand(&mut self, place: u8, rule: &Rule, player: u8) {
        let hand = self.state.hands[player as usize];
        let choice = |detail| Choice {
            rule: place,
            detail,
        };
        if let Condition::Show(likeness, table) = rule.condition {
            let top = self.state.top(table);
            let fitting = hand.iter().filter(|&card| is_like(likeness, card, top));
            self.choices
                .extend(fitting.map(|card| choice(Detail::Card(card))));
            return;
        }
        match &rule.action {
            Action::Put(..) => {
                self.choices
                    .extend(hand.iter().map(|card| choice(Detail::Card(card))));
            }
            Action::Bet(compare, with) => self.bets(place, *compare, *with, player),
            Action::Take(from, ..) => {
                let is_there = match from {
                    Place::Table(table) => !self.state.tables[*table as usize].is_empty(),
                    _ => !self.state.deck.is_empty(),
                };
                self.choices.extend(is_there.then(|| choice(Detail::None)));
            }
            _ => self.choices.push(choice(Detail::None)),
        }
    }

    /// Adds the amounts that may be bet.
    fn bets(&mut self, place: u8, compare: Compare, with: Option<Purse>, player: u8) {
        let seat = player as usize;
        let mark = with.map_or(0, |purse| self.highest(purse));
        let own = u32::from(self.state.bets[seat]);
        for tokens in 1..=self.state.private[seat] {
            if compare.holds(own + u32::from(tokens), mark) {
                self.choices.push(Choice {
                    rule: place,
                    detail: Detail::Tokens(tokens),
                });
            }
        }
    }

    /// The most tokens that a player has in a purse.
    fn highest(&self, purse: Purse) -> u32 {
        let amounts = (0..self.book.players()).filter_map(|player| match purse {
            Purse::Private(whose) if self.is(whose, player) => {
                Some(self.state.private[player as usize])
            }
            Purse::Bet(whose) if self.is(whose, player) => Some(self.state.bets[player as usize]),
            _ => None,
        });
        amounts.max().map_or(0, u32::from)
    }

    fn total(&self, purse: Purse) -> u32 {
        let amounts = (0..self.book.players()).map(|player| match purse {
            Purse::Private(whose) if self.is(whose, player) => self.state.private[player as usize],
            Purse::Bet(whose) if self.is(whose, player) => self.state.bets[player as usize],
            _ => 0,
        });
        amounts.map(u32::from).sum()
    }

    fn cards(&self, places: &[Place], player: u8) -> CardSet {
        let players = self.book.players();
        let of = |place: &Place| match place {
            Place::Deck => self.state.deck,
            Place::Table(table) => self.state.tables[*table as usize],
            Place::NextHand => self.state.hands[((player + 1) % players) as usize],
            Place::Hand(Whose::Current) => self.state.hands[player as usize],
            Place::Hand(Whose::Player(one)) => self.state.hands[*one as usize],
            Place::Hand(Whose::All) => {
                let hands = self.state.hands[..players as usize].iter();
                hands.fold(CardSet::default(), |all, &hand| all.with(hand))
            }
        };
        places
            .iter()
            .map(of)
            .fold(CardSet::default(), CardSet::with)
    }

    fn holds(&mut self, condition: &Condition, player: u8) -> bool {
        match condition {
            Condition::Always => true,
            Condition::Draw => !self.state.deck.is_empty(),
            Condition::Have(combination) => has(self.state.hands[player as usize], combination),
            // Which cards can be shown is found when choices are.
            Condition::Show(..) => true,
            Condition::Tokens(left, compare, right) => {
                let right = match right {
                    Against::Number(number) => *number,
                    Against::Places(purse) => self.total(*purse),
                };
                compare.holds(self.total(*left), right)
            }
            Condition::Sum(left, compare, right) => self.sum_holds(left, *compare, right, player),
            Condition::Play(left, compare, right) => {
                let best = |cards| self.book.values.best_play(cards);
                let own = best(self.cards(left, player));
                match right.as_slice() {
                    [Place::Hand(Whose::All)] => self
                        .others(player)
                        .all(|other| compare.holds(own, best(self.state.hands[other as usize]))),
                    right => compare.holds(own, best(self.cards(right, player))),
                }
            }
        }
    }

    fn sum_holds(
        &mut self,
        left: &[Place],
        compare: Compare,
        right: &Against<Vec<Place>>,
        player: u8,
    ) -> bool {
        let (mut own, mut other) = (
            std::mem::take(&mut self.left),
            std::mem::take(&mut self.right),
        );
        let values = &self.book.values;
        values.sums(self.cards(left, player), &mut own);
        let holds = match right {
            Against::Number(number) => some(&own, compare, &[*number]),
            // One sum of the player's own cards must do against all others.
            Against::Places(places) if places.as_slice() == [Place::Hand(Whose::All)] => {
                for rival in self.others(player) {
                    values.sums(self.state.hands[rival as usize], &mut other);
                    own.retain(|sum| some(&[*sum], compare, &other));
                }
                !own.is_empty()
            }
            Against::Places(places) => {
                values.sums(self.cards(places, player), &mut other);
                some(&own, compare, &other)
            }
        };
        (self.left, self.right) = (own, other);
        holds
    }

    /// The other players who are not out.
    fn others(&self, player: u8) -> impl Iterator<Item = u8> {
        let players = 0..self.book.players();
        players.filter(move |&other| {
            other != player && self.state.status[other as usize] != Status::Out
        })
    }

    /// What a player has in the end, or would have now.
    pub(super) fn score(&self, player: u8) -> i32 {
        if let Some(winner) = self.state.winner {
            return if winner == player { 100 } else { 0 };
        }
        let (points, seat) = (self.book.rules.points, player as usize);
        let still_in = i32::from(self.state.status[seat] != Status::Out);
        points.token * i32::from(self.state.private[seat])
            + points.card * self.state.hands[seat].len() as i32
            + points.still_in * still_in
    }
}

/// Whether a card may be laid on the top of a table; on an empty one, each may.
fn is_like(likeness: Likeness, card: Card, top: Option<Card>) -> bool {
    let Some(top) = top else {
        return true;
    };
    match likeness {
        Likeness::Suit => card.suit() == top.suit(),
        Likeness::Number => card.number() == top.number(),
        Likeness::Rank(compare) => compare.holds(u32::from(card.number()), u32::from(top.number())),
    }
}
