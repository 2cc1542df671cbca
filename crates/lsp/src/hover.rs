//! What is shown for the place under the cursor: what a name is, and what is wrong there.

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};
use paidia_arena::rules::Language;
use paidia_gdl::Span;
use paidia_gdl::keyword::Keyword;

use crate::documents::Document;
use crate::names::{Kind, Name, Names};

/// What a keyword means, with its form.
pub(crate) fn keyword_help(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Role => "`(role r)`: r takes part in the game.",
        Keyword::Init => "`(init f)`: the fluent f holds at the start.",
        Keyword::True => "`(true f)`: the fluent f holds now.",
        Keyword::Next => "`(next f)`: the fluent f holds after the joint move.",
        Keyword::Legal => "`(legal r m)`: the role r may make the move m now.",
        Keyword::Does => "`(does r m)`: the role r makes the move m in this step.",
        Keyword::Goal => "`(goal r n)`: the result of the role r is n, from 0 to 100.",
        Keyword::Terminal => "`terminal`: the game is over.",
        Keyword::Sees => "`(sees r p)`: the role r is told p after the joint move (GDL-II).",
        Keyword::Expired => "`(expired f)`: the lifetime of the fluent f has just ended (rtGDL).",
        Keyword::Base => "`(base f)`: the fluent f may hold at some time; a declaration.",
        Keyword::Input => "`(input r m)`: the role r may have the move m; a declaration.",
    }
}

/// What there is to say about a place.
pub(crate) fn hover(document: &mut Document, offset: usize) -> Option<Hover> {
    let language = document.language();
    let names = document.names();
    let place = names.at(offset);
    let mut parts: Vec<String> = Vec::new();
    if let Some(place) = place {
        parts.extend(about(&names, place.name, language));
    }
    let at = offset as u32;
    let touched = document
        .problems
        .iter()
        .filter(|problem| problem.span.start <= at && at <= problem.span.end);
    for problem in touched {
        parts.push(problem.code.explanation().trim().to_owned());
    }
    if parts.is_empty() {
        return None;
    }
    let span = place.map_or(Span::new(offset, offset), |place| place.span);
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: parts.join("\n\n---\n\n"),
        }),
        range: Some(document.lines.range(&document.text, span)),
    })
}

/// What a name is.
fn about(names: &Names, number: usize, language: Language) -> Option<String> {
    let name = &names.all[number];
    let places = names.places_of(number).count();
    let defined = names
        .places_of(number)
        .filter(|place| place.defines)
        .count();
    match name.kind {
        Kind::Keyword => {
            Keyword::by_name(&name.text).map(|keyword| keyword_help(keyword).to_owned())
        }
        Kind::Variable => Some(format!(
            "variable `{}` of this rule, in {}",
            name.text,
            count(places, "place")
        )),
        Kind::Relation | Kind::Term => {
            let mut text = format!("{} `{}`", what(name), signature(name));
            if defined > 0 {
                text += &format!(", defined by {}", count(defined, "clause"));
            }
            text += &format!(", used in {}", count(places - defined, "place"));
            if !name.comment.is_empty() {
                text += "\n\n";
                text += &name.comment;
            }
            Some(text)
        }
        Kind::Word => word(name, language),
    }
}

/// What the word of another language is, if it is one that the language defines.
fn word(name: &Name, language: Language) -> Option<String> {
    let known = |words: &[&str]| words.contains(&name.text.as_str());
    match language {
        Language::Video if known(&paidia_video::class_names()) => {
            Some(format!("sprite class `{}`", name.text))
        }
        Language::Video if known(&paidia_video::effect_names()) => {
            Some(format!("effect `{}`", name.text))
        }
        _ => None,
    }
}

/// What a relation, function or constant is, in a word or two.
pub(crate) fn what(name: &Name) -> String {
    if name.kind == Kind::Relation {
        return "relation".to_owned();
    }
    let uses = [
        (name.uses.role, "role"),
        (name.uses.fluent, "fluent"),
        (name.uses.action, "move"),
        (name.uses.percept, "percept"),
    ];
    let used: Vec<&str> = uses
        .iter()
        .filter(|(is, _)| *is)
        .map(|(_, word)| *word)
        .collect();
    match used.is_empty() {
        false => used.join(" and "),
        true if name.arities == [0] => "constant".to_owned(),
        true => "function".to_owned(),
    }
}

/// A name with its numbers of arguments.
pub(crate) fn signature(name: &Name) -> String {
    let arities: Vec<String> = name.arities.iter().map(usize::to_string).collect();
    match arities.as_slice() {
        [only] if only == "0" => name.text.clone(),
        _ => format!("{}/{}", name.text, arities.join(",")),
    }
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}
