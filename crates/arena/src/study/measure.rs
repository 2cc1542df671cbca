//! What counts in the games of a study.

use serde::{Deserialize, Serialize};

use crate::contest::Outcome;
use crate::statistics::Tally;

/// What counts in a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The points of the first player.
    #[default]
    Points,
    /// Whether everybody played perfectly: no move changed what the game is worth from its beginning.
    Perfect,
}

impl Measure {
    /// What a game counts, from 0 to 1; `None` if it does not count.
    pub(super) fn of(self, record: &Outcome) -> Option<f64> {
        match self {
            Measure::Points => record.points(0),
            Measure::Perfect => record
                .is_perfect
                .map(|is_perfect| f64::from(u8::from(is_perfect))),
        }
    }

    /// What percentages are of, as a title.
    pub(super) fn title(self) -> &'static str {
        match self {
            Measure::Points => "Points of the first player in percent",
            Measure::Perfect => "Games in which every move was best, in percent",
        }
    }

    /// What is counted.
    pub(super) fn counted(self) -> &'static str {
        match self {
            Measure::Points => "won/drawn/lost",
            Measure::Perfect => "perfect/not",
        }
    }

    /// The counts.
    pub(super) fn counts(self, tally: &Tally) -> String {
        let Tally {
            wins,
            draws,
            losses,
            ..
        } = tally;
        match self {
            Measure::Points => format!("{wins}/{draws}/{losses}"),
            Measure::Perfect => format!("{wins}/{losses}"),
        }
    }
}
