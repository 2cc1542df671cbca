//! Letting players play: the referee keeps the state, asks for moves, and its word is the truth.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use paidia_game::{Chance, Game, Goal, MoveId, RoleId, Walker};
use paidia_search::{Budget, Decision, Player, StopReason};

/// A move that was made, and how it came about.
#[derive(Clone, Debug)]
pub struct Move {
    /// The move.
    pub id: MoveId,
    /// What the player said about it; `None` for the role `random`.
    pub decision: Option<Decision>,
    /// The move that the player chose, if it was illegal and another was drawn for it.
    pub refused: Option<MoveId>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Result {
    /// Over, with a goal for each role.
    Over(Vec<Goal>),
    /// Cut after as many joint moves as it may have.
    Cut,
    /// This role has no legal move though the game is not over.
    Stuck(RoleId),
    /// The engine ran into a limit.
    Fault(paidia_game::Fault),
}

/// A match that is being played.
pub struct Match<G: Game> {
    walker: G::Walker,
    state: G::State,
    chance: Chance,
    /// For each joint move, each role's part in it.
    pub moves: Vec<Vec<Move>>,
}

/// Referees matches of one game.
pub struct Referee<G: Game> {
    game: G,
    /// The most joint moves of a match.
    limit: usize,
    /// Whether players think while others do.
    pondering: bool,
}

impl<G: Game> Referee<G> {
    /// A referee that cuts matches after `limit` joint moves.
    pub fn new(game: &G, limit: usize) -> Self {
        Self {
            game: game.clone(),
            limit,
            pondering: false,
        }
    }

    /// The same referee, who lets everybody think at the same time: those who have something to choose choose, and the others think on until
    /// they have. Such matches cannot be repeated exactly.
    #[must_use]
    pub fn with_pondering(mut self) -> Self {
        self.pondering = true;
        self
    }

    /// Starts a match in a state; the seed decides what chance draws.
    pub fn start(&self, state: &G::State, seed: u64) -> Match<G> {
        let mut walker = self.game.walker();
        walker.jump(state);
        Match {
            walker,
            state: state.clone(),
            chance: Chance::from_seed(seed),
            moves: Vec::new(),
        }
    }

    /// Makes one joint move; the result, if the match is over already.
    ///
    /// Players are in the order of the roles; the role `random` needs none. A missing player, or one that chooses an illegal
    /// move, gets a move drawn at random.
    pub fn step(
        &self,
        game: &mut Match<G>,
        players: &mut [Option<Box<dyn Player<G>>>],
        budget: Budget,
    ) -> Option<Result> {
        if let Some(result) = self.result(game) {
            return Some(result);
        }
        let mut decisions = if self.pondering {
            self.decide_together(game, players, budget)
        } else {
            let choose = |player: &mut Option<Box<dyn Player<G>>>| {
                player
                    .as_mut()
                    .map(|player| player.choose(&game.state, budget))
            };
            players.iter_mut().map(choose).collect()
        };
        decisions.resize(self.game.facts().roles.len(), None);
        let mut moves = Vec::new();
        for (role, decision) in self.game.facts().role_ids().zip(decisions) {
            let legal = game.walker.legal().of(role);
            let chosen = decision.as_ref().map(|decision| decision.id);
            let Some(drawn) = game.chance.pick(legal) else {
                return Some(Result::Stuck(role));
            };
            let id = chosen.filter(|id| legal.contains(id)).unwrap_or(drawn);
            moves.push(Move {
                id,
                refused: chosen.filter(|&other| other != id),
                decision,
            });
        }
        let joint: Vec<MoveId> = moves.iter().map(|made| made.id).collect();
        game.walker.advance(&joint, &mut game.chance);
        game.walker.save(&mut game.state);
        game.moves.push(moves);
        None
    }

    /// Asks everybody at once; who has no choice thinks on until the last of the others has chosen.
    fn decide_together(
        &self,
        game: &mut Match<G>,
        players: &mut [Option<Box<dyn Player<G>>>],
        budget: Budget,
    ) -> Vec<Option<Decision>> {
        let legal = game.walker.legal();
        let only = |role: RoleId| match legal.of(role) {
            [only] => Some(*only),
            _ => None,
        };
        let only: Vec<Option<MoveId>> = self.game.facts().role_ids().map(only).collect();
        let anybody_chooses = only.iter().any(Option::is_none);
        let (state, enough) = (&game.state, &AtomicBool::new(!anybody_chooses));
        let open = &AtomicUsize::new(only.iter().filter(|only| only.is_none()).count());
        std::thread::scope(|scope| {
            let threads: Vec<_> = players
                .iter_mut()
                .zip(&only)
                .map(|(player, &only)| {
                    scope.spawn(move || decide(player.as_mut(), only, state, budget, open, enough))
                })
                .collect();
            let decision = |thread: std::thread::ScopedJoinHandle<'_, Option<Decision>>| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(decision).collect()
        })
    }

    /// Plays a match to its end.
    pub fn play(
        &self,
        game: &mut Match<G>,
        players: &mut [Option<Box<dyn Player<G>>>],
        budget: Budget,
    ) -> Result {
        loop {
            if let Some(result) = self.step(game, players, budget) {
                return result;
            }
        }
    }

    fn result(&self, game: &mut Match<G>) -> Option<Result> {
        if let Some(fault) = game.walker.fault() {
            return Some(Result::Fault(*fault));
        }
        if game.walker.is_terminal() {
            let goals = self
                .game
                .facts()
                .role_ids()
                .map(|role| game.walker.goal(role))
                .collect();
            return Some(
                game.walker
                    .fault()
                    .map_or(Result::Over(goals), |fault| Result::Fault(*fault)),
            );
        }
        (game.moves.len() >= self.limit).then_some(Result::Cut)
    }
}

/// Lets a player choose; or, if it has only one move, think until nobody has to choose any more.
fn decide<G: Game>(
    player: Option<&mut Box<dyn Player<G>>>,
    only: Option<MoveId>,
    state: &G::State,
    budget: Budget,
    open: &AtomicUsize,
    enough: &AtomicBool,
) -> Option<Decision> {
    let decision = match (player, only) {
        (Some(player), Some(id)) => {
            player.ponder(state, enough);
            return Some(Decision::without_search(id, StopReason::OnlyMove));
        }
        (Some(player), None) => Some(player.choose(state, budget)),
        (None, Some(_)) => return None,
        (None, None) => None,
    };
    if open.fetch_sub(1, Ordering::Relaxed) == 1 {
        enough.store(true, Ordering::Relaxed);
    }
    decision
}

impl<G: Game> Match<G> {
    /// The state now.
    pub fn state(&self) -> &G::State {
        &self.state
    }

    /// The legal moves of a role now.
    pub fn legal(&mut self, role: RoleId) -> Vec<MoveId> {
        self.walker.legal().of(role).to_vec()
    }

    /// Whether the game is over now.
    pub fn is_over(&mut self) -> bool {
        self.walker.is_terminal()
    }
}
