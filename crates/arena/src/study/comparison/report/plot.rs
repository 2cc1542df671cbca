//! Rates as a picture (SVG): a panel a table, a row a game, a mark an engine.

use crate::plot::{Column, Plot, Rates, RatesPanel};
use crate::study::comparison::data::Unit;
use crate::study::comparison::figures::{Comparing, FigureTable, Row};

impl Comparing {
    /// The tables of rates as an SVG picture.
    pub fn svg(&self) -> String {
        let shown = |table: &&FigureTable| {
            matches!(table.unit, Unit::Playouts | Unit::States) && !table.relative
        };
        let panels = self.tables.iter().filter(shown).map(panel).collect();
        Plot::Rates(Rates { panels }).svg(&self.heading.title)
    }
}

fn panel(table: &FigureTable) -> RatesPanel {
    let engines = table.engines.iter().enumerate();
    let engines = engines.map(|(series, name)| Column {
        name: name.clone(),
        series,
        is_ring: false,
    });
    let papers = table.papers.iter().enumerate();
    let papers = papers.map(|(place, name)| {
        // A paper's column has the colour of its engine, or one that no engine has.
        let engine = table.engines.iter().position(|engine| engine == name);
        Column {
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
