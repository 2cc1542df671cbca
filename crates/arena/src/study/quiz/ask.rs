//! The searches of a quiz: which there are, and making those that are missing.

use std::collections::BTreeSet;

use paidia_search::Budget;
use serde::{Deserialize, Serialize};

use super::data::{Position, Quiz, QuizCell};
use crate::contest::{Place, Tables, Thinking, game_seed, hash};
use crate::spec::PlayerSpec;
use crate::study::error::StudyError;
use crate::study::experiment::{Scale, bad};
use crate::study::ledger::RecordFile;
use crate::study::run::spread;

/// A search to make.
#[derive(Clone, Debug)]
pub struct Question {
    /// The cell it belongs to.
    pub cell: String,
    /// Its number in the cell.
    pub number: u32,
    /// The game.
    pub game: String,
    /// What the quiz calls the position.
    pub position: String,
    /// Where it is.
    pub place: Place,
    /// Who is asked.
    pub player: PlayerSpec,
    /// How much thinking it gets; as much as it wants if nothing is said.
    pub thinking: Option<Thinking>,
    /// Where its random choices come from.
    pub seed: u64,
}

impl Question {
    /// A short text for everything that matters: questions with the same one are the same search.
    pub fn fingerprint(&self) -> String {
        let Place { from, after, role } = &self.place;
        let text = format!(
            "{}\n{}\n{}\n{}\n{}\n{:?}\n{from:?}\n{after:?}\n{role:?}\n",
            self.cell, self.number, self.game, self.seed, self.player, self.thinking
        );
        format!("{:016x}", hash(text.as_bytes()))
    }
}

/// All searches of a quiz at a scale.
#[derive(Clone, Debug)]
pub struct Questionnaire {
    /// The scale.
    pub scale: Scale,
    /// The seed of the quiz.
    pub seed: u64,
    /// The searches: the first of every cell, then the second of every cell, and so on.
    pub questions: Vec<Question>,
}

impl Questionnaire {
    /// Plans a quiz.
    ///
    /// # Errors
    /// If it does not have that scale.
    pub fn new(quiz: &Quiz, scale: Scale, seed: u64) -> Result<Self, StudyError> {
        let searches = &quiz.scale(scale)?.searches;
        let count = |cell: &QuizCell| searches.get(&cell.group).copied().unwrap_or(0);
        let most = quiz.cells.iter().map(count).max().unwrap_or(0);
        let mut questions = Vec::new();
        for number in 0..most {
            for cell in quiz.cells.iter().filter(|cell| number < count(cell)) {
                let position = quiz.position(&cell.position);
                let position = position.ok_or_else(|| bad("cells", "a position is missing"))?;
                questions.push(question(quiz, cell, position, number, seed)?);
            }
        }
        Ok(Self {
            scale,
            seed,
            questions,
        })
    }
}

fn question(
    quiz: &Quiz,
    cell: &QuizCell,
    position: &Position,
    number: u32,
    seed: u64,
) -> Result<Question, StudyError> {
    Ok(Question {
        cell: cell.name.clone(),
        number,
        game: position.game.clone(),
        position: position.name.clone(),
        place: position.place(),
        player: quiz.player(&cell.player)?,
        thinking: cell.thinking(),
        seed: game_seed(seed, &cell.name, number),
    })
}

/// A search that was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The cell it belongs to.
    pub cell: String,
    /// Its number in the cell.
    pub number: u32,
    /// The fingerprint of its question: it counts only where the same is asked.
    pub question: String,
    /// The move that was chosen.
    pub chosen: String,
    /// What the player says that it is worth.
    pub value: f64,
    /// States visited.
    pub states: u64,
    /// Simulations made.
    pub simulations: u64,
    /// Seconds taken.
    pub seconds: f64,
}

/// Makes the searches that the file does not have, `jobs` at a time, and adds each when it is over. `progress` is told how many of how
/// many are done.
///
/// # Errors
/// If a game is not loaded, a position or a right move is not of its game, a player cannot be made, or the file cannot be written;
/// what was finished by then is in the file.
pub fn ask(
    quiz: &Quiz,
    questionnaire: &Questionnaire,
    tables: &Tables,
    file: &mut RecordFile<Answer>,
    jobs: usize,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<(), StudyError> {
    check_positions(quiz, questionnaire, tables)?;
    let done: BTreeSet<&String> = file.records.iter().map(|answer| &answer.question).collect();
    let questions = questionnaire.questions.iter();
    let missing: Vec<&Question> = questions
        .filter(|question| !done.contains(&question.fingerprint()))
        .collect();
    spread(&missing, jobs, file, progress, &|question| {
        answer(question, tables)
    })
}

/// Whether all positions that are asked about can be stood in, and their right moves made there.
fn check_positions(
    quiz: &Quiz,
    questionnaire: &Questionnaire,
    tables: &Tables,
) -> Result<(), StudyError> {
    let questions = questionnaire.questions.iter();
    let asked: BTreeSet<&String> = questions.map(|question| &question.position).collect();
    for position in quiz
        .positions
        .iter()
        .filter(|one| asked.contains(&one.name))
    {
        let table = tables.get(&position.game);
        let table = table.ok_or_else(|| StudyError::NoTable(position.game.clone()))?;
        let moves = table.moves(&position.place());
        let moves = moves.map_err(|reason| StudyError::Position {
            position: position.name.clone(),
            reason,
        })?;
        if let Some(wrong) = position.right.iter().find(|text| !moves.contains(text)) {
            let problem = format!("`{wrong}` is no move there; those are {}", moves.join(" "));
            return Err(bad(format!("position `{}`", position.name), problem));
        }
    }
    Ok(())
}

fn answer(question: &Question, tables: &Tables) -> Result<Answer, StudyError> {
    let table = tables.get(&question.game);
    let table = table.ok_or_else(|| StudyError::NoTable(question.game.clone()))?;
    let budget = question
        .thinking
        .map_or_else(Budget::default, Thinking::budget);
    let chosen = table.choose(&question.place, &question.player, budget, question.seed);
    let chosen = chosen.map_err(|reason| StudyError::Position {
        position: question.position.clone(),
        reason,
    })?;
    Ok(Answer {
        cell: question.cell.clone(),
        number: question.number,
        question: question.fingerprint(),
        chosen: chosen.text,
        value: chosen.value,
        states: chosen.states,
        simulations: chosen.simulations,
        seconds: chosen.seconds,
    })
}
