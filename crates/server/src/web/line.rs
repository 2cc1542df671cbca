//! Lines of joint moves that somebody sent: made one by one, if they are legal.

use paidia_game::{AnyGame, AnyWalker, Chance, MoveId, RoleId, Rules, Walker, find_move};

use super::refusal::Refusal;

/// A joint move, each role's part as text.
pub(super) type Joint = Vec<String>;

/// Makes a joint move, if it is legal.
///
/// # Errors
/// Says which part cannot be made; the walker is left where it was.
pub(super) fn make(
    game: &AnyGame,
    walker: &mut AnyWalker,
    ply: usize,
    joint: &[String],
) -> Result<Vec<MoveId>, Refusal> {
    if walker.is_terminal() {
        return Err(Refusal::unusable(format!(
            "the game is over after {ply} moves; nothing can be made then"
        )));
    }
    let facts = game.facts();
    if joint.len() != facts.roles.len() {
        let (given, wanted) = (joint.len(), facts.roles.len());
        return Err(Refusal::unusable(format!(
            "move {} has {given} parts, and there are {wanted} roles",
            ply + 1
        )));
    }
    let legal = walker.legal();
    let part = |(role, text): (RoleId, &String)| {
        find_move(game.moves(), legal.of(role), text).ok_or_else(|| {
            let role = facts.role_name(role);
            Refusal::unusable(format!(
                "move {}: `{}` is not legal for {role}",
                ply + 1,
                shortened(text)
            ))
        })
    };
    let ids = facts
        .role_ids()
        .zip(joint)
        .map(part)
        .collect::<Result<Vec<_>, _>>()?;
    walker.advance(&ids, &mut Chance::from_seed(0));
    Ok(ids)
}

/// Makes moves one after the other.
///
/// # Errors
/// If there are too many, or one of them is illegal.
pub(super) fn follow(
    game: &AnyGame,
    walker: &mut AnyWalker,
    moves: &[Joint],
    longest: usize,
) -> Result<(), Refusal> {
    check_length(moves.len(), longest)?;
    for (ply, joint) in moves.iter().enumerate() {
        make(game, walker, ply, joint)?;
    }
    Ok(())
}

/// Refuses lines that are too long.
pub(super) fn check_length(length: usize, longest: usize) -> Result<(), Refusal> {
    match length > longest {
        true => Err(Refusal::unusable(format!(
            "a line may have {longest} moves"
        ))),
        false => Ok(()),
    }
}

/// The beginning of a text from elsewhere.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}
