//! Results as a picture (SVG): a row a cell, our points with their interval above the paper's.

use std::fmt::Write as _;

use super::{CellResult, Summary};
use crate::statistics::Estimate;
use crate::table::escaped;

/// Where the axis begins, how long it is, and how high rows are, in pixels.
const LEFT: f64 = 330.0;
const AXIS: f64 = 460.0;
const ROW: f64 = 30.0;
const TOP: f64 = 64.0;

const OURS: &str = "#1f6fb2";
const PAPER: &str = "#c4661f";

/// Works on white and on dark pages: grey for what is neither ours nor theirs.
const STYLE: &str = "text { font: 13px sans-serif; fill: #777 } .title { font-weight: bold; font-size: 15px } \
                     .grid { stroke: #999; stroke-opacity: 0.35 } .half { stroke: #777 }";

impl Summary {
    /// The cells as an SVG picture.
    pub fn svg(&self) -> String {
        let dots = self.cells.iter().map(|cell: &CellResult| Dot {
            name: &cell.name,
            ours: cell.points,
            paper: cell
                .paper
                .map(|paper| (paper.points, paper.half_width.unwrap_or(0.0))),
        });
        picture(
            &self.heading.title,
            &self.measure.title().to_lowercase(),
            dots,
        )
    }
}

/// A row of the picture.
pub(in crate::study) struct Dot<'a> {
    /// What stands before it.
    pub(in crate::study) name: &'a str,
    /// Our figure in percent.
    pub(in crate::study) ours: Option<Estimate>,
    /// The paper's, and half of its interval.
    pub(in crate::study) paper: Option<(f64, f64)>,
}

/// Figures in percent as an SVG picture; `what` they are stands below the axis.
pub(in crate::study) fn picture<'a>(
    title: &str,
    what: &str,
    dots: impl ExactSizeIterator<Item = Dot<'a>>,
) -> String {
    let bottom = TOP + ROW * dots.len() as f64;
    let (width, height) = (LEFT + AXIS + 30.0, bottom + 44.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n\
         <text class=\"title\" x=\"10\" y=\"24\">{title}</text>\n",
        title = escaped(title)
    );
    svg += &legend();
    svg += &axis(bottom, what);
    for (place, dot) in dots.enumerate() {
        svg += &row(&dot, TOP + ROW * (place as f64 + 0.5));
    }
    svg += "</svg>\n";
    svg
}

fn x(percent: f64) -> f64 {
    LEFT + AXIS * (percent / 100.0).clamp(0.0, 1.0)
}

fn legend() -> String {
    let item = |x: f64, colour: &str, label: &str| {
        format!(
            "<circle cx=\"{x}\" cy=\"44\" r=\"4.5\" fill=\"{colour}\"/><text x=\"{}\" y=\"48\">{label}</text>\n",
            x + 10.0
        )
    };
    item(LEFT, OURS, "ours, with 95 % interval") + &item(LEFT + 200.0, PAPER, "the paper's")
}

fn axis(bottom: f64, what: &str) -> String {
    let mut svg = String::new();
    for percent in [0.0, 25.0, 50.0, 75.0, 100.0] {
        let (x, class) = (x(percent), if percent == 50.0 { "half" } else { "grid" });
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<line class=\"{class}\" x1=\"{x}\" x2=\"{x}\" y1=\"{TOP}\" y2=\"{bottom}\"/>\
             <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{percent}</text>",
            bottom + 18.0
        );
    }
    let middle = x(50.0);
    svg + &format!(
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{what}</text>\n",
        bottom + 36.0
    )
}

fn row(dot: &Dot<'_>, y: f64) -> String {
    let mut svg = format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
        LEFT - 12.0,
        y + 4.0,
        escaped(dot.name)
    );
    if let Some(ours) = dot.ours {
        svg += &mark(ours.value, ours.low, ours.high, y - 5.0, OURS);
    }
    if let Some((paper, half)) = dot.paper {
        svg += &mark(paper, paper - half, paper + half, y + 5.0, PAPER);
    }
    svg
}

/// A point with its interval.
fn mark(value: f64, low: f64, high: f64, y: f64, colour: &str) -> String {
    format!(
        "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y}\" y2=\"{y}\" stroke=\"{colour}\" stroke-width=\"2\"/>\
         <circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" fill=\"{colour}\"/>\n",
        x(low),
        x(high),
        x(value)
    )
}

#[cfg(test)]
mod tests {
    use super::x;

    #[test]
    fn values_lie_on_the_axis() {
        assert!(x(0.0) < x(50.0) && x(50.0) < x(100.0));
        assert_eq!(x(120.0), x(100.0));
    }
}
