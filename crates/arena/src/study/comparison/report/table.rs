//! Tables of figures, whatever they are written as.

use std::collections::BTreeMap;

use crate::study::claims::Finding;
use crate::study::comparison::data::Unit;
use crate::study::comparison::figures::{Comparing, FigureTable, Row, Slot};
use crate::study::report::evidence;
use crate::table::Table;
use crate::text::{grouped, significant};

/// Nothing stands here.
const NOTHING: &str = "–";

/// A column of a table.
enum Column {
    Engine(usize),
    Paper(usize),
}

impl FigureTable {
    /// The columns: each engine with the paper's figures for it, then what else the paper has.
    fn columns(&self) -> Vec<Column> {
        let mut columns = Vec::new();
        let paper = |name: &String| self.papers.iter().position(|paper| paper == name);
        for (place, name) in self.engines.iter().enumerate() {
            columns.push(Column::Engine(place));
            columns.extend(paper(name).map(Column::Paper));
        }
        let others = self.papers.iter().enumerate();
        let others = others.filter(|(_, name)| !self.engines.contains(name));
        columns.extend(others.map(|(place, _)| Column::Paper(place)));
        columns
    }

    /// What stands above a column of the paper: whose figures they are, unless its own name tells.
    pub(super) fn paper_name(&self, place: usize) -> String {
        let name = &self.papers[place];
        match self.engines.contains(name) {
            true => format!("{name} (paper)"),
            false => name.clone(),
        }
    }

    /// The table as texts.
    pub(super) fn texts(&self) -> Table<String> {
        let columns = self.columns();
        let mut head = vec!["game".to_owned()];
        head.extend(columns.iter().map(|column| match *column {
            Column::Engine(place) => self.engines[place].clone(),
            Column::Paper(place) => self.paper_name(place),
        }));
        if self.ordered {
            head.push("against the order".to_owned());
        }
        let mut rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| self.texts_of(row, &columns))
            .collect();
        rows.extend(self.mean_row(&columns));
        Table {
            title: self.title.clone(),
            head,
            rows,
        }
    }

    fn texts_of(&self, row: &Row, columns: &[Column]) -> Vec<String> {
        let mut texts = vec![row.game.clone()];
        texts.extend(columns.iter().map(|column| match *column {
            Column::Engine(place) => self.figure(&row.slots[place]),
            Column::Paper(place) => {
                let figure = row.papers[place].map(|figure| self.plain(figure));
                figure.unwrap_or_else(|| NOTHING.to_owned())
            }
        }));
        if self.ordered {
            texts.push(row.exceptions.join("; "));
        }
        texts
    }

    /// A figure of ours with its spread.
    fn figure(&self, slot: &Slot) -> String {
        let Some(figure) = slot.figure else {
            return NOTHING.to_owned();
        };
        let about = if slot.reckoned { "~" } else { "" };
        let value = self.plain(figure.value);
        if slot.rounds.len() < 2 || figure.value <= 0.0 {
            return format!("{about}{value}");
        }
        let half = (figure.high - figure.low) / 2.0 / figure.value * 100.0;
        format!("{about}{value} ±{half:.0} %")
    }

    /// A number of the table's unit.
    fn plain(&self, number: f64) -> String {
        match self.unit {
            Unit::Nodes => grouped(number as u128),
            _ => significant(number),
        }
    }

    /// The geometric means over the games that have all figures of ours, if there are several.
    fn mean_row(&self, columns: &[Column]) -> Option<Vec<String>> {
        let whole = |row: &&Row| row.slots.iter().all(|slot| slot.figure.is_some());
        let rows: Vec<&Row> = self.rows.iter().filter(whole).collect();
        let shows_mean = matches!(self.unit, Unit::Playouts | Unit::States);
        if rows.len() < 2 || !shows_mean {
            return None;
        }
        let mean = |value: &dyn Fn(&Row) -> Option<f64>| {
            let logarithms = rows.iter().map(|row| value(row).map(f64::ln));
            let sum: Option<f64> = logarithms.sum();
            let mean = sum.map(|sum| (sum / rows.len() as f64).exp());
            mean.map_or_else(|| NOTHING.to_owned(), |mean| self.plain(mean))
        };
        let mut texts = vec![format!("geometric mean of {} games", rows.len())];
        texts.extend(columns.iter().map(|column| match *column {
            Column::Engine(place) => {
                mean(&|row| row.slots[place].figure.map(|figure| figure.value))
            }
            Column::Paper(place) => mean(&|row| row.papers[place]),
        }));
        if self.ordered {
            let exceptions = self.rows.iter().filter(|row| !row.exceptions.is_empty());
            texts.push(format!("{} games", exceptions.count()));
        }
        Some(texts)
    }
}

/// What could not be measured, a line for each reason: the reason, and where it was met.
pub(super) fn problems(comparing: &Comparing) -> Vec<String> {
    let mut met: BTreeMap<(&String, &String), Vec<&String>> = BTreeMap::new();
    for table in &comparing.tables {
        for row in &table.rows {
            for (engine, slot) in table.engines.iter().zip(&row.slots) {
                let Some(problem) = &slot.problem else {
                    continue;
                };
                let games = met.entry((engine, problem)).or_default();
                if !games.contains(&&row.game) {
                    games.push(&row.game);
                }
            }
        }
    }
    let all = comparing.games.len();
    let line = |((engine, problem), games): ((&String, &String), Vec<&String>)| {
        let names: Vec<&str> = games.iter().map(|game| game.as_str()).collect();
        let games = match names.len() == all {
            true => "all games".to_owned(),
            false => names.join(", "),
        };
        format!("{engine} on {games}: {problem}")
    };
    met.into_iter().map(line).collect()
}

/// What decided a claim about rates.
pub(super) fn rate_evidence(finding: &Finding) -> String {
    if finding.parts.is_empty() {
        return "nothing was measured".to_owned();
    }
    evidence(finding, |estimate| {
        estimate.map_or_else(
            || NOTHING.to_owned(),
            |estimate| {
                format!(
                    "{} ({} to {})",
                    significant(estimate.value),
                    significant(estimate.low),
                    significant(estimate.high)
                )
            },
        )
    })
}
