//! Card games: the language, how they are played, and what players are told.

use std::path::PathBuf;

use paidia_game::{
    Chance, ConformanceOptions, Game, Goal, Legible, MoveId, RoleId, Rules, Walker, conformance,
};
use paidia_gdl::Source;
use paidia_languages::cards::{self, CardGame};

/// The rule files of the project, by the names of their folders.
fn files() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../cards");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{error}"));
    let mut found = Vec::new();
    for entry in entries.flatten() {
        if let Ok(text) = std::fs::read_to_string(entry.path().join("rules.cgdl")) {
            found.push((entry.file_name().to_string_lossy().into_owned(), text));
        }
    }
    found.sort();
    assert!(found.len() >= 6, "card games are missing");
    found
}

fn read(name: &str, text: &str) -> CardGame {
    let reading = cards::read(&Source::new(name, text));
    assert!(
        reading.problems.is_empty(),
        "{name}: {:?}",
        reading.problems
    );
    CardGame::new(name, reading.rules)
}

fn file(name: &str) -> CardGame {
    let files = files();
    let found = files.iter().find(|(known, _)| known == name);
    let (name, text) = found.unwrap_or_else(|| panic!("no {name}"));
    read(name, text)
}

#[test]
fn games_keep_the_contract() {
    for (name, text) in files() {
        let options = ConformanceOptions {
            playouts: 4,
            step_limit: 60,
            ..ConformanceOptions::default()
        };
        let failures = conformance(&read(&name, &text), options);
        assert!(failures.is_empty(), "{name}: {failures:?}");
    }
}

#[test]
fn the_normal_form_is_one() {
    for (name, text) in files() {
        let normal = cards::format(&Source::new(name.as_str(), text.as_str()));
        let normal = normal.unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
        let again = cards::format(&Source::new(name.as_str(), normal.as_str()));
        assert_eq!(again.as_ref(), Ok(&normal), "{name}");
        let rules = |text: &str| cards::read(&Source::new("", text)).rules;
        assert_eq!(rules(&text), rules(&normal), "{name}");
    }
}

/// Rules are counted once for each player, as table 6.1.1 of the thesis counts them.
#[test]
fn rules_are_as_many_as_in_the_thesis() {
    for (name, stages, rules) in [
        ("blackjack", 5, 12),
        ("uno", 2, 7),
        ("jednadvacet", 3, 8),
        ("kuku", 2, 9),
    ] {
        let game = file(name);
        let counted: usize = game.rules().stages.iter().map(Vec::len).sum();
        assert_eq!(
            (game.rules().stages.len(), counted),
            (stages, rules),
            "{name}"
        );
    }
}

/// Plays by texts: chance and the players make the moves that are named, in turn.
struct Table {
    game: CardGame,
    walker: <CardGame as Game>::Walker,
    chance: Chance,
}

impl Table {
    fn new(game: CardGame) -> Self {
        let walker = game.walker();
        Self {
            game,
            walker,
            chance: Chance::from_seed(1),
        }
    }

    fn make(&mut self, text: &str) {
        let wanted = self.game.moves().find(text);
        let wanted = wanted.unwrap_or_else(|| panic!("no move {text}"));
        let legal = self.walker.legal();
        let joint: Vec<MoveId> = legal
            .iter()
            .map(|(_, moves)| {
                if moves.contains(&wanted) {
                    wanted
                } else {
                    moves[0]
                }
            })
            .collect();
        assert!(
            joint.contains(&wanted),
            "{text} is not legal: {:?}",
            self.legal()
        );
        self.walker.advance(&joint, &mut self.chance);
    }

    fn play(&mut self, moves: &str) -> &mut Self {
        moves.split(';').for_each(|text| self.make(text.trim()));
        self
    }

    /// The moves of the role that chooses.
    fn legal(&mut self) -> Vec<String> {
        let legal = self.walker.legal();
        let most = legal
            .iter()
            .map(|(_, moves)| moves)
            .max_by_key(|moves| moves.len());
        let most = most.unwrap_or_default().to_vec();
        most.iter()
            .map(|&id| self.game.moves().name(id).to_string())
            .collect()
    }

    fn goals(&mut self) -> Vec<Goal> {
        let roles: Vec<RoleId> = self.game.facts().players().collect();
        roles.iter().map(|&role| self.walker.goal(role)).collect()
    }

    fn told(&self, role: u16) -> Vec<String> {
        let percepts = self.walker.percepts(RoleId(role)).iter();
        percepts
            .map(|&id| self.game.percepts().name(id).to_string())
            .collect()
    }
}

/// Two cards each in the order of the players, then what follows.
const DEAL: &str = "(deal 10OfClubs); (deal 9OfClubs); (deal 10OfHearts); (deal KingOfHearts); \
                    (deal AceOfSpades); (deal 5OfSpades)";

#[test]
fn blackjack_is_played_as_its_listing_says() {
    let mut table = Table::new(file("blackjack"));
    table.play(&DEAL.replace("AceOfSpades", "JackOfSpades"));
    assert_eq!(table.legal().len(), 99, "any bet");
    table.play("(bet 10); (bet 20); (bet 30)");
    assert_eq!(table.legal(), ["(take D 1 up)", "done"]);
    // The first stays on 19, the second goes over, the third has 15 and takes a five.
    table.play("done; (take D 1 up); (deal 2OfHearts); (take D 1 up); (deal 5OfHearts)");
    table.play("done; done");
    // 10 + 9; 10 + 10 + 2; 10 + 5 + 5.
    table.play("done; out; done");
    // Only the third can take the bets, so the first is passed over.
    table.play("(gain KA)");
    assert!(table.walker.is_terminal());
    assert_eq!(
        table.goals(),
        [Goal::One(89), Goal::One(79), Goal::One(69 + 60)]
    );
}

#[test]
fn an_ace_may_be_over_and_not_over() {
    let mut table = Table::new(file("blackjack"));
    table.play(DEAL).play("(bet 1); (bet 1); (bet 1)");
    table.play("done; done; (take D 1 up); (deal 6OfHearts); done; done; done");
    // 11 + 5 + 6 is over, 1 + 5 + 6 is not: the player chooses, as in the translation.
    assert_eq!(table.legal(), ["done", "out"]);
}

#[test]
fn hands_are_told_to_their_owners_alone() {
    let mut table = Table::new(file("blackjack"));
    table.play("(deal 10OfClubs)");
    assert!(table.told(1).contains(&"(hand 10OfClubs)".to_owned()));
    for role in [2, 3] {
        let told = table.told(role);
        assert!(
            told.iter().all(|text| !text.contains("10OfClubs")),
            "{told:?}"
        );
        assert!(told.contains(&"(cards player1 1)".to_owned()), "{told:?}");
    }
    table.play("(deal 9OfClubs); (deal 2OfHearts); (deal KingOfHearts); (deal AceOfSpades)");
    table.play("(deal 5OfSpades); (bet 1); (bet 1); (bet 1); (take D 1 up); (deal 3OfClubs)");
    assert!(
        table
            .told(2)
            .contains(&"(drew player1 3OfClubs)".to_owned()),
        "drawn openly"
    );
}

#[test]
fn uno_lays_like_on_like() {
    let mut table = Table::new(file("uno"));
    let hands = [
        "2OfClubs",
        "3OfClubs",
        "4OfClubs",
        "5OfClubs",
        "6OfClubs",
        "7OfClubs",
        "8OfHearts",
    ];
    for card in hands {
        table.make(&format!("(deal {card})"));
    }
    for card in [
        "9OfClubs",
        "10OfClubs",
        "JackOfClubs",
        "QueenOfHearts",
        "KingOfHearts",
        "AceOfHearts",
        "2OfHearts",
    ] {
        table.make(&format!("(deal {card})"));
    }
    table.make("(deal 8OfSpades)");
    assert_eq!(table.legal(), ["(show 8OfHearts)", "draw"]);
    table.play("(show 8OfHearts)");
    assert!(table.told(2).contains(&"(top T0 8OfHearts)".to_owned()));
    assert!(table.legal().contains(&"(show 2OfHearts)".to_owned()));
    assert!(!table.legal().contains(&"(show 9OfClubs)".to_owned()));
    table.play("draw; (deal 3OfHearts)");
    assert!(
        table.told(1).iter().all(|text| !text.contains("3OfHearts")),
        "drawn covered"
    );
}

#[test]
fn a_passed_card_is_seen_by_two() {
    let mut table = Table::new(file("kuku"));
    let cards = [
        "7OfClubs",
        "8OfHearts",
        "9OfSpades",
        "10OfClubs",
        "JackOfHearts",
        "QueenOfSpades",
    ];
    for card in cards
        .iter()
        .chain(&["KingOfClubs", "AceOfHearts", "7OfSpades", "7OfHearts"])
    {
        table.make(&format!("(deal {card})"));
    }
    table.play("(give 7OfClubs)");
    assert!(
        table
            .told(1)
            .contains(&"(did player1 (give 7OfClubs))".to_owned())
    );
    assert!(table.told(2).contains(&"(hand 7OfClubs)".to_owned()));
    let third = table.told(3);
    assert!(
        third.contains(&"(did player1 give)".to_owned()),
        "{third:?}"
    );
    assert!(
        third.iter().all(|text| !text.contains("7OfClubs")),
        "{third:?}"
    );
}

#[test]
fn states_come_back_from_their_texts_and_damaged_ones_do_not() {
    let game = file("kuku");
    let mut chance = Chance::from_seed(3);
    let mut walker = game.walker();
    let mut state = game.initial();
    let mut joint = Vec::new();
    for _ in 0..40 {
        if walker.is_terminal() {
            break;
        }
        assert_eq!(walker.draw(&mut chance, &mut joint), Ok(()));
        walker.advance(&joint, &mut chance);
        walker.save(&mut state);
        let texts = game.fluents(&state);
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(game.state(&texts), Ok(state.clone()));
        let twice = texts.iter().find(|text| text.starts_with("(hand player1"));
        if let Some(hand) = twice {
            let moved = hand.replace("player1", "player2");
            let damaged: Vec<&str> = texts.iter().copied().chain([moved.as_str()]).collect();
            assert!(game.state(&damaged).is_err(), "a card in two hands");
        }
    }
    for text in [
        "",
        "(hand)",
        "(hand player9 7OfClubs)",
        "(stage 99 optional)",
        "(used player1 64)",
    ] {
        assert!(game.state(&[text]).is_err(), "{text}");
    }
}

#[test]
fn faulty_files_say_what_is_wrong_and_where() {
    let cases = [
        ("", "cards-section"),
        ("P=2", "cards-section"),
        (
            "[SETTINGS] P=9, T=0\n[STAGES]\nStage 0\nCOMPUTER deal, P1, 1",
            "cards-setting",
        ),
        (
            "[SETTINGS] P=2\n[STAGES]\nStage 1\nCOMPUTER deal, P1, 1",
            "cards-rule",
        ),
        (
            "[SETTINGS] P=2\n[STAGES]\nStage 0\nPERHAPS done",
            "cards-rule",
        ),
        (
            "[SETTINGS] P=2\n[STAGES]\nStage 0\nOPTIONAL if cheating then done",
            "cards-condition",
        ),
        (
            "[SETTINGS] P=2\n[STAGES]\nStage 0\nOPTIONAL if sum, H3, >, 21 then done",
            "cards-place",
        ),
        (
            "[SETTINGS] P=2\n[STAGES]\nStage 0\nOPTIONAL deal, P1, 3",
            "cards-action",
        ),
        (
            "[SETTINGS] P=2\n[STAGES]\nStage 0\nOPTIONAL if have, 3 stars then done",
            "cards-combination",
        ),
        (
            "[SETTINGS] P=2\n[STAGES]\nStage 0\nOPTIONAL done\n[RANKING] Knave:3",
            "cards-value",
        ),
        (
            "[SETTINGS] P=2\n[STAGES]\nStage 0\nOPTIONAL done\n[POINTS] x=3",
            "cards-value",
        ),
        (
            "[SETTINGS] P=2\n[STAGES]\nStage 0\nOPTIONAL done",
            "cards-pointless",
        ),
        (
            "[SETTINGS] P=8\n[STAGES]\nStage 0\nCOMPUTER deal, <allplayers>, 9\nOPTIONAL win",
            "cards-short-deck",
        ),
    ];
    for (text, code) in cases {
        let found = cards::read(&Source::new("", text)).problems;
        assert!(
            found.iter().any(|problem| problem.code.name() == code),
            "{text}: {found:?}"
        );
    }
}

/// Whatever is cut out of rules or put into them, reading and playing do not panic.
#[test]
fn damaged_files_do_no_harm() {
    let mut chance = Chance::from_seed(7);
    for (_, text) in files() {
        let characters: Vec<char> = text.chars().collect();
        for _ in 0..60 {
            let mut damaged = characters.clone();
            let from = chance.below(damaged.len() as u32) as usize;
            let to = (from + chance.below(12) as usize).min(damaged.len());
            let noise = ['9', ',', '>', '\n', 'λ', '<', '['];
            let noise = chance.pick(&noise);
            damaged.splice(from..to, noise);
            let damaged: String = damaged.into_iter().collect();
            let reading = cards::read(&Source::new("", damaged.as_str()));
            if reading.has_errors() {
                continue;
            }
            let mut walker = CardGame::new("damaged", reading.rules).walker();
            let mut joint = Vec::new();
            while !walker.is_terminal() {
                assert_eq!(walker.draw(&mut chance, &mut joint), Ok(()));
                walker.advance(&joint, &mut chance);
            }
        }
    }
}
