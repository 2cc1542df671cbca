//! What came out of bandits, as a picture (SVG).

use super::curves;
use crate::plot::{Curves, Panel, Plot};

impl curves::Curves {
    /// The curves as an SVG picture.
    pub fn svg(&self) -> String {
        let panel = |curve: &curves::Curve| Panel {
            title: curve.bandit.clone(),
            lines: vec![curve.plain.clone(), curve.threshold.clone()],
        };
        let plot = Plot::Curves(Curves {
            names: &[("plain UCT", 1), ("with a threshold", 0)],
            places: self.looks.iter().map(|&look| f64::from(look)).collect(),
            panels: self.curves.iter().map(panel).collect(),
        });
        plot.svg(&self.heading.title)
    }
}
