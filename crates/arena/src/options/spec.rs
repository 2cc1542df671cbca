//! How entries are written, `name(option=value, ...)`, and read.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use super::{Catalogue, Entry, Setting};
use crate::text::nearest;

/// Values by option, as they were written.
type Values = BTreeMap<String, String>;

/// Settings that have a catalogue.
pub trait Configured: Clone + 'static {
    /// The entries that have such settings.
    const CATALOGUE: Catalogue<Self>;
}

/// An entry of a catalogue with values for its options, all of them checked.
#[derive(Clone)]
pub struct Spec<S: 'static> {
    entry: &'static Entry<S>,
    values: Values,
    /// Boxed, since specs are kept in larger things, most of them with few values.
    settings: Box<S>,
}

/// Why a text is no entry of a catalogue.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSpec {
    /// The text does not have the form.
    #[error("`{text}` is not written as {a_noun}: it should look like {example}")]
    Form {
        /// The text.
        text: String,
        /// What it should be, with its article.
        a_noun: &'static str,
        /// How that looks.
        example: &'static str,
    },
    /// An option is set twice.
    #[error("`{0}` is set twice")]
    Repeated(String),
    /// There is no such entry.
    #[error("there is no {noun} called `{name}`; {hint}")]
    UnknownName {
        /// What it should be.
        noun: &'static str,
        /// The name that was given.
        name: String,
        /// What there is.
        hint: String,
    },
    /// The entry has no such option.
    #[error("the {noun} `{name}` has no `{option}`; {hint}")]
    UnknownOption {
        /// What the entry is.
        noun: &'static str,
        /// The entry.
        name: &'static str,
        /// The option that was given.
        option: String,
        /// What it has.
        hint: String,
    },
    /// The value does not fit the option.
    #[error("`{value}` is not a value for `{option}`: {wanted}")]
    BadValue {
        /// The option.
        option: &'static str,
        /// The value that was given.
        value: String,
        /// What the option takes.
        wanted: String,
    },
}

impl<S: Configured> Spec<S> {
    fn new(entry: &'static Entry<S>, values: Values) -> Result<Self, BadSpec> {
        let is_known = |name: &str| entry.settings().any(|setting| setting.name == name);
        if let Some(unknown) = values.keys().find(|name| !is_known(name)) {
            return Err(unknown_option(entry, unknown));
        }
        let mut settings = (entry.defaults)();
        for setting in entry.settings() {
            if let Some(value) = values.get(setting.name)
                && !setting.set(&mut settings, value)
            {
                return Err(BadSpec::BadValue {
                    option: setting.name,
                    value: value.clone(),
                    wanted: setting.wanted(),
                });
            }
        }
        Ok(Self {
            entry,
            values,
            settings: Box::new(settings),
        })
    }

    /// What it is in the catalogue.
    pub fn entry(&self) -> &'static Entry<S> {
        self.entry
    }

    /// Its settings: what was written, and defaults.
    pub fn settings(&self) -> &S {
        &self.settings
    }

    /// Whether it has an option.
    pub fn has(&self, setting: &Setting<S>) -> bool {
        self.entry.settings().any(|own| own.name == setting.name)
    }

    /// Whether something was written for an option.
    pub fn sets(&self, setting: &Setting<S>) -> bool {
        self.values.contains_key(setting.name)
    }

    /// The same with another value for an option.
    ///
    /// # Errors
    /// If it has no such option, or the option takes no such value.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, BadSpec> {
        self.with_all(&[(name, value)])
    }

    /// The same with other values for some options.
    ///
    /// # Errors
    /// As [`Self::with`].
    pub fn with_all(&self, values: &[(&str, &str)]) -> Result<Self, BadSpec> {
        let mut all = self.values.clone();
        let values = values.iter();
        all.extend(values.map(|&(name, value)| (name.to_owned(), value.to_owned())));
        Self::new(self.entry, all)
    }

    /// Another entry, with those of the values that it takes.
    pub fn moved_to(&self, entry: &'static Entry<S>) -> Self {
        let plain = Self {
            entry,
            values: Values::new(),
            settings: Box::new((entry.defaults)()),
        };
        let values = self.values.iter();
        values.fold(plain, |spec, (name, value)| {
            spec.with(name, value).unwrap_or(spec)
        })
    }
}

impl<S: Configured> Default for Spec<S> {
    fn default() -> Self {
        let entry = &const { S::CATALOGUE.entries }[0];
        Self {
            entry,
            values: Values::new(),
            settings: Box::new((entry.defaults)()),
        }
    }
}

impl<S: Configured> FromStr for Spec<S> {
    type Err = BadSpec;

    fn from_str(text: &str) -> Result<Self, BadSpec> {
        let catalogue = const { S::CATALOGUE };
        let Written { name, values } = text.parse().map_err(|misread| match misread {
            Misread::Form => BadSpec::Form {
                text: text.to_owned(),
                a_noun: catalogue.a_noun,
                example: catalogue.example,
            },
            Misread::Repeated(option) => BadSpec::Repeated(option),
        })?;
        let found = catalogue.entries.iter().find(|entry| entry.name == name);
        let entry = found.ok_or_else(|| {
            let names = catalogue.entries.iter().map(|entry| entry.name);
            let all = format!("the {}s are", catalogue.noun);
            BadSpec::UnknownName {
                noun: catalogue.noun,
                hint: hint(&name, names, &all),
                name,
            }
        })?;
        Self::new(entry, values)
    }
}

fn unknown_option<S: Configured>(entry: &'static Entry<S>, option: &str) -> BadSpec {
    let names = entry.settings().map(|setting| setting.name);
    BadSpec::UnknownOption {
        noun: const { S::CATALOGUE.noun },
        name: entry.name,
        option: option.to_owned(),
        hint: hint(option, names, "it has"),
    }
}

/// What may have been meant, else what there is.
fn hint(written: &str, names: impl Iterator<Item = &'static str>, all: &str) -> String {
    let names: Vec<&str> = names.collect();
    match nearest(written, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None if names.is_empty() => format!("{all} nothing to set"),
        None => format!("{all} {}", names.join(", ")),
    }
}

impl<S> PartialEq for Spec<S> {
    fn eq(&self, other: &Self) -> bool {
        (self.entry.name, &self.values) == (other.entry.name, &other.values)
    }
}

impl<S> Eq for Spec<S> {}

impl<S> fmt::Display for Spec<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.entry.name)?;
        if self.values.is_empty() {
            return Ok(());
        }
        let values = self.values.iter();
        let pairs: Vec<String> = values
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        write!(formatter, "({})", pairs.join(", "))
    }
}

impl<S> fmt::Debug for Spec<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// A text of the form `name(option=value, ...)`, whatever it names.
struct Written {
    name: String,
    values: Values,
}

/// Why a text does not have the form.
enum Misread {
    Form,
    Repeated(String),
}

impl FromStr for Written {
    type Err = Misread;

    fn from_str(text: &str) -> Result<Self, Misread> {
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
            let (option, value) = part.split_once('=').ok_or(Misread::Form)?;
            let (option, value) = (option.trim(), value.trim());
            if !is_name(option) || value.is_empty() || value.contains(['(', ')', '=']) {
                return Err(Misread::Form);
            }
            if values.insert(option.to_owned(), value.to_owned()).is_some() {
                return Err(Misread::Repeated(option.to_owned()));
            }
        }
        let name = name.to_owned();
        Ok(Self { name, values })
    }
}

#[cfg(test)]
mod tests {
    use super::BadSpec;
    use crate::spec::PlayerSpec;

    #[test]
    fn entries_are_read_as_they_are_written() {
        for text in ["uct", "uct(discount=0.99, exploration=40)", "mc-flat"] {
            let spec: PlayerSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        let spaced: PlayerSpec = "  uct ( exploration = 40 ,) ".parse().unwrap();
        assert_eq!(spaced.to_string(), "uct(exploration=40)");
    }

    #[test]
    fn what_has_not_the_form_is_refused() {
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
            let refused = text.parse::<PlayerSpec>();
            assert!(matches!(refused, Err(BadSpec::Form { .. })), "{text}");
        }
        let repeated = "uct(a=1, a=2)".parse::<PlayerSpec>();
        assert_eq!(repeated, Err(BadSpec::Repeated("a".into())));
    }
}
