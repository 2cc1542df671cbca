//! What a paper claims, and whether it holds here.
//!
//! A claim is about sums of the cells' means, each sum with a weight for each cell: one mean, the mean of several, a difference, a rank. It
//! holds if the interval of the sum lies within its bounds, it fails if the interval lies outside, and else it is undecided. A claim
//! with several parts holds if all do, and fails if one does. Nothing is corrected for asking many questions: of a hundred
//! claims at the edge of truth some are judged wrongly.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::error::StudyError;
use super::experiment::{Cell, Experiment, Selector, bad};
use crate::statistics::{Estimate, Interval, Tally, percent, weighted};

/// A claim of a paper.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// A short name.
    pub id: String,
    /// The claim in words.
    pub text: String,
    /// What must hold.
    pub test: Test,
    /// The lowest value, in percent.
    pub at_least: Option<f64>,
    /// The highest value, in percent.
    pub at_most: Option<f64>,
    /// Whether only one bound is tested, so that it may lie closer.
    #[serde(default)]
    pub one_sided: bool,
    /// Whether it holds unless it fails: the claim is that no difference shows.
    #[serde(default)]
    pub unless_refuted: bool,
    /// Other studies whose cells count, too.
    #[serde(default)]
    pub also: Vec<String>,
}

/// What a claim is about.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum Test {
    /// Each of these cells.
    Each {
        /// The cells.
        cells: Selector,
    },
    /// The mean of these cells.
    Mean {
        /// The cells.
        cells: Selector,
    },
    /// How much higher the mean of some cells is than that of others.
    Difference {
        /// The cells that count positively.
        more: Selector,
        /// The cells that count negatively.
        less: Selector,
    },
    /// How much the results rise from cell to cell: the slope of the line that lies closest to them, in the order of the study.
    Slope {
        /// The cells.
        cells: Selector,
    },
    /// In every group of every game each of these players has a higher win ratio, the mean of its pairings, than the next.
    Rank {
        /// The players, the best first.
        players: Vec<String>,
    },
}

/// What became of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Judgement {
    /// It is so.
    Holds,
    /// It is not so.
    Fails,
    /// The games do not tell.
    Undecided,
}

impl Judgement {
    /// The judgement in a word.
    pub fn name(self) -> &'static str {
        match self {
            Judgement::Holds => "holds",
            Judgement::Fails => "fails",
            Judgement::Undecided => "undecided",
        }
    }

    /// What becomes of a claim with parts: it holds if all do, and fails if one does.
    pub(super) fn of_all(parts: &[Part]) -> Self {
        let is = |judgement| move |part: &Part| part.judgement == judgement;
        if parts.iter().any(is(Judgement::Fails)) {
            Judgement::Fails
        } else if parts.iter().all(is(Judgement::Holds)) && !parts.is_empty() {
            Judgement::Holds
        } else {
            Judgement::Undecided
        }
    }

    /// Whether a value lies within bounds, by its interval.
    pub(super) fn of(estimate: Estimate, at_least: Option<f64>, at_most: Option<f64>) -> Self {
        let least = at_least.unwrap_or(f64::NEG_INFINITY);
        let most = at_most.unwrap_or(f64::INFINITY);
        if estimate.high < least || estimate.low > most {
            Judgement::Fails
        } else if estimate.low >= least && estimate.high <= most {
            Judgement::Holds
        } else {
            Judgement::Undecided
        }
    }
}

/// A claim, judged.
#[derive(Clone, Debug, Serialize)]
pub struct Finding {
    /// The claim's short name.
    pub id: String,
    /// The claim in words.
    pub text: String,
    /// What became of it.
    pub judgement: Judgement,
    /// What it was judged by.
    pub parts: Vec<Part>,
}

/// A part of a claim, judged.
#[derive(Clone, Debug, Serialize)]
pub struct Part {
    /// What it is about.
    pub what: String,
    /// The value in percent; `None` if games are missing.
    pub estimate: Option<Estimate>,
    /// What became of it.
    pub judgement: Judgement,
}

/// The results of a study: its cells with what came out.
#[derive(Clone, Debug)]
pub(super) struct Results {
    pub(super) cells: Vec<(Cell, Tally)>,
}

impl Claim {
    /// Whether it makes sense in its study.
    pub(super) fn check(&self, experiment: &Experiment) -> Result<(), StudyError> {
        let problem = |problem: &str| Err(bad(format!("claim `{}`", self.id), problem));
        if self.at_least.is_none() && self.at_most.is_none() {
            return problem("give `at_least`, `at_most` or both");
        }
        let chosen = |cells: &Selector| experiment.cells.iter().any(|cell| cells.takes(cell));
        let chosen = match &self.test {
            Test::Each { cells } | Test::Mean { cells } => chosen(cells),
            Test::Difference { more, less } => chosen(more) && chosen(less),
            Test::Slope { cells } => {
                let taken = experiment.cells.iter().filter(|cell| cells.takes(cell));
                taken.count() > 1
            }
            Test::Rank { players } => {
                players.len() > 1
                    && players
                        .iter()
                        .all(|name| experiment.players.contains_key(name))
            }
        };
        if chosen {
            Ok(())
        } else {
            problem("it is about no cell of the study")
        }
    }

    /// Judges the claim by the results of its study and of the others it names; one that is missing leaves it undecided.
    pub(super) fn judge(&self, own: &Results, others: &BTreeMap<String, Results>) -> Finding {
        let mut cells: Vec<&(Cell, Tally)> = own.cells.iter().collect();
        let mut missing: Vec<&str> = Vec::new();
        for name in &self.also {
            match others.get(name) {
                Some(other) => cells.extend(&other.cells),
                None => missing.push(name),
            }
        }
        let parts: Vec<Part> = if missing.is_empty() {
            self.sums(&cells).iter().map(|sum| self.part(sum)).collect()
        } else {
            vec![Part {
                what: format!("waits for all games of {}", missing.join(" and ")),
                estimate: None,
                judgement: Judgement::Undecided,
            }]
        };
        Finding {
            id: self.id.clone(),
            text: self.text.clone(),
            judgement: Judgement::of_all(&parts),
            parts,
        }
    }

    fn sums(&self, cells: &[&(Cell, Tally)]) -> Vec<Sum> {
        let chosen = |selector: &Selector| -> Vec<&(Cell, Tally)> {
            let cells = cells.iter().filter(|(cell, _)| selector.takes(cell));
            cells.copied().collect()
        };
        match &self.test {
            Test::Each { cells } => {
                let one = |cell: &&(Cell, Tally)| Sum::mean(cell.0.name.clone(), 1.0, &[*cell]);
                chosen(cells).iter().map(one).collect()
            }
            Test::Mean { cells } => {
                let cells = chosen(cells);
                vec![Sum::mean(
                    format!("mean of {} cells", cells.len()),
                    1.0,
                    &cells,
                )]
            }
            Test::Difference { more, less } => {
                let mut sum = Sum::mean("difference of means".to_owned(), 1.0, &chosen(more));
                sum.parts
                    .extend(Sum::mean(String::new(), -1.0, &chosen(less)).parts);
                vec![sum]
            }
            Test::Slope { cells } => vec![Sum::slope(&chosen(cells))],
            Test::Rank { players } => ranks(players, cells),
        }
    }

    fn part(&self, sum: &Sum) -> Part {
        let interval = if self.one_sided {
            Interval::OneSided95
        } else {
            Interval::TwoSided95
        };
        let estimate = weighted(sum.constant, &sum.parts, interval);
        let estimate = estimate.filter(|_| !sum.parts.is_empty());
        let percent = estimate.map(percent);
        Part {
            what: sum.what.clone(),
            judgement: percent.map_or(Judgement::Undecided, |percent| self.within(percent)),
            estimate: percent,
        }
    }

    fn within(&self, estimate: Estimate) -> Judgement {
        match Judgement::of(estimate, self.at_least, self.at_most) {
            Judgement::Undecided if self.unless_refuted => Judgement::Holds,
            judgement => judgement,
        }
    }
}

/// A sum of means with weights.
struct Sum {
    what: String,
    constant: f64,
    parts: Vec<(f64, Tally)>,
}

impl Sum {
    /// The mean of cells, times a factor.
    fn mean(what: String, factor: f64, cells: &[&(Cell, Tally)]) -> Self {
        let weight = factor / cells.len() as f64;
        Self {
            what,
            constant: 0.0,
            parts: cells.iter().map(|(_, tally)| (weight, *tally)).collect(),
        }
    }

    /// The slope of the line of least squares through cells that are one apart.
    fn slope(cells: &[&(Cell, Tally)]) -> Self {
        let middle = (cells.len() as f64 - 1.0) / 2.0;
        let distances: Vec<f64> = (0..cells.len())
            .map(|place| place as f64 - middle)
            .collect();
        let squares: f64 = distances.iter().map(|distance| distance * distance).sum();
        let weights = distances.iter().map(|distance| distance / squares);
        Self {
            what: format!("rise from cell to cell, over {}", cells.len()),
            constant: 0.0,
            parts: weights
                .zip(cells)
                .map(|(weight, (_, tally))| (weight, *tally))
                .collect(),
        }
    }
}

/// The win ratios of players in the cells of one group and game: for each player, in the order of the cells, a constant and
/// the weight of each cell.
#[derive(Clone, Debug)]
pub(super) struct Ratio {
    pub(super) player: String,
    constant: f64,
    weights: Vec<f64>,
}

impl Ratio {
    /// The ratios of all players of some cells of two.
    pub(super) fn of_all(cells: &[&(Cell, Tally)]) -> Vec<Self> {
        let names: BTreeSet<&String> = cells.iter().flat_map(|(cell, _)| &cell.players).collect();
        names
            .into_iter()
            .map(|name| Self::new(name, cells))
            .collect()
    }

    fn new(player: &str, cells: &[&(Cell, Tally)]) -> Self {
        let (mut constant, mut count) = (0.0, 0.0);
        let mut weights = Vec::new();
        for (cell, _) in cells {
            // The cell has the first one's points; the other has the rest.
            let weight = match cell.players.iter().position(|name| name == player) {
                Some(0) => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            };
            constant += f64::from(u8::from(weight < 0.0));
            count += f64::abs(weight);
            weights.push(weight);
        }
        Self {
            player: player.to_owned(),
            constant: constant / count,
            weights: weights.iter().map(|weight| weight / count).collect(),
        }
    }

    /// The ratio by our games.
    pub(super) fn estimate(&self, cells: &[&(Cell, Tally)]) -> Option<Estimate> {
        let parts = self.weights.iter().zip(cells);
        let parts = parts.filter(|(weight, _)| **weight != 0.0);
        let parts: Vec<(f64, Tally)> = parts
            .map(|(&weight, (_, tally))| (weight, *tally))
            .collect();
        weighted(self.constant, &parts, Interval::TwoSided95)
    }

    /// The ratio by the paper's figures, from 0 to 1.
    pub(super) fn paper(&self, cells: &[&(Cell, Tally)]) -> Option<f64> {
        let mut sum = self.constant;
        for (&weight, (cell, _)) in self.weights.iter().zip(cells) {
            if weight != 0.0 {
                sum += weight * cell.paper?.points / 100.0;
            }
        }
        Some(sum)
    }
}

/// The cells of two players by game and group, in the order in which groups come first.
pub(super) fn tournaments<'a>(
    cells: &[&'a (Cell, Tally)],
) -> Vec<(String, Vec<&'a (Cell, Tally)>)> {
    let mut found: Vec<(String, Vec<&(Cell, Tally)>)> = Vec::new();
    for &cell in cells.iter().filter(|(cell, _)| cell.players.len() == 2) {
        let name = format!("{}, {}", cell.0.game, cell.0.group);
        match found.iter_mut().find(|(other, _)| *other == name) {
            Some((_, cells)) => cells.push(cell),
            None => found.push((name, vec![cell])),
        }
    }
    found
}

/// For every tournament and each two neighbours in the ranking, how much higher the ratio of the first is.
fn ranks(players: &[String], cells: &[&(Cell, Tally)]) -> Vec<Sum> {
    let mut sums = Vec::new();
    for (name, cells) in tournaments(cells) {
        let ratios = Ratio::of_all(&cells);
        let ratio = |player: &String| ratios.iter().find(|ratio| ratio.player == *player);
        for pair in players.windows(2) {
            let (Some(higher), Some(lower)) = (ratio(&pair[0]), ratio(&pair[1])) else {
                continue;
            };
            let weights = higher.weights.iter().zip(&lower.weights);
            let weights = weights.map(|(higher, lower)| higher - lower);
            sums.push(Sum {
                what: format!("{} over {}, {name}", higher.player, lower.player),
                constant: higher.constant - lower.constant,
                parts: weights
                    .zip(&cells)
                    .map(|(weight, (_, tally))| (weight, *tally))
                    .collect(),
            });
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::{Judgement, Results};
    use crate::study::{Experiment, Tally};
    use std::collections::BTreeMap;

    const TEXT: &str = r#"
        title = "T"
        source = "S"
        about = "A"
        games = { chess = "ours" }
        players = { A = "uct", B = "mc-memory", C = "mc-flat" }
        scales.quick = { games = 6 }
        cells = [
            { name = "ab", group = "g", game = "chess", players = ["A", "B"], states = [1, 1] },
            { name = "ac", group = "g", game = "chess", players = ["A", "C"], states = [1, 1] },
            { name = "bc", group = "g", game = "chess", players = ["B", "C"], states = [1, 1] },
        ]
        [[claims]]
        id = "each"
        text = ""
        test = { kind = "each", cells = { players = ["A", "B"] } }
        at_least = 60
        [[claims]]
        id = "mean"
        text = ""
        test = { kind = "mean", cells = {} }
        at_least = 60
        at_most = 80
        [[claims]]
        id = "rank"
        text = ""
        test = { kind = "rank", players = ["A", "B", "C"] }
        at_least = 0
        [[claims]]
        id = "slope"
        text = ""
        test = { kind = "slope", cells = {} }
        at_least = 5
        [[claims]]
        id = "also"
        text = ""
        test = { kind = "mean", cells = {} }
        at_least = 0
        also = ["other"]
    "#;

    /// The judgements if in each cell so many of 100 games are won.
    fn judge(text: &str, wins: [u32; 3]) -> Vec<Judgement> {
        let experiment = Experiment::parse("test", text).unwrap();
        let tally = |wins: u32| {
            let mut tally = Tally::default();
            (0..100).for_each(|game| tally.add(f64::from(u8::from(game < wins))));
            tally
        };
        let cells = experiment.cells.iter().cloned();
        let own = Results {
            cells: cells.zip(wins.map(tally)).collect(),
        };
        let claims = experiment.claims.iter();
        claims
            .map(|claim| claim.judge(&own, &BTreeMap::new()).judgement)
            .collect()
    }

    #[test]
    fn claims_are_judged_by_their_intervals() {
        use Judgement::{Fails, Holds, Undecided};
        assert_eq!(
            judge(TEXT, [75, 70, 70]),
            [Holds, Holds, Holds, Fails, Undecided]
        );
        assert_eq!(
            judge(TEXT, [62, 90, 90]),
            [Undecided, Undecided, Holds, Holds, Undecided]
        );
        assert_eq!(
            judge(TEXT, [20, 20, 20]),
            [Fails, Fails, Fails, Undecided, Undecided]
        );
        // A beats B, but loses more to C.
        assert_eq!(judge(TEXT, [75, 20, 90])[2], Fails);
    }

    #[test]
    fn what_is_not_refuted_holds_if_that_is_the_claim() {
        let text = TEXT.replacen("at_least = 60", "at_least = 60\nunless_refuted = true", 1);
        assert_eq!(judge(&text, [52, 50, 50])[0], Judgement::Holds);
        assert_eq!(judge(&text, [40, 50, 50])[0], Judgement::Fails);
    }

    #[test]
    fn claims_about_nothing_are_refused() {
        let text = TEXT.replacen(r#"players = ["A", "B"] }"#, r#"players = ["B", "A"] }"#, 1);
        let error = Experiment::parse("test", &text).unwrap_err().to_string();
        assert!(
            error.contains("claim `each`") && error.contains("no cell"),
            "{error}"
        );
    }
}
