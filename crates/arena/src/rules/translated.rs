//! Languages that are played by their translation to GDL: Metagame and Toss.

use std::sync::Arc;

use paidia_game::AnyGame;
use paidia_gdl::analysis::Contents;
use paidia_gdl::{Code, Problem, Source};
use paidia_languages::{metagame, toss};
use paidia_reason::Reference;

use super::{GdlRules, InvalidRules, Language, OtherRules, Reader, RuleText};

/// Reads rules that become a sheet of GDL.
pub(super) struct TranslatedReader {
    /// What is wrong with a text, and else its translation.
    translate: fn(&Source) -> (Vec<Problem>, Option<String>),
    codes: &'static [Code],
}

/// Reads symmetric chess-like games.
pub(super) static METAGAME: TranslatedReader = TranslatedReader {
    translate: |source| {
        let reading = metagame::read(source);
        let has_errors = reading.has_errors();
        let text = (!has_errors).then(|| metagame::to_gdl(&reading.description));
        (reading.problems, text)
    },
    codes: metagame::CODES,
};

/// Reads games that rewrite structures.
pub(super) static TOSS: TranslatedReader = TranslatedReader {
    translate: |source| {
        let reading = toss::read(source);
        let has_errors = reading.has_errors();
        let text = (!has_errors).then(|| toss::to_gdl(&reading.description));
        (reading.problems, text)
    },
    codes: toss::CODES,
};

impl Reader for TranslatedReader {
    fn diagnose(&self, source: &Source) -> Vec<Problem> {
        (self.translate)(source).0
    }

    fn check(&self, text: RuleText) -> Result<Arc<dyn OtherRules>, InvalidRules> {
        let (problems, translation) = (self.translate)(&text.source);
        let Some(translation) = translation else {
            return Err(InvalidRules {
                source: text.source,
                problems,
                too_large: None,
            });
        };
        let sheet = RuleText {
            source: Source::new(text.source.name.clone(), translation),
            language: Language::Gdl,
            ..text.clone()
        };
        let rules = GdlRules::new(sheet, None)?;
        let roles =
            Reference::new(rules.name(), &rules.program).map(|game| roles(&AnyGame::new(game)));
        Ok(Arc::new(Translated {
            text,
            warnings: problems,
            roles: roles.unwrap_or_default(),
            rules: Arc::new(rules),
        }))
    }

    fn print(&self, source: &Source) -> Result<String, Vec<Problem>> {
        let problems = self.diagnose(source);
        match problems.iter().any(Problem::is_error) {
            true => Err(problems),
            false => Ok(tidy(&source.text)),
        }
    }

    fn codes(&self) -> &'static [Code] {
        self.codes
    }
}

fn roles(game: &AnyGame) -> Vec<String> {
    use paidia_game::Rules;
    game.facts().roles.clone()
}

/// The same text without blanks at the ends of lines, and with one line feed at its end.
fn tidy(text: &str) -> String {
    let lines = text.trim_end().lines().map(str::trim_end);
    lines.flat_map(|line| [line, "\n"]).collect()
}

/// Rules with their translation.
struct Translated {
    text: RuleText,
    warnings: Vec<Problem>,
    roles: Vec<String>,
    rules: Arc<GdlRules>,
}

impl OtherRules for Translated {
    fn text(&self) -> &RuleText {
        &self.text
    }

    fn warnings(&self) -> &[Problem] {
        &self.warnings
    }

    fn contents(&self) -> Contents {
        Contents::new(&self.rules.program)
    }

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn game(&self) -> Result<AnyGame, String> {
        let game = Reference::new(self.rules.name(), &self.rules.program);
        game.map(AnyGame::new).map_err(|error| error.to_string())
    }

    fn gdl(&self) -> Option<&Arc<GdlRules>> {
        Some(&self.rules)
    }

    fn to_gdl(&self) -> Result<String, String> {
        Ok(self.rules.text().source.text.clone())
    }
}
