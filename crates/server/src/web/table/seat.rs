//! The seats of a table.

use paidia_game::{Game, RoleId};

use crate::web::Limits;
use crate::web::refusal::Refusal;
use crate::web::thinker::Chosen;

/// What plays a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) enum Occupant {
    /// A person.
    Human,
    /// A player of the catalogue.
    Player(Chosen),
    /// The role of chance, whose moves are drawn.
    Chance,
}

impl Occupant {
    /// As the page writes it.
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Occupant::Human => Some("human".to_owned()),
            Occupant::Player(chosen) => Some(chosen.name.clone()),
            Occupant::Chance => None,
        }
    }
}

/// The seats of a game, one for each role.
pub(in crate::web) fn read_seats<G: Game>(
    game: &G,
    names: &[Option<String>],
    limits: &Limits,
) -> Result<Vec<Occupant>, Refusal> {
    let facts = game.facts();
    if names.len() != facts.roles.len() {
        let roles = facts.roles.join(", ");
        let error = format!(
            "there is one seat for each role: {roles}; `random` has none, so give null there"
        );
        return Err(Refusal::unusable(error));
    }
    let read = |(role, name): (RoleId, &Option<String>)| match name.as_deref() {
        _ if facts.random() == Some(role) => Ok(Occupant::Chance),
        Some("human") => Ok(Occupant::Human),
        Some(player) => Chosen::read(player, limits).map(Occupant::Player),
        None => {
            let role = facts.role_name(role);
            Err(Refusal::unusable(format!(
                "the role {role} has no player: give `human` or a player"
            )))
        }
    };
    facts.role_ids().zip(names).map(read).collect()
}
