//! What came out of bandits, as a picture (SVG): a panel a bandit, two panels a row, each way to choose a curve with its interval.

use std::fmt::Write as _;

use super::curves::{Curve, Curves};
use crate::statistics::Estimate;
use crate::table::escaped;

/// A panel's axes, and what is around them, in pixels.
const WIDE: f64 = 380.0;
const HIGH: f64 = 200.0;
const LEFT: f64 = 50.0;
const ABOVE: f64 = 34.0;
const BELOW: f64 = 44.0;
const TOP: f64 = 60.0;

const PLAIN: &str = "#c4661f";
const THRESHOLD: &str = "#1f6fb2";

/// Works on white and on dark pages.
const STYLE: &str = "text { font: 12px sans-serif; fill: #777 } .title { font-weight: bold; font-size: 15px } .panel { font-weight: bold } \
                     .grid { stroke: #999; stroke-opacity: 0.35 } polyline { fill: none; stroke-width: 2 } polygon { fill-opacity: 0.2 }";

impl Curves {
    /// The curves as an SVG picture.
    pub fn svg(&self) -> String {
        let rows = self.curves.len().div_ceil(2) as f64;
        let (width, height) = (
            2.0 * (LEFT + WIDE) + 30.0,
            TOP + rows * (ABOVE + HIGH + BELOW),
        );
        let title = escaped(&self.heading.title);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n<text class=\"title\" x=\"10\" y=\"24\">{title}</text>\n"
        );
        svg += &legend(LEFT, PLAIN, "plain UCT");
        svg += &legend(LEFT + 120.0, THRESHOLD, "with a threshold");
        for (place, curve) in self.curves.iter().enumerate() {
            let column = (place % 2) as f64;
            let row = (place / 2) as f64;
            let frame = Frame {
                x: LEFT + column * (WIDE + LEFT),
                y: TOP + row * (ABOVE + HIGH + BELOW) + ABOVE,
                last: f64::from(self.looks.last().copied().unwrap_or(1)),
            };
            svg += &frame.panel(curve, &self.looks);
        }
        svg += "</svg>\n";
        svg
    }
}

fn legend(x: f64, colour: &str, label: &str) -> String {
    format!(
        "<circle cx=\"{x}\" cy=\"44\" r=\"4.5\" fill=\"{colour}\"/><text x=\"{}\" y=\"48\">{label}</text>\n",
        x + 10.0
    )
}

/// Where a panel's axes lie.
struct Frame {
    x: f64,
    y: f64,
    /// The trials at the right end.
    last: f64,
}

impl Frame {
    fn point(&self, trials: f64, share: f64) -> String {
        let x = self.x + WIDE * trials / self.last;
        let y = self.y + HIGH * (1.0 - share.clamp(0.0, 1.0));
        format!("{x:.1},{y:.1}")
    }

    fn panel(&self, curve: &Curve, looks: &[u32]) -> String {
        let mut svg = format!(
            "<text class=\"panel\" x=\"{}\" y=\"{}\">{}</text>\n",
            self.x,
            self.y - 10.0,
            escaped(&curve.bandit)
        );
        svg += &self.grid();
        svg += &self.line(&curve.plain, looks, PLAIN);
        svg += &self.line(&curve.threshold, looks, THRESHOLD);
        svg
    }

    fn grid(&self) -> String {
        let (left, right, bottom) = (self.x, self.x + WIDE, self.y + HIGH);
        let mut svg = String::new();
        for quarter in 0..=4 {
            let part = f64::from(quarter) / 4.0;
            let y = bottom - HIGH * part;
            let x = left + WIDE * part;
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<line class=\"grid\" x1=\"{left}\" x2=\"{right}\" y1=\"{y}\" y2=\"{y}\"/>\
                 <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{part:.2}</text>\
                 <text x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{:.0}</text>",
                left - 6.0,
                y + 4.0,
                bottom + 16.0,
                self.last * part
            );
        }
        svg
    }

    /// A curve, and the band of its intervals.
    fn line(&self, figures: &[Estimate], looks: &[u32], colour: &str) -> String {
        let along = |part: fn(&Estimate) -> f64| -> Vec<String> {
            let points = looks.iter().zip(figures);
            points
                .map(|(&look, figure)| self.point(f64::from(look), part(figure)))
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
