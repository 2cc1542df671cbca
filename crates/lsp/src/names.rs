//! The names of a text: what each is, where it stands, and where it is defined.

mod gdl;
mod words;

use paidia_arena::rules::Language;
use paidia_gdl::Span;

/// What a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A relation that the language defines.
    Keyword,
    /// A relation of the sheet.
    Relation,
    /// A function or constant: of fluents, moves, percepts, or a role.
    Term,
    /// A variable, which belongs to its clause.
    Variable,
    /// A word of another language.
    Word,
}

/// What a function or constant is used as; it may be used as several things.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Uses {
    pub(crate) fluent: bool,
    pub(crate) action: bool,
    pub(crate) percept: bool,
    pub(crate) role: bool,
}

/// A name with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) kind: Kind,
    pub(crate) uses: Uses,
    /// The numbers of arguments with which it occurs, ascending.
    pub(crate) arities: Vec<usize>,
    /// The comment above its first definition.
    pub(crate) comment: String,
}

/// A place where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) span: Span,
    /// Which of [`Names::all`] it is.
    pub(crate) name: usize,
    /// Whether the name is defined here.
    pub(crate) defines: bool,
    /// The whole clause or line that it stands in.
    pub(crate) within: Span,
}

/// All names of a text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) all: Vec<Name>,
    /// In the order of the text.
    pub(crate) places: Vec<Place>,
}

impl Names {
    /// The names of a text in the given language.
    pub(crate) fn of(text: &str, language: Language) -> Self {
        let mut names = match language {
            Language::Gdl => gdl::names(text),
            _ => words::names(text, language),
        };
        names.places.sort_by_key(|place| place.span);
        names
    }

    /// The name at a byte of the text; the end of a name still is it, for a cursor after its last
    /// letter.
    pub(crate) fn at(&self, offset: usize) -> Option<Place> {
        let offset = offset as u32;
        let after = self
            .places
            .partition_point(|place| place.span.start <= offset);
        let before = self.places[..after].iter().rev().take(2);
        before
            .copied()
            .find(|place| place.span.start <= offset && offset <= place.span.end)
    }

    /// All places of a name.
    pub(crate) fn places_of(&self, name: usize) -> impl Iterator<Item = &Place> {
        self.places.iter().filter(move |place| place.name == name)
    }

    /// Where a name is defined; its first place if nothing defines it.
    pub(crate) fn definitions(&self, name: usize) -> Vec<Place> {
        let defining = self.places_of(name).filter(|place| place.defines);
        let found: Vec<Place> = defining.copied().collect();
        match found.is_empty() {
            true => self.places_of(name).take(1).copied().collect(),
            false => found,
        }
    }
}
