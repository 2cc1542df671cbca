//! Playing one game of a study.

use paidia_game::{Game, Goal, RoleId};
use paidia_search::{Budget, Decision, Player};

use super::ledger::{Ending, Record, Seat};
use super::plan::{Contestant, Setup, part_seed};
use crate::catalogue::make;
use crate::playable::Playable;
use crate::referee::{self, Move, Referee};
use crate::spec::BadPlayer;

/// Where games of one kind are played; it may be used by several threads at a time.
pub trait Table: Send + Sync {
    /// How many players the game wants.
    fn players(&self) -> usize;

    /// Plays a game; the seed of the study is for the record.
    ///
    /// # Errors
    /// If a player cannot be made.
    fn play(&self, setup: &Setup, study_seed: u64) -> Result<Record, BadPlayer>;
}

/// A game on any engine as a [`Table`].
pub struct Board<G: Game> {
    playable: Playable<G>,
}

/// The players of a match, one a role; `random` has none.
type Players<G> = Vec<Option<Box<dyn Player<G>>>>;

impl<G: Game> Board<G> {
    /// A table for a game.
    pub fn new(playable: Playable<G>) -> Self {
        Self { playable }
    }

    /// The players in the order of the roles.
    fn players_of(&self, setup: &Setup) -> Result<Players<G>, BadPlayer> {
        let facts = self.playable.game.facts();
        let mut players: Players<G> = Vec::new();
        players.resize_with(facts.roles.len(), || None);
        for (role, contestant) in facts.players().zip(&setup.contestants) {
            let seed = part_seed(setup.seed, u64::from(role.0) + 1);
            let player = make(&contestant.player, &self.playable, role, seed)?;
            let budget = contestant.thinking.budget();
            players[role.index()] = Some(Box::new(WithBudget { player, budget }));
        }
        Ok(players)
    }

    fn seat(
        &self,
        role: RoleId,
        contestant: &Contestant,
        moves: &[Vec<Move>],
        goal: Option<i32>,
    ) -> Seat {
        let made = moves.iter().filter_map(|joint| joint.get(role.index()));
        let reports =
            made.filter_map(|made| made.decision.as_ref().map(|decision| &decision.report));
        let mut seat = Seat {
            place: contestant.place,
            player: contestant.name.clone(),
            role: self.playable.game.facts().role_name(role).to_owned(),
            goal,
            states: 0,
            simulations: 0,
            seconds: 0.0,
        };
        for report in reports {
            seat.states += report.states;
            seat.simulations += report.simulations;
            seat.seconds += report.time.as_secs_f64();
        }
        seat
    }
}

impl<G: Game> Table for Board<G> {
    fn players(&self) -> usize {
        self.playable.game.facts().players().count()
    }

    fn play(&self, setup: &Setup, study_seed: u64) -> Result<Record, BadPlayer> {
        let referee = Referee::new(&self.playable.game, setup.step_limit);
        let mut players = self.players_of(setup)?;
        let start = self.playable.game.initial();
        if setup.start_clock {
            for player in players.iter_mut().flatten() {
                player.prepare(&start, Budget::default());
            }
        }
        let mut game = referee.start(&start, part_seed(setup.seed, 0));
        let result = referee.play(&mut game, &mut players, Budget::default());
        let (ending, goals) = ending(result);
        let goal = |role: RoleId| goals.get(role.index()).and_then(|goal| goal.value());
        let roles = self.playable.game.facts().players().zip(&setup.contestants);
        let seats = roles
            .map(|(role, contestant)| self.seat(role, contestant, &game.moves, goal(role)))
            .collect();
        Ok(Record {
            cell: setup.cell.clone(),
            number: setup.number,
            seed: study_seed,
            setup: setup.fingerprint(),
            ending,
            steps: game.moves.len(),
            seats,
        })
    }
}

fn ending(result: referee::Result) -> (Ending, Vec<Goal>) {
    match result {
        referee::Result::Over(goals) => (Ending::Over, goals),
        referee::Result::Cut => (Ending::Cut, Vec::new()),
        referee::Result::Stuck(_) => (Ending::Stuck, Vec::new()),
        referee::Result::Fault(_) => (Ending::Fault, Vec::new()),
    }
}

/// A player that thinks by its own budget, whatever the referee gives.
struct WithBudget<G: Game> {
    player: Box<dyn Player<G>>,
    budget: Budget,
}

impl<G: Game> Player<G> for WithBudget<G> {
    fn prepare(&mut self, state: &G::State, _: Budget) {
        self.player.prepare(state, self.budget);
    }

    fn choose(&mut self, state: &G::State, _: Budget) -> Decision {
        self.player.choose(state, self.budget)
    }
}
