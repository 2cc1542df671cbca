//! What options take, and where they are kept.

use std::str::FromStr;

use super::{Range, Takes};

/// What an option takes, and where it is kept in settings `S`.
pub trait Field<S>: Sync {
    /// The values that it takes.
    fn takes(&self) -> Takes;

    /// Its value as it is written; nothing where it does not count.
    fn get(&self, settings: &S) -> Option<String>;

    /// Sets it; whether it takes such a value.
    fn set(&self, settings: &mut S, value: &str) -> bool;
}

/// One of some words, each with what it means.
pub struct Words<S: 'static, T: 'static> {
    /// The words.
    pub words: &'static [(&'static str, T)],
    /// What is set.
    pub get: fn(&S) -> Option<T>,
    /// Sets it.
    pub set: fn(&mut S, T),
}

/// A number.
pub struct Number<S> {
    /// The least and the most.
    pub range: (f64, f64),
    /// What is set.
    pub get: fn(&S) -> Option<f64>,
    /// Sets it.
    pub set: fn(&mut S, f64),
}

/// A whole number.
pub struct Whole<S> {
    /// The least and the most.
    pub range: (u32, u32),
    /// What is set.
    pub get: fn(&S) -> Option<u32>,
    /// Sets it.
    pub set: fn(&mut S, u32),
}

/// What the first takes, or else the second.
pub struct Either<A, B>(pub A, pub B);

impl<S, T: Copy + PartialEq + Sync> Field<S> for Words<S, T> {
    fn takes(&self) -> Takes {
        Takes {
            words: self.words.iter().map(|(word, _)| *word).collect(),
            ..Takes::default()
        }
    }

    fn get(&self, settings: &S) -> Option<String> {
        let value = (self.get)(settings)?;
        let mut words = self.words.iter();
        let (word, _) = words.find(|(_, meant)| *meant == value)?;
        Some((*word).to_owned())
    }

    fn set(&self, settings: &mut S, value: &str) -> bool {
        let found = self.words.iter().find(|(word, _)| *word == value);
        found
            .map(|&(_, meant)| (self.set)(settings, meant))
            .is_some()
    }
}

impl<S> Field<S> for Number<S> {
    fn takes(&self) -> Takes {
        let (least, most) = self.range;
        numbers(least, most, false)
    }

    fn get(&self, settings: &S) -> Option<String> {
        (self.get)(settings).map(|number| number.to_string())
    }

    fn set(&self, settings: &mut S, value: &str) -> bool {
        let number = parsed(value, self.range);
        number.map(|number| (self.set)(settings, number)).is_some()
    }
}

impl<S> Field<S> for Whole<S> {
    fn takes(&self) -> Takes {
        let (least, most) = self.range;
        numbers(least.into(), most.into(), true)
    }

    fn get(&self, settings: &S) -> Option<String> {
        (self.get)(settings).map(|number| number.to_string())
    }

    fn set(&self, settings: &mut S, value: &str) -> bool {
        let number = parsed(value, self.range);
        number.map(|number| (self.set)(settings, number)).is_some()
    }
}

/// The number that a text is, if it is within a range.
fn parsed<N: FromStr + PartialOrd>(text: &str, (least, most): (N, N)) -> Option<N> {
    let number = text.parse().ok();
    number.filter(|number| (least..=most).contains(number))
}

fn numbers(least: f64, most: f64, whole: bool) -> Takes {
    let range = Range { least, most, whole };
    Takes {
        number: Some(range),
        ..Takes::default()
    }
}

impl<S, A: Field<S>, B: Field<S>> Field<S> for Either<A, B> {
    fn takes(&self) -> Takes {
        let (first, second) = (self.0.takes(), self.1.takes());
        Takes {
            words: [first.words, second.words].concat(),
            number: first.number.or(second.number),
            text: first.text.or(second.text),
        }
    }

    fn get(&self, settings: &S) -> Option<String> {
        self.0.get(settings).or_else(|| self.1.get(settings))
    }

    fn set(&self, settings: &mut S, value: &str) -> bool {
        self.0.set(settings, value) || self.1.set(settings, value)
    }
}
