//! What came out of a comparison, beside what the paper has.

mod csv;
mod plot;
mod table;
mod text;

use super::agenda::Agenda;
use super::data::Comparison;
use super::figures::{self, Comparing, Samples};
use super::run::Sample;
use crate::study::error::StudyError;
use crate::study::ledger::RecordFile;
use crate::study::report::Heading;

/// Sums up what the file has of the agenda.
///
/// # Errors
/// If the study does not have the agenda's scale.
pub fn summarise(
    comparison: &Comparison,
    agenda: &Agenda,
    file: &RecordFile<Sample>,
) -> Result<Comparing, StudyError> {
    let effort = comparison.scale(agenda.scale)?;
    let mut samples = Samples::new();
    for sample in &file.records {
        let known = samples.get(sample.task.as_str());
        if sample.count.is_some() || known.is_none_or(|known| known.count.is_none()) {
            samples.insert(&sample.task, sample);
        }
    }
    let tables: Vec<_> = comparison
        .tables
        .iter()
        .map(|data| figures::table(comparison, data, effort, agenda.seed, &samples))
        .collect();
    let tasks = agenda.games.iter().flat_map(|(_, tasks)| tasks);
    let taken = tasks.filter(|task| {
        let sample = samples.get(task.fingerprint().as_str());
        sample.is_some_and(|sample| sample.count.is_some())
    });
    let mut notes = comparison.notes.clone();
    notes.push(format!(
        "Each figure is the median of {} samples of {} s of CPU time, and ± half of what lies between the lowest and the highest. \
         The engines of a game take turns.",
        effort.rounds, effort.seconds
    ));
    let claims = comparison.claims.iter();
    Ok(Comparing {
        heading: Heading {
            study: comparison.name.clone(),
            title: comparison.title.clone(),
            source: comparison.source.clone(),
            about: comparison.about.clone(),
            scale: agenda.scale,
            seed: agenda.seed,
        },
        notes,
        games: comparison.games.clone(),
        engines: comparison.engines.clone(),
        taken: taken.count(),
        wanted: agenda.len(),
        claims: claims.map(|claim| claim.judge(&tables)).collect(),
        tables,
    })
}
