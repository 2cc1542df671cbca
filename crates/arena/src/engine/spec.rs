//! How engines are written: `name(key=value, ...)`, as players are.

use std::fmt;
use std::str::FromStr;

use super::kinds::{ENGINES, Engine, Kind, Setting};
use crate::spec::{self, Misread, Values};
use crate::text::nearest;

/// An engine, with what was set about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineSpec {
    engine: Engine,
    /// Each fits a setting of the engine.
    values: Values,
}

/// Why a text is no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadEngine {
    /// The text does not have the form of an engine.
    #[error(
        "`{0}` is not written as an engine: it should look like `compiled` or `compiled(share=off, cut=off)`"
    )]
    Form(String),
    /// A setting is there twice.
    #[error("`{0}` is set twice")]
    Repeated(String),
    /// There is no such engine.
    #[error("there is no engine called `{name}`; {hint}")]
    UnknownName {
        /// The name that was given.
        name: String,
        /// What there is.
        hint: String,
    },
    /// The engine has no such setting.
    #[error("the engine `{engine}` has no `{setting}`; {hint}")]
    UnknownSetting {
        /// The engine.
        engine: &'static str,
        /// The setting that was given.
        setting: String,
        /// What it has.
        hint: String,
    },
    /// The value does not fit the setting.
    #[error("`{value}` is not a value for `{setting}`: {wanted}")]
    BadValue {
        /// The setting.
        setting: String,
        /// The value that was given.
        value: String,
        /// What the setting takes.
        wanted: String,
    },
}

impl EngineSpec {
    /// Which engine it is.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// The same engine with something else set.
    ///
    /// # Errors
    /// If the engine has no such setting, or the setting takes no such value.
    pub fn with(mut self, setting: &str, value: &str) -> Result<Self, BadEngine> {
        let known = find_setting(self.engine.kind(), setting)?;
        if !known.takes.fits(value) {
            return Err(BadEngine::BadValue {
                setting: setting.to_owned(),
                value: value.to_owned(),
                wanted: known.takes.in_words(),
            });
        }
        self.values.insert(setting.to_owned(), value.to_owned());
        Ok(self)
    }

    /// What was set, for another engine; what that one does not have is dropped.
    pub fn with_engine(&self, engine: Engine) -> Self {
        let settings = engine.kind().settings;
        let known = |name: &str| settings.iter().any(|setting| setting.name == name);
        let mut values = self.values.clone();
        values.retain(|name, _| known(name));
        Self { engine, values }
    }

    /// What a setting is: as it was written, else as it usually is.
    pub fn value(&self, name: &str) -> &str {
        let usual = || {
            let mut settings = self.engine.kind().settings.iter();
            let setting = settings.find(|setting| setting.name == name);
            setting.map_or("", |setting| setting.takes.usual())
        };
        self.values.get(name).map_or_else(usual, String::as_str)
    }

    /// Whether a setting is on.
    pub(super) fn is_on(&self, name: &str) -> bool {
        self.value(name) == "on"
    }
}

impl From<Engine> for EngineSpec {
    fn from(engine: Engine) -> Self {
        Self {
            engine,
            values: Values::new(),
        }
    }
}

impl FromStr for EngineSpec {
    type Err = BadEngine;

    fn from_str(text: &str) -> Result<Self, BadEngine> {
        let (name, values) = spec::read(text).map_err(|misread| match misread {
            Misread::Form => BadEngine::Form(text.to_owned()),
            Misread::Repeated(key) => BadEngine::Repeated(key),
        })?;
        let engine = Self::from(find_engine(&name)?);
        values
            .iter()
            .try_fold(engine, |engine, (key, value)| engine.with(key, value))
    }
}

impl fmt::Display for EngineSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        spec::write(formatter, self.engine.name(), &self.values)
    }
}

fn find_engine(name: &str) -> Result<Engine, BadEngine> {
    let found = ENGINES.iter().find(|kind| kind.name == name);
    let found = found.map(|kind| kind.engine);
    found.ok_or_else(|| BadEngine::UnknownName {
        name: name.to_owned(),
        hint: hint(name, &names(ENGINES, |kind| kind.name), "the engines are"),
    })
}

fn find_setting(kind: &Kind, name: &str) -> Result<&'static Setting, BadEngine> {
    let found = kind.settings.iter().find(|setting| setting.name == name);
    found.ok_or_else(|| BadEngine::UnknownSetting {
        engine: kind.name,
        setting: name.to_owned(),
        hint: hint(name, &names(kind.settings, |known| known.name), "it has"),
    })
}

fn names<T>(all: &[T], name: impl Fn(&T) -> &'static str) -> Vec<&'static str> {
    all.iter().map(name).collect()
}

/// What may have been meant, else what there is.
fn hint(written: &str, names: &[&'static str], they_are: &str) -> String {
    match nearest(written, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None if names.is_empty() => format!("{they_are} nothing to set"),
        None => format!("{they_are} {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Engine, EngineSpec};

    fn read(text: &str) -> EngineSpec {
        text.parse().unwrap()
    }

    fn mistake(text: &str) -> String {
        text.parse::<EngineSpec>().unwrap_err().to_string()
    }

    #[test]
    fn engines_are_read_as_they_are_written() {
        for text in [
            "auto",
            "compiled(cut=off, share=off)",
            "propnet(one-of=off)",
        ] {
            assert_eq!(read(text).to_string(), text);
        }
        assert_eq!(read(" batch ( ) "), Engine::Batch.into());
    }

    #[test]
    fn what_another_engine_does_not_have_is_dropped() {
        let spec = read("auto(factor=off)");
        let network = spec.with_engine(Engine::Propnet);
        assert_eq!(network.to_string(), "propnet(factor=off)");
        assert_eq!(spec.with_engine(Engine::Compiled), Engine::Compiled.into());
    }

    #[test]
    fn mistakes_are_named_with_what_is_near() {
        let mistakes = [
            (
                "compild",
                "there is no engine called `compild`; did you mean `compiled`?",
            ),
            (
                "compiled(shrae=off)",
                "the engine `compiled` has no `shrae`; did you mean `share`?",
            ),
            (
                "compiled(zzz=off)",
                "the engine `compiled` has no `zzz`; it has share, order, cut, restrict, carry, demand, native",
            ),
            (
                "reference(x=1)",
                "the engine `reference` has no `x`; it has nothing to set",
            ),
            (
                "compiled(cut=no)",
                "`no` is not a value for `cut`: `on` or `off`",
            ),
            ("compiled(cut=on, cut=on)", "`cut` is set twice"),
        ];
        for (text, said) in mistakes {
            assert_eq!(mistake(text), said);
        }
        assert!(
            mistake("zzz").starts_with("there is no engine called `zzz`; the engines are auto, ")
        );
        assert!(mistake("compiled(").contains("is not written as an engine"));
    }
}
