//! Figures for a terminal, and as a page of the documentation.

use super::table::{problems, rate_evidence};
use crate::study::comparison::figures::Comparing;
use crate::study::report::{claims_table, claims_text};

impl Comparing {
    /// The results as plain text.
    pub fn text(&self) -> String {
        let mut text = format!(
            "{}\n{}\n\n{}\n\n{}\n",
            self.title,
            self.source,
            self.about.trim(),
            self.standing()
        );
        for table in &self.tables {
            text += &table.texts().text();
        }
        text += &claims_text(&self.claims, rate_evidence);
        for (title, lines) in [
            ("Not measured", problems(self)),
            ("Notes", self.notes.clone()),
        ] {
            if !lines.is_empty() {
                text += &format!("\n{title}\n");
            }
            for line in lines {
                text += &format!("  {}\n", line.trim());
            }
        }
        text
    }

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
            text += &format!("\n![Rates, ours and the paper's]({plot})\n");
        }
        for table in &self.tables {
            text += &table.texts().markdown();
        }
        text += &claims_table(&self.claims, rate_evidence);
        text += &self.what_was_measured();
        text
    }

    fn what_was_measured(&self) -> String {
        let mut text = "\n## What was measured\n\n".to_owned();
        let told = self.games.iter().filter(|(_, rules)| !rules.is_empty());
        for (game, rules) in told {
            text += &format!("- `{game}`: {}\n", rules.trim());
        }
        for entry in &self.engines {
            text += &format!("- {} is the engine `{}`.\n", entry.name, entry.engine);
        }
        for note in &self.notes {
            text += &format!("- {}\n", note.trim());
        }
        for problem in problems(self) {
            text += &format!("- Not measured: {problem}.\n");
        }
        text
    }

    /// How much was measured, in a sentence.
    fn standing(&self) -> String {
        let mut text = format!(
            "Scale {}, seed {}: {} of {} samples.",
            self.scale.name(),
            self.seed,
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
