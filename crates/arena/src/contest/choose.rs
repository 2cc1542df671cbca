//! One move in one position, by a player that has never seen it.

use paidia_game::{Chance, Game, Legible, LineError, MoveId, RoleId, Walker, follow, read_state};
use paidia_search::Budget;

use super::play::EngineContest;
use crate::catalogue::alone;
use crate::spec::{BadPlayer, PlayerSpec};

/// A position of a game, and the role to move there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The facts that hold; those at the start of the game if none are given.
    pub from: Option<String>,
    /// The moves made from there.
    pub after: Option<String>,
    /// The role that moves; the first that has a choice if none is named.
    pub role: Option<String>,
}

/// What a player chose.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The move.
    pub text: String,
    /// What the player says that it is worth.
    pub value: f64,
    /// States it visited.
    pub states: u64,
    /// Simulations it made.
    pub simulations: u64,
    /// Seconds it took.
    pub seconds: f64,
}

/// Why no player can be asked there.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BadPlace {
    /// The player cannot be made.
    #[error(transparent)]
    Player(#[from] BadPlayer),
    /// The position cannot be read.
    #[error(transparent)]
    Position(#[from] LineError),
    /// The game has no such role.
    #[error("there is no role `{0}`; the roles are {1}")]
    Role(String, String),
    /// No role has a choice.
    #[error("no role has a choice there")]
    NoChoice,
    /// The rules are in real time.
    #[error("positions of games in real time are not asked about")]
    RealTime,
}

impl<G: Game + Legible> EngineContest<G> {
    /// The state of a place, and the role that moves there.
    fn stand(&self, place: &Place) -> Result<(G::State, RoleId), BadPlace> {
        let game = &self.playable.game;
        let mut state = match &place.from {
            Some(facts) => read_state(game, facts)?,
            None => game.initial(),
        };
        let mut walker = game.walker();
        walker.jump(&state);
        if let Some(moves) = &place.after {
            // The moves of `random` are given like all others.
            follow(game, &mut walker, moves, &mut Chance::from_seed(0))?;
            walker.save(&mut state);
        }
        let facts = game.facts();
        let is_over = walker.is_terminal();
        let legal = walker.legal();
        let role = match &place.role {
            Some(name) => facts
                .role(name)
                .ok_or_else(|| BadPlace::Role(name.clone(), facts.roles.join(", ")))?,
            None => facts
                .players()
                .find(|&role| legal.of(role).len() > 1)
                .ok_or(BadPlace::NoChoice)?,
        };
        match is_over || legal.of(role).is_empty() {
            true => Err(BadPlace::NoChoice),
            false => Ok((state, role)),
        }
    }

    fn name(&self, id: MoveId) -> String {
        self.playable.game.moves().name(id).to_string()
    }

    /// The moves of the role that moves in a place.
    pub(super) fn moves_in(&self, place: &Place) -> Result<Vec<String>, BadPlace> {
        let (state, role) = self.stand(place)?;
        let mut walker = self.playable.game.walker();
        walker.jump(&state);
        let moves = walker.legal().of(role).iter();
        Ok(moves.map(|&id| self.name(id)).collect())
    }

    /// Lets a new player choose in a place.
    pub(super) fn choose_in(
        &self,
        place: &Place,
        player: &PlayerSpec,
        budget: Budget,
        seed: u64,
    ) -> Result<Chosen, BadPlace> {
        let (state, role) = self.stand(place)?;
        let mut player = self.playable.search(&alone(player), role, seed)?;
        let decision = player.choose(&state, budget);
        let report = &decision.report;
        let own = report.moves.iter().find(|one| one.id == decision.id);
        Ok(Chosen {
            text: self.name(decision.id),
            value: own.map_or(0.0, |one| one.value),
            states: report.states,
            simulations: report.simulations,
            seconds: report.time.as_secs_f64(),
        })
    }
}
