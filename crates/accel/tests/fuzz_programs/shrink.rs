//! Making a sheet that fails smaller: whatever can be left out is.

use paidia_gdl::Source;
use paidia_gdl::syntax::{Notation, Sheet, print, read};

/// The smallest sheet found by leaving out clauses and conditions one by one as long as the text
/// still `fails`.
pub(crate) fn shrink(text: &str, fails: impl Fn(&str) -> bool) -> String {
    let mut sheet = read(&Source::new("shrinking", text)).sheet;
    loop {
        let before = print(&sheet, Notation::Kif).len();
        drop_clauses(&mut sheet, &fails);
        drop_conditions(&mut sheet, &fails);
        let text = print(&sheet, Notation::Kif);
        if text.len() == before {
            return text;
        }
    }
}

/// Whether the sheet still fails; if so, it takes the place of the old one.
fn take(smaller: Sheet, sheet: &mut Sheet, fails: &impl Fn(&str) -> bool) -> bool {
    let is_taken = fails(&print(&smaller, Notation::Kif));
    if is_taken {
        *sheet = smaller;
    }
    is_taken
}

fn drop_clauses(sheet: &mut Sheet, fails: &impl Fn(&str) -> bool) {
    let mut place = 0;
    while place < sheet.clauses.len() {
        let mut smaller = sheet.clone();
        smaller.clauses.remove(place);
        if !take(smaller, sheet, fails) {
            place += 1;
        }
    }
}

fn drop_conditions(sheet: &mut Sheet, fails: &impl Fn(&str) -> bool) {
    for clause in 0..sheet.clauses.len() {
        let mut place = 0;
        while place < sheet.clauses[clause].body.len() {
            let mut smaller = sheet.clone();
            smaller.clauses[clause].body.remove(place);
            if !take(smaller, sheet, fails) {
                place += 1;
            }
        }
    }
}
