//! Numbers with one spelling, so that engines, to which they are names, see equal ones as equal.

use std::borrow::Cow;

use super::{Atom, Formula, Sheet, Term, TermKind};
use crate::symbol::{Symbol, Symbols};

/// The shortest spelling of a decimal number (`1` for `1.00` and `01`); other names stay.
pub fn plain_numeral(name: &str) -> Cow<'_, str> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = match name.split_once('.') {
        Some((whole, fraction)) if digits(fraction) => (whole, fraction.trim_end_matches('0')),
        Some(_) => return name.into(),
        None => (name, ""),
    };
    if !digits(whole) {
        return name.into();
    }
    let short = whole.trim_start_matches('0');
    let short = if short.is_empty() { "0" } else { short };
    match fraction {
        "" if short.len() == name.len() => name.into(),
        "" => short.to_owned().into(),
        _ => format!("{short}.{fraction}").into(),
    }
}

/// The sheet with every number in its shortest spelling.
pub(crate) fn with_plain_numerals(sheet: &Sheet) -> Sheet {
    let mut sheet = sheet.clone();
    let Sheet {
        symbols, clauses, ..
    } = &mut sheet;
    for clause in clauses {
        in_atom(&mut clause.head, symbols);
        let body = clause.body.iter_mut();
        body.for_each(|formula| in_formula(formula, symbols));
    }
    sheet
}

fn in_formula(formula: &mut Formula, symbols: &mut Symbols) {
    match formula {
        Formula::Atom(atom) => in_atom(atom, symbols),
        Formula::Distinct(left, right, _) => {
            in_term(left, symbols);
            in_term(right, symbols);
        }
        Formula::Not(inner, _) => in_formula(inner, symbols),
        Formula::And(parts, _) | Formula::Or(parts, _) => {
            parts.iter_mut().for_each(|part| in_formula(part, symbols));
        }
    }
}

fn in_atom(atom: &mut Atom, symbols: &mut Symbols) {
    atom.args.iter_mut().for_each(|arg| in_term(arg, symbols));
}

fn in_term(term: &mut Term, symbols: &mut Symbols) {
    match &mut term.kind {
        TermKind::Variable(_) => {}
        TermKind::Constant(symbol) => *symbol = plain(*symbol, symbols),
        TermKind::Compound(_, args) => args.iter_mut().for_each(|arg| in_term(arg, symbols)),
    }
}

fn plain(symbol: Symbol, symbols: &mut Symbols) -> Symbol {
    let name = symbols.name(symbol);
    match plain_numeral(name) {
        Cow::Borrowed(_) => symbol,
        Cow::Owned(shorter) => symbols.intern(&shorter),
    }
}

#[cfg(test)]
mod tests {
    use super::plain_numeral;

    #[test]
    fn equal_numbers_have_one_spelling() {
        for (name, plain) in [
            ("1", "1"),
            ("1.0", "1"),
            ("01.50", "1.5"),
            ("0.0", "0"),
            ("00", "0"),
            ("120.0", "120"),
            ("1.", "1."),
            (".5", ".5"),
            ("1.2.3", "1.2.3"),
            ("x1.0", "x1.0"),
            ("-1.0", "-1.0"),
            ("10", "10"),
        ] {
            assert_eq!(plain_numeral(name), plain, "{name}");
        }
    }
}
