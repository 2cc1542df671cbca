//! Figures out of samples: medians over the rounds, with the lowest and the highest beside them.

use std::collections::BTreeMap;

use serde::Serialize;

use super::agenda::task;
use super::bench::Sample;
use super::contender::Count;
use super::data::{Effort, EngineEntry, Measure, Measurements, TableData, Unit};
use crate::statistics::Estimate;
use crate::text::significant;

/// What came out of measurements.
#[derive(Clone, Debug, Serialize)]
pub struct MeasurementFigures {
    /// The games, and which rules exactly they are.
    pub games: BTreeMap<String, String>,
    /// The engines as the study calls them, and as they are written.
    pub engines: Vec<EngineEntry>,
    /// Samples that were taken.
    pub taken: usize,
    /// Samples that the scale wants.
    pub wanted: usize,
    /// The tables.
    pub tables: Vec<FigureTable>,
}

impl MeasurementFigures {
    /// All figures.
    pub(super) fn slots(&self) -> impl Iterator<Item = &Slot> {
        let rows = self.tables.iter().flat_map(|table| &table.rows);
        rows.flat_map(|row| &row.slots)
    }
}

/// A table of figures.
#[derive(Clone, Debug, Serialize)]
pub struct FigureTable {
    /// Its short name.
    pub name: String,
    /// What stands above it.
    pub title: String,
    /// What was measured.
    pub measure: Measure,
    /// What is shown of it.
    pub unit: Unit,
    /// Whether figures are parts of the best in their row.
    pub relative: bool,
    /// Whether some engines should be faster than others.
    pub ordered: bool,
    /// What the study calls the engines of the columns.
    pub engines: Vec<String>,
    /// The columns that the paper has.
    pub papers: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// The figures of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// The game.
    pub game: String,
    /// The figures, an engine each.
    pub slots: Vec<Slot>,
    /// The paper's figures, in the order of its columns.
    pub papers: Vec<Option<f64>>,
    /// The engines that are faster than one that should be faster.
    pub exceptions: Vec<String>,
}

/// A figure.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Slot {
    /// The median of the rounds, with the lowest and the highest.
    pub figure: Option<Estimate>,
    /// The figure of each round.
    pub rounds: Vec<f64>,
    /// Whether playouts were too long to be finished, so that their number follows from the states
    /// and from the length that other engines found.
    pub reckoned: bool,
    /// Why there is no figure.
    pub problem: Option<String>,
}

/// The median of some numbers, with the lowest and the highest; `None` of none.
pub(super) fn spread(values: &[f64]) -> Option<Estimate> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (low, high) = (*sorted.first()?, *sorted.last()?);
    let middle = sorted.len() / 2;
    let value = match sorted.len().is_multiple_of(2) {
        true => f64::midpoint(sorted[middle - 1], sorted[middle]),
        false => sorted[middle],
    };
    Some(Estimate { value, low, high })
}

/// The samples of a ledger by the fingerprints of their tasks.
pub(super) type Samples<'a> = BTreeMap<&'a str, &'a Sample>;

/// The table with what the samples say.
pub(super) fn table(
    study: &Measurements,
    data: &TableData,
    effort: &Effort,
    seed: u64,
    samples: &Samples<'_>,
) -> FigureTable {
    let engines = study.engines_of(data);
    let papers: Vec<String> = data.paper.keys().cloned().collect();
    let row = |game: String| {
        let taken = |entry: &&EngineEntry| taken(data, effort, seed, samples, &game, entry);
        let taken: Vec<Taken<'_>> = engines.iter().map(taken).collect();
        let length = length(&taken);
        let mut slots: Vec<Slot> = taken.iter().map(|taken| taken.slot(data, length)).collect();
        let exceptions = exceptions(data, &engines, &slots);
        match engines
            .iter()
            .position(|entry| Some(&entry.name) == data.over.as_ref())
        {
            Some(base) => divide(&mut slots, base),
            None if data.relative => make_relative(&mut slots),
            None => (),
        }
        let papers = papers.iter();
        let papers = papers.map(|column| data.paper[column].get(&game).copied());
        Row {
            papers: papers.collect(),
            game,
            slots,
            exceptions,
        }
    };
    FigureTable {
        name: data.name.clone(),
        title: data.title.clone(),
        measure: data.measure,
        unit: data.unit,
        relative: data.relative || data.over.is_some(),
        ordered: !data.order.is_empty(),
        engines: engines.iter().map(|entry| entry.name.clone()).collect(),
        rows: study.games_of(data, effort).into_iter().map(row).collect(),
        papers,
    }
}

/// The samples of a figure.
struct Taken<'a> {
    counts: Vec<&'a Count>,
    problem: Option<&'a String>,
}

fn taken<'a>(
    data: &TableData,
    effort: &Effort,
    seed: u64,
    samples: &Samples<'a>,
    game: &str,
    entry: &EngineEntry,
) -> Taken<'a> {
    let rounds = match data.measure {
        Measure::Load | Measure::Nodes => 1,
        Measure::Playouts | Measure::Minimax => effort.rounds,
    };
    let fingerprints =
        (0..rounds).map(|round| task(data, effort, game, entry, round, seed).fingerprint());
    let found: Vec<&Sample> = fingerprints
        .filter_map(|fingerprint| samples.get(fingerprint.as_str()).copied())
        .collect();
    Taken {
        counts: found
            .iter()
            .filter_map(|sample| sample.count.as_ref())
            .collect(),
        problem: found.iter().find_map(|sample| sample.problem.as_ref()),
    }
}

/// States a playout over all samples in which every playout was finished.
fn length(taken: &[Taken<'_>]) -> Option<f64> {
    let counts = taken.iter().flat_map(|taken| &taken.counts);
    let whole = counts.filter(|count| !count.cut);
    let (states, playouts) = whole.fold((0, 0), |(states, playouts), count| {
        (states + count.states, playouts + count.playouts)
    });
    (playouts > 0).then(|| states as f64 / playouts as f64)
}

impl Taken<'_> {
    fn slot(&self, data: &TableData, length: Option<f64>) -> Slot {
        let value = |count: &&&Count| value(data, count, length);
        let rounds = self.counts.iter().filter_map(|count| value(&count));
        let rounds: Vec<f64> = rounds.map(|value| value * data.factor).collect();
        let reckons = data.unit == Unit::Playouts;
        let figure = spread(&rounds);
        let unfinished = "no playout was finished in time, by any engine";
        let problem = match (figure, self.problem, self.counts.is_empty()) {
            (None, Some(problem), _) => Some(problem.clone()),
            (None, None, false) => Some(unfinished.to_owned()),
            _ => None,
        };
        Slot {
            figure,
            rounds,
            reckoned: reckons && self.counts.iter().any(|count| count.cut),
            problem,
        }
    }
}

/// What a sample says in a unit.
fn value(data: &TableData, count: &Count, length: Option<f64>) -> Option<f64> {
    let seconds = if data.clock { count.clock } else { count.cpu };
    let per_second = |number: f64| (seconds > 0.0).then(|| number / seconds);
    let states = count.states as f64;
    match data.unit {
        Unit::Playouts if count.cut => per_second(states / length?),
        Unit::Playouts => per_second(count.playouts as f64),
        Unit::States => per_second(states),
        Unit::Length => (!count.cut && count.playouts > 0).then(|| states / count.playouts as f64),
        Unit::Seconds => Some(count.cpu),
        Unit::Nodes => Some(states),
    }
}

/// Turns figures into parts of the best median.
fn make_relative(slots: &mut [Slot]) {
    let medians = slots.iter().filter_map(|slot| slot.figure);
    let best = medians.map(|figure| figure.value).fold(0.0, f64::max);
    for slot in slots.iter_mut().filter(|_| best > 0.0) {
        slot.rounds.iter_mut().for_each(|value| *value /= best);
        slot.figure = spread(&slot.rounds);
    }
}

/// Turns figures into how many times they are those of one engine, round by round.
fn divide(slots: &mut [Slot], base: usize) {
    let base = slots[base].rounds.clone();
    for slot in slots {
        slot.figure = match slot.figure.is_some() && !base.is_empty() {
            true => ratios(&slot.rounds, &base),
            false => None,
        };
        slot.rounds = match slot.rounds.len() == base.len() {
            true => slot
                .rounds
                .iter()
                .zip(&base)
                .map(|(one, base)| one / base)
                .collect(),
            false => Vec::new(),
        };
    }
}

/// How much faster one is than another, round by round.
pub(super) fn ratios(one: &[f64], other: &[f64]) -> Option<Estimate> {
    if one.len() == other.len() {
        let pairs = one.iter().zip(other);
        let ratios: Vec<f64> = pairs.map(|(one, other)| one / other).collect();
        return spread(&ratios);
    }
    let (one, other) = (spread(one)?, spread(other)?);
    Some(Estimate {
        value: one.value / other.value,
        low: one.low / other.high,
        high: one.high / other.low,
    })
}

/// The engines that are faster than one of a later group.
fn exceptions(data: &TableData, engines: &[&EngineEntry], slots: &[Slot]) -> Vec<String> {
    let slot = |name: &String| {
        let place = engines.iter().position(|entry| entry.name == *name);
        place.map(|place| &slots[place])
    };
    let mut found = Vec::new();
    for (place, group) in data.order.iter().enumerate() {
        let later = data.order[place + 1..].iter().flatten();
        for (one, other) in group
            .iter()
            .flat_map(|one| later.clone().map(move |other| (one, other)))
        {
            let pair = slot(one).zip(slot(other));
            let ratio = pair.and_then(|(one, other)| ratios(&one.rounds, &other.rounds));
            if let Some(ratio) = ratio.filter(|ratio| ratio.value > 1.0) {
                let doubt = if ratio.low > 1.0 {
                    ""
                } else {
                    ", in some rounds not"
                };
                found.push(format!(
                    "{one} {} × {other}{doubt}",
                    significant(ratio.value)
                ));
            }
        }
    }
    found
}
