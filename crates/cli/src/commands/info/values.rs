//! What pieces and squares are worth, as an evaluation learnt from playouts has it.

use std::io::Write;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;
use paidia_arena::engine::OnGame;
use paidia_arena::playable::Playable;
use paidia_game::{Game, Legible, RoleId};
use paidia_search::TimeSource;
use paidia_search::evaluation::{Lesson, PieceValue, Quality, Teacher, players_of};
use serde::Serialize;

use crate::terminal;
use crate::text;

/// Predictions that agree less with what came of playouts say nothing.
const LEAST_CORRELATION: f64 = 0.1;

/// Places that are shown of each content, the best and the worst.
const PLACES: usize = 6;

/// Learns an evaluation for so long.
pub(super) struct Learn(pub(super) Duration);

/// What was learnt.
#[derive(Serialize)]
pub(super) struct Values {
    /// For which role values are above 0.
    role: String,
    states: usize,
    playouts: u64,
    seconds: f64,
    /// How well what was predicted for other states agrees with what came of playouts from them.
    correlation: f64,
    values: Vec<Value>,
}

/// What a content is worth, in hundredths of a natural logarithm of odds.
#[derive(Serialize)]
struct Value {
    kind: String,
    content: String,
    piece: bool,
    value: f64,
    /// How many there were in the mean.
    count: f64,
    places: Vec<(String, f64)>,
}

impl OnGame for Learn {
    type Output = anyhow::Result<Values>;

    fn run<G: Game + Legible>(self, playable: &Playable<G>) -> anyhow::Result<Values> {
        const SEED: u64 = 1;
        let game = &playable.game;
        let (first, _): (RoleId, RoleId) =
            players_of(game).context("no values are learnt for this game")?;
        let teacher = Teacher::new(game, playable.leaves(), SEED)?;
        // What is compiled when playouts are made first is not to be in the time.
        let untimed = Lesson {
            states: 1,
            ..Lesson::WITHOUT_CLOCK
        };
        teacher.learn(&game.initial(), untimed, &AtomicBool::new(false));
        let learnt = teacher.learn(
            &game.initial(),
            Lesson::within(self.0, TimeSource::Processor),
            &AtomicBool::new(false),
        );
        let Quality {
            states,
            playouts,
            time,
            correlation,
        } = learnt.quality;
        let value = |told: &PieceValue| Value {
            kind: told.kind.clone(),
            content: told.content.clone(),
            piece: told.is_piece,
            value: 100.0 * told.value,
            count: told.count,
            places: told
                .places
                .iter()
                .map(|(place, value)| (place.clone(), 100.0 * value))
                .collect(),
        };
        Ok(Values {
            role: game.facts().role_name(first).to_owned(),
            values: learnt.told.values.iter().map(value).collect(),
            seconds: time.as_secs_f64(),
            states,
            playouts,
            correlation,
        })
    }
}

impl Values {
    /// Whether the values say anything about playouts.
    pub(super) fn predicts(&self) -> bool {
        self.correlation >= LEAST_CORRELATION
    }

    pub(super) fn write(&self, out: &mut dyn Write, game: &str) -> anyhow::Result<()> {
        let (strong, faint) = (terminal::STRONG, terminal::FAINT);
        writeln!(
            out,
            "{strong}{game}{strong:#}, learnt in {:.1} s from {} states with {} playouts",
            self.seconds,
            text::grouped(self.states as u128),
            text::grouped(u128::from(self.playouts)),
        )?;
        writeln!(
            out,
            "predictions for other states agree with their playouts by a correlation of {:.2}",
            self.correlation
        )?;
        writeln!(
            out,
            "values are hundredths of the logarithm of odds; those above 0 are good for {}\n",
            self.role
        )?;
        for value in &self.values {
            let Value {
                kind,
                content,
                count,
                ..
            } = value;
            let piece = if value.piece { "piece" } else { "" };
            let name = format!("{kind} {content}");
            writeln!(
                out,
                "{strong}{name:24}{strong:#} {:>7.1}   {faint}{count:>5.1} of them {piece}{faint:#}",
                value.value
            )?;
            if value.places.len() > 1 {
                writeln!(out, "  {}", text::wrapped(&value.shown(), 100, 2))?;
            }
        }
        Ok(())
    }
}

impl Value {
    /// The places where it is worth most and least.
    fn shown(&self) -> Vec<String> {
        let place = |(place, value): &(String, f64)| format!("{place}: {value:.0}");
        let places = &self.places;
        if places.len() <= 2 * PLACES {
            return places.iter().map(place).collect();
        }
        let mut shown: Vec<String> = places[..PLACES].iter().map(place).collect();
        shown.push("...".to_owned());
        shown.extend(places[places.len() - PLACES..].iter().map(place));
        shown
    }
}
