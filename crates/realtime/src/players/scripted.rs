//! Moves that are given beforehand.

use std::collections::VecDeque;

use paidia_game::{Ticks, TimedGame};

use super::{BadPlayer, Intent, TimedPlayer};
use crate::world::World;

/// Makes given moves at given times; a move that is not legal then is left out.
pub struct ScriptedPlayer {
    moves: VecDeque<(Ticks, String)>,
}

impl ScriptedPlayer {
    /// The player that makes these moves, in the order of their times.
    pub fn new(mut moves: Vec<(Ticks, String)>) -> Self {
        moves.sort_by_key(|(time, _)| *time);
        Self {
            moves: moves.into(),
        }
    }

    /// The player of a text such as `0.5 swerve; 2 (mark 1 1)`.
    ///
    /// # Errors
    /// Names the part that is no time and move.
    pub fn parse(text: &str) -> Result<Self, BadPlayer> {
        let parts = text.split(';').map(str::trim);
        let parts = parts.filter(|part| !part.is_empty());
        let moves = parts.map(|part| {
            let pair = part.split_once(' ');
            let pair =
                pair.and_then(|(time, text)| Some((Ticks::parse(time)?, text.trim().to_owned())));
            pair.ok_or_else(|| BadPlayer(format!("`{part}` is no time and move")))
        });
        Ok(Self::new(moves.collect::<Result<_, _>>()?))
    }
}

impl<G: TimedGame> TimedPlayer<G> for ScriptedPlayer {
    fn intend(&mut self, world: &mut World<G>, now: Ticks) -> Option<Intent> {
        loop {
            let (at, text) = self.moves.front()?;
            if *at > now {
                return Some(Intent {
                    at: *at,
                    make: None,
                });
            }
            let id = world.find_move(now, text);
            self.moves.pop_front();
            if id.is_some() {
                return Some(Intent { at: now, make: id });
            }
        }
    }
}
