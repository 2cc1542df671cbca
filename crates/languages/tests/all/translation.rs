//! Rules in GDL mean the same.

use paidia_game::CrossCheck;
use paidia_languages::board::gdl::translate;
use paidia_testkit::{RuleSheet, boards};

use crate::data::{game, games, rules};

#[test]
fn every_game_is_the_same_in_gdl() {
    let Some(folder) = boards() else { return };
    for (name, text) in games(&folder) {
        let translated = translate(&rules(&name, &text)).unwrap();
        let sheet = RuleSheet::new(&name, &translated);
        let check = CrossCheck {
            trusted: sheet.reference(),
            suspect: game(&name, &text),
        };
        let agreement = check
            .run(1, 12, 3)
            .unwrap_or_else(|difference| panic!("{name}: {difference}"));
        assert!(agreement.states > 2, "{name}");
    }
}

/// What bundled and reference games do not have: goals by numbers above 0, passes, ways that meet,
/// captures of own men, a letter without men.
#[test]
fn unusual_rules_are_the_same_in_gdl() {
    let text = "<<Odd>><BOARD> 4 4 |a.aa||....||.M..||MM.M| <PIECES>
        M ((1,1,p)(1,1,e)+(-1,1,p)(-1,1,e))((1,1,p)(1,1,e)+(-1,1,p)(-1,1,e))^* + (0,1,e) + (0,0,w) + (1,0,w) &
        A (0,1,e)^* + (1,0,e)(-1,0,w)(0,1,p) + (0,1,w) & Z (0,1,e) &
        <GOALS> 30 & @M 0 3, 3 3 & #M 2 & #a 1 & #z 0 & @a 2 0 &";
    let sheet = RuleSheet::new("odd", &translate(&rules("odd", text)).unwrap());
    let check = CrossCheck {
        trusted: sheet.reference(),
        suspect: game("odd", text),
    };
    let agreement = check
        .run(40, 40, 5)
        .unwrap_or_else(|difference| panic!("{difference}"));
    assert!(agreement.states > 200, "{agreement:?}");
}
