//! A player that lives on messages alone, as one elsewhere does.
//!
//! It keeps what it knows ([`World`]), and an estimate of how much later than it sends them its
//! moves reach the host: the host tells when it received a move. A move that is to arrive at some
//! time is sent so much earlier.

use std::time::Instant;

use paidia_game::{RoleId, Ticks, TimedGame};
use paidia_gdl::syntax::plain_numeral;

use crate::clock::Pace;
use crate::players::{Intent, TimedPlayer};
use crate::world::{News, World};

/// How many measured delays are kept.
const MOST_DELAYS: usize = 9;

/// What a message says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The match begins, or the last move was refused.
    Nothing {
        /// The game time.
        time: Ticks,
    },
    /// What happened, a part for each role or each percept.
    Told {
        /// The game time.
        time: Ticks,
        /// The parts.
        parts: Vec<String>,
        /// Whether the match is over.
        over: bool,
    },
}

/// Reads a PLAY or STOP message about a match.
///
/// # Errors
/// Says what is wrong with it.
pub fn read_message(text: &str, match_id: &str) -> Result<Heard, String> {
    let inside = text.trim().strip_prefix('(');
    let inside = inside.and_then(|rest| rest.strip_suffix(')'));
    let inside = inside.ok_or("a message is a list in parentheses")?;
    let parts = terms(inside)?;
    let [verb, id, what, time] = &parts[..] else {
        return Err("a message in real time has four parts".to_owned());
    };
    let over = match verb.to_ascii_uppercase().as_str() {
        "PLAY" => false,
        "STOP" => true,
        _ => return Err(format!("`{verb}` is no message to a player")),
    };
    if id != match_id {
        return Err(format!("it is about the match `{id}`"));
    }
    let time = Ticks::parse(&plain_numeral(time)).ok_or_else(|| format!("`{time}` is no time"))?;
    if what.eq_ignore_ascii_case("nil") {
        return Ok(match over {
            true => Heard::Told {
                time,
                parts: Vec::new(),
                over,
            },
            false => Heard::Nothing { time },
        });
    }
    let inside = what
        .strip_prefix('(')
        .and_then(|rest| rest.strip_suffix(')'));
    let parts = terms(inside.ok_or("what happened is a list")?)?;
    Ok(Heard::Told { time, parts, over })
}

/// The terms that stand one after the other.
fn terms(text: &str) -> Result<Vec<String>, String> {
    let (mut parts, mut depth, mut part) = (Vec::new(), 0_u32, String::new());
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => {
                depth = depth
                    .checked_sub(1)
                    .ok_or("a parenthesis is closed too often")?;
            }
            _ => {}
        }
        if character.is_whitespace() && depth == 0 {
            if !part.is_empty() {
                parts.push(std::mem::take(&mut part));
            }
        } else {
            part.push(character);
        }
    }
    if depth > 0 {
        return Err("a parenthesis is not closed".to_owned());
    }
    if !part.is_empty() {
        parts.push(part);
    }
    Ok(parts)
}

/// A player with its clock.
pub struct Agent<G: TimedGame> {
    game: G,
    match_id: String,
    role: RoleId,
    player: Box<dyn TimedPlayer<G>>,
    world: World<G>,
    pace: Pace,
    /// When game time 0 was, by the player's clock.
    start: Option<Instant>,
    /// How much later than they are sent moves are received, in ticks, newest last.
    delays: Vec<i64>,
    /// Moves on their way, with when they were sent.
    sent: Vec<(Ticks, String)>,
    intent: Option<Intent>,
    over: bool,
    /// What was told, as the host says it happened.
    history: Vec<(Ticks, Vec<String>)>,
    /// The last message: one that comes again says nothing new.
    last: String,
}

impl<G: TimedGame> Agent<G> {
    /// The player of a role before the first message.
    pub fn new(
        game: &G,
        match_id: &str,
        role: RoleId,
        pace: Pace,
        mut player: Box<dyn TimedPlayer<G>>,
    ) -> Self {
        player.on_clock(pace);
        Self {
            world: World::new(game, role, 0x00A6_E27C ^ u64::from(role.0)),
            game: game.clone(),
            match_id: match_id.to_owned(),
            role,
            player,
            pace,
            start: None,
            delays: Vec::new(),
            sent: Vec::new(),
            intent: None,
            over: false,
            history: Vec::new(),
            last: String::new(),
        }
    }

    /// Whether the match is over.
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// What it knows.
    pub fn world(&mut self) -> &mut World<G> {
        &mut self.world
    }

    /// What it was told: when, and the parts.
    pub fn history(&self) -> &[(Ticks, Vec<String>)] {
        &self.history
    }

    /// All that it was told, in the order of the times, each once, and the state after that where
    /// nothing is hidden: the same for all players of a match and its host.
    pub fn account(&mut self) -> String {
        let mut history = self.history.clone();
        history.sort();
        history.dedup();
        let mut text = String::new();
        for (time, parts) in &history {
            text += &format!("{time} ({})\n", parts.join(" ").to_lowercase());
        }
        let last = history.last().map_or(Ticks::ZERO, |(time, _)| *time);
        if let World::Whole(mirror) = &mut self.world {
            let position = crate::world::position(mirror.at(last));
            for (lifetime, fact) in self.game.lasting(&position.state) {
                let lifetime = lifetime.map_or("infinity".to_owned(), |left| left.to_string());
                text += &format!("{lifetime} {fact}\n");
            }
        }
        text
    }

    /// How much later than it sends them its moves arrive, by what the host told.
    pub fn delay(&self) -> Ticks {
        let mut delays = self.delays.clone();
        delays.sort_unstable();
        let middle = delays.get(delays.len() / 2).copied();
        Ticks(middle.unwrap_or(0).max(0) as u64)
    }

    /// The game time by the player's clock.
    fn own_time(&self, now: Instant) -> Ticks {
        let passed = self.start.map(|start| now.saturating_duration_since(start));
        passed.map_or(Ticks::ZERO, |passed| self.pace.ticks(passed))
    }

    /// Hears a message.
    ///
    /// # Errors
    /// Says what is wrong with it; nothing changes then.
    pub fn hear(&mut self, text: &str, now: Instant) -> Result<(), String> {
        if self.last == text {
            return Ok(());
        }
        let heard = read_message(text, &self.match_id)?;
        text.clone_into(&mut self.last);
        match heard {
            Heard::Nothing { time } if self.start.is_none() => {
                self.start = now.checked_sub(self.pace.duration(time)).or(Some(now));
            }
            Heard::Nothing { .. } => {
                self.sent.clear();
            }
            Heard::Told { time, parts, over } => {
                if self.start.is_none() {
                    self.start = now.checked_sub(self.pace.duration(time)).or(Some(now));
                }
                self.over |= over;
                self.learn(time, &parts);
                self.history.push((time, parts));
            }
        }
        self.intent = Some(Intent {
            at: self.own_time(now),
            make: None,
        });
        Ok(())
    }

    fn learn(&mut self, time: Ticks, parts: &[String]) {
        let facts = self.game.facts();
        if self.game.facts().information == paidia_game::Information::Hidden {
            let percepts = parts.iter();
            let percepts = percepts.filter_map(|part| self.game.percepts().intern(part).ok());
            let mut percepts: Vec<_> = percepts.collect();
            self.game.percepts().sort(&mut percepts);
            return self.world.told(time, News::Percepts(percepts));
        }
        let moves = facts.role_ids().zip(parts);
        let moves = moves.filter(|(_, part)| !part.eq_ignore_ascii_case("nil"));
        let moves: Vec<(RoleId, String)> = moves.map(|(role, part)| (role, part.clone())).collect();
        if let Some((_, own)) = moves.iter().find(|(role, _)| *role == self.role)
            && let Some(place) = self.sent.iter().position(|(_, text)| text == own)
        {
            let (sent, _) = self.sent.remove(place);
            self.delays.push(time.0 as i64 - sent.0 as i64);
            if self.delays.len() > MOST_DELAYS {
                self.delays.remove(0);
            }
        }
        if !moves.is_empty() {
            self.world.told(time, News::Moves(moves));
        }
    }

    /// When it wants to look again.
    pub fn wake_at(&self) -> Option<Instant> {
        let (start, intent) = (self.start?, self.intent?);
        let early = intent.at.since(self.delay());
        start.checked_add(self.pace.duration(early))
    }

    /// Looks at the match now; the move to send, if there is one.
    pub fn look(&mut self, now: Instant) -> Option<String> {
        if self.over || self.start.is_none() {
            self.intent = None;
            return None;
        }
        let own = self.own_time(now);
        // What is sent now arrives so much later.
        let arrives = own + self.delay();
        self.intent = self.player.intend(&mut self.world, arrives);
        let Some(Intent {
            make: Some(id), at, ..
        }) = self.intent
        else {
            return None;
        };
        // One look for each move; the next one is a little later.
        self.intent = Some(Intent {
            at: at.max(arrives) + Ticks(Ticks::PER_UNIT / 100),
            make: None,
        });
        let text = self.game.moves().name(id).to_string();
        self.world.sent(arrives, &text);
        self.sent.push((own, text.clone()));
        Some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Heard, read_message};
    use paidia_game::Ticks;

    #[test]
    fn messages_are_read_or_refused_with_a_reason() {
        let told = |text: &str| read_message(text, "m1");
        assert_eq!(
            told("(PLAY m1 nil 0.0)"),
            Ok(Heard::Nothing { time: Ticks::ZERO })
        );
        assert_eq!(
            told("(play m1 ((mark 1 1) NIL) 1.50)"),
            Ok(Heard::Told {
                time: Ticks(1_500_000),
                parts: vec!["(mark 1 1)".to_owned(), "NIL".to_owned()],
                over: false,
            })
        );
        assert!(matches!(
            told("(STOP m1 () 2.0)"),
            Ok(Heard::Told { over: true, .. })
        ));
        for text in [
            "",
            "(PLAY m1 nil)",
            "(PLAY m2 nil 0.0)",
            "(PLAY m1 nil x)",
            "(JUMP m1 nil 1)",
            "(PLAY m1 ((a) 1.0)",
            "(PLAY m1 a)) 1.0)",
            "(PLAY m1 a 1.0)",
        ] {
            assert!(told(text).is_err(), "{text}");
        }
    }
}
