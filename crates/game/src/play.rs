//! Checked play: making a joint move only if every part of it is legal.

use crate::chance::Chance;
use crate::contract::{Game, Walker};
use crate::ids::{MoveId, RoleId};

/// Why a joint move was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The joint move has too few or too many parts.
    #[error("a joint move needs {expected} moves, one for each role, and this one has {found}")]
    WrongLength {
        /// How many roles there are.
        expected: usize,
        /// How many moves there were.
        found: usize,
    },
    /// The game is over.
    #[error("the game is over here")]
    GameOver,
    /// A role may not make this move here.
    #[error("`{text}` is not a legal move of {role_name} here")]
    NotLegal {
        /// The role.
        role: RoleId,
        /// Its name.
        role_name: String,
        /// The text of the move.
        text: String,
    },
}

/// Makes a joint move after checking it.
///
/// [`MoveId::CHANCE`] is accepted for the role `random` alone, and only if it has a legal move.
///
/// # Errors
/// Names the first role whose move is illegal; the walker is left where it was.
pub fn play<G: Game>(
    game: &G,
    walker: &mut G::Walker,
    joint: &[MoveId],
    chance: &mut Chance,
) -> Result<(), IllegalMove> {
    let facts = game.facts();
    if joint.len() != facts.roles.len() {
        return Err(IllegalMove::WrongLength {
            expected: facts.roles.len(),
            found: joint.len(),
        });
    }
    if walker.is_terminal() {
        return Err(IllegalMove::GameOver);
    }
    let legal = walker.legal();
    for (role, &id) in facts.role_ids().zip(joint) {
        let moves = legal.of(role);
        let drawn = id == MoveId::CHANCE && facts.random() == Some(role) && !moves.is_empty();
        if !drawn && !moves.contains(&id) {
            return Err(IllegalMove::NotLegal {
                role,
                role_name: facts.role_name(role).to_owned(),
                text: game.moves().name(id).to_string(),
            });
        }
    }
    walker.advance(joint, chance);
    Ok(())
}
