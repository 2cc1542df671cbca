//! Interned names. Every sheet owns its table, so nothing global can go stale.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// A name in a [`Symbols`] table: a constant, function, relation or variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// The names of one rule sheet.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: IndexSet<Box<str>, FxBuildHasher>,
}

impl Symbols {
    /// The symbol for a name, new if it was not seen before.
    pub fn intern(&mut self, name: &str) -> Symbol {
        if let Some(index) = self.names.get_index_of(name) {
            return Symbol(index as u32);
        }
        let (index, _) = self.names.insert_full(name.into());
        Symbol(index as u32)
    }

    /// The symbol for a name, if the table has it.
    pub fn get(&self, name: &str) -> Option<Symbol> {
        self.names
            .get_index_of(name)
            .map(|index| Symbol(index as u32))
    }

    /// The name of a symbol.
    ///
    /// # Panics
    /// If the symbol is of another table with more names.
    pub fn name(&self, symbol: Symbol) -> &str {
        &self.names[symbol.0 as usize]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// All names with their symbols, in the order of first sight.
    pub fn iter(&self) -> impl Iterator<Item = (Symbol, &str)> {
        self.names
            .iter()
            .enumerate()
            .map(|(index, name)| (Symbol(index as u32), &**name))
    }
}
