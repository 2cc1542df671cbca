//! Studies of bandits.

use std::io::Write;

use anyhow::bail;
use paidia_arena::study::RecordFile;
use paidia_arena::study::bandits::{self, BanditPlan, BanditStudy, Curves, Trial};

use super::{Listed, Pages, Study, processors, shown};
use crate::Verdict;

impl Study {
    pub(super) fn run_bandits(
        &self,
        study: &BanditStudy,
        out: &mut dyn Write,
    ) -> anyhow::Result<Verdict> {
        let plan = BanditPlan::new(study, self.scale, self.seed)?;
        let file = if self.report_only {
            RecordFile::read(&self.result_file(&study.name))?
        } else {
            self.play_bandits(study, &plan)?
        };
        let curves = bandits::summarise(study, &plan, &file)?;
        if curves.played == 0 {
            bail!(self.nothing_there("models"));
        }
        self.show(&pages(&curves), &curves, out)?;
        Ok(curves.stands().into())
    }

    /// Plays with the models that are missing.
    fn play_bandits(
        &self,
        study: &BanditStudy,
        plan: &BanditPlan,
    ) -> anyhow::Result<RecordFile<Trial>> {
        let jobs = self.jobs.map_or_else(processors, usize::from);
        let mut file = RecordFile::open(&self.result_file(&study.name))?;
        file.note(self.note(&study.name, jobs))?;
        bandits::play(study, plan, &mut file, jobs, &shown("models"))?;
        Ok(file)
    }
}

fn pages(curves: &Curves) -> Pages {
    Pages {
        study: curves.heading.study.clone(),
        text: curves.text(),
        csv: curves.csv(),
        svg: curves.svg(),
        markdown: curves.markdown(Some(&format!("{}.svg", curves.heading.study))),
    }
}

pub(super) fn listed(name: &'static str, study: &BanditStudy) -> anyhow::Result<Listed> {
    let mut scales = Vec::new();
    for &scale in study.scales.keys() {
        scales.push((scale, BanditPlan::new(study, scale, 1)?.models.len()));
    }
    Ok(Listed {
        name,
        title: study.title.clone(),
        source: study.source.clone(),
        games: Vec::new(),
        cells: study.bandits.len(),
        claims: study.claims.len(),
        cell: "bandit",
        counted: "models",
        scales,
    })
}
