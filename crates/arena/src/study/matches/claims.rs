//! Claims about matches: sums of the cells' results, each with a weight for each cell.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;

use super::{About, Cell, Matches, Selector};
use crate::statistics::{Estimate, Interval, Tally, percent, weighted};
use crate::study::claims::{Claim, Finding, Quantifier};

/// A cell with what came out.
pub(super) type CellTally = (Cell, Tally);

/// What a claim is about.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub(super) enum Test {
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
    /// How much the results rise from cell to cell, in the order of the study: the slope of the
    /// line that lies closest to them.
    Slope {
        /// The cells.
        cells: Selector,
    },
    /// In every group of every game each of these players has a higher win ratio, the mean of its
    /// pairings, than the next.
    Rank {
        /// The players, the best first.
        players: Vec<String>,
    },
}

impl Test {
    /// Whether it is about cells or players of a study.
    pub(super) fn is_about(&self, study: &Matches) -> bool {
        let count = |cells: &Selector| study.cells.iter().filter(|cell| cells.takes(cell)).count();
        match self {
            Test::Each { cells } | Test::Mean { cells } => count(cells) > 0,
            Test::Difference { more, less } => count(more) > 0 && count(less) > 0,
            Test::Slope { cells } => count(cells) > 1,
            Test::Rank { players } => {
                let is_known = |name| study.players.contains_key(name);
                players.len() > 1 && players.iter().all(is_known)
            }
        }
    }

    fn sums(&self, cells: &[&CellTally]) -> Vec<Sum> {
        let chosen = |selector: &Selector| -> Vec<&CellTally> {
            let cells = cells.iter().filter(|(cell, _)| selector.takes(cell));
            cells.copied().collect()
        };
        match self {
            Test::Each { cells } => {
                let one = |cell: &&CellTally| Sum::mean(cell.0.name.clone(), 1.0, &[*cell]);
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
                let less = Sum::mean(String::new(), -1.0, &chosen(less));
                sum.parts.extend(less.parts);
                vec![sum]
            }
            Test::Slope { cells } => vec![Sum::slope(&chosen(cells))],
            Test::Rank { players } => ranks(players, cells),
        }
    }
}

/// Judges a claim by the results of its study and of the others it names; one that is missing
/// leaves it undecided.
pub(super) fn judge(
    claim: &Claim<About>,
    own: &[CellTally],
    others: &BTreeMap<String, Vec<CellTally>>,
) -> Finding {
    let About {
        test,
        one_sided,
        also,
    } = &claim.about;
    let missing = also.iter().filter(|name| !others.contains_key(*name));
    let missing: Vec<&str> = missing.map(String::as_str).collect();
    if !missing.is_empty() {
        let what = format!("waits for all games of {}", missing.join(" and "));
        return claim.judge(Quantifier::All, [(what, None)]);
    }
    let others = also.iter().flat_map(|name| &others[name]);
    let cells: Vec<&CellTally> = own.iter().chain(others).collect();
    let interval = match one_sided {
        true => Interval::OneSided95,
        false => Interval::TwoSided95,
    };
    let part = |sum: Sum| {
        let estimate = weighted(sum.constant, &sum.parts, interval);
        let estimate = estimate.filter(|_| !sum.parts.is_empty());
        (sum.what, estimate.map(percent))
    };
    claim.judge(Quantifier::All, test.sums(&cells).into_iter().map(part))
}

/// A sum of means with weights.
struct Sum {
    what: String,
    constant: f64,
    parts: Vec<(f64, Tally)>,
}

impl Sum {
    /// The mean of cells, times a factor.
    fn mean(what: String, factor: f64, cells: &[&CellTally]) -> Self {
        let weight = factor / cells.len() as f64;
        Self {
            what,
            constant: 0.0,
            parts: cells.iter().map(|(_, tally)| (weight, *tally)).collect(),
        }
    }

    /// The slope of the line of least squares through cells that are one apart.
    fn slope(cells: &[&CellTally]) -> Self {
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

/// The win ratio of a player in the cells of one group and game: a constant, and the weight of each
/// cell.
#[derive(Clone, Debug)]
pub(super) struct Ratio {
    pub(super) player: String,
    constant: f64,
    weights: Vec<f64>,
}

impl Ratio {
    /// The ratios of all players of some cells of two.
    pub(super) fn of_all(cells: &[&CellTally]) -> Vec<Self> {
        let names: BTreeSet<&String> = cells.iter().flat_map(|(cell, _)| &cell.players).collect();
        names
            .into_iter()
            .map(|name| Self::new(name, cells))
            .collect()
    }

    fn new(player: &str, cells: &[&CellTally]) -> Self {
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
    pub(super) fn estimate(&self, cells: &[&CellTally]) -> Option<Estimate> {
        let parts = self.weights.iter().zip(cells);
        let parts = parts.filter(|(weight, _)| **weight != 0.0);
        let parts: Vec<(f64, Tally)> = parts
            .map(|(&weight, (_, tally))| (weight, *tally))
            .collect();
        weighted(self.constant, &parts, Interval::TwoSided95)
    }

    /// The ratio by the paper's figures, from 0 to 1.
    pub(super) fn paper(&self, cells: &[&CellTally]) -> Option<f64> {
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
pub(super) fn tournaments<'a>(cells: &[&'a CellTally]) -> Vec<(String, Vec<&'a CellTally>)> {
    let mut found: Vec<(String, Vec<&CellTally>)> = Vec::new();
    for &cell in cells.iter().filter(|(cell, _)| cell.players.len() == 2) {
        let name = format!("{}, {}", cell.0.game, cell.0.group);
        match found.iter_mut().find(|(other, _)| *other == name) {
            Some((_, cells)) => cells.push(cell),
            None => found.push((name, vec![cell])),
        }
    }
    found
}

/// For every tournament and each two neighbours in the ranking, how much higher the ratio of the
/// first is.
fn ranks(players: &[String], cells: &[&CellTally]) -> Vec<Sum> {
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
    use super::{CellTally, Matches, judge};
    use crate::statistics::Tally;
    use crate::study::{Judgement, parse};
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

    /// The judgements if in each cell this number of 100 games is won.
    fn judgements(text: &str, wins: [u32; 3]) -> Vec<Judgement> {
        let experiment = parse::<Matches>("test", text).unwrap();
        let tally = |wins: u32| {
            let mut tally = Tally::default();
            (0..100).for_each(|game| tally.add(f64::from(u8::from(game < wins))));
            tally
        };
        let cells = experiment.cells.iter().cloned();
        let own: Vec<CellTally> = cells.zip(wins.map(tally)).collect();
        let claims = experiment.claims.iter();
        claims
            .map(|claim| judge(claim, &own, &BTreeMap::new()).judgement)
            .collect()
    }

    #[test]
    fn claims_are_judged_by_their_intervals() {
        use Judgement::{Fails, Holds, Undecided};
        assert_eq!(
            judgements(TEXT, [75, 70, 70]),
            [Holds, Holds, Holds, Fails, Undecided]
        );
        assert_eq!(
            judgements(TEXT, [62, 90, 90]),
            [Undecided, Undecided, Holds, Holds, Undecided]
        );
        assert_eq!(
            judgements(TEXT, [20, 20, 20]),
            [Fails, Fails, Fails, Undecided, Undecided]
        );
        // A beats B, but loses more to C.
        assert_eq!(judgements(TEXT, [75, 20, 90])[2], Fails);
    }

    #[test]
    fn what_is_not_refuted_holds_if_that_is_the_claim() {
        let text = TEXT.replacen("at_least = 60", "at_least = 60\nunless_refuted = true", 1);
        assert_eq!(judgements(&text, [52, 50, 50])[0], Judgement::Holds);
        assert_eq!(judgements(&text, [40, 50, 50])[0], Judgement::Fails);
    }

    #[test]
    fn claims_about_nothing_are_refused() {
        let text = TEXT.replacen(r#"players = ["A", "B"] }"#, r#"players = ["B", "A"] }"#, 1);
        let error = parse::<Matches>("test", &text).unwrap_err().to_string();
        assert!(
            error.contains("claim `each`") && error.contains("no cell"),
            "{error}"
        );
    }
}
