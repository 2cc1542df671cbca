//! Playthroughs in real time that people can read and tests can repeat.
//!
//! What arrived and what chance drew stands in the text, so that a playthrough is checked by
//! letting the same arrive again.

use std::fmt::Write as _;

use anyhow::{Context, bail};
use paidia_arena::Guest;
use paidia_arena::realtime::{TimedMatch, play};
use paidia_arena::rules::Ruleset;
use paidia_game::{Rules, Ticks, TimedGame};
use paidia_realtime::record::{RecordedDraw, RecordedEvent, RecordedUpdate, replay};
use paidia_realtime::{TimedRecord, TimedRecorder};
use paidia_reason::timed::Timed;

use super::stage::TimedStage;
use crate::commands::listing;

/// How many updates are written with their states.
const FULL_UPDATES: usize = 12;

/// Longer lists of facts are cut short.
const MANY_FACTS: usize = 40;

/// The playthrough of a random match.
pub(crate) fn transcript(rules: &Ruleset, game: &Timed, seed: u64) -> anyhow::Result<String> {
    let players = game.facts().players();
    let guests = players.map(|_| (Guest::InTime("random(rate=1)".to_owned()), None));
    let guests: Vec<_> = guests.collect();
    let settings = TimedMatch {
        id: "playthrough",
        pace: None,
        until: Ticks::from_units(200.0),
        reaction: Ticks::ZERO,
        seed,
        stop: &std::sync::atomic::AtomicBool::new(false),
        elsewhere: None,
    };
    let mut recorder = TimedRecorder::new(game, TimedRecord::default());
    let (outcome, _) = play(game, &guests, &settings, &mut recorder)?;
    Ok(write(rules, game, seed, &recorder.finish(&outcome)))
}

/// The playthrough in which the same arrives as in a recorded one.
pub(crate) fn repeat(rules: &Ruleset, game: &Timed, recorded: &str) -> anyhow::Result<String> {
    let mut record = TimedRecord {
        roles: game.facts().roles.clone(),
        reading: game.reading().name().to_owned(),
        ..TimedRecord::default()
    };
    let mut seed = None;
    for line in recorded.lines() {
        if let Some(text) = line.strip_prefix("seed: ") {
            seed = text.trim().parse().ok();
        } else if let Some(text) = line.strip_prefix("arrives ") {
            let mut parts = text.splitn(3, ' ');
            let (Some(time), Some(role), Some(text)) = (parts.next(), parts.next(), parts.next())
            else {
                bail!("`{line}` is no time, role and move");
            };
            record.events.push(RecordedEvent {
                time: time.to_owned(),
                role: role.to_owned(),
                text: text.to_owned(),
                result: String::new(),
            });
        } else if let Some(text) = line.strip_prefix("draw ") {
            let (delay, text) = text
                .split_once(' ')
                .context("a draw has a delay and a move")?;
            record.draws.push(RecordedDraw {
                text: text.to_owned(),
                delay: (delay != "-").then(|| delay.to_owned()),
            });
        } else if let Some(text) = line.strip_prefix("end ") {
            record.end = text.trim().to_owned();
        }
    }
    let seed = seed.context("there is no line `seed: N`")?;
    let played = replay(game, &record).map_err(anyhow::Error::msg)?;
    Ok(write(rules, game, seed, &played))
}

// Writing to a string cannot fail, so the results of `write!` are dropped.
fn write(rules: &Ruleset, game: &Timed, seed: u64, record: &TimedRecord) -> String {
    let stage = TimedStage::new(rules, game, false);
    let roles = game.facts().roles.join(" ");
    let (name, title, reading) = (rules.name(), rules.title(), &record.reading);
    let mut text = format!(
        "game: {name}\ntitle: {title}\nroles: {roles}\nreading: {reading}\nseed: {seed}\n\n"
    );
    for draw in &record.draws {
        let delay = draw.delay.as_deref().unwrap_or("-");
        let _ = writeln!(text, "draw {delay} {}", draw.text);
    }
    for event in &record.events {
        let _ = writeln!(text, "arrives {} {} {}", event.time, event.role, event.text);
    }
    let _ = writeln!(text, "end {}", record.end);
    for (number, update) in record.updates.iter().enumerate() {
        write_update(&mut text, &stage, number, update);
    }
    let ending = if record.is_completed {
        "terminal"
    } else {
        "cut"
    };
    let _ = writeln!(text, "\n{ending}");
    for (role, goal) in record.roles.iter().zip(&record.goal_values) {
        let goal = goal.map_or("none".to_owned(), |goal| goal.to_string());
        let _ = writeln!(text, "  goal  {role}: {goal}");
    }
    text
}

fn write_update(text: &mut String, stage: &TimedStage, number: usize, update: &RecordedUpdate) {
    let _ = writeln!(text, "\nupdate {number} at {}", update.time);
    for (role, made) in &update.moves {
        let _ = writeln!(text, "  move     {role} {made}");
    }
    if !update.expired.is_empty() {
        let _ = writeln!(text, "  expired  {}", listing(&update.expired, MANY_FACTS));
    }
    if number >= FULL_UPDATES {
        return;
    }
    let lasting: Vec<_> = update
        .state
        .iter()
        .map(|(lifetime, fact)| (Ticks::parse(lifetime), fact.clone()))
        .collect();
    let (lines, rest) = stage.drawn_facts(&lasting);
    for line in lines {
        let _ = writeln!(text, "  {}", line.trim_end());
    }
    if !rest.is_empty() {
        let _ = writeln!(text, "  facts    {}", listing(&rest, MANY_FACTS));
    }
}
