//! Rules become machine code wherever there is machine code. What it answers is compared with the
//! reference in the suite of `arena`.

use paidia_accel::native;
use paidia_reason::Compiled;
use paidia_testkit::{RuleSheet, corpus};

/// Public sheets that cannot be grounded, and some that ask for what few do: functions in
/// arguments, lists, recursion, calls.
const PUBLIC: [&str; 9] = [
    "chess",
    "merrills",
    "laikLee_hex",
    "slaughter",
    "sudoku",
    "ruleDepthExponential",
    "checkers",
    "skirmish",
    "hex",
];

fn assert_translated(sheet: &RuleSheet) {
    let game = native(Compiled::new(&sheet.name, &sheet.program()).unwrap());
    let expected = paidia_accel::why_off().is_none();
    assert_eq!(game.is_translated(), expected, "{}", sheet.name);
}

#[test]
fn bundled_games_are_translated() {
    RuleSheet::all_bundled().for_each(|sheet| assert_translated(&sheet));
}

#[test]
fn public_games_are_translated() {
    let Some(corpus) = corpus() else { return };
    for name in PUBLIC {
        assert_translated(&corpus.rules(name));
    }
}
