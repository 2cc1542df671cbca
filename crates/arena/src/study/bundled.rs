//! The studies of the folder `studies/`, embedded in the program.

use super::bandits::Bandits;
use super::controllers::Controllers;
use super::error::StudyError;
use super::kernel::{Study, parse};
use super::matches::Matches;
use super::measurements::Measurements;
use super::positions::Positions;
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
/// Gives names that may have been meant: those that hold what was asked for, or one like it.
pub fn find(name: &str) -> Result<&'static BundledStudy, StudyError> {
    if let Some(study) = STUDIES.iter().find(|study| study.name == name) {
        return Ok(study);
    }
    let names = || STUDIES.iter().map(|study| study.name);
    let holding = names().filter(|study| name.len() > 2 && study.contains(name));
    let mut meant: Vec<&'static str> = holding.collect();
    if meant.is_empty() {
        meant.extend(nearest(name, names()));
    }
    Err(StudyError::Unknown {
        name: name.to_owned(),
        nearest: meant,
    })
}

/// Reads a study: one with `engines` measures these, one with `positions` asks there, one with
/// `bandits` is about them, one with `controllers` plays video games, any other lets players meet.
///
/// # Errors
/// If the data is faulty.
pub fn read(name: &str, text: &str) -> Result<Box<dyn Study>, StudyError> {
    let data: toml::Table = toml::from_str(text)?;
    Ok(if data.contains_key("engines") {
        Box::new(parse::<Measurements>(name, text)?)
    } else if data.contains_key("positions") {
        Box::new(parse::<Positions>(name, text)?)
    } else if data.contains_key("bandits") {
        Box::new(parse::<Bandits>(name, text)?)
    } else if data.contains_key("controllers") {
        Box::new(parse::<Controllers>(name, text)?)
    } else {
        Box::new(parse::<Matches>(name, text)?)
    })
}

impl BundledStudy {
    /// The study, read.
    ///
    /// # Errors
    /// If the data is faulty; a test makes sure that it is not.
    pub fn read(&self) -> Result<Box<dyn Study>, StudyError> {
        read(self.name, self.text)
    }

    /// The study, read as one of matches.
    ///
    /// # Errors
    /// If the data is faulty, or of another kind.
    pub(super) fn matches(&self) -> Result<Matches, StudyError> {
        parse(self.name, self.text)
    }
}
