//! Who sits where.

use paidia_game::{Game, RoleId};

use crate::web::Limits;
use crate::web::refusal::Refusal;
use crate::web::thinker::Chosen;

/// Who plays a role.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) enum Seat {
    /// A person.
    Human,
    /// A player of the catalogue.
    Player(Chosen),
    /// Nobody: chance draws.
    Chance,
}

impl Seat {
    /// As the page writes it.
    pub(super) fn name(&self) -> Option<String> {
        match self {
            Seat::Human => Some("human".to_owned()),
            Seat::Player(chosen) => Some(chosen.name.clone()),
            Seat::Chance => None,
        }
    }
}

/// The seats of a game, one for each role.
pub(in crate::web) fn read_seats<G: Game>(
    game: &G,
    names: &[Option<String>],
    limits: &Limits,
) -> Result<Vec<Seat>, Refusal> {
    let facts = game.facts();
    if names.len() != facts.roles.len() {
        let roles = facts.roles.join(", ");
        let error = format!(
            "there is one seat for each role: {roles}; `random` has none, so give null there"
        );
        return Err(Refusal::unusable(error));
    }
    let read = |(role, name): (RoleId, &Option<String>)| match name.as_deref() {
        _ if facts.random() == Some(role) => Ok(Seat::Chance),
        Some("human") => Ok(Seat::Human),
        Some(player) => Chosen::read(player, limits).map(Seat::Player),
        None => {
            let role = facts.role_name(role);
            Err(Refusal::unusable(format!(
                "nobody sits where {role} plays: give `human` or a player"
            )))
        }
    };
    facts.role_ids().zip(names).map(read).collect()
}
