//! The studies of the folder `studies/`, embedded in the program.

use super::error::StudyError;
use super::experiment::Experiment;

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
    let distance = |study: &&BundledStudy| strsim::damerau_levenshtein(study.name, name);
    let nearest = STUDIES.iter().min_by_key(distance);
    Err(StudyError::Unknown {
        name: name.to_owned(),
        nearest: nearest
            .filter(|study| distance(study) <= 6)
            .map(|study| study.name),
    })
}

impl BundledStudy {
    /// The experiment.
    ///
    /// # Errors
    /// If the data is faulty; a test makes sure that it is not.
    pub fn experiment(&self) -> Result<Experiment, StudyError> {
        Experiment::parse(self.name, self.text)
    }
}
