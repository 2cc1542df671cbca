//! Sixteen players that search equally deep and judge differently.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use paidia_languages::board::{Tables, TooComplex};

use crate::player::{Evaluation, Extras, Weights};

/// What a player judges by: `C` (men are worth the same) or `W` (men are worth what they can
/// reach), with any of `G` (goals), `C` (control) and `M` (mobility), as in `WGCM`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Profile(u8);

const WEIGHTED: u8 = 8;
const GOALS: u8 = 4;
const CONTROL: u8 = 2;
const MOBILITY: u8 = 1;

impl Profile {
    /// All sixteen, in the order of their bits.
    pub fn all() -> impl Iterator<Item = Profile> {
        (0..16).map(Profile)
    }

    fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }

    /// How a player of this profile judges positions of a game.
    ///
    /// # Errors
    /// If a rule has no automaton that is small enough.
    pub fn evaluation(self, tables: &Tables) -> Result<Evaluation, TooComplex> {
        let squares = tables.squares() as f64;
        let mut weights = match self.has(WEIGHTED) {
            true => Weights::of_moves(tables)?,
            false => Weights::alike(tables, squares.sqrt()),
        };
        if self.has(GOALS) {
            weights.add_goals(tables)?;
        }
        let extras = Extras {
            mobility: self.has(MOBILITY),
            control: self.has(CONTROL),
        };
        Ok(Evaluation::new(tables, &weights, extras))
    }
}

impl fmt::Display for Profile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = if self.has(WEIGHTED) { "W" } else { "C" };
        let others = [(GOALS, "G"), (CONTROL, "C"), (MOBILITY, "M")];
        let others = others.into_iter().filter(|&(bit, _)| self.has(bit));
        let others: String = others.map(|(_, letter)| letter).collect();
        write!(formatter, "{first}{others}")
    }
}

impl FromStr for Profile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Profile::all().find(|profile| profile.to_string() == text);
        found.ok_or_else(|| {
            let all: Vec<String> = Profile::all().map(|profile| profile.to_string()).collect();
            format!("there is no profile `{text}`; there are {}", all.join(", "))
        })
    }
}

/// Who plays: a player that judges in some way, or one that draws its moves.
#[derive(Clone)]
pub enum Seat {
    /// Minimax of a fixed depth.
    Judge(Arc<Evaluation>),
    /// Any legal move.
    Random,
}
