//! Results as a page of the documentation.

use super::Summary;
use super::table::{claims_table, points_evidence, tables};

impl Summary {
    /// The results as Markdown; `plot` is the path of the picture, as seen from the page.
    pub fn markdown(&self, plot: Option<&str>) -> String {
        let mut text = format!(
            "# {}\n\n{}\n\n{}\n\n{}\n",
            self.title,
            self.source,
            self.about.trim(),
            self.standing()
        );
        text += &format!(
            "\n```console\n$ paidia study {} --scale {} --seed {}\n```\n",
            self.study,
            self.scale.name(),
            self.seed
        );
        if let Some(plot) = plot {
            text += &format!("\n![Our points beside the paper's]({plot})\n");
        }
        for table in tables(self) {
            text += &table.markdown();
        }
        text += &claims_table(&self.claims, points_evidence);
        text += "\n## What was played\n\n";
        for (game, rules) in &self.games {
            text += &format!("- `{game}`: {}\n", rules.trim());
        }
        for (player, written) in &self.players {
            text += &format!("- {player} is the player `{written}`.\n");
        }
        for note in &self.notes {
            text += &format!("- {}\n", note.trim());
        }
        text
    }
}
