//! How players are written: `name(key=value, ...)`.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

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

fn suggestion(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(
        || "; `paidia players` lists them".into(),
        |name| format!("; did you mean `{name}`?"),
    )
}

impl FromStr for PlayerSpec {
    type Err = BadPlayer;

    fn from_str(text: &str) -> Result<Self, BadPlayer> {
        let form = || BadPlayer::Form(text.to_owned());
        let text = text.trim();
        let (name, inner) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => (name.trim(), rest.strip_suffix(')').ok_or_else(form)?),
        };
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "-_".contains(c))
        };
        if !is_name(name) {
            return Err(form());
        }
        let mut values = BTreeMap::new();
        for part in inner
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            let (key, value) = part.split_once('=').ok_or_else(form)?;
            let (key, value) = (key.trim(), value.trim());
            if !is_name(key) || value.is_empty() || value.contains(['(', ')', '=']) {
                return Err(form());
            }
            if values.insert(key.to_owned(), value.to_owned()).is_some() {
                return Err(BadPlayer::Repeated(key.to_owned()));
            }
        }
        Ok(Self {
            name: name.to_owned(),
            values,
        })
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)?;
        if self.values.is_empty() {
            return Ok(());
        }
        let pairs: Vec<String> = self
            .values
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        write!(formatter, "({})", pairs.join(", "))
    }
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
