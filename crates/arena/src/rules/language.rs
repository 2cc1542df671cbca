//! Which language rules are written in.

use std::path::Path;

/// A language for rules of games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// The GDL family: GDL, GDL-II and rtGDL, in prefix or infix notation.
    Gdl,
    /// Simplified board games.
    Board,
    /// Card games.
    Cards,
    /// Video games.
    Video,
}

impl Language {
    /// The language of a file: by its extension where that is one language's own, else by the text.
    pub fn of_file(path: &Path, text: &str) -> Self {
        let extension = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
        match extension.as_ref().and_then(|extension| extension.to_str()) {
            Some("kif" | "gdl") => Language::Gdl,
            Some("sbg") => Language::Board,
            Some("cgdl") => Language::Cards,
            Some("vgdl") => Language::Video,
            _ => Self::of_text(text),
        }
    }

    /// The language of a text by its first word; GDL where that tells nothing else.
    pub fn of_text(text: &str) -> Self {
        match text.split_whitespace().next() {
            Some("BasicGame") => Language::Video,
            _ => Language::Gdl,
        }
    }

    /// The name for people.
    pub fn name(self) -> &'static str {
        match self {
            Language::Gdl => "GDL",
            Language::Board => "the language of simplified board games (.sbg)",
            Language::Cards => "the language of card games (.cgdl)",
            Language::Video => "the video game description language (.vgdl)",
        }
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
        assert_eq!(
            told("aliens.txt", "\nBasicGame block_size=10"),
            Language::Video
        );
        assert_eq!(told("game.txt", "(role x)"), Language::Gdl);
        assert_eq!(told("-", "(role x)"), Language::Gdl);
    }
}
