//! Plots as SVG: intervals in rows, curves with bands, and figures on logarithmic axes.
//!
//! Kinds of studies and tournaments hand over figures and names; where they are drawn is decided
//! here. Text stays text, every drawing has a title, and colours are readable on white and on dark
//! pages. (Why no crate: `plotters` measures fonts and knows neither titles nor style sheets,
//! `charming` runs JavaScript, and `poloto` has neither intervals nor rows with names.)

mod curves;
mod intervals;
mod rates;

pub(crate) use curves::{Curves, Panel};
pub(crate) use intervals::{Intervals, Mark, Row};
pub(crate) use rates::{Column, Rates, RatesPanel};

use crate::table::escaped;

/// Colours that people with weak colour sight can tell apart, on white and on dark pages.
const COLOURS: [&str; 9] = [
    "#1f6fb2", "#c4661f", "#2a8a4a", "#8a4fb0", "#b23a48", "#8a7a1f", "#2a9d9d", "#d05fa0",
    "#777777",
];

/// Grey for what belongs to no series: it can be read on any page.
const STYLE: &str = "fill: #777 } .title { font-weight: bold; font-size: 15px }";
const GRID: &str = ".grid { stroke: #999; stroke-opacity: 0.35 }";

/// A plot in a file of its own.
pub(crate) enum Plot {
    /// Figures with intervals, a row each.
    Intervals(Intervals),
    /// Curves with bands, two panels a row.
    Curves(Curves),
    /// Figures on logarithmic axes.
    Rates(Rates),
}

impl Plot {
    /// The plot as an SVG file.
    pub(crate) fn svg(&self, title: &str) -> String {
        match self {
            Plot::Intervals(plot) => plot.svg(title),
            Plot::Curves(plot) => plot.svg(title),
            Plot::Rates(plot) => plot.svg(title),
        }
    }
}

fn colour(series: usize) -> &'static str {
    COLOURS[series % COLOURS.len()]
}

/// The file: its title, its style and what is drawn.
fn document(title: &str, [width, height]: [f64; 2], style: &str, drawn: &str) -> String {
    let title = escaped(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{style}</style>\n\
         <text class=\"title\" x=\"10\" y=\"24\">{title}</text>\n{drawn}</svg>\n"
    )
}

/// What series mean, in one line below the title.
fn legend(left: f64, apart: f64, names: &[(&str, usize)]) -> String {
    let item = |(place, &(name, series)): (usize, &(&str, usize))| {
        let x = left + apart * place as f64;
        let (colour, after) = (colour(series), x + 10.0);
        format!(
            "<circle cx=\"{x}\" cy=\"44\" r=\"4.5\" fill=\"{colour}\"/><text x=\"{after}\" y=\"48\">{name}</text>\n"
        )
    };
    names.iter().enumerate().map(item).collect()
}

/// A vertical line of the grid with its number below.
fn vertical(class: &str, x: &str, [top, bottom]: [f64; 2], below: f64, number: &str) -> String {
    let y = bottom + below;
    format!(
        "<line class=\"{class}\" x1=\"{x}\" x2=\"{x}\" y1=\"{top}\" y2=\"{bottom}\"/>\
         <text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{number}</text>\n"
    )
}

/// The name of a row, left of where its figures are drawn.
fn row_name(left: f64, y: f64, name: &str) -> String {
    let (x, y, name) = (left - 12.0, y + 4.0, escaped(name));
    format!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{name}</text>\n")
}

/// Where a value lies between two others: from 0 to 1.
fn part(value: f64, (low, high): (f64, f64)) -> f64 {
    ((value - low) / (high - low)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::{Curves, Intervals, Mark, Panel, Row, part};
    use crate::statistics::Estimate;

    #[test]
    fn values_lie_on_the_axis() {
        assert_eq!(part(25.0, (0.0, 100.0)), 0.25);
        assert_eq!(part(120.0, (0.0, 100.0)), 1.0);
        assert_eq!(part(-300.0, (-200.0, 200.0)), 0.0);
    }

    #[test]
    fn names_are_escaped_and_drawings_have_titles() {
        let estimate = Estimate {
            value: 40.0,
            low: 20.0,
            high: 60.0,
        };
        let mark = Mark {
            estimate,
            series: 0,
        };
        let rows = vec![Row::marks("a < b", [Some(mark)])];
        let plot = Intervals {
            axis: "percent".to_owned(),
            range: (0.0, 100.0),
            names: &[("ours", 0)],
            rows,
        };
        for drawn in [plot.svg("A & B"), plot.html("A & B")] {
            assert!(drawn.contains("<title>A &amp; B</title>"), "{drawn}");
            assert!(drawn.contains("a &lt; b"), "{drawn}");
        }
        let curves = Curves {
            names: &[("ours", 1)],
            places: vec![1.0, 2.0],
            panels: vec![Panel {
                title: "<p>".to_owned(),
                lines: vec![vec![estimate, estimate]],
            }],
        };
        let drawn = curves.svg("A & B");
        assert!(drawn.contains("&lt;p&gt;") && drawn.matches("<polyline").count() == 1);
    }
}
