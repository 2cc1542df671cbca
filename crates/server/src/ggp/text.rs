//! Names as others write them: exactly as in the rules, or in another case where that is not ambiguous.
//!
//! Some hosts put everything in capitals, some only what they did not get from the rules.

use paidia_game::{GameFacts, MoveId, MoveTable, RoleId};

/// The role that is meant.
pub fn find_role(facts: &GameFacts, text: &str) -> Option<RoleId> {
    let alike = |role: &RoleId| facts.role_name(*role).eq_ignore_ascii_case(text);
    let found = facts.role(text);
    found.or_else(|| only(facts.role_ids().filter(alike)))
}

/// The move that is meant, of those that are legal.
pub fn find_move(table: &MoveTable, legal: &[MoveId], text: &str) -> Option<MoveId> {
    let name = |id: MoveId| table.get(id);
    let alike = |id: &MoveId| name(*id).is_some_and(|name| name.eq_ignore_ascii_case(text));
    let found = table.find(text).filter(|id| legal.contains(id));
    found.or_else(|| only(legal.iter().copied().filter(alike)))
}

/// The only one there is.
fn only<T>(mut all: impl Iterator<Item = T>) -> Option<T> {
    let first = all.next()?;
    all.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::find_move;
    use paidia_game::{MoveId, MoveTable};

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
}
