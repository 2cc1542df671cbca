//! The moves of a card game by their texts.

use paidia_game::{MoveId, MoveTable};

use super::card::{CARDS, Card};
use super::position::{Choice, Detail, Rulebook};
use super::rules::{Action, CardRules, Condition, Place, Rule};

/// The text of a role's only move while others act.
pub(super) const NOOP: &str = "noop";

/// All moves that can ever be made, in the byte order of their texts, which is that of their ids.
#[derive(Debug)]
pub(super) struct Moves {
    pub(super) table: MoveTable,
    pub(super) noop: MoveId,
    /// The move that draws each card.
    draws: Vec<MoveId>,
    /// For each rule of each stage, where its moves begin in `details`.
    starts: Vec<Vec<u32>>,
    /// The moves of a rule by what is chosen in it.
    details: Vec<MoveId>,
}

impl Moves {
    pub(super) fn new(book: &Rulebook) -> Self {
        let rules = &book.rules;
        let tokens = all_tokens(rules);
        let mut texts: Vec<String> = vec![NOOP.to_owned()];
        texts.extend(cards().map(draw_text));
        for rule in rules.stages.iter().flatten() {
            texts.extend((0..details(rule, tokens)).map(|detail| text(rule, detail)));
        }
        texts.sort_unstable();
        texts.dedup();
        let id = |text: &String| {
            // Every text that is asked for is in the list.
            MoveId(texts.binary_search(text).unwrap_or_default() as u32)
        };
        let mut starts = Vec::new();
        let mut all = Vec::new();
        for stage in &rules.stages {
            let mut of_stage = Vec::new();
            for rule in stage {
                of_stage.push(all.len() as u32);
                all.extend((0..details(rule, tokens)).map(|detail| id(&text(rule, detail))));
            }
            starts.push(of_stage);
        }
        let (noop, draws) = (
            id(&NOOP.to_owned()),
            cards().map(|card| id(&draw_text(card))),
        );
        let draws = draws.collect();
        let table = MoveTable::from_names(texts.iter().map(String::as_str));
        Self {
            noop,
            draws,
            starts,
            details: all,
            // There are far fewer moves than ids: tokens, rules and cards are few.
            table: table.unwrap_or_else(|_| MoveTable::with_limit(0)),
        }
    }

    /// The move of chance that draws a card.
    #[inline]
    pub(super) fn draw(&self, card: Card) -> MoveId {
        self.draws[card.0 as usize]
    }

    /// The card that a move of chance draws.
    pub(super) fn drawn(&self, id: MoveId) -> Option<Card> {
        let place = self.draws.iter().position(|&draw| draw == id)?;
        Some(Card(place as u8))
    }

    /// The move of a choice in a stage.
    #[inline]
    pub(super) fn of(&self, stage: u8, choice: Choice) -> MoveId {
        let start = self.starts[stage as usize][choice.rule as usize] as usize;
        let detail = match choice.detail {
            Detail::None => 0,
            Detail::Card(card) => card.0 as usize,
            Detail::Tokens(tokens) => tokens as usize,
        };
        self.details[start + detail]
    }
}

fn cards() -> impl Iterator<Item = Card> {
    (0..CARDS as u8).map(Card)
}

/// All tokens that the dealer ever gives.
pub(super) fn all_tokens(rules: &CardRules) -> u32 {
    let given = rules.stages.iter().flatten().map(|rule| match rule.action {
        Action::Give(_, amount) => u32::from(amount),
        _ => 0,
    });
    given.sum()
}

/// Whether a rule lets a card be chosen.
fn chooses_card(rule: &Rule) -> bool {
    matches!(rule.condition, Condition::Show(..)) || matches!(rule.action, Action::Put(..))
}

/// How many different moves a rule has.
fn details(rule: &Rule, tokens: u32) -> usize {
    match &rule.action {
        _ if chooses_card(rule) => CARDS,
        Action::Bet(..) => tokens as usize + 1,
        _ => 1,
    }
}

fn draw_text(card: Card) -> String {
    format!("(deal {})", card.text())
}

/// The text of a rule's move.
fn text(rule: &Rule, detail: usize) -> String {
    let card = || Card(detail as u8).text();
    let mut words: Vec<String> = Vec::new();
    match rule.condition {
        Condition::Show(..) => words.extend(["show".to_owned(), card()]),
        Condition::Draw => words.push("draw".to_owned()),
        _ => {}
    }
    let open = |up: bool| if up { "" } else { " down" };
    match &rule.action {
        Action::Nothing if words.is_empty() => words.push("pass".to_owned()),
        Action::Nothing => {}
        Action::Take(from, amount, up) => {
            let (from, up) = (from.text(), if *up { " up" } else { "" });
            words.push(format!("take {from} {amount}{up}"));
        }
        Action::Put(Place::NextHand, _) => words.push(format!("give {}", card())),
        Action::Put(to, up) => words.push(format!("put {} {}{}", card(), to.text(), open(*up))),
        Action::Bet(..) => words.push(format!("bet {detail}")),
        Action::Gain(purse) => words.push(format!("gain {}", purse.text())),
        Action::Done => words.push("done".to_owned()),
        Action::Out => words.push("out".to_owned()),
        Action::Win => words.push("win".to_owned()),
        Action::Give(..) | Action::Deal(..) => words.push("dealer".to_owned()),
    }
    let text = words.join(" ");
    match text.contains(' ') {
        true => format!("({text})"),
        false => text,
    }
}
