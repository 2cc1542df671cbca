//! Conditions, actions, places and combinations: from pieces of a rule to what they mean.

use paidia_gdl::Problem;

use super::card::{NUMBERS, SUITS};
use super::limits::MAX_TOKENS;
use super::piece::Piece;
use super::problems::{ACTION, COMBINATION, CONDITION, PLACE, RULE};
use super::read::ALL_PLAYERS;
use super::rules::{
    Action, Against, Combination, Compare, Condition, Likeness, Modifier, Part, PartKind, Place,
    Purse, Whose,
};

/// How many players and tables there are.
#[derive(Clone, Copy)]
pub(super) struct Tables {
    pub(super) players: u8,
    pub(super) tables: u8,
}

/// The condition and the action of a rule without its modifier.
pub(super) fn halves(piece: Piece<'_>) -> Result<(Option<Piece<'_>>, Piece<'_>), Problem> {
    let (first, rest) = piece.word();
    if !first.is("if") {
        return Ok((None, piece));
    }
    let halves = rest.cut(" then ");
    let (condition, action) = halves.ok_or_else(|| {
        Problem::new(RULE, piece.span(), "there is an `if` and no `then`")
            .help("write `if CONDITION then ACTION`")
    })?;
    Ok((Some(condition), action))
}

/// A number of cards, by its place.
pub(super) fn number(piece: Piece<'_>) -> Option<u8> {
    let place = NUMBERS.iter().position(|number| piece.is(number))?;
    Some(place as u8)
}

fn suit(piece: Piece<'_>) -> Option<u8> {
    let singular = |suit: &str| piece.is(&suit[..suit.len() - 1]);
    let place = SUITS
        .iter()
        .position(|suit| piece.is(suit) || singular(suit))?;
    Some(place as u8)
}

fn compare(piece: Piece<'_>) -> Option<Compare> {
    let found = Compare::SIGNS.iter().find(|(sign, _)| piece.is(sign));
    found.map(|(_, compare)| *compare)
}

fn is_empty(piece: Piece<'_>) -> bool {
    piece.is("λ") || piece.is("lambda")
}

/// Reads a condition.
pub(super) fn condition(piece: Piece<'_>, tables: Tables) -> Result<Condition, Problem> {
    let items: Vec<Piece<'_>> = piece.split(',').collect();
    let bad = || {
        let message = format!("`{}` is no condition", piece.text);
        Problem::new(CONDITION, piece.span(), message)
            .help("conditions are λ, sum, tokens, have, draw, play and show; `paidia explain cards-condition` lists them")
    };
    let sign = |piece: Piece<'_>| compare(piece).ok_or_else(bad);
    match items.as_slice() {
        [only] if is_empty(*only) => Ok(Condition::Always),
        [only] if only.is("draw") => Ok(Condition::Draw),
        [name, left, relation, right] if name.is("sum") => Ok(Condition::Sum(
            places(*left, tables)?,
            sign(*relation)?,
            match right.number() {
                Some(number) => Against::Number(number),
                None => Against::Places(places(*right, tables)?),
            },
        )),
        [name, left, relation, right] if name.is("tokens") => Ok(Condition::Tokens(
            purse(*left, tables)?,
            sign(*relation)?,
            match right.number() {
                Some(number) => Against::Number(number),
                None => Against::Places(purse(*right, tables)?),
            },
        )),
        [name, left, relation, right] if name.is("play") => Ok(Condition::Play(
            places(*left, tables)?,
            sign(*relation)?,
            places(*right, tables)?,
        )),
        [name, wanted] if name.is("have") => Ok(Condition::Have(combination(*wanted)?)),
        [name, likeness, table] if name.is("show") => {
            let likeness = match likeness {
                piece if piece.is("suit") => Likeness::Suit,
                piece if piece.is("number") => Likeness::Number,
                piece => Likeness::Rank(sign(*piece)?),
            };
            match place(*table, tables)? {
                Place::Table(table) => Ok(Condition::Show(likeness, table)),
                _ => Err(no_place(*table, tables).help("cards are shown on tables: T0, T1, ...")),
            }
        }
        _ => Err(bad()),
    }
}

/// Reads an action; `player` is the one that the rule is for, if it is for all.
pub(super) fn action(
    piece: Piece<'_>,
    tables: Tables,
    modifier: Modifier,
    player: u8,
) -> Result<Action, Problem> {
    let items: Vec<Piece<'_>> = piece.split(',').collect();
    let read = match modifier {
        Modifier::Computer => dealers(&items, tables, player)?,
        _ => players(&items, tables)?,
    };
    read.ok_or_else(|| {
        let (who, known) = match modifier {
            Modifier::Computer => ("the dealer", "deal and give"),
            _ => ("a player", "pifr, put, bet, gain, done, out, win and λ"),
        };
        let message = format!("`{}` is no action of {who}", piece.text);
        let help = format!("there are {known}; `paidia explain cards-action` tells their forms");
        Problem::new(ACTION, piece.span(), message).help(help)
    })
}

fn dealers(items: &[Piece<'_>], tables: Tables, player: u8) -> Result<Option<Action>, Problem> {
    let [name, to, amount] = items else {
        return Ok(None);
    };
    let to_player = match to.text {
        ALL_PLAYERS => Some(player),
        text => text
            .strip_prefix('P')
            .and_then(|number| number.parse::<u8>().ok())
            .map(|n| n.wrapping_sub(1)),
    };
    let to_player = to_player.filter(|&player| player < tables.players);
    let is_amount = |most: u16| {
        amount
            .number::<u16>()
            .filter(|&amount| (1..=most).contains(&amount))
    };
    if name.is("give") {
        let player = to_player.ok_or_else(|| no_place(*to, tables))?;
        return Ok(is_amount(MAX_TOKENS).map(|amount| Action::Give(player, amount)));
    }
    if name.is("deal") {
        let place = match to_player {
            Some(player) => Place::Hand(Whose::Player(player)),
            None => match place(*to, tables)? {
                to @ (Place::Table(_) | Place::Hand(Whose::Player(_))) => to,
                _ => {
                    return Err(
                        no_place(*to, tables).help("deal to P1, P2, ..., to all, or to a table")
                    );
                }
            },
        };
        return Ok(is_amount(52).map(|amount| Action::Deal(place, amount as u8)));
    }
    Ok(None)
}

fn players(items: &[Piece<'_>], tables: Tables) -> Result<Option<Action>, Problem> {
    Ok(match items {
        [only] if is_empty(*only) => Some(Action::Nothing),
        [only] if only.is("done") => Some(Action::Done),
        [only] if only.is("out") => Some(Action::Out),
        [only] if only.is("win") => Some(Action::Win),
        [name, from, amount, face] if name.is("pifr") => match place(*from, tables)? {
            from @ (Place::Deck | Place::Table(_)) => {
                let amount = amount
                    .number::<u8>()
                    .filter(|amount| (1..=52).contains(amount));
                amount
                    .zip(is_up(*face))
                    .map(|(amount, up)| Action::Take(from, amount, up))
            }
            _ => return Err(no_place(*from, tables).help("take from the deck or a table: D, T0")),
        },
        [name, to, face] if name.is("put") => match place(*to, tables)? {
            to @ (Place::Table(_) | Place::NextHand) => is_up(*face).map(|up| Action::Put(to, up)),
            _ => {
                return Err(
                    no_place(*to, tables).help("put on a table or in the next hand: T0, HN")
                );
            }
        },
        [name, sign, with] if name.is("bet") => {
            let with = match is_empty(*with) {
                true => None,
                false => Some(purse(*with, tables)?),
            };
            compare(*sign).map(|compare| Action::Bet(compare, with))
        }
        [name, from] if name.is("gain") => Some(Action::Gain(purse(*from, tables)?)),
        _ => None,
    })
}

/// Whether a condition and an action can stand in one rule: a move has one card or one amount.
pub(super) fn fit(condition: &Condition, action: &Action, rule: Piece<'_>) -> Result<(), Problem> {
    let chooses = matches!(action, Action::Put(..) | Action::Bet(..));
    if chooses && matches!(condition, Condition::Show(..)) {
        let message = "a rule that shows a card cannot put or bet as well";
        let help = "make two rules of it, in two stages";
        return Err(Problem::new(ACTION, rule.span(), message).help(help));
    }
    Ok(())
}

fn is_up(piece: Piece<'_>) -> Option<bool> {
    match piece.text {
        "up" => Some(true),
        "down" => Some(false),
        _ => None,
    }
}

fn no_place(piece: Piece<'_>, tables: Tables) -> Problem {
    let message = format!(
        "there is no `{}` with {} players and {} tables",
        piece.text, tables.players, tables.tables
    );
    let help = "cards are at D, H1, HX, HA, HN, T0; tokens at K10, K11, KP, KX, KA";
    Problem::new(PLACE, piece.span(), message).help(help)
}

/// Places joined by `+`.
fn places(piece: Piece<'_>, tables: Tables) -> Result<Vec<Place>, Problem> {
    piece.split('+').map(|piece| place(piece, tables)).collect()
}

fn place(piece: Piece<'_>, tables: Tables) -> Result<Place, Problem> {
    let numbered = |letter: char| -> Option<u8> { piece.text.strip_prefix(letter)?.parse().ok() };
    let found = match piece.text {
        "D" => Some(Place::Deck),
        "HX" => Some(Place::Hand(Whose::Current)),
        "HA" => Some(Place::Hand(Whose::All)),
        "HN" => Some(Place::NextHand),
        _ => match (numbered('H'), numbered('T')) {
            (Some(player), _) if (1..=tables.players).contains(&player) => {
                Some(Place::Hand(Whose::Player(player - 1)))
            }
            (_, Some(table)) if table < tables.tables => Some(Place::Table(table)),
            _ => None,
        },
    };
    found.ok_or_else(|| no_place(piece, tables))
}

fn purse(piece: Piece<'_>, tables: Tables) -> Result<Purse, Problem> {
    let found = match piece.text {
        "KA" => Some(Purse::Bet(Whose::All)),
        "KX" => Some(Purse::Bet(Whose::Current)),
        "KP" => Some(Purse::Private(Whose::Current)),
        text => text.strip_prefix('K').and_then(|digits| {
            let (player, kind) = digits.split_at_checked(digits.len().checked_sub(1)?)?;
            let player: u8 = player.parse().ok()?;
            let player = (1..=tables.players)
                .contains(&player)
                .then_some(player - 1)?;
            match kind {
                "0" => Some(Purse::Private(Whose::Player(player))),
                "1" => Some(Purse::Bet(Whose::Player(player))),
                _ => None,
            }
        }),
    };
    found.ok_or_else(|| no_place(piece, tables))
}

/// Reads a combination.
pub(super) fn combination(piece: Piece<'_>) -> Result<Combination, Problem> {
    let parts: Option<Vec<Part>> = piece.split('+').map(part).collect();
    let parts = parts.ok_or_else(|| {
        let message = format!("`{}` is no combination of cards", piece.text);
        Problem::new(COMBINATION, piece.span(), message)
            .help("such as `2 same number`, `3 Hearts`, `King of Spades + 2 Ace`, `5 in order`")
    })?;
    Ok(Combination(parts))
}

fn part(piece: Piece<'_>) -> Option<Part> {
    let (first, rest) = piece.word();
    // A number alone is a number of cards: `10` is a ten, `2 10` are two of them.
    let (count, kind) = match (first.number::<u8>(), rest.text.is_empty()) {
        (Some(count), false) if !rest.text.starts_with("of ") => (count, rest),
        _ => (1, piece.trim()),
    };
    let kind = match kind.text {
        "same number" => PartKind::SameNumber,
        "same suit" => PartKind::SameSuit,
        "in order" => PartKind::InOrder,
        _ => match kind.cut(" of ") {
            Some((left, right)) => PartKind::Card(number(left)?, suit(right)?),
            None => match (number(kind), suit(kind)) {
                (Some(number), _) => PartKind::Number(number),
                (_, Some(suit)) => PartKind::Suit(suit),
                _ => return None,
            },
        },
    };
    (1..=52).contains(&count).then_some(Part { count, kind })
}
