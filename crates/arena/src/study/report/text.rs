//! Results as text for a terminal.

use super::table::{claims_text, points_evidence, tables};
use super::{Summary, lines_text};

impl Summary {
    /// The results as plain text.
    pub fn text(&self) -> String {
        let mut text = self.heading.text(&self.standing());
        for table in tables(self) {
            text += &table.text();
        }
        text += &claims_text(&self.claims, points_evidence);
        text + &lines_text("Notes", &self.notes)
    }

    /// How much was played, in a sentence.
    pub(super) fn standing(&self) -> String {
        let mut text = format!(
            "Scale {}, seed {}: {} of {} games.",
            self.heading.scale.name(),
            self.heading.seed,
            self.played,
            self.wanted
        );
        if self.faulty > 0 {
            text += &format!(
                " {} of them do not count: the engine ran into a limit, a role had no move, or it could not be worked out which moves were best.",
                self.faulty
            );
        }
        let cut: usize = self.cells.iter().map(|cell| cell.cut).sum();
        if cut > 0 {
            text += &format!(" {cut} were too long, and count as draws.");
        }
        text
    }
}
