//! The front door for rules: here they are found, read, checked and grounded, once each.
//!
//! [`RuleText`] is the text of a game: bundled, on another board size, in a file, or given. A
//! [`Ruleset`] holds rules that passed the checks, in any language. It is a handle that is cheap to
//! clone and from which engines, pictures, explanations and messages take what they need. For the
//! languages of the GDL family it is [`GdlRules`], with the sheet, its program and, once it was
//! asked for, its network. Other languages implement [`OtherRules`].
//!
//! `PAIDIA_TRACE=rules` writes a line to standard error whenever rules are read, checked or
//! grounded.

mod find;
mod gdl;
mod language;
mod trace;

use std::fmt;
use std::sync::Arc;

use paidia_game::AnyGame;
use paidia_gdl::check::{Report, check_source};
use paidia_gdl::program::TooLarge;
use paidia_gdl::render::render;
use paidia_gdl::{Dialect, Problem, Source};
use paidia_library::{Metadata, MetadataError, UnknownGame};

pub use find::{RuleText, sheets};
pub use gdl::{CheckTime, GdlRules};
pub use language::Language;

/// Rules that passed the checks of their language.
#[derive(Clone)]
pub enum Ruleset {
    /// GDL, GDL-II or rtGDL.
    Gdl(Arc<GdlRules>),
    /// Any other language.
    Other(Arc<dyn OtherRules>),
}

/// Rules in a language outside the GDL family, after its own checks.
pub trait OtherRules: Send + Sync {
    /// The text, with the name of the game and its language.
    fn text(&self) -> &RuleText;

    /// The roles in their order.
    fn roles(&self) -> &[String];

    /// The game that the rules describe.
    ///
    /// # Errors
    /// Says in words why it cannot be played.
    fn game(&self) -> Result<AnyGame, String>;
}

/// Why there are no rules.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// No file is there.
    #[error("there is no file `{0}`")]
    NoFile(String),
    /// No game has this name.
    #[error("{0}\n`paidia games` lists the bundled games; a path works too")]
    Unknown(#[source] UnknownGame),
    /// No game has this name and size.
    #[error(
        "there is no `{game}`: the games {} come in the sizes {} to {}, such as `hex@11`",
        paidia_library::families().collect::<Vec<_>>().join(", "),
        paidia_library::SIZES.start(),
        paidia_library::SIZES.end()
    )]
    NoSize {
        /// What was asked for.
        game: String,
    },
    /// A file or folder cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// Its path.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// A file is not text.
    #[error("{path} is not UTF-8 text: byte {place} does not fit; save it as UTF-8")]
    NotText {
        /// Its path.
        path: String,
        /// The first byte that does not fit.
        place: usize,
    },
    /// A folder has no rule files.
    #[error("there are no rule files in {0}")]
    NoSheets(String),
    /// The facts beside the rules are damaged.
    #[error("in {path}: {error}")]
    Metadata {
        /// Their path.
        path: String,
        /// What is wrong with them.
        error: MetadataError,
    },
    /// No engine plays rules of this language.
    #[error(
        "{name} is written in {}, which cannot be played yet; GDL rules end in .kif or .gdl",
        language.name()
    )]
    NotPlayable {
        /// The game.
        name: String,
        /// Its language.
        language: Language,
    },
    /// Something that only GDL has was asked of rules in another language.
    #[error("{name} is written in {}; this needs rules in GDL", language.name())]
    NotGdl {
        /// The game.
        name: String,
        /// Its language.
        language: Language,
    },
    /// The rules are faulty.
    #[error(transparent)]
    Invalid(#[from] InvalidRules),
}

/// Rules that cannot be played, with what is wrong; shows as the list of errors without colours.
#[derive(Debug)]
pub struct InvalidRules {
    /// The text.
    pub source: Source,
    /// What the checks found, warnings included.
    pub problems: Vec<Problem>,
    /// What is too large for any engine, if the checks found no error.
    pub too_large: Option<TooLarge>,
}

impl InvalidRules {
    /// The list of errors with the lines they are about.
    pub fn rendered(&self, colour: bool) -> String {
        if let Some(error) = &self.too_large {
            return format!("error: {}: {error}\n", self.source.name);
        }
        let errors: Vec<Problem> = self.errors().cloned().collect();
        render(&self.source, &errors, colour)
    }

    /// What is wrong in a sentence.
    pub fn sentence(&self) -> String {
        match (self.errors().next(), &self.too_large) {
            (Some(Problem { message, .. }), _) => {
                format!("the rules are faulty ({message}); `paidia check` tells what is wrong")
            }
            (None, Some(error)) => error.to_string(),
            (None, None) => "the rules are faulty".to_owned(),
        }
    }

    fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(|problem| problem.is_error())
    }
}

impl fmt::Display for InvalidRules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.rendered(false))
    }
}

impl std::error::Error for InvalidRules {}

impl RulesError {
    /// What is wrong in a sentence.
    pub fn sentence(&self) -> String {
        match self {
            RulesError::Invalid(invalid) => invalid.sentence(),
            other => other.to_string(),
        }
    }
}

impl RuleText {
    /// What is wrong with the rules, in the given dialect or in the one that its forms suggest.
    ///
    /// # Errors
    /// If there is no check for the language.
    pub fn diagnose(&self, dialect: Option<Dialect>) -> Result<Report, RulesError> {
        self.check_language()?;
        trace::note("checked", &self.name);
        Ok(check_source(&self.source, dialect).1)
    }

    /// Checks the rules.
    ///
    /// # Errors
    /// If they are faulty, or nothing plays their language.
    pub fn check(self) -> Result<Ruleset, RulesError> {
        self.check_as(None)
    }

    /// Checks the rules, in the given dialect or in the one that its forms suggest.
    ///
    /// # Errors
    /// If they are faulty, or nothing plays their language.
    pub fn check_as(self, dialect: Option<Dialect>) -> Result<Ruleset, RulesError> {
        self.check_language()?;
        Ok(Ruleset::Gdl(Arc::new(GdlRules::new(self, dialect)?)))
    }

    /// Refuses languages that nothing reads.
    fn check_language(&self) -> Result<(), RulesError> {
        match self.language {
            Language::Gdl => Ok(()),
            language => Err(RulesError::NotPlayable {
                name: self.source.name.clone(),
                language,
            }),
        }
    }
}

impl Ruleset {
    /// Finds and checks a game by its bundled name, its name and size, or its path; `-` is standard
    /// input.
    ///
    /// # Errors
    /// If there is no such game, or its rules are faulty.
    pub fn find(game: &str) -> Result<Self, RulesError> {
        RuleText::find(game)?.check()
    }

    /// Checks rules that are given as text.
    ///
    /// # Errors
    /// If they are faulty.
    pub fn from_text(name: &str, text: &str) -> Result<Self, RulesError> {
        RuleText::new(name, text).check()
    }

    /// The text, with what is known about the game.
    pub fn text(&self) -> &RuleText {
        match self {
            Ruleset::Gdl(rules) => rules.text(),
            Ruleset::Other(rules) => rules.text(),
        }
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.text().name
    }

    /// The text that was checked, and where it is from.
    pub fn source(&self) -> &Source {
        &self.text().source
    }

    /// The facts for people, if there are any.
    pub fn metadata(&self) -> Option<&Metadata> {
        self.text().metadata.as_ref()
    }

    /// The title for people, or else the name.
    pub fn title(&self) -> &str {
        self.metadata()
            .map_or(self.name(), |metadata| &metadata.title)
    }

    /// The rules, where they are of the GDL family.
    ///
    /// # Errors
    /// If they are written in another language.
    pub fn gdl(&self) -> Result<&Arc<GdlRules>, RulesError> {
        match self {
            Ruleset::Gdl(rules) => Ok(rules),
            Ruleset::Other(rules) => Err(RulesError::NotGdl {
                name: rules.text().name.clone(),
                language: rules.text().language,
            }),
        }
    }
}
