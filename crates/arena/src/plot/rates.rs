//! Figures on logarithmic axes: a panel a table, a row a game, a mark a column.

use super::{GRID, STYLE, colour, document, part, row_name, vertical};
use crate::table::escaped;
use crate::text::grouped;

/// Where the axis begins, how long it is, and how high rows are, in pixels.
const LEFT: f64 = 230.0;
const AXIS: f64 = 620.0;
const ROW: f64 = 20.0;
const TOP: f64 = 40.0;

/// How many entries a line of the legend has, how wide they are and how high.
const ENTRIES: usize = 4;
const ENTRY: f64 = 205.0;
const LINE: f64 = 18.0;

/// Panels below each other; those without figures are left out.
pub(crate) struct Rates {
    /// The panels.
    pub(crate) panels: Vec<RatesPanel>,
}

/// A panel with an axis of its own.
pub(crate) struct RatesPanel {
    /// What stands above it.
    pub(crate) title: String,
    /// What the columns are called.
    pub(crate) columns: Vec<Column>,
    /// The rows: a name, and the figures of the columns that have one.
    pub(crate) rows: Vec<(String, Vec<Option<f64>>)>,
}

/// A column of figures.
pub(crate) struct Column {
    /// Its name.
    pub(crate) name: String,
    /// The series, which has its colour.
    pub(crate) series: usize,
    /// Whether its marks are rings instead of discs.
    pub(crate) is_ring: bool,
}

impl Rates {
    pub(super) fn svg(&self, title: &str) -> String {
        let (mut drawn, mut y) = (String::new(), TOP);
        for panel in &self.panels {
            if let Some(powers) = panel.powers() {
                y = panel.draw(&mut drawn, powers, y);
            }
        }
        let style =
            format!("text {{ font: 12px sans-serif; {STYLE} .panel {{ font-weight: bold }} {GRID}");
        document(title, [LEFT + AXIS + 30.0, y], &style, &drawn)
    }
}

impl RatesPanel {
    /// The powers of ten between which all figures lie; `None` without figures.
    fn powers(&self) -> Option<(i32, i32)> {
        let values = self.rows.iter().flat_map(|(_, values)| values);
        let positive = values.flatten().filter(|&&value| value > 0.0);
        let (low, high) = positive.fold((f64::INFINITY, 0.0), |(low, high), &value| {
            (f64::min(low, value), f64::max(high, value))
        });
        (high > 0.0).then(|| {
            let low = low.log10().floor() as i32;
            (low, (high.log10().ceil() as i32).max(low + 1))
        })
    }

    /// Draws the panel from a height on, and gives the height below it.
    fn draw(&self, svg: &mut String, powers: (i32, i32), top: f64) -> f64 {
        let (y, title) = (top + 14.0, escaped(&self.title));
        *svg += &format!("<text class=\"panel\" x=\"10\" y=\"{y}\">{title}</text>\n");
        let first = self.legend(svg, top + LINE + 14.0) + 6.0;
        let bottom = first + ROW * self.rows.len() as f64;
        let range = (f64::from(powers.0), f64::from(powers.1));
        let x = |value: f64| LEFT + AXIS * part(value.log10(), range);
        for power in powers.0..=powers.1 {
            let label = match power {
                0.. => grouped(10u128.pow(power.unsigned_abs())),
                _ => format!("{}", 10f64.powi(power)),
            };
            let x = format!("{:.1}", x(10f64.powi(power)));
            *svg += &vertical("grid", &x, [first, bottom], 14.0, &label);
        }
        for (place, (name, values)) in self.rows.iter().enumerate() {
            let y = first + ROW * (place as f64 + 0.5);
            *svg += &row_name(LEFT, y, name);
            for (column, value) in self.columns.iter().zip(values) {
                if let Some(value) = value {
                    *svg += &column.mark(x(*value), y);
                }
            }
        }
        bottom + 40.0
    }

    /// Draws what the marks mean, and gives the height below it.
    fn legend(&self, svg: &mut String, top: f64) -> f64 {
        for (place, column) in self.columns.iter().enumerate() {
            let x = 20.0 + ENTRY * (place % ENTRIES) as f64;
            let y = top + LINE * (place / ENTRIES) as f64;
            *svg += &column.mark(x, y);
            let (x, y, name) = (x + 10.0, y + 4.0, escaped(&column.name));
            *svg += &format!("<text x=\"{x}\" y=\"{y}\">{name}</text>\n");
        }
        top + LINE * self.columns.len().div_ceil(ENTRIES) as f64
    }
}

impl Column {
    /// A disc or a ring.
    fn mark(&self, x: f64, y: f64) -> String {
        let colour = colour(self.series);
        let fill = if self.is_ring { "none" } else { colour };
        format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>\n"
        )
    }
}
