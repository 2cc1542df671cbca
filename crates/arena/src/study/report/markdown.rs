//! Results as a page of the documentation.

use super::table::{claims_table, points_evidence, tables};
use super::{Summary, games, list, players};

impl Summary {
    /// The results as Markdown; `plot` is the path of the picture, as seen from the page.
    pub fn markdown(&self, plot: Option<&str>) -> String {
        let mut text =
            self.heading
                .markdown(&self.standing(), plot, "Our points beside the paper's");
        for table in tables(self) {
            text += &table.markdown();
        }
        text += &claims_table(&self.claims, points_evidence);
        text += "\n## What was played\n\n";
        text += &games(&self.games);
        text += &players(&self.players);
        text + &list(&self.notes)
    }
}
