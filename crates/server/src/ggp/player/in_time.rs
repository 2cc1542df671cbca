//! Matches in real time of a player that hosts reach over HTTP.
//!
//! Each match has a thread with an [`Agent`], which mirrors the match by what it is told. The
//! newest `PLAY` stays open until the agent moves; older ones are answered with `NIL`.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use paidia_arena::engine::{EngineSpec, load_in_time};
use paidia_arena::rules::Ruleset;
use paidia_game::Rules;
use paidia_gdl::{Dialect, Source, syntax};
use paidia_realtime::agent::Agent;
use paidia_realtime::clock::Pace;
use paidia_realtime::players;
use paidia_reason::timed::Timed;
use tokio::sync::{OwnedSemaphorePermit, oneshot};

use super::Log;
use crate::ggp::message::{Reply, Start};
use crate::ggp::text::find_role;

/// A request that is open for so long is answered with `NIL`, before the other side gives up.
const LONGEST_OPEN: Duration = Duration::from_secs(20);

/// Moves that wait for a request to reply to.
const MOST_WAITING: usize = 16;

/// How long messages that were overtaken by the end of a match are still heard.
const STRAGGLERS: Duration = Duration::from_secs(1);

/// What a host answers to where the player does not move.
const NO_MOVE: &str = "NIL";

/// Whether rules are in real time.
pub(super) fn is_real_time(rules: &str) -> bool {
    let reading = syntax::read(&Source::new("match", rules));
    Dialect::detect(&reading.sheet) == Dialect::RtGdl
}

/// What a match in real time is told.
pub(super) enum Told {
    /// A message, as the protocol writes it.
    Message {
        text: String,
        is_stop: bool,
        reply: oneshot::Sender<Reply>,
    },
    /// The match ends here.
    Leave(Option<oneshot::Sender<Reply>>),
}

/// A match in real time outside its thread.
pub(super) struct TimedEntry {
    pub(super) start: Arc<Start>,
    pub(super) told: Sender<Told>,
}

/// What a match needs.
pub(super) struct TimedSession {
    pub(super) start: Arc<Start>,
    pub(super) player: String,
    pub(super) engine: EngineSpec,
    pub(super) seed: u64,
    pub(super) idle: Duration,
    pub(super) log: Log,
}

impl TimedSession {
    /// Plays the match to its end; tells first that it is ready. Where it cannot be played, the way
    /// to say so comes back.
    pub(super) fn run(
        &self,
        told: &Receiver<Told>,
        ready: oneshot::Sender<Reply>,
        seat: OwnedSemaphorePermit,
    ) -> Option<oneshot::Sender<Reply>> {
        let id = &self.start.id;
        let mut agent = match self.agent() {
            Ok(agent) => agent,
            Err(why) => {
                (self.log)(format_args!("{id:?}: refused, {why}"));
                return Some(ready);
            }
        };
        let _ = ready.send(Reply::Ready);
        let how = self.play(&mut agent, told, seat);
        if how == "over" {
            hear_stragglers(&mut agent, told);
        }
        let account = agent.account();
        let (lines, sum) = (agent.history().len(), account_sum(&account));
        let delay = agent.delay();
        (self.log)(format_args!(
            "{id:?}: {how} after {lines} messages; delay {delay}, account {sum:016x}"
        ));
        None
    }

    fn agent(&self) -> Result<Agent<Timed>, String> {
        let Start {
            id,
            role,
            rules,
            play_clock,
            ..
        } = &*self.start;
        let rules = Ruleset::from_text(id, rules).map_err(|error| error.sentence())?;
        let game = load_in_time(&self.engine, &rules, None)
            .or_else(|_| load_in_time(&EngineSpec::default(), &rules, None))
            .map_err(|error| error.to_string())?;
        let found = find_role(game.facts(), role);
        let found = found.filter(|&found| Some(found) != game.facts().random());
        let found = found.ok_or_else(|| format!("there is no role {role:?} for players"))?;
        let seconds = play_clock.as_secs_f64();
        if seconds < 0.001 {
            return Err(format!("a unit of time cannot take {seconds} seconds"));
        }
        let player = players::make(&self.player, &game, found, self.seed);
        let player = player.map_err(|error| error.to_string())?;
        Ok(Agent::new(&game, id, found, Pace { seconds }, player))
    }

    /// Hears and moves until the match is over, and frees the seat; how it ended.
    fn play(
        &self,
        agent: &mut Agent<Timed>,
        told: &Receiver<Told>,
        seat: OwnedSemaphorePermit,
    ) -> &'static str {
        let mut open: Option<(oneshot::Sender<Reply>, Instant)> = None;
        let mut waiting: VecDeque<String> = VecDeque::new();
        let mut heard = Instant::now();
        loop {
            let now = Instant::now();
            let wake = agent.wake_at().map(|at| at.saturating_duration_since(now));
            let wait = wake.unwrap_or(LONGEST_OPEN).min(LONGEST_OPEN / 4);
            match told.recv_timeout(wait) {
                Ok(Told::Message {
                    text,
                    is_stop,
                    reply,
                }) => {
                    heard = Instant::now();
                    // What cannot be understood changes nothing.
                    if let Err(why) = agent.hear(&text, heard) {
                        (self.log)(format_args!("{:?}: passed over, {why}", self.start.id));
                    }
                    if let Some((older, _)) = open.take() {
                        let _ = older.send(Reply::Move(NO_MOVE.to_owned()));
                    }
                    if is_stop {
                        // A host may start the next match as soon as it hears of the end.
                        drop(seat);
                        let _ = reply.send(Reply::Done);
                        return "over";
                    }
                    open = Some((reply, heard));
                }
                Ok(Told::Leave(reply)) => {
                    if let Some(reply) = reply {
                        let _ = reply.send(Reply::Done);
                    }
                    return "left";
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return "left",
            }
            let is_due = agent.wake_at().is_some_and(|at| at <= Instant::now());
            if is_due
                && let Some(text) = agent.look(Instant::now())
                && waiting.len() < MOST_WAITING
            {
                waiting.push_back(text);
            }
            if let Some(text) = waiting.front()
                && let Some((reply, _)) = open.take()
                && reply.send(Reply::Move(text.clone())).is_ok()
            {
                waiting.pop_front();
            }
            if open
                .as_ref()
                .is_some_and(|(_, since)| since.elapsed() > LONGEST_OPEN)
                && let Some((reply, _)) = open.take()
            {
                let _ = reply.send(Reply::Move(NO_MOVE.to_owned()));
            }
            if heard.elapsed() > self.idle + LONGEST_OPEN {
                return "left: its host is silent,";
            }
        }
    }
}

/// Hears what a faster message overtook.
fn hear_stragglers(agent: &mut Agent<Timed>, told: &Receiver<Told>) {
    let until = Instant::now() + STRAGGLERS;
    loop {
        let left = until.saturating_duration_since(Instant::now());
        match told.recv_timeout(left) {
            Ok(Told::Message { text, reply, .. }) => {
                // What cannot be understood changes nothing.
                let _ = agent.hear(&text, Instant::now());
                let _ = reply.send(Reply::Done);
            }
            Ok(Told::Leave(reply)) => {
                if let Some(reply) = reply {
                    let _ = reply.send(Reply::Done);
                }
            }
            Err(_) => return,
        }
    }
}

/// A number by which accounts of matches are compared (FNV-1a).
pub fn account_sum(account: &str) -> u64 {
    let mix = |sum: u64, byte: u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    account.bytes().fold(0xcbf2_9ce4_8422_2325, mix)
}
