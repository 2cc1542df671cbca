//! Figures in percent, ours above the paper's.

use super::{CellResult, Summary};
use crate::plot::{Intervals, Mark, Plot, Row};
use crate::statistics::Estimate;

impl Summary {
    /// The cells as an SVG picture.
    pub fn svg(&self) -> String {
        let rows = self.cells.iter().map(|cell: &CellResult| {
            let paper = cell.paper;
            let paper = paper.map(|paper| (paper.points, paper.half_width.unwrap_or(0.0)));
            beside_paper(&cell.name, cell.points, paper)
        });
        percentages(self.measure.title().to_lowercase(), rows.collect()).svg(&self.heading.title)
    }
}

/// A row with our figure and the paper's, which comes with half of its interval.
pub(in crate::study) fn beside_paper(
    name: &str,
    ours: Option<Estimate>,
    paper: Option<(f64, f64)>,
) -> Row {
    let ours = ours.map(|estimate| Mark {
        estimate,
        series: 0,
    });
    let paper = paper.map(|(value, half)| Mark {
        estimate: Estimate {
            value,
            low: value - half,
            high: value + half,
        },
        series: 1,
    });
    Row::marks(name, [ours, paper])
}

/// Figures in percent beside the paper's; `axis` says what they are.
pub(in crate::study) fn percentages(axis: String, rows: Vec<Row>) -> Plot {
    Plot::Intervals(Intervals {
        axis,
        range: (0.0, 100.0),
        names: &[("ours, with 95 % interval", 0), ("the paper's", 1)],
        rows,
    })
}
