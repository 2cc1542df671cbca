//! Metagame and Toss: the listings of the thesis are the games that we have in GDL, and faulty
//! texts are refused.

use std::collections::BTreeSet;
use std::path::Path;

use paidia_game::{Chance, Game, Goal, LegalMoves, RoleId, Rules, Walker};
use paidia_gdl::Source;
use paidia_languages::{metagame, toss};
use paidia_testkit::rules::RuleSheet;

fn bundled(path: &str) -> String {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    std::fs::read_to_string(games.join(path)).unwrap()
}

fn of_metagame(text: &str) -> Result<String, String> {
    let reading = metagame::read(&Source::new("test", text));
    match reading.problems.iter().find(|problem| problem.is_error()) {
        Some(problem) => Err(problem.message.clone()),
        None => Ok(metagame::to_gdl(&reading.description)),
    }
}

fn of_toss(text: &str) -> Result<String, String> {
    let reading = toss::read(&Source::new("test", text));
    match reading.problems.iter().find(|problem| problem.is_error()) {
        Some(problem) => Err(problem.message.clone()),
        None => Ok(toss::to_gdl(&reading.description)),
    }
}

/// The moves of a role in the words of the other game, in order.
fn texts(
    game: &impl Rules,
    legal: &LegalMoves,
    role: usize,
    told: &dyn Fn(&str) -> String,
) -> BTreeSet<String> {
    let moves = legal.of(RoleId(role as u16)).iter();
    moves
        .map(|&id| told(&game.moves().get(id).unwrap()))
        .collect()
}

/// Plays both games move by move, at random; how many positions were compared.
fn are_equal(one: &str, other: &str, told: &dyn Fn(&str) -> String, plays: u64) -> usize {
    let [one, other] = [RuleSheet::new("one", one), RuleSheet::new("other", other)];
    let (one, other) = (one.reference(), other.reference());
    let (mut left, mut right) = (one.walker(), other.walker());
    let mut positions = 0;
    for seed in 0..plays {
        let mut chance = Chance::from_seed(seed);
        left.jump(&one.initial());
        right.jump(&other.initial());
        loop {
            positions += 1;
            assert_eq!(left.is_terminal(), right.is_terminal(), "seed {seed}");
            if left.is_terminal() {
                for role in [RoleId(0), RoleId(1)] {
                    assert!(matches!(left.goal(role), Goal::One(_)));
                    assert_eq!(left.goal(role), right.goal(role), "seed {seed}");
                }
                break;
            }
            let mut joints = [Vec::new(), Vec::new()];
            for role in 0..2 {
                let legal = left.legal().of(RoleId(role as u16)).to_vec();
                let mine = texts(&one, left.legal(), role, told);
                let theirs = texts(&other, right.legal(), role, &str::to_owned);
                assert_eq!(mine, theirs, "seed {seed}");
                let chosen = chance.pick(&legal).unwrap();
                joints[0].push(chosen);
                let text = told(&one.moves().get(chosen).unwrap());
                let id = right.legal().of(RoleId(role as u16)).iter().copied();
                joints[1].push(
                    id.clone()
                        .find(|&id| *other.moves().get(id).unwrap() == *text)
                        .unwrap(),
                );
            }
            left.advance(&joints[0], &mut chance);
            right.advance(&joints[1], &mut chance);
        }
    }
    positions
}

#[test]
fn american_checkers_is_our_checkers() {
    let ours = of_metagame(&bundled("american-checkers/rules.metagame")).unwrap();
    let positions = are_equal(&ours, &bundled("checkers/rules.kif"), &str::to_owned, 3);
    assert!(positions > 60, "{positions}");
}

#[test]
fn tic_tac_toe_is_our_tic_tac_toe() {
    let ours = of_toss(&bundled("tic-tac-toe-rewritten/rules.toss")).unwrap();
    let told = |text: &str| {
        let words: Vec<&str> = text.trim_matches(['(', ')']).split(' ').collect();
        match words[..] {
            [_, square] => {
                let (x, y) = (square.as_bytes()[0] - b'a' + 1, &square[1..]);
                format!("(mark {x} {y})")
            }
            _ => text.to_owned(),
        }
    };
    let positions = are_equal(&ours, &bundled("tic-tac-toe/rules.kif"), &told, 200);
    assert!(positions > 1000, "{positions}");
}

#[test]
fn riders_hoppers_and_clobbering_are_played() {
    // A rook and a cannon of one rank against their images, on a board whose sides meet.
    let text = "GAME small GOALS eradicate opponent any_piece stalemate opponent
        BOARD SIZE 4 BY 5 BOARD TYPE vertical_cylinder
        SETUP rook AT {(1,1)} cannon AT {(2,1)}
        DEFINE rook MOVING MOVEMENT RIDE <0,1> SYMMETRY {forward rotate side} END MOVEMENT END MOVING
        CAPTURING CAPTURE BY {clobber} TYPE [{opponent} any_piece] EFFECT remove
        MOVEMENT RIDE <0,1> SYMMETRY {forward rotate side} END MOVEMENT END CAPTURE END CAPTURING
        END DEFINE
        DEFINE cannon MOVING MOVEMENT LEAP <0,1> END MOVEMENT END MOVING
        CAPTURING CAPTURE BY {clobber} TYPE [{opponent} rook] EFFECT remove
        MOVEMENT HOP BEFORE [X = 0] OVER [X = 1] AFTER [X = 1]
        HOP_OVER [{player opponent} any_piece] <0,1> END MOVEMENT END CAPTURE END CAPTURING
        END DEFINE END GAME.";
    let sheet = RuleSheet::new("small", &of_metagame(text).unwrap());
    let game = sheet.reference();
    let mut walker = game.walker();
    walker.jump(&game.initial());
    let moves: BTreeSet<String> = texts(&game, walker.legal(), 0, &str::to_owned);
    let expected = [
        // The rook: up to the far row, and round the cylinder to the left as far as the cannon.
        "(move 1 1 1 2)",
        "(move 1 1 1 3)",
        "(move 1 1 1 4)",
        "(move 1 1 1 5)",
        "(move 1 1 4 1)",
        "(move 1 1 3 1)",
        "(move 2 1 2 2)",
    ];
    assert_eq!(moves, expected.map(str::to_owned).into());
}

#[test]
fn faulty_texts_are_refused_by_what_is_wrong() {
    let checkers = bundled("american-checkers/rules.metagame");
    for (from, to, why) in [
        ("GOALS stalemate opponent", "", "`GOALS` are missing"),
        (
            "PROMOTE_TO king",
            "PROMOTE_TO queen",
            "no piece is called `queen`",
        ),
        ("(3,1)", "(30,1)", "a column of the board is from 1 to 8"),
        ("(3,1)", "(1,1)", "two pieces stand on one square"),
        (
            "EFFECT remove",
            "EFFECT player possesses",
            "no other effect",
        ),
        ("8 BY 8", "8000 BY 8000", "from 1 to 26"),
        ("END GAME.", "", "the text ends here"),
        ("LEAP", "SWIM", "`swim` stands here"),
    ] {
        let error = of_metagame(&checkers.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(why), "{from} to {to}: {error}");
    }
    let rows = bundled("tic-tac-toe-rewritten/rules.toss");
    let deep = format!("{}WinQ(){}", "(".repeat(500), ")".repeat(500));
    for (from, to, why) in [
        ("not WinQ()", "not WinR()", "no relation `WinR`"),
        ("not WinQ()", &*deep, "nested deeper"),
        ("[Cross -> 1]", "[Cross -> 7]", "no location 7"),
        ("PLAYERS X, O", "PLAYERS X", "no player `O`"),
        (" . . .\n . . .\n . . .\n", "", "from 1 to 1024 elements"),
        ("MODEL", "MODELL", "`MODELL` stands here"),
    ] {
        let error = of_toss(&rows.replacen(from, to, 1)).unwrap_err();
        assert!(error.contains(why), "{from}: {error}");
    }
}

#[test]
fn damage_of_any_byte_is_survived() {
    let texts = [
        bundled("american-checkers/rules.metagame"),
        bundled("tic-tac-toe-rewritten/rules.toss"),
    ];
    for (place, text) in texts.iter().enumerate() {
        for at in (0..text.len()).step_by(3) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = b"({[<;9x\""[at % 8];
            let damaged = String::from_utf8_lossy(&bytes).into_owned();
            let _ = match place {
                0 => of_metagame(&damaged),
                _ => of_toss(&damaged),
            };
            let cut = &text[..text.floor_char_boundary(at)];
            assert!(of_metagame(cut).is_err() && of_toss(cut).is_err());
        }
    }
}
