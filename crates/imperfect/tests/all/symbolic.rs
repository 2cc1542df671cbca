//! The symbolic model checker against the one by lists, and against what is known of Monty Hall.

use paidia_game::Chance;
use paidia_gdl::Dialect;
use paidia_imperfect::epistemic::probe::Probe;
use paidia_imperfect::epistemic::{Checker, Formula, standard};
use paidia_imperfect::symbolic::{Options, Symbolic, TooHard, mck};
use paidia_imperfect::{Explorer, Limits};
use paidia_testkit::rules::{RuleSheet, bundled, rules};
use serde_json::Value;

use crate::reference::{folder, json};

const NODES: usize = 1 << 21;

/// All combinations of the three optimisations.
fn combinations() -> impl Iterator<Item = Options> {
    (0..8).map(|bits| Options {
        definitions: bits & 1 == 0,
        statics: bits & 2 == 0,
        typed: bits & 4 == 0,
        freeze: true,
    })
}

fn symbolic(sheet: &RuleSheet, options: Options) -> Symbolic {
    Symbolic::new(&sheet.program(), options, NODES).unwrap()
}

/// Formulas made by chance over atoms of a game.
struct Maker {
    chance: Chance,
    atoms: Vec<String>,
    players: Vec<String>,
}

impl Maker {
    fn new(sheet: &RuleSheet, seed: u64) -> Self {
        let system = symbolic(sheet, Options::default());
        let system = system.system();
        let mut atoms: Vec<String> = system
            .atoms
            .iter()
            .filter(|atom| !atom.by_move || atom.name.starts_with("(sees"))
            .map(|atom| atom.name.clone())
            .filter(|name| {
                name.starts_with("(true")
                    || name.starts_with("(legal")
                    || name.starts_with("(goal")
                    || name.starts_with("(sees")
            })
            .collect();
        atoms.push("terminal".to_owned());
        for (role, moves) in system.roles.iter().zip(&system.moves) {
            atoms.extend(moves.iter().map(|name| format!("(does {role} {name})")));
        }
        let players = system.roles.iter().filter(|role| *role != "random");
        Self {
            chance: Chance::from_seed(seed),
            atoms,
            players: players.cloned().collect(),
        }
    }

    fn formula(&mut self, depth: u32) -> String {
        let one = |maker: &mut Self| maker.formula(depth - 1);
        if depth == 0 {
            return one_of(&mut self.chance, &self.atoms);
        }
        let player = one_of(&mut self.chance, &self.players);
        let all = self.players.join(" ");
        match self.chance.below(13) {
            0 => format!("(not {})", one(self)),
            1 => format!("(and {} {})", one(self), one(self)),
            2 => format!("(or {} {})", one(self), one(self)),
            3 => format!("(-> {} {})", one(self), one(self)),
            4 => format!("(X {})", one(self)),
            5 => format!("(F {})", one(self)),
            6 => format!("(G {})", one(self)),
            7 => format!("(U {} {})", one(self), one(self)),
            8 => format!("(A {})", one(self)),
            9 => format!("(E {})", one(self)),
            10 => format!("(K {player} {})", one(self)),
            11 => format!("(M {player} {})", one(self)),
            _ => format!("(CK ({all}) {})", one(self)),
        }
    }
}

fn one_of(chance: &mut Chance, all: &[String]) -> String {
    all[chance.below(all.len() as u32) as usize].clone()
}

/// Both checkers on formulas; how many hold.
fn compare(sheet: &RuleSheet, formulas: &[String], options: Options) -> usize {
    let game = sheet.propnet();
    let (read, _) = sheet.read();
    let mut checker = Checker::new(Explorer::new(&game, Limits::default()).unwrap());
    let mut derive = Probe {
        game: &game,
        sheet: &read,
        dialect: Dialect::GdlII,
    };
    let mut symbolic = symbolic(sheet, options);
    let mut hold = 0;
    for text in formulas {
        let formula = Formula::read(text).unwrap();
        let one = checker.check(&formula, &mut derive).unwrap();
        let other = symbolic.check(&formula).unwrap();
        assert_eq!(one.holds, other.holds, "{}: {text} {options:?}", sheet.name);
        hold += usize::from(one.holds);
    }
    hold
}

#[test]
fn formulas_made_by_chance_are_decided_alike() {
    let mut holding = 0;
    let names = ["monty-hall", "spy-vs-spy", "exploding-bomb", "kuhn-poker"];
    for (seed, name) in names.into_iter().enumerate() {
        let sheet = bundled(name);
        let mut maker = Maker::new(&sheet, seed as u64);
        let formulas: Vec<String> = (0..50)
            .map(|number| maker.formula(2 + number % 3))
            .collect();
        holding += compare(&sheet, &formulas, Options::default());
    }
    assert!((20..180).contains(&holding), "{holding} of 200");
}

/// The second proposition of the paper, for each combination of its optimisations.
#[test]
fn no_optimisation_changes_an_answer() {
    for name in ["monty-hall", "spy-vs-spy"] {
        let sheet = bundled(name);
        for (seed, options) in combinations().enumerate() {
            let mut maker = Maker::new(&sheet, 100 + seed as u64);
            let formulas: Vec<String> = (0..6).map(|_| maker.formula(3)).collect();
            compare(&sheet, &formulas, options);
        }
    }
}

/// Formulas whose truth was computed elsewhere: all of them, or as many of each list as
/// `PAIDIA_FORMULAS` says.
#[test]
fn formulas_of_the_collection_are_decided_as_recorded() {
    let Some(folder) = folder() else { return };
    let most = std::env::var("PAIDIA_FORMULAS");
    let most: usize = most.map_or(usize::MAX, |most| most.parse().unwrap());
    let mut compared = 0;
    for entry in json(&folder.join("index.json"))
        .unwrap()
        .as_array()
        .unwrap()
    {
        let name = entry["game"].as_str().unwrap();
        let text = std::fs::read_to_string(folder.join(format!("games/{name}.kif"))).unwrap();
        let mut checker: Option<Symbolic> = None;
        for kind in ["", ".random"] {
            let Some(truth) = json(&folder.join(format!("modelcheck/{name}{kind}.json"))) else {
                continue;
            };
            let checker = checker
                .get_or_insert_with(|| symbolic(&RuleSheet::new(name, &text), Options::default()));
            for entry in truth["formulas"]
                .as_array()
                .into_iter()
                .flatten()
                .take(most)
            {
                let formula = Formula::read(entry["formula"].as_str().unwrap()).unwrap();
                let verdict = checker.check(&formula).unwrap();
                let theirs = entry["value"] == Value::Bool(true);
                assert_eq!(verdict.holds, theirs, "{name}: {formula}");
                assert!(verdict.holds || verdict.run.is_some(), "{name}: {formula}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 40 || compared >= most, "{compared}");
}

/// Monty Hall as the paper prints it, with its last line as it is meant.
pub(crate) const MONTY: &str = "
(role candidate) (role random)
(init (closed 1)) (init (closed 2)) (init (closed 3)) (init (step 1))
(<= (legal random (hide_car ?d)) (true (step 1)) (true (closed ?d)))
(<= (legal random (open_door ?d)) (true (step 2)) (true (closed ?d)) (not (true (car ?d)))
    (not (true (chosen ?d))))
(<= (legal random noop) (true (step 3)))
(<= (legal candidate (choose_door ?d)) (true (step 1)) (true (closed ?d)))
(<= (legal candidate noop) (true (step 2)))
(<= (legal candidate noop) (true (step 3)))
(<= (legal candidate switch) (true (step 3)))
(<= (sees candidate ?d) (does random (open_door ?d)))
(<= (sees candidate ?d) (true (step 3)) (true (car ?d)))
(<= (next (car ?d)) (does random (hide_car ?d)))
(<= (next (car ?d)) (true (car ?d)))
(<= (next (closed ?d)) (true (closed ?d)) (not (does random (open_door ?d))))
(<= (next (chosen ?d)) (does candidate (choose_door ?d)))
(<= (next (chosen ?d)) (true (chosen ?d)) (not (does candidate switch)))
(<= (next (chosen ?d)) (does candidate switch) (true (closed ?d)) (not (true (chosen ?d))))
(<= (next (step 2)) (true (step 1)))
(<= (next (step 3)) (true (step 2)))
(<= (next (step 4)) (true (step 3)))
(<= terminal (true (step 4)))
(<= (goal candidate 100) (true (chosen ?d)) (true (car ?d)))
(<= (goal candidate 0) (true (chosen ?d)) (not (true (car ?d))))";

/// The counts of the specification: 13 fluents twice, 3 percepts, 12 legal moves, the end and two
/// goals, beside two atoms for roles; with definitions 29; the moves have 7 and 9 values.
#[test]
fn monty_hall_has_as_many_variables_as_the_paper_counts() {
    let none = Options {
        definitions: false,
        statics: false,
        typed: false,
        freeze: true,
    };
    let size = |options| symbolic(&rules(MONTY), options).statistics();
    let literal = size(none);
    assert_eq!((literal.booleans, literal.enumerated), (46, 2));
    let statics = size(Options {
        statics: true,
        ..none
    });
    assert_eq!((statics.booleans, statics.enumerated), (44, 2));
    let defined = size(Options {
        definitions: true,
        statics: true,
        ..none
    });
    assert_eq!((defined.booleans, defined.definitions), (29, 15));
    let typed = size(Options::default());
    assert!(typed.bits < defined.bits, "{typed:?} {defined:?}");
}

#[test]
fn monty_hall_has_the_six_properties_and_none_of_them_by_accident() {
    let sheet = rules(MONTY);
    let game = sheet.propnet();
    let mut explorer = Explorer::new(&game, Limits::default()).unwrap();
    let properties = standard::properties(&mut explorer).unwrap();
    let mut checker = symbolic(&sheet, Options::default());
    for property in &properties {
        assert!(
            checker.check(&property.formula).unwrap().holds,
            "{property:?}"
        );
    }
    // Without the guard the game goes on after its end, to a state in which nothing is legal.
    let free = Options {
        freeze: false,
        ..Options::default()
    };
    let second = &properties[1];
    assert_eq!(second.number, 2);
    assert!(!symbolic(&sheet, free).check(&second.formula).unwrap().holds);
    // Without the last percept the candidate does not know its goal, but knows its moves.
    let told = "(<= (sees candidate ?d) (true (step 3)) (true (car ?d)))";
    let untold = rules(&MONTY.replace(told, ""));
    let mut checker = symbolic(&untold, Options::default());
    for property in &properties {
        let holds = checker.check(&property.formula).unwrap().holds;
        assert_eq!(holds, property.number != 6, "{property:?}");
    }
}

/// Two lamps that are switched for ever: a game that need not end, and knowledge in it.
#[test]
fn a_game_without_end_violates_the_first_property() {
    let sheet = rules(
        "(role a) (init off) (<= (legal a press)) (<= (legal a stop))
(<= (next on) (true off) (does a press)) (<= (next off) (true on) (does a press))
(<= (next done) (does a stop)) (<= terminal (true done)) (goal a 50)",
    );
    let mut checker = symbolic(&sheet, Options::default());
    let ends = Formula::read("(A (F terminal))").unwrap();
    let verdict = checker.check(&ends).unwrap();
    assert!(!verdict.holds && verdict.run.unwrap().len() >= 2);
    for (text, holds) in [
        ("(A (G (E (F terminal))))", true),
        ("(A (-> (G (F (true on))) (G (not (true done)))))", true),
        ("(E (G (F (true on))))", true),
        ("(E (F (G (true on))))", false),
    ] {
        let formula = Formula::read(text).unwrap();
        assert_eq!(checker.check(&formula).unwrap().holds, holds, "{text}");
    }
    let knows = Formula::read("(A (G (K a (true on))))").unwrap();
    assert!(matches!(checker.check(&knows), Err(TooHard::Endless(_))));
}

/// Optimisation (3): the faces of dice as typed variables.
#[test]
fn typed_variables_take_fewer_bits() {
    let sheet = bundled("liars-dice");
    let plain = Options {
        typed: false,
        ..Options::default()
    };
    let (typed, plain) = (
        symbolic(&sheet, Options::default()).statistics(),
        symbolic(&sheet, plain).statistics(),
    );
    assert!(typed.bits * 2 < plain.bits, "{typed:?} {plain:?}");
}

#[test]
fn the_translation_for_mck_has_all_parts() {
    let checker = symbolic(&rules(MONTY), Options::default());
    let text = mck::write("monty-hall", checker.system(), checker.variables());
    for part in [
        "type moves_candidate = {INIT, STOP, ",
        "init_cond = did_candidate == INIT",
        "agent candidate",
        "transitions",
        "otherwise -> did_random := STOP fi;",
        "protocol \"candidate\"",
        "<<switch>>",
        "define terminal = ",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn what_is_no_formula_of_the_game_is_refused() {
    let mut checker = symbolic(&bundled("monty-hall"), Options::default());
    for (text, because) in [
        ("(K nobody terminal)", "no player"),
        ("(legal nobody noop)", "no role"),
        ("(undefined 1)", "define no relation"),
        ("(true 1 2)", "does not stand so"),
    ] {
        let error = checker.check(&Formula::read(text).unwrap()).unwrap_err();
        assert!(error.to_string().contains(because), "{text}: {error}");
    }
    let few = Symbolic::new(&bundled("kuhn-poker").program(), Options::default(), 1);
    let knows = Formula::read("(A (G (K alice (true (control bert)))))").unwrap();
    let outcome = few.and_then(|mut few| few.check(&knows));
    assert!(matches!(outcome, Err(TooHard::Nodes(_))), "{outcome:?}");
}
