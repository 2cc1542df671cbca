//! Rules of card games as they were read.

use super::card::{CardSet, NUMBERS, SUITS};

/// A card game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardRules {
    /// Players, from 1.
    pub players: u8,
    /// Tables, which may be none.
    pub tables: u8,
    /// The cards that are played with.
    pub deck: CardSet,
    /// The lowest number and how many suits, as the settings say it.
    pub deck_setting: Option<(u8, u8)>,
    /// The stages in their order.
    pub stages: Vec<Vec<Rule>>,
    /// Values of numbers; a number may have several.
    pub values: Vec<(u8, u16)>,
    /// Values of combinations.
    pub plays: Vec<(Combination, u16)>,
    /// What a player scores at the end.
    pub points: Points,
}

impl CardRules {
    /// The cards from a lowest number on, in the first few suits.
    pub fn deck_of(lowest: u8, suits: u8) -> CardSet {
        let all = CardSet((1 << (NUMBERS.len() * SUITS.len())) - 1);
        let mut deck = CardSet::default();
        for card in all.iter() {
            if card.number() >= lowest && card.suit() < suits {
                deck.insert(card);
            }
        }
        deck
    }
}

/// A rule: who may or must do it, on what condition, and what is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Who does it, and how often.
    pub modifier: Modifier,
    /// What must hold.
    pub condition: Condition,
    /// What is done.
    pub action: Action,
}

/// Who does what a rule says, and how often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modifier {
    /// The dealer, at the start of the stage.
    Computer,
    /// A player, who must do it once before anything optional.
    Mandatory,
    /// A player, at most once in the stage.
    Once,
    /// A player, as often as wished.
    Optional,
}

impl Modifier {
    /// All of them.
    pub const ALL: [Modifier; 4] = [
        Modifier::Computer,
        Modifier::Mandatory,
        Modifier::Once,
        Modifier::Optional,
    ];

    /// The word in rule files.
    pub fn word(self) -> &'static str {
        match self {
            Modifier::Computer => "COMPUTER",
            Modifier::Mandatory => "MANDATORY",
            Modifier::Once => "ONCE",
            Modifier::Optional => "OPTIONAL",
        }
    }
}

/// How two amounts must compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compare {
    /// Less.
    Less,
    /// Greater.
    Greater,
    /// Equal.
    Equal,
    /// Less or equal.
    AtMost,
    /// Greater or equal.
    AtLeast,
    /// In whatever way.
    Any,
}

impl Compare {
    /// All signs, longer ones first where one begins another.
    pub const SIGNS: [(&str, Compare); 9] = [
        ("<=", Compare::AtMost),
        (">=", Compare::AtLeast),
        ("≤", Compare::AtMost),
        ("≥", Compare::AtLeast),
        ("<", Compare::Less),
        (">", Compare::Greater),
        ("=", Compare::Equal),
        ("λ", Compare::Any),
        ("lambda", Compare::Any),
    ];

    /// The sign in the normal form.
    pub fn sign(self) -> &'static str {
        match self {
            Compare::Less => "<",
            Compare::Greater => ">",
            Compare::Equal => "=",
            Compare::AtMost => "<=",
            Compare::AtLeast => ">=",
            Compare::Any => "λ",
        }
    }

    /// Whether the amounts compare so.
    #[inline]
    pub fn holds(self, left: u32, right: u32) -> bool {
        match self {
            Compare::Less => left < right,
            Compare::Greater => left > right,
            Compare::Equal => left == right,
            Compare::AtMost => left <= right,
            Compare::AtLeast => left >= right,
            Compare::Any => true,
        }
    }
}

/// Whose hand, or whose bet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// That of the player whose turn it is.
    Current,
    /// Those of all players; in a comparison, of all others who are not out.
    All,
    /// That of a player, counted from 0.
    Player(u8),
}

/// Where cards are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The deck.
    Deck,
    /// A hand.
    Hand(Whose),
    /// The hand of the player after the current one.
    NextHand,
    /// A table, counted from 0.
    Table(u8),
}

/// Where tokens are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purse {
    /// A player's own tokens.
    Private(Whose),
    /// What a player has bet.
    Bet(Whose),
}

/// What an amount is compared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Against<T> {
    /// A number.
    Number(u32),
    /// What is at places.
    Places(T),
}

/// What must hold for a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// Nothing.
    Always,
    /// The values of cards at places compare so; one of several sums suffices.
    Sum(Vec<Place>, Compare, Against<Vec<Place>>),
    /// Tokens compare so.
    Tokens(Purse, Compare, Against<Purse>),
    /// The hand of the player has such cards.
    Have(Combination),
    /// There is a card in the deck, which the player draws.
    Draw,
    /// The best plays of two places compare so.
    Play(Vec<Place>, Compare, Vec<Place>),
    /// The player shows a card that is like the top card of a table, and lays it there.
    Show(Likeness, u8),
}

/// In what a shown card is like another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Likeness {
    /// It has the same suit.
    Suit,
    /// It has the same number.
    Number,
    /// Its number compares so.
    Rank(Compare),
}

/// What is done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Nothing beside what the condition does.
    Nothing,
    /// Takes cards into the hand, openly or not.
    Take(Place, u8, bool),
    /// Lays one card of the hand somewhere, openly or not.
    Put(Place, bool),
    /// Bets tokens: afterwards the player's bet compares so with the highest of a purse.
    Bet(Compare, Option<Purse>),
    /// Takes all tokens of a purse.
    Gain(Purse),
    /// Is done with the stage.
    Done,
    /// Is out of the game.
    Out,
    /// Wins the game.
    Win,
    /// The dealer gives tokens to a player, counted from 0.
    Give(u8, u16),
    /// The dealer deals cards from the deck.
    Deal(Place, u8),
}

/// Cards that a hand may have: each part needs cards of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination(pub Vec<Part>);

/// A number of cards of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// How many.
    pub count: u8,
    /// Of which kind.
    pub kind: PartKind,
}

/// A kind of cards in a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// Of this number.
    Number(u8),
    /// Of this suit.
    Suit(u8),
    /// This card.
    Card(u8, u8),
    /// All of one number, whichever.
    SameNumber,
    /// All of one suit, whichever.
    SameSuit,
    /// Of numbers that follow one another.
    InOrder,
}

/// What a player scores at the end, if no player won at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Points {
    /// For each token.
    pub token: i32,
    /// For each card in the hand.
    pub card: i32,
    /// For not being out.
    pub still_in: i32,
}
