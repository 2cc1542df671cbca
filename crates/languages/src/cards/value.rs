//! What cards are worth: sums of values, and plays.

use super::card::{Card, CardSet, NUMBERS, SUITS};
use super::rules::{CardRules, Combination, Compare, Part, PartKind};

/// Values of numbers and plays, ready for use.
#[derive(Clone, Debug)]
pub(super) struct Values {
    /// The values of each number, none or several.
    numbers: [Vec<u16>; NUMBERS.len()],
    /// Combinations by their value, best first.
    plays: Vec<(Combination, u16)>,
}

/// Sums that some cards can have, ascending.
pub(super) type Sums = Vec<u32>;

impl Values {
    pub(super) fn new(rules: &CardRules) -> Self {
        let mut numbers: [Vec<u16>; NUMBERS.len()] = Default::default();
        for &(number, value) in &rules.values {
            let values = &mut numbers[number as usize];
            if !values.contains(&value) {
                values.push(value);
            }
        }
        let mut plays = rules.plays.clone();
        plays.sort_by_key(|(_, value)| std::cmp::Reverse(*value));
        Self { numbers, plays }
    }

    /// The sums of the values of cards: several where a card has several values. Cards without a
    /// value count nothing.
    pub(super) fn sums(&self, cards: CardSet, into: &mut Sums) {
        let mut fixed = 0;
        into.clear();
        into.push(0);
        for card in cards.iter() {
            match self.numbers[card.number() as usize].as_slice() {
                [] => {}
                [only] => fixed += u32::from(*only),
                [first, others @ ..] => {
                    let before = into.len();
                    for other in others {
                        for place in 0..before {
                            into.push(into[place] + u32::from(*other));
                        }
                    }
                    for sum in &mut into[..before] {
                        *sum += u32::from(*first);
                    }
                    into.sort_unstable();
                    into.dedup();
                }
            }
        }
        into.iter_mut().for_each(|sum| *sum += fixed);
    }

    /// The value of the best play among cards; 0 if there is none.
    pub(super) fn best_play(&self, cards: CardSet) -> u32 {
        let found = self.plays.iter().find(|(play, _)| has(cards, play));
        found.map_or(0, |(_, value)| u32::from(*value))
    }
}

/// Whether one of the left amounts compares so with one of the right.
#[inline]
pub(super) fn some(left: &[u32], compare: Compare, right: &[u32]) -> bool {
    left.iter()
        .any(|&left| right.iter().any(|&right| compare.holds(left, right)))
}

/// Whether the cards contain a combination, with cards of its own for each part.
pub(super) fn has(cards: CardSet, combination: &Combination) -> bool {
    has_parts(cards, &combination.0)
}

fn has_parts(cards: CardSet, parts: &[Part]) -> bool {
    let Some((part, rest)) = parts.split_first() else {
        return true;
    };
    let count = u32::from(part.count);
    match part.kind {
        PartKind::Card(number, suit) => {
            let card = Card::new(number, suit);
            let mut left = cards;
            left.remove(card);
            count == 1 && cards.contains(card) && has_parts(left, rest)
        }
        PartKind::Number(number) => picks(cards, cards.of_number(number), count, rest),
        PartKind::Suit(suit) => picks(cards, cards.of_suit(suit), count, rest),
        PartKind::SameNumber => (0..NUMBERS.len() as u8)
            .any(|number| picks(cards, cards.of_number(number), count, rest)),
        PartKind::SameSuit => {
            (0..SUITS.len() as u8).any(|suit| picks(cards, cards.of_suit(suit), count, rest))
        }
        PartKind::InOrder => {
            (0..NUMBERS.len() as u8).any(|lowest| runs(cards, lowest, count, rest))
        }
    }
}

/// Whether so many of the candidates can be taken that the rest has the other parts.
fn picks(cards: CardSet, candidates: CardSet, count: u32, rest: &[Part]) -> bool {
    if candidates.len() < count {
        return false;
    }
    // Which are taken matters only if other parts want some of them.
    if count == 0 || rest.is_empty() {
        return count == 0 && has_parts(cards, rest) || rest.is_empty();
    }
    let mut later = candidates;
    candidates.iter().any(|card| {
        later.remove(card);
        let mut left = cards;
        left.remove(card);
        later.len() + 1 >= count && picks(left, later, count - 1, rest)
    })
}

/// Whether there is a card of each of so many numbers from the lowest on, and the other parts among
/// the rest.
fn runs(cards: CardSet, lowest: u8, count: u32, rest: &[Part]) -> bool {
    if count == 0 {
        return has_parts(cards, rest);
    }
    if lowest as usize >= NUMBERS.len() {
        return false;
    }
    let mut suits = cards.of_number(lowest).iter();
    suits.any(|card| {
        let mut left = cards;
        left.remove(card);
        runs(left, lowest + 1, count - 1, rest)
    })
}

#[cfg(test)]
mod tests {
    use super::super::card::{Card, CardSet};
    use super::super::piece::Piece;
    use super::super::terms::combination;
    use super::has;

    fn cards(names: &[&str]) -> CardSet {
        let mut set = CardSet::default();
        for name in names {
            let card = Card::of_text(name);
            set.insert(card.unwrap_or_else(|| panic!("no card {name}")));
        }
        set
    }

    #[test]
    fn combinations_need_cards_of_their_own() {
        let hand = cards(&[
            "KingOfHearts",
            "KingOfSpades",
            "2OfHearts",
            "3OfHearts",
            "4OfClubs",
        ]);
        let cases = [
            ("2 King", true),
            ("3 King", false),
            ("3 Hearts", true),
            ("King of Hearts + 2 Hearts", true),
            ("King of Hearts + 3 Hearts", false),
            ("2 same number", true),
            ("2 same number + 2 same number", false),
            ("2 same number + 2 Hearts", true),
            ("3 same suit", true),
            ("3 in order", true),
            ("4 in order", false),
            ("3 in order + 2 King", true),
            ("2 King + 3 same suit", false),
        ];
        for (text, expected) in cases {
            let read = combination(Piece { text, start: 0 });
            let read = read.unwrap_or_else(|problem| panic!("{}", problem.message));
            assert_eq!(has(hand, &read), expected, "{text}");
        }
    }
}
