//! Figures for a terminal, and as a page of the documentation.

use super::table::{problems, rate_evidence};
use crate::study::comparison::figures::Comparing;
use crate::study::report::{claims_table, claims_text, games, lines_text, list};

impl Comparing {
    /// The results as plain text.
    pub fn text(&self) -> String {
        let mut text = self.heading.text(&self.standing());
        for table in &self.tables {
            text += &table.texts().text();
        }
        text += &claims_text(&self.claims, rate_evidence);
        text += &lines_text("Not measured", &problems(self));
        text + &lines_text("Notes", &self.notes)
    }

    /// The results as Markdown; `plot` is the path of the picture, as seen from the page.
    pub fn markdown(&self, plot: Option<&str>) -> String {
        let mut text = self
            .heading
            .markdown(&self.standing(), plot, "Rates, ours and the paper's");
        for table in &self.tables {
            text += &table.texts().markdown();
        }
        text += &claims_table(&self.claims, rate_evidence);
        text += &self.what_was_measured();
        text
    }

    fn what_was_measured(&self) -> String {
        let mut text = "\n## What was measured\n\n".to_owned();
        text += &games(&self.games);
        for entry in &self.engines {
            text += &format!("- {} is the engine `{}`.\n", entry.name, entry.engine);
        }
        text += &list(&self.notes);
        for problem in problems(self) {
            text += &format!("- Not measured: {problem}.\n");
        }
        text
    }

    /// How much was measured, in a sentence.
    fn standing(&self) -> String {
        let mut text = format!(
            "Scale {}, seed {}: {} of {} samples.",
            self.heading.scale.name(),
            self.heading.seed,
            self.taken,
            self.wanted
        );
        let slots = self.tables.iter().flat_map(|table| &table.rows);
        let mut slots = slots.flat_map(|row| &row.slots);
        if slots.any(|slot| slot.reckoned) {
            text += " Where a playout would take too long, playouts (marked ~) follow from the states that were made and from \
                     the length that other engines found.";
        }
        text
    }
}
