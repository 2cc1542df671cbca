//! Tables, whatever they are written as.

use super::Summary;
use crate::statistics::Estimate;
use crate::study::{Finding, Part};
use crate::table::{Table, with_interval};

/// A value with so many digits after the point, if there is one.
fn optional(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.digits$}"))
}

/// The tables of a study, those with nothing in them left out.
pub(super) fn tables(summary: &Summary) -> Vec<Table> {
    let tables = [cells(summary), ratios(summary), rates(summary)];
    tables
        .into_iter()
        .filter(|table| !table.rows.is_empty())
        .collect()
}

fn cells(summary: &Summary) -> Table {
    let row = |cell: &super::CellResult| {
        let paper = cell.paper.map_or_else(
            || "–".to_owned(),
            |paper| match paper.half_width {
                Some(half) => format!(
                    "{:.1} ({:.1} to {:.1})",
                    paper.points,
                    paper.points - half,
                    paper.points + half
                ),
                None => format!("{:.1}", paper.points),
            },
        );
        vec![
            cell.name.clone(),
            cell.thinking.join(" v "),
            summary.measure.counts(&cell.tally),
            format!("{:.0}", cell.mean_steps),
            with_interval(cell.points),
            paper,
        ]
    };
    Table {
        title: format!("{}, with 95 % intervals", summary.measure.title()),
        head: vec![
            "cell",
            "a move",
            summary.measure.counted(),
            "steps",
            "ours",
            "paper",
        ],
        rows: summary.cells.iter().map(row).collect(),
    }
}

fn ratios(summary: &Summary) -> Table {
    let row = |ratio: &super::RatioResult| {
        vec![
            ratio.tournament.clone(),
            ratio.player.clone(),
            with_interval(ratio.points),
            optional(ratio.paper, 1),
        ]
    };
    Table {
        title: "Win ratios: the mean of a player's pairings, in percent".to_owned(),
        head: vec!["tournament", "player", "ours", "paper"],
        rows: summary.ratios.iter().map(row).collect(),
    }
}

fn rates(summary: &Summary) -> Table {
    let row = |rate: &super::RateResult| {
        let digits = if rate.what.contains('/') { 3 } else { 0 };
        vec![
            rate.what.clone(),
            optional(rate.ours, digits),
            optional(rate.paper, digits),
        ]
    };
    Table {
        title: "States a second, and their ratios (reported, not judged)".to_owned(),
        head: vec!["player", "ours", "paper"],
        rows: summary.rates.iter().map(row).collect(),
    }
}

/// What decided a claim in points.
pub(super) fn points_evidence(finding: &Finding) -> String {
    evidence(finding, with_interval)
}

/// What decided a claim: its parts that were judged as the whole was, a few of them, their values written so.
pub(in crate::study) fn evidence(
    finding: &Finding,
    written: impl Fn(Option<Estimate>) -> String,
) -> String {
    const SHOWN: usize = 3;
    let deciding = finding.parts.iter();
    let deciding: Vec<&Part> = deciding
        .filter(|part| part.judgement == finding.judgement)
        .collect();
    let shown = deciding.iter().take(SHOWN);
    let mut shown: Vec<String> = shown
        .map(|part| format!("{}: {}", part.what, written(part.estimate)))
        .collect();
    if deciding.len() > SHOWN {
        shown.push(format!("and {} more", deciding.len() - SHOWN));
    }
    shown.join("; ")
}

/// The claims for a terminal, each with what decided it; nothing if there are none.
pub(in crate::study) fn claims_text(
    claims: &[Finding],
    evidence: impl Fn(&Finding) -> String,
) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let mut text = "\nClaims\n".to_owned();
    for claim in claims {
        let judgement = claim.judgement.name();
        text += &format!("  {judgement:<9}  {}  {}\n", claim.id, claim.text);
        text += &format!("             {}\n", evidence(claim));
    }
    text
}

/// The claims as a section of a page; nothing if there are none.
pub(in crate::study) fn claims_table(
    claims: &[Finding],
    evidence: impl Fn(&Finding) -> String,
) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let row = |claim: &Finding| {
        vec![
            claim.id.clone(),
            claim.text.clone(),
            format!("**{}**", claim.judgement.name()),
            evidence(claim),
        ]
    };
    let table = Table {
        title: "Claims".to_owned(),
        head: vec!["", "claim", "here it", "by"],
        rows: claims.iter().map(row).collect(),
    };
    table.markdown()
}
