//! Counts of fluents that have constants in common.
//!
//! A fluent is read as its words, in which parentheses count for nothing: `(cell 3 4 wp)` is
//! `cell 3 4 wp`. For each place of a word after the first, and for each two places, the fluents
//! with the same first word and length that agree there are a group: all with `wp` in the fourth
//! place are as many as there are white pawns.

use std::collections::BTreeMap;

/// The most words of a fluent for which two places make groups.
const MOST_WORDS: usize = 5;

/// The most fluents of a game with groups.
const MOST_FLUENTS: usize = 20_000;

/// Fluents that have constants in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The first word of the fluents, and how many words they have.
    pub(super) head: (String, usize),
    /// The words that they have in common, by their places.
    pub(super) common: Vec<(usize, String)>,
    /// The numbers of the fluents.
    pub(super) fluents: Vec<u32>,
}

/// The groups of a game's fluents.
#[derive(Clone, Debug, Default)]
pub(super) struct Groups {
    pub(super) all: Vec<Group>,
    /// For each fluent its groups.
    pub(super) of_fluent: Vec<Vec<u32>>,
}

/// The words of a fluent.
pub(super) fn words(fluent: &str) -> Vec<&str> {
    let is_space = |c: char| c == '(' || c == ')' || c.is_whitespace();
    fluent
        .split(is_space)
        .filter(|word| !word.is_empty())
        .collect()
}

type Key<'a> = ((&'a str, usize), Vec<(usize, &'a str)>);

impl Groups {
    /// The groups of these fluents.
    pub(super) fn new(fluents: &[String]) -> Self {
        let mut found: BTreeMap<Key<'_>, Vec<u32>> = BTreeMap::new();
        if fluents.len() <= MOST_FLUENTS {
            for (number, fluent) in (0..).zip(fluents) {
                for key in keys(&words(fluent)) {
                    found.entry(key).or_default().push(number);
                }
            }
        }
        let mut groups = Self {
            all: Vec::new(),
            of_fluent: vec![Vec::new(); fluents.len()],
        };
        for ((head, common), members) in found {
            // One fluent has a weight of its own already.
            if members.len() < 2 {
                continue;
            }
            for &member in &members {
                groups.of_fluent[member as usize].push(groups.all.len() as u32);
            }
            let common = common.into_iter();
            groups.all.push(Group {
                head: (head.0.to_owned(), head.1),
                common: common
                    .map(|(place, word)| (place, word.to_owned()))
                    .collect(),
                fluents: members,
            });
        }
        groups
    }
}

/// What a fluent with these words has in common with others.
fn keys<'a>(words: &[&'a str]) -> Vec<Key<'a>> {
    let Some(&first) = words.first() else {
        return Vec::new();
    };
    let head = (first, words.len());
    let mut keys = Vec::new();
    for place in 1..words.len() {
        keys.push((head, vec![(place, words[place])]));
        if words.len() <= MOST_WORDS {
            for other in place + 1..words.len() {
                keys.push((head, vec![(place, words[place]), (other, words[other])]));
            }
        }
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::Groups;

    #[test]
    fn fluents_that_agree_in_a_place_are_a_group() {
        let fluents = ["(cell 1 1 b)", "(cell 1 2 b)", "(cell 1 2 w)", "(step 1)"];
        let groups = Groups::new(&fluents.map(str::to_owned));
        let told = groups.all.iter();
        let told = told.map(|group| (group.common.clone(), group.fluents.clone()));
        let word = |place: usize, word: &str| (place, word.to_owned());
        let expected = [
            (vec![word(1, "1")], vec![0, 1, 2]),
            (vec![word(1, "1"), word(2, "2")], vec![1, 2]),
            (vec![word(1, "1"), word(3, "b")], vec![0, 1]),
            (vec![word(2, "2")], vec![1, 2]),
            (vec![word(3, "b")], vec![0, 1]),
        ];
        assert_eq!(told.collect::<Vec<_>>(), expected);
        assert_eq!(groups.of_fluent[3], []);
        assert_eq!(groups.of_fluent[0].len(), 3);
    }
}
