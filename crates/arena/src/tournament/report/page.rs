//! The results as one page of HTML that needs nothing else: style and pictures are in it.

use crate::statistics::Estimate;
use crate::table::escaped;
use crate::tournament::summary::{Summary, percent};

const STYLE: &str = "body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #222; background: #fff } \
table { border-collapse: collapse; margin: 1em 0 } th, td { text-align: left; padding: 0.2em 0.8em; border-bottom: 1px solid #ccc } \
svg { max-width: 100%; height: auto } svg text { font: 13px sans-serif; fill: #555 } .grid { stroke: #ddd } .middle { stroke: #999 } \
p { color: #555 } \
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1c1c1c } th, td { border-color: #444 } p, svg text { color: #aaa; fill: #aaa } \
.grid { stroke: #333 } .middle { stroke: #777 } }";

/// One colour a game, again from the start where there are more.
const COLOURS: [&str; 6] = [
    "#1f6fb2", "#c4661f", "#3a8f4d", "#8a4fb0", "#b03a52", "#7a7a2a",
];

/// How wide a letter of a label is, nearly, how long the axis is, and how high rows are, in pixels.
const LETTER: f64 = 7.5;
const AXIS: f64 = 520.0;
const ROW: f64 = 26.0;
const TOP: f64 = 12.0;

/// An estimate in a plot.
struct Mark {
    label: String,
    estimate: Option<Estimate>,
    colour: &'static str,
}

impl Summary {
    /// The results as a page of HTML without references to anything outside.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n\
             <body>\n<h1>{title}</h1>\n<p>{}</p>\n",
            escaped(&self.standing())
        );
        page += &self.ratings_plot();
        page += &self.games_plot();
        for table in self.tables() {
            page += &table.html();
        }
        for note in self.notes() {
            page += &format!("<p>{}</p>\n", escaped(&note));
        }
        page + "</body>\n</html>\n"
    }

    fn ratings_plot(&self) -> String {
        let marks: Vec<Mark> = self
            .standings
            .iter()
            .map(|standing| Mark {
                label: standing.player.clone(),
                estimate: standing.rating,
                colour: COLOURS[0],
            })
            .collect();
        let bounds = marks.iter().filter_map(|mark| mark.estimate);
        let furthest = bounds
            .map(|estimate| estimate.low.abs().max(estimate.high.abs()))
            .fold(0.0, f64::max);
        if furthest == 0.0 {
            return String::new();
        }
        let end = ((furthest / 100.0).ceil() * 100.0).max(100.0);
        let plot = plot("Ratings with 95 % intervals", &marks, -end, end);
        format!("<h2>Ratings</h2>\n{plot}")
    }

    fn games_plot(&self) -> String {
        let mut marks = Vec::new();
        for (number, game) in self.games.iter().enumerate() {
            for (standing, tally) in self.standings.iter().zip(&game.tallies) {
                marks.push(Mark {
                    label: format!("{}, {}", game.game, standing.player),
                    estimate: percent(tally),
                    colour: COLOURS[number % COLOURS.len()],
                });
            }
        }
        let plot = plot(
            "Points in percent by game, with 95 % intervals",
            &marks,
            0.0,
            100.0,
        );
        format!("<h2>Points by game</h2>\n{plot}")
    }
}

/// A row for each mark, on an axis from `low` to `high`.
fn plot(title: &str, marks: &[Mark], low: f64, high: f64) -> String {
    let bottom = TOP + ROW * marks.len() as f64;
    let longest = marks.iter().map(|mark| mark.label.chars().count()).max();
    let left = 24.0 + LETTER * longest.unwrap_or(0) as f64;
    let (width, height) = (left + AXIS + 40.0, bottom + 28.0);
    let x = |value: f64| left + AXIS * ((value - low) / (high - low)).clamp(0.0, 1.0);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n\
         <title>{title}</title>\n",
        title = escaped(title)
    );
    for part in 0..=4 {
        let value = low + (high - low) * f64::from(part) / 4.0;
        let class = if part == 2 { "middle" } else { "grid" };
        svg += &format!(
            "<line class=\"{class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom}\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value:.0}</text>\n",
            bottom + 18.0,
            x = x(value)
        );
    }
    for (place, mark) in marks.iter().enumerate() {
        let y = TOP + ROW * (place as f64 + 0.5);
        svg += &format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
            left - 12.0,
            y + 4.0,
            escaped(&mark.label)
        );
        if let Some(Estimate { value, low, high }) = mark.estimate {
            svg += &format!(
                "<line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-width=\"2\"/>\
                 <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{colour}\"/>\n",
                x(low),
                x(high),
                x(value),
                colour = mark.colour
            );
        }
    }
    svg + "</svg>\n"
}
