//! Who sits at the table: a player of this program, or one elsewhere that is reached by other means.
//!
//! The referee knows a [`Seat`] for each role and no more. It tells what may be told, and waits for a reply, which may be a [`Failure`]: a
//! seat promises to come back in time, whatever happens to the player behind it.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use paidia_game::{Game, MoveId, PerceptId};
use paidia_search::{Budget, Decision, Player, StopReason};

/// A seat for each role, in the order of the roles; the referee draws the moves of those who have none, such as `random`.
pub type Seats<G> = Vec<Option<Box<dyn Seat<G>>>>;

/// What a seat may know when it is asked.
pub struct Turn<'a, G: Game> {
    /// How many joint moves were made before.
    pub number: usize,
    /// The state now.
    pub state: &'a G::State,
    /// The legal moves of the role now; none at the end.
    pub legal: &'a [MoveId],
    /// The last joint move, in the order of the roles; none before the first.
    pub last: Option<&'a [MoveId]>,
    /// What the role was told of the last joint move.
    pub percepts: &'a [PerceptId],
    /// Set as soon as nobody chooses any more, where players may think on until then.
    pub think_on: Option<&'a AtomicBool>,
}

/// Plays one role of one match. All calls are made in the order of a match: `start`, `play` for each joint move, then `stop` or `abort`.
pub trait Seat<G: Game>: Send {
    /// The match starts in this state; comes back when the player is ready.
    ///
    /// # Errors
    /// If the player does not say that it is ready. It takes part all the same.
    fn start(&mut self, state: &G::State) -> Result<(), Failure>;

    /// Chooses a move.
    ///
    /// # Errors
    /// If there is none; the referee draws one.
    fn play(&mut self, turn: &Turn<'_, G>) -> Result<Decision, Failure>;

    /// Thinks about a state while others choose, until it is interrupted.
    fn ponder(&mut self, state: &G::State, interrupt: &AtomicBool) {
        let _ = (state, interrupt);
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
    /// For the time before the first move, if there is such.
    preparation: Option<Budget>,
    budget: Budget,
    /// How long it may take before the first move and for each, if somebody looks at the clock.
    limits: Option<[Duration; 2]>,
}

impl<G: Game> Local<G> {
    /// A player that thinks so much about each move, and not before the first.
    pub fn new(player: Box<dyn Player<G>>, budget: Budget) -> Self {
        Self {
            player,
            preparation: None,
            budget,
            limits: None,
        }
    }

    /// The same, with so much thinking before the first move.
    #[must_use]
    pub fn preparing(mut self, budget: Option<Budget>) -> Self {
        self.preparation = budget;
        self
    }

    /// The same, with limits for the time before the first move and for each: who takes longer is late.
    #[must_use]
    pub fn limited(mut self, start: Duration, play: Duration) -> Self {
        self.limits = Some([start, play]);
        self
    }

    /// Seats for players who all think so much about each move.
    pub fn seats(
        players: impl IntoIterator<Item = Option<Box<dyn Player<G>>>>,
        budget: Budget,
    ) -> Seats<G> {
        let seat = |player| Box::new(Self::new(player, budget)) as Box<dyn Seat<G>>;
        let players = players.into_iter();
        players.map(|player| player.map(seat)).collect()
    }
}

/// A failure if it took longer than a limit since then.
fn in_time(since: Instant, limit: Option<Duration>) -> Result<(), Failure> {
    match limit {
        Some(limit) if since.elapsed() > limit => Err(Failure::Late),
        _ => Ok(()),
    }
}

impl<G: Game> Seat<G> for Local<G> {
    fn start(&mut self, state: &G::State) -> Result<(), Failure> {
        let began = Instant::now();
        if let Some(budget) = self.preparation {
            self.player.prepare(state, budget);
        }
        in_time(began, self.limits.map(|[start, _]| start))
    }

    fn play(&mut self, turn: &Turn<'_, G>) -> Result<Decision, Failure> {
        if let (&[only], Some(enough)) = (turn.legal, turn.think_on) {
            self.player.ponder(turn.state, enough);
            return Ok(Decision::without_search(only, StopReason::OnlyMove));
        }
        let began = Instant::now();
        let decision = self.player.choose(turn.state, self.budget);
        in_time(began, self.limits.map(|[_, play]| play))?;
        Ok(decision)
    }

    fn ponder(&mut self, state: &G::State, interrupt: &AtomicBool) {
        self.player.ponder(state, interrupt);
    }
}
