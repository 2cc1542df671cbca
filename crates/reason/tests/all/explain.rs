//! Explanations, judged by changing what they name and looking whether the answer changes.
//!
//! What a move lacks is put right in the state, and the reference engine must then allow it; what
//! an end rests on is taken away, and the game must go on or end for another reason.

use std::collections::BTreeSet;

use paidia_game::{Chance, Game, Legible, Rules, Walker};
use paidia_reason::Reference;
use paidia_reason::explain::{Explainer, Kind, Names, Question, Reason, words};
use paidia_testkit::{bundled, rules};

/// Games of all kinds that are small enough for many states.
const GAMES: [&str; 32] = [
    "atari-go-5x5",
    "bidding-tic-tac-toe",
    "blocks-world",
    "breakthrough",
    "breakthrough-misere-5x5",
    "breakthrough-suicide",
    "buttons-and-lights",
    "checkers-small",
    "chinook",
    "chomp",
    "connect-five",
    "connect-four",
    "domineering",
    "dots-and-boxes",
    "double-tic-tac-toe",
    "eight-puzzle",
    "farmers",
    "hanoi",
    "hex-7x7",
    "knights-tour",
    "knightthrough",
    "lights-out",
    "maze",
    "nim",
    "nine-board-tic-tac-toe",
    "number-scrabble",
    "peg-solitaire",
    "pentago",
    "queens-8",
    "sheep-and-wolf",
    "tic-tac-toe",
    "tron",
];

/// Illegal moves that are asked about in a game.
const MOVES: usize = 6;
/// Matches of a game whose end is explained.
const ENDS: u64 = 2;

/// A state of a random match.
struct Seen {
    fluents: Vec<String>,
    /// For each role what it may do.
    legal: Vec<Vec<String>>,
}

/// A random match, at most 60 moves of it: its states, the last of them terminal if it ended.
fn played(game: &Reference, seed: u64) -> (Vec<Seen>, bool) {
    let (mut walker, mut state) = (game.walker(), game.initial());
    let (mut chance, mut joint) = (Chance::from_seed(seed), Vec::new());
    let mut states = Vec::new();
    loop {
        walker.save(&mut state);
        let is_over = walker.is_terminal();
        let legal = walker.legal();
        let texts = game.facts().role_ids().map(|role| {
            let moves = legal.of(role).iter();
            moves.map(|&id| game.moves().name(id).to_string()).collect()
        });
        states.push(Seen {
            fluents: game.fluents(&state),
            legal: texts.collect(),
        });
        if is_over || states.len() > 60 || legal.draw(&mut chance, &mut joint).is_err() {
            return (states, is_over);
        }
        walker.advance(&joint, &mut chance);
    }
}

/// What the reference engine says of a state.
struct Judge<'a>(&'a Reference);

impl Judge<'_> {
    fn at(&self, fluents: &BTreeSet<String>) -> Option<<Reference as Game>::Walker> {
        let texts: Vec<&str> = fluents.iter().map(String::as_str).collect();
        let mut walker = self.0.walker();
        walker.jump(&self.0.state(&texts).ok()?);
        Some(walker)
    }

    fn allows(&self, fluents: &BTreeSet<String>, role: &str, made: &str) -> bool {
        let role = self.0.facts().role(role).unwrap();
        let mut walker = self.at(fluents).unwrap();
        let legal = walker.legal().of(role).to_vec();
        legal.iter().any(|&id| &*self.0.moves().name(id) == made)
    }

    fn is_over(&self, fluents: &BTreeSet<String>) -> bool {
        self.at(fluents).unwrap().is_terminal()
    }
}

/// Puts right in a state what a reason lacks: missing facts are added, those in the way taken out.
/// False where it lacks more than facts of the state, or leaves something open.
fn mend(reason: &Reason, state: &mut BTreeSet<String>, added: &mut BTreeSet<String>) -> bool {
    let statement = &reason.statement;
    if let Some(attempt) = reason.attempts.first() {
        return attempt
            .missing
            .iter()
            .all(|missing| mend(missing, state, added));
    }
    if reason.holds && !reason.conditions.is_empty() {
        // It is enough to take one of its conditions away.
        return reason
            .conditions
            .iter()
            .any(|condition| mend(condition, state, added));
    }
    if statement.kind != Kind::Now || !statement.ground {
        return false;
    }
    match reason.holds {
        // What was added is what it is all about.
        true => !added.contains(&statement.about) && state.remove(&statement.about),
        false => {
            if let Some(instead) = &reason.instead {
                state.remove(instead);
            }
            added.insert(statement.about.clone());
            state.insert(statement.about.clone())
        }
    }
}

/// How often what a move lacks has to be put right until it is legal: what is put there may stand
/// in its way in turn, such as a piece that must capture. 0 if it is not legal after a few times,
/// nothing if that cannot be tried.
fn rounds(
    explainer: &Explainer,
    judge: &Judge<'_>,
    question: &Question,
    fluents: &BTreeSet<String>,
) -> Option<usize> {
    let Question::Legal { role, made } = question else {
        return None;
    };
    let (mut fluents, mut added) = (fluents.clone(), BTreeSet::new());
    for round in 1..=3 {
        let texts: Vec<String> = fluents.iter().cloned().collect();
        let reason = explainer.at(&texts, None).unwrap().why(question).unwrap();
        if !mend(&reason, &mut fluents, &mut added) {
            return None;
        }
        if judge.allows(&fluents, role, made) {
            return Some(round);
        }
    }
    Some(0)
}

#[test]
fn moves_are_legal_once_what_they_lack_is_there() {
    let (mut asked, mut judged, mut at_once) = (0, 0, 0);
    for name in GAMES {
        let sheet = bundled(name);
        let game = sheet.reference();
        let explainer = Explainer::new(name, game.program()).unwrap();
        let (states, _) = played(&game, 1);
        let mut done = 0;
        for (place, seen) in states.iter().enumerate().step_by(1 + states.len() / 4) {
            let fluents: BTreeSet<String> = seen.fluents.iter().cloned().collect();
            let mut position = explainer.at(&seen.fluents, None).unwrap();
            // A move that was legal elsewhere, and is not here.
            for other in states.iter().step_by(3) {
                for (role, moves) in other.legal.iter().enumerate() {
                    let role_name = &game.facts().roles[role];
                    let Some(made) = moves.iter().find(|made| !seen.legal[role].contains(made))
                    else {
                        continue;
                    };
                    if done > MOVES * (place + 4) / (states.len() + 4) {
                        continue;
                    }
                    done += 1;
                    asked += 1;
                    let question = Question::Legal {
                        role: role_name.clone(),
                        made: made.clone(),
                    };
                    let reason = position
                        .why(&question)
                        .unwrap_or_else(|error| panic!("{name} {made}: {error}"));
                    assert!(!reason.holds, "{name}: {made} is not legal");
                    assert!(
                        !reason.attempts.is_empty(),
                        "{name}: nothing is said about {made}"
                    );
                    match rounds(&explainer, &Judge(&game), &question, &fluents) {
                        Some(0) => {
                            panic!("{name}: {made} lacks more than is said:\n{}", told(&reason))
                        }
                        Some(rounds) => {
                            judged += 1;
                            at_once += usize::from(rounds == 1);
                        }
                        None => {}
                    }
                }
            }
        }
    }
    assert!(asked >= 60, "{asked} questions");
    assert!(
        judged * 4 >= asked * 3,
        "{judged} of {asked} could be judged"
    );
    assert!(
        at_once * 10 >= judged * 9,
        "{at_once} of {judged} moves were legal once all was there that was said at first"
    );
}

#[test]
fn a_game_goes_on_without_what_ends_it() {
    let (mut ends, mut judged) = (0, 0);
    for name in GAMES {
        let game = bundled(name).reference();
        let explainer = Explainer::new(name, game.program()).unwrap();
        for seed in 0..ENDS {
            let (states, is_over) = played(&game, seed);
            let last = states.last().unwrap();
            let mut position = explainer.at(&last.fluents, None).unwrap();
            let reason = position.why(&Question::Terminal).unwrap();
            assert_eq!(reason.holds, is_over, "{name}");
            if !is_over {
                continue;
            }
            ends += 1;
            assert!(reason.clause.is_some(), "{name}: no rule ends the game");
            let fluents: BTreeSet<String> = last.fluents.iter().cloned().collect();
            let leaves = reason.leaves();
            let named = leaves.iter().filter(|(statement, holds)| {
                statement.kind == Kind::Now && statement.ground && *holds
            });
            for (statement, _) in named.take(3) {
                assert!(
                    fluents.contains(&statement.about),
                    "{name}: {statement:?} is not so"
                );
                let mut without = fluents.clone();
                without.remove(&statement.about);
                judged += 1;
                if !Judge(&game).is_over(&without) {
                    continue;
                }
                let texts: Vec<String> = without.iter().cloned().collect();
                let mut position = explainer.at(&texts, None).unwrap();
                let other = position.why(&Question::Terminal).unwrap();
                let still = other.leaves();
                let still = still
                    .iter()
                    .any(|(one, holds)| one.about == statement.about && *holds);
                assert!(
                    !still,
                    "{name}: {} is still named:\n{}",
                    statement.about,
                    told(&other)
                );
            }
        }
    }
    assert!(ends >= 30, "{ends} ends");
    assert!(judged >= 30, "{judged} facts");
}

fn told(reason: &Reason) -> String {
    let lines = words::lines(reason, &Names::default()).into_iter();
    let lines = lines.map(|line| format!("{}{}", "  ".repeat(line.depth), line.text));
    lines.collect::<Vec<_>>().join("\n")
}

fn after(name: &str, moves: &[[&str; 2]]) -> (Explainer, Vec<String>) {
    let game = bundled(name).reference();
    let mut walker = game.walker();
    let mut chance = Chance::from_seed(0);
    for joint in moves {
        let legal = walker.legal().clone();
        let found = game.facts().role_ids().zip(joint).map(|(role, text)| {
            let ids = legal.of(role).iter().copied();
            ids.into_iter()
                .find(|&id| &*game.moves().name(id) == *text)
                .unwrap()
        });
        let ids: Vec<_> = found.collect();
        walker.advance(&ids, &mut chance);
    }
    let mut state = game.initial();
    walker.save(&mut state);
    (
        Explainer::new(name, game.program()).unwrap(),
        game.fluents(&state),
    )
}

#[test]
fn sentences_name_what_fails_and_what_fires() {
    let moves = [
        ["(mark 1 1)", "noop"],
        ["noop", "(mark 2 1)"],
        ["(mark 2 2)", "noop"],
        ["noop", "(mark 3 1)"],
    ];
    let (explainer, fluents) = after("tic-tac-toe", &moves);
    let mut position = explainer.at(&fluents, None).unwrap();
    let question = Question::Legal {
        role: "x".to_owned(),
        made: "(mark 2 1)".to_owned(),
    };
    assert_eq!(
        told(&position.why(&question).unwrap()),
        "X may not make the move `mark 2 1`.\n  \
         It would be allowed if `cell 2 1 empty` holds. But `cell 2 1 o` holds."
    );
    let wins = Question::Goal {
        role: "x".to_owned(),
        value: 100,
    };
    let needs = position.why(&wins).unwrap();
    assert_eq!(needs.lacks_facts(), ["(cell 3 3 x)"]);
    let (explainer, fluents) = after(
        "tic-tac-toe",
        &[&moves[..], &[["(mark 3 3)", "noop"]]].concat(),
    );
    let mut position = explainer.at(&fluents, None).unwrap();
    let over = told(&position.why(&Question::Terminal).unwrap());
    assert_eq!(
        over,
        "The game is over, because:\n  `line x` holds, because `cell 1 1 x` holds, \
         `cell 2 2 x` holds and `cell 3 3 x` holds."
    );
}

#[test]
fn chains_are_proven_without_going_round() {
    let sheet = rules(
        "(role r) (init (at a)) (init (at d)) (edge a b) (edge b a) (edge b c) (edge c b) (edge c d)
         (<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
         (<= terminal (true (at ?x)) (path a ?x) (distinct ?x a) (distinct ?x b))
         (<= (legal r wait) (true (at a))) (<= (next (at ?x)) (true (at ?x))) (<= (goal r 0) (true (at a)))",
    );
    let explainer = Explainer::new("chain", &sheet.program()).unwrap();
    let fluents = ["(at a)".to_owned(), "(at d)".to_owned()];
    let reason = explainer
        .at(&fluents, None)
        .unwrap()
        .why(&Question::Terminal)
        .unwrap();
    assert!(reason.holds);
    assert!(reason.leaves().iter().any(|(one, _)| one.about == "(at d)"));
}

#[test]
fn what_is_asked_about_nothing_is_refused() {
    let (explainer, fluents) = after("tic-tac-toe", &[]);
    let mut position = explainer.at(&fluents, None).unwrap();
    let legal = |role: &str, made: &str| Question::Legal {
        role: role.to_owned(),
        made: made.to_owned(),
    };
    for (question, part) in [
        (legal("x", "(fly 1)"), "`fly` does not occur"),
        (legal("x", "(mark 1)"), "no rule speaks of such a move"),
        (legal("empty", "(mark 1 1)"), "no such role"),
        (Question::Now("(cell 1".to_owned()), "ends too early"),
    ] {
        let error = position.why(&question).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
    assert!(explainer.at(&["(cell 9 9 q)".to_owned()], None).is_err());
}

#[test]
fn what_comes_and_goes_is_explained() {
    let (explainer, fluents) = after("tic-tac-toe", &[]);
    let joint = ["(mark 2 2)".to_owned(), "noop".to_owned()];
    let mut position = explainer.at(&fluents, Some(&joint)).unwrap();
    let comes = position
        .why(&Question::After("(cell 2 2 x)".to_owned()))
        .unwrap();
    assert!(comes.holds);
    assert!(
        told(&comes).contains("x makes the move `mark 2 2`"),
        "{}",
        told(&comes)
    );
    let goes = position
        .why(&Question::After("(cell 2 2 empty)".to_owned()))
        .unwrap();
    assert!(!goes.holds);
    assert!(
        told(&goes).contains("`marked 2 2` holds"),
        "{}",
        told(&goes)
    );
}
