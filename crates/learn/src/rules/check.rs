//! Whether an automaton agrees with what was seen.

use std::cell::RefCell;

use paidia_languages::board::{Automaton, Letter};
use rustc_hash::{FxHashMap, FxHashSet};

use super::observations::Observations;
use super::walk::{Board, on_board, possible};

/// A part of a number, exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    /// This number
    pub of: u32,
    /// among that number; not 0, and no less than `of`.
    pub among: u32,
}

/// Which automata are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Those that produce nothing in the positions seen that was not legal there. Where only the
    /// word played is known, an unknown word is allowed if all words with one letter less were
    /// seen.
    Bjornsson,
    /// Those of whose possible words at least this part was seen; where all legal words are known,
    /// [`Check::Bjornsson`] must allow them, too.
    Fractional(Fraction),
    /// Those that accept what was seen and no other possible word.
    Fast,
}

/// The square of a man and the words that it was seen to have there.
struct Stand {
    board: usize,
    square: usize,
    words: FxHashSet<u32>,
}

/// Says which automata agree with what was seen of one kind of men.
pub(crate) trait Judges {
    /// The words that were seen.
    fn words(&self) -> &[Vec<Letter>];

    /// Whether an automaton that accepts all words seen is allowed.
    fn allows(&self, automaton: &Automaton) -> bool;
}

/// Judges automata of one kind of men.
pub(super) struct Judge {
    check: Check,
    width: usize,
    height: usize,
    /// The words seen, by number.
    words: Vec<Vec<Letter>>,
    numbers: FxHashMap<Vec<Letter>, u32>,
    /// The words of all kinds of men.
    all_words: FxHashSet<Vec<Letter>>,
    boards: Vec<Board>,
    /// Whether all legal words are known on a board.
    is_complete: Vec<bool>,
    stands: Vec<Stand>,
    /// What was found out about unknown words.
    known: RefCell<FxHashMap<Vec<Letter>, bool>>,
}

impl Judge {
    /// A judge by what was seen of the men of an upper case letter, of both colours.
    pub(super) fn new(seen: &Observations, letter: u8, check: Check) -> Self {
        let mut this = Self {
            check,
            width: seen.width,
            height: seen.height,
            words: Vec::new(),
            numbers: FxHashMap::default(),
            all_words: FxHashSet::default(),
            boards: Vec::new(),
            is_complete: Vec::new(),
            stands: Vec::new(),
            known: RefCell::default(),
        };
        for position in &seen.positions {
            let board = this.boards.len();
            this.boards.push(Board::new(position, seen.width));
            this.is_complete.push(position.is_complete);
            let mut words: FxHashMap<usize, FxHashSet<u32>> = FxHashMap::default();
            for seen in &position.words {
                if !this.all_words.contains(&seen.word) {
                    this.all_words.insert(seen.word.clone());
                }
                if seen.letter.eq_ignore_ascii_case(&letter) {
                    let number = this.number(&seen.word);
                    words.entry(seen.square).or_default().insert(number);
                }
            }
            let own = if position.is_white {
                letter
            } else {
                letter.to_ascii_lowercase()
            };
            for (square, _) in position
                .board
                .iter()
                .enumerate()
                .filter(|(_, man)| **man == own)
            {
                let words = words.remove(&square).unwrap_or_default();
                this.stands.push(Stand {
                    board,
                    square,
                    words,
                });
            }
        }
        this
    }

    fn number(&mut self, word: &[Letter]) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let number = self.words.len() as u32;
        self.words.push(word.to_vec());
        self.numbers.insert(word.to_vec(), number);
        number
    }

    /// Whether all possible words of an automaton but `most` were seen.
    fn has_unknown_at_most(&self, automaton: &Automaton, most: u64) -> bool {
        let mut unknown = 0;
        let all = possible(automaton, self.width, self.height, &mut |word| {
            unknown += u64::from(!self.numbers.contains_key(word));
            unknown <= most
        });
        all.is_ok()
    }

    /// Whether an automaton produces nothing in the positions seen that it must not. Where only one
    /// word is known, that is asked if `is_strict`.
    fn agrees(&self, automaton: &Automaton, is_strict: bool) -> bool {
        self.stands.iter().all(|stand| {
            let is_complete = self.is_complete[stand.board];
            if !is_complete && !is_strict {
                return true;
            }
            let board = &self.boards[stand.board];
            let mut visit = |word: &[Letter]| match is_complete {
                true => {
                    let number = self.numbers.get(word);
                    number.is_some_and(|number| stand.words.contains(number))
                }
                false => self.all_words.contains(word) || self.is_likely(word),
            };
            on_board(automaton, board, stand.square, &mut visit).is_ok()
        })
    }

    /// Whether all words with one letter less were seen.
    fn is_likely(&self, word: &[Letter]) -> bool {
        if let Some(&known) = self.known.borrow().get(word) {
            return known;
        }
        let mut shorter = Vec::with_capacity(word.len());
        let is_likely = (0..word.len()).all(|left_out| {
            shorter.clear();
            shorter.extend_from_slice(&word[..left_out]);
            shorter.extend_from_slice(&word[left_out + 1..]);
            self.all_words.contains(&shorter)
        });
        self.known.borrow_mut().insert(word.to_vec(), is_likely);
        is_likely
    }
}

impl Judges for Judge {
    fn words(&self) -> &[Vec<Letter>] {
        &self.words
    }

    /// One that accepts the empty word, which can be performed everywhere, is not allowed unless
    /// that was seen.
    fn allows(&self, automaton: &Automaton) -> bool {
        if automaton.is_accepting(0) && !self.numbers.contains_key(&[][..]) {
            return false;
        }
        match self.check {
            Check::Bjornsson => self.agrees(automaton, true),
            Check::Fast => self.has_unknown_at_most(automaton, 0),
            Check::Fractional(Fraction { of, among }) => {
                // At least `of` of `among` words were seen: unknown * of <= seen * (among - of).
                let spare = u64::from(among.saturating_sub(of)) * self.words.len() as u64;
                let most = spare / u64::from(of.max(1));
                self.has_unknown_at_most(automaton, most) && self.agrees(automaton, false)
            }
        }
    }
}
