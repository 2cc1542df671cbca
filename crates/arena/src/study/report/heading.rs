//! What the reports of all kinds of studies begin and end with.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::study::experiment::Scale;

/// What a study is, and how it was run: how its reports begin.
#[derive(Clone, Debug, Serialize)]
pub struct Heading {
    /// The study.
    pub study: String,
    /// What it is called.
    pub title: String,
    /// Where it was published.
    pub source: String,
    /// What it is about.
    pub about: String,
    /// The scale.
    pub scale: Scale,
    /// The seed.
    pub seed: u64,
}

impl Heading {
    /// The beginning for a terminal, with how much was done in a sentence.
    pub(in crate::study) fn text(&self, standing: &str) -> String {
        let (title, source, about) = (&self.title, &self.source, self.about.trim());
        format!("{title}\n{source}\n\n{about}\n\n{standing}\n")
    }

    /// The beginning as Markdown, with the picture at a path, which shows something.
    pub(in crate::study) fn markdown(
        &self,
        standing: &str,
        plot: Option<&str>,
        shows: &str,
    ) -> String {
        let (title, source, about) = (&self.title, &self.source, self.about.trim());
        let (study, scale, seed) = (&self.study, self.scale.name(), self.seed);
        let mut text = format!("# {title}\n\n{source}\n\n{about}\n\n{standing}\n");
        text +=
            &format!("\n```console\n$ paidia study {study} --scale {scale} --seed {seed}\n```\n");
        if let Some(plot) = plot {
            text += &format!("\n![{shows}]({plot})\n");
        }
        text
    }
}

/// Lines under a title for a terminal; nothing if there are none.
pub(in crate::study) fn lines_text(title: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{title}\n");
    for line in lines {
        text += &format!("  {}\n", line.trim());
    }
    text
}

/// Lines of a list as Markdown.
pub(in crate::study) fn list(lines: &[String]) -> String {
    let lines = lines.iter().map(|line| format!("- {}\n", line.trim()));
    lines.collect()
}

/// The games, as far as something is said about them, as Markdown.
pub(in crate::study) fn games(games: &BTreeMap<String, String>) -> String {
    let told = games.iter().filter(|(_, rules)| !rules.is_empty());
    let told = told.map(|(game, rules)| format!("- `{game}`: {}\n", rules.trim()));
    told.collect()
}

/// The players as a study calls them and as the catalogue writes them, as Markdown.
pub(in crate::study) fn players(players: &BTreeMap<String, String>) -> String {
    let players = players.iter();
    let players = players.map(|(name, written)| format!("- {name} is the player `{written}`.\n"));
    players.collect()
}
