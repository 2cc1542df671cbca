//! What came out of bandits, as text, Markdown and comma-separated values.

use super::curves::{Curve, Curves};
use crate::statistics::Estimate;
use crate::study::claims::Finding;
use crate::study::report::{claims_table, claims_text, evidence, lines_text, list};
use crate::table::{Table, quoted};

impl Curves {
    /// The results as plain text.
    pub fn text(&self) -> String {
        let mut text = self.heading.text(&self.standing());
        self.tables().iter().for_each(|table| text += &table.text());
        text += &claims_text(&self.claims, difference_evidence);
        text + &lines_text("Notes", &self.notes)
    }

    /// The results as Markdown; `plot` is the path of the picture, as seen from the page.
    pub fn markdown(&self, plot: Option<&str>) -> String {
        let mut text = self
            .heading
            .markdown(&self.standing(), plot, "How often a winner is found");
        let tables = self.tables();
        tables.iter().for_each(|table| text += &table.markdown());
        text += &claims_table(&self.claims, difference_evidence);
        text += "\n## Notes\n\n";
        text + &list(&self.notes)
    }

    /// All looks as CSV with a head.
    pub fn csv(&self) -> String {
        let head = [
            "study,scale,seed,bandit,models,trials,plain,plain_low,plain_high",
            "threshold,threshold_low,threshold_high,difference,difference_low,difference_high",
        ];
        let mut text = format!("{}\n", head.join(","));
        for curve in &self.curves {
            for (place, look) in self.looks.iter().enumerate() {
                let figures = [&curve.plain, &curve.threshold, &curve.difference];
                let figures = figures.iter().filter_map(|figures| figures.get(place));
                let figures: Vec<String> = figures
                    .map(|figure| {
                        format!("{:.4},{:.4},{:.4}", figure.value, figure.low, figure.high)
                    })
                    .collect();
                text += &format!(
                    "{},{},{},{},{},{look},{}\n",
                    quoted(&self.heading.study),
                    self.heading.scale.name(),
                    self.heading.seed,
                    quoted(&curve.bandit),
                    curve.models,
                    figures.join(",")
                );
            }
        }
        text
    }

    /// How much was played, in a sentence.
    fn standing(&self) -> String {
        format!(
            "Scale {}, seed {}: {} of {} models.",
            self.heading.scale.name(),
            self.heading.seed,
            self.played,
            self.wanted
        )
    }

    fn tables(&self) -> [Table<String>; 2] {
        let share = |figure: &Estimate| format!("{:.3}", figure.value);
        let both = |curve: &Curve, place: usize| {
            let figures = [&curve.plain, &curve.threshold];
            let figures = figures.map(|figures| figures.get(place).map_or("–".to_owned(), share));
            figures.join(" / ")
        };
        let difference = |curve: &Curve, place: usize| signed(curve.difference.get(place));
        [
            self.table(
                "How often the arm that seems best wins in the end: plain UCT / threshold",
                &both,
            ),
            self.table(
                "How much more often with the threshold, with 95 % intervals over models",
                &difference,
            ),
        ]
    }

    fn table(&self, title: &str, cell: &dyn Fn(&Curve, usize) -> String) -> Table<String> {
        let places = self.shown_places();
        let heads = places
            .iter()
            .map(|&place| format!("k = {}", self.looks[place]));
        let row = |curve: &Curve| {
            let cells = places.iter().map(|&place| cell(curve, place));
            [curve.bandit.clone()].into_iter().chain(cells).collect()
        };
        Table {
            title: title.to_owned(),
            head: ["bandit".to_owned()].into_iter().chain(heads).collect(),
            rows: self.curves.iter().map(row).collect(),
        }
    }
}

/// What decided a claim in differences.
fn difference_evidence(finding: &Finding) -> String {
    evidence(finding, |estimate| signed(estimate.as_ref()))
}

/// A difference as `+0.128 ± 0.033`.
fn signed(estimate: Option<&Estimate>) -> String {
    estimate.map_or("–".to_owned(), |estimate| {
        let half = (estimate.high - estimate.low) / 2.0;
        format!("{:+.3} ± {half:.3}", estimate.value)
    })
}
