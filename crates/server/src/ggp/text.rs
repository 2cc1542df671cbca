//! Names of roles as hosts write them: exactly as in the rules, or in another case where that is
//! not ambiguous.
//!
//! Some hosts put everything in capitals, some only what they did not get from the rules.

use paidia_game::{GameFacts, RoleId};

/// The role that is meant.
pub fn find_role(facts: &GameFacts, text: &str) -> Option<RoleId> {
    let alike = |role: &RoleId| facts.role_name(*role).eq_ignore_ascii_case(text);
    facts.role(text).or_else(|| {
        let mut alike = facts.role_ids().filter(alike);
        alike.next().filter(|_| alike.next().is_none())
    })
}
