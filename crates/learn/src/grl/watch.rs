//! Watching games being played at random.

use paidia_game::Chance;
use paidia_languages::board::{BoardGame, On, TooComplex};

use super::scene::{Does, EMPTY, Micro, Record, Scene};
use crate::rules::random_plays;

/// A position that was seen, with the moves that are known to be legal.
#[derive(Clone, Debug)]
pub struct Sight {
    /// The position.
    pub scene: Scene,
    /// The moves.
    pub records: Vec<Record>,
    /// Whether there are no others.
    pub is_complete: bool,
}

/// What is seen of plays in which moves are drawn, each cut after a number of moves. With
/// `is_complete` all legal moves are known, else the one that was made.
pub fn watch(
    start: &Scene,
    legal: impl Fn(&Scene) -> Vec<Record>,
    plays: usize,
    most: usize,
    is_complete: bool,
    seed: u64,
) -> Vec<Sight> {
    let mut chance = Chance::from_seed(seed);
    let mut seen = Vec::new();
    for _ in 0..plays {
        let mut scene = start.clone();
        for _ in 0..most {
            let mut records = legal(&scene);
            if records.is_empty() {
                break;
            }
            let chosen = records[chance.below(records.len() as u32) as usize].clone();
            let Some(next) = scene.after(&chosen) else {
                break;
            };
            if !is_complete {
                records = vec![chosen];
            }
            seen.push(Sight {
                scene,
                records,
                is_complete,
            });
            scene = next;
        }
    }
    seen
}

/// What is seen of white in plays of a simplified board game in which words are drawn.
///
/// # Errors
/// If a rule has no automaton that is small enough.
pub fn of_board_game(
    game: &BoardGame,
    plays: usize,
    is_complete: bool,
    seed: u64,
) -> Result<Vec<Sight>, TooComplex> {
    let seen = random_plays(game, plays, is_complete, seed)?;
    let sight = |position: &crate::rules::Observation| {
        let mut scene = Scene::new(seen.width, position.board.clone());
        scene.is_white = position.is_white;
        let records = position.words.iter().map(|seen| Record {
            from: seen.square,
            steps: seen.word.iter().map(|&letter| micro(letter)).collect(),
        });
        Sight {
            scene,
            records: records.collect(),
            is_complete: position.is_complete,
        }
    };
    debug_assert!(
        seen.positions
            .iter()
            .all(|seen| seen.board.contains(&EMPTY))
    );
    Ok(seen.positions.iter().map(sight).collect())
}

fn micro(letter: paidia_languages::board::Letter) -> Micro {
    Micro {
        dx: letter.dx.into(),
        dy: letter.dy.into(),
        does: match letter.on {
            On::Empty => Does::Empty,
            On::Opponent => Does::Opponent,
            On::Own => Does::Own,
        },
    }
}
