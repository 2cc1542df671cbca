//! Made-up words instead of a game's names, as in contests, so that players cannot recognise a game
//! by its words.
//!
//! Everything is replaced that the rules are free to call anything: relations, functions,
//! constants, roles and variables. The language's own words, `random` and whole numbers stay, which
//! have a meaning of their own.

use std::collections::{HashMap, HashSet};

use paidia_game::Chance;
use paidia_gdl::keyword::{Keyword, normal_relation_name};

/// The words of a game, and what players elsewhere see instead.
#[derive(Clone, Debug)]
pub struct Scrambling {
    there: HashMap<String, String>,
    back: HashMap<String, String>,
}

impl Scrambling {
    /// Makes up words for rules in KIF without comments; the seed decides which.
    pub fn new(rules: &str, seed: u64) -> Self {
        let mut scrambling = Self {
            there: HashMap::new(),
            back: HashMap::new(),
        };
        let mut chance = Chance::from_seed(seed);
        // The game's own words are no made-up ones: what a player says has one meaning.
        let own: HashSet<String> = words(rules).map(str::to_ascii_lowercase).collect();
        for word in words(rules).filter(|word| is_free(word)) {
            if scrambling.there.contains_key(word) {
                continue;
            }
            let made_up = loop {
                let made_up = make_up(word, &mut chance, scrambling.there.len());
                if !scrambling.back.contains_key(&made_up) && !own.contains(&made_up) {
                    break made_up;
                }
            };
            scrambling.back.insert(made_up.clone(), word.to_owned());
            scrambling.there.insert(word.to_owned(), made_up);
        }
        scrambling
    }

    /// The text as players elsewhere see it.
    pub fn there(&self, text: &str) -> String {
        replace(text, |word| self.there.get(word))
    }

    /// What a text from elsewhere means, in any case; words that were not made up stay.
    pub fn back(&self, text: &str) -> String {
        replace(text, |word| self.back.get(&word.to_ascii_lowercase()))
    }
}

/// Whether the rules are free to call it anything.
fn is_free(word: &str) -> bool {
    let normal = normal_relation_name(word);
    let is_taken = matches!(&*normal, "<=" | "and" | "or" | "not" | "distinct")
        || Keyword::by_name(&normal).is_some()
        || word.eq_ignore_ascii_case("random");
    !is_taken && word.parse::<i64>().is_err()
}

/// A word of syllables, as long as it needs to be to be new; a variable for a variable.
fn make_up(word: &str, chance: &mut Chance, taken: usize) -> String {
    const CONSONANTS: &[u8] = b"bdfgklmnprstvz";
    const VOWELS: &[u8] = b"aeiou";
    let mut made_up = String::from(if word.starts_with('?') { "?" } else { "" });
    // There are 70 syllables: almost all words of three are free while a thousand are taken, and of
    // five always.
    let syllables = if taken < 1_000 { 3 } else { 5 };
    for _ in 0..syllables {
        for letters in [CONSONANTS, VOWELS] {
            made_up.extend(chance.pick(letters).map(char::from));
        }
    }
    made_up
}

/// The words of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_mark).filter(|word| !word.is_empty())
}

fn is_mark(c: char) -> bool {
    c.is_whitespace() || c == '(' || c == ')'
}

/// The text with some of its words replaced.
fn replace<'a>(text: &str, other: impl Fn(&str) -> Option<&'a String>) -> String {
    let mut replaced = String::with_capacity(text.len());
    for piece in text.split_inclusive(is_mark) {
        let (word, mark) = match piece.char_indices().next_back() {
            Some((at, last)) if is_mark(last) => piece.split_at(at),
            _ => (piece, ""),
        };
        replaced.push_str(other(word).map_or(word, String::as_str));
        replaced.push_str(mark);
    }
    replaced
}

#[cfg(test)]
mod tests {
    use super::{Scrambling, words};

    const RULES: &str = "(role white) (role random) (init (cell 1 b)) \
        (<= (legal white (Mark ?x)) (true (cell ?x b)) (not (blocked ?x))) (<= (goal white 100) (true done))";

    #[test]
    fn names_are_replaced_and_come_back() {
        let scrambling = Scrambling::new(RULES, 7);
        let there = scrambling.there(RULES);
        assert_eq!(scrambling.back(&there), RULES);
        assert_eq!(
            scrambling.back(&there.to_uppercase()).to_lowercase(),
            RULES.to_lowercase()
        );
        let before: Vec<&str> = words(RULES).collect();
        let after: Vec<&str> = words(&there).collect();
        assert_eq!(before.len(), after.len());
        for (before, after) in before.into_iter().zip(after) {
            let stays = [
                "role", "random", "init", "1", "<=", "legal", "true", "not", "goal", "100",
            ];
            assert_eq!(before == after, stays.contains(&before), "{before} {after}");
            assert_eq!(before.starts_with('?'), after.starts_with('?'));
        }
    }

    #[test]
    fn a_seed_decides_the_words() {
        let there = |seed| Scrambling::new(RULES, seed).there(RULES);
        assert_eq!(there(1), there(1));
        assert_ne!(there(1), there(2));
    }

    #[test]
    fn many_names_are_no_trouble() {
        let rules: Vec<String> = (0..5_000)
            .map(|number| format!("(name n{number})"))
            .collect();
        let rules = rules.join("\n");
        let scrambling = Scrambling::new(&rules, 1);
        assert_eq!(scrambling.back(&scrambling.there(&rules)), rules);
    }
}
