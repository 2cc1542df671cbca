//! Names of languages other than GDL: the words of the text. A word is defined where a line of a
//! video game's sprites or terms begins with it.

use paidia_arena::rules::Language;
use paidia_gdl::Span;
use rustc_hash::FxHashMap;

use super::{Kind, Name, Names, Place, Uses};

pub(super) fn names(text: &str, language: Language) -> Names {
    let mut names = Names::default();
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    let mut start = 0;
    for line in text.split('\n') {
        let end = comment(line, language).unwrap_or(line.len());
        let code = &line[..end];
        let within = Span::new(start, start + code.trim_end().len());
        let first = code.len() - code.trim_start().len();
        for (from, word) in words(code) {
            let name = *known.entry(word).or_insert_with(|| {
                names.all.push(Name {
                    text: word.to_owned(),
                    kind: Kind::Word,
                    uses: Uses::default(),
                    arities: Vec::new(),
                    comment: String::new(),
                });
                names.all.len() - 1
            });
            let after = code[from + word.len()..].trim_start();
            let span = Span::new(start + from, start + from + word.len());
            names.places.push(Place {
                span,
                name,
                defines: from == first && after.starts_with('>'),
                within,
            });
        }
        start += line.len() + 1;
    }
    names
}

/// Where a comment begins that goes to the end of the line.
fn comment(line: &str, language: Language) -> Option<usize> {
    match language {
        Language::Video => line.find('#'),
        _ => line.find("//"),
    }
}

/// The words of a line with their places: letters, digits and underscores that begin with a letter.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut rest = 0;
    std::iter::from_fn(move || {
        loop {
            let from = rest + line[rest..].find(is_part)?;
            let length = line[from..]
                .find(|c| !is_part(c))
                .unwrap_or(line.len() - from);
            rest = from + length;
            let word = &line[from..rest];
            if word.starts_with(char::is_alphabetic) {
                return Some((from, word));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use paidia_arena::rules::Language;

    use crate::names::Names;

    const GAME: &str = "BasicGame
  SpriteSet
    hero > MovingAvatar # not hero
  InteractionSet
    hero EOS > stepBack
";

    #[test]
    fn sprites_are_defined_where_their_line_begins() {
        let names = Names::of(GAME, Language::Video);
        let at = names.at(GAME.find("hero EOS").unwrap_or_default());
        let hero = at.map(|place| place.name).unwrap_or_default();
        assert_eq!(names.all[hero].text, "hero");
        assert_eq!(names.places_of(hero).count(), 2, "comments have no names");
        let defined = names.definitions(hero);
        assert_eq!(defined.len(), 1);
        assert_eq!(
            defined[0].span.start as usize,
            GAME.find("hero").unwrap_or_default()
        );
    }
}
