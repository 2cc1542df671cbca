//! Games in turns as games in real time, by theorem 5.4.2 of Kowalski 2016: played in step with the
//! rules in turns they have the same states, legal moves, end and goals.

use paidia_game::{Chance, Game, Legible, MoveId, RoleId, Walker};
use paidia_realtime::convert::to_real_time;
use paidia_testkit::rules::bundled;
use paidia_testkit::settings::number;

use crate::stage::{Stage, engines, load};
use paidia_reason::timed::{Core, Timed};

/// The facts of the game in turns that hold in real time.
fn facts(stage: &mut Stage) -> Vec<String> {
    let own = ["clock", "made", "moved"];
    let lasting = stage.lasting().into_iter().map(|(_, fact)| fact);
    let is_own = |fact: &String| {
        let bare = fact.trim_matches(['(', ')']);
        own.contains(&bare.split(' ').next().unwrap_or_default())
    };
    let mut facts: Vec<String> = lasting.filter(|fact| !is_own(fact)).collect();
    facts.sort();
    facts
}

/// Plays random matches of both in step; how many turns there were.
fn in_step<G: Game + Legible>(game: &G, timed: &Timed, matches: u64) -> u64 {
    let roles: Vec<RoleId> = game.facts().role_ids().collect();
    let mut turns = 0;
    for seed in 0..matches {
        let mut chance = Chance::from_seed(seed);
        let (mut walker, mut joint) = (game.walker(), Vec::<MoveId>::new());
        let mut stage = Stage::new(timed);
        for turn in 0_u64.. {
            let mut state = game.initial();
            walker.save(&mut state);
            let mut fluents = game.fluents(&state);
            fluents.sort();
            assert_eq!(facts(&mut stage), fluents, "{seed}, turn {turn}");
            assert_eq!(stage.table.is_over(), walker.is_terminal());
            if walker.is_terminal() {
                let goals = roles.iter().map(|&role| walker.goal(role).value());
                let goals: Vec<Vec<i32>> = goals.map(|goal| vec![goal.unwrap()]).collect();
                assert_eq!(stage.goals(), goals, "{seed}");
                break;
            }
            walker.legal().draw(&mut chance, &mut joint).unwrap();
            for (place, (&role, &id)) in roles.iter().zip(&joint).enumerate() {
                let time = format!("{turn}.{}", 25 * (1 + place));
                let text = format!("{} {}", game.facts().role_name(role), game.moves().name(id));
                stage.at(&time, &[&text]);
                assert!(!stage.lines().last().unwrap().contains("refused"), "{text}");
            }
            stage.until(&(turn + 1).to_string());
            walker.advance(&joint, &mut chance);
            turns += 1;
        }
    }
    turns
}

/// `PAIDIA_TIMED_TURNS=1000` plays so many matches of tic-tac-toe.
#[test]
fn converted_games_are_played_in_step_with_those_in_turns() {
    let matches = number("PAIDIA_TIMED_TURNS", 100);
    for (name, matches) in [
        ("tic-tac-toe", matches),
        ("prisoners-dilemma", 20),
        ("nim-small", 20),
    ] {
        let rules = bundled(name);
        let timed = to_real_time(&rules.read().0).unwrap();
        let turns = in_step(
            &rules.reference(),
            &load(&timed, Core::Compiled, None),
            matches,
        );
        println!("{name}: {matches} matches, {turns} turns");
        assert!(turns >= matches);
    }
    let rules = bundled("tic-tac-toe");
    let timed = to_real_time(&rules.read().0).unwrap();
    for game in engines(&timed) {
        in_step(&rules.reference(), &game, 3);
    }
}

/// What the theorem leaves out: a second move in a turn has no effect, a role that does not move is
/// missing, and a move on the instant of the tick counts for the next turn.
#[test]
fn what_the_theorem_leaves_out_shows_in_play() {
    let timed = to_real_time(&bundled("tic-tac-toe").read().0).unwrap();
    for game in engines(&timed) {
        let mut stage = Stage::new(&game);
        stage
            .at("0.25", &["x (mark 1 1)"])
            .at("0.5", &["x (mark 2 2)"]);
        stage.until("1");
        let marks = |stage: &mut Stage| {
            let cells = stage.facts("cell").into_iter();
            let marks = cells.filter(|cell| !cell.contains("empty"));
            marks.collect::<Vec<_>>()
        };
        assert_eq!(marks(&mut stage), ["infinity (cell 1 1 x)"]);
    }
}
