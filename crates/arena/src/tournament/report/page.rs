//! The results as one page of HTML that needs nothing else: style and pictures are in it.

use crate::plot::{Intervals, Mark, Row};
use crate::table::escaped;
use crate::tournament::summary::{Summary, percent};

const STYLE: &str = include_str!("page.css");

impl Summary {
    /// The results as a page of HTML without references to anything outside.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let mut page = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n<p>{}</p>\n",
            escaped(&self.standing())
        );
        let plots = [self.ratings_plot(), self.games_plot()];
        for (title, plot) in plots.into_iter().flatten() {
            page += &section(title, &plot.html(title));
        }
        if !self.pairings.is_empty() {
            page += &section(
                "Who beat whom: points of the row in percent",
                &self.cross_table(),
            );
        }
        for table in self.tables() {
            page += &section(&table.title, &table.html());
        }
        for note in self.notes() {
            page += &format!("<p>{}</p>\n", escaped(&note));
        }
        page + "</body>\n</html>\n"
    }

    /// The ratings, if there are any.
    fn ratings_plot(&self) -> Option<(&'static str, Intervals)> {
        let bounds = self.standings.iter().filter_map(|standing| standing.rating);
        let furthest = bounds.map(|rating| rating.low.abs().max(rating.high.abs()));
        let furthest = furthest.reduce(f64::max)?;
        let end = ((furthest / 100.0).ceil() * 100.0).max(100.0);
        let rows = self.standings.iter().enumerate();
        let rows = rows.map(|(series, standing)| {
            let mark = standing.rating.map(|estimate| Mark { estimate, series });
            Row::marks(&standing.player, [mark])
        });
        let plot = Intervals {
            axis: "rating, the mean is 0".to_owned(),
            range: (-end, end),
            names: &[],
            rows: rows.collect(),
        };
        Some(("Ratings with 95 % intervals", plot))
    }

    fn games_plot(&self) -> Option<(&'static str, Intervals)> {
        let mut rows = Vec::new();
        for game in &self.games {
            rows.push(Row::heading(&game.game));
            let players = self.standings.iter().zip(&game.tallies).enumerate();
            rows.extend(players.map(|(series, (standing, tally))| {
                let mark = percent(tally).map(|estimate| Mark { estimate, series });
                Row::marks(&standing.player, [mark])
            }));
        }
        let plot = Intervals {
            axis: "points in percent".to_owned(),
            range: (0.0, 100.0),
            names: &[],
            rows,
        };
        (self.played > 0).then_some(("Points by game with 95 % intervals", plot))
    }

    /// The pairings as a square, the more coloured the clearer.
    fn cross_table(&self) -> String {
        let names = self.standings.iter().map(|standing| &standing.player);
        let heads: String = names
            .clone()
            .map(|name| format!("<th scope=\"col\">{}</th>", escaped(name)))
            .collect();
        let mut rows = String::new();
        for row in names.clone() {
            let cells: String = names
                .clone()
                .map(|column| shaded(self.points_against(row, column)))
                .collect();
            rows += &format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", escaped(row));
        }
        format!(
            "<div class=\"wide\"><table class=\"cross\">\n<thead>\n<tr><td></td>{heads}</tr>\n</thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n"
        )
    }

    /// The points in percent of one player against another, if they met.
    fn points_against(&self, one: &str, other: &str) -> Option<f64> {
        self.pairings.iter().find_map(|pairing| {
            let points = pairing.points?.value;
            match [one, other] {
                players if pairing.players == players => Some(points),
                [one, other] if pairing.players == [other, one] => Some(100.0 - points),
                _ => None,
            }
        })
    }
}

fn section(title: &str, content: &str) -> String {
    format!(
        "<section>\n<h2>{}</h2>\n{content}</section>\n",
        escaped(title)
    )
}

/// A cell of the square: blue for more than half of the points, orange for less.
fn shaded(points: Option<f64>) -> String {
    let Some(points) = points else {
        return "<td></td>".to_owned();
    };
    let colour = if points >= 50.0 {
        "31, 111, 178"
    } else {
        "196, 102, 31"
    };
    let shade = (points - 50.0).abs() / 50.0 * 0.6;
    format!("<td style=\"background: rgba({colour}, {shade:.2})\">{points:.0}</td>")
}
