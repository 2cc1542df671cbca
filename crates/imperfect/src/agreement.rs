//! What this crate finds about a game, compared item by item with truth computed elsewhere.
//!
//! The truth comes as JSON: numbers of histories and information sets with values, plays with all
//! percepts, beliefs after given histories, and lists of information sets (`docs/checks.md` tells
//! the form). Each comparison is a [`Finding`]: how many single things were compared, how many
//! differ, and the first of these.

mod beliefs;
pub mod formulas;
mod numbers;
mod plays;
mod sets;

use paidia_game::{Game, Legible, MoveId, RoleId};
use serde_json::Value;

use crate::explore::{Explorer, Limits, TooLarge};
use crate::unfold::{Unfolding, unfold};

/// How far numbers may be apart that are exact but for rounding.
pub const EXACT: f64 = 1e-9;
/// How far values of equilibria may be apart.
pub const EQUILIBRIUM: f64 = 1e-6;

/// What came of comparing one kind of thing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Finding {
    /// What was compared.
    pub what: String,
    /// How many single things.
    pub compared: u64,
    /// How many of them differ.
    pub differences: u64,
    /// The first that differs.
    pub first: Option<String>,
    /// Why it was not compared, or not whole.
    pub note: Option<String>,
}

impl Finding {
    fn new(what: &str) -> Self {
        Self {
            what: what.to_owned(),
            ..Self::default()
        }
    }

    /// Compares one thing.
    fn check(&mut self, agrees: bool, tell: impl FnOnce() -> String) {
        self.compared += 1;
        if !agrees {
            self.differences += 1;
            self.first.get_or_insert_with(tell);
        }
    }

    fn equal<T: PartialEq + std::fmt::Debug>(
        &mut self,
        ours: &T,
        theirs: &T,
        place: impl FnOnce() -> String,
    ) {
        self.check(ours == theirs, || {
            format!("{}: here {ours:?}, there {theirs:?}", place())
        });
    }

    fn near(&mut self, ours: f64, theirs: f64, within: f64, place: impl FnOnce() -> String) {
        self.check((ours - theirs).abs() <= within, || {
            format!("{}: here {ours}, there {theirs}", place())
        });
    }
}

/// The truth does not have the form that it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the data has not the expected form: {0}")]
pub struct Malformed(String);

/// Why a comparison came to nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoAgreement {
    /// The data is damaged.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The game is too large for it.
    #[error(transparent)]
    TooLarge(#[from] TooLarge),
}

fn malformed(what: &str) -> Malformed {
    Malformed(what.to_owned())
}

/// A member of an object.
fn member<'a>(value: &'a Value, key: &str) -> Result<&'a Value, Malformed> {
    value
        .get(key)
        .ok_or_else(|| Malformed(format!("`{key}` is missing")))
}

fn array<'a>(value: &'a Value, key: &str) -> Result<&'a Vec<Value>, Malformed> {
    member(value, key)?
        .as_array()
        .ok_or_else(|| Malformed(format!("`{key}` is no list")))
}

fn text<'a>(value: &'a Value, key: &str) -> Result<&'a str, Malformed> {
    member(value, key)?
        .as_str()
        .ok_or_else(|| Malformed(format!("`{key}` is no text")))
}

/// A number, whole or not, or a fraction such as `1/3`, alone or under `frac` or `float`.
fn number(value: &Value) -> Result<f64, Malformed> {
    let fraction = |text: &str| {
        let (above, below) = text.split_once('/').unwrap_or((text, "1"));
        Some(above.trim().parse::<f64>().ok()? / below.trim().parse::<f64>().ok()?)
    };
    let found = match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => fraction(text),
        Value::Object(object) => match object.get("frac") {
            Some(Value::String(text)) => fraction(text),
            _ => object.get("float").and_then(Value::as_f64),
        },
        _ => None,
    };
    found.ok_or_else(|| Malformed(format!("`{value}` is no number")))
}

/// Terms as a set: sorted, each once.
fn terms(value: &Value) -> Result<Vec<String>, Malformed> {
    let list = value
        .as_array()
        .ok_or_else(|| malformed("terms are a list"))?;
    let read = |term: &Value| {
        let text = term.as_str().ok_or_else(|| malformed("a term is a text"))?;
        let mut parts = paidia_game::split(text).map_err(|error| Malformed(error.to_string()))?;
        match (parts.pop(), parts.is_empty()) {
            (Some(term), true) => Ok(term),
            _ => Err(Malformed(format!("`{text}` is no single term"))),
        }
    };
    let mut terms = list
        .iter()
        .map(read)
        .collect::<Result<Vec<String>, Malformed>>()?;
    terms.sort();
    terms.dedup();
    Ok(terms)
}

/// A game with all that is compared, worked out once.
pub struct Subject<G: Game + Legible> {
    explorer: Explorer<G>,
    /// The histories; none before they were asked for.
    unfolding: Option<Unfolding>,
}

impl<G: Game + Legible> Subject<G> {
    /// A game to compare.
    ///
    /// # Errors
    /// If it cannot be explored at all.
    pub fn new(game: &G, limits: Limits) -> Result<Self, TooLarge> {
        Ok(Self {
            explorer: Explorer::new(game, limits)?,
            unfolding: None,
        })
    }

    /// Goes through the histories up to a depth, or all.
    ///
    /// # Errors
    /// If there are more than the limits.
    fn unfold_to(&mut self, depth: Option<usize>) -> Result<(), TooLarge> {
        if self.unfolding.is_none() {
            self.unfolding = Some(unfold(&mut self.explorer, depth)?);
        }
        Ok(())
    }

    fn game(&self) -> &G {
        &self.explorer.game
    }

    /// The place of a player among the players, by its name.
    fn player(&self, name: &str) -> Result<usize, Malformed> {
        let table = &self.explorer.table;
        let found = table
            .players
            .iter()
            .position(|role| table.roles[role.index()] == name);
        found.ok_or_else(|| Malformed(format!("`{name}` is no player of this game")))
    }

    fn role(&self, name: &str) -> Result<RoleId, Malformed> {
        let role = self.game().facts().role(name);
        role.ok_or_else(|| Malformed(format!("`{name}` is no role of this game")))
    }

    fn move_names(&self, ids: impl IntoIterator<Item = MoveId>) -> Vec<String> {
        let mut names: Vec<String> = ids
            .into_iter()
            .map(|id| self.game().moves().name(id).to_string())
            .collect();
        names.sort();
        names
    }

    fn percept_names(&self, set: u32) -> Vec<String> {
        let ids = self.explorer.table.percept_sets[set as usize].iter();
        let mut names: Vec<String> = ids
            .map(|&id| self.game().percepts().name(id).to_string())
            .collect();
        names.sort();
        names
    }

    /// The place of a set of percepts among those that were seen.
    fn percept_set(&self, names: &[String]) -> Option<u32> {
        let ids: Option<Vec<_>> = names
            .iter()
            .map(|name| self.game().percepts().find(name))
            .collect();
        let mut ids = ids?;
        self.game().percepts().sort(&mut ids);
        let sets = &self.explorer.table.percept_sets;
        sets.iter()
            .position(|set| **set == *ids)
            .map(|place| place as u32)
    }
}
