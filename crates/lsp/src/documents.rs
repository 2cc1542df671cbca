//! The documents that are open in the editor, as they are on its screen.

use std::path::Path;
use std::rc::Rc;

use lsp_types::{TextDocumentContentChangeEvent, Uri};
use paidia_arena::rules::{Language, RuleText};
use paidia_gdl::Problem;
use rustc_hash::FxHashMap;

use crate::names::Names;
use crate::places::{Lines, Unit};

/// An open document.
pub(crate) struct Document {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    pub(crate) text: String,
    pub(crate) lines: Lines,
    /// What was wrong with the text when that was last looked at.
    pub(crate) problems: Vec<Problem>,
    /// What the text's names are, once it was asked for.
    names: Option<Rc<Names>>,
    unit: Unit,
}

impl Document {
    fn new(uri: Uri, version: i32, text: String, unit: Unit) -> Self {
        Self {
            uri,
            version,
            lines: Lines::new(&text, unit),
            text,
            problems: Vec::new(),
            names: None,
            unit,
        }
    }

    /// The language, by the name of the file and its text.
    pub(crate) fn language(&self) -> Language {
        Language::of_file(Path::new(self.uri.path().as_str()), &self.text)
    }

    /// The text as the front door for rules takes it.
    pub(crate) fn rules(&self) -> RuleText {
        let name = self.uri.path().as_str().rsplit('/').next();
        let mut rules = RuleText::new(name.unwrap_or("the rules"), &self.text);
        rules.language = self.language();
        rules
    }

    /// The names in the text.
    pub(crate) fn names(&mut self) -> Rc<Names> {
        if let Some(names) = &self.names {
            return Rc::clone(names);
        }
        let names = Rc::new(Names::of(&self.text, self.language()));
        self.names = Some(Rc::clone(&names));
        names
    }

    /// Makes the changes that were made in the editor, in their order.
    fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            match change.range {
                None => self.text = change.text,
                Some(range) => {
                    let start = self.lines.offset(&self.text, range.start);
                    let end = self.lines.offset(&self.text, range.end).max(start);
                    self.text.replace_range(start..end, &change.text);
                }
            }
            self.lines = Lines::new(&self.text, self.unit);
        }
        self.version = version;
        self.names = None;
        self.problems.clear();
    }
}

/// All open documents.
pub(crate) struct Documents {
    open: FxHashMap<String, Document>,
    unit: Unit,
}

impl Documents {
    pub(crate) fn new(unit: Unit) -> Self {
        Self {
            open: FxHashMap::default(),
            unit,
        }
    }

    pub(crate) fn open(&mut self, uri: Uri, version: i32, text: String) {
        let key = uri.as_str().to_owned();
        let document = Document::new(uri, version, text, self.unit);
        self.open.insert(key, document);
    }

    pub(crate) fn change(
        &mut self,
        uri: &Uri,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) {
        if let Some(document) = self.open.get_mut(uri.as_str()) {
            document.change(version, changes);
        }
    }

    pub(crate) fn close(&mut self, uri: &Uri) {
        self.open.remove(uri.as_str());
    }

    /// An open document.
    ///
    /// # Errors
    /// Says in words that it is not open.
    pub(crate) fn get(&mut self, uri: &Uri) -> Result<&mut Document, String> {
        let document = self.open.get_mut(uri.as_str());
        document.ok_or_else(|| format!("{} is not open", uri.as_str()))
    }
}
