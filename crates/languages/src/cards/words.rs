//! Rules of card games in plain words.

use super::rules::{
    Action, Against, CardRules, Condition, Likeness, Modifier, Place, Purse, Rule, Whose,
};

/// What the rules say, for people.
pub fn in_words(rules: &CardRules) -> String {
    let mut text = format!(
        "{} with {} cards.",
        counted(u32::from(rules.players), "player"),
        rules.deck.len()
    );
    for (number, stage) in rules.stages.iter().enumerate() {
        text += &format!("\n\nStage {}:", number + 1);
        for rule in stage {
            text += &format!("\n- {}", rule_in_words(rule));
        }
    }
    let points = [
        (rules.points.token, "for each token"),
        (rules.points.card, "for each card in hand"),
        (rules.points.still_in, "for not being out"),
    ];
    let points = points.iter().filter(|(points, _)| *points != 0);
    let points: Vec<String> = points
        .map(|(points, what)| format!("{points} {what}"))
        .collect();
    if !points.is_empty() {
        text += &format!("\n\nPoints: {}.", points.join(", "));
    }
    text
}

fn rule_in_words(rule: &Rule) -> String {
    let who = match rule.modifier {
        Modifier::Computer => "the dealer",
        Modifier::Mandatory => "each player must",
        Modifier::Once => "each player may once",
        Modifier::Optional => "players in turn may",
    };
    let action = action_in_words(&rule.action);
    match condition_in_words(&rule.condition) {
        None => format!("{who} {action}"),
        Some(condition) => format!("{who} {action}, if {condition}"),
    }
}

fn condition_in_words(condition: &Condition) -> Option<String> {
    Some(match condition {
        Condition::Always => return None,
        Condition::Sum(left, compare, right) => {
            let right = match right {
                Against::Number(number) => number.to_string(),
                Against::Places(places) => format!("that of {}", places_in_words(places)),
            };
            format!(
                "the sum of {} is {} {right}",
                places_in_words(left),
                compare.sign()
            )
        }
        Condition::Tokens(left, compare, right) => {
            let right = match right {
                Against::Number(number) => number.to_string(),
                Against::Places(purse) => purse_in_words(*purse),
            };
            format!("{} are {} {right}", purse_in_words(*left), compare.sign())
        }
        Condition::Have(combination) => format!("the hand has {}", combination.text()),
        Condition::Draw => "there is a card to draw, which is drawn".to_owned(),
        Condition::Play(left, compare, right) => format!(
            "the best play of {} is {} that of {}",
            places_in_words(left),
            compare.sign(),
            places_in_words(right)
        ),
        Condition::Show(likeness, table) => {
            let like = match likeness {
                Likeness::Suit => "of the same suit as".to_owned(),
                Likeness::Number => "of the same number as".to_owned(),
                Likeness::Rank(compare) => format!("with a number {} that of", compare.sign()),
            };
            format!(
                "a card is laid that is {like} the top of table {}",
                table + 1
            )
        }
    })
}

fn action_in_words(action: &Action) -> String {
    match action {
        Action::Nothing => "go on".to_owned(),
        Action::Take(from, amount, up) => {
            let cards = counted(u32::from(*amount), "card");
            let open = if *up { " openly" } else { "" };
            format!("take {cards} of {}{open}", place_in_words(*from))
        }
        Action::Put(to, _) => format!("put a card on {}", place_in_words(*to)),
        Action::Bet(_, None) => "bet".to_owned(),
        Action::Bet(compare, Some(with)) => {
            format!(
                "bet up to {} the highest of {}",
                compare.sign(),
                purse_in_words(*with)
            )
        }
        Action::Gain(purse) => format!("take {}", purse_in_words(*purse)),
        Action::Done => "be done".to_owned(),
        Action::Out => "be out".to_owned(),
        Action::Win => "win".to_owned(),
        Action::Give(player, amount) => {
            format!(
                "gives {} to player {}",
                counted(u32::from(*amount), "token"),
                player + 1
            )
        }
        Action::Deal(to, amount) => {
            format!(
                "deals {} to {}",
                counted(u32::from(*amount), "card"),
                place_in_words(*to)
            )
        }
    }
}

fn places_in_words(places: &[Place]) -> String {
    let texts: Vec<String> = places.iter().map(|place| place_in_words(*place)).collect();
    texts.join(" and ")
}

fn place_in_words(place: Place) -> String {
    match place {
        Place::Deck => "the deck".to_owned(),
        Place::Hand(Whose::Current) => "the own hand".to_owned(),
        Place::Hand(Whose::All) => "the other hands".to_owned(),
        Place::Hand(Whose::Player(player)) => format!("player {}", player + 1),
        Place::NextHand => "the next player's hand".to_owned(),
        Place::Table(table) => format!("table {}", table + 1),
    }
}

fn purse_in_words(purse: Purse) -> String {
    match purse {
        Purse::Private(Whose::Player(player)) => format!("the tokens of player {}", player + 1),
        Purse::Private(_) => "the own tokens".to_owned(),
        Purse::Bet(Whose::Player(player)) => format!("the bet of player {}", player + 1),
        Purse::Bet(Whose::Current) => "the own bet".to_owned(),
        Purse::Bet(Whose::All) => "all bets".to_owned(),
    }
}

fn counted(number: u32, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
