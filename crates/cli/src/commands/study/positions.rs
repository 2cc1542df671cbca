//! Studies that ask players in positions.

use std::io::Write;

use anyhow::bail;
use paidia_arena::study::quiz::{self, Answer, Marks, Questionnaire, Quiz};
use paidia_arena::study::{RecordFile, Tables};

use super::{Listed, Pages, Study, processors, shown};
use crate::Verdict;
use crate::engine::table;

impl Pages {
    fn of_positions(marks: &Marks) -> Self {
        Self {
            study: marks.heading.study.clone(),
            text: marks.text(),
            csv: marks.csv(),
            svg: marks.svg(),
            markdown: marks.markdown(Some(&format!("{}.svg", marks.heading.study))),
        }
    }
}

impl Study {
    pub(super) fn run_positions(
        &self,
        quiz: &Quiz,
        out: &mut dyn Write,
    ) -> anyhow::Result<Verdict> {
        let questionnaire = Questionnaire::new(quiz, self.scale, self.seed)?;
        let file = if self.report_only {
            RecordFile::read(&self.result_file(&quiz.name))?
        } else {
            self.ask(quiz, &questionnaire)?
        };
        let marks = quiz::mark(quiz, &questionnaire, &file);
        if marks.made == 0 {
            bail!(self.nothing_there("searches"));
        }
        self.show(&Pages::of_positions(&marks), &marks, out)?;
        Ok(marks.stands().into())
    }

    /// Makes the searches that are missing.
    fn ask(
        &self,
        quiz: &Quiz,
        questionnaire: &Questionnaire,
    ) -> anyhow::Result<RecordFile<Answer>> {
        let jobs = self.jobs.map_or_else(processors, usize::from);
        let mut tables = Tables::new();
        for question in &questionnaire.questions {
            if !tables.contains_key(&question.game) {
                tables.insert(question.game.clone(), table(&self.engine, &question.game)?);
            }
        }
        let mut file = RecordFile::open(&self.result_file(&quiz.name))?;
        file.note(self.note(&quiz.name, jobs))?;
        let progress = shown("searches");
        quiz::ask(quiz, questionnaire, &tables, &mut file, jobs, &progress)?;
        Ok(file)
    }
}

pub(super) fn listed(name: &'static str, quiz: &Quiz) -> anyhow::Result<Listed> {
    let mut scales = Vec::new();
    for &scale in quiz.scales.keys() {
        scales.push((scale, Questionnaire::new(quiz, scale, 1)?.questions.len()));
    }
    Ok(Listed {
        name,
        title: quiz.title.clone(),
        source: quiz.source.clone(),
        games: quiz.games.keys().cloned().collect(),
        cells: quiz.cells.len(),
        claims: quiz.claims.len(),
        cell: "cell",
        counted: "searches",
        scales,
    })
}
