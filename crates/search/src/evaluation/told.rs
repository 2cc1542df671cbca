//! What things are worth, as far as the fluents of a game say what stands where.
//!
//! A place of a word in fluents is for *contents* if in no state that was seen two fluents agree in
//! all other words: in `cell 3 4 wp` the fourth, since a square has one content. Contents of which
//! there are fewer and fewer, seldom one less and hardly ever one more, are pieces; where each
//! place has a content at any time, the most frequent is what is there after a piece is taken.

use std::collections::{BTreeMap, BTreeSet};

use super::groups::words;

/// Contents of a place of which there are more are numbers, such as those that count moves.
const MOST_CONTENTS: usize = 40;

/// What the contents of a game are worth.
#[derive(Clone, Debug, Default)]
pub struct Told {
    /// The contents, those of the same fluents together.
    pub values: Vec<PieceValue>,
}

/// What a content is worth to the first player, in natural logarithms of odds.
#[derive(Clone, Debug, PartialEq)]
pub struct PieceValue {
    /// The first word of its fluents.
    pub kind: String,
    /// The content.
    pub content: String,
    /// Whether it is a piece.
    pub is_piece: bool,
    /// In the mean over where it was seen, more than the content that is there without it.
    pub value: f64,
    /// How many there were in the mean of the states that were watched.
    pub count: f64,
    /// The same for each place where it was seen, the best first.
    pub places: Vec<(String, f64)>,
}

/// A fluent's number and words.
type Words<'a> = (u32, Vec<&'a str>);

/// Fluents with the same first word and length, by one of their places.
#[derive(Debug)]
struct Family {
    kind: String,
    contents: Vec<String>,
    /// For each fluent its number, the number of the rest of its words, and that of its content.
    members: Vec<(u32, u32, u32)>,
    rests: Vec<String>,
    /// In no state two fluents agreed in the rest.
    is_exclusive: bool,
    /// How often each content was seen.
    seen: Vec<u64>,
    /// The least and the most fluents of a state, and how many each content had in the last one.
    range: (u64, u64),
    last: Option<Vec<u64>>,
    /// Moves, and what changed: for each content how often there was one less, or one more.
    moves: u64,
    falls: Vec<u64>,
    rises: Vec<u64>,
}

/// Watches states for what is a content.
#[derive(Debug)]
pub(super) struct Contents {
    width: usize,
    states: u64,
    families: Vec<Family>,
    /// How often each fluent held.
    held: Vec<u64>,
}

impl Contents {
    pub(super) fn new(fluents: &[String]) -> Self {
        let mut kinds: BTreeMap<(String, usize), Vec<Words<'_>>> = BTreeMap::new();
        for (number, fluent) in (0..).zip(fluents) {
            let words = words(fluent);
            if let Some(&first) = words.first() {
                let kind = kinds.entry((first.to_owned(), words.len()));
                kind.or_default().push((number, words));
            }
        }
        let mut families = Vec::new();
        for ((kind, length), members) in &kinds {
            for place in 1..*length {
                families.extend(Family::new(kind, place, members));
            }
        }
        Self {
            width: fluents.len().div_ceil(64),
            states: 0,
            families,
            held: vec![0; fluents.len()],
        }
    }

    /// A game begins.
    pub(super) fn begin(&mut self) {
        self.families
            .iter_mut()
            .for_each(|family| family.last = None);
    }

    /// Takes in the next state of a game.
    pub(super) fn watch(&mut self, features: &[u64]) {
        self.states += 1;
        for (number, held) in self.held.iter_mut().enumerate() {
            *held += features[number / 64] >> (number % 64) & 1;
        }
        for family in &mut self.families {
            family.watch(features);
        }
    }

    /// The features that are pieces, as bits.
    pub(super) fn pieces(&self) -> Vec<u64> {
        let mut bits = vec![0; self.width];
        for family in self.families.iter().filter(|family| family.has_pieces()) {
            let blank = family.blank();
            for &(fluent, _, content) in &family.members {
                if Some(content as usize) != blank {
                    bits[fluent as usize / 64] |= 1 << (fluent % 64);
                }
            }
        }
        bits
    }
}

impl Family {
    fn new(kind: &str, place: usize, fluents: &[Words<'_>]) -> Option<Self> {
        let all: BTreeSet<&str> = fluents.iter().map(|(_, words)| words[place]).collect();
        if all.len() > MOST_CONTENTS {
            return None;
        }
        let contents: Vec<&str> = all.into_iter().collect();
        let mut rests: BTreeMap<String, u32> = BTreeMap::new();
        let mut members = Vec::new();
        for (number, words) in fluents {
            let rest: Vec<&str> = (1..words.len())
                .filter(|&other| other != place)
                .map(|other| words[other])
                .collect();
            let next = rests.len() as u32;
            let rest = *rests.entry(rest.join(" ")).or_insert(next);
            let content = contents.binary_search(&words[place]).ok()? as u32;
            members.push((*number, rest, content));
        }
        let mut names = vec![String::new(); rests.len()];
        for (name, number) in rests {
            names[number as usize] = name;
        }
        Some(Self {
            kind: kind.to_owned(),
            seen: vec![0; contents.len()],
            falls: vec![0; contents.len()],
            rises: vec![0; contents.len()],
            contents: contents.into_iter().map(str::to_owned).collect(),
            members,
            rests: names,
            is_exclusive: true,
            range: (u64::MAX, 0),
            last: None,
            moves: 0,
        })
    }

    fn watch(&mut self, features: &[u64]) {
        if !self.is_exclusive {
            return;
        }
        let mut counts = vec![0; self.contents.len()];
        let mut taken = vec![false; self.rests.len()];
        let mut all = 0;
        for &(fluent, rest, content) in &self.members {
            if features[fluent as usize / 64] >> (fluent % 64) & 1 == 0 {
                continue;
            }
            if std::mem::replace(&mut taken[rest as usize], true) {
                self.is_exclusive = false;
                return;
            }
            counts[content as usize] += 1;
            self.seen[content as usize] += 1;
            all += 1;
        }
        self.range = (self.range.0.min(all), self.range.1.max(all));
        if let Some(last) = &self.last {
            self.moves += 1;
            for (content, (now, before)) in counts.iter().zip(last).enumerate() {
                self.falls[content] += u64::from(now < before);
                self.rises[content] += u64::from(now > before);
            }
        }
        self.last = Some(counts);
    }

    /// The content of a place that has no piece, where each place has some content.
    fn blank(&self) -> Option<usize> {
        let is_full = self.range.0 == self.range.1 && self.range.1 > 1;
        let contents = || 0..self.seen.len();
        // Where pieces are taken there is more and more of it; else it is the most frequent.
        let grows = |content: &usize| {
            let (rises, falls) = (self.rises[*content], self.falls[*content]);
            rises > 0 && falls * 4 <= rises
        };
        let growing = contents().filter(grows);
        let growing = growing.max_by_key(|&content| self.rises[content]);
        let frequent = || contents().max_by_key(|&content| self.seen[content]);
        growing.or_else(frequent).filter(|_| is_full)
    }

    /// Whether moves take pieces: all contents but the blank become fewer, seldom by a move.
    fn has_pieces(&self) -> bool {
        if !self.is_exclusive || self.moves == 0 {
            return false;
        }
        let blank = self.blank();
        let (falls, rises) = match blank {
            // One piece less is one blank more.
            Some(blank) => (self.rises[blank], self.falls[blank]),
            None => (self.falls.iter().sum(), self.rises.iter().sum()),
        };
        // A promotion is one less of one kind and one more of another.
        falls > 0 && rises * 4 <= falls && falls * 2 <= self.moves
    }
}

impl Told {
    /// What contents are worth by the weights of fluents.
    pub(super) fn new(weights: &[f32], contents: &Contents) -> Self {
        let mut values = Vec::new();
        for family in &contents.families {
            if family.is_exclusive && family.range.1 > 0 {
                values.extend(family.values(weights, contents));
            }
        }
        Self { values }
    }
}

impl Family {
    fn values<'a>(
        &'a self,
        weights: &'a [f32],
        contents: &'a Contents,
    ) -> impl Iterator<Item = PieceValue> + 'a {
        let (blank, is_piece) = (self.blank(), self.has_pieces());
        let mut base = vec![0.0; self.rests.len()];
        for &(fluent, rest, content) in &self.members {
            if Some(content as usize) == blank {
                base[rest as usize] = f64::from(weights[fluent as usize]);
            }
        }
        let shown = (0..self.contents.len()).filter(move |&content| Some(content) != blank);
        shown.filter_map(move |content| {
            let (mut sum, mut often) = (0.0, 0.0);
            let mut places = Vec::new();
            let own = self.members.iter().filter(|own| own.2 as usize == content);
            for &(fluent, rest, _) in own {
                let held = contents.held[fluent as usize] as f64;
                let worth = f64::from(weights[fluent as usize]) - base[rest as usize];
                if held > 0.0 {
                    places.push((self.rests[rest as usize].clone(), worth));
                }
                sum += held * worth;
                often += held;
            }
            places.sort_by(|one, other| other.1.total_cmp(&one.1));
            (often > 0.0).then(|| PieceValue {
                kind: self.kind.clone(),
                content: self.contents[content].clone(),
                is_piece,
                value: sum / often,
                count: often / contents.states.max(1) as f64,
                places,
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Contents;

    #[test]
    fn what_becomes_less_and_less_is_a_piece() {
        let fluents = [
            "(at 1 blank)",
            "(at 1 man)",
            "(at 2 blank)",
            "(at 2 man)",
            "(at 3 blank)",
            "(at 3 man)",
            "(turn one)",
            "(turn two)",
        ];
        let mut contents = Contents::new(&fluents.map(str::to_owned));
        contents.begin();
        // Men at 1 and 3; one moves to 2; it moves back; one is taken.
        for (at, turn) in [
            ([1, 0, 1], 0),
            ([0, 1, 1], 1),
            ([1, 0, 1], 0),
            ([0, 0, 1], 1),
            ([0, 1, 0], 0),
            ([1, 0, 0], 1),
            ([0, 1, 0], 0),
        ] {
            let mut bits = 1 << (6 + turn);
            for (place, man) in at.into_iter().enumerate() {
                bits |= 1u64 << (2 * place + man);
            }
            contents.watch(&[bits]);
        }
        // Blank places were seen more often than men.
        assert_eq!(contents.pieces(), [0b10_1010]);
    }
}
