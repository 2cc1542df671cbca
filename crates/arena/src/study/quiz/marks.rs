//! What came out of a quiz, beside what the paper has.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ask::{Answer, Questionnaire};
use super::data::{Quiz, QuizCell, QuizPaper};
use crate::statistics::{Estimate, Interval, Tally, mean_of, percent};
use crate::study::claims::{Finding, Judgement};
use crate::study::ledger::RecordFile;
use crate::study::report::Heading;

/// The results of a quiz at a scale.
#[derive(Clone, Debug, Serialize)]
pub struct Marks {
    /// What it is, and how it was run.
    #[serde(flatten)]
    pub heading: Heading,
    /// What to know before believing it.
    pub notes: Vec<String>,
    /// The games, and which rules exactly they are.
    pub games: BTreeMap<String, String>,
    /// The players as the quiz calls them, and as the catalogue writes them.
    pub players: BTreeMap<String, String>,
    /// Searches that were made.
    pub made: usize,
    /// Searches that the scale wants.
    pub wanted: usize,
    /// The cells.
    pub cells: Vec<CellMarks>,
    /// The claims.
    pub claims: Vec<Finding>,
}

/// What came out of a cell.
#[derive(Clone, Debug, Serialize)]
pub struct CellMarks {
    /// The cell.
    pub name: String,
    /// Its group.
    pub group: String,
    /// The position.
    pub position: String,
    /// The player.
    pub player: String,
    /// Searches.
    pub searches: usize,
    /// How often the right move was chosen, in percent with a 95 % interval.
    pub right: Option<Estimate>,
    /// States visited by a search, on average, with a 95 % interval.
    pub states: Option<Estimate>,
    /// Seconds of a search, on average.
    pub seconds: f64,
    /// How often each move was chosen that was chosen at all, is right, or that the paper tells of.
    pub shares: Vec<Share>,
    /// What the paper has.
    pub paper: QuizPaper,
}

/// How often a move was chosen.
#[derive(Clone, Debug, Serialize)]
pub struct Share {
    /// The move.
    pub text: String,
    /// Whether it is right.
    pub is_right: bool,
    /// In percent, with a 95 % interval.
    pub ours: Option<Estimate>,
    /// The paper's figure.
    pub paper: Option<f64>,
}

impl CellMarks {
    /// How often a move was chosen, in percent.
    pub(super) fn share_of(&self, text: &str) -> Option<Estimate> {
        let listed = self.shares.iter().find(|share| share.text == text);
        // A move that is not listed was not chosen.
        listed.map_or_else(|| frequency(0, self.searches), |share| share.ours)
    }
}

/// Sums up what the file has of the questionnaire.
pub fn mark(quiz: &Quiz, questionnaire: &Questionnaire, file: &RecordFile<Answer>) -> Marks {
    let mut known: BTreeMap<&String, &Answer> = BTreeMap::new();
    for answer in &file.records {
        known.entry(&answer.question).or_insert(answer);
    }
    let mut answers: BTreeMap<&String, Vec<&Answer>> = BTreeMap::new();
    for question in &questionnaire.questions {
        let own = answers.entry(&question.cell).or_default();
        own.extend(known.get(&question.fingerprint()));
    }
    let cells: Vec<CellMarks> = quiz
        .cells
        .iter()
        .filter_map(|cell| Some(cell_marks(quiz, cell, answers.get(&cell.name)?)))
        .collect();
    let claims = quiz.claims.iter();
    Marks {
        heading: Heading {
            study: quiz.name.clone(),
            title: quiz.title.clone(),
            source: quiz.source.clone(),
            about: quiz.about.clone(),
            scale: questionnaire.scale,
            seed: questionnaire.seed,
        },
        notes: quiz.notes.clone(),
        games: quiz.games.clone(),
        players: quiz.players.clone(),
        made: cells.iter().map(|cell| cell.searches).sum(),
        wanted: questionnaire.questions.len(),
        claims: claims.map(|claim| claim.judge(&cells)).collect(),
        cells,
    }
}

fn cell_marks(quiz: &Quiz, cell: &QuizCell, answers: &[&Answer]) -> CellMarks {
    let right = quiz.position(&cell.position);
    let right = right.map_or(&[][..], |position| &position.right);
    let listed = right.iter().chain(cell.paper.moves.keys());
    let mut counts: BTreeMap<&String, usize> = listed.map(|text| (text, 0)).collect();
    for answer in answers {
        *counts.entry(&answer.chosen).or_default() += 1;
    }
    let hits = answers
        .iter()
        .filter(|answer| right.contains(&answer.chosen));
    let states: Vec<f64> = answers.iter().map(|answer| answer.states as f64).collect();
    let seconds: f64 = answers.iter().map(|answer| answer.seconds).sum();
    let share = |(text, count): (&String, usize)| Share {
        text: text.clone(),
        is_right: right.contains(text),
        ours: frequency(count, answers.len()),
        paper: cell.paper.moves.get(text).copied(),
    };
    CellMarks {
        name: cell.name.clone(),
        group: cell.group.clone(),
        position: cell.position.clone(),
        player: cell.player.clone(),
        searches: answers.len(),
        right: frequency(hits.count(), answers.len()),
        states: mean_of(&states, Interval::TwoSided95),
        seconds: seconds / answers.len().max(1) as f64,
        shares: counts.into_iter().map(share).collect(),
        paper: cell.paper.clone(),
    }
}

/// How often something happened, in percent with its interval.
fn frequency(count: usize, of: usize) -> Option<Estimate> {
    let mut tally = Tally::default();
    (0..of).for_each(|number| tally.add(f64::from(u8::from(number < count))));
    tally.estimate(Interval::TwoSided95).map(percent)
}

impl Marks {
    /// Whether no claim fails.
    pub fn stands(&self) -> bool {
        let mut claims = self.claims.iter();
        claims.all(|claim| claim.judgement != Judgement::Fails)
    }
}
