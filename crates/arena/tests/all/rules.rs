//! The front door for rules: what is found, what is refused with which words, and what is kept.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use paidia_arena::engine::{EngineError, EngineSpec, at_once, load};
use paidia_arena::knowledge::KnowledgeReport;
use paidia_arena::rules::{Language, OtherRules, RuleText, RulesError, Ruleset};
use paidia_game::{AnyGame, Chance, CrossCheck, Game, Rules, Walker, perft};
use paidia_gdl::grounding::Budget;
use paidia_gdl::syntax::Notation;
use paidia_reason::propnet::LoadNetworkError;

/// One move, and the game is over.
const ONE_MOVE: &str = "(role solo) (init ready) (legal solo go) (<= (next done) (does solo go))
(<= terminal (true done)) (<= (goal solo 100) (true done))";

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn refusal(game: &str) -> String {
    Ruleset::find(game).err().unwrap().to_string()
}

#[test]
fn games_are_found_by_name_size_file_and_folder() {
    let bundled = Ruleset::find("othello").unwrap();
    assert_eq!((bundled.name(), bundled.title()), ("othello", "Othello"));
    let resized = Ruleset::find("hex@5").unwrap();
    assert_eq!((resized.name(), resized.title()), ("hex@5", "hex@5"));

    let folder = tempfile::tempdir().unwrap();
    let plain = write(folder.path(), "plain.kif", ONE_MOVE);
    assert_eq!(Ruleset::find(&plain).unwrap().name(), "plain");
    let named = write(folder.path(), "named/rules.kif", ONE_MOVE);
    assert_eq!(Ruleset::find(&named).unwrap().name(), "named");
    let whole = folder.path().join("named");
    assert_eq!(
        Ruleset::find(whole.to_str().unwrap()).unwrap().name(),
        "named"
    );
}

#[test]
fn what_is_not_there_is_refused_with_what_is_near() {
    assert!(refusal("othelo").contains("did you mean `othello`"));
    assert!(refusal("chess@9").contains("come in the sizes"));
    assert!(refusal("no/such.kif").contains("there is no file"));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("latin.kif");
    std::fs::write(&path, [b'(', 0xe9, b')']).unwrap();
    assert!(refusal(path.to_str().unwrap()).contains("byte 1 does not fit"));
    let damaged = write(folder.path(), "odd/rules.kif", ONE_MOVE);
    write(folder.path(), "odd/game.toml", "title = 3");
    assert!(refusal(&damaged).contains("game.toml"));
}

#[test]
fn faulty_rules_tell_where_and_in_a_sentence() {
    let Err(RulesError::Invalid(invalid)) = Ruleset::from_text("bad", "(role x)\n(<= (p ?y))")
    else {
        panic!("faulty rules passed");
    };
    assert!(
        invalid
            .problems
            .iter()
            .any(|problem| problem.span.start >= 9)
    );
    assert!(invalid.rendered(false).contains("bad:2:"), "{invalid}");
    assert!(invalid.sentence().starts_with("the rules are faulty ("));
}

#[test]
fn rules_are_grounded_once_for_everything() {
    let rules = Ruleset::find("tic-tac-toe").unwrap();
    let gdl = rules.gdl().unwrap();
    assert_eq!(gdl.groundings(), 0);
    for engine in ["auto", "propnet(factor=off)", "batch", "compiled"] {
        let spec: EngineSpec = engine.parse().unwrap();
        load(&spec, &rules.clone(), Budget::default()).unwrap();
    }
    KnowledgeReport::new(gdl, Budget::default()).unwrap();
    assert_eq!(gdl.groundings(), 1);
}

#[test]
fn many_threads_that_ask_ground_once() {
    let rules = Ruleset::find("tic-tac-toe").unwrap();
    let gdl = rules.gdl().unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| gdl.built(Budget::default()).unwrap());
        }
    });
    assert_eq!(gdl.groundings(), 1);
}

#[test]
fn a_larger_budget_tries_again_and_a_smaller_one_does_not() {
    let rules = Ruleset::find("tic-tac-toe").unwrap();
    let gdl = rules.gdl().unwrap();
    let few = |atoms| Budget {
        atoms,
        ..Budget::default()
    };
    let over = gdl.built(few(10)).unwrap_err();
    assert!(matches!(over, LoadNetworkError::OverBudget(_)), "{over}");
    assert_eq!(gdl.built(few(5)).unwrap_err(), over);
    assert_eq!(gdl.groundings(), 1);
    let built = gdl.built(Budget::default()).unwrap();
    // What is there is given whatever the budget.
    let again = gdl.built(Budget {
        time: Duration::ZERO,
        ..few(1)
    });
    assert!(Arc::ptr_eq(&built, &again.unwrap()));
    assert_eq!(gdl.groundings(), 2);
}

/// Two draw a card each; the higher one takes the bets.
const CARDS: &str = "[SETTINGS] P=2, T=0
[STAGES]
  Stage 0
    COMPUTER deal, <allplayers>, 1
  Stage 1
    MANDATORY if sum, HX, >, HA then win
[RANKING] 2:2, ..., Ace:14
";

#[test]
fn card_games_come_in_by_the_same_door() {
    let folder = tempfile::tempdir().unwrap();
    let path = write(folder.path(), "high.cgdl", CARDS);
    let rules = Ruleset::find(&path).unwrap();
    assert_eq!(rules.text().language, Language::Cards);
    let Ruleset::Other(cards) = &rules else {
        panic!("a card game is no GDL");
    };
    assert_eq!(cards.roles(), ["random", "player1", "player2"]);
    let text = Ruleset::from_text("pasted", CARDS).unwrap();
    assert_eq!(text.text().language, Language::Cards);
    let faulty = write(folder.path(), "uno.cgdl", "players 2");
    let refusal = refusal(&faulty);
    assert!(refusal.contains("cards-section"), "{refusal}");
    let kif = write(folder.path(), "game.txt", ONE_MOVE);
    assert_eq!(Ruleset::find(&kif).unwrap().text().language, Language::Gdl);
}

/// A flag to reach, with two levels.
const FLAG: &str = "BasicGame square_size=10\n  SpriteSet\n    flag > Door color=GREEN\n  LevelMapping\n    f > flag\n  \
    InteractionSet\n    avatar wall > stepBack\n    flag avatar > killSprite scoreChange=1\n  TerminationSet\n    \
    SpriteCounter stype=flag win=True\n    Timeout limit=9\n";

#[test]
fn video_games_come_in_by_the_same_door_with_their_levels() {
    let folder = tempfile::tempdir().unwrap();
    let whole = format!("{FLAG}Level\nA f\nLevel\nA   f\n");
    let path = write(folder.path(), "flag.vgdl", &whole);
    let beside = write(folder.path(), "beside.txt", FLAG);
    write(folder.path(), "beside_lvl0.txt", "A f\n");
    write(folder.path(), "beside_lvl3.txt", "A   f\n");
    for (game, name, steps) in [
        (path.clone(), "flag", 2),
        (format!("{path}@1"), "flag@1", 4),
        (beside.clone(), "beside", 2),
        (format!("{beside}@3"), "beside@3", 4),
        (
            format!(
                "{beside}@{}",
                folder.path().join("beside_lvl3.txt").display()
            ),
            "beside",
            4,
        ),
    ] {
        let rules = Ruleset::find(&game).unwrap();
        assert_eq!((rules.language(), rules.name()), ("VGDL", name));
        let game = load(&EngineSpec::default(), &rules, Budget::default());
        let game = game.unwrap().game().unwrap();
        let right = game.moves().find("right").unwrap();
        let (mut walker, mut made) = (game.walker(), 0);
        while !walker.is_terminal() {
            walker.advance(&[right], &mut Chance::from_seed(1));
            made += 1;
        }
        assert_eq!(made, steps, "{name}");
    }
    let refusal = refusal(&format!("{path}@7"));
    assert!(refusal.contains("has no level `7`"), "{refusal}");
    // A description by itself is checked, and says what is missing where it is to be played.
    let alone = RuleText::new("alone", FLAG);
    assert!(!alone.diagnose(None).unwrap().has_errors());
    assert!(alone.check().is_err());
}

#[test]
fn mistakes_in_video_games_have_places_and_suggestions() {
    let text = RuleText::new("wrong", &FLAG.replace("killSprite", "killSprit"));
    let diagnosis = text.diagnose(None).unwrap();
    let [problem] = diagnosis.problems.as_slice() else {
        panic!("{:?}", diagnosis.problems)
    };
    assert!(
        problem.help.contains("did you mean `killSprite`?"),
        "{problem:?}"
    );
    let span = problem.span;
    let found = &text.source.text[span.start as usize..span.end as usize];
    assert_eq!(found, "killSprit");
}

#[test]
fn bundled_video_games_are_found_by_name_and_level() {
    let rules = Ruleset::find("dungeon@4").unwrap();
    assert_eq!((rules.name(), rules.title()), ("dungeon@4", "Dungeon"));
    assert!(rules.metadata().unwrap().rules.contains("key"));
    assert!(matches!(
        RuleText::find("dungeon@5").map(|text| text.name),
        Err(RulesError::NoLevel { .. })
    ));
}

/// Three pawns a side.
const PAWNS: &str = "<<Three Pawns>>\n<BOARD>\n3 3\n|ppp|\n|...|\n|PPP|\n<PIECES>\n\
    P (0,1,e) + (-1,1,p) + (1,1,p) &\n<GOALS>\n20 &\n@P 0 2, 1 2, 2 2 &\n@p 0 0, 1 0, 2 0 &\n";

#[test]
fn board_games_come_in_by_the_same_door() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["pawns.sbg", "pawns.txt"] {
        let rules = Ruleset::find(&write(folder.path(), file, PAWNS)).unwrap();
        assert_eq!((rules.language(), rules.title()), ("SBG", "Three Pawns"));
        let loaded = load(&EngineSpec::default(), &rules, Budget::default()).unwrap();
        let game = loaded.game().unwrap();
        assert_eq!(game.facts().roles, ["white", "black"]);
        let counts = perft(&game, &game.initial(), 3, 1_000);
        let leaves: Vec<u128> = counts.depths.iter().map(|depth| depth.leaves).collect();
        assert_eq!(leaves, [1, 3, 10, 28]);

        // The translation is the same game on the engine that GDL takes.
        let Ruleset::Other(other) = &rules else {
            panic!("a board game is not GDL")
        };
        let translated = Ruleset::from_text("pawns", &other.to_gdl().unwrap()).unwrap();
        let trusted = load(&EngineSpec::default(), &translated, Budget::default()).unwrap();
        let check = CrossCheck {
            trusted: trusted.game().unwrap(),
            suspect: game,
        };
        let agreement = check
            .run(20, 40, 1)
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(agreement.states > 50);
    }
}

#[test]
fn texts_of_any_language_are_diagnosed_and_printed() {
    let faulty = RuleText::new("pawns", &PAWNS.replace("(0,1,e)", "(0,1,x)"));
    let found = faulty.diagnose(None).unwrap();
    assert!(found.has_errors());
    let codes: Vec<&str> = found
        .problems
        .iter()
        .map(|problem| problem.code.name())
        .collect();
    assert_eq!((found.language, codes), ("SBG", vec!["board-step"]));
    let known = Language::codes();
    assert!(
        found
            .problems
            .iter()
            .all(|problem| known.contains(&problem.code))
    );
    assert!(matches!(
        faulty.normal_form(None),
        Err(RulesError::Invalid(_))
    ));

    let text = RuleText::new("pawns", &PAWNS.replace(" + ", "+"));
    assert_eq!(text.normal_form(None).unwrap(), PAWNS);
    let kif = text.normal_form(Some(Notation::Kif));
    assert!(matches!(kif, Err(RulesError::NotGdl { .. })));
    let gdl = RuleText::new("gdl", "(role\n x)");
    assert_eq!(gdl.normal_form(None).unwrap(), "(role x)\n");
}

/// A language with one word: a game is a number, the number of its moves.
struct Countdown {
    text: RuleText,
    roles: Vec<String>,
}

impl Countdown {
    fn rules(number: u32) -> Ruleset {
        let mut text = RuleText::new("countdown", &number.to_string());
        text.language = Language::Video;
        let roles = vec!["solo".to_owned()];
        Ruleset::Other(Arc::new(Self { text, roles }))
    }
}

impl OtherRules for Countdown {
    fn text(&self) -> &RuleText {
        &self.text
    }

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn game(&self) -> Result<AnyGame, String> {
        let number = &self.text.source.text;
        let number: u32 = number
            .parse()
            .map_err(|_| format!("`{number}` is no number"))?;
        let steps: String = (0..number)
            .map(|step| format!("(before {step} {})", step + 1))
            .collect();
        let rules = format!(
            "(role solo) (init (at 0)) (legal solo go) {steps}
             (<= (next (at ?n)) (does solo go) (true (at ?m)) (before ?m ?n))
             (<= terminal (true (at {number}))) (<= (goal solo 100) (true (at {number})))"
        );
        let rules = Ruleset::from_text("countdown", &rules).map_err(|error| error.to_string())?;
        at_once(&rules).map_err(|error| error.to_string())
    }
}

#[test]
fn a_language_outside_the_gdl_family_is_played_by_its_own_engine() {
    let rules = Countdown::rules(3);
    let loaded = load(&EngineSpec::default(), &rules, Budget::default()).unwrap();
    let game = loaded.game().unwrap();
    assert_eq!(game.facts().roles, ["solo"]);
    let counts = perft(&game, &game.initial(), 5, 100);
    let terminals: u128 = counts.depths.iter().map(|depth| depth.terminals).sum();
    assert_eq!(terminals, 1);

    let compiled: EngineSpec = "compiled".parse().unwrap();
    let error = load(&compiled, &rules, Budget::default()).err().unwrap();
    assert!(
        matches!(error, EngineError::OtherLanguage { .. }),
        "{error}"
    );
    assert!(
        rules
            .gdl()
            .unwrap_err()
            .to_string()
            .contains("needs rules in GDL")
    );
}
