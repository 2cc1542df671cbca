//! Plots of estimates with their intervals: a row each, on one axis.
//!
//! Labels and values are text of the page beside the drawing, and the drawing has its places across in percent, so that a plot is as wide as
//! the window and its letters are as large as all others.

use crate::statistics::Estimate;
use crate::table::escaped;

/// How high a row is, in pixels, as the style sheet has it, and the space for the numbers and the name of the axis.
const ROW: usize = 26;
const AXIS: usize = 44;

/// How many colours the style sheet has.
const COLOURS: usize = 6;

/// Several estimates on one axis.
pub(super) struct Plot {
    /// What is plotted.
    pub(super) title: String,
    /// What the axis tells.
    pub(super) axis: &'static str,
    /// Where the axis begins and ends.
    pub(super) range: (f64, f64),
    /// The rows.
    pub(super) rows: Vec<Row>,
}

/// A row of a plot.
pub(super) enum Row {
    /// The heading of the rows below.
    Group(String),
    /// An estimate, if there is one.
    Mark {
        /// Whose it is.
        label: String,
        /// The estimate.
        estimate: Option<Estimate>,
        /// Its colour, by number; after the last comes the first again.
        colour: usize,
    },
}

impl Plot {
    /// The plot as a figure of a page.
    pub(super) fn html(&self) -> String {
        let cells = |cell: &dyn Fn(&Row) -> String| -> String {
            let rows = self.rows.iter();
            rows.map(|row| format!("{}\n", cell(row))).collect()
        };
        format!(
            "<figure class=\"plot\">\n<div class=\"labels\">\n{}</div>\n{}<div class=\"values\">\n{}</div>\n</figure>\n",
            cells(&Row::label),
            self.svg(),
            cells(&Row::value)
        )
    }

    fn svg(&self) -> String {
        let title = escaped(&self.title);
        let bottom = ROW * self.rows.len();
        let mut svg = format!(
            "<svg height=\"{}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n",
            bottom + AXIS
        );
        svg += &self.grid(bottom);
        for (place, row) in self.rows.iter().enumerate() {
            let y = ROW * place + ROW / 2;
            if let Row::Mark {
                estimate: Some(estimate),
                colour,
                ..
            } = row
            {
                svg += &self.mark(*estimate, colour % COLOURS, y);
            }
        }
        svg + "</svg>\n"
    }

    /// Lines from top to bottom with their numbers, and the name of the axis.
    fn grid(&self, bottom: usize) -> String {
        let (low, high) = self.range;
        let mut svg = String::new();
        for part in 0..=4 {
            let value = low + (high - low) * f64::from(part) / 4.0;
            let class = if part == 2 { "middle" } else { "grid" };
            svg += &format!(
                "<line class=\"{class}\" x1=\"{x}%\" x2=\"{x}%\" y1=\"0\" y2=\"{bottom}\"/>\
                 <text x=\"{x}%\" y=\"{}\" text-anchor=\"middle\">{value:.0}</text>\n",
                bottom + 16,
                x = part * 25,
            );
        }
        svg + &format!(
            "<text x=\"50%\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            bottom + 34,
            escaped(self.axis)
        )
    }

    fn mark(&self, Estimate { value, low, high }: Estimate, colour: usize, y: usize) -> String {
        let x = |value: f64| {
            let (begin, end) = self.range;
            100.0 * ((value - begin) / (end - begin)).clamp(0.0, 1.0)
        };
        format!(
            "<line class=\"interval colour-{colour}\" x1=\"{:.2}%\" x2=\"{:.2}%\" y1=\"{y}\" y2=\"{y}\"/>\
             <circle class=\"colour-{colour}\" cx=\"{:.2}%\" cy=\"{y}\" r=\"4.5\"/>\n",
            x(low),
            x(high),
            x(value)
        )
    }
}

impl Row {
    fn label(&self) -> String {
        match self {
            Row::Group(name) => format!("<span class=\"group\">{}</span>", escaped(name)),
            Row::Mark { label, .. } => {
                let label = escaped(label);
                format!("<span title=\"{label}\">{label}</span>")
            }
        }
    }

    fn value(&self) -> String {
        let value = match self {
            Row::Mark {
                estimate: Some(estimate),
                ..
            } => format!("{:.0}", estimate.value),
            _ => String::new(),
        };
        format!("<span class=\"number\">{value}</span>")
    }
}
