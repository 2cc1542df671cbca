//! What is probably not meant, in rules that can be played.

use paidia_gdl::{Problem, Span};

use super::problems::{NO_VALUES, POINTLESS, SHORT_DECK};
use super::rules::{Action, CardRules, Condition, Points, Rule};

pub(super) fn warn(rules: &CardRules, at: Span, problems: &mut Vec<Problem>) {
    let all = || rules.stages.iter().flatten();
    let has = |wanted: fn(&Rule) -> bool| all().any(wanted);
    if rules.values.is_empty() && has(|rule| matches!(rule.condition, Condition::Sum(..))) {
        let problem = Problem::new(NO_VALUES, at, "cards are summed up, and none has a value");
        problems.push(problem.help("write `[RANKING] 2:2, ..., Ace:11`"));
    }
    if rules.plays.is_empty() && has(|rule| matches!(rule.condition, Condition::Play(..))) {
        let problem = Problem::new(NO_VALUES, at, "plays are compared, and none has a value");
        problems.push(problem.help("write `[PLAYS] 2 same number:1`"));
    }
    let wins = has(|rule| rule.action == Action::Win);
    if !wins && rules.points == Points::default() {
        let problem = Problem::new(POINTLESS, at, "all players always have the same result");
        problems.push(problem.help("write `[POINTS] t=1, c=0, s=0`, or let a rule `win`"));
    }
    let dealt = all().map(|rule| match rule.action {
        Action::Deal(_, amount) => u32::from(amount),
        _ => 0,
    });
    let (dealt, cards) = (dealt.sum::<u32>(), rules.deck.len());
    if dealt > cards {
        let message = format!("{dealt} cards are dealt, and there are {cards}");
        problems.push(Problem::new(SHORT_DECK, at, message).help("deal fewer"));
    }
}
