//! Moves and states as people write them: `(mark 1 1) (mark 2 2)` or
//! `((mark 1 1) noop) (noop (mark 2 2))`.

use crate::chance::Chance;
use crate::contract::{Game, Legible, UnknownFluent, Walker};
use crate::ids::{MoveId, RoleId};
use crate::legal::LegalMoves;
use crate::names::MoveTable;
use crate::play::{IllegalMove, play};

/// Why a line of moves, or a state, could not be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// The parentheses do not match.
    #[error("the parentheses of `{0}` do not match")]
    Parentheses(String),
    /// An item of the line is no joint move of the state it stands for.
    #[error("step {step}: {reason}")]
    Step {
        /// The place in the line, from 1.
        step: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A fluent that the game does not have.
    #[error(transparent)]
    Fluent(#[from] UnknownFluent),
}

/// Makes the moves of a line, from where the walker stands, and gives them back as joint moves.
///
/// Each item is one step: either a list with a move for each role, in the order of the roles, as
/// the GGP protocol writes it, or, where every other role has just one legal move, the move of the
/// role that has a choice.
///
/// # Errors
/// Tells which step could not be made; the walker stands before it.
pub fn follow<G: Game>(
    game: &G,
    walker: &mut G::Walker,
    line: &str,
    chance: &mut Chance,
) -> Result<Vec<Vec<MoveId>>, LineError> {
    let mut made = Vec::new();
    for (index, item) in split(line)?.iter().enumerate() {
        let fail = |reason: String| LineError::Step {
            step: index + 1,
            reason,
        };
        let joint = read_joint(game, walker, item).map_err(fail)?;
        play(game, walker, &joint, chance).map_err(|illegal| fail(illegal.to_string()))?;
        made.push(joint);
    }
    Ok(made)
}

/// The state that a text describes: its fluents one after the other, each alone or as `(true ...)`.
///
/// # Errors
/// If the parentheses do not match or something is no fluent of the game.
pub fn read_state<G: Legible>(game: &G, text: &str) -> Result<G::State, LineError> {
    let items = split(text)?;
    let fluents: Vec<&str> = items.iter().map(|item| without_true(item)).collect();
    Ok(game.state(&fluents)?)
}

/// The move that a text means, of those that are legal: exactly as in the rules, or in another case
/// where that is not ambiguous.
pub fn find_move(table: &MoveTable, legal: &[MoveId], text: &str) -> Option<MoveId> {
    let found = table.find(text).filter(|id| legal.contains(id));
    found.or_else(|| {
        let alike = |id: &&MoveId| {
            table
                .get(**id)
                .is_some_and(|name| name.eq_ignore_ascii_case(text))
        };
        let mut alike = legal.iter().filter(alike);
        alike.next().filter(|_| alike.next().is_none()).copied()
    })
}

fn without_true(item: &str) -> &str {
    let inner = item
        .strip_prefix("(true ")
        .and_then(|rest| rest.strip_suffix(')'));
    // `(true a b)` would be a fluent named true: there is one argument or it is none of ours.
    match inner {
        Some(inner) if split(inner).is_ok_and(|parts| parts.len() == 1) => inner,
        _ => item,
    }
}

/// The joint move that an item of a line stands for in the walker's state.
fn read_joint<G: Game>(
    game: &G,
    walker: &mut G::Walker,
    item: &str,
) -> Result<Vec<MoveId>, String> {
    if walker.is_terminal() {
        let over = || format!("the game is over before `{item}`");
        return Err(walker.fault().map_or_else(over, ToString::to_string));
    }
    let roles = game.facts().roles.len();
    let legal = walker.legal();
    if let Some(joint) = single_move(game, legal, item) {
        return Ok(joint);
    }
    let parts = item
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let parts = parts.map_or_else(Vec::new, |inner| split(inner).unwrap_or_default());
    if parts.len() != roles {
        return Err(explain(game, legal, item));
    }
    let joint: Vec<MoveId> = parts
        .iter()
        .map(|part| game.moves().find(part).unwrap_or(MoveId::CHANCE))
        .collect();
    for ((role, moves), (id, part)) in legal.iter().zip(joint.iter().zip(&parts)) {
        if !moves.contains(id) {
            return Err(illegal(game, role, part));
        }
    }
    Ok(joint)
}

/// The joint move in which one role makes the move and all others make the only one they have.
fn single_move<G: Game>(game: &G, legal: &LegalMoves, item: &str) -> Option<Vec<MoveId>> {
    let id = game.moves().find(item)?;
    let mut choosing = legal
        .iter()
        .filter(|(_, moves)| moves.len() > 1)
        .map(|(role, _)| role);
    let mover = match (choosing.next(), choosing.next()) {
        (Some(mover), None) => mover,
        // No role has a choice: the move must be the only one of some role.
        (None, _) => legal.iter().find(|(_, moves)| moves.contains(&id))?.0,
        (Some(_), Some(_)) => return None,
    };
    if !legal.of(mover).contains(&id) {
        return None;
    }
    legal
        .iter()
        .map(|(role, moves)| {
            if role == mover {
                Some(id)
            } else {
                moves.first().copied()
            }
        })
        .collect()
}

fn illegal<G: Game>(game: &G, role: RoleId, text: &str) -> String {
    let role_name = game.facts().role_name(role).to_owned();
    IllegalMove::NotLegal {
        role,
        role_name,
        text: text.to_owned(),
    }
    .to_string()
}

/// Why an item is neither a joint move nor the move of the one role that has a choice.
fn explain<G: Game>(game: &G, legal: &LegalMoves, item: &str) -> String {
    let choosing: Vec<RoleId> = legal
        .iter()
        .filter(|(_, moves)| moves.len() > 1)
        .map(|(role, _)| role)
        .collect();
    match choosing[..] {
        [role] => illegal(game, role, item),
        [] => format!("`{item}` is not a legal move of any role here"),
        _ => {
            let roles = game.facts().roles.join(" ");
            format!(
                "`{item}` is not a joint move: several roles have a choice here, so write one move for each, as ({roles})"
            )
        }
    }
}

/// Splits a text into its terms, each in canonical form: lower-level spaces single, none inside
/// parentheses' edges.
///
/// # Errors
/// If the parentheses do not match.
pub fn split(text: &str) -> Result<Vec<String>, LineError> {
    let mut items = Vec::new();
    let mut item = String::new();
    let mut depth = 0usize;
    let mut rest = text;
    while let Some((token, following)) = next_token(rest) {
        rest = following;
        if token == ")" {
            depth = depth
                .checked_sub(1)
                .ok_or_else(|| LineError::Parentheses(text.to_owned()))?;
        } else if !item.is_empty() && !item.ends_with('(') {
            item.push(' ');
        }
        item.push_str(token);
        depth += usize::from(token == "(");
        if depth == 0 {
            items.push(std::mem::take(&mut item));
        }
    }
    if depth > 0 {
        return Err(LineError::Parentheses(text.to_owned()));
    }
    Ok(items)
}

/// The next parenthesis or word, and what follows it.
fn next_token(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let first = text.chars().next()?;
    let length = match first {
        '(' | ')' => 1,
        _ => text
            .find(|c: char| c.is_whitespace() || c == '(' || c == ')')
            .unwrap_or(text.len()),
    };
    Some(text.split_at(length))
}

#[cfg(test)]
mod tests {
    use super::{LineError, find_move, split, without_true};
    use crate::ids::MoveId;
    use crate::names::MoveTable;

    #[test]
    fn case_is_ignored_where_only_one_move_is_meant() {
        let table = MoveTable::from_names(["(Mark a)", "(mark a)", "noop", "pass"]).unwrap();
        let legal = [MoveId(0), MoveId(1), MoveId(2)];
        let find = |text| find_move(&table, &legal, text);
        assert_eq!(find("(mark a)"), Some(MoveId(1)));
        assert_eq!(find("(Mark a)"), Some(MoveId(0)));
        assert_eq!(find("(MARK A)"), None);
        assert_eq!(find("NOOP"), Some(MoveId(2)));
        assert_eq!(find("pass"), None, "it is not legal");
        assert_eq!(find("(mark a) "), None);
    }

    #[test]
    fn terms_are_brought_into_canonical_form() {
        let items = split(" noop( mark  1\n(f x ) ) ( ) a").unwrap();
        assert_eq!(items, ["noop", "(mark 1 (f x))", "()", "a"]);
    }

    #[test]
    fn parentheses_must_match() {
        for text in ["(a", "a)", "(a))", ")("] {
            assert_eq!(split(text), Err(LineError::Parentheses(text.into())));
        }
    }

    #[test]
    fn true_is_taken_off_once() {
        assert_eq!(without_true("(true (cell 1 1 x))"), "(cell 1 1 x)");
        assert_eq!(without_true("(true a b)"), "(true a b)");
        assert_eq!(without_true("control"), "control");
    }
}
