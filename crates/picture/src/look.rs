//! How contents of squares look.
//!
//! Metadata says it for bundled games. For all others the names of contents do: colours, pieces of
//! chess, noughts and crosses, numbers, and what authors call an empty square. A name that says
//! nothing is shown itself, in a colour of its own.

mod names;

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
pub use paidia_library::Figure;
use paidia_library::Piece;
use serde::Serialize;

use crate::plan::{Content, Layer, Plan};
use crate::term::word;
use crate::vocabulary::Vocabulary;
use names::Reader;

/// How a content looks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Look {
    /// What is drawn.
    #[serde(flatten)]
    pub form: Form,
    /// The name of a CSS colour.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<String>,
    /// A few letters of its name upon it, where another content of the game would look the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub badge: Option<String>,
}

/// What is drawn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// A shape.
    Shape(Figure),
    /// One character.
    Glyph(String),
    /// A short text.
    Text(String),
}

/// The most letters of a badge.
const BADGE_LETTERS: usize = 3;

/// The most contents of a game that have looks; others are shown as text.
const MOST_LOOKS: usize = 512;

impl Look {
    pub(crate) fn shape(figure: Figure, colour: &str) -> Self {
        Self {
            form: Form::Shape(figure),
            colour: Some(colour.to_owned()),
            badge: None,
        }
    }

    pub(crate) fn glyph(glyph: &str, colour: &str) -> Self {
        Self {
            form: Form::Glyph(glyph.to_owned()),
            colour: Some(colour.to_owned()),
            badge: None,
        }
    }

    /// Whether nothing is drawn.
    pub fn is_empty(&self) -> bool {
        self.form == Form::Shape(Figure::Empty)
    }

    fn empty() -> Self {
        Self {
            form: Form::Shape(Figure::Empty),
            colour: None,
            badge: None,
        }
    }

    fn of_piece(piece: &Piece) -> Self {
        let form = match piece.shape {
            Some(figure) => Form::Shape(figure),
            None if piece.glyph.chars().count() == 1 => Form::Glyph(piece.glyph.clone()),
            None => Form::Text(piece.glyph.clone()),
        };
        Self {
            form,
            colour: piece.colour.clone(),
            badge: None,
        }
    }
}

/// The looks of all contents that are known beforehand.
pub(crate) fn looks(
    plans: &[Plan],
    vocabulary: &Vocabulary,
    pieces: Option<&IndexMap<String, Piece>>,
) -> BTreeMap<String, Look> {
    let mut contents = BTreeSet::new();
    let mut flags = BTreeSet::new();
    for layer in plans.iter().flat_map(|plan| &plan.layers) {
        match &layer.content {
            Content::Fixed(name) => flags.insert(name.clone()),
            Content::Arguments(_) => {
                contents.extend(contents_of(layer, vocabulary));
                continue;
            }
        };
    }
    let blanks = blanks(plans, vocabulary, &contents);
    let reader = Reader::new(&contents);
    let mut looks = BTreeMap::new();
    for content in contents.iter().take(MOST_LOOKS) {
        let look = if blanks.contains(content) {
            Look::empty()
        } else {
            reader.read(content)
        };
        looks.insert(content.clone(), look);
    }
    for flag in flags {
        let look = if names::is_nothing(&flag) {
            Look::empty()
        } else {
            reader.read_flag(&flag)
        };
        looks.insert(flag, look);
    }
    tell_apart(&mut looks);
    for (content, piece) in pieces.into_iter().flatten() {
        looks.insert(content.clone(), Look::of_piece(piece));
    }
    looks
}

/// Gives badges to contents that would look the same.
fn tell_apart(looks: &mut BTreeMap<String, Look>) {
    let mut groups: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (content, look) in looks.iter().filter(|(_, look)| !look.is_empty()) {
        let same = format!("{:?} {:?}", look.form, look.colour);
        groups.entry(same).or_default().push(content.clone());
    }
    for group in groups.into_values().filter(|group| group.len() > 1) {
        for (content, badge) in group.iter().zip(badges(&group)) {
            if let Some(look) = looks.get_mut(content) {
                look.badge = Some(badge);
            }
        }
    }
}

/// A badge for each of some names: the first letters of what they do not share, or their numbers
/// where those are the same.
fn badges(names: &[String]) -> Vec<String> {
    let letters: Vec<Vec<char>> = names.iter().map(|name| name.chars().collect()).collect();
    let shared = |at: usize| {
        let first = letters[0].get(at);
        first.is_some() && letters.iter().all(|other| other.get(at) == first)
    };
    let begin = (0..).take_while(|&at| shared(at)).count();
    // A word is not begun in its middle, and a number not either.
    let is_inside = |&at: &usize| letters[0][at - 1].is_alphanumeric();
    let begin = (1..=begin).rev().find(|at| !is_inside(at)).unwrap_or(0);
    for length in 1..=BADGE_LETTERS {
        let cut = letters.iter().map(|own| {
            let rest = own
                .iter()
                .skip(begin)
                .filter(|letter| letter.is_alphanumeric());
            rest.take(length).collect::<String>().to_uppercase()
        });
        let cut: Vec<String> = cut.collect();
        let different: BTreeSet<&String> = cut.iter().collect();
        if different.len() == cut.len() && cut.iter().all(|badge| !badge.is_empty()) {
            return cut;
        }
    }
    (1..=names.len()).map(|number| number.to_string()).collect()
}

/// What a layer can put on squares, as far as that is known.
fn contents_of(layer: &Layer, vocabulary: &Vocabulary) -> BTreeSet<String> {
    let mut contents = BTreeSet::new();
    let key = (layer.fluent.clone(), layer.arity);
    let (Content::Arguments(places), Some(kind)) = (&layer.content, vocabulary.fluents.get(&key))
    else {
        return contents;
    };
    let mut all = vec![Vec::new()];
    for &place in places {
        let constants = &kind.values[place].constants;
        if all.len() * constants.len() > MOST_LOOKS {
            all.clear();
            break;
        }
        let longer = all.iter().flat_map(|words: &Vec<String>| {
            constants
                .iter()
                .map(|constant| [words.as_slice(), std::slice::from_ref(constant)].concat())
        });
        all = longer.collect();
    }
    contents.extend(all.iter().map(|words| words.join("_")));
    for fact in kind.facts.iter().flatten() {
        let words: Vec<String> = places.iter().map(|&place| word(&fact[place])).collect();
        contents.insert(words.join("_"));
    }
    contents
}

/// The contents that mean an empty square.
///
/// Some names mean that wherever they stand. A single `b` may as well be black: it is empty where
/// no other content is on more squares of the first state.
fn blanks(
    plans: &[Plan],
    vocabulary: &Vocabulary,
    contents: &BTreeSet<String>,
) -> BTreeSet<String> {
    let mut blanks: BTreeSet<String> = contents
        .iter()
        .filter(|content| names::is_nothing(content))
        .cloned()
        .collect();
    for layer in plans.iter().flat_map(|plan| &plan.layers) {
        let key = (layer.fluent.clone(), layer.arity);
        let (Content::Arguments(places), Some(kind)) =
            (&layer.content, vocabulary.fluents.get(&key))
        else {
            continue;
        };
        let [place] = places[..] else { continue };
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for fact in kind.first_facts() {
            *counts.entry(&fact[place]).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let frequent = counts.into_iter().filter(|&(_, count)| count == most);
        let mut names = frequent.map(|(name, _)| name);
        let blank = names.find(|name| names::is_perhaps_nothing(name));
        if let Some(blank) = blank
            && !blanks
                .iter()
                .any(|other| kind.values[place].constants.contains(other))
        {
            blanks.insert(blank.to_owned());
        }
    }
    blanks
}

/// Whether the pieces are those of chess, so that squares should have alternating colours.
pub(crate) fn is_chess(looks: &BTreeMap<String, Look>) -> bool {
    let glyphs = looks.values().filter_map(|look| match &look.form {
        Form::Glyph(glyph) if names::is_chess(glyph) => Some(glyph.as_str()),
        _ => None,
    });
    glyphs.collect::<BTreeSet<&str>>().len() > 1
}

/// Whether a content may mean an empty square.
pub(crate) fn may_be_nothing(content: &str) -> bool {
    names::is_nothing(content) || names::is_perhaps_nothing(content)
}

#[cfg(test)]
mod tests {
    use super::badges;

    fn check(names: &[&str], expected: &[&str]) {
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        assert_eq!(badges(&names), expected);
    }

    #[test]
    fn badges_are_the_letters_by_which_names_differ() {
        check(&["red_lion", "red_wolf"], &["L", "W"]);
        check(&["guard", "guest"], &["GUA", "GUE"]);
        check(&["box1", "box2"], &["1", "2"]);
        check(&["piece_a_1", "piece_a_2"], &["1", "2"]);
        check(&["abcdef", "abcdeg"], &["1", "2"]);
    }
}
