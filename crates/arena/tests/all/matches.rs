//! Matches between players of the catalogue on bundled games.

use paidia_arena::options::Entry;
use paidia_arena::{
    Failure, Local, MatchEnd, PLAYERS, Playable, PlayerSettings, PlayerSpec, Referee, Seat, Seats,
    Turn, make,
};
use paidia_game::{AnyGame, AnyState, Goal, MoveId, RoleId, Rules, Sight};
use std::sync::atomic::AtomicBool;

use paidia_search::{Budget, Decision, Player, StopReason};
use paidia_testkit::bundled;

fn seats(game: &AnyGame, name: &str, simulations: u64) -> Seats<AnyGame> {
    let spec: PlayerSpec = name.parse().unwrap();
    let playable = Playable::any(game.clone());
    let roles = game.facts().role_ids();
    let players = roles.map(|role| Some(make(&spec, &playable, role, 1).unwrap()));
    Local::seats(players, Budget::simulations(simulations))
}

/// A player by its name, with little to do where what it does takes long whatever its budget.
fn quick(name: &'static str) -> &'static str {
    match name {
        "hyperplay-ii" => "hyperplay-ii(index=1)",
        other => other,
    }
}

#[test]
fn every_player_plays_every_kind_of_game() {
    let others = |kind: &&Entry<PlayerSettings>| !(kind.defaults)().refuses_some();
    for kind in PLAYERS.iter().filter(others) {
        for name in [
            "tic-tac-toe",
            "tic-tic-toe",
            "maze",
            "monty-hall",
            "chinese-checkers-3",
        ] {
            let game = bundled(name).any();
            let referee = Referee::new(&game, 500);
            let mut record = referee.start(&game.initial(), 1);
            let result = referee.play(&mut record, &mut seats(&game, quick(kind.name), 10));
            let MatchEnd::Over(goals) = result else {
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
                .any(|made| made.failure.is_some());
            assert!(!refused, "{} chose an illegal move in {name}", kind.name);
        }
    }
}

#[test]
fn a_seed_is_a_match() {
    let game = bundled("connect-four").any();
    let referee = Referee::new(&game, 100);
    let run = || {
        let mut record = referee.start(&game.initial(), 7);
        referee.play(&mut record, &mut seats(&game, "uct-history", 20));
        record
            .moves
            .iter()
            .map(|moves| moves.iter().map(|made| made.id).collect())
            .collect::<Vec<Vec<MoveId>>>()
    };
    assert_eq!(run(), run());
}

struct Cheater;

impl Player<AnyGame> for Cheater {
    fn observe(&mut self, _: &Sight<'_, AnyState>) {}

    fn choose(&mut self, _: &[MoveId], _: Budget, _: &AtomicBool) -> Decision {
        Decision::without_search(MoveId(999_999), StopReason::NoSearch)
    }
}

#[test]
fn illegal_moves_are_replaced_and_noted() {
    let game = bundled("tic-tac-toe").any();
    let referee = Referee::new(&game, 100);
    let mut record = referee.start(&game.initial(), 7);
    let players: [Option<Box<dyn Player<AnyGame>>>; 2] = [Some(Box::new(Cheater)), None];
    let mut seats = Local::seats(players, Budget::simulations(1));
    let result = referee.play(&mut record, &mut seats);
    assert!(matches!(result, MatchEnd::Over(_)));
    assert!(
        record
            .moves
            .iter()
            .all(|moves| moves[0].failure == Some(Failure::Illegal("?".into())))
    );
    assert!(record.moves.iter().all(|moves| moves[1].decision.is_none()));
    assert!(record.legal(RoleId(0)).is_empty());
}

#[test]
fn a_match_that_does_not_end_is_cut() {
    let game = bundled("connect-four").any();
    let referee = Referee::new(&game, 3);
    let mut record = referee.start(&game.initial(), 7);
    let result = referee.play(&mut record, &mut seats(&game, "random", 1));
    assert_eq!(result, MatchEnd::Cut);
    assert_eq!(record.moves.len(), 3);
}

/// Notes what it was asked.
struct Witness {
    role: RoleId,
    asked: std::sync::Arc<std::sync::Mutex<Vec<(RoleId, &'static str)>>>,
}

impl Player<AnyGame> for Witness {
    fn observe(&mut self, _: &Sight<'_, AnyState>) {}

    fn choose(&mut self, _: &[MoveId], _: Budget, _: &AtomicBool) -> Decision {
        self.asked.lock().unwrap().push((self.role, "choose"));
        Decision::without_search(MoveId(999_999), StopReason::NoSearch)
    }

    fn ponder(&mut self, enough: &AtomicBool) {
        while !enough.load(std::sync::atomic::Ordering::Relaxed) {
            std::thread::yield_now();
        }
        self.asked.lock().unwrap().push((self.role, "ponder"));
    }
}

#[test]
fn who_has_no_choice_thinks_until_the_others_have_chosen() {
    let game = bundled("tic-tac-toe").any();
    let asked = std::sync::Arc::default();
    let witness = |role| {
        Some(Box::new(Witness {
            role: RoleId(role),
            asked: std::sync::Arc::clone(&asked),
        }) as Box<dyn Player<AnyGame>>)
    };
    let mut seats = Local::seats([witness(0), witness(1)], Budget::simulations(1));
    let referee = Referee::new(&game, 100).with_pondering();
    let mut record = referee.start(&game.initial(), 7);
    referee.step(&mut record, &mut seats);
    referee.step(&mut record, &mut seats);
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

/// Waits for all others before it answers, and then fails in its own way.
struct Meeting {
    all: std::sync::Arc<std::sync::Barrier>,
    failure: Failure,
    ends: std::sync::Arc<std::sync::Mutex<Vec<&'static str>>>,
}

impl Seat<AnyGame> for Meeting {
    fn start(&mut self, _: &Sight<'_, AnyState>) -> Result<(), Failure> {
        self.all.wait();
        Err(self.failure.clone())
    }

    fn play(&mut self, turn: &Turn<'_, AnyGame>) -> Result<Decision, Failure> {
        let Sight::Whole { last, .. } = turn.sight else {
            panic!("nothing is hidden")
        };
        assert_eq!(last.is_none(), turn.number == 0);
        self.all.wait();
        Err(self.failure.clone())
    }

    fn stop(&mut self, turn: &Turn<'_, AnyGame>) {
        assert!(turn.legal.is_empty());
        assert!(matches!(turn.sight, Sight::Whole { last: Some(_), .. }));
        self.ends.lock().unwrap().push("stop");
    }

    fn abort(&mut self) {
        self.ends.lock().unwrap().push("abort");
    }
}

#[test]
fn seats_are_asked_at_once_and_failures_do_not_stop_the_match() {
    let game = bundled("chinese-checkers-3").any();
    let failures = [
        Failure::Late,
        Failure::Connection("nobody there".into()),
        Failure::Unreadable("hm".into()),
    ];
    for (limit, ending) in [(1000, "stop"), (2, "abort")] {
        let ends = std::sync::Arc::default();
        let all = std::sync::Arc::new(std::sync::Barrier::new(3));
        let seat = |failure: &Failure| -> Option<Box<dyn Seat<AnyGame>>> {
            Some(Box::new(Meeting {
                all: std::sync::Arc::clone(&all),
                failure: failure.clone(),
                ends: std::sync::Arc::clone(&ends),
            }))
        };
        let mut seats: Seats<AnyGame> = failures.iter().map(seat).collect();
        let referee = Referee::new(&game, limit).asking_together();
        let mut record = referee.start(&game.initial(), 1);
        referee.open(&mut record, &mut seats);
        assert_eq!(record.opening, failures.clone().map(Some));
        let result = loop {
            if let Some(result) = referee.step(&mut record, &mut seats) {
                break result;
            }
        };
        referee.close(&record, &mut seats, &result);
        assert_eq!(matches!(result, MatchEnd::Over(_)), ending == "stop");
        for joint in &record.moves {
            let noted: Vec<_> = joint.iter().map(|made| made.failure.clone()).collect();
            assert_eq!(noted, failures.clone().map(Some));
        }
        assert_eq!(*ends.lock().unwrap(), [ending; 3]);
    }
}

#[test]
fn who_takes_longer_than_its_limit_is_late() {
    struct Sleeper;
    impl Player<AnyGame> for Sleeper {
        fn observe(&mut self, _: &Sight<'_, AnyState>) {}

        fn choose(&mut self, _: &[MoveId], _: Budget, _: &AtomicBool) -> Decision {
            std::thread::sleep(std::time::Duration::from_millis(20));
            Decision::without_search(MoveId(0), StopReason::NoSearch)
        }
    }
    let game = bundled("tic-tac-toe").any();
    let limit = std::time::Duration::from_millis(1);
    let sleeper = Local::on_clock(Box::new(Sleeper), limit, limit, limit);
    let mut seats: Seats<AnyGame> = vec![Some(Box::new(sleeper)), None];
    let referee = Referee::new(&game, 3);
    let mut record = referee.start(&game.initial(), 1);
    referee.play(&mut record, &mut seats);
    let late = |joint: &Vec<paidia_arena::Move>| joint[0].failure == Some(Failure::Late);
    assert!(record.moves.iter().all(late));
}

#[test]
fn an_interrupted_match_is_cut() {
    let game = bundled("tic-tac-toe").any();
    let interrupt = std::sync::Arc::default();
    let referee = Referee::new(&game, 100).until(std::sync::Arc::clone(&interrupt));
    let mut record = referee.start(&game.initial(), 1);
    let mut seats = seats(&game, "random", 1);
    assert_eq!(referee.step(&mut record, &mut seats), None);
    interrupt.store(true, std::sync::atomic::Ordering::Relaxed);
    let cut = referee.step(&mut record, &mut seats);
    assert_eq!((cut, record.moves.len()), (Some(MatchEnd::Cut), 1));
}
