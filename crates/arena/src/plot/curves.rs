//! Curves of shares with the bands of their intervals: a panel each, two panels a row.

use super::{GRID, STYLE, colour, document, legend, part};
use crate::statistics::Estimate;
use crate::table::escaped;

/// A panel's axes, and what is around them, in pixels.
const WIDE: f64 = 380.0;
const HIGH: f64 = 200.0;
const LEFT: f64 = 50.0;
const ABOVE: f64 = 34.0;
const BELOW: f64 = 44.0;
const TOP: f64 = 60.0;

/// Curves of shares, from 0 to 1.
pub(crate) struct Curves {
    /// What the lines are called, with their colours.
    pub(crate) names: &'static [(&'static str, usize)],
    /// Where the points of all lines lie across; the axis begins at 0.
    pub(crate) places: Vec<f64>,
    /// The panels.
    pub(crate) panels: Vec<Panel>,
}

/// A panel of curves.
pub(crate) struct Panel {
    /// What stands above it.
    pub(crate) title: String,
    /// The lines, in the order of their names.
    pub(crate) lines: Vec<Vec<Estimate>>,
}

impl Curves {
    pub(super) fn svg(&self, title: &str) -> String {
        let mut drawn = legend(LEFT, 120.0, self.names);
        for (place, panel) in self.panels.iter().enumerate() {
            let (column, row) = ((place % 2) as f64, (place / 2) as f64);
            let x = LEFT + column * (WIDE + LEFT);
            let y = TOP + row * (ABOVE + HIGH + BELOW) + ABOVE;
            drawn += &self.panel(panel, [x, y]);
        }
        let rows = self.panels.len().div_ceil(2) as f64;
        let height = TOP + rows * (ABOVE + HIGH + BELOW);
        let style = format!(
            "text {{ font: 12px sans-serif; {STYLE} .panel {{ font-weight: bold }} \
             {GRID} polyline {{ fill: none; stroke-width: 2 }} polygon {{ fill-opacity: 0.2 }}"
        );
        document(title, [2.0 * (LEFT + WIDE) + 30.0, height], &style, &drawn)
    }

    /// Where the axis across ends.
    fn last(&self) -> f64 {
        self.places.last().copied().unwrap_or(1.0)
    }

    fn panel(&self, panel: &Panel, [x, y]: [f64; 2]) -> String {
        let title = escaped(&panel.title);
        let mut svg = format!(
            "<text class=\"panel\" x=\"{x}\" y=\"{}\">{title}</text>\n",
            y - 10.0
        );
        svg += &self.grid([x, y]);
        for (line, &(_, series)) in panel.lines.iter().zip(self.names) {
            svg += &self.line(line, colour(series), [x, y]);
        }
        svg
    }

    fn grid(&self, [left, top]: [f64; 2]) -> String {
        let (right, bottom) = (left + WIDE, top + HIGH);
        let line = |quarter: u32| {
            let part = f64::from(quarter) / 4.0;
            let (x, y) = (left + WIDE * part, bottom - HIGH * part);
            format!(
                "<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{part:.2}</text>\
                 <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{:.0}</text>\n",
                left - 6.0,
                y + 4.0,
                bottom + 16.0,
                self.last() * part
            )
        };
        (0..=4).map(line).collect()
    }

    /// A curve, and the band of its intervals.
    fn line(&self, figures: &[Estimate], colour: &str, [left, top]: [f64; 2]) -> String {
        let point = |place: f64, share: f64| {
            let x = left + WIDE * place / self.last();
            let y = top + HIGH * (1.0 - part(share, (0.0, 1.0)));
            format!("{x:.1},{y:.1}")
        };
        let along = |part: fn(&Estimate) -> f64| -> Vec<String> {
            let points = self.places.iter().zip(figures);
            points
                .map(|(&place, figure)| point(place, part(figure)))
                .collect()
        };
        let mut band = along(|figure| figure.low);
        band.extend(along(|figure| figure.high).into_iter().rev());
        format!(
            "<polygon fill=\"{colour}\" points=\"{}\"/><polyline stroke=\"{colour}\" points=\"{}\"/>\n",
            band.join(" "),
            along(|figure| figure.value).join(" ")
        )
    }
}
