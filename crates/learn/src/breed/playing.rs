//! Plays between players of a fixed depth, for rating games.

use std::sync::Arc;

use paidia_game::{Chance, Rules};
use paidia_languages::board::{BoardGame, BoardMove, BoardState, Colour};

use super::profile::Seat;
use crate::player::{Limits, Search, Style};

/// What all plays of a game have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contest {
    /// How deep players search.
    pub depth: i32,
    /// Positions that a play may take; one that needs more overruns its time.
    pub nodes: u64,
}

impl Default for Contest {
    fn default() -> Self {
        Self {
            depth: 3,
            nodes: 3_000_000,
        }
    }
}

/// How a play ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// A player won.
    Won(Colour),
    /// Neither player did.
    Drawn,
    /// It took too long.
    Overrun,
}

/// A play.
#[derive(Clone, Debug)]
pub struct Played {
    /// How it ended.
    pub ending: Ending,
    /// Half-moves.
    pub plies: u32,
    /// Legal moves, summed over all positions before the end.
    pub legal: u64,
    /// For each kind of men, moves made with them by players that judge.
    pub used: Vec<u32>,
}

/// Lets two players play, white first. The seed decides between moves of the same value.
pub fn play(game: &BoardGame, seats: [&Seat; 2], contest: Contest, seed: u64) -> Played {
    let style = Style {
        quiescence: false,
        modern: false,
    };
    let mut searches = seats.map(|seat| match seat {
        Seat::Judge(evaluation) => {
            let evaluation = Arc::clone(evaluation);
            Some(Search::new(game.tables(), evaluation, style, None))
        }
        Seat::Random => None,
    });
    let mut chance = Chance::from_seed(seed);
    let mut position = game.position();
    let mut state = game.initial();
    let mut moves: Vec<BoardMove> = Vec::new();
    let mut left = contest.nodes;
    let mut played = Played {
        ending: Ending::Drawn,
        plies: 0,
        legal: 0,
        used: vec![0; game.tables().contents() / 2 - 1],
    };
    loop {
        if let Some(winner) = position.winner() {
            played.ending = Ending::Won(winner);
            return played;
        }
        moves.clear();
        position.moves(&mut moves);
        let mover = position.mover();
        if moves.is_empty() {
            played.ending = Ending::Won(mover.other());
            return played;
        }
        if position.is_out_of_turns() {
            return played;
        }
        played.legal += moves.len() as u64;
        let chosen = match &mut searches[mover as usize] {
            Some(search) => {
                position.save(&mut state);
                let chosen = best(search, &state, contest.depth, &mut left, &mut chance);
                let man = position.board()[usize::from(chosen.from)];
                played.used[usize::from(man) / 2 - 1] += 1;
                chosen
            }
            None => chance.pick(&moves).unwrap_or(moves[0]),
        };
        if left == 0 {
            played.ending = Ending::Overrun;
            return played;
        }
        position.make(chosen);
        played.plies += 1;
    }
}

/// One of the best moves, all of which are as likely. Takes what it looked at from `left`.
fn best(
    search: &mut Search,
    state: &BoardState,
    depth: i32,
    left: &mut u64,
    chance: &mut Chance,
) -> BoardMove {
    let limits = Limits {
        depth,
        nodes: *left,
        ..Limits::default()
    };
    let (best, nodes) = search.any_best(state, &limits, chance);
    *left = left.saturating_sub(nodes);
    best
}
