//! Ground terms as numbers, the same in every thread.
//!
//! Constants are numbered as the program's symbols, so they need no table. Compound terms are added
//! as they are met. Every [`Terms`] is one thread's copy of a log that all copies of a game share:
//! looking up what was seen before takes no lock, and only a term that this copy has not seen goes
//! to the log.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use crate::symbol::{Symbol, Symbols};

/// A ground term: a constant's symbol number, or a compound term's number after all symbols.
pub type TermId = u32;

/// The deepest that functions can stand in functions. Readers take 200 levels, and this leaves some
/// for what stands around a term.
pub const MAX_LEVELS: u16 = 190;

/// Why a term cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoRoom {
    /// There are as many terms as there may be.
    Terms,
    /// It would have more than [`MAX_LEVELS`] levels.
    Levels,
}

/// Terms of a program: its constants, and the compound terms met so far.
#[derive(Clone, Debug)]
pub struct Terms {
    seen: Compounds,
    shared: Arc<Mutex<Compounds>>,
    constants: u32,
    limit: u32,
}

#[derive(Clone, Debug, Default)]
struct Compounds {
    /// For each compound term its function and arguments, one after the other.
    parts: Vec<u32>,
    /// Where the parts of each term start; one more entry than there are terms.
    starts: Vec<u32>,
    /// For each term, how many functions stand in each other in it.
    levels: Vec<u16>,
    ids: FxHashMap<Box<[u32]>, u32>,
}

impl Compounds {
    fn len(&self) -> usize {
        self.starts.len()
    }

    fn parts(&self, index: usize) -> &[u32] {
        let start = self.starts[index] as usize;
        let end = self
            .starts
            .get(index + 1)
            .map_or(self.parts.len(), |&end| end as usize);
        &self.parts[start..end]
    }

    fn push(&mut self, parts: &[u32], levels: u16) -> u32 {
        let index = self.len() as u32;
        self.levels.push(levels);
        self.starts.push(self.parts.len() as u32);
        self.parts.extend_from_slice(parts);
        self.ids.insert(parts.into(), index);
        index
    }
}

impl Terms {
    /// The constants of a program, and room for `limit` compound terms.
    pub fn new(symbols: &Symbols, limit: u32) -> Self {
        Self {
            seen: Compounds::default(),
            shared: Arc::default(),
            constants: symbols.len() as u32,
            limit: limit.min(u32::MAX - symbols.len() as u32 - 1),
        }
    }

    /// The number of a compound term given as its function's symbol followed by its arguments;
    /// `None` if this copy has not seen it.
    pub fn find(&self, parts: &[u32]) -> Option<TermId> {
        self.seen
            .ids
            .get(parts)
            .map(|&index| self.constants + index)
    }

    /// The number of a compound term, new if need be.
    ///
    /// # Errors
    /// If there is no room for it.
    pub fn intern(&mut self, parts: &[u32]) -> Result<TermId, NoRoom> {
        if let Some(id) = self.find(parts) {
            return Ok(id);
        }
        let args = parts.iter().skip(1).map(|&arg| self.levels(arg));
        let levels = 1 + args.max().unwrap_or(0);
        if levels > MAX_LEVELS {
            return Err(NoRoom::Levels);
        }
        let shared = Arc::clone(&self.shared);
        // A thread that panicked here left whole terms behind, so its lock can be taken over.
        let mut log = shared.lock().unwrap_or_else(PoisonError::into_inner);
        self.learn(&log);
        if let Some(id) = self.find(parts) {
            return Ok(id);
        }
        if log.len() >= self.limit as usize {
            return Err(NoRoom::Terms);
        }
        log.push(parts, levels);
        Ok(self.constants + self.seen.push(parts, levels))
    }

    fn learn(&mut self, log: &Compounds) {
        for index in self.seen.len()..log.len() {
            self.seen.push(log.parts(index), log.levels[index]);
        }
    }

    /// How many functions stand in each other in a term that this copy has seen.
    fn levels(&self, id: TermId) -> u16 {
        let index = id.checked_sub(self.constants);
        let levels = index.and_then(|index| self.seen.levels.get(index as usize));
        levels.copied().unwrap_or(0)
    }

    /// The function and arguments of a compound term that this copy has seen; `None` for a
    /// constant.
    pub fn parts(&self, id: TermId) -> Option<&[u32]> {
        let index = id.checked_sub(self.constants)? as usize;
        (index < self.seen.len()).then(|| self.seen.parts(index))
    }

    /// Learns all terms that other copies have met.
    pub fn catch_up(&mut self) {
        let shared = Arc::clone(&self.shared);
        let log = shared.lock().unwrap_or_else(PoisonError::into_inner);
        self.learn(&log);
    }

    /// Whether this copy knows the term.
    pub fn knows(&self, id: TermId) -> bool {
        (id as usize) < self.constants as usize + self.seen.len()
    }

    /// Writes the term in prefix form with single spaces.
    pub fn write(&self, id: TermId, symbols: &Symbols, into: &mut String) {
        match self.parts(id) {
            None => into.push_str(symbols.name(Symbol(id.min(self.constants - 1)))),
            Some(parts) => {
                into.push('(');
                into.push_str(symbols.name(Symbol(parts[0])));
                for &arg in &parts[1..] {
                    into.push(' ');
                    self.write(arg, symbols, into);
                }
                into.push(')');
            }
        }
    }

    /// Writes a function with its arguments (or, with none, a constant) in prefix form with single
    /// spaces.
    pub fn write_row(
        &self,
        functor: Option<Symbol>,
        row: &[TermId],
        symbols: &Symbols,
        into: &mut String,
    ) {
        let Some(functor) = functor else {
            row.iter().for_each(|&id| self.write(id, symbols, into));
            return;
        };
        into.push('(');
        into.push_str(symbols.name(functor));
        for &arg in row {
            into.push(' ');
            self.write(arg, symbols, into);
        }
        into.push(')');
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_LEVELS, NoRoom, Terms};
    use crate::symbol::Symbols;

    #[test]
    fn copies_agree_on_numbers() {
        let mut symbols = Symbols::default();
        let (f, a) = (symbols.intern("f").0, symbols.intern("a").0);
        let mut first = Terms::new(&symbols, 10);
        let mut second = first.clone();
        let fa = first.intern(&[f, a]).unwrap();
        let ffa = first.intern(&[f, fa]).unwrap();
        assert_eq!(second.find(&[f, a]), None);
        assert_eq!(second.intern(&[f, fa]), Ok(ffa));
        let mut text = String::new();
        second.write(ffa, &symbols, &mut text);
        assert_eq!(text, "(f (f a))");
    }

    #[test]
    fn the_limit_holds() {
        let mut symbols = Symbols::default();
        let (f, a, b) = (
            symbols.intern("f").0,
            symbols.intern("a").0,
            symbols.intern("b").0,
        );
        let mut terms = Terms::new(&symbols, 1);
        assert!(terms.intern(&[f, a]).is_ok());
        assert_eq!(terms.intern(&[f, b]), Err(NoRoom::Terms));
        assert!(terms.intern(&[f, a]).is_ok());
    }
    #[test]
    fn terms_do_not_grow_for_ever() {
        let mut symbols = Symbols::default();
        let (f, a) = (symbols.intern("f").0, symbols.intern("a").0);
        let mut terms = Terms::new(&symbols, 1_000);
        let mut term = a;
        for _ in 0..MAX_LEVELS {
            term = terms.intern(&[f, term]).unwrap();
        }
        assert_eq!(terms.intern(&[f, term]), Err(NoRoom::Levels));
        // A copy that has seen nothing yet knows how deep the others' terms are.
        let mut copy = Terms {
            seen: super::Compounds::default(),
            ..terms
        };
        copy.catch_up();
        assert_eq!(copy.intern(&[f, term]), Err(NoRoom::Levels));
    }
}
