//! Lines of joint moves from a request: made one by one, if they are legal.

use paidia_arena::Match;
use paidia_game::{AnyGame, RoleId, Rules, find_move};
use paidia_search::{Decision, StopReason};

use super::refusal::Refusal;

/// A joint move, each role's part as text.
pub(super) type Joint = Vec<String>;

/// A match of a game that goes where a line leads.
pub(super) fn start(game: &AnyGame) -> Match<AnyGame> {
    Match::new(game, &game.initial(), usize::MAX, 0)
}

/// Makes a joint move, if it is legal.
///
/// # Errors
/// Says which part cannot be made; the match is left where it was.
pub(super) fn make(played: &mut Match<AnyGame>, joint: &[String]) -> Result<(), Refusal> {
    let ply = played.ply();
    if played.end().is_some() {
        return Err(Refusal::unusable(format!(
            "the game is over after {ply} moves; nothing can be made then"
        )));
    }
    let facts = played.game().facts();
    if joint.len() != facts.roles.len() {
        let (given, wanted) = (joint.len(), facts.roles.len());
        return Err(Refusal::unusable(format!(
            "move {} has {given} parts, and there are {wanted} roles",
            ply + 1
        )));
    }
    let part = |(role, text): (RoleId, &String)| {
        let found = find_move(played.game().moves(), played.legal(role), text);
        found.map(|id| (role, id)).ok_or_else(|| {
            let role = facts.role_name(role);
            Refusal::unusable(format!(
                "move {}: `{}` is not legal for {role}",
                ply + 1,
                shortened(text)
            ))
        })
    };
    let parts = facts.role_ids().zip(joint).map(part);
    for (role, id) in parts.collect::<Result<Vec<_>, _>>()? {
        played.choose(role, Ok(Decision::without_search(id, StopReason::NoSearch)));
    }
    played.advance();
    Ok(())
}

/// Makes moves one after the other.
///
/// # Errors
/// If there are too many, or one of them is illegal.
pub(super) fn follow(
    played: &mut Match<AnyGame>,
    moves: &[Joint],
    longest: usize,
) -> Result<(), Refusal> {
    check_length(moves.len(), longest)?;
    moves.iter().try_for_each(|joint| make(played, joint))
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
