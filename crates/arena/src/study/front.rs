//! What all kinds of studies have in their files.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::error::StudyError;
use crate::spec::PlayerSpec;

/// What a study is, as its file says it.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct Front {
    /// The name of its file.
    #[serde(skip)]
    pub name: String,
    /// What it is called.
    pub title: String,
    /// Where it was published.
    pub source: String,
    /// What it is about, in a few sentences.
    pub about: String,
    /// What differs from the publication, a sentence or two each.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// How much of a study is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Minutes.
    Quick,
    /// Enough for a report, within hours.
    Report,
    /// As published.
    Paper,
}

impl Scale {
    /// All scales, the smallest first.
    pub const ALL: [Scale; 3] = [Scale::Quick, Scale::Report, Scale::Paper];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Scale::Quick => "quick",
            Scale::Report => "report",
            Scale::Paper => "paper",
        }
    }

    /// What a study says about the scale.
    pub(super) fn of<T>(self, scales: &BTreeMap<Scale, T>) -> Result<&T, StudyError> {
        let data = scales.get(&self);
        data.ok_or_else(|| bad("scales", format!("there is no scale `{}`", self.name())))
    }
}

impl FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Scale::ALL.into_iter().find(|scale| scale.name() == text);
        found.ok_or_else(|| "the scales are quick, report and paper".to_owned())
    }
}

/// How much is played, and from which seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The scale.
    pub scale: Scale,
    /// The seed of the study.
    pub seed: u64,
}

/// A fault of the data.
pub(super) fn bad(place: impl Into<String>, problem: impl Into<String>) -> StudyError {
    StudyError::Data {
        place: place.into(),
        problem: problem.into(),
    }
}

/// Whether no two parts of a study have the same name.
pub(super) fn check_names<'a>(
    what: &str,
    names: impl IntoIterator<Item = &'a String>,
) -> Result<(), StudyError> {
    let mut seen = BTreeSet::new();
    match names.into_iter().find(|name| !seen.insert(*name)) {
        Some(name) => Err(bad(
            format!("{what} `{name}`"),
            "there are two of that name",
        )),
        None => Ok(()),
    }
}

/// Whether a name is one that the study tells of.
pub(super) fn check_told<T>(
    place: &str,
    section: &str,
    told: &BTreeMap<String, T>,
    name: &str,
) -> Result<(), StudyError> {
    match told.contains_key(name) {
        true => Ok(()),
        false => Err(bad(place, format!("[{section}] does not tell of `{name}`"))),
    }
}

/// Whether a figure of the paper is a percentage, and its half interval is one.
pub(super) fn check_percent(
    place: &str,
    percent: Option<f64>,
    half_width: Option<f64>,
) -> Result<(), StudyError> {
    let sound = |value: Option<f64>| value.is_none_or(|value| (0.0..=100.0).contains(&value));
    match sound(percent) && sound(half_width) {
        true => Ok(()),
        false => Err(bad(
            place,
            "the paper's percentages are numbers from 0 to 100",
        )),
    }
}

/// The player that a study calls so.
pub(super) fn player(
    players: &BTreeMap<String, String>,
    name: &str,
) -> Result<PlayerSpec, StudyError> {
    check_told("players", "players", players, name)?;
    let spec = players[name].parse::<PlayerSpec>();
    spec.map_err(|reason| StudyError::Player {
        player: name.to_owned(),
        reason: reason.into(),
    })
}

/// Whether the catalogue has all players of a study.
pub(super) fn check_players(players: &BTreeMap<String, String>) -> Result<(), StudyError> {
    let mut names = players.keys();
    names.try_for_each(|name| player(players, name).map(|_| ()))
}

/// Whether all numbers of a study are numbers; the first that is none is named by its path.
pub(super) fn check_numbers(data: &toml::Table) -> Result<(), StudyError> {
    let entries = data.iter();
    let mut entries = entries.map(|(key, value)| (key.clone(), value));
    entries.try_for_each(|(path, value)| check_value(&path, value))
}

fn check_value(path: &str, value: &toml::Value) -> Result<(), StudyError> {
    match value {
        toml::Value::Float(number) if !number.is_finite() => {
            Err(bad(path, format!("{number} is not a number to count with")))
        }
        toml::Value::Array(values) => {
            let mut values = values.iter().enumerate();
            // People count from 1.
            values.try_for_each(|(place, value)| {
                check_value(&format!("{path}[{}]", place + 1), value)
            })
        }
        toml::Value::Table(table) => {
            let mut entries = table.iter();
            entries.try_for_each(|(key, value)| check_value(&format!("{path}.{key}"), value))
        }
        _ => Ok(()),
    }
}
