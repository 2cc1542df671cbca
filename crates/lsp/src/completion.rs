//! What could be written at the cursor.
//!
//! The clause that is being written seldom can be read, so its text is looked at: the innermost
//! open parenthesis tells which argument of what is wanted.

use lsp_types::{CompletionItem, CompletionItemKind};
use paidia_arena::rules::Language;
use paidia_gdl::keyword::Keyword;
use paidia_gdl::syntax::{self, Notation};

use crate::documents::Document;
use crate::hover::{keyword_help, signature, what};
use crate::names::{Kind, Name, Names};

/// What belongs at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// A condition or the head of a rule.
    Relation,
    Fluent,
    Action,
    Percept,
    Role,
    /// A function or constant of any use.
    Term,
    Variable,
}

/// What could be written at a place, in alphabetical order.
pub(crate) fn completions(document: &mut Document, offset: usize) -> Vec<CompletionItem> {
    let language = document.language();
    let names = document.names();
    let (before, after) = document.text.split_at(offset);
    let mut items = match language {
        Language::Gdl => of_rules(&names, before, after),
        _ => of_words(&names, language),
    };
    items.sort_by(|left, right| left.label.cmp(&right.label));
    items.dedup_by(|left, right| left.label == right.label);
    items
}

fn of_rules(names: &Names, before: &str, after: &str) -> Vec<CompletionItem> {
    let notation = syntax::guess_notation(before);
    let wanted = wanted(before, notation);
    if wanted == Wanted::Variable {
        let variables = variables(before, after, notation);
        return variables
            .iter()
            .map(|variable| item(variable, CompletionItemKind::VARIABLE, "variable"))
            .collect();
    }
    let fitting = names.all.iter().filter(|name| fits(name, wanted));
    let mut items: Vec<CompletionItem> = fitting
        .map(|name| {
            let kind = match name.kind {
                Kind::Relation => CompletionItemKind::FUNCTION,
                _ if name.uses.role => CompletionItemKind::ENUM_MEMBER,
                _ => CompletionItemKind::VALUE,
            };
            item(
                &name.text,
                kind,
                &format!("{} {}", what(name), signature(name)),
            )
        })
        .collect();
    if wanted == Wanted::Relation {
        let keywords = Keyword::ALL.iter();
        items.extend(keywords.map(|&keyword| {
            item(
                keyword.name(),
                CompletionItemKind::KEYWORD,
                keyword_help(keyword),
            )
        }));
        for connective in ["and", "distinct", "not", "or"] {
            items.push(item(connective, CompletionItemKind::KEYWORD, "connective"));
        }
    }
    items
}

fn fits(name: &Name, wanted: Wanted) -> bool {
    match (wanted, name.kind) {
        (Wanted::Relation, kind) => kind == Kind::Relation,
        (Wanted::Fluent, Kind::Term) => name.uses.fluent,
        (Wanted::Action, Kind::Term) => name.uses.action,
        (Wanted::Percept, Kind::Term) => name.uses.percept,
        (Wanted::Role, Kind::Term) => name.uses.role,
        (Wanted::Term, Kind::Term) => true,
        _ => false,
    }
}

fn item(label: &str, kind: CompletionItemKind, detail: &str) -> CompletionItem {
    CompletionItem {
        label: label.to_owned(),
        kind: Some(kind),
        detail: Some(detail.to_owned()),
        ..CompletionItem::default()
    }
}

/// Words of the text, and those that the language defines.
fn of_words(names: &Names, language: Language) -> Vec<CompletionItem> {
    let mut items: Vec<CompletionItem> = Vec::new();
    if language == Language::Video {
        let classes = paidia_video::class_names();
        let effects = paidia_video::effect_names();
        items.extend(
            classes
                .iter()
                .map(|name| item(name, CompletionItemKind::CLASS, "sprite class")),
        );
        items.extend(
            effects
                .iter()
                .map(|name| item(name, CompletionItemKind::FUNCTION, "effect")),
        );
    }
    let words = names.all.iter();
    items.extend(words.map(|name| item(&name.text, CompletionItemKind::TEXT, "word")));
    items
}

/// What belongs at the end of a text.
fn wanted(before: &str, notation: Notation) -> Wanted {
    let is_part = |c: char| c.is_alphanumeric() || "_?'".contains(c);
    let start = before.trim_end_matches(|c| is_part(c) || c == '-').len();
    let prefix = &before[start..];
    if prefix.starts_with('?')
        || notation == Notation::Infix && prefix.starts_with(char::is_uppercase)
    {
        return Wanted::Variable;
    }
    let before = &before[..start];
    match notation {
        Notation::Kif => in_kif(before),
        Notation::Infix => in_infix(before),
    }
}

/// The place of the innermost parenthesis that is open at the end of a text.
fn innermost_open(text: &str) -> Option<usize> {
    let mut closed = 0;
    for (at, character) in text.char_indices().rev() {
        match character {
            ')' => closed += 1,
            '(' if closed == 0 => return Some(at),
            '(' => closed -= 1,
            _ => {}
        }
    }
    None
}

fn in_kif(before: &str) -> Wanted {
    let Some(open) = innermost_open(before) else {
        return Wanted::Relation;
    };
    let inside = before[open + 1..].trim_start();
    let Some(head) = inside.split(|c: char| c.is_whitespace() || c == '(').next() else {
        return Wanted::Relation;
    };
    if head.is_empty() {
        // A list begins here: what it is follows from the list around it.
        return match in_kif(&before[..open]) {
            Wanted::Role => Wanted::Term,
            around => around,
        };
    }
    argument(head, items(&inside[head.len()..]))
}

/// How many items of a list are whole at the end of a text.
fn items(text: &str) -> usize {
    let (mut depth, mut count, mut in_word) = (0, 0, false);
    for character in text.chars() {
        let is_word = !character.is_whitespace() && !"()".contains(character);
        match character {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                count += usize::from(depth == 0);
            }
            _ if in_word && !is_word && depth == 0 => count += 1,
            _ => {}
        }
        in_word = is_word && depth == 0;
    }
    count
}

fn in_infix(before: &str) -> Wanted {
    let Some(open) = innermost_open(before) else {
        return Wanted::Relation;
    };
    let outside = before[..open].trim_end();
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let head = &outside[outside.trim_end_matches(is_part).len()..];
    let mut depth = 0;
    let mut commas = 0;
    for character in before[open + 1..].chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => commas += 1,
            _ => {}
        }
    }
    match head.is_empty() {
        true => Wanted::Relation,
        false => argument(head, commas),
    }
}

/// What belongs at an argument of a relation, connective or function, counted from 0.
fn argument(head: &str, place: usize) -> Wanted {
    let keyword = Keyword::by_name(&head.to_lowercase());
    match (keyword, place) {
        (
            Some(Keyword::True | Keyword::Next | Keyword::Init | Keyword::Base | Keyword::Expired),
            0,
        ) => Wanted::Fluent,
        (Some(Keyword::Does | Keyword::Legal | Keyword::Input), 1) => Wanted::Action,
        (Some(Keyword::Sees), 1) => Wanted::Percept,
        (Some(Keyword::Goal), 1) => Wanted::Term,
        (Some(_), 0) => Wanted::Role,
        (Some(_), _) => Wanted::Term,
        (None, _) if ["<=", "not", "and", "or"].contains(&head.to_lowercase().as_str()) => {
            Wanted::Relation
        }
        (None, _) => Wanted::Term,
    }
}

/// The variables of the clause around a place.
fn variables(before: &str, after: &str, notation: Notation) -> Vec<String> {
    let (start, end) = match notation {
        Notation::Kif => (before.rfind("\n("), after.find("\n(")),
        Notation::Infix => (before.rfind(".\n"), after.find(".\n")),
    };
    let clause = [
        &before[start.unwrap_or(0)..],
        &after[..end.unwrap_or(after.len())],
    ];
    let is_part = |c: char| c.is_alphanumeric() || "_?-+".contains(c);
    let mut found: Vec<String> = Vec::new();
    // The word at the cursor is being written, so it is no variable of the clause yet.
    let written = before.len() - before.trim_end_matches(is_part).len();
    let first = &clause[0][..clause[0].len() - written.min(clause[0].len())];
    for word in first
        .split(|c| !is_part(c))
        .chain(clause[1].split(|c| !is_part(c)).skip(1))
    {
        let is_variable = match notation {
            Notation::Kif => word.starts_with('?') && word.len() > 1,
            Notation::Infix => word.starts_with(char::is_uppercase),
        };
        if is_variable && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use paidia_gdl::syntax::Notation;

    use super::{Wanted, variables, wanted};

    #[test]
    fn the_open_list_tells_what_is_wanted() {
        let cases = [
            ("(<= (", Wanted::Relation),
            ("(<= (li", Wanted::Relation),
            ("(<= terminal (true (ce", Wanted::Fluent),
            ("(<= terminal (true ", Wanted::Fluent),
            ("(<= (next (cell 1 x)) (does ", Wanted::Role),
            ("(<= (next (cell 1 x)) (does x (ma", Wanted::Action),
            ("(<= (goal x 100) (not (lin", Wanted::Relation),
            ("(<= (goal x 100) (line ", Wanted::Term),
            ("(<= (legal ?p (mark ?m)) (true (cell ?", Wanted::Variable),
            ("(<= (legal x noop) (or (true a) ", Wanted::Relation),
        ];
        for (text, expected) in cases {
            assert_eq!(wanted(text, Notation::Kif), expected, "{text}");
        }
        let cases = [
            ("next(", Wanted::Fluent),
            ("next(cell(1, x)) :- does(x, ma", Wanted::Action),
            ("terminal :- li", Wanted::Relation),
            ("terminal :- line(x), true(cell(M", Wanted::Variable),
            ("terminal :- ~(li", Wanted::Relation),
        ];
        for (text, expected) in cases {
            assert_eq!(wanted(text, Notation::Infix), expected, "{text}");
        }
    }

    #[test]
    fn variables_are_those_of_the_clause_at_the_cursor() {
        let before = "(<= (a ?old) (b ?old))\n(<= (next (cell ?m ?p)) (true (cell ?";
        let after = ")) (c ?late))\n(<= (d ?other) (e ?other))";
        let found = variables(before, after, Notation::Kif);
        assert_eq!(found, ["?m", "?p", "?late"]);
    }
}
