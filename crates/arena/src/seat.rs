//! Seats of a match: a player of this program, one elsewhere, or a person.
//!
//! The referee knows a [`Seat`] for each role and no more. It tells a seat what its role may know,
//! and waits for a reply, which may be a [`Failure`]: a seat returns in time, whatever happens to
//! the player behind it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use paidia_game::{Game, MoveId, Sight};
use paidia_search::{Budget, Decision, Player, StopReason};

use crate::clock::Margin;

/// A seat for each role, in the order of the roles; the referee draws the moves of roles without
/// one, such as `random`.
pub type Seats<G> = Vec<Option<Box<dyn Seat<G>>>>;

/// What a seat is told when it is asked.
pub struct Turn<'a, G: Game> {
    /// How many joint moves were made before.
    pub number: usize,
    /// What the role may know of the position and of the last joint move.
    pub sight: Sight<'a, G::State>,
    /// The legal moves of the role now; none at the end.
    pub legal: &'a [MoveId],
    /// Set as soon as all roles have chosen, where players may think on until then.
    pub think_on: Option<&'a AtomicBool>,
}

/// Plays one role of one match. All calls are made in the order of a match: `start`, `play` for
/// each joint move, then `stop` or `abort`.
pub trait Seat<G: Game>: Send {
    /// The match starts; comes back when the player is ready.
    ///
    /// # Errors
    /// If the player does not say that it is ready. It takes part all the same.
    fn start(&mut self, sight: &Sight<'_, G::State>) -> Result<(), Failure>;

    /// Chooses a move.
    ///
    /// # Errors
    /// If there is none; the referee draws one.
    fn play(&mut self, turn: &Turn<'_, G>) -> Result<Decision, Failure>;

    /// Thinks while others choose, until `think_on` of the turn is set.
    fn ponder(&mut self, turn: &Turn<'_, G>) {
        let _ = turn;
    }

    /// The match is over; the turn has the last joint move.
    fn stop(&mut self, turn: &Turn<'_, G>) {
        let _ = turn;
    }

    /// The match ends before its time.
    fn abort(&mut self) {}
}

/// Why a player's move is not its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It did not answer in time.
    Late,
    /// It could not be reached, or did not answer as the protocol says; with the reason.
    Connection(String),
    /// It said this, which is no move.
    Unreadable(String),
    /// It chose this, which is not legal.
    Illegal(String),
}

impl Failure {
    /// As records have it, after ggp-base: `TO`, `CE`, or `IL` and what was said.
    pub fn code(&self) -> String {
        match self {
            Failure::Late => "TO".to_owned(),
            Failure::Connection(_) => "CE".to_owned(),
            Failure::Unreadable(said) | Failure::Illegal(said) => {
                format!("IL {said}").trim_end().to_owned()
            }
        }
    }

    /// What kind of failure it is, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Failure::Late => "late",
            Failure::Connection(_) => "connection",
            Failure::Unreadable(_) => "unreadable",
            Failure::Illegal(_) => "illegal",
        }
    }
}

/// For people.
impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Late => formatter.write_str("did not answer in time"),
            Failure::Connection(why) => write!(formatter, "could not be asked: {why}"),
            Failure::Unreadable(said) => write!(formatter, "said `{said}`, which is no move"),
            Failure::Illegal(said) => write!(formatter, "chose `{said}`, which is illegal"),
        }
    }
}

/// A player of this program.
pub struct Local<G: Game> {
    player: Box<dyn Player<G>>,
    /// How many positions the player was told of.
    told: usize,
    /// For the time before the first move, if there is such.
    preparation: Option<Budget>,
    budget: Budget,
    /// What it thinks by instead, if there is a clock.
    clock: Option<Clock>,
    /// Set by the caller to end thinking at once.
    interrupt: Arc<AtomicBool>,
}

/// A player's own clock.
struct Clock {
    start: Duration,
    play: Duration,
    /// How much later than that it may be ready.
    grace: Duration,
    margin: Margin,
}

impl Clock {
    /// How much thinking there is in this time.
    fn budget(&self, clock: Duration) -> Budget {
        Budget::time(self.margin.thinking(clock, Duration::ZERO))
    }

    /// Learns from how long it took, and says if that was too long.
    fn took(&mut self, clock: Duration, time: Duration) -> Result<(), Failure> {
        let planned = self.margin.thinking(clock, Duration::ZERO);
        self.margin.overshot(time.saturating_sub(planned));
        match time > clock + self.grace {
            true => Err(Failure::Late),
            false => Ok(()),
        }
    }
}

impl<G: Game> Local<G> {
    /// A player that has `budget` for each move, and none before the first.
    pub fn new(player: Box<dyn Player<G>>, budget: Budget) -> Self {
        Self {
            player,
            told: 0,
            preparation: None,
            budget,
            clock: None,
            interrupt: Arc::default(),
        }
    }

    /// The same, thinking no longer once this is set.
    #[must_use]
    pub fn until(mut self, interrupt: &Arc<AtomicBool>) -> Self {
        self.interrupt = Arc::clone(interrupt);
        self
    }

    /// A player that thinks by the clock, before the first move and about each, with a margin that
    /// adapts. A player that takes longer than the clock and its grace is late.
    pub fn on_clock(
        player: Box<dyn Player<G>>,
        start: Duration,
        play: Duration,
        grace: Duration,
    ) -> Self {
        let margin = Margin::default();
        let clock = Clock {
            start,
            play,
            grace,
            margin,
        };
        Self {
            clock: Some(clock),
            ..Self::new(player, Budget::default())
        }
    }

    /// The same, with a budget before the first move.
    #[must_use]
    pub fn preparing(mut self, budget: Option<Budget>) -> Self {
        self.preparation = budget;
        self
    }

    /// Seats for players that all have `budget` for each move.
    pub fn seats(
        players: impl IntoIterator<Item = Option<Box<dyn Player<G>>>>,
        budget: Budget,
    ) -> Seats<G> {
        let seat = |player| Box::new(Self::new(player, budget)) as Box<dyn Seat<G>>;
        let players = players.into_iter();
        players.map(|player| player.map(seat)).collect()
    }
}

impl<G: Game> Local<G> {
    /// Tells the player of the position after `number` joint moves, once.
    fn tell(&mut self, number: usize, sight: &Sight<'_, G::State>) {
        if number >= self.told {
            self.player.observe(sight);
            self.told = number + 1;
        }
    }
}

impl<G: Game> Seat<G> for Local<G> {
    fn start(&mut self, sight: &Sight<'_, G::State>) -> Result<(), Failure> {
        let began = Instant::now();
        self.tell(0, sight);
        let by_clock = self.clock.as_ref().map(|clock| clock.budget(clock.start));
        if let Some(budget) = by_clock.or(self.preparation) {
            self.player.prepare(budget);
        }
        let clock = self.clock.as_mut();
        clock.map_or(Ok(()), |clock| clock.took(clock.start, began.elapsed()))
    }

    fn play(&mut self, turn: &Turn<'_, G>) -> Result<Decision, Failure> {
        self.tell(turn.number, &turn.sight);
        if let (&[only], Some(_)) = (turn.legal, turn.think_on) {
            self.ponder(turn);
            return Ok(Decision::without_search(only, StopReason::OnlyMove));
        }
        let began = Instant::now();
        let by_clock = self.clock.as_ref().map(|clock| clock.budget(clock.play));
        let budget = by_clock.unwrap_or(self.budget);
        let decision = self.player.choose(turn.legal, budget, &self.interrupt);
        if let Some(clock) = &mut self.clock {
            clock.took(clock.play, began.elapsed())?;
        }
        Ok(decision)
    }
    fn ponder(&mut self, turn: &Turn<'_, G>) {
        self.tell(turn.number, &turn.sight);
        if let Some(enough) = turn.think_on {
            self.player.ponder(enough);
        }
    }
}
