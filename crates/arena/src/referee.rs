//! Letting players play: the referee keeps the state, asks for moves, and its word is the truth.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use paidia_game::{Chance, Game, GameFacts, Goal, MoveId, PerceptId, RoleId, Walker};
use paidia_search::Decision;

use crate::seat::{Failure, Seat, Turn};

/// A move that was made, and how it came about.
#[derive(Clone, Debug)]
pub struct Move {
    /// The move.
    pub id: MoveId,
    /// What the player said about the move it chose, whether that was legal or not.
    pub decision: Option<Decision>,
    /// Why the move was drawn, if the player did not choose a legal one.
    pub failure: Option<Failure>,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Result {
    /// Over, with a goal for each role.
    Over(Vec<Goal>),
    /// Cut: it has as many joint moves as it may have, or was interrupted.
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
    /// What went wrong when it was opened, for each role.
    pub opening: Vec<Option<Failure>>,
    /// For each joint move, each role's part in it.
    pub moves: Vec<Vec<Move>>,
}

/// How seats are asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asking {
    /// One after the other, so that nobody takes another's processor.
    InTurn,
    /// All at once.
    Together,
    /// All at once, and who has nothing to choose thinks on until the others have chosen.
    Pondering,
}

/// Referees matches of one game.
pub struct Referee<G: Game> {
    game: G,
    /// The most joint moves of a match.
    limit: usize,
    asking: Asking,
    /// Set by whoever wants the match to end.
    interrupt: Arc<AtomicBool>,
}

/// What a seat replies.
type Reply = std::result::Result<Decision, Failure>;

/// A seat, if the role has one.
type Chair<G> = Option<Box<dyn Seat<G>>>;

impl<G: Game> Referee<G> {
    /// A referee that cuts matches after `limit` joint moves, and asks one seat after the other.
    pub fn new(game: &G, limit: usize) -> Self {
        Self {
            game: game.clone(),
            limit,
            asking: Asking::InTurn,
            interrupt: Arc::default(),
        }
    }

    /// The same referee, who asks all seats at once. Nobody's time is shorter because another takes long.
    #[must_use]
    pub fn asking_together(mut self) -> Self {
        self.asking = Asking::Together;
        self
    }

    /// The same referee, who lets everybody think at the same time: those who have something to choose choose, and the others think on until
    /// they have. Such matches cannot be repeated exactly.
    #[must_use]
    pub fn with_pondering(mut self) -> Self {
        self.asking = Asking::Pondering;
        self
    }

    /// The same referee, who cuts matches before their next move once this is set.
    #[must_use]
    pub fn until(mut self, interrupt: Arc<AtomicBool>) -> Self {
        self.interrupt = interrupt;
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
            opening: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Tells everybody that the match starts, and waits until they are ready, or say that they are not; they take part all the same.
    pub fn open(&self, game: &mut Match<G>, seats: &mut [Chair<G>]) {
        let state = &game.state;
        let started = self.each(seats, |_, seat| seat.start(state).err());
        game.opening = started.into_iter().map(Option::flatten).collect();
    }

    /// Makes one joint move; the result, if the match is over already.
    ///
    /// Seats are in the order of the roles. Who has none, fails, or chooses an illegal move, gets a move drawn at random.
    pub fn step(&self, game: &mut Match<G>, seats: &mut [Chair<G>]) -> Option<Result> {
        if let Some(result) = self.result(game) {
            return Some(result);
        }
        let told = Told::new(self.game.facts(), game);
        if let Some(stuck) = told.legal.iter().position(Vec::is_empty) {
            return Some(Result::Stuck(RoleId(stuck as u16)));
        }
        let replies = self.ask(&told, &game.state, seats);
        let mut moves = Vec::new();
        for (legal, reply) in told.legal.iter().zip(replies) {
            // Drawn even if it is not needed: a seed means the same chance, whatever players do.
            let drawn = game.chance.pick(legal).unwrap_or(MoveId::CHANCE);
            moves.push(self.settle(legal, drawn, reply));
        }
        let joint: Vec<MoveId> = moves.iter().map(|made| made.id).collect();
        game.walker.advance(&joint, &mut game.chance);
        game.walker.save(&mut game.state);
        game.moves.push(moves);
        None
    }

    /// Plays a match from its opening to its end.
    pub fn play(&self, game: &mut Match<G>, seats: &mut [Chair<G>]) -> Result {
        self.open(game, seats);
        loop {
            if let Some(result) = self.step(game, seats) {
                self.close(game, seats, &result);
                return result;
            }
        }
    }

    /// Tells everybody that the match has ended like this.
    pub fn close(&self, game: &mut Match<G>, seats: &mut [Chair<G>], result: &Result) {
        if !matches!(result, Result::Over(_)) {
            self.each(seats, |_, seat| seat.abort());
            return;
        }
        let told = Told {
            legal: vec![Vec::new(); self.game.facts().roles.len()],
            ..Told::new(self.game.facts(), game)
        };
        let state = &game.state;
        self.each(seats, |role, seat| seat.stop(&told.turn(role, state, None)));
    }

    /// Asks everybody for a move.
    fn ask(&self, told: &Told, state: &G::State, seats: &mut [Chair<G>]) -> Vec<Option<Reply>> {
        let chooses = |role: usize| told.legal.get(role).is_some_and(|legal| legal.len() > 1);
        let choosing = |(role, seat): (usize, &Chair<G>)| seat.is_some() && chooses(role);
        let open = seats.iter().enumerate().filter(|&item| choosing(item));
        let open = AtomicUsize::new(open.count());
        let enough = AtomicBool::new(open.load(Ordering::Relaxed) == 0);
        let think_on = (self.asking == Asking::Pondering).then_some(&enough);
        let mut replies = self.each(seats, |role, seat| {
            let reply = seat.play(&told.turn(role, state, think_on));
            if chooses(role) && open.fetch_sub(1, Ordering::Relaxed) == 1 {
                enough.store(true, Ordering::Relaxed);
            }
            reply
        });
        replies.resize_with(told.legal.len(), || None);
        replies
    }

    /// Does something with every seat, as seats are asked.
    fn each<T: Send>(
        &self,
        seats: &mut [Chair<G>],
        work: impl Fn(usize, &mut dyn Seat<G>) -> T + Sync,
    ) -> Vec<Option<T>> {
        let work = |(role, seat): (usize, &mut Chair<G>)| Some(work(role, seat.as_deref_mut()?));
        let roles = self.game.facts().roles.len();
        let seats = seats.iter_mut().take(roles).enumerate();
        if self.asking == Asking::InTurn {
            return seats.map(work).collect();
        }
        std::thread::scope(|scope| {
            let work = &work;
            let threads: Vec<_> = seats.map(|item| scope.spawn(move || work(item))).collect();
            let done = |thread: std::thread::ScopedJoinHandle<'_, Option<T>>| {
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            threads.into_iter().map(done).collect()
        })
    }

    /// The move that is made where a player replied so.
    fn settle(&self, legal: &[MoveId], drawn: MoveId, reply: Option<Reply>) -> Move {
        let (decision, failure) = match reply {
            Some(Ok(decision)) if legal.contains(&decision.id) => {
                return Move {
                    id: decision.id,
                    decision: Some(decision),
                    failure: None,
                };
            }
            Some(Ok(decision)) => {
                let name = self.game.moves().name(decision.id).to_string();
                (Some(decision), Some(Failure::Illegal(name)))
            }
            Some(Err(failure)) => (None, Some(failure)),
            None => (None, None),
        };
        Move {
            id: drawn,
            decision,
            failure,
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
        let interrupted = self.interrupt.load(Ordering::Relaxed);
        (interrupted || game.moves.len() >= self.limit).then_some(Result::Cut)
    }
}

/// What seats are told, for each role.
struct Told {
    number: usize,
    legal: Vec<Vec<MoveId>>,
    percepts: Vec<Vec<PerceptId>>,
    /// The last joint move.
    last: Option<Vec<MoveId>>,
}

impl Told {
    fn new<G: Game>(facts: &GameFacts, game: &mut Match<G>) -> Self {
        let legal = game.walker.legal();
        let legal = facts.role_ids().map(|role| legal.of(role).to_vec());
        let legal = legal.collect();
        let percepts = facts
            .role_ids()
            .map(|role| game.walker.percepts(role).to_vec());
        let last = game.moves.last();
        Self {
            number: game.moves.len(),
            legal,
            percepts: percepts.collect(),
            last: last.map(|moves| moves.iter().map(|made| made.id).collect()),
        }
    }

    fn turn<'a, G: Game>(
        &'a self,
        role: usize,
        state: &'a G::State,
        think_on: Option<&'a AtomicBool>,
    ) -> Turn<'a, G> {
        Turn {
            number: self.number,
            state,
            legal: &self.legal[role],
            last: self.last.as_deref(),
            percepts: &self.percepts[role],
            think_on,
        }
    }
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
