//! Marks as text, Markdown, comma-separated values and a picture.

use std::collections::BTreeSet;

use super::marks::{CellMarks, Marks, Share};
use crate::statistics::Estimate;
use crate::study::claims::Finding;
use crate::study::report::{
    beside_paper, claims_table, claims_text, evidence, games, lines_text, list, percentages,
    players,
};
use crate::table::{Table, quoted, with_interval};
use crate::text::grouped;

/// Nothing stands here.
const NOTHING: &str = "–";

const HEAD: &str = "study,scale,seed,cell,group,position,player,searches,states,states_low,states_high,paper_states,move,is_right,share,low,high,paper";

impl Marks {
    /// The results as plain text.
    pub fn text(&self) -> String {
        let mut text = self.heading.text(&self.standing());
        for table in self.tables() {
            text += &table.text();
        }
        text += &claims_text(&self.claims, claim_evidence);
        text + &lines_text("Notes", &self.notes)
    }

    /// The results as Markdown; `plot` is the path of the picture, as seen from the page.
    pub fn markdown(&self, plot: Option<&str>) -> String {
        let mut text = self.heading.markdown(
            &self.standing(),
            plot,
            "How often the right move was chosen",
        );
        for table in self.tables() {
            text += &table.markdown();
        }
        text += &claims_table(&self.claims, claim_evidence);
        text += "\n## What was asked\n\n";
        text += &games(&self.games);
        text += &players(&self.players);
        text + &list(&self.notes)
    }

    /// How often each cell chose right, as an SVG picture.
    pub fn svg(&self) -> String {
        let rows = self.cells.iter().map(|cell| {
            let half = cell.paper.half_width.unwrap_or(0.0);
            let paper = cell.paper.right.map(|right| (right, half));
            beside_paper(&cell.name, cell.right, paper)
        });
        percentages("right moves in percent".to_owned(), rows.collect()).svg(&self.heading.title)
    }

    /// The shares of the moves as CSV with a head, a row a move of a cell.
    pub fn csv(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for cell in &self.cells {
            for share in &cell.shares {
                text += &self.line(cell, share).join(",");
                text.push('\n');
            }
        }
        text
    }

    fn line(&self, cell: &CellMarks, share: &Share) -> Vec<String> {
        let parts = |estimate: Option<Estimate>| {
            let part = |part: fn(&Estimate) -> f64| number(estimate.as_ref().map(part));
            [
                part(|estimate| estimate.value),
                part(|estimate| estimate.low),
                part(|estimate| estimate.high),
            ]
        };
        let mut line = vec![
            quoted(&self.heading.study),
            self.heading.scale.name().to_owned(),
            self.heading.seed.to_string(),
            quoted(&cell.name),
            quoted(&cell.group),
            quoted(&cell.position),
            quoted(&cell.player),
            cell.searches.to_string(),
        ];
        line.extend(parts(cell.states));
        line.extend([
            number(cell.paper.states),
            quoted(&share.text),
            share.is_right.to_string(),
        ]);
        line.extend(parts(share.ours));
        line.push(number(share.paper));
        line
    }

    /// How much was asked, in a sentence.
    fn standing(&self) -> String {
        format!(
            "Scale {}, seed {}: {} of {} searches.",
            self.heading.scale.name(),
            self.heading.seed,
            self.made,
            self.wanted
        )
    }

    fn tables(&self) -> Vec<Table<String>> {
        let mut tables = vec![self.overview()];
        let positions: BTreeSet<&String> = self.cells.iter().map(|cell| &cell.position).collect();
        tables.extend(positions.into_iter().map(|position| self.choices(position)));
        tables
    }

    /// A row a cell: how often it was right, and what that cost.
    fn overview(&self) -> Table<String> {
        let row = |cell: &CellMarks| {
            vec![
                cell.name.clone(),
                cell.searches.to_string(),
                with_interval(cell.right),
                cell.paper
                    .right
                    .map_or_else(|| NOTHING.to_owned(), |right| format!("{right:.1}")),
                states(cell.states.map(|states| states.value)),
                states(cell.paper.states),
                match cell.searches {
                    0 => NOTHING.to_owned(),
                    _ => format!("{:.3}", cell.seconds),
                },
            ]
        };
        let head = [
            "cell", "searches", "right", "paper", "states", "paper", "seconds",
        ];
        Table {
            title: "Right moves in percent, with 95 % intervals, and means a search".to_owned(),
            head: head.map(str::to_owned).to_vec(),
            rows: self.cells.iter().map(row).collect(),
        }
    }

    /// A row a move of a position, a column a cell.
    fn choices(&self, position: &str) -> Table<String> {
        let cells = self.cells.iter().filter(|cell| cell.position == position);
        let cells: Vec<&CellMarks> = cells.collect();
        let shares = cells.iter().flat_map(|cell| &cell.shares);
        let moves: BTreeSet<(&String, bool)> =
            shares.map(|share| (&share.text, share.is_right)).collect();
        let row = |(text, is_right): (&String, bool)| {
            let mut row = vec![format!("{text}{}", if is_right { " (right)" } else { "" })];
            row.extend(cells.iter().map(|cell| choice(cell, text)));
            row
        };
        let mut head = vec!["move".to_owned()];
        head.extend(cells.iter().map(|cell| cell.name.clone()));
        Table {
            title: format!("{position}: moves chosen in percent, the paper's in brackets"),
            head,
            rows: moves.into_iter().map(row).collect(),
        }
    }
}

/// How often a cell chose a move, and how often the paper did.
fn choice(cell: &CellMarks, text: &str) -> String {
    let ours = cell.share_of(text);
    let ours = ours.map_or_else(|| NOTHING.to_owned(), |ours| format!("{:.1}", ours.value));
    match cell.paper.moves.get(text) {
        Some(paper) => format!("{ours} [{paper:.1}]"),
        None => ours,
    }
}

fn states(states: Option<f64>) -> String {
    states.map_or_else(|| NOTHING.to_owned(), |states| grouped(states as u128))
}

/// A number, or nothing.
fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value}"))
}

fn claim_evidence(finding: &Finding) -> String {
    evidence(finding, with_interval)
}
