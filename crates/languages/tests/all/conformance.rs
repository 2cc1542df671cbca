//! The promises of the contract, on every game.

use paidia_game::{ConformanceOptions, conformance};
use paidia_languages::board::Position;
use paidia_testkit::boards;

use crate::data::{game, games};

/// A piece whose ways meet, so that moves could be found twice, and one that can stay.
const MEETING: &str = "<<Meeting>><BOARD> 5 5 |a.a.a||.a.a.||.....||.M.M.||M.M.M| <PIECES>
    M ((1,1,p)(1,1,e)+(-1,1,p)(-1,1,e))((1,1,p)(1,1,e)+(-1,1,p)(-1,1,e))^* + (0,1,e) + (0,0,w) &
    A (0,1,e)^* + (1,0,e)(-1,0,w)(0,1,p) + (0,1,w) & <GOALS> 30 & @M 0 4 & #a 1 & #m 0 &";

#[test]
fn every_game_keeps_the_contract() {
    let meeting = ("meeting".to_owned(), MEETING.to_owned());
    let reference = boards().map(|folder| games(&folder)).unwrap_or_default();
    for (name, text) in reference.into_iter().chain([meeting]) {
        let options = ConformanceOptions {
            step_limit: 80,
            ..ConformanceOptions::default()
        };
        let failures = conformance(&game(&name, &text), options);
        assert!(failures.is_empty(), "{name}: {failures:?}");
    }
}

/// Keys and moves are the same however a position was reached, and after taking moves back.
#[test]
fn what_is_kept_step_by_step_is_what_is_found_afresh() {
    let game = game("meeting", MEETING);
    let (mut position, mut fresh) = (game.position(), game.position());
    let mut state = paidia_game::Rules::initial(&game);
    let mut chance = paidia_game::Chance::from_seed(4);
    for _ in 0..200 {
        let mut undone = Vec::new();
        let mut line: Vec<Position> = Vec::new();
        let mut moves = Vec::new();
        for _ in 0..40 {
            position.save(&mut state);
            fresh.set(&state);
            assert_eq!(fresh.key(), position.key());
            moves.clear();
            position.moves(&mut moves);
            let mut again = Vec::new();
            fresh.moves(&mut again);
            assert_eq!(moves, again);
            let over = position.winner().is_some() || position.is_out_of_turns();
            let Some(chosen) = chance.pick(&moves).filter(|_| !over) else {
                break;
            };
            line.push(position.clone());
            undone.push(position.make(chosen));
        }
        for (undo, before) in undone.into_iter().zip(line).rev() {
            position.unmake(undo);
            assert_eq!(
                (position.rows(), position.key()),
                (before.rows(), before.key())
            );
        }
    }
}
