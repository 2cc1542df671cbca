//! The host's side: players that are reached over HTTP take part in matches of the arena.
//!
//! A [`RemotePlayer`] is a [`Seat`]. It says `START`, `PLAY`, `STOP` and `ABORT` to the player
//! behind its address, gives it its clock and a little more for the way, and makes a [`Failure`] of
//! everything else than a legal move. [`Terms`] are what all players of a match are told, in
//! made-up words if there is a [`Scrambling`].

mod in_time;
mod line;
mod scramble;

use std::sync::Arc;
use std::time::{Duration, Instant};

use paidia_arena::contest::Elsewhere;
use paidia_arena::record::file_name;
use paidia_arena::{BadPlayer, Failure, Local, Seat, Turn};
use paidia_game::{Game, MoveId, RoleId, Sight, find_move};
use paidia_gdl::syntax::kif::Expressions;
use paidia_gdl::syntax::{Notation, Sheet, print};
use paidia_search::{Decision, Player, StopReason};

pub use self::in_time::elsewhere_in_time;
pub use self::line::{Address, BadAddress, MAX_REPLY_BYTES};
use self::line::{Line, printable};
pub use self::scramble::Scrambling;
use super::message::{Message, News, Reply, Start, Status};

/// How long players have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// For a look at the rules before the start, if they get such.
    pub preview: Option<Duration>,
    /// Before the first move.
    pub start: Duration,
    /// For each move.
    pub play: Duration,
    /// How much later than that a reply may come in: the way to the player and back is not its
    /// fault.
    pub grace: Duration,
}

/// What all players of a match are told.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The name of the match: one KIF word.
    id: String,
    /// The rules in KIF, without comments.
    rules: String,
    /// How long they have.
    pub clocks: Clocks,
    /// Other words for the names of the rules.
    scrambling: Option<Scrambling>,
}

impl Clocks {
    /// A seat for a player of this program, under the same clocks.
    pub fn seat<G: Game>(&self, player: Box<dyn Player<G>>) -> Local<G> {
        Local::on_clock(player, self.start, self.play, self.grace)
    }
}

impl Terms {
    /// The terms of a match with these rules. What cannot stand in a word is left out of its name.
    pub fn new(id: &str, sheet: &Sheet, clocks: Clocks) -> Self {
        let rules = print(sheet, Notation::Kif);
        let without_comments = Expressions::read(&rules).map(|rules| rules.to_string());
        Self {
            id: file_name(id),
            rules: without_comments.unwrap_or(rules),
            clocks,
            scrambling: None,
        }
    }

    /// The same, with other words for the names of the rules; the seed decides which.
    #[must_use]
    pub fn scrambled(mut self, seed: u64) -> Self {
        self.scrambling = Some(Scrambling::new(&self.rules, seed));
        self
    }

    /// A text as players see it.
    fn there(&self, text: &str) -> String {
        let scrambled = self.scrambling.as_ref();
        scrambled.map_or_else(|| text.to_owned(), |words| words.there(text))
    }

    /// What a text of a player means.
    fn back(&self, text: &str) -> String {
        let scrambled = self.scrambling.as_ref();
        scrambled.map_or_else(|| text.to_owned(), |words| words.back(text))
    }
}

/// How much later than its clock a reply may come in where nothing else is said, as ggp-base has
/// it.
pub const GRACE: Duration = Duration::from_secs(1);

/// Lets players elsewhere take part in contests of a game.
pub fn elsewhere<G: Game>(game: &G, sheet: &Sheet) -> Elsewhere<G> {
    let (game, sheet) = (game.clone(), sheet.clone());
    Arc::new(move |invitation| {
        let address = invitation.address.parse();
        let address = address.map_err(|bad: BadAddress| BadPlayer::Elsewhere(bad.to_string()))?;
        let clocks = Clocks {
            preview: None,
            start: invitation.start_clock,
            play: invitation.play_clock,
            grace: GRACE,
        };
        let terms = Arc::new(Terms::new(invitation.id, &sheet, clocks));
        let seat = RemotePlayer::new(&game, invitation.role, &address, &terms);
        Ok(Box::new(seat))
    })
}

/// Asks a player for its name and whether it is available.
///
/// # Errors
/// If it does not answer in time, or not as the protocol says.
pub fn ask_status(address: &Address, limit: Duration) -> Result<Status, Failure> {
    match ask(&Line::new(address), &Message::Info, limit)? {
        Reply::Info(status) => Ok(status),
        other => Err(Failure::Unreadable(printable(&other.to_string()))),
    }
}

/// Says something to a player, and reads its reply.
fn ask(line: &Line, message: &Message, limit: Duration) -> Result<Reply, Failure> {
    let said = line.ask(&message.to_string(), limit)?;
    let reply = message.read_reply(&said);
    reply.map_err(|_| Failure::Unreadable(printable(&said)))
}

/// A remote player of one role in one match.
pub struct RemotePlayer<G: Game> {
    game: G,
    role: RoleId,
    line: Line,
    terms: Arc<Terms>,
}

impl<G: Game> RemotePlayer<G> {
    /// A seat for the player at an address.
    pub fn new(game: &G, role: RoleId, address: &Address, terms: &Arc<Terms>) -> Self {
        Self {
            game: game.clone(),
            role,
            line: Line::new(address),
            terms: Arc::clone(terms),
        }
    }

    /// Says something that wants no more than a sign that it was understood.
    fn tell(&self, message: &Message, clock: Duration, expected: &Reply) -> Result<(), Failure> {
        let reply = ask(&self.line, message, clock + self.terms.clocks.grace)?;
        if reply == *expected {
            return Ok(());
        }
        Err(Failure::Unreadable(printable(&reply.to_string())))
    }

    /// What the player is told of the last joint move.
    fn news(&self, turn: &Turn<'_, G>) -> News {
        let name = |&id: &MoveId| self.terms.there(&self.game.moves().name(id));
        match turn.sight {
            Sight::Whole { last: None, .. } => News::Nothing,
            Sight::Whole {
                last: Some(moves), ..
            } => News::Moves(moves.iter().map(name).collect()),
            Sight::Own { made, percepts } => {
                let percept = |&id| self.terms.there(&self.game.percepts().name(id));
                News::Percepts {
                    turn: turn.number as u64,
                    own: made.as_ref().map(name),
                    percepts: percepts.iter().map(percept).collect(),
                }
            }
        }
    }

    /// The legal move that a player means.
    fn legal_move(&self, legal: &[MoveId], said: &str) -> Result<MoveId, Failure> {
        let meant = self.terms.back(said);
        let found = find_move(self.game.moves(), legal, &meant);
        found.ok_or_else(|| Failure::Illegal(printable(&meant)))
    }
}

impl<G: Game> Seat<G> for RemotePlayer<G> {
    fn start(&mut self, _: &Sight<'_, G::State>) -> Result<(), Failure> {
        let Terms {
            id, rules, clocks, ..
        } = &*self.terms;
        let rules = self.terms.there(rules);
        if let Some(clock) = clocks.preview {
            let rules = rules.clone();
            let preview = Message::Preview { rules, clock };
            // Players that know no previews take part as well as others.
            let _ = self.tell(&preview, clock, &Reply::Ready);
        }
        let start = Start {
            id: id.clone(),
            role: self.terms.there(self.game.facts().role_name(self.role)),
            rules,
            start_clock: clocks.start,
            play_clock: clocks.play,
        };
        self.tell(&Message::Start(start), clocks.start, &Reply::Ready)
    }

    fn play(&mut self, turn: &Turn<'_, G>) -> Result<Decision, Failure> {
        let clocks = self.terms.clocks;
        let (id, news) = (self.terms.id.clone(), self.news(turn));
        let began = Instant::now();
        let reply = ask(
            &self.line,
            &Message::Play { id, news },
            clocks.play + clocks.grace,
        )?;
        let time = began.elapsed();
        let chosen = self.legal_move(turn.legal, &reply.to_string())?;
        let stopped = match turn.legal {
            [_] => StopReason::OnlyMove,
            _ => StopReason::NoSearch,
        };
        let mut decision = Decision::without_search(chosen, stopped);
        decision.report.time = time;
        Ok(decision)
    }

    // What a player says to the end of a match changes nothing any more.
    fn stop(&mut self, turn: &Turn<'_, G>) {
        let (id, news) = (self.terms.id.clone(), self.news(turn));
        let _ = self.tell(
            &Message::Stop { id, news },
            self.terms.clocks.play,
            &Reply::Done,
        );
    }

    fn abort(&mut self) {
        let id = self.terms.id.clone();
        let _ = self.tell(&Message::Abort { id }, Duration::ZERO, &Reply::Done);
    }
}
