//! What is known of the steps that a kind of pieces makes while it is in hand.

use std::cell::RefCell;

use paidia_languages::board::{Automaton, Letter, On};
use rustc_hash::{FxHashMap, FxHashSet};

use super::scene::{Does, Hand, Micro, Scene};
use super::watch::Sight;
use crate::rules::Judges;

/// Ways of an automaton from one square are followed for at most this many steps.
const MAX_STEPS: u64 = 200_000;

/// A step as a letter of an automaton: removing is the step to the own square that asks for an own
/// piece, which no other step is. Adding ends a word and is none.
pub(super) fn letter(micro: Micro) -> Option<Letter> {
    let on = match micro.does {
        Does::Empty => On::Empty,
        Does::Opponent => On::Opponent,
        Does::Own | Does::Removes => On::Own,
        Does::Adds => return None,
    };
    let [dx, dy] = [micro.dx, micro.dy].map(i16::try_from);
    Some(Letter {
        dx: dx.ok()?,
        dy: dy.ok()?,
        on,
    })
}

/// The step for a letter.
pub(super) fn micro(letter: Letter) -> Micro {
    if (letter.dx, letter.dy, letter.on) == (0, 0, On::Own) {
        return Micro::REMOVE;
    }
    Micro {
        dx: letter.dx.into(),
        dy: letter.dy.into(),
        does: match letter.on {
            On::Empty => Does::Empty,
            On::Opponent => Does::Opponent,
            On::Own => Does::Own,
        },
    }
}

/// A piece in hand, with the words that it was seen to go on with.
struct Stand<'a> {
    scene: &'a Scene,
    hand: Hand,
    words: FxHashSet<Vec<Letter>>,
    is_complete: bool,
}

/// Judges automata of a kind of pieces.
pub(super) struct SegmentJudge<'a> {
    words: Vec<Vec<Letter>>,
    known: FxHashSet<Vec<Letter>>,
    stands: Vec<Stand<'a>>,
    /// Unknown words that were asked about where not all moves are known.
    likely: RefCell<FxHashMap<Vec<Letter>, bool>>,
}

impl<'a> SegmentJudge<'a> {
    /// A judge for a kind, by its upper case letter: for pieces that moves begin with, or for
    /// those that are added in the middle of one.
    pub(super) fn new(seen: &'a [Sight], kind: u8, is_added: bool) -> Self {
        let begins = |sight: &Sight| {
            let mut from = sight.records.iter().map(|record| record.from);
            from.any(|from| sight.scene.board[from].eq_ignore_ascii_case(&kind))
        };
        let starts_moves = !is_added && seen.iter().any(begins);
        let mut stands = Vec::new();
        for sight in seen {
            let mut open: FxHashMap<(usize, usize, Vec<Micro>), Stand<'a>> = FxHashMap::default();
            let new = |hand: Hand| Stand {
                scene: &sight.scene,
                hand,
                words: FxHashSet::default(),
                is_complete: sight.is_complete,
            };
            if starts_moves && sight.is_complete {
                for from in 0..sight.scene.board.len() {
                    let hand = sight.scene.lift(from);
                    if let Some(hand) = hand.filter(|hand| hand.piece.eq_ignore_ascii_case(&kind)) {
                        open.insert((from, 0, Vec::new()), new(hand));
                    }
                }
            }
            for record in &sight.records {
                for (start, hand, word) in segments(&sight.scene, record) {
                    let is_wanted = (start > 0) == is_added;
                    if is_wanted && hand.piece.eq_ignore_ascii_case(&kind) {
                        let place = (record.from, start, record.steps[..start].to_vec());
                        let stand = open.entry(place).or_insert_with(|| new(hand));
                        stand.words.insert(word);
                    }
                }
            }
            stands.extend(open.into_values());
        }
        let known: FxHashSet<Vec<Letter>> = stands
            .iter()
            .flat_map(|stand| stand.words.iter().cloned())
            .collect();
        let mut words: Vec<Vec<Letter>> = known.iter().cloned().collect();
        words.sort_unstable();
        Self {
            words,
            known,
            stands,
            likely: RefCell::default(),
        }
    }

    /// Whether all words with one letter less were seen.
    fn is_likely(&self, word: &[Letter]) -> bool {
        if let Some(&known) = self.likely.borrow().get(word) {
            return known;
        }
        let is_likely = (0..word.len()).all(|left_out| {
            let shorter = [&word[..left_out], &word[left_out + 1..]].concat();
            self.known.contains(&shorter)
        });
        self.likely.borrow_mut().insert(word.to_vec(), is_likely);
        is_likely
    }
}

/// The parts of a move between additions: where each begins, the piece in hand then, its steps.
fn segments(scene: &Scene, record: &super::Record) -> Vec<(usize, Hand, Vec<Letter>)> {
    let Some(mut hand) = scene.lift(record.from) else {
        return Vec::new();
    };
    let mut segments = vec![(0, hand.clone(), Vec::new())];
    for (place, &micro) in record.steps.iter().enumerate() {
        let Some(next) = scene.step(&hand, micro) else {
            return Vec::new();
        };
        hand = next;
        match letter(micro) {
            Some(letter) => {
                if let Some((_, _, word)) = segments.last_mut() {
                    word.push(letter);
                }
            }
            None => segments.push((place + 1, hand.clone(), Vec::new())),
        }
    }
    segments
}

impl Judges for SegmentJudge<'_> {
    fn words(&self) -> &[Vec<Letter>] {
        &self.words
    }

    fn allows(&self, automaton: &Automaton) -> bool {
        if automaton.is_accepting(0) && !self.known.contains(&[][..]) {
            return false;
        }
        self.stands.iter().all(|stand| {
            let mut walk = Walk {
                scene: stand.scene,
                automaton,
                word: Vec::new(),
                path: vec![(stand.hand.square, 0)],
                steps: 0,
            };
            walk.from(&stand.hand, 0, &mut |word| match stand.is_complete {
                true => stand.words.contains(word),
                false => self.known.contains(word) || self.is_likely(word),
            })
        })
    }
}

/// Going all ways of an automaton with a piece in hand. A way ends where it comes back to a square
/// in the same state.
struct Walk<'a> {
    scene: &'a Scene,
    automaton: &'a Automaton,
    word: Vec<Letter>,
    path: Vec<(usize, u32)>,
    steps: u64,
}

impl Walk<'_> {
    /// Whether all words on these ways are wanted.
    fn from(&mut self, hand: &Hand, state: u32, wants: &mut dyn FnMut(&[Letter]) -> bool) -> bool {
        for &(letter, to) in self.automaton.edges(state) {
            let Some(next) = self.scene.step(hand, micro(letter)) else {
                continue;
            };
            if self.path.contains(&(next.square, to)) {
                continue;
            }
            self.steps += 1;
            if self.steps > MAX_STEPS {
                return false;
            }
            self.word.push(letter);
            self.path.push((next.square, to));
            let is_wanted = !self.automaton.is_accepting(to) || wants(&self.word);
            if !is_wanted || !self.from(&next, to, wants) {
                return false;
            }
            self.word.pop();
            self.path.pop();
        }
        true
    }
}
