//! Rates as a picture (SVG): a panel a table, a row a game, a mark an engine, on a logarithmic axis.

use std::fmt::Write as _;

use crate::study::comparison::data::Unit;
use crate::study::comparison::figures::{Comparing, FigureTable, Row};
use crate::table::escaped;
use crate::text::grouped;

/// Where the axis begins, how long it is, and how high rows are, in pixels.
const LEFT: f64 = 230.0;
const AXIS: f64 = 620.0;
const ROW: f64 = 20.0;
const TOP: f64 = 40.0;

/// What a legend takes: so many entries a line, so wide and so high.
const ENTRIES: usize = 4;
const ENTRY: f64 = 205.0;
const LINE: f64 = 18.0;

/// Colours that people with weak colour sight can tell apart, on white and on dark pages.
const COLOURS: [&str; 9] = [
    "#1f6fb2", "#c4661f", "#2a8a4a", "#8a4fb0", "#b23a48", "#8a7a1f", "#2a9d9d", "#d05fa0",
    "#777777",
];

const STYLE: &str = "text { font: 12px sans-serif; fill: #777 } .title { font-weight: bold; font-size: 15px } .panel { font-weight: bold } \
                     .grid { stroke: #999; stroke-opacity: 0.35 }";

impl Comparing {
    /// The tables of rates as an SVG picture.
    pub fn svg(&self) -> String {
        let shown = |table: &&FigureTable| {
            matches!(table.unit, Unit::Playouts | Unit::States) && !table.relative
        };
        let mut panels = String::new();
        let mut y = TOP;
        for table in self.tables.iter().filter(shown) {
            if let Some(axis) = Axis::new(table) {
                y = panel(&mut panels, table, &axis, y);
            }
        }
        let width = LEFT + AXIS + 30.0;
        let title = escaped(&self.heading.title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {y}\" width=\"{width}\" height=\"{y}\" role=\"img\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n\
             <text class=\"title\" x=\"10\" y=\"24\">{title}</text>\n{panels}</svg>\n"
        )
    }
}

/// A logarithmic axis over whole powers of ten.
struct Axis {
    low: i32,
    high: i32,
}

impl Axis {
    fn new(table: &FigureTable) -> Option<Self> {
        let values = table.rows.iter().flat_map(marks);
        let positive = values.map(|mark| mark.value).filter(|&value| value > 0.0);
        let (low, high) = positive.fold((f64::INFINITY, 0.0), |(low, high), value| {
            (f64::min(low, value), f64::max(high, value))
        });
        (high > 0.0).then(|| {
            let low = low.log10().floor() as i32;
            let high = high.log10().ceil() as i32;
            Self {
                low,
                high: high.max(low + 1),
            }
        })
    }

    fn x(&self, value: f64) -> f64 {
        let part = (value.log10() - f64::from(self.low)) / f64::from(self.high - self.low);
        LEFT + AXIS * part.clamp(0.0, 1.0)
    }
}

/// A figure in the picture.
struct Mark {
    value: f64,
    /// The column among the engines, or after them among the paper's.
    place: usize,
    is_paper: bool,
}

fn marks(row: &Row) -> impl Iterator<Item = Mark> {
    let ours = row.slots.iter().enumerate();
    let ours = ours.filter_map(|(place, slot)| {
        slot.figure.map(|figure| Mark {
            value: figure.value,
            place,
            is_paper: false,
        })
    });
    let papers = row.papers.iter().enumerate();
    ours.chain(papers.filter_map(|(place, figure)| {
        figure.map(|value| Mark {
            value,
            place,
            is_paper: true,
        })
    }))
}

/// The colour of a paper's column: its engine's, or one that no engine has.
fn paper_colour(table: &FigureTable, place: usize) -> &'static str {
    let engine = table
        .engines
        .iter()
        .position(|name| *name == table.papers[place]);
    let colour = engine.unwrap_or(table.engines.len() + place);
    COLOURS[colour % COLOURS.len()]
}

/// Draws a panel from a height on, and gives the height below it.
fn panel(svg: &mut String, table: &FigureTable, axis: &Axis, top: f64) -> f64 {
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<text class=\"panel\" x=\"10\" y=\"{}\">{}</text>",
        top + 14.0,
        escaped(&table.title)
    );
    let first = legend(svg, table, top + LINE + 14.0) + 6.0;
    let bottom = first + ROW * table.rows.len() as f64;
    for power in axis.low..=axis.high {
        let x = axis.x(10f64.powi(power));
        let label = match power {
            0.. => grouped(10u128.pow(power.unsigned_abs())),
            _ => format!("{}", 10f64.powi(power)),
        };
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{first}\" y2=\"{bottom}\"/>\
             <text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            bottom + 14.0
        );
    }
    for (place, row) in table.rows.iter().enumerate() {
        let y = first + ROW * (place as f64 + 0.5);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            LEFT - 12.0,
            y + 4.0,
            escaped(&row.game)
        );
        for mark in marks(row) {
            let colour = match mark.is_paper {
                true => paper_colour(table, mark.place),
                false => COLOURS[mark.place % COLOURS.len()],
            };
            draw(svg, axis.x(mark.value), y, colour, mark.is_paper);
        }
    }
    bottom + 40.0
}

/// A disc for what is ours, a ring for what is the paper's.
fn draw(svg: &mut String, x: f64, y: f64, colour: &str, is_paper: bool) {
    let fill = if is_paper { "none" } else { colour };
    let _ = writeln!(
        svg,
        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
    );
}

/// Draws what the marks mean, and gives the height below it.
fn legend(svg: &mut String, table: &FigureTable, top: f64) -> f64 {
    let ours = table.engines.iter().enumerate();
    let ours = ours.map(|(place, name)| (COLOURS[place % COLOURS.len()], name.clone(), false));
    let papers = 0..table.papers.len();
    let papers = papers.map(|place| (paper_colour(table, place), table.paper_name(place), true));
    let entries: Vec<(&str, String, bool)> = ours.chain(papers).collect();
    for (place, (colour, name, is_paper)) in entries.iter().enumerate() {
        let x = 20.0 + ENTRY * (place % ENTRIES) as f64;
        let y = top + LINE * (place / ENTRIES) as f64;
        draw(svg, x, y, colour, *is_paper);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\">{}</text>",
            x + 10.0,
            y + 4.0,
            escaped(name)
        );
    }
    top + LINE * entries.len().div_ceil(ENTRIES) as f64
}
