//! How players are written: `name(key=value, ...)`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use paidia_search::advice::NoAdvice;

/// A player by name, with what was set about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSpec {
    /// The name in the catalogue.
    pub name: String,
    /// Values by key, as they were written.
    pub values: BTreeMap<String, String>,
}

/// Somebody who can be invited to a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guest {
    /// A player of the catalogue.
    BuiltIn(PlayerSpec),
    /// A player elsewhere, by its address: `http://...`. What can be reached there is for others to say.
    Elsewhere(String),
}

impl Guest {
    /// Whether it is a player elsewhere.
    pub fn is_elsewhere(&self) -> bool {
        matches!(self, Guest::Elsewhere(_))
    }
}

impl FromStr for Guest {
    type Err = BadPlayer;

    fn from_str(text: &str) -> Result<Self, BadPlayer> {
        // No name in the catalogue has a colon.
        if text.contains("://") {
            return Ok(Guest::Elsewhere(text.trim().to_owned()));
        }
        text.parse().map(Guest::BuiltIn)
    }
}

impl fmt::Display for Guest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guest::BuiltIn(spec) => spec.fmt(formatter),
            Guest::Elsewhere(address) => formatter.write_str(address),
        }
    }
}

/// Why a text is no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadPlayer {
    /// The text does not have the form of a player.
    #[error(
        "`{0}` is not written as a player: it should look like `uct` or `uct(exploration=40, discount=0.99)`"
    )]
    Form(String),
    /// The player wants advice about moves, and there is none.
    #[error("there is no advice about moves of this game: {0}")]
    NoAdvice(NoAdvice),
    /// A key is set twice.
    #[error("`{0}` is set twice")]
    Repeated(String),
    /// The catalogue has no such name.
    #[error("there is no player called `{name}`{}", suggestion(.nearest))]
    UnknownName {
        /// The name that was given.
        name: String,
        /// A name like it.
        nearest: Option<&'static str>,
    },
    /// The player has no such key.
    #[error("the player `{player}` has no `{key}`; it has: {known}")]
    UnknownKey {
        /// The player.
        player: &'static str,
        /// The key that was given.
        key: String,
        /// The keys that it has.
        known: String,
    },
    /// A player elsewhere cannot be reached from here.
    #[error("{0}")]
    Elsewhere(String),
    /// The value does not fit the key.
    #[error("`{value}` is not a value for `{key}`: {wanted}")]
    BadValue {
        /// The key.
        key: String,
        /// The value that was given.
        value: String,
        /// What the key takes.
        wanted: &'static str,
    },
}

impl From<NoAdvice> for BadPlayer {
    fn from(reason: NoAdvice) -> Self {
        BadPlayer::NoAdvice(reason)
    }
}

fn suggestion(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(
        || "; `paidia players` lists them".into(),
        |name| format!("; did you mean `{name}`?"),
    )
}

impl FromStr for PlayerSpec {
    type Err = BadPlayer;

    fn from_str(text: &str) -> Result<Self, BadPlayer> {
        match read(text) {
            Ok((name, values)) => Ok(Self { name, values }),
            Err(Misread::Form) => Err(BadPlayer::Form(text.to_owned())),
            Err(Misread::Repeated(key)) => Err(BadPlayer::Repeated(key)),
        }
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(formatter, &self.name, &self.values)
    }
}

/// Values by key, as they were written.
pub(crate) type Values = BTreeMap<String, String>;

/// Why a text is no name with values.
pub(crate) enum Misread {
    /// It does not look like one.
    Form,
    /// This key is set twice.
    Repeated(String),
}

/// Reads `name(key=value, ...)`, whatever it names.
pub(crate) fn read(text: &str) -> Result<(String, Values), Misread> {
    let text = text.trim();
    let (name, inner) = match text.split_once('(') {
        None => (text, ""),
        Some((name, rest)) => (name.trim(), rest.strip_suffix(')').ok_or(Misread::Form)?),
    };
    let is_name = |name: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
        !name.is_empty() && name.chars().all(fits)
    };
    if !is_name(name) {
        return Err(Misread::Form);
    }
    let mut values = Values::new();
    let parts = inner.split(',').map(str::trim);
    for part in parts.filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').ok_or(Misread::Form)?;
        let (key, value) = (key.trim(), value.trim());
        if !is_name(key) || value.is_empty() || value.contains(['(', ')', '=']) {
            return Err(Misread::Form);
        }
        if values.insert(key.to_owned(), value.to_owned()).is_some() {
            return Err(Misread::Repeated(key.to_owned()));
        }
    }
    Ok((name.to_owned(), values))
}

/// Writes what [`read`] reads.
pub(crate) fn write(
    formatter: &mut fmt::Formatter<'_>,
    name: &str,
    values: &Values,
) -> fmt::Result {
    formatter.write_str(name)?;
    if values.is_empty() {
        return Ok(());
    }
    let pairs = values.iter().map(|(key, value)| format!("{key}={value}"));
    write!(formatter, "({})", pairs.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::{BadPlayer, PlayerSpec};

    #[test]
    fn players_are_read_as_they_are_written() {
        for text in ["uct", "uct(discount=0.99, exploration=40)", "mc-flat"] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        let spaced: PlayerSpec = "  uct ( exploration = 40 ,) ".parse().unwrap();
        assert_eq!(spaced.to_string(), "uct(exploration=40)");
    }

    #[test]
    fn what_is_no_player_is_refused() {
        for text in [
            "",
            "(",
            "uct(",
            "uct)",
            "uct(x)",
            "uct(=3)",
            "uct(x=)",
            "u ct",
            "uct(a=(b))",
        ] {
            assert!(
                matches!(text.parse::<PlayerSpec>(), Err(BadPlayer::Form(_))),
                "{text}"
            );
        }
        assert_eq!(
            "uct(a=1, a=2)".parse::<PlayerSpec>(),
            Err(BadPlayer::Repeated("a".into()))
        );
    }
}
