//! Figures with their intervals, a row each, on one axis: as a file, or as part of a page.
//!
//! In a page labels and values are text beside the drawing, and places across are in percent, so
//! that a plot is as wide as the window and its letters are as large as all others.

use super::{GRID, STYLE, colour, document, legend, part, row_name, vertical};
use crate::statistics::Estimate;
use crate::table::escaped;

/// Where the axis of a file begins, how long it is, and how high rows are, in pixels.
const LEFT: f64 = 330.0;
const AXIS: f64 = 460.0;
const ROW: f64 = 30.0;
const TOP: f64 = 64.0;

/// How high a row of a page is, as the style sheet has it, and the space for the axis.
const PAGE_ROW: usize = 26;
const PAGE_AXIS: usize = 44;

/// How many colours the style sheet of pages has.
const PAGE_COLOURS: usize = 6;

/// Several figures on one axis.
pub(crate) struct Intervals {
    /// What the axis tells.
    pub(crate) axis: String,
    /// Where the axis begins and ends.
    pub(crate) range: (f64, f64),
    /// What the series are called; pages name them in their rows instead.
    pub(crate) names: &'static [(&'static str, usize)],
    /// The rows.
    pub(crate) rows: Vec<Row>,
}

/// A row of a plot.
pub(crate) struct Row {
    /// Its name.
    pub(crate) label: String,
    /// Whether it is the heading of the rows below.
    pub(crate) is_heading: bool,
    /// What is drawn.
    pub(crate) marks: Vec<Mark>,
}

/// A figure of a series.
pub(crate) struct Mark {
    /// The figure with its interval.
    pub(crate) estimate: Estimate,
    /// The series, which has its colour.
    pub(crate) series: usize,
}

impl Row {
    /// The heading of the rows below.
    pub(crate) fn heading(label: &str) -> Self {
        Self {
            label: label.to_owned(),
            is_heading: true,
            marks: Vec::new(),
        }
    }

    /// A row with the figures that there are.
    pub(crate) fn marks(label: &str, marks: impl IntoIterator<Item = Option<Mark>>) -> Self {
        Self {
            label: label.to_owned(),
            is_heading: false,
            marks: marks.into_iter().flatten().collect(),
        }
    }
}

impl Intervals {
    /// As a file: the series of a row lie below each other.
    pub(super) fn svg(&self, title: &str) -> String {
        let bottom = TOP + ROW * self.rows.len() as f64;
        let mut drawn = legend(LEFT, 200.0, self.names);
        for (quarter, value) in self.ticks() {
            let class = if quarter == 2 { "half" } else { "grid" };
            let (x, number) = (self.x(value).to_string(), value.to_string());
            drawn += &vertical(class, &x, [TOP, bottom], 18.0, &number);
        }
        drawn += &format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            LEFT + AXIS / 2.0,
            bottom + 36.0,
            self.axis
        );
        for (place, row) in self.rows.iter().enumerate() {
            let y = TOP + ROW * (place as f64 + 0.5);
            drawn += &row_name(LEFT, y, &row.label);
            for mark in &row.marks {
                drawn += &self.mark(mark, y - 5.0 + 10.0 * mark.series as f64);
            }
        }
        let style =
            format!("text {{ font: 13px sans-serif; {STYLE} {GRID} .half {{ stroke: #777 }}");
        document(title, [LEFT + AXIS + 30.0, bottom + 44.0], &style, &drawn)
    }

    /// The ends of the axis and the quarters between them.
    fn ticks(&self) -> impl Iterator<Item = (u32, f64)> {
        let (low, high) = self.range;
        (0..=4).map(move |quarter| (quarter, low + (high - low) * f64::from(quarter) / 4.0))
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + AXIS * part(value, self.range)
    }

    fn mark(&self, mark: &Mark, y: f64) -> String {
        let Estimate { value, low, high } = mark.estimate;
        let colour = colour(mark.series);
        format!(
            "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"/>\
             <circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" fill=\"{colour}\"/>\n",
            self.x(low),
            self.x(high),
            self.x(value)
        )
    }

    /// As a figure of a page.
    pub(crate) fn html(&self, title: &str) -> String {
        let cells = |cell: &dyn Fn(&Row) -> String| -> String {
            let rows = self.rows.iter();
            rows.map(|row| format!("{}\n", cell(row))).collect()
        };
        format!(
            "<figure class=\"plot\">\n<div class=\"labels\">\n{}</div>\n{}<div class=\"values\">\n{}</div>\n</figure>\n",
            cells(&Row::page_label),
            self.page_svg(title),
            cells(&Row::page_value)
        )
    }

    fn page_svg(&self, title: &str) -> String {
        let title = escaped(title);
        let bottom = PAGE_ROW * self.rows.len();
        let mut svg = format!(
            "<svg height=\"{}\" role=\"img\" aria-label=\"{title}\">\n<title>{title}</title>\n",
            bottom + PAGE_AXIS
        );
        for (quarter, value) in self.ticks() {
            let class = if quarter == 2 { "middle" } else { "grid" };
            let (x, number) = (format!("{}%", quarter * 25), format!("{value:.0}"));
            svg += &vertical(class, &x, [0.0, bottom as f64], 16.0, &number);
        }
        svg += &format!(
            "<text x=\"50%\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            bottom + 34,
            escaped(&self.axis)
        );
        for (place, row) in self.rows.iter().enumerate() {
            let y = PAGE_ROW * place + PAGE_ROW / 2;
            row.marks
                .iter()
                .for_each(|mark| svg += &self.page_mark(mark, y));
        }
        svg + "</svg>\n"
    }

    fn page_mark(&self, mark: &Mark, y: usize) -> String {
        let Estimate { value, low, high } = mark.estimate;
        let colour = mark.series % PAGE_COLOURS;
        let x = |value: f64| 100.0 * part(value, self.range);
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
    fn page_label(&self) -> String {
        let label = escaped(&self.label);
        match self.is_heading {
            true => format!("<span class=\"group\">{label}</span>"),
            false => format!("<span title=\"{label}\">{label}</span>"),
        }
    }

    fn page_value(&self) -> String {
        let value = self.marks.first();
        let value = value.map_or_else(String::new, |mark| format!("{:.0}", mark.estimate.value));
        format!("<span class=\"number\">{value}</span>")
    }
}
