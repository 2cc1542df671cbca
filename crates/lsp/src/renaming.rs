//! Renaming: every place of a name changes, and nothing else does.

use lsp_types::{
    DocumentChanges, OneOf, OptionalVersionedTextDocumentIdentifier, TextDocumentEdit, TextEdit,
    WorkspaceEdit,
};
use paidia_arena::rules::Language;

use crate::documents::Document;
use crate::names::{Kind, Names, Place};

/// The name at a place, if it can get another: keywords cannot.
pub(crate) fn renamable(names: &Names, offset: usize) -> Option<Place> {
    let place = names.at(offset)?;
    (names.all[place.name].kind != Kind::Keyword).then_some(place)
}

/// The edit that gives the name at a place another one.
///
/// # Errors
/// Says in words why the name cannot be changed so.
pub(crate) fn rename(
    document: &mut Document,
    offset: usize,
    new_name: &str,
) -> Result<WorkspaceEdit, String> {
    let language = document.language();
    let names = document.names();
    let place = renamable(&names, offset).ok_or("there is no name here that can be changed")?;
    let spans: Vec<_> = names
        .places_of(place.name)
        .map(|place| place.span)
        .collect();
    let kind = names.all[place.name].kind;
    let expected = census(&names, place.name);

    let old = &document.text[place.span.range()];
    let new_name = match old.strip_prefix('?') {
        Some(_) if !new_name.starts_with('?') => format!("?{new_name}"),
        _ => new_name.to_owned(),
    };
    let mut changed = document.text.clone();
    for span in spans.iter().rev() {
        changed.replace_range(span.range(), &new_name);
    }
    verify(&changed, language, kind, expected, &new_name)?;

    let edits = spans.iter().map(|span| {
        TextEdit::new(
            document.lines.range(&document.text, *span),
            new_name.clone(),
        )
    });
    let edits = edits.collect();
    Ok(edit_of(document, edits))
}

/// How many names there are, how many places, and how many places the name has that changes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Census {
    names: usize,
    places: usize,
    renamed: usize,
}

fn census(names: &Names, renamed: usize) -> Census {
    Census {
        names: names.all.len(),
        places: names.places.len(),
        renamed: names.places_of(renamed).count(),
    }
}

/// Reads the changed text: it must have as many names as before, and the new one where the old one
/// was. So a name that is taken, or that the notation reads as something else, is refused.
fn verify(
    changed: &str,
    language: Language,
    kind: Kind,
    expected: Census,
    new_name: &str,
) -> Result<(), String> {
    let names = Names::of(changed, language);
    let found = names.places.iter().find(|place| {
        changed[place.span.range()] == *new_name
            && names.all[place.name].kind == kind
            && names.places_of(place.name).count() == expected.renamed
    });
    match found {
        Some(place) if census(&names, place.name) == expected => Ok(()),
        _ => Err(format!(
            "`{new_name}` is taken, or cannot be written as a name here"
        )),
    }
}

/// Edits of one document, in the version that the editor has.
pub(crate) fn edit_of(document: &Document, edits: Vec<TextEdit>) -> WorkspaceEdit {
    let edit = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier {
            uri: document.uri.clone(),
            version: Some(document.version),
        },
        edits: edits.into_iter().map(OneOf::Left).collect(),
    };
    WorkspaceEdit {
        document_changes: Some(DocumentChanges::Edits(vec![edit])),
        ..WorkspaceEdit::default()
    }
}
