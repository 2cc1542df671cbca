//! Which language rules are written in.

use std::path::Path;
use std::sync::Arc;

use paidia_gdl::{Code, Problem, Source};

use super::board::BoardReader;
use super::cards::CardReader;
use super::translated::{METAGAME, TOSS};
use super::video::VideoReader;
use super::{InvalidRules, OtherRules, RuleText};

/// What reads the rules of a language outside the GDL family.
pub trait Reader: Sync {
    /// What is wrong with a text, in the order of the text.
    fn diagnose(&self, source: &Source) -> Vec<Problem>;

    /// Checks rules.
    ///
    /// # Errors
    /// If they are faulty.
    fn check(&self, text: RuleText) -> Result<Arc<dyn OtherRules>, InvalidRules>;

    /// The text in its normal form, which means the same and keeps the comments.
    ///
    /// # Errors
    /// What is wrong with a text that cannot be read as a whole.
    fn print(&self, source: &Source) -> Result<String, Vec<Problem>>;

    /// The kinds of problems that the language has, for `paidia explain`.
    fn codes(&self) -> &'static [Code];
}

/// A language for rules of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// The GDL family: GDL, GDL-II and rtGDL, in prefix or infix notation.
    Gdl,
    /// Simplified board games.
    Board,
    /// Card games.
    Cards,
    /// Symmetric chess-like games.
    Metagame,
    /// Games that rewrite structures.
    Toss,
    /// Video games.
    Video,
}

impl Language {
    /// All languages.
    pub const ALL: [Language; 6] = [
        Language::Gdl,
        Language::Board,
        Language::Cards,
        Language::Metagame,
        Language::Toss,
        Language::Video,
    ];

    /// The language of a file: by its extension where that is one language's own, else by the text.
    pub fn of_file(path: &Path, text: &str) -> Self {
        let extension = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("kif" | "gdl") => Language::Gdl,
            Some("sbg") => Language::Board,
            Some("cgdl") => Language::Cards,
            Some("metagame") => Language::Metagame,
            Some("toss") => Language::Toss,
            Some("vgdl") => Language::Video,
            _ => Self::of_text(text),
        }
    }

    /// The language of a text by its first word outside comments; GDL where that tells nothing
    /// else.
    pub fn of_text(text: &str) -> Self {
        match uncommented(text).split_whitespace().next() {
            Some("BasicGame") => Language::Video,
            Some("GAME") => Language::Metagame,
            Some("PLAYERS") => Language::Toss,
            Some(word) if word.starts_with("<<") => Language::Board,
            Some("[SETTINGS]") => Language::Cards,
            _ => Language::Gdl,
        }
    }

    /// The extension of rule files.
    pub fn extension(self) -> &'static str {
        match self {
            Language::Gdl => "kif",
            Language::Board => "sbg",
            Language::Cards => "cgdl",
            Language::Metagame => "metagame",
            Language::Toss => "toss",
            Language::Video => "vgdl",
        }
    }

    /// What reads rules of the language; `None` for GDL.
    pub fn reader(self) -> Option<&'static dyn Reader> {
        match self {
            Language::Board => Some(&BoardReader),
            Language::Cards => Some(&CardReader),
            Language::Metagame => Some(&METAGAME),
            Language::Toss => Some(&TOSS),
            Language::Video => Some(&VideoReader),
            Language::Gdl => None,
        }
    }

    /// All kinds of problems of all languages, those of GDL first.
    pub fn codes() -> Vec<Code> {
        let mut codes = Code::ALL.to_vec();
        for language in Self::ALL {
            let own = language.reader().map(Reader::codes);
            codes.extend_from_slice(own.unwrap_or_default());
        }
        codes
    }

    /// The name in a word, for tables and JSON.
    pub fn short_name(self) -> &'static str {
        match self {
            Language::Gdl => "GDL",
            Language::Board => "SBG",
            Language::Cards => "CGDL",
            Language::Metagame => "Metagame",
            Language::Toss => "Toss",
            Language::Video => "VGDL",
        }
    }

    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Language::Gdl => "GDL",
            Language::Board => "the language of simplified board games (.sbg)",
            Language::Cards => "the language of card games (.cgdl)",
            Language::Metagame => "Metagame (.metagame)",
            Language::Toss => "Toss (.toss)",
            Language::Video => "the video game description language (.vgdl)",
        }
    }
}

/// The text from the first word that is not in a comment, in the ways of the languages here.
fn uncommented(text: &str) -> &str {
    let mut rest = text.trim_start();
    loop {
        let after = match rest {
            _ if rest.starts_with("/*") => rest.split_once("*/").map(|(_, after)| after),
            _ if rest.starts_with("//") || rest.starts_with([';', '#', '%']) => {
                rest.split_once('\n').map(|(_, after)| after)
            }
            _ => return rest,
        };
        rest = after.unwrap_or_default().trim_start();
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Language;

    #[test]
    fn extensions_tell_the_language_and_text_where_they_do_not() {
        let told = |file: &str, text: &str| Language::of_file(Path::new(file), text);
        assert_eq!(told("a/rules.kif", "BasicGame"), Language::Gdl);
        assert_eq!(told("chess.SBG", ""), Language::Board);
        assert_eq!(told("poker.cgdl", ""), Language::Cards);
        assert_eq!(told("aliens.vgdl", ""), Language::Video);
        assert_eq!(told("draughts.txt", "GAME draughts"), Language::Metagame);
        assert_eq!(told("row.toss", ""), Language::Toss);
        assert_eq!(
            told("aliens.txt", "\nBasicGame block_size=10"),
            Language::Video
        );
        assert_eq!(told("game.txt", "<<Gess>>\n<BOARD>"), Language::Board);
        let remarks = "// one\n/* two\nthree */ <<Gess>>\n<BOARD>";
        assert_eq!(told("game.txt", remarks), Language::Board);
        assert_eq!(told("game.txt", "; <<Gess>>\n(role x)"), Language::Gdl);
        assert_eq!(told("game.txt", "(role x)"), Language::Gdl);
        assert_eq!(told("-", "(role x)"), Language::Gdl);
    }
}
