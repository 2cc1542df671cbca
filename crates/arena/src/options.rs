//! Options of players, engines and whatever else is written `name(option=value, ...)`.
//!
//! A [`Setting`] declares one option: its name, its help, what it takes, and where it is in typed
//! settings `S`. Parsing, help, lists, JSON and forms are made from that declaration. An [`Entry`]
//! is something with settings, a [`Catalogue`] the entries of one kind, and a [`Spec`] an entry
//! with values, read and checked.

mod fields;
mod spec;

use std::fmt;

use serde::Serialize;

pub use fields::{Either, Field, Number, Whole, Words};
pub use spec::{BadSpec, Configured, Spec};

/// One option over settings `S`.
pub struct Setting<S: 'static> {
    /// How it is written.
    pub name: &'static str,
    /// What it means, with its unit, in a line.
    pub what: &'static str,
    /// What else must hold for it to count.
    pub condition: Option<Condition<S>>,
    /// What it takes, and where it is kept.
    pub field: &'static dyn Field<S>,
}

/// What must hold after an option was set.
pub struct Condition<S: 'static> {
    /// What must hold, such as `with playouts=nst`.
    pub words: &'static str,
    /// Whether it does.
    pub holds: fn(&S) -> bool,
}

/// Something with options: a player, an engine.
pub struct Entry<S: 'static> {
    /// How it is written.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub what: &'static str,
    /// Its options in groups. They are set in this order, so that a condition may ask for what
    /// stands before it.
    pub groups: &'static [&'static [Setting<S>]],
    /// The settings if nothing is said.
    pub defaults: fn() -> S,
}

/// All entries of one kind.
pub struct Catalogue<S: 'static> {
    /// What an entry is, such as `player`.
    pub noun: &'static str,
    /// The same with its article.
    pub a_noun: &'static str,
    /// How entries are written, for messages.
    pub example: &'static str,
    /// The entries, the default first.
    pub entries: &'static [Entry<S>],
}

/// An option of an entry as lists and forms show it.
#[derive(Clone, Debug, Serialize)]
pub struct Described {
    /// How it is written.
    pub name: &'static str,
    /// What it means.
    pub what: &'static str,
    /// What it takes and when, in words.
    pub wanted: String,
    /// What it is if nothing is said; empty where it does not count then.
    pub default: String,
    /// What it takes, for forms.
    pub takes: Takes,
}

/// The values that an option takes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Takes {
    /// Words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<&'static str>,
    /// Numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<Range>,
    /// Texts of another form, described.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<&'static str>,
}

/// The numbers that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Range {
    /// The least.
    pub least: f64,
    /// The most.
    pub most: f64,
    /// Whether only whole numbers are taken.
    pub whole: bool,
}

impl<S> Setting<S> {
    /// An option that counts always.
    pub const fn new(name: &'static str, what: &'static str, field: &'static dyn Field<S>) -> Self {
        Self {
            name,
            what,
            condition: None,
            field,
        }
    }

    /// The same under a condition.
    pub const fn when(self, words: &'static str, holds: fn(&S) -> bool) -> Self {
        Self {
            condition: Some(Condition { words, holds }),
            ..self
        }
    }

    /// What it takes and when, in words.
    pub fn wanted(&self) -> String {
        let takes = self.field.takes();
        match &self.condition {
            Some(condition) => format!("{takes}, {}", condition.words),
            None => takes.to_string(),
        }
    }

    /// Its value as it is written; nothing where it does not count.
    pub fn get(&self, settings: &S) -> Option<String> {
        self.field.get(settings)
    }

    /// Sets it; whether it takes the value and its condition holds.
    pub fn set(&self, settings: &mut S, value: &str) -> bool {
        let condition = self.condition.as_ref();
        self.field.set(settings, value)
            && condition.is_none_or(|condition| (condition.holds)(settings))
    }
}

impl<S> Entry<S> {
    /// Its options.
    pub fn settings(&self) -> impl Iterator<Item = &'static Setting<S>> {
        self.groups.iter().copied().flatten()
    }

    /// What an option of it is if nothing is said; nothing where it does not count then.
    pub fn default_of(&self, setting: &Setting<S>) -> Option<String> {
        setting.get(&(self.defaults)())
    }

    /// Its options as lists and forms show them.
    pub fn described(&self) -> Vec<Described> {
        let describe = |setting: &Setting<S>| Described {
            name: setting.name,
            what: setting.what,
            wanted: setting.wanted(),
            default: self.default_of(setting).unwrap_or_default(),
            takes: setting.field.takes(),
        };
        self.settings().map(describe).collect()
    }
}

impl fmt::Display for Takes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.words.iter().map(|word| format!("`{word}`")).collect();
        let number = self.number.map(|range| range.to_string());
        let other = number.or_else(|| self.text.map(str::to_owned));
        match (words.as_slice(), other) {
            ([], other) => formatter.write_str(&other.unwrap_or_default()),
            (words, Some(other)) => write!(formatter, "{}, or {other}", words.join(", ")),
            ([word], None) => formatter.write_str(word),
            ([words @ .., last], None) => write!(formatter, "{} or {last}", words.join(", ")),
        }
    }
}

impl fmt::Display for Range {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let short = |number: f64| match number.abs() {
            size if size < 1e-3 && size > 0.0 => format!("{number:e}"),
            _ => number.to_string(),
        };
        let whole = if self.whole { "whole " } else { "" };
        let (least, most) = (short(self.least), short(self.most));
        write!(formatter, "a {whole}number from {least} to {most}")
    }
}
