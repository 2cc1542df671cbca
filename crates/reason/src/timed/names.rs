//! Times as names: what rules see of them.

use paidia_game::Ticks;
use paidia_gdl::program::Program;
use paidia_gdl::syntax::plain_numeral;
use paidia_gdl::{Symbol, Symbols};
use rustc_hash::FxHashMap;

/// The most different times in one state that the sheet does not write itself.
pub(super) const MOST_TIMES: usize = 4_096;

/// The names of times: those of the sheet, and spare ones.
pub(super) struct Names {
    /// The symbol of `infinity`, if the sheet has it.
    pub(super) infinity: Option<u32>,
    /// For each symbol of the sheet, what it is as a lifetime.
    of_sheet: Vec<Numeral>,
    /// The symbols of those times that the sheet writes.
    symbols: FxHashMap<Ticks, u32>,
    /// The first spare name; those after it are spare, too.
    first: u32,
    /// After the last of them.
    end: u32,
}

/// What a name is as a lifetime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numeral {
    /// A time above 0.
    Time(Ticks),
    /// It lasts.
    Infinity,
    /// A time that is longer than any may be.
    TooLong,
    /// 0, or no time at all.
    None,
}

impl Names {
    /// The names of a program, to which spare ones are added: twice as many as a state may have,
    /// because an update needs those of the state before it and of the aged one.
    pub(super) fn new(program: &mut Program) -> Self {
        let of_sheet: Vec<Numeral> = program
            .symbols
            .iter()
            .map(|(_, name)| numeral(name))
            .collect();
        // A sheet may spell a time in several ways; its rules have the shortest.
        let symbols = program.symbols.iter();
        let symbols = symbols.filter(|(_, name)| plain_numeral(name) == *name);
        let symbols = symbols.filter_map(|(symbol, _)| match of_sheet[symbol.0 as usize] {
            Numeral::Time(ticks) => Some((ticks, symbol.0)),
            _ => None,
        });
        let symbols: FxHashMap<Ticks, u32> = symbols.collect();
        let first = program.symbols.len() as u32;
        for number in 0..2 * MOST_TIMES {
            // No word of a sheet has a space in it.
            program.symbols.intern(&format!("time {number}"));
        }
        Self {
            infinity: program.symbols.get("infinity").map(|symbol| symbol.0),
            of_sheet,
            symbols,
            first,
            end: program.symbols.len() as u32,
        }
    }

    /// The number of a spare name.
    #[inline]
    pub(super) fn spare(&self, id: u32) -> Option<usize> {
        (self.first..self.end)
            .contains(&id)
            .then(|| (id - self.first) as usize)
    }

    /// The spare name with a number.
    pub(super) fn nth(&self, number: usize) -> u32 {
        self.first + number as u32
    }

    /// The name that the sheet has for a time.
    pub(super) fn in_sheet(&self, time: Ticks) -> Option<u32> {
        self.symbols.get(&time).copied()
    }

    /// What a name is as a lifetime, if the spare names mean these times.
    pub(super) fn lifetime(&self, id: u32, times: &[Ticks]) -> Numeral {
        if let Some(number) = self.spare(id) {
            return Numeral::Time(times[number]);
        }
        let numeral = self.of_sheet.get(id as usize);
        numeral.copied().unwrap_or(Numeral::None)
    }

    /// Writes a name.
    pub(super) fn write(&self, id: u32, times: &[Ticks], symbols: &Symbols, into: &mut String) {
        match self.spare(id) {
            Some(number) => into.push_str(&times[number].to_string()),
            None => into.push_str(symbols.name(Symbol(id))),
        }
    }
}

fn numeral(name: &str) -> Numeral {
    if name == "infinity" {
        return Numeral::Infinity;
    }
    match Ticks::parse(name) {
        Some(Ticks::ZERO) => Numeral::None,
        Some(ticks) => Numeral::Time(ticks),
        None => match name.split('.').next().and_then(|whole| {
            whole
                .bytes()
                .all(|byte| byte.is_ascii_digit())
                .then_some(whole)
        }) {
            Some(whole) if whole.len() > 12 => Numeral::TooLong,
            _ => Numeral::None,
        },
    }
}
