//! Reasons as sentences.
//!
//! What is told of one statement is its way to turn: of several rules that could derive what does
//! not hold, all are named at the top, and below only the one that lacks least. Facts that are the
//! same in every state are left out where anything else is to be said. An answer goes as deep as
//! ten lines or so let it, everywhere alike.

use serde::Serialize;

use super::names::{Names, Said, and_said};
use super::proof::UNKNOWN;
use super::{Attempt, Kind, Reason, Statement};

/// Sentences of one explanation; deeper ones are left out beyond that.
const MOST_LINES: usize = 10;
/// Facts that one sentence lists.
const MOST_LISTED: usize = 24;

/// A sentence of an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// How deep it stands: what it rests on is one deeper.
    pub depth: usize,
    /// The sentence.
    pub text: String,
    /// The clause of the sheet that it is about, counted from 0.
    pub clause: Option<usize>,
    /// The fluents and moves that it names, to be shown on a board.
    pub about: Vec<String>,
}

/// A reason as sentences, each followed by those that it rests on.
pub fn lines(reason: &Reason, names: &Names) -> Vec<Line> {
    let mut teller = Teller {
        names,
        lines: Vec::new(),
    };
    teller.tell(reason);
    evenly(teller.lines)
}

/// The lines down to the depth at which there are few enough.
fn evenly(mut lines: Vec<Line>) -> Vec<Line> {
    let deepest = lines.iter().map(|line| line.depth).max().unwrap_or(0);
    for depth in (1..=deepest).rev() {
        if lines.len() <= MOST_LINES {
            break;
        }
        lines.retain(|line| line.depth < depth || depth == 1);
    }
    lines.truncate(2 * MOST_LINES);
    for place in 0..lines.len() {
        let is_followed = lines
            .get(place + 1)
            .is_some_and(|next| next.depth > lines[place].depth);
        if !is_followed && lines[place].text.ends_with(", because:") {
            let text = lines[place].text.trim_end_matches(", because:").to_owned();
            lines[place].text = format!("{text}.");
        }
    }
    lines
}

/// A statement as a clause of a sentence: that it holds, or that it does not.
pub fn clause(statement: &Statement, holds: bool, names: &Names) -> String {
    names.said(statement, holds).text()
}

/// Writes lines.
struct Teller<'a> {
    names: &'a Names,
    lines: Vec<Line>,
}

impl Teller<'_> {
    fn tell(&mut self, reason: &Reason) {
        if reason.holds {
            return self.proof(reason, 0);
        }
        let mut text = sentence(&self.open(&reason.statement, false).text());
        if let Some(instead) = &reason.instead {
            text = format!("{text} But {}.", self.fact(instead).text());
        }
        let mut about = subjects(&reason.statement);
        about.extend(reason.instead.clone());
        self.line(0, text, reason.clause, about);
        for attempt in &reason.attempts {
            self.attempt(&reason.statement, attempt, 1);
        }
    }

    /// What a rule lacks, and what in turn that lacks.
    fn attempt(&mut self, statement: &Statement, attempt: &Attempt, depth: usize) {
        let missing = attempt.missing.iter();
        let wanted = self.wanted(attempt);
        let mut text = match wanted.is_empty() {
            true => "This rule lacks nothing that can be named.".to_owned(),
            false => format!("{} {}.", self.wish(statement), and_said(wanted)),
        };
        let instead: Vec<&String> = missing
            .clone()
            .filter_map(|one| one.instead.as_ref())
            .collect();
        if !instead.is_empty() {
            let facts = instead.iter().map(|text| self.fact(text)).collect();
            text = format!("{text} But {}.", and_said(facts));
        }
        let mut about: Vec<String> = missing
            .clone()
            .flat_map(|one| subjects(&one.statement))
            .collect();
        about.extend(instead.into_iter().cloned());
        self.line(depth, text, Some(attempt.clause), about);
        for missing in missing {
            match missing.attempts.first() {
                _ if missing.holds => {
                    if !told(missing).is_empty() {
                        self.proof(missing, depth + 1);
                    }
                }
                Some(first) if first.lacks() < UNKNOWN => {
                    self.attempt(&missing.statement, first, depth + 1);
                }
                Some(_) | None => {}
            }
        }
    }

    /// What would have to be otherwise; what is open is told together, for it may be the same.
    fn wanted(&self, attempt: &Attempt) -> Vec<Said> {
        let is_open = |one: &&Reason| !one.holds && is_open(&one.statement);
        let (open, others): (Vec<&Reason>, Vec<&Reason>) =
            attempt.missing.iter().partition(is_open);
        let mut all: Vec<Said> = Vec::new();
        match &open[..] {
            [] => {}
            [only] => all.push(self.open(&only.statement, true)),
            several => {
                let called = several.iter().map(|one| self.names.called(&one.statement));
                let called: Vec<String> = called.collect();
                let texts: Vec<&str> = several.iter().map(|one| &*one.statement.about).collect();
                let any = texts.join(" ");
                let any = variables(&any).join(", ");
                all.push(Said::Other(format!(
                    "{} hold for some `{any}`",
                    and(&called)
                )));
            }
        }
        let others = others.into_iter();
        all.extend(others.map(|one| self.open(&one.statement, !one.holds)));
        all
    }

    /// Why something holds.
    fn proof(&mut self, reason: &Reason, depth: usize) {
        let text = sentence(&self.open(&reason.statement, true).text());
        let text = text.trim_end_matches('.');
        let because = told(reason);
        let mut about = subjects(&reason.statement);
        about.extend(rests_on(reason));
        if goes_on(reason) || because.iter().all(|one| told(one).is_empty()) {
            let facts = match goes_on(reason) {
                true => facts_below(reason),
                false => because,
            };
            let said: Vec<Said> = facts
                .iter()
                .map(|one| self.open(&one.statement, one.holds))
                .collect();
            let text = match said.is_empty() {
                true => format!("{text}."),
                false => format!("{text}, because {}.", and_said(said)),
            };
            return self.line(depth, text, reason.clause, about);
        }
        self.line(depth, format!("{text}, because:"), reason.clause, about);
        for one in because {
            self.because(one, depth + 1);
        }
    }

    /// A condition that is met.
    fn because(&mut self, reason: &Reason, depth: usize) {
        if reason.holds {
            return self.proof(reason, depth);
        }
        let text = sentence(&self.open(&reason.statement, false).text());
        let about = subjects(&reason.statement);
        self.line(depth, text, reason.clause, about);
        if let Some(attempt) = reason.attempts.first().filter(|one| one.lacks() < UNKNOWN) {
            self.attempt(&reason.statement, attempt, depth + 1);
        }
    }

    fn line(&mut self, depth: usize, text: String, clause: Option<usize>, about: Vec<String>) {
        self.lines.push(Line {
            depth,
            text,
            clause,
            about,
        });
    }

    /// How a sentence begins that says when something would hold.
    fn wish(&self, statement: &Statement) -> String {
        match statement.kind {
            Kind::Terminal => "It would be over if".to_owned(),
            Kind::Legal => "It would be allowed if".to_owned(),
            Kind::Goal => {
                let gets = self.names.said(statement, true).text();
                format!(
                    "{} if",
                    sentence(&gets.replacen("gets", "would get", 1)).trim_end_matches('.')
                )
            }
            Kind::After => "It would be so if".to_owned(),
            _ => format!("{} would hold if", self.names.called(statement)),
        }
    }

    /// A fact of the state.
    fn fact(&self, text: &str) -> Said {
        let statement = Statement {
            kind: Kind::Now,
            text: format!("(true {text})"),
            about: text.to_owned(),
            role: None,
            ground: true,
        };
        self.names.said(&statement, true)
    }

    /// A statement in which what is open is said to be anything.
    fn open(&self, statement: &Statement, holds: bool) -> Said {
        if !is_open(statement) {
            return self.names.said(statement, holds);
        }
        let variables = variables(&statement.about);
        let (called, any) = (self.names.called(statement), variables.join(", "));
        let some = if holds { "some" } else { "no" };
        Said::Other(format!("{called} holds for {some} `{any}`"))
    }
}

/// Whether a statement leaves something open that may be anything.
fn is_open(statement: &Statement) -> bool {
    let may_be = matches!(
        statement.kind,
        Kind::Now | Kind::After | Kind::Derived | Kind::Given
    );
    may_be && !variables(&statement.about).is_empty()
}

/// The variables of a text, each once.
fn variables(text: &str) -> Vec<&str> {
    let words = text.split([' ', '(', ')']);
    let mut found: Vec<&str> = words.filter(|word| word.starts_with('?')).collect();
    found.sort_unstable();
    found.dedup();
    found
}

/// The conditions of a proof that are worth telling: what is the same in every state goes without
/// saying where something else is said.
fn told(reason: &Reason) -> Vec<&Reason> {
    let conditions = reason.conditions.iter();
    let is_fixed = |one: &&Reason| {
        matches!(
            one.statement.kind,
            Kind::Given | Kind::Difference | Kind::Other
        )
    };
    let (fixed, turning): (Vec<&Reason>, Vec<&Reason>) = conditions.partition(is_fixed);
    match turning.is_empty() {
        true => {
            let is_said = |one: &&Reason| one.statement.kind != Kind::Other;
            fixed.into_iter().filter(is_said).collect()
        }
        false => turning,
    }
}

/// Whether a proof rests on its own relation, as that of a chain does.
fn goes_on(reason: &Reason) -> bool {
    let name = relation(&reason.statement);
    let own = |one: &&Reason| relation(&one.statement) == name && !one.conditions.is_empty();
    reason.statement.kind == Kind::Derived && told(reason).iter().any(own)
}

/// The name of a statement's relation.
fn relation(statement: &Statement) -> &str {
    let inner = statement.text.trim_start_matches('(');
    inner.split([' ', ')']).next().unwrap_or_default()
}

/// The facts that a proof rests on in the end, each once, from the start of a chain.
fn facts_below(reason: &Reason) -> Vec<&Reason> {
    fn collect<'a>(reason: &'a Reason, into: &mut Vec<&'a Reason>) {
        let below = told(reason);
        if below.is_empty() && reason.statement.kind != Kind::Derived {
            let is_new = into.iter().all(|one| one.statement != reason.statement);
            if is_new && into.len() < MOST_LISTED {
                into.push(reason);
            }
        }
        below.into_iter().for_each(|one| collect(one, into));
    }
    let mut facts = Vec::new();
    told(reason)
        .into_iter()
        .for_each(|one| collect(one, &mut facts));
    facts
}

/// The facts of the state that a proof rests on, to be shown on a board.
fn rests_on(reason: &Reason) -> Vec<String> {
    let mut all = Vec::new();
    for one in &reason.conditions {
        if one.holds {
            let own = subjects(&one.statement);
            let below = rests_on(one);
            for text in own.into_iter().chain(below) {
                if !all.contains(&text) {
                    all.push(text);
                }
            }
        }
    }
    all
}

fn subjects(statement: &Statement) -> Vec<String> {
    let is_shown = matches!(
        statement.kind,
        Kind::Now | Kind::After | Kind::Start | Kind::Made | Kind::Legal
    );
    match is_shown && statement.ground {
        true => vec![statement.about.clone()],
        false => Vec::new(),
    }
}

/// A clause as a sentence of its own.
pub(super) fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters
        .next()
        .map(|letter| letter.to_uppercase().to_string());
    // The name of a square stays as it is.
    if letters
        .clone()
        .next()
        .is_some_and(|second| second.is_ascii_digit())
    {
        return format!("{clause}.");
    }
    format!("{}{}.", first.unwrap_or_default(), letters.as_str())
}

/// Clauses one after the other, with `and` before the last.
pub(super) fn and(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, and, evenly, sentence};

    #[test]
    fn words_are_put_together() {
        let parts = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(and(&parts), "a, b and c");
        assert_eq!(sentence("the game is over"), "The game is over.");
        assert_eq!(sentence("d6 is empty"), "d6 is empty.");
    }

    #[test]
    fn long_answers_are_cut_at_one_depth() {
        let line = |depth: usize| Line {
            depth,
            text: "It holds, because:".to_owned(),
            clause: None,
            about: Vec::new(),
        };
        let depths: Vec<usize> = std::iter::once(0)
            .chain((0..4).flat_map(|_| [1, 2, 3, 3]))
            .collect();
        let kept = evenly(depths.into_iter().map(line).collect());
        let depths: Vec<usize> = kept.iter().map(|line| line.depth).collect();
        assert_eq!(depths, [0, 1, 2, 1, 2, 1, 2, 1, 2]);
        assert_eq!(kept[1].text, "It holds, because:");
        assert_eq!(kept[2].text, "It holds.");
    }
}
