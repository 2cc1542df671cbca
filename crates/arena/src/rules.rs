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

mod board;
mod cards;
mod find;
mod gdl;
mod language;
mod trace;
mod translated;
mod video;

use std::fmt;
use std::sync::Arc;

use paidia_game::AnyGame;
use paidia_gdl::analysis::Contents;
use paidia_gdl::check::check_source;
use paidia_gdl::program::{Program, TooLarge};
use paidia_gdl::render::render;
use paidia_gdl::syntax::{self, Notation, Sheet};
use paidia_gdl::{Code, Dialect, Problem, Source, Span};
use paidia_languages::board::BoardGame;
use paidia_languages::board::gdl::recognised;
use paidia_library::{Metadata, MetadataError, UnknownGame};

use crate::engine::Machine;
use crate::playable::Playable;

pub use find::{CORPUS_PREFIX, CORPUS_VARIABLE, RuleText, rules_inside, sheets};
pub use gdl::{CheckTime, GdlRules};
pub use language::{Language, Reader};

/// Rules that passed the checks of their language.
#[derive(Clone)]
pub enum Ruleset {
    /// GDL, GDL-II or rtGDL.
    Gdl(Arc<GdlRules>),
    /// Any other language.
    Other(Arc<dyn OtherRules>),
}

/// Rules in a language outside the GDL family, after its own checks. What differs from language to
/// language is asked here; [`Reader`] is what makes such rules of a text.
pub trait OtherRules: Send + Sync {
    /// The text, with the name of the game and its language. A language that knows titles, boards
    /// or how pieces look puts them into the text's metadata, unless there is a `game.toml`.
    fn text(&self) -> &RuleText;

    /// What the checks found beside errors.
    fn warnings(&self) -> &[Problem] {
        &[]
    }

    /// Kinds of fluents, moves and percepts, for people.
    fn contents(&self) -> Contents {
        Contents::default()
    }

    /// The roles in their order.
    fn roles(&self) -> &[String];

    /// The game that the rules describe.
    ///
    /// # Errors
    /// Says in words why it cannot be played.
    fn game(&self) -> Result<AnyGame, String>;

    /// The game for playouts and searches, compiled for the engine of the language if there is
    /// such code.
    ///
    /// # Errors
    /// Says in words why it cannot be played.
    fn machine(&self) -> Result<Machine, String> {
        Ok(Machine::Other(Playable::new(self.game()?)))
    }

    /// The simplified board game that it is, if it is one.
    fn board(&self) -> Option<BoardGame> {
        None
    }

    /// The rules in GDL by which the game is played, for a language that has no engine of its own.
    fn gdl(&self) -> Option<&Arc<GdlRules>> {
        None
    }

    /// The same game as rules in GDL, whose states, moves and goals have the same texts.
    ///
    /// # Errors
    /// Says in words why there are none.
    fn to_gdl(&self) -> Result<String, String> {
        Err(format!(
            "there is no translation of {} to GDL",
            self.text().language.name()
        ))
    }
}

/// What the checks say about a text.
#[derive(Clone, Debug)]
pub struct Diagnosis {
    /// The dialect or language that the text was checked in.
    pub language: &'static str,
    /// The problems in the order of the text.
    pub problems: Vec<Problem>,
}

impl Diagnosis {
    /// Whether the game cannot be played.
    pub fn has_errors(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }
}

/// Why there are no rules.
#[derive(Debug, thiserror::Error)]
pub enum RulesError {
    /// No file is there.
    #[error("there is no file `{0}`")]
    NoFile(String),
    /// A folder is not a game.
    #[error(
        "`{0}` is a folder without `rules.kif`, `rules.sbg` or the like in it; name a rule file"
    )]
    Folder(String),
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
    /// A sheet of the public collection was asked for, and nothing says where that is.
    #[error(
        "`corpus:{0}` is a sheet of the public collection; set PAIDIA_CORPUS to its folder, \
         which has gdl/{0}.kif"
    )]
    NoCorpus(String),
    /// The public collection has no such sheet.
    #[error(
        "there is no gdl/{sheet}.kif in {folder}{}",
        .nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean `corpus:{name}`?"))
    )]
    NotInCorpus {
        /// What was asked for.
        sheet: String,
        /// The folder of the collection.
        folder: String,
        /// A sheet with a name like it.
        nearest: Option<String>,
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
    /// A video game has no such level.
    #[error(
        "{game} has no level `{level}`, and there is no file {beside}; write `Level` and its rows below the game, or name a file"
    )]
    NoLevel {
        /// The game.
        game: String,
        /// What was asked for.
        level: String,
        /// Where it was looked for.
        beside: String,
    },
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

/// What no engine takes, as a problem with its place.
fn too_large(sheet: &Sheet, error: &TooLarge) -> Problem {
    let clause = match error {
        TooLarge::Body { clause, .. } => *clause,
        TooLarge::Rules(_) => 0,
    };
    let clause = sheet.clauses.get(clause);
    let span = clause.map_or(Span::default(), |clause| clause.head.span);
    Problem::new(Code::TooLarge, span, error.to_string())
        .help("split it into several rules with relations of their own")
}

impl RuleText {
    /// What is wrong with the rules, in the given dialect or in the one that its forms suggest.
    ///
    /// # Errors
    /// If there is no check for the language.
    pub fn diagnose(&self, dialect: Option<Dialect>) -> Result<Diagnosis, RulesError> {
        let reader = self.reader()?;
        trace::note("checked", &self.name);
        Ok(match reader {
            Some(reader) => Diagnosis {
                language: self.language.short_name(),
                problems: reader.diagnose(&self.source),
            },
            None => {
                let (reading, mut report) = check_source(&self.source, dialect);
                if !report.has_errors()
                    && let Err(error) = Program::new(&reading.sheet, report.dialect)
                {
                    report.problems.push(too_large(&reading.sheet, &error));
                }
                Diagnosis {
                    language: report.dialect.name(),
                    problems: report.problems,
                }
            }
        })
    }

    /// The text in the normal form of its language, in the given notation of GDL or the one that it
    /// has.
    ///
    /// # Errors
    /// If it cannot be read as a whole, or a notation of GDL is asked for in another language.
    pub fn normal_form(&self, notation: Option<Notation>) -> Result<String, RulesError> {
        let invalid = |problems| InvalidRules {
            source: self.source.clone(),
            problems,
            too_large: None,
        };
        if let Some(reader) = self.reader()? {
            if notation.is_some() {
                return Err(self.not_gdl());
            }
            return Ok(reader.print(&self.source).map_err(invalid)?);
        }
        let reading = syntax::read(&self.source);
        if reading.problems.iter().any(Problem::is_error) {
            return Err(invalid(reading.problems).into());
        }
        let notation = notation.unwrap_or_else(|| syntax::guess_notation(&self.source.text));
        Ok(syntax::print(&reading.sheet, notation))
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
        Ok(match self.reader()? {
            Some(reader) => {
                trace::note("checked", &self.name);
                Ruleset::Other(reader.check(self)?)
            }
            None => Ruleset::Gdl(Arc::new(GdlRules::new(self, dialect)?)),
        })
    }

    /// What reads the language, if that is not GDL. Languages that nothing reads are refused.
    fn reader(&self) -> Result<Option<&'static dyn Reader>, RulesError> {
        match (self.language, self.language.reader()) {
            (Language::Gdl, _) => Ok(None),
            (_, Some(reader)) => Ok(Some(reader)),
            (language, None) => Err(RulesError::NotPlayable {
                name: self.source.name.clone(),
                language,
            }),
        }
    }

    fn not_gdl(&self) -> RulesError {
        RulesError::NotGdl {
            name: self.name.clone(),
            language: self.language,
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

    /// What the checks found beside errors.
    pub fn warnings(&self) -> &[Problem] {
        match self {
            Ruleset::Gdl(rules) => &rules.warnings,
            Ruleset::Other(rules) => rules.warnings(),
        }
    }

    /// The dialect or language that the rules are written in, in a word.
    pub fn language(&self) -> &'static str {
        match self {
            Ruleset::Gdl(rules) => rules.dialect.name(),
            Ruleset::Other(rules) => rules.text().language.short_name(),
        }
    }

    /// Whether players move whenever they like: rtGDL.
    pub fn is_real_time(&self) -> bool {
        matches!(self, Ruleset::Gdl(rules) if rules.dialect == Dialect::RtGdl)
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

    /// The simplified board game that the rules describe: rules of such games, and sheets that
    /// were made of them.
    pub fn board(&self) -> Option<BoardGame> {
        match self {
            Ruleset::Gdl(rules) => {
                let known = recognised(&rules.text().source.text)?;
                BoardGame::new(rules.name(), known).ok()
            }
            Ruleset::Other(rules) => rules.board(),
        }
    }

    /// The rules, where they are of the GDL family.
    ///
    /// # Errors
    /// If they are written in another language.
    pub fn gdl(&self) -> Result<&Arc<GdlRules>, RulesError> {
        match self {
            Ruleset::Gdl(rules) => Ok(rules),
            Ruleset::Other(rules) => Err(rules.text().not_gdl()),
        }
    }
}
