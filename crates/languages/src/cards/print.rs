//! Rules as text, in their normal form.

use paidia_gdl::{Problem, Source};

use super::card::{NUMBERS, SUITS};
use super::read::read;
use super::rules::{
    Action, Against, Combination, Condition, Likeness, Part, PartKind, Place, Purse, Rule, Whose,
};

/// The text of a rule file in its normal form, with its comments.
///
/// # Errors
/// What is wrong with a text that cannot be read as a whole.
pub fn format(source: &Source) -> Result<String, Vec<Problem>> {
    let reading = read(source);
    if reading.has_errors() {
        return Err(reading.problems);
    }
    let mut text = reading.lines.join("\n");
    text.truncate(text.trim_end().len());
    text.push('\n');
    Ok(text)
}

impl Rule {
    /// The rule in its normal form.
    pub fn text(&self) -> String {
        let (modifier, action) = (self.modifier.word(), self.action.text());
        match &self.condition {
            Condition::Always if self.modifier == super::rules::Modifier::Computer => {
                format!("{modifier} {action}")
            }
            condition => format!("{modifier} if {} then {action}", condition.text()),
        }
    }
}

impl Condition {
    /// The condition in its normal form.
    pub fn text(&self) -> String {
        match self {
            Condition::Always => "λ".to_owned(),
            Condition::Draw => "draw".to_owned(),
            Condition::Sum(left, compare, right) => {
                let right = match right {
                    Against::Number(number) => number.to_string(),
                    Against::Places(places) => places_text(places),
                };
                format!("sum, {}, {}, {right}", places_text(left), compare.sign())
            }
            Condition::Tokens(left, compare, right) => {
                let right = match right {
                    Against::Number(number) => number.to_string(),
                    Against::Places(purse) => purse.text(),
                };
                format!("tokens, {}, {}, {right}", left.text(), compare.sign())
            }
            Condition::Have(combination) => format!("have, {}", combination.text()),
            Condition::Play(left, compare, right) => {
                let (left, right) = (places_text(left), places_text(right));
                format!("play, {left}, {}, {right}", compare.sign())
            }
            Condition::Show(likeness, table) => {
                let likeness = match likeness {
                    Likeness::Suit => "suit",
                    Likeness::Number => "number",
                    Likeness::Rank(compare) => compare.sign(),
                };
                format!("show, {likeness}, T{table}")
            }
        }
    }
}

impl Action {
    /// The action in its normal form.
    pub fn text(&self) -> String {
        let face = |up: &bool| if *up { "up" } else { "down" };
        match self {
            Action::Nothing => "λ".to_owned(),
            Action::Take(from, amount, up) => {
                format!("pifr, {}, {amount}, {}", from.text(), face(up))
            }
            Action::Put(to, up) => format!("put, {}, {}", to.text(), face(up)),
            Action::Bet(compare, with) => {
                let with = with.map_or_else(|| "λ".to_owned(), Purse::text);
                format!("bet, {}, {with}", compare.sign())
            }
            Action::Gain(purse) => format!("gain, {}", purse.text()),
            Action::Done => "done".to_owned(),
            Action::Out => "out".to_owned(),
            Action::Win => "win".to_owned(),
            Action::Give(player, amount) => format!("give, P{}, {amount}", player + 1),
            Action::Deal(Place::Hand(Whose::Player(player)), amount) => {
                format!("deal, P{}, {amount}", player + 1)
            }
            Action::Deal(to, amount) => format!("deal, {}, {amount}", to.text()),
        }
    }
}

fn places_text(places: &[Place]) -> String {
    let texts: Vec<String> = places.iter().map(|place| place.text()).collect();
    texts.join("+")
}

impl Place {
    /// The place in its normal form.
    pub fn text(self) -> String {
        match self {
            Place::Deck => "D".to_owned(),
            Place::Hand(Whose::Current) => "HX".to_owned(),
            Place::Hand(Whose::All) => "HA".to_owned(),
            Place::Hand(Whose::Player(player)) => format!("H{}", player + 1),
            Place::NextHand => "HN".to_owned(),
            Place::Table(table) => format!("T{table}"),
        }
    }
}

impl Purse {
    /// The purse in its normal form.
    pub fn text(self) -> String {
        match self {
            Purse::Private(Whose::Player(player)) => format!("K{}0", player + 1),
            Purse::Bet(Whose::Player(player)) => format!("K{}1", player + 1),
            Purse::Private(_) => "KP".to_owned(),
            Purse::Bet(Whose::Current) => "KX".to_owned(),
            Purse::Bet(Whose::All) => "KA".to_owned(),
        }
    }
}

impl Combination {
    /// The combination in its normal form.
    pub fn text(&self) -> String {
        let texts: Vec<String> = self.0.iter().map(|part| part.text()).collect();
        texts.join(" + ")
    }
}

impl Part {
    fn text(self) -> String {
        let kind = match self.kind {
            PartKind::Number(number) => NUMBERS[number as usize].to_owned(),
            PartKind::Suit(suit) => SUITS[suit as usize].to_owned(),
            PartKind::Card(number, suit) => {
                format!("{} of {}", NUMBERS[number as usize], SUITS[suit as usize])
            }
            PartKind::SameNumber => "same number".to_owned(),
            PartKind::SameSuit => "same suit".to_owned(),
            PartKind::InOrder => "in order".to_owned(),
        };
        match self.count {
            1 => kind,
            count => format!("{count} {kind}"),
        }
    }
}
