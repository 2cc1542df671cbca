//! What came out of a study, beside what the paper has: text, Markdown, CSV, SVG and JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::claims::{Finding, Judgement, Part};
use super::front::Scale;
use crate::plot::{Intervals, Mark, Plot, Row};
use crate::statistics::Estimate;
use crate::table::{TextTable, quoted};

/// What stands where there is no figure.
pub(super) const NOTHING: &str = "–";

/// What a study is, and how it was run: how its reports begin.
#[derive(Clone, Debug, Serialize)]
pub struct Heading {
    /// The study.
    pub study: String,
    /// What it is called.
    pub title: String,
    /// Where it was published.
    pub source: String,
    /// What it is about.
    pub about: String,
    /// The scale.
    pub scale: Scale,
    /// The seed.
    pub seed: u64,
}

/// The results of a study in all forms.
pub struct Report {
    pub(super) heading: Heading,
    /// How much was done, after the scale and the seed.
    pub(super) standing: String,
    pub(super) tables: Vec<TextTable<String>>,
    pub(super) claims: Vec<Finding>,
    /// How the figures of claims are written.
    pub(super) written: fn(Option<Estimate>) -> String,
    /// What could not be measured.
    pub(super) problems: Vec<String>,
    /// What the last section of the page is called, and what it begins with.
    pub(super) section: &'static str,
    pub(super) materials: Vec<String>,
    pub(super) notes: Vec<String>,
    /// What the plot shows, and the plot.
    pub(super) shows: &'static str,
    pub(super) plot: Plot,
    /// The columns after study, scale and seed, and the rows.
    pub(super) csv_head: &'static str,
    pub(super) csv_rows: Vec<Vec<String>>,
    pub(super) json: String,
    /// All records of the ledger, as CSV.
    pub(super) trials: String,
}

impl Report {
    /// Whether no claim fails.
    pub fn stands(&self) -> bool {
        let mut claims = self.claims.iter();
        claims.all(|claim| claim.judgement != Judgement::Fails)
    }

    fn standing(&self) -> String {
        let Heading { scale, seed, .. } = &self.heading;
        format!("Scale {}, seed {seed}: {}", scale.name(), self.standing)
    }

    /// The results for a terminal.
    pub fn text(&self) -> String {
        let Heading {
            title,
            source,
            about,
            ..
        } = &self.heading;
        let standing = self.standing();
        let mut text = format!("{title}\n{source}\n\n{}\n\n{standing}\n", about.trim());
        self.tables.iter().for_each(|table| text += &table.text());
        if !self.claims.is_empty() {
            text += "\nClaims\n";
        }
        for claim in &self.claims {
            let judgement = claim.judgement.name();
            text += &format!("  {judgement:<9}  {}  {}\n", claim.id, claim.text);
            text += &format!("             {}\n", self.evidence(claim));
        }
        for (title, lines) in [("Not measured", &self.problems), ("Notes", &self.notes)] {
            if !lines.is_empty() {
                text += &format!("\n{title}\n");
            }
            let lines = lines.iter().map(|line| format!("  {}\n", line.trim()));
            text.extend(lines);
        }
        text
    }

    /// The results as a page of Markdown, with the plot in a file beside it.
    pub fn markdown(&self) -> String {
        let Heading {
            study,
            title,
            source,
            about,
            scale,
            seed,
        } = &self.heading;
        let (standing, about, scale) = (self.standing(), about.trim(), scale.name());
        let mut text = format!("# {title}\n\n{source}\n\n{about}\n\n{standing}\n");
        text +=
            &format!("\n```console\n$ paidia study {study} --scale {scale} --seed {seed}\n```\n");
        text += &format!("\n![{}]({study}.svg)\n", self.shows);
        let tables = self.tables.iter();
        tables.for_each(|table| text += &table.markdown());
        if !self.claims.is_empty() {
            text += &self.claims_table().markdown();
        }
        text += &format!("\n## {}\n\n", self.section);
        let lines = self.materials.iter().chain(&self.notes);
        text.extend(lines.map(|line| format!("- {}\n", line.trim())));
        let problems = self.problems.iter();
        text.extend(problems.map(|problem| format!("- Not measured: {problem}.\n")));
        text
    }

    fn claims_table(&self) -> TextTable<String> {
        let row = |claim: &Finding| {
            vec![
                claim.id.clone(),
                claim.text.clone(),
                format!("**{}**", claim.judgement.name()),
                self.evidence(claim),
            ]
        };
        TextTable {
            title: "Claims".to_owned(),
            head: ["", "claim", "here it", "by"].map(str::to_owned).to_vec(),
            rows: self.claims.iter().map(row).collect(),
        }
    }

    /// What decided a claim: its parts that were judged as the whole was, a few of them.
    fn evidence(&self, finding: &Finding) -> String {
        const SHOWN: usize = 3;
        if finding.parts.is_empty() {
            return "nothing was measured".to_owned();
        }
        let deciding = finding.parts.iter();
        let deciding: Vec<&Part> = deciding
            .filter(|part| part.judgement == finding.judgement)
            .collect();
        let shown = deciding.iter().take(SHOWN);
        let mut shown: Vec<String> = shown
            .map(|part| format!("{}: {}", part.what, (self.written)(part.estimate)))
            .collect();
        if deciding.len() > SHOWN {
            shown.push(format!("and {} more", deciding.len() - SHOWN));
        }
        shown.join("; ")
    }

    /// The figures as CSV with a head.
    pub fn csv(&self) -> String {
        let Heading {
            study, scale, seed, ..
        } = &self.heading;
        let begin = format!("{},{},{seed}", quoted(study), scale.name());
        let mut text = format!("study,scale,seed,{}\n", self.csv_head);
        for row in &self.csv_rows {
            let row: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
            text += &format!("{begin},{}\n", row.join(","));
        }
        text
    }

    /// All trials of the ledger as CSV with a head, those of other scales among them.
    pub fn trials(&self) -> &str {
        &self.trials
    }

    /// The plot as SVG.
    pub fn svg(&self) -> String {
        self.plot.svg(&self.heading.title)
    }

    /// The figures as one JSON object.
    pub fn json(&self) -> &str {
        &self.json
    }
}

/// The games, as far as something is said about them, and the players, for the end of a page.
pub(super) fn games_and_players(
    games: &BTreeMap<String, String>,
    players: &BTreeMap<String, String>,
) -> Vec<String> {
    let games = games.iter().filter(|(_, rules)| !rules.is_empty());
    let games = games.map(|(game, rules)| format!("`{game}`: {}", rules.trim()));
    let players = players.iter();
    let players = players.map(|(name, written)| format!("{name} is the player `{written}`."));
    games.chain(players).collect()
}

/// Figures in percent, ours above the paper's, which come with half of their interval.
pub(super) fn percentages<'a>(
    axis: &str,
    rows: impl Iterator<Item = (&'a String, Option<Estimate>, Option<(f64, f64)>)>,
) -> Plot {
    let row = |(name, ours, paper): (&String, Option<Estimate>, Option<(f64, f64)>)| {
        let paper = paper.map(|(value, half)| Estimate {
            value,
            low: value - half,
            high: value + half,
        });
        let mark = |series| move |estimate| Mark { estimate, series };
        Row::marks(name, [ours.map(mark(0)), paper.map(mark(1))])
    };
    Plot::Intervals(Intervals {
        axis: axis.to_owned(),
        range: (0.0, 100.0),
        names: &[("ours, with 95 % interval", 0), ("the paper's", 1)],
        rows: rows.map(row).collect(),
    })
}

/// A number as it is written, or nothing.
pub(super) fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A figure and its bounds for CSV, written so.
pub(super) fn bounds(
    estimate: Option<Estimate>,
    written: impl Fn(Option<f64>) -> String,
) -> [String; 3] {
    let parts: [fn(&Estimate) -> f64; 3] = [
        |estimate| estimate.value,
        |estimate| estimate.low,
        |estimate| estimate.high,
    ];
    parts.map(|part| written(estimate.as_ref().map(part)))
}
