//! States of card games as fluents.

use super::card::{Card, CardSet};
use super::position::Rulebook;
use super::state::{CardState, Dealing, Phase, Status, Target};

/// The name of a player's role.
pub(super) fn player_name(player: u8) -> String {
    format!("player{}", player + 1)
}

/// The fluents of a state, in byte order.
pub(super) fn fluents(book: &Rulebook, state: &CardState) -> Vec<String> {
    let mut found = Vec::new();
    for player in 0..book.players() {
        let (name, seat) = (player_name(player), player as usize);
        for card in state.hands[seat].iter() {
            found.push(format!("(hand {name} {})", card.text()));
        }
        found.push(format!("(tokens {name} {})", state.private[seat]));
        found.push(format!("(bet {name} {})", state.bets[seat]));
        match state.status[seat] {
            Status::In => {}
            Status::Done => found.push(format!("(status {name} done)")),
            Status::Out => found.push(format!("(status {name} out)")),
        }
        for rule in (0..64).filter(|rule| state.used[seat] >> rule & 1 == 1) {
            found.push(format!("(used {name} {rule})"));
        }
    }
    for table in 0..book.rules.tables {
        for card in state.tables[table as usize].iter() {
            let height = state.heights[card.0 as usize];
            found.push(format!("(table T{table} {height} {})", card.text()));
        }
    }
    found.push(format!("(stage {} {})", state.stage, state.phase.word()));
    found.push(format!("(current {})", player_name(state.current)));
    found.push(format!("(dealt {})", state.dealt));
    found.push(format!("(actions {})", state.actions));
    if let Some(Dealing { to, left, up }) = state.dealing {
        let to = match to {
            Target::Hand(player) => player_name(player),
            Target::Table(table) => format!("T{table}"),
        };
        let face = if up { "up" } else { "down" };
        found.push(format!("(dealing {to} {left} {face})"));
    }
    if let Some(winner) = state.winner {
        found.push(format!("(won {})", player_name(winner)));
    }
    found.sort_unstable();
    found
}

/// The state in which exactly these fluents hold.
///
/// # Errors
/// The first text that does not fit, and why.
pub(super) fn state(book: &Rulebook, texts: &[&str]) -> Result<CardState, (String, String)> {
    let mut state = CardState::new(CardSet::default());
    let mut reader = Reader {
        book,
        state: &mut state,
        held: CardSet::default(),
        steps: [false; 5],
    };
    let mut sorted: Vec<&str> = texts.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    for text in sorted {
        let read = reader.fluent(text);
        read.map_err(|because| (text.to_owned(), because.to_owned()))?;
    }
    let held = reader.held;
    if reader.steps != [true, true, true, true, true] {
        let because = "a state needs `stage`, `current`, `dealt`, `actions`, and no fluent twice";
        return Err(("the state".to_owned(), because.to_owned()));
    }
    for card in book.rules.deck.iter().filter(|&card| !held.contains(card)) {
        state.deck.insert(card);
    }
    if state
        .dealing
        .is_some_and(|dealing| u32::from(dealing.left) > state.deck.len())
    {
        return Err((
            "(dealing)".to_owned(),
            "there are not so many cards in the deck".to_owned(),
        ));
    }
    for table in 0..book.rules.tables {
        let pile = state.tables[table as usize];
        let mut heights: Vec<u8> = pile
            .iter()
            .map(|card| state.heights[card.0 as usize])
            .collect();
        heights.sort_unstable();
        if heights.iter().copied().ne(1..=pile.len() as u8) {
            return Err((
                format!("(table T{table})"),
                "its cards lie on one another".to_owned(),
            ));
        }
    }
    Ok(state)
}

struct Reader<'a> {
    book: &'a Rulebook,
    state: &'a mut CardState,
    held: CardSet,
    /// Which fluents were there that every state has once; the last says that none was twice.
    steps: [bool; 5],
}

impl Reader<'_> {
    fn fluent(&mut self, text: &str) -> Result<(), &'static str> {
        const UNKNOWN: &str = "states of this game have no such fluent";
        self.steps[4] = true;
        let inside = text
            .strip_prefix('(')
            .and_then(|text| text.strip_suffix(')'));
        let words: Vec<&str> = inside.ok_or(UNKNOWN)?.split(' ').collect();
        let player = |text: &str| self.player(text).ok_or("there is no such player");
        match words.as_slice() {
            ["hand", name, card] => {
                let seat = player(name)?;
                let card = self.card(card)?;
                self.state.hands[seat].insert(card);
            }
            ["table", table, height, card] => {
                let table = self.table(table).ok_or("there is no such table")?;
                let height = number::<u8>(height, 52)?;
                let card = self.card(card)?;
                self.state.tables[table as usize].insert(card);
                self.state.heights[card.0 as usize] = height;
            }
            ["tokens", name, amount] => {
                let seat = player(name)?;
                self.state.private[seat] = number(amount, u16::MAX)?;
            }
            ["bet", name, amount] => {
                let seat = player(name)?;
                self.state.bets[seat] = number(amount, u16::MAX)?;
            }
            ["status", name, status] => {
                let seat = player(name)?;
                self.state.status[seat] = match *status {
                    "done" => Status::Done,
                    "out" => Status::Out,
                    _ => return Err("a status is `done` or `out`"),
                };
            }
            ["used", name, rule] => {
                let seat = player(name)?;
                self.state.used[seat] |= 1 << number::<u8>(rule, 63)?;
            }
            ["stage", stage, phase] => {
                let most = self.book.rules.stages.len() as u8;
                self.state.stage = number(stage, most)?;
                let phase = Phase::ALL.into_iter().find(|known| known.word() == *phase);
                self.state.phase = phase.ok_or("there is no such phase")?;
                self.once(0)?;
            }
            ["current", name] => {
                self.state.current = player(name)? as u8;
                self.once(1)?;
            }
            ["dealt", count] => {
                self.state.dealt = number(count, u8::MAX)?;
                self.once(2)?;
            }
            ["actions", count] => {
                self.state.actions = number(count, super::limits::MAX_ACTIONS)?;
                self.once(3)?;
            }
            ["dealing", to, left, face] => {
                let to = match (self.player(to), self.table(to)) {
                    (Some(seat), _) => Target::Hand(seat as u8),
                    (_, Some(table)) => Target::Table(table),
                    _ => return Err("cards go to players and tables"),
                };
                let left = number::<u8>(left, 52)?;
                let up = *face == "up";
                self.state.dealing = (left > 0).then_some(Dealing { to, left, up });
            }
            ["won", name] => self.state.winner = Some(player(name)? as u8),
            _ => return Err(UNKNOWN),
        }
        Ok(())
    }

    fn once(&mut self, which: usize) -> Result<(), &'static str> {
        match std::mem::replace(&mut self.steps[which], true) {
            true => Err("a state has only one fluent of this kind"),
            false => Ok(()),
        }
    }

    fn player(&self, name: &str) -> Option<usize> {
        let number: u8 = name.strip_prefix("player")?.parse().ok()?;
        (1..=self.book.players())
            .contains(&number)
            .then(|| number as usize - 1)
    }

    fn table(&self, name: &str) -> Option<u8> {
        let number: u8 = name.strip_prefix('T')?.parse().ok()?;
        (number < self.book.rules.tables).then_some(number)
    }

    fn card(&mut self, text: &str) -> Result<Card, &'static str> {
        let card = Card::of_text(text).ok_or("there is no such card")?;
        if !self.book.rules.deck.contains(card) {
            return Err("the game is played without this card");
        }
        if self.held.contains(card) {
            return Err("this card is in two places");
        }
        self.held.insert(card);
        Ok(card)
    }
}

fn number<T: std::str::FromStr + PartialOrd + Copy>(
    text: &str,
    most: T,
) -> Result<T, &'static str> {
    // One text a number, so that equal states have equal texts.
    let is_plain = text == "0" || !text.starts_with(['0', '+']);
    let read = text.parse().ok().filter(|_| is_plain);
    read.filter(|number| *number <= most)
        .ok_or("this number does not fit")
}
