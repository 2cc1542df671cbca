//! Figures as tables, as CSV and as a plot.

use std::collections::BTreeMap;

use super::data::Unit;
use super::figures::{FigureTable, MeasurementFigures, Row, Slot};
use crate::plot::{self, Plot, Rates, RatesPanel};
use crate::statistics::Estimate;
use crate::study::kernel::Summary;
use crate::study::report::{NOTHING, Report, bounds, games_and_players, number};
use crate::table::TextTable;
use crate::text::{grouped, significant};

pub(super) fn report(summary: &Summary<MeasurementFigures>) -> Report {
    let figures = &summary.figures;
    let mut materials = games_and_players(&figures.games, &BTreeMap::new());
    let engines = figures.engines.iter();
    let engines = engines.map(|entry| format!("{} is the engine `{}`.", entry.name, entry.engine));
    materials.extend(engines);
    let is_plotted = |table: &&FigureTable| {
        matches!(table.unit, Unit::Playouts | Unit::States) && !table.relative
    };
    let panels = figures.tables.iter().filter(is_plotted).map(panel);
    Report {
        standing: standing(figures),
        tables: figures.tables.iter().map(FigureTable::texts).collect(),
        written: ratio,
        problems: problems(figures),
        section: "What was measured",
        materials,
        shows: "Rates, ours and the paper's",
        plot: Plot::Rates(Rates {
            panels: panels.collect(),
        }),
        csv_head: "table,game,engine,written,rounds,median,low,high,paper,reckoned,problem",
        csv_rows: csv_rows(figures),
        ..summary.begin_report()
    }
}

fn standing(figures: &MeasurementFigures) -> String {
    let mut text = format!("{} of {} samples.", figures.taken, figures.wanted);
    if figures.slots().any(|slot| slot.reckoned) {
        text += " Where a playout would take too long, playouts (marked ~) follow from the states that were made and from \
                 the length that other engines found.";
    }
    text
}

/// A ratio as `1.25 (1.10 to 1.40)`.
fn ratio(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(
        || NOTHING.to_owned(),
        |Estimate { value, low, high }| {
            let [value, low, high] = [value, low, high].map(significant);
            format!("{value} ({low} to {high})")
        },
    )
}

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
    fn paper_name(&self, place: usize) -> String {
        let name = &self.papers[place];
        match self.engines.contains(name) {
            true => format!("{name} (paper)"),
            false => name.clone(),
        }
    }

    /// The table as texts.
    fn texts(&self) -> TextTable<String> {
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
        TextTable {
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
fn problems(figures: &MeasurementFigures) -> Vec<String> {
    let mut met: BTreeMap<(&String, &String), Vec<&String>> = BTreeMap::new();
    for table in &figures.tables {
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
    let all = figures.games.len();
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

/// A row an engine on a game, then what the paper measured and we have not.
fn csv_rows(figures: &MeasurementFigures) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for table in &figures.tables {
        for row in &table.rows {
            let paper = |name: &String| {
                let place = table.papers.iter().position(|paper| paper == name);
                number(place.and_then(|place| row.papers[place]))
            };
            let begin = |name: &String, written: String| {
                vec![table.name.clone(), row.game.clone(), name.clone(), written]
            };
            for (name, slot) in table.engines.iter().zip(&row.slots) {
                let entry = figures.engines.iter().find(|entry| entry.name == *name);
                let written = entry.map_or_else(String::new, |entry| entry.engine.clone());
                let mut line = begin(name, written);
                line.push(slot.rounds.len().to_string());
                line.extend(bounds(slot.figure, number));
                line.extend([paper(name), slot.reckoned.to_string()]);
                line.push(slot.problem.clone().unwrap_or_default());
                rows.push(line);
            }
            let others = table.papers.iter();
            for name in others.filter(|name| !table.engines.contains(name)) {
                let mut line = begin(name, String::new());
                line.extend(["0", "", "", ""].map(str::to_owned));
                line.extend([paper(name), "false".to_owned(), String::new()]);
                rows.push(line);
            }
        }
    }
    rows
}

fn panel(table: &FigureTable) -> RatesPanel {
    let engines = table.engines.iter().enumerate();
    let engines = engines.map(|(series, name)| plot::Column {
        name: name.clone(),
        series,
        is_ring: false,
    });
    let papers = table.papers.iter().enumerate();
    let papers = papers.map(|(place, name)| {
        // A paper's column has the colour of its engine, or one that no engine has.
        let engine = table.engines.iter().position(|engine| engine == name);
        plot::Column {
            name: table.paper_name(place),
            series: engine.unwrap_or(table.engines.len() + place),
            is_ring: true,
        }
    });
    let row = |row: &Row| {
        let ours = row.slots.iter();
        let ours = ours.map(|slot| slot.figure.map(|figure| figure.value));
        let values = ours.chain(row.papers.iter().copied()).collect();
        (row.game.clone(), values)
    };
    RatesPanel {
        title: table.title.clone(),
        columns: engines.chain(papers).collect(),
        rows: table.rows.iter().map(row).collect(),
    }
}
