//! Playing cards: a number and a suit, and the deck that a game is played with.

/// The numbers of a full deck, lowest first.
pub const NUMBERS: [&str; 13] = [
    "2", "3", "4", "5", "6", "7", "8", "9", "10", "Jack", "Queen", "King", "Ace",
];

/// The suits of a full deck.
pub const SUITS: [&str; 4] = ["Clubs", "Diamonds", "Hearts", "Spades"];

/// Cards of a full deck.
pub const CARDS: usize = NUMBERS.len() * SUITS.len();

/// A card: its number is `0 / 4` of it, its suit the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Card(pub u8);

impl Card {
    /// The card of a number and a suit, by their places in [`NUMBERS`] and [`SUITS`].
    pub fn new(number: u8, suit: u8) -> Self {
        Self(number * SUITS.len() as u8 + suit)
    }

    /// The place of the number in [`NUMBERS`].
    #[inline]
    pub fn number(self) -> u8 {
        self.0 / SUITS.len() as u8
    }

    /// The place of the suit in [`SUITS`].
    #[inline]
    pub fn suit(self) -> u8 {
        self.0 % SUITS.len() as u8
    }

    /// The name in fluents and moves, such as `10OfHearts`.
    pub fn text(self) -> String {
        let number = NUMBERS.get(self.number() as usize).unwrap_or(&"?");
        let suit = SUITS[self.suit() as usize];
        format!("{number}Of{suit}")
    }

    /// The card of that name.
    pub fn of_text(text: &str) -> Option<Self> {
        let (number, suit) = text.split_once("Of")?;
        let number = NUMBERS.iter().position(|&known| known == number)?;
        let suit = SUITS.iter().position(|&known| known == suit)?;
        Some(Self::new(number as u8, suit as u8))
    }
}

/// A set of cards, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CardSet(pub u64);

impl CardSet {
    /// Adds a card.
    #[inline]
    pub fn insert(&mut self, card: Card) {
        self.0 |= 1 << card.0;
    }

    /// Takes a card out.
    #[inline]
    pub fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    /// Whether the card is in it.
    #[inline]
    pub fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// How many cards there are.
    #[inline]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The cards, lowest first.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Card> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let card = Card(rest.trailing_zeros() as u8);
            rest &= rest - 1;
            Some(card)
        })
    }

    /// The card with that place among them, counted from 0.
    #[inline]
    pub fn nth(self, place: u32) -> Option<Card> {
        self.iter().nth(place as usize)
    }

    /// Those of a number.
    #[inline]
    pub fn of_number(self, number: u8) -> Self {
        Self(self.0 & 0xF << (number * 4))
    }

    /// Those of a suit.
    #[inline]
    pub fn of_suit(self, suit: u8) -> Self {
        Self(self.0 & 0x1_1111_1111_1111 << suit)
    }

    /// Those in either.
    #[inline]
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{CARDS, Card, CardSet, NUMBERS, SUITS};

    #[test]
    fn every_card_has_a_name_of_its_own() {
        for card in (0..CARDS as u8).map(Card) {
            assert_eq!(Card::of_text(&card.text()), Some(card));
        }
        assert_eq!(Card::of_text("11OfHearts"), None);
    }

    #[test]
    fn numbers_and_suits_part_the_deck() {
        let all = CardSet((1 << CARDS) - 1);
        for number in 0..NUMBERS.len() as u8 {
            assert_eq!(all.of_number(number).len(), 4);
        }
        for suit in 0..SUITS.len() as u8 {
            let of_suit = all.of_suit(suit);
            assert_eq!(of_suit.len(), 13);
            assert!(of_suit.iter().all(|card| card.suit() == suit));
        }
        assert_eq!(all.nth(51), Some(Card(51)));
    }
}
