//! Letting players play: the referee asks seats for moves, and its word is the truth.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use paidia_game::{Game, RoleId};
use paidia_search::Decision;

use crate::playing::{Match, MatchEnd};
use crate::seat::{Failure, Seat, Turn};

/// How seats are asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asking {
    /// One after the other, so that no player takes another's processor.
    InTurn,
    /// All at once.
    Together,
    /// All at once, and players without a choice think on until the others have chosen.
    Pondering,
}

/// Referees matches of one game.
pub struct Referee<G: Game> {
    game: G,
    /// The most joint moves of a match.
    limit: usize,
    asking: Asking,
    /// Set by the caller to end the match.
    interrupt: Arc<AtomicBool>,
}

/// What a seat replies.
type Reply = Result<Decision, Failure>;

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

    /// The same referee, asking all seats at once. No player loses time because another takes long.
    #[must_use]
    pub fn asking_together(mut self) -> Self {
        self.asking = Asking::Together;
        self
    }

    /// The same referee, letting all players think at the same time: those with a choice choose,
    /// and the others think on until they have. Such matches cannot be repeated exactly.
    #[must_use]
    pub fn with_pondering(mut self) -> Self {
        self.asking = Asking::Pondering;
        self
    }

    /// The same referee, cutting matches once this is set: no other move is made.
    #[must_use]
    pub fn until(mut self, interrupt: Arc<AtomicBool>) -> Self {
        self.interrupt = interrupt;
        self
    }

    /// Starts a match in a state; the seed decides what chance draws.
    pub fn start(&self, state: &G::State, seed: u64) -> Match<G> {
        Match::new(&self.game, state, self.limit, seed)
    }

    /// Tells all seats that the match starts, and waits until they are ready or say that they are
    /// not; they take part all the same.
    pub fn open(&self, game: &mut Match<G>, seats: &mut [Option<Box<dyn Seat<G>>>]) {
        let turns = game.turns();
        let started = self.each(seats, |role, seat| seat.start(&turns.of(role).sight).err());
        game.opening = started.into_iter().map(Option::flatten).collect();
    }

    /// Makes one joint move; how the match ended, if it is over already.
    ///
    /// Seats are in the order of the roles. A role without a seat, and one whose seat fails or
    /// chooses an illegal move, gets a move drawn at random.
    pub fn step(
        &self,
        game: &mut Match<G>,
        seats: &mut [Option<Box<dyn Seat<G>>>],
    ) -> Option<MatchEnd> {
        self.cut_if_interrupted(game);
        if let Some(end) = game.end() {
            return Some(end.clone());
        }
        let replies = self.ask(game, seats);
        // What a player replied that was interrupted is not its choice.
        self.cut_if_interrupted(game);
        if let Some(end) = game.end() {
            return Some(end.clone());
        }
        for (role, reply) in self.game.facts().role_ids().zip(replies) {
            if let Some(reply) = reply {
                game.choose(role, reply);
            }
        }
        game.advance();
        None
    }

    fn cut_if_interrupted(&self, game: &mut Match<G>) {
        if self.interrupt.load(Ordering::Relaxed) && game.end().is_none() {
            game.cut();
        }
    }

    /// Plays a match from its opening to its end; `watch` sees it once it is open and after each
    /// joint move, and may end it with an error.
    ///
    /// # Errors
    /// What `watch` returns; the seats are told of the end all the same.
    pub fn watch<E>(
        &self,
        game: &mut Match<G>,
        seats: &mut [Option<Box<dyn Seat<G>>>],
        mut watch: impl FnMut(&Match<G>) -> Result<(), E>,
    ) -> Result<MatchEnd, E> {
        self.open(game, seats);
        let end = loop {
            if let Err(error) = watch(game) {
                self.close(game, seats, &MatchEnd::Cut);
                return Err(error);
            }
            if let Some(end) = self.step(game, seats) {
                break end;
            }
        };
        self.close(game, seats, &end);
        Ok(end)
    }

    /// Plays a match from its opening to its end.
    pub fn play(&self, game: &mut Match<G>, seats: &mut [Option<Box<dyn Seat<G>>>]) -> MatchEnd {
        let nothing = |_: &Match<G>| Ok::<(), std::convert::Infallible>(());
        let Ok(end) = self.watch(game, seats, nothing);
        end
    }

    /// Tells all seats that the match has ended like this.
    pub fn close(&self, game: &Match<G>, seats: &mut [Option<Box<dyn Seat<G>>>], end: &MatchEnd) {
        if !matches!(end, MatchEnd::Over(_)) {
            self.each(seats, |_, seat| seat.abort());
            return;
        }
        let turns = game.turns();
        self.each(seats, |role, seat| seat.stop(&turns.of(role)));
    }

    /// Asks all seats for a move.
    fn ask(&self, game: &Match<G>, seats: &mut [Option<Box<dyn Seat<G>>>]) -> Vec<Option<Reply>> {
        let turns = game.turns();
        let chooses = |role: RoleId| turns.of(role).legal.len() > 1;
        let roles = self.game.facts().role_ids();
        let choosing = roles.zip(seats.iter());
        let choosing = choosing.filter(|(role, seat)| seat.is_some() && chooses(*role));
        let open = AtomicUsize::new(choosing.count());
        let enough = AtomicBool::new(open.load(Ordering::Relaxed) == 0);
        let think_on = (self.asking == Asking::Pondering).then_some(&enough);
        self.each(seats, |role, seat| {
            let turn = turns.of(role);
            let reply = seat.play(&Turn { think_on, ..turn });
            if chooses(role) && open.fetch_sub(1, Ordering::Relaxed) == 1 {
                enough.store(true, Ordering::Relaxed);
            }
            reply
        })
    }

    /// Does something with every seat, as seats are asked.
    fn each<T: Send>(
        &self,
        seats: &mut [Option<Box<dyn Seat<G>>>],
        work: impl Fn(RoleId, &mut dyn Seat<G>) -> T + Sync,
    ) -> Vec<Option<T>> {
        let work = |(role, seat): (RoleId, &mut Option<Box<dyn Seat<G>>>)| {
            Some(work(role, seat.as_deref_mut()?))
        };
        let seats = self.game.facts().role_ids().zip(seats.iter_mut());
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
}
