//! Figures as comma-separated values, a row an engine on a game.

use crate::study::comparison::figures::{Comparing, FigureTable, Row};
use crate::table::quoted;

const HEAD: &str =
    "study,scale,seed,table,game,engine,written,rounds,median,low,high,paper,reckoned,problem";

impl Comparing {
    /// The figures as CSV with a head.
    pub fn csv(&self) -> String {
        let mut text = format!("{HEAD}\n");
        for table in &self.tables {
            for row in &table.rows {
                for line in self.lines(table, row) {
                    text += &line.join(",");
                    text.push('\n');
                }
            }
        }
        text
    }

    fn lines(&self, table: &FigureTable, row: &Row) -> Vec<Vec<String>> {
        let begin = |name: &str, written: &str| {
            vec![
                quoted(&self.heading.study),
                self.heading.scale.name().to_owned(),
                self.heading.seed.to_string(),
                quoted(&table.name),
                quoted(&row.game),
                quoted(name),
                quoted(written),
            ]
        };
        let paper = |name: &String| {
            let place = table.papers.iter().position(|paper| paper == name);
            number(place.and_then(|place| row.papers[place]))
        };
        let mut lines = Vec::new();
        for (name, slot) in table.engines.iter().zip(&row.slots) {
            let entry = self.engines.iter().find(|entry| entry.name == *name);
            let mut line = begin(name, entry.map_or("", |entry| &entry.engine));
            let part = |part: fn(&crate::statistics::Estimate) -> f64| {
                number(slot.figure.as_ref().map(part))
            };
            line.extend([
                slot.rounds.len().to_string(),
                part(|figure| figure.value),
                part(|figure| figure.low),
                part(|figure| figure.high),
                paper(name),
                slot.reckoned.to_string(),
                quoted(slot.problem.as_deref().unwrap_or("")),
            ]);
            lines.push(line);
        }
        // What the paper measured and we have not.
        for name in table
            .papers
            .iter()
            .filter(|name| !table.engines.contains(name))
        {
            let mut line = begin(name, "");
            line.extend(["0", "", "", ""].map(str::to_owned));
            line.extend([paper(name), "false".to_owned(), String::new()]);
            lines.push(line);
        }
        lines
    }
}

/// A number, or nothing.
fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value}"))
}
