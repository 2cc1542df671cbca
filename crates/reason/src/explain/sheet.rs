//! A rule sheet in plain words, clause by clause.

use paidia_gdl::keyword::Keyword;
use paidia_gdl::symbol::Symbols;
use paidia_gdl::syntax::{Atom, Clause, Formula, Notation, Sheet, Term, atom_text, term_text};
use serde::Serialize;

use super::names::{Names, Said, and_said_in_short};
use super::words::{and, clause, sentence};
use super::{Kind, Statement};

/// Facts of one relation that are told; of more, their number.
const MOST_FACTS: usize = 12;

/// What a sheet says about one thing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// What it is about.
    pub title: &'static str,
    /// Its sentences.
    pub sentences: Vec<Sentence>,
}

/// What a clause says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Sentence {
    /// In words; what stands between backquotes is as in the sheet.
    pub text: String,
    /// The clause, counted from 0; the first of several that are told together.
    pub clause: usize,
}

const TITLES: [&str; 8] = [
    "Who plays",
    "At the start",
    "What may be done",
    "What a move does",
    "What is seen",
    "The end",
    "Results",
    "Words of this sheet",
];

/// A sheet in words.
pub fn in_words(sheet: &Sheet, names: &Names) -> Vec<Section> {
    let mut sections: Vec<Section> = TITLES
        .iter()
        .map(|&title| Section {
            title,
            sentences: Vec::new(),
        })
        .collect();
    let groups = groups(sheet);
    for (number, clause) in sheet.clauses.iter().enumerate() {
        let Some(place) = section(clause, &sheet.symbols) else {
            continue;
        };
        let own = groups.iter().find(|(_, clauses)| clauses.contains(&number));
        let text = match own {
            Some((_, clauses)) if clauses[0] != number => continue,
            Some((name, clauses)) => {
                let heads: Vec<&Atom> = clauses
                    .iter()
                    .map(|&clause| &sheet.clauses[clause].head)
                    .collect();
                together(name, &heads, &sheet.symbols, names)
            }
            None => in_sentence(clause, &sheet.symbols, names),
        };
        sections[place].sentences.push(Sentence {
            text,
            clause: number,
        });
    }
    sections.retain(|section| !section.sentences.is_empty());
    sections
}

/// The facts that are told together, by name, each with its clauses.
fn groups(sheet: &Sheet) -> Vec<(String, Vec<usize>)> {
    let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
    for (number, clause) in sheet.clauses.iter().enumerate() {
        if clause.body.is_empty() && section(clause, &sheet.symbols).is_some() {
            let name = group(&clause.head, &sheet.symbols);
            match groups.iter_mut().find(|(other, _)| *other == name) {
                Some((_, clauses)) => clauses.push(number),
                None => groups.push((name, vec![number])),
            }
        }
    }
    groups
}

/// Facts of one relation, or about one function at the start, as one sentence.
fn together(name: &str, heads: &[&Atom], symbols: &Symbols, names: &Names) -> String {
    let statements = || heads.iter().map(|head| statement(head, symbols));
    let arguments = |head: &&Atom| {
        let texts = head.args.iter();
        let texts = texts.map(|term| term_text(term, symbols, Notation::Kif));
        texts.collect::<Vec<_>>().join(" ")
    };
    match keyword(heads[0], symbols) {
        Some(Keyword::Role) => {
            let roles: Vec<String> = heads.iter().map(arguments).collect();
            let play = if roles.len() == 1 { "plays" } else { "play" };
            let roles: Vec<String> = roles.iter().map(|role| format!("`{role}`")).collect();
            format!("{} {play}.", and(&roles))
        }
        Some(Keyword::Init) => {
            // The title says already when that is.
            let now = statements().map(|one| Statement {
                kind: Kind::Now,
                ..one
            });
            let said: Vec<Said> = now.map(|one| names.said(&one, true)).collect();
            let is_long = said.len() > MOST_FACTS && matches!(said[0], Said::Other(_));
            match is_long {
                true => format!("{} facts `{name} …` hold.", said.len()),
                false => sentence(&and_said_in_short(said)),
            }
        }
        None if heads.len() > MOST_FACTS => format!("{} facts `{name} …`.", heads.len()),
        None if heads.len() > 1 => {
            let all: Vec<String> = heads.iter().map(arguments).collect();
            format!("`{name}` holds of {}.", and(&all))
        }
        _ => {
            let all: Vec<String> = statements().map(|one| clause(&one, true, names)).collect();
            sentence(&and(&all))
        }
    }
}

/// The section of a clause; declarations that nothing relies on have none.
fn section(clause: &Clause, symbols: &Symbols) -> Option<usize> {
    Some(match keyword(&clause.head, symbols) {
        Some(Keyword::Role) => 0,
        Some(Keyword::Init) => 1,
        Some(Keyword::Legal) => 2,
        Some(Keyword::Next) => 3,
        Some(Keyword::Sees) => 4,
        Some(Keyword::Terminal) => 5,
        Some(Keyword::Goal) => 6,
        Some(Keyword::Base | Keyword::Input) => return None,
        _ => 7,
    })
}

fn keyword(atom: &Atom, symbols: &Symbols) -> Option<Keyword> {
    Keyword::by_name(symbols.name(atom.relation))
}

/// What facts are counted together by: the relation, and the fluent's function at the start.
fn group(head: &Atom, symbols: &Symbols) -> String {
    let name = symbols.name(head.relation);
    match (keyword(head, symbols), head.args.first()) {
        (Some(Keyword::Init), Some(first)) => {
            let text = term_text(first, symbols, Notation::Kif);
            let function = text.trim_start_matches('(').split(' ').next();
            function.unwrap_or_default().to_owned()
        }
        _ => name.to_owned(),
    }
}

fn in_sentence(rule: &Clause, symbols: &Symbols, names: &Names) -> String {
    let head = statement(&rule.head, symbols);
    // Who makes a move or gets a result is a role in any case.
    let is_said = |formula: &&Formula| match formula {
        Formula::Atom(atom) if keyword(atom, symbols) == Some(Keyword::Role) => {
            let role = atom.args.first();
            let role = role.map(|term| term_text(term, symbols, Notation::Kif));
            role.is_none() || role != head.role
        }
        _ => true,
    };
    let conditions: Vec<String> = rule
        .body
        .iter()
        .filter(is_said)
        .map(|one| condition(one, true, symbols, names))
        .collect();
    let told = clause(&head, true, names);
    match conditions.is_empty() {
        true => sentence(&told),
        false => sentence(&format!("{told} if {}", and(&conditions))),
    }
}

/// A condition as a clause of a sentence: that it is met, or that it is not.
fn condition(formula: &Formula, holds: bool, symbols: &Symbols, names: &Names) -> String {
    let parts = |formulas: &[Formula], holds: bool| -> Vec<String> {
        formulas
            .iter()
            .map(|one| condition(one, holds, symbols, names))
            .collect()
    };
    match formula {
        Formula::Atom(atom) => clause(&statement(atom, symbols), holds, names),
        Formula::Not(inner, _) => condition(inner, !holds, symbols, names),
        Formula::Distinct(left, right, _) => {
            let text = |term: &Term| term_text(term, symbols, Notation::Kif);
            let text = format!("(distinct {} {})", text(left), text(right));
            clause(&plain(Kind::Difference, text), holds, names)
        }
        // What is not all of several is not one of them.
        Formula::And(all, _) if holds => and(&parts(all, true)),
        Formula::Or(any, _) if !holds => and(&parts(any, false)),
        Formula::And(several, _) | Formula::Or(several, _) => {
            format!("({})", parts(several, holds).join(" or "))
        }
    }
}

fn statement(atom: &Atom, symbols: &Symbols) -> Statement {
    let text = atom_text(atom, symbols, Notation::Kif);
    let arg = |place: usize| {
        atom.args
            .get(place)
            .map(|term| term_text(term, symbols, Notation::Kif))
    };
    let (kind, role, about) = match keyword(atom, symbols) {
        Some(Keyword::True) => (Kind::Now, None, arg(0)),
        Some(Keyword::Next) => (Kind::After, None, arg(0)),
        Some(Keyword::Init) => (Kind::Start, None, arg(0)),
        Some(Keyword::Does) => (Kind::Made, arg(0), arg(1)),
        Some(Keyword::Legal) => (Kind::Legal, arg(0), arg(1)),
        Some(Keyword::Goal) => (Kind::Goal, arg(0), None),
        Some(Keyword::Terminal) => (Kind::Terminal, None, None),
        Some(_) => (Kind::Other, None, None),
        None => (Kind::Derived, None, None),
    };
    Statement {
        about: about.unwrap_or_else(|| text.clone()),
        kind,
        role,
        ground: !text.contains('?'),
        text,
    }
}

fn plain(kind: Kind, text: String) -> Statement {
    Statement {
        kind,
        about: text.clone(),
        ground: !text.contains('?'),
        text,
        role: None,
    }
}

#[cfg(test)]
mod tests {
    use paidia_gdl::Source;

    use super::{Names, in_words};

    #[test]
    fn clauses_are_sentences() {
        let text = "(role x) (role o) (init (cell 1 empty)) (opponent x o)
            (<= (legal ?p (mark ?c)) (true (cell ?c empty)) (or (true (control ?p)) (not (held ?c))))
            (<= terminal (not (open ?x)) (distinct ?x 1)) (<= (goal ?p 100) (role ?p))";
        let sheet = paidia_gdl::syntax::read(&Source::new("t", text)).sheet;
        let sections = in_words(&sheet, &Names::default());
        let texts = sections.iter().flat_map(|section| {
            let texts = section.sentences.iter();
            texts.map(|one| (section.title, one.clause, one.text.as_str()))
        });
        assert_eq!(
            texts.collect::<Vec<_>>(),
            [
                ("Who plays", 0, "`x` and `o` play."),
                ("At the start", 2, "`cell 1 empty` holds."),
                (
                    "What may be done",
                    4,
                    "?p may make the move `mark ?c` if `cell ?c empty` holds and \
                     (it is ?p's turn or `held ?c` does not hold)."
                ),
                (
                    "The end",
                    5,
                    "The game is over if `open ?x` does not hold and `?x` and `1` differ."
                ),
                ("Results", 6, "?p gets 100."),
                ("Words of this sheet", 3, "`opponent x o` holds."),
            ]
        );
    }
}
