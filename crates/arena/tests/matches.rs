//! Matches between players of the catalogue on bundled games.

use paidia_arena::{CATALOGUE, MatchResult, Playable, PlayerSpec, Referee, make};
use paidia_game::{Game, Goal, MoveId, RoleId};
use paidia_gdl::program::Program;
use paidia_gdl::{Dialect, Source, syntax};
use paidia_reason::Reference;
use paidia_search::{Budget, Decision, Player, StopReason};

fn load(name: &str) -> Reference {
    let bundled = paidia_library::find(name).unwrap();
    let reading = syntax::read(&Source::new(name, bundled.rules));
    let program = Program::new(&reading.sheet, Dialect::detect(&reading.sheet)).unwrap();
    Reference::new(name, program).unwrap()
}

type Players = Vec<Option<Box<dyn Player<Reference>>>>;

fn players(game: &Reference, name: &str) -> Players {
    let spec: PlayerSpec = name.parse().unwrap();
    let playable = Playable::new(game.clone());
    let roles = game.facts().role_ids();
    roles
        .map(|role| Some(make(&spec, &playable, role, 1).unwrap()))
        .collect()
}

#[test]
fn every_player_plays_every_kind_of_game() {
    for kind in CATALOGUE {
        for name in [
            "tic-tac-toe",
            "tic-tic-toe",
            "maze",
            "monty-hall",
            "chinese-checkers-3",
        ] {
            let game = load(name);
            let referee = Referee::new(&game, 500);
            let mut record = referee.start(&game.initial(), 1);
            let result = referee.play(
                &mut record,
                &mut players(&game, kind.name),
                Budget::simulations(10),
            );
            let MatchResult::Over(goals) = result else {
                panic!("{} on {name}: {result:?}", kind.name)
            };
            assert!(
                goals.iter().all(|goal| matches!(goal, Goal::One(0..=100))),
                "{goals:?}"
            );
            let refused = record
                .moves
                .iter()
                .flatten()
                .any(|made| made.refused.is_some());
            assert!(!refused, "{} chose an illegal move in {name}", kind.name);
        }
    }
}

#[test]
fn a_seed_is_a_match() {
    let game = load("connect-four");
    let referee = Referee::new(&game, 100);
    let run = || {
        let mut record = referee.start(&game.initial(), 7);
        referee.play(
            &mut record,
            &mut players(&game, "uct-history"),
            Budget::simulations(20),
        );
        record
            .moves
            .iter()
            .map(|moves| moves.iter().map(|made| made.id).collect())
            .collect::<Vec<Vec<MoveId>>>()
    };
    assert_eq!(run(), run());
}

struct Cheater;

impl Player<Reference> for Cheater {
    fn choose(&mut self, _: &paidia_reason::reference::State, _: Budget) -> Decision {
        Decision::without_search(MoveId(999_999), StopReason::NoSearch)
    }
}

#[test]
fn illegal_moves_are_replaced_and_noted() {
    let game = load("tic-tac-toe");
    let referee = Referee::new(&game, 100);
    let mut record = referee.start(&game.initial(), 7);
    let mut players: Players = vec![Some(Box::new(Cheater)), None];
    let result = referee.play(&mut record, &mut players, Budget::simulations(1));
    assert!(matches!(result, MatchResult::Over(_)));
    assert!(
        record
            .moves
            .iter()
            .all(|moves| moves[0].refused == Some(MoveId(999_999)))
    );
    assert!(record.moves.iter().all(|moves| moves[1].decision.is_none()));
    assert!(record.legal(RoleId(0)).len() < 9);
}

#[test]
fn a_match_that_does_not_end_is_cut() {
    let game = load("connect-four");
    let referee = Referee::new(&game, 3);
    let mut record = referee.start(&game.initial(), 7);
    let result = referee.play(
        &mut record,
        &mut players(&game, "random"),
        Budget::simulations(1),
    );
    assert_eq!(result, MatchResult::Cut);
    assert_eq!(record.moves.len(), 3);
}

/// Notes what it was asked.
struct Witness {
    role: RoleId,
    asked: std::sync::Arc<std::sync::Mutex<Vec<(RoleId, &'static str)>>>,
}

impl Player<Reference> for Witness {
    fn choose(&mut self, _: &paidia_reason::reference::State, _: Budget) -> Decision {
        self.asked.lock().unwrap().push((self.role, "choose"));
        Decision::without_search(MoveId(999_999), StopReason::NoSearch)
    }

    fn ponder(
        &mut self,
        _: &paidia_reason::reference::State,
        enough: &std::sync::atomic::AtomicBool,
    ) {
        while !enough.load(std::sync::atomic::Ordering::Relaxed) {
            std::thread::yield_now();
        }
        self.asked.lock().unwrap().push((self.role, "ponder"));
    }
}

#[test]
fn who_has_no_choice_thinks_until_the_others_have_chosen() {
    let game = load("tic-tac-toe");
    let asked = std::sync::Arc::default();
    let witness = |role| {
        Some(Box::new(Witness {
            role: RoleId(role),
            asked: std::sync::Arc::clone(&asked),
        }) as Box<dyn Player<Reference>>)
    };
    let mut players: Players = vec![witness(0), witness(1)];
    let referee = Referee::new(&game, 100).with_pondering();
    let mut record = referee.start(&game.initial(), 7);
    referee.step(&mut record, &mut players, Budget::simulations(1));
    referee.step(&mut record, &mut players, Budget::simulations(1));
    let (first, second) = (RoleId(0), RoleId(1));
    assert_eq!(
        *asked.lock().unwrap(),
        [
            (first, "choose"),
            (second, "ponder"),
            (second, "choose"),
            (first, "ponder")
        ]
    );
    assert_eq!(record.moves.len(), 2);
}
