//! Results as text for a terminal.

use super::Summary;
use super::table::{claims_text, points_evidence, tables};

impl Summary {
    /// The results as plain text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}\n{}\n\n{}\n\n{}\n",
            self.title,
            self.source,
            self.about.trim(),
            self.standing()
        );
        for table in tables(self) {
            text += &table.text();
        }
        text += &claims_text(&self.claims, points_evidence);
        if !self.notes.is_empty() {
            text += "\nNotes\n";
        }
        for note in &self.notes {
            text += &format!("  {}\n", note.trim());
        }
        text
    }

    /// How much was played, in a sentence.
    pub(super) fn standing(&self) -> String {
        let mut text = format!(
            "Scale {}, seed {}: {} of {} games.",
            self.scale.name(),
            self.seed,
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
