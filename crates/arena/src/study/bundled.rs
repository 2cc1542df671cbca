//! The studies of the folder `studies/`, embedded in the program.

use super::bandits::BanditStudy;
use super::comparison::Comparison;
use super::error::StudyError;
use super::experiment::{Experiment, bad};
use super::quiz::Quiz;
use crate::text::nearest;

/// A study of the library.
#[derive(Debug)]
pub struct BundledStudy {
    /// The name of its file, by which it is called.
    pub name: &'static str,
    /// Its data, as TOML.
    pub text: &'static str,
}

static STUDIES: &[BundledStudy] = include!(concat!(env!("OUT_DIR"), "/studies.rs"));

/// All studies in the order of their names.
pub fn all() -> &'static [BundledStudy] {
    STUDIES
}

/// The study with that name.
///
/// # Errors
/// Gives a name that the asker may have meant.
pub fn find(name: &str) -> Result<&'static BundledStudy, StudyError> {
    if let Some(study) = STUDIES.iter().find(|study| study.name == name) {
        return Ok(study);
    }
    Err(StudyError::Unknown {
        name: name.to_owned(),
        nearest: nearest(name, STUDIES.iter().map(|study| study.name)),
    })
}

/// A study of any kind.
#[derive(Clone, Debug)]
pub enum Study {
    /// Matches between players.
    Matches(Experiment),
    /// Engines on the same games.
    Engines(Comparison),
    /// Players in positions.
    Positions(Quiz),
    /// Ways to choose, on bandits.
    Bandits(BanditStudy),
}

impl Study {
    /// Reads a study: one with `engines` compares these, one with `positions` asks there, one with `bandits` is about them, any other
    /// lets players meet.
    ///
    /// # Errors
    /// If the data is faulty.
    pub fn parse(name: &str, text: &str) -> Result<Self, StudyError> {
        let data: toml::Table = toml::from_str(text)?;
        if data.contains_key("engines") {
            return Ok(Study::Engines(Comparison::parse(name, text)?));
        }
        if data.contains_key("positions") {
            return Ok(Study::Positions(Quiz::parse(name, text)?));
        }
        if data.contains_key("bandits") {
            return Ok(Study::Bandits(BanditStudy::parse(name, text)?));
        }
        Ok(Study::Matches(Experiment::parse(name, text)?))
    }
}

impl BundledStudy {
    /// The study, read.
    ///
    /// # Errors
    /// If the data is faulty; a test makes sure that it is not.
    pub fn read(&self) -> Result<Study, StudyError> {
        Study::parse(self.name, self.text)
    }

    /// The experiment, if matches are played.
    ///
    /// # Errors
    /// If the data is faulty, or of another kind.
    pub fn experiment(&self) -> Result<Experiment, StudyError> {
        match self.read()? {
            Study::Matches(experiment) => Ok(experiment),
            Study::Engines(_) => Err(bad(self.name, "it compares engines and plays no matches")),
            Study::Positions(_) => Err(bad(self.name, "it asks in positions and plays no matches")),
            Study::Bandits(_) => Err(bad(self.name, "it is about bandits and plays no matches")),
        }
    }
}
