//! The results of a tournament as text, Markdown, CSV and a page of HTML.

mod page;

use super::summary::{Pairing, Standing, Summary, percent};
use crate::statistics::{Estimate, Tally};
use crate::table::{TextTable, quoted, with_interval};

const CSV_HEAD: &str = "tournament,seed,game,player,written,thinking,seats,wins,draws,losses,points,points_low,points_high,rating,rating_low,rating_high";

impl Summary {
    /// The results as plain text.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n\n{}\n", self.title, self.standing());
        for table in self.tables() {
            text += &table.text();
        }
        for note in self.notes() {
            text += &format!("\n{note}\n");
        }
        text
    }

    /// The results as a page of Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", self.title, self.standing());
        for table in self.tables() {
            text += &table.markdown();
        }
        for note in self.notes() {
            text += &format!("\n{note}\n");
        }
        text
    }

    /// The results as CSV with a head: a row for each player on all games, then one for each player
    /// on each game.
    pub fn csv(&self) -> String {
        let mut text = format!("{CSV_HEAD}\n");
        for standing in &self.standings {
            text += &self.csv_row("", standing, &standing.tally, standing.rating);
        }
        for game in &self.games {
            for (standing, tally) in self.standings.iter().zip(&game.tallies) {
                text += &self.csv_row(&game.game, standing, tally, None);
            }
        }
        text
    }

    fn csv_row(
        &self,
        game: &str,
        standing: &Standing,
        tally: &Tally,
        rating: Option<Estimate>,
    ) -> String {
        let mut cells = vec![
            quoted(&self.tournament),
            self.seed.to_string(),
            quoted(game),
            quoted(&standing.player),
            quoted(&standing.written),
            quoted(&standing.thinking),
        ];
        let counts = [tally.games, tally.wins, tally.draws, tally.losses];
        cells.extend(counts.map(|count| count.to_string()));
        for estimate in [percent(tally), rating] {
            match estimate {
                Some(Estimate { value, low, high }) => {
                    cells.extend([value, low, high].map(|number| format!("{number:.2}")));
                }
                None => cells.extend([(); 3].map(|()| String::new())),
            }
        }
        format!("{}\n", cells.join(","))
    }

    /// How much was played, in a sentence or two.
    fn standing(&self) -> String {
        let mut text = format!(
            "{} of {} matches, seed {}.",
            self.played, self.wanted, self.seed
        );
        if self.faulty > 0 {
            text += &format!(
                " {} of them do not count: the engine ran into a limit or a role had no move.",
                self.faulty
            );
        }
        if self.cut > 0 {
            text += &format!(" {} were too long, and count as draws.", self.cut);
        }
        text
    }

    /// What to know before believing it.
    fn notes(&self) -> Vec<String> {
        let mut notes = vec![
            "Points: one for each opponent with a lower goal and half for each with the same, divided by the number of opponents; alone, the \
             goal in hundredths. Ratings: Bradley and Terry's model on Elo's scale, mean 0; 400 points are odds of ten to one. p: how \
             often equals would differ as much (exact sign test; corrected after Holm for the number of pairings)."
                .to_owned(),
        ];
        if self.bounded_ratings {
            notes.push(
                "The results alone bound no rating (a player never lost, or some never met): every two players got one drawn game more for \
                 the ratings."
                    .to_owned(),
            );
        }
        if self.timed {
            notes.push(
                "Players thought by the clock, so that another machine gives other results."
                    .to_owned(),
            );
        }
        notes
    }

    fn tables(&self) -> Vec<TextTable> {
        let tables = [
            self.standings_table(),
            self.pairings_table(),
            self.games_table(),
        ];
        let filled = tables.into_iter();
        filled.filter(|table| !table.rows.is_empty()).collect()
    }

    fn standings_table(&self) -> TextTable {
        let row = |standing: &Standing| {
            vec![
                standing.player.clone(),
                standing.written.clone(),
                standing.thinking.clone(),
                won_drawn_lost(&standing.tally),
                with_interval(standing.points),
                rating(standing.rating),
            ]
        };
        TextTable {
            title: "Players, with 95 % intervals".to_owned(),
            head: vec![
                "player",
                "is",
                "a move",
                "won/drawn/lost",
                "points in %",
                "rating",
            ],
            rows: self.standings.iter().map(row).collect(),
        }
    }

    fn pairings_table(&self) -> TextTable {
        let row = |pairing: &Pairing| {
            let better = match (pairing.is_significant(), &pairing.tally) {
                (false, _) => "undecided".to_owned(),
                (true, tally) if tally.wins > tally.losses => pairing.players[0].clone(),
                (true, _) => pairing.players[1].clone(),
            };
            vec![
                pairing.players.join(" v "),
                won_drawn_lost(&pairing.tally),
                with_interval(pairing.points),
                chance(pairing.chance),
                chance(pairing.corrected),
                better,
            ]
        };
        TextTable {
            title: "Pairings: points of the first in percent".to_owned(),
            head: vec![
                "pairing",
                "won/drawn/lost",
                "points in %",
                "p",
                "p corrected",
                "better",
            ],
            rows: self.pairings.iter().map(row).collect(),
        }
    }

    fn games_table(&self) -> TextTable {
        let mut rows = Vec::new();
        for game in &self.games {
            for (standing, tally) in self.standings.iter().zip(&game.tallies) {
                rows.push(vec![
                    game.game.clone(),
                    standing.player.clone(),
                    won_drawn_lost(tally),
                    with_interval(percent(tally)),
                    format!("{:.0}", game.mean_steps),
                ]);
            }
        }
        TextTable {
            title: "Games: points in percent".to_owned(),
            head: vec!["game", "player", "won/drawn/lost", "points in %", "steps"],
            rows,
        }
    }
}

fn won_drawn_lost(tally: &Tally) -> String {
    format!("{}/{}/{}", tally.wins, tally.draws, tally.losses)
}

/// A rating as `+120 (+60 to +180)`.
fn rating(rating: Option<Estimate>) -> String {
    rating.map_or_else(
        || "–".to_owned(),
        |rating| {
            format!(
                "{:+.0} ({:+.0} to {:+.0})",
                rating.value, rating.low, rating.high
            )
        },
    )
}

fn chance(chance: f64) -> String {
    if chance < 0.0001 {
        "< 0.0001".to_owned()
    } else {
        format!("{chance:.4}")
    }
}
